"""A picture of every part that games can draw with, to be looked at large and small."""

from typing import Final

from render import parts
from render.choice_marks import CHOICE_LEGEND_ENTRY, draw_choice_mark
from render.geometry import arc, curve, dash_outline, regular_polygon
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry, draw_legend
from render.pieces import (
    PieceColours,
    draw_blank_die,
    draw_cube,
    draw_empty_place,
    draw_value_chip,
)
from render.routes import DOTTED, draw_planned_route, draw_polygon_halo, draw_route, draw_tapered_arrow
from render.scene import Group, Item, Layer, Line, Polygon, Scene, Text, Typeface, make_group
from render.shapes import hatch, offset_path, ribbon, wavy_outline
from render.symbols import draw_cards_sign
from render.theme import (
    CONTOUR,
    HAIRLINE_COLOUR,
    INK,
    LAND,
    LEGEND_SIZE,
    MIN_BOARD_HEIGHT,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WHITE,
    Ramp,
    make_palette,
)

YELLOW, YELLOW_SHADE, PURPLE, PURPLE_SHADE = 0xFBE27E, 0xC9B054, 0x402170, 0x2A1550
DICE_COLOURS: Final = (
    PieceColours(WHITE, HAIRLINE_COLOUR),
    PieceColours(YELLOW, YELLOW_SHADE),
    PieceColours(PURPLE, PURPLE_SHADE, WHITE),
)
PALETTE: Final = make_palette(
    (YELLOW, YELLOW_SHADE, PURPLE, PURPLE_SHADE),
    (
        Ramp(INK, YELLOW, 5),
        Ramp(WHITE, PURPLE, 5),
        Ramp(INK, WATER_MEDIUM, 4),
        Ramp(INK, WATER_MEDIUM_LIGHT, 4),
    ),
)


def sample_sheet() -> Scene:
    """Return the sheet."""
    layers = parts.join_layers(
        parts.draw_title_bar(PICTURE_WIDTH, "Parts", "for every game", "Sample sheet", "", None),
        _draw_panels(),
        _draw_pieces(),
        _draw_shapes(),
        _draw_routes(),
        _draw_legend(),
    )
    frame = parts.draw_frame(PICTURE_WIDTH, MIN_BOARD_HEIGHT)
    return Scene(PICTURE_WIDTH, MIN_BOARD_HEIGHT, PAPER, layers, frame, PALETTE)


def _draw_heading(x: int, y: int, text: str) -> Group:
    return make_group(x, y, (Text(0, 0, text, LEGEND_SIZE, SECONDARY_INK, 1000, Typeface.ITALIC),))


def _entry(text: str) -> parts.PanelEntry:
    return parts.PanelEntry(draw_cards_sign(0, 0, 28), 26, text)


def _draw_panels() -> tuple[Layer, ...]:
    entries = (_entry("3"), _entry("12"))
    return parts.join_layers(
        parts.draw_panel(28, 104, 275, 96, 0, "Ava", entries, highlighted=False),
        parts.draw_panel(317, 104, 275, 96, 1, "Ben", entries, highlighted=True),
        parts.draw_panel(606, 104, 275, 96, 2, "Chloé the Great", entries, highlighted=False),
        parts.draw_panel(895, 104, 275, 96, 3, "Dimitri", entries[:1], highlighted=False),
    )


