"""One species as a cell of the ring: owner, population, values, traits, and how full its board is."""

from collections import Counter
from functools import lru_cache
from typing import Final

import msgspec

from render.glyphs import Glyph, draw_glyph
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH
from render.oceans.palette import ATTACK_RED, GREEN
from render.oceans.trait_labels import count_suffix, draw_trait_tile, short_name
from render.oceans.value_signs import FANG, LEAF, SHIELD, draw_crossed_out_glyph
from render.scene import Anchor, Box, Colour, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.text_fit import shrink_to_fit, wrap_text
from render.theme import (
    CARD,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    MAGENTA,
    MUTED_INK,
    NORMAL_LINE_WIDTH,
    PANEL,
    RED,
    SEAT_MARKS,
    SECONDARY_INK,
    SMALL_SIZE,
    TURN_LINE_WIDTH,
    WATER_CHECK,
    WHITE,
)
from render.typeset import fit_text
from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.traits import Trait
from rules.oceans.engine.ring import owner_of

CELL_RADIUS: Final = 12
_HEADER_HEIGHT: Final = 38
_HEADER_MIDDLE: Final = 20
CHIP_START: Final = 80
"""The x where the chip of a change begins in the header."""
_VALUE_SIGNS: Final = ((LEAF, GREEN), (FANG, ATTACK_RED), (SHIELD, SECONDARY_INK))
_VALUE_SIGN_X: Final = 20
"""The x of a value's sign."""
_NEVER_SIGN_X: Final = 25
"""The x of a crossed-out sign: clear of the arrow head from the cell before."""
_VALUE_ROWS: Final = (59, 96, 133)
"""The y of the middle of each row of values."""
_TRAIT_ROWS: Final = (57, 85, 113, 141)
"""The y of the middle of each row of traits."""
_TILE_SIZE: Final = 26
_FIRST_TILE_X: Final = 87
"""The x of the first tile of a row."""
_TILE_PITCH: Final = 31
_TILES_PER_ROW: Final = 4
_NAME_LINE_HEIGHT: Final = 27
"""Distance from line to line of a name that needs two."""
NAME_START: Final = 104
NAME_ROOM: Final = 111
_BAR_TOP: Final = 160
_MAX_SEGMENTS: Final = 24
"""Up to this number of spaces, the population bar is divided into one segment for each space."""


class CellContent(msgspec.Struct, frozen=True):
    """What the cell of a species shows."""

    key: str
    population: int
    spaces: int
    values: tuple[int | None, int | None, int]
    """Forage, Attack, Defence; None: never."""
    traits: tuple[Card, ...]
    new_traits: tuple[Card, ...] = ()
    """Traits that it has just received."""


@lru_cache(maxsize=256)
def draw_cell(x: int, y: int, content: CellContent, *, active: bool) -> tuple[Group, ...]:
    """Draw a species with its corner at (x, y), with a heavy frame if its seat is ``active``."""
    seat = owner_of(content.key)
    layers = [
        *_draw_box(x, y, seat, content.key, active=active),
        *_draw_population(x, y, content.population, content.spaces),
        draw_population_bar(x + 12, y + _BAR_TOP, CELL_WIDTH - 24, 10, content.population, content.spaces),
    ]
    for (glyph, colour), row, value in zip(_VALUE_SIGNS, _VALUE_ROWS, content.values, strict=True):
        layers.append(_draw_value(x, y + row, glyph, colour, value))
    layers += _draw_traits(x, y, content)
    return tuple(layers)


@lru_cache(maxsize=128)
def _draw_box(x: int, y: int, seat: int, key: str, *, active: bool) -> tuple[Group, ...]:
    items = species_box_items(CELL_WIDTH, CELL_HEIGHT, CELL_RADIUS, _HEADER_HEIGHT, seat, active=active)
    mark = draw_seat_mark(seat, 25, _HEADER_MIDDLE, 11.5, show_letter=False)
    label = Text(42, _HEADER_MIDDLE, key, 29, INK, 38, Typeface.BOLD)
    return make_group(x, y, items), make_group(x, y, (*mark, label))


def species_box_items(
    width: int, height: int, radius: int, header_height: int, seat: int, *, active: bool
) -> tuple[Item, ...]:
    """Return the box of a species, its header in its seat's tint; the frame is heavy if ``active``."""
    tint = SEAT_MARKS[seat].tint
    items: list[Item] = [
        Box(0, 0, width, height, radius, CARD),
        Box(0, 0, width, 2 * radius, radius, tint),
        Polygon((0, radius, width - 0.25, radius, width - 0.25, header_height, 0, header_height), tint),
    ]
    if SEAT_MARKS[seat].colour == WHITE:  # its tint hardly differs from the card
        items.append(Line((0, header_height, width, header_height), HAIRLINE_COLOUR, HAIRLINE_WIDTH))
    line_width = TURN_LINE_WIDTH if active else NORMAL_LINE_WIDTH
    items.append(Box(0, 0, width, height, radius, None, INK, line_width))
    return tuple(items)


