"""Turtle movement, own food cubes and the grey ones."""

from itertools import combinations

import pytest

from rules.australis.components import LAST_SPACE
from rules.australis.events import CubeTaken, EffectSource, TurtleMoved
from rules.australis.movement import target_space
from rules.model import Seat
from tests.rules.australis.positions import act, events, make_board, make_position


@pytest.mark.parametrize(
    ("occupied_spaces", "start_space", "step_count", "end_space"),
    [
        ((), 0, 2, 2),
        ((), 13, 5, 18),
        ((1,), 0, 2, 2),  # passed, and counted
        ((4,), 1, 3, 5),  # occupied: the next free one
        ((4, 5, 6), 1, 3, 7),
        ((), 16, 7, 18),  # beyond the last space
        ((18,), 16, 5, 17),  # 18 taken: the nearest free one before it
        ((18,), 17, 3, 17),  # not behind its start
        ((17, 18), 14, 3, 16),
        ((17,), 14, 3, 18),
        ((16, 17, 18), 15, 2, 15),
        ((17,), 18, 2, 18),
    ],
)
def test_where_a_turtle_ends(
    occupied_spaces: tuple[int, ...], start_space: int, step_count: int, end_space: int
) -> None:
    """One turtle on a space, always; nobody moves back."""
    assert target_space(frozenset((*occupied_spaces, start_space)), start_space, step_count) == end_space


def test_every_move_ends_on_a_free_space() -> None:
    """With three other turtles anywhere: the first free space from the aim on, else the last before it."""
    for other_spaces in combinations(range(LAST_SPACE + 1), 3):
        free_spaces = [space for space in range(LAST_SPACE + 1) if space not in other_spaces]
        for start in free_spaces:
            for step_count in range(1, 8):
                target = min(start + step_count, LAST_SPACE)
                beyond = [space for space in free_spaces if space >= target and space != start]
                before = [space for space in free_spaces if start <= space < target]
                expected = min(beyond) if beyond else max(before, default=start)
                assert target_space(frozenset((*other_spaces, start)), start, step_count) == expected


def test_an_occupied_space_is_skipped_by_a_card_too() -> None:
    """A turtle card with the next space taken goes on to the next free one."""
    board = make_board(turtle=2, cards="white-turtle")
    position = make_position(board, make_board(turtle=3), make_board(turtle=4), dice="white-1c2p red")
    position = act(position, "take white-1c2p")
    assert position.boards[0].turtle_space == 5
    assert events(position, TurtleMoved) == [TurtleMoved(Seat(0), 2, 5, EffectSource.KEPT_CARD)]
    assert position.boards[0].cube_count == 2, "5 brought the own cube"


def test_a_turtle_card_at_the_end_may_be_chosen_without_effect() -> None:
    """Nothing happens at the end of the track (AU17)."""
    position = make_position(
        make_board(turtle=18), make_board(), dice="white-1c2p red", display="white-turtle"
    )
    position = act(position, "take white-1c2p", "use white-turtle")
    assert events(position, TurtleMoved) == [TurtleMoved(Seat(0), 18, 18, EffectSource.USED_CARD)]
    assert position.boards[0].turtle_space == 18


def test_a_move_takes_every_own_cube_it_reaches_or_passes() -> None:
    """From 4 with 7 to 11: the cubes of 5 and 11, each once."""
    position = act(make_position(make_board(turtle=4), make_board(), dice="blue-7 red"), "take blue-7")
    assert events(position, CubeTaken) == [
        CubeTaken(Seat(0), is_grey=False, space=5, boxed=False),
        CubeTaken(Seat(0), is_grey=False, space=11, boxed=False),
    ]
    assert (position.boards[0].cube_count, position.boards[0].own_cube_spaces) == (3, (15,))


def test_cubes_are_taken_by_the_final_space() -> None:
    """Aiming at 4, moved on to 5 by another turtle: the cube of 5 comes too."""
    position = act(
        make_position(make_board(turtle=2), make_board(turtle=4), dice="blue-2 red"), "take blue-2"
    )
    assert position.boards[0].turtle_space == 5
    assert position.boards[0].cube_count == 2


def test_only_own_cubes_are_taken() -> None:
    """A turtle leaves the cubes of others where they are."""
    position = act(make_position(make_board(turtle=4), make_board(), dice="blue-7 red"), "take blue-7")
    assert position.boards[1].own_cube_spaces == (5, 11, 15)


@pytest.mark.parametrize(("start_space", "die", "end_space"), [(15, "blue-2", 17), (14, "blue-5", 18)])
def test_the_first_to_reach_or_pass_17_takes_a_grey_cube(start_space: int, die: str, end_space: int) -> None:
    """Passing counts like reaching (AU18)."""
    position = make_position(
        make_board(turtle=start_space), make_board(), dice=f"{die} red", turtle_track_grey_cube_count=1
    )
    position = act(position, f"take {die}")
    assert position.boards[0].turtle_space == end_space
    assert events(position, CubeTaken)[-1] == CubeTaken(Seat(0), is_grey=True, space=17, boxed=False)
    assert position.turtle_track_grey_cube_count == 0
    assert position.boards[0].took_grey_cube


def test_the_second_takes_none_with_three_players() -> None:
    """With three players there is one grey cube, so the second turtle takes none."""
    boards = (make_board(turtle=15), make_board(turtle=17), make_board())
    position = act(make_position(*boards, dice="blue-3 red"), "take blue-3")
    assert position.boards[0].turtle_space == 18
    assert not events(position, CubeTaken)


def test_with_four_players_the_second_takes_one_too() -> None:
    """With four players there are two grey cubes: the first two turtles take one each."""
    boards = (make_board(turtle=15), make_board(turtle=16), make_board(turtle=1), make_board())
    position = act(
        make_position(*boards, dice="blue-2 blue-7 red", turtle_track_grey_cube_count=2),
        "take blue-2",
        "take blue-7",
    )
    assert [board.took_grey_cube for board in position.boards] == [True, True, False, False]
    assert position.turtle_track_grey_cube_count == 0


def test_one_grey_cube_a_player() -> None:
    """Who has taken one and moves on from 17 to 18 takes no second one."""
    boards = (make_board(turtle=17), make_board(turtle=1), make_board(turtle=2), make_board())
    position = act(make_position(*boards, dice="blue-2 red", turtle_track_grey_cube_count=1), "take blue-2")
    assert position.boards[0].turtle_space == 18
    assert position.turtle_track_grey_cube_count == 1


def test_no_grey_cube_without_reaching_17() -> None:
    """16 is not enough, even if 17 and 18 are taken."""
    boards = (make_board(turtle=14), make_board(turtle=17), make_board(turtle=18), make_board())
    position = act(make_position(*boards, dice="blue-3 red", turtle_track_grey_cube_count=1), "take blue-3")
    assert position.boards[0].turtle_space == 16
    assert position.turtle_track_grey_cube_count == 1


def test_a_seventh_cube_goes_to_the_box() -> None:
    """Own and grey ones alike; the grey one is not left for the next player (AU18)."""
    position = make_position(
        make_board(turtle=14, cube_count=6), make_board(), dice="blue-3 red", turtle_track_grey_cube_count=1
    )
    position = act(position, "take blue-3")
    assert [(event.space, event.boxed) for event in events(position, CubeTaken)] == [(15, True), (17, True)]
    assert (
        position.boards[0].cube_count,
        position.boxed_cube_count,
        position.turtle_track_grey_cube_count,
    ) == (
        6,
        2,
        0,
    )
