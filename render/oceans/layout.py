"""Where everything of Oceans lies on the sheet: a ring of cells round the water, the table seen from above.

Going rightwards along a row means going anticlockwise round the sheet: seat A's row lies below the water,
its right-hand neighbour's at the right.
"""

from functools import lru_cache
from typing import Final

import msgspec

from render.parts import panel_boxes
from render.scene import Points
from render.theme import PICTURE_WIDTH

Spot = tuple[int, int]

CELL_WIDTH: Final = 219
CELL_HEIGHT: Final = 178
PITCH_X: Final = CELL_WIDTH + 11
PITCH_Y: Final = CELL_HEIGHT + 11
_LEFT: Final = 30
_COLUMNS: Final = 5
_ROWS: Final = 5
"""At least: 16 places."""
_BELOW_PANELS: Final = 12
_BELOW_RING: Final = 58
"""Room for the legend."""
CORRIDOR: Final = 35
"""Between ring and water, for routes."""
_TRACK: Final = 23
"""From the ring's inner edge to the middle of a route."""
_ROUND: Final = 12
"""Radius of a route's corners."""


class Sheet(msgspec.Struct, frozen=True):
    """The frame of it all, which changes only when the ring has to grow."""

    rows: int
    top: int
    """Of the ring."""
    height: int
    """Of the picture."""
    reef: bool
    """The Reef Variant: no Gene Pool lies in the water."""

    @property
    def places(self) -> int:
        """How many cells the ring has."""
        return 2 * self.rows + 2 * _COLUMNS - 4

    @property
    def bottom(self) -> int:
        """Of the ring."""
        return self.top + (self.rows - 1) * PITCH_Y + CELL_HEIGHT

    @property
    def legend(self) -> int:
        """The legend's middle line."""
        return self.height - 30

    @property
    def inner(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the room inside the ring."""
        left, top = _LEFT + CELL_WIDTH, self.top + CELL_HEIGHT
        return left, top, _LEFT + (_COLUMNS - 1) * PITCH_X, self.top + (self.rows - 1) * PITCH_Y

    @property
    def water(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the water."""
        left, top, right, bottom = self.inner
        return (
            left + CORRIDOR,
            top + CORRIDOR,
            right - left - 2 * CORRIDOR,
            bottom - top - 2 * CORRIDOR,
        )

    def grid(self, place: int) -> tuple[int, int]:
        """Column and row of a place; place 0 is the left-most one below the water."""
        last, side = _COLUMNS - 1, self.rows - 2
        if place <= last:
            return place, self.rows - 1
        if place <= last + side:
            return last, self.rows - 1 - (place - last)
        if place <= 2 * last + side + 1:
            return last - (place - last - side - 1), 0
        return 0, place - 2 * last - side - 1

    def spot(self, place: int) -> Spot:
        """The corner of a cell."""
        column, row = self.grid(place % self.places)
        return _LEFT + column * PITCH_X, self.top + row * PITCH_Y


class Seating(msgspec.Struct, frozen=True):
    """Which place of the ring is whose."""

    sheet: Sheet
    rows: tuple[tuple[int, ...], ...]
    """By seat: the places of its species, left to right."""
    vacant: tuple[int | None, ...]
    """By seat: the place that stands for a row without species."""


@lru_cache(maxsize=64)
def seating(lengths: tuple[int, ...], *, reef: bool = False) -> Seating:
    """Lay each seat's row as near to the middle of its side as the others allow."""
    seats = len(lengths)
    sheet = sheet_for(seats, sum(max(1, length) for length in lengths), reef=reef)
    order = [0, *range(seats - 1, 0, -1)]
    runs = [max(1, lengths[seat]) for seat in order]
    starts = _starts(runs, sheet.places)
    rows: list[tuple[int, ...]] = [()] * seats
    vacant: list[int | None] = [None] * seats
    for seat, start in zip(order, starts, strict=True):
        if lengths[seat]:
            rows[seat] = tuple((start + i) % sheet.places for i in range(lengths[seat]))
        else:
            vacant[seat] = start % sheet.places
    return Seating(sheet, tuple(rows), tuple(vacant))


@lru_cache(maxsize=64)
def sheet_for(seats: int, species: int, *, reef: bool = False) -> Sheet:
    """The smallest sheet that has room for so many cells; 1200 pixels high if that will do."""
    rows = max(_ROWS, -(-(species - 2 * _COLUMNS + 4) // 2))
    _, y, _, height = panel_boxes(seats)[-1]
    top = y + height + _BELOW_PANELS
    bottom = top + (rows - 1) * PITCH_Y + CELL_HEIGHT
    return Sheet(rows, top, max(PICTURE_WIDTH, bottom + _BELOW_RING), reef)


def _starts(runs: list[int], places: int) -> list[int]:
    """Where each run begins: least squares from the middle of its side, without overlaps.

    Without the lengths of the runs before it, a run's place must not fall below that of the run before
    (isotonic regression), and all of them must lie within the places left over, because the ring closes.
    """
    before = [sum(runs[:k]) for k in range(len(runs))]
    free = places - sum(runs)
    wished = [
        (_COLUMNS - 1) / 2 + k * places / len(runs) - (run - 1) / 2 - before[k] for k, run in enumerate(runs)
    ]
    rising: list[tuple[float, int]] = []
    for wish in wished:
        level, count = wish, 1
        while rising and rising[-1][0] > level:
            other, more = rising.pop()
            level, count = (level * count + other * more) / (count + more), count + more
        rising.append((level, count))
    levels = [round(level - 0.01) for level, count in rising for _ in range(count)]

    def held(low: int) -> list[int]:
        return [min(max(level, low), low + free) for level in levels]

    best = min(
        (held(low) for low in range(-places, places)),
        key=lambda found: sum((a - b) ** 2 for a, b in zip(found, wished, strict=True)),
    )
    return [level + gone for level, gone in zip(best, before, strict=True)]


# Routes -----------------------------------------------------------------------------------------------


def port(sheet: Sheet, place: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a route leaves a cell, and where it then meets the corridor's middle."""
    column, row = sheet.grid(place)
    x, y = sheet.spot(place)
    left, top, right, bottom = sheet.inner
    across, down = x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2
    west, east = column == 0, column == _COLUMNS - 1
    north, south = row == 0, row == sheet.rows - 1
    edge_x = left + 1 if west else right - 1 if east else across
    edge_y = top + 1 if north else bottom - 1 if south else down
    track_x = left + _TRACK if west else right - _TRACK if east else across
    track_y = top + _TRACK if north else bottom - _TRACK if south else down
    if (north or south) and (west or east):
        inset = -8 if west else 8
        edge_x, edge_y = edge_x + inset, edge_y + (-8 if north else 8)
    return (edge_x, edge_y), (track_x, track_y)


def way(
    sheet: Sheet, start: tuple[float, float] | int, end: int, begin: tuple[float, float] | None = None
) -> Points:
    """The short way round to a cell: from a cell, or from a point of the corridor, after ``begin``."""
    left, top, right, bottom = sheet.inner
    box = left + _TRACK, top + _TRACK, right - _TRACK, bottom - _TRACK
    tip, entry = port(sheet, end)
    if isinstance(start, int):
        first, out = port(sheet, start)
        lead = [first]
    else:
        out = start
        lead = [] if begin is None else [begin]
    points = [*lead, *_along(box, out, entry), tip]
    return _rounded(points)


def _along(
    box: tuple[float, float, float, float], start: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float]]:
    """From point to point of a rectangle's outline, by way of its corners."""
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    wide, high = right - left, bottom - top
    total = 2 * (wide + high)

    def at(x: float, y: float) -> float:
        if y == top:
            return x - left
        if x == right:
            return wide + y - top
        if y == bottom:
            return wide + high + right - x
        return 2 * wide + high + bottom - y

    begin, finish = at(*start), at(*end)
    stops = [0.0, wide, wide + high, 2 * wide + high]
    forward = (finish - begin) % total
    if forward <= total / 2:
        gone = [((stop - begin) % total, corner) for stop, corner in zip(stops, corners, strict=True)]
        reach = forward
    else:
        gone = [((begin - stop) % total, corner) for stop, corner in zip(stops, corners, strict=True)]
        reach = total - forward
    between = [corner for distance, corner in sorted(gone) if 0 < distance < reach]
    return [start, *between, end]


def _rounded(points: list[tuple[float, float]]) -> Points:
    """Cut the corners of a line."""
    flat: list[float] = [*points[0]]
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        near_x, near_y = _towards(here, before)
        far_x, far_y = _towards(here, after)
        for step in range(5):
            t = step / 4
            flat += (
                (1 - t) ** 2 * near_x + 2 * t * (1 - t) * here[0] + t * t * far_x,
                (1 - t) ** 2 * near_y + 2 * t * (1 - t) * here[1] + t * t * far_y,
            )
    flat += points[-1]
    return tuple(flat)


def _towards(here: tuple[float, float], there: tuple[float, float]) -> tuple[float, float]:
    dx, dy = there[0] - here[0], there[1] - here[1]
    reach = min(_ROUND, (abs(dx) + abs(dy)) / 2) / max(abs(dx) + abs(dy), 1)
    return here[0] + dx * reach, here[1] + dy * reach
