"""Typed texts that are no move: what is suggested for them, guessed, offered and blamed."""

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from rules.catalogue import GAMES
from rules.current_affairs.model import Phase
from rules.currents import CURRENTS
from rules.currents.model import BoardShape, CurrentsOptions
from rules.currents.rules import State
from rules.errors import AmbiguousAction, GuessedAction, RulesError
from rules.game import AnyGame
from rules.model import Action
from rules.move_texts import MoveTexts
from rules.notation import normalize_spelling, write_action
from rules.oceans import OCEANS
from rules.paths import path_to
from rules.typed_moves import TypedMoveReader
from tests.rules.currents import positions as currents
from tests.rules.oceans.positions import make_drawing_state, make_feeding_state, make_state
from tests.rules.whole_games import play_game
from tests.trials import IS_SOAK


class ReaderContext(NamedTuple):
    """A position before somebody's choice, with the reader of what this person types."""

    reader: TypedMoveReader
    move_texts: MoveTexts
    legal: Sequence[Action]
    texts: Sequence[str]
    """What a page or a suggestion says of some of the legal actions."""


def make_context(game: AnyGame, state: Any, seat_count: int, rng: random.Random) -> ReaderContext:
    """Return what the seat to act may type in a state, and the reader of it."""
    view, names = game.view(state, game.to_act(state)), currents.NAMES[:seat_count]
    legal = game.legal_actions(view)
    texts = [
        text
        for action in rng.sample(legal, min(4, len(legal)))
        for text in (
            game.words.label(view, action, names),
            " ".join(step.label for step in path_to(game, view, action, names)),
            write_action(action),
        )
    ]
    return ReaderContext(
        TypedMoveReader(game, view, legal, names), MoveTexts(game, view, legal, names), legal, texts
    )


def contexts_of(game: AnyGame) -> Iterator[ReaderContext]:
    """Yield contexts of a whole game, the same in every run."""
    rng, seat_count = random.Random(game.key), min(game.player_counts)
    choices = (each for each in play_game(game, seat_count, "casual", 2) if each.actor >= 0)
    for transition in itertools.islice(choices, 0, 80, 6 if IS_SOAK else 12):
        yield make_context(game, transition.before, seat_count, rng)


def answer_to(context: ReaderContext, text: str) -> Action | str:
    """Return the action that a text is read as or guessed to mean, or why it is refused."""
    try:
        return normalize_spelling(context.reader.read(text), context.legal)
    except GuessedAction as guess:
        return guess.action
    except RulesError as error:
        return str(error)


def some_words(text: str, rng: random.Random) -> str:
    """Return some words of a text, often in their order."""
    words = text.split()
    kept = sorted(rng.sample(range(len(words)), rng.randint(1, len(words))))
    if rng.random() < 0.3:
        rng.shuffle(kept)
    return " ".join(words[i] for i in kept)


@pytest.mark.parametrize("key", GAMES)
def test_the_only_suggestion_is_what_is_meant(key: str) -> None:
    """If one move alone is suggested for a text, this means no other legal move, and a refusal offers it."""
    game, rng, meant_count = GAMES[key], random.Random(key), 0
    for context in contexts_of(game):
        for text in (some_words(text, rng) for text in context.texts for _ in range(4)):
            suggested = context.reader.suggest(text)
            if len(suggested) != 1:
                continue
            answer = answer_to(context, text)
            offered = f"You can choose {context.move_texts.choices_text(suggested)[:-1]}"
            if isinstance(answer, str):
                assert offered in answer, text
            else:
                assert answer == suggested[0] or answer not in context.legal, text
                meant_count += answer == suggested[0]
    assert meant_count > (50 if IS_SOAK else 25)


@pytest.mark.parametrize("key", GAMES)
def test_what_is_understood_is_suggested(key: str) -> None:
    """The list that is shown while somebody types holds the move as which the text would be read."""
    rng = random.Random(key)
    for context in contexts_of(GAMES[key]):
        for text in (*context.texts, *(some_words(text, rng) for text in context.texts)):
            try:
                action = normalize_spelling(context.reader.read(text), context.legal)
            except GuessedAction as guess:
                action = guess.action
            except RulesError:
                continue
            assert action not in context.legal or action in context.reader.suggest(text), text


def test_a_port_out_of_reach_suggests_no_voyage_elsewhere() -> None:
    """Words of an illegal move also stand on buttons of others: trash for a contract of that port."""
    game, rng, illegal_count = GAMES["current_affairs"], random.Random(1), 0
    for transition in itertools.islice(play_game(game, 3, "casual", 2), 0, 400):
        if transition.actor < 0 or game.view(transition.before, None).position.phase is not Phase.SAIL:
            continue
        context = make_context(game, transition.before, 3, rng)
        for port in ("Brisbane", "Callao", "San Francisco", "Yokohama"):
            text = f"sail to {port}"
            if context.reader.read(text) not in context.legal:
                assert context.reader.suggest(text) == []
                illegal_count += 1
    assert illegal_count > 10


