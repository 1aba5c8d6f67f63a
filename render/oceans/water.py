"""The water in the middle: Reef and zones with their population and cards, decks, Gene Pool."""

from functools import lru_cache
from typing import Final

from render.glyphs import Glyph, draw_glyph, wavy_line
from render.legend import LegendEntry
from render.oceans.layout import BoardLayout
from render.oceans.palette import WATER_DARK
from render.oceans.trait_labels import heading_text, printed_values
from render.oceans.value_signs import BOLT, SWELL, draw_crossed_out_glyph
from render.scene import (
    Anchor,
    Box,
    Colour,
    Disc,
    Group,
    Item,
    Layer,
    Line,
    Polygon,
    Text,
    Typeface,
    make_group,
)
from render.symbols import draw_cards_sign
from render.text_fit import fit_text_and_width, wrap_balanced
from render.theme import (
    ACTIVE_LINE_WIDTH,
    BODY_SIZE,
    CARD,
    CONTOUR,
    DEEP_BLUE,
    HAIRLINE_WIDTH,
    INK,
    KEY_NUMBER_SIZE,
    LEGEND_SIZE,
    NORMAL_LINE_WIDTH,
    SECONDARY_INK,
    SMALL_SIZE,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WHITE,
)
from render.typeset import fit_text
from rules.oceans.cards.decks import NUMBER_BY_CARD, SCENARIO_BY_CODE, TRAIT_BY_CARD, Card
from rules.oceans.engine.rounds import is_last_round
from rules.oceans.model import Position

_BADGE_RADIUS: Final = 19
_ZONE_SHADES: Final = (WATER, WATER_MEDIUM_LIGHT, WATER_MEDIUM, WATER_DARK)
_ZONE_NAMES: Final = ("Reef", "Zone 1", "Zone 2", "Zone 3")
_ZONE_HEIGHTS: Final = (60, 108, 106, 234)
"""Heights of the zones' bands in the smallest layout."""
_REEF_VARIANT_ZONE_HEIGHTS: Final = (94, 138, 138, 138)
"""The same in the Reef Variant, which has no Gene Pool."""
_NAME_START: Final = 18
_CARDS_START: Final = 138
"""Distance from the water's left end to where cards begin."""
_PADDING: Final = 14
_SMALL_CARD_HEIGHT: Final = 94
"""Height of the cards beside zones 1 and 2."""
GENE_CARD_HEIGHT: Final = 152
"""Height of a Gene Pool card; a pile of two or more is a little higher."""
_POPULATION_STARTS: Final = {0: 118, 3: 136}
"""Zone -> where its population begins, beside its name: far enough for a mark round it."""
_EFFECT_SIZES: Final = ((2, 30, 34), (3, 28, 31))
"""For an effect on a Gene Pool card: up to how many lines, the size of its text, the height of a line."""
_EFFECT_SIZES_BELOW_VALUES: Final = ((1, 30, 30), (2, 27, 29))
"""The same for an effect below the card's values."""


def zone_edges(layout: BoardLayout) -> tuple[int, ...]:
    """Return the y of the upper edges of the Reef and the three zones, and of the water's lower edge."""
    _, top, _, height = layout.water_box
    heights = _REEF_VARIANT_ZONE_HEIGHTS if layout.is_reef_variant else _ZONE_HEIGHTS
    extra_height = height - sum(heights)
    edges, edge = [top], top
    for zone, zone_height in enumerate(heights):
        edge += zone_height + extra_height * (zone + 1) // 4 - extra_height * zone // 4
        edges.append(edge)
    return tuple(edges)


def zone_population_spot(layout: BoardLayout, zone: int) -> tuple[int, int]:
    """Return the left end and the middle line of a zone's population."""
    left, _, _, _ = layout.water_box
    y = _name_y(layout, zone)
    if zone in _POPULATION_STARTS:
        return left + _POPULATION_STARTS[zone], y
    return left + _NAME_START, y + 43


def _name_y(layout: BoardLayout, zone: int) -> int:
    """Return the y of the middle of a zone's name, beside its cards; zone 3's stands above them."""
    top, bottom = zone_edges(layout)[zone : zone + 2]
    if zone in {1, 2}:
        return (top + bottom) // 2 - 24
    return (top + bottom) // 2 + 2 if zone == 0 or layout.is_reef_variant else top + 29


