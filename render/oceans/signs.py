"""One sign for each family of traits, ordered by what the traits do; a table of data.

A Deep trait that is a stronger kind of a Surface trait has its sign.  ``sign_parts`` holds
parts of which they are made.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from render.geometry import arc, complete_half, curve, flip, split_into_dashes, transform
from render.glyphs import (
    Glyph,
    cut_disc,
    cut_shape,
    cut_stroke,
    disc,
    ellipse,
    fish,
    lens,
    place,
    plus,
    ring,
    shape,
    stroke,
    wavy_line,
)
from render.oceans.sign_parts import (
    BALEEN,
    BLOT,
    BONE,
    CLAW,
    CROSS,
    DROP,
    FIN,
    FLUKE,
    HOOK,
    JELLY,
    KRAKEN_ARM_CURVE,
    MOUTH,
    RAYS,
    SHELL,
    SPOUT,
    SQUID_ARMS,
    SQUID_MANTLE,
    WHALE,
    WINGS,
    arrow,
    helix,
    repeat_around,
    spikes,
    teeth,
)
from render.oceans.value_signs import BOLT, EYE

# fmt: off
_SWIMMER: Final = fish(0, 0, 23)
_FISH_OUTLINE: Final = (
    *curve((-34, 0), (-14, -32), (28, -32), (46, 0), (28, 32), (-14, 32), (-34, 0)),
    -48.0, -18.0, -48.0, 18.0, -34.0, 0.0,
)

SIGNS: Final[Mapping[str, Glyph]] = MappingProxyType({
    # Forage, and where
    "Filter Feeder": BALEEN,
    "Colossus": (*place(WHALE, 0, 8), *SPOUT),
    "Deep Diver": (
        *arrow(0, -14, 60, 90, 12),
        *stroke(wavy_line(28, 46, 5), 8),
        *stroke(wavy_line(44, 46, 5), 8),
    ),
    "Luminous Bacteria": (
        *place(stroke((-14, 0, 14, 0), 22), -16, 12, 1, -30),
        *place(stroke((-10, 0, 10, 0), 18), 22, 26, 1, 20),
        *place(stroke((-9, 0, 9, 0), 16), 20, -12, 1, -60),
        *stroke((-24, -44, -24, -28), 7),
        *stroke((-42, -30, -36, -22), 7),
        *stroke((-6, -36, -12, -26), 7),
    ),
    "Massive Fins": FLUKE,
    "Migratory Filter Feeder": (*place(BALEEN, 0, -14, 0.86), *arrow(0, 38, 88, 0, 10)),
    # Attack
    "Apex Predator": (*place(FIN, 2, -6), *stroke(wavy_line(34, 46, 6, 2), 10)),
    "Behemoth": WHALE,
    "Bubble Net": (*repeat_around(ring(35, 0, 14, 6), 7, -90), *disc(0, 0, 10)),
    "Cavitation Bullet": (
        *shape(tuple(v for i in range(16)
            for v in arc(0, 0, 48 if i % 2 else 24, 22.5 * i, 22.5 * i, 1)[:2])),
        *cut_disc(0, 0, 11),
    ),
    "Gargantuan": (
        *shape((*arc(-14, 0, 36, 40, 320, 26), -10.0, 0.0)),
        *shape((-44, 0, -52, -30, -34, -10)),
        *cut_disc(-16, -18, 6),
        *place(fish(0, 0, 19), 31, 0, angle=180),
    ),
    "Hydra": (
        *stroke(curve((0, 46), (-10, 20), (-36, 14), (-32, -16)), 10),
        *stroke((0, 46, 0, -26), 10),
        *stroke(curve((0, 46), (10, 20), (36, 14), (32, -16)), 10),
        *(
            item
            for x, y in ((-30, -22), (0, -36), (30, -22))
            for item in (*disc(x, y, 13), *shape((x, y - 11, x + 20, y + 3, x, y + 11)),
                *cut_disc(x - 1, y - 4, 4))
        ),
    ),
    "Megamouth": (
        *shape(ellipse(0, 0, 47, 40)),
        *cut_shape(ellipse(0, 5, 33, 24)),
        *cut_disc(-24, -26, 4),
        *cut_disc(24, -26, 4),
        *disc(-12, 4, 5),
        *disc(6, 14, 5),
        *disc(14, -4, 5),
    ),
    "Pack Hunting": (
        *place(FIN, -26, -10, 0.56),
        *place(FIN, 26, -10, 0.56),
        *place(FIN, 0, 18, 0.66),
    ),
    "Sea Rex": (
        *shape((-44, 30, -48, -28, -22, -4, 0, -40, 22, -4, 48, -28, 44, 30)),
        *disc(-48, -30, 7),
        *disc(0, -42, 8),
        *disc(48, -30, 7),
        *cut_stroke((-40, 18, 40, 18), 5),
    ),
    "Swarming": tuple(
        item
        for x, y in ((-34, -30), (0, -38), (32, -22), (-22, 0), (14, -4), (42, 10), (-38, 28), (-4, 30),
            (28, 36))
        for item in shape((x - 13, y - 9, x + 13, y, x - 13, y + 9))
    ),
    # Attack that ignores defences
    "Advanced Eyes": EYE,
    "Crushing Jaw": (
        *stroke((-44, -38, 44, -38), 12),
        *stroke((-44, 38, 44, 38), 12),
        *teeth(-36, 34, 44, 4),
        *teeth(36, -34, 22, 2),
        *shape((-44, 36, -22, 36, -33, 6)),
        *shape((44, 36, 22, 36, 33, 6)),
    ),
    "Electroreception": BOLT,
    # Feeding again
    "Tentacled": JELLY,
    "Deep-Sea Kraken": place((*SQUID_MANTLE, *SQUID_ARMS), angle=180),
    "Filter Kraken": (
        *place(SQUID_MANTLE, 0, 0),
        *(item for x in (-20, -10, 0, 10, 20) for item in stroke((x, 20, x, 44), 6)),
        *stroke((-24, 18, 24, 18), 7),
    ),
    "Giant Cephalopod": (*SQUID_MANTLE, *SQUID_ARMS),
    "The Kraken": (
        *stroke(KRAKEN_ARM_CURVE, 11),
        *stroke(flip(KRAKEN_ARM_CURVE), 11),
        *stroke(wavy_line(42, 46, 5, 3), 8),
    ),
    "Voracious Feeder": (*place(MOUTH, -6), *disc(36, 0, 9)),
    # Defence
    "Inking": BLOT,
    "Speed": tuple(
        item for x in (-30, 0, 30) for item in stroke((x - 13, -30, x + 13, 0, x - 13, 30), 11)
    ),
    "Camouflage": tuple(
        item
        for x in range(4)
        for y in range(4)
        if (x + y) % 2
        for item in shape(transform((-11, -11, 11, -11, 11, 11, -11, 11), -33 + 22 * x, -33 + 22 * y, 1))
    ),
    "Hard Shell": (
        *SHELL,
        *(item for x in (-36, -19, 0, 19, 36)
            for item in cut_stroke((x * 0.2, 30, x, -24 + abs(x) * 0.42), 5)),
    ),
    "Poisonous Inking": (*BLOT, *cut_stroke((-11, -10, 11, 12), 8), *cut_stroke((11, -10, -11, 12), 8)),
    "Tusks": (
        *shape(curve((-10, 46), (-34, 30), (-46, -14), (-26, -46), (-6, -40), (2, -20), (-10, 46))),
        *shape(curve((10, 46), (34, 30), (46, -14), (26, -46), (6, -40), (-2, -20), (10, 46))),
    ),
    # Immunity to attacks
    "Schooling": (
        *place(_SWIMMER, -22, -24),
        *place(_SWIMMER, 25, -4),
        *place(_SWIMMER, -20, 24),
    ),
    "Transparent": (
        *(item for part in split_into_dashes(_FISH_OUTLINE, 14, 13)[:-1] for item in stroke(part, 9)),
        *disc(24, -6, 6),
    ),
    "Abyss Dweller": (
        *place(fish(0, 0, 40), -6, 14),
        *stroke(curve((4, 2), (4, -26), (22, -40), (38, -26)), 6),
        *disc(38, -20, 10),
    ),
    "Flight": (
        *shape(curve((-46, 30), (-40, -10), (-4, -40), (46, -42), (36, -28), (28, -24), (18, -20),
                     (26, -18), (30, -16), (34, -12), (22, -2), (12, 2), (2, 4), (10, 6), (14, 8), (18, 14),
                     (0, 24), (-22, 20), (-46, 30))),
        *stroke((-46, 30, -30, 46), 9),
    ),
    "Gentle Giant": (
        *shape(
            complete_half(curve((0, -36), (10, -44), (14, -34), (16, -26), (34, -20), (46, -6), (50, 10),
                           (30, 2), (16, 10), (8, 22), (5, 26), (0, 26)))
        ),
        *stroke((0, 22, 0, 47), 6),
    ),
    "Goethite Exoskeleton": (
        *shape(ellipse(0, 0, 34, 47)),
        *cut_stroke((0, -30, 0, 34), 5),
        *(item for y in (-24, -8, 8, 24) for item in cut_stroke((-40, y - 5, 0, y + 4, 40, y - 5), 6)),
    ),
    "Leviathan": (
        *stroke(arc(2, 22, 15, 180, 360, 14), 11),
        *stroke(arc(34, 22, 11, 180, 360, 14), 9),
        *stroke(curve((-36, 24), (-36, 0), (-44, -18), (-28, -32)), 12),
        *shape(curve((-36, -40), (-20, -46), (-6, -38), (2, -24), (-10, -20), (-22, -18), (-34, -22),
            (-40, -28), (-40, -36), (-36, -40))),
        *cut_disc(-22, -33, 4),
        *stroke(wavy_line(38, 46, 5, 3), 7),
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
    "Tiny": (*ring(-8, -8, 36, 8), *stroke((20, 20, 42, 42), 12), *place(fish(0, 0, 17), -8, -8)),
    "Zooplankton": (
        *shape(ellipse(0, -4, 17, 28)),
        *stroke(curve((-6, -28), (-14, -48), (-40, -44), (-46, -18)), 6),
        *stroke(curve((6, -28), (14, -48), (40, -44), (46, -18)), 6),
        *stroke((0, 20, 0, 38), 8),
        *stroke((0, 36, -12, 48), 6),
        *stroke((0, 36, 12, 48), 6),
        *cut_disc(0, -14, 6),
    ),
    # Harm to attackers
    "Burrower": (
        *stroke((-48, -18, -20, -18), 9),
        *stroke((20, -18, 48, -18), 9),
        *stroke(curve((-20, -18), (-20, 60), (20, 60), (20, -18)), 9),
        *arrow(0, -10, 56, 90),
    ),
    "Defensive Spines": (*disc(0, 0, 25), *spikes(20, 47, 12, 7)),
    "Neurotoxin": (*DROP, *CROSS),
    "Poisonous Spines": (*disc(0, 0, 28), *spikes(20, 47, 10, 7), *cut_stroke((-9, -9, 9, 9), 7),
        *cut_stroke((9, -9, -9, 9), 7)),
    # Gains when others feed
    "Bottom Feeder": (
        *fish(0, -8, 42),
        *stroke((-46, 30, 46, 30), 9),
        *disc(-26, 44, 6),
        *disc(8, 46, 6),
        *disc(34, 43, 5),
    ),
    "Shark Cleaner": (*place(FIN, -10, -2), *plus(28, 24, 20, 11)),
    "Symbiotic": (*ring(-19, 0, 30, 10), *ring(19, 0, 30, 10)),
    "Whale Cleaner": (*place(FLUKE, -8, -2, 0.92), *plus(30, 26, 20, 11)),
    "Acute Smell": (
        *stroke(curve((-34, 44), (-14, 24), (-46, 4), (-26, -16)), 8),
        *stroke(curve((-4, 44), (16, 18), (-18, -8), (4, -34)), 8),
        *stroke(curve((26, 44), (46, 24), (14, 4), (34, -16)), 8),
        *disc(-26, -28, 7),
        *disc(4, -44, 6),
        *disc(34, -28, 7),
    ),
    "Barbels": (
        *fish(-2, -14, 44),
        *stroke(curve((40, -4), (36, 12), (46, 20), (38, 34)), 7),
        *stroke(curve((28, -2), (24, 16), (32, 26), (22, 42)), 7),
        *stroke(curve((16, 0), (10, 16), (16, 28), (4, 40)), 7),
    ),
    "Biotic Cycle Reversal": (
        *stroke(arc(0, 0, 34, 20, 150, 20), 10),
        *stroke(arc(0, 0, 34, 200, 330, 20), 10),
        *shape(transform((0, 0, -26, -17, -26, 17), 38, 2, 1, 98)),
        *shape(transform((0, 0, -26, -17, -26, 17), -38, -2, 1, -82)),
    ),
    "Mutualism": (*ring(0, -20, 26, 9), *ring(-20, 16, 26, 9), *ring(20, 16, 26, 9)),
    "Regeneration": shape(
        tuple(v for i in range(10) for v in arc(0, 3, 20 if i % 2 else 49, 36 * i - 90, 36 * i - 90, 1)[:2])
    ),
    "Rows of Teeth": (
        *stroke((-46, -38, 46, -38), 10),
        *teeth(-36, 30, 46, 4),
        *stroke((-38, 8, 38, 8), 8),
        *teeth(8, 28, 38, 4),
    ),
    "Scavenger": place(BONE, 0, 0, 1, -38),
    # Gains at other events
    "Bioluminescence": (*disc(0, 0, 18), *RAYS),
    "Bright Coloration": (*repeat_around(disc(30, 0, 15), 6, -90), *disc(0, 0, 14)),
    "Communication": (
        *disc(0, 0, 12),
        *stroke(arc(0, 0, 27, -50, 50, 14), 8),
        *stroke(arc(0, 0, 44, -50, 50, 14), 8),
        *stroke(arc(0, 0, 27, 130, 230, 14), 8),
        *stroke(arc(0, 0, 44, 130, 230, 14), 8),
    ),
    "Endurance": shape(
        complete_half(curve((0, -22), (6, -42), (46, -48), (46, -12), (46, 12), (16, 26), (0, 46)))
    ),
    # Leeching, and protection from it
    "Parasitic": HOOK,
    "Chitin-Plated Maw": (
        *ring(0, 0, 48, 9),
        *repeat_around(shape((40, -13, 40, 13, 16, 0)), 8, -90),
    ),
    "Mucus Cocoon": (
        *shape(transform(ellipse(0, 0, 26, 47), 0, 0, 1, 24)),
        *(
            item
            for y in (-24, -8, 8, 24)
            for item in cut_stroke(transform((-34, y - 6, 34, y + 6), 0, 0, 1, 24), 5)
        ),
    ),
    "Parasite Cleaner": (*place(HOOK, -10, -2, 0.94), *plus(30, 26, 19, 11)),
    "Pathogen Cultivation": (
        *disc(0, 0, 25),
        *spikes(20, 40, 8, 6),
        *repeat_around(disc(42, 0, 7), 8, -90),
        *cut_disc(-8, -6, 5),
        *cut_disc(9, 2, 5),
        *cut_disc(-4, 11, 4),
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
    # Taking from others, the Reef or a score pile
    "Ambush": (
        *shape((*arc(0, 26, 44, 180, 360, 28),)),
        *stroke((-48, 32, 48, 32), 10),
        *disc(-20, -20, 13),
        *disc(20, -20, 13),
        *cut_disc(-20, -20, 6),
        *cut_disc(20, -20, 6),
    ),
    "Coprophagia": (
        *stroke((-30, 34, 30, 34), 20),
        *stroke((-18, 12, 18, 12), 18),
        *stroke((-7, -8, 7, -8), 16),
        *stroke(curve((0, -16), (10, -22), (8, -34), (-4, -40)), 9),
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
        *cut_disc(36, -4, 5),
    ),
    "Grazer": (
        *stroke(curve((-22, 46), (-38, 20), (-8, 0), (-26, -30)), 10),
        *stroke(curve((4, 46), (-10, 16), (20, -10), (2, -46)), 10),
        *stroke(curve((28, 46), (16, 24), (40, 6), (28, -20)), 10),
    ),
    "Impostor Cleaner": (
        *shape(curve((-48, -24), (-20, -12), (20, -12), (48, -24), (50, 14), (26, 36), (0, 12),
                     (-26, 36), (-50, 14), (-48, -24))),
        *cut_shape(transform(lens(13, 8), -23, 2, 1, 12)),
        *cut_shape(transform(lens(13, 8), 23, 2, 1, -12)),
    ),
    "Kleptoparasitic": place(CLAW, 0, 0, 1, 24),
    "Living Ecosystem": (
        *stroke((0, 46, 0, -40), 11),
        *stroke(curve((0, 26), (-10, 8), (-30, 10), (-30, -16)), 10),
        *stroke(curve((0, 16), (10, 0), (30, 2), (30, -26)), 10),
        *stroke((-22, 6, -42, -6), 9),
        *stroke((22, -4, 42, -14), 9),
        *stroke((-22, 46, 22, 46), 8),
    ),
    "Tail Whip": (
        *shape(curve((-46, 40), (-40, 10), (0, 2), (24, -16), (38, -26), (44, -38), (46, -50),
            (52, -30), (46, -10), (34, 2),
                     (48, 6), (50, 16), (48, 26), (36, 14), (28, 12), (18, 14), (0, 24), (-20, 28),
                         (-46, 40))),
    ),
    # Spaces, overpopulation and extinction
    "Blubber": (*disc(0, 0, 46), *cut_disc(0, 0, 33), *disc(0, 0, 22)),
    "Dense Population": tuple(
        item for x in (-32, 0, 32) for y in (-32, 0, 32) for item in disc(x, y, 13)
    ),
    "Draconic": WINGS,
    "Extremophile": (
        *shape((-14, 2, 14, 2, 34, 46, -34, 46)),
        *stroke(curve((-12, -8), (-24, -20), (0, -32), (-14, -46)), 8),
        *stroke(curve((12, -8), (0, -20), (24, -32), (12, -46)), 8),
    ),
    # Aging
    "Fast Metabolism": (
        *shape(
            curve((4, -50), (14, -24), (38, -8), (34, 18), (32, 36), (16, 48), (0, 48),
                  (-20, 48), (-36, 34), (-34, 10), (-32, -4), (-22, -10), (-20, -24), (-8, -16),
                      (-6, -8), (-6, 0),
                  (6, -14), (8, -30), (4, -50))
        ),
        *cut_shape(curve((2, 10), (8, 20), (16, 24), (12, 36), (8, 44), (-8, 44), (-12, 34), (-14, 24),
            (0, 20), (2, 10))),
    ),
    "Slow Metabolism": (
        *ring(6, -6, 34, 9),
        *ring(6, -6, 17, 8),
        *stroke(curve((-44, 22), (-44, 36), (-30, 36), (-20, 36), (0, 36), (20, 36), (44, 36)), 11),
        *stroke((-44, 22, -48, -4), 6),
        *stroke((-42, 22, -34, 0), 6),
    ),
    "Telomere Repair": (
        *stroke(curve((-22, -40), (-8, -14), (-8, 14), (-22, 40)), 15),
        *stroke(curve((22, -40), (8, -14), (8, 14), (22, 40)), 15),
        *cut_stroke((-32, -24, 32, -24), 5),
        *cut_stroke((-32, 24, 32, 24), 5),
    ),
    "Warm Blooded": (
        *stroke((0, -36, 0, 20), 22),
        *disc(0, 28, 20),
        *cut_stroke((0, -30, 0, -12), 8),
        *stroke((24, -34, 38, -34), 7),
        *stroke((24, -14, 38, -14), 7),
    ),
    # Which traits lie where
    "Atavism": (*place(helix(), 18), *arrow(-28, 0, 42, 180)),
    "Cthulhu Leech": (
        *shape((*arc(0, -14, 32, 180, 360, 24), 24.0, 8.0, -24.0, 8.0)),
        *cut_disc(-13, -12, 7),
        *cut_disc(13, -12, 7),
        *(
            item
            for x, end in ((-20, -40), (-7, -14), (7, 14), (20, 40))
            for item in stroke(curve((x, 6), (x, 26), (end, 24), (end, 44)), 8)
        ),
    ),
    "Gene Transfer": (*place(helix(), 0, 0, 0.94), *arrow(32, -26, 34, 0, 9), *arrow(-32, 26, 34, 180, 9)),
    "Gigantic Brain": (
        *disc(-20, -18, 20),
        *disc(20, -18, 20),
        *disc(-28, 10, 19),
        *disc(28, 10, 19),
        *disc(-14, 28, 17),
        *disc(14, 28, 17),
        *disc(0, 4, 24),
        *cut_stroke((0, -40, 0, 46), 6),
        *cut_stroke(curve((-42, 0), (-30, -8), (-24, 6), (-12, -4)), 5),
        *cut_stroke(curve((42, 0), (30, -8), (24, 6), (12, -4)), 5),
    ),
    "Rapid Mutation": (*place(helix(), -18), *place(BOLT, 26, 0, 0.74)),
    "Vestigial Limb": (
        *shape(ellipse(0, 20, 25, 24)),
        *(
            item
            for x, y, tx, ty in ((-16, 8, -36, -14), (-7, 2, -14, -40), (7, 2, 12, -42), (17, 8, 36, -18))
            for item in (*stroke((x, y, tx, ty), 10), *disc(tx, ty, 7))
        ),
    ),
})
"""Family -> sign."""
# fmt: on
