"""Moves typed in the words of their buttons and labels, and with the names of their parts."""

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from rules.australis import AUSTRALIS
from rules.australis.actions import PlaceCoral
from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.model import CurrentAffairsView, Phase
from rules.currents import CURRENTS
from rules.currents.components import PLAIN_CARDS, RANKS
from rules.currents.phrases import SUIT_WORDS, card_text, cards_text
from rules.errors import GuessedAction, MalformedAction, RulesError
from rules.game import AnyGame
from rules.model import SEAT_LETTERS, Action, Seat, View
from rules.notation import normalize_spelling, write_action
from rules.oceans import OCEANS
from rules.oceans.actions import Choose, LookDeep
from rules.oceans.steps import PlacingOverflow
from rules.paths import path_to
from rules.typed_moves import TypedMoveReader
from tests.conformance.setups import all_games
from tests.rules.current_affairs.positions import AT_SEA, FAR_BOARDS, IN_PORT, make_board, make_position
from tests.rules.current_affairs.positions import act as act_in_current_affairs
from tests.rules.oceans.positions import act, make_drawing_state, make_feeding_state, make_state
from tests.rules.whole_games import play_game
from tests.trials import IS_SOAK, cases


def legal_reading(reader: TypedMoveReader, legal: Sequence[Action], text: str) -> Action | None:
    """Return the legal action that a text is read as; None if it is refused or stands for none."""
    try:
        action = reader.read(text)
    except RulesError:
        return None
    return normalize_spelling(action, legal) if normalize_spelling(action, legal) in legal else None


@pytest.mark.parametrize("apostrophe", "'\u2018\u2019\u2032")
def test_an_apostrophe_may_be_written_as_phones_do(apostrophe: str) -> None:
    """Also at the end of a word, and in a part of a label."""
    state = make_state("SP7 4", "AP7 4", step=PlacingOverflow("A1"))
    view = OCEANS.view(state, Seat(0))
    legal = OCEANS.legal_actions(view)
    reader = TypedMoveReader(OCEANS, view, legal, ("Ava", "Ben"))
    for text in ("Move A1's overflow to zone 2", "move 'a1's' overflow to zone 2", "A1's overflow zone 2"):
        assert write_action(reader.read(text.replace("'", apostrophe))) == "spill z2", text


def test_a_part_of_a_label_must_fit_one_action() -> None:
    """Some words of it are enough, in their order, unless they stand in another label too."""
    transition = next(each for each in play_game(CURRENTS, 2, "casual", 1) if each.actor >= 0)
    view = CURRENTS.view(transition.before, transition.actor)
    legal = CURRENTS.legal_actions(view)
    reader = TypedMoveReader(CURRENTS, view, legal, ("Ava", "Ben"))

    def read(text: str) -> Action | None:
        return legal_reading(reader, legal, text)

    north_south = next(each for each in legal if write_action(each) == "axis NS")
    assert read("north south") == read("Aim for north and south") == north_south
    for text in ("aim for", "", "...", "south north", "up"):
        assert read(text) is None
    with pytest.raises(MalformedAction, match=r"^Nothing with “99” is possible now\. You can choose"):
        reader.read("for 99")


@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in all_games()])
def test_what_the_buttons_say_can_be_typed(game: AnyGame) -> None:
    """The words of all buttons that lead to a move stand for it, if they lead to no other, as few do."""
    seats = min(game.player_counts)
    names, text_count, read_count = tuple(SEAT_LETTERS[:seats]), 0, 0
    for transition in itertools.islice(play_game(game, seats, "casual", 1), 0, 200, 3):
        if transition.actor < 0:
            continue
        view = game.view(transition.before, transition.actor)
        legal = game.legal_actions(view)[:15]
        texts = [" ".join(step.label for step in path_to(game, view, each, names)) for each in legal]
        reader = TypedMoveReader(game, view, legal, names)
        for action, text in zip(legal, texts, strict=True):
            typed = legal_reading(reader, legal, text)
            assert typed in {action, None}
            read_count += typed is not None
        text_count += len(texts)
    assert read_count > 0.9 * text_count > 0


