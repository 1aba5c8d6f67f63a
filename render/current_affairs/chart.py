"""The chart of Current Affairs: coasts, currents and ports; regions with animals, trash and ships."""

from functools import lru_cache
from itertools import pairwise
from typing import Final

from render.current_affairs.changes import Changes
from render.current_affairs.layout import (
    ANIMAL_RADIUS,
    REGION_HEIGHT,
    REGION_NAME_SIZE,
    TOKEN_RADIUS,
    TOP_TOKEN_RADIUS,
    Chart,
    RegionBox,
    open_water_line,
    region_box,
    ship_spot,
    step_line,
    token_spot,
)
from render.current_affairs.pieces import draw_flag_pole, draw_ship, draw_ship_halo, draw_token
from render.current_affairs.signs import ANIMAL_SIGNS
from render.geometry import curve, path_length
from render.glyphs import draw_glyph
from render.parts import draw_disc_halo
from render.routes import draw_tapered_arrow
from render.scene import (
    Anchor,
    Box,
    Colour,
    Disc,
    Group,
    Item,
    Layer,
    Line,
    Points,
    Polygon,
    Rectangle,
    Text,
    Typeface,
    make_group,
    make_group_in_place,
)
from render.symbols import draw_compass_rose, draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    ACTIVE_LINE_WIDTH,
    CARD,
    CONTOUR,
    EMPHASIS_LINE_WIDTH,
    HAIRLINE_COLOUR,
    INACTIVE_SIGN,
    INK,
    LAND,
    MAGENTA,
    NORMAL_LINE_WIDTH,
    PAPER,
    PICTURE_WIDTH,
    SEAT_MARKS,
    SECONDARY_INK,
    WATER,
    WATER_MEDIUM_LIGHT,
    WATER_SHADED,
    WHITE,
)
from rules.current_affairs.boards import restorer_of, stack_of
from rules.current_affairs.components import (
    LINES_WITHOUT_CURRENT,
    ONE_WAY_CURRENTS,
    PORT_NAMES,
    REGIONS,
    TWO_WAY_CURRENTS,
    Port,
    Region,
    Trash,
)
from rules.current_affairs.model import Position

_LEFT: Final = 9
_RIGHT: Final = PICTURE_WIDTH - 9
"""The ends of the sea, at the inner edges of the frame."""
_ARROW_WIDTH: Final = 15.0
_REGIONS_WITH_CHIP_AT_LEFT: Final = frozenset(
    {Region.ALA, Region.CAL, Region.CLI, Region.GAL, Region.GPP, Region.PER, Region.HAW, Region.LIN}
)
"""Where the chip with what a ship collected lies at the left of the ships.

At their right a port's name, a flag, an arrow or the edge of the picture is in its way.
"""


# What never changes -------------------------------------------------------------------------------------


@lru_cache(maxsize=3)
def draw_static_layers(chart: Chart) -> tuple[Layer, ...]:
    """Draw what never changes: sea, coasts, a rose, the lines and currents between regions, ports."""
    top, bottom = chart.top, chart.bottom
    width = _RIGHT - _LEFT
    sea = Rectangle(_LEFT, top, width, bottom - top, WATER)
    edges = (
        Rectangle(_LEFT, top - 20, width, 18, PAPER),
        Rectangle(_LEFT, bottom + 2, width, 18, PAPER),
        Rectangle(_LEFT, top - 2, width, 2, CONTOUR),
        Rectangle(_LEFT, bottom, width, 2, CONTOUR),
    )
    rose = make_group(1040, chart.bottom - 78, draw_compass_rose(0, 0, 52, (0.0, 90.0, 180.0, 270.0)))
    return (sea, *_draw_coasts(chart), *edges, rose, *_draw_connections(chart), *_draw_ports(chart))


def _draw_coasts(chart: Chart) -> tuple[Group, ...]:
    """Draw land in the corners and at the sides, with shallow water along it."""
    top, bottom = float(chart.top), float(chart.bottom)
    height = bottom - top

    def y(share: float) -> float:
        return top + share * height

    left, right = float(_LEFT), float(_RIGHT)
    coasts = (
        (
            *curve((left + 112, top), (left + 92, y(0.06)), (left + 20, y(0.1)), (left + 26, y(0.22)),
                   (left + 30, y(0.3)), (left + 96, y(0.32)), (left + 84, y(0.42)), (left + 76, y(0.48)),
                   (left + 20, y(0.48)), (left, y(0.52))),
            left, top,
        ),
        (
            *curve((left, y(0.66)), (left + 60, y(0.64)), (left + 126, y(0.68)), (left + 120, y(0.77)),
                   (left + 116, y(0.84)), (left + 40, y(0.84)), (left, y(0.87))),
        ),
        (
            *curve((right - 150, top), (right - 120, y(0.07)), (right - 30, y(0.1)), (right - 30, y(0.26)),
                   (right - 30, y(0.34)), (right - 44, y(0.44)), (right, y(0.5))),
            right, top,
        ),
        (
            *curve((right, y(0.62)), (right - 70, y(0.66)), (right - 20, y(0.8)), (right - 34, y(0.9)),
                   (right - 40, y(0.95)), (right - 60, y(0.97)), (right - 66, bottom)),
            right, bottom,
        ),
    )  # fmt: skip
    shallows = tuple(
        make_group_in_place((Polygon(coast, WATER_MEDIUM_LIGHT, WATER_MEDIUM_LIGHT, 22),)) for coast in coasts
    )
    return (
        *shallows,
        *(make_group_in_place((Polygon(coast, LAND, WATER_MEDIUM_LIGHT, 3),)) for coast in coasts),
    )


