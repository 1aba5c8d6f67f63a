"""Where everything lies on a board of Oceans: a ring of cells round the water, seen from above.

Going right along a row means going anticlockwise round the picture: seat A's row lies below the water, the
row of its right-hand neighbour at the right.
"""

from functools import lru_cache
from typing import Final

import msgspec

from render.parts import panel_boxes
from render.scene import Points
from render.theme import PICTURE_WIDTH
from rules.oceans.model import Position

Spot = tuple[int, int]

CELL_WIDTH: Final = 219
CELL_HEIGHT: Final = 178
"""The measures of a cell at a scale of 1."""
_GAP: Final = 11
"""Distance between neighbouring cells."""
_PITCH_Y: Final = CELL_HEIGHT + _GAP
"""Distance from the upper edge of a cell to that of the one below it, where cells stand beside the water."""
_ROW_WIDTH: Final = 1139
"""The width of a full row of cells above or below the water."""
_COLUMN_COUNT: Final = 5
_MIN_ROW_COUNT: Final = 5
"""The ring then has 16 cells."""
_MIN_COLUMN_COUNT_WITH_LARGE_CELLS: Final = 3
_MAX_COLUMN_COUNT_WITH_LARGE_CELLS: Final = 4
"""How many columns the ring has where the cells of two players are larger."""
_MAX_CELL_SCALE: Final = 1.5
_INNER_LEFT: Final = 249
_INNER_RIGHT: Final = 950
"""Left and right of the area inside the ring, which holds the water."""
_MIN_INNER_HEIGHT: Final = (_MIN_ROW_COUNT - 1) * _PITCH_Y - CELL_HEIGHT
_NEIGHBOUR_LINE_XS: Final = (139, 1059)
"""The x of the line through the cells at the left and at the right of the water."""
_PANELS_GAP: Final = 12
_LEGEND_HEIGHT: Final = 96
"""Room below the ring for the legend."""
_CORRIDOR_WIDTH: Final = 35
"""Width of the space between ring and water, where routes lie."""
TRACK_OFFSET: Final = 23
"""From the ring's inner edge to the track: the line in the corridor along which routes lie."""
_CORNER_RADIUS: Final = 12
"""Radius of a route's corners."""