SQUARE = currents.make_state(hands=("10C 4D KD KS", "3H"))
TRIANGLE = currents.make_state(
    compass="- AD AC",
    seat_count=3,
    options=CurrentsOptions(board=BoardShape.TRIANGLE, jokers=True),
    hands=("QS AH 3S 7S", "3H"),
    currents="X2 7C",
)
BOTH_ROTATIONS = (
    "That could be `K♦ turns the compass clockwise` or `K♦ turns the compass counterclockwise`."
    " Write the whole move."
)
TRIANGLE_HAND = "You hold A♥, 3♠, 7♠ and Q♠."


def answer_in_currents(state: State, text: str) -> str:
    """Return as what a text is read, with a question mark if that is guessed, or why it is refused."""
    view = currents.actor_view(state)
    legal = CURRENTS.legal_actions(view)
    try:
        action = normalize_spelling(TypedMoveReader(CURRENTS, view, legal, currents.NAMES).read(text), legal)
    except GuessedAction as guess:
        return f"{write_action(guess.action)}?"
    except RulesError as error:
        return str(error)
    return write_action(action) if action in legal else CURRENTS.words.refusal(view, action, currents.NAMES)


@pytest.mark.parametrize(
    ("state", "text", "answer"),
    [
        (SQUARE, "call kd", BOTH_ROTATIONS),
        (SQUARE, "turn kd", BOTH_ROTATIONS),
        (SQUARE, "call kd clockwise", "king KD cw"),
        (SQUARE, "10c on", "That could be `10♣ on N0`"),
        (SQUARE, "4d to the", "That could be `4♦ on N0`"),
        (SQUARE, "call 10c", "10♣ cannot be called: that takes a Jack, a Queen or a King."),
        (TRIANGLE, "call 3s", "3♠ cannot be called: that takes a Jack, a Queen, a King or a Joker."),
        (SQUARE, "n1 4d", "current 4D N1?"),
        (SQUARE, "4 N1", "current 4D N1?"),
        (TRIANGLE, "swap x2 z1", "queen QS X2 Z1?"),
        (TRIANGLE, "call q x2 z1", "queen QS X2 Z1?"),
        (TRIANGLE, "queen x2 z1", "queen QS X2 Z1"),
        (TRIANGLE, "ace hearts x", "compass AH X"),
        (TRIANGLE, "lay ace hearts on X", "compass AH X?"),
        (TRIANGLE, "hearts x", "compass AH X?"),
        (TRIANGLE, "3 of spade z2", "current 3S Z2"),
        (TRIANGLE, "7 of hart x1", f"7♥ is not in your hand. {TRIANGLE_HAND}"),
        (SQUARE, "call kd sideways", "I don't understand “sideways”. You can choose `K♦ turns"),
        (SQUARE, "sideways", "I don't understand “sideways”. Try, for example, `"),
        (SQUARE, "1 n1", "Nothing with “1” is possible now. You can choose `4♦ on N1`"),
        (SQUARE, "7 n1", "Nothing with “7” is possible now. You can choose `4♦ on N1`"),
        (SQUARE, "swap x2 z1", "No Queen is in your hand. You hold 10♣, 4♦, K♦ and K♠."),
        (
            TRIANGLE,
            "swap x2 sideways",
            "I don't understand “sideways”. You can choose `Q♠ swaps X0 ",
        ),
        (
            currents.DEFENCE_STATE,
            "swap x2 z1",
            "The pawn is about to leave over the north edge. Stop it with two ♣ cards, or let it pass and",
        ),
        (SQUARE, "9C N1", "9♣ is not in your hand."),
        (SQUARE, "current on 9C N1", "9♣ is not in your hand."),
        (SQUARE, "current on the 4D N1", "current 4D N1"),
        (TRIANGLE, "king", f"No King is in your hand. {TRIANGLE_HAND}"),
        (TRIANGLE, "joker", f"No Joker is in your hand. {TRIANGLE_HAND}"),
        (SQUARE, "joker", "There are no Jokers in this game."),
        (TRIANGLE, "discard", "You can only discard when no compass place is empty: Side X is empty."),
        (SQUARE, "pass", "You cannot pass now. Try, for example, `"),
        (currents.DEFENCE_STATE, "pass", "concede"),
    ],
)
def test_the_answer_is_true_of_the_move_that_was_typed(state: State, text: str, answer: str) -> None:
    """It means it, asks whether it is meant, names the word that is not understood, or the rule."""
    assert answer_in_currents(state, text).startswith(answer)


