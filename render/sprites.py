"""Groups drawn as sprites: colours and coverage without a background, so that one drawing serves for all.

A group is drawn at four times its size and averaged down.  Its background is flat within each pixel, so the
result is the same as if the group had been drawn on the background itself.  Every pixel is mapped to the
palette of its game.
"""

import hashlib
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, cast

from PIL import Image, ImageDraw, ImageFont

from render.geometry import split_into_dashes
from render.pixels import CoreImage, Pixels, make_pixels
from render.scene import (
    Box,
    Colour,
    Disc,
    FittedText,
    Group,
    Item,
    Line,
    Polygon,
    Text,
    Typeface,
    bounding_box,
    translate,
)
from render.typeset import drawing_font, fit_text, load_font

SCALE: Final = 4
"""Groups are drawn this many times larger and averaged down."""

_STRIP_PIXELS: Final = 1 << 14
"""Pixels of the finished picture that are drawn at a time."""
_BOX_MARGIN: Final = 2
"""Pixels by which an item may exceed its bounding box, at most."""
_BASELINE: Final = 0.33
"""Half the height of capitals, as a share of the size: how far the baseline lies below a text's middle."""
_DRAWING_MODE: Final = "RGBX"
"""Pillow blends all four channels alike: a text's edge adds to the coverage as it does to the colours."""
_SPRITE_MODE: Final = "RGBa"
"""Pillow's name for colours that are multiplied by their coverage."""
_PALETTE_MODE: Final = "P"
"""Pillow's name for palette indices in an image that has the palette."""


class Palette:
    """The colours of a game's pictures, as Pillow and PNG need them."""

    def __init__(self, colours: tuple[Colour, ...]) -> None:
        self.colours = colours
        self.data = b"".join(colour.to_bytes(3, "big") for colour in colours)
        self.index = {colour: i for i, colour in enumerate(colours)}
        self.digest = hashlib.sha256(self.data).digest()
        self.image = Image.new(_PALETTE_MODE, (1, 1))
        self.image.putpalette(self.data)
        self.image.load()  # hands the palette to Pillow's core


@lru_cache(maxsize=16)
def get_palette(colours: tuple[Colour, ...]) -> Palette:
    """Return the palette with these colours; the last ones are cached."""
    return Palette(colours)


def nearest_palette_colour(colour: Colour, colours: tuple[Colour, ...]) -> Colour:
    """Return which of a palette's colours a smoothed pixel of this colour becomes."""
    pixel = Image.new("RGB", (1, 1), _channels(colour)[:3])
    index: int = _map_to_palette(pixel.im, get_palette(colours)).getpixel((0, 0))
    return colours[index]


def measure_drawn_width(fitted: FittedText, face: Typeface) -> float:
    """Return how wide a fitted text is when drawn, in pixels of the picture."""
    return load_font(face, round(fitted.size * SCALE)).getlength(fitted.text) / SCALE


# Sprites --------------------------------------------------------------------------------------------


def draw_sprite(group: Group) -> Pixels:
    """Draw a group.  Only one thread may draw at a time.

    It is drawn strip by strip, since a large group at four times its size would take much memory.  For a
    group that is one text, the result is its coverage alone, in a single channel, else colours multiplied by
    their coverage.  A third of new groups are one text.
    """
    if _is_text(group):
        coverage = make_pixels(group.width, group.height)
        if (placed_mask := _text_coverage(cast("Text", group.items[0]))) is not None:
            coverage.view().paste(*placed_mask)
        return coverage
    sprite = make_pixels(group.width, group.height, len(_DRAWING_MODE))
    image = sprite.view(_DRAWING_MODE)
    shapes, texts = _split_texts(group.items)
    for strip in _split_into_strips(shapes, group.width, group.height):
        image.paste(_draw_strip(strip, group.width), (0, strip.top, group.width, strip.bottom))
    for text in texts:
        _place_text(image, text)
    return sprite


class _Strip(NamedTuple):
    """Rows of a group, from ``top`` to before ``bottom``, and the items that may reach them."""

    top: int
    bottom: int
    items: list[Item]
    are_rows_equal: bool


