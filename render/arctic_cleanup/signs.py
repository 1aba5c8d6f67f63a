"""The signs of Arctic CleanUp as glyphs: plastics, cards, factory, bag."""

from typing import Final

from render.geometry import arc, complete_half, curve
from render.glyphs import cut_shape, cut_stroke, ellipse, place, ring, shape, stroke
from render.sea_glyphs import BOTTLE, NET
from rules.arctic_cleanup.components import Card, Plastic

CANISTER: Final = (
    *shape((-36, -22, -20, -22, -6, -36, 36, -36, 36, 46, -36, 46)),
    *shape((-34, -44, -18, -44, -18, -28, -34, -28)),
    *cut_shape((0, -24, 24, -24, 24, -10, 0, -10)),
)
PLASTIC_BAG: Final = shape(complete_half((8, -14, 12, -46, 26, -46, 28, -10, 36, 44, 0, 44)))
SANDAL: Final = (
    *place(shape(ellipse(0, 0, 24, 48)), angle=35),
    *place(cut_stroke((-18, -8, 0, -28, 18, -8), 7), angle=35),
    *place(cut_stroke((0, -28, 0, -40), 6), angle=35),
)
GLASSES: Final = (
    *ring(-24, 6, 22, 9),
    *ring(24, 6, 22, 9),
    *stroke((-6, 0, 6, 0), 9),
    *stroke((-44, -2, -40, -24, -28, -28), 8),
    *stroke((44, -2, 40, -24, 28, -28), 8),
)
CUP: Final = (
    *shape((-30, -18, 30, -18, 22, 48, -22, 48)),
    *shape((-36, -30, 36, -30, 36, -22, -36, -22)),
    *stroke((2, -34, 10, -50, 28, -50), 7),
)
FORK: Final = (
    *stroke((0, 0, 0, 48), 12),
    *stroke((-20, -46, -20, -14), 9),
    *stroke((0, -46, 0, -4), 9),
    *stroke((20, -46, 20, -14), 9),
    *stroke(arc(0, -14, 20, 0, 180), 10),
)
PLASTIC_SIGNS: Final = {
    Plastic.HDPE: CANISTER,
    Plastic.LDPE: PLASTIC_BAG,
    Plastic.EVA: SANDAL,
    Plastic.PMMA: GLASSES,
    Plastic.PET: BOTTLE,
    Plastic.PA6: NET,
    Plastic.PP: CUP,
    Plastic.PS: FORK,
}

DIE: Final = (
    *shape((-42, -42, 42, -42, 42, 42, -42, 42)),
    *cut_stroke((0, 28, 0, -20), 13),
    *cut_stroke((-18, -6, 0, -26, 18, -6), 12),
)
SHIP: Final = (
    *shape((-50, 14, 50, 14, 38, 44, -38, 44)),
    *shape((-34, -8, 6, -8, 6, 8, -34, 8)),
    *stroke((20, 12, 20, -48), 8),
    *shape((20, -48, 46, -38, 20, -26)),
)
HOOK: Final = (
    *stroke((0, -48, 0, 2), 12),
    *stroke((-14, -26, 14, -26), 9),
    *stroke(curve((0, 2), (30, 4), (34, 44), (2, 44), (-18, 44), (-24, 30), (-20, 18)), 12),
)
MAGNIFIER: Final = (*ring(-10, -10, 36, 12), *stroke((18, 18, 42, 42), 16))
FACTORY: Final = (
    *shape((-48, 46, -48, -8, -22, 8, -22, -8, 4, 8, 8, -46, 28, -46, 34, 46)),
    *shape((30, -4, 48, -4, 48, 46, 30, 46)),
    *cut_shape((-36, 18, -24, 18, -24, 30, -36, 30)),
    *cut_shape((-12, 18, 0, 18, 0, 30, -12, 30)),
    *cut_shape((12, 18, 24, 18, 24, 30, 12, 30)),
)
CARD_SIGNS: Final = {
    Card.PLAN: DIE,
    Card.MOVE: SHIP,
    Card.LOAD: HOOK,
    Card.ANALYZE: MAGNIFIER,
    Card.UNLOAD: FACTORY,
}
TOKEN_BAG: Final = (
    *shape(
        complete_half(
            curve(
                (0, -20),
                (10, -20),
                (14, -20),
                (14, -20),
                (44, 0),
                (46, 20),
                (44, 40),
                (40, 50),
                (20, 48),
                (0, 48),
            )
        )
    ),
    *shape((-16, -46, 16, -46, 10, -26, -10, -26)),
)
"""The bag that tokens are drawn from."""
