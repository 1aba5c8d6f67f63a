"""Glyphs: small signs of one colour, and the shapes they are composed of.

A glyph fills a square from -50 to 50 both ways.  It has a foreground and parts that are left out, which show
the background; so the same glyph can be drawn on a pale tile and on a dark one.
"""

import math
from functools import lru_cache
from typing import Final, TypeAlias

from render.geometry import curve, transform
from render.scene import Colour, Disc, Item, Line, Points, Polygon
from render.theme import HAIRLINE_COLOUR, INK

Glyph: TypeAlias = tuple[Item, ...]
"""Items in a glyph's square whose colours are ``_FOREGROUND`` or ``_BACKGROUND``."""

_FOREGROUND: Final = 1
_BACKGROUND: Final = 0

# Shapes to compose a glyph of ---------------------------------------------------------------------------


def disc(x: float, y: float, radius: float) -> Glyph:
    """Return a filled circle."""
    return (Disc(x, y, radius, _FOREGROUND),)


def cut_disc(x: float, y: float, radius: float) -> Glyph:
    """Return a circle left out."""
    return (Disc(x, y, radius, _BACKGROUND),)


def ring(x: float, y: float, radius: float, width: float = 8) -> Glyph:
    """Return the outline of a circle; it lies inside the radius."""
    return (Disc(x, y, radius, None, _FOREGROUND, width),)


def shape(points: Points) -> Glyph:
    """Return a filled shape, given by its outline."""
    return (Polygon(points, _FOREGROUND),)


def cut_shape(points: Points) -> Glyph:
    """Return a shape left out, given by its outline."""
    return (Polygon(points, _BACKGROUND),)


def stroke(points: Points, width: float = 9) -> Glyph:
    """Return an open line with round ends."""
    return (Line(points, _FOREGROUND, width),)


def cut_line(points: Points, width: float = 6) -> Glyph:
    """Return an open line left out."""
    return (Line(points, _BACKGROUND, width),)


def place(glyph: Glyph, x: float = 0, y: float = 0, scale: float = 1, angle: float = 0) -> Glyph:
    """Return a glyph scaled, rotated (degrees, clockwise) and moved, to be part of another glyph."""
    return tuple(_transform_item(item, x, y, scale, angle, _FOREGROUND, _BACKGROUND) for item in glyph)


def lens(half_width: float, half_height: float) -> Points:
    """Return a pointed oval round (0, 0): an eye, a body, a leaf."""
    near, far = half_width * 0.5, half_height * 1.3
    return curve((-half_width, 0), (-near, -far), (near, -far), (half_width, 0), (near, far), (-near, far),
                 (-half_width, 0))  # fmt: skip


def ellipse(x: float, y: float, half_width: float, half_height: float, steps: int = 28) -> Points:
    """Return an ellipse."""
    coordinates: list[float] = []
    for i in range(steps):
        angle = 2 * math.pi * i / steps
        coordinates += (x + half_width * math.cos(angle), y + half_height * math.sin(angle))
    return tuple(coordinates)


def wavy_line(y: float, half_width: float, height: float = 4, waves: float = 2, x: float = 0) -> Points:
    """Return a wavy line from left to right."""
    coordinates: list[float] = []
    for i in range(31):
        coordinates += (
            x - half_width + 2 * half_width * i / 30,
            y - height * math.sin(i / 30 * waves * 2 * math.pi),
        )
    return tuple(coordinates)


def plus(x: float, y: float, half: float, width: float = 10) -> Glyph:
    """Return a plus with a gap round it, so that it stands out from what lies below."""
    bars = ((x - half, y, x + half, y), (x, y - half, x, y + half))
    return (
        *(Line(bar, _BACKGROUND, width + 10) for bar in bars),
        *(Line(bar, _FOREGROUND, width) for bar in bars),
    )


def fish(x: float, y: float, half: float) -> Glyph:
    """Return a fish that swims to the right."""
    body = transform(lens(0.72, 0.36), x + half * 0.28, y, half)
    tail = transform((-0.3, 0.0, -1.0, -0.46, -0.84, 0.0, -1.0, 0.46), x, y, half)
    return (*shape(body), *shape(tail), *cut_disc(x + half * 0.58, y - half * 0.1, max(half * 0.09, 3)))


