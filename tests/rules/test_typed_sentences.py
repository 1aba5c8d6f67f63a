"""Moves typed as people write on a phone: in sentences, without numbers, with swapped letters."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.model import Phase
from rules.currents import CURRENTS
from rules.errors import GuessedAction, RulesError
from rules.game import AnyGame
from rules.notation import normalize_spelling, write_action
from rules.oceans import OCEANS
from rules.typed_moves import TypedMoveReader
from tests.rules.currents import positions as currents
from tests.rules.oceans.positions import make_drawing_state, make_feeding_state, make_state
from tests.rules.whole_games import play_game

NAMES = ("Ava", "Ben", "Chlo\u00e9")
EVOLVING = make_state("SP7 4", "AP7 4", hands=("AP10 IN9", ""), zone_populations=(20, 20, 20, 20))
TWO_PREDATORS = make_state("SP7 4", "AP7 4", hands=("AP10 AP8", ""), zone_populations=(20, 20, 20, 20))
OVERFLOW = replace(EVOLVING, position=replace(EVOLVING.position, gave_answers_this_turn=False))
FEEDING = make_feeding_state("SP7 AP8 4", "TR7 4", "BF5 4")
FORAGING = make_feeding_state("SP7 4", "TR7 4", "BF5 4")
DRAWING = make_drawing_state("SP7 4", "AP7 4", hands=("IN9 SP7",), gene_pool=("TUS", "KRA"))
HAND_OF_THREE = make_drawing_state("SP7 4", "AP7 4", hands=("IN9 SP7 WC8",), gene_pool=("TUS", "KRA"))
STARTING = make_state(
    *("SP7 4 | IN5 3", "AP7 4", "BF5 4 | TR7 4"),
    hands=("AP10 IN9 KRA SP8", ""),
    score_piles=(30, 30, 30),
    cambrian_happened=True,
)
FULL = make_feeding_state("SP7 10 | BF5 4", "AP7 4", "BF8 4")
SQUARE = currents.make_state(hands=("10C 4D KD KS", "3H"))


def answer_in(game: AnyGame, state: Any, text: str) -> str:
    """Return as what a text is read, with a question mark if that is guessed, or why it is refused."""
    view = game.view(state, game.to_act(state))
    legal = game.legal_actions(view)
    try:
        action = normalize_spelling(TypedMoveReader(game, view, legal, NAMES).read(text), legal)
    except GuessedAction as guess:
        return f"{write_action(guess.action)}?"
    except RulesError as error:
        return str(error)
    return write_action(action) if action in legal else game.words.refusal(view, action, NAMES)


def state_before(game: AnyGame, verb: str) -> Any:
    """Return the state in which an action of this verb is first chosen in a game of three."""
    choices = (each for each in play_game(game, 3, "casual", 5) if each.actor >= 0)
    return next(each.before for each in choices if write_action(each.action).split()[0] == verb)


@pytest.mark.parametrize(
    "sentence",
    [
        "let\u2019s a1 attacks c1",
        "A1 Attacks C1.",
        "a1 attacks c1 please \U0001f988",
        "My A1 attacks C1",
        "ok, then a1 attacks c1 now",
        "and then a1 will attack c1",
        "I want to attack a1 c1",
        "I'd like to: a1 attacks c1, thanks!",
    ],
)
def test_words_around_a_move_say_nothing_of_it(sentence: str) -> None:
    """What people write to be polite, to tell the order or to say who moves is left out."""
    assert answer_in(OCEANS, FEEDING, sentence) == "attack A1 C1"


def test_a_move_in_another_order_is_asked_about() -> None:
    """Words around it do not make it certain."""
    assert answer_in(OCEANS, FEEDING, "I attack c1 with a1") == "attack A1 C1?"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("new species the kraken between A2 and C1, 5 to reef", "create KRA 2 reef"),
        ("new species the kraken between C1 and A2, 5 to reef", "create KRA 2 reef?"),
        ("evolve kraken a1, 5 to reef", "evolve KRA A1 reef?"),
        ("evolve kraken a1 5 zone 1", "evolve KRA A1 z1?"),
        ("new species speed left of A1", "create SP8 0"),
        ("new species left of A2: speed", "create SP8 1"),
        ("new species speed right of A1", "create SP8 1"),
        ("add a species with speed left of A1", "create SP8 0?"),
        ("add speed to a1", "evolve SP8 A1?"),
    ],
)
def test_the_place_of_a_species_and_its_cost_may_be_typed_in_other_words(text: str, answer: str) -> None:
    """The card may come first, the place may be named by one neighbour, and the cost by its zone."""
    assert answer_in(OCEANS, STARTING, text) == answer


@pytest.mark.parametrize("card", ["inking", "with inking", "inking 9"])
def test_each_zone_of_a_migration_is_read_as_it_stands(card: str) -> None:
    """With or without an article, whatever else is typed, and in any order."""
    for zones in ("from zone 3 to reef", "to the reef from zone 3", "zone 3 to the reef"):
        assert answer_in(OCEANS, STARTING, f"migrate {card} {zones}") == "migrate IN9 z3 reef?"


@pytest.mark.parametrize(
    ("verb", "text", "answer"),
    [
        ("sail", "go to kuroshio", "sail KUR"),
        ("sail", "start in the kuroshio", "sail KUR"),
        ("sail", "move to brisbane", "The Coral Sea (Brisbane) is 8 actions away"),
        ("place", "start in the kuroshio", "place KUR"),
        ("place", "go to kuroshio", "place KUR"),
        ("draw", "draw sf 4", "San Francisco 4 (plastic and any) is not open."),
        ("draw", "take callao", "draw C27"),
        ("pick", "draw sf 9", "pick C12"),
        ("collect", "add net to callao 8", "collect N C25 yes?"),
    ],
)
def test_other_verbs_and_short_names_are_understood(verb: str, text: str, answer: str) -> None:
    """What people say of ships, contracts and trash, each where it means one kind of move."""
    assert answer_in(CURRENT_AFFAIRS, state_before(CURRENT_AFFAIRS, verb), text).startswith(answer)


@pytest.mark.parametrize(
    ("verb", "text", "answer"),
    [
        ("unlock", "take a net", "draw C19?"),
        ("unlock", "please take net", "draw C19?"),
        ("draw", "take callao", "draw C27"),
        ("collect", "add callao", "collect N C25 yes?"),
        ("place", "put callao", "place PER?"),
        ("place", "place callao", "place PER"),
    ],
)
def test_a_verb_of_other_moves_is_asked_about_unless_what_it_needs_is_named(
    verb: str, text: str, answer: str
) -> None:
    """In port, who wants trash would draw the only contract that asks for a net."""
    assert answer_in(CURRENT_AFFAIRS, state_before(CURRENT_AFFAIRS, verb), text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [("feed", "skip?"), ("I feed", "skip?"), ("feed no species", "skip"), ("skip", "skip")],
)
def test_part_of_a_label_without_its_negation_is_asked_about(text: str, answer: str) -> None:
    """It would be the opposite of what was typed."""
    assert answer_in(OCEANS, state_before(OCEANS, "attack"), text) == answer


@pytest.mark.parametrize("verb", ["add", "place", "play", "put"])
def test_a_card_may_be_laid_in_other_words(verb: str) -> None:
    """On a slot or on the compass."""
    assert answer_in(CURRENTS, SQUARE, f"{verb} 10c on n2") == "current 10C N2?"
    assert answer_in(CURRENTS, SQUARE, f"{verb} 4d north") == "compass 4D N"


def test_which_card_goes_to_a_slot_is_asked() -> None:
    """Where only the slot is named."""
    assert answer_in(CURRENTS, SQUARE, "go to n2").startswith(
        "That could be `4\u2666 on N2`, `10\u2663 on N2`"
    )


@pytest.mark.parametrize(
    "question", ["attack a1 c1?", "would I attack C1 with A1 ?", "\u201cA1 attacks C1?\u201d"]
)
def test_a_question_is_never_played_at_once(question: str) -> None:
    """Who asks about a move wants to know what becomes of it: the answer shows that, with a button."""
    assert answer_in(OCEANS, FEEDING, question) == "attack A1 C1?"


def test_words_that_mean_nothing_alone_are_never_played_at_once() -> None:
    """Though one move alone has "no" or "of"."""
    assert answer_in(OCEANS, FEEDING, "no") == "skip?"
    assert answer_in(OCEANS, FEEDING, "feed no species") == "skip"
    state = state_before(CURRENT_AFFAIRS, "collect")
    view = CURRENT_AFFAIRS.view(state, CURRENT_AFFAIRS.to_act(state))
    legal = CURRENT_AFFAIRS.legal_actions(view)[:1]
    for words in ("on", "no", "no on"):
        with pytest.raises(RulesError):
            TypedMoveReader(CURRENT_AFFAIRS, view, legal, NAMES).read(words)


def test_a_word_that_moves_have_is_no_filler() -> None:
    """A verb, a name or what a label says counts; what would turn the meaning round is not left out."""
    assert answer_in(CURRENTS, currents.DEFENCE_STATE, "let it pass") == "concede"
    for text in ("please", "never end turn", "don't end turn", "if end turn"):
        assert "I don't understand" in answer_in(OCEANS, DRAWING, text), text


@pytest.mark.parametrize(
    ("game", "state", "text", "answer"),
    [
        (OCEANS, DRAWING, "ends turn", "draw"),
        (OCEANS, DRAWING, "Discards Inking 9", "discard IN9"),
        (OCEANS, DRAWING, "ends the turn", "draw?"),
        (OCEANS, EVOLVING, "evolves a1 with inking", "evolve IN9 A1"),
        (OCEANS, EVOLVING, "migrates 9 from the Reef to zone 1 with Inking 9", "migrate IN9 reef z1?"),
        (CURRENTS, SQUARE, "lays 4\u2666 on slot N2", "current 4D N2?"),
    ],
)
def test_a_move_may_be_typed_as_stories_tell_it(game: AnyGame, state: Any, text: str, answer: str) -> None:
    """Its verb may have an ending; where other words differ from its label it is asked about."""
    assert answer_in(game, state, text) == answer


@pytest.mark.parametrize(
    ("state", "text", "answer"),
    [
        (EVOLVING, "evolve a1 with apex predator", "evolve AP10 A1"),
        (
            EVOLVING,
            "evolve a1 with apex predator 8",
            "Apex Predator 8 is not in your hand. You hold Apex Predator 10 and Inking 9.",
        ),
        (
            TWO_PREDATORS,
            "evolve a1 with apex predator",
            "That could be `Evolve A1 (Speed) with Apex Predator ",
        ),
        (TWO_PREDATORS, "evolve a1 with apex predator 8", "evolve AP8 A1"),
        (HAND_OF_THREE, "discard inking and speed", "discard IN9,SP7"),
        (OVERFLOW, "set overflow for others\u2019 turns to zone 1", "overflow z1"),
    ],
)
def test_the_number_of_the_only_card_of_a_name_may_be_left_out(state: Any, text: str, answer: str) -> None:
    """Another number is another card, and two cards of a name need theirs."""
    assert answer_in(OCEANS, state, text).startswith(answer)


@pytest.mark.parametrize("words", ["all", "both", "everything", "all cards"])
def test_all_means_the_whole_list(words: str) -> None:
    """However many cards there are; it means nothing where no list holds all others."""
    assert answer_in(OCEANS, DRAWING, f"discard {words}") == "discard IN9,SP7"
    assert not answer_in(OCEANS, FORAGING, f"forage {words}").startswith("forage")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("fede no species", "skip"), ("A1 attcaks C1", "attack A1 C1"), ("A1 foarges", "forage")],
)
def test_swapped_letters_are_read_in_order(typed: str, meant: str) -> None:
    """A word of the same letters is meant, not one of others that is about as similar."""
    state = FORAGING if meant == "forage" else FEEDING
    assert answer_in(OCEANS, state, typed).startswith(meant)


def test_a_card_played_for_nothing_is_never_played_by_its_name_alone() -> None:
    """Its name also begins what the card does; where that is not possible, it is asked about."""
    for transition in play_game(ARCTIC_CLEANUP, 3, "casual", 5):
        if transition.actor < 0:
            continue
        view = ARCTIC_CLEANUP.view(transition.before, transition.actor)
        legal = ARCTIC_CLEANUP.legal_actions(view)
        for action in legal:
            verb, *values = write_action(action).split()
            if verb == "idle":
                answer = answer_in(ARCTIC_CLEANUP, transition.before, values[0])
                labels = [ARCTIC_CLEANUP.words.label(view, each, NAMES) for each in legal]
                if any(label.startswith(f"{values[0].capitalize()}: ") for label in labels):
                    assert not answer.startswith("idle")
                else:
                    assert answer in {f"idle {values[0]}?", "analyze 1"}


def test_an_article_is_no_trash() -> None:
    """Though the letter alone is that of aluminium."""
    state = state_before(CURRENT_AFFAIRS, "collect")
    assert state.phase is Phase.COLLECT
    for name in ("net", "glass", "plastic"):
        with_article, without_article = (
            answer_in(CURRENT_AFFAIRS, state, f"take {article}{name} as any on Callao 8")
            for article in ("a ", "")
        )
        assert with_article == without_article
        assert "collect A" not in with_article


def test_a_piece_typed_in_small_letters_is_not_refused_for_that() -> None:
    """What is wrong is said as for the same move in capitals."""
    for text in ("attack A1 B1", "attack A1 A2", "attack A1 C7"):
        assert answer_in(OCEANS, FEEDING, text.lower()) == answer_in(OCEANS, FEEDING, text)
    assert answer_in(OCEANS, FEEDING, "attack a1 b1").startswith("A1 cannot attack B1: Transparent")


def test_a_verb_behind_a_piece_counts() -> None:
    """Though the piece is called as the verb of another step."""
    refusal = answer_in(ARCTIC_CLEANUP, state_before(ARCTIC_CLEANUP, "load"), "ship 1 loads a token from z9")
    assert "You can choose `" in refusal
    assert "before the first turn" not in refusal


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("sail kuroshio and take no trash", "You can choose `Sail to "),
        ("sails to the Kuroshio (one action)", "I don't understand “one”. You can choose `Sail to "),
    ],
)
def test_what_follows_a_verb_does_not_hide_it(text: str, answer: str) -> None:
    """A move that can be made now is not refused as one of another kind, nor for a word such as "and"."""
    refusal = answer_in(CURRENT_AFFAIRS, state_before(CURRENT_AFFAIRS, "sail"), text)
    assert answer in refusal
    assert "“and”" not in refusal


@pytest.mark.parametrize("text", ["a1 forages", "forage a1", "a1 attacks c1"])
def test_a_full_species_is_named_as_the_reason(text: str) -> None:
    """However it is typed that it should feed."""
    answer = answer_in(OCEANS, FULL, text)
    assert answer.startswith("A1 has no free space (10 of 10)"), answer
