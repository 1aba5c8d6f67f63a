"""The colours of Currents beside those that all games share."""

from typing import Final

from render.theme import (
    CONTOUR,
    INK,
    MAGENTA,
    RED,
    RED_RAMP,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WATER_SHADED,
    WHITE,
    Ramp,
    make_palette,
)

GRID_LINE: Final = 0xA8C8D6

PALETTE: Final = make_palette(
    (RED, GRID_LINE),
    (
        RED_RAMP,
        Ramp(GRID_LINE, WATER, 2),
        Ramp(INK, WATER_SHADED, 5),
        Ramp(INK, WATER_MEDIUM, 4),
        Ramp(MAGENTA, WATER_SHADED, 3),
        Ramp(WHITE, WATER_SHADED, 3),
        Ramp(CONTOUR, WATER_MEDIUM_LIGHT, 3),
    ),
)