# Static layers ------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def draw_water(layout: BoardLayout) -> tuple[Layer, ...]:
    """Draw the water with the zones' names."""
    left, top, width, height = layout.water_box
    edges = zone_edges(layout)
    items: list[Item] = [Box(0, 0, width, height, 16, _ZONE_SHADES[0])]
    for zone in range(1, 4):
        edge_y, shade = edges[zone] - top, _ZONE_SHADES[zone]
        waves = wavy_line(edge_y, width / 2 - 0.5, 4, 2 if zone % 2 else 2.5, width / 2)
        if zone == 3:
            items.append(Box(0, height - 60, width, 60, 16, shade))
        items.append(Polygon((*waves, width - 0.5, height - 30, 0.5, height - 30), shade))
        items.append(Line(waves, CONTOUR, 1.5))
    items.append(Box(0, 0, width, height, 16, None, CONTOUR, HAIRLINE_WIDTH))
    layers: list[Layer] = [make_group(left, top, tuple(items))]
    for zone, name in enumerate(_ZONE_NAMES):
        label = Text(0, 0, name, BODY_SIZE + 1, INK, 110, Typeface.ITALIC)
        layers.append(make_group(left + _NAME_START, _name_y(layout, zone), (fit_text_and_width(label),)))
    return tuple(layers)


# Contents of the zones ----------------------------------------------------------------------------------


def draw_contents(position: Position, layout: BoardLayout) -> tuple[Group, ...]:
    """Draw the zones' populations and cards, the decks, the reserve and the Gene Pool."""
    left, _, width, _ = layout.water_box
    reef_y, zone_3_y = _name_y(layout, 0), _name_y(layout, 3)
    layers = [
        _draw_zone_population(*zone_population_spot(layout, zone), count)
        for zone, count in enumerate(position.zone_populations)
    ]
    layers += _draw_decks(
        left,
        reef_y,
        position.surface_deck_size,
        None if position.options.reef else position.deep_deck_size,
    )
    layers += _draw_cambrian_card(*cambrian_box(layout), happened=position.cambrian_happened)
    for index, code in enumerate(position.scenarios):
        layers += _draw_scenario_card(
            *scenario_box(layout, index), code, active=code in position.active_scenarios
        )
    if not position.revealed_score_piles:
        layers += _draw_reserve(
            left + width - _PADDING, zone_3_y, position.reserve, is_last_round=is_last_round(position)
        )
    if position.options.reef:
        return tuple(layers)
    label = Text(0, 0, "Gene Pool", BODY_SIZE, INK, 130, Typeface.ITALIC)
    layers.append(make_group(left + 280, zone_3_y, (fit_text_and_width(label),)))
    for index, pile in enumerate(position.gene_pool):
        layers += draw_gene_card(*gene_pile_box(layout, index), pile[-1] if pile else None, len(pile))
    return tuple(layers)


def cambrian_box(layout: BoardLayout) -> tuple[int, int, int, int]:
    """Return x, y, width, height of the Cambrian card."""
    left, _, _, _ = layout.water_box
    top, bottom = zone_edges(layout)[1:3]
    return left + _CARDS_START, (top + bottom) // 2 - 46, 122, _SMALL_CARD_HEIGHT


def scenario_box(layout: BoardLayout, index: int) -> tuple[int, int, int, int]:
    """Return x, y, width, height of the Scenario card of zone 1 or 2."""
    left, _, width, _ = layout.water_box
    top, bottom = zone_edges(layout)[1 + index : 3 + index]
    start = _CARDS_START if index else _CARDS_START + 130
    return left + start, (top + bottom) // 2 - 46, width - start - _PADDING, _SMALL_CARD_HEIGHT


def gene_pile_box(layout: BoardLayout, pile_index: int) -> tuple[int, int, int, int]:
    """Return x, y, width, height of a Gene Pool pile."""
    left, _, width, _ = layout.water_box
    bottom = zone_edges(layout)[4]
    pile_width = (width - 3 * _PADDING) // 2
    return (
        left + _PADDING + pile_index * (pile_width + _PADDING),
        bottom - 12 - GENE_CARD_HEIGHT,
        pile_width,
        GENE_CARD_HEIGHT,
    )


def zone_population_text(count: int) -> Text:
    """Return the text item of a zone's population, at (0, 0)."""
    return fit_text_and_width(Text(0, 0, str(count), KEY_NUMBER_SIZE, INK, 70, Typeface.BOLD, min_size=36))


@lru_cache(maxsize=256)
def _draw_zone_population(x: int, y: int, count: int) -> Group:
    return make_group(x, y, (zone_population_text(count),))