class BoardLayout(msgspec.Struct, frozen=True):
    """The measures of the board; they change only if the number of species asks for it."""

    column_count: int
    row_count: int
    """Rows of the grid whose outermost cells are the ring: not the rows of seats.

    With two, no cells stand beside the water.
    """
    cell_scale: float
    """How much larger cells are than ``CELL_WIDTH`` and ``CELL_HEIGHT``."""
    ring_top: int
    """The y of the ring's upper edge."""
    picture_height: int
    is_reef_variant: bool
    """Whether it is for the Reef Variant, in which no Gene Pool lies in the water."""

    @property
    def cell_count(self) -> int:
        """Return how many cells the ring has."""
        return 2 * self.row_count + 2 * self.column_count - 4

    @property
    def cell_width(self) -> int:
        """Return the width of a cell."""
        return round(CELL_WIDTH * self.cell_scale)

    @property
    def cell_height(self) -> int:
        """Return the height of a cell."""
        return round(CELL_HEIGHT * self.cell_scale)

    @property
    def ring_bottom(self) -> int:
        """Return the bottom of the ring."""
        return self._lowest_row_top + self.cell_height

    @property
    def _lowest_row_top(self) -> int:
        if self.row_count == 2:
            return self.ring_top + self.cell_height + _MIN_INNER_HEIGHT
        return self.ring_top + (self.row_count - 1) * _PITCH_Y

    @property
    def legend_row_middles(self) -> tuple[int, int]:
        """Return the y of the middle of each row of the legend."""
        return self.picture_height - 70, self.picture_height - 32

    @property
    def inner_bounds(self) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of the area inside the ring."""
        return _INNER_LEFT, self.ring_top + self.cell_height, _INNER_RIGHT, self._lowest_row_top

    @property
    def water_box(self) -> tuple[int, int, int, int]:
        """Return left, top, width and height of the water."""
        left, top, right, bottom = self.inner_bounds
        return (
            left + _CORRIDOR_WIDTH,
            top + _CORRIDOR_WIDTH,
            right - left - 2 * _CORRIDOR_WIDTH,
            bottom - top - 2 * _CORRIDOR_WIDTH,
        )

    def grid_place(self, cell: int) -> tuple[int, int]:
        """Return column and row of a cell; cell 0 is the left-most one below the water."""
        last, side = self.column_count - 1, self.row_count - 2
        if cell <= last:
            return cell, self.row_count - 1
        if cell <= last + side:
            return last, self.row_count - 1 - (cell - last)
        if cell <= 2 * last + side + 1:
            return last - (cell - last - side - 1), 0
        return 0, cell - 2 * last - side - 1

    def cell_corner(self, cell: int) -> Spot:
        """Return the top left corner of a cell."""
        column, row = self.grid_place(cell % self.cell_count)
        pitch = self.cell_width + _GAP
        left = (PICTURE_WIDTH - self.column_count * pitch + _GAP) // 2
        if row == self.row_count - 1:
            return left + column * pitch, self._lowest_row_top
        return left + column * pitch, self.ring_top + row * _PITCH_Y

    def line_spot(self, cell: int) -> Spot:
        """Return the point of a cell through which the line to its neighbours passes."""
        column, _ = self.grid_place(cell % self.cell_count)
        x, y = self.cell_corner(cell)
        line_x = {0: _NEIGHBOUR_LINE_XS[0], self.column_count - 1: _NEIGHBOUR_LINE_XS[1]}.get(
            column, x + self.cell_width // 2
        )
        return line_x, y + self.cell_height // 2


class RowArrangement(msgspec.Struct, frozen=True):
    """The layout of a board, and which cells of its ring belong to which seat."""

    layout: BoardLayout
    rows: tuple[tuple[int, ...], ...]
    """By seat: the cells of its species, left to right."""
    vacant_cells: tuple[int | None, ...]
    """By seat: the cell that stands for its row if it has no species, else None."""
    gap_cells: tuple[tuple[int, ...], ...]
    """By seat: the cells of the gaps in its row, left to right."""


@lru_cache(maxsize=64)
def arrange_rows(
    lengths: tuple[int, ...], gaps: tuple[tuple[int, ...], ...] = (), *, is_reef_variant: bool = False
) -> RowArrangement:
    """Place each seat's row as near to the middle of its side as the other rows allow.

    ``gaps``: by seat, how many species stand to the left of each gap in its row; each takes a cell.
    """
    seat_count = len(lengths)
    gaps = gaps or ((),) * seat_count
    order = [0, *range(seat_count - 1, 0, -1)]
    run_lengths = [max(1, lengths[seat]) + len(gaps[seat]) for seat in order]
    layout = _make_layout(tuple(run_lengths), is_reef_variant=is_reef_variant)
    starts = _row_starts(run_lengths, layout)
    rows: list[tuple[int, ...]] = [()] * seat_count
    vacant_cells: list[int | None] = [None] * seat_count
    gap_cells: list[tuple[int, ...]] = [()] * seat_count
    for seat, start, run_length in zip(order, starts, run_lengths, strict=True):
        cells = [(start + i) % layout.cell_count for i in range(run_length)]
        gap_cells[seat] = tuple(cells[place + index] for index, place in enumerate(gaps[seat]))
        other_cells = tuple(cell for cell in cells if cell not in gap_cells[seat])
        if lengths[seat]:
            rows[seat] = other_cells
        else:
            (vacant_cells[seat],) = other_cells
    return RowArrangement(layout, tuple(rows), tuple(vacant_cells), tuple(gap_cells))


def species_cells(position: Position, arrangement: RowArrangement) -> dict[str, int]:
    """Return the cell of each species: key -> cell."""
    return {
        species.key: cell
        for row, cells in zip(position.rows, arrangement.rows, strict=True)
        for species, cell in zip(row, cells, strict=True)
    }


def _make_layout(run_lengths: tuple[int, ...], *, is_reef_variant: bool) -> BoardLayout:
    """Return the layout for runs of so many cells: the smallest ring with room for all of them.

    Of two players, short rows have larger cells, above and below the water alone.
    """
    column_count, scale = _COLUMN_COUNT, 1.0
    row_count = max(_MIN_ROW_COUNT, -(-(sum(run_lengths) - 2 * _COLUMN_COUNT + 4) // 2))
    if len(run_lengths) == 2 and max(run_lengths) <= _MAX_COLUMN_COUNT_WITH_LARGE_CELLS:
        column_count, row_count = max(_MIN_COLUMN_COUNT_WITH_LARGE_CELLS, *run_lengths), 2
        max_width = (_ROW_WIDTH + _GAP) / column_count - _GAP
        scale = min(_MAX_CELL_SCALE, max_width / CELL_WIDTH)
    _, y, _, height = panel_boxes(len(run_lengths))[-1]
    layout = BoardLayout(column_count, row_count, scale, y + height + _PANELS_GAP, 0, is_reef_variant)
    return msgspec.structs.replace(layout, picture_height=layout.ring_bottom + _LEGEND_HEIGHT)


def _row_starts(run_lengths: list[int], layout: BoardLayout) -> list[int]:
    """Return where each run of cells begins: least squares from the middle of its side, without overlaps.

    Subtract from each start the lengths of the runs before it.  Then no start may be lower than the previous
    one (isotonic regression), and no two may differ by more than the free cells, because the ring closes.
    """
    lengths_before = [sum(run_lengths[:index]) for index in range(len(run_lengths))]
    cell_count = layout.cell_count
    free_cells = cell_count - sum(run_lengths)
    targets = [
        (layout.column_count - 1) / 2
        + index * cell_count / len(run_lengths)
        - (length - 1) / 2
        - lengths_before[index]
        for index, length in enumerate(run_lengths)
    ]
    blocks: list[tuple[float, int]] = []
    for target in targets:
        level, count = target, 1
        while blocks and blocks[-1][0] > level:
            previous_level, previous_count = blocks.pop()
            level, count = (
                (level * count + previous_level * previous_count) / (count + previous_count),
                count + previous_count,
            )
        blocks.append((level, count))
    levels = [round(level - 0.01) for level, count in blocks for _ in range(count)]

    def starts_from(low: int) -> list[int]:
        return [min(max(level, low), low + free_cells) for level in levels]

    best_starts = min(
        (starts_from(low) for low in range(-cell_count, cell_count)),
        key=lambda starts: sum((start - target) ** 2 for start, target in zip(starts, targets, strict=True)),
    )
    return [level + offset for level, offset in zip(best_starts, lengths_before, strict=True)]


# Routes -----------------------------------------------------------------------------------------------


def exit_points(layout: BoardLayout, cell: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where a route leaves or reaches a cell, and the point of the track beside it."""
    column, row = layout.grid_place(cell)
    x, y = layout.cell_corner(cell)
    left, top, right, bottom = layout.inner_bounds
    middle_x, middle_y = x + layout.cell_width / 2, y + layout.cell_height / 2
    north, south = row == 0, row == layout.row_count - 1
    if layout.row_count == 2:  # the outer cells reach beyond the track
        middle_x = min(max(middle_x, left + TRACK_OFFSET), right - TRACK_OFFSET)
        west = east = False
    else:
        west, east = column == 0, column == layout.column_count - 1
    edge_x = left + 1 if west else right - 1 if east else middle_x
    edge_y = top + 1 if north else bottom - 1 if south else middle_y
    track_x = left + TRACK_OFFSET if west else right - TRACK_OFFSET if east else middle_x
    track_y = top + TRACK_OFFSET if north else bottom - TRACK_OFFSET if south else middle_y
    if (north or south) and (west or east):
        inset = -8 if west else 8
        edge_x, edge_y = edge_x + inset, edge_y + (-8 if north else 8)
    return (edge_x, edge_y), (track_x, track_y)


