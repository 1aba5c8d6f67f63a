"""Panels of any height, for boards with more to say about each seat."""

from functools import lru_cache

from render.parts import PanelFact, draw_panel_box, draw_pennant
from render.scene import Anchor, Face, Group, Item, Text, group, translate
from render.symbols import draw_seat_mark
from render.text_fit import shrink_to_fit
from render.theme import (
    BODY_SIZE,
    GAP,
    INK,
    KEY_NUMBER_SIZE,
    NAME_SIZE,
)
from render.typeset import fit_text

_HEAD_HEIGHT = 66
"""Height of the line with mark, name and total."""


@lru_cache(maxsize=128)
def draw_tall_panel(
    x: int, y: int, width: int, height: int, seat: int, name: str, rows: tuple[tuple[PanelFact, ...], ...],
    *, active: bool, total: str = "",
) -> tuple[Group, ...]:  # fmt: skip
    """Draw a seat's panel: mark, name and total above, then rows of facts, spread over its height."""
    layers = [
        draw_panel_box(x, y, width, height, active=active),
        group(x + 40, y + 38, draw_seat_mark(seat, 0, 0, 25)),
    ]
    taken_width = 0.0
    if total:
        points = shrink_to_fit(Text(0, 0, total, KEY_NUMBER_SIZE, INK, 120, Face.BOLD, Anchor.RIGHT))
        taken_width = points.room + 12
        layers.append(group(x + width - 16, y + 38, (points,)))
    label = Text(0, 0, name, NAME_SIZE, INK, width - 84 - 14 - taken_width, Face.BOLD, min_size=26)
    layers.append(group(x + 82, y + 38, (shrink_to_fit(label),)))
    pitch = (height - _HEAD_HEIGHT - 10) / max(1, len(rows))
    for number, facts in enumerate(rows):
        middle = y + _HEAD_HEIGHT + round(pitch * (number + 0.5))
        layers += _draw_facts(x + 18, middle, width - 36, facts)
    if active:
        layers.append(draw_pennant(x + width - 56, y, seat))
    return tuple(layers)


def _draw_facts(x: int, y: int, width: int, facts: tuple[PanelFact, ...]) -> list[Group]:
    texts = [Text(fact.width + 6, 0, fact.text, BODY_SIZE, INK, 160) for fact in facts]
    spans = [
        fact.width + (8 + fit_text(text).width if fact.text else 0)
        for fact, text in zip(facts, texts, strict=True)
    ]
    gap = min(2.0 * GAP, (width - sum(spans)) / max(1, len(facts) - 1))
    layers: list[Group] = []
    fact_x = float(x)
    for fact, text, span in zip(facts, texts, spans, strict=True):
        items: list[Item] = [*translate(fact.sign, fact.width / 2, 0)]
        if fact.text:
            items.append(shrink_to_fit(text))
        layers.append(group(round(fact_x), y, tuple(items)))
        fact_x += span + gap
    return layers
