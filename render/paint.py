"""Scene -> PNG.  The only module that imports Pillow.

Every pixel is an index into the palette of its game.  A group is drawn at four times its size over what lies
below it, averaged down, mapped to the palette and cached as a tile.  A tile depends on nothing but the group
and the pixels below it.  So the cache cannot change a picture, and equal cards on equal ground share one.
"""

import hashlib
import threading
import unicodedata
from collections.abc import Hashable
from functools import lru_cache
from typing import Final, cast

import font_source_sans_pro
import font_source_serif_pro
from anyascii import anyascii
from PIL import Image, ImageChops, ImageDraw, ImageFont

from render import bands, png, theme
from render.bands import LayerMap, PlacedLayer
from render.cache import ByteCache
from render.geometry import split_into_dashes
from render.scene import (
    Box,
    Colour,
    Disc,
    Face,
    Fill,
    FittedText,
    Group,
    Item,
    Line,
    Polygon,
    Scene,
    Text,
    translate,
)

SCALE: Final = 4
"""Groups are drawn this many times larger and averaged down."""

_FONT_FILES: Final = {
    Face.SANS: font_source_sans_pro.SourceSansProSemibold,
    Face.BOLD: font_source_sans_pro.SourceSansProBold,
    Face.SERIF: font_source_serif_pro.SourceSerifProSemibold,
    Face.ITALIC: font_source_serif_pro.SourceSerifProSemiboldIt,
}
_STRIP_PIXELS: Final = 1 << 15
"""Pixels of the finished picture that are drawn at a time."""
_BASELINE: Final = 0.33
"""Half the height of capitals, as a share of the size: how far the baseline lies below a text's middle."""
_MAX_CHARACTERS: Final = 60
"""Longest text that is drawn; nothing longer would fit anywhere."""
_MEASURING_SIZE: Final = 100
"""Size at which texts are measured; widths are proportional to the size."""
_NO_CHARACTER: Final = "\U0010fffe"
"""A code point that no font has; it is drawn as the empty box."""


_tiles: ByteCache[Image.Image] = ByteCache(limit=8 << 20)
_placed_tiles: ByteCache[Image.Image] = ByteCache(limit=8 << 20)
"""The tiles again, by a key of the group and the layers below it."""
_bases: ByteCache[Image.Image] = ByteCache(limit=6 << 20)
_drawing_lock = threading.Lock()
"""FreeType's faces are not safe for two threads, and drawing holds the interpreter's lock anyway."""
_measuring_lock = threading.Lock()


class Palette:
    """The colours of a game's pictures, as Pillow and PNG need them."""

    def __init__(self, colours: tuple[Colour, ...]) -> None:
        self.colours = colours
        self.data = b"".join(colour.to_bytes(3, "big") for colour in colours)
        self.index = {colour: i for i, colour in enumerate(colours)}
        self.image = Image.new("P", (1, 1))
        self.image.putpalette(self.data)


def palette_of(scene: Scene) -> Palette:
    """Return the palette of a scene."""
    return _make_palette(scene.palette or theme.SHARED_PALETTE)


@lru_cache(maxsize=16)
def _make_palette(colours: tuple[Colour, ...]) -> Palette:
    return Palette(colours)


def render_png(scene: Scene) -> bytes:
    """Draw a scene and write it as PNG.  May be called from any thread."""
    mapped = bands.map_scene(scene)
    keys = mapped.band_keys()
    found = [png.find_band(key) for key in keys]
    missing = [index for index, band in enumerate(found) if band is None]
    if missing:
        deflater = png.Deflater()
        canvas = _compose_bands(scene, mapped, set(missing))
        for index in missing:
            found[index] = deflater.deflate_band(_filter_band(canvas, index), keys[index])
    palette = palette_of(scene).data
    return png.join_bands([band for band in found if band], scene.width, scene.height, palette)


