"""The picture of a game that is over, to be shared: final board, podium, points, remarkable facts."""

from typing import Final

import msgspec

from render.caption import Caption
from render.line_chart import Curve, draw_line_chart
from render.parts import draw_frame, draw_title_bar, join_layers
from render.scaling import scaled_layers
from render.scene import Anchor, Box, Group, Item, Layer, Line, Polygon, Scene, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.theme import (
    BODY_SIZE,
    CARD,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    KEY_NUMBER_SIZE,
    LEGEND_SIZE,
    MARGIN,
    NORMAL_LINE_WIDTH,
    PANEL_TOP,
    PAPER,
    PICTURE_WIDTH,
    SEAT_MARKS,
    SECONDARY_INK,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
)
from rules.model import Seat, Standing
from rules.summary import MatchSummary
from rules.text import counted_in_digits

SUMMARY: Final = "summary"
"""The name of this picture."""

_LEFT_COLUMN_WIDTH: Final = 564
"""Width of the left column."""
_BOARD_SIZE: Final = _LEFT_COLUMN_WIDTH
"""The greatest width and height of the board, at the top of the left column."""
_RIGHT_COLUMN_LEFT: Final = 620
_RIGHT_COLUMN_WIDTH: Final = PICTURE_WIDTH - MARGIN - _RIGHT_COLUMN_LEFT
_STEP_GAP: Final = 10
_PODIUM_STEPS: Final = 3
"""Places on the podium; further players stand below it."""
_MIN_STEP_HEIGHT: Final = 156
"""Of a step with name, place and a note below them."""
_RESIGNED_SUFFIX: Final = " (resigned)"
"""After the name of who resigned, where it stands in a line."""
_RANKED_ROW_HEIGHT: Final = 46
_SCORE_ROW_HEIGHT: Final = 40
_FACT_ROW_HEIGHT: Final = 44
_GAP: Final = 26
_MIN_CHART_HEIGHT: Final = 370


class SummaryContent(msgspec.Struct, frozen=True):
    """What the picture shows."""

    title: str
    """The game's title."""
    caption: Caption
    """The table's number and the players' names."""
    summary: MatchSummary
    board: Scene
    """The final board, as everybody sees it; the picture has its palette."""


def draw_summary(content: SummaryContent) -> Scene:
    """Draw the summary of a game that is over."""
    summary, caption, board = content.summary, content.caption, content.board
    pill_text, suffix, winner = _pill_content(summary, caption)
    scale = min(_BOARD_SIZE / board.width, _BOARD_SIZE / board.height)
    score_table_top = PANEL_TOP + _BOARD_SIZE + _GAP
    facts_top = score_table_top + _score_table_height(summary)
    bottom = facts_top + _FACT_ROW_HEIGHT * len(summary.facts) + 24
    if summary.points_history:
        bottom = max(bottom, score_table_top + _MIN_CHART_HEIGHT)
    return Scene(
        PICTURE_WIDTH,
        bottom,
        PAPER,
        join_layers(
            draw_title_bar(PICTURE_WIDTH, content.title, _note_text(caption), pill_text, suffix, winner),
            scaled_layers(board, MARGIN + round((_BOARD_SIZE - board.width * scale) / 2), PANEL_TOP, scale),
            _draw_podium(summary, caption, PANEL_TOP),
            _draw_score_table(summary, score_table_top),
            _draw_points_chart(summary, score_table_top, bottom - score_table_top - 70),
            _draw_facts(summary.facts, facts_top, has_full_width=not summary.points_history),
            _draw_bot_name(bottom - 44),
        ),
        static_layers=draw_frame(PICTURE_WIDTH, bottom),
        palette=board.palette,
    )


def _pill_content(summary: MatchSummary, caption: Caption) -> tuple[str, str, Seat | None]:
    """Return text, suffix and seat of the pill: the winner, a shared win or, without points, a draw."""
    winners = summary.result.winners
    if len(winners) == 1:
        return caption.seat_name(winners[0]), " wins", winners[0]
    return "Shared win" if _has_score_lines(summary) else "A draw", "", None


def _note_text(caption: Caption) -> str:
    return f"No. {caption.table_number}" if caption.table_number else "final result"


