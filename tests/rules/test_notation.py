"""Action <-> text for every type of the closed set, and for whatever people type."""

import enum
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.actions import SailShip
from rules.australis import AUSTRALIS
from rules.currents import CURRENTS
from rules.currents.actions import DiscardCard, PlayCompass, PlayCurrent
from rules.currents.components import Card
from rules.errors import AmbiguousAction, MalformedAction, RulesError
from rules.game import AnyGame
from rules.model import CHANCE, Action, Seat
from rules.notation import (
    ABSENT_MARK,
    EMPTY_TUPLE,
    Notation,
    fields_of,
    parse_seat,
    seat_letter,
    write_action,
)
from rules.oceans import OCEANS
from tests.rules.pearls import GAME, NOTATION, parse_action
from tests.rules.whole_games import play_game
from tests.trials import trial_count


class Tide(enum.Enum):
    """An enum of words."""

    EBB = "ebb"
    FLOOD = "flood"


class Level(enum.Enum):
    """An enum of numbers."""

    LOW = 1
    HIGH = 2


class PlainFields(Action, frozen=True, gc=False, tag="every"):
    """One field of each kind that stands alone."""

    number: int
    flag: bool
    tide: Tide
    level: Level
    word: str
    seat: Seat


class TupleFields(Action, frozen=True, gc=False, tag="many"):
    """Tuples, with and without gaps."""

    numbers: tuple[int, ...]
    flags: tuple[bool, ...]
    words: tuple[str | None, ...]
    seats: tuple[Seat, ...]
    levels: tuple[Level | None, ...]


class OptionalFields(Action, frozen=True, gc=False, tag="maybe"):
    """Optional fields."""

    first: int | None = None
    words: tuple[str, ...] | None = None
    tide: Tide | None = None
    seat: Seat | None = None


class _SyntheticGame:
    """As much of a game as the notation looks at."""

    words = SimpleNamespace(typed_signs={}, typed_phrases={}, typed_names={}, verb_texts={})
    key = "synthetic"
    action_types: tuple[type[Action], ...] = (PlainFields, TupleFields, OptionalFields)
    outcome_types: tuple[type[Action], ...] = ()


SYNTHETIC_NOTATION = Notation(cast("AnyGame", _SyntheticGame()))

numbers = st.integers(-(10**9) + 1, 10**9 - 1)
words = st.text("ABCXYZabcxyz0123456789?", min_size=1, max_size=24)
seats = st.sampled_from([Seat(number) for number in range(6)] + [CHANCE])
tides, levels = st.sampled_from(Tide), st.sampled_from(Level)


def tuples_of(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return a tuple of up to five."""
    return st.lists(items, max_size=5).map(tuple)


def optional(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return an item or nothing."""
    return st.none() | items


actions = st.one_of(
    st.builds(PlainFields, numbers, st.booleans(), tides, levels, words, seats),
    st.builds(
        TupleFields,
        tuples_of(numbers),
        tuples_of(st.booleans()),
        tuples_of(optional(words)),
        tuples_of(seats),
        tuples_of(optional(levels)),
    ),
    st.builds(
        OptionalFields, optional(numbers), optional(tuples_of(words)), optional(tides), optional(seats)
    ),
)


@settings(max_examples=trial_count(160, soak=16_000))
@given(actions)
def test_every_action_reads_back_from_its_text(action: Action) -> None:
    """Every action of the closed set has one text, without blanks at its ends, that gives it back."""
    text = write_action(action)

    assert SYNTHETIC_NOTATION.parse(text) == action
    assert write_action(SYNTHETIC_NOTATION.parse(text)) == text
    assert text == " ".join(text.split())


@settings(max_examples=trial_count(80, soak=8_000))
@given(st.lists(actions, min_size=2, max_size=2, unique=True))
def test_different_actions_are_written_differently(pair: list[Action]) -> None:
    """No two actions share a text."""
    assert write_action(pair[0]) != write_action(pair[1])


LEGAL_ACTIONS = (
    parse_action("lay 3"),
    parse_action("lay 3,7"),
    parse_action("bury 3"),
    parse_action("bury 7"),
)

hostile_texts = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["every", "many", "maybe", "resign", "lay", "bury", "deal", "A", "-", "()", "?", "3,7", ",", ""]
        )
        | st.text(max_size=8),
        max_size=9,
    ).map(" ".join),
)


