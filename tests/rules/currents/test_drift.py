"""Which currents reach the pawn, what they add up to, and what stands in the way."""

from collections import Counter

import pytest

from rules.currents.board import GEOMETRIES, RIPTIDES, ROCKS
from rules.currents.components import Point
from rules.currents.drift import compute_drift, find_influences
from rules.currents.events import PawnDrifted
from rules.currents.model import BoardShape, CurrentsOptions, Obstacles
from tests.rules.currents.positions import act, make_state

SQUARE = GEOMETRIES[BoardShape.SQUARE]


def slots_reaching(point: Point) -> set[str]:
    """Return the slots that reach a point."""
    return {SQUARE.slots[i] for i in SQUARE.slot_indexes_at[point]}


@pytest.mark.parametrize(
    ("point", "slots"),
    [
        ((4, 4), "N1 N2 S1 S2 W1 W2 E1 E2"),
        ((3, 5), "N1 S1 W2 E2"),
        ((2, 5), "N0 N1 S0 S1 W2 E2"),
        ((0, 0), "N0 S0 W0 E0"),
        ((8, 6), "N3 S3 W2 W3 E2 E3"),
    ],
)
def test_a_slot_reaches_the_points_of_three_lines(point: Point, slots: str) -> None:
    """Each slot reaches the three lines at its two squares; the examples of the rules page."""
    assert slots_reaching(point) == set(slots.split())


def test_how_many_currents_can_reach_a_point() -> None:
    """36 points have four slots, 36 have six and nine have eight."""
    assert Counter(len(slots) for slots in SQUARE.slot_indexes_at.values()) == {4: 36, 6: 36, 8: 9}


def test_a_slot_shares_lines_with_its_neighbours() -> None:
    """A slot shares one or two of its three lines with its neighbours: lines 2, 4 and 6."""
    for side in "NESW":
        for number in range(3):
            lines, next_lines = (
                set(map(frozenset, SQUARE.lines[f"{side}{i}"])) for i in (number, number + 1)
            )
            assert len(lines & next_lines) == 1


def test_the_rulebooks_example() -> None:
    """Two hearts, a club, a diamond and a dead spade, with ♣ north, ♦ east, ♥ south: south-east."""
    state = make_state(compass="AC AD AH -", currents="N1 2H, N2 3H, S1 4C, S2 5D, W1 6S", hands=("9H 9C",))
    assert compute_drift(state.position).target == (5, 5)
    directions = [each.directions for each in find_influences(state.position)]
    assert directions == [("S",), ("S",), ("N",), ("E",), ()]


def test_pushes_south_and_east_are_added() -> None:
    """Without the club the two hearts and the diamond push two south and one east."""
    state = make_state(compass="AC AD AH -", currents="N1 2H, N2 3H, S2 5D, W1 6S", hands=("9H",))
    assert compute_drift(state.position).target == (5, 6)


def test_the_side_of_a_current_is_irrelevant() -> None:
    """A north-pushing current may lie in the north."""
    assert compute_drift(make_state(currents="N1 2H").position).target == (4, 3)
    assert compute_drift(make_state(currents="S2 2H").position).target == (4, 3)


def test_a_suit_on_two_places_pushes_both_ways() -> None:
    """Hearts north and east push both ways; north and south they cancel themselves."""
    assert compute_drift(make_state(compass="AH 2H AC AS", currents="N1 5H").position).target == (5, 3)
    assert compute_drift(make_state(compass="AH AD 2H AS", currents="N1 5H").position).target == (4, 4)


def test_three_easts_and_two_wests_leave_one_east() -> None:
    """Opposite pushes cancel: the rulebook's example."""
    state = make_state(currents="N1 2D, N2 3D, S1 4D, S2 5S, W1 6S")
    assert compute_drift(state.position).target == (5, 4)


def test_currents_at_the_new_point_wait_for_the_next_move() -> None:
    """The currents at the new point act only in the next move."""
    state = make_state(currents="N1 2H, E0 5D, W0 6D", pawn=(4, 3), hands=("7C 8C 9C 10C",))
    assert act(state, "discard 7C").position.pawn == (4, 2)


@pytest.mark.parametrize("text", ["discard 7C", "king KC cw", "current 9C S0", "compass 3C N"])
def test_the_pawn_always_moves(text: str) -> None:
    """R16: after a discard, an action, a current and a compass card alike."""
    state = make_state(currents="N1 2D, N2 3D", hands=("7C KC 9C 3C",))
    after = act(state, text)
    assert after.position.pawn != (4, 4)
    assert isinstance(after.position.trail[-1], PawnDrifted)


