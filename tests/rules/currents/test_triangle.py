"""Three players on the triangular board: geometry, pushes, goals, defences, corners.

Seats A, B, C at sides X, Y, Z; A wins over side Y, B over Z, C over X.
"""

from itertools import pairwise

import pytest

from rules.currents import CURRENTS
from rules.currents.actions import Defend
from rules.currents.board import GEOMETRIES
from rules.currents.components import Point
from rules.currents.drift import compute_drift, goals_of
from rules.currents.model import BoardShape, Exit
from rules.currents.phrases import point_text
from rules.currents.rules import State
from rules.model import Seat
from rules.notation import write_action
from tests.rules.currents.positions import (
    NAMES,
    TRIANGLE_OPTIONS,
    act,
    actor_view,
    is_legal,
    legal_choices,
    make_state,
    preview_text,
)

BOARD = GEOMETRIES[BoardShape.TRIANGLE]
A, B, C = Seat(0), Seat(1), Seat(2)

LINES_BY_SLOT = {
    "X0": "y4 y3 y2", "X1": "y2 y1 X", "X2": "X z1 z2", "X3": "z2 z3 z4",
    "Y0": "z4 z3 z2", "Y1": "z2 z1 Y", "Y2": "Y x1 x2", "Y3": "x2 x3 x4",
    "Z0": "x4 x3 x2", "Z1": "x2 x1 Z", "Z2": "Z y1 y2", "Z3": "y2 y3 y4",
}  # fmt: skip
"""The three lines that each slot reaches, as the rules page names them."""


def make_triangle_state(
    *,
    compass: str = "AH AD AC",
    currents: str = "",
    pawn: Point = (0, 0, 0),
    hands: tuple[str, ...] = ("9S 8S",),
    player: int = 0,
) -> State:
    """Build a triangular state: hearts push to X, diamonds to Y, clubs to Z; spades are dead."""
    return make_state(
        compass=compass,
        currents=currents,
        pawn=pawn,
        hands=hands,
        player=player,
        seat_count=3,
        options=TRIANGLE_OPTIONS,
    )


def lines_through(point: Point) -> set[str]:
    """Return the lines of a point from its coordinates alone (rules page, section 9)."""
    named_lines = {f"{axis}{value}" for axis, value in zip("xyz", point, strict=True) if value}
    spokes = {axis for i, axis in enumerate("XYZ") if not any(v for j, v in enumerate(point) if j != i)}
    return named_lines | spokes


def test_61_points_have_a_coordinate_of_0() -> None:
    """61 triples of 0 to 4 with at least one 0, the centre among them."""
    assert len(BOARD.points) == len(set(BOARD.points)) == 61
    assert all(min(point) == 0 and max(point) <= 4 for point in BOARD.points)
    assert BOARD.start == (0, 0, 0) in BOARD.points


def test_a_slot_reaches_the_points_of_three_lines() -> None:
    """A slot reaches a point exactly if one of its three lines runs through it."""
    for point in BOARD.points:
        expected = {
            slot for slot, names in LINES_BY_SLOT.items() if lines_through(point) & set(names.split())
        }
        assert {BOARD.slots[i] for i in BOARD.slot_indexes_at[point]} == expected


def test_neighbours_on_a_line_differ_by_one_step() -> None:
    """Neighbours on a line differ by one step, so that a line can be drawn."""
    for lines in BOARD.lines.values():
        for line in lines:
            for point, next_point in pairwise(line):
                assert sum(abs(x - y) for x, y in zip(point, next_point, strict=True)) == 1


def test_the_centre_is_on_all_spokes() -> None:
    """Six slots reach the centre."""
    assert {BOARD.slots[i] for i in BOARD.slot_indexes_at[0, 0, 0]} == {"X1", "X2", "Y1", "Y2", "Z1", "Z2"}


@pytest.mark.parametrize(
    ("start", "pushes", "end"),
    [
        ((0, 0, 0), (1, 0, 0), (1, 0, 0)),
        ((0, 0, 0), (1, 1, 1), (0, 0, 0)),  # three equal pushes cancel
        ((2, 0, 0), (0, 1, 1), (1, 0, 0)),  # two pushes away are one step back
        ((3, 2, 0), (0, 0, 1), (2, 1, 0)),
        ((3, 2, 0), (0, 0, 3), (1, 0, 1)),
        ((0, 4, 1), (2, 1, 0), (1, 4, 0)),
        ((0, 4, 1), (0, 2, 0), (0, 6, 1)),
    ],
)
def test_pushes_are_added_and_the_least_sum_taken_off(
    start: Point, pushes: tuple[int, ...], end: Point
) -> None:
    """Add the pushes, then take the least of the three sums off all of them."""
    assert BOARD.push(start, pushes) == end


def test_the_goal_lies_to_the_left_and_the_crossed_side_defends() -> None:
    """The goal is the side to the left; the player at the crossed side defends."""
    state = make_triangle_state()
    assert [goals_of(state.position, seat) for seat in (A, B, C)] == [("Y",), ("Z",), ("X",)]
    leaving = make_triangle_state(currents="X1 5H", pawn=(4, 0, 0))
    assert compute_drift(leaving.position).exits == (Exit("X", C, A, 1),)


def test_a_card_pushes_alike_wherever_it_lies() -> None:
    """With hearts on compass place X a heart pushes the pawn to X, on whichever side it lies."""
    assert act(make_triangle_state(currents="Z2 5H, Y1 6H"), "discard 9S").position.pawn == (2, 0, 0)


