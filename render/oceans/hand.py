"""A hand of Oceans as a picture, for its owner only."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from render import parts
from render.choice_marks import draw_choice_mark
from render.glyphs import Glyph, draw_glyph
from render.legend import LegendEntry
from render.oceans.choices import choosable_cards
from render.oceans.palette import ATTACK_RED, GREEN, PALETTE
from render.oceans.trait_labels import draw_trait_sign, heading_text, printed_values
from render.oceans.value_signs import (
    FANG,
    FISH,
    HOURGLASS,
    LEAF,
    PILE,
    SHIELD,
    SLOT_WITH_PLUS,
    THREE_SPACES,
    draw_crossed_out_glyph,
)
from render.picture import PictureContext
from render.scene import Anchor, Box, Colour, Disc, Group, Item, Layer, Scene, Text, Typeface, make_group
from render.symbols import draw_cards_sign
from render.text_fit import fit_text_and_width, wrap_balanced
from render.theme import (
    BODY_SIZE,
    CARD,
    CONTOUR,
    DEEP_BLUE,
    INK,
    LEGEND_SIZE,
    MARGIN,
    NORMAL_LINE_WIDTH,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    SHADOW,
    SMALL_PICTURE_HEIGHT,
    WATER,
    WHITE,
    blend,
)
from rules.oceans.actions import TakeDeep
from rules.oceans.cards.decks import DEEP_CARDS, NUMBER_BY_CARD, TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import Trait
from rules.oceans.model import OceansView

_TOP: Final = 106
_ONE_ROW_FOOTER_HEIGHT: Final = 60
"""The height of the footer if its legend has one row."""
_FOOTER_ROW_PITCH: Final = 44
_FOOTER_END: Final = PICTURE_WIDTH - MARGIN - 24
_SIGN_BACKGROUND: Final = blend(WHITE, DEEP_BLUE, 0.14)
"""Background of a Deep card's sign."""
_VALUE_SIGNS: Final = (
    (LEAF, GREEN, "forage"),
    (FANG, ATTACK_RED, "attack"),
    (SHIELD, SECONDARY_INK, "defence"),
    (FISH, CONTOUR, "gains"),
    (HOURGLASS, INK, "ages"),
    (SLOT_WITH_PLUS, INK, "slots"),
    (THREE_SPACES, SECONDARY_INK, "spaces"),
)
"""Values: sign, its colour, what it means."""
_DEEP_TEXTS: Final = ("costs n, playable after the Cambrian Explosion", "costs n after Cambrian")
"""What the number of a Deep card means before the Cambrian Explosion, the longest text first."""
_DEEP_TEXTS_AFTER_CAMBRIAN: Final = ("costs n when evolved", "costs n")
"""The same after the Cambrian Explosion."""
_ENTRY_GAP: Final = 22
"""Distance between entries of the legend."""
_MIN_PADDING: Final = 6
"""The least padding at the right of a name."""


class TraitCardLayout(msgspec.Struct, frozen=True):
    """How a card is laid out; places are relative to its corner."""

    cards_per_row: int
    gap: int
    height: int
    radius: int
    """Radius of the corners."""
    padding: int
    """Distance of text from the card's sides."""
    number_disc: tuple[int, int]
    """Middle (one number for x and y) and radius of the disc behind the number."""
    number_size: int
    sign_disc: tuple[int, int, int]
    """Middle (x and y) and radius of the disc behind the sign."""
    value_sizes: tuple[int, int, int]
    """Size of a value's sign, size of its number, and the greatest distance from value to value."""
    values_end: int
    """The y down to which values may reach."""
    name_line: tuple[int, int]
    """The y of the name's middle, and the size of the name."""
    effect_lines: tuple[tuple[int, int, int], ...]
    """For up to two lines, then for more: y of the first line, size of the text, line height."""

    @property
    def width(self) -> int:
        """Return the width of a card."""
        return (PICTURE_WIDTH - 2 * MARGIN - (self.cards_per_row - 1) * self.gap) // self.cards_per_row


