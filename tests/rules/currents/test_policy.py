"""The policy of Currents in positions where the sensible choice is plain."""

import pytest
from msgspec.structs import replace

from rules.currents import CURRENTS
from rules.currents.actions import PlayCurrent
from rules.currents.components import Axis
from rules.currents.model import Phase
from rules.currents.rules import State
from rules.model import Action, Seat
from rules.notation import write_action
from rules.random_stream import RandomStream
from tests.rules.currents.positions import NOTATION, TRIANGLE_OPTIONS, act, actor_view, make_state


def choose(state: State, seed: int = 1) -> Action:
    """Return what the seat to act chooses."""
    view = actor_view(state)
    return CURRENTS.policy(view, CURRENTS.legal_actions(view), RandomStream(bytes([seed]) * 32))


def test_wins_when_it_can() -> None:
    """A current that pushes the pawn over the player's own goal edge is laid, whatever else is possible."""
    state = make_state(
        pawn=(4, 0), currents="N0 5C", hands=["6H 9C 10S 4D"], seat_count=2, axis=Axis.NORTH_SOUTH
    )
    after = act(state, write_action(choose(state)))

    assert after.position.winner == 0


def test_turns_the_pawn_away_from_the_opponents_goal() -> None:
    """A pawn that would leave over the opponent's goal edge is pushed elsewhere."""
    state = make_state(
        pawn=(8, 4), currents="E1 5D", hands=["5H 3S 9C 6C", "7S"], seat_count=2, axis=Axis.NORTH_SOUTH
    )
    after = act(state, write_action(choose(state)))

    assert not after.position.exits
    assert after.position.winner is None


@pytest.mark.parametrize("seed", range(1, 6))
def test_spends_the_card_of_least_use(seed: int) -> None:
    """Of cards that do the same, it plays the one that can do least else."""
    state = make_state(
        pawn=(4, 0), currents="N0 5C", hands=["QH 6H KH 2H"], seat_count=2, axis=Axis.NORTH_SOUTH
    )
    action = choose(state, seed)

    assert act(state, write_action(action)).position.winner == 0
    assert isinstance(action, PlayCurrent)
    assert action.card == "6H"


@pytest.mark.parametrize("hands", [["2H", "2C 9C KD"], ["2H", "9D 9C 2C"], ["2H", "KC 9C QC"]])
def test_defends_with_the_card_of_least_use(hands: list[str]) -> None:
    """A defender who can stop the pawn does, and gives up the fitting card that can do least else."""
    state = make_state(pawn=(4, 0), hands=hands, seat_count=2)
    asked_state = act(state, "current 2H W0")

    assert choose(asked_state) == NOTATION.parse("defend 9C")


def test_lays_the_ace_of_the_suit_it_holds_towards_its_goal() -> None:
    """The ace of the suit in hand goes where it pushes towards the player's own goal."""
    state = make_state(compass="- - - -", hands=["5H 6H 7H"], seat_count=4)
    aces = tuple(NOTATION.parse(f"ace {ace} {place}") for ace in ("AH", "AS") for place in "NESW")

    view = replace(CURRENTS.view(state, Seat(0)), position=replace(state.position, phase=Phase.ACES))
    assert CURRENTS.policy(view, aces, RandomStream(bytes(32))) == NOTATION.parse("ace AH N")


def test_equal_streams_choose_alike() -> None:
    """The choice depends on the view and the stream alone, and the stream decides between equals."""
    state = make_state(hands=["5C 6D 7C"], seat_count=3, options=TRIANGLE_OPTIONS, compass="AH AC AS")

    assert choose(state) == choose(state)
    assert len({choose(state, seed) for seed in range(1, 30)}) > 1
