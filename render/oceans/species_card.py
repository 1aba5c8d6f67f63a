"""One species as a large card on its owner's own board: values, and each trait with name and effect."""

from collections import Counter
from functools import lru_cache
from typing import Final

import msgspec

from render import parts
from render.choice_marks import draw_choice_mark
from render.geometry import rounded_rectangle
from render.glyphs import draw_glyph
from render.oceans.palette import ATTACK_RED, GREEN
from render.oceans.species_cell import draw_population_bar, species_box_items
from render.oceans.trait_labels import count_suffix, draw_trait_tile
from render.oceans.value_signs import FANG, HOURGLASS, LEAF, SHIELD, draw_crossed_out_glyph
from render.pieces import draw_empty_place
from render.scene import Anchor, Box, Group, Item, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width, wrap_balanced, wrap_text
from render.theme import (
    CARD,
    INK,
    LEGEND_SIZE,
    MAGENTA,
    MUTED_INK,
    SECONDARY_INK,
)
from render.typeset import fit_text
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import Trait
from rules.oceans.engine.ring import owner_of

CARD_RADIUS: Final = 16
_NAME_LINE_HEIGHT: Final = 27
"""Distance from line to line of a name that needs two."""
_BOTTOM_PADDING: Final = 4
"""Space below the last trait."""
MIN_CHOICE_GAP: Final = 22
"""The least distance of traits between which the viewer can choose: room for their marks."""
_VALUE_SIGNS: Final = ((LEAF, GREEN), (FANG, ATTACK_RED), (SHIELD, SECONDARY_INK), (HOURGLASS, INK))


class SpeciesCardLayout(msgspec.Struct, frozen=True):
    """How a card is laid out; places are relative to its corner."""

    padding: int
    """Distance of everything from the sides."""
    header_height: int
    key_size: int
    """Text size of the species' key."""
    population_size: int
    """Text size of its population."""
    bar_height: int
    """Height of the population bar."""
    value_sizes: tuple[int, int]
    """Size of a value's sign and of its number."""
    values_height: int
    """Height of the line of values; 0: they stand in a column at the left."""
    tile_size: int
    """Length of the sides of a trait's tile."""
    name_size: int
    """Text size of a trait's name."""
    effect_size: int
    """Text size of a trait's effect, which stands below its name; 0: it is left out."""
    min_gap: int
    """The least distance from trait to trait, and from value to value in a column."""

    @property
    def traits_top(self) -> int:
        """The y where the traits begin."""
        return self.header_height + self.bar_height + self.values_height + 28

    @property
    def traits_start(self) -> int:
        """The x where tiles of traits begin."""
        return self.padding if self.values_height else self.padding + self.value_sizes[0] + 60


SINGLE_LAYOUT: Final = SpeciesCardLayout(
    padding=28,
    header_height=84,
    key_size=54,
    population_size=62,
    bar_height=24,
    value_sizes=(44, 50),
    values_height=78,
    tile_size=70,
    name_size=42,
    effect_size=32,
    min_gap=12,
)
"""For the only species of a seat."""
WIDE_LAYOUT: Final = SpeciesCardLayout(
    padding=20,
    header_height=74,
    key_size=46,
    population_size=54,
    bar_height=20,
    value_sizes=(38, 42),
    values_height=64,
    tile_size=48,
    name_size=36,
    effect_size=28,
    min_gap=16,
)
"""For two species side by side."""
TALL_LAYOUT: Final = SpeciesCardLayout(
    padding=16,
    header_height=70,
    key_size=42,
    population_size=50,
    bar_height=18,
    value_sizes=(34, 38),
    values_height=56,
    tile_size=42,
    name_size=32,
    effect_size=25,
    min_gap=14,
)
"""For three species side by side."""
SHORT_LAYOUT: Final = SpeciesCardLayout(
    padding=14,
    header_height=52,
    key_size=38,
    population_size=44,
    bar_height=14,
    value_sizes=(34, 38),
    values_height=0,
    tile_size=36,
    name_size=30,
    effect_size=0,
    min_gap=7,
)
"""For more species, in rows."""


class SpeciesCardContent(msgspec.Struct, frozen=True):
    """What the card of a species shows."""

    key: str
    population: int
    space_count: int
    values: tuple[int | None, int | None, int, int | None]
    """Forage, Attack, Defence, Aging; None: never."""
    traits: tuple[Card, ...]
    free_slot_count: int
    """How many traits it may still get."""
    new_traits: tuple[Card, ...] = ()
    """Traits that it has just received."""
    population_change: int = 0
    """By how much its population has just changed."""
    choosable_traits: tuple[Card, ...] = ()
    """Traits between which the viewer can choose."""
    may_overpopulate: bool = True
    """Whether its last space is marked: who fills it overpopulates."""

    @property
    def trait_counts(self) -> Counter[Trait]:
        """Its traits, with how many cards of each."""
        return Counter(TRAIT_BY_CARD[card] for card in self.traits)


