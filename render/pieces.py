"""Things that lie on a board: dice, cubes, value chips; for all games.

Dice and cubes are centred on ``(x, y)``.  Colours are the caller's, from the palette of its game.
"""

from functools import lru_cache
from typing import Final

import msgspec

from render.geometry import dash_outline
from render.scene import Box, Colour, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.theme import (
    CARD,
    HAIRLINE_COLOUR,
    INK,
    NORMAL_LINE_WIDTH,
)
from render.typeset import fit_text


class PieceColours(msgspec.Struct, frozen=True, gc=False):
    """The colours of a solid: what faces the viewer, what lies in the shade, and what is written on it."""

    front: Colour
    shade: Colour
    ink: Colour = INK


DIE_DEPTH: Final = 0.12
"""How far the side of a die reaches below its face, as a share of its size."""


def draw_blank_die(x: float, y: float, size: float, colours: PieceColours) -> tuple[Item, ...]:
    """Draw a die without a value, for games that draw their own faces."""
    half, radius = size / 2, size * 0.18
    left, top = x - half, y - half
    return (
        Box(left, top, size, size * (1 + DIE_DEPTH), radius, colours.shade, INK, NORMAL_LINE_WIDTH),
        Box(left, top, size, size, radius, colours.front, INK, NORMAL_LINE_WIDTH),
    )


def draw_cube(x: float, y: float, size: float, top_colour: Colour, colours: PieceColours) -> tuple[Item, ...]:
    """Draw a cube, seen from above one edge."""
    half, slope, edge = size * 0.5, size * 0.26, size * 0.5
    upper = (x - half, y - slope, x, y - 2 * slope, x + half, y - slope, x, y)
    left = (x - half, y - slope, x, y, x, y + edge, x - half, y + edge - slope)
    right = (x, y, x + half, y - slope, x + half, y + edge - slope, x, y + edge)
    return (
        Polygon(upper, top_colour, INK, NORMAL_LINE_WIDTH),
        Polygon(left, colours.front, INK, NORMAL_LINE_WIDTH),
        Polygon(right, colours.shade, INK, NORMAL_LINE_WIDTH),
    )


@lru_cache(maxsize=128)
def draw_value_chip(
    left: int, middle_y: int, text: str, fill: Colour = INK, ink: Colour = CARD, text_size: float = 28
) -> Group:
    """Draw a pill with a number or a few letters, as wide as they need."""
    value_text = Text(0, 0, text, text_size, ink, 240, Typeface.BOLD)
    width, height = fit_text(value_text).width, text_size * 1.3
    label = msgspec.structs.replace(value_text, x=height / 2, max_width=width + 1)
    outline = None if fill == INK else INK
    return make_group(
        left, middle_y, (Box(0, -height / 2, width + height, height, height / 2, fill, outline, 2.5), label)
    )


def draw_empty_place(outline: tuple[float, ...]) -> tuple[Item, ...]:
    """Draw the dashed outline of a place where something could lie."""
    return tuple(Line(dash, HAIRLINE_COLOUR, 3) for dash in dash_outline(outline, 10, 8))