@lru_cache(maxsize=128)
def _draw_decks(water_left: int, y: int, surface_size: int, deep_size: int | None) -> tuple[Group, ...]:
    layers: list[Group] = []
    for i, (count, name, dark) in enumerate(((surface_size, "Surface", False), (deep_size, "Deep", True))):
        if count is None:
            continue
        deck_x = water_left + 262 + 212 * i
        layers.append(make_group(deck_x, y, draw_cards_sign(0, 0, 36, dark=dark)))
        number = fit_text_and_width(Text(0, 0, str(count), 34, INK, 60, Typeface.BOLD))
        layers.append(make_group(deck_x + 24, y, (number,)))
        layers.append(
            make_group(
                deck_x + 24 + round(number.max_width) + 8,
                y + 1,
                (fit_text_and_width(Text(0, 0, name, 27, SECONDARY_INK, 100)),),
            )
        )
    return tuple(layers)


@lru_cache(maxsize=32)
def _draw_card_box(x: int, y: int, width: int, height: int, *, active: bool) -> Group:
    fill, line_colour, line_width = (
        (CARD, INK, ACTIVE_LINE_WIDTH + 1) if active else (WATER, CONTOUR, HAIRLINE_WIDTH)
    )
    return make_group(x, y, (Box(0, 0, width, height, 12, fill, line_colour, line_width),))


def _badge_items(
    glyph: Glyph, x: float, y: float, *, active: bool, radius: int = _BADGE_RADIUS
) -> tuple[Item, ...]:
    fill, colour, line_colour = (INK, WHITE, INK) if active else (CARD, INK, CONTOUR)
    disc = Disc(x, y, radius, fill, line_colour, NORMAL_LINE_WIDTH)
    return disc, *draw_glyph(glyph, x, y, round(1.3 * radius), colour, fill)


ACTIVE_CARD_LEGEND_ENTRY: Final = LegendEntry(
    _badge_items(SWELL, 0, 0, active=True, radius=15), 32, "in force"
)
"""For a Scenario card that applies now; one that is an event has happened."""


@lru_cache(maxsize=16)
def _draw_cambrian_card(x: int, y: int, width: int, height: int, *, happened: bool) -> tuple[Group, ...]:
    """Draw the Cambrian card with its effects; it is white once the Cambrian Explosion has happened."""
    middle = width / 2
    title = Text(middle, 21, "Cambrian", SMALL_SIZE, INK, width - 8, Typeface.BOLD, Anchor.MIDDLE)
    effects = (
        Text(middle, line_y, line, SMALL_SIZE, INK, width - 12, anchor=Anchor.MIDDLE)
        for line_y, line in ((48, "2 cards"), (73, "age 2"))
    )
    return _draw_card_box(x, y, width, height, active=happened), make_group(x, y, (title, *effects))


@lru_cache(maxsize=64)
def _draw_scenario_card(
    x: int, y: int, width: int, height: int, code: str, *, active: bool
) -> tuple[Group, ...]:
    scenario = SCENARIO_BY_CODE[code]
    max_width = width - 56 - 11
    items = list(_badge_items(BOLT if scenario.is_event else SWELL, 29, height / 2, active=active))
    size = 25 if len(wrap_balanced(scenario.short_text, 25, max_width)) < 3 else SMALL_SIZE
    lines = wrap_balanced(scenario.short_text, size, max_width)
    top = 48 if len(lines) > 1 else 63
    items.append(
        Text(
            56,
            top - 28 if len(lines) > 1 else top - 33,
            scenario.printed_name,
            28,
            INK,
            max_width,
            Typeface.BOLD,
        )
    )
    items += (Text(56, top + 26 * i, line, size, INK, max_width) for i, line in enumerate(lines[:2]))
    return _draw_card_box(x, y, width, height, active=active), make_group(x, y, tuple(items))


@lru_cache(maxsize=64)
def _draw_reserve(x: int, y: int, reserve: int, *, is_last_round: bool) -> tuple[Group, ...]:
    """Draw how much is in reserve; in the last round, that it is the last one.  Both end at x."""
    if is_last_round:
        label = fit_text_and_width(Text(15, 0, "Last round", LEGEND_SIZE, WHITE, 180, Typeface.BOLD))
        width = int(label.max_width) + 30
        return (make_group(x - width, y, (Box(0, -19, width, 38, 19, INK), label)),)
    label = Text(0, 0, f"{reserve} in reserve", LEGEND_SIZE, INK, 190, Typeface.SANS, Anchor.RIGHT)
    return (make_group(x, y, (fit_text_and_width(label),)),)


# Gene Pool ----------------------------------------------------------------------------------------------


