"""A scene made smaller, to be part of another picture, or a part of one made larger."""

import math
from typing import Final

from msgspec.structs import replace

from render.scene import (
    Box,
    Disc,
    Group,
    Item,
    Layer,
    Line,
    Polygon,
    Rectangle,
    Scene,
    Text,
    clip_layer,
    translate,
)

_TEXT_WIDTH_FACTOR: Final = 1.03
"""How much more width a small text may take, since letters do not shrink in exact proportion."""


def scaled_layers(scene: Scene, x: int, y: int, factor: float) -> tuple[Layer, ...]:
    """Return a scene's layers with its left upper corner at (x, y) and all lengths times ``factor``."""
    background = Rectangle(0, 0, scene.width, scene.height, scene.background)
    inside = (clip_layer(layer, scene.width, scene.height) for layer in (*scene.static_layers, *scene.layers))
    return tuple(_scale_layer(layer, x, y, factor) for layer in (background, *inside) if layer is not None)


def _scale_layer(layer: Layer, x: int, y: int, factor: float) -> Layer:
    if isinstance(layer, Group):
        return scale_group(layer, x, y, factor)
    left, top = x + layer.x * factor, y + layer.y * factor
    right, bottom = left + layer.width * factor, top + layer.height * factor
    # Its edges stay whole, so that neighbours neither overlap nor leave gaps.
    edges = round(left), round(top), round(right), round(bottom)
    return Rectangle(edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1], layer.colour)


def scale_group(group: Group, x: int, y: int, factor: float) -> Group:
    """Return a group with all lengths times ``factor``; its point (0, 0) goes to (x, y)."""
    left, top = x + group.x * factor, y + group.y * factor
    right, bottom = left + group.width * factor, top + group.height * factor
    corner = math.floor(left), math.floor(top)
    items = translate((_scale_item(item, factor) for item in group.items), left - corner[0], top - corner[1])
    return Group(*corner, math.ceil(right) - corner[0], math.ceil(bottom) - corner[1], items)


def _scale_item(item: Item, factor: float) -> Item:
    match item:
        case Polygon(points=points):
            scaled_points = tuple(value * factor for value in points)
            return replace(item, points=scaled_points, outline_width=item.outline_width * factor)
        case Line(points=points):
            scaled_points = tuple(value * factor for value in points)
            dash = None if item.dash is None else (item.dash[0] * factor, item.dash[1] * factor)
            return replace(item, points=scaled_points, width=item.width * factor, dash=dash)
        case Disc():
            return replace(
                item,
                x=item.x * factor,
                y=item.y * factor,
                radius=item.radius * factor,
                outline_width=item.outline_width * factor,
            )
        case Box():
            return replace(
                item,
                x=item.x * factor,
                y=item.y * factor,
                width=item.width * factor,
                height=item.height * factor,
                radius=item.radius * factor,
                outline_width=item.outline_width * factor,
            )
        case Text():
            return replace(
                item,
                x=item.x * factor,
                y=item.y * factor,
                size=item.size * factor,
                min_size=item.min_size * factor,
                max_width=item.max_width * factor * (_TEXT_WIDTH_FACTOR if factor < 1 else 1),
            )