LARGE_LAYOUT: Final = TraitCardLayout(
    cards_per_row=3,
    gap=20,
    height=335,
    radius=20,
    padding=22,
    number_disc=(58, 40),
    number_size=52,
    sign_disc=(170, 108, 64),
    value_sizes=(42, 44, 60),
    values_end=188,
    name_line=(211, 42),
    effect_lines=((258, 30, 36), (251, 27, 28)),
)
"""For up to six cards."""
MEDIUM_LAYOUT: Final = TraitCardLayout(
    cards_per_row=4,
    gap=16,
    height=335,
    radius=18,
    padding=16,
    number_disc=(50, 34),
    number_size=44,
    sign_disc=(92, 146, 54),
    value_sizes=(38, 40, 54),
    values_end=200,
    name_line=(224, 36),
    effect_lines=((266, 27, 32), (256, 24, 27)),
)
"""For seven or eight cards."""
COMPACT_LAYOUT: Final = TraitCardLayout(
    cards_per_row=4,
    gap=16,
    height=248,
    radius=16,
    padding=16,
    number_disc=(40, 28),
    number_size=37,
    sign_disc=(118, 62, 43),
    value_sizes=(30, 33, 42),
    values_end=120,
    name_line=(138, 32),
    effect_lines=((175, 26, 30), (172, 24, 27)),
)
"""For more cards."""


def draw_hand(view: OceansView, context: PictureContext) -> Scene:
    """Draw the viewer's own cards, the Deep cards to choose from, and the viewer's score pile."""
    viewer, caption = view.viewer, context.caption
    choosable = choosable_cards(view, context.choices)
    if len(choosable) == len(view.hand) + len(view.looked_at):
        choosable = frozenset()  # if all can be chosen, marks would say nothing
    elif choosable:
        choosable |= {*_pool_cards(view, context)}
    audience = "For everyone" if viewer is None else f"Only for {caption.seat_name(viewer)}"
    offered_cards = view.looked_at or _pool_cards(view, context)
    title = "Keep one" if view.looked_at else "Gene Pool" if offered_cards else "Your hand"
    layers: list[Layer] = [
        *parts.draw_title_bar(PICTURE_WIDTH, title, caption.note_with_game("Oceans"), audience, "", viewer)
    ]
    top = _TOP
    if offered_cards:
        top = _add_card_rows(layers, top, offered_cards, LARGE_LAYOUT, choosable)
        label = Text(0, 0, "In hand", 34, INK, 300, Typeface.ITALIC)
        layers.append(make_group(MARGIN + 10, top + 14, (fit_text_and_width(label),)))
        top += 42
    layout = LARGE_LAYOUT if len(view.hand) <= 6 else MEDIUM_LAYOUT if len(view.hand) <= 8 else COMPACT_LAYOUT
    if offered_cards:
        layout = COMPACT_LAYOUT
    if view.hand:
        top = _add_card_rows(layers, top, view.hand, layout, choosable)
    else:
        label = Text(
            PICTURE_WIDTH / 2, 0, "No cards in hand", 44, SECONDARY_INK, 800, Typeface.ITALIC, Anchor.MIDDLE
        )
        middle = top + 40 if offered_cards else 440
        layers.append(make_group(0, middle, (label,)))
        top = middle + 60
    legend_rows = _legend_rows(view, (*view.hand, *offered_cards))
    footer_height = _footer_height(legend_rows)
    height = max(SMALL_PICTURE_HEIGHT, top + footer_height + MARGIN)
    layers += _draw_footer(height - MARGIN - footer_height, view, legend_rows)
    frame = parts.draw_frame(PICTURE_WIDTH, height)
    return Scene(PICTURE_WIDTH, height, PAPER, tuple(layers), frame, PALETTE)


def _pool_cards(view: OceansView, context: PictureContext) -> tuple[Card, ...]:
    """Return the cards of the Gene Pool that the viewer may take now."""
    pool = view.position.gene_pool
    piles = [choice.pile for choice in context.choices if isinstance(choice, TakeDeep)]
    return tuple(dict.fromkeys(pool[pile - 1][-1] for pile in piles))


