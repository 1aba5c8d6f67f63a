"""The traits in the cell of a species, laid out by how many kinds there are, and its free slots."""

from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from render.oceans.layout import CELL_WIDTH
from render.oceans.trait_labels import count_suffix, draw_trait_tile, short_name
from render.scene import Anchor, Box, Group, Item, Text, Typeface, make_group
from render.theme import DEEP_BLUE, INK, LEGEND_SIZE, MAGENTA, SECONDARY_INK, SMALL_SIZE, WATER, WHITE
from render.typeset import fit_text
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import Trait

_MAX_WIDE_NAMES: Final = 3
"""Up to this number of kinds of traits, names have the cell's width, below the values in one row.

One kind more stands beside a column of values, still more again below one row, in two columns without signs.
"""


class _NameRows(NamedTuple):
    """The rows of names below a row of values."""

    middles: tuple[int, ...]
    tile_size: int
    text_size: int


_LARGE_ROWS: Final = _NameRows((97, 136), 31, 30)
_MEDIUM_ROWS: Final = _NameRows((90, 117, 144), 27, 28)
_WIDE_LEFT: Final = 9
"""The x of the left edge of tiles in rows of the cell's whole width."""
_MAX_SLOT_TILES: Final = 5
"""How many empty tiles fit a row of the cell's whole width."""
ARROW_HEAD_SPACE: Final = 9
"""Space at the right of names for the arrow head to the next cell."""
TRAIT_ROW_MIDDLES: Final = (57, 85, 113, 141)
"""The y of the middle of each row of traits beside a column of values."""
_TILE_SIZE: Final = 26
_FIRST_TILE_MIDDLE_X: Final = 87
"""The x of the middle of a tile beside a column of values."""
NAME_START: Final = 104
"""The x where the names of traits begin beside a column of values."""
MAX_NAME_WIDTH: Final = 111
"""The same names are at most this wide."""
_CHIP_WIDTH: Final = 98
"""The width of a name that stands without its sign."""
_CHIP_HEIGHT: Final = 25
_CHIP_PITCH: Final = 103
"""From the left end of a column of them to that of the next."""
_CHIP_PADDING: Final = 4
_MAX_CHIP_SLOT_TILES: Final = 3
"""How many empty tiles fit in the place of one of them."""


def stand_beside_values(cards: tuple[Card, ...]) -> bool:
    """Whether these traits stand beside a column of values, not below a row of them."""
    return len({TRAIT_BY_CARD[card] for card in cards}) == len(TRAIT_ROW_MIDDLES)


def draw_traits(
    x: int, y: int, cards: tuple[Card, ...], new_cards: tuple[Card, ...], free_slot_count: int | None
) -> list[Group]:
    """Draw the traits and free slots of a cell with its corner at (x, y), with rings round the new traits.

    ``free_slot_count``: None for any number.
    """
    counts = Counter(TRAIT_BY_CARD[card] for card in cards)
    new_traits = frozenset(TRAIT_BY_CARD[card] for card in new_cards)
    if stand_beside_values(cards):
        return _draw_traits_beside_values(x, y, counts, new_traits, free_slot_count)
    draw = _draw_wide_traits if len(counts) <= _MAX_WIDE_NAMES else _draw_trait_chips
    return draw(x, y, counts, new_traits, free_slot_count)