def test_a_jack_without_a_card_to_remove_is_not_missed_in_the_hand() -> None:
    """What lacks is on the board; with Queens it is a current."""
    state = currents.make_state(compass="- - - -", hands=("JH QS 2C", "3H"))
    assert answer_in_currents(state, "jack").startswith("The compass is empty: a Jack needs")
    assert answer_in_currents(state, "queen").startswith("No current lies beside the board: a Queen needs")


def test_a_refusal_lists_moves_as_suggestions_do() -> None:
    """Verb by verb: what is suggested while somebody types stands first in the answer, too."""
    view = currents.actor_view(SQUARE)
    reader = TypedMoveReader(CURRENTS, view, CURRENTS.legal_actions(view), currents.NAMES)
    with pytest.raises(AmbiguousAction) as ambiguous:
        reader.read("kd")
    assert list(ambiguous.value.actions) == reader.suggest("kd")
    kinds = [type(action) for action in reader.suggest("kd")]
    assert kinds == sorted(kinds, key=list(CURRENTS.words.verb_texts).index)
    assert str(ambiguous.value).startswith("That could be `K♦ on ")


def test_no_card_is_suggested_for_a_part_of_a_word_or_number() -> None:
    """A pass is no compass, and 1 no 10."""
    view = currents.actor_view(SQUARE)
    reader = TypedMoveReader(CURRENTS, view, CURRENTS.legal_actions(view), currents.NAMES)
    assert reader.suggest("pass") == reader.suggest("1 n1") == []
    first, *_ = reader.suggest("10 cl")
    assert write_action(first).split()[1] == "10C"
    assert len(reader.suggest("")) == len(CURRENTS.legal_actions(view))


def answer_in_oceans(state: Any, text: str) -> str:
    """Return as what a text is read, with a question mark if that is guessed, or why it is refused."""
    context = make_context(OCEANS, state, state.position.seat_count, random.Random(0))
    try:
        action = normalize_spelling(context.reader.read(text), context.legal)
    except GuessedAction as guess:
        return f"{write_action(guess.action)}?"
    except RulesError as error:
        return str(error)
    view = OCEANS.view(state, OCEANS.to_act(state))
    return (
        write_action(action)
        if action in context.legal
        else OCEANS.words.refusal(view, action, currents.NAMES)
    )


def test_no_move_is_guessed_by_a_number_of_what_follows() -> None:
    """Where the Reef has 3, a migration of 3 to zone 2 is not the one to zone 3."""
    state = make_state("SP7 4", "AP7 4", hands=("FF10", ""), zone_populations=(3, 20, 20, 20))
    assert answer_in_oceans(state, "ff10 zone 2 reef migrate").startswith(
        "That could be `Move all 3 population"
    )
    answer = answer_in_oceans(state, "migrate FF10 Reef zone 3 2")
    assert answer.startswith(
        "“migrate FF10 Reef zone…” is not possible now. You can choose `Move all 3 population"
    )
    for zone in (2, 3):
        assert f"`Move all 3 population from the Reef to zone {zone} (Filter Feeder 10)`" in answer


CARDS = "SP9 AP7 TE5 TR5 IN5 WC9 WC6"
FIRST_TURN = make_state("", "FF7 4", hands=(CARDS,))
FEEDING = make_feeding_state("SP7 AP8 4 | TR7 3", "AP7 4", "BF5 4", hands=(CARDS,))
DRAWING = make_drawing_state("SP7 AP8 4 | TR7 3", "AP7 4", "BF5 4", hands=(CARDS,), gene_pool=("TUS", "KRA"))
SECOND_CARD = make_state("SP7 AP8 4", "AP7 4", hands=(CARDS,), cambrian_happened=True, plays_left=1)
DEEP_CARD = make_state("SP7 4", "AP7 4", hands=("SYM",), cambrian_happened=True, score_piles=(9, 9))
ALL_PLAYED = make_state("SP7 AP8 4", "AP7 4", hands=(CARDS,), plays_left=0)


def test_a_word_of_one_button_and_another_step_is_answered_with_both() -> None:
    """Before feeding, "keep" is no drawn card to keep, but the traits are kept."""
    state = make_state("PA5 0 | SP5 3", "TE6 3", plays_left=0)
    assert answer_in_oceans(state, "keep") == (
        "Not now: you are asked to feed a species or remove traits. You can choose `Keep traits, feed`."
    )


