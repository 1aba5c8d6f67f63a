"""Curves and paths as points: pure geometry for symbols and routes."""

import math
from typing import Final

from render.scene import Points

_CURVE_STEPS: Final = 10
"""Straight segments per curve: smooth at the sizes used here."""


def curve(*points: tuple[float, float]) -> Points:
    """Return points of joined cubic Bézier curves: a start, then two controls and an end for each curve."""
    coordinates: list[float] = [*points[0]]
    for i in range(1, len(points) - 2, 3):
        p0, p1, p2, p3 = points[i - 1 : i + 3]
        for step in range(1, _CURVE_STEPS + 1):
            t = step / _CURVE_STEPS
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            pairs = (p0, p1, p2, p3)
            coordinates.append(sum(w * p[0] for w, p in zip(weights, pairs, strict=True)))
            coordinates.append(sum(w * p[1] for w, p in zip(weights, pairs, strict=True)))
    return tuple(coordinates)


def arc(x: float, y: float, radius: float, start: float, end: float, steps: int = 24) -> Points:
    """Return part of a circle; angles in degrees, clockwise from east."""
    coordinates: list[float] = []
    for i in range(steps + 1):
        angle = math.radians(start + (end - start) * i / steps)
        coordinates += (x + radius * math.cos(angle), y + radius * math.sin(angle))
    return tuple(coordinates)


def regular_polygon(x: float, y: float, radius: float, corner_count: int, start: float = -90) -> Points:
    """Return the corners of a regular polygon; the first one lies at angle ``start``."""
    return arc(x, y, radius, start, start + 360 * (corner_count - 1) / corner_count, corner_count - 1)


def complete_half(points: Points) -> Points:
    """Complete a right half with its mirror image across x = 0."""
    left = [(-points[i], points[i + 1]) for i in range(len(points) - 2, -1, -2)]
    return (*points, *(value for pair in left for value in pair))


def flip(points: Points) -> Points:
    """Return the mirror image of points across x = 0."""
    return tuple(-value if i % 2 == 0 else value for i, value in enumerate(points))


def transform(points: Points, x: float, y: float, scale: float, angle: float = 0) -> Points:
    """Scale, rotate (degrees, clockwise) and move points."""
    cos, sin = math.cos(math.radians(angle)) * scale, math.sin(math.radians(angle)) * scale
    coordinates: list[float] = []
    for i in range(0, len(points), 2):
        px, py = points[i], points[i + 1]
        coordinates += (x + px * cos - py * sin, y + px * sin + py * cos)
    return tuple(coordinates)


def shorten(points: Points, start_length: float, end_length: float) -> Points:
    """Cut these lengths off the two ends of a line; of a line that is too short, keep only its middle."""
    total = path_length(points)
    if start_length + end_length >= total:
        start_length = end_length = total / 2 - 0.5
    return tuple(_slice_path(points, start_length, total - end_length))


def path_length(points: Points) -> float:
    """Return the length of a line."""
    return sum(math.dist(points[i : i + 2], points[i + 2 : i + 4]) for i in range(0, len(points) - 2, 2))


def split_into_dashes(points: Points, dash_length: float, gap_length: float) -> tuple[Points, ...]:
    """Cut a line into dashes; it begins and ends with one, so gaps are only about ``gap_length`` long."""
    total = path_length(points)
    count = max(1, round((total + gap_length) / (dash_length + gap_length)))
    if count == 1:
        return (points,)
    pitch = dash_length + (total - count * dash_length) / (count - 1)
    return tuple(tuple(_slice_path(points, i * pitch, i * pitch + dash_length)) for i in range(count))


def _slice_path(points: Points, start: float, end: float) -> list[float]:
    """Return the part of a line between two distances from its start."""
    coordinates: list[float] = []
    passed_length = 0.0
    for i in range(0, len(points) - 2, 2):
        ax, ay, bx, by = points[i : i + 4]
        length = math.hypot(bx - ax, by - ay)
        if length and passed_length + length >= start and passed_length <= end:
            for distance in (max(start - passed_length, 0), min(end - passed_length, length)):
                spot = (
                    ax + (bx - ax) * distance / length,
                    ay + (by - ay) * distance / length,
                )
                if not coordinates or (coordinates[-2], coordinates[-1]) != spot:
                    coordinates += spot
        passed_length += length
    return coordinates


def rounded_rectangle(x: float, y: float, width: float, height: float, radius: float) -> Points:
    """Return the outline of a rectangle with round corners, clockwise from its top left."""
    right, bottom = x + width - radius, y + height - radius
    return (
        *arc(x + radius, y + radius, radius, 180, 270, 6),
        *arc(right, y + radius, radius, 270, 360, 6),
        *arc(right, bottom, radius, 0, 90, 6),
        *arc(x + radius, bottom, radius, 90, 180, 6),
    )


def dash_outline(points: Points, dash_length: float, gap_length: float) -> tuple[Points, ...]:
    """Cut a closed outline into dashes and gaps of about these lengths, evenly spread."""
    closed = (*points, *points[:2])
    total = path_length(closed)
    count = max(2, round(total / (dash_length + gap_length)))
    pitch, share = total / count, dash_length / (dash_length + gap_length)
    return tuple(tuple(_slice_path(closed, i * pitch, (i + share) * pitch)) for i in range(count))
