"""The signs of the Deep traits from A to G that have no Surface relative."""

from typing import Final

from render.glyphs import (
    BOLT,
    EYE,
    Glyph,
    cut,
    disc,
    fish,
    gap,
    hole,
    oval,
    ring,
    ripple,
    shape,
    stroke,
    turned,
)
from render.oceans.creatures import (
    ARMS,
    RAYS,
    SPOUT,
    SQUID,
    WHALE,
    WING,
    around,
    arrow,
    helix,
    spikes,
    teeth,
)
from render.outline import arc, curve, mirrored, placed

# fmt: off
SIGNS_A_TO_G: Final[dict[str, Glyph]] = {
    "Abyss Dweller": (
        *turned(fish(0, 0, 40), -6, 14),
        *stroke(curve((4, 2), (4, -26), (22, -40), (38, -26)), 6),
        *disc(38, -20, 10),
    ),
    "Acute Smell": (
        *stroke(curve((-34, 44), (-14, 24), (-46, 4), (-26, -16)), 8),
        *stroke(curve((-4, 44), (16, 18), (-18, -8), (4, -34)), 8),
        *stroke(curve((26, 44), (46, 24), (14, 4), (34, -16)), 8),
        *disc(-26, -28, 7),
        *disc(4, -44, 6),
        *disc(34, -28, 7),
    ),
    "Advanced Eyes": EYE,
    "Ambush": (
        *shape((*arc(0, 26, 44, 180, 360, 28),)),
        *stroke((-48, 32, 48, 32), 10),
        *disc(-20, -20, 13),
        *disc(20, -20, 13),
        *hole(-20, -20, 6),
        *hole(20, -20, 6),
    ),
    "Atavism": (*turned(helix(), 18), *arrow(-28, 0, 42, 180)),
    "Barbels": (
        *fish(-2, -14, 44),
        *stroke(curve((40, -4), (36, 12), (46, 20), (38, 34)), 7),
        *stroke(curve((28, -2), (24, 16), (32, 26), (22, 42)), 7),
        *stroke(curve((16, 0), (10, 16), (16, 28), (4, 40)), 7),
    ),
    "Behemoth": WHALE,
    "Bioluminescence": (*disc(0, 0, 18), *RAYS),
    "Biotic Cycle Reversal": (
        *stroke(arc(0, 0, 34, 20, 150, 20), 10),
        *stroke(arc(0, 0, 34, 200, 330, 20), 10),
        *shape(placed((0, 0, -26, -17, -26, 17), 38, 2, 1, 98)),
        *shape(placed((0, 0, -26, -17, -26, 17), -38, -2, 1, -82)),
    ),
    "Blubber": (*disc(0, 0, 46), *hole(0, 0, 33), *disc(0, 0, 22)),
    "Bright Coloration": (*around(disc(30, 0, 15), 6, -90), *disc(0, 0, 14)),
    "Bubble Net": (*around(ring(35, 0, 14, 6), 7, -90), *disc(0, 0, 10)),
    "Burrower": (
        *stroke((-48, -18, -20, -18), 9),
        *stroke((20, -18, 48, -18), 9),
        *stroke(curve((-20, -18), (-20, 60), (20, 60), (20, -18)), 9),
        *arrow(0, -10, 56, 90),
    ),
    "Camouflage": tuple(
        item
        for x in range(4)
        for y in range(4)
        if (x + y) % 2
        for item in shape(placed((-11, -11, 11, -11, 11, 11, -11, 11), -33 + 22 * x, -33 + 22 * y, 1))
    ),
    "Cavitation Bullet": (
        *shape(tuple(v for i in range(16)
            for v in arc(0, 0, 48 if i % 2 else 24, 22.5 * i, 22.5 * i, 1)[:2])),
        *hole(0, 0, 11),
    ),
    "Chitin-Plated Maw": (
        *ring(0, 0, 48, 9),
        *around(shape((40, -13, 40, 13, 16, 0)), 8, -90),
    ),
    "Colossus": (*turned(WHALE, 0, 8), *SPOUT),
    "Communication": (
        *disc(0, 0, 12),
        *stroke(arc(0, 0, 27, -50, 50, 14), 8),
        *stroke(arc(0, 0, 44, -50, 50, 14), 8),
        *stroke(arc(0, 0, 27, 130, 230, 14), 8),
        *stroke(arc(0, 0, 44, 130, 230, 14), 8),
    ),
    "Coprophagia": (
        *stroke((-30, 34, 30, 34), 20),
        *stroke((-18, 12, 18, 12), 18),
        *stroke((-7, -8, 7, -8), 16),
        *stroke(curve((0, -16), (10, -22), (8, -34), (-4, -40)), 9),
    ),
    "Crushing Jaw": (
        *stroke((-44, -38, 44, -38), 12),
        *stroke((-44, 38, 44, 38), 12),
        *teeth(-36, 34, 44, 4),
        *teeth(36, -34, 22, 2),
        *shape((-44, 36, -22, 36, -33, 6)),
        *shape((44, 36, 22, 36, 33, 6)),
    ),
    "Cthulhu Leech": (
        *shape((*arc(0, -14, 32, 180, 360, 24), 24.0, 8.0, -24.0, 8.0)),
        *hole(-13, -12, 7),
        *hole(13, -12, 7),
        *(
            item
            for x, end in ((-20, -40), (-7, -14), (7, 14), (20, 40))
            for item in stroke(curve((x, 6), (x, 26), (end, 24), (end, 44)), 8)
        ),
    ),
    "Deep Diver": (
        *arrow(0, -14, 60, 90, 12),
        *stroke(ripple(28, 46, 5), 8),
        *stroke(ripple(44, 46, 5), 8),
    ),
    "Deep-Sea Kraken": turned((*SQUID, *ARMS), angle=180),
    "Defensive Spines": (*disc(0, 0, 25), *spikes(20, 47, 12, 7)),
    "Dense Population": tuple(
        item for x in (-32, 0, 32) for y in (-32, 0, 32) for item in disc(x, y, 13)
    ),
    "Draconic": WING,
    "Electroreception": BOLT,
    "Endurance": shape(
        mirrored(curve((0, -22), (6, -42), (46, -48), (46, -12), (46, 12), (16, 26), (0, 46)))
    ),
    "Extremophile": (
        *shape((-14, 2, 14, 2, 34, 46, -34, 46)),
        *stroke(curve((-12, -8), (-24, -20), (0, -32), (-14, -46)), 8),
        *stroke(curve((12, -8), (0, -20), (24, -32), (12, -46)), 8),
    ),
    "Fast Metabolism": (
        *shape(
            curve((4, -50), (14, -24), (38, -8), (34, 18), (32, 36), (16, 48), (0, 48),
                  (-20, 48), (-36, 34), (-34, 10), (-32, -4), (-22, -10), (-20, -24), (-8, -16),
                      (-6, -8), (-6, 0),
                  (6, -14), (8, -30), (4, -50))
        ),
        *gap(curve((2, 10), (8, 20), (16, 24), (12, 36), (8, 44), (-8, 44), (-12, 34), (-14, 24),
            (0, 20), (2, 10))),
    ),
    "Filter Kraken": (
        *turned(SQUID, 0, 0),
        *(item for x in (-20, -10, 0, 10, 20) for item in stroke((x, 20, x, 44), 6)),
        *stroke((-24, 18, 24, 18), 7),
    ),
    "Flight": (
        *shape(curve((-46, 30), (-40, -10), (-4, -40), (46, -42), (36, -28), (28, -24), (18, -20),
                     (26, -18), (30, -16), (34, -12), (22, -2), (12, 2), (2, 4), (10, 6), (14, 8), (18, 14),
                     (0, 24), (-22, 20), (-46, 30))),
        *stroke((-46, 30, -30, 46), 9),
    ),
    "Gargantuan": (
        *shape((*arc(-14, 0, 36, 40, 320, 26), -10.0, 0.0)),
        *shape((-44, 0, -52, -30, -34, -10)),
        *hole(-16, -18, 6),
        *turned(fish(0, 0, 19), 31, 0, angle=180),
    ),
    "Gene Transfer": (*turned(helix(), 0, 0, 0.94), *arrow(32, -26, 34, 0, 9), *arrow(-32, 26, 34, 180, 9)),
    "Gentle Giant": (
        *shape(
            mirrored(curve((0, -36), (10, -44), (14, -34), (16, -26), (34, -20), (46, -6), (50, 10),
                           (30, 2), (16, 10), (8, 22), (5, 26), (0, 26)))
        ),
        *stroke((0, 22, 0, 47), 6),
    ),
    "Giant Cephalopod": (*SQUID, *ARMS),
    "Gigantic Brain": (
        *disc(-20, -18, 20),
        *disc(20, -18, 20),
        *disc(-28, 10, 19),
        *disc(28, 10, 19),
        *disc(-14, 28, 17),
        *disc(14, 28, 17),
        *disc(0, 4, 24),
        *cut((0, -40, 0, 46), 6),
        *cut(curve((-42, 0), (-30, -8), (-24, 6), (-12, -4)), 5),
        *cut(curve((42, 0), (30, -8), (24, 6), (12, -4)), 5),
    ),
    "Gigantic Scavenger": (
        *stroke((-34, 0, 24, 0), 8),
        *(
            item
            for x, half in ((-18, 15), (-3, 22), (12, 26))
            for item in stroke((x, -half, x + 5, 0, x, half), 7)
        ),
        *shape((-30, 0, -50, -22, -44, 0, -50, 22)),
        *shape(curve((22, -26), (40, -22), (50, -8), (50, 2), (42, 14), (32, 22), (22, 26), (28, 10),
            (28, -10), (22, -26))),
        *hole(36, -4, 5),
    ),
    "Goethite Exoskeleton": (
        *shape(oval(0, 0, 34, 47)),
        *cut((0, -30, 0, 34), 5),
        *(item for y in (-24, -8, 8, 24) for item in cut((-40, y - 5, 0, y + 4, 40, y - 5), 6)),
    ),
    "Grazer": (
        *stroke(curve((-22, 46), (-38, 20), (-8, 0), (-26, -30)), 10),
        *stroke(curve((4, 46), (-10, 16), (20, -10), (2, -46)), 10),
        *stroke(curve((28, 46), (16, 24), (40, 6), (28, -20)), 10),
    ),
}
"""Family -> sign."""
# fmt: on