NOT_FEEDING = "Not now: you are asked to feed a species. Try, for example, `A2 forages in the Reef: takes 1`."
NOT_DRAWING = "Not now: you are asked to take a Deep card, discard or end the turn."
NOT_PLAYING = "Not now: you are asked to play one more card."


@pytest.mark.parametrize(
    ("state", "text", "answer"),
    [
        (FIRST_TURN, "evolve speed", "create SP9 0"),
        (FIRST_TURN, "evolve apex predator 7", "create AP7 0"),
        (FIRST_TURN, "evolve SP9", "create SP9 0?"),
        (FIRST_TURN, "evolve with speed 9", "create SP9 0?"),
        (FIRST_TURN, "evolve", "That could be `New species as your first: Apex Predator 7`, "),
        (
            FIRST_TURN,
            "evolve shark cleaner",
            "Nothing with “shark” is possible now. You can choose `New spec",
        ),
        (SECOND_CARD, "evolve speed", "evolve SP9 A1"),
        (SECOND_CARD, "speed 9 on a1", "evolve SP9 A1?"),
        (SECOND_CARD, "migrate speed from zone 1 to zone 3", "migrate SP9 z1 z3?"),
        (SECOND_CARD, "migrate speed to zone 1 from zone 3", "migrate SP9 z3 z1?"),
        (DEEP_CARD, "evolve a1 with deep symbiotic", "evolve SYM A1 reef?"),
        (DEEP_CARD, "deep symbiotic on a1", "evolve SYM A1 reef?"),
        (DEEP_CARD, "evolve a1 with deep symbiotic, 1 to zone 2", "evolve SYM A1 z2"),
        (SECOND_CARD, "new species with speed", "That could be `New species "),
        (
            SECOND_CARD,
            "new species let a1",
            "Nothing with “let” is possible now. You can choose `New species ",
        ),
        (SECOND_CARD, "a1 attacks b1", NOT_PLAYING),
        (SECOND_CARD, "a1 forages", NOT_PLAYING),
        (SECOND_CARD, "end", NOT_PLAYING),
        (SECOND_CARD, "go on to feeding", "You still have one card to play: evolve a species or migrate."),
        (SECOND_CARD, "set overflow to zone 1", "You can change one standing answer a turn."),
        (SECOND_CARD, "set overflow for others\u2019 turns", "You can change one standing answer a turn."),
        (ALL_PLAYED, "evolve speed", "You have played all your cards for this turn"),
        (FIRST_TURN, "set overflow", "Standing answers are about your species, and you have none: start one"),
        (FEEDING, "whale cleaner 9 zone 3 reef", "Not now: you are asked to feed a species."),
        (FEEDING, "whale cleaner zone 3 reef", NOT_FEEDING),
        (FEEDING, "new species with whale cleaner", NOT_FEEDING),
        (FEEDING, "set overflow for others' turns", NOT_FEEDING),
        (FEEDING, "discard speed", NOT_FEEDING),
        (FEEDING, "end turn", NOT_FEEDING),
        (FEEDING, "take tusk", NOT_FEEDING),
        (FEEDING, "a1 attacks a2", "A1 cannot attack A2: Transparent protects it"),
        (
            FEEDING,
            "attack the predator",
            "Nothing with “predator” is possible now. You can choose `A1 attacks ",
        ),
        (FEEDING, "attack speed", "Nothing with “speed” is possible now. You can choose `A1 attacks "),
        (FEEDING, "a1 attacks c3", "There is no such species: name one of A1, A2, B1, C1."),
        (FEEDING, "a1 eats b1", "I don't understand “eats”. You can choose `A1 attacks B1: takes "),
        (FEEDING, "a1 bites b1", "I don't understand “bites”. You can choose `A1 attacks B1: takes "),
        (DRAWING, "a1 attacks c1", NOT_DRAWING),
        (DRAWING, "attack c1", NOT_DRAWING),
        (DRAWING, "a1 forages", NOT_DRAWING),
        (DRAWING, "evolve a1 with speed", NOT_DRAWING),
        (DRAWING, "a1", "“a1” is not possible now. Try, for example, `End turn`."),
    ],
)
def test_a_choice_of_another_step_is_answered_with_what_is_asked(state: Any, text: str, answer: str) -> None:
    """It is understood, also by the names of pieces, and means what the rules call by the same word."""
    assert answer_in_oceans(state, text).startswith(answer)


def test_to_pass_means_to_feed_no_more() -> None:
    """Where a game has such a move, it is guessed."""
    state = make_feeding_state("SP7 4", "AP7 4")
    context = make_context(OCEANS, state, 2, random.Random(0))
    answer = answer_to(context, "pass")
    assert isinstance(answer, Action)
    assert write_action(answer) == "skip"
