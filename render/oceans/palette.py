"""The colours of Oceans beside those that all games share."""

from typing import Final

from render.theme import (
    CARD,
    COLOURED_SEAT_TINTS,
    CONTOUR,
    DEEP_BLUE,
    INK,
    RED,
    RED_RAMP,
    SEAT_MARKS,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    Ramp,
    make_palette,
)

WATER_DARK: Final = 0x7FAEC5
"""The deepest zone."""
GREEN: Final = 0x2F6B4A
"""Forage."""
ATTACK_RED: Final = 0x8F2418
"""Attack; darker than the red of seat A."""

PALETTE: Final = make_palette(
    (RED, GREEN, ATTACK_RED, WATER_DARK, *COLOURED_SEAT_TINTS),
    (
        RED_RAMP,
        Ramp(GREEN, CARD, 3),
        Ramp(ATTACK_RED, CARD, 5),
        Ramp(INK, WATER_MEDIUM_LIGHT, 5),
        Ramp(INK, WATER_MEDIUM, 4),
        Ramp(INK, WATER_DARK, 5),
        Ramp(DEEP_BLUE, WATER_DARK, 2),
        Ramp(CONTOUR, WATER_MEDIUM_LIGHT, 3),
        *(Ramp(INK, mark.tint, 3) for mark in SEAT_MARKS),
    ),
)
