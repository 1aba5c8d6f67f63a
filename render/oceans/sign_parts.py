"""Parts of which the signs of Oceans are made: creatures, teeth, strands, arrows."""

import math
from typing import Final

from render.geometry import arc, complete_half, curve, flip
from render.glyphs import Glyph, cut_disc, cut_stroke, disc, place, shape, stroke


def repeat_around(glyph: Glyph, count: int, start: float = 0) -> Glyph:
    """Return a part ``count`` times, rotated round the middle; ``start``: degrees of the first."""
    return tuple(item for i in range(count) for item in place(glyph, angle=start + 360 * i / count))


def spikes(inner: float, outer: float, count: int, width: float = 8) -> Glyph:
    """Return strokes that point outwards."""
    return repeat_around(stroke((inner, 0.0, outer, 0.0), width), count, -90)


def teeth(y: float, height: float, half_width: float, count: int) -> Glyph:
    """Return triangles side by side, their tips ``height`` below ``y`` (above if negative)."""
    width = 2 * half_width / count
    return tuple(
        item
        for i in range(count)
        for item in shape(
            (
                -half_width + i * width,
                y,
                -half_width + (i + 1) * width,
                y,
                -half_width + (i + 0.5) * width,
                y + height,
            )
        )
    )


def helix() -> Glyph:
    """Return a double strand with rungs."""
    strand = tuple(v for i in range(31) for v in (24 * math.sin(i / 30 * 2 * math.pi), -46 + 92 * i / 30))
    rungs = ((-20, -28, 20, -28), (-20, -14, 20, -14), (-20, 14, 20, 14), (-20, 28, 20, 28))
    return (
        *(item for rung in rungs for item in stroke(rung, 6)),
        *stroke(strand, 9),
        *stroke(flip(strand), 9),
    )


def arrow(x: float, y: float, length: float, angle: float, width: float = 10) -> Glyph:
    """Return an arrow centred on (x, y); angle in degrees, clockwise from east."""
    half = length / 2
    part = (
        *stroke((-half, 0.0, half - width, 0.0), width),
        *shape((half - width * 1.7, -width * 1.6, half + 2, 0.0, half - width * 1.7, width * 1.6)),
    )
    return place(part, x, y, 1, angle)


# fmt: off
FIN: Final = shape(
    curve((-36, 24), (-24, -10), (-4, -38), (30, -46), (14, -26), (12, 2), (24, 24), (4, 24), (-16, 24),
        (-36, 24))
)
"""A back fin."""
FLUKE: Final = shape(
    complete_half(
        (
            *curve((0, -14), (6, -34), (28, -40), (48, -34), (40, -12), (24, 2), (10, 6)),
            *curve((10, 6), (8, 20), (10, 34), (16, 46), (8, 48), (4, 48), (0, 48)),
        )
    )
)
"""A whale's tail."""
BALEEN: Final = (
    *shape(
        curve((-50, -32), (-20, -32), (20, -32), (50, -32), (44, -2), (-44, -2), (-50, -32))
    ),
    *(
        item
        for x, bottom in ((-34, 26), (-17, 38), (0, 42), (17, 38), (34, 26))
        for item in stroke((x, -22, x, bottom), 8)
    ),
)
BLOT: Final = (
    *disc(0, 2, 28),
    *disc(-26, 12, 17),
    *disc(25, 10, 18),
    *disc(14, -20, 17),
    *disc(-15, -20, 16),
    *disc(-4, 28, 17),
    *disc(38, -30, 8),
    *disc(-40, -24, 6),
    *disc(34, 38, 7),
)
"""Ink."""
HOOK: Final = (
    *stroke((22, -46, 22, 14), 11),
    *stroke(arc(-6, 14, 28, 0, 180, 20), 11),
    *shape((-46, 18, -34, -18, -14, 12)),
    *disc(22, -42, 9),
)
"""A leech's hook."""
JELLY: Final = (
    *shape((*arc(0, -8, 36, 180, 360, 24), 36.0, 0.0, -36.0, 0.0)),
    *(
        item
        for x, lean in ((-26, -10), (-9, -4), (9, 4), (26, 10))
        for item in stroke(curve((x, 0), (x + lean + 8, 16), (x - 8, 28), (x + lean, 46)), 8)
    ),
)
WHALE: Final = (
    *shape(
        curve((-30, 10), (-20, -26), (16, -34), (36, -18), (52, -4), (46, 28), (18, 30),
              (-6, 32), (-24, 26), (-34, 6), (-40, 4), (-46, -2), (-50, -22), (-42, -16), (-38, -16),
                  (-34, -10),
              (-32, -20), (-26, -24), (-16, -26), (-18, -10), (-24, 0), (-30, 10))
    ),
    *cut_disc(32, 0, 5),
    *cut_stroke(curve((46, 12), (34, 16), (22, 14), (14, 8)), 5),
)
SPOUT: Final = (
    *stroke(curve((16, -36), (16, -46), (8, -50), (0, -46)), 7),
    *stroke(curve((16, -36), (16, -46), (24, -50), (32, -46)), 7),
)
DROP: Final = shape(
    complete_half(curve((0, -48), (10, -24), (34, -2), (34, 18), (34, 36), (18, 48), (0, 48)))
)
CROSS: Final = (*cut_stroke((-12, 4, 12, 28), 9), *cut_stroke((12, 4, -12, 28), 9))
"""Two crossed cuts."""
SQUID_MANTLE: Final = (
    *shape(complete_half(curve((0, -50), (14, -40), (34, -24), (30, -16), (20, -14), (18, 0), (16, 12),
        (10, 14), (4, 14), (0, 14)))),
    *cut_disc(-7, 2, 4),
    *cut_disc(7, 2, 4),
)
SQUID_ARMS: Final = tuple(
    item
    for x, lean in ((-13, -22), (-5, -7), (5, 7), (13, 22))
    for item in stroke(curve((x, 8), (x, 24), (x + lean, 26), (x + lean * 1.2, 46)), 7)
)
BONE: Final = (
    *stroke((-26, 0, 26, 0), 14),
    *disc(-32, -10, 13),
    *disc(-32, 10, 13),
    *disc(32, -10, 13),
    *disc(32, 10, 13),
)
RAYS: Final = spikes(30, 46, 8, 8)
MOUTH: Final = (
    *shape((*arc(0, 0, 42, 32, 328, 30), 0.0, 0.0)),
    *cut_disc(-4, -22, 6),
)
KRAKEN_ARM_CURVE: Final = curve(
    (-12, 34), (-26, 10), (-4, -8), (-12, -30), (-16, -48), (-40, -46), (-40, -28), (-39, -18),
        (-28, -18), (-27, -25)
)
SHELL: Final = shape(
    complete_half(curve((0, -40), (28, -42), (50, -16), (46, 6), (40, 22), (24, 30), (16, 36), (18, 44),
        (10, 46), (0, 46)))
)
CLAW: Final = (
    *shape(curve((-8, 46), (-44, 22), (-46, -24), (-10, -48), (-16, -28), (-14, -14), (-4, -2),
        (-2, -18), (8, -38), (28, -44),
                 (48, -8), (34, 30), (8, 46), (4, 48), (-4, 48), (-8, 46))),
)
WINGS: Final = shape(
    complete_half(
        curve((0, -16), (6, -28), (12, -18), (16, -26), (30, -40), (44, -36), (52, -14), (40, -14),
            (36, -6), (34, 2),
              (28, -8), (18, -4), (16, 8), (12, 0), (8, 12), (0, 48))
    )
)
# fmt: on
