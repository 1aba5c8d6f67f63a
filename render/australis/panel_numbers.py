"""The numbers of a seat's panel, each beside its sign, marked where the newest turn changed them."""

from enum import Enum, auto
from functools import lru_cache
from typing import Final

from render.australis.changes import PanelNumber
from render.australis.signs import CORAL, FISH, TROPHY, draw_food_cube
from render.glyphs import draw_glyph
from render.scene import Anchor, Box, Group, Item, Text, Typeface, make_group, translate
from render.symbols import draw_cards_sign
from render.text_fit import fit_text_and_width
from render.theme import INK, LEGEND_SIZE, MAGENTA, SECONDARY_INK, WHITE

_MIN_GAP: Final = 3
_MAX_GAP: Final = 40
_ROOMY_WIDTH: Final = 300
"""From this width on, signs keep a distance from their numbers."""
_WIDTH_FOR_WORDS: Final = 500
"""From this width on, words say what the signs mean."""
_CHIP_HEIGHT: Final = 34
_NUMBER_SIZE: Final = 29
_SIGN_WIDTHS: Final = {
    PanelNumber.FISH: 32,
    PanelNumber.CUBES: 26,
    PanelNumber.CORALS: 28,
    PanelNumber.CARDS: 24,
    PanelNumber.TILES: 24,
}
_NOUNS: Final = {
    PanelNumber.FISH: ("fish", "fish"),
    PanelNumber.CUBES: ("cube", "cubes"),
    PanelNumber.CORALS: ("coral", "corals"),
    PanelNumber.CARDS: ("card", "cards"),
}


class _Mark(Enum):
    """How a number is marked."""

    NONE = auto()
    COLOUR = auto()
    CHIP = auto()


def number_sign(kind: PanelNumber) -> tuple[Item, ...]:
    """Return the sign of a number, centred on (0, 0)."""
    match kind:
        case PanelNumber.FISH:
            return draw_glyph(FISH, 0, 0, 32, INK, WHITE)
        case PanelNumber.CUBES:
            return draw_food_cube(0, 0, 26)
        case PanelNumber.CORALS:
            return draw_glyph(CORAL, 0, 0, 30, INK, WHITE)
        case PanelNumber.TILES:
            return draw_glyph(TROPHY, 0, 0, 26, INK, WHITE)
        case _:
            return draw_cards_sign(0, 0, 27)


def draw_numbers(
    x: int,
    y: int,
    available_width: int,
    numbers: tuple[tuple[PanelNumber, int], ...],
    changed_numbers: frozenset[PanelNumber],
) -> list[Group]:
    """Draw a line of numbers with their signs, spread over the available width."""
    for mark in (_Mark.CHIP, _Mark.COLOUR):
        items_with_widths = [
            _number_items(kind, count, mark if kind in changed_numbers else _Mark.NONE, available_width)
            for kind, count in numbers
        ]
        widths = [width for _, width in items_with_widths]
        if sum(widths) + (len(numbers) - 1) * _MIN_GAP <= available_width:
            break
    gap = min((available_width - sum(widths)) / (len(numbers) - 1), _MAX_GAP)
    layers: list[Group] = []
    number_x = float(x)
    for items, width in items_with_widths:
        layers.append(_draw_number(round(number_x), y, items))
        number_x += width + gap
    return layers


def draw_right_aligned_number(right: int, y: int, kind: PanelNumber, count: int, *, changed: bool) -> Group:
    """Draw one number with its sign; the number ends at ``right``."""
    items, width = _number_items(kind, count, _Mark.CHIP if changed else _Mark.NONE, 0)
    return _draw_number(right - round(width), y, items)


@lru_cache(maxsize=512)
def _draw_number(x: int, y: int, items: tuple[Item, ...]) -> Group:
    return make_group(x, y, items)


@lru_cache(maxsize=512)
def _number_items(
    kind: PanelNumber, count: int, mark: _Mark, available_width: int
) -> tuple[tuple[Item, ...], float]:
    """Return the items of a number, which begin at x = 0, and their width.

    ``available_width``: that of all numbers together; if there is much, the items have more space and words.
    """
    sign_width = _SIGN_WIDTHS[kind]
    items = [*translate(number_sign(kind), sign_width / 2, 0)]
    colour = INK if mark is _Mark.NONE else MAGENTA if mark is _Mark.COLOUR else WHITE
    number = fit_text_and_width(Text(0, 0, str(count), _NUMBER_SIZE, colour, 60, Typeface.BOLD))
    end = sign_width + (6.0 if available_width >= _ROOMY_WIDTH else 1.0 if mark is _Mark.CHIP else 4.0)
    if mark is _Mark.CHIP:
        width = max(number.max_width + 11, _CHIP_HEIGHT)
        items.append(Box(end, -_CHIP_HEIGHT / 2, width, _CHIP_HEIGHT, _CHIP_HEIGHT / 2, MAGENTA))
        items.append(
            Text(
                end + width / 2,
                0,
                number.text,
                _NUMBER_SIZE,
                WHITE,
                number.max_width,
                Typeface.BOLD,
                Anchor.MIDDLE,
            )
        )
        end += width
    else:
        items += translate((number,), end, 0)
        end += number.max_width
    if available_width >= _WIDTH_FOR_WORDS and kind in _NOUNS:
        word = fit_text_and_width(Text(end + 6, 0, _NOUNS[kind][count != 1], LEGEND_SIZE, SECONDARY_INK, 90))
        items.append(word)
        end += 6 + word.max_width
    return tuple(items), end
