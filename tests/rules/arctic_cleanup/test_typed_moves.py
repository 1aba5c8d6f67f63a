"""Typed moves of Arctic CleanUp: ships are told from dice, and directions have names."""

import pytest
from msgspec import structs

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.actions import EndTurn, SailShip
from rules.arctic_cleanup.components import Card
from rules.arctic_cleanup.model import PlayedCard
from rules.errors import AmbiguousAction, GuessedAction, MalformedAction
from rules.notation import write_action
from rules.typed_moves import TypedMoveReader
from tests.rules.arctic_cleanup.positions import NAMES, make_board, make_position
from tests.rules.arctic_cleanup.texts import actor_view

POSITION = make_position(
    make_board("A2", "B2 D3", rows="124 16", spare_die_count=1), ocean="B2:2pet,pp D3:eva", bag="2pet,pp"
)
"""Ship 1 may sail up, up right and down, ship 2 up and up left; a die lies beside the board."""


def read(text: str) -> str:
    """Return the move, in notation, that a text means in ``POSITION``."""
    view = actor_view(POSITION)
    return write_action(
        TypedMoveReader(ARCTIC_CLEANUP, view, ARCTIC_CLEANUP.legal_actions(view), NAMES).read(text)
    )


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("move ship 1 ↑", "sail 1 1"),
        ("sail ship 1 ↑", "sail 1 1"),
        ("sail 2 ↑", "sail 2 1"),
        ("move ship 1 to c2", "sail 1 2"),
        ("move 1 c2", "sail 1 2"),
        ("turn ship 1 ↑ to ↙", "rotate 1 1 5"),
        ("plan ship 1 ↑ ↓", "rotate 1 1 4"),
        ("bring ship 2 ↗", "bring 2 2"),
        ("ship 1 ↑ to ship 2", "shift 1 1"),
        ("load pet ship 1", "load 1 pet"),
    ],
)
def test_the_number_behind_ship_is_the_ship(text: str, move: str) -> None:
    """It is not taken for the number of a die, which an arrow stands for."""
    assert read(text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("move ship 1 up", "sail 1 1"),
        ("Move ship 1 up right", "sail 1 2"),
        ("sail ship 2 up-left", "sail 2 6"),
        ("plan ship 1 up to down", "rotate 1 1 4"),
        ("turn ship 1 up right to down left", "rotate 1 2 5"),
        ("bring ship 1 down right", "bring 1 3"),
    ],
)
def test_directions_may_be_typed_in_words(text: str, move: str) -> None:
    """As the rules name them."""
    assert read(text) == move


def test_a_step_of_the_other_ship_is_not_offered() -> None:
    """Where ship 1 cannot go, ship 2 is not meant either."""
    with pytest.raises(MalformedAction, match="not possible now") as refusal:
        read("sail ship 1 d2")
    assert "ship 2" not in str(refusal.value)


@pytest.mark.parametrize("text", ["sail ship 3 to Z9", "move ship 1 to Z9", "sail to Z9"])
def test_a_place_that_does_not_exist_is_called_so(text: str) -> None:
    """What can be chosen instead are moves of this verb."""
    with pytest.raises(MalformedAction, match=r"^There is no “Z9”\. You can choose `Move: ship ") as refusal:
        read(text)
    assert "Plan" not in str(refusal.value)


@pytest.mark.parametrize("text", ["load 1 pet", "load pet ship 1", "load pet on ship 1"])
def test_a_full_ship_is_named_as_the_reason(text: str) -> None:
    """In whichever order ship and token are typed."""
    position = make_position(make_board("A2", "B2 D3", cargo="3pet,pp -"), ocean="B2:2pet D3:eva")
    view = actor_view(position)
    action = TypedMoveReader(ARCTIC_CLEANUP, view, ARCTIC_CLEANUP.legal_actions(view), NAMES).read(text)
    assert ARCTIC_CLEANUP.words.refusal(view, action, NAMES).startswith(
        "Ship 1 is full: four tokens at most."
    )


@pytest.mark.parametrize("text", ["move ship 1 to c2", "sail to c2", "move ship 1 up"])
def test_a_used_up_card_is_named_as_the_reason(text: str) -> None:
    """Also where the place has no name in any move."""
    played = PlayedCard(Card.MOVE, strength=1, operation_count=1)
    view = actor_view(structs.replace(POSITION, played_card=played))
    legal = ARCTIC_CLEANUP.legal_actions(view)
    assert legal == (EndTurn(),)
    try:
        action = TypedMoveReader(ARCTIC_CLEANUP, view, legal, NAMES).read(text)
        answer = ARCTIC_CLEANUP.words.refusal(view, action, NAMES)
    except MalformedAction as refusal:
        answer = str(refusal)
    assert answer.startswith("Move is used up. End your turn.")


def test_a_number_that_only_a_button_has_is_not_meant() -> None:
    """No turn to ↗ is meant by "to ↙", though the button before it says "Plan (5)"."""
    position = make_position(make_board("A2", "B2 D3", rows="11 -"))
    view = actor_view(position)
    legal = ARCTIC_CLEANUP.legal_actions(view)
    with pytest.raises(GuessedAction) as guess:
        TypedMoveReader(ARCTIC_CLEANUP, view, legal, NAMES).read("turn a die of ship 1 to ↙")
    assert write_action(guess.value.action) == "rotate 1 1 5"
    with pytest.raises(AmbiguousAction) as refusal:
        read("turn a die of ship 1 to ↙")
    assert {write_action(each) for each in refusal.value.actions} == {
        f"rotate 1 {face} 5" for face in (1, 2, 4)
    }


@pytest.mark.parametrize("text", ["load pet, eva", "load pet and pp", "load two pet"])
def test_several_tokens_are_several_moves(text: str) -> None:
    """Whoever names or counts more than one move holds reads how to type them."""
    with pytest.raises(MalformedAction, match=r"You can choose .* Join several moves with `;`\."):
        read(text)
    with pytest.raises(MalformedAction) as refusal:
        read("load pet ps6")
    assert "Join" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("load 2 pet", "you can type `load 1 PET`. Join several moves with `;`."),
        ("load 1 eva", "you can type `load 2 EVA`."),
        ("load 2 hdpe", "There is no HDPE beside ship 2. Its tile holds EVA."),
    ],
)
def test_a_number_of_tokens_that_is_no_ship_is_explained(text: str, advice: str) -> None:
    """It is that of the ship, and several tokens are several moves; the example is legal."""
    view = actor_view(POSITION)
    action = TypedMoveReader(ARCTIC_CLEANUP, view, ARCTIC_CLEANUP.legal_actions(view), NAMES).read(text)
    assert ARCTIC_CLEANUP.words.refusal(view, action, NAMES).endswith(advice)


@pytest.mark.parametrize("text", ["move ship 2", "move ship 2 please"])
def test_a_ship_to_move_is_not_taken_for_a_die(text: str) -> None:
    """Where no ship can move, only a label of Plan has these words: that is asked about."""
    view = actor_view(make_position(make_board("A2", "B2 D3", rows="11 -")))
    legal = [each for each in ARCTIC_CLEANUP.legal_actions(view) if not isinstance(each, SailShip)]
    reader = TypedMoveReader(ARCTIC_CLEANUP, view, legal, NAMES)
    with pytest.raises(GuessedAction) as guess:
        reader.read(text)
    assert write_action(guess.value.action) == "shift 1 1"
    assert write_action(reader.read("plan: move \u2191 of ship 1 to ship 2")) == "shift 1 1"
