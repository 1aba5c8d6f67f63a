"""Groups drawn as sprites: colours and coverage without a background, so that one drawing serves for all.

A group is drawn at four times its size and averaged down.  Its background is flat within each pixel, so the
result is the same as if the group had been drawn on the background itself.  Every pixel is mapped to the
palette of its game.
"""

import hashlib
import math
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, cast

import zstandard
from PIL import Image, ImageDraw, ImageFont, _imaging

from render.geometry import split_into_dashes
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

IndexImage: TypeAlias = Any
"""Palette indices as Pillow's core keeps an image (``Image.im``): quicker to make and paste than an Image."""
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


class Palette:
    """The colours of a game's pictures, as Pillow and PNG need them."""

    def __init__(self, colours: tuple[Colour, ...]) -> None:
        self.colours = colours
        self.data = b"".join(colour.to_bytes(3, "big") for colour in colours)
        self.index = {colour: i for i, colour in enumerate(colours)}
        self.digest = hashlib.sha256(self.data).digest()
        self.image = Image.new("P", (1, 1))
        self.image.putpalette(self.data)


@lru_cache(maxsize=16)
def get_palette(colours: tuple[Colour, ...]) -> Palette:
    """Return the palette with these colours; the last ones are cached."""
    return Palette(colours)


def nearest_palette_colour(colour: Colour, colours: tuple[Colour, ...]) -> Colour:
    """Return which of a palette's colours a smoothed pixel of this colour becomes."""
    pixel = Image.new("RGB", (1, 1), _channels(colour)[:3])
    return colours[_map_to_palette(pixel, get_palette(colours)).tobytes()[0]]


def measure_drawn_width(fitted: FittedText, face: Typeface) -> float:
    """Return how wide a fitted text is when drawn, in pixels of the picture."""
    return load_font(face, round(fitted.size * SCALE)).getlength(fitted.text) / SCALE


# Sprites --------------------------------------------------------------------------------------------


def draw_sprite(group: Group) -> Image.Image:
    """Draw a group.  Only one thread may draw at a time.

    It is drawn strip by strip, since a large group at four times its size would take much memory.  For a
    group that is one text, the result is its coverage alone, in a single channel.  A third of new groups
    are one text.
    """
    if _is_text(group):
        coverage = Image.new("L", (group.width, group.height))
        if (placed_mask := _text_coverage(cast("Text", group.items[0]))) is not None:
            coverage.paste(*placed_mask)
        return coverage
    sprite = Image.new(_DRAWING_MODE, (group.width, group.height), (0, 0, 0, 0))
    shapes, texts = _split_texts(group.items)
    for strip in _split_into_strips(shapes, group.width, group.height):
        sprite.paste(_draw_strip(strip, group.width), (0, strip.top))
    for text in texts:
        _place_text(sprite, text)
    return Image.frombytes(_SPRITE_MODE, sprite.size, sprite.tobytes())


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


