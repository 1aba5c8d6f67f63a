"""Symbols drawn as shapes, never as characters: suits, seat marks, arrows, pawn, compass rose."""

import math
from functools import lru_cache
from typing import Final

from render.geometry import arc, complete_half, curve, regular_polygon, transform
from render.scene import Anchor, Box, Colour, Disc, Item, Line, Points, Polygon, Text, Typeface
from render.theme import (
    CARD,
    CONTOUR,
    DEEP_BLUE,
    INK,
    LAND,
    NORMAL_LINE_WIDTH,
    PAPER,
    RED,
    SEAT_MARKS,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WHITE,
)

# Suits, one unit high -------------------------------------------------------------------------------

_HEART: Final = complete_half(
    curve((0, -0.24), (0.04, -0.38), (0.14, -0.46), (0.26, -0.46), (0.42, -0.46), (0.52, -0.34),
          (0.52, -0.17), (0.52, 0.1), (0.2, 0.28), (0, 0.5))
)  # fmt: skip
_DIAMOND: Final = complete_half(
    curve((0, -0.52), (0.1, -0.34), (0.24, -0.14), (0.4, 0), (0.24, 0.14), (0.1, 0.34), (0, 0.52))
)
_SPADE: Final = complete_half(
    (
        *curve((0, -0.5), (0.1, -0.24), (0.48, -0.1), (0.48, 0.14), (0.48, 0.3), (0.36, 0.38), (0.25, 0.38),
               (0.16, 0.38), (0.09, 0.33), (0.04, 0.25)),
        *curve((0.045, 0.28), (0.06, 0.42), (0.1, 0.46), (0.18, 0.5)),
    )
)  # fmt: skip
_CLUB_STEM: Final = complete_half(curve((0.045, 0.0), (0.05, 0.36), (0.09, 0.45), (0.18, 0.5)))


def draw_suit(suit: str, x: float, y: float, height: float, colour: Colour | None = None) -> tuple[Item, ...]:
    """Draw the sign of a suit (C, D, H or S), centred on (x, y)."""
    suit_colour = (RED if suit in "DH" else INK) if colour is None else colour
    match suit:
        case "H":
            return (Polygon(transform(_HEART, x, y, height), suit_colour),)
        case "D":
            return (Polygon(transform(_DIAMOND, x, y, height), suit_colour),)
        case "S":
            return (Polygon(transform(_SPADE, x, y, height), suit_colour),)
        case _:
            leaf_radius = 0.225 * height
            return (
                Polygon(transform(_CLUB_STEM, x, y, height), suit_colour),
                Disc(x, y - 0.275 * height, leaf_radius, suit_colour),
                Disc(x - 0.27 * height, y + 0.1 * height, leaf_radius, suit_colour),
                Disc(x + 0.27 * height, y + 0.1 * height, leaf_radius, suit_colour),
                Polygon(regular_polygon(x, y, 0.16 * height, 6), suit_colour),
            )


_JOKER_CAP: Final = complete_half(
    (
        *curve((0, -0.44), (0.06, -0.28), (0.12, -0.14), (0.15, -0.02), (0.22, -0.2), (0.42, -0.28),
               (0.52, -0.12), (0.42, -0.04), (0.36, 0.12), (0.34, 0.28)),
    )
)  # fmt: skip


def draw_joker(x: float, y: float, height: float, colour: Colour) -> tuple[Item, ...]:
    """Draw the sign of the joker, a fool's cap."""
    bell_radius = 0.075 * height
    return (
        Polygon(transform(_JOKER_CAP, x, y, height), colour),
        Disc(x, y - 0.44 * height, bell_radius, colour),
        Disc(x - 0.54 * height, y - 0.1 * height, bell_radius, colour),
        Disc(x + 0.54 * height, y - 0.1 * height, bell_radius, colour),
        Box(x - 0.36 * height, y + 0.33 * height, 0.72 * height, 0.13 * height, 0.06 * height, colour),
    )