def summary_text(title: str, caption: Caption, summary: MatchSummary) -> str:
    """Return the picture in words."""
    names = [caption.seat_name(seat) for seat in range(len(summary.result.standings))]
    places = []
    for standing in summary.result.standings:
        points_text = f", {counted_in_digits(standing.score, 'point')}" if _has_score_lines(summary) else ""
        resigned_text = _RESIGNED_SUFFIX if standing.seat in summary.resigned_seats else ""
        places.append(f"{standing.rank}. {names[standing.seat]}{resigned_text}{points_text}")
    number = f" No. {caption.table_number}" if caption.table_number else ""
    return " ".join([f"Final result of {title}{number}: {'; '.join(places)}.", *summary.facts])


def _has_score_lines(summary: MatchSummary) -> bool:
    return any(standing.lines for standing in summary.result.standings)


# The podium -------------------------------------------------------------------------------------------


def _draw_podium(summary: MatchSummary, caption: Caption, top: int) -> tuple[Layer, ...]:
    """Draw the best three on steps, of three the best in the middle, and the others in rows below."""
    standings = summary.result.standings
    best, others = standings[:_PODIUM_STEPS], standings[_PODIUM_STEPS:]
    bottom = top + _BOARD_SIZE - _RANKED_ROW_HEIGHT * len(others)
    order = (best[1], best[0], *best[2:]) if len(best) > 2 else best
    width = (_RIGHT_COLUMN_WIDTH - _STEP_GAP * (len(order) - 1)) // max(len(order), 2)
    layers: list[Layer] = []
    with_points, resigned_seats = _has_score_lines(summary), summary.resigned_seats
    winner_height = min(bottom - top - (150 if with_points else 100), 360)
    heights = (winner_height, round(winner_height * 0.7), max(round(winner_height * 0.45), _MIN_STEP_HEIGHT))
    for index, standing in enumerate(order):
        left = _RIGHT_COLUMN_LEFT + index * (width + _STEP_GAP)
        height = heights[min(standing.rank, _PODIUM_STEPS) - 1]
        layers.append(
            _draw_step(
                left,
                bottom,
                width,
                height,
                standing,
                caption,
                with_points=with_points,
                resigned=standing.seat in resigned_seats,
            )
        )
    for index, standing in enumerate(others):
        layers.append(
            _draw_ranked_row(
                bottom + _RANKED_ROW_HEIGHT * index,
                standing,
                caption,
                with_points=with_points,
                resigned=standing.seat in resigned_seats,
            )
        )
    return tuple(layers)


def _draw_step(
    x: int,
    bottom: int,
    width: int,
    height: int,
    standing: Standing,
    caption: Caption,
    *,
    with_points: bool,
    resigned: bool,
) -> Group:
    """Draw one step with its player's mark and score above it, name and place on it, and who resigned."""
    middle_x, top = width / 2, -height
    is_winner = standing.rank == 1
    name = caption.seat_name(standing.seat)
    items: list[Item] = [
        Box(0, top, width, height, 12, CARD if is_winner else WATER_MEDIUM_LIGHT, INK, NORMAL_LINE_WIDTH),
        Text(middle_x, top + 34, name, BODY_SIZE, INK, width - 20, Typeface.BOLD, Anchor.MIDDLE),
        Text(middle_x, top + 88, str(standing.rank), 56, INK, width - 20, Typeface.SERIF, Anchor.MIDDLE),
    ]
    if resigned:
        items.append(
            Text(middle_x, top + 130, "resigned", 28, INK, width - 20, Typeface.ITALIC, Anchor.MIDDLE)
        )
    mark_y = top - 44
    if with_points:
        mark_y = top - 100
        score, y = str(standing.score), top - 32
        items.append(Text(middle_x, y, score, KEY_NUMBER_SIZE, INK, width, Typeface.BOLD, Anchor.MIDDLE))
    items += draw_seat_mark(standing.seat, middle_x, mark_y, 38 if is_winner else 34)
    return make_group(x, bottom, tuple(items))


def _draw_ranked_row(
    y: int, standing: Standing, caption: Caption, *, with_points: bool, resigned: bool
) -> Group:
    """Draw a player who has no place on the podium."""
    middle_y = _RANKED_ROW_HEIGHT / 2 + 6
    name = caption.seat_name(standing.seat)
    items: list[Item] = [
        Text(16, middle_y, f"{standing.rank}.", BODY_SIZE, SECONDARY_INK, 50, Typeface.BOLD),
        *draw_seat_mark(standing.seat, 82, middle_y, 16, show_letter=False),
        Text(112, middle_y, name, BODY_SIZE, INK, 330, suffix=_RESIGNED_SUFFIX if resigned else ""),
    ]
    if with_points:
        items.append(
            Text(
                _RIGHT_COLUMN_WIDTH - 16,
                middle_y,
                str(standing.score),
                34,
                INK,
                90,
                Typeface.BOLD,
                Anchor.RIGHT,
            )
        )
    return make_group(_RIGHT_COLUMN_LEFT, y, tuple(items))


