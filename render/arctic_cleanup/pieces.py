"""Tokens, ships, dice and small cards of Arctic CleanUp."""

from functools import lru_cache
from typing import Final

from render.arctic_cleanup.layout import step_angle
from render.arctic_cleanup.palette import PLASTIC_COLOURS
from render.arctic_cleanup.signs import CARD_SIGNS, PLASTIC_SIGNS
from render.geometry import regular_polygon, transform
from render.glyphs import draw_glyph
from render.scene import Anchor, Box, Colour, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.symbols import draw_arrow, draw_seat_mark
from render.theme import (
    CARD,
    DEEP_BLUE,
    HAIRLINE_COLOUR,
    INK,
    NORMAL_LINE_WIDTH,
    PANEL,
    SEAT_MARKS,
    SECONDARY_INK,
    WHITE,
)
from rules.arctic_cleanup.components import HATCHED_POINTS, PLASTICS, STEPS, Card, Plastic

_HULL: Final = (-40.0, 4.0, -26.0, 14.0, 26.0, 14.0, 40.0, 4.0, 32.0, 42.0, -32.0, 42.0)
_SMALL_HULL: Final = (-24.0, -14.0, 24.0, -14.0, 19.0, 15.0, -19.0, 15.0)
_LARGE_HULL: Final = (
    -150.0, -8.0, -60.0, 0.0, 62.0, 0.0, 150.0, -18.0, 116.0, 66.0, -122.0, 66.0
)  # fmt: skip


def draw_slot(x: float, y: float, size: float, plastic: Plastic) -> Item:
    """Draw an empty slot for a token: a square for 2 points, a hexagon for 3."""
    if PLASTICS[plastic].points == HATCHED_POINTS:
        return Polygon(regular_polygon(x, y, size * 0.58, 6), CARD, HAIRLINE_COLOUR, NORMAL_LINE_WIDTH)
    return Box(x - size / 2, y - size / 2, size, size, size * 0.18, CARD, HAIRLINE_COLOUR, NORMAL_LINE_WIDTH)


@lru_cache(maxsize=128)
def draw_token(x: float, y: float, size: float, plastic: Plastic) -> tuple[Item, ...]:
    """Draw a token centred on (x, y)."""
    background, sign_colour = PLASTIC_COLOURS[plastic]
    shape: Item
    if PLASTICS[plastic].points == HATCHED_POINTS:
        shape = Polygon(regular_polygon(x, y, size * 0.58, 6), background, INK, NORMAL_LINE_WIDTH)
    else:
        shape = Box(x - size / 2, y - size / 2, size, size, size * 0.18, background, INK, NORMAL_LINE_WIDTH)
    return shape, *draw_glyph(PLASTIC_SIGNS[plastic], x, y, size * 0.62, sign_colour, background)


@lru_cache(maxsize=256)
def draw_ship(x: int, y: int, seat: int, ship: int, *, active: bool = False) -> Group:
    """Draw a ship: the seat's mark as sail over a numbered hull; if ``active``, on white.

    There is no letter on the hull, since it would read as the name of a tile.
    """
    mark = SEAT_MARKS[seat]
    items: list[Item] = []
    if active:
        items += (
            Polygon(_HULL, WHITE, WHITE, 14),
            *draw_seat_mark(seat, 0, -12, 26, outline=WHITE, show_letter=False),
        )
    items += draw_seat_mark(seat, 0, -12, 20, show_letter=False)
    items.append(Polygon(_HULL, mark.colour, INK, NORMAL_LINE_WIDTH))
    items.append(Text(0, 28, str(ship), 28, mark.letter_colour, 50, Typeface.BOLD, Anchor.MIDDLE))
    return make_group(x, y, tuple(items))


@lru_cache(maxsize=64)
def draw_small_ship(x: int, y: int, seat: int, ship: int, *, active: bool = False) -> Group:
    """Draw a small hull with the seat's mark and its number, for crowded tiles; if ``active``, on white."""
    mark = SEAT_MARKS[seat]
    hull = Polygon(_SMALL_HULL, mark.colour, INK, 2)
    ink = mark.letter_colour
    sign = draw_seat_mark(seat, -9, 0, 8, fill=ink, outline=ink, show_letter=False)
    text = Text(10, 1, str(ship), 24, ink, 20, Typeface.BOLD, Anchor.MIDDLE)
    background = (Polygon(_SMALL_HULL, WHITE, WHITE, 11),) if active else ()
    return make_group(x, y, (*background, hull, *sign, text))