def parse_or_error(notation: Notation, text: str, legal_actions: list[Action]) -> Action | RulesError:
    """Return the action that a text is read as, or the error."""
    try:
        return notation.parse_typed(text, legal_actions)
    except RulesError as error:
        return error


@pytest.mark.slow
@settings(max_examples=trial_count(short=120, soak=40_000))
@given(hostile_texts, st.lists(actions, max_size=6))
def test_any_typed_text_gives_an_action_or_a_known_error(text: str, legal_actions: list[Action]) -> None:
    """Any typed text gives an action or an error for people, never another exception."""
    for notation, offered_actions in ((SYNTHETIC_NOTATION, legal_actions), (NOTATION, list(LEGAL_ACTIONS))):
        result = parse_or_error(notation, text, offered_actions)
        if isinstance(result, Action):
            assert notation.parse(write_action(result)) == result
        else:
            assert 0 < len(str(result)) < 1500


@pytest.mark.parametrize(
    "text",
    [
        "every 1_0 yes ebb 1 x A",
        "every +1 yes ebb 1 x A",
        "every 01 yes ebb 1 x A",
        "every ٣ yes ebb 1 x A",
        "every " + "9" * 5000 + " yes ebb 1 x A",
        "every 1 true ebb 1 x A",
        "every 1 yes EBB 1 x A",
        "every 1 yes ebb 3 x A",
        "every 1 yes ebb LOW x A",
        "every 1 yes ebb 1 " + "x" * 25 + " A",
        "every 1 yes ebb 1 x G",
        "every 1 yes ebb 1 x ß",
        "every - yes ebb 1 x A",
        "every 1 yes ebb 1 x",
        "every 1 yes ebb 1 x A B",
        "many 1,,2 () () () ()",
        "many 1, () () () ()",
        "many - () () () ()",
    ],
)
def test_a_malformed_text_is_refused_shortly(text: str) -> None:
    """What ``write_action`` would not write is no action, and the answer is short."""
    with pytest.raises(MalformedAction) as caught:
        SYNTHETIC_NOTATION.parse(text)
    assert len(str(caught.value)) < 120


def test_values_are_written_as_the_contract_says() -> None:
    """Absent, empty, hidden, lists, seats and truth are written as the contract says."""
    assert write_action(OptionalFields()) == "maybe"
    assert write_action(OptionalFields(seat=Seat(2))) == f"maybe {ABSENT_MARK} {ABSENT_MARK} {ABSENT_MARK} C"
    assert write_action(OptionalFields(1, ())) == f"maybe 1 {EMPTY_TUPLE}"
    assert write_action(TupleFields((1, 2), (True,), (None, "?"), (), (None,))) == "many 1,2 yes -,? () -"
    assert write_action(PlainFields(-3, False, Tide.EBB, Level.HIGH, "?", CHANCE)) == "every -3 no ebb 2 ? *"  # noqa: FBT003


def test_seats_are_read_from_letters_of_either_case() -> None:
    """Six letters, either case, and the star."""
    assert [seat_letter(Seat(number)) for number in range(6)] == list("ABCDEF")
    assert [parse_seat(letter) for letter in "aF*"] == [0, 5, CHANCE]


@pytest.mark.parametrize("declared_type", [float, dict[str, int], int | str, tuple[int, ...] | Tide, bytes])
def test_a_field_of_a_foreign_type_is_refused(declared_type: Any) -> None:
    """A field outside the closed set is refused when the game is loaded, not when it is played."""
    kind = msgspec.defstruct(
        "Foreign", [("field", declared_type)], bases=(Action,), frozen=True, gc=False, tag="foreign"
    )
    with pytest.raises(TypeError):
        fields_of(cast("type[Action]", kind))


