"""Scene -> PNG.

Every pixel is an index into the palette of its game.  The pixels of a group on its background are a tile, and
tiles are cached.  A tile depends on nothing but the group, the palette and the pixels below.  So the caches
cannot change a picture, and equal cards on equal backgrounds share a tile.
"""

import threading
from collections.abc import Iterator
from typing import Final, TypeAlias

from PIL import Image

from render import bands, png, sprites, theme
from render.bands import BAND_ROWS, LayerMap
from render.cache import EntryCache, PackedCache, content_digest
from render.scene import Group, Rectangle, Scene, Text, Typeface
from render.sprites import (
    IndexImage,
    Palette,
    get_palette,
    pack_image,
    pack_index_image,
    unpack_image,
    unpack_index_image,
)
from render.typeset import fit_text, make_legible

_MIB: Final = 1 << 20


def _make_index_image_cache(limit: int) -> PackedCache[IndexImage]:
    return PackedCache(limit, pack=pack_index_image, unpack=unpack_index_image)


_sprites: PackedCache[Image.Image] = PackedCache(11 * _MIB, pack=pack_image, unpack=unpack_image)
"""By the shape digest of their group."""
_tiles = _make_index_image_cache(13 * _MIB)
"""By a digest of their group's shape digest, their palette and the pixels below."""
_tile_keys: EntryCache[bytes] = EntryCache(32_000)
"""Keys of tiles, by the stack key of their layer."""
_static_bands = _make_index_image_cache(4 * _MIB)
"""Bands of static layers, by their keys."""
_CACHES: Final = (_sprites, _tiles, _tile_keys, _static_bands)
_TilesOrKeys: TypeAlias = dict[int, IndexImage | bytes]
"""Index of a layer -> its tile, or the layer's stack key if the tile is not cached."""

_BUSY_PICTURES: Final = 200
"""No cache is shrunk if so many pictures (20 a second) are drawn between calls of ``shrink_idle_caches``."""
_IDLE_SHARE: Final = 0.5
"""Share of each cache's limit that is kept if fewer pictures are drawn."""


class _Workload:
    """How many pictures were drawn since the last call of ``shrink_idle_caches``."""

    picture_count = 0


_workload: Final = _Workload()
_lock = threading.Lock()
"""One picture is drawn at a time: drawing holds the interpreter's lock for most of its time anyway."""


def palette_of(scene: Scene) -> Palette:
    """Return the palette of a scene."""
    return get_palette(scene.palette or theme.SHARED_PALETTE)


def render_png(scene: Scene) -> bytes:
    """Draw a scene and write it as PNG.  May be called from any thread."""
    with _lock:
        _workload.picture_count += 1
        layer_map = bands.map_scene(scene)
        keys = layer_map.band_keys()
        deflated_bands = [png.find_band(key) for key in keys]
        missing_bands = {index for index, band in enumerate(deflated_bands) if band is None}
        if missing_bands:
            canvas, deflater = _draw_bands(scene, layer_map, missing_bands), png.Deflater()
            for index, rows in _cut_bands(canvas, missing_bands):
                deflated_bands[index] = deflater.deflate_band(rows, keys[index])
    palette = palette_of(scene).data
    return png.join_bands([band for band in deflated_bands if band], scene.width, scene.height, palette)


def draw_filtered_rows(scene: Scene) -> bytes:
    """Draw a scene as palette indices, row by row, each row led by PNG's filter type "none"."""
    with _lock:
        _workload.picture_count += 1
        layer_map = bands.map_scene(scene)
        return _draw_bands(scene, layer_map, set(range(len(layer_map.band_keys())))).tobytes()


def _draw_bands(scene: Scene, layer_map: LayerMap, needed_bands: set[int]) -> Image.Image:
    """Draw these bands of a scene, with a column of zeros at its left, and those of tiles not yet cached."""
    tiles_or_keys, drawn_bands = _find_tiles(layer_map, needed_bands)
    canvas = Image.new("L", (scene.width + 1, scene.height))
    for band, rows in _get_static_bands(scene, drawn_bands).items():
        top = band * BAND_ROWS
        width, height = rows.size
        canvas.im.paste(rows, (0, top, width, top + height))
    _paste_layers(canvas, layer_map, drawn_bands, tiles_or_keys, palette_of(scene))
    return canvas


def _get_static_bands(scene: Scene, needed_bands: set[int]) -> dict[int, IndexImage]:
    """Return bands of a scene's static layers, each with a column of zeros at its left."""
    static_map = bands.map_static_layers(scene)
    static_bands = {band: _static_bands.get(static_map.band_keys[band]) for band in needed_bands}
    missing_bands = {band for band, rows in static_bands.items() if rows is None}
    if missing_bands:
        palette = palette_of(scene)
        canvas = Image.new("L", (scene.width + 1, scene.height), palette.index[scene.background])
        canvas.paste(png.FILTER_NONE, (0, 0, 1, scene.height))
        tiles_or_keys, drawn_bands = _find_tiles(static_map.layer_map, missing_bands)
        _paste_layers(canvas, static_map.layer_map, drawn_bands, tiles_or_keys, palette)
        for band in drawn_bands:
            top = band * BAND_ROWS
            rows = canvas.im.crop((0, top, canvas.width, min(top + BAND_ROWS, canvas.height)))
            _static_bands.put(static_map.band_keys[band], rows)
            static_bands[band] = rows
    return {band: rows for band, rows in static_bands.items() if rows is not None and band in needed_bands}


