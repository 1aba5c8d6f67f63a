"""Marks round what the viewer can choose: dashed ink on white, unlike the solid marks of changes."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from render.geometry import dash_outline, rounded_rectangle
from render.legend import LegendEntry
from render.scene import Box, Group, Item, Line, make_group
from render.theme import INK, WHITE
from rules.model import Action

_DASH_PATTERN: Final = (13.0, 9.0)
"""Lengths of a dash and of a gap."""
_FRAME_OFFSET: Final = 6.0
"""How far outside the rectangle the middle of the dashes lies."""
_BACKGROUND_OFFSET: Final = 10.0
"""How far outside the rectangle the outer edge of the white background lies."""


@lru_cache(maxsize=128)
def draw_choice_mark(x: int, y: int, width: int, height: int, radius: float) -> Group:
    """Draw a dashed frame round a rectangle that can be chosen."""
    offset, reach = _FRAME_OFFSET, _BACKGROUND_OFFSET
    background = Box(-reach, -reach, width + 2 * reach, height + 2 * reach, radius + reach, None, WHITE, 8)
    outline = rounded_rectangle(-offset, -offset, width + 2 * offset, height + 2 * offset, radius + offset)
    dashes = tuple(Line(dash, INK, 4.5) for dash in dash_outline(outline, *_DASH_PATTERN))
    return make_group(x, y, (background, *dashes))


def _legend_items() -> tuple[Item, ...]:
    outline = rounded_rectangle(-13, -13, 26, 26, 6)
    return tuple(Line(dash, INK, 4) for dash in dash_outline(outline, 10, 7))


CHOICE_LEGEND_ENTRY: Final = LegendEntry(_legend_items(), 26, "you can choose")


def differing_values(choices: Iterable[Action], field: str) -> tuple[object, ...]:
    """Return the values of a field if the choices differ in it, else none.

    Choices without the field are ignored.
    """
    values = dict.fromkeys(getattr(choice, field) for choice in choices if hasattr(choice, field))
    return tuple(values) if len(values) > 1 else ()


def differing_or_partial_values(choices: Iterable[Action], field: str) -> tuple[object, ...]:
    """Return the values of a field if the choices differ in it, or some of them lack it; else none."""
    all_choices = tuple(choices)
    choices_with_field = [choice for choice in all_choices if hasattr(choice, field)]
    values = dict.fromkeys(getattr(choice, field) for choice in choices_with_field)
    return tuple(values) if len(values) > 1 or len(choices_with_field) < len(all_choices) else ()