def test_a_number_of_another_meaning_is_no_part_of_a_label() -> None:
    """What a choice leaves is not what is chosen: "ages 3" is not "A1 ages 5: 3 left"."""
    state = act(make_feeding_state("WAR SP7 8", "AP7 9", cambrian_happened=True), "skip")
    view = OCEANS.view(state, Seat(0))
    legal = OCEANS.legal_actions(view)
    reader = TypedMoveReader(OCEANS, view, legal, ("Ava", "Ben"))

    def read(text: str) -> Action | None:
        return legal_reading(reader, legal, text)

    assert OCEANS.words.label(view, Choose("5"), ("Ava", "Ben")) == "A1 ages 5: 3 left"
    assert read("a1 ages 5: 3 left") == read("a1 5 3 left") == read("Age 5: 3 left") == Choose("5")
    assert read("A1 ages 3") == Choose("3"), "the beginning of its own label"
    for text in ("ages 3", "3 left", "5 3", "a1 5 3"):
        assert read(text) is None


def test_a_verb_that_is_not_legal_now_stands_for_no_other_move() -> None:
    """It is refused as before, though it stands in the label of another move."""
    state = make_drawing_state("SP7 4", "AP7 4", gene_pool=("TUS", "KRA"))
    view = OCEANS.view(state, Seat(0))
    legal = OCEANS.legal_actions(view)
    reader = TypedMoveReader(OCEANS, view, legal, ("Ava", "Ben"))

    def read(text: str) -> Action | None:
        return legal_reading(reader, legal, text)

    assert read("Look at three Deep cards, keep one") == read("three deep cards") == LookDeep()
    assert read("keep one") is read("keep") is None


def current_affairs_choices(phase: Phase) -> tuple[CurrentAffairsView, Sequence[Action]]:
    """Return the view of who chooses in this phase of a game, and the legal actions then."""
    for transition in play_game(CURRENT_AFFAIRS, 3, "casual", 5):
        if transition.actor >= 0 and transition.before.phase is phase:
            view = CURRENT_AFFAIRS.view(transition.before, transition.actor)
            return view, CURRENT_AFFAIRS.legal_actions(view)
    raise AssertionError(phase)


def read_current_affairs(phase: Phase, text: str) -> str:
    """Return how what is typed in a phase is written in notation.  Raises RulesError."""
    view, legal = current_affairs_choices(phase)
    return write_action(
        TypedMoveReader(CURRENT_AFFAIRS, view, legal, ("Ava", "Ben", "Chlo\u00e9")).read(text)
    )


@pytest.mark.parametrize(
    ("phase", "text", "action_text"),
    [
        (Phase.PLACE, "place okhotsk", "place OKH"),
        (Phase.PLACE, "place sea okhotsk", "place OKH"),
        (Phase.PLACE, "Okhotsk", "place OKH"),
        (Phase.PLACE, "Sea of Okhotsk", "place OKH"),
        (Phase.PLACE, "place yokohama", "place KUR"),
        (Phase.DRAFT, "take callao", "pick C24"),
        (Phase.DRAFT, "pick callao 7", "pick C24"),
        (Phase.DRAFT, "take C24", "pick C24"),
        (Phase.SAIL, "sail galapagos", "sail GAL"),
        (Phase.SAIL, "Bering Sea, 3 actions: net for Yokohama 11", "sail BER"),
        (Phase.SAIL, "Bering Sea, 3 actions", "sail BER"),
        (Phase.SAIL, "Bering Sea", "sail BER"),
        (Phase.SAIL, "sail to Yokohama", "sail KUR"),
        (Phase.SAIL, "Yokohama", "sail KUR"),
        (Phase.COLLECT, "Net as any on Callao 8", "collect N C25 yes"),
    ],
)
def test_names_stand_for_codes(phase: Phase, text: str, action_text: str) -> None:
    """A region or a contract may be typed as the page calls it, also in part, like the start of a label.

    The name of its port stands for a region, too.
    """
    assert read_current_affairs(phase, text) == action_text


@pytest.mark.parametrize(
    ("phase", "text", "action_text"),
    [
        (Phase.SAIL, "sail okhotsk", "sail OKH"),
        (Phase.SAIL, "okhotsk", "sail OKH"),
        (Phase.SAIL, "sail okh", "sail OKH"),
        (Phase.SAIL, "sail to the Sea of Okhotsk", "sail OKH"),
        (Phase.SAIL, "sail to Brisbane", "sail COR"),
        (Phase.DRAFT, "pick brisbane 5", "pick C16"),
        (Phase.COLLECT, "take glass callao 7 (plastic, glass and net)", "collect G C24 no"),
    ],
)
def test_a_name_that_cannot_be_chosen_is_understood(phase: Phase, text: str, action_text: str) -> None:
    """It comes back as an illegal action, so that the rules say why not."""
    _, legal = current_affairs_choices(phase)
    assert read_current_affairs(phase, text) == action_text not in map(write_action, legal)