def test_the_suits_of_the_other_places_defend() -> None:
    """Any place but the crossed side's defends, even with a suit that lies there too (R8)."""
    hands = ("9S 2C 3D 4H", "", "")
    state = act(make_triangle_state(currents="X1 5H", pawn=(4, 0, 0), hands=hands), "discard 9S")
    assert state.position.to_act == A
    assert is_legal(state, "defend 2C")
    assert is_legal(state, "defend 3D")
    assert not is_legal(state, "defend 4H")
    with_suit_of_crossed_side = make_triangle_state(
        compass="AC 2C AD", currents="X1 5C", pawn=(4, 0, 0), hands=("9S 3C", "", "")
    )
    assert is_legal(act(with_suit_of_crossed_side, "discard 9S"), "defend 3C")


def test_without_a_defending_suit_the_pawn_leaves_at_once() -> None:
    """Nothing on the two other places: the pawn leaves at once."""
    state = make_triangle_state(
        compass="AH - -", currents="X1 5H", pawn=(4, 0, 0), hands=("9S 2C 3D 4H", "", "")
    )
    assert act(state, "current 9S Y0").position.winner == C


def test_a_stopped_pawn_keeps_its_other_coordinates() -> None:
    """Only the crossed side's coordinate is held."""
    state = make_triangle_state(currents="X1 5H, Y3 7D", pawn=(4, 1, 0), hands=("9S 2C 3D", "", ""))
    state = act(state, "discard 9S")
    assert state.position.target == (5, 2, 0)
    assert act(state, "defend 2C").position.pawn == (4, 2, 0)


@pytest.mark.parametrize(
    ("player", "order"), [(0, [(A, B), (C, A)]), (1, [(A, B), (C, A)]), (2, [(C, A), (A, B)])]
)
def test_current_right_and_left_come_in_order_at_a_corner(
    player: int, order: list[tuple[Seat, Seat]]
) -> None:
    """Over sides X and Y at once: current, right, left; the one whose goal is not crossed is passed over."""
    hands = ["2C 3C", "4C 5C", "6C 7C"]
    hands[player] += " 9S"
    state = make_triangle_state(currents="X0 5H, Z0 6D", pawn=(4, 4, 0), hands=tuple(hands), player=player)
    state = act(state, "discard 9S")
    assert [(exit_.owner, exit_.defender) for exit_ in state.position.exits] == order
    for _ in order:
        defence = next(action for action in legal_choices(state) if isinstance(action, Defend))
        state = act(state, write_action(defence))
    assert (state.position.pawn, state.position.winner) == ((4, 4, 0), None)


def test_a_king_turns_three_places() -> None:
    """A King moves the card of X to Y, of Y to Z and of Z to X, or back."""
    state = make_triangle_state(compass="AH 2D -", hands=("KC",))
    assert act(state, "king KC cw").position.compass == (None, "AH", "2D")
    assert act(state, "king KC ccw").position.compass == ("2D", None, "AH")


def test_a_push_goes_towards_a_side() -> None:
    """A current pushes, and the pawn drifts, towards a side, which is no direction by itself."""
    state = make_triangle_state(compass="AH 2H AC", currents="X1 5H")
    assert "5♥ at X1 pushes towards side X and side Y." in preview_text(state, "discard 9S")
    alt_text = CURRENTS.words.alt_text(actor_view(state), NAMES)
    assert "the pawn drifts 1 step towards side X and 1 towards side Y" in alt_text


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ((0, 0, 0), "the centre"),
        ((0, 3, 0), "3 steps from the centre towards side Y"),
        ((2, 0, 1), "2 steps from the centre towards side X and 1 towards side Z"),
    ],
)
def test_a_point_is_named_by_its_steps_towards_sides(point: Point, expected: str) -> None:
    """From the centre, towards one side or two."""
    assert point_text(make_triangle_state().position, point) == expected


CANCELLING_TEXT = "One step towards each of the three sides leads back to where it began."


@pytest.mark.parametrize(
    ("currents", "pawn", "move", "is_cancelling"),
    [
        ("X1 5H", (0, 0, 0), "drifts 1 step towards side X, to 1 step from the centre", False),
        ("X1 5H, Z1 5D, Z2 5C", (0, 0, 0), "stays at the centre.", True),
        ("Z1 5D, Y2 4C", (1, 0, 3), "drifts 1 step towards side Y and 1 towards side Z, to 3 steps", True),
        ("Y2 5D, Z0 4D", (2, 1, 0), "drifts 2 steps towards side Y, to 2 steps from the centre", False),
    ],
)
def test_a_preview_says_how_the_pawn_moves_and_how_pushes_cancel(
    currents: str, pawn: Point, move: str, *, is_cancelling: bool
) -> None:
    """As on the square: by how many steps, and where to; the rule of three stands where it counts."""
    state = make_triangle_state(currents=currents, pawn=pawn)
    first_line, *others = preview_text(state, "discard 9S").splitlines()
    assert first_line.startswith(f"The pawn {move}")
    assert (CANCELLING_TEXT in others) is is_cancelling


def test_turns_go_round_three_seats() -> None:
    """The turns go A, B, C, A."""
    assert act(make_triangle_state(player=2, hands=("", "", "9S")), "discard 9S").position.current_player == 0
