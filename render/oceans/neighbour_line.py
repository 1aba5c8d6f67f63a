"""The line through neighbouring species, and the arrow heads on it that show which way is right.

A row is seen from its owner, who faces the water: for a row above the water, right is the picture's left.
"""

import math
from functools import lru_cache, partial
from itertools import groupby
from typing import Final

from render.geometry import transform
from render.legend import LegendEntry
from render.oceans.layout import CELL_HEIGHT, BoardLayout, RowArrangement
from render.scene import Group, Item, Line, Polygon, Rectangle, make_group
from render.theme import CARD, SECONDARY_INK

_LINE_WIDTH: Final = 7
_HEAD_SHAPE: Final = (9.0, 0.0, -9.0, -13.0, -9.0, 13.0)
"""It points to the right, and just fits between a cell's longest name and the next cell's signs."""
_LARGE_SCALE: Final = 1.3
"""Scale of an arrow head where there is room."""
_LARGE_HEAD_ROOM: Final = CELL_HEIGHT / 4
"""The length of a segment of the line from which on it has room."""
_RIM_WIDTH: Final = 3
"""Width of the pale rim that separates an arrow head from the frames of cells."""
_ANGLES: Final = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}
"""Step in columns and rows -> degrees clockwise."""


@lru_cache(maxsize=16)
def draw_line(layout: BoardLayout) -> tuple[Rectangle, ...]:
    """Draw the line through the middles of all cells."""
    left, bottom = layout.line_spot(0)
    right, _ = layout.line_spot(layout.column_count - 1)
    _, top = layout.line_spot(layout.cell_count // 2)
    half = _LINE_WIDTH // 2
    return (
        Rectangle(left - half, top - half, right - left + _LINE_WIDTH, _LINE_WIDTH, SECONDARY_INK),
        Rectangle(left - half, bottom - half, right - left + _LINE_WIDTH, _LINE_WIDTH, SECONDARY_INK),
        Rectangle(left - half, top - half, _LINE_WIDTH, bottom - top + _LINE_WIDTH, SECONDARY_INK),
        Rectangle(right - half, top - half, _LINE_WIDTH, bottom - top + _LINE_WIDTH, SECONDARY_INK),
    )


@lru_cache(maxsize=64)
def draw_arrow_heads(arrangement: RowArrangement) -> tuple[Group, ...]:
    """Draw an arrow head from each cell in use to the next, on the longest visible straight segment."""
    layout = arrangement.layout
    cells = (cell for run in (*arrangement.rows, *arrangement.gap_cells) for cell in run)
    ring_cells = sorted((*cells, *(cell for cell in arrangement.vacant_cells if cell is not None)))
    heads: list[Group] = []
    for cell, next_cell in zip(ring_cells, (*ring_cells[1:], ring_cells[0] + layout.cell_count), strict=True):
        length, x, y, angle = _longest_segment(layout, cell, next_cell)
        scale = _LARGE_SCALE if length > _LARGE_HEAD_ROOM else 1.0
        heads.append(make_group(math.floor(x), math.floor(y), _arrow_head(angle, scale)))
    return tuple(heads)


def _longest_segment(layout: BoardLayout, cell: int, next_cell: int) -> tuple[float, float, float, int]:
    """Return length, middle and angle of the longest visible straight segment from cell to cell."""
    segments: list[tuple[float, float, float, int]] = []
    for angle, cells_one_way in groupby(range(cell, next_cell), partial(_angle_after, layout)):
        run = tuple(cells_one_way)
        (ax, ay), (bx, by) = _line_middle(layout, run[0]), _line_middle(layout, run[-1] + 1)
        distance = abs(bx - ax) + abs(by - ay)
        begin = _hidden_length(layout, cell, angle) if run[0] == cell else 0.0
        is_last = run[-1] + 1 == next_cell
        end = distance - (_hidden_length(layout, next_cell, (angle + 180) % 360) if is_last else 0.0)
        share = (begin + end) / 2 / distance
        segments.append((end - begin, ax + (bx - ax) * share, ay + (by - ay) * share, angle))
    return max(segments)


def _line_middle(layout: BoardLayout, cell: int) -> tuple[float, float]:
    """Return the point of a cell through which the middle of the line passes."""
    x, y = layout.line_spot(cell)
    return x + 0.5, y + 0.5


def _hidden_length(layout: BoardLayout, cell: int, angle: int) -> float:
    """Return the length of the line below a cell, from the spot where it passes through to an edge."""
    if angle % 180:
        return layout.cell_height / 2
    (left, _), (x, _) = layout.cell_corner(cell), _line_middle(layout, cell)
    return x - left if angle else left + layout.cell_width - x


def _angle_after(layout: BoardLayout, cell: int) -> int:
    """Return the angle at which the ring goes on after a cell."""
    (column, row), (next_column, next_row) = (
        layout.grid_place(cell % layout.cell_count),
        layout.grid_place((cell + 1) % layout.cell_count),
    )
    return _ANGLES[next_column - column, next_row - row]


@lru_cache(maxsize=8)
def _arrow_head(angle: int, scale: float) -> tuple[Item, ...]:
    shape = transform(_HEAD_SHAPE, 0.5, 0.5, scale, angle)
    return Polygon(shape, SECONDARY_INK, CARD, _RIM_WIDTH), Polygon(shape, SECONDARY_INK)


LEGEND_ENTRY: Final = LegendEntry(
    (
        Line((-20, 0, 4, 0), SECONDARY_INK, _LINE_WIDTH),
        Polygon(transform(_HEAD_SHAPE, 9, 0, _LARGE_SCALE), SECONDARY_INK),
    ),
    44,
    "right",
)
"""The line's entry in the legend."""
