"""Arrows and routes along paths, and halos round outlines; for all games."""

import math
from functools import lru_cache
from typing import Final

from render.geometry import path_length, shorten, split_into_dashes, transform
from render.scene import (
    Colour,
    Disc,
    Group,
    Item,
    Line,
    Points,
    Polygon,
    make_group,
    make_group_in_place,
)
from render.shapes import offset_outline, ribbon
from render.theme import INK, MAGENTA, WHITE

DASHED: Final = (16.0, 11.0)
DOTTED: Final = (1.0, 11.0)
"""Lengths of dashes and gaps; the two patterns tell two planned routes apart."""
_HEAD_SHAPE: Final = (0.0, 0.0, -1.0, -0.52, -0.84, 0.0, -1.0, 0.52)
"""An arrow head of length 1 that points to the right, its tip at (0, 0)."""


def _arrow_head(path: Points, size: float) -> Points:
    ax, ay, bx, by = path[-4:]
    return transform(_HEAD_SHAPE, bx, by, size, math.degrees(math.atan2(by - ay, bx - ax)))


def _reverse_path(path: Points) -> Points:
    pairs = list(zip(path[0::2], path[1::2], strict=True))
    return tuple(value for pair in reversed(pairs) for value in pair)


def draw_tapered_arrow(
    path: Points, width: float, fill: Colour, outline: Colour = INK, *, both_ways: bool = False
) -> tuple[Item, ...]:
    """Draw an arrow that widens along a path to a head; with two heads it has the same width throughout."""
    head_length = width * 2.2
    shaft = shorten(path, head_length * 0.8 if both_ways else 0, head_length * 0.8)
    body = ribbon(shaft, width if both_ways else width * 0.35, width)
    heads = [_arrow_head(path, head_length)]
    if both_ways:
        heads.append(_arrow_head(_reverse_path(path), head_length))
    outlines = (Polygon(shape, outline, outline, 5) for shape in (body, *heads))
    return *outlines, *(Polygon(shape, fill) for shape in (body, *heads))


@lru_cache(maxsize=128)
def draw_polygon_halo(points: Points) -> tuple[Group, ...]:
    """Draw a white and a magenta line round an outline that changed."""
    white, magenta = offset_outline(points, 4.5), offset_outline(points, 9)
    return (
        make_group_in_place((Polygon(magenta, None, MAGENTA, 5),)),
        make_group_in_place((Polygon(white, None, WHITE, 4),)),
    )


@lru_cache(maxsize=128)
def draw_route(
    points: Points, start_gap: float = 20, end_gap: float = 0, *, ringed: bool = True
) -> tuple[Group, ...]:
    """Draw how something moved: a ring where it was (if ``ringed``), dashes on white, an arrow head.

    ``start_gap`` and ``end_gap``: lengths to leave free for the ring and for what stands at the end.
    """
    ring = (Disc(points[0], points[1], 19, WHITE), Disc(points[0], points[1], 16, WHITE, MAGENTA, 5))
    if path_length(points) <= start_gap + end_gap + 8:
        return (make_group(0, 0, ring),) if ringed else ()
    line = shorten(points, start_gap, end_gap)
    head = _arrow_head(line, 32)
    shaft = shorten(line, 4, min(26, path_length(line) * 0.5))
    white_items: list[Item] = [Line(piece, WHITE, 15) for piece in split_into_dashes(shaft, 60, 0)]
    magenta_items: list[Item] = [Line(piece, MAGENTA, 7) for piece in split_into_dashes(shaft, 15, 12)]
    pieces = (*white_items, Polygon(head, WHITE, WHITE, 8), *magenta_items, Polygon(head, MAGENTA))
    groups = tuple(make_group_in_place((piece,)) for piece in pieces)
    return (*groups, make_group_in_place(ring)) if ringed else groups


@lru_cache(maxsize=128)
def draw_planned_route(
    hops: tuple[Points, ...], pattern: tuple[float, float] = DASHED, colour: Colour = INK
) -> tuple[Group, ...]:
    """Draw a route of several hops: a patterned line on white, a ring at each stop, a head at the end."""
    groups: list[Group] = []
    for index, hop in enumerate(hops):
        is_last = index == len(hops) - 1
        cut_lengths = 13.0 if index else 0.0, 24.0 if is_last else 13.0
        line = shorten(hop, *cut_lengths) if path_length(hop) > sum(cut_lengths) + 4 else hop
        pieces = split_into_dashes(line, 60, 0)
        groups += (make_group_in_place((Line(piece, WHITE, 12),)) for piece in pieces)
        groups += (
            make_group_in_place((Line(dash, colour, 6),)) for dash in split_into_dashes(line, *pattern)
        )
        if is_last:
            head = _arrow_head(hop, 27)
            groups.append(make_group_in_place((Polygon(head, colour, WHITE, 8), Polygon(head, colour))))
        else:
            x, y = hop[-2:]
            groups.append(make_group_in_place((Disc(x, y, 13, WHITE), Disc(x, y, 10, WHITE, colour, 4))))
    return tuple(groups)
