"""The signs of the Surface traits, by family.  Deep traits of the same family have the same sign."""

from typing import Final

from render.glyphs import Glyph, disc, fish, plus, ring, ripple, stroke, turned
from render.oceans.creatures import BLOT, COMB, FIN, FLUKE, HOOK, JELLY
from render.outline import curve, dashes

# fmt: off
_SWIMMER: Final = fish(0, 0, 23)
_OUTLINE: Final = (
    *curve((-34, 0), (-14, -32), (28, -32), (46, 0), (28, 32), (-14, 32), (-34, 0)),
    -48.0, -18.0, -48.0, 18.0, -34.0, 0.0,
)

SURFACE_SIGNS: Final[dict[str, Glyph]] = {
    "Apex Predator": (*turned(FIN, 2, -6), *stroke(ripple(34, 46, 6, 2), 10)),
    "Bottom Feeder": (
        *fish(0, -8, 42),
        *stroke((-46, 30, 46, 30), 9),
        *disc(-26, 44, 6),
        *disc(8, 46, 6),
        *disc(34, 43, 5),
    ),
    "Filter Feeder": COMB,
    "Inking": BLOT,
    "Parasitic": HOOK,
    "Schooling": (
        *turned(_SWIMMER, -22, -24),
        *turned(_SWIMMER, 25, -4),
        *turned(_SWIMMER, -20, 24),
    ),
    "Shark Cleaner": (*turned(FIN, -10, -2), *plus(28, 24, 20, 11)),
    "Speed": tuple(
        item for x in (-30, 0, 30) for item in stroke((x - 13, -30, x + 13, 0, x - 13, 30), 11)
    ),
    "Symbiotic": (*ring(-19, 0, 30, 10), *ring(19, 0, 30, 10)),
    "Tentacled": JELLY,
    "Transparent": (
        *(item for part in dashes(_OUTLINE, 14, 13)[:-1] for item in stroke(part, 9)),
        *disc(24, -6, 6),
    ),
    "Whale Cleaner": (*turned(FLUKE, -8, -2, 0.92), *plus(30, 26, 20, 11)),
}
"""Family -> sign."""
# fmt: on
