"""A chart of numbers over time: one curve or one for each seat."""

import math
from typing import Final

import msgspec

from render.scene import Anchor, Colour, Group, Item, Line, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.theme import HAIRLINE_COLOUR, HAIRLINE_WIDTH, INK, LEGEND_SIZE, NORMAL_LINE_WIDTH, SECONDARY_INK

_GRID_VALUES_WIDTH: Final = 78
"""The width of the column of numbers left of the curves."""
_MARK_RADIUS: Final = 15
_MARK_PITCH: Final = 2 * _MARK_RADIUS + 4
"""From a mark to the one beside it."""
_LABELS_HEIGHT: Final = 36
"""The height of the line of labels below."""
_MAX_GRID_LINES: Final = 5


class Curve(msgspec.Struct, frozen=True, gc=False):
    """One curve of a chart: its numbers, the oldest first; at least one."""

    values: tuple[float, ...]
    colour: Colour
    seat: int | None = None
    """Whose mark stands at its end."""


def draw_line_chart(
    x: int,
    y: int,
    width: int,
    height: int,
    curves: tuple[Curve, ...],
    first_label: str,
    last_label: str,
) -> tuple[Group, ...]:
    """Draw curves over one span of time; later curves lie above earlier ones.

    ``first_label``, ``last_label``: texts below the start and the end of the span; equal ones stand once.
    """
    low = min(min(curve.values) for curve in curves)
    high = max(*(max(curve.values) for curve in curves), low + 1)
    grid_values = _grid_values(low, high)
    plot_height = height - _LABELS_HEIGHT

    def value_y(value: float) -> float:
        return plot_height - (value - low) / (high - low) * (plot_height - _MARK_RADIUS)

    end_ys = tuple(round(value_y(curve.values[-1])) for curve in curves if curve.seat is not None)
    slots = _mark_slots(end_ys)
    plot_width = width - _GRID_VALUES_WIDTH - 2 * _MARK_RADIUS - _MARK_PITCH * max(slots, default=0)
    items: list[Item] = []
    for value in grid_values:
        line_y = value_y(value)
        items.append(Line((_GRID_VALUES_WIDTH, line_y, width, line_y), HAIRLINE_COLOUR, HAIRLINE_WIDTH))
        text = f"{value:,}"
        items.append(
            Text(
                _GRID_VALUES_WIDTH - 12,
                line_y,
                text,
                LEGEND_SIZE,
                SECONDARY_INK,
                70,
                Typeface.SANS,
                Anchor.RIGHT,
            )
        )
    label_y = height - 10
    if first_label != last_label:
        items.append(
            Text(_GRID_VALUES_WIDTH, label_y, first_label, LEGEND_SIZE, SECONDARY_INK, plot_width / 2)
        )
    items.append(
        Text(
            _GRID_VALUES_WIDTH + plot_width + 2 * _MARK_RADIUS,
            label_y,
            last_label,
            LEGEND_SIZE,
            SECONDARY_INK,
            plot_width / 2,
            Typeface.SANS,
            Anchor.RIGHT,
        )
    )
    end_marks: list[Group] = []
    for curve in curves:
        point_ys = tuple(value_y(value) for value in curve.values)
        end_length = 0.0
        if curve.seat is not None:
            index = len(end_marks)
            end_length = _MARK_RADIUS + slots[index] * _MARK_PITCH
            mark = draw_seat_mark(curve.seat, 0, 0, _MARK_RADIUS, show_letter=False)
            mark_x = x + _GRID_VALUES_WIDTH + round(plot_width + end_length)
            end_marks.append(make_group(mark_x, y + end_ys[index], mark))
        items += _curve_items(curve, plot_width, point_ys, end_length)
    return (make_group(x, y, tuple(items)), *end_marks)


def _curve_items(
    curve: Curve, width: float, point_ys: tuple[float, ...], end_length: float
) -> tuple[Item, ...]:
    """Return a curve with an ink outline, which a white curve needs on paper.

    ``end_length``: how far its mark stands beyond its last number; a thin line leads there.
    """
    interval_count = max(1, len(point_ys) - 1)
    points = tuple(
        value
        for index, y in enumerate(point_ys)
        for value in (_GRID_VALUES_WIDTH + width * index / interval_count, y)
    )
    end_x, end_y = _GRID_VALUES_WIDTH + width, point_ys[-1]
    if len(point_ys) == 1:
        points += (end_x, end_y)
    connector = (
        (Line((end_x, end_y, end_x + end_length, end_y), INK, NORMAL_LINE_WIDTH),) if end_length else ()
    )
    return *connector, Line(points, INK, 8), Line(points, curve.colour, 5)


def _mark_slots(end_ys: tuple[int, ...]) -> tuple[int, ...]:
    """Return for each mark how many places to the right it stands, so that none covers another."""
    slots: list[int] = []
    for index, mark_y in enumerate(end_ys):
        occupied_slots = {
            slot
            for slot, other_y in zip(slots, end_ys[:index], strict=True)
            if abs(other_y - mark_y) < 2 * _MARK_RADIUS
        }
        slots.append(min(set(range(len(end_ys))) - occupied_slots))
    return tuple(slots)


def _grid_values(low: float, high: float) -> tuple[int, ...]:
    """Return round numbers from ``low`` to ``high``, at most ``_MAX_GRID_LINES``."""
    span = high - low
    magnitude = 10 ** math.floor(math.log10(max(span / _MAX_GRID_LINES, 1)))
    for step in (magnitude * factor for factor in (1, 2, 5, 10)):
        multiples = range(math.ceil(low / step), math.floor(high / step) + 1)
        if len(multiples) <= _MAX_GRID_LINES:
            break
    return tuple(step * index for index in multiples)