def compose(scene: Scene) -> bytes:
    """Draw a scene as palette indices, row by row, each row led by PNG's filter type "none"."""
    mapped = bands.map_scene(scene)
    return _compose_bands(scene, mapped, set(range(len(mapped.band_keys())))).tobytes()


def _compose_bands(scene: Scene, mapped: LayerMap, needed: set[int]) -> Image.Image:
    """Draw a scene with a column of zeros at its left; only the ``needed`` bands are right."""
    canvas = _compose_base(scene).copy()
    _paste_layers(canvas, mapped, needed, palette_of(scene))
    return canvas


def _compose_base(scene: Scene) -> Image.Image:
    base = bands.map_base(scene)
    canvas = _bases.get(base.key)
    if canvas is None:
        palette = palette_of(scene)
        canvas = Image.new("P", (scene.width + 1, scene.height), palette.index[scene.background])
        canvas.paste(png.FILTER_NONE, (0, 0, 1, scene.height))
        _paste_layers(canvas, base.map, set(range(len(base.bands))), palette)
        _bases.put(base.key, canvas, canvas.width * canvas.height)
    return canvas


def _filter_band(canvas: Image.Image, band: int) -> bytes:
    """Return the rows of a band; from each but the first one, the row above it is subtracted."""
    top = band * bands.BAND_ROWS
    rows = canvas.crop((0, top, canvas.width, min(top + bands.BAND_ROWS, canvas.height))).getchannel(0)
    filtered = ImageChops.subtract_modulo(rows, rows.crop((0, -1, rows.width, rows.height - 1)))
    filtered.paste(png.FILTER_UP, (0, 1, 1, rows.height))
    return filtered.tobytes()


def _paste_layers(canvas: Image.Image, mapped: LayerMap, needed: set[int], palette: Palette) -> None:
    """Draw what touches the needed bands, and what must be known of other bands to draw it."""
    keys, _ = mapped.tile_keys()
    tiles = _find_tiles(mapped.layers, keys, needed)
    for placed, key in zip(mapped.layers, keys, strict=True):
        if needed.isdisjoint(placed.bands):
            continue
        layer = placed.visible
        x, y, width, height = layer.x + 1, layer.y, layer.width, layer.height
        if isinstance(layer, Fill):
            canvas.paste(palette.index[layer.colour], (x, y, x + width, y + height))
            continue
        tile = tiles.get(key)
        if tile is None:
            below = canvas.crop((x, y, x + width, y + height))
            tile = _get_tile(layer, key, below, palette)
        canvas.paste(tile, (x, y))


def _find_tiles(
    layers: list[PlacedLayer], keys: list[Hashable], needed: set[int]
) -> dict[Hashable, Image.Image]:
    """Return the tiles that are kept, by key.  All bands below a missing one become needed."""
    tiles: dict[Hashable, Image.Image] = {}
    rest = [(placed, key) for placed, key in zip(layers, keys, strict=True) if type(placed.visible) is Group]
    while True:
        others: list[tuple[PlacedLayer, Hashable]] = []
        for placed, key in rest:
            if needed.isdisjoint(placed.bands):
                others.append((placed, key))
                continue
            tile = _placed_tiles.get(key)
            if tile is None:
                needed.update(placed.bands)
            else:
                tiles[key] = tile
        if len(others) == len(rest):
            return tiles
        rest = others


def warm_up() -> None:
    """Load the fonts and the palette, so that the first picture does not wait for them."""
    for face in Face:
        make_legible("A", face)
        fit_text(Text(0, 0, "A", theme.BODY_SIZE, theme.INK, 100, face))
    with _drawing_lock:
        _to_palette(Image.new("RGB", (8, 8)), _make_palette(theme.SHARED_PALETTE))


def clear_caches() -> None:
    """Empty all caches.  This changes the time that pictures take, never their bytes."""
    for cache in (_tiles, _placed_tiles, _bases):
        cache.clear()
    bands.clear_cache()
    png.clear_cache()


