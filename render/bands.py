"""Which layers touch which part of a picture: the keys under which unchanged parts are found again.

A picture is divided into bands of rows.  A band with the same layers as before has the same pixels, so it is
neither composed nor deflated again.  A group above the same layers as before has the same pixels below it, so
its tile is found without looking at them.
"""

from typing import Final

import msgspec

from render.cache import ByteCache, content_digest
from render.scene import Colour, Layer, Scene, clip_layer

BAND_ROWS: Final = 24
"""Rows of a band: few enough that a move changes few bands, enough to compress well."""
_COLUMN_WIDTH: Final = 50
"""Width of the columns by which overlapping layers are looked for."""
_BYTES_PER_ENCODED_BYTE: Final = 3
_PLACED_LAYER_OVERHEAD: Final = 700
"""Memory that a kept layer takes: so many bytes for each byte of its encoding, and these."""


class PlacedLayer(msgspec.Struct, frozen=True, gc=False):
    """A layer of a picture, and where it lies."""

    source: Layer
    visible: Layer
    """What lies inside the picture."""
    shape: bytes
    """Digest of what it shows, wherever it lies."""
    digest: bytes
    """Digest of its shape and where it lies."""
    box: tuple[int, int, int, int]
    """Left, top, right and bottom."""
    bands: tuple[int, ...]
    columns: tuple[int, ...]
    """The bands and columns that it touches."""


_placed_layers: ByteCache[PlacedLayer] = ByteCache(limit=3 << 20)
"""By identity, since games keep most of their layers."""
_base_maps: ByteCache["BaseMap"] = ByteCache(limit=64)
"""By identity.  The limit is a number of maps."""


class LayerMap:
    """The visible layers of a picture, and for each band the digests of those that touch it."""

    def __init__(self, width: int, height: int, ground: list[bytes]) -> None:
        """``ground``: digests of what lies below the layers in each band."""
        self._size = width, height
        self._ground = ground
        self._bands = [[digest] for digest in ground]
        self._in_bands = [0] * len(ground)
        self._in_columns = [0] * -(-width // _COLUMN_WIDTH)
        """For each band and column the layers that touch it, as a set of bits."""
        self.layers: list[PlacedLayer] = []
        """In order, the lowest first."""

    def add(self, layer: Layer) -> None:
        """Add a layer above the others; what lies outside the picture is cut off."""
        placed = _place_layer(layer, *self._size)
        if placed is None:
            return
        bit = 1 << len(self.layers)
        self.layers.append(placed)
        digest, bands, in_bands, in_columns = placed.digest, self._bands, self._in_bands, self._in_columns
        for band in placed.bands:
            bands[band].append(digest)
            in_bands[band] |= bit
        for column in placed.columns:
            in_columns[column] |= bit

    def band_keys(self) -> list[bytes]:
        """Return the key of each band: equal keys mean equal pixels."""
        return [content_digest(b"".join(band)) for band in self._bands]

    def tile_key(self, index: int) -> bytes:
        """Return the key of a layer with all that lies below it: equal keys mean equal pixels."""
        placed, in_same_bands, in_same_columns = self.layers[index], 0, 0
        key = [placed.digest]
        for band in placed.bands:
            in_same_bands |= self._in_bands[band]
            key.append(self._ground[band])
        for column in placed.columns:
            in_same_columns |= self._in_columns[column]
        candidates = in_same_bands & in_same_columns & ((1 << index) - 1)
        left, top, right, bottom = placed.box
        while candidates:
            lowest = candidates & -candidates
            below = self.layers[lowest.bit_length() - 1]
            its_left, its_top, its_right, its_bottom = below.box
            if its_left < right and left < its_right and its_top < bottom and top < its_bottom:
                key.append(below.digest)
            candidates ^= lowest
        return content_digest(b"".join(key))


def _place_layer(layer: Layer, width: int, height: int) -> PlacedLayer | None:
    key = (id(layer), width, height)
    cached = _placed_layers.get(key)
    if cached is not None and cached.source is layer:
        return cached
    visible = clip_layer(layer, width, height)
    if visible is None:
        return None
    left, top, right, bottom = visible.x, visible.y, visible.x + visible.width, visible.y + visible.height
    bands = range(top // BAND_ROWS, (bottom - 1) // BAND_ROWS + 1)
    columns = range(left // _COLUMN_WIDTH, (right - 1) // _COLUMN_WIDTH + 1)
    content = _layer_bytes(msgspec.structs.replace(visible, x=0, y=0))
    shape = content_digest(content)
    digest = content_digest(shape + left.to_bytes(2, "big") + top.to_bytes(2, "big"))
    box = left, top, right, bottom
    placed = PlacedLayer(layer, visible, shape, digest, box, tuple(bands), tuple(columns))
    _placed_layers.put(key, placed, _BYTES_PER_ENCODED_BYTE * len(content) + _PLACED_LAYER_OVERHEAD)
    return placed


class BaseMap(msgspec.Struct, frozen=True):
    """The map of a scene's base, and the keys of its bands."""

    source: tuple[Layer, ...]
    palette: tuple[Colour, ...]
    map: LayerMap
    bands: list[bytes]
    """The key of each band: equal keys mean equal pixels."""


def map_scene(scene: Scene) -> LayerMap:
    """Return the layers of a scene that lie above its base."""
    above = LayerMap(scene.width, scene.height, map_base(scene).bands)
    for layer in scene.layers:
        above.add(layer)
    return above


def map_base(scene: Scene) -> BaseMap:
    """Return the map of a scene's base."""
    key = (id(scene.base), id(scene.palette), scene.width, scene.height, scene.background)
    cached = _base_maps.get(key)
    if cached is not None and cached.source is scene.base and cached.palette is scene.palette:
        return cached
    layer_map = _empty_map(scene)
    for layer in scene.base:
        layer_map.add(layer)
    base_map = BaseMap(scene.base, scene.palette, layer_map, layer_map.band_keys())
    _base_maps.put(key, base_map, 1)
    return base_map


def _empty_map(scene: Scene) -> LayerMap:
    width, height = scene.width, scene.height
    picture_digest = content_digest(msgspec.msgpack.encode((width, height, scene.background, scene.palette)))
    ground = [picture_digest + band.to_bytes(2, "big") for band in range(-(-height // BAND_ROWS))]
    return LayerMap(width, height, ground)


def clear_cache() -> None:
    """Forget all digests.  This changes the time that pictures take, never their bytes."""
    _placed_layers.clear()
    _base_maps.clear()


def _layer_bytes(layer: Layer) -> bytes:
    try:
        return msgspec.msgpack.encode(layer)
    except UnicodeEncodeError:  # a lone surrogate in a text
        return repr(layer).encode("utf-8", "surrogatepass")
