"""What dice and cards bring: points, fish, moves of the turtle with its food cubes, corals."""

from rules.australis.components import CUBE_SLOT_COUNT, GREY_SPACE, LOWEST_REEF
from rules.australis.events import (
    CoralMoved,
    CoralPlaced,
    CubeTaken,
    EffectSource,
    FishCaught,
    PointsGained,
    TurtleMoved,
)
from rules.australis.model import Phase
from rules.australis.movement import occupied_spaces, own_cube_spaces_reached, reaches_grey_cube, target_space
from rules.australis.mutable_position import MutablePosition
from rules.australis.scoring import REEF_INDEX
from rules.model import Seat


def gain_points(position: MutablePosition, seat: Seat, points: int, source: EffectSource) -> None:
    """Add the points of a die's circles or of a card to a seat's tally."""
    if not points:
        return
    tally_part = "circles" if source is EffectSource.DIE else "cards"
    position.add_points(seat, **{tally_part: points})
    position.trail.append(PointsGained(seat, points, source))


def catch_fish(position: MutablePosition, seat: Seat, count: int, source: EffectSource) -> None:
    """Add fish to a seat's board; there are always enough."""
    position.change_board(seat, fish=position.boards[seat].fish + count)
    position.trail.append(FishCaught(seat, count, source))


def move_turtle(position: MutablePosition, seat: Seat, step_count: int, source: EffectSource) -> None:
    """Move a seat's turtle; it takes the cubes that it reaches or passes."""
    board = position.boards[seat]
    start = board.turtle_space
    assert start is not None, "the turtle of a seat that has left"
    end = target_space(occupied_spaces(position.boards), start, step_count)
    position.trail.append(TurtleMoved(seat, start, end, source))
    if end == start:
        return
    reached_spaces = own_cube_spaces_reached(board, end)
    own_cube_spaces = tuple(space for space in board.own_cube_spaces if space not in reached_spaces)
    position.change_board(seat, turtle_space=end, own_cube_spaces=own_cube_spaces)
    for space in reached_spaces:
        take_cube(position, seat, is_grey=False, from_space=space)
    if reaches_grey_cube(board, end, position.turtle_track_grey_cube_count):
        position.turtle_track_grey_cube_count -= 1
        position.change_board(seat, took_grey_cube=True)
        take_cube(position, seat, is_grey=True, from_space=GREY_SPACE)


def take_cube(position: MutablePosition, seat: Seat, *, is_grey: bool, from_space: int | None) -> None:
    """Add a food cube to a seat's food track; if its slots are full, it goes to the box.

    ``from_space``: where on the turtles' track it lay; None: a silver tile brings it.
    """
    cube_count = position.boards[seat].cube_count
    boxed = cube_count == CUBE_SLOT_COUNT
    if boxed:
        position.boxed_cube_count += 1
    else:
        position.change_board(seat, cube_count=cube_count + 1)
    position.trail.append(CubeTaken(seat, is_grey, from_space, boxed))


def place_coral_or_ask(
    position: MutablePosition, seat: Seat, highest_allowed_reef: int, source: EffectSource
) -> bool:
    """Place a coral at once if the supply has one and only one reef is allowed; else ask.

    Return whether the seat is asked.
    """
    if highest_allowed_reef == LOWEST_REEF and position.boards[seat].coral_supply:
        place_coral(position, seat, LOWEST_REEF, source)
        return False
    position.coral_source = source
    position.phase = Phase.CORAL
    return True


def place_coral(position: MutablePosition, seat: Seat, reef: int, source: EffectSource) -> None:
    """Move a coral from a seat's supply to a reef."""
    board = position.boards[seat]
    coral_counts = list(board.coral_counts)
    coral_counts[REEF_INDEX[reef]] += 1
    position.change_board(seat, coral_supply=board.coral_supply - 1, coral_counts=tuple(coral_counts))
    position.trail.append(CoralPlaced(seat, reef, source))


def move_coral(position: MutablePosition, seat: Seat, start: int, end: int, source: EffectSource) -> None:
    """Move a coral from one reef to another."""
    coral_counts = list(position.boards[seat].coral_counts)
    coral_counts[REEF_INDEX[start]] -= 1
    coral_counts[REEF_INDEX[end]] += 1
    position.change_board(seat, coral_counts=tuple(coral_counts))
    position.trail.append(CoralMoved(seat, start, end, source))