def draw_pile_names(position: Position, layout: BoardLayout) -> tuple[Group, ...]:
    """Draw the name of each Gene Pool pile on a tab at its upper edge, over the marks round it."""
    if position.options.reef:
        return ()
    return tuple(_draw_pile_name(*gene_pile_box(layout, index)[:2], index + 1) for index in range(2))


@lru_cache(maxsize=16)
def _draw_pile_name(x: int, y: int, number: int) -> Group:
    label = fit_text_and_width(Text(13, -10, f"pile {number}", LEGEND_SIZE, WHITE, 90, Typeface.BOLD))
    return make_group(x + 12, y, (Box(0, -23, label.max_width + 26, 30, 8, DEEP_BLUE), label))


COST_LEGEND_ENTRY: Final = LegendEntry(
    (
        Box(-18, -18, 36, 36, 9, DEEP_BLUE),
        Disc(0, 0, 15, WHITE),
        Text(0, 0, "n", SMALL_SIZE, INK, 30, Typeface.BOLD, Anchor.MIDDLE),
    ),
    36,
    "costs n",
)
"""For the number on the cards of the Gene Pool."""


@lru_cache(maxsize=128)
def draw_gene_card(
    x: int, y: int, width: int, height: int, card: Card | None, pile_size: int
) -> tuple[Group, ...]:
    """Draw the top card of a Gene Pool pile of ``pile_size`` cards."""
    if card is None:
        empty_text = Text(width / 2, height / 2, "empty", LEGEND_SIZE, INK, width - 20, anchor=Anchor.MIDDLE)
        return (
            make_group(x, y, (Box(0, 0, width, height, 12, None, DEEP_BLUE, HAIRLINE_WIDTH), empty_text)),
        )
    trait = TRAIT_BY_CARD[card]
    items: list[Item] = []
    if pile_size > 1:
        items.append(Box(5, -5, width, height, 12, DEEP_BLUE, INK, NORMAL_LINE_WIDTH))
    items.append(Box(0, 0, width, height, 12, DEEP_BLUE, INK, NORMAL_LINE_WIDTH))
    number = Text(27, 24, str(NUMBER_BY_CARD[card]), 34, INK, 40, Typeface.BOLD, Anchor.MIDDLE)
    layers = [
        make_group(x, y, tuple(items)),
        make_group(x, y, (Disc(27, 24, 18, WHITE), number)),
        make_group(x + 56, y + 24, (fit_text_and_width(heading_text(trait, 29, WHITE, width - 66)),)),
    ]
    values = printed_values(trait)
    max_width = width - 28
    top = 65
    if values:
        layers.append(make_group(x + 14, y + 63, _draw_value_strip(values)))
        top = 90
    if trait.short_text:
        lines, size, line_height = _effect_lines(trait.short_text, max_width, is_below_values=bool(values))
        if values and size > SMALL_SIZE:
            top += 7  # clear of the values
        for i, line in enumerate(lines[:3]):
            label = Text(0, 0, line, size, WHITE, max_width)
            layers.append(make_group(x + 14, y + top + line_height * i, (fit_text_and_width(label),)))
    return tuple(layers)


def _effect_lines(text: str, max_width: int, *, is_below_values: bool) -> tuple[tuple[str, ...], int, int]:
    """Return an effect's lines, the largest size at which all of them fit, and the height of a line."""
    for max_lines, size, line_height in _EFFECT_SIZES_BELOW_VALUES if is_below_values else _EFFECT_SIZES:
        lines = wrap_balanced(text, size, max_width)
        if len(lines) <= max_lines and all(
            fit_text(Text(0, 0, line, size, WHITE, max_width)).text == line for line in lines
        ):
            return lines, size, line_height
    size, line_height = (SMALL_SIZE, 23) if is_below_values else (SMALL_SIZE + 2, 28)
    return wrap_balanced(text, size, max_width), size, line_height


def _draw_value_strip(values: tuple[tuple[Glyph, Colour, str | None], ...]) -> tuple[Item, ...]:
    """Return a card's values side by side on a pale background."""
    items: list[Item] = []
    value_x = 12.0
    for glyph, colour, text in values:
        if text is None:
            items += draw_crossed_out_glyph(glyph, value_x + 12, 0, 22)
            value_x += 38
            continue
        label = fit_text_and_width(Text(value_x + 29, 0, text, 27, INK, 50, Typeface.BOLD))
        items += (*draw_glyph(glyph, value_x + 12, 0, 24, colour, CARD), label)
        value_x += 29 + label.max_width + 12
    return (Box(0, -17, value_x, 34, 9, CARD), *items)