# Seats ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _mark_shape(shape: str) -> Points:
    match shape:
        case "square":
            return (-0.87, -0.87, 0.87, -0.87, 0.87, 0.87, -0.87, 0.87)
        case "triangle":
            return (0.0, -0.98, 1.1, 0.86, -1.1, 0.86)
        case "diamond":
            return (0.0, -1.18, 1.18, 0.0, 0.0, 1.18, -1.18, 0.0)
        case "hexagon":
            return regular_polygon(0, 0, 1.08, 6)
        case "star":
            corners: list[float] = []
            for i in range(10):
                angle, reach = math.radians(36 * i - 90), 1.24 if i % 2 == 0 else 0.62
                corners += (reach * math.cos(angle), reach * math.sin(angle) + 0.06)
            return tuple(corners)
        case _:
            raise ValueError(f"no mark has the shape {shape!r}")


def draw_seat_mark(
    seat: int,
    x: float,
    y: float,
    radius: float,
    *,
    fill: Colour | None = None,
    outline: Colour = INK,
    show_letter: bool | None = None,
) -> tuple[Item, ...]:
    """Draw a seat's mark, in its colour unless ``fill`` is given.

    ``show_letter``: whether its letter is on it; None: from a radius of 24 on.
    """
    mark = SEAT_MARKS[seat]
    fill = mark.colour if fill is None else fill
    line_width = NORMAL_LINE_WIDTH if radius > 15 else 2.2
    shape: Item
    if mark.shape == "disc":
        shape = Disc(x, y, radius + line_width / 2, fill, outline, line_width)
    else:
        shape = Polygon(transform(_mark_shape(mark.shape), x, y, radius), fill, outline, line_width)
    if show_letter is None:
        show_letter = radius >= 24
    if not show_letter:
        return (shape,)
    letter_drop = {"triangle": 0.26, "star": 0.08}.get(mark.shape, 0.0) * radius
    size = {"triangle": 1.12, "star": 1.0}.get(mark.shape, 1.28) * radius
    return shape, Text(
        x, y + letter_drop, mark.letter, size, mark.letter_colour, 2 * radius, Typeface.BOLD, Anchor.MIDDLE
    )


# Signs ----------------------------------------------------------------------------------------------


def draw_arrow(
    x: float, y: float, angle: float, length: float, colour: Colour, line_width: float = 4
) -> tuple[Item, ...]:
    """Draw an arrow centred on (x, y); angle in degrees, clockwise from east."""
    half, head = length / 2, line_width * 1.9 + 2.5
    shaft = transform((-half + line_width / 2, 0.0, half - head, 0.0), x, y, 1, angle)
    tip = transform(
        (half, 0.0, half - head * 1.35, -head, half - head * 1.0, 0.0, half - head * 1.35, head),
        x,
        y,
        1,
        angle,
    )
    return Line(shaft, colour, line_width), Polygon(tip, colour)


_PAWN: Final = complete_half(
    (
        *curve((0.0, -0.2), (0.14, -0.2), (0.16, -0.12), (0.16, -0.08),
               (0.16, 0.12), (0.2, 0.22), (0.34, 0.36)),
        *curve((0.34, 0.36), (0.4, 0.42), (0.4, 0.5), (0.34, 0.5), (0.2, 0.5), (0.1, 0.5), (0.0, 0.5)),
    )
)  # fmt: skip


def draw_pawn(x: float, y: float, radius: float) -> tuple[Item, ...]:
    """Draw the ship's pawn on its disc."""
    size = radius * 1.25
    return (
        Disc(x, y, radius, INK, WHITE, 2),
        Polygon(transform(_PAWN, x, y, size), WHITE),
        Disc(x, y - 0.26 * size, 0.235 * size, WHITE),
    )


def draw_cards_sign(x: float, y: float, height: float, *, dark: bool = False) -> tuple[Item, ...]:
    """Draw two cards on top of each other: a hand or a pile."""
    width, fill = height * 0.68, DEEP_BLUE if dark else CARD
    back = Box(x - width / 2 + 4, y - height / 2 - 3, width, height, 5, fill, INK, 2.2)
    front = Box(x - width / 2 - 2, y - height / 2 + 2, width, height, 5, fill, INK, 2.2)
    return back, front


def draw_arrow_fan(
    x: float, y: float, angles: tuple[float, ...], colour: Colour, line_width: float, length: float = 34
) -> tuple[Item, ...]:
    """Draw one arrow, two side by side, or more from one point: the directions of a push."""
    if len(angles) == 1:
        return draw_arrow(x, y, angles[0], length, colour, line_width)
    items: list[Item] = []
    if len(angles) == 2:
        length = min(length, 29)
        for angle, side in zip(angles, (-1, 1), strict=True):
            items += draw_arrow(x + side * length * 0.43, y, angle, length * 0.76, colour, line_width - 0.7)
        return tuple(items)
    for angle in angles:
        middle = transform((length * 0.36, 0.0), x, y, 1, angle)
        items += draw_arrow(middle[0], middle[1], angle, length * 0.66, colour, line_width - 0.7)
    return tuple(items)


