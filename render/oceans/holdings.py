"""What a seat of Oceans holds: numbers in a panel, its neighbours, the cards that everybody has seen."""

from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from render import parts
from render.geometry import transform
from render.glyphs import draw_glyph
from render.oceans.changes import Changes
from render.oceans.extinction_notes import extinct_pill
from render.oceans.trait_labels import draw_trait_tile
from render.oceans.value_signs import EYE, PILE, SPECIES_BOARD
from render.scene import Box, Group, Item, Polygon, Text, Typeface, make_group, translate
from render.symbols import draw_cards_sign, draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    DEEP_BLUE,
    INK,
    KEY_NUMBER_SIZE,
    LEGEND_SIZE,
    MARGIN,
    PANEL_HEIGHT,
    PANEL_TOP,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WATER,
)
from rules.model import SEAT_LETTERS, Seat
from rules.oceans.cards.decks import TRAIT_BY_CARD
from rules.oceans.engine.ring import neighbours, owner_of
from rules.oceans.engine.scoring import result, turn_order_bonus
from rules.oceans.model import OceansView, Position

BOTTOM_BAR_HEIGHT: Final = 50
"""Height of the bar with the neighbours and the cards that everybody has seen."""
_MAX_GAP: Final = 130
"""The largest gap between two holdings in the panel."""