@lru_cache(maxsize=64)
def draw_planned_ship(x: int, y: int, seat: int, ship: int) -> Group:
    """Draw where a planned route ends: a pale ship, without its seat's mark as sail."""
    mark = SEAT_MARKS[seat]
    hull = Polygon(_HULL, mark.tint, INK, 2)
    text = Text(0, 28, str(ship), 28, INK, 50, Typeface.BOLD, Anchor.MIDDLE)
    return make_group(x, y, (hull, text))


@lru_cache(maxsize=64)
def draw_large_ship(x: int, y: int, seat: int, ship: int, cargo: tuple[Plastic, ...], capacity: int) -> Group:
    """Draw a ship so large that its cargo and empty places can be seen."""
    mark = SEAT_MARKS[seat]
    items: list[Item] = [
        *draw_seat_mark(seat, -108, -24, 26, show_letter=False),
        Polygon(_LARGE_HULL, mark.colour, INK, NORMAL_LINE_WIDTH),
        Text(-104, 34, str(ship), 40, mark.letter_colour, 60, Typeface.BOLD, Anchor.MIDDLE),
    ]
    for index in range(capacity):
        spot = (-52 + 49 * index, 34)
        if index < len(cargo):
            items += draw_token(*spot, 43, cargo[index])
        else:
            items.append(Box(spot[0] - 21, spot[1] - 21, 42, 42, 7, CARD, INK, 2))
    return make_group(x, y, tuple(items))


@lru_cache(maxsize=128)
def draw_die(x: float, y: float, size: float, face: int, *, crossed_out: bool = False) -> tuple[Item, ...]:
    """Draw a die: its number and the direction of its step."""
    background = PANEL if crossed_out else WHITE
    colour = SECONDARY_INK if crossed_out else INK
    items: list[Item] = [
        Box(x - size / 2, y - size / 2, size, size, size * 0.16, background, colour, NORMAL_LINE_WIDTH),
        Text(
            x - size * 0.26,
            y,
            str(face),
            max(24, size * 0.42),
            colour,
            size * 0.5,
            Typeface.BOLD,
            Anchor.MIDDLE,
        ),
        *draw_arrow(x + size * 0.17, y, step_angle(face), size * 0.5, colour, size * 0.075),
    ]
    if crossed_out:
        items.append(Line((x - size * 0.4, y + size * 0.4, x + size * 0.4, y - size * 0.4), INK, 4))
    return tuple(items)


@lru_cache(maxsize=64)
def draw_die_sign(x: float, y: float, size: float, ink: Colour = INK) -> tuple[Item, ...]:
    """Draw the sign of a planned die: a square with an arrow."""
    return (
        Box(x - size / 2, y - size / 2, size, size, size * 0.18, WHITE, ink, NORMAL_LINE_WIDTH),
        *draw_arrow(x, y, -90, size * 0.62, ink, 3.4),
    )


@lru_cache(maxsize=128)
def draw_small_card(x: int, y: int, card: Card, strength: int, *, is_upgraded: bool) -> Group:
    """Draw a card by its sign and its strength; an upgraded one is dark."""
    width, height = 50, 70
    background, ink = (DEEP_BLUE, WHITE) if is_upgraded else (CARD, INK)
    return make_group(
        x,
        y,
        (
            Box(0, 0, width, height, 9, background, HAIRLINE_COLOUR if not is_upgraded else INK, 2),
            *draw_glyph(CARD_SIGNS[card], width / 2, 19, 31, ink, background),
            Text(width / 2, height - 18, str(strength), 40, ink, width, Typeface.BOLD, Anchor.MIDDLE),
        ),
    )


@lru_cache(maxsize=16)
def draw_rose_numbers(x: int, y: int, radius: int) -> Group:
    """Draw the numbers of a die's faces round a compass rose."""
    items = []
    for face in STEPS:
        spot = transform((radius, 0.0), 0, 0, 1, step_angle(face))
        items.append(Text(spot[0], spot[1], str(face), 30, INK, 40, Typeface.BOLD, Anchor.MIDDLE))
    return make_group(x, y, tuple(items))
