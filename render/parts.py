"""Parts that all games share: frame, title bar, panels, cards, halos.

Most ``draw_...`` functions return a layer or a tuple of layers, cached by their arguments.
"""

import math
from functools import lru_cache
from typing import Final

import msgspec

from render.scene import (
    Anchor,
    Box,
    Disc,
    Group,
    Item,
    Layer,
    Line,
    Polygon,
    Rectangle,
    Text,
    Typeface,
    make_group,
    translate,
)
from render.symbols import draw_cards_sign, draw_joker, draw_seat_mark, draw_suit, draw_waves
from render.text_fit import fit_text_and_width
from render.theme import (
    BODY_SIZE,
    CARD,
    CONTOUR,
    DEEP_BLUE,
    EMPHASIS_LINE_WIDTH,
    GAP,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    KEY_NUMBER_SIZE,
    LEGEND_SIZE,
    MAGENTA,
    MARGIN,
    NAME_SIZE,
    NORMAL_LINE_WIDTH,
    PANEL,
    PANEL_HEIGHT,
    PANEL_TOP,
    PICTURE_WIDTH,
    RED,
    SEAT_MARKS,
    SECONDARY_INK,
    SHADOW,
    TITLE_SIZE,
    WATER_MEDIUM,
    WHITE,
)
from render.typeset import fit_text
from rules.text import signed

_BAR_LENGTH: Final = 50
"""Length of the bars of the frame."""


@lru_cache(maxsize=8)
def draw_frame(width: int, height: int) -> tuple[Rectangle, ...]:
    """Draw a chart's bars of longitude and latitude round the picture, and a line inside them."""
    rectangles: list[Rectangle] = []
    for x in range(0, width, 2 * _BAR_LENGTH):
        rectangles += (
            Rectangle(x, 0, _BAR_LENGTH, 7, WATER_MEDIUM),
            Rectangle(x + _BAR_LENGTH, height - 7, _BAR_LENGTH, 7, WATER_MEDIUM),
        )
    for y in range(0, height, 2 * _BAR_LENGTH):
        rectangles.append(Rectangle(0, y, 7, min(_BAR_LENGTH, height - y), WATER_MEDIUM))
        if y + _BAR_LENGTH < height:
            rectangles.append(
                Rectangle(
                    width - 7, y + _BAR_LENGTH, 7, min(_BAR_LENGTH, height - y - _BAR_LENGTH), WATER_MEDIUM
                )
            )
    rectangles += (
        Rectangle(7, 7, width - 14, 2, CONTOUR),
        Rectangle(7, height - 9, width - 14, 2, CONTOUR),
        Rectangle(7, 7, 2, height - 14, CONTOUR),
        Rectangle(width - 9, 7, 2, height - 14, CONTOUR),
    )
    return tuple(rectangles)


@lru_cache(maxsize=128)
def draw_title_bar(
    width: int, title: str, note: str, pill_text: str, suffix: str, seat: int | None
) -> tuple[Layer, ...]:
    """Draw title, note and, at the right, a dark pill: whose turn it is, or who may see this.

    ``suffix`` ends the pill's text and is never cut.  ``seat``: whose mark the pill shows; None: no mark.
    """
    heading = Text(0, 0, title, TITLE_SIZE, INK, 420, Typeface.SERIF)
    max_width = 470 if seat is not None else 516
    pill_label = Text(0, 30, pill_text, 34, WHITE, max_width, Typeface.BOLD, suffix=suffix, min_size=28)
    text_inset = 84 if seat is not None else 38
    pill_left = width - MARGIN - math.ceil(fit_text(pill_label).width) - text_inset - 32
    note_left = 38 + math.ceil(fit_text(heading).width) + 24
    note_label = Text(0, 0, note, BODY_SIZE, SECONDARY_INK, max(pill_left - note_left - 20, 60))
    return (
        make_group(38, 57, (fit_text_and_width(heading),)),
        make_group(note_left, 58, (fit_text_and_width(note_label),)),
        *_draw_pill(pill_left, width - MARGIN, seat),
        make_group(pill_left + text_inset, 24, (fit_text_and_width(pill_label),)),
    )


@lru_cache(maxsize=64)
def _draw_pill(left: int, right: int, seat: int | None) -> tuple[Layer, ...]:
    """Draw a pill without its text: two ends, the same for each length, a fill between them, and a mark."""
    head_width = 31 if seat is None else 72
    pill_end = Box(0, 0, 200, 61, 30.5, INK)
    mark = () if seat is None else draw_seat_mark(seat, 46, 30.5, 18, outline=WHITE, show_letter=False)
    return (
        Group(left, 24, head_width, 61, (pill_end, *translate(mark, 0, 0))),
        Rectangle(left + head_width, 24, right - 31 - left - head_width, 61, INK),
        Group(right - 31, 24, 31, 61, (msgspec.structs.replace(pill_end, x=-169),)),
    )


class PanelEntry(msgspec.Struct, frozen=True, gc=False):
    """A sign and the text beside it, such as the number of cards in a hand."""

    sign: tuple[Item, ...]
    """Centred on (0, 0), about 30 pixels high; may be empty."""
    sign_width: float
    text: str = ""