def _draw_pieces() -> tuple[Layer, ...]:
    dice: list[Item] = []
    for number, colours in enumerate(DICE_COLOURS):
        dice += draw_blank_die(34 + 84 * number, 34, 62, colours)
    dice += draw_blank_die(286, 34, 48, DICE_COLOURS[1])
    cubes: list[Item] = []
    for number in range(3):
        cubes += draw_cube(30 + 66 * number, 30, 52, WHITE, PieceColours(WATER_MEDIUM_LIGHT, WATER_MEDIUM))
    chips = (
        draw_value_chip(880, 360, "+2"),
        draw_value_chip(958, 360, "12", YELLOW, INK),
        draw_value_chip(1040, 360, "7", WHITE, INK, 34),
    )
    hexagon = regular_polygon(0, 0, 34, 6)
    return parts.join_layers(
        _draw_heading(38, 310, "dice, cubes, chips, places"),
        make_group(38, 340, tuple(dice)),
        make_group(480, 348, tuple(cubes)),
        chips,
        make_group(910, 420, draw_empty_place(hexagon)),
        make_group(1010, 420, (Polygon(hexagon, WATER_MEDIUM_LIGHT, INK, 2.5),)),
        draw_choice_mark(1080, 396, 70, 52, 10),
        make_group(1080, 396, (Polygon((0, 0, 70, 0, 70, 52, 0, 52), WHITE, INK, 2.5),)),
    )


def _draw_shapes() -> tuple[Layer, ...]:
    hexagon = regular_polygon(0, 0, 92, 6, 0)
    island = wavy_outline(arc(0, 0, 78, 0, 345, 24), 6, 34)
    path = curve((0, 60), (60, -60), (130, 150), (220, 10))
    ribbon_outline = ribbon(path, 26)
    edges = (offset_path(path, 34), offset_path(path, -34))
    middle_y = 590
    return parts.join_layers(
        _draw_heading(38, 474, "hatching, dashed and wavy outlines, halo, ribbon, offsets"),
        make_group(
            134,
            middle_y,
            (
                Polygon(hexagon, WATER, INK, 2.5),
                *(Line(line, CONTOUR, 2) for line in hatch(hexagon, 15)),
                Polygon(hexagon, None, INK, 3.5),
            ),
        ),
        make_group(
            344,
            middle_y,
            (
                Polygon(hexagon, WATER_MEDIUM_LIGHT),
                *(Line(dash, INK, 4) for dash in dash_outline(hexagon, 16, 11)),
            ),
        ),
        make_group(550, middle_y, (Polygon(island, LAND, CONTOUR, 3),)),
        *draw_polygon_halo(tuple(v + (752 if i % 2 == 0 else middle_y) for i, v in enumerate(hexagon))),
        make_group(752, middle_y, (Polygon(hexagon, WATER, INK, 2.5),)),
        make_group(
            900,
            middle_y - 40,
            (Polygon(ribbon_outline, WATER_MEDIUM, INK, 2.5), *(Line(edge, CONTOUR, 2.5) for edge in edges)),
        ),
    )


def _draw_routes() -> tuple[Layer, ...]:
    bow = curve((0, 0), (60, -90), (160, -90), (230, 0))
    hops = ((560.0, 900.0, 690.0, 860.0), (690.0, 860.0, 800.0, 930.0), (800.0, 930.0, 960.0, 850.0))
    lower_hops = tuple(tuple(v + (0 if i % 2 == 0 else 90) for i, v in enumerate(path)) for path in hops)
    sailed_path = (60.0, 960.0, 180.0, 900.0, 330.0, 990.0)
    return parts.join_layers(
        _draw_heading(38, 722, "tapered arrows, planned routes of several hops, last turn"),
        make_group(60, 840, draw_tapered_arrow(bow, 22, WATER_MEDIUM)),
        make_group(320, 840, draw_tapered_arrow(bow, 22, WATER_MEDIUM_LIGHT, both_ways=True)),
        draw_planned_route(hops),
        draw_planned_route(lower_hops, DOTTED),
        draw_route(sailed_path),
        parts.draw_change_chip(400, 980, 3),
        parts.draw_change_chip(470, 980, -2),
    )


def _draw_legend() -> tuple[Layer, ...]:
    sign = draw_cards_sign(0, 0, 28)
    names = ("hand", "deck", "seen by all", "discarded")
    entries = (*(LegendEntry(sign, 26, name) for name in names), CHANGE_LEGEND_ENTRY, CHOICE_LEGEND_ENTRY)
    return draw_legend(entries)