def _draw_strip(strip: _Strip, width: int) -> Image.Image:
    """Draw a strip of a group; of equal rows, one is drawn."""
    height = strip.bottom - strip.top
    drawn_height = 1 if strip.are_rows_equal else height
    large = Image.new(_DRAWING_MODE, (width * SCALE, drawn_height * SCALE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(large)
    for item in translate(strip.items, 0, -strip.top) if strip.top else strip.items:
        _draw_item(draw, item)
    drawn = large.reduce(SCALE)
    return drawn.resize((width, height), Image.Resampling.NEAREST) if strip.are_rows_equal else drawn


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


def _place_text(sprite: Image.Image, text: Text) -> None:
    """Draw a text on a sprite."""
    placed_mask = _text_coverage(text)
    if placed_mask is not None:
        mask, box = placed_mask
        sprite.paste(_channels(text.colour), box, mask)


def _text_coverage(text: Text) -> tuple[Image.Image, tuple[int, int, int, int]] | None:
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
    return coverage.reduce(SCALE), (column, row, column + columns, row + rows)


def _typeset(text: Text) -> tuple[ImageFont.FreeTypeFont, str, tuple[float, float]]:
    """Return a text's font, its fitted text and where its baseline starts, all at four times the size."""
    fitted = fit_text(text)
    font = drawing_font(text.face, round(fitted.size * SCALE))
    return font, fitted.text, (text.x * SCALE, (text.y + _BASELINE * fitted.size) * SCALE)


def draw_tile(group: Group, sprite: Image.Image, background: Image.Image, palette: Palette) -> Image.Image:
    """Return a group's sprite drawn on a background of the same size; both are palette indices."""
    if not _is_text(group):
        return _blend_sprite(sprite, background, palette)
    colour = cast("Text", group.items[0]).colour
    lowest, highest = background.getextrema()
    if lowest == highest:
        return sprite.point(_index_by_coverage(colour, cast("int", lowest), palette.colours))
    return _blend_sprite(_sprite_from_coverage(sprite, colour), background, palette)


@lru_cache(maxsize=256)
def _index_by_coverage(colour: Colour, background_index: int, colours: tuple[Colour, ...]) -> bytes:
    """Return the palette index for each coverage from 0 to 255 of a text in ``colour``.

    ``background_index``: the one palette index of the background below.
    """
    coverage = Image.frombytes("L", (256, 1), bytes(range(256)))
    sprite = _sprite_from_coverage(coverage, colour)
    return _blend_sprite(sprite, Image.new("L", (256, 1), background_index), get_palette(colours)).tobytes()


def _sprite_from_coverage(coverage: Image.Image, colour: Colour) -> Image.Image:
    """Return the sprite of a shape in one colour; ``coverage``: how far it covers each pixel."""
    sprite = Image.new(_DRAWING_MODE, coverage.size, (0, 0, 0, 0))
    sprite.paste(_channels(colour), (0, 0), coverage)
    return Image.frombytes(_SPRITE_MODE, sprite.size, sprite.tobytes())


def _blend_sprite(sprite: Image.Image, background: Image.Image, palette: Palette) -> Image.Image:
    background.putpalette(palette.data)
    pixels = background.convert("RGB")
    pixels.paste(sprite, (0, 0), sprite)
    return _map_to_palette(pixels, palette)


class _Codecs(threading.local):
    """Zstandard's compressor and decompressor, one of each for every thread: none may be shared."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=1)
        self.decompressor = zstandard.ZstdDecompressor()


_codecs = _Codecs()


def pack_image(image: Image.Image) -> bytes:
    """Return an image compressed.  May be called from any thread."""
    header = image.width.to_bytes(2, "big") + len(image.getbands()).to_bytes(1, "big")
    return header + _codecs.compressor.compress(image.tobytes())


def unpack_image(packed: bytes) -> Image.Image:
    """Return the image that ``pack_image`` compressed.  May be called from any thread."""
    size, channels, pixels = _unpack(packed)
    return Image.frombytes("L" if channels == 1 else _SPRITE_MODE, size, pixels)


def unpack_index_image(packed: bytes) -> IndexImage:
    """Return the image that ``pack_index_image`` compressed.

    For small images this takes a quarter of the time of ``unpack_image``.  May be called from any thread.
    """
    size, _, pixels = _unpack(packed)
    return _imaging.map_buffer(pixels, size, "raw", 0, ("L", 0, 1))


def pack_index_image(image: IndexImage) -> bytes:
    """Return an image of palette indices compressed.  May be called from any thread."""
    return pack_image(Image.Image()._new(image))  # noqa: SLF001 - the only way to the bytes


def _unpack(packed: bytes) -> tuple[tuple[int, int], int, bytes]:
    """Return size, number of channels and pixels of a compressed image."""
    width, channels = int.from_bytes(packed[:2], "big"), packed[2]
    pixels = _codecs.decompressor.decompress(packed[3:])
    return (width, len(pixels) // (width * channels)), channels, pixels


def _map_to_palette(pixels: Image.Image, palette: Palette) -> Image.Image:
    mapped = pixels.quantize(palette=palette.image, dither=Image.Dither.NONE)
    return Image.frombytes("L", mapped.size, mapped.tobytes())


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
