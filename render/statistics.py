"""Pictures of ratings: one player's statistics, and a leaderboard."""

from typing import Final

import msgspec

from render.line_chart import Curve, draw_line_chart
from render.parts import draw_frame, draw_panel_box, draw_title_bar, join_layers
from render.scene import Anchor, Box, Group, Item, Layer, Line, Scene, Text, Typeface, make_group
from render.theme import (
    BODY_SIZE,
    CONTOUR,
    GAP,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    KEY_NUMBER_SIZE,
    LEGEND_SIZE,
    MARGIN,
    NAME_SIZE,
    PANEL_TOP,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    VALUE_SIZE,
    WATER_MEDIUM,
)
from render.typeset import make_legible

_INNER_WIDTH: Final = PICTURE_WIDTH - 2 * MARGIN
_PANEL_HEIGHT: Final = 128
"""Height of the panel of a key number."""
_PLACE_ROW_HEIGHT: Final = 46
_CHART_LEFT: Final = 430
_LINE_HEIGHT: Final = 70
"""Height of a line of the leaderboard."""
_NO_CHART_TEXT: Final = "No rated game yet."


class StatisticsContent(msgspec.Struct, frozen=True):
    """What the picture of a player's statistics shows."""

    title: str
    """The game's title."""
    name: str
    key_numbers: tuple[tuple[str, str], ...]
    """One to four: label and value."""
    places: tuple[tuple[str, int], ...]
    """How often each place was reached: label and count."""
    ratings: tuple[int, ...]
    """The rating over time, the oldest first."""
    first_label: str
    """What stands below the start of the chart of ratings."""
    last_label: str
    """What stands below its end."""
    note: str = ""
    """A line of text at the bottom."""


def draw_statistics(content: StatisticsContent) -> Scene:
    """Draw one player's statistics."""
    top = PANEL_TOP + _PANEL_HEIGHT + 34
    height = max(400, _PLACE_ROW_HEIGHT * (len(content.places) + 1))
    bottom = top + height + (66 if content.note else 28)
    layers: list[Layer] = []
    width = (_INNER_WIDTH - GAP * (len(content.key_numbers) - 1)) // len(content.key_numbers)
    for index, (label, value) in enumerate(content.key_numbers):
        left = MARGIN + index * (width + GAP)
        layers += [
            draw_panel_box(left, PANEL_TOP, width, _PANEL_HEIGHT, highlighted=False),
            make_group(left, PANEL_TOP, _key_number_items(label, value, width)),
        ]
    if len(content.ratings) > 1:
        title = Text(0, 16, "Rating over time", LEGEND_SIZE, SECONDARY_INK, 500)
        chart_width = PICTURE_WIDTH - MARGIN - _CHART_LEFT
        curve = Curve(tuple(map(float, content.ratings)), CONTOUR)
        layers += [
            make_group(_CHART_LEFT, top, (title,)),
            *draw_line_chart(
                _CHART_LEFT,
                top + 44,
                chart_width,
                height - 44,
                (curve,),
                content.first_label,
                content.last_label,
            ),
        ]
    else:
        layers.append(make_group(_CHART_LEFT, top, (Text(0, 60, _NO_CHART_TEXT, BODY_SIZE, INK, 600),)))
    if content.places:
        layers.append(make_group(MARGIN, top, _place_items(content.places)))
    if content.note:
        note = Text(0, 0, content.note, LEGEND_SIZE, SECONDARY_INK, _INNER_WIDTH - 20)
        layers.append(make_group(MARGIN + 8, bottom - 42, (note,)))
    name = make_legible(content.name, Typeface.BOLD) or "A player"
    return Scene(
        PICTURE_WIDTH,
        bottom,
        PAPER,
        join_layers(
            draw_title_bar(PICTURE_WIDTH, content.title, "statistics", name, "", None), tuple(layers)
        ),
        static_layers=draw_frame(PICTURE_WIDTH, bottom),
    )