# Drawing a glyph ----------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def draw_glyph(
    glyph: Glyph, x: float, y: float, size: float, colour: Colour, ground: Colour, angle: float = 0
) -> tuple[Item, ...]:
    """Draw a glyph centred on (x, y), ``size`` pixels wide, on a background of the colour ``ground``."""
    return tuple(_transform_item(item, x, y, size / 100, angle, colour, ground) for item in glyph)


def _transform_item(
    item: Item, x: float, y: float, scale: float, angle: float, foreground: Colour, background: Colour
) -> Item:
    def colour_of(role: Colour | None) -> Colour | None:
        return None if role is None else foreground if role == _FOREGROUND else background

    match item:
        case Polygon(points=points, fill=fill):
            return Polygon(transform(points, x, y, scale, angle), colour_of(fill))
        case Line(points=points, colour=colour, width=width):
            return Line(transform(points, x, y, scale, angle), colour_of(colour) or 0, width * scale)
        case Disc(x=cx, y=cy, radius=radius, fill=fill, outline=outline, outline_width=width):
            middle = transform((cx, cy), x, y, scale, angle)
            return Disc(
                middle[0], middle[1], radius * scale, colour_of(fill), colour_of(outline), width * scale
            )
        case _:
            raise ValueError(f"a glyph cannot contain {item!r}")


# Glyphs for values and events ---------------------------------------------------------------------------

LEAF: Final = (
    *shape(curve((-44, 44), (-52, -6), (-14, -48), (46, -46), (50, 14), (6, 52), (-44, 44))),
    *cut_line((-30, 31, 22, -22), 7),
)
"""Forage."""
FANG: Final = shape(
    curve((-46, -40), (-18, -24), (18, -24), (46, -40), (46, -12), (24, 24), (0, 46),
          (-24, 24), (-46, -12), (-46, -40))
)  # fmt: skip
"""Attack."""
SHIELD: Final = shape(
    curve((-42, -36), (-22, -36), (-10, -42), (0, -48), (10, -42), (22, -36), (42, -36),
          (44, 8), (30, 34), (0, 50), (-30, 34), (-44, 8), (-42, -36))
)  # fmt: skip
"""Defence, and the score pile, which lies behind its owner's shield."""
FISH: Final = fish(0, 0, 48)
"""Population gained."""
HOURGLASS: Final = (
    *stroke((-30, -44, 30, -44), 11),
    *stroke((-30, 44, 30, 44), 11),
    *shape((-24, -40, 24, -40, 5, 0, 24, 40, -24, 40, -5, 0)),
    *cut_shape((-11, -32, 11, -32, 0, -12)),
)
"""Aging."""
BOLT: Final = shape((10, -50, -30, 8, -4, 8, -12, 50, 30, -12, 4, -12))
"""Something that happens at once."""
SWELL: Final = tuple(item for y in (-22, 0, 22) for item in stroke(wavy_line(y, 40, 6), 9))
"""Something that lasts."""
EYE: Final = (*shape(lens(48, 32)), *cut_shape(lens(36, 22)), *disc(0, 0, 15), *cut_disc(5, -5, 4))
"""Cards that everybody has seen."""
TRAIT_SLOT: Final = (
    *shape((-34, -46, 22, -46, 22, 46, -34, 46)),
    *cut_shape((-24, -36, 12, -36, 12, 36, -24, 36)),
    *plus(24, 16, 20, 11),
)
"""A trait slot."""
BOARD_SPACES: Final = tuple(
    item for x in (-33, 0, 33) for item in shape((x - 13, -24, x + 13, -24, x + 13, 24, x - 13, 24))
)
"""Spaces on a species board."""
SPECIES_BOARD: Final = (
    *shape((-44, -34, 44, -34, 44, 34, -44, 34)),
    *cut_shape((-36, -12, 36, -12, 36, 26, -36, 26)),
    *(item for x in (-20, 0, 20) for item in shape((x - 7, -2, x + 7, -2, x + 7, 16, x - 7, 16))),
)
"""Population on all of a seat's boards."""


@lru_cache(maxsize=128)
def draw_crossed_out_glyph(glyph: Glyph, x: float, y: float, size: float) -> tuple[Item, ...]:
    """Draw a pale glyph, crossed out: the species can never do this."""
    bar = transform((-54, 54, 54, -54), x, y, size / 100)
    return (
        *draw_glyph(glyph, x, y, size * 0.94, HAIRLINE_COLOUR, HAIRLINE_COLOUR),
        Line(bar, INK, max(3.0, size * 0.1)),
    )