# Tiles ----------------------------------------------------------------------------------------------


def _get_tile(group: Group, key: Hashable, below: Image.Image, palette: Palette) -> Image.Image:
    """Return a group's tile and keep it; ``key`` is that of the group and of the layers below it."""
    pixels = below.tobytes()
    tile_key = (group.width, group.height, group.items, hashlib.sha256(palette.data + pixels).digest())
    tile = _tiles.get(tile_key)
    if tile is None:
        with _drawing_lock:
            tile = _draw_tile(group, below, palette)
        _tiles.put(tile_key, tile, len(pixels) + 64 * len(group.items))
    _placed_tiles.put(key, tile, len(pixels))
    return tile


def _draw_tile(group: Group, below: Image.Image, palette: Palette) -> Image.Image:
    """Draw a group strip by strip, since a large one at four times its size would take much memory."""
    tile = below.copy()
    tile.putpalette(palette.data)
    step = max(16, _STRIP_PIXELS // group.width)
    for top in range(0, group.height, step):
        large = _enlarge(tile.crop((0, top, group.width, min(top + step, group.height))), palette)
        draw = ImageDraw.Draw(large)
        for item in translate(group.items, 0, -top) if top else group.items:
            _draw_item(draw, item)
        tile.paste(_to_palette(large.reduce(SCALE), palette), (0, top))
    return tile


def _enlarge(strip: Image.Image, palette: Palette) -> Image.Image:
    size = (strip.width * SCALE, strip.height * SCALE)
    low, high = cast("tuple[int, int]", strip.getextrema())
    if low == high:
        return Image.new("RGB", size, _rgb(palette.colours[low]))
    return strip.convert("RGB").resize(size, Image.Resampling.NEAREST)


def _to_palette(image: Image.Image, palette: Palette) -> Image.Image:
    return image.quantize(palette=palette.image, dither=Image.Dither.NONE)


def _rgb(colour: Colour) -> tuple[int, int, int]:
    return colour >> 16, colour >> 8 & 255, colour & 255


def _optional_rgb(colour: Colour | None) -> tuple[int, int, int] | None:
    return None if colour is None else _rgb(colour)


def _draw_item(draw: ImageDraw.ImageDraw, item: Item) -> None:
    match item:
        case Polygon(points=points, fill=fill, outline=outline, outline_width=width):
            corners = [value * SCALE for value in points]
            if fill is not None:
                draw.polygon(corners, fill=_rgb(fill))
            if outline is not None and width:
                _draw_stroke(draw, (*corners, *corners[:2]), _rgb(outline), width * SCALE)
        case Line(points=points, colour=colour, width=width, dash=dash):
            parts = (points,) if dash is None else split_into_dashes(points, *dash)
            for part in parts:
                _draw_stroke(draw, tuple(value * SCALE for value in part), _rgb(colour), width * SCALE)
        case Disc(x=x, y=y, radius=radius, fill=fill, outline=outline, outline_width=width):
            square = [
                (x - radius) * SCALE,
                (y - radius) * SCALE,
                (x + radius) * SCALE - 1,
                (y + radius) * SCALE - 1,
            ]
            draw.ellipse(
                square,
                _optional_rgb(fill),
                _optional_rgb(outline),
                round(width * SCALE) if outline is not None else 0,
            )
        case Box(fill=fill, outline=outline):
            right, bottom = item.x + item.width, item.y + item.height
            corners = [item.x * SCALE, item.y * SCALE, right * SCALE - 1, bottom * SCALE - 1]
            width = round(item.outline_width * SCALE) if outline is not None else 0
            draw.rounded_rectangle(
                corners, item.radius * SCALE, _optional_rgb(fill), _optional_rgb(outline), width
            )
        case Text():
            fitted = fit_text(item)
            font = _font(item.face, round(fitted.size * SCALE))
            start = (item.x * SCALE, (item.y + _BASELINE * fitted.size) * SCALE)
            draw.text(start, fitted.text, _rgb(item.colour), font, anchor=item.anchor.value + "s")


def _draw_stroke(
    draw: ImageDraw.ImageDraw, points: tuple[float, ...], colour: tuple[int, int, int], width: float
) -> None:
    draw.line(points, colour, round(width), joint="curve")
    reach = width / 2
    for x, y in (points[:2], points[-2:]):
        draw.ellipse([x - reach, y - reach, x + reach - 1, y + reach - 1], colour)


# Type -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=48)
def _font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONT_FILES[face], size)