def draw_compass_rose(x: float, y: float, radius: float, angles: tuple[float, ...]) -> tuple[Item, ...]:
    """Draw a compass rose with a long point for each of these directions."""
    items: list[Item] = [
        Disc(x, y, radius * 0.82, WATER, WATER_MEDIUM, 2),
        Disc(x, y, radius * 0.56, None, WATER_MEDIUM, 2),
    ]
    half_step = 180 / len(angles)
    short_point = (0.0, 0.0, 0.34, -0.12, 0.72, 0.0, 0.34, 0.12)
    items += (
        Polygon(transform(short_point, x, y, radius, angle + half_step), WATER_MEDIUM, CONTOUR, 1)
        for angle in angles
    )
    for angle in angles:
        items.append(Polygon(transform((0.0, 0.0, 0.19, -0.16, 1.0, 0.0), x, y, radius, angle), INK))
        light_half = transform((0.0, 0.0, 0.19, 0.16, 1.0, 0.0), x, y, radius, angle)
        items.append(Polygon(light_half, PAPER, INK, 1.2))
    return tuple(items)


def draw_rotation(
    x: float, y: float, radius: float, colour: Colour, *, clockwise: bool, line_width: float = 6
) -> tuple[Item, ...]:
    """Draw two arrows round a middle: something was turned by one place."""
    items: list[Item] = []
    for start in (-60.0, 120.0):
        begin, end = (start, start + 110) if clockwise else (start + 110, start)
        items.append(Line(arc(x, y, radius, begin, end - (12 if clockwise else -12), 16), colour, line_width))
        tip_x = x + radius * math.cos(math.radians(end))
        tip_y = y + radius * math.sin(math.radians(end))
        tip_angle = end + 90 if clockwise else end - 90
        items.append(
            Polygon(
                transform(
                    (0.0, 0.0, -1.0, -0.62, -1.0, 0.62),
                    tip_x,
                    tip_y,
                    line_width * 3.1,
                    tip_angle - (9 if clockwise else -9),
                ),
                colour,
            )
        )
    return tuple(items)


def draw_waves(
    x: float, y: float, width: float, colour: Colour, row_count: int = 3, pitch: float = 22
) -> tuple[Item, ...]:
    """Draw rows of small waves: the back of a card."""
    items: list[Item] = []
    for row in range(row_count):
        row_y = y + (row - (row_count - 1) / 2) * pitch
        coordinates: list[float] = []
        for i in range(25):
            coordinates += (x - width / 2 + width * i / 24, row_y + 3.2 * math.sin(i / 24 * 6 * math.pi))
        items.append(Line(tuple(coordinates), colour, 2.5))
    return tuple(items)


def draw_rock(x: float, y: float, radius: float) -> tuple[Item, ...]:
    """Draw a rock in the water: the pawn cannot enter."""
    crag = (
        -0.95, 0.5, -0.62, -0.3, -0.2, -0.1, 0.1, -0.85, 0.5, -0.35, 0.62, 0.1, 0.98, 0.5,
        0.4, 0.72, -0.5, 0.72,
    )  # fmt: skip
    return (
        Disc(x, y, radius * 1.18, WATER_MEDIUM_LIGHT, CONTOUR, 2),
        Polygon(transform(crag, x, y, radius), LAND, INK, 2.5),
        Line(transform((0.1, -0.8, -0.05, -0.2, 0.2, 0.25), x, y, radius), INK, 2),
    )


def draw_riptide(x: float, y: float, radius: float, angle: float) -> tuple[Item, ...]:
    """Draw a riptide; the chevrons point the way it pushes back."""
    items: list[Item] = [Disc(x, y, radius, WATER_MEDIUM, INK, 2.2)]
    for shift in (-0.42, 0.1):
        chevron = transform((shift, -0.42, shift + 0.38, 0.0, shift, 0.42), x, y, radius, angle)
        items.append(Line(chevron, INK, 4))
    return tuple(items)
