"""The colours of Arctic CleanUp beside those that all games share."""

from typing import Final

from render.theme import (
    CARD,
    COLOURED_SEAT_TINTS,
    CONTOUR,
    DEEP_BLUE,
    HAIRLINE_COLOUR,
    INACTIVE_SIGN,
    INK,
    MAGENTA,
    PANEL,
    PAPER,
    SEAT_MARKS,
    SECONDARY_INK,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WATER_SHADED,
    WHITE,
    Ramp,
    make_palette,
)
from rules.arctic_cleanup.components import Plastic

_HDPE: Final = 0xBC3B31
_LDPE: Final = 0x8CCB62
_EVA: Final = 0x4389E0
_PMMA: Final = 0x2B2B33
_PET: Final = 0x54399A
_PA6: Final = 0xF7B4CC
_PP: Final = 0xF8DF57
_PS: Final = 0x8E999F

PLASTIC_COLOURS: Final = {
    Plastic.HDPE: (_HDPE, WHITE),
    Plastic.LDPE: (_LDPE, INK),
    Plastic.EVA: (_EVA, WHITE),
    Plastic.PMMA: (_PMMA, WHITE),
    Plastic.PET: (_PET, WHITE),
    Plastic.PA6: (_PA6, INK),
    Plastic.PP: (_PP, INK),
    Plastic.PS: (_PS, INK),
}
"""Colours of a token's background and of its sign."""

PALETTE: Final = make_palette(
    (_HDPE, _LDPE, _EVA, _PET, _PA6, _PP, _PS, *COLOURED_SEAT_TINTS[:4]),
    (
        Ramp(WHITE, _HDPE, 5),
        Ramp(INK, _HDPE, 3),
        Ramp(INK, _LDPE, 5),
        Ramp(WHITE, _EVA, 5),
        Ramp(INK, _EVA, 3),
        Ramp(WHITE, _PMMA, 5),
        Ramp(WHITE, _PET, 5),
        Ramp(INK, _PA6, 5),
        Ramp(INK, _PP, 5),
        Ramp(INK, _PS, 5),
        Ramp(CONTOUR, WATER, 4),
        Ramp(CONTOUR, WHITE, 3),
        Ramp(WATER_MEDIUM, WHITE, 3),
        Ramp(HAIRLINE_COLOUR, WHITE, 2),
        Ramp(INACTIVE_SIGN, WHITE, 3),
        Ramp(INACTIVE_SIGN, CARD, 3),
        Ramp(INACTIVE_SIGN, PAPER, 3),
        Ramp(INK, WATER_SHADED, 4),
        Ramp(SECONDARY_INK, WATER_SHADED, 3),
        Ramp(WATER_MEDIUM_LIGHT, PANEL, 2),
        Ramp(MAGENTA, CARD, 3),
        Ramp(DEEP_BLUE, WATER, 3),
        *(Ramp(INK, mark.tint, 4) for mark in SEAT_MARKS[:4]),
        *(Ramp(mark.colour, mark.tint, 2) for mark in SEAT_MARKS[:4]),
        *(Ramp(mark.colour, WATER, 2) for mark in SEAT_MARKS[:4]),
    ),
)