@lru_cache(maxsize=256)
def _draw_population(x: int, y: int, population: int, spaces: int) -> tuple[Group, ...]:
    """Draw the population, large, and the board's spaces after it."""
    return tuple(make_group(x, y, (shrink_to_fit(text),)) for text in _population_texts(population, spaces))


@lru_cache(maxsize=128)
def _population_texts(population: int, spaces: int) -> tuple[Text, Text]:
    spaces_text = f"/{spaces}"
    right = CELL_WIDTH - 11
    width = 13.5 * len(spaces_text)
    population_text = Text(
        right - width, _HEADER_MIDDLE, str(population), 37, INK, 60, Typeface.BOLD, Anchor.RIGHT
    )
    return population_text, Text(right, _HEADER_MIDDLE + 2, spaces_text, 27, INK, width, anchor=Anchor.RIGHT)


def change_chip_spot(population: int, spaces: int, chip_width: int) -> tuple[int, int]:
    """Return x and y of a chip's left end: in the header, or above the cell if the header is full."""
    population_text, _ = _population_texts(population, spaces)
    free_width = population_text.x - fit_text(population_text).width - CHIP_START
    return (CHIP_START, _HEADER_MIDDLE) if chip_width <= free_width else (8, -9)


@lru_cache(maxsize=256)
def _draw_value(x: int, y: int, glyph: Glyph, colour: Colour, value: int | None) -> Group:
    if value is None:
        return make_group(x, y, draw_crossed_out_glyph(glyph, _NEVER_SIGN_X, 0, 25))
    size = 34 if value < 10 else 30
    label = Text(_VALUE_SIGN_X + 16, 0, str(value), size, INK if value else MUTED_INK, 36, Typeface.BOLD)
    return make_group(x, y, (*draw_glyph(glyph, _VALUE_SIGN_X, 0, 26, colour, CARD), label))


@lru_cache(maxsize=256)
def draw_population_bar(x: int, y: int, width: int, height: int, population: int, spaces: int) -> Group:
    """Draw a population bar at the corner (x, y): a segment for each space; the last one is the fishbone.

    Above ``_MAX_SEGMENTS`` spaces all others share one long segment.
    """
    last_width = min(2.0 * height, max(0.9 * height, width / spaces - 2))
    items: list[Item] = []
    other_width = width - last_width - 3
    if spaces > _MAX_SEGMENTS:
        share = min(1.0, population / max(1, spaces - 1))
        items.append(Box(0, 0, other_width, height, 4, WATER_CHECK))
        if share:
            items.append(Box(0, 0, max(8.0, other_width * share), height, 4, SECONDARY_INK))
    elif spaces > 1:
        pitch = other_width / (spaces - 1)
        items += (
            Box(i * pitch, 0, pitch - 2, height, 3, SECONDARY_INK if i < population else WATER_CHECK)
            for i in range(spaces - 1)
        )
    is_full = population >= spaces
    items.append(Box(width - last_width, -0.5, last_width, height + 1, 3, RED if is_full else CARD, RED, 2.5))
    return make_group(x, y, tuple(items))


# Traits -----------------------------------------------------------------------------------------------


