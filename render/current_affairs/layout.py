"""Where everything lies on the charts of Current Affairs, in pixels of the finished picture."""

import math
from functools import lru_cache
from typing import Final, NamedTuple

from render.scene import Points, Text, Typeface
from render.theme import BOARD_TOP, INK, MARGIN, MIN_BOARD_HEIGHT, PANEL_HEIGHT, PICTURE_WIDTH
from render.typeset import fit_text
from rules.current_affairs.components import ONE_WAY_CURRENTS, REGIONS, Region

REGION_HEIGHT: Final = 86
ANIMAL_RADIUS: Final = 32
TOP_TOKEN_RADIUS: Final = 23
TOKEN_RADIUS: Final = 18
_TOKEN_PITCH: Final = 31
REGION_NAME_SIZE: Final = 26
_NAME_LEFT: Final = 77
_REGION_PADDING: Final = 15
_EDGE_MARGIN: Final = 22
"""The least distance of a region from the left and right edges of the picture."""
_SHIP_SHIFTS: Final = {Region.OKH: (22, -8), Region.CAL: (0, 8), Region.GAL: (0, 8)}
"""By how much ships are moved from their places, so that a current or trash stays in sight."""
_SHIP_MARGIN: Final = 54
"""The least distance from a ship's centre to the right edge and to the bottom of the chart."""
_CURRENT_GAP: Final = 5
"""Free water between a region and the current to it."""

_STEP_SHIFT: Final = 28
"""By how much a step against a current is drawn beside its line, to the right of the ship."""
_STEPS_AT_LEFT: Final = frozenset(
    {(Region.EMP, Region.OKH), (Region.KUR, Region.PHI), (Region.LIN, Region.CLI)}
)
"""To the right of these steps a ship, the name of a port or that of a region is in the way."""

_X_ORIGIN: Final = 22
_X_SCALE: Final = 1.131
"""x in the picture = origin + scale * x on the printed board."""

_REGION_SHIFTS: Final = {
    Region.EMP: -17,
    Region.GPP: 14,
    Region.MIC: 33,
    Region.CAL: 16,
    Region.CLI: 10,
    Region.GAL: 4,
    Region.CHA: 12,
    Region.TAS: 2,
    Region.KUR: 2,
    Region.LIN: 20,
}
"""By how much regions are moved to the right of their printed places, so that currents have room."""


PANEL_CONTRACTS_HEIGHT: Final = 94
"""By how much a seat's panel on the board is higher than its head, for two contracts."""
SEAT_PANEL_HEIGHT: Final = PANEL_HEIGHT + PANEL_CONTRACTS_HEIGHT
BOARD_HEIGHT: Final = MIN_BOARD_HEIGHT + PANEL_CONTRACTS_HEIGHT


class Chart(NamedTuple):
    """Where a chart lies in its picture, and how its regions are spread."""

    top: int
    bottom: int
    y_origin: float
    y_scale: float
    """y in the picture = origin + scale * y on the printed board."""


CONTRACTS_CHART: Final = Chart(BOARD_TOP - 4, 994, 177, 1.17)
BOARD_CHART: Final = Chart(
    CONTRACTS_CHART.top + PANEL_CONTRACTS_HEIGHT,
    CONTRACTS_CHART.bottom + PANEL_CONTRACTS_HEIGHT,
    CONTRACTS_CHART.y_origin + PANEL_CONTRACTS_HEIGHT,
    CONTRACTS_CHART.y_scale,
)
"""As in the picture of contracts, but below panels that show the contracts of all seats."""
DESTINATIONS_CHART: Final = Chart(BOARD_TOP - 4, 1124, 172, 1.388)

_OPEN_CONTRACTS_DISTANCE: Final = 13
"""From the chart to the open contracts below it."""
_OPEN_CONTRACTS_HEIGHT: Final = 98


class RegionBox(NamedTuple):
    """The box of a region, whose ends are round."""

    left: int
    top: int
    width: int

    @property
    def middle_y(self) -> int:
        """The y of its middle."""
        return self.top + REGION_HEIGHT // 2

    @property
    def right(self) -> int:
        """The x of its right end."""
        return self.left + self.width

    @property
    def text_left(self) -> int:
        """The x of the name and the tokens."""
        return self.left + _NAME_LEFT

    @property
    def animal_spot(self) -> tuple[int, int]:
        """The middle of the animal's disc."""
        return self.left + 41, self.middle_y

    @property
    def restored_sign_spot(self) -> tuple[int, int]:
        """The middle of the sign of a habitat that would be restored, below the animal."""
        return self.left + 18, self.middle_y + 27


