"""One species as a large card of its owner's own board: values, and each trait by its name and effect."""

from collections import Counter
from functools import lru_cache
from typing import Final

import msgspec

from render import parts
from render.choice_marks import draw_choice_mark
from render.geometry import round_rectangle
from render.glyphs import FANG, HOURGLASS, LEAF, SHIELD, draw_crossed_out, draw_glyph
from render.oceans.cell import draw_population_bar
from render.oceans.palette import ATTACK_RED, GREEN
from render.oceans.trait_labels import cell_name, draw_tile
from render.pieces import draw_empty_space
from render.scene import Anchor, Box, Face, Group, Item, Line, Polygon, Text, group
from render.symbols import draw_seat_mark
from render.text_fit import shrink_to_fit, wrap_balanced, wrap_text
from render.theme import (
    CARD,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    LEGEND_SIZE,
    MAGENTA,
    MUTED_INK,
    NORMAL_LINE_WIDTH,
    SEAT_MARKS,
    SECONDARY_INK,
    TURN_LINE_WIDTH,
)
from render.typeset import fit_text
from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.traits import Trait

RADIUS: Final = 16
_NAME_PITCH: Final = 27
"""Distance of the lines of a name that needs two."""
_BOTTOM_ROOM: Final = 4
"""Room below the last row of traits."""
MARKED_GAP: Final = 22
"""The least distance of traits between which the viewer can choose: room for their marks."""
_VALUES: Final = ((LEAF, GREEN), (FANG, ATTACK_RED), (SHIELD, SECONDARY_INK), (HOURGLASS, INK))


class CardLayout(msgspec.Struct, frozen=True):
    """How a card is laid out; places are relative to its corner."""

    pad: int
    """Distance of everything from the sides."""
    header: int
    """Height of the header."""
    key: int
    """Size of the species' key."""
    population: int
    """Size of its population."""
    bar: int
    """Height of the population bar."""
    value: tuple[int, int]
    """Size of a value's sign and of its number."""
    values: int
    """Height of the line of values, or if they stand in a column at the left, 0."""
    tile: int
    """Size of a trait's tile."""
    name: int
    """Size of a trait's name."""
    effect: int
    """Size of its effect, which stands below the name; 0: it is left out."""
    gap: int
    """The least distance from trait to trait, and from value to value in a column."""

    @property
    def traits_top(self) -> int:
        """Where the traits begin."""
        return self.header + self.bar + self.values + 28

    @property
    def traits_start(self) -> int:
        """Where the traits begin across."""
        return self.pad if self.values else self.pad + self.value[0] + 60


SINGLE: Final = CardLayout(
    pad=28, header=84, key=54, population=62, bar=24, value=(44, 50), values=78, tile=74, name=42, effect=32,
    gap=20,
)  # fmt: skip
"""For the only species of a seat."""
WIDE: Final = CardLayout(
    pad=20, header=74, key=46, population=54, bar=20, value=(38, 42), values=64, tile=48, name=36, effect=28,
    gap=16,
)  # fmt: skip
"""For two species side by side."""
TALL: Final = CardLayout(
    pad=16, header=70, key=42, population=50, bar=18, value=(34, 38), values=56, tile=42, name=32, effect=25,
    gap=14,
)  # fmt: skip
"""For three species side by side."""
SHORT: Final = CardLayout(
    pad=14, header=52, key=38, population=44, bar=14, value=(34, 38), values=0, tile=36, name=30, effect=0,
    gap=7,
)  # fmt: skip
"""For more species, in rows."""


class SpeciesFacts(msgspec.Struct, frozen=True):
    """What the card of a species shows."""

    key: str
    population: int
    spaces: int
    values: tuple[int | None, int | None, int, int | None]
    """Forage, Attack, Defence, Aging; None: never."""
    traits: tuple[Card, ...]
    free_slots: int
    """How many traits it may still get."""
    new_traits: tuple[Card, ...] = ()
    """Traits that it has just received."""
    change: int = 0
    """By how much its population has just changed."""
    choosable: tuple[Card, ...] = ()
    """Traits between which the viewer can choose."""

    @property
    def kinds(self) -> Counter[Trait]:
        """Its kinds of traits, with how many of each."""
        return Counter(TRAIT[card] for card in self.traits)