def _draw_connections(chart: Chart) -> tuple[Group, ...]:
    groups = [
        make_group_in_place((Line(open_water_line(chart, start, end), CONTOUR, 2.5),))
        for start, end in LINES_WITHOUT_CURRENT
    ]
    for pairs, both_ways in ((ONE_WAY_CURRENTS, False), (TWO_WAY_CURRENTS, True)):
        for start, end in pairs:
            items = _arrow_items(open_water_line(chart, start, end), CONTOUR, WATER, both_ways=both_ways)
            groups += (make_group_in_place((item,)) for item in items)
    return tuple(groups)


def _arrow_items(path: Points, fill: Colour, outline: Colour, *, both_ways: bool = False) -> tuple[Item, ...]:
    """Return an arrow along a line of open water; a short one is slimmer."""
    width = min(_ARROW_WIDTH, path_length(path) / (5.0 if both_ways else 2.8))
    return draw_tapered_arrow(path, width, fill, outline, both_ways=both_ways)


def _draw_ports(chart: Chart) -> tuple[Group, ...]:
    groups: list[Group] = []
    for region, facts in REGIONS.items():
        if facts.port is None:
            continue
        box = region_box(chart, region)
        x, y, name_x, name_y, anchor = _port_spot(box, facts.port)
        name = Text(0, 0, PORT_NAMES[facts.port], 25, INK, 170, Typeface.SANS, anchor)
        groups += (draw_flag_pole(x, y, facts.port), make_group(name_x, name_y, (fit_text_and_width(name),)))
        if facts.port in {Port.GOLD, Port.VIOLET}:
            start, end = sorted((x, box.left if facts.port is Port.GOLD else box.right))
            groups.append(make_group_in_place((Line((start, y, end, y), INK, 4),)))
    return tuple(groups)


def _port_spot(box: RegionBox, port: Port) -> tuple[int, int, int, int, Anchor]:
    """Return x and y of the flag pole's foot, and x, y and anchor of the port's name."""
    match port:
        case Port.WHITE:
            return box.left + 24, box.top + 8, box.left + 6, box.top + REGION_HEIGHT + 22, Anchor.LEFT
        case Port.RED:
            return box.right - 66, box.top + 8, box.right + 12, box.top - 68, Anchor.RIGHT
        case Port.GOLD:
            return 40, box.middle_y + 16, 20, box.middle_y + 38, Anchor.LEFT
        case Port.VIOLET:
            return box.right + 58, box.middle_y + 16, box.right + 46, box.middle_y + 38, Anchor.LEFT


# Regions ------------------------------------------------------------------------------------------------


def draw_regions(
    position: Position,
    chart: Chart,
    changes: Changes,
    *,
    unreachable_regions: frozenset[Region] = frozenset(),
) -> tuple[Group, ...]:
    """Draw every region with its animal; ``unreachable_regions`` are darker, with pale signs."""
    active_region = _active_region(position)
    groups: list[Group] = []
    for region in Region:
        box = region_box(chart, region)
        restorer = restorer_of(position, region)
        groups += _draw_region_box(
            box, region, active=region is active_region, unreachable=region in unreachable_regions
        )
        groups += _draw_animal(box, region, restorer, unreachable=region in unreachable_regions)
        if region in changes.restored_regions:
            groups.append(draw_disc_halo(*box.animal_spot, ANIMAL_RADIUS))
    return tuple(groups)


def _active_region(position: Position) -> Region | None:
    seat = position.current_player
    return None if seat is None else position.boards[seat].ship


@lru_cache(maxsize=128)
def _draw_region_box(box: RegionBox, region: Region, *, active: bool, unreachable: bool) -> tuple[Group, ...]:
    background, line_colour, line_width = (
        (WATER_SHADED, CONTOUR, 2.0) if unreachable else (CARD, CONTOUR, NORMAL_LINE_WIDTH)
    )
    if active:
        background, line_colour, line_width = WHITE, INK, EMPHASIS_LINE_WIDTH
    shape = Box(0, 0, box.width, REGION_HEIGHT, REGION_HEIGHT / 2, background, line_colour, line_width)
    ink = SECONDARY_INK if unreachable and not active else INK
    name = Text(0, 0, REGIONS[region].name, REGION_NAME_SIZE, ink, 300, Typeface.ITALIC)
    return make_group(box.left, box.top, (shape,)), make_group(
        box.text_left, box.top + 21, (fit_text_and_width(name),)
    )


