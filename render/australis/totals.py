"""The totals on a sea board: points, pieces, tiles, and where the points came from."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from render.australis.cards import draw_small_tile
from render.australis.signs import CORAL, TROPHY, draw_turtle
from render.glyphs import draw_glyph
from render.scene import (
    Box,
    Disc,
    Group,
    Text,
    Typeface,
    make_group,
)
from render.sea_glyphs import WHEEL
from render.text_fit import fit_text_and_width
from render.theme import (
    BODY_SIZE,
    CARD,
    INK,
    KEY_NUMBER_SIZE,
    MARGIN,
    NORMAL_LINE_WIDTH,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WHITE,
)
from rules.australis.model import SeaBoard
from rules.australis.scoring import tile_points
from rules.model import Seat

_TOTALS_TOP: Final = 726
_TOTALS_HEIGHT: Final = 148
_TOTALS_GAP: Final = 40
_LABEL_GAP: Final = 10
"""Between a number and its label."""
_POINTS_SIZE: Final = 54


@lru_cache(maxsize=1)
def draw_totals_background() -> Group:
    """Draw the background of the totals."""
    width = PICTURE_WIDTH - 2 * MARGIN
    return make_group(
        MARGIN, _TOTALS_TOP, (Box(0, 0, width, _TOTALS_HEIGHT, 14, CARD, INK, NORMAL_LINE_WIDTH),)
    )


def draw_totals(
    board: SeaBoard, seat: Seat, *, has_token: bool, shows_tile_points: bool
) -> tuple[Group, ...]:
    """Draw a seat's points and pieces; the values of its tiles only if ``shows_tile_points``."""
    y = _TOTALS_TOP + 46
    layers = list(_draw_points_and_pieces(board, seat, y, has_token=has_token))
    layers += _draw_tiles(board, y, shows_tile_points=shows_tile_points)
    return (*layers, *_draw_tally(board, _TOTALS_TOP + 114))


def _draw_points_and_pieces(board: SeaBoard, seat: Seat, y: int, *, has_token: bool) -> Iterable[Group]:
    """Draw the points, the turtle, the corals and the first player token."""
    x = MARGIN + 24
    points = board.tally.total
    points_label = "point" if points == 1 else "points"
    yield from _draw_labelled_number(x, y, points, points_label, _POINTS_SIZE)
    x += _labelled_number_width(points, points_label, _POINTS_SIZE) + _TOTALS_GAP
    if board.turtle_space is not None:
        yield draw_turtle(x + 38, y, seat, 0.72)
        yield _draw_number(x + 94, y, board.turtle_space, KEY_NUMBER_SIZE)
        x += 94 + _number_width(board.turtle_space, KEY_NUMBER_SIZE) + _TOTALS_GAP
    yield make_group(x + 24, y, draw_glyph(CORAL, 0, 0, 52, INK, CARD))
    x += 62
    for number, label, gap in (
        (board.coral_supply, "left", 18),
        (sum(board.coral_counts), "on reefs", _TOTALS_GAP),
    ):
        yield from _draw_labelled_number(x, y, number, label, KEY_NUMBER_SIZE)
        x += _labelled_number_width(number, label, KEY_NUMBER_SIZE) + gap
    if has_token:
        yield make_group(x + 28, y, (Disc(0, 0, 28, INK), *draw_glyph(WHEEL, 0, 0, 44, WHITE, INK)))


def _draw_labelled_number(x: int, y: int, number: int, label: str, size: int) -> Iterable[Group]:
    yield _draw_number(x, y, number, size)
    yield _draw_label(x + _number_width(number, size) + _LABEL_GAP, y, label)


def _labelled_number_width(number: int, label: str, size: int) -> int:
    return _number_width(number, size) + _LABEL_GAP + _label_width(label)


@lru_cache(maxsize=128)
def _draw_number(x: int, y: int, number: int, size: int) -> Group:
    return make_group(x, y, (_number_text(number, size),))


def _number_text(number: int, size: int) -> Text:
    return fit_text_and_width(Text(0, 0, str(number), size, INK, 120, Typeface.BOLD))


def _number_width(number: int, size: int) -> int:
    return round(_number_text(number, size).max_width)


@lru_cache(maxsize=64)
def _draw_label(x: int, y: int, text: str) -> Group:
    return make_group(x, y, (_label_text(text),))


def _label_text(text: str) -> Text:
    return fit_text_and_width(Text(0, 0, text, BODY_SIZE, SECONDARY_INK, 200))


def _label_width(text: str) -> int:
    return round(_label_text(text).max_width)


def _draw_tiles(board: SeaBoard, y: int, *, shows_tile_points: bool) -> Iterable[Group]:
    """Draw the tiles at the right: their points, or only how many they are."""
    right = PICTURE_WIDTH - MARGIN - 24
    if not shows_tile_points:
        if board.tiles:
            label = "tiles" if len(board.tiles) > 1 else "tile"
            x = right - _label_width(label)
            yield _draw_label(x, y, label)
            x -= _number_width(len(board.tiles), KEY_NUMBER_SIZE) + _LABEL_GAP
            yield _draw_number(x, y, len(board.tiles), KEY_NUMBER_SIZE)
            yield make_group(x - 34, y, draw_glyph(TROPHY, 0, 0, 46, INK, CARD))
        return
    for index, tile in enumerate(reversed(board.tiles)):
        yield draw_small_tile(right - 22 - 50 * index, y, tile.colour, tile_points(tile))


def _draw_tally(board: SeaBoard, y: int) -> Iterable[Group]:
    """Draw where the points came from."""
    tally = board.tally
    amounts = (
        ("start", tally.start),
        ("dice", tally.circles),
        ("cards", tally.cards),
        ("reefs", tally.reefs),
        ("schools", tally.schools),
        ("turtle", tally.turtle),
        ("corals", tally.corals),
        ("token", tally.token),
        ("tiles", tally.tiles),
    )
    nonzero_amounts = tuple((name, amount) for name, amount in amounts if amount)
    return _draw_amounts(MARGIN + 24, y, nonzero_amounts)


@lru_cache(maxsize=128)
def _draw_amounts(x: int, y: int, amounts: tuple[tuple[str, int], ...]) -> tuple[Group, ...]:
    layers: list[Group] = []
    amount_x = float(x)
    texts = [
        (
            fit_text_and_width(Text(0, 0, f"{name} ", 26, SECONDARY_INK, 120)),
            fit_text_and_width(Text(0, 0, str(amount), 28, INK, 80, Typeface.BOLD)),
        )
        for name, amount in amounts
    ]
    available_width = PICTURE_WIDTH - 2 * x
    widths = [name_text.max_width + amount_text.max_width + 4 for name_text, amount_text in texts]
    gap = min(44.0, (available_width - sum(widths)) / max(1, len(texts) - 1))
    for (name_text, amount_text), width in zip(texts, widths, strict=True):
        layers.append(make_group(round(amount_x), y, (name_text,)))
        layers.append(make_group(round(amount_x + name_text.max_width + 4), y, (amount_text,)))
        amount_x += width + gap
    return tuple(layers)