@lru_cache(maxsize=128)
def draw_species_card(
    box: tuple[int, int, int, int], facts: SpeciesFacts, layout: CardLayout, gap: int, *, active: bool
) -> tuple[Group, ...]:
    """Draw a species in a box (x, y, width, height); those of the active seat have a heavy frame.

    ``gap``: between its traits.
    """
    x, y, width, height = box
    seat = "ABCDEF".index(facts.key[0])
    inner = width - 2 * layout.pad
    layers = [
        _draw_box(x, y, width, height, seat, layout.header, active=active),
        *_draw_header(x, y, width, seat, facts, layout),
        draw_population_bar(
            x + layout.pad, y + layout.header + 12, inner, layout.bar, facts.population, facts.spaces
        ),
    ]
    layers += _draw_values(x, y, inner, facts, layout, gap)
    layers += _draw_traits(x, y + layout.traits_top, width, facts, layout, gap)
    return tuple(layers)


@lru_cache(maxsize=64)
def _draw_box(x: int, y: int, width: int, height: int, seat: int, header: int, *, active: bool) -> Group:
    tint = SEAT_MARKS[seat].tint
    items: list[Item] = [
        Box(0, 0, width, height, RADIUS, CARD),
        Box(0, 0, width, 2 * RADIUS, RADIUS, tint),
        Polygon((0, RADIUS, width - 0.25, RADIUS, width - 0.25, header, 0, header), tint),
    ]
    if SEAT_MARKS[seat].letter == "E":
        items.append(Line((0, header, width, header), HAIRLINE_COLOUR, HAIRLINE_WIDTH))
    line = TURN_LINE_WIDTH if active else NORMAL_LINE_WIDTH
    items.append(Box(0, 0, width, height, RADIUS, None, INK, line))
    return group(x, y, tuple(items))


def _draw_header(
    x: int, y: int, width: int, seat: int, facts: SpeciesFacts, layout: CardLayout
) -> tuple[Group, ...]:
    """Draw key, population and spaces, and by how much the population has changed."""
    middle = y + layout.header // 2 + 1
    radius = round(layout.key * 0.4)
    right = x + width - layout.pad
    tail = shrink_to_fit(
        Text(0, 3, f"/{facts.spaces}", layout.population * 0.66, INK, 90, anchor=Anchor.RIGHT)
    )
    count = Text(0, 0, str(facts.population), layout.population, INK, 90, Face.BOLD, Anchor.RIGHT)
    count = shrink_to_fit(count)
    key = shrink_to_fit(Text(0, 0, facts.key, layout.key, INK, 120, Face.BOLD))
    key_start = x + layout.pad + 2 * radius + 12
    layers = [
        group(x + layout.pad + radius, middle, draw_seat_mark(seat, 0, 0, radius, letter=False)),
        group(key_start, middle, (key,)),
        group(right, middle, (tail,)),
        group(right - round(tail.room) - 1, middle, (count,)),
    ]
    if facts.change:
        left, end = key_start + round(key.room), right - round(tail.room) - round(count.room)
        at = (left + end - parts.change_chip_width(facts.change)) // 2
        layers.append(parts.draw_change_chip(at, middle, facts.change))
    return tuple(layers)


def _draw_values(
    x: int, y: int, width: int, facts: SpeciesFacts, layout: CardLayout, gap: int
) -> list[Group]:
    """Draw Forage, Attack, Defence and Aging in a line, or in a column at the left."""
    size, letters = layout.value
    layers: list[Group] = []
    for i, ((glyph, colour), value) in enumerate(zip(_VALUES, facts.values, strict=True)):
        if layout.values:
            at = x + layout.pad + width * i // len(_VALUES)
            middle = y + layout.traits_top - 10 - layout.values // 2
        else:
            at, middle = x + layout.pad, y + layout.traits_top + (layout.tile + gap) * i + layout.tile // 2
        if value is None:
            layers.append(group(at, middle, draw_crossed_out(glyph, size / 2, 0, size - 2)))
            continue
        number = Text(size + 6, 0, str(value), letters, INK if value else MUTED_INK, 60, Face.BOLD)
        sign = draw_glyph(glyph, size / 2, 0, size, colour, CARD)
        layers.append(group(at, middle, (*sign, shrink_to_fit(number))))
    return layers


# Traits -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _effect_lines(trait: Trait, width: int, layout: CardLayout) -> tuple[str, ...]:
    """Return the lines of a trait's effect below its name."""
    if not layout.effect or not trait.effect:
        return ()
    return wrap_balanced(trait.effect, layout.effect, width - _effect_start(layout) - layout.pad)


def _effect_start(layout: CardLayout) -> int:
    """Return where effects begin: at the card's side, below a large tile beside it."""
    return layout.pad + layout.tile + 16 if layout is SINGLE else layout.pad


def _line_height(layout: CardLayout) -> int:
    return round(1.12 * layout.effect)


