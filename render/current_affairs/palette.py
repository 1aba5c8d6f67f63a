"""The colours of Current Affairs beside those that all games share."""

from typing import Final

from render.scene import Colour
from render.theme import (
    CARD,
    CONTOUR,
    INACTIVE_SIGN,
    INK,
    LAND,
    MAGENTA,
    PANEL,
    SEAT_MARKS,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WATER_SHADED,
    WHITE,
    Ramp,
    make_palette,
)
from rules.current_affairs.components import Port, Trash

BOTTLE_BLUE: Final = 0x5AB0E8
CAN_GREEN: Final = 0x176144
GLASS_YELLOW: Final = 0xF7CF5E
NET_RED: Final = 0xD0481C
RUBBER_GREY: Final = 0xA3A9AE
_BOTTLE_LINE: Final = 0x2F78AE
_GLASS_LINE: Final = 0x8A6A17
_RUBBER_LINE: Final = 0x5F6A72
FLAG_RED: Final = 0xC23A2E
FLAG_GOLD: Final = 0xE8B23A
FLAG_VIOLET: Final = 0x6F57AE

TRASH_COLOURS: Final = {
    Trash.PLASTIC: (BOTTLE_BLUE, INK),
    Trash.ALUMINIUM: (CAN_GREEN, WHITE),
    Trash.GLASS: (GLASS_YELLOW, INK),
    Trash.NET: (NET_RED, WHITE),
    Trash.RUBBER: (RUBBER_GREY, INK),
}
"""Colours of a token's background and of its sign."""
SLOT_COLOURS: Final[dict[Trash, Colour]] = {
    Trash.PLASTIC: _BOTTLE_LINE,
    Trash.ALUMINIUM: CAN_GREEN,
    Trash.GLASS: _GLASS_LINE,
    Trash.NET: NET_RED,
    Trash.RUBBER: _RUBBER_LINE,
}
"""Colour of the outline and the sign of an empty slot."""
PORT_COLOURS: Final = {
    Port.WHITE: WHITE,
    Port.RED: FLAG_RED,
    Port.GOLD: FLAG_GOLD,
    Port.VIOLET: FLAG_VIOLET,
}

PALETTE: Final = make_palette(
    (
        BOTTLE_BLUE,
        CAN_GREEN,
        GLASS_YELLOW,
        NET_RED,
        RUBBER_GREY,
        _BOTTLE_LINE,
        _GLASS_LINE,
        _RUBBER_LINE,
        FLAG_RED,
        FLAG_GOLD,
        FLAG_VIOLET,
    ),
    (
        Ramp(INK, BOTTLE_BLUE, 6),
        Ramp(WHITE, CAN_GREEN, 5),
        Ramp(INK, GLASS_YELLOW, 6),
        Ramp(WHITE, NET_RED, 5),
        Ramp(INK, RUBBER_GREY, 5),
        Ramp(INK, CAN_GREEN, 3),
        Ramp(INK, NET_RED, 4),
        Ramp(_BOTTLE_LINE, CARD, 5),
        Ramp(CAN_GREEN, CARD, 4),
        Ramp(_GLASS_LINE, CARD, 5),
        Ramp(NET_RED, CARD, 4),
        Ramp(_RUBBER_LINE, CARD, 5),
        Ramp(WHITE, FLAG_RED, 3),
        Ramp(WHITE, FLAG_VIOLET, 3),
        Ramp(INK, FLAG_GOLD, 4),
        Ramp(INK, FLAG_RED, 3),
        Ramp(INK, FLAG_VIOLET, 3),
        Ramp(CONTOUR, WATER, 5),
        Ramp(CONTOUR, CARD, 3),
        Ramp(WATER_MEDIUM_LIGHT, LAND, 3),
        Ramp(WATER_MEDIUM_LIGHT, WATER, 2),
        Ramp(MAGENTA, CONTOUR, 3),
        Ramp(MAGENTA, CARD, 3),
        Ramp(WATER_MEDIUM, CARD, 3),
        Ramp(INACTIVE_SIGN, WATER_SHADED, 3),
        Ramp(INACTIVE_SIGN, PANEL, 3),
        Ramp(WHITE, CONTOUR, 3),
        Ramp(INK, WATER_SHADED, 4),
        Ramp(WHITE, SEAT_MARKS[3].colour, 3),
    ),
)
