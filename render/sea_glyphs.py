"""Glyphs that several games use: a turtle, a ship's wheel, a bottle, a net, locks."""

from typing import Final

from render.geometry import arc, complete_half, curve, flip
from render.glyphs import Glyph, cut_disc, cut_stroke, disc, ellipse, place, ring, shape, stroke

_FRONT_FLIPPER: Final = curve(
    (16, -22),
    (28, -36),
    (44, -34),
    (48, -10),
    (40, -14),
    (30, -12),
    (22, -4),
    (20, -10),
    (18, -16),
    (16, -22),
)
_BACK_FLIPPER: Final = curve(
    (14, 24), (22, 28), (32, 36), (30, 48), (22, 44), (14, 40), (8, 34), (10, 30), (12, 27), (14, 24)
)


def _mirrored_pair(points: tuple[float, ...]) -> Glyph:
    """Return a filled shape and its mirror image across x = 0."""
    return (*shape(points), *shape(flip(points)))


TURTLE: Final = (
    *_mirrored_pair(_FRONT_FLIPPER),
    *_mirrored_pair(_BACK_FLIPPER),
    *shape(ellipse(0, -38, 9, 12)),
    *shape(ellipse(0, 6, 25, 31)),
    *cut_stroke((-11, -6, 0, -12, 11, -6, 11, 10, 0, 18, -11, 10, -11, -6), 5),
    *cut_stroke((0, -12, 0, -28), 4),
    *cut_stroke((0, 18, 0, 38), 4),
    *cut_stroke((-11, -6, -24, -10), 4),
    *cut_stroke((11, -6, 24, -10), 4),
    *cut_stroke((-11, 10, -22, 18), 4),
    *cut_stroke((11, 10, 22, 18), 4),
)
"""A turtle that swims upwards."""
WHEEL: Final = (
    *(
        part
        for angle in range(0, 360, 45)
        for part in place((*stroke((8, 0, 44, 0), 8), *disc(45, 0, 5.5)), angle=angle)
    ),
    *ring(0, 0, 33, 9),
    *disc(0, 0, 11),
    *cut_disc(0, 0, 4),
)
"""A ship's wheel."""
BOTTLE: Final = (
    *shape((-10, -50, 10, -50, 10, -38, -10, -38)),
    *shape(complete_half(curve((0, -33), (10, -33), (10, -26), (10, -22), (24, -14), (26, -4), (26, 6)))),
    *shape((-26, 14, 26, 14, 26, 46, 22, 50, -22, 50, -26, 46)),
    *shape((-26, 2, 26, 2, 26, 8, -26, 8)),
)
NET: Final = tuple(
    item
    for angle in (45, -45)
    for offset in (-22, 0, 22)
    for item in place(
        stroke((-40 + abs(offset) * 0.6, offset, 40 - abs(offset) * 0.6, offset), 9), angle=angle
    )
)
_SHACKLE: Final = arc(0, -14, 20, 180, 360)
LOCK: Final = (
    *shape((-32, -6, 32, -6, 32, 46, -32, 46)),
    *stroke((-20, -4, *_SHACKLE, 20, -4), 10),
    *cut_disc(0, 16, 7),
    *cut_stroke((0, 18, 0, 32), 6),
)
OPEN_LOCK: Final = (
    *shape((-32, -2, 32, -2, 32, 46, -32, 46)),
    *stroke((20, 0, 20, -26, *arc(38, -26, 18, 180, 350)), 9),
    *cut_disc(0, 18, 7),
    *cut_stroke((0, 20, 0, 34), 6),
)
"""An open padlock: a lock that was removed."""
