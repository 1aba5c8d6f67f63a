"""One species as a cell of the ring: owner, population, values, traits, and how full its board is."""

from functools import lru_cache
from typing import Final

import msgspec

from render.glyphs import Glyph, draw_glyph
from render.oceans.cell_traits import TRAIT_ROW_MIDDLES, draw_traits, stand_beside_values
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH
from render.oceans.palette import ATTACK_RED, GREEN
from render.oceans.value_signs import FANG, LEAF, SHIELD, draw_crossed_out_glyph
from render.scaling import scale_group
from render.scene import Anchor, Box, Colour, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    EMPHASIS_LINE_WIDTH,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    MUTED_INK,
    NORMAL_LINE_WIDTH,
    PANEL,
    RED,
    SEAT_MARKS,
    SECONDARY_INK,
    WATER_SHADED,
    WHITE,
)
from render.typeset import fit_text
from rules.oceans.cards.decks import Card
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
_VALUE_ROW_MIDDLES: Final = (59, 96, 133)
"""The y of the middle of each row of values, where no free slots stand below them."""
_VALUES_MIDDLE: Final = 58
"""The y of the middle of the values where they stand in one row."""
_VALUE_PITCH: Final = 67
_BAR_TOP: Final = 160
_MAX_SEGMENTS: Final = 24
"""Up to this number of spaces, the population bar is divided into one segment for each space."""


class CellContent(msgspec.Struct, frozen=True):
    """What the cell of a species shows."""

    key: str
    population: int
    space_count: int
    values: tuple[int | None, int | None, int]
    """Forage, Attack, Defence; None: never."""
    traits: tuple[Card, ...]
    new_traits: tuple[Card, ...] = ()
    """Traits that it has just received."""
    free_slot_count: int | None = 0
    """How many traits it may still get; None: any number."""
    may_overpopulate: bool = True
    """Whether its last space is marked: who fills it overpopulates."""


@lru_cache(maxsize=256)
def draw_cell(x: int, y: int, content: CellContent, *, active: bool, scale: float = 1.0) -> tuple[Group, ...]:
    """Draw a species with its corner at (x, y), with a heavy frame if its seat is ``active``."""
    if scale != 1:
        return _scaled_groups(draw_cell(0, 0, content, active=active), x, y, scale)
    seat = owner_of(content.key)
    layers = [
        *_draw_box(x, y, seat, content.key, active=active),
        *_draw_population(x, y, content.population, content.space_count),
        draw_population_bar(
            (x + 12, y + _BAR_TOP, CELL_WIDTH - 24, 10),
            content.population,
            content.space_count,
            with_limit=content.may_overpopulate,
        ),
    ]
    has_value_column = stand_beside_values(content.traits)
    value_row_middles = _VALUE_ROW_MIDDLES if content.free_slot_count == 0 else TRAIT_ROW_MIDDLES
    for index, ((glyph, colour), value) in enumerate(zip(_VALUE_SIGNS, content.values, strict=True)):
        left, top = _VALUE_PITCH * index, _VALUES_MIDDLE
        if has_value_column:
            left, top = 0, value_row_middles[index]
        layers.append(_draw_value(x + left, y + top, glyph, colour, value))
    layers += draw_traits(x, y, content.traits, content.new_traits, content.free_slot_count)
    return tuple(layers)


def _scaled_groups(groups: tuple[Group, ...], x: int, y: int, scale: float) -> tuple[Group, ...]:
    return tuple(scale_group(group, x, y, scale) for group in groups)


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
    line_width = EMPHASIS_LINE_WIDTH if active else NORMAL_LINE_WIDTH
    items.append(Box(0, 0, width, height, radius, None, INK, line_width))
    return tuple(items)


@lru_cache(maxsize=256)
def _draw_population(x: int, y: int, population: int, space_count: int) -> tuple[Group, ...]:
    """Draw the population, large, and the board's spaces after it."""
    return tuple(
        make_group(x, y, (fit_text_and_width(text),)) for text in _population_texts(population, space_count)
    )


@lru_cache(maxsize=128)
def _population_texts(population: int, space_count: int) -> tuple[Text, Text]:
    spaces_text = f"/{space_count}"
    right = CELL_WIDTH - 11
    width = 13.5 * len(spaces_text)
    population_text = Text(
        right - width, _HEADER_MIDDLE, str(population), 37, INK, 60, Typeface.BOLD, Anchor.RIGHT
    )
    return population_text, Text(right, _HEADER_MIDDLE + 2, spaces_text, 27, INK, width, anchor=Anchor.RIGHT)


def change_chip_spot(population: int, space_count: int, chip_width: int, scale: float) -> tuple[int, int]:
    """Return x and y of a chip's left end: in the header, or above the cell if the header is full."""
    population_text, _ = _population_texts(population, space_count)
    free_width = population_text.x - fit_text(population_text).width - CHIP_START
    fits_header = chip_width <= free_width * scale
    return (round(CHIP_START * scale), round(_HEADER_MIDDLE * scale)) if fits_header else (8, -9)


@lru_cache(maxsize=256)
def _draw_value(x: int, y: int, glyph: Glyph, colour: Colour, value: int | None) -> Group:
    if value is None:
        return make_group(x, y, draw_crossed_out_glyph(glyph, _NEVER_SIGN_X, 0, 25))
    size = 34 if value < 10 else 30
    label = Text(_VALUE_SIGN_X + 16, 0, str(value), size, INK if value else MUTED_INK, 36, Typeface.BOLD)
    return make_group(x, y, (*draw_glyph(glyph, _VALUE_SIGN_X, 0, 26, colour, CARD), label))


@lru_cache(maxsize=256)
def draw_population_bar(
    box: tuple[int, int, int, int], population: int, space_count: int, *, with_limit: bool
) -> Group:
    """Draw a population bar in a box (x, y, width, height): a segment for each space.

    Above ``_MAX_SEGMENTS`` spaces they share one long segment.  ``with_limit``: the last space, the fishbone,
    stands apart in red, as who fills it overpopulates.
    """
    x, y, width, height = box
    last_width = min(2.0 * height, max(0.9 * height, width / space_count - 2)) if with_limit else 0.0
    items: list[Item] = []
    other_width = width - last_width - 3 if with_limit else width
    other_count = space_count - 1 if with_limit else space_count
    if space_count > _MAX_SEGMENTS:
        share = min(1.0, population / max(1, other_count))
        items.append(Box(0, 0, other_width, height, 4, WATER_SHADED))
        if share:
            items.append(Box(0, 0, max(8.0, other_width * share), height, 4, SECONDARY_INK))
    elif other_count:
        pitch = other_width / other_count
        items += (
            Box(i * pitch, 0, pitch - 2, height, 3, SECONDARY_INK if i < population else WATER_SHADED)
            for i in range(other_count)
        )
    if with_limit:
        background = RED if population >= space_count else CARD
        items.append(Box(width - last_width, -0.5, last_width, height + 1, 3, background, RED, 2.5))
    return make_group(x, y, tuple(items))


# A seat without species -------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def draw_vacant_cell(
    x: int, y: int, seat: int, name: str, note: str, scale: float = 1.0
) -> tuple[Group, ...]:
    """Draw the place of a seat that has no species."""
    if scale != 1:
        return _scaled_groups(draw_vacant_cell(0, 0, seat, name, note), x, y, scale)
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