@lru_cache(maxsize=64)
def draw_species_card(
    box: tuple[int, int, int, int],
    content: SpeciesCardContent,
    layout: SpeciesCardLayout,
    gap: int,
    *,
    active: bool,
) -> tuple[Group, ...]:
    """Draw a species in a box (x, y, width, height), with a heavy frame if its seat is ``active``.

    ``gap``: between its traits.
    """
    x, y, width, height = box
    seat = owner_of(content.key)
    inner_width = width - 2 * layout.padding
    layers = [
        _draw_box(x, y, width, height, seat, layout.header_height, active=active),
        *_draw_header(x, y, width, seat, content, layout),
        draw_population_bar(
            (x + layout.padding, y + layout.header_height + 12, inner_width, layout.bar_height),
            content.population,
            content.space_count,
            with_limit=content.may_overpopulate,
        ),
    ]
    layers += _draw_values(x, y, inner_width, content, layout, gap)
    layers += _draw_traits(x, y + layout.traits_top, width, content, layout, gap)
    return tuple(layers)


@lru_cache(maxsize=64)
def _draw_box(
    x: int, y: int, width: int, height: int, seat: int, header_height: int, *, active: bool
) -> Group:
    return make_group(x, y, species_box_items(width, height, CARD_RADIUS, header_height, seat, active=active))


def _draw_header(
    x: int, y: int, width: int, seat: int, content: SpeciesCardContent, layout: SpeciesCardLayout
) -> tuple[Group, ...]:
    """Draw key, population and spaces, and by how much the population has changed."""
    middle = y + layout.header_height // 2 + 1
    radius = round(layout.key_size * 0.4)
    right = x + width - layout.padding
    spaces_text = fit_text_and_width(
        Text(0, 3, f"/{content.space_count}", layout.population_size * 0.66, INK, 90, anchor=Anchor.RIGHT)
    )
    population_text = Text(
        0, 0, str(content.population), layout.population_size, INK, 90, Typeface.BOLD, Anchor.RIGHT
    )
    population_text = fit_text_and_width(population_text)
    key_text = fit_text_and_width(Text(0, 0, content.key, layout.key_size, INK, 120, Typeface.BOLD))
    key_start = x + layout.padding + 2 * radius + 12
    layers = [
        make_group(
            x + layout.padding + radius, middle, draw_seat_mark(seat, 0, 0, radius, show_letter=False)
        ),
        make_group(key_start, middle, (key_text,)),
        make_group(right, middle, (spaces_text,)),
        make_group(right - round(spaces_text.max_width) - 1, middle, (population_text,)),
    ]
    if content.population_change:
        gap_start = key_start + round(key_text.max_width)
        gap_end = right - round(spaces_text.max_width) - round(population_text.max_width)
        chip_x = (gap_start + gap_end - parts.change_chip_width(content.population_change)) // 2
        layers.append(parts.draw_change_chip(chip_x, middle, content.population_change))
    return tuple(layers)


def _draw_values(
    x: int, y: int, width: int, content: SpeciesCardContent, layout: SpeciesCardLayout, gap: int
) -> list[Group]:
    """Draw Forage, Attack, Defence and Aging in a line, or in a column at the left."""
    sign_size, number_size = layout.value_sizes
    layers: list[Group] = []
    for i, ((glyph, colour), value) in enumerate(zip(_VALUE_SIGNS, content.values, strict=True)):
        if layout.values_height:
            value_x = x + layout.padding + width * i // len(_VALUE_SIGNS)
            middle = y + layout.traits_top - 10 - layout.values_height // 2
        else:
            value_x = x + layout.padding
            middle = y + layout.traits_top + (layout.tile_size + gap) * i + layout.tile_size // 2
        if value is None:
            layers.append(
                make_group(value_x, middle, draw_crossed_out_glyph(glyph, sign_size / 2, 0, sign_size - 2))
            )
            continue
        number = Text(
            sign_size + 6, 0, str(value), number_size, INK if value else MUTED_INK, 60, Typeface.BOLD
        )
        sign = draw_glyph(glyph, sign_size / 2, 0, sign_size, colour, CARD)
        layers.append(make_group(value_x, middle, (*sign, fit_text_and_width(number))))
    return layers


# Traits -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _effect_lines(trait: Trait, width: int, layout: SpeciesCardLayout) -> tuple[str, ...]:
    """Return the lines of a trait's effect below its name."""
    if not layout.effect_size or not trait.short_text:
        return ()
    return wrap_balanced(trait.short_text, layout.effect_size, width - _effect_start(layout) - layout.padding)


def _effect_start(layout: SpeciesCardLayout) -> int:
    """Return the x where effects begin: at the card's left, or beside a large tile."""
    return layout.padding + layout.tile_size + 16 if layout is SINGLE_LAYOUT else layout.padding


def _line_height(layout: SpeciesCardLayout) -> int:
    return round(1.12 * layout.effect_size)


