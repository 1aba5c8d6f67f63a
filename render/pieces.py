"""Things that lie on a board: dice, cubes, plain cards, value chips; for all games.

A function returns items or groups.  Dice and cubes are centred on ``(x, y)``; what has a width of its own
begins at ``left``.  Colours are the caller's, from the palette of its game.
"""

from functools import lru_cache
from typing import Final

import msgspec

from render.geometry import dash_outline, round_rectangle
from render.scene import Anchor, Box, Colour, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.text_fit import shrink_to_fit
from render.theme import (
    BODY_SIZE,
    CARD,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    NORMAL_LINE_WIDTH,
    SECONDARY_INK,
    SHADOW,
)
from render.typeset import fit_text


class PieceColours(msgspec.Struct, frozen=True, gc=False):
    """The colours of a solid: what faces the viewer, what lies in the shade, and what is written on it."""

    front: Colour
    shade: Colour
    ink: Colour = INK


DIE_DEPTH: Final = 0.12
"""How far the side of a die reaches below its face, as a share of its size."""


def draw_die(x: float, y: float, size: float, value: str, colours: PieceColours) -> tuple[Item, ...]:
    """Draw a die that shows a value; its side is visible below."""
    number = Text(x, y, value, size * 0.66, colours.ink, size, Typeface.BOLD, Anchor.MIDDLE, min_size=20)
    return *draw_blank_die(x, y, size, colours), number


def draw_blank_die(x: float, y: float, size: float, colours: PieceColours) -> tuple[Item, ...]:
    """Draw a die without a value, for games that draw their own faces."""
    half, radius = size / 2, size * 0.18
    left, top = x - half, y - half
    return (
        Box(left, top, size, size * (1 + DIE_DEPTH), radius, colours.shade, INK, NORMAL_LINE_WIDTH),
        Box(left, top, size, size, radius, colours.front, INK, NORMAL_LINE_WIDTH),
    )


def draw_hollow_die(x: float, y: float, size: float, value: str) -> tuple[Item, ...]:
    """Draw a die that is out of play: dashed and empty, with its last value."""
    half = size / 2
    outline = round_rectangle(x - half, y - half, size, size, size * 0.18)
    dashes = tuple(Line(dash, SECONDARY_INK, NORMAL_LINE_WIDTH) for dash in dash_outline(outline, 7, 6))
    return *dashes, Text(
        x, y, value, size * 0.6, SECONDARY_INK, size, Typeface.BOLD, Anchor.MIDDLE, min_size=20
    )


def draw_cube(x: float, y: float, size: float, top: Colour, colours: PieceColours) -> tuple[Item, ...]:
    """Draw a cube, seen from above one edge."""
    half, slope, edge = size * 0.5, size * 0.26, size * 0.5
    upper = (x - half, y - slope, x, y - 2 * slope, x + half, y - slope, x, y)
    left = (x - half, y - slope, x, y, x, y + edge, x - half, y + edge - slope)
    right = (x, y, x + half, y - slope, x + half, y + edge - slope, x, y + edge)
    return (
        Polygon(upper, top, INK, NORMAL_LINE_WIDTH),
        Polygon(left, colours.front, INK, NORMAL_LINE_WIDTH),
        Polygon(right, colours.shade, INK, NORMAL_LINE_WIDTH),
    )


@lru_cache(maxsize=128)
def draw_banded_card(
    left: int, top: int, width: int, height: int, band: Colour, title: str, title_ink: Colour = INK
) -> tuple[Group, ...]:
    """Draw a card whose coloured band bears its title; its body is left to the caller."""
    radius, band_height = 12, 44
    items: list[Item] = [
        Box(3, 6, width, height, radius, SHADOW),
        Box(0, 0, width, height, radius, CARD),
        Box(0, 0, width, 2 * radius, radius, band),
        Polygon((0, radius, width, radius, width, band_height, 0, band_height), band),
        Line((0, band_height, width, band_height), INK, HAIRLINE_WIDTH),
        Box(0, 0, width, height, radius, None, INK, NORMAL_LINE_WIDTH),
    ]
    title_text = Text(0, 0, title, BODY_SIZE, title_ink, width - 20, Typeface.BOLD, Anchor.MIDDLE)
    label = make_group(left + width // 2, top + band_height // 2, (shrink_to_fit(title_text),))
    return make_group(left, top, tuple(items)), label


@lru_cache(maxsize=128)
def draw_value_chip(
    left: int, middle_y: int, text: str, fill: Colour = INK, ink: Colour = CARD, size: float = 28
) -> Group:
    """Draw a pill with a number or a few letters, as wide as they need."""
    value_text = Text(0, 0, text, size, ink, 240, Typeface.BOLD)
    width, height = fit_text(value_text).width, size * 1.3
    label = msgspec.structs.replace(value_text, x=height / 2, room=width + 1)
    outline = None if fill == INK else INK
    return make_group(
        left, middle_y, (Box(0, -height / 2, width + height, height, height / 2, fill, outline, 2.5), label)
    )


def draw_empty_space(outline: tuple[float, ...]) -> tuple[Item, ...]:
    """Draw the dashed outline of a place where something could lie."""
    return tuple(Line(dash, HAIRLINE_COLOUR, 3) for dash in dash_outline(outline, 10, 8))