def test_a_shared_name_that_cannot_be_chosen_is_answered_with_choices() -> None:
    """It names what is possible as the page does."""
    with pytest.raises(MalformedAction) as refused:
        read_current_affairs(Phase.DRAFT, "take brisbane")
    assert str(refused.value) == (
        "Nothing with \u201cbrisbane\u201d is possible now."
        " You can choose `Take Yokohama 11 (plastic, 2 glass, net and any)`,"
        " `Take San Francisco 9 (aluminium, glass, net and any)` or `Take Callao 7 (plastic, glass and net)`."
    )
    # That this net may also stand for any token is rarely wanted.
    with pytest.raises(GuessedAction, match="Did you mean `Net on Yokohama 11`"):
        read_current_affairs(Phase.COLLECT, "yokohama")
    # A port stands for its region, too.
    with pytest.raises(GuessedAction, match="Did you mean `Discard Callao 8"):
        read_current_affairs(Phase.PORT, "callao")
    with pytest.raises(MalformedAction, match="Try, for example, `Sail to Emperor`"):
        read_current_affairs(Phase.SAIL, "hello")


def test_a_card_of_oceans_may_be_named() -> None:
    """Its name stands for its code, though its field takes any text; so does the name of a zone."""
    view = OCEANS.view(make_state("SP7 4", "AP7 4", hands=("WC8 TUS", "")), Seat(0))
    legal = OCEANS.legal_actions(view)
    reader = TypedMoveReader(OCEANS, view, legal, ("Ava", "Ben"))

    def read(text: str) -> str | None:
        action = legal_reading(reader, legal, text)
        return None if action is None else write_action(action)

    assert read("evolve Whale Cleaner 8 A1") == read("evolve whale A1") == "evolve WC8 A1"
    assert read("migrate whale cleaner 8 zone 1 zone 2") == "migrate WC8 z1 z2"
    assert read("evolve shark cleaner 8 A1") is read("create whale 9") is read("create WC8 8") is None


def test_a_misspelt_card_is_not_taken_for_a_code() -> None:
    """Its field takes any text, so the words are a move of the rules, of a card that does not exist."""
    view = OCEANS.view(make_state("SP7 4", "AP7 4", hands=("FF10 BF6 SC11", "")), Seat(0))
    legal = OCEANS.legal_actions(view)
    for typed, answer in (
        ("evolve bottm a1", "Did you mean `Evolve A1 (Speed) with Bottom Feeder 6`?"),
        ("evolve Bottm Feeder A1", "Did you mean `Evolve A1 (Speed) with Bottom Feeder 6`?"),
        ("evolve whle cleaner", "I read “whle” as “whale”. Nothing with “whale” is possible now. You can "),
        ("migrate shrk reef z1", "I read “shrk” as “shark”. Nothing with “shark” is possible now. You can "),
        ("evolve zzz a1", "There is no such card: "),
        (f"evolve whle {' '.join(f'qq{x}qq' for x in 'abcdefghijklm')}", "I don't understand “whle”. "),
    ):
        assert refusal_of(OCEANS, view, legal, typed).startswith(answer), typed


def refusal_of(game: AnyGame, view: View, legal: Sequence[Action], text: str) -> str:
    """Return why what is typed is refused; empty if it is a legal action."""
    names = ("Ava", "Ben", "Chlo\u00e9")
    try:
        action = normalize_spelling(TypedMoveReader(game, view, legal, names).read(text), legal)
    except RulesError as error:
        return str(error)
    return "" if action in legal else game.words.refusal(view, action, names)


def view_before(game: AnyGame, seat_count: int, verb: str) -> tuple[Any, Sequence[Action]]:
    """Return the view of who first chooses an action of this verb in a game, and the legal actions then."""
    for transition in play_game(game, seat_count, "casual", 1):
        if transition.actor >= 0 and write_action(transition.action).split()[0] == verb:
            view = game.view(transition.before, transition.actor)
            return view, game.legal_actions(view)
    raise AssertionError(verb)


