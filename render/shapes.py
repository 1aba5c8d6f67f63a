"""Shapes made of paths: offsets, ribbons, wavy outlines, hatching.  Pure geometry."""

import math

from render.geometry import path_length
from render.scene import Points

_MAX_MITRE = 3.0
"""How far a sharp corner may reach, as a multiple of the offset."""


def offset_path(points: Points, distance: float) -> Points:
    """Move an open path sideways: to the right of its direction if ``distance`` is positive."""
    normals = _normals(points)
    coordinates: list[float] = []
    for i in range(len(points) // 2):
        before, after = normals[max(i - 1, 0)], normals[min(i, len(normals) - 1)]
        dx, dy = _corner_offset(before, after)
        coordinates += (points[2 * i] + dx * distance, points[2 * i + 1] + dy * distance)
    return tuple(coordinates)


def offset_outline(points: Points, distance: float) -> Points:
    """Grow (shrink if negative) a closed outline, whichever way it runs round."""
    outwards = distance if _signed_area(points) > 0 else -distance
    normals = _normals((*points, *points[:2]))
    coordinates: list[float] = []
    for i in range(len(points) // 2):
        dx, dy = _corner_offset(normals[i - 1], normals[i])
        coordinates += (points[2 * i] - dx * outwards, points[2 * i + 1] - dy * outwards)
    return tuple(coordinates)


def ribbon(points: Points, start_width: float, end_width: float | None = None) -> Points:
    """Return the outline of a ribbon along a path, whose width may change evenly along it."""
    end_width = start_width if end_width is None else end_width
    normals = _normals(points)
    total = path_length(points)
    left: list[tuple[float, float]] = []
    right: list[tuple[float, float]] = []
    distance = 0.0
    for i in range(len(points) // 2):
        x, y = points[2 * i], points[2 * i + 1]
        if i:
            distance += math.dist((x, y), points[2 * i - 2 : 2 * i])
        half_width = (start_width + (end_width - start_width) * distance / total) / 2
        dx, dy = _corner_offset(normals[max(i - 1, 0)], normals[min(i, len(normals) - 1)])
        right.append((x + dx * half_width, y + dy * half_width))
        left.append((x - dx * half_width, y - dy * half_width))
    return tuple(value for spot in (*right, *reversed(left)) for value in spot)


def wavy_outline(points: Points, height: float, wave_length: float, points_per_wave: int = 8) -> Points:
    """Return a closed outline whose sides are waves of about this length, ``height`` to either side.

    ``points_per_wave``: how many points draw one wave.
    """
    closed = (*points, *points[:2])
    total = path_length(closed)
    wave_count = max(3, round(total / wave_length))
    coordinates: list[float] = []
    distance = 0.0
    for i in range(0, len(points), 2):
        ax, ay, bx, by = closed[i : i + 4]
        side_length = math.dist((ax, ay), (bx, by))
        if not side_length:
            continue
        count = max(1, round(side_length / wave_length * points_per_wave))
        nx, ny = -(by - ay) / side_length, (bx - ax) / side_length
        for step in range(count):
            share = step / count
            offset = height * math.sin(2 * math.pi * wave_count * (distance + side_length * share) / total)
            coordinates += (ax + (bx - ax) * share + nx * offset, ay + (by - ay) * share + ny * offset)
        distance += side_length
    return tuple(coordinates)


def hatch(outline: Points, spacing: float, angle: float = 45) -> tuple[Points, ...]:
    """Return parallel lines clipped to a closed outline; ``angle``: degrees clockwise from east."""
    rotated = _rotate(outline, -angle)
    ys = rotated[1::2]
    lines: list[Points] = []
    line_y = math.floor(min(ys) / spacing) * spacing + spacing / 2
    while line_y < max(ys):
        crossings = sorted(_crossings(rotated, line_y))
        for begin, end in zip(crossings[::2], crossings[1::2], strict=False):
            lines.append(_rotate((begin, line_y, end, line_y), angle))
        line_y += spacing
    return tuple(lines)


def _crossings(outline: Points, line_y: float) -> list[float]:
    """Return the x of each point where a side crosses a horizontal line."""
    closed = (*outline, *outline[:2])
    crossings: list[float] = []
    for i in range(0, len(outline), 2):
        ax, ay, bx, by = closed[i : i + 4]
        if (ay <= line_y) != (by <= line_y):
            crossings.append(ax + (bx - ax) * (line_y - ay) / (by - ay))
    return crossings


def _rotate(points: Points, angle: float) -> Points:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    pairs = zip(points[0::2], points[1::2], strict=True)
    return tuple(value for x, y in pairs for value in (x * cos - y * sin, x * sin + y * cos))


def _normals(points: Points) -> list[tuple[float, float]]:
    """Return for each segment of a path the unit vector to its right."""
    normals: list[tuple[float, float]] = []
    for i in range(0, len(points) - 2, 2):
        dx, dy = points[i + 2] - points[i], points[i + 3] - points[i + 1]
        length = math.hypot(dx, dy) or 1.0
        normals.append((-dy / length, dx / length))
    return normals


def _corner_offset(before: tuple[float, float], after: tuple[float, float]) -> tuple[float, float]:
    """Return by how much a corner moves if both its sides move by one."""
    x, y = before[0] + after[0], before[1] + after[1]
    length_squared = x * x + y * y
    if not length_squared:
        return after
    scale = min(2 / length_squared, _MAX_MITRE / math.sqrt(length_squared))
    return x * scale, y * scale


def _signed_area(points: Points) -> float:
    closed = (*points, *points[:2])
    return (
        sum(closed[i] * closed[i + 3] - closed[i + 2] * closed[i + 1] for i in range(0, len(points), 2)) / 2
    )
