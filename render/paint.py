"""Scene -> PNG.

Every pixel is an index into the palette of its game.  The pixels of a group on its background are a tile, and
tiles are cached.  A tile depends on nothing but the group, the palette and the pixels below.  So the caches
cannot change a picture, and equal cards on equal backgrounds share a tile.
"""

import threading
from typing import Final, TypeAlias

from render import bands, png, sprites, theme
from render.bands import BAND_ROWS, LayerMap
from render.cache import EntryCache, PackedCache, content_digest
from render.pixels import Pixels, copy_part, make_pixels, pack_pixels, unpack_pixels
from render.scene import Group, Rectangle, Scene, Text, Typeface
from render.sprites import Palette, get_palette
from render.typeset import fit_text, make_legible

_MIB: Final = 1 << 20


def _make_pixel_cache(limit: int) -> PackedCache[Pixels]:
    return PackedCache(limit, pack=pack_pixels, unpack=unpack_pixels)


_sprites = _make_pixel_cache(11 * _MIB)
"""By the shape digest of their group."""
_tiles = _make_pixel_cache(13 * _MIB)
"""By a digest of their group's shape digest, their palette and the pixels below."""
_tile_keys: EntryCache[bytes] = EntryCache(32_000)
"""Keys of tiles, by the stack key of their layer."""
_static_bands = _make_pixel_cache(4 * _MIB)
"""Bands of static layers, by their keys."""
_CACHES: Final = (_sprites, _tiles, _tile_keys, _static_bands)
_TilesOrKeys: TypeAlias = dict[int, Pixels | bytes]
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
            for index in sorted(missing_bands):
                deflated_bands[index] = deflater.deflate_band(_band_rows(canvas, index), keys[index])
    palette = palette_of(scene).data
    return png.join_bands([band for band in deflated_bands if band], scene.width, scene.height, palette)


def draw_filtered_rows(scene: Scene) -> bytes:
    """Draw a scene as palette indices, row by row, each row led by PNG's filter type "none"."""
    with _lock:
        _workload.picture_count += 1
        layer_map = bands.map_scene(scene)
        return bytes(_draw_bands(scene, layer_map, set(range(len(layer_map.band_keys())))).data)


def _draw_bands(scene: Scene, layer_map: LayerMap, needed_bands: set[int]) -> Pixels:
    """Draw these bands of a scene, with a column of zeros at its left, and those of tiles not yet cached.

    Zero is PNG's filter type "none".
    """
    tiles_or_keys, drawn_bands = _find_tiles(layer_map, needed_bands)
    canvas = make_pixels(scene.width + 1, scene.height)
    for band, rows in _get_static_bands(scene, drawn_bands).items():
        _band_rows(canvas, band)[:] = rows.data
    _paste_layers(canvas, layer_map, drawn_bands, tiles_or_keys, palette_of(scene))
    return canvas


def _get_static_bands(scene: Scene, needed_bands: set[int]) -> dict[int, Pixels]:
    """Return bands of a scene's static layers, each with a column of zeros at its left."""
    static_map = bands.map_static_layers(scene)
    static_bands = {band: _static_bands.get(static_map.band_keys[band]) for band in needed_bands}
    missing_bands = {band for band, rows in static_bands.items() if rows is None}
    if missing_bands:
        palette = palette_of(scene)
        canvas = make_pixels(scene.width + 1, scene.height)
        canvas.view().paste(palette.index[scene.background], (1, 0, *canvas.size))
        tiles_or_keys, drawn_bands = _find_tiles(static_map.layer_map, missing_bands)
        _paste_layers(canvas, static_map.layer_map, drawn_bands, tiles_or_keys, palette)
        for band in drawn_bands:
            rows = Pixels(bytes(_band_rows(canvas, band)), canvas.width)
            _static_bands.put(static_map.band_keys[band], rows)
            static_bands[band] = rows
    return {band: rows for band, rows in static_bands.items() if rows is not None and band in needed_bands}


def _band_rows(canvas: Pixels, band: int) -> memoryview:
    """Return the rows of a band, which are the canvas's own."""
    size = BAND_ROWS * canvas.width
    return memoryview(canvas.data)[band * size : (band + 1) * size]


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
    canvas: Pixels,
    layer_map: LayerMap,
    drawn_bands: set[int],
    tiles_or_keys: _TilesOrKeys,
    palette: Palette,
) -> None:
    """Draw the layers that touch these bands on a canvas with a column of zeros at its left."""
    image = canvas.view()
    for index, (layer, placement) in enumerate(layer_map.layers):
        if drawn_bands.isdisjoint(placement.bands):
            continue
        left, top, right, bottom = placement.box
        box = left + 1, top, right + 1, bottom
        if isinstance(layer, Rectangle):
            image.paste(palette.index[layer.colour], box)
            continue
        tile_or_key = tiles_or_keys[index]
        if isinstance(tile_or_key, bytes):
            background = copy_part(image, box)
            tile = _get_tile(layer, placement.shape_digest, tile_or_key, background, palette)
        else:
            tile = tile_or_key
        image.paste(tile.view(), box)


def _get_tile(
    group: Group, shape_digest: bytes, stack_key: bytes, background: Pixels, palette: Palette
) -> Pixels:
    """Return a group's tile on a background, and cache it."""
    key = content_digest(shape_digest + palette.digest + background.data)
    tile = _tiles.get(key)
    if tile is None:
        sprite = _sprites.get(shape_digest)
        if sprite is None:
            sprite = sprites.draw_sprite(group)
            _sprites.put(shape_digest, sprite)
        tile = sprites.draw_tile(group, sprite, background, palette)
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