def _split_into_strips(items: tuple[Item, ...], width: int, height: int) -> Iterator[_Strip]:
    """Split a group into strips.  Strips of equal rows that follow each other, as in a frame, become one."""
    boxes = [bounding_box(item) for item in items]
    strip_height = max(16, _STRIP_PIXELS // width)
    last: _Strip | None = None
    for top in range(0, height if items else 0, strip_height):
        bottom = min(top + strip_height, height)
        in_strip = [item for item, box in zip(items, boxes, strict=True) if _reaches(box, top, bottom)]
        strip = _Strip(top, bottom, in_strip, all(_has_equal_rows(item, top, bottom) for item in in_strip))
        if last is not None and last.are_rows_equal and strip.are_rows_equal:
            strip = last._replace(bottom=bottom)  # of the same items: no item begins or ends in equal rows
        elif last is not None:
            yield last
        last = strip
    if last is not None:
        yield last


def _reaches(box: tuple[float, float, float, float], top: int, bottom: int) -> bool:
    """Whether an item with this bounding box may touch these rows."""
    return box[1] < bottom + _BOX_MARGIN and top - _BOX_MARGIN < box[3]


def _has_equal_rows(item: Item, top: int, bottom: int) -> bool:
    """Whether an item looks the same in each of these rows, as a rectangle does between its corners."""
    if not isinstance(item, Box):
        return False
    corner = max(item.radius, item.outline_width) + _BOX_MARGIN
    return item.y + corner <= top and bottom <= item.y + item.height - corner


def _draw_strip(strip: _Strip, width: int) -> CoreImage:
    """Draw a strip of a group; of equal rows, one is drawn."""
    height = strip.bottom - strip.top
    drawn_height = 1 if strip.are_rows_equal else height
    large = Image.new(_DRAWING_MODE, (width * SCALE, drawn_height * SCALE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(large)
    for item in translate(strip.items, 0, -strip.top) if strip.top else strip.items:
        _draw_item(draw, item)
    drawn = large.reduce(SCALE)
    return (drawn.resize((width, height), Image.Resampling.NEAREST) if strip.are_rows_equal else drawn).im


def _split_texts(items: tuple[Item, ...]) -> tuple[tuple[Item, ...], tuple[Text, ...]]:
    """Return the items to draw first, and the texts to draw above all of them."""
    drawn_first: list[Item] = []
    texts: list[Text] = []
    for item in reversed(items):
        if isinstance(item, Text) and not any(_may_overlap(item, above) for above in drawn_first):
            texts.append(item)
        else:
            drawn_first.append(item)
    return tuple(reversed(drawn_first)), tuple(reversed(texts))


def _may_overlap(first: Item, second: Item) -> bool:
    left, top, right, bottom = bounding_box(first)
    other_left, other_top, other_right, other_bottom = bounding_box(second)
    return other_left < right and left < other_right and other_top < bottom and top < other_bottom


def _is_text(group: Group) -> bool:
    """Whether a group is nothing but one text."""
    return len(group.items) == 1 and isinstance(group.items[0], Text)


def _place_text(sprite: CoreImage, text: Text) -> None:
    """Draw a text on a sprite."""
    placed_mask = _text_coverage(text)
    if placed_mask is not None:
        mask, box = placed_mask
        sprite.paste(_channels(text.colour), box, mask)


def _text_coverage(text: Text) -> tuple[CoreImage, tuple[int, int, int, int]] | None:
    """Return the coverage of a text and the box where it lies; None if it covers nothing.

    Only the coverage is averaged down, which takes a quarter of the bytes of colours.
    """
    font, drawn_text, (x, y) = _typeset(text)
    whole_x, whole_y = math.floor(x), math.floor(y)
    mask, (offset_x, offset_y) = font.getmask2(
        drawn_text, "L", anchor=text.anchor.value + "s", start=(x - whole_x, y - whole_y)
    )
    width, height = mask.size
    if not width or not height:
        return None
    column, left = divmod(whole_x + offset_x, SCALE)
    row, top = divmod(whole_y + offset_y, SCALE)
    columns, rows = -(-(left + width) // SCALE), -(-(top + height) // SCALE)
    coverage = Image.new("L", (columns * SCALE, rows * SCALE))
    coverage.im.paste(mask, (left, top, left + width, top + height))
    return coverage.reduce(SCALE).im, (column, row, column + columns, row + rows)


def _typeset(text: Text) -> tuple[ImageFont.FreeTypeFont, str, tuple[float, float]]:
    """Return a text's font, its fitted text and where its baseline starts, all at four times the size."""
    fitted = fit_text(text)
    font = drawing_font(text.face, round(fitted.size * SCALE))
    return font, fitted.text, (text.x * SCALE, (text.y + _BASELINE * fitted.size) * SCALE)


def draw_tile(group: Group, sprite: Pixels, background: Pixels, palette: Palette) -> Pixels:
    """Return a group's sprite drawn on a background of the same size; both are palette indices."""
    if not _is_text(group):
        return _blend_sprite(sprite, background, palette)
    colour = cast("Text", group.items[0]).colour
    lowest, highest = background.view().getextrema()
    if lowest == highest:
        table = _index_by_coverage(colour, lowest, palette.colours)
        return Pixels(sprite.data.translate(table), sprite.width)
    return _blend_sprite(_sprite_from_coverage(sprite, colour), background, palette)


@lru_cache(maxsize=256)
def _index_by_coverage(colour: Colour, background_index: int, colours: tuple[Colour, ...]) -> bytes:
    """Return the palette index for each coverage from 0 to 255 of a text in ``colour``.

    ``background_index``: the one palette index of the background below.
    """
    sprite = _sprite_from_coverage(Pixels(bytes(range(256)), 256), colour)
    background = Pixels(bytes([background_index] * 256), 256)
    return bytes(_blend_sprite(sprite, background, get_palette(colours)).data)


def _sprite_from_coverage(coverage: Pixels, colour: Colour) -> Pixels:
    """Return the sprite of a shape in one colour; ``coverage``: how far it covers each pixel."""
    sprite = make_pixels(*coverage.size, len(_DRAWING_MODE))
    sprite.view(_DRAWING_MODE).paste(_channels(colour), (0, 0, *coverage.size), coverage.view())
    return sprite


def _blend_sprite(sprite: Pixels, background: Pixels, palette: Palette) -> Pixels:
    indices, colours = background.view(_PALETTE_MODE), sprite.view(_SPRITE_MODE)
    indices.putpalette("RGB", "RGB", palette.data)
    pixels, box = indices.convert("RGB"), (0, 0, *background.size)
    pixels.paste(colours, box, colours)
    tile = make_pixels(*background.size)
    tile.view(_PALETTE_MODE).paste(_map_to_palette(pixels, palette), box)
    return tile


def _map_to_palette(pixels: CoreImage, palette: Palette) -> CoreImage:
    """Return RGB pixels as the indices of the nearest colours of a palette."""
    return pixels.convert(_PALETTE_MODE, Image.Dither.NONE, palette.image.im)


def _channels(colour: Colour) -> tuple[int, int, int, int]:
    """Return red, green, blue and full coverage."""
    return colour >> 16, colour >> 8 & 255, colour & 255, 255


def _optional_channels(colour: Colour | None) -> tuple[int, int, int, int] | None:
    return None if colour is None else _channels(colour)


def _draw_item(draw: ImageDraw.ImageDraw, item: Item) -> None:
    match item:
        case Polygon(points=points, fill=fill, outline=outline, outline_width=width):
            corners = [value * SCALE for value in points]
            if fill is not None:
                draw.polygon(corners, fill=_channels(fill))
            if outline is not None and width:
                _draw_stroke(draw, (*corners, *corners[:2]), outline, width * SCALE)
        case Line(points=points, colour=colour, width=width, dash=dash):
            parts = (points,) if dash is None else split_into_dashes(points, *dash)
            for part in parts:
                _draw_stroke(draw, tuple(value * SCALE for value in part), colour, width * SCALE)
        case Disc(x=x, y=y, radius=radius, fill=fill, outline=outline, outline_width=width):
            square = [
                (x - radius) * SCALE,
                (y - radius) * SCALE,
                (x + radius) * SCALE - 1,
                (y + radius) * SCALE - 1,
            ]
            draw.ellipse(
                square,
                _optional_channels(fill),
                _optional_channels(outline),
                round(width * SCALE) if outline is not None else 0,
            )
        case Box(fill=fill, outline=outline):
            right, bottom = item.x + item.width, item.y + item.height
            corners = [item.x * SCALE, item.y * SCALE, right * SCALE - 1, bottom * SCALE - 1]
            width = round(item.outline_width * SCALE) if outline is not None else 0
            draw.rounded_rectangle(
                corners, item.radius * SCALE, _optional_channels(fill), _optional_channels(outline), width
            )
        case Text():
            font, drawn_text, start = _typeset(item)
            draw.text(start, drawn_text, _channels(item.colour), font, anchor=item.anchor.value + "s")


def _draw_stroke(draw: ImageDraw.ImageDraw, points: tuple[float, ...], colour: Colour, width: float) -> None:
    channels = _channels(colour)
    draw.line(points, channels, round(width), joint="curve")
    radius = width / 2
    for x, y in (points[:2], points[-2:]):
        draw.ellipse([x - radius, y - radius, x + radius - 1, y + radius - 1], channels)
