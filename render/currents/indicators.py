"""What a board of Currents shows besides the cards: pushes, next drift, defence, aces to place, legend."""

import math
from functools import lru_cache
from typing import Final

from render import parts
from render.choice_marks import CHOICE_LEGEND_ENTRY
from render.currents.layout import Layout
from render.geometry import arc, shorten, split_into_dashes
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry, draw_legend
from render.scene import Anchor, Box, Disc, Group, Item, Line, Text, Typeface, make_group, make_group_in_place
from render.symbols import draw_arrow, draw_seat_mark, draw_suit
from render.theme import (
    CARD,
    EMPHASIS_LINE_WIDTH,
    INK,
    NORMAL_LINE_WIDTH,
    PAPER,
    SECONDARY_INK,
    SHADOW,
    VALUE_SIZE,
    WATER,
    WHITE,
)
from rules.currents.components import Card
from rules.currents.drift import Drift, defending_suits, exit_edge
from rules.currents.events import PawnDrifted
from rules.currents.model import Phase, Position
from rules.model import Event

_BOX_WIDTH: Final = 230
_DOT_PATTERN: Final = (4.0, 7.0)
"""Lengths of a dot and of a gap."""


def draw_status_boxes(position: Position, layout: Layout, next_drift: Drift | None) -> tuple[Group, ...]:
    """Draw the pushes in each direction and, while somebody must defend, the cards needed for it.

    Once the game is won: who won, and over which edge; after a draw nothing.
    """
    if next_drift is None:
        if position.winner is None:
            return ()
        edge = exit_edge(position)
        angle = 0.0 if edge is None else layout.angles[edge]
        return (_draw_winner_box(*layout.push_box_corner, position.winner, edge, angle),)
    layers = _draw_push_box(*layout.push_box_corner, pushes_by_angle(layout, next_drift))
    if position.phase is Phase.GOALTEND and position.exits:
        first_exit = position.exits[0]
        return (
            *layers,
            draw_defence_box(
                *layout.defence_box_corner, first_exit.overshoot, defending_suits(position, first_exit.edge)
            ),
        )
    return layers


def pushes_by_angle(layout: Layout, next_drift: Drift) -> tuple[tuple[float, int], ...]:
    """Return angle (degrees) and number of the pushes in each direction that has any."""
    pushes = zip(layout.geometry.places, next_drift.pushes, strict=True)
    return tuple((layout.angles[direction], count) for direction, count in pushes if count)