def _draw_wide_traits(
    x: int, y: int, counts: Counter[Trait], new_traits: frozenset[Trait], free_slot_count: int | None
) -> list[Group]:
    """Draw a few traits, each in one row of the cell's whole width, and free slots after them."""
    row_count = len(counts) + (free_slot_count != 0)
    rows = _LARGE_ROWS if row_count <= len(_LARGE_ROWS.middles) else _MEDIUM_ROWS
    slot_row, slots_left, slots_width, max_slot_tiles = len(counts), _WIDE_LEFT, 0, _MAX_SLOT_TILES
    if row_count > len(rows.middles):  # the slots stand behind the shortest name
        slots_width, max_slot_tiles = rows.tile_size + 4, 1
        slot_row = list(counts).index(min(counts, key=lambda trait: len(trait.name)))
        slots_left = CELL_WIDTH - _WIDE_LEFT - slots_width
    layers: list[Group] = []
    for row, (trait, count) in enumerate(counts.items()):
        max_width = max_wide_name_width(rows.tile_size) - (slots_width if row == slot_row else 0)
        is_new = trait in new_traits
        layers.append(
            _draw_wide_trait(x, y + rows.middles[row], trait, count, rows, max_width, is_new=is_new)
        )
    if free_slot_count != 0:
        middle = rows.middles[slot_row]
        layers.append(
            _draw_free_slots(x + slots_left, y + middle, free_slot_count, rows.tile_size, max_slot_tiles)
        )
    return layers


def max_wide_name_width(tile_size: int) -> int:
    """Return how much width there is for a name beside its tile in the cell's whole width."""
    return CELL_WIDTH - _WIDE_LEFT - tile_size - 7 - ARROW_HEAD_SPACE


@lru_cache(maxsize=256)
def _draw_wide_trait(
    x: int, y: int, trait: Trait, count: int, rows: _NameRows, max_width: int, *, is_new: bool
) -> Group:
    """Draw a trait's tile and its name; a name that does not fit is shortened."""
    size = rows.tile_size
    items: list[Item] = [*draw_trait_tile(trait, _WIDE_LEFT + size / 2, 0, size)]
    label = Text(_WIDE_LEFT + size + 7, 0, "", rows.text_size, INK, max_width)
    names = (trait.name, short_name(trait))
    texts = [replace(label, text=name + count_suffix(count)) for name in names]
    items.append(next((text for text in texts if fit_text(text).text == text.text), texts[-1]))
    if is_new:
        items.append(_new_trait_ring(_WIDE_LEFT + size / 2, size))
    return make_group(x, y, tuple(items))


@lru_cache(maxsize=128)
def _draw_free_slots(x: int, y: int, count: int | None, size: int, max_tiles: int) -> Group:
    """Draw an empty tile for each trait that the species may still get; more than fit are a number in one."""
    half = size / 2 - 1
    tile_count = 1 if count is None or count > max_tiles else count
    items: list[Item] = [
        Box((size + 4) * index + 1, -half, 2 * half, 2 * half, 6, None, SECONDARY_INK, 2.5)
        for index in range(tile_count)
    ]
    if count != tile_count:
        number = "\u221e" if count is None else str(count)  # the sign of infinity
        text = Text(1 + half, 0, number, SMALL_SIZE, INK, round(2 * half), Typeface.BOLD, Anchor.MIDDLE)
        items.append(text)
    return make_group(x, y, tuple(items))


def _draw_traits_beside_values(
    x: int, y: int, counts: Counter[Trait], new_traits: frozenset[Trait], free_slot_count: int | None
) -> list[Group]:
    """Draw four kinds of traits beside the values, each with its name and count; free slots below these."""
    layers = [
        _draw_named_trait(x, y + row_y, trait, count, is_new=trait in new_traits)
        for (trait, count), row_y in zip(counts.items(), TRAIT_ROW_MIDDLES, strict=True)
    ]
    if free_slot_count != 0:
        middle = y + TRAIT_ROW_MIDDLES[-1]
        layers.append(_draw_free_slots(x + _WIDE_LEFT - 2, middle, free_slot_count, _TILE_SIZE, 1))
    return layers


@lru_cache(maxsize=256)
def _draw_named_trait(x: int, y: int, trait: Trait, count: int, *, is_new: bool) -> Group:
    """Draw a trait's tile and its name, shortened if it does not fit."""
    items: list[Item] = [*draw_trait_tile(trait, _FIRST_TILE_MIDDLE_X, 0, _TILE_SIZE)]
    label = Text(NAME_START, 0, trait.name, SMALL_SIZE, INK, MAX_NAME_WIDTH)
    items.append(_fit_name(label, trait, count))
    if is_new:
        items.append(_new_trait_ring(_FIRST_TILE_MIDDLE_X))
    return make_group(x, y, tuple(items))


