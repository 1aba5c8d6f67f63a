"""A seat's own board of Oceans as a picture: its species, large, and what it holds.

It is drawn from the viewer's view.  Until the end only its owner sees the size of a score pile.  Of a hand,
everybody sees the number of cards and the cards that were shown.
"""

import itertools
from functools import lru_cache
from typing import Final

import msgspec

from render import parts
from render.caption import Caption
from render.choice_marks import (
    CHOICE_LEGEND_ENTRY,
    differing_or_partial_values,
    differing_values,
    draw_choice_mark,
)
from render.geometry import dash_outline, regular_polygon
from render.glyphs import draw_glyph
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry, draw_legend
from render.oceans.changes import Changes, collect_changes
from render.oceans.holdings import (
    BOTTOM_BAR_HEIGHT,
    arrow_head,
    draw_bottom_bar,
    draw_holdings_panel,
    row_neighbour_keys,
)
from render.oceans.palette import PALETTE
from render.oceans.species_card import (
    CARD_RADIUS,
    MIN_CHOICE_GAP,
    SHORT_LAYOUT,
    SINGLE_LAYOUT,
    TALL_LAYOUT,
    WIDE_LAYOUT,
    SpeciesCardContent,
    SpeciesCardLayout,
    card_height,
    draw_species_card,
)
from render.oceans.value_signs import (
    ATTACK_LEGEND_ENTRY,
    DEFENCE_LEGEND_ENTRY,
    FORAGE_LEGEND_ENTRY,
    HOURGLASS,
    NEVER_LEGEND_ENTRY,
)
from render.picture import PictureContext
from render.scene import Anchor, Box, Disc, Group, Item, Line, Scene, Text, Typeface, make_group
from render.text_fit import fit_text_and_width
from render.theme import (
    BODY_SIZE,
    DEEP_BLUE,
    INK,
    KEY_NUMBER_SIZE,
    MARGIN,
    PANEL_HEIGHT,
    PANEL_TOP,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    SMALL_PICTURE_HEIGHT,
    WHITE,
)
from rules.model import SEAT_LETTERS, Action, Seat
from rules.oceans.cards.decks import TRAIT_BY_CARD
from rules.oceans.engine.ring import owner_of
from rules.oceans.engine.values import (
    aging_value,
    attack_value,
    defence_value,
    forage_value,
    may_overpopulate,
    never_ages,
    slot_limit,
    space_count,
)
from rules.oceans.model import OceansView, Position, Species

_TOP: Final = PANEL_TOP + PANEL_HEIGHT + 20
_CARD_GAP: Final = 26
_LEGEND_HEIGHT: Final = 54
_EXTRA_TRAIT_GAP: Final = 24
"""By how much the gaps between traits may grow if there is room."""


def draw_own_board(view: OceansView, context: PictureContext) -> Scene:
    """Draw a seat's species, hand and score pile as far as the viewer may know them, and what changed."""
    position, caption = view.position, context.caption
    seat = Seat(0) if context.subject is None else context.subject
    changes = collect_changes(context.recent_events)
    row = position.rows[seat]
    has_bar = bool(position.known_cards[seat]) or row_neighbour_keys(position, seat) is not None
    height_below = (BOTTOM_BAR_HEIGHT + 14 if has_bar else 0) + _LEGEND_HEIGHT
    layout = (SINGLE_LAYOUT, WIDE_LAYOUT, TALL_LAYOUT)[len(row) - 1] if 0 < len(row) <= 3 else SHORT_LAYOUT
    contents = [_card_content(position, species, changes, context.choices) for species in row]
    layout, boxes, trait_gap = _arrange_cards(contents, layout, SMALL_PICTURE_HEIGHT - height_below - _TOP)
    bottom = max((y + height for _, y, _, height in boxes), default=0)
    height = max(SMALL_PICTURE_HEIGHT, bottom + height_below)
    choice_marks = _draw_choice_marks(contents, boxes, context.choices)
    new_place_signs = _draw_new_place_signs(boxes, context.choices)
    layers = parts.join_layers(
        parts.draw_title_bar(
            PICTURE_WIDTH, "Oceans", _note_text(position, caption), *_pill_content(caption, seat)
        ),
        draw_holdings_panel(view, seat, changes),
        *(
            parts.draw_box_halo(*box, CARD_RADIUS)
            for content, box in zip(contents, boxes, strict=True)
            if content.key in changes.haloed_species
        ),
        choice_marks,
    )
    active = position.to_act is not None and bool(position.round) and seat == position.current_player
    for content, box in zip(contents, boxes, strict=True):
        layers += draw_species_card(box, content, layout, trait_gap, active=active)
    layers += (*_draw_arrows(boxes), *new_place_signs)
    if not row:
        layers += _draw_no_species(position, seat)
    if has_bar:
        layers += draw_bottom_bar(height - _LEGEND_HEIGHT - BOTTOM_BAR_HEIGHT, position, seat)
    has_choices = bool(choice_marks or new_place_signs) or any(
        content.choosable_traits for content in contents
    )
    has_changes = bool(changes.population_changes[SEAT_LETTERS[seat]]) or any(
        owner_of(key) == seat for key in changes.extinct_species
    )
    has_changes = has_changes or any(
        content.key in changes.haloed_species or content.population_change for content in contents
    )
    middle = height - _LEGEND_HEIGHT // 2 - 4
    layers += _draw_legend(middle, contents, with_changes=has_changes, with_choices=has_choices)
    return Scene(PICTURE_WIDTH, height, PAPER, layers, parts.draw_frame(PICTURE_WIDTH, height), PALETTE)