@lru_cache(maxsize=128)
def _draw_push_box(x: int, y: int, pushes: tuple[tuple[float, int], ...]) -> tuple[Group, ...]:
    """Draw the pushes by angle in a box with a title."""
    background = (
        Box(0, 0, _BOX_WIDTH, 90, 14, WATER),
        Text(_BOX_WIDTH / 2, 24, "Pushes now", 28, SECONDARY_INK, 200, Typeface.SANS, Anchor.MIDDLE),
    )
    return make_group(x, y, background), *draw_pushes(x + _BOX_WIDTH // 2, y + 61, pushes, 1)


@lru_cache(maxsize=32)
def _draw_winner_box(x: int, y: int, winner: int, edge: str | None, angle: float) -> Group:
    """Draw who has won, and over which edge; None: over none, as the opponent resigned."""
    items: list[Item] = [
        Box(3, 6, _BOX_WIDTH, 104, 14, SHADOW),
        Box(0, 0, _BOX_WIDTH, 104, 14, WHITE, INK, EMPHASIS_LINE_WIDTH),
        Text(_BOX_WIDTH / 2, 27, "Goal" if edge else "Winner", 32, INK, 200, Typeface.ITALIC, Anchor.MIDDLE),
    ]
    mark_shift = 60 if edge is None else 0
    items += draw_seat_mark(winner, 58 + mark_shift, 68, 22, show_letter=True)
    if edge is not None:
        items += draw_arrow(120, 67, angle, 40, INK, 5)
        items.append(Text(170, 67, edge, 42, INK, 50, Typeface.BOLD, Anchor.MIDDLE))
    return make_group(x, y, tuple(items))


@lru_cache(maxsize=128)
def draw_pushes(x: int, y: int, pushes: tuple[tuple[float, int], ...], scale: float) -> tuple[Group, ...]:
    """Draw arrows with their counts, side by side and centred on (x, y)."""
    if not pushes:
        return (
            make_group(
                x, y, (Text(0, 0, "none", VALUE_SIZE * scale, INK, 200, Typeface.BOLD, Anchor.MIDDLE),)
            ),
        )
    is_dense = len(pushes) > 3
    pitch = (56 if is_dense else 70) * scale
    layers: list[Group] = []
    for i, (angle, count) in enumerate(pushes):
        pair_x = x + round(pitch * (i - (len(pushes) - 1) / 2))
        arrow = draw_arrow(0, 0, angle, (22 if is_dense else 28) * scale, INK, 4 * scale)
        number = Text(0, 0, str(count), VALUE_SIZE * scale, INK, 26 * scale, Typeface.BOLD, Anchor.MIDDLE)
        # Arrow and count lie much nearer to each other than to the next pair.
        half_distance = round((12 if is_dense else 14) * scale)
        layers.append(make_group(pair_x - half_distance, y, arrow))
        layers.append(make_group(pair_x + half_distance, y, (number,)))
    return tuple(layers)


@lru_cache(maxsize=64)
def draw_defence_box(x: int, y: int, needed_count: int, suits: tuple[str, ...]) -> Group:
    """Draw how many cards a defender needs to hold the edge, and of which suits."""
    items: list[Item] = [
        Box(3, 6, _BOX_WIDTH, 92, 14, SHADOW),
        Box(0, 0, _BOX_WIDTH, 92, 14, WHITE, INK, EMPHASIS_LINE_WIDTH),
        Text(_BOX_WIDTH / 2, 26, "To hold the edge", 27, INK, 208, Typeface.SANS, Anchor.MIDDLE),
    ]
    width = 62 + 42 * max(1, len(suits))
    left = (_BOX_WIDTH - width) / 2
    items.append(Text(left, 63, f"{needed_count} \u00d7", 40, INK, 70, Typeface.BOLD))
    for i, suit in enumerate(suits):
        items += draw_suit(suit, left + 88 + 44 * i, 62, 38)
    return make_group(x, y, tuple(items))


@lru_cache(maxsize=128)
def _draw_dotted_ring(x: int, y: int, radius: int, *, filled: bool) -> Group:
    circle = arc(0, 0, radius - 3, 0, 360, 60)
    dots = tuple(Line(part, INK, 3) for part in split_into_dashes(circle, *_DOT_PATTERN)[:-1])
    background = (Disc(0, 0, radius + 1, WHITE),) if filled else ()
    return make_group(x, y, (*background, *dots))


@lru_cache(maxsize=128)
def _draw_dotted_line(
    x: float, y: float, to_x: float, to_y: float, start_gap: float, end_gap: float
) -> tuple[Group, ...]:
    points = (x, y, to_x, to_y)
    if math.dist((x, y), (to_x, to_y)) <= start_gap + end_gap + 6:
        return ()
    line = shorten(points, start_gap, end_gap)
    white_dashes = [(Line(part, WHITE, 9),) for part in split_into_dashes(line, 60, 0)]
    dots = [(Line(part, INK, 3.5),) for part in split_into_dashes(line, 4, 9)]
    return tuple(make_group_in_place(items) for items in (*white_dashes, *dots))


def draw_next_drift(
    position: Position, layout: Layout, next_drift: Drift | None, recent_events: tuple[Event, ...]
) -> tuple[Group, ...]:
    """Draw where the pawn drifts if nothing changes, or where it is about to leave the board.

    Where it would return to the start of a drift of ``recent_events``, the ring goes round that start's mark;
    where it would leave straight over the edge on which it lies, round the pawn, which would hide it.
    """
    if next_drift is None:
        return ()
    target = position.target if position.phase is Phase.GOALTEND else next_drift.target
    if target is None or target == position.pawn:
        return ()
    x, y = layout.find_spot(target)
    is_outside = target not in layout.spots
    returns_to_start = any(
        isinstance(event, PawnDrifted) and event.path[0] == target for event in recent_events
    )
    radius = layout.pawn_radius - (0 if returns_to_start else 9)
    start_x, start_y = layout.find_spot(position.pawn)
    if math.dist((start_x, start_y), (x, y)) < layout.pawn_radius:
        x, y, radius = start_x, start_y, layout.pawn_radius + 7
    ring = _draw_dotted_ring(round(x), round(y), radius, filled=is_outside)
    if position.phase is not Phase.GOALTEND:
        return (ring,)
    return (
        *_draw_dotted_line(start_x, start_y, x, y, layout.pawn_radius + 6.0, layout.pawn_radius - 6.0),
        ring,
    )


def draw_aces(position: Position, layout: Layout) -> tuple[Group, ...]:
    """Draw the aces that are still to be placed on the compass."""
    return (
        _draw_aces_box(*layout.aces_middle, position.aces)
        if position.aces and position.phase is not Phase.OVER
        else ()
    )


@lru_cache(maxsize=64)
def _draw_aces_box(x: int, y: int, aces: tuple[Card, ...]) -> tuple[Group, ...]:
    width = max(4, len(aces)) * 108 + 32
    items: list[Item] = [
        Box(4 - width / 2, -92, width, 196, 16, SHADOW),
        Box(-width / 2, -98, width, 196, 16, PAPER, INK, NORMAL_LINE_WIDTH),
        Text(0, -66, "Aces to place", 34, INK, width - 40, Typeface.ITALIC, Anchor.MIDDLE),
    ]
    start = -108 * len(aces) / 2
    for i, card in enumerate(aces):
        items += parts.draw_card_items(card, start + 108 * i + 8, -40, 92, 122)
    return (make_group(x, y, tuple(items)),)


_REACHING_SLOT_LEGEND_ENTRY: Final = LegendEntry(
    (Box(-13, -13, 26, 26, 7, WATER, INK, 3.5),), 26, "reaches pawn"
)
_PUSH_LEGEND_ENTRY: Final = LegendEntry(draw_arrow(0, 0, 0, 32, INK, 4), 32, "push direction")
_NEXT_DRIFT_LEGEND_ENTRY: Final = LegendEntry(
    tuple(Line(part, INK, 3) for part in split_into_dashes(arc(0, 0, 13, 0, 360, 40), *_DOT_PATTERN)[:-1]),
    28,
    "next drift",
)
_GOAL_EDGE_LEGEND_ENTRY: Final = LegendEntry(
    (Box(-18, -7, 36, 14, 5, CARD, INK, NORMAL_LINE_WIDTH),), 36, "goal edge"
)
_EXIT_LEGEND_ENTRY: Final = LegendEntry(_NEXT_DRIFT_LEGEND_ENTRY.sign, 28, "about to leave")


def draw_board_legend(
    position: Position, next_drift: Drift | None, *, with_drift: bool, with_changes: bool, with_choices: bool
) -> tuple[Group, ...]:
    """Draw the legend for the signs that this picture contains."""
    entries = [_PUSH_LEGEND_ENTRY]
    if position.phase is not Phase.OVER:
        entries.insert(0, _REACHING_SLOT_LEGEND_ENTRY)
    if with_drift:
        leaves_board = position.phase is Phase.GOALTEND or (next_drift is not None and next_drift.exits)
        entries.append(_EXIT_LEGEND_ENTRY if leaves_board else _NEXT_DRIFT_LEGEND_ENTRY)
    entries.append(_GOAL_EDGE_LEGEND_ENTRY)
    if with_changes:
        entries.append(CHANGE_LEGEND_ENTRY)
    if with_choices:
        entries.append(CHOICE_LEGEND_ENTRY)
    return draw_legend(tuple(entries))
