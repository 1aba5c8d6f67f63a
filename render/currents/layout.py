"""Where everything lies in the pictures of Currents: one layout for the square, one for the triangle."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from render.parts import CARD_HEIGHT, CARD_WIDTH
from render.scene import Points
from rules.currents.board import GEOMETRIES, SQUARE_SIZE, TRIANGLE_SIZE, Geometry
from rules.currents.components import Point
from rules.currents.drift import exit_edge
from rules.currents.model import BoardShape, Position

Spot = tuple[float, float]
"""A place in the picture, in pixels; a ``Point`` is a place on the board."""

CELL_SIZE: Final = 76
SQUARE_LEFT: Final = 171
SQUARE_TOP: Final = 366
"""With ``SQUARE_LEFT``: the north-west intersection of the square board."""

GOAL_BAND_WIDTH: Final = 20
_MARK_CLEARANCE: Final = 60
"""Distance that an owner's mark keeps from the pawn."""
_GOAL_BAND_OFFSET: Final = 17
"""From the border line to the middle of its goal band."""
EXIT_OFFSET: Final = 17
"""From the border line to where a pawn that has left is drawn: on its goal band, clear of cards."""


class SlotBox(msgspec.Struct, frozen=True, gc=False):
    """A current slot: its box; relative to it the card's corner, the middles of name, arrow and swap sign."""

    x: int
    y: int
    width: int
    height: int
    card_offset: tuple[int, int]
    name_offset: Spot
    arrow_offset: Spot
    arrow_length: float
    swap_sign_offset: tuple[int, int]


class GoalBand(msgspec.Struct, frozen=True, gc=False):
    """The band of a goal edge: its middle line, the spot of its owner's mark, and the direction outwards."""

    middle_line: Points
    mark_middle: Spot
    outwards: tuple[float, float]


class CompassPlace(msgspec.Struct, frozen=True, gc=False):
    """A compass place: the card's corner and the middle of the name."""

    card_corner: tuple[int, int]
    name_middle: Spot


class Layout(msgspec.Struct, frozen=True):
    """All places and sizes of a board's picture, in pixels of the finished picture."""

    geometry: Geometry
    spots: Mapping[Point, Spot]
    slots: tuple[SlotBox, ...]
    goal_bands: Mapping[str, GoalBand]
    places: tuple[CompassPlace, ...]
    angles: Mapping[str, float]
    """Direction -> degrees clockwise from east."""
    compass_title_middle: Spot
    rose_middle: tuple[int, int]
    pile_corners: tuple[tuple[int, int], tuple[int, int]]
    """Corners of draw pile and discard pile."""
    push_box_corner: tuple[int, int]
    """Corner of the box of pushes."""
    defence_box_corner: tuple[int, int]
    """Corner of the box with what a defender needs."""
    aces_middle: tuple[int, int]
    """Middle of the box of aces during set-up."""
    pawn_radius: int

    def find_spot(self, point: Point, crossed_edge: str | None = None) -> Spot:
        """Return where a point lies in the picture; a point beyond an edge lies on that edge's goal band.

        ``crossed_edge``: the edge that was crossed; a point beyond two edges lies on the band of this one.
        """
        spot = self.spots.get(point)
        if spot is not None:
            return spot
        edges_beyond = [edge for edge, _ in self.geometry.crossed_edges(point)]
        for edge in edges_beyond:
            point = self.geometry.clamp_to_edge(point, edge)
        x, y = self.spots[point]
        for edge in [crossed_edge] if crossed_edge in edges_beyond else edges_beyond:
            x += self.goal_bands[edge].outwards[0] * EXIT_OFFSET
            y += self.goal_bands[edge].outwards[1] * EXIT_OFFSET
        return x, y

    def find_pawn(self, position: Position) -> Spot:
        """Return where the pawn lies; one that has left the board lies beyond the edge where it left."""
        return self.find_spot(position.pawn, exit_edge(position))

    def find_owner_mark(self, edge: str, position: Position) -> Spot:
        """Return the spot of an edge's owner mark: its middle, or beside it if the pawn is or goes there."""
        band = self.goal_bands[edge]
        pawn_spots = [self.find_pawn(position)]
        if position.target is not None:
            pawn_spots.append(self.find_spot(position.target))
        if all(math.dist(band.mark_middle, spot) > _MARK_CLEARANCE for spot in pawn_spots):
            return band.mark_middle
        x0, y0, x1, y1 = band.middle_line
        share = 1.3 * CELL_SIZE / math.dist((x0, y0), (x1, y1))
        return band.mark_middle[0] + (x1 - x0) * share, band.mark_middle[1] + (y1 - y0) * share


