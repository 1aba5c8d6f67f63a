"""Glyphs: small signs of one colour, and the shapes they are composed of.

A glyph fills a square from -50 to 50 both ways.  It has a foreground and parts that are left out, which show
the background; so the same glyph can be drawn on a pale tile and on a dark one.
"""

import math
from functools import lru_cache
from typing import Final, TypeAlias

from render.geometry import curve, transform
from render.scene import Colour, Disc, Item, Line, Points, Polygon

Glyph: TypeAlias = tuple[Item, ...]
"""Polygons, lines and discs in a glyph's square, in the colours ``_FOREGROUND`` and ``_BACKGROUND``."""

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


def cut_stroke(points: Points, width: float = 6) -> Glyph:
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


def wavy_line(
    y: float, half_width: float, amplitude: float = 4, wave_count: float = 2, x: float = 0
) -> Points:
    """Return a wavy line from left to right."""
    coordinates: list[float] = []
    for i in range(31):
        coordinates += (
            x - half_width + 2 * half_width * i / 30,
            y - amplitude * math.sin(i / 30 * wave_count * 2 * math.pi),
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
    glyph: Glyph, x: float, y: float, size: float, colour: Colour, background: Colour, angle: float = 0
) -> tuple[Item, ...]:
    """Draw a glyph centred on (x, y), ``size`` pixels wide; ``background``: the colour on which it lies."""
    return tuple(_transform_item(item, x, y, size / 100, angle, colour, background) for item in glyph)


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