@lru_cache(maxsize=64)
def region_box(chart: Chart, region: Region) -> RegionBox:
    """Return a region's box; its width follows from its name and initial stack, so it never changes."""
    facts = REGIONS[region]
    name_width = fit_text(Text(0, 0, facts.name, REGION_NAME_SIZE, INK, 400, Typeface.ITALIC)).width
    tokens_width = 2 * TOP_TOKEN_RADIUS + (facts.stack_size - 1) * _TOKEN_PITCH + 4
    width = math.ceil(_NAME_LEFT + max(name_width, tokens_width) + _REGION_PADDING)
    middle = _X_ORIGIN + _X_SCALE * facts.x + _REGION_SHIFTS.get(region, 0)
    left = min(max(middle - width / 2, _EDGE_MARGIN), PICTURE_WIDTH - _EDGE_MARGIN - width)
    top = chart.y_origin + chart.y_scale * facts.y - REGION_HEIGHT / 2
    return RegionBox(round(left), round(top), width)


def token_spot(box: RegionBox, index: int) -> tuple[int, int]:
    """Return the middle of a token of a stack, 0 for the top one; the tokens lie in one line."""
    x = box.text_left + TOP_TOKEN_RADIUS
    if index:
        x += round(TOP_TOKEN_RADIUS + TOKEN_RADIUS - 4) + (index - 1) * _TOKEN_PITCH
    return x, box.top + 58


def ship_spot(chart: Chart, region: Region, index: int) -> tuple[int, int]:
    """Return the middle of a ship's mark over its region's lower right end; more ships stand to the left."""
    box = region_box(chart, region)
    dx, dy = _SHIP_SHIFTS.get(region, (0, 0))
    x, y = min(box.right - 2 + dx, PICTURE_WIDTH - _SHIP_MARGIN), box.top + REGION_HEIGHT - 10 + dy
    return x - 58 * index, min(y, chart.bottom - _SHIP_MARGIN)


@lru_cache(maxsize=128)
def open_water_line(chart: Chart, start: Region, end: Region) -> Points:
    """Return the straight line through the open water between two regions, from edge to edge."""
    start_box, end_box = region_box(chart, start), region_box(chart, end)
    ax, ay = start_box.left + start_box.width / 2, float(start_box.middle_y)
    bx, by = end_box.left + end_box.width / 2, float(end_box.middle_y)
    # Neighbours whose boxes overlap from left to right are joined near where they face each other.
    left, right = max(start_box.left, end_box.left) + 50, min(start_box.right, end_box.right) - 50
    if abs(ay - by) > REGION_HEIGHT and left < right:
        facing_x = (left + right) / 2
        ax, bx = facing_x * 0.6 + 0.4 * ax, facing_x * 0.6 + 0.4 * bx
    steps = 200
    line = [(ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps) for i in range(steps + 1)]
    open_spots = [
        spot
        for spot in line
        if _distance(start_box, *spot) > _CURRENT_GAP and _distance(end_box, *spot) > _CURRENT_GAP
    ]
    if len(open_spots) < 2:
        open_spots = [line[0], line[-1]]
    return (*open_spots[0], *open_spots[-1])


def step_line(chart: Chart, start: Region, end: Region) -> Points:
    """Return the line of a ship's step: over the current that it follows, beside one that it goes against."""
    ax, ay, bx, by = open_water_line(chart, start, end)
    if (end, start) not in ONE_WAY_CURRENTS:
        return ax, ay, bx, by
    shift = -_STEP_SHIFT if (start, end) in _STEPS_AT_LEFT else _STEP_SHIFT
    length = math.hypot(bx - ax, by - ay)
    is_steep = abs(region_box(chart, start).top - region_box(chart, end).top) > REGION_HEIGHT
    if is_steep:  # along the edges of the regions, of which one lies above the other
        dx, dy = shift * length / (ay - by), 0.0
    else:
        dx, dy = 0.0, shift * length / (bx - ax)
    return ax + dx, ay + dy, bx + dx, by + dy


def _distance(box: RegionBox, x: float, y: float) -> float:
    """Return how far a point lies outside a region's box; negative if inside."""
    radius = REGION_HEIGHT / 2
    core_x = min(max(x, box.left + radius), box.right - radius)
    return math.hypot(x - core_x, y - box.middle_y) - radius


def contract_box(chart: Chart, index: int, count: int) -> tuple[int, int, int, int]:
    """Return left, top, width and height of one of ``count`` open contracts below a chart."""
    cards_per_row = max(4, count)
    width = (PICTURE_WIDTH - 2 * MARGIN - 14 * (cards_per_row - 1)) // cards_per_row
    top = chart.bottom + _OPEN_CONTRACTS_DISTANCE
    return MARGIN + index * (width + 14), top, width, _OPEN_CONTRACTS_HEIGHT


def legend_row_middles(chart: Chart) -> tuple[int, int]:
    """Return the middle of each row of the legend, below the open contracts."""
    return chart.bottom + 141, chart.bottom + 177