@lru_cache(maxsize=256)
def draw_panel(
    x: int,
    y: int,
    width: int,
    height: int,
    seat: int,
    name: str,
    entries: tuple[PanelEntry, ...],
    *,
    highlighted: bool,
    note: str = "",
    total: str = "",
) -> tuple[Group, ...]:
    """Draw a seat's panel: mark, name, entries.  A highlighted one is white, with a dark frame and a pennant.

    At the right there may be a small ``note`` beside the name, or instead a large ``total`` between the two
    lines; if the entries need the whole of their line, the total stands beside the name.
    """
    middle = height // 2
    side_text = Text(0, 0, note, LEGEND_SIZE, SECONDARY_INK, 70, Typeface.SANS, Anchor.RIGHT)
    if total:
        side_text = Text(0, 0, total, KEY_NUMBER_SIZE, INK, 90, Typeface.BOLD, Anchor.RIGHT)
    taken_width = fit_text(side_text).width + 10 if side_text.text else 0.0
    max_width = math.floor(width - 88 - 14 - taken_width)
    layers = [
        draw_panel_box(x, y, width, height, highlighted=highlighted),
        make_group(x + 46, y + middle, draw_seat_mark(seat, 0, 0, 27)),
        make_group(
            x + 88,
            y + middle - 17,
            (Text(0, 0, name, NAME_SIZE, INK, max_width, Typeface.BOLD, min_size=26),),
        ),
    ]
    texts = [Text(entry.sign_width + 6, 0, entry.text, BODY_SIZE, INK, 160) for entry in entries]
    spans = [
        entry.sign_width + 8 + (fit_text(text).width if entry.text else 0)
        for entry, text in zip(entries, texts, strict=True)
    ]
    entries_need_whole_line = bool(total) and sum(spans) > width - 90 - 16 - taken_width
    if side_text.text:
        side_y = middle - 14 if entries_need_whole_line else middle - 1 if total else middle - 17
        layers.append(make_group(x + width - 16, y + side_y, (fit_text_and_width(side_text),)))
    free_width = width - 90 - 12 - sum(spans) - (taken_width if total and not entries_need_whole_line else 0)
    gap = min(14.0, free_width / max(1, len(entries) - 1))
    entry_x = 90.0
    for entry, text, span in zip(entries, texts, spans, strict=True):
        items: list[Item] = [*translate(entry.sign, entry.sign_width / 2, 0)]
        if entry.text:
            items.append(fit_text_and_width(text))
        layers.append(make_group(x + round(entry_x), y + middle + 21, tuple(items)))
        entry_x += span + gap
    if highlighted:
        # The pennant flies above the name, so that it takes none of the name's room.
        layers.append(draw_pennant(x + width - 56, y, seat))
    return tuple(layers)


@lru_cache(maxsize=32)
def draw_pennant(x: int, y: int, seat: int) -> Group:
    """Draw the pennant of the seat whose turn it is; its mast stands at x, across the upper edge y."""
    cloth = Polygon((0.0, -12.0, 44.0, -1.0, 0.0, 10.0), SEAT_MARKS[seat].colour, INK, NORMAL_LINE_WIDTH)
    return make_group(x, y, (cloth, Line((0.0, -12.0, 0.0, 16.0), INK, 4)))


@lru_cache(maxsize=64)
def draw_panel_box(x: int, y: int, width: int, height: int, *, highlighted: bool) -> Group:
    """Draw the background of a panel; a highlighted one is white, with a dark frame."""
    if not highlighted:
        return make_group(x, y, (Box(0, 0, width, height, 14, PANEL, HAIRLINE_COLOUR, HAIRLINE_WIDTH),))
    return make_group(
        x,
        y,
        (Box(4, 6, width, height, 14, SHADOW), Box(0, 0, width, height, 14, WHITE, INK, EMPHASIS_LINE_WIDTH)),
    )


