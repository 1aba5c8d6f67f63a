"""The signs of Current Affairs as glyphs: trash, animals, upgrades, what is counted."""

from typing import Final

from render.geometry import arc, complete_half, curve
from render.glyphs import cut_disc, cut_shape, cut_stroke, place, ring, shape, stroke
from render.sea_glyphs import BOTTLE, NET, TURTLE, WHEEL
from rules.current_affairs.components import Animal, Trash, Upgrade

# Trash --------------------------------------------------------------------------------------------------

CAN: Final = (
    *shape((-22, -36, 22, -36, 30, -26, -30, -26)),
    *shape((-32, -20, 32, -20, 32, 32, -32, 32)),
    *shape((-30, 38, 30, 38, 22, 48, -22, 48)),
    *stroke(curve((-12, -46), (-4, -52), (6, -40), (16, -48)), 7),
)
GOBLET: Final = (
    *shape(complete_half(curve((0, -46), (14, -46), (24, -46), (28, -46), (30, -14), (18, 4), (5, 8)))),
    *cut_shape((-20, -36, 20, -36, 19, -22, -19, -22)),
    *shape((-5, 4, 5, 4, 5, 36, -5, 36)),
    *shape(complete_half(curve((0, 34), (8, 34), (24, 40), (24, 48)))),
)
TYRE: Final = (
    *ring(0, 0, 46, 26),
    *(item for i in range(8) for item in place(cut_stroke((34, 0, 48, 0), 7), angle=45 * i + 22.5)),
)
TRASH_SIGNS: Final = {
    Trash.PLASTIC: BOTTLE,
    Trash.ALUMINIUM: CAN,
    Trash.GLASS: GOBLET,
    Trash.NET: NET,
    Trash.RUBBER: TYRE,
}

# Animals ------------------------------------------------------------------------------------------------

SEAL: Final = (
    *shape(
        curve(
            (-48, 44),
            (-40, 32),
            (-30, 34),
            (-24, 26),
            (-10, 8),
            (-4, -4),
            (4, -22),
            (8, -38),
            (20, -46),
            (32, -40),
            (38, -37),
            (46, -32),
            (44, -26),
            (42, -20),
            (34, -20),
            (31, -18),
            (33, 0),
            (34, 14),
            (24, 34),
            (30, 38),
            (36, 42),
            (38, 47),
            (30, 49),
            (20, 48),
            (12, 42),
            (-4, 44),
            (-16, 42),
            (-26, 44),
            (-34, 48),
            (-42, 50),
            (-48, 44),
        )
    ),
    *cut_disc(29, -32, 3.4),
    *cut_stroke((14, 40, 22, 20), 5),
)
WHALE: Final = (
    *shape(
        curve(
            (-30, -4),
            (-18, -22),
            (4, -30),
            (24, -26),
            (44, -20),
            (50, -4),
            (48, 8),
            (46, 24),
            (28, 34),
            (8, 34),
            (-16, 34),
            (-30, 18),
            (-34, 2),
            (-40, -2),
            (-50, -8),
            (-50, -26),
            (-42, -22),
            (-36, -18),
            (-33, -14),
            (-32, -22),
            (-28, -28),
            (-20, -30),
            (-22, -20),
            (-24, -14),
            (-30, -4),
        )
    ),
    *cut_disc(30, 0, 4),
    *cut_stroke(curve((46, 14), (38, 18), (30, 18), (22, 13)), 5),
    *cut_stroke(curve((8, 20), (2, 26), (0, 32), (2, 40)), 5),
)
ALBATROSS: Final = (
    *shape(
        complete_half(
            curve(
                (0, -46),
                (8, -46),
                (10, -34),
                (7, -26),
                (18, -26),
                (38, -22),
                (50, 10),
                (40, 2),
                (26, -2),
                (13, 2),
                (12, 14),
                (10, 22),
                (7, 28),
                (10, 36),
                (14, 40),
                (14, 48),
                (8, 44),
                (4, 42),
                (0, 42),
            )
        )
    ),
)
MANTA: Final = (
    *shape(
        complete_half(
            curve(
                (0, -22),
                (6, -22),
                (8, -24),
                (9, -28),
                (10, -38),
                (18, -40),
                (18, -30),
                (18, -24),
                (22, -18),
                (28, -12),
                (38, -4),
                (46, 2),
                (50, 16),
                (38, 6),
                (24, 10),
                (16, 20),
                (10, 26),
                (5, 28),
                (0, 28),
            )
        )
    ),
    *stroke((0, 26, 0, 50), 6),
    *cut_disc(-9, -12, 3.4),
    *cut_disc(9, -12, 3.4),
)
ANIMAL_SIGNS: Final = {
    Animal.SEAL: SEAL,
    Animal.WHALE: WHALE,
    Animal.ALBATROSS: ALBATROSS,
    Animal.TURTLE: TURTLE,
    Animal.MANTA: MANTA,
}

# What is counted, and upgrades -----------------------------------------------------------------------------

DROPLET: Final = shape(
    complete_half(curve((0, -50), (8, -30), (34, 0), (34, 20), (34, 40), (18, 50), (0, 50)))
)
"""Points of contracts."""
KELP: Final = (
    *stroke((-40, 46, 40, 46), 9),
    *(
        item
        for x in (-24, 0, 24)
        for item in stroke(
            curve((x, 44), (x - 16, 24), (x + 16, 8), (x, -12), (x - 10, -24), (x - 2, -34), (x + 4, -42)), 10
        )
    ),
)
"""Restored habitats."""
TICKED_CARD: Final = (
    *shape((-34, -48, 34, -48, 34, 48, -34, 48)),
    *cut_stroke((-20, 0, -6, 16, 20, -18), 12),
)
"""Delivered contracts."""
CRANE: Final = (
    *stroke((-34, 46, -8, 46), 10),
    *stroke((-21, 46, -21, -42, 42, -42), 10),
    *stroke((-21, -18, 4, -42), 7),
    *stroke((38, -42, 38, -2), 7),
    *stroke(arc(30, 8, 11, -40, 190), 8),
)
TURN_AGAIN: Final = (
    *stroke(arc(0, 2, 32, -30, 250), 11),
    *shape((26, -44, 42, -8, 6, -14)),
)
_BOAT: Final = (
    *shape((-24, 12, 24, 12, 16, 28, -16, 28)),
    *shape((-2, 6, -2, -34, -22, 6)),
    *shape((4, 6, 4, -22, 18, 6)),
)
BOATS: Final = (*place(_BOAT, -20, -12, 0.95), *place(_BOAT, 22, 20, 0.95))
UPGRADE_SIGNS: Final = {
    Upgrade.WHEEL: WHEEL,
    Upgrade.CRANE: CRANE,
    Upgrade.HABITAT_BONUS: KELP,
    Upgrade.CONTRACT_BONUS: TICKED_CARD,
    Upgrade.EXTRA_TURN: TURN_AGAIN,
    Upgrade.SHARE_SPACE: BOATS,
}
TICK: Final = stroke((-26, 2, -8, 20, 26, -20), 15)
"""Trash that can be taken."""
