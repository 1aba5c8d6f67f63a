"""The cards that a seat has kept, in its panel, as large as there is room."""

from functools import lru_cache
from math import ceil
from typing import Final

from render.australis.palette import DIE_COLOURS
from render.australis.signs import DIE_SIGNS, FUNCTION_SIGNS
from render.glyphs import draw_glyph
from render.scene import Box, Group, Item, Line, Text, Typeface, make_group
from render.text_fit import fit_text_and_width
from render.theme import CARD, HAIRLINE_WIDTH, INK, LEGEND_SIZE, MAGENTA, SECONDARY_INK
from rules.australis.components import CARD_FACTS, Card, CardFunction

KEPT_CARDS_HEIGHT: Final = 90
"""Height of the place for the cards, which lie in one row or two."""
_MAX_CARD_WIDTH: Final = 62
_MIN_CARD_WIDTH: Final = 46
"""Where the cards of one row would be narrower, they lie in two."""
_GAP: Final = 4
_RADIUS: Final = 6
_BAND_HEIGHT: Final = 28
_BAND_SIGN_SIZE: Final = 25
_NOTE_MIDDLE: Final = 22
_CARD_ORDER: Final = tuple(CARD_FACTS)


def draw_kept_cards(
    x: int, y: int, available_width: int, cards: tuple[Card, ...], new_cards: frozenset[Card]
) -> tuple[Group, ...]:
    """Draw the cards that a seat has kept, by the colours of their dice, with halos round new ones."""
    if not cards:
        note = Text(0, 0, "no cards kept", LEGEND_SIZE, SECONDARY_INK, available_width, Typeface.ITALIC)
        return (make_group(x, y + _NOTE_MIDDLE, (fit_text_and_width(note),)),)
    row_count = 1 if len(cards) * (_MIN_CARD_WIDTH + _GAP) <= available_width + _GAP else 2
    cards_per_row = ceil(len(cards) / row_count)
    width = min(_MAX_CARD_WIDTH, (available_width + _GAP) // cards_per_row - _GAP)
    height = (KEPT_CARDS_HEIGHT + _GAP) // row_count - _GAP
    halos: list[Group] = []
    drawn_cards: list[Group] = []
    for index, card in enumerate(sorted(cards, key=_CARD_ORDER.index)):
        row, column = divmod(index, cards_per_row)
        left, top = x + (width + _GAP) * column, y + (height + _GAP) * row
        drawn_cards.append(_draw_card(left, top, width, height, card, has_room_for_band=row_count == 1))
        if card in new_cards:
            halos.append(make_group(left, top, (_halo(width, height),)))
    return *halos, *drawn_cards


def _halo(width: int, height: int) -> Box:
    return Box(-4, -4, width + 8, height + 8, _RADIUS + 4, None, MAGENTA, 5)


@lru_cache(maxsize=256)
def _draw_card(x: int, y: int, width: int, height: int, card: Card, *, has_room_for_band: bool) -> Group:
    """Draw a card with the sign of what it does, in the colour of its die.

    ``has_room_for_band``: the colour is that of a band with the sign of the die, as on the display, but for
    cards of competitions; else of the card.
    """
    facts = CARD_FACTS[card]
    colours, sign, middle_x = DIE_COLOURS[facts.colour], FUNCTION_SIGNS[facts.function], width / 2
    card_box = Box(0, 0, width, height, _RADIUS, colours.front, INK, HAIRLINE_WIDTH)
    items: tuple[Item, ...]
    if facts.function is CardFunction.COMPETITION or not has_room_for_band:
        size = min(width, height) - 7
        items = (card_box, *draw_glyph(sign, middle_x, height / 2, size, colours.ink, colours.front))
        return make_group(x, y, items)
    die_sign, body_height = DIE_SIGNS[facts.colour], height - _BAND_HEIGHT
    size = min(width, body_height) - 6
    items = (
        card_box,
        *draw_glyph(die_sign, middle_x, _BAND_HEIGHT / 2, _BAND_SIGN_SIZE, colours.ink, colours.front),
        Box(1, _BAND_HEIGHT, width - 2, body_height - 1, _RADIUS - 1, CARD),
        Line((1, _BAND_HEIGHT, width - 1, _BAND_HEIGHT), INK, HAIRLINE_WIDTH),
        *draw_glyph(sign, middle_x, _BAND_HEIGHT + body_height / 2, size, INK, CARD),
    )
    return make_group(x, y, items)