def _cut_bands(canvas: Image.Image, needed_bands: set[int]) -> Iterator[tuple[int, memoryview]]:
    """Yield each of these bands: its index and its rows."""
    for first, last in _consecutive_runs(needed_bands):
        top, bottom = first * BAND_ROWS, min((last + 1) * BAND_ROWS, canvas.height)
        rows = canvas.crop((0, top, canvas.width, bottom))
        data, size = memoryview(rows.tobytes()), BAND_ROWS * canvas.width
        for index in range(first, last + 1):
            yield index, data[(index - first) * size : (index - first + 1) * size]


def _consecutive_runs(numbers: set[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of consecutive numbers."""
    for first in sorted(number for number in numbers if number - 1 not in numbers):
        last = first
        while last + 1 in numbers:
            last += 1
        yield first, last


def _find_tiles(layer_map: LayerMap, needed_bands: set[int]) -> tuple[_TilesOrKeys, set[int]]:
    """Return the tiles of the groups that touch the bands to draw, by their layer's index; and the bands.

    They are ``needed_bands`` and all bands that a layer touches whose tile is not cached; its stack key then
    stands in the tile's place.
    """
    drawn_bands = set(needed_bands)
    tiles_or_keys: _TilesOrKeys = {}
    remaining_layers = [
        (index, placement)
        for index, (layer, placement) in enumerate(layer_map.layers)
        if type(layer) is Group
    ]
    while True:
        untouched_layers = []
        for index, placement in remaining_layers:
            if drawn_bands.isdisjoint(placement.bands):
                untouched_layers.append((index, placement))
                continue
            stack_key = layer_map.stack_key(index)
            key = _tile_keys.get(stack_key)
            tile = None if key is None else _tiles.get(key)
            if tile is None:
                drawn_bands.update(placement.bands)
            tiles_or_keys[index] = stack_key if tile is None else tile
        if len(untouched_layers) == len(remaining_layers):
            return tiles_or_keys, drawn_bands
        remaining_layers = untouched_layers


def _paste_layers(
    canvas: Image.Image,
    layer_map: LayerMap,
    drawn_bands: set[int],
    tiles_or_keys: _TilesOrKeys,
    palette: Palette,
) -> None:
    """Draw the layers that touch these bands on a canvas with a column of zeros at its left."""
    paste = canvas.im.paste  # Image.paste takes three times as long for a small tile
    for index, (layer, placement) in enumerate(layer_map.layers):
        if drawn_bands.isdisjoint(placement.bands):
            continue
        left, top, right, bottom = placement.box
        box = left + 1, top, right + 1, bottom
        if isinstance(layer, Rectangle):
            paste(palette.index[layer.colour], box)
            continue
        tile_or_key = tiles_or_keys[index]
        if isinstance(tile_or_key, bytes):
            background = canvas.crop(box)
            tile = _get_tile(layer, placement.shape_digest, tile_or_key, background, palette)
        else:
            tile = tile_or_key
        paste(tile, box)


def _get_tile(
    group: Group, shape_digest: bytes, stack_key: bytes, background: Image.Image, palette: Palette
) -> IndexImage:
    """Return a group's tile on a background, and cache it."""
    key = content_digest(shape_digest + palette.digest + background.tobytes())
    tile = _tiles.get(key)
    if tile is None:
        sprite = _sprites.get(shape_digest)
        if sprite is None:
            sprite = sprites.draw_sprite(group)
            _sprites.put(shape_digest, sprite)
        tile = sprites.draw_tile(group, sprite, background, palette).im
        _tiles.put(key, tile)
    _tile_keys.put(stack_key, key)
    return tile


def warm_up() -> None:
    """Load the fonts and the palette, so that the first picture does not wait for them."""
    for face in Typeface:
        make_legible("A", face)
        fit_text(Text(0, 0, "A", theme.BODY_SIZE, theme.INK, 100, face))
    with _lock:
        sprites.nearest_palette_colour(theme.INK, theme.SHARED_PALETTE)


def shrink_idle_caches() -> None:
    """Shrink the caches to half their limits if few pictures were drawn since the last call.

    Only a busy bot needs more.
    """
    with _lock:
        if _workload.picture_count < _BUSY_PICTURES:
            for cache in _CACHES:
                cache.shrink(_IDLE_SHARE)
            png.shrink_cache(_IDLE_SHARE)
        _workload.picture_count = 0


def clear_caches() -> None:
    """Empty the caches of sprites, tiles, static maps and bands.

    This changes times, never the bytes of a picture.  What layers and functions cache themselves stays.
    """
    with _lock:
        for cache in _CACHES:
            cache.clear()
        bands.clear_cache()
        png.clear_cache()
