"""Colours, seat marks, text sizes and spacing: the look of a nautical chart, shared by all games."""

from typing import Final, NamedTuple

import msgspec

from render.scene import Colour

PAPER: Final = 0xF6F2E7
PANEL: Final = 0xEFE9DA
HAIRLINE_COLOUR: Final = 0xB9C4C6
SHADOW: Final = 0xDAD5C5
CARD: Final = 0xFFFDF7
WHITE: Final = 0xFFFFFF
WATER: Final = 0xD9EAF0
WATER_SHADED: Final = 0xC6DEE8
"""The darker squares of a board of water, regions that cannot be reached, empty parts of a population bar."""
WATER_MEDIUM_LIGHT: Final = 0xBCD8E3
"""Darker than ``WATER_SHADED``, lighter than ``WATER_MEDIUM``."""
WATER_MEDIUM: Final = 0x93BDD0
CONTOUR: Final = 0x5E8FA7
LAND: Final = 0xE9DFC3
INK: Final = 0x12304A
SECONDARY_INK: Final = 0x4A6274
MUTED_INK: Final = 0x617682
INACTIVE_SIGN: Final = 0x73889A
"""Arrows and signs that have no effect now; never text."""
DEEP_BLUE: Final = 0x1B4766
MAGENTA: Final = 0x9C1F8A
"""What changed in the newest turn.  No seat has it."""
RED: Final = 0xBE2D1A
"""Hearts and diamonds, and warnings; for games that add it to their palette (``RED_RAMP``)."""


class SeatMark(msgspec.Struct, frozen=True, gc=False):
    """How a seat is marked: by a colour, a shape and a letter."""

    letter: str
    shape: str
    colour: Colour
    letter_colour: Colour
    """The letter's colour on the mark."""
    tint: Colour
    """About a quarter of the seat's colour on the card colour: for headers, factories, planned ships."""


def blend(over: Colour, under: Colour, share: float) -> Colour:
    """Blend two colours as antialiasing does where ``over`` covers the share ``share`` of a pixel."""
    channels = (
        round(((over >> shift) & 255) * share + ((under >> shift) & 255) * (1 - share))
        for shift in (16, 8, 0)
    )
    red, green, blue = channels
    return red << 16 | green << 8 | blue


def _make_seat_mark(letter: str, shape: str, colour: Colour, letter_colour: Colour) -> SeatMark:
    return SeatMark(letter, shape, colour, letter_colour, blend(colour, CARD, 0.26))


SEAT_MARKS: Final = (
    _make_seat_mark("A", "disc", 0xB5301A, WHITE),
    _make_seat_mark("B", "square", 0x2160C4, WHITE),
    _make_seat_mark("C", "triangle", 0xF2A922, INK),
    _make_seat_mark("D", "diamond", 0x3DAF86, INK),
    _make_seat_mark("E", "hexagon", 0xFFFFFF, INK),
    _make_seat_mark("F", "star", 0x2B2B33, WHITE),
)
"""By seat."""

# Text sizes (pixels of a picture 1200 wide)
SMALL_SIZE: Final = 24
"""The smallest size: only for names of things that their place or a sign identifies too."""
LEGEND_SIZE: Final = 26
BODY_SIZE: Final = 30
NAME_SIZE: Final = 32
VALUE_SIZE: Final = 36
KEY_NUMBER_SIZE: Final = 46
TITLE_SIZE: Final = 48

# Spacing
PICTURE_WIDTH: Final = 1200
"""Width of every picture."""
MIN_BOARD_HEIGHT: Final = PICTURE_WIDTH
"""The smallest height of pictures of a whole board; most are square."""
SMALL_PICTURE_HEIGHT: Final = 900
"""The height of pictures that are not a whole board: hands, players' own boards, competitions.

In Oceans these may be higher.
"""
MARGIN: Final = 28
GAP: Final = 14
PANEL_TOP: Final = 100
PANEL_HEIGHT: Final = 96
BOARD_TOP: Final = 212
LEGEND_Y: Final = 1161
"""The middle of the legend's line."""

