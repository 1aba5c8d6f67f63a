"""The legend of a picture: signs and what they mean."""

from functools import lru_cache
from typing import Final

import msgspec

from render.scene import Box, Group, Item, Text, make_group
from render.theme import LEGEND_SIZE, LEGEND_Y, MAGENTA, MARGIN, PICTURE_WIDTH, SECONDARY_INK, WHITE
from render.typeset import fit_text


class LegendEntry(msgspec.Struct, frozen=True, gc=False):
    """A sign and what it means."""

    sign: tuple[Item, ...]
    """Centred on (0, 0)."""
    sign_width: float
    text: str


CHANGE_LEGEND_ENTRY: Final = LegendEntry((Box(-13, -13, 26, 26, 7, WHITE, MAGENTA, 5),), 26, "changed")
"""For what changed in the newest turn, which may go on."""


@lru_cache(maxsize=32)
def _entry_widths(entries: tuple[LegendEntry, ...]) -> list[float]:
    """Return the width of each entry: of its sign, the gap and its text."""
    return [
        entry.sign_width + 10 + fit_text(Text(0, 0, entry.text, LEGEND_SIZE, SECONDARY_INK, 300)).width
        for entry in entries
    ]


def legend_gap(entries: tuple[LegendEntry, ...], width: int = PICTURE_WIDTH) -> float:
    """Return the gap between the entries of a legend; negative: they overlap."""
    free_width = width - 2 * MARGIN - sum(_entry_widths(entries))
    return min(34.0, free_width / max(1, len(entries) - 1))


def draw_legend(
    entries: tuple[LegendEntry, ...], width: int = PICTURE_WIDTH, y: int = LEGEND_Y
) -> tuple[Group, ...]:
    """Draw one line of entries, centred; its middle lies at ``y``."""
    entry_widths = _entry_widths(entries)
    gap = legend_gap(entries, width)
    x = (width - sum(entry_widths) - gap * (len(entries) - 1)) / 2
    layers: list[Group] = []
    for entry, entry_width in zip(entries, entry_widths, strict=True):
        middle = entry.sign_width / 2
        text = Text(
            middle + 10, 0, entry.text, LEGEND_SIZE, SECONDARY_INK, entry_width - entry.sign_width - 9
        )
        layers.append(make_group(round(x + middle), y, (*entry.sign, text)))
        x += entry_width + gap
    return tuple(layers)
