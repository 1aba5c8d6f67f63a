"""The colours of Australis beside those that all games share."""

from typing import Final

from render.pieces import PieceColours
from render.theme import (
    CARD,
    CONTOUR,
    HAIRLINE_COLOUR,
    INACTIVE_SIGN,
    INK,
    LAND,
    MAGENTA,
    PANEL,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WHITE,
    Ramp,
    make_palette,
)
from rules.australis.components import Colour

YELLOW: Final = 0xFBE27E
YELLOW_SHADE: Final = 0xC9AE4C
BLUE: Final = 0x8FC1EC
BLUE_SHADE: Final = 0x5A93C4
PURPLE: Final = 0x402170
PURPLE_SHADE: Final = 0x2A1550
RED: Final = 0xEE7656
RED_SHADE: Final = 0xB84F35
GOLD: Final = 0xECBC45
"""The tile with the sun."""
SILVER: Final = 0xCBD3D8
"""The tile with the moon."""

DIE_COLOURS: Final = {
    Colour.WHITE: PieceColours(WHITE, HAIRLINE_COLOUR),
    Colour.YELLOW: PieceColours(YELLOW, YELLOW_SHADE),
    Colour.BLUE: PieceColours(BLUE, BLUE_SHADE),
    Colour.PURPLE: PieceColours(PURPLE, PURPLE_SHADE, WHITE),
    Colour.RED: PieceColours(RED, RED_SHADE),
}
"""How a die of each of the game's colours is drawn."""
CUBE_COLOURS: Final = PieceColours(HAIRLINE_COLOUR, INACTIVE_SIGN)
"""The sides of a food cube; its top is white."""

PALETTE: Final = make_palette(
    (YELLOW, YELLOW_SHADE, BLUE, BLUE_SHADE, PURPLE, PURPLE_SHADE, RED, RED_SHADE, GOLD, SILVER),
    (
        Ramp(INK, YELLOW, 6),
        Ramp(INK, BLUE, 6),
        Ramp(WHITE, PURPLE, 6),
        Ramp(INK, RED, 6),
        Ramp(INK, GOLD, 6),
        Ramp(INK, SILVER, 5),
        Ramp(INK, WATER_MEDIUM, 5),
        Ramp(INK, WATER_MEDIUM_LIGHT, 4),
        Ramp(INK, LAND, 6),
        Ramp(CONTOUR, WATER_MEDIUM, 3),
        Ramp(CONTOUR, LAND, 4),
        Ramp(CONTOUR, WATER, 3),
        Ramp(WATER_MEDIUM_LIGHT, WATER_MEDIUM, 3),
        Ramp(MAGENTA, WATER_MEDIUM, 3),
        Ramp(MAGENTA, LAND, 3),
        Ramp(MAGENTA, PANEL, 3),
        Ramp(WHITE, WATER_MEDIUM, 3),
        Ramp(WHITE, LAND, 2),
        Ramp(PURPLE, CARD, 3),
        Ramp(RED, CARD, 2),
        Ramp(BLUE, CARD, 2),
        Ramp(YELLOW, CARD, 2),
    ),
)