def _key_number_items(label: str, value: str, width: int) -> tuple[Item, ...]:
    return (
        Text(width / 2, 46, value, KEY_NUMBER_SIZE, INK, width - 20, Typeface.BOLD, Anchor.MIDDLE),
        Text(width / 2, 96, label, LEGEND_SIZE, SECONDARY_INK, width - 20, Typeface.SANS, Anchor.MIDDLE),
    )


def _place_items(places: tuple[tuple[str, int], ...]) -> tuple[Item, ...]:
    """Return a bar for each place."""
    highest_count = max(count for _, count in places)
    items: list[Item] = [Text(0, 16, "Places", LEGEND_SIZE, SECONDARY_INK, 300)]
    for row, (label, count) in enumerate(places, 1):
        row_y = 16 + _PLACE_ROW_HEIGHT * row
        items.append(Text(0, row_y, label, BODY_SIZE, INK, 100))
        length = max(8, 200 * count / highest_count)
        items.append(Box(104, row_y - 15, length, 30, 6, WATER_MEDIUM, INK, 2))
        items.append(Text(116 + length, row_y, str(count), BODY_SIZE, INK, 70, Typeface.BOLD))
    return tuple(items)


class LeaderboardLine(msgspec.Struct, frozen=True):
    """One line of a leaderboard."""

    place: str
    """Empty for a computer player, who has no place."""
    name: str
    points: str
    """The rating, in points."""
    games_text: str
    """How many games and wins."""
    is_own: bool = False
    """Whether it is the line of the player who asked."""
    is_separated: bool = False
    """Whether a dividing line stands above it: lines are left out there, or the computer players begin."""


def draw_leaderboard(
    title: str, pill_text: str, lines: tuple[LeaderboardLine, ...], explanation: str = ""
) -> Scene:
    """Draw the best players of a game, and the computer players for comparison.

    ``pill_text``: the name of their server.  ``explanation``: a line of text below the players.
    """
    top = PANEL_TOP + 8
    bottom = top + _LINE_HEIGHT * len(lines) + (66 if explanation else 30)
    layers: list[Layer] = []
    for index, line in enumerate(lines):
        y = top + _LINE_HEIGHT * index
        if line.is_own:
            layers.append(draw_panel_box(MARGIN, y + 3, _INNER_WIDTH, _LINE_HEIGHT - 8, highlighted=True))
        layers.append(_draw_leaderboard_line(line, y))
    if explanation:
        text = Text(0, 0, explanation, LEGEND_SIZE, SECONDARY_INK, _INNER_WIDTH - 120)
        layers.append(make_group(MARGIN + 104, bottom - 42, (text,)))
    return Scene(
        PICTURE_WIDTH,
        bottom,
        PAPER,
        join_layers(draw_title_bar(PICTURE_WIDTH, title, "leaderboard", pill_text, "", None), tuple(layers)),
        static_layers=draw_frame(PICTURE_WIDTH, bottom),
    )


def _draw_leaderboard_line(line: LeaderboardLine, y: int) -> Group:
    middle = _LINE_HEIGHT / 2
    ink = INK if line.place else SECONDARY_INK
    name = make_legible(line.name, Typeface.BOLD) or "A player"
    items: list[Item] = [
        Text(76, middle, line.place, VALUE_SIZE, ink, 70, Typeface.SERIF, Anchor.RIGHT),
        Text(104, middle, name, NAME_SIZE, ink, 470, Typeface.BOLD),
        Text(610, middle, line.games_text, LEGEND_SIZE, SECONDARY_INK, 330),
        Text(_INNER_WIDTH - 24, middle, line.points, VALUE_SIZE, ink, 140, Typeface.BOLD, Anchor.RIGHT),
    ]
    if line.is_separated:
        items.append(Line((10, 0, _INNER_WIDTH - 10, 0), HAIRLINE_COLOUR, HAIRLINE_WIDTH))
    return make_group(MARGIN, y, tuple(items))