def test_an_ambiguous_type_is_refused() -> None:
    """An optional tuple of optional items could not be read back, so it is refused."""
    declared_type = tuple[int | None, ...] | None
    kind = msgspec.defstruct(
        "Twice", [("field", declared_type)], bases=(Action,), frozen=True, gc=False, tag="twice"
    )
    with pytest.raises(TypeError):
        fields_of(cast("type[Action]", kind))


def test_two_types_of_one_verb_are_refused() -> None:
    """Two action types with one verb are refused."""

    class Doubled(_SyntheticGame):
        outcome_types = (PlainFields,)

    with pytest.raises(ValueError, match="share a verb"):
        Notation(cast("AnyGame", Doubled()))


def test_the_notation_has_the_action_types_of_pearls() -> None:
    """All action types of a real game are in the notation, and resigning."""
    for kind in (*GAME.action_types, *GAME.outcome_types):
        fields_of(kind)
    assert write_action(parse_action("resign")) == "resign"


# What people type -------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["lay 3,7", "LAY 3,7", "  lay   3,7 ", "3,7"])
def test_parse_typed_forgives(typed: str) -> None:
    """Case, blanks and a verb that only one action needs may be wrong or missing."""
    assert NOTATION.parse_typed(typed, LEGAL_ACTIONS) == parse_action("lay 3,7")


def test_parse_typed_knows_the_signs_of_suits() -> None:
    """A card may be written as it is shown, also as phones do, with a mark behind the sign."""
    legal_actions = (PlayCurrent(Card("KC"), "N1"), PlayCurrent(Card("KD"), "N1"))
    for typed in ("K♣ N1", "k♣\ufe0f n1", "current K♣ N1"):
        assert Notation(CURRENTS).parse_typed(typed, legal_actions) == legal_actions[0]


def test_parse_typed_knows_the_arrows_of_dice() -> None:
    """A die may be written as it is shown, also as phones do; so may two dice of a turn."""
    notation = Notation(ARCTIC_CLEANUP)
    legal_actions = tuple(map(notation.parse, ("sail 1 1", "sail 2 1", "sail 2 3", "rotate 1 1 6")))
    for typed in ("sail 2 ↑", "sail 2 ⬆\ufe0f", "2 ↑\ufe0f", "SAIL 2 1"):
        assert notation.parse_typed(typed, legal_actions) == legal_actions[1]
    assert notation.parse_typed("↘", legal_actions) == legal_actions[2]
    assert notation.parse_typed("rotate 1 ↑ ↖", legal_actions) == legal_actions[3]


def test_parse_typed_needs_no_hyphens() -> None:
    """In whole games a die may be written as it is called, "take purple 4", also in part."""
    notation = Notation(AUSTRALIS)
    for transition in play_game(AUSTRALIS, 3, "casual", 1):
        if transition.actor < 0:
            continue
        legal_actions = AUSTRALIS.legal_actions(AUSTRALIS.view(transition.before, transition.actor))
        for action in legal_actions:
            assert notation.parse_typed(write_action(action).replace("-", " "), legal_actions) == action
    legal_actions = tuple(map(notation.parse, ("take purple-4", "take purple-5", "take red")))
    assert notation.parse_typed("purple 5", legal_actions) == legal_actions[1]
    assert notation.parse_typed("take 4", legal_actions) == legal_actions[0]
    with pytest.raises(AmbiguousAction, match="Several") as several:
        notation.parse_typed("take purple", legal_actions)
    assert several.value.actions == legal_actions[:2]
    for typed in ("-", "take white 5"):
        with pytest.raises(MalformedAction):
            notation.parse_typed(typed, legal_actions)


def test_parse_typed_returns_all_that_it_could_be() -> None:
    """A text that fits several legal actions is refused with them."""
    with pytest.raises(AmbiguousAction) as ambiguous:
        NOTATION.parse_typed("3", LEGAL_ACTIONS)
    assert [write_action(each) for each in ambiguous.value.actions] == ["lay 3", "bury 3"]


