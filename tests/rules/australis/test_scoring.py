"""Reefs, schools of fish and turtles at the end of a round."""

from collections.abc import Mapping

import pytest

from rules.australis.events import ReefScored, SchoolScored, TurtleScored
from rules.australis.model import Position, SeaBoard
from rules.australis.scoring import reef_ranking, school_points
from rules.model import Seat
from tests.rules.australis.positions import act, events, make_board, make_position


def make_scored_position(
    *boards: SeaBoard, player: int = 0, starter: int = 0, token_holder: int | None = None
) -> Position:
    """Return the position after the last die of a round, a fish die, was taken."""
    position = make_position(
        *boards, dice="yellow-5f red", player=player, starter=starter, token_holder=token_holder, turns_left=1
    )
    return act(position, "take yellow-5f")


def make_scored_reefs_position(
    *corals: Mapping[int, int], turtle_spaces: tuple[int, ...] = (4, 2, 1, 0)
) -> Position:
    """Return a scored position of seats with these corals, by reef, and turtles."""
    return make_scored_position(
        *(make_board(corals=each, turtle=space) for each, space in zip(corals, turtle_spaces, strict=False))
    )


def reef_points_by_seat(position: Position) -> list[int]:
    """Return every seat's points of reefs."""
    return [board.tally.reefs for board in position.boards]


def test_rulebook_example_of_reef_5() -> None:
    """Orange has most: 2; blue and green are level and blue's turtle is ahead: 1; green none."""
    position = make_scored_reefs_position({5: 3}, {5: 1}, {5: 1}, turtle_spaces=(0, 5, 3))
    assert reef_points_by_seat(position) == [2, 1, 0]
    assert events(position, ReefScored) == [ReefScored(5, Seat(0), 2, Seat(1), 1)]


@pytest.mark.parametrize(
    ("reef", "first_points", "second_points"),
    [(3, 1, 0), (4, 2, 0), (5, 2, 1), (6, 3, 1), (7, 4, 2), (8, 5, 3)],
)
def test_points_of_each_reef(reef: int, first_points: int, second_points: int) -> None:
    """The reefs 3 and 4 have no second place; 5 to 8 have, with two players too (AU9)."""
    position = make_scored_reefs_position({reef: 2}, {reef: 1})
    assert reef_points_by_seat(position) == [first_points, second_points]


def test_without_a_second_owner_nobody_is_second() -> None:
    """A seat without a coral on the reef gets no points for second place."""
    position = make_scored_reefs_position({8: 1}, {})
    assert reef_points_by_seat(position) == [5, 0]
    assert events(position, ReefScored) == [ReefScored(8, Seat(0), 5, None, 0)]


def test_a_tie_for_first_makes_the_loser_second() -> None:
    """The turtle further ahead is first, the other second, the third has nothing."""
    position = make_scored_reefs_position({7: 2}, {7: 2}, {7: 1}, turtle_spaces=(1, 6, 9))
    assert reef_points_by_seat(position) == [2, 4, 0]


def test_a_tie_on_a_reef_without_second_place() -> None:
    """Only the turtle further ahead scores."""
    assert reef_points_by_seat(make_scored_reefs_position({4: 2}, {4: 2}, turtle_spaces=(1, 6))) == [0, 2]


def test_turtles_decide_where_all_are_tied() -> None:
    """With everybody level the turtles decide first and second."""
    assert reef_ranking([make_board(corals={6: 1}, turtle=space) for space in (3, 9, 5, 12)], 6) == (
        3,
        1,
        2,
        0,
    )


def test_reefs_are_scored_in_ascending_order() -> None:
    """From 3 to 8; empty ones bring nothing."""
    position = make_scored_reefs_position({3: 1, 8: 1, 5: 1}, {4: 1, 5: 2})
    assert [event.reef for event in events(position, ReefScored)] == [3, 4, 5, 8]
    assert reef_points_by_seat(position) == [1 + 1 + 5, 2 + 2]


@pytest.mark.parametrize(
    ("cube_count", "fish", "points"),
    [
        (2, 7, 3),  # rulebook, example 1: six are fed
        (3, 15, 7),  # rulebook, example 2: the fourth cube is missing
        (1, 2, 0),
        (1, 3, 1),
        (1, 30, 1),
        (2, 6, 3),
        (2, 5, 1),  # too few for the rightmost cube: the lower column counts (AU8)
        (6, 28, 25),
        (6, 27, 18),
        (6, 2, 0),
        (4, 15, 12),
        (5, 21, 18),
    ],
)
def test_a_school_is_as_large_as_cubes_and_fish_allow(cube_count: int, fish: int, points: int) -> None:
    """One school, as large as cubes and fish allow."""
    assert school_points(make_board(cube_count=cube_count, fish=fish)) == points


def test_fish_and_cubes_stay() -> None:
    """Scoring a school takes no fish and no cubes away."""
    position = make_scored_position(make_board(cube_count=2, fish=7), make_board(turtle=1))
    board = position.boards[0]
    assert (board.tally.schools, board.fish, board.cube_count) == (3, 12, 2)


def test_a_turtle_brings_its_space() -> None:
    """Rulebook: 13 points on space 13; none on 0."""
    position = make_scored_position(make_board(turtle=13), make_board(turtle=0))
    assert [board.tally.turtle for board in position.boards] == [13, 0]


def test_points_add_up_from_round_to_round_beyond_100() -> None:
    """The points of a round are added to those before; they do not end at 100."""
    position = make_scored_position(make_board(turtle=13, points=95), make_board(turtle=0))
    assert position.boards[0].tally.total == 95 + 13 + 1, "13, the school of five fish, and no end at 100"


def test_scoring_begins_with_the_token() -> None:
    """The holder of the token first, then clockwise; without one who began the round."""
    boards = (make_board(), make_board(turtle=1), make_board(turtle=2))
    for position, order in [
        (make_scored_position(*boards, token_holder=2, starter=1), [2, 0, 1]),
        (make_scored_position(*boards, starter=1), [1, 2, 0]),
    ]:
        assert [event.seat for event in events(position, SchoolScored)] == order
        assert [event.seat for event in events(position, TurtleScored)] == order


def test_all_three_parts_in_order() -> None:
    """Reefs are scored first, then the school and the turtle of each seat in turn."""
    position = make_scored_position(make_board(corals={3: 1}), make_board(turtle=1))
    kinds = [type(event) for event in events(position, ReefScored, SchoolScored, TurtleScored)]
    assert kinds == [ReefScored, SchoolScored, TurtleScored, SchoolScored, TurtleScored]


def test_fish_never_run_out() -> None:
    """More than the 106 of the box is no limit (AU15)."""
    position = make_scored_position(make_board(fish=105, cube_count=6), make_board(turtle=1, fish=60))
    assert position.boards[0].fish == 110
    assert position.boards[0].tally.schools == 25