RANK_WORDS = {"2": "two", "10": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


@pytest.mark.parametrize("rank", cases(RANKS, "7", "10", "Q"))
def test_a_card_may_be_written_out(rank: str) -> None:
    """It means the card, whether it is held or not."""
    view, legal = view_before(CURRENTS, 2, "current")
    rank_words = {rank, RANK_WORDS.get(rank, rank)}
    cards = [card for card in PLAIN_CARDS if card[:-1] == rank]
    rests = ("", " n2", " north", " side q", " removes 5\u2663")
    pairs = list(itertools.product(cards, rests))
    for card, rest in pairs if IS_SOAK else pairs[::3]:
        expected = refusal_of(CURRENTS, view, legal, card + rest)
        for form in (
            f"{word} {preposition}{SUIT_WORDS[card[-1]]}"
            for word in rank_words
            for preposition in ("of ", "")
        ):
            answer = refusal_of(CURRENTS, view, legal, form.capitalize() + rest)
            assert answer.replace(form.capitalize(), card) == expected


def test_a_card_that_is_not_held_is_refused_with_the_hand() -> None:
    """However the move is typed: with its verb or without, whole or not, with a place or with nonsense."""
    view, legal = view_before(CURRENTS, 2, "current")
    for card in sorted(set(PLAIN_CARDS).difference(view.hand))[:: 1 if IS_SOAK else 14]:
        name = card_text(card)
        for typed in (
            *(card + rest for rest in ("", " n2", " north", " side q", " removes 5\u2663", " on n2")),
            *(f"{verb} {card}" for verb in ("current", "lay", "discard")),
            f"current {card} q9",
        ):
            answer = f"{name} is not in your hand. You hold {cards_text(view.hand)}."
            assert refusal_of(CURRENTS, view, legal, typed) == answer, typed


def test_an_example_without_fields_is_a_whole_label() -> None:
    """The first word alone would say nothing, though it may be typed."""
    view, legal = view_before(CURRENTS, 2, "concede")
    assert refusal_of(CURRENTS, view, legal, "hm").endswith("Try, for example, `Let it pass`.")
    assert refusal_of(CURRENTS, view, legal, "let it pass") == refusal_of(CURRENTS, view, legal, "let") == ""


def test_a_short_form_is_refused_with_the_reason_of_the_whole_move() -> None:
    """A card that is held, on a place that is not possible now."""
    view, legal = view_before(CURRENTS, 2, "current")
    card = view.hand[0]
    for place in ("N1", "E0"):
        assert refusal_of(CURRENTS, view, legal, f"{card} {place}") == refusal_of(
            CURRENTS, view, legal, f"current {card} {place}"
        )


@pytest.mark.parametrize(
    ("behind", "reason"),
    [
        ("q9", "There is no"),
        ("beyond n", "I don't understand"),
        ("beyond 5\u2663", "I don't understand"),
    ],
)
def test_words_that_are_no_place_are_taken_for_none(behind: str, reason: str) -> None:
    """The answer names the unknown word and what is possible with the card, and no action of another kind."""
    view, legal = view_before(CURRENTS, 2, "current")
    card, word = view.hand[0], behind.split(maxsplit=1)[0]
    answer = refusal_of(CURRENTS, view, legal, f"{card} {behind}")
    assert answer.startswith(f"{reason} \u201c{word}\u201d. You can choose `")
    assert card_text(card) in answer


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("discard speed 7", "discard SP7"),
        ("discard speed", "discard SP7"),
        ("discard inking speed", "discard IN9,SP7"),
        ("discard speed 7 and inking 9", "discard IN9,SP7"),
        ("Discard Speed 7, Inking 9", "discard IN9,SP7"),
        ("discard SP7,IN9", "discard IN9,SP7"),
        ("discard whale cleaner 10, inking 9 and apex predator 10", "discard AP10,IN9,WC10"),
        ("discard all", "discard AP10,IN9,SP7,WC10"),
        ("Discard all four", "discard AP10,IN9,SP7,WC10"),
    ],
)
def test_lists_may_be_named(typed: str, written: str) -> None:
    """One thing alone means no longer list; several are named in any order, with commas and "and"."""
    view = OCEANS.view(make_drawing_state("SP7 4", "", hands=("AP10 IN9 SP7 WC10",)), Seat(0))
    assert write_action(
        TypedMoveReader(OCEANS, view, OCEANS.legal_actions(view), ("Ava", "Ben")).read(typed)
    ) == (written)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("sail kuroshoi", "Did you mean `Sail to the Kuroshio`?"),
        ("kuroshoi", "Did you mean `Sail to the Kuroshio`?"),
        ("sail berring sea", "Did you mean `Sail to the Bering Sea`?"),
        ("sail kuroshoi 7", "I read “kuroshoi” as “kuroshio”. Nothing with “7” is possible now. You can "),
        ("sail kuroshoi philipine", "I read “kuroshoi” as “kuroshio” and “philipine” as “philippine”. "),
        (
            "sail kuroshoi-7",
            "I read “kuroshoi” as “kuroshio”. Nothing with “kuroshio-7” is possible now. You can ",
        ),
        ("sail Kuróshoi 7", "I read “kuroshoi” as “kuroshio”. Nothing with “7” is possible now. You can "),
        ("sail berring-sea", "Did you mean `Sail to the Bering Sea`?"),
        ("sail kuroshio 7", "Nothing with “7” is possible now. You can choose `Sail to the Kuroshio`."),
        ("sail xyz", "I don't understand “xyz”. You can choose `Sail to the Bering Sea`, "),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest_one(typed: str, answer: str) -> None:
    """Also behind the verb; a word too many is named as wrong, not the form of the move."""
    view = CURRENT_AFFAIRS.view(AT_SEA, Seat(0))
    assert refusal_of(CURRENT_AFFAIRS, view, CURRENT_AFFAIRS.legal_actions(view), typed).startswith(answer)


