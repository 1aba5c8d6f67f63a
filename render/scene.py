"""A picture as a value: ordered layers of flat shapes and texts.  No Pillow, no game.

Lengths are pixels of the finished picture; x grows to the right, y downwards; fractions are allowed.
Colours are 0xRRGGBB, out of the palette of the scene.  The same scene always becomes the same bytes.
"""

import enum
import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

Colour: TypeAlias = int
"""0xRRGGBB."""

Points: TypeAlias = tuple[float, ...]
"""x0, y0, x1, y1, and so on."""


class Typeface(enum.Enum):
    """A typeface."""

    __hash__ = object.__hash__  # called a thousand times a scene; Enum's own is slow: it is written in Python

    SANS = "sans"
    BOLD = "bold"
    SERIF = "serif"
    ITALIC = "italic"


class Anchor(enum.Enum):
    """Which point of a text stands at its x: left end, middle or right end."""

    __hash__ = object.__hash__

    LEFT = "l"
    MIDDLE = "m"
    RIGHT = "r"


class Polygon(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A closed shape; its outline is centred on the points and has round joins."""

    points: Points
    fill: Colour | None = None
    outline: Colour | None = None
    outline_width: float = 0


class Line(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An open line with round joins and ends; ``dash``: the lengths of its dashes and gaps."""

    points: Points
    colour: Colour
    width: float
    dash: tuple[float, float] | None = None


class Disc(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A circle centred on (x, y); its outline lies inside the radius."""

    x: float
    y: float
    radius: float
    fill: Colour | None = None
    outline: Colour | None = None
    outline_width: float = 0


class Box(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A rectangle with round corners; its outline lies inside."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    fill: Colour | None = None
    outline: Colour | None = None
    outline_width: float = 0


class Text(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One line of text whose capitals are centred on y.

    It is drawn at ``size`` if it is then at most ``max_width`` wide, else smaller down to ``min_size``, else
    its ``text`` is cut with an ellipsis.  The ``suffix`` is never cut.  Characters that the face lacks are
    transliterated.
    """

    x: float
    y: float
    text: str
    size: float
    colour: Colour
    max_width: float
    face: Typeface = Typeface.SANS
    anchor: Anchor = Anchor.LEFT
    min_size: float = 24
    suffix: str = ""


class FittedText(msgspec.Struct, frozen=True, gc=False):
    """A text as it is drawn: what is left after cutting, its size and its width."""

    text: str
    size: float
    width: float
    is_cut: bool = False
    """Whether it had no room even at its smallest size, so that its end is missing."""


Item: TypeAlias = Polygon | Line | Disc | Box | Text


class Rectangle(msgspec.Struct, frozen=True, dict=True, tag=True):
    """A flat rectangle of whole pixels.  It needs no smoothing, so it is cheap to draw.

    The ``__dict__`` of rectangles and groups caches values computed from them; it is no part of their value.
    """

    x: int
    y: int
    width: int
    height: int
    colour: Colour


class Group(msgspec.Struct, frozen=True, dict=True, tag=True):
    """Items that are drawn and cached together, in coordinates relative to the group's corner.

    What lies outside the group's box, or outside the picture, is not drawn.
    """

    x: int
    y: int
    width: int
    height: int
    items: tuple[Item, ...]


Layer: TypeAlias = Rectangle | Group


class Scene(msgspec.Struct, frozen=True, gc=False):
    """A whole picture; later layers lie above earlier ones.

    ``static_layers`` lie below ``layers``: what stays the same from picture to picture, whose pixels are
    cached.
    """

    width: int
    height: int
    background: Colour
    layers: tuple[Layer, ...]
    static_layers: tuple[Layer, ...] = ()
    palette: tuple[Colour, ...] = ()
    """Every colour that the picture may contain (``make_palette``); empty: those that all games share."""


_ASCENT: Final = 0.66
"""How far accents reach above the middle of the capitals, as a share of the size."""
_DESCENT: Final = 0.62
"""How far descenders reach below the middle of the capitals, as a share of the size."""


def bounding_box(item: Item) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of what an item may cover."""
    match item:
        case Polygon(points=points, outline_width=width) | Line(points=points, width=width):
            reach = width / 2
            xs, ys = points[0::2], points[1::2]
            return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach
        case Disc(x=x, y=y, radius=radius):
            return x - radius, y - radius, x + radius, y + radius
        case Box(x=x, y=y, width=width, height=height):
            return x, y, x + width, y + height
        case Text(x=x, y=y, size=size, max_width=max_width, anchor=anchor):
            left = {Anchor.LEFT: x, Anchor.MIDDLE: x - max_width / 2, Anchor.RIGHT: x - max_width}[anchor]
            return left - 2, y - _ASCENT * size, left + max_width + 2, y + _DESCENT * size


@lru_cache(maxsize=2048)
def make_group(x: int, y: int, items: tuple[Item, ...]) -> Group:
    """Make a group that just holds these items; their coordinates are relative to (x, y)."""
    boxes = [bounding_box(item) for item in items]
    left = math.floor(min(box[0] for box in boxes)) - 1
    top = math.floor(min(box[1] for box in boxes)) - 1
    right = math.ceil(max(box[2] for box in boxes)) + 1
    bottom = math.ceil(max(box[3] for box in boxes)) + 1
    return Group(x + left, y + top, right - left, bottom - top, translate(items, -left, -top))


def make_group_in_place(items: tuple[Item, ...]) -> Group:
    """Group items given in the picture's coordinates: equal shapes share a sprite wherever they lie."""
    left, top, _, _ = bounding_box(items[0])
    x, y = math.floor(left), math.floor(top)
    return make_group(x, y, translate(items, -x, -y))


def clip_layer(layer: Layer, width: int, height: int) -> Layer | None:
    """Return the part of a layer that lies inside a picture of this size; None if there is none."""
    if layer.x >= 0 and layer.y >= 0 and layer.x + layer.width <= width and layer.y + layer.height <= height:
        return layer
    return _clip_layer(layer, width, height)


@lru_cache(maxsize=128)
def _clip_layer(layer: Layer, width: int, height: int) -> Layer | None:
    left, top = max(layer.x, 0), max(layer.y, 0)
    right, bottom = min(layer.x + layer.width, width), min(layer.y + layer.height, height)
    if left >= right or top >= bottom:
        return None
    clipped = msgspec.structs.replace(layer, x=left, y=top, width=right - left, height=bottom - top)
    if isinstance(clipped, Group):
        items = translate(clipped.items, layer.x - left, layer.y - top)
        return msgspec.structs.replace(clipped, items=items)
    return clipped


class _Quarters(dict[int, float]):
    """Multiples of a quarter, interned: cached scenes hold hundreds of thousands of them."""

    def __missing__(self, quarter: int) -> float:
        value = self[quarter] = quarter / 4
        return value


_QUARTERS: Final = _Quarters()


def translate(items: Iterable[Item], dx: float, dy: float) -> tuple[Item, ...]:
    """Move items by (dx, dy).

    The points of polygons and lines are rounded to quarters of a pixel, the resolution of drawing.
    """
    return tuple(_translate_item(item, dx, dy) for item in items)


def _translate_item(item: Item, dx: float, dy: float) -> Item:
    match item:
        case Polygon(points=points) | Line(points=points):
            offsets = dx, dy
            quarters = [round((value + offsets[i & 1]) * 4) for i, value in enumerate(points)]
            return msgspec.structs.replace(item, points=tuple([_QUARTERS[quarter] for quarter in quarters]))
        case _:
            return msgspec.structs.replace(item, x=item.x + dx, y=item.y + dy)