def test_parse_typed_guesses_no_verb() -> None:
    """A text that fits actions of several verbs is asked about, however short one of them is."""
    king = Card("KH")
    legal_actions = (DiscardCard(king), PlayCompass(king, "N"), PlayCompass(king, "N", Card("3H")))
    parse_typed = Notation(CURRENTS).parse_typed
    with pytest.raises(AmbiguousAction) as ambiguous:
        parse_typed("kh", legal_actions)
    assert ambiguous.value.actions == legal_actions
    assert parse_typed("discard", legal_actions) == legal_actions[0]
    assert parse_typed("kh n", legal_actions) == legal_actions[1], "nothing is said of a second card"
    assert parse_typed("compass 3h", legal_actions) == legal_actions[2]


def test_parse_typed_prefers_the_verb_that_is_typed() -> None:
    """A word that is a verb stands for it, also where another action has it as an argument."""
    loads = tuple(map(Notation(ARCTIC_CLEANUP).parse, ("load 1 pmma", "load 2 hdpe")))
    idle = Notation(ARCTIC_CLEANUP).parse("idle load")
    parse_typed = Notation(ARCTIC_CLEANUP).parse_typed
    with pytest.raises(AmbiguousAction) as ambiguous:
        parse_typed("load", (idle, *loads))
    assert ambiguous.value.actions == loads
    assert parse_typed("load", (idle, loads[0])) == loads[0]
    assert parse_typed("idle", (idle, *loads)) == idle


def test_parse_typed_returns_illegal_actions() -> None:
    """A well-formed text that is not legal now comes back for the rules to refuse."""
    assert NOTATION.parse_typed("lay 15", LEGAL_ACTIONS) == parse_action("lay 15")


def test_parse_typed_says_that_a_verb_is_not_possible() -> None:
    """The missing fields of a move are named only if its verb has a legal move."""
    legal_actions = (PlayCompass(Card("KC"), "N"),)
    with pytest.raises(MalformedAction, match=r"^“Current” is not possible now\.$"):
        Notation(CURRENTS).parse_typed("Current 6D", legal_actions)
    with pytest.raises(MalformedAction, match="After “compass”, write"):
        Notation(CURRENTS).parse_typed("compass 6D W 3 4 5", legal_actions)


def test_parse_typed_quotes_what_was_typed() -> None:
    """A refusal has the signs of the player, not what they stand for."""
    legal_actions = (PlayCompass(Card("KC"), "N"),)
    for typed, quoted in (("a♣\ufe0f side q", "a♣\ufe0f"), ("Ace of spades w e", "Ace of spades")):
        with pytest.raises(MalformedAction, match=rf"^I don't understand “{quoted}”\."):
            Notation(CURRENTS).parse_typed(typed, legal_actions)
    with pytest.raises(MalformedAction, match=r"^“↑x” is not a valid ship\."):
        Notation(ARCTIC_CLEANUP).parse_typed("sail ↑x 1", (SailShip(1, 1),))


def test_phrases_are_understood_with_punctuation() -> None:
    """What stands before and behind the words of a card changes nothing."""
    notation = Notation(CURRENTS)
    for text in ("jack of clubs, N", "\u201cJack of Clubs\u201d N", "Jack clubs N"):
        assert notation.replace_signs(text) == "JC N"
    assert notation.replace_signs("jack of all clubs") == "jack of all clubs"


def test_a_refusal_lists_what_belongs_to_a_verb() -> None:
    """Fields stand there as words in a list, with how several values are joined and which are optional."""
    notation = Notation(OCEANS)
    for text, fields in (
        ("create", "card, place and pay (optional)"),
        ("attack A1", "species, target and ignoring (joined by commas, optional)"),
        ("keep", "card, pile 1 card (optional) and pile 2 card (optional)"),
        ("draw now", "nothing more"),
    ):
        with pytest.raises(MalformedAction) as refused:
            notation.parse(text)
        assert str(refused.value) == f"After “{text.split()[0]}”, write: {fields}."