def _fit_name(label: Text, trait: Trait, count: int) -> Text:
    """Return a label with a trait's name and count; a name that does not fit is abbreviated more and more."""
    suffix, name = count_suffix(count), short_name(trait).rstrip(".")
    shorter = (name[:end] for end in range(len(name) - 1, 2, -1))
    names = (
        trait.name,
        short_name(trait),
        *(short.rstrip() if short[-1] == " " else f"{short}." for short in shorter),
    )
    return next(
        (
            text
            for text in (replace(label, text=name + suffix) for name in names)
            if not fit_text(text).is_cut
        ),
        replace(label, text=short_name(trait), suffix=suffix),
    )


def _new_trait_ring(x: float, size: float = _TILE_SIZE) -> Item:
    half = size / 2 + 2.5
    return Box(x - half, -half, 2 * half, 2 * half, 7.5, None, MAGENTA, 4)


def _draw_trait_chips(
    x: int, y: int, counts: Counter[Trait], new_traits: frozenset[Trait], free_slot_count: int | None
) -> list[Group]:
    """Draw many kinds of traits as their names alone, in two columns, and free slots after them.

    If there are too many, the last place says how many more traits there are.
    """
    places = [
        (x + _WIDE_LEFT + column * _CHIP_PITCH, y + middle)
        for middle in _MEDIUM_ROWS.middles
        for column in range(2)
    ]
    last_x, last_y = places[-1]
    shown = list(counts.items())[: len(places) - (len(counts) > len(places))]
    widths = [_CHIP_WIDTH] * len(places)
    slots_left, max_slot_tiles = last_x, _MAX_CHIP_SLOT_TILES
    if free_slot_count != 0 and len(counts) >= len(places):  # slots stand behind the last trait
        slots_left, max_slot_tiles = last_x + _CHIP_WIDTH - _MEDIUM_ROWS.tile_size, 1
        widths[-1] -= _MEDIUM_ROWS.tile_size + 4
    layers = [
        _draw_trait_chip(*place, trait, count, width)
        for place, (trait, count), width in zip(places, shown, widths, strict=False)
    ]
    layers += (  # over the chips of the next row
        _draw_new_chip_ring(*place, width)
        for place, (trait, _), width in zip(places, shown, widths, strict=False)
        if trait in new_traits
    )
    if len(shown) < len(counts):
        more_count = counts.total() - sum(count for _, count in shown)
        more = Text(_CHIP_PADDING, 0, f"+{more_count}", LEGEND_SIZE, INK, widths[-1], Typeface.BOLD)
        layers.append(make_group(last_x, last_y, (more,)))
    if free_slot_count != 0:
        tile_size = _MEDIUM_ROWS.tile_size
        layers.append(_draw_free_slots(slots_left, last_y, free_slot_count, tile_size, max_slot_tiles))
    return layers


@lru_cache(maxsize=256)
def _draw_trait_chip(x: int, y: int, trait: Trait, count: int, width: int) -> Group:
    """Draw a trait's name on a tile of its own width: pale for Surface traits, dark for Deep ones."""
    fill, colour = (DEEP_BLUE, WHITE) if trait.is_deep else (WATER, INK)
    label = Text(_CHIP_PADDING, 0, trait.name, SMALL_SIZE, colour, width - 2 * _CHIP_PADDING)
    return make_group(
        x, y, (Box(0, -_CHIP_HEIGHT / 2, width, _CHIP_HEIGHT, 6, fill), _fit_name(label, trait, count))
    )


@lru_cache(maxsize=64)
def _draw_new_chip_ring(x: int, y: int, width: int) -> Group:
    half = _CHIP_HEIGHT / 2 + 2
    return make_group(x, y, (Box(-2, -half, width + 4, 2 * half, 8, None, MAGENTA, 4),))