def test_a_misspelt_name_is_no_word_of_another_label() -> None:
    """The shared space is for stops "where other ships are", which is as near to "whele" as the wheel is."""
    view = CURRENT_AFFAIRS.view(act_in_current_affairs(IN_PORT, "deliver C05"), Seat(0))
    answer = refusal_of(CURRENT_AFFAIRS, view, CURRENT_AFFAIRS.legal_actions(view), "unlock whele")
    assert answer == "Did you mean `Unlock wheel: one more action each turn`?"


@pytest.mark.parametrize(
    ("stack", "typed", "written"),
    [
        ("PP", "collect net", "collect N C12 yes"),
        ("PP", "net", "collect N C12 yes"),
        ("NN", "collect plastic", "collect P C12 no"),
        ("NN", "collect san francisco 6", "collect N C09 yes"),
    ],
)
def test_what_a_contract_asks_for_is_not_what_is_taken(stack: str, typed: str, written: str) -> None:
    """Only plastic or only nets are there; the contracts ask for both, and for any."""
    board = make_board("OKH", "C12 C09")
    position = act_in_current_affairs(make_position(board, *FAR_BOARDS, stacks={"EMP": stack}), "sail EMP")
    view = CURRENT_AFFAIRS.view(position, Seat(0))
    legal = CURRENT_AFFAIRS.legal_actions(view)
    assert write_action(TypedMoveReader(CURRENT_AFFAIRS, view, legal, ("A", "B", "C")).read(typed)) == written


@pytest.mark.parametrize(
    ("verb", "typed", "answer"),
    [
        ("coral", "reef 9", "There is no such reef, only those from 3 to 8."),
        ("coral", "reef nine", "I don't understand \u201cnine\u201d. You can choose `Place a coral on reef "),
        (
            "take",
            "yellow 9 fish",
            "Nothing with \u201c9\u201d is possible now. You can choose `Take the yellow die with ",
        ),
        (
            "coral",
            "yellow 9 fish",
            "\u201cyellow 9 fish\u201d is not possible now. Try, for example, `Place a coral ",
        ),
        ("take", "lemon", "I don't understand \u201clemon\u201d. Try, for example, `Take "),
    ],
)
def test_a_word_of_the_page_is_answered_with_what_is_possible(verb: str, typed: str, answer: str) -> None:
    """It is understood, whatever follows it; the answer names the rule or choices of this word."""
    view, legal = view_before(AUSTRALIS, 3, verb)
    assert refusal_of(AUSTRALIS, view, legal, typed).startswith(answer)


def test_the_first_word_of_a_suggested_coral_stands_in_its_label() -> None:
    """Answers suggest "place 5", so the page says "place", and the button's reef may follow."""
    view, legal = view_before(AUSTRALIS, 3, "coral")
    names = ("Ava", "Ben", "Chloé")
    assert AUSTRALIS.words.label(view, PlaceCoral(5), names) == "Place a coral on reef 5"
    for text in ("place 5", "place reef 5", "Place a coral on reef 5", "reef 5"):
        assert TypedMoveReader(AUSTRALIS, view, legal, names).read(text) == PlaceCoral(5)