# Points ------------------------------------------------------------------------------------------------


def _score_sources(summary: MatchSummary) -> tuple[str, ...]:
    """Return the labels of the score lines that brought anybody points, in the game's order."""
    labels = dict.fromkeys(line.label for standing in summary.result.standings for line in standing.lines)
    labels_with_points = {
        line.label for standing in summary.result.standings for line in standing.lines if line.points
    }
    return tuple(label for label in labels if label in labels_with_points)


def _score_table_height(summary: MatchSummary) -> int:
    sources = _score_sources(summary)
    return _SCORE_ROW_HEIGHT * (len(sources) + 1) if sources else 0


def _draw_score_table(summary: MatchSummary, y: int) -> tuple[Layer, ...]:
    """Draw where each player's points came from; nothing in a game without points."""
    sources, standings = _score_sources(summary), summary.result.standings
    if not sources:
        return ()
    column_width = min(84, (_LEFT_COLUMN_WIDTH - 216) // len(standings))
    left = _LEFT_COLUMN_WIDTH - column_width * len(standings)
    items: list[Item] = [Text(0, 20, "Points by source", LEGEND_SIZE, SECONDARY_INK, left - 10)]
    for index, standing in enumerate(standings):
        items += draw_seat_mark(standing.seat, left + column_width * (index + 0.5), 20, 17, show_letter=False)
    for row, source in enumerate(sources, 1):
        row_y = 21 + _SCORE_ROW_HEIGHT * row
        items.append(Line((0, row_y - 20, _LEFT_COLUMN_WIDTH, row_y - 20), HAIRLINE_COLOUR, HAIRLINE_WIDTH))
        items.append(Text(0, row_y, source, 28, INK, left - 10))
        for index, standing in enumerate(standings):
            points = sum(line.points for line in standing.lines if line.label == source)
            middle = left + column_width * (index + 0.5)
            items.append(
                Text(middle, row_y, str(points), BODY_SIZE, INK, column_width, Typeface.BOLD, Anchor.MIDDLE)
            )
    return (make_group(MARGIN, y, tuple(items)),)


def _draw_points_chart(summary: MatchSummary, y: int, height: int) -> tuple[Layer, ...]:
    """Draw the points over time; nothing where they are not known."""
    if len(summary.points_history) < 2:
        return ()
    title = Text(0, 20, "Points over time", LEGEND_SIZE, SECONDARY_INK, _RIGHT_COLUMN_WIDTH)
    standings_best_last = reversed(summary.result.standings)
    curves = tuple(
        Curve(
            tuple(points[standing.seat] for points in summary.points_history),
            SEAT_MARKS[standing.seat].colour,
            standing.seat,
        )
        for standing in standings_best_last
    )
    turn_count = len(summary.points_history) - 1
    chart = draw_line_chart(
        _RIGHT_COLUMN_LEFT, y + 44, _RIGHT_COLUMN_WIDTH, height - 44, curves, "start", f"turn {turn_count}"
    )
    return (make_group(_RIGHT_COLUMN_LEFT, y, (title,)), *chart)


def _draw_facts(facts: tuple[str, ...], y: int, *, has_full_width: bool) -> tuple[Layer, ...]:
    items: list[Item] = []
    max_width = (PICTURE_WIDTH - 2 * MARGIN - 240 if has_full_width else _LEFT_COLUMN_WIDTH) - 38
    for index, fact in enumerate(facts):
        row_y = _FACT_ROW_HEIGHT * index + 30
        items.append(Polygon((0, row_y, 10, row_y - 10, 20, row_y, 10, row_y + 10), WATER_MEDIUM, INK, 2))
        items.append(Text(38, row_y, fact, BODY_SIZE, INK, max_width))
    return (make_group(MARGIN, y, tuple(items)),)


def _draw_bot_name(y: int) -> Group:
    name = Text(0, 0, "Captain's Table", 28, SECONDARY_INK, 220, Typeface.ITALIC, Anchor.RIGHT)
    return make_group(PICTURE_WIDTH - MARGIN - 8, y, (name,))
