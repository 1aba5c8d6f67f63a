"""What follows from the table of Currents: pull, next drift, a defender's need, aces, legend."""

import math
from functools import lru_cache
from typing import Final

from render import parts
from render.currents.layout import Layout
from render.geometry import arc, shorten, split_into_dashes
from render.scene import Anchor, Box, Disc, Face, Group, Item, Line, Text, group, group_in_place
from render.symbols import draw_arrow, draw_seat_mark, draw_suit
from render.theme import (
    CARD,
    INK,
    NORMAL_LINE,
    PAPER,
    SECONDARY_INK,
    SHADOW,
    TURN_LINE,
    VALUE_SIZE,
    WATER,
    WHITE,
)
from rules.currents.cards import Card
from rules.currents.drift import Drift, defending_suits, goals_of
from rules.currents.model import Phase, Position

_WIDE: Final = 230
_DOTS: Final = (4.0, 7.0)


def figures(position: Position, layout: Layout, going: Drift | None) -> tuple[Group, ...]:
    """Count the pushes in each direction; while a defender is asked, say what it takes."""
    if going is None:
        return (
            ()
            if position.winner is None
            else (_won(*layout.pull, position.winner, *_way_out(position, layout)),)
        )
    pulls = tuple(
        (layout.angles[direction], count)
        for direction, count in zip(layout.geometry.directions, going.pushes, strict=True)
        if count
    )
    found = (pull_box(*layout.pull, pulls),)
    if position.phase is Phase.GOALTEND and position.exits:
        asked = position.exits[0]
        return (*found, defence_box(*layout.defence, asked.overshoot, defending_suits(position, asked.edge)))
    return found


@lru_cache(maxsize=256)
def pull_box(x: int, y: int, pulls: tuple[tuple[float, int], ...]) -> Group:
    """Say how often the pawn is pushed in each direction (degrees, count)."""
    items: list[Item] = [
        Box(0, 0, _WIDE, 90, 14, WATER),
        Text(_WIDE / 2, 24, "Pull now", 28, SECONDARY_INK, 200, Face.SANS, Anchor.MIDDLE),
    ]
    items += pull_items(_WIDE / 2, 61, pulls, 1)
    return group(x, y, tuple(items))


def _way_out(position: Position, layout: Layout) -> tuple[tuple[str, float], ...]:
    goals = goals_of(position, position.winner) if position.winner is not None else ()
    return tuple(
        (edge, layout.angles[edge]) for edge, _ in layout.geometry.crossed(position.pawn) if edge in goals
    )


@lru_cache(maxsize=32)
def _won(x: int, y: int, winner: int, *edges: tuple[str, float]) -> Group:
    """Say who has won, over which edge."""
    items: list[Item] = [
        Box(3, 6, _WIDE, 104, 14, SHADOW),
        Box(0, 0, _WIDE, 104, 14, WHITE, INK, TURN_LINE),
        Text(_WIDE / 2, 27, "Goal", 32, INK, 200, Face.ITALIC, Anchor.MIDDLE),
    ]
    shift = 0 if edges else 60
    items += draw_seat_mark(winner, 58 + shift, 68, 22, letter=True)
    for edge, angle in edges[:1]:
        items += draw_arrow(120, 67, angle, 40, INK, 5)
        items.append(Text(170, 67, edge, 42, INK, 50, Face.BOLD, Anchor.MIDDLE))
    return group(x, y, tuple(items))


def pull_items(x: float, y: float, pulls: tuple[tuple[float, int], ...], scale: float) -> tuple[Item, ...]:
    """Lay arrows and counts side by side round (x, y)."""
    if not pulls:
        return (Text(x, y, "none", VALUE_SIZE * scale, INK, 200, Face.BOLD, Anchor.MIDDLE),)
    pitch = (56 if len(pulls) > 3 else 70) * scale
    items: list[Item] = []
    for i, (angle, count) in enumerate(pulls):
        at = x + pitch * (i - (len(pulls) - 1) / 2)
        items += draw_arrow(at - 15 * scale, y, angle, (22 if len(pulls) > 3 else 28) * scale, INK, 4 * scale)
        number = Text(
            at + 14 * scale, y, str(count), VALUE_SIZE * scale, INK, 26 * scale, Face.BOLD, Anchor.MIDDLE
        )
        items.append(number)
    return tuple(items)