@lru_cache(maxsize=len(Face))
def _measuring_font(face: Face) -> ImageFont.FreeTypeFont:
    """Return the font for measuring.  It is not one that draws, so that measuring never waits for drawing."""
    return ImageFont.truetype(_FONT_FILES[face], _MEASURING_SIZE)


@lru_cache(maxsize=2048)
def _measure_width(text: str, face: Face, size: float) -> float:
    return _measuring_font(face).getlength(text) * size / _MEASURING_SIZE


@lru_cache(maxsize=2048)
def _has_character(character: str, face: Face) -> bool:
    font = _measuring_font(face)
    box = font.getmask(_NO_CHARACTER)
    drawn = font.getmask(character)
    return drawn.size != box.size or bytes(drawn) != bytes(box)


_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Mc", "Me", "Zl", "Zp", "Zs"})


def make_legible(text: str, face: Face) -> str:
    """Return what the face can show of a text, at most 60 characters.

    The text is composed (NFC); combining marks and control characters are removed, and characters that the
    face lacks are transliterated.
    """
    with _measuring_lock:
        return _make_legible(text[: _MAX_CHARACTERS * 8], face)


@lru_cache(maxsize=1024)
def _make_legible(text: str, face: Face) -> str:
    shown: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        if unicodedata.category(character) in _INVISIBLE_CATEGORIES:
            shown.append(" " if character.isspace() else "")
        elif _has_character(character, face):
            shown.append(character)
        else:
            shown.append(anyascii(character))
    return " ".join("".join(shown).split())[:_MAX_CHARACTERS]


@lru_cache(maxsize=1024)
def _fit_text(text: str, tail: str, face: Face, size: float, floor: float, room: float) -> FittedText:
    text = _make_legible(text[: _MAX_CHARACTERS * 8], face)
    width = _measure_width(text + tail, face, size)
    if width <= room:
        return FittedText(text + tail, size, width)
    least = min(floor, size)
    shrunk = max(least, int(size * room / width * 4) / 4)
    width = _measure_width(text + tail, face, shrunk)
    while width > room and shrunk > least:
        shrunk = max(least, shrunk - 0.25)
        width = _measure_width(text + tail, face, shrunk)
    while width > room and text:
        text = text[:-1].rstrip()
        width = _measure_width(f"{text}…{tail}", face, shrunk)
        if width <= room:
            return FittedText(f"{text}…{tail}", shrunk, width)
    return FittedText(text + tail, shrunk, width)


def fit_text(text: Text) -> FittedText:
    """Shrink a text until it fits into its room, down to its smallest size, then cut it."""
    with _measuring_lock:
        return _fit_text(text.text, text.suffix, text.face, text.size, text.min_size, text.room)


def nearest_palette_colour(colour: Colour, colours: tuple[Colour, ...]) -> Colour:
    """Return which of a palette's colours a smoothed pixel of this colour becomes."""
    palette = _make_palette(colours)
    with _drawing_lock:
        found = _to_palette(Image.new("RGB", (1, 1), _rgb(colour)), palette)
    return colours[found.tobytes()[0]]


def measure_drawn_width(fitted: FittedText, face: Face) -> float:
    """Return how wide a fitted text is when drawn, in pixels of the picture."""
    with _drawing_lock:
        return _font(face, round(fitted.size * SCALE)).getlength(fitted.text) / SCALE