def test_a_play_counts_before_the_move() -> None:
    """A card just laid pushes the pawn at once; a compass just changed rules at once."""
    state = make_state(currents="N1 2D", hands=("7D 3S 9C 5C",))
    assert act(state, "current 7D N2").position.pawn == (6, 4)
    assert act(state, "compass 3S E").position.pawn == (4, 4)


def test_the_border_line_is_on_the_board() -> None:
    """R7: row 0 is still water; nothing happens there."""
    after = act(make_state(currents="N1 2H, N2 3H", pawn=(4, 2), hands=("7C",)), "discard 7C")
    assert (after.position.pawn, after.position.winner) == ((4, 0), None)


# Obstacles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("obstacles", "start", "move", "resting_point"),
    [
        (Obstacles.ROCKS, (2, 4), (0, -3), (2, 3)),  # a blocked straight step ends the move
        (Obstacles.ROCKS, (1, 1), (1, 1), (1, 2)),  # a blocked diagonal step: its N/S part
        (Obstacles.ROCKS, (1, 1), (2, 2), (2, 3)),  # ... and the steps after it go on
        (Obstacles.ROCKS, (1, 1), (3, 1), (1, 2)),  # N/S part, then the first straight step is blocked
        (Obstacles.ROCKS, (4, 4), (2, 1), (6, 5)),  # diagonal first, then straight
        (Obstacles.ROCKS, (4, 4), (2, 2), (5, 6)),
        (Obstacles.ROCKS, (5, 4), (0, -2), (5, 2)),  # nothing in the way
        (Obstacles.ROCKS, (3, 2), (-1, 0), (3, 2)),  # no step at all
        (Obstacles.RIPTIDES, (2, 1), (0, -2), (2, 1)),  # not to be entered towards its edge
        (Obstacles.RIPTIDES, (1, 1), (1, -1), (1, 0)),  # a diagonal step has a part towards the edge
        (Obstacles.RIPTIDES, (1, 0), (3, 0), (4, 0)),  # along the edge it may be entered
        (Obstacles.RIPTIDES, (2, 0), (0, -1), (2, -1)),  # and left in every direction
        (Obstacles.RIPTIDES, (7, 5), (1, 1), (7, 6)),
        (Obstacles.RIPTIDES, (1, 3), (-3, 0), (-2, 3)),  # beyond the border nothing is in the way
        (Obstacles.OFF, (2, 4), (0, -3), (2, 1)),
    ],
)
def test_the_path_among_obstacles(
    obstacles: Obstacles, start: Point, move: Point, resting_point: Point
) -> None:
    """House rule: diagonal steps come first; of a blocked diagonal step a straight part is left."""
    target = (start[0] + move[0], start[1] + move[1])
    path = SQUARE.path(start, target, obstacles)
    assert (path[0], path[-1]) == (start, resting_point)


def test_no_path_enters_a_rock() -> None:
    """Whatever the pawn's move is, its path goes round all rocks or ends before one."""
    for start in SQUARE.points:
        if start in ROCKS:
            continue
        for dx in range(-4, 5):
            for dy in range(-4, 5):
                path = SQUARE.path(start, (start[0] + dx, start[1] + dy), Obstacles.ROCKS)
                assert not ROCKS & set(path)


def test_riptides_let_a_stopped_pawn_rest() -> None:
    """A pawn stopped by goaltending may rest on a riptide."""
    state = make_state(
        currents="N0 2H, N1 3H",
        pawn=(2, 0),
        hands=("7S 8S", "", "9C 10C", ""),
        options=CurrentsOptions(obstacles=Obstacles.RIPTIDES),
    )
    assert (2, 0) in RIPTIDES
    assert act(state, "discard 7S", "defend 9C,10C").position.pawn == (2, 0)


def test_rocks_stop_the_pawn_in_a_game() -> None:
    """With the option, a rock stops the pawn in a real move."""
    rocks = CurrentsOptions(obstacles=Obstacles.ROCKS)
    currents = "S0 2H, S1 3H, N0 4H"
    assert act(make_state(currents=currents, pawn=(2, 5), hands=("7C",)), "discard 7C").position.pawn == (
        2,
        2,
    )
    state = make_state(currents=currents, pawn=(2, 5), hands=("7C",), options=rocks)
    after = act(state, "discard 7C")
    assert after.position.pawn == (2, 3)
    assert after.position.trail[-1] == PawnDrifted(((2, 5), (2, 4), (2, 3)))
