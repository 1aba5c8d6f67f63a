"""How a turtle moves along the track, and the food cubes that it reaches."""

from collections.abc import Sequence
from itertools import chain

from rules.australis.components import GREY_SPACE, LAST_SPACE
from rules.australis.model import Position, SeaBoard
from rules.model import Seat


def occupied_spaces(boards: Sequence[SeaBoard]) -> frozenset[int]:
    """Return the spaces on which turtles are."""
    return frozenset(board.turtle_space for board in boards if board.turtle_space is not None)


def target_space(occupied: frozenset[int], start: int, step_count: int) -> int:
    """Return where a turtle that moves ``step_count`` spaces from ``start`` ends.

    Every space counts.  From an occupied space the turtle goes on to the next free one; if there is none up
    to the end of the track, it goes to the last free space ahead of its start, or stays.
    """
    target = min(start + step_count, LAST_SPACE)
    for space in chain(range(target, LAST_SPACE + 1), range(target, start, -1)):
        if space not in occupied:
            return space
    return start


def own_cube_spaces_reached(board: SeaBoard, space: int) -> tuple[int, ...]:
    """Return the spaces of the seat's own cubes that its turtle takes by ending on ``space``."""
    return tuple(cube_space for cube_space in board.own_cube_spaces if cube_space <= space)


def reaches_grey_cube(board: SeaBoard, space: int, cube_count: int) -> bool:
    """Whether a turtle that ends on ``space`` takes one of the ``cube_count`` grey ones of the track."""
    return cube_count > 0 and space >= GREY_SPACE and not board.took_grey_cube


def cube_spaces_reached(position: Position, seat: Seat, space: int) -> tuple[int, ...]:
    """Return the spaces of all cubes that a seat takes if its turtle ends on ``space``; 17: a grey cube."""
    board = position.boards[seat]
    own_cube_spaces = own_cube_spaces_reached(board, space)
    return (
        (*own_cube_spaces, GREY_SPACE)
        if reaches_grey_cube(board, space, position.turtle_track_grey_cube_count)
        else own_cube_spaces
    )