# The cards ----------------------------------------------------------------------------------------------


def _card_content(
    position: Position, species: Species, changes: Changes, choices: tuple[Action, ...]
) -> SpeciesCardContent:
    limit = slot_limit(position, species)
    species_choices = tuple(choice for choice in choices if getattr(choice, "species", "") == species.key)
    cards = differing_values(species_choices, "card")
    return SpeciesCardContent(
        species.key,
        species.population,
        space_count(position, species),
        (
            forage_value(position, species),
            attack_value(position, species),
            defence_value(position, species),
            None if never_ages(species) else aging_value(position, species),
        ),
        species.traits,
        0 if limit is None else max(0, limit - len(species.traits)),
        tuple(changes.new_traits.get(species.key, ())),
        changes.population_changes[species.key],
        tuple(card for card in species.traits if card in cards),
        not position.revealed_score_piles and may_overpopulate(position, species),
    )


def _arrange_cards(
    contents: list[SpeciesCardContent], layout: SpeciesCardLayout, available_height: int
) -> tuple[SpeciesCardLayout, list[tuple[int, int, int, int]], int]:
    """Return the layout, with larger effects if there is room; the box of each card; the gap between traits.

    The cards share ``available_height``; if they need more, the picture grows.
    """
    if not contents:
        return layout, [], layout.min_gap
    cards_per_row = len(contents) if len(contents) <= 3 else 2 if len(contents) == 4 else 3
    width = (PICTURE_WIDTH - 2 * MARGIN - (cards_per_row - 1) * _CARD_GAP) // cards_per_row
    rows = [contents[start : start + cards_per_row] for start in range(0, len(contents), cards_per_row)]

    def heights(trait_gap: int, card_layout: SpeciesCardLayout) -> list[int]:
        return [max(card_height(content, width, card_layout, trait_gap) for content in row) for row in rows]

    available_height -= (len(rows) - 1) * _CARD_GAP
    min_gap = (
        max(layout.min_gap, MIN_CHOICE_GAP)
        if any(content.choosable_traits for content in contents)
        else layout.min_gap
    )
    if 0 < layout.effect_size < BODY_SIZE:
        large_layout = msgspec.structs.replace(layout, effect_size=BODY_SIZE)
        layout = large_layout if sum(heights(min_gap, large_layout)) <= available_height else layout
    gaps = range(min_gap, min_gap + (_EXTRA_TRAIT_GAP if layout.effect_size else 0) + 1, 2)
    trait_gap = max((gap for gap in gaps if sum(heights(gap, layout)) <= available_height), default=min_gap)
    row_heights = heights(trait_gap, layout)
    spare_height = max(0, available_height - sum(row_heights)) // len(rows)
    boxes, top = [], _TOP
    for row, height in zip(rows, row_heights, strict=True):
        boxes += [
            (MARGIN + index * (width + _CARD_GAP), top, width, height + spare_height)
            for index in range(len(row))
        ]
        top += height + spare_height + _CARD_GAP
    return layout, boxes, trait_gap