def trace_route(
    layout: BoardLayout,
    start: tuple[float, float] | int,
    end: int,
    lead_in: tuple[float, float] | None = None,
) -> Points:
    """Return the shorter route to a cell, from another cell or from a point of the track.

    ``lead_in``: where the route begins, before the point of the track.
    """
    left, top, right, bottom = layout.inner_bounds
    track_bounds = left + TRACK_OFFSET, top + TRACK_OFFSET, right - TRACK_OFFSET, bottom - TRACK_OFFSET
    tip, track_end = exit_points(layout, end)
    if isinstance(start, int):
        exit_point, track_start = exit_points(layout, start)
        lead_points = [exit_point]
    else:
        track_start = start
        lead_points = [] if lead_in is None else [lead_in]
    points = [*lead_points, *_trace_track(track_bounds, track_start, track_end), tip]
    return _round_corners(points)


def _trace_track(
    bounds: tuple[float, float, float, float], start: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float]]:
    """Return the shorter way between two points of a rectangle's outline, with the corners between them."""
    left, top, right, bottom = bounds
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    width, height = right - left, bottom - top
    total = 2 * (width + height)

    def distance_along(x: float, y: float) -> float:
        if y == top:
            return x - left
        if x == right:
            return width + y - top
        if y == bottom:
            return width + height + right - x
        return 2 * width + height + bottom - y

    start_distance, end_distance = distance_along(*start), distance_along(*end)
    corner_distances = [0.0, width, width + height, 2 * width + height]
    clockwise_length = (end_distance - start_distance) % total
    if clockwise_length <= total / 2:
        corners_between = [
            ((corner_distance - start_distance) % total, corner)
            for corner_distance, corner in zip(corner_distances, corners, strict=True)
        ]
        shorter_length = clockwise_length
    else:
        corners_between = [
            ((start_distance - corner_distance) % total, corner)
            for corner_distance, corner in zip(corner_distances, corners, strict=True)
        ]
        shorter_length = total - clockwise_length
    between = [corner for distance, corner in sorted(corners_between) if 0 < distance < shorter_length]
    return [start, *between, end]


def _round_corners(points: list[tuple[float, float]]) -> Points:
    """Round the corners of a line."""
    coordinates: list[float] = [*points[0]]
    for previous, corner, following in zip(points, points[1:], points[2:], strict=False):
        near_x, near_y = _corner_start(corner, previous)
        far_x, far_y = _corner_start(corner, following)
        for step in range(5):
            t = step / 4
            coordinates += (
                (1 - t) ** 2 * near_x + 2 * t * (1 - t) * corner[0] + t * t * far_x,
                (1 - t) ** 2 * near_y + 2 * t * (1 - t) * corner[1] + t * t * far_y,
            )
    coordinates += points[-1]
    return tuple(coordinates)


def _corner_start(corner: tuple[float, float], neighbour: tuple[float, float]) -> tuple[float, float]:
    """Return where the rounding of a corner begins, on the line to a neighbouring point."""
    dx, dy = neighbour[0] - corner[0], neighbour[1] - corner[1]
    share = min(_CORNER_RADIUS, (abs(dx) + abs(dy)) / 2) / max(abs(dx) + abs(dy), 1)
    return corner[0] + dx * share, corner[1] + dy * share
