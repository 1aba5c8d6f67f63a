"""The water in the middle: Reef, zones, what lies in them, the decks, the Gene Pool."""

from functools import lru_cache
from typing import Final

import msgspec

from render import parts
from render.glyphs import (
    BOLT,
    FANG,
    FISH,
    HOURGLASS,
    LEAF,
    ROOM,
    SHIELD,
    SLOT,
    SWELL,
    Glyph,
    draw_crossed_out,
    draw_glyph,
    wavy_line,
)
from render.oceans.layout import Sheet
from render.oceans.tiles import heading
from render.scene import Anchor, Box, Colour, Disc, Face, Group, Item, Layer, Line, Polygon, Text, group
from render.symbols import draw_cards_sign
from render.theme import (
    ACTIVE_LINE,
    BODY_SIZE,
    CARD,
    CLARET,
    CONTOUR,
    DEEP_BLUE,
    GREEN,
    HAIR_LINE,
    INK,
    KEY_NUMBER_SIZE,
    LEGEND_SIZE,
    NORMAL_LINE,
    SECONDARY_INK,
    SMALL_SIZE,
    WATER,
    WATER_2,
    WATER_3,
    WATER_4,
    WHITE,
)
from rules.oceans.cards.decks import NUMBER, SCENARIOS, TRAIT, Card
from rules.oceans.cards.scenarios import Scenario
from rules.oceans.cards.traits import Trait
from rules.oceans.model import Position

_SHADES: Final = (WATER, WATER_2, WATER_3, WATER_4)
_NAMES: Final = ("Reef", "Zone 1", "Zone 2", "Zone 3")
_HIGH: Final = (60, 108, 106, 234)
_HIGH_REEF: Final = (94, 138, 138, 138)
"""Heights of the bands on the smallest sheet; the Reef Variant has no Gene Pool."""
_LABEL: Final = 18
_COLUMN: Final = 138
"""Where cards begin, seen from the water's left end."""
_PAD: Final = 14
SMALL_CARD: Final = 94
"""Height of the cards beside zones 1 and 2."""
GENE_CARD: Final = 152
"""Height of the top of a Gene Pool pile; a pile of two or more stands out above it."""
_BESIDE: Final = 118
"""Where the number of a zone stands that has its name beside it."""


def bands(sheet: Sheet) -> tuple[int, ...]:
    """Top lines of the four bands, and the bottom line."""
    _, top, _, high = sheet.water
    heights = _HIGH_REEF if sheet.reef else _HIGH
    extra = high - sum(heights)
    tops, at = [top], top
    for i, each in enumerate(heights):
        at += each + extra * (i + 1) // 4 - extra * i // 4
        tops.append(at)
    return tuple(tops)


def number_spot(sheet: Sheet, zone: int) -> tuple[int, int]:
    """Where a zone's number begins, and its middle line."""
    left, _, _, _ = sheet.water
    down = _heading(sheet, zone)
    return (left + _BESIDE, down) if zone in {0, 3} else (left + _LABEL, down + 43)


def _heading(sheet: Sheet, zone: int) -> int:
    """The middle line of a zone's name.  Cards lie beside zones 1 and 2, but below zone 3's name."""
    top, end = bands(sheet)[zone : zone + 2]
    if zone in {1, 2}:
        return (top + end) // 2 - 24
    return (top + end) // 2 + 2 if zone == 0 or sheet.reef else top + 29


# What stays ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def ground(sheet: Sheet) -> tuple[Layer, ...]:
    """The water itself with the zones' names."""
    left, top, wide, high = sheet.water
    tops = bands(sheet)
    items: list[Item] = [Box(0, 0, wide, high, 16, _SHADES[0])]
    for i in range(1, 4):
        level = tops[i] - top
        edge = wavy_line(level, wide / 2 - 0.5, 4, 2 if i % 2 else 2.5, wide / 2)
        if i < 3:
            items.append(Polygon((*edge, wide - 0.5, high - 30, 0.5, high - 30), _SHADES[i]))
        else:
            items.append(Box(0, high - 60, wide, 60, 16, _SHADES[i]))
            items.append(Polygon((*edge, wide - 0.5, high - 30, 0.5, high - 30), _SHADES[i]))
        items.append(Line(edge, CONTOUR, 1.5))
    items.append(Box(0, 0, wide, high, 16, None, CONTOUR, HAIR_LINE))
    found: list[Layer] = [group(left, top, tuple(items))]
    for i, name in enumerate(_NAMES):
        words = Text(0, 0, name, BODY_SIZE + 1, INK, 110, Face.ITALIC)
        found.append(group(left + _LABEL, _heading(sheet, i), (parts.shrink_to_fit(words),)))
    return tuple(found)


# What changes -------------------------------------------------------------------------------------------


