"""The line through the neighbours, and the heads on it that tell which way is right.

A row is seen from its owner, who faces the water: above the water, right is where a reader has left.
"""

import math
from functools import lru_cache, partial
from itertools import groupby
from typing import Final

from render import parts
from render.geometry import transform
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH, Seating, Sheet
from render.scene import Fill, Group, Item, Line, Polygon, group
from render.theme import CARD, SECONDARY_INK

_LINE: Final = 7
_HEAD: Final = (9.0, 0.0, -9.0, -13.0, -9.0, 13.0)
"""It points to the right.  As long as fits between a cell's longest name and the next cell's signs."""
_LARGER: Final = 1.3
"""Where there is room."""
_RIM: Final = 3
"""Width of the pale line that keeps it off the frames of cells."""
_TURNS: Final = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}
"""One column or row on, in degrees clockwise."""


@lru_cache(maxsize=16)
def line(sheet: Sheet) -> tuple[Fill, ...]:
    """The line itself, through the middles of all places."""
    left, bottom = sheet.spot(0)[0] + CELL_WIDTH // 2, sheet.bottom - CELL_HEIGHT // 2
    right, top = sheet.spot(4)[0] + CELL_WIDTH // 2, sheet.top + CELL_HEIGHT // 2
    half = _LINE // 2
    return (
        Fill(left - half, top - half, right - left + _LINE, _LINE, SECONDARY_INK),
        Fill(left - half, bottom - half, right - left + _LINE, _LINE, SECONDARY_INK),
        Fill(left - half, top - half, _LINE, bottom - top + _LINE, SECONDARY_INK),
        Fill(right - half, top - half, _LINE, bottom - top + _LINE, SECONDARY_INK),
    )


@lru_cache(maxsize=64)
def heads(seats: Seating) -> tuple[Group, ...]:
    """One between each two cells, in the middle of the longest straight piece that is seen."""
    sheet = seats.sheet
    rows = (place for row in seats.rows for place in row)
    taken = sorted((*rows, *(place for place in seats.vacant if place is not None)))
    found: list[Group] = []
    for place, after in zip(taken, (*taken[1:], taken[0] + sheet.places), strict=True):
        long, x, y, turn = _longest(sheet, place, after)
        scale = _LARGER if long > CELL_HEIGHT / 4 else 1.0
        found.append(group(math.floor(x), math.floor(y), _head(turn, scale)))
    return tuple(found)


def _longest(sheet: Sheet, place: int, after: int) -> tuple[float, float, float, int]:
    """Length, middle and turn of the longest straight piece that is seen on the way from cell to cell."""
    found: list[tuple[float, float, float, int]] = []
    for turn, group_of in groupby(range(place, after), partial(_turn, sheet)):
        steps = tuple(group_of)
        (ax, ay), (bx, by) = _middle(sheet, steps[0]), _middle(sheet, steps[-1] + 1)
        way, hidden = abs(bx - ax) + abs(by - ay), CELL_HEIGHT / 2 if turn % 180 else CELL_WIDTH / 2
        begin = hidden if steps[0] == place else 0.0
        end = way - hidden if steps[-1] + 1 == after else way
        share = (begin + end) / 2 / way
        found.append((end - begin, ax + (bx - ax) * share, ay + (by - ay) * share, turn))
    return max(found)


def _middle(sheet: Sheet, place: int) -> tuple[float, float]:
    """Where the line's own middle runs."""
    x, y = sheet.spot(place)
    return x + CELL_WIDTH // 2 + 0.5, y + CELL_HEIGHT // 2 + 0.5


def _turn(sheet: Sheet, place: int) -> int:
    """Which way the ring goes from this place."""
    (column, row), (other, below) = sheet.grid(place % sheet.places), sheet.grid((place + 1) % sheet.places)
    return _TURNS[other - column, below - row]


@lru_cache(maxsize=8)
def _head(turn: int, scale: float) -> tuple[Item, ...]:
    shape = transform(_HEAD, 0.5, 0.5, scale, turn)
    return Polygon(shape, SECONDARY_INK, CARD, _RIM), Polygon(shape, SECONDARY_INK)


SIGN: Final = parts.LegendEntry(
    (Line((-20, 0, 4, 0), SECONDARY_INK, _LINE), Polygon(transform(_HEAD, 9, 0, _LARGER), SECONDARY_INK)),
    44,
    "to the right",
)
"""For the legend."""