def _add_card_rows(
    layers: list[Layer],
    top: int,
    cards: tuple[Card, ...],
    layout: TraitCardLayout,
    choosable: frozenset[Card],
) -> int:
    """Add cards in rows to ``layers``, with marks round choosable ones; return the y below the cards."""
    for i, card in enumerate(cards):
        x = MARGIN + (i % layout.cards_per_row) * (layout.width + layout.gap)
        y = top + (i // layout.cards_per_row) * (layout.height + layout.gap - 2)
        if card in choosable:
            layers.append(draw_choice_mark(x, y, layout.width, layout.height, layout.radius))
        layers += draw_trait_card(x, y, card, layout)
    return top + -(-len(cards) // layout.cards_per_row) * (layout.height + layout.gap - 2)


@lru_cache(maxsize=512)
def draw_trait_card(x: int, y: int, card: Card, layout: TraitCardLayout) -> tuple[Group, ...]:
    """Draw a trait card: number, sign, values, name, effect; Deep cards are dark."""
    trait = TRAIT_BY_CARD[card]
    fill, ink, effect_ink = (DEEP_BLUE, WHITE, WHITE) if trait.is_deep else (CARD, INK, SECONDARY_INK)
    width, height = layout.width, layout.height
    background = (
        Box(4, 6, width, height, layout.radius, SHADOW),
        Box(0, 0, width, height, layout.radius, fill, INK, NORMAL_LINE_WIDTH),
    )
    middle, radius = layout.number_disc
    number = Text(
        middle,
        middle,
        str(NUMBER_BY_CARD[card]),
        layout.number_size,
        DEEP_BLUE if trait.is_deep else WHITE,
        2 * radius,
        Typeface.BOLD,
        Anchor.MIDDLE,
    )
    sign_x, sign_y, sign_radius = layout.sign_disc
    sign_background = _SIGN_BACKGROUND if trait.is_deep else WATER
    name_y, name_size = layout.name_line
    max_width = width - 2 * layout.padding
    name = heading_text(trait, name_size, ink, max_width, layout.padding - _MIN_PADDING)
    layers = [
        make_group(x, y, background),
        make_group(
            x,
            y,
            (
                Disc(sign_x, sign_y, sign_radius, sign_background),
                *draw_trait_sign(trait, sign_x, sign_y, sign_radius * 1.42, ink, sign_background),
            ),
        ),
        make_group(x, y, (Disc(middle, middle, radius, WHITE if trait.is_deep else INK), number)),
        *_draw_values(x, y, trait, layout),
        make_group(x + layout.padding, y + name_y, (fit_text_and_width(name),)),
    ]
    first_y, text_size, line_height = layout.effect_lines[0]
    lines = wrap_balanced(trait.short_text, text_size, max_width)
    if len(lines) > 2:
        first_y, text_size, line_height = layout.effect_lines[1]
        lines = wrap_balanced(trait.short_text, text_size, max_width)
    layers += (
        make_group(
            x + layout.padding,
            y + first_y + i * line_height,
            (fit_text_and_width(Text(0, 0, line, text_size, effect_ink, max_width)),),
        )
        for i, line in enumerate(lines[:3])
    )
    return tuple(layers)


def _draw_values(x: int, y: int, trait: Trait, layout: TraitCardLayout) -> tuple[Group, ...]:
    """Draw the values of a card, one below the other at its right."""
    values = printed_values(trait)
    if not values:
        return ()
    sign_size, number_size, pitch = layout.value_sizes
    top = 14
    pitch = min(pitch, (layout.values_end - top - 8) // len(values))
    sign_size, number_size = min(sign_size, pitch - 6), min(number_size, pitch)
    labels = [
        fit_text_and_width(Text(0, 0, text or "", number_size, INK, 100, Typeface.BOLD, Anchor.RIGHT))
        for _, _, text in values
    ]
    widest = max(text.max_width if text.text else 0 for text in labels)
    width = sign_size + 10 + widest + 24 if widest else sign_size + 30
    left = layout.width - width - 14
    items: list[Item] = []
    if trait.is_deep:
        items.append(Box(left, top, width, pitch * len(values) + 8, 12, CARD))
    for i, ((glyph, colour, text), label) in enumerate(zip(values, labels, strict=True)):
        middle = top + 4 + pitch * (i + 0.5)
        sign_x = left + 12 + sign_size / 2 if widest else left + width / 2
        if text is None:
            items += draw_crossed_out_glyph(glyph, sign_x, middle, sign_size)
        else:
            items += draw_glyph(glyph, sign_x, middle, sign_size, colour, CARD)
            items.append(msgspec.structs.replace(label, x=left + width - 12, y=middle))
    return (make_group(x, y, tuple(items)),)


def _score_pile_label(view: OceansView) -> Text:
    text = f"Your score pile: {view.score_pile}"
    return fit_text_and_width(Text(0, 0, text, BODY_SIZE, INK, 300, Typeface.BOLD, Anchor.RIGHT))


def _draw_footer(y: int, view: OceansView, rows: Sequence[Sequence[LegendEntry]]) -> tuple[Group, ...]:
    """Draw what the signs mean, row by row, and the viewer's own score beside the last row."""
    height = _footer_height(rows)
    layers = [make_group(MARGIN, y, (Box(0, 0, PICTURE_WIDTH - 2 * MARGIN, height, 14, WATER),))]
    last_middle = y + height - _ONE_ROW_FOOTER_HEIGHT // 2
    if view.score_pile is not None:
        label = _score_pile_label(view)
        layers.append(make_group(_FOOTER_END, last_middle, (label,)))
        sign_x = _FOOTER_END - int(label.max_width) - 26
        layers.append(make_group(sign_x, last_middle, draw_glyph(PILE, 0, 0, 36, INK, WATER)))
    for index, row in enumerate(reversed(rows)):
        middle, entry_x = last_middle - index * _FOOTER_ROW_PITCH, MARGIN + 16.0
        for entry in row:
            sign_x = round(entry_x + entry.sign_width / 2)
            layers.append(make_group(sign_x, middle, (*entry.sign, fit_text_and_width(_entry_text(entry)))))
            entry_x += _entry_span(entry)
    return tuple(layers)


def _footer_height(rows: Sequence[Sequence[LegendEntry]]) -> int:
    return _ONE_ROW_FOOTER_HEIGHT + (len(rows) - 1) * _FOOTER_ROW_PITCH


def _legend_rows(view: OceansView, shown_cards: tuple[Card, ...]) -> list[list[LegendEntry]]:
    """Return the entries of the legend in one row, or those of the cards' numbers above those of values.

    Before the Cambrian Explosion it always says that Deep cards wait for it.
    """
    available_width = float(_FOOTER_END - MARGIN)
    if view.score_pile is not None:
        available_width -= int(_score_pile_label(view).max_width) + 66
    values = [value for card in shown_cards for value in printed_values(TRAIT_BY_CARD[card])]
    value_entries = _value_entries(values)
    has_deep_card = any(card in DEEP_CARDS for card in shown_cards)
    deep_texts = _DEEP_TEXTS_AFTER_CAMBRIAN if view.position.cambrian_happened else _DEEP_TEXTS
    for brevity, deep_text in enumerate(deep_texts):
        number_entries = _number_entries(deep_text if has_deep_card else "", with_long_texts=not brevity)
        if sum(map(_entry_span, (*number_entries, *value_entries))) <= available_width:
            return [[*number_entries, *value_entries]]
    number_entries = _number_entries(deep_texts[0] if has_deep_card else "", with_long_texts=True)
    fitting: list[LegendEntry] = []
    for entry in value_entries:  # those that do not fit beside the score stand behind the numbers
        is_fitting = sum(map(_entry_span, (*fitting, entry))) <= available_width
        (fitting if is_fitting else number_entries).append(entry)
    return [number_entries, fitting]


def _entry_span(entry: LegendEntry) -> float:
    """Return the width of an entry with its distance to the next one."""
    return entry.sign_width + 8 + fit_text_and_width(_entry_text(entry)).max_width + _ENTRY_GAP


def _entry_text(entry: LegendEntry) -> Text:
    return Text(entry.sign_width / 2 + 8, 0, entry.text, LEGEND_SIZE, INK, 520)


def _number_entries(deep_text: str, *, with_long_texts: bool) -> list[LegendEntry]:
    """Return the entries of the numbers on cards; no entry of Deep cards if ``deep_text`` is empty."""
    disc = (Disc(0, 0, 19, INK), Text(0, 0, "n", LEGEND_SIZE, WHITE, 30, Typeface.BOLD, Anchor.MIDDLE))
    entries = [LegendEntry(disc, 38, "moves n population" if with_long_texts else "moves n")]
    if deep_text:
        entries.append(LegendEntry(draw_cards_sign(0, 0, 34, dark=True), 32, deep_text))
    return entries


def _value_entries(values: Sequence[tuple[Glyph, Colour, str | None]]) -> list[LegendEntry]:
    """Return the entries of the signs of values, and of those that are crossed out."""
    glyphs = {glyph for glyph, _, text in values if text is not None}
    entries = [
        LegendEntry(draw_glyph(glyph, 0, 0, 32, colour, WATER), 32, name)
        for glyph, colour, name in _VALUE_SIGNS
        if glyph in glyphs
    ]
    crossed_out = next((glyph for glyph, _, text in values if text is None), None)
    if crossed_out is not None:
        entries.append(LegendEntry(draw_crossed_out_glyph(crossed_out, 0, 0, 30), 32, "never"))
    return entries