def panel_boxes(seat_count: int, width: int = PICTURE_WIDTH) -> tuple[tuple[int, int, int, int], ...]:
    """Return x, y, width, height of each seat's panel: one row up to four seats, rows of three beyond."""
    panels_per_row, height = (seat_count, PANEL_HEIGHT) if seat_count <= 4 else (3, 84)
    panel_width = (width - 2 * MARGIN - (panels_per_row - 1) * GAP) // panels_per_row
    return tuple(
        (
            MARGIN + (i % panels_per_row) * (panel_width + GAP),
            PANEL_TOP + (i // panels_per_row) * (height + 10),
            panel_width,
            height,
        )
        for i in range(seat_count)
    )


def hand_size_entry(count: int) -> PanelEntry:
    """Return the entry that shows how many cards a hand holds."""
    return PanelEntry(draw_cards_sign(0, 0, 28), 26, str(count))


# Cards ----------------------------------------------------------------------------------------------

CARD_WIDTH: Final = 74
"""Width of a playing card on the board."""
CARD_HEIGHT: Final = 98
CARD_MARK_RADIUS: Final = 8
"""Radius of the corners of a mark round a playing card."""


def draw_card_items(
    card: str, x: float, y: float, width: float, height: float, line_width: float = NORMAL_LINE_WIDTH
) -> tuple[Item, ...]:
    """Return the items of a playing card, rank above suit; "RJ" and "BJ" are jokers, "?" is face down."""
    radius = width * 0.11
    middle = x + width / 2
    if card == "?":
        back = Box(x, y, width, height, radius, DEEP_BLUE, INK, line_width)
        return back, *draw_waves(middle, y + height / 2, width * 0.6, WATER_MEDIUM, pitch=height * 0.2)
    outline = Box(x, y, width, height, radius, CARD, INK, line_width)
    if card in {"RJ", "BJ"}:
        return outline, *draw_joker(middle, y + height / 2, width * 0.66, RED if card == "RJ" else INK)
    rank, suit = card[:-1], card[-1]
    colour = RED if suit in "DH" else INK
    return (
        outline,
        Text(
            middle, y + height * 0.29, rank, height * 0.455, colour, width * 0.8, Typeface.BOLD, Anchor.MIDDLE
        ),
        *draw_suit(suit, middle, y + height * 0.715, height * 0.36),
    )


@lru_cache(maxsize=256)
def draw_card(
    card: str, x: int, y: int, width: int = CARD_WIDTH, height: int = CARD_HEIGHT
) -> tuple[Group, ...]:
    """Draw a playing card on the board.

    Outline and face are groups of their own, so that one sprite of the face serves every background.
    """
    outline, *face = draw_card_items(card, 0, 0, width, height)
    return make_group(x, y, (outline,)), make_group(x, y, tuple(face))


@lru_cache(maxsize=64)
def draw_empty_card_place(
    x: int, y: int, width: int = CARD_WIDTH, height: int = CARD_HEIGHT, *, muted: bool = True
) -> Group:
    """Draw an empty place for a card."""
    line_colour = HAIRLINE_COLOUR if muted else WATER_MEDIUM
    return make_group(x, y, (Box(0, 0, width, height, width * 0.11, None, line_colour, HAIRLINE_WIDTH),))


@lru_cache(maxsize=64)
def draw_pile(x: int, y: int, count: int, width: int = 78, height: int = 102) -> Group:
    """Draw a face-down pile, which looks thicker the more cards it has, or its empty place."""
    if not count:
        return draw_empty_card_place(x, y, width, height)
    visible_count = min(3, 1 + count // 8)
    items: list[Item] = [
        Box(4 * i, -4 * i, width, height, 9, DEEP_BLUE, INK, NORMAL_LINE_WIDTH)
        for i in range(visible_count - 1, -1, -1)
    ]
    items += draw_waves(width / 2, height / 2, width * 0.6, WATER_MEDIUM)
    return make_group(x, y, tuple(items))


# Marks of changes ----------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def draw_box_halo(x: int, y: int, width: int, height: int, radius: float) -> Group:
    """Draw a white and a magenta frame round a rectangle that changed."""
    return make_group(
        x,
        y,
        (
            Box(-9, -9, width + 18, height + 18, radius + 9, None, MAGENTA, 5),
            Box(-4, -4, width + 8, height + 8, radius + 4, None, WHITE, 4),
        ),
    )


@lru_cache(maxsize=128)
def draw_disc_halo(x: int, y: int, radius: float) -> Group:
    """Draw a white and a magenta ring round a disc that moved."""
    rings = (Disc(0, 0, radius + 9, None, MAGENTA, 5), Disc(0, 0, radius + 4, None, WHITE, 4))
    return make_group(x, y, rings)


@lru_cache(maxsize=128)
def draw_change_chip(x: int, y: int, change: int) -> Group:
    """Draw by how much a number rose (filled chip) or fell (outlined chip); its left end lies at x."""
    text = Text(0, 0, signed(change), 26, WHITE, 90, Typeface.BOLD)
    text_width = math.ceil(fit_text(text).width)
    return make_group(x, y, _chip_items(text, text_width, filled=change > 0))


def _chip_items(text: Text, text_width: int, *, filled: bool) -> tuple[Item, ...]:
    if filled:
        label = msgspec.structs.replace(text, x=10, max_width=text_width + 1)
        return Box(0, -17, text_width + 20, 34, 17, MAGENTA), label
    outline = Box(0, -17, text_width + 20, 34, 17, WHITE, MAGENTA, 3.5)
    return outline, msgspec.structs.replace(text, x=10, max_width=text_width + 1, colour=MAGENTA)


def change_chip_width(change: int) -> int:
    """Return the width of a change chip."""
    return math.ceil(fit_text(Text(0, 0, f"+{abs(change)}", 26, WHITE, 90, Typeface.BOLD)).width) + 20


def join_layers(*parts: Layer | tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Join single layers and tuples of layers to one tuple."""
    layers: list[Layer] = []
    for part in parts:
        if isinstance(part, tuple):
            layers += part
        else:
            layers.append(part)
    return tuple(layers)
