"""The glyphs of Oceans for values, events, cards and boards, and legend entries for values.

``signs`` holds the glyphs of traits.
"""

from functools import lru_cache
from typing import Final

from render.geometry import curve, transform
from render.glyphs import (
    Glyph,
    cut_disc,
    cut_shape,
    cut_stroke,
    disc,
    draw_glyph,
    fish,
    lens,
    plus,
    shape,
    stroke,
    wavy_line,
)
from render.legend import LegendEntry
from render.oceans.palette import ATTACK_RED, GREEN
from render.scene import Item, Line
from render.theme import HAIRLINE_COLOUR, INK, PAPER, SECONDARY_INK

LEAF: Final = (
    *shape(curve((-44, 44), (-52, -6), (-14, -48), (46, -46), (50, 14), (6, 52), (-44, 44))),
    *cut_stroke((-30, 31, 22, -22), 7),
)
"""Forage."""
FANG: Final = shape(
    curve((-46, -40), (-18, -24), (18, -24), (46, -40), (46, -12), (24, 24), (0, 46),
          (-24, 24), (-46, -12), (-46, -40))
)  # fmt: skip
"""Attack."""
SHIELD: Final = shape(
    curve((-42, -36), (-22, -36), (-10, -42), (0, -48), (10, -42), (22, -36), (42, -36),
          (44, 8), (30, 34), (0, 50), (-30, 34), (-44, 8), (-42, -36))
)  # fmt: skip
"""Defence."""
PILE: Final = (*disc(0, -23, 22), *disc(-25, 20, 22), *disc(25, 20, 22))
"""The score pile."""
FISH: Final = fish(0, 0, 48)
"""Population gained."""
HOURGLASS: Final = (
    *stroke((-30, -44, 30, -44), 11),
    *stroke((-30, 44, 30, 44), 11),
    *shape((-24, -40, 24, -40, 5, 0, 24, 40, -24, 40, -5, 0)),
    *cut_shape((-11, -32, 11, -32, 0, -12)),
)
"""Aging."""
BOLT: Final = shape((10, -50, -30, 8, -4, 8, -12, 50, 30, -12, 4, -12))
"""Something that happens at once."""
SWELL: Final = tuple(item for y in (-22, 0, 22) for item in stroke(wavy_line(y, 40, 6), 9))
"""Something that lasts."""
EYE: Final = (*shape(lens(48, 32)), *cut_shape(lens(36, 22)), *disc(0, 0, 15), *cut_disc(5, -5, 4))
"""Cards that everybody has seen."""
SLOT_WITH_PLUS: Final = (
    *shape((-34, -46, 22, -46, 22, 46, -34, 46)),
    *cut_shape((-24, -36, 12, -36, 12, 36, -24, 36)),
    *plus(24, 16, 20, 11),
)
"""Trait slots."""
THREE_SPACES: Final = tuple(
    item for x in (-33, 0, 33) for item in shape((x - 13, -24, x + 13, -24, x + 13, 24, x - 13, 24))
)
"""Spaces on a species board."""
SPECIES_BOARD: Final = (
    *shape((-44, -34, 44, -34, 44, 34, -44, 34)),
    *cut_shape((-36, -12, 36, -12, 36, 26, -36, 26)),
    *(item for x in (-20, 0, 20) for item in shape((x - 7, -2, x + 7, -2, x + 7, 16, x - 7, 16))),
)
"""Population on all of a seat's boards."""


@lru_cache(maxsize=128)
def draw_crossed_out_glyph(glyph: Glyph, x: float, y: float, size: float) -> tuple[Item, ...]:
    """Draw a pale glyph, crossed out: the species can never do this."""
    bar = transform((-54, 54, 54, -54), x, y, size / 100)
    return (
        *draw_glyph(glyph, x, y, size * 0.94, HAIRLINE_COLOUR, HAIRLINE_COLOUR),
        Line(bar, INK, max(3.0, size * 0.1)),
    )


FORAGE_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(LEAF, 0, 0, 28, GREEN, PAPER), 28, "forage")
ATTACK_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(FANG, 0, 0, 28, ATTACK_RED, PAPER), 28, "attack")
DEFENCE_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(SHIELD, 0, 0, 28, SECONDARY_INK, PAPER), 28, "defence")
NEVER_LEGEND_ENTRY: Final = LegendEntry(draw_crossed_out_glyph(LEAF, 0, 0, 26), 28, "never")