def _draw_choice_marks(
    contents: list[SpeciesCardContent], boxes: list[tuple[int, int, int, int]], choices: tuple[Action, ...]
) -> tuple[Group, ...]:
    keys = differing_or_partial_values(choices, "species")
    return tuple(
        draw_choice_mark(*box, CARD_RADIUS)
        for content, box in zip(contents, boxes, strict=True)
        if content.key in keys
    )


def _draw_new_place_signs(
    boxes: list[tuple[int, int, int, int]], choices: tuple[Action, ...]
) -> tuple[Group, ...]:
    """Draw a sign at each place where a new species can stand: before a card, or after the last card."""
    layers = []
    for place in differing_or_partial_values(choices, "place"):
        if boxes and isinstance(place, int):
            x, y, width, height = boxes[min(place, len(boxes) - 1)]
            sign_x = x + width if place == len(boxes) else x if x == MARGIN else x - _CARD_GAP // 2
            layers.append(make_group(sign_x, y + height - 8, _new_place_sign()))
    return tuple(layers)


@lru_cache(maxsize=1)
def _new_place_sign() -> tuple[Item, ...]:
    """Return a plus in a dashed ring, centred on (0, 0)."""
    ring = tuple(Line(dash, INK, 4.5) for dash in dash_outline(regular_polygon(0, 0, 19, 40), 13, 9))
    bars = (Line((-9, 0, 9, 0), INK, 6), Line((0, -9, 0, 9), INK, 6))
    return Disc(0, 0, 22, WHITE), *ring, *bars


def _draw_arrows(boxes: list[tuple[int, int, int, int]]) -> tuple[Group, ...]:
    """Draw an arrow head from each card to the next one in the same row."""
    return tuple(
        make_group(x + width + _CARD_GAP // 2, y + height // 2, arrow_head(0, 0, 34))
        for (x, y, width, height), (_, next_y, _, _) in itertools.pairwise(boxes)
        if next_y == y
    )


def _draw_no_species(position: Position, seat: Seat) -> tuple[Group, ...]:
    text = "Resigned" if position.resigned[seat] else "No species"
    label = Text(0, 0, text, KEY_NUMBER_SIZE, SECONDARY_INK, 800, Typeface.ITALIC, Anchor.MIDDLE)
    return (
        make_group(PICTURE_WIDTH // 2, (_TOP + SMALL_PICTURE_HEIGHT) // 2 - 20, (fit_text_and_width(label),)),
    )


# Title -----------------------------------------------------------------------------------------------


def _note_text(position: Position, caption: Caption) -> str:
    return caption.note_with_number(f"round {position.round}" if position.round else "set-up")


def _pill_content(caption: Caption, seat: Seat) -> tuple[str, str, Seat | None]:
    """Return text, suffix and seat of the pill, which says whose board it is, or what the caption says."""
    if caption.pill_text:
        return caption.pill_text, "", None
    return caption.seat_name(seat), "'s board", seat


# Legend ----------------------------------------------------------------------------------------------

_AGING_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(HOURGLASS, 0, 0, 28, INK, PAPER), 24, "ages")
_DEEP_TRAIT_LEGEND_ENTRY: Final = LegendEntry((Box(-13, -13, 26, 26, 6, DEEP_BLUE),), 26, "Deep trait")


def _draw_legend(
    y: int, contents: list[SpeciesCardContent], *, with_changes: bool, with_choices: bool
) -> tuple[Group, ...]:
    entries = (
        [FORAGE_LEGEND_ENTRY, ATTACK_LEGEND_ENTRY, DEFENCE_LEGEND_ENTRY, _AGING_LEGEND_ENTRY]
        if contents
        else []
    )
    if any(None in content.values for content in contents):
        entries.append(NEVER_LEGEND_ENTRY)
    if any(TRAIT_BY_CARD[card].is_deep for content in contents for card in content.traits):
        entries.append(_DEEP_TRAIT_LEGEND_ENTRY)
    if with_changes:
        entries.append(CHANGE_LEGEND_ENTRY)
    if with_choices:
        entries.append(CHOICE_LEGEND_ENTRY)
    return draw_legend(tuple(entries), PICTURE_WIDTH, y)