@lru_cache(maxsize=128)
def _name_lines(trait: Trait, count: int, width: int, layout: SpeciesCardLayout) -> tuple[Text, ...]:
    """Return a trait's whole name in one line, or smaller in two."""
    max_width = width - _name_start(layout) - layout.padding
    suffix = count_suffix(count)
    name = Text(0, 0, trait.name, layout.name_size, INK, max_width, Typeface.BOLD, suffix=suffix)
    if not fit_text(name).is_cut:
        return (fit_text_and_width(name),)
    lines = wrap_text(f"{trait.name}{suffix}", LEGEND_SIZE, max_width, Typeface.BOLD)
    return tuple(
        fit_text_and_width(Text(0, 0, line, LEGEND_SIZE, INK, max_width, Typeface.BOLD)) for line in lines
    )


def _name_start(layout: SpeciesCardLayout) -> int:
    return layout.traits_start + layout.tile_size + 14


def _trait_head_height(layout: SpeciesCardLayout, line_count: int) -> int:
    """Return the height of a trait's tile and name; if the tile is large, that of the name alone."""
    return max(
        layout.name_size if layout is SINGLE_LAYOUT else layout.tile_size,
        _NAME_LINE_HEIGHT * line_count if line_count > 1 else 0,
    )


def _trait_height(trait: Trait, count: int, width: int, layout: SpeciesCardLayout) -> int:
    lines = _effect_lines(trait, width, layout)
    head_height = _trait_head_height(layout, len(_name_lines(trait, count, width, layout)))
    effect_height = _line_height(layout) * len(lines) + 4 if lines else 0
    return max(layout.tile_size, head_height + effect_height)


def _draw_traits(
    x: int, y: int, width: int, content: SpeciesCardContent, layout: SpeciesCardLayout, gap: int
) -> list[Group]:
    """Draw each kind of trait, then the free slots, one below the other."""
    new_traits = frozenset(TRAIT_BY_CARD[card] for card in content.new_traits)
    choosable = frozenset(TRAIT_BY_CARD[card] for card in content.choosable_traits)
    start = layout.traits_start if not layout.values_height else 14
    layers: list[Group] = []
    for trait, count in content.trait_counts.items():
        height = _trait_height(trait, count, width, layout)
        if trait in choosable:
            layers.append(draw_choice_mark(x + start, y, width - start - 14, height, 8))
        layers += _draw_trait(x, y, width, trait, count, layout, is_new=trait in new_traits)
        y += height + gap
    for _ in range(content.free_slot_count):
        layers.append(_draw_free_slot(x + layout.traits_start, y, layout))
        y += layout.tile_size + gap
    return layers


@lru_cache(maxsize=128)
def _draw_trait(
    x: int, y: int, width: int, trait: Trait, count: int, layout: SpeciesCardLayout, *, is_new: bool
) -> tuple[Group, ...]:
    """Draw a trait's tile and name, and its effect below the name where the layout has one."""
    name_lines = _name_lines(trait, count, width, layout)
    items: list[Item] = list(draw_trait_tile(trait, 0, 0, layout.tile_size))
    if is_new:
        half = layout.tile_size / 2 + 3.5
        items.append(Box(-half, -half, 2 * half, 2 * half, layout.tile_size * 0.28, None, MAGENTA, 5))
    head_height = _trait_head_height(layout, len(name_lines))
    tile_middle = y + (layout.tile_size if layout is SINGLE_LAYOUT else head_height) // 2
    layers = [make_group(x + layout.traits_start + layout.tile_size // 2, tile_middle, tuple(items))]
    first_y = y + head_height // 2 - _NAME_LINE_HEIGHT * (len(name_lines) - 1) // 2
    layers += (
        make_group(x + _name_start(layout), first_y + _NAME_LINE_HEIGHT * i, (line,))
        for i, line in enumerate(name_lines)
    )
    line_height = _line_height(layout)
    layers += (
        make_group(
            x + _effect_start(layout),
            y + head_height + 4 + line_height * i + line_height // 2,
            (fit_text_and_width(Text(0, 0, line, layout.effect_size, SECONDARY_INK, width)),),
        )
        for i, line in enumerate(_effect_lines(trait, width, layout))
    )
    return tuple(layers)


@lru_cache(maxsize=64)
def _draw_free_slot(x: int, y: int, layout: SpeciesCardLayout) -> Group:
    half = layout.tile_size / 2
    outline = rounded_rectangle(-half, -half, layout.tile_size, layout.tile_size, layout.tile_size * 0.22)
    label = Text(half + 14, 0, "free slot", layout.effect_size or LEGEND_SIZE, SECONDARY_INK, 200)
    items = (*draw_empty_place(outline), fit_text_and_width(label))
    return make_group(x + layout.tile_size // 2, y + layout.tile_size // 2, items)


def card_height(content: SpeciesCardContent, width: int, layout: SpeciesCardLayout, gap: int) -> int:
    """Return the least height of a species' card, with ``gap`` between its traits."""
    heights = [_trait_height(trait, count, width, layout) for trait, count in content.trait_counts.items()]
    heights += [layout.tile_size] * content.free_slot_count
    if not layout.values_height:
        heights += [layout.tile_size] * (len(_VALUE_SIGNS) - len(heights))
    return layout.traits_top + sum(heights) + gap * len(heights) + _BOTTOM_PADDING