@lru_cache(maxsize=256)
def _name_lines(trait: Trait, count: int, width: int, layout: CardLayout) -> tuple[Text, ...]:
    """Return a trait's whole name in one line, or smaller in two."""
    room = width - _name_start(layout) - layout.pad
    many = f" \u00d7{count}" if count > 1 else ""
    name = Text(0, 0, cell_name(trait), layout.name, INK, room, Face.BOLD, suffix=many)
    if "\u2026" not in fit_text(name).text:
        return (shrink_to_fit(name),)
    lines = wrap_text(f"{cell_name(trait)}{many}", LEGEND_SIZE, room, Face.BOLD)
    return tuple(shrink_to_fit(Text(0, 0, line, LEGEND_SIZE, INK, room, Face.BOLD)) for line in lines)


def _name_start(layout: CardLayout) -> int:
    return layout.traits_start + layout.tile + 14


def _head_height(layout: CardLayout, lines: int) -> int:
    """Return the height of a trait's name with its tile; beside a large tile, of the name alone."""
    return max(layout.name if layout is SINGLE else layout.tile, _NAME_PITCH * lines if lines > 1 else 0)


def _trait_height(trait: Trait, count: int, width: int, layout: CardLayout) -> int:
    lines = _effect_lines(trait, width, layout)
    head = _head_height(layout, len(_name_lines(trait, count, width, layout)))
    return head + (_line_height(layout) * len(lines) + 4 if lines else 0)


def _draw_traits(
    x: int, y: int, width: int, facts: SpeciesFacts, layout: CardLayout, gap: int
) -> list[Group]:
    """Draw each kind of trait, then the free slots, one below the other."""
    new = frozenset(TRAIT[card] for card in facts.new_traits)
    choosable = frozenset(TRAIT[card] for card in facts.choosable)
    start = layout.traits_start if not layout.values else 14
    layers: list[Group] = []
    for trait, count in facts.kinds.items():
        height = _trait_height(trait, count, width, layout)
        if trait in choosable:
            layers.append(draw_choice_mark(x + start, y, width - start - 14, height, 8))
        layers += _draw_trait(x, y, width, trait, count, layout, is_new=trait in new)
        y += height + gap
    for _ in range(facts.free_slots):
        layers.append(_draw_free_slot(x + layout.traits_start, y, layout))
        y += layout.tile + gap
    return layers


@lru_cache(maxsize=256)
def _draw_trait(
    x: int, y: int, width: int, trait: Trait, count: int, layout: CardLayout, *, is_new: bool
) -> tuple[Group, ...]:
    """Draw a trait's tile and name, and its effect below the name where the layout has one."""
    names = _name_lines(trait, count, width, layout)
    items: list[Item] = list(draw_tile(trait, 0, 0, layout.tile))
    if is_new:
        half = layout.tile / 2 + 3.5
        items.append(Box(-half, -half, 2 * half, 2 * half, layout.tile * 0.28, None, MAGENTA, 5))
    head = _head_height(layout, len(names))
    tile_middle = y + (layout.tile if layout is SINGLE else head) // 2
    layers = [group(x + layout.traits_start + layout.tile // 2, tile_middle, tuple(items))]
    first = y + head // 2 - _NAME_PITCH * (len(names) - 1) // 2
    layers += (
        group(x + _name_start(layout), first + _NAME_PITCH * i, (line,)) for i, line in enumerate(names)
    )
    pitch = _line_height(layout)
    layers += (
        group(
            x + _effect_start(layout),
            y + head + 4 + pitch * i + pitch // 2,
            (shrink_to_fit(Text(0, 0, line, layout.effect, SECONDARY_INK, width)),),
        )
        for i, line in enumerate(_effect_lines(trait, width, layout))
    )
    return tuple(layers)


@lru_cache(maxsize=64)
def _draw_free_slot(x: int, y: int, layout: CardLayout) -> Group:
    half = layout.tile / 2
    outline = round_rectangle(-half, -half, layout.tile, layout.tile, layout.tile * 0.22)
    label = Text(half + 14, 0, "free slot", layout.effect or LEGEND_SIZE, SECONDARY_INK, 200)
    items = (*draw_empty_space(outline), shrink_to_fit(label))
    return group(x + layout.tile // 2, y + layout.tile // 2, items)


def card_height(facts: SpeciesFacts, width: int, layout: CardLayout, gap: int) -> int:
    """Return the least height of a species' card, with ``gap`` between its traits."""
    heights = [_trait_height(trait, count, width, layout) for trait, count in facts.kinds.items()]
    heights += [layout.tile] * facts.free_slots
    if not layout.values:
        heights += [layout.tile] * (len(_VALUES) - len(heights))
    return layout.traits_top + sum(heights) + gap * len(heights) + _BOTTOM_ROOM
