"""Where everything of Currents lies on the sheet: one layout for the square, one for the triangle."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from render.scene import Points
from rules.currents.board import GEOMETRY, SQUARE_SIZE, TRIANGLE_SIZE, Geometry
from rules.currents.cards import Point
from rules.currents.model import Board, Position

Spot = tuple[float, float]

CELL: Final = 76
LEFT: Final = 171
TOP: Final = 366
"""The north-west intersection of the square board."""

BAND_WIDTH: Final = 20
_CLEAR: Final = 60
"""A mark keeps this far from the pawn."""
BAND_OFF: Final = 17
"""From the border line to the middle of its goal strip."""
OUT: Final = 27
"""From the border line to where a pawn that has left is drawn."""
_CARD: Final = (74, 98)


class SlotBox(msgspec.Struct, frozen=True, gc=False):
    """A current slot: its box, and relative to it card, name and arrow (their middles; the card's corner)."""

    x: int
    y: int
    width: int
    height: int
    card: tuple[int, int]
    name: Spot
    arrow: Spot
    long: float
    """The arrow's length."""


class Band(msgspec.Struct, frozen=True, gc=False):
    """A goal edge: the middle line of its strip, where its owner's mark lies, and which way is out."""

    line: Points
    mark: Spot
    out: Spot


class Place(msgspec.Struct, frozen=True, gc=False):
    """A compass place: the card's corner and the middle of the name."""

    card: tuple[int, int]
    name: Spot


class Layout(msgspec.Struct, frozen=True):
    """Everything in pixels of the finished picture."""

    geometry: Geometry
    spots: Mapping[Point, Spot]
    slots: tuple[SlotBox, ...]
    bands: Mapping[str, Band]
    places: tuple[Place, ...]
    angles: Mapping[str, float]
    """Direction -> degrees clockwise from east."""
    heading: Spot
    rose: tuple[int, int]
    piles: tuple[tuple[int, int], tuple[int, int]]
    """Corners of draw pile and discard pile."""
    pull: tuple[int, int]
    """Corner of the box of figures."""
    defence: tuple[int, int]
    """Corner of the box that says what a defender needs."""
    aces: tuple[int, int]
    """Middle of the box of aces during set-up."""
    pawn: int
    """The pawn's radius."""

    def spot(self, point: Point) -> Spot:
        """Where a point lies; a point beyond an edge lies on that edge's goal band."""
        found = self.spots.get(point)
        if found is not None:
            return found
        crossed = self.geometry.crossed(point)
        for edge, _ in crossed:
            point = self.geometry.held(point, edge)
        x, y = self.spots[point]
        for edge, _ in crossed:
            x += self.bands[edge].out[0] * OUT
            y += self.bands[edge].out[1] * OUT
        return x, y

    def mark(self, edge: str, position: Position) -> Spot:
        """Where the mark of an edge's owner lies: the middle, or aside of the pawn if that stands there."""
        band = self.bands[edge]
        near = [self.spot(position.pawn)]
        if position.target is not None:
            near.append(self.spot(position.target))
        if all(math.dist(band.mark, spot) > _CLEAR for spot in near):
            return band.mark
        x0, y0, x1, y1 = band.line
        part = 1.3 * CELL / math.dist((x0, y0), (x1, y1))
        return band.mark[0] + (x1 - x0) * part, band.mark[1] + (y1 - y0) * part


def _beside(x: int, y: int) -> SlotBox:
    return SlotBox(x, y, 138, 110, (56, 6), (29, 34), (29, 76), 36)


def _above(x: int, y: int) -> SlotBox:
    return SlotBox(x, y, 107, 140, (17, 36), (29, 17), (77, 16), 27)


def _square() -> Layout:
    size = SQUARE_SIZE * CELL
    right, bottom = LEFT + size, TOP + size
    slots: list[SlotBox] = []
    for side in "NESW":
        for k in range(4):
            along = k * 2 * CELL + 7 if side in "NS" else k * 2 * CELL + 6
            match side:
                case "N":
                    slots.append(_beside(LEFT + along, TOP - 35 - 110))
                case "S":
                    slots.append(_beside(LEFT + along, bottom + 35))
                case "E":
                    slots.append(_above(right + 34, TOP + along))
                case _:
                    slots.append(_above(LEFT - 34 - 107, TOP + along))
    middle_x, middle_y = LEFT + size / 2, TOP + size / 2
    north, south, west, east = TOP - BAND_OFF, bottom + BAND_OFF, LEFT - BAND_OFF, right + BAND_OFF
    start_x, end_x, start_y, end_y = LEFT + 8, right - 8, TOP + 8, bottom - 8
    bands = {
        "N": Band((start_x, north, end_x, north), (middle_x, north), (0, -1)),
        "S": Band((start_x, south, end_x, south), (middle_x, south), (0, 1)),
        "W": Band((west, start_y, west, end_y), (west, middle_y), (-1, 0)),
        "E": Band((east, start_y, east, end_y), (east, middle_y), (1, 0)),
    }
    x, y = 1057, 470
    width, height = _CARD
    places = (
        Place((x - width // 2, y - 63 - height), (x, y - 63 - height - 25)),
        Place((x + 41, y - height // 2), (x + 41 + width // 2, y - height // 2 - 25)),
        Place((x - width // 2, y + 63), (x, y + 63 + height + 26)),
        Place((x - 41 - width, y - height // 2), (x - 41 - width // 2, y - height // 2 - 25)),
    )
    return Layout(
        geometry=GEOMETRY[Board.SQUARE],
        spots=MappingProxyType(
            {(px, py): (LEFT + CELL * px, TOP + CELL * py) for px, py in GEOMETRY[Board.SQUARE].points}
        ),
        slots=tuple(slots),
        bands=MappingProxyType(bands),
        places=places,
        angles=MappingProxyType({"N": -90, "E": 0, "S": 90, "W": 180}),
        heading=(x, 242),
        rose=(x, y),
        piles=((956, 738), (1080, 738)),
        pull=(942, 910),
        defence=(942, 1012),
        aces=(LEFT + 4 * CELL, TOP + round(6.2 * CELL)),
        pawn=30,
    )


_SIDE: Final = 860
"""Length of the triangle's sides."""
_MIDDLE: Final = 600
_BASE: Final = 982


def _triangle() -> Layout:
    geometry = GEOMETRY[Board.TRIANGLE]
    high = _SIDE * math.sqrt(3) / 2
    corners = {
        "AB": (_MIDDLE - _SIDE / 2, _BASE),
        "BC": (_MIDDLE, _BASE - high),
        "CA": (_MIDDLE + _SIDE / 2, _BASE),
    }
    centre = (_MIDDLE, _BASE - high / 3)

    def between(one: Spot, other: Spot, part: float) -> Spot:
        return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part

    ends = {
        "A": (corners["AB"], corners["CA"]),
        "B": (corners["BC"], corners["AB"]),
        "C": (corners["CA"], corners["BC"]),
    }
    middles = {side: between(*pair, 0.5) for side, pair in ends.items()}

    def spot(point: Point) -> Spot:
        sides = [(side, value / TRIANGLE_SIZE) for side, value in zip("ABC", point, strict=True) if value]
        if not sides:
            return centre
        first, u = sides[0]
        if len(sides) == 1:
            return between(centre, middles[first], u)
        second, v = sides[1]
        corner = corners.get(first + second) or corners[second + first]
        near = between(centre, middles[first], u)
        far = between(middles[second], corner, u)
        return between(near, far, v)

    out: dict[str, Spot] = {"A": (0.0, 1.0)}
    for side, angle in (("B", 210.0), ("C", -30.0)):
        out[side] = (math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    slots: list[SlotBox] = []
    bands: dict[str, Band] = {}
    for side, (start, end) in ends.items():
        dx, dy = out[side]
        for k in range(4):
            x, y = between(start, end, (k + 0.5) / 4)
            away = 35 + abs(dx) * 69 + abs(dy) * 55
            slots.append(_beside(round(x + dx * away - 69), round(y + dy * away - 55)))
        off_x, off_y = dx * BAND_OFF, dy * BAND_OFF
        a, b = between(start, end, 0.012), between(start, end, 0.988)
        line = (a[0] + off_x, a[1] + off_y, b[0] + off_x, b[1] + off_y)
        bands[side] = Band(line, (middles[side][0] + off_x, middles[side][1] + off_y), out[side])
    width, height = _CARD
    x, y = 152, 424
    places = (
        Place((x - width // 2, y + 46), (x + width // 2 + 26, y + 46 + height // 2)),
        Place((x - 30 - width, y - 22 - height), (x - 30 - width // 2, y - 22 - height - 25)),
        Place((x + 30, y - 22 - height), (x + 30 + width // 2, y - 22 - height - 25)),
    )
    return Layout(
        geometry=geometry,
        spots=MappingProxyType({point: spot(point) for point in geometry.points}),
        slots=tuple(slots),
        bands=MappingProxyType(bands),
        places=places,
        angles=MappingProxyType({"A": 90, "B": 210, "C": -30}),
        heading=(x, 226),
        rose=(x, y),
        piles=((956, 246), (1080, 246)),
        pull=(942, 398),
        defence=(942, 494),
        aces=(_MIDDLE, 876),
        pawn=28,
    )


LAYOUTS: Final[Mapping[Board, Layout]] = MappingProxyType(
    {Board.SQUARE: _square(), Board.TRIANGLE: _triangle()}
)
