"""The signs of the Deep traits from H to Z that have no Surface relative."""

from typing import Final

from render.glyphs import (
    BOLT,
    Glyph,
    cut,
    disc,
    fish,
    gap,
    hole,
    lens,
    oval,
    plus,
    ring,
    ripple,
    shape,
    stroke,
    turned,
)
from render.oceans.creatures import (
    BLOT,
    BONE,
    CLAW,
    COMB,
    CROSS,
    DROP,
    FIN,
    FLUKE,
    HOOK,
    KRAKEN_ARM,
    MOUTH,
    SHELL,
    around,
    arrow,
    helix,
    spikes,
    teeth,
)
from render.outline import arc, curve, placed

# fmt: off
SIGNS_H_TO_Z: Final[dict[str, Glyph]] = {
    "Hard Shell": (
        *SHELL,
        *(item for x in (-36, -19, 0, 19, 36) for item in cut((x * 0.2, 30, x, -24 + abs(x) * 0.42), 5)),
    ),
    "Hydra": (
        *stroke(curve((0, 46), (-10, 20), (-36, 14), (-32, -16)), 10),
        *stroke((0, 46, 0, -26), 10),
        *stroke(curve((0, 46), (10, 20), (36, 14), (32, -16)), 10),
        *(
            item
            for x, y in ((-30, -22), (0, -36), (30, -22))
            for item in (*disc(x, y, 13), *shape((x, y - 11, x + 20, y + 3, x, y + 11)),
                *hole(x - 1, y - 4, 4))
        ),
    ),
    "Impostor Cleaner": (
        *shape(curve((-48, -24), (-20, -12), (20, -12), (48, -24), (50, 14), (26, 36), (0, 12),
                     (-26, 36), (-50, 14), (-48, -24))),
        *gap(placed(lens(13, 8), -23, 2, 1, 12)),
        *gap(placed(lens(13, 8), 23, 2, 1, -12)),
    ),
    "Kleptoparasitic": turned(CLAW, 0, 0, 1, 24),
    "Leviathan": (
        *stroke(arc(2, 22, 15, 180, 360, 14), 11),
        *stroke(arc(34, 22, 11, 180, 360, 14), 9),
        *stroke(curve((-36, 24), (-36, 0), (-44, -18), (-28, -32)), 12),
        *shape(curve((-36, -40), (-20, -46), (-6, -38), (2, -24), (-10, -20), (-22, -18), (-34, -22),
            (-40, -28), (-40, -36), (-36, -40))),
        *hole(-22, -33, 4),
        *stroke(ripple(38, 46, 5, 3), 7),
    ),
    "Living Ecosystem": (
        *stroke((0, 46, 0, -40), 11),
        *stroke(curve((0, 26), (-10, 8), (-30, 10), (-30, -16)), 10),
        *stroke(curve((0, 16), (10, 0), (30, 2), (30, -26)), 10),
        *stroke((-22, 6, -42, -6), 9),
        *stroke((22, -4, 42, -14), 9),
        *stroke((-22, 46, 22, 46), 8),
    ),
    "Luminous Bacteria": (
        *turned(stroke((-14, 0, 14, 0), 22), -16, 12, 1, -30),
        *turned(stroke((-10, 0, 10, 0), 18), 22, 26, 1, 20),
        *turned(stroke((-9, 0, 9, 0), 16), 20, -12, 1, -60),
        *stroke((-24, -44, -24, -28), 7),
        *stroke((-42, -30, -36, -22), 7),
        *stroke((-6, -36, -12, -26), 7),
    ),
    "Massive Fins": FLUKE,
    "Megamouth": (
        *shape(oval(0, 0, 47, 40)),
        *gap(oval(0, 5, 33, 24)),
        *hole(-24, -26, 4),
        *hole(24, -26, 4),
        *disc(-12, 4, 5),
        *disc(6, 14, 5),
        *disc(14, -4, 5),
    ),
    "Migratory Filter Feeder": (*turned(COMB, 0, -14, 0.86), *arrow(0, 38, 88, 0, 10)),
    "Mucus Cocoon": (
        *shape(placed(oval(0, 0, 26, 47), 0, 0, 1, 24)),
        *(item for y in (-24, -8, 8, 24) for item in cut(placed((-34, y - 6, 34, y + 6), 0, 0, 1, 24), 5)),
    ),
    "Mutualism": (*ring(0, -20, 26, 9), *ring(-20, 16, 26, 9), *ring(20, 16, 26, 9)),
    "Neurotoxin": (*DROP, *CROSS),
    "Pack Hunting": (
        *turned(FIN, -26, -10, 0.56),
        *turned(FIN, 26, -10, 0.56),
        *turned(FIN, 0, 18, 0.66),
    ),
    "Parasite Cleaner": (*turned(HOOK, -10, -2, 0.94), *plus(30, 26, 19, 11)),
    "Pathogen Cultivation": (
        *disc(0, 0, 25),
        *spikes(20, 40, 8, 6),
        *around(disc(42, 0, 7), 8, -90),
        *hole(-8, -6, 5),
        *hole(9, 2, 5),
        *hole(-4, 11, 4),
    ),
    "Poisonous Inking": (*BLOT, *cut((-11, -10, 11, 12), 8), *cut((11, -10, -11, 12), 8)),
    "Poisonous Spines": (*disc(0, 0, 28), *spikes(20, 47, 10, 7), *cut((-9, -9, 9, 9), 7),
        *cut((9, -9, -9, 9), 7)),
    "Rapid Mutation": (*turned(helix(), -18), *turned(BOLT, 26, 0, 0.74)),
    "Regeneration": shape(
        tuple(v for i in range(10) for v in arc(0, 3, 20 if i % 2 else 49, 36 * i - 90, 36 * i - 90, 1)[:2])
    ),
    "Rows of Teeth": (
        *stroke((-46, -38, 46, -38), 10),
        *teeth(-36, 30, 46, 4),
        *stroke((-38, 8, 38, 8), 8),
        *teeth(8, 28, 38, 4),
    ),
    "Scavenger": turned(BONE, 0, 0, 1, -38),
    "Sea Rex": (
        *shape((-44, 30, -48, -28, -22, -4, 0, -40, 22, -4, 48, -28, 44, 30)),
        *disc(-48, -30, 7),
        *disc(0, -42, 8),
        *disc(48, -30, 7),
        *cut((-40, 18, 40, 18), 5),
    ),
    "Sedentary Colony": (
        *stroke((-46, 42, 46, 42), 10),
        *(
            item
            for x, top in ((-28, -8), (0, -26), (28, -2))
            for item in (
                *stroke((x, 38, x, top + 8), 15),
                *stroke((x, top, x - 12, top - 18), 6),
                *stroke((x, top, x, top - 22), 6),
                *stroke((x, top, x + 12, top - 18), 6),
            )
        ),
    ),
    "Slow Metabolism": (
        *ring(6, -6, 34, 9),
        *ring(6, -6, 17, 8),
        *stroke(curve((-44, 22), (-44, 36), (-30, 36), (-20, 36), (0, 36), (20, 36), (44, 36)), 11),
        *stroke((-44, 22, -48, -4), 6),
        *stroke((-42, 22, -34, 0), 6),
    ),
    "Swarming": tuple(
        item
        for x, y in ((-34, -30), (0, -38), (32, -22), (-22, 0), (14, -4), (42, 10), (-38, 28), (-4, 30),
            (28, 36))
        for item in shape((x - 13, y - 9, x + 13, y, x - 13, y + 9))
    ),
    "Tail Whip": (
        *shape(curve((-46, 40), (-40, 10), (0, 2), (24, -16), (38, -26), (44, -38), (46, -50),
            (52, -30), (46, -10), (34, 2),
                     (48, 6), (50, 16), (48, 26), (36, 14), (28, 12), (18, 14), (0, 24), (-20, 28),
                         (-46, 40))),
    ),
    "Telomere Repair": (
        *stroke(curve((-22, -40), (-8, -14), (-8, 14), (-22, 40)), 15),
        *stroke(curve((22, -40), (8, -14), (8, 14), (22, 40)), 15),
        *cut((-32, -24, 32, -24), 5),
        *cut((-32, 24, 32, 24), 5),
    ),
    "Tentacle Leech": (
        *stroke(
            curve((-34, 46), (10, 44), (38, 24), (36, -6), (34, -34), (-2, -42), (-14, -22), (-22, -6),
                (-4, 8), (6, -4)),
            13,
        ),
        *disc(8, 20, 5),
        *disc(-12, 28, 5),
        *disc(18, 4, 5),
    ),
    "The Kraken": (
        *stroke(KRAKEN_ARM, 11),
        *stroke(tuple(-v if k % 2 == 0 else v for k, v in enumerate(KRAKEN_ARM)), 11),
        *stroke(ripple(42, 46, 5, 3), 8),
    ),
    "Tiny": (*ring(-8, -8, 36, 8), *stroke((20, 20, 42, 42), 12), *turned(fish(0, 0, 17), -8, -8)),
    "Tusks": (
        *shape(curve((-10, 46), (-34, 30), (-46, -14), (-26, -46), (-6, -40), (2, -20), (-10, 46))),
        *shape(curve((10, 46), (34, 30), (46, -14), (26, -46), (6, -40), (-2, -20), (10, 46))),
    ),
    "Vestigial Limb": (
        *shape(oval(0, 20, 25, 24)),
        *(
            item
            for x, y, tx, ty in ((-16, 8, -36, -14), (-7, 2, -14, -40), (7, 2, 12, -42), (17, 8, 36, -18))
            for item in (*stroke((x, y, tx, ty), 10), *disc(tx, ty, 7))
        ),
    ),
    "Voracious Feeder": (*turned(MOUTH, -6), *disc(36, 0, 9)),
    "Warm Blooded": (
        *stroke((0, -36, 0, 20), 22),
        *disc(0, 28, 20),
        *cut((0, -30, 0, -12), 8),
        *stroke((24, -34, 38, -34), 7),
        *stroke((24, -14, 38, -14), 7),
    ),
    "Zooplankton": (
        *shape(oval(0, -4, 17, 28)),
        *stroke(curve((-6, -28), (-14, -48), (-40, -44), (-46, -18)), 6),
        *stroke(curve((6, -28), (14, -48), (40, -44), (46, -18)), 6),
        *stroke((0, 20, 0, 38), 8),
        *stroke((0, 36, -12, 48), 6),
        *stroke((0, 36, 12, 48), 6),
        *hole(0, -14, 6),
    ),
}
"""Family -> sign."""
# fmt: on