def draw_holdings_panel(view: OceansView, seat: Seat, changes: Changes) -> tuple[Group, ...]:
    """Draw the seat's panel: each holding with its label, and the seat's species that died out."""
    position = view.position
    active = position.to_act is not None and bool(position.round) and seat == position.current_player
    width, middle = PICTURE_WIDTH - 2 * MARGIN, PANEL_TOP + PANEL_HEIGHT // 2
    layers = [
        parts.draw_panel_box(MARGIN, PANEL_TOP, width, PANEL_HEIGHT, highlighted=active),
        make_group(MARGIN + 50, middle, draw_seat_mark(seat, 0, 0, 30)),
    ]
    left, right = MARGIN + 112, MARGIN + width - 30
    extinct = tuple(key for key in changes.extinct_species if owner_of(key) == seat)
    if extinct:
        extinct_sign, sign_width = extinct_pill(extinct)
        layers.append(make_group(right - sign_width // 2, middle, extinct_sign))
        right -= sign_width + 20
    holdings = _collect_holdings(view, seat, changes.population_changes[SEAT_LETTERS[seat]])
    column_widths = [_holding_width(holding) for holding in holdings]
    gap = min(_MAX_GAP, (right - left - sum(column_widths)) // max(1, len(holdings) - 1))
    for holding, column_width in zip(holdings, column_widths, strict=True):
        layers += _draw_holding(left, middle, holding)
        left += column_width + gap
    if active:
        layers.append(parts.draw_pennant(MARGIN + width - 56, PANEL_TOP, seat))
    return tuple(layers)


class _Holding(msgspec.Struct, frozen=True, gc=False):
    """A number in the panel, such as how many cards a hand has."""

    sign: tuple[Item, ...]
    """Centred on (0, 0); empty: no sign."""
    sign_width: int
    number: str
    label: str
    """What it counts; stands below the number."""
    change: int = 0
    """By how much it has just changed."""


def _collect_holdings(view: OceansView, seat: Seat, change: int) -> tuple[_Holding, ...]:
    """Return what a seat holds; ``change``: by how much its score pile has just changed."""
    position = view.position
    is_own = view.viewer == seat and view.score_pile is not None
    is_over = position.to_act is None and bool(position.revealed_score_piles)
    score_pile = (
        str(position.revealed_score_piles[seat]) if is_over else str(view.score_pile) if is_own else "?"
    )
    holdings = [_Holding(draw_cards_sign(0, 0, 38), 34, str(position.surface_hand_sizes[seat]), "Surface")]
    if not position.options.reef:
        holdings.append(
            _Holding(draw_cards_sign(0, 0, 38, dark=True), 34, str(position.deep_hand_sizes[seat]), "Deep")
        )
    holdings.append(_Holding(draw_glyph(PILE, 0, 0, 42, INK, CARD), 40, score_pile, "score pile", change))
    population_on_boards = sum(species.population for species in position.rows[seat])
    holdings.append(
        _Holding(
            draw_glyph(SPECIES_BOARD, 0, 0, 46, SECONDARY_INK, CARD),
            44,
            str(population_on_boards),
            "on boards",
        )
    )
    end_bonus = 0 if position.resigned[seat] or not position.round else turn_order_bonus(position, seat)
    if end_bonus:
        holdings.append(_Holding((), 0, f"+{end_bonus}", "end bonus"))
    if is_over:
        standings = result(position, position.revealed_score_piles).standings
        score = next(standing.score for standing in standings if standing.seat == seat)
        holdings.append(_Holding((), 0, f"= {score}", "points"))
    return tuple(holdings)


def _holding_texts(holding: _Holding) -> tuple[Text, Text]:
    start = holding.sign_width + 10 if holding.sign else 0
    number = Text(start, -17, holding.number, KEY_NUMBER_SIZE, INK, 130, Typeface.BOLD)
    label = Text(0, 27, holding.label, LEGEND_SIZE, SECONDARY_INK, 180)
    return fit_text_and_width(number), fit_text_and_width(label)


def _holding_width(holding: _Holding) -> int:
    number, label = _holding_texts(holding)
    chip_width = parts.change_chip_width(holding.change) + 8 if holding.change else 0
    return round(max(number.x + number.max_width + chip_width, label.max_width))


def _draw_holding(x: int, y: int, holding: _Holding) -> tuple[Group, ...]:
    number, label = _holding_texts(holding)
    layers = [
        make_group(x, y, (*translate(holding.sign, holding.sign_width / 2, -17), number)),
        make_group(x, y, (label,)),
    ]
    if holding.change:
        layers.append(
            parts.draw_change_chip(x + round(number.x + number.max_width) + 8, y - 17, holding.change)
        )
    return tuple(layers)


# The bar ------------------------------------------------------------------------------------------------


_BarSegment: TypeAlias = tuple[tuple[Item, ...], int]
"""Items that begin at x = 0, and their width."""
_SEGMENT_GAP: Final = 12


@lru_cache(maxsize=8)
def arrow_head(x: float, y: float, size: float) -> tuple[Item, ...]:
    """Return an arrow head that points to the right, centred on (x, y)."""
    points = transform((-0.4, -0.5, 0.42, 0.0, -0.4, 0.5), x, y, size)
    return Polygon(points, SECONDARY_INK, CARD, 6), Polygon(points, SECONDARY_INK)


def row_neighbour_keys(position: Position, seat: Seat) -> tuple[str, str] | None:
    """Return the keys of the species left and right of a seat's row; None if no other seat has any."""
    row = position.rows[seat]
    if not row:
        return None
    left, _ = neighbours(position, row[0].key)
    _, right = neighbours(position, row[-1].key)
    if left is None or right is None or owner_of(left.key) == seat:
        return None
    return left.key, right.key


def draw_bottom_bar(y: int, position: Position, seat: Seat) -> tuple[Group, ...]:
    """Draw the species beside the row, and the cards of the hand that everybody has seen."""
    middle, segment_x = y + BOTTOM_BAR_HEIGHT // 2, MARGIN + 20
    layers = [make_group(MARGIN, y, (Box(0, 0, PICTURE_WIDTH - 2 * MARGIN, BOTTOM_BAR_HEIGHT, 14, WATER),))]
    keys = row_neighbour_keys(position, seat)
    if keys is not None:
        segments: list[_BarSegment] = [_text_segment("Neighbours")]
        segments += [
            *_species_key_segments(keys[0]),
            _arrow_segment(),
            _text_segment("this row"),
            _arrow_segment(),
            *_species_key_segments(keys[1]),
        ]
        layers += _draw_segments(segment_x, middle, segments)
        segment_x += sum(width + _SEGMENT_GAP for _, width in segments) + 30
    known_cards = position.known_cards[seat]
    if known_cards:
        segments = [(draw_glyph(EYE, 20, 0, 40, DEEP_BLUE, WATER), 40), _text_segment("Seen in hand:")]
        available_width = PICTURE_WIDTH - MARGIN - 20 - segment_x
        for index, card in enumerate(known_cards):
            card_segments = [
                (draw_trait_tile(TRAIT_BY_CARD[card], 17, 0, 34), 34),
                _text_segment(TRAIT_BY_CARD[card].printed_name),
            ]
            width_for_more = 60 if index + 1 < len(known_cards) else 0
            if (
                sum(width + _SEGMENT_GAP for _, width in (*segments, *card_segments))
                > available_width - width_for_more
            ):
                segments.append(_text_segment(f"+{len(known_cards) - index}"))
                break
            segments += card_segments
        layers += _draw_segments(segment_x, middle, segments)
    return tuple(layers)


def _text_segment(text: str, face: Typeface = Typeface.SANS) -> _BarSegment:
    label = fit_text_and_width(Text(0, 0, text, LEGEND_SIZE, INK, 300, face))
    return (label,), round(label.max_width)


def _species_key_segments(key: str) -> tuple[_BarSegment, ...]:
    """Return a mark of a species' owner, and the species' key."""
    return (draw_seat_mark(owner_of(key), 13, 0, 12, show_letter=False), 26), _text_segment(
        key, Typeface.BOLD
    )


def _arrow_segment() -> _BarSegment:
    return arrow_head(11, 0, 24), 22


def _draw_segments(x: int, y: int, segments: list[_BarSegment]) -> list[Group]:
    layers = []
    for items, width in segments:
        layers.append(make_group(x, y, items))
        x += width + _SEGMENT_GAP
    return layers
