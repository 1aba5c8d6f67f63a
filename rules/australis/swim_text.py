"""What swims of a turtle bring, in sentences of previews: its space, food cubes, ties at reefs."""

from msgspec.structs import replace

from rules.australis.components import CUBE_SLOT_COUNT, LAST_SPACE
from rules.australis.forecast import Forecast, replace_board
from rules.australis.model import Position
from rules.australis.movement import occupied_spaces, target_space
from rules.australis.phrases import cubes_text, occupied_text
from rules.australis.scoring import reef_points, turtle_space_or_minus_one
from rules.model import Seat


def turtle_can_swim(position: Position, seat: Seat) -> bool:
    """Whether a free space is left ahead of a seat's turtle."""
    start = turtle_space_or_minus_one(position.boards[seat])
    return target_space(occupied_spaces(position.boards), start, 1) != start


def swim_line(subject: str, start: int, end: int, step_count: int) -> str:
    """Return where a turtle swims, or that it stays."""
    if start == end:
        return f"{subject} stays on space {start}: no free space is left ahead."
    return f"{subject} {swim_text(start, end, step_count)}."


def swim_text(start: int, end: int, step_count: int) -> str:
    """Return a swim with the reason why it does not end ``step_count`` spaces ahead."""
    target = min(start + step_count, LAST_SPACE)
    reason = ", the last free space" if end < target else ""
    if end > target:
        reason = f" ({occupied_text(range(target, end))})"
    return f"swims from {start} to {end}{reason}"


def swim_result_lines(position: Position, seat: Seat, forecast: Forecast) -> list[str]:
    """Return what the swims of a choice bring; empty for a turtle that stays."""
    board, end = position.boards[seat], forecast.turtle_space
    start = turtle_space_or_minus_one(board)
    if end == start:
        return []
    lines = []
    if forecast.cube_count:
        cubes, total = cubes_text(forecast.cube_count), board.cube_count + forecast.cube_count
        lines.append(f"Your turtle takes {cubes}: you will have {total} of {CUBE_SLOT_COUNT}.")
    if forecast.boxed_cube_count:
        full = "full then" if forecast.cube_count else "full"
        lines.append(
            f"Your food track is {full}: {cubes_text(forecast.boxed_cube_count)} would go to the box."
        )
    lines.append(f"Your turtle would score {end} instead of {start}.")
    boards_then = replace_board(position.boards, seat, replace(board, turtle_space=end))
    points_now, points_then = reef_points(position.boards, seat), reef_points(boards_then, seat)
    if points_then != points_now:
        lines.append(f"You win more ties: your reefs would score {points_then} instead of {points_now}.")
    return lines
