"""Where everything lies on the maps of Arctic CleanUp, in pixels of the finished picture."""

import math
from functools import lru_cache
from typing import Final, NamedTuple

from render.geometry import regular_polygon
from render.scene import Points
from render.theme import MARGIN, PICTURE_WIDTH
from rules.arctic_cleanup.components import AXIAL_COORDINATES, STEPS, Hex


class SeaMap(NamedTuple):
    """Where a map lies, and how large it is."""

    x: int
    y: int
    """The middle of the map."""
    side: int
    """Length of a hex's sides."""

    def spot(self, place: Hex) -> tuple[int, int]:
        """Return the middle of a hex."""
        q, r = AXIAL_COORDINATES[place]
        return (
            round(self.x + 1.5 * self.side * q),
            round(self.y + math.sqrt(3) * self.side * (r + q / 2)),
        )


BOARD_MAP: Final = SeaMap(600, 604, 106)
PLAN_MAP: Final = SeaMap(600, 664, 100)
TURN_MAP: Final = SeaMap(600, 1142, 100)
"""The map below a player's own board, where they choose what to do in their turn."""

CORNER_PANEL_WIDTH: Final = 288
CORNER_PANEL_HEIGHT: Final = 216
CORNER_PANEL_TOP: Final = 104
_LOWER_PANEL_TOP: Final = 1104 - CORNER_PANEL_HEIGHT
_RIGHT_PANEL_LEFT: Final = PICTURE_WIDTH - MARGIN - CORNER_PANEL_WIDTH
CORNERS: Final = (
    (MARGIN, CORNER_PANEL_TOP),
    (_RIGHT_PANEL_LEFT, CORNER_PANEL_TOP),
    (_RIGHT_PANEL_LEFT, _LOWER_PANEL_TOP),
    (MARGIN, _LOWER_PANEL_TOP),
)
"""The corners for panels, clockwise from the top left."""
CORNER_INDEX_BY_SITE: Final = {
    Hex.A1: 0,
    Hex.A2: 0,
    Hex.C1: 0,
    Hex.E1: 1,
    Hex.E2: 1,
    Hex.E3: 2,
    Hex.A3: 3,
}
"""Factory site -> index in ``CORNERS`` of the corner beside it."""


@lru_cache(maxsize=128)
def hex_outline(sea_map: SeaMap, place: Hex, inset: float = 0) -> Points:
    """Return the outline of a hex, moved inwards by ``inset``."""
    x, y = sea_map.spot(place)
    return regular_polygon(x, y, sea_map.side - inset * 2 / math.sqrt(3), 6, 0)


def step_angle(face: int) -> float:
    """Return the direction of a step that a die's face allows; degrees clockwise from east."""
    dq, dr = STEPS[face]
    return math.degrees(math.atan2(math.sqrt(3) * (dr + dq / 2), 1.5 * dq))


def hex_edge(sea_map: SeaMap, place: Hex, face: int) -> Points:
    """Return both ends of the hex edge that a step with this face of a die crosses."""
    x, y = sea_map.spot(place)
    middle_angle = step_angle(face)
    end_angles = (math.radians(middle_angle - 30), math.radians(middle_angle + 30))
    return tuple(
        value
        for angle in end_angles
        for value in (x + sea_map.side * math.cos(angle), y + sea_map.side * math.sin(angle))
    )


def border_spots(sea_map: SeaMap, start: Hex, end: Hex, count: int) -> tuple[tuple[int, int], ...]:
    """Return ``count`` spots side by side on the border between two neighbours, from left to right.

    On a horizontal border several spots are further right, clear of the tile's name below its left end.
    """
    (ax, ay), (bx, by) = sea_map.spot(start), sea_map.spot(end)
    distance = math.hypot(bx - ax, by - ay)
    dx, dy = (by - ay) / distance, (ax - bx) / distance
    if dx < 0:
        dx, dy = -dx, -dy
    aside = min(36 * (count - 1) / 2 - 6, 30) if ax == bx and count > 1 else 0
    return tuple(
        (round((ax + bx) / 2 + dx * shift), round((ay + by) / 2 + dy * shift))
        for shift in (36 * (index - (count - 1) / 2) + aside for index in range(count))
    )


_TOKEN_ROWS: Final = {
    1: ((45, 41, 37, 1),),
    2: ((45, 41, 37, 2),),
    3: ((45, 41, 37, 3),),
    4: ((41, 33, 30, 4),),
    5: ((22, 38, 35, 3), (58, 38, 35, 2)),
    6: ((22, 38, 35, 3), (58, 38, 35, 3)),
    7: ((22, 36, 33, 4), (58, 36, 33, 3)),
    8: ((16, 33, 30, 5), (52, 33, 30, 3)),
}
"""Number of tokens -> their rows: y, pitch, size and tokens.  All lie inside the tile, clear of docks."""


def token_spots(count: int) -> tuple[tuple[int, int, int], ...]:
    """Return x, y and size of tokens on a tile, relative to its middle: one row up to four, two beyond."""
    return tuple(
        (round((column - (length - 1) / 2) * pitch), y, size)
        for y, pitch, size, length in _TOKEN_ROWS[count]
        for column in range(length)
    )


def ship_spots(count: int, *, small: bool = False) -> tuple[tuple[int, int], ...]:
    """Return where ships stand on a tile, relative to its middle; ``small``: as hulls without a sail."""
    if not small:
        return ((0, -19),) if count == 1 else ((-44, -18), (44, -18))
    ships_per_row = 3 if count <= 3 else 4
    top = -36 if count > ships_per_row else -32
    return tuple(
        (
            round((index % ships_per_row - (min(ships_per_row, count) - 1) / 2) * 46),
            top + 31 * (index // ships_per_row),
        )
        for index in range(count)
    )