def _wide_slot(x: int, y: int, *, below_board: bool) -> SlotBox:
    """Return a slot above or below the board; the sign of a swap lies at the outer side."""
    return SlotBox(x, y, 138, 110, (56, 6), (29, 34), (29, 76), 36, (132, 106 if below_board else 4))


def _tall_slot(x: int, y: int, *, left_of_board: bool) -> SlotBox:
    """Return a slot beside the board; its name and the sign of a swap lie at the outer side."""
    name_x, arrow_x, sign_x = (29, 74, 15) if left_of_board else (78, 33, 93)
    return SlotBox(x, y, 107, 140, (17, 38), (name_x, 17), (arrow_x, 17), 24, (sign_x, 136))


def _square_layout() -> Layout:
    size = SQUARE_SIZE * CELL_SIZE
    right, bottom = SQUARE_LEFT + size, SQUARE_TOP + size
    slots: list[SlotBox] = []
    for side in "NESW":
        for k in range(4):
            along = k * 2 * CELL_SIZE + 7 if side in "NS" else k * 2 * CELL_SIZE + 6
            match side:
                case "N":
                    slots.append(_wide_slot(SQUARE_LEFT + along, SQUARE_TOP - 35 - 110, below_board=False))
                case "S":
                    slots.append(_wide_slot(SQUARE_LEFT + along, bottom + 35, below_board=True))
                case "E":
                    slots.append(_tall_slot(right + 34, SQUARE_TOP + along, left_of_board=False))
                case _:
                    left = SQUARE_LEFT - 34 - 107
                    slots.append(_tall_slot(left, SQUARE_TOP + along, left_of_board=True))
    middle_x, middle_y = SQUARE_LEFT + size / 2, SQUARE_TOP + size / 2
    north, south, west, east = (
        SQUARE_TOP - _GOAL_BAND_OFFSET,
        bottom + _GOAL_BAND_OFFSET,
        SQUARE_LEFT - _GOAL_BAND_OFFSET,
        right + _GOAL_BAND_OFFSET,
    )
    start_x, end_x, start_y, end_y = SQUARE_LEFT + 8, right - 8, SQUARE_TOP + 8, bottom - 8
    goal_bands = {
        "N": GoalBand((start_x, north, end_x, north), (middle_x, north), (0, -1)),
        "S": GoalBand((start_x, south, end_x, south), (middle_x, south), (0, 1)),
        "W": GoalBand((west, start_y, west, end_y), (west, middle_y), (-1, 0)),
        "E": GoalBand((east, start_y, east, end_y), (east, middle_y), (1, 0)),
    }
    rose_x, rose_y = 1057, 470
    width, height = CARD_WIDTH, CARD_HEIGHT
    places = (
        CompassPlace((rose_x - width // 2, rose_y - 63 - height), (rose_x, rose_y - 63 - height - 25)),
        CompassPlace(
            (rose_x + 41, rose_y - height // 2), (rose_x + 41 + width // 2, rose_y - height // 2 - 25)
        ),
        CompassPlace((rose_x - width // 2, rose_y + 63), (rose_x, rose_y + 63 + height + 26)),
        CompassPlace(
            (rose_x - 41 - width, rose_y - height // 2), (rose_x - 41 - width // 2, rose_y - height // 2 - 25)
        ),
    )
    return Layout(
        geometry=GEOMETRIES[BoardShape.SQUARE],
        spots=MappingProxyType(
            {
                (px, py): (SQUARE_LEFT + CELL_SIZE * px, SQUARE_TOP + CELL_SIZE * py)
                for px, py in GEOMETRIES[BoardShape.SQUARE].points
            }
        ),
        slots=tuple(slots),
        goal_bands=MappingProxyType(goal_bands),
        places=places,
        angles=MappingProxyType({"N": -90, "E": 0, "S": 90, "W": 180}),
        compass_title_middle=(rose_x, 242),
        rose_middle=(rose_x, rose_y),
        pile_corners=((956, 738), (1080, 738)),
        push_box_corner=(942, 910),
        defence_box_corner=(942, 1012),
        aces_middle=(SQUARE_LEFT + 4 * CELL_SIZE, SQUARE_TOP + round(6.2 * CELL_SIZE)),
        pawn_radius=30,
    )


_TRIANGLE_SIDE: Final = 860
"""Length of the triangle's sides."""
_TRIANGLE_MIDDLE: Final = 600
_TRIANGLE_BOTTOM: Final = 982


def _triangle_layout() -> Layout:
    geometry = GEOMETRIES[BoardShape.TRIANGLE]
    height = _TRIANGLE_SIDE * math.sqrt(3) / 2
    corners = {
        "XY": (_TRIANGLE_MIDDLE - _TRIANGLE_SIDE / 2, _TRIANGLE_BOTTOM),
        "YZ": (_TRIANGLE_MIDDLE, _TRIANGLE_BOTTOM - height),
        "ZX": (_TRIANGLE_MIDDLE + _TRIANGLE_SIDE / 2, _TRIANGLE_BOTTOM),
    }
    centre = (_TRIANGLE_MIDDLE, _TRIANGLE_BOTTOM - height / 3)

    def interpolate(start: Spot, end: Spot, share: float) -> Spot:
        return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share

    ends = {
        "X": (corners["XY"], corners["ZX"]),
        "Y": (corners["YZ"], corners["XY"]),
        "Z": (corners["ZX"], corners["YZ"]),
    }
    middles = {side: interpolate(*pair, 0.5) for side, pair in ends.items()}

    def spot_of(point: Point) -> Spot:
        sides = [(side, value / TRIANGLE_SIZE) for side, value in zip("XYZ", point, strict=True) if value]
        if not sides:
            return centre
        first_side, u = sides[0]
        if len(sides) == 1:
            return interpolate(centre, middles[first_side], u)
        second_side, v = sides[1]
        corner = corners.get(first_side + second_side) or corners[second_side + first_side]
        inner = interpolate(centre, middles[first_side], u)
        outer = interpolate(middles[second_side], corner, u)
        return interpolate(inner, outer, v)

    outwards: dict[str, tuple[float, float]] = {"X": (0.0, 1.0)}
    for side, angle in (("Y", 210.0), ("Z", -30.0)):
        outwards[side] = (math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    slots: list[SlotBox] = []
    goal_bands: dict[str, GoalBand] = {}
    for side, (start, end) in ends.items():
        dx, dy = outwards[side]
        for k in range(4):
            x, y = interpolate(start, end, (k + 0.5) / 4)
            distance_out = 35 + abs(dx) * 69 + abs(dy) * 55
            left, top = round(x + dx * distance_out - 69), round(y + dy * distance_out - 55)
            slots.append(_wide_slot(left, top, below_board=dy > 0))
        off_x, off_y = dx * _GOAL_BAND_OFFSET, dy * _GOAL_BAND_OFFSET
        band_start, band_end = interpolate(start, end, 0.012), interpolate(start, end, 0.988)
        middle_line = (band_start[0] + off_x, band_start[1] + off_y, band_end[0] + off_x, band_end[1] + off_y)
        mark_middle = (middles[side][0] + off_x, middles[side][1] + off_y)
        goal_bands[side] = GoalBand(middle_line, mark_middle, outwards[side])
    width, height = CARD_WIDTH, CARD_HEIGHT
    rose_x, rose_y = 152, 424
    places = (
        CompassPlace(
            (rose_x - width // 2, rose_y + 46), (rose_x + width // 2 + 26, rose_y + 46 + height // 2)
        ),
        CompassPlace(
            (rose_x - 30 - width, rose_y - 22 - height), (rose_x - 30 - width // 2, rose_y - 22 - height - 25)
        ),
        CompassPlace(
            (rose_x + 30, rose_y - 22 - height), (rose_x + 30 + width // 2, rose_y - 22 - height - 25)
        ),
    )
    return Layout(
        geometry=geometry,
        spots=MappingProxyType({point: spot_of(point) for point in geometry.points}),
        slots=tuple(slots),
        goal_bands=MappingProxyType(goal_bands),
        places=places,
        angles=MappingProxyType({"X": 90, "Y": 210, "Z": -30}),
        compass_title_middle=(rose_x, 226),
        rose_middle=(rose_x, rose_y),
        pile_corners=((956, 246), (1080, 246)),
        push_box_corner=(942, 392),
        defence_box_corner=(942, 486),
        aces_middle=(_TRIANGLE_MIDDLE, 876),
        pawn_radius=28,
    )


LAYOUTS: Final[Mapping[BoardShape, Layout]] = MappingProxyType(
    {BoardShape.SQUARE: _square_layout(), BoardShape.TRIANGLE: _triangle_layout()}
)