@lru_cache(maxsize=128)
def _draw_animal(
    box: RegionBox, region: Region, restorer: int | None, *, unreachable: bool
) -> tuple[Group, ...]:
    sign = ANIMAL_SIGNS[REGIONS[region].animal]
    background: Colour
    if restorer is not None:
        mark = SEAT_MARKS[restorer]
        background, ink, line_colour = mark.colour, mark.letter_colour, INK
    else:
        background, ink, line_colour = WATER, INACTIVE_SIGN if unreachable else INK, WATER
    disc = Disc(0, 0, ANIMAL_RADIUS, background, line_colour, NORMAL_LINE_WIDTH)
    return (make_group(*box.animal_spot, (disc, *draw_glyph(sign, 0, 0, 46, ink, background))),)


def draw_stacks(position: Position, chart: Chart) -> tuple[Group, ...]:
    """Draw the trash of every region, or who has restored it."""
    groups: list[Group] = []
    for region in Region:
        box = region_box(chart, region)
        restorer = restorer_of(position, region)
        if restorer is None:
            groups.append(_draw_stack(box, stack_of(position, region), REGIONS[region].stack_size))
        else:
            mark = draw_seat_mark(restorer, 0, 0, 19, show_letter=False)
            groups.append(make_group(box.text_left + 22, box.top + 58, mark))
    return tuple(groups)


@lru_cache(maxsize=1024)
def _draw_stack(box: RegionBox, stack: tuple[Trash, ...], initial_count: int) -> Group:
    """Draw a stack with its top token at the left, and a dot for each token that was taken."""
    items: list[Item] = []
    x0, y0 = token_spot(box, 0)
    tokens = tuple(reversed(stack))
    for index, trash in reversed(list(enumerate(tokens))):
        x, y = token_spot(box, index)
        items += draw_token(x - x0, y - y0, TOKEN_RADIUS if index else TOP_TOKEN_RADIUS, trash)
    for index in range(max(1, len(tokens)), initial_count):
        x, y = token_spot(box, index)
        items.append(Disc(x - x0, y - y0, 4, HAIRLINE_COLOUR))
    if not tokens:
        items.append(Disc(0, 0, TOP_TOKEN_RADIUS, CARD, INACTIVE_SIGN, 2))
        items.append(Line((-9.0, 9.0, 9.0, -9.0), INACTIVE_SIGN, 2.5))
    return make_group(x0, y0, tuple(items))


def draw_ships(position: Position, chart: Chart) -> tuple[Group, ...]:
    """Draw every ship over the lower right end of its region."""
    ship_counts: dict[Region, int] = {}
    groups = []
    for seat, board in enumerate(position.boards):
        if board.ship is None:
            continue
        index = ship_counts.get(board.ship, 0)
        ship_counts[board.ship] = index + 1
        groups.append(draw_ship(*ship_spot(chart, board.ship, index), seat))
    return tuple(groups)


def draw_ship_halos(position: Position, chart: Chart, changes: Changes) -> tuple[Group, ...]:
    """Draw a halo round each ship that sailed in the newest turn; it lies below trash."""
    ship_regions = {seat: position.boards[seat].ship for seat in changes.routes}
    return tuple(
        draw_ship_halo(*ship_spot(chart, region, _ship_index(position, seat, region)))
        for seat, region in ship_regions.items()
        if region is not None
    )


def draw_routes(position: Position, chart: Chart, changes: Changes) -> tuple[Group, ...]:
    """Draw the routes of the newest turn, and what each ship has collected."""
    groups: list[Group] = []
    for seat, route in changes.routes.items():
        for start, end in pairwise(route):
            groups += (
                make_group_in_place((item,))
                for item in _arrow_items(step_line(chart, start, end), MAGENTA, WHITE)
            )
        ship_region = position.boards[seat].ship
        trash = changes.collected_trash.get(seat)
        if ship_region is not None and trash is not None:
            groups.append(_draw_collected(*_collected_spot(position, chart, ship_region), trash))
    return tuple(groups)


def _ship_index(position: Position, seat: int, region: Region) -> int:
    return sum(board.ship is region for board in position.boards[:seat])


def _collected_spot(position: Position, chart: Chart, region: Region) -> tuple[int, int]:
    """Return where the chip with what a ship collected lies, beside its region's ships."""
    if region in _REGIONS_WITH_CHIP_AT_LEFT:
        x, y = ship_spot(chart, region, sum(board.ship is region for board in position.boards) - 1)
        return x - 85, y + 26
    x, y = ship_spot(chart, region, 0)
    return x + 85, y + 22


@lru_cache(maxsize=64)
def _draw_collected(x: int, y: int, trash: Trash) -> Group:
    chip = Box(-37, -19, 74, 38, 19, MAGENTA)
    plus = Text(-18, 0, "+", 30, WHITE, 26, Typeface.BOLD, Anchor.MIDDLE)
    return make_group(x, y, (chip, plus, *draw_token(14, 0, 17, trash)))


def draw_reachable_frame(chart: Chart, region: Region) -> Group:
    """Draw the frame of a region that can be reached."""
    box = region_box(chart, region)
    frame = Box(0, 0, box.width, REGION_HEIGHT, REGION_HEIGHT / 2, None, INK, ACTIVE_LINE_WIDTH)
    return make_group(box.left, box.top, (frame,))