def contents(position: Position, sheet: Sheet) -> tuple[Group, ...]:
    """Numbers and cards in the zones."""
    left, _, wide, _ = sheet.water
    top, low = _heading(sheet, 0), _heading(sheet, 3)
    found = [_number(*number_spot(sheet, zone), count) for zone, count in enumerate(position.water)]
    found += _decks(left, top, position.surface_deck, None if position.options.reef else position.deep_deck)
    found.append(_cambrian(*cambrian_box(sheet), happened=position.cambrian))
    for i, code in enumerate(position.scenarios):
        found += _scenario(*scenario_box(sheet, i), code, active=code in position.active)
    if position.to_act is not None:
        found += _reserve(left + wide - _PAD, low, position.reserve, ending=position.ending)
    if position.options.reef:
        return tuple(found)
    words = Text(0, 0, "Gene Pool", BODY_SIZE, INK, 130, Face.ITALIC)
    found.append(group(left + 280, low, (parts.shrink_to_fit(words),)))
    for i, pile in enumerate(position.gene_pool):
        found += gene_card(*pool_box(sheet, i), pile[-1] if pile else None, len(pile))
    return tuple(found)


def cambrian_box(sheet: Sheet) -> tuple[int, int, int, int]:
    """x, y, width, height of the Cambrian card."""
    left, _, _, _ = sheet.water
    top, end = bands(sheet)[1:3]
    return left + _COLUMN, (top + end) // 2 - 46, 122, SMALL_CARD


def scenario_box(sheet: Sheet, index: int) -> tuple[int, int, int, int]:
    """x, y, width, height of the Scenario card below zone 1 or 2."""
    left, _, wide, _ = sheet.water
    top, end = bands(sheet)[1 + index : 3 + index]
    start = _COLUMN if index else _COLUMN + 130
    return left + start, (top + end) // 2 - 46, wide - start - _PAD, SMALL_CARD


def pool_box(sheet: Sheet, pile: int) -> tuple[int, int, int, int]:
    """x, y, width, height of a Gene Pool pile."""
    left, _, wide, _ = sheet.water
    end = bands(sheet)[4]
    each = (wide - 3 * _PAD) // 2
    return left + _PAD + pile * (each + _PAD), end - 12 - GENE_CARD, each, GENE_CARD


@lru_cache(maxsize=512)
def _number(x: int, y: int, count: int) -> Group:
    return group(
        x, y, (parts.shrink_to_fit(Text(0, 0, str(count), KEY_NUMBER_SIZE, INK, 70, Face.BOLD, min_size=36)),)
    )


@lru_cache(maxsize=256)
def _decks(x: int, y: int, surface: int, deep: int | None) -> tuple[Group, ...]:
    found: list[Group] = []
    for i, (count, name, dark) in enumerate(((surface, "Surface", False), (deep, "Deep", True))):
        if count is None:
            continue
        at = x + 262 + 212 * i
        found.append(group(at, y, draw_cards_sign(0, 0, 36, dark=dark)))
        words = Text(0, 0, str(count), 34, INK, 60, Face.BOLD)
        found.append(group(at + 24, y, (parts.shrink_to_fit(words),)))
        taken = round(parts.shrink_to_fit(words).room)
        found.append(
            group(
                at + 24 + taken + 8, y + 1, (parts.shrink_to_fit(Text(0, 0, name, 27, SECONDARY_INK, 100)),)
            )
        )
    return tuple(found)


@lru_cache(maxsize=32)
def _card_box(x: int, y: int, width: int, height: int, *, active: bool) -> Group:
    fill, line, weight = (CARD, INK, ACTIVE_LINE + 1) if active else (WATER, CONTOUR, HAIR_LINE)
    return group(x, y, (Box(0, 0, width, height, 12, fill, line, weight),))


def _badge(glyph: Glyph, x: float, y: float, *, active: bool) -> tuple[Item, ...]:
    fill, colour, line = (INK, WHITE, INK) if active else (CARD, INK, CONTOUR)
    return Disc(x, y, 19, fill, line, NORMAL_LINE), *draw_glyph(glyph, x, y, 25, colour, fill)


@lru_cache(maxsize=16)
def _cambrian(x: int, y: int, width: int, height: int, *, happened: bool) -> Group:
    """What it brings; white once it has happened."""
    box = _card_box(0, 0, width, height, active=happened).items
    middle = width / 2 + 1
    items: list[Item] = [*box]
    items.append(Text(middle, 22, "Cambrian", SMALL_SIZE, INK, width - 8, Face.BOLD, Anchor.MIDDLE))
    items += (
        Text(middle, down, line, SMALL_SIZE, INK, width - 12, anchor=Anchor.MIDDLE)
        for down, line in ((49, "2 cards"), (74, "age 2"))
    )
    return group(x, y, tuple(items))


