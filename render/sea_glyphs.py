"""Glyphs of the sea that several games use: a turtle, a ship's wheel."""

from typing import Final

from render.geometry import curve
from render.glyphs import Glyph, cut, disc, ellipse, hole, place, ring, shape, stroke

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


def _both_sides(points: tuple[float, ...]) -> Glyph:
    flipped = tuple(-value if i % 2 == 0 else value for i, value in enumerate(points))
    return (*shape(points), *shape(flipped))


TURTLE: Final = (
    *_both_sides(_FRONT_FLIPPER),
    *_both_sides(_BACK_FLIPPER),
    *shape(ellipse(0, -38, 9, 12)),
    *shape(ellipse(0, 6, 25, 31)),
    *cut((-11, -6, 0, -12, 11, -6, 11, 10, 0, 18, -11, 10, -11, -6), 5),
    *cut((0, -12, 0, -28), 4),
    *cut((0, 18, 0, 38), 4),
    *cut((-11, -6, -24, -10), 4),
    *cut((11, -6, 24, -10), 4),
    *cut((-11, 10, -22, 18), 4),
    *cut((11, 10, 22, 18), 4),
)
"""A turtle that swims upwards."""
HELM: Final = (
    *(
        part
        for angle in range(0, 360, 45)
        for part in place((*stroke((8, 0, 44, 0), 8), *disc(45, 0, 5.5)), angle=angle)
    ),
    *ring(0, 0, 33, 9),
    *disc(0, 0, 11),
    *hole(0, 0, 4),
)
"""A ship's wheel."""
