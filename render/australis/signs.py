"""The signs of Australis: coral, cards, fish, sun, moon, trophy, food cube; and the turtle as a piece."""

from functools import lru_cache
from typing import Final

from render import glyphs
from render.australis.palette import CUBE_COLOURS
from render.geometry import complete_half, curve, flip, transform
from render.glyphs import cut_disc, cut_shape, disc, ellipse, place, shape, stroke
from render.pieces import draw_cube
from render.scene import Anchor, Box, Group, Item, Polygon, Text, Typeface, make_group
from render.sea_glyphs import TURTLE, WHEEL
from render.symbols import draw_compass_rose, draw_seat_mark
from render.theme import CONTOUR, HAIRLINE_WIDTH, INK, NORMAL_LINE_WIDTH, SEAT_MARKS, WHITE
from rules.australis.components import CardFunction, Colour

# Glyphs -------------------------------------------------------------------------------------------------

CORAL: Final = (
    *stroke((-18, 46, 18, 46), 9),
    *stroke((0, 46, 0, -2), 13),
    *stroke(curve((0, 28), (-20, 28), (-36, 20), (-36, -20)), 11),
    *stroke(curve((0, 12), (22, 14), (36, 6), (36, -30)), 11),
    *stroke(curve((0, 4), (-4, -8), (-14, -10), (-14, -42)), 11),
    *stroke(curve((0, 4), (4, -6), (12, -12), (12, -36)), 11),
    *stroke((-36, 2, -46, -8), 9),
    *stroke((36, -6, 46, -16), 9),
)
"""A branching coral."""
CARD_SIGN: Final = (
    *shape((-2, -42, 38, -42, 42, -38, 42, 22, 38, 26, -2, 26, -6, 22, -6, -38)),
    *cut_shape((-46, -30, 20, -30, 20, 50, -46, 50)),
    *shape((-36, -26, 12, -26, 16, -22, 16, 40, 12, 44, -36, 44, -40, 40, -40, -22)),
    *cut_shape((-31, -17, 7, -17, 7, 35, -31, 35)),
    *disc(-12, 9, 11),
)
"""An advantage card, with another one behind it."""
CIRCLES: Final = (*disc(-24, 0, 20), *disc(24, 0, 20))
"""Points: two circles, as the cards show them."""
SUN: Final = (
    *disc(0, 0, 21),
    *(part for angle in range(0, 360, 45) for part in place(stroke((32, 0, 44, 0), 9), angle=angle)),
)
"""The gold tile."""
MOON: Final = (*disc(-2, 0, 40), *cut_disc(18, -10, 34))
"""The silver tile."""
FISH: Final = glyphs.fish(0, 0, 50)
_CUP: Final = (
    *curve((0, -44), (10, -44), (20, -44), (28, -44), (28, -10), (16, 6), (5, 10)),
    5, 28, 22, 34, 22, 44, 0, 44,
)  # fmt: skip
_HANDLE: Final = curve((26, -34), (46, -38), (46, -8), (22, -6))
TROPHY: Final = (
    *shape(complete_half(_CUP)),
    *stroke(_HANDLE, 8),
    *stroke(flip(_HANDLE), 8),
)
"""The competition."""

DIE_SIGNS: Final = {
    Colour.WHITE: CARD_SIGN,
    Colour.YELLOW: FISH,
    Colour.BLUE: TURTLE,
    Colour.PURPLE: CORAL,
    Colour.RED: WHEEL,
}
"""What a die of each colour brings."""
FUNCTION_SIGNS: Final = {
    CardFunction.POINTS: CIRCLES,
    CardFunction.FISH: FISH,
    CardFunction.TURTLE: TURTLE,
    CardFunction.CORAL: CORAL,
    CardFunction.COMPETITION: TROPHY,
}
"""What a card does."""


def draw_food_cube(x: float, y: float, size: float) -> tuple[Item, ...]:
    """Draw a food cube centred on (x, y)."""
    return draw_cube(x, y, size, WHITE, CUBE_COLOURS)


def draw_missing_cube(x: float, y: float, size: float) -> tuple[Item, ...]:
    """Draw the outline of a food cube that is not there."""
    half_width, slope, height = size * 0.5, size * 0.26, size * 0.5
    upper = (x - half_width, y - slope, x, y - 2 * slope, x + half_width, y - slope, x, y)
    left = (x - half_width, y - slope, x, y, x, y + height, x - half_width, y + height - slope)
    right = (x, y, x + half_width, y - slope, x + half_width, y + height - slope, x, y + height)
    return tuple(Polygon(side, None, CONTOUR, HAIRLINE_WIDTH) for side in (upper, left, right))


# The piece ----------------------------------------------------------------------------------------------

_BIG_FLIPPER: Final = curve(
    (26, -20), (32, -40), (20, -54), (-8, -54), (0, -46), (2, -36), (-4, -26), (6, -20), (16, -20), (26, -20)
)
_SMALL_FLIPPER: Final = curve(
    (-16, -24), (-20, -36), (-32, -44), (-48, -38), (-42, -32), (-38, -22), (-32, -14), (-26, -16),
    (-20, -20), (-16, -24),
)  # fmt: skip


@lru_cache(maxsize=64)
def draw_turtle(x: int, y: int, seat: int, scale: float = 1, angle: float = 0) -> Group:
    """Draw a seat's turtle, turned by ``angle`` from swimming to the right; its mark stays upright.

    A turtle smaller than ``scale`` 1 has no letter.
    """
    colour = SEAT_MARKS[seat].colour
    limbs = [
        tuple(value * (side if i % 2 else 1) for i, value in enumerate(points))
        for points in (_BIG_FLIPPER, _SMALL_FLIPPER)
        for side in (1, -1)
    ]
    limbs += [ellipse(44, 0, 15, 12), (-34.0, -6.0, -47.0, 0.0, -34.0, 6.0)]
    shell = ellipse(0, 0, 37, 32)
    items: list[Item] = [
        Polygon(transform(limb, 0, 0, scale, angle), colour, INK, NORMAL_LINE_WIDTH) for limb in limbs
    ]
    items.append(Polygon(transform(shell, 0, 0, scale, angle), WHITE, INK, NORMAL_LINE_WIDTH))
    items += draw_seat_mark(seat, 0, -1, 22 * scale, show_letter=scale >= 1)
    return make_group(x, y, tuple(items))


@lru_cache(maxsize=64)
def draw_number_pill(x: int, y: int, text: str) -> Group:
    """Draw a white pill with a number, centred on (x, y)."""
    width = 44 if len(text) > 1 else 36
    label = Text(0, 0, text, 27, INK, width, Typeface.BOLD, Anchor.MIDDLE)
    return make_group(x, y, (Box(-width / 2, -17, width, 34, 17, WHITE, INK, NORMAL_LINE_WIDTH), label))


@lru_cache(maxsize=8)
def draw_rose(x: int, y: int, radius: int) -> Group:
    """Draw a compass rose with four long points."""
    return make_group(x, y, draw_compass_rose(0, 0, radius, (-90.0, 0.0, 90.0, 180.0)))