@lru_cache(maxsize=128)
def _scenario(x: int, y: int, width: int, height: int, code: str, *, active: bool) -> tuple[Group, ...]:
    card: Scenario = SCENARIOS[code]
    room = width - 56 - 11
    items = list(_badge(BOLT if card.event else SWELL, 29, height / 2, active=active))
    name = card.name.split(" (")[0]
    size = 25 if len(parts.wrap_balanced(card.line, 25, room)) < 3 else SMALL_SIZE
    lines = parts.wrap_balanced(card.line, size, room)
    top = 48 if len(lines) > 1 else 63
    items.append(Text(56, top - 28 if len(lines) > 1 else top - 33, name, 28, INK, room, Face.BOLD))
    items += (Text(56, top + 26 * i, line, size, INK, room) for i, line in enumerate(lines[:2]))
    return _card_box(x, y, width, height, active=active), group(x, y, tuple(items))


@lru_cache(maxsize=64)
def _reserve(x: int, y: int, reserve: int, *, ending: bool) -> tuple[Group, ...]:
    if ending:
        words = parts.shrink_to_fit(Text(15, 0, "Last round", LEGEND_SIZE, WHITE, 180, Face.BOLD))
        wide = int(words.room) + 30
        return (group(x - wide, y, (Box(0, -19, wide, 38, 19, INK), words)),)
    words = Text(0, 0, f"{reserve} in reserve", LEGEND_SIZE, INK, 190, Face.SANS, Anchor.RIGHT)
    return (group(x, y, (parts.shrink_to_fit(words),)),)


# Gene Pool ----------------------------------------------------------------------------------------------

VALUE_SIGNS: Final[tuple[tuple[str, Glyph, Colour], ...]] = (
    ("forage", LEAF, GREEN),
    ("attack", FANG, CLARET),
    ("defence", SHIELD, SECONDARY_INK),
    ("gain", FISH, CONTOUR),
    ("slots", SLOT, INK),
    ("spaces", ROOM, SECONDARY_INK),
    ("aging", HOURGLASS, INK),
)


def values_of(trait: Trait) -> tuple[tuple[Glyph, Colour, str | None], ...]:
    """The values printed on a card: sign, its colour, number; None: can never."""
    found: list[tuple[Glyph, Colour, str | None]] = []
    never = {"forage": trait.never_forage, "attack": trait.never_attack}
    for name, glyph, colour in VALUE_SIGNS:
        if never.get(name):
            found.append((glyph, colour, None))
            continue
        value = getattr(trait, name)
        if value:
            plain = name in {"forage", "attack", "defence"}
            found.append((glyph, colour, str(value) if plain else f"+{value}"))
    return tuple(found)


@lru_cache(maxsize=256)
def gene_card(x: int, y: int, width: int, height: int, card: Card | None, held: int) -> tuple[Group, ...]:
    """The top of a Gene Pool pile; ``held``: how many cards it has."""
    if card is None:
        empty = Text(width / 2, height / 2, "empty", LEGEND_SIZE, INK, width - 20, anchor=Anchor.MIDDLE)
        return (group(x, y, (Box(0, 0, width, height, 12, None, DEEP_BLUE, HAIR_LINE), empty)),)
    trait = TRAIT[card]
    items: list[Item] = []
    if held > 1:
        items.append(Box(5, -5, width, height, 12, DEEP_BLUE, INK, NORMAL_LINE))
    items.append(Box(0, 0, width, height, 12, DEEP_BLUE, INK, NORMAL_LINE))
    items += (Disc(27, 24, 18, WHITE), Text(27, 24, str(NUMBER[card]), 34, INK, 40, Face.BOLD, Anchor.MIDDLE))
    items.append(msgspec.structs.replace(heading(trait, 29, WHITE, width - 66), x=56, y=24))
    found = [group(x, y, tuple(items))]
    values = values_of(trait)
    room = width - 28
    top = 65
    if values:
        found.append(group(x + 14, y + 63, _strip(values)))
        top = 90
    if trait.effect:
        lines = parts.wrap_balanced(trait.effect, SMALL_SIZE + (0 if values else 2), room)
        pitch = 23 if values else 28
        for i, line in enumerate(lines[:3]):
            words = Text(14, top + pitch * i, line, SMALL_SIZE + (0 if values else 2), WHITE, room)
            found.append(group(x, y, (words,)))
    return tuple(found)


def _strip(values: tuple[tuple[Glyph, Colour, str | None], ...]) -> tuple[Item, ...]:
    """Values side by side on a pale ground."""
    items: list[Item] = []
    at = 12.0
    for glyph, colour, text in values:
        if text is None:
            items += draw_crossed_out(glyph, at + 12, 0, 22)
            at += 38
            continue
        words = parts.shrink_to_fit(Text(at + 29, 0, text, 27, INK, 50, Face.BOLD))
        items += (*draw_glyph(glyph, at + 12, 0, 24, colour, CARD), words)
        at += 29 + words.room + 12
    return (Box(0, -17, at, 34, 9, CARD), *items)