# Line widths
HAIRLINE_WIDTH: Final = 2.0
NORMAL_LINE_WIDTH: Final = 2.5
ACTIVE_LINE_WIDTH: Final = 3.5
"""Round what counts now, such as a region that can be reached or a Scenario card in force."""
EMPHASIS_LINE_WIDTH: Final = 5.0
"""Round what stands out most, such as what belongs to the seat whose turn it is, or a winner."""


class Ramp(NamedTuple):
    """Two colours that meet along smoothed edges."""

    first: Colour
    second: Colour
    blend_count: int
    """How many blends of the two the palette holds."""


_SHARED_COLOURS: Final = (
    PAPER, PANEL, HAIRLINE_COLOUR, SHADOW, CARD, WHITE, WATER, WATER_SHADED, WATER_MEDIUM_LIGHT, WATER_MEDIUM,
    CONTOUR, LAND, INK, SECONDARY_INK, MUTED_INK, INACTIVE_SIGN, DEEP_BLUE, MAGENTA,
    *(mark.colour for mark in SEAT_MARKS),
)  # fmt: skip
_SHARED_RAMPS: Final = (
    Ramp(INK, CARD, 11),
    Ramp(INK, PAPER, 9),
    Ramp(INK, PANEL, 7),
    Ramp(INK, WATER, 9),
    Ramp(INK, SHADOW, 3),
    Ramp(INK, LAND, 3),
    Ramp(WHITE, INK, 5),
    Ramp(SECONDARY_INK, PAPER, 6),
    Ramp(SECONDARY_INK, PANEL, 3),
    Ramp(SECONDARY_INK, WATER, 5),
    Ramp(SECONDARY_INK, CARD, 5),
    Ramp(MAGENTA, WHITE, 9),
    Ramp(MAGENTA, PAPER, 3),
    Ramp(MAGENTA, WATER, 5),
    Ramp(WHITE, WATER, 3),
    Ramp(DEEP_BLUE, WATER_MEDIUM, 4),
    Ramp(DEEP_BLUE, WHITE, 6),
    Ramp(DEEP_BLUE, PAPER, 4),
    Ramp(DEEP_BLUE, CARD, 3),
    Ramp(HAIRLINE_COLOUR, PAPER, 3),
    Ramp(INACTIVE_SIGN, PANEL, 4),
    Ramp(INACTIVE_SIGN, WATER, 3),
    Ramp(WATER_MEDIUM, PAPER, 3),
    Ramp(WATER_MEDIUM, WATER, 3),
    Ramp(SHADOW, PAPER, 2),
    *(Ramp(INK, mark.colour, 5) for mark in SEAT_MARKS),
    *(Ramp(mark.letter_colour, mark.colour, 3) for mark in SEAT_MARKS if mark.letter_colour == WHITE),
)
RED_RAMP: Final = Ramp(RED, CARD, 9)
COLOURED_SEAT_TINTS: Final = tuple(mark.tint for mark in SEAT_MARKS if mark.letter != "E")
"""The tints of seats that are not white; for games that add them to their palette."""
MAX_SHARED_COLOURS: Final = 150
"""The most colours that all games share; each game may add colours of its own up to ``MAX_COLOURS``."""
MAX_COLOURS: Final = 255
"""The most colours of a palette: 256, less the one that animated pictures take for transparency."""


def make_palette(own_colours: tuple[Colour, ...] = (), ramps: tuple[Ramp, ...] = ()) -> tuple[Colour, ...]:
    """Return every colour that a game's pictures may contain: the shared ones, its own, and the blends.

    Raises ValueError if there are more than ``MAX_COLOURS``.
    """
    # Blends that agree in the upper five bits of each channel look alike: one of them is enough.
    colours = dict.fromkeys((*_SHARED_COLOURS, *own_colours))
    coarse_colours = {colour & 0xF8F8F8 for colour in colours}
    for first, second, blend_count in (*_SHARED_RAMPS, *ramps):
        for step in range(1, blend_count + 1):
            colour = blend(first, second, step / (blend_count + 1))
            if colour & 0xF8F8F8 not in coarse_colours:
                coarse_colours.add(colour & 0xF8F8F8)
                colours[colour] = None
    if len(colours) > MAX_COLOURS:
        raise ValueError(f"{len(colours)} colours do not fit into a palette")
    return tuple(colours)


SHARED_PALETTE: Final = make_palette()
"""The colours of pictures that belong to no game: those of the theme and their blends."""