def _draw_traits(x: int, y: int, content: CellContent) -> list[Group]:
    """Draw each trait with its name and count, a long name in two lines where there is room.

    If there are too many traits, the last ones are tiles without names.
    """
    counts = Counter(TRAIT[card] for card in content.traits)
    new_traits = frozenset(TRAIT[card] for card in content.new_traits)
    named_count = len(_TRAIT_ROWS)
    if len(counts) > named_count:
        named_count = next(
            (n for n in (3, 2, 1) if sum(list(counts.values())[n:]) <= _TILES_PER_ROW * (4 - n)), 0
        )
    named = list(counts)[:named_count]
    spare_rows = len(_TRAIT_ROWS) - len(named) if len(named) == len(counts) else 0
    layers: list[Group] = []
    row = 0
    for trait in named:
        lines = whole_name_lines(trait, counts[trait])
        if len(lines) - 1 > spare_rows:
            lines = ()
        layers.append(
            _draw_named_trait(
                x, y + _TRAIT_ROWS[row], trait, counts[trait], lines, is_new=trait in new_traits
            )
        )
        spare_rows -= max(0, len(lines) - 1)
        row += max(1, len(lines))
    unnamed = [trait for trait in counts.elements() if trait not in named]
    tile_capacity = _TILES_PER_ROW * (len(_TRAIT_ROWS) - len(named))
    tiles = unnamed if len(unnamed) <= tile_capacity else unnamed[: tile_capacity - 1]
    for i, trait in enumerate(tiles):
        offset, row_y = _TILE_PITCH * (i % _TILES_PER_ROW), _TRAIT_ROWS[len(named) + i // _TILES_PER_ROW]
        layers.append(_draw_lone_tile(x + offset, y + row_y, trait, is_new=trait in new_traits))
    if len(tiles) < len(unnamed):
        offset = _FIRST_TILE_X - 14 + _TILE_PITCH * (_TILES_PER_ROW - 1)
        more = Text(offset, 0, f"+{len(unnamed) - len(tiles)}", 26, INK, 44, Typeface.BOLD)
        layers.append(make_group(x, y + _TRAIT_ROWS[-1], (more,)))
    return layers


@lru_cache(maxsize=256)
def _draw_named_trait(
    x: int, y: int, trait: Trait, count: int, lines: tuple[str, ...], *, is_new: bool
) -> Group:
    """Draw a trait's tile and its whole name in ``lines``; without lines, its short name in one line."""
    items: list[Item] = [*draw_trait_tile(trait, _FIRST_TILE_X, 0, _TILE_SIZE)]
    if lines:
        items += (
            Text(NAME_START, _NAME_LINE_HEIGHT * i, line, SMALL_SIZE, INK, NAME_ROOM)
            for i, line in enumerate(lines)
        )
    else:
        label = Text(NAME_START, 0, short_name(trait), SMALL_SIZE, INK, NAME_ROOM)
        items.append(_add_count(label, count_suffix(count)) if count > 1 else label)
    if is_new:
        items.append(_new_trait_ring(_FIRST_TILE_X))
    return make_group(x, y, tuple(items))


@lru_cache(maxsize=256)
def whole_name_lines(trait: Trait, count: int) -> tuple[str, ...]:
    """Return a trait's whole name in one or two lines that fit into a cell; no lines if it does not fit."""
    text = trait.name + count_suffix(count)
    lines = wrap_text(text, SMALL_SIZE, NAME_ROOM)
    all_fit = all(fit_text(Text(0, 0, line, SMALL_SIZE, INK, NAME_ROOM)).text == line for line in lines)
    is_count_alone = lines[-1] == count_suffix(count).strip()
    return lines if all_fit and len(lines) <= 2 and not is_count_alone else ()


def _add_count(label: Text, suffix: str) -> Text:
    """Add the count to a name; if both do not fit, abbreviate the name with a full stop."""
    name = label.text.rstrip(".")
    shorter = (name[:end] for end in range(len(name) - 1, 2, -1))
    for text in (label.text, *(short.rstrip() if short[-1] == " " else f"{short}." for short in shorter)):
        if fit_text(Text(0, 0, text + suffix, SMALL_SIZE, INK, NAME_ROOM)).text == text + suffix:
            return msgspec.structs.replace(label, text=text + suffix)
    return msgspec.structs.replace(label, suffix=suffix)


@lru_cache(maxsize=128)
def _draw_lone_tile(x: int, y: int, trait: Trait, *, is_new: bool) -> Group:
    items = draw_trait_tile(trait, _FIRST_TILE_X, 0, _TILE_SIZE)
    return make_group(x, y, (*items, _new_trait_ring(_FIRST_TILE_X)) if is_new else items)


def _new_trait_ring(x: float) -> Item:
    half = _TILE_SIZE / 2 + 2.5
    return Box(x - half, -half, 2 * half, 2 * half, 7.5, None, MAGENTA, 4)


# A seat without species -------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def draw_vacant_cell(x: int, y: int, seat: int, name: str, note: str) -> tuple[Group, ...]:
    """Draw the place of a seat that has no species."""
    middle = CELL_WIDTH // 2
    name_text = Text(0, 0, name, 28, INK, CELL_WIDTH - 30, Typeface.BOLD, Anchor.MIDDLE)
    note_text = Text(0, 0, note, 26, SECONDARY_INK, CELL_WIDTH - 24, Typeface.SANS, Anchor.MIDDLE)
    box = Box(0, 0, CELL_WIDTH, CELL_HEIGHT, CELL_RADIUS, PANEL, HAIRLINE_COLOUR, HAIRLINE_WIDTH)
    return (
        make_group(x, y, (box,)),
        make_group(x + middle, y + 52, draw_seat_mark(seat, 0, 0, 25)),
        make_group(x + middle, y + 106, (name_text,)),
        make_group(x + middle, y + 142, (note_text,)),
    )
