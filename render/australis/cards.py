"""Advantage cards and competition tiles."""

from functools import lru_cache
from typing import Final

from render.australis.layout import CARD_HEIGHT, CARD_WIDTH, TILE_HEIGHT, TILE_WIDTH
from render.australis.palette import DIE_COLOURS, GOLD, SILVER
from render.australis.signs import DIE_SIGNS, FUNCTION_SIGNS, MOON, SUN
from render.glyphs import draw_glyph
from render.scene import Anchor, Box, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.theme import (
    CARD,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    NORMAL_LINE_WIDTH,
    SHADOW,
)
from rules.australis.components import CARD_FACTS, Card, CardFunction, Colour, TileColour

_BAND_HEIGHT: Final = 40
"""Height of the band that says which die activates the card."""
_SIGN_SIZES: Final = {
    CardFunction.POINTS: 62,
    CardFunction.FISH: 68,
    CardFunction.TURTLE: 74,
    CardFunction.CORAL: 66,
}
CARD_RADIUS: Final = 12


@lru_cache(maxsize=128)
def draw_advantage_card(x: int, y: int, card: Card) -> tuple[Group, ...]:
    """Draw a card of the display: its band says which die activates it, its body what it does."""
    facts = CARD_FACTS[card]
    colours = DIE_COLOURS[facts.colour]
    width, height = CARD_WIDTH, CARD_HEIGHT
    shadow = make_group(x, y, (Box(3, 5, width, height, CARD_RADIUS, SHADOW),))
    if facts.function is CardFunction.COMPETITION:
        items: tuple[Item, ...] = (
            Box(0, 0, width, height, CARD_RADIUS, colours.front, INK, NORMAL_LINE_WIDTH),
            *draw_glyph(FUNCTION_SIGNS[facts.function], width / 2, 38, 48, colours.ink, colours.front),
            Text(width / 2, 92, "+1", 46, colours.ink, width, Typeface.BOLD, Anchor.MIDDLE),
        )
        return shadow, make_group(x, y, items)
    function = facts.function
    middle = _BAND_HEIGHT + (height - _BAND_HEIGHT) / 2
    items = (
        Box(0, 0, width, height, CARD_RADIUS, CARD),
        *_band_items(width, facts.colour),
        *draw_glyph(FUNCTION_SIGNS[function], width / 2, middle, _SIGN_SIZES[function], INK, CARD),
        Box(0, 0, width, height, CARD_RADIUS, None, INK, NORMAL_LINE_WIDTH),
    )
    return shadow, make_group(x, y, items)


def _band_items(width: float, colour: Colour) -> tuple[Item, ...]:
    colours = DIE_COLOURS[colour]
    size = {Colour.WHITE: 28, Colour.YELLOW: 36, Colour.BLUE: 38}.get(colour, 34)
    return (
        Box(0, 0, width, 2 * CARD_RADIUS, CARD_RADIUS, colours.front),
        Polygon((0, CARD_RADIUS, width, CARD_RADIUS, width, _BAND_HEIGHT, 0, _BAND_HEIGHT), colours.front),
        Line((1, _BAND_HEIGHT, width - 1, _BAND_HEIGHT), INK, HAIRLINE_WIDTH),
        *draw_glyph(DIE_SIGNS[colour], width / 2, _BAND_HEIGHT / 2, size, colours.ink, colours.front),
    )


@lru_cache(maxsize=16)
def draw_empty_card_place(x: int, y: int) -> Group:
    """Draw an empty place for a card on the display."""
    return make_group(
        x, y, (Box(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, None, HAIRLINE_COLOUR, HAIRLINE_WIDTH),)
    )


@lru_cache(maxsize=64)
def draw_tile(x: int, y: int, colour: TileColour, points: int) -> Group:
    """Draw a competition tile."""
    fill, sign = (GOLD, SUN) if colour is TileColour.GOLD else (SILVER, MOON)
    items = (
        Box(0, 0, TILE_WIDTH, TILE_HEIGHT, 10, fill, INK, NORMAL_LINE_WIDTH),
        *draw_glyph(sign, 32, TILE_HEIGHT / 2, 40, INK, fill),
        Text(73, TILE_HEIGHT / 2, str(points), 38, INK, 50, Typeface.BOLD, Anchor.MIDDLE),
    )
    return make_group(x, y, items)


@lru_cache(maxsize=64)
def draw_small_tile(x: int, y: int, colour: TileColour, points: int) -> Group:
    """Draw a tile that counts at the end, centred on (x, y)."""
    fill = GOLD if colour is TileColour.GOLD else SILVER
    number = Text(0, 0, str(points), 30, INK, 44, Typeface.BOLD, Anchor.MIDDLE)
    return make_group(x, y, (Box(-22, -22, 44, 44, 8, fill, INK, NORMAL_LINE_WIDTH), number))
