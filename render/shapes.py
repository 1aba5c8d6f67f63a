"""Shapes made of paths: offsets, ribbons, wavy outlines, hatching.  Pure geometry."""

import math

from render.geometry import path_length
from render.scene import Points

_MAX_MITRE = 3.0
"""How far a sharp corner may reach, as a multiple of the offset."""


def offset_path(points: Points, distance: float) -> Points:
    """Move an open path sideways: to the right of its direction if ``distance`` is positive."""
    normals = _normals(points)
    flat: list[float] = []
    for i in range(len(points) // 2):
        before, after = normals[max(i - 1, 0)], normals[min(i, len(normals) - 1)]
        dx, dy = _corner_offset(before, after)
        flat += (points[2 * i] + dx * distance, points[2 * i + 1] + dy * distance)
    return tuple(flat)


def offset_outline(points: Points, distance: float) -> Points:
    """Grow (shrink if negative) a closed outline, whichever way it runs round."""
    outwards = distance if _signed_area(points) > 0 else -distance
    normals = _normals((*points, *points[:2]))
    flat: list[float] = []
    for i in range(len(points) // 2):
        dx, dy = _corner_offset(normals[i - 1], normals[i])
        flat += (points[2 * i] - dx * outwards, points[2 * i + 1] - dy * outwards)
    return tuple(flat)


def ribbon(points: Points, start_width: float, end_width: float | None = None) -> Points:
    """Return the outline of a ribbon along a path, whose width may change evenly along it."""
    end_width = start_width if end_width is None else end_width
    normals = _normals(points)
    total = path_length(points)
    left: list[tuple[float, float]] = []
    right: list[tuple[float, float]] = []
    passed = 0.0
    for i in range(len(points) // 2):
        x, y = points[2 * i], points[2 * i + 1]
        if i:
            passed += math.dist((x, y), points[2 * i - 2 : 2 * i])
        half = (start_width + (end_width - start_width) * passed / total) / 2
        dx, dy = _corner_offset(normals[max(i - 1, 0)], normals[min(i, len(normals) - 1)])
        right.append((x + dx * half, y + dy * half))
        left.append((x - dx * half, y - dy * half))
    return tuple(value for spot in (*right, *reversed(left)) for value in spot)


def wavy_outline(points: Points, height: float, wave_length: float, steps: int = 8) -> Points:
    """Return a closed outline whose sides are waves of about this length, ``height`` to either side."""
    closed = (*points, *points[:2])
    total = path_length(closed)
    waves = max(3, round(total / wave_length))
    flat: list[float] = []
    passed = 0.0
    for i in range(0, len(points), 2):
        ax, ay, bx, by = closed[i : i + 4]
        piece = math.dist((ax, ay), (bx, by))
        if not piece:
            continue
        count = max(1, round(piece / wave_length * steps))
        nx, ny = -(by - ay) / piece, (bx - ax) / piece
        for step in range(count):
            share = step / count
            swing = height * math.sin(2 * math.pi * waves * (passed + piece * share) / total)
            flat += (ax + (bx - ax) * share + nx * swing, ay + (by - ay) * share + ny * swing)
        passed += piece
    return tuple(flat)


def hatch(outline: Points, spacing: float, angle: float = 45) -> tuple[Points, ...]:
    """Return parallel lines clipped to a closed outline; degrees clockwise from east."""
    turned = _rotate(outline, -angle)
    levels = turned[1::2]
    lines: list[Points] = []
    level = math.floor(min(levels) / spacing) * spacing + spacing / 2
    while level < max(levels):
        crossings = sorted(_crossings(turned, level))
        for begin, end in zip(crossings[::2], crossings[1::2], strict=False):
            lines.append(_rotate((begin, level, end, level), angle))
        level += spacing
    return tuple(lines)


def _crossings(outline: Points, level: float) -> list[float]:
    """Return the x of each side that crosses a horizontal line."""
    closed = (*outline, *outline[:2])
    found: list[float] = []
    for i in range(0, len(outline), 2):
        ax, ay, bx, by = closed[i : i + 4]
        if (ay <= level) != (by <= level):
            found.append(ax + (bx - ax) * (level - ay) / (by - ay))
    return found


def _rotate(points: Points, angle: float) -> Points:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    pairs = zip(points[0::2], points[1::2], strict=True)
    return tuple(value for x, y in pairs for value in (x * cos - y * sin, x * sin + y * cos))


def _normals(points: Points) -> list[tuple[float, float]]:
    """Return for each piece of a path the unit vector to its right."""
    found: list[tuple[float, float]] = []
    for i in range(0, len(points) - 2, 2):
        dx, dy = points[i + 2] - points[i], points[i + 3] - points[i + 1]
        length = math.hypot(dx, dy) or 1.0
        found.append((-dy / length, dx / length))
    return found


def _corner_offset(before: tuple[float, float], after: tuple[float, float]) -> tuple[float, float]:
    """Return by how much a corner moves if both its sides move by one."""
    x, y = before[0] + after[0], before[1] + after[1]
    square = x * x + y * y
    scale = min(2 / square if square else 1.0, _MAX_MITRE / math.sqrt(square) if square else 1.0)
    return (x * scale, y * scale) if square else after


def _signed_area(points: Points) -> float:
    closed = (*points, *points[:2])
    return (
        sum(closed[i] * closed[i + 3] - closed[i + 2] * closed[i + 1] for i in range(0, len(points), 2)) / 2
    )
