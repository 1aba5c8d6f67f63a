"""The panels of Current Affairs: points, and how much each seat has delivered, restored and unlocked."""

from functools import lru_cache
from typing import Final

from render import parts
from render.caption import Caption
from render.current_affairs.changes import Changes
from render.current_affairs.layout import SEAT_PANEL_HEIGHT
from render.current_affairs.panel_contracts import draw_panel_contracts
from render.current_affairs.signs import DROPLET, KELP, TICKED_CARD
from render.glyphs import Glyph, draw_glyph
from render.legend import LegendEntry
from render.picture import highlighted_seat, only_winner
from render.pieces import draw_value_chip
from render.scene import Box, Group, Text, Typeface, make_group
from render.sea_glyphs import OPEN_LOCK, WHEEL
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    DEEP_BLUE,
    GAP,
    INK,
    MARGIN,
    MUTED_INK,
    PANEL,
    PANEL_HEIGHT,
    PANEL_TOP,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WHITE,
)
from rules.current_affairs.boards import movement_allowance
from rules.current_affairs.ending import board_points, returns
from rules.current_affairs.model import Phase, Position
from rules.model import Seat

_COUNT_SIGNS: Final[tuple[tuple[Glyph, str], ...]] = (
    (TICKED_CARD, "delivered"),
    (KELP, "restored"),
    (WHEEL, "actions"),
    (OPEN_LOCK, "unlocked"),
)
"""The signs beside the counts of a panel, and what they mean."""
_MIN_ROOMY_WIDTH: Final = 250
"""A panel below this width is narrow: its points stand beside the counts, not beside the name."""
_MIN_WIDTH_FOR_ALL_SIGNS: Final = 320


_POINTS_LEGEND_ENTRY: Final = LegendEntry(
    (Box(-40, -16, 48, 32, 16, INK), *draw_glyph(DROPLET, 26, 0, 30, DEEP_BLUE, PAPER)), 80, "points"
)
"""For the points of a seat and of a contract."""


def _legend_entry(sign: Glyph, text: str) -> LegendEntry:
    return LegendEntry(draw_glyph(sign, 0, 0, 30, INK, PAPER), 28, text)


def panel_width(seat_count: int) -> int:
    """Return the width of a seat's panel."""
    return (PICTURE_WIDTH - 2 * MARGIN - (seat_count - 1) * GAP) // seat_count


def _max_sign_count(width: int) -> int:
    """Return how many signs with their counts a panel of this width has room for."""
    return 2 if _is_narrow(width) else 3 if width < _MIN_WIDTH_FOR_ALL_SIGNS else 4


def panel_legend_entries(seat_count: int) -> tuple[LegendEntry, ...]:
    """Return the legend's entries for the signs in panels."""
    signs = _COUNT_SIGNS[: _max_sign_count(panel_width(seat_count))]
    return (_POINTS_LEGEND_ENTRY, *(_legend_entry(sign, text) for sign, text in signs))


def acting_seat_or_winner(position: Position) -> Seat | None:
    """Return whose turn it is; at the end, the only winner."""
    return only_winner(returns(position)) if position.phase is Phase.OVER else highlighted_seat(position)


def draw_panels(position: Position, caption: Caption, changes: Changes) -> tuple[Group, ...]:
    """Draw a panel for each seat, all in one row."""
    seat_count = len(position.boards)
    width = panel_width(seat_count)
    # While a card is revealed, the turn may be over.
    marked_seat = None if position.phase is Phase.REVEAL else acting_seat_or_winner(position)
    groups: list[Group] = []
    for seat, board in enumerate(position.boards):
        highlighted = seat == marked_seat
        counts = (
            len(board.delivered_contracts),
            len(board.restored_regions),
            movement_allowance(board),
            len(board.unlocked_upgrades),
        )
        left = MARGIN + seat * (width + GAP)
        name = caption.seat_name(seat)
        groups += _draw_panel(
            left,
            width,
            Seat(seat),
            name,
            board_points(board),
            counts,
            highlighted=highlighted,
            resigned=board.resigned,
        )
        if not board.resigned:
            groups += draw_panel_contracts(left, PANEL_TOP + PANEL_HEIGHT, width, board.contracts, changes)
        if seat in changes.seats_with_changed_board:
            groups.append(_draw_halo(left, width))
    return tuple(groups)


def _draw_halo(left: int, width: int) -> Group:
    """Draw the halo of a changed board: round the seat's mark, or round the panel if the name is too near."""
    if _is_narrow(width):
        return parts.draw_box_halo(left, PANEL_TOP, width, SEAT_PANEL_HEIGHT, 14)
    x, y, radius = _mark_spot(width)
    return parts.draw_disc_halo(left + x, PANEL_TOP + y, radius + 2)


def _is_narrow(width: int) -> bool:
    return width < _MIN_ROOMY_WIDTH


def _mark_spot(width: int) -> tuple[int, int, int]:
    """Return x, y and radius of a seat's mark in its panel; in a narrow one it is smaller."""
    return (33, 31, 22) if _is_narrow(width) else (46, PANEL_HEIGHT // 2, 24)


@lru_cache(maxsize=256)
def _draw_panel(
    left: int,
    width: int,
    seat: Seat,
    name: str,
    points: int,
    counts: tuple[int, ...],
    *,
    highlighted: bool,
    resigned: bool,
) -> tuple[Group, ...]:
    narrow = _is_narrow(width)
    name_start, counts_start, counts_y = (66, 14, 71) if narrow else (88, 88, 69)
    mark_x, mark_y, radius = _mark_spot(width)
    chip_text_size, sign_size = (25, 24) if narrow else (28, 27)
    background = WHITE if highlighted else PANEL
    layers = [
        parts.draw_panel_box(left, PANEL_TOP, width, SEAT_PANEL_HEIGHT, highlighted=highlighted),
        make_group(
            left + mark_x,
            PANEL_TOP + mark_y,
            draw_seat_mark(seat, 0, 0, radius, show_letter=True),
        ),
    ]
    fill = MUTED_INK if resigned else INK
    chip_width = draw_value_chip(0, 0, str(points), fill, text_size=chip_text_size).width
    chip_y = PANEL_TOP + (70 if narrow else 31)
    layers.append(
        draw_value_chip(left + width - 10 - chip_width, chip_y, str(points), fill, text_size=chip_text_size)
    )
    max_width = width - name_start - 14 - (0 if narrow else chip_width + 8)
    label = Text(0, 0, name, 31, SECONDARY_INK if resigned else INK, max_width, Typeface.BOLD, min_size=25)
    layers.append(make_group(left + name_start, PANEL_TOP + 31, (fit_text_and_width(label),)))
    shown_count = _max_sign_count(width)
    pitch = (width - counts_start - 10 - (chip_width + 4 if narrow else 0)) / shown_count
    for index, (count, (sign, _)) in enumerate(zip(counts[:shown_count], _COUNT_SIGNS, strict=False)):
        x = left + counts_start + round(index * pitch)
        text = Text(27 if narrow else 32, 0, str(count), 28, INK, 40)
        layers.append(
            make_group(
                x,
                PANEL_TOP + counts_y,
                (*draw_glyph(sign, 12, 0, sign_size, INK, background), fit_text_and_width(text)),
            )
        )
    if highlighted:
        layers.append(parts.draw_pennant(left + width - 56, PANEL_TOP, seat))
    return tuple(layers)