@lru_cache(maxsize=64)
def defence_box(x: int, y: int, needed: int, suits: tuple[str, ...]) -> Group:
    """Say how many cards of which suits hold the edge."""
    items: list[Item] = [
        Box(3, 6, _WIDE, 92, 14, SHADOW),
        Box(0, 0, _WIDE, 92, 14, WHITE, INK, TURN_LINE),
        Text(_WIDE / 2, 26, "To hold the edge", 27, INK, 208, Face.SANS, Anchor.MIDDLE),
    ]
    wide = 62 + 42 * max(1, len(suits))
    at = (_WIDE - wide) / 2
    items.append(Text(at, 63, f"{needed} \u00d7", 40, INK, 70, Face.BOLD))
    for i, name in enumerate(suits):
        items += draw_suit(name, at + 88 + 44 * i, 62, 38)
    return group(x, y, tuple(items))


@lru_cache(maxsize=256)
def _ring(x: int, y: int, radius: int, *, filled: bool) -> Group:
    circle = arc(0, 0, radius - 3, 0, 360, 60)
    dots = tuple(Line(part, INK, 3) for part in split_into_dashes(circle, *_DOTS)[:-1])
    ground = (Disc(0, 0, radius + 1, WHITE),) if filled else ()
    return group(x, y, (*ground, *dots))


@lru_cache(maxsize=256)
def _dotted(x: float, y: float, to_x: float, to_y: float, start: float, end: float) -> tuple[Group, ...]:
    points = (x, y, to_x, to_y)
    if math.dist((x, y), (to_x, to_y)) <= start + end + 6:
        return ()
    line = shorten(points, start, end)
    under = [(Line(part, WHITE, 9),) for part in split_into_dashes(line, 60, 0)]
    dots = [(Line(part, INK, 3.5),) for part in split_into_dashes(line, 4, 9)]
    return tuple(group_in_place(items) for items in (*under, *dots))


def next_drift(position: Position, layout: Layout, going: Drift | None) -> tuple[Group, ...]:
    """Where the pawn goes if nothing changes, or where it is about to leave."""
    if going is None:
        return ()
    target = position.target if position.phase is Phase.GOALTEND else going.target
    if target is None or target == position.pawn:
        return ()
    x, y = layout.spot(target)
    out = target not in layout.spots
    ring = _ring(round(x), round(y), layout.pawn - 9, filled=out)
    if position.phase is not Phase.GOALTEND:
        return (ring,)
    start_x, start_y = layout.spot(position.pawn)
    return (*_dotted(start_x, start_y, x, y, layout.pawn + 6.0, layout.pawn - 6.0), ring)


def aces(position: Position, layout: Layout) -> tuple[Group, ...]:
    """The aces that still have to find a place on the compass."""
    return _aces(*layout.aces, position.aces) if position.aces and position.phase is not Phase.OVER else ()


@lru_cache(maxsize=64)
def _aces(x: int, y: int, left: tuple[Card, ...]) -> tuple[Group, ...]:
    width = max(4, len(left)) * 108 + 32
    items: list[Item] = [
        Box(4 - width / 2, -92, width, 196, 16, SHADOW),
        Box(-width / 2, -98, width, 196, 16, PAPER, INK, NORMAL_LINE),
        Text(0, -66, "Aces to place", 34, INK, width - 40, Face.ITALIC, Anchor.MIDDLE),
    ]
    start = -108 * len(left) / 2
    for i, card in enumerate(left):
        items += parts.draw_card_items(card, start + 108 * i + 8, -40, 92, 122)
    return (group(x, y, tuple(items)),)


_PULLS: Final = parts.LegendEntry((Box(-13, -13, 26, 26, 7, WATER, INK, 3.5),), 26, "pulls now")
_PULL: Final = parts.LegendEntry(draw_arrow(0, 0, 0, 32, INK, 4), 32, "its pull")
_NEXT: Final = parts.LegendEntry(
    tuple(Line(part, INK, 3) for part in split_into_dashes(arc(0, 0, 13, 0, 360, 40), *_DOTS)[:-1]),
    28,
    "next drift",
)
_EDGE: Final = parts.LegendEntry((Box(-18, -7, 36, 14, 5, CARD, INK, NORMAL_LINE),), 36, "goal edge")
_OUT: Final = parts.LegendEntry(_NEXT.items, 28, "about to leave")


def legend(position: Position, *, marked: bool) -> tuple[Group, ...]:
    """Explain the signs that this picture holds."""
    signs = [_PULL]
    if position.phase is not Phase.OVER:
        signs.insert(0, _PULLS)
        signs.append(_OUT if position.phase is Phase.GOALTEND else _NEXT)
    signs.append(_EDGE)
    if marked:
        signs.append(parts.LAST_MOVE_ENTRY)
    return parts.draw_legend(tuple(signs))
