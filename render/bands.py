"""Which layers touch which part of a picture: the keys under which unchanged parts are found again.

A picture is divided into bands of rows, and each band into cells.  A band with the same layers as before has
the same pixels, so it is neither composed nor deflated again.  A group above the same layers as before has
the same pixels below it, so its tile is found without looking at them.
"""

import hashlib
from collections.abc import Hashable
from typing import Final, TypeAlias

import msgspec

from render.cache import ByteCache
from render.scene import Colour, Layer, Scene, clip_layer

BAND_ROWS: Final = 24
"""Rows of a band: few enough that a move changes few bands, enough to compress well."""
_CELL_WIDTH: Final = 150
_DIGEST_SIZE: Final = 16

_placed_layers: ByteCache["PlacedLayer"] = ByteCache(limit=2048)
"""By identity, since games keep most of their layers.  The limit is a number of layers."""
_base_maps: ByteCache["BaseMap"] = ByteCache(limit=32)
"""By identity.  The limit is a number of maps."""

CellKeys: TypeAlias = tuple[bytes, ...]
"""The digests of the layers that touch a cell, in order."""


class PlacedLayer(msgspec.Struct, frozen=True, gc=False):
    """A layer of a picture, and the bands and cells that it touches."""

    source: Layer
    visible: Layer
    """What lies inside the picture."""
    digest: bytes
    bands: tuple[int, ...]
    cells: tuple[int, ...]


class LayerMap:
    """The visible layers of a picture, and for each band the digests of those that touch it."""

    def __init__(self, width: int, height: int, bands: list[bytes], cells: list[bytes]) -> None:
        """``bands``, ``cells``: digests of what lies below the layers, row by row."""
        self._size = width, height
        self._bands = [[digest] for digest in bands]
        self._cells: list[CellKeys] = [(digest,) for digest in cells]
        self.layers: list[PlacedLayer] = []
        """In order, the lowest first."""

    def add(self, layer: Layer) -> None:
        """Add a layer above the others; what lies outside the picture is cut off."""
        placed = _place_layer(layer, *self._size)
        if placed is None:
            return
        self.layers.append(placed)
        digest, bands = placed.digest, self._bands
        for band in placed.bands:
            bands[band].append(digest)

    def band_keys(self) -> list[bytes]:
        """Return the key of each band: equal keys mean equal pixels."""
        return [b"".join(band) for band in self._bands]

    def tile_keys(self) -> tuple[list[Hashable], list[CellKeys]]:
        """Return the key of each layer with all that lies below it, and that of each cell."""
        cells = self._cells.copy()
        keys: list[Hashable] = []
        for placed in self.layers:
            digest = placed.digest
            keys.append((digest, *[cells[cell] for cell in placed.cells]))
            for cell in placed.cells:
                cells[cell] += (digest,)
        return keys, cells


def _place_layer(layer: Layer, width: int, height: int) -> PlacedLayer | None:
    key = (id(layer), width, height)
    found = _placed_layers.get(key)
    if found is not None and found.source is layer:
        return found
    visible = clip_layer(layer, width, height)
    if visible is None:
        return None
    first, last = visible.x // _CELL_WIDTH, (visible.x + visible.width - 1) // _CELL_WIDTH
    columns = -(-width // _CELL_WIDTH)
    bands = range(visible.y // BAND_ROWS, (visible.y + visible.height - 1) // BAND_ROWS + 1)
    cells = tuple(band * columns + column for band in bands for column in range(first, last + 1))
    placed = PlacedLayer(layer, visible, _digest(_layer_bytes(visible)), tuple(bands), cells)
    _placed_layers.put(key, placed, 1)
    return placed


class BaseMap(msgspec.Struct, frozen=True):
    """What is known of a scene's base."""

    source: tuple[Layer, ...]
    palette: tuple[Colour, ...]
    map: LayerMap
    bands: list[bytes]
    cells: list[bytes]
    """Digests of what it holds in each band and cell."""
    key: bytes
    """Equal keys mean equal pixels."""


def map_scene(scene: Scene) -> LayerMap:
    """Return the layers of a scene that lie above its base."""
    base = map_base(scene)
    above = LayerMap(scene.width, scene.height, base.bands, base.cells)
    for layer in scene.layers:
        above.add(layer)
    return above


def map_base(scene: Scene) -> BaseMap:
    """Return the map of a scene's base."""
    key = (id(scene.base), id(scene.palette), scene.width, scene.height, scene.background)
    found = _base_maps.get(key)
    if found is not None and found.source is scene.base and found.palette is scene.palette:
        return found
    base = _empty_map(scene)
    for layer in scene.base:
        base.add(layer)
    bands = [_digest(each) for each in base.band_keys()]
    cells = [_digest(b"".join(each)) for each in base.tile_keys()[1]]
    mapped = BaseMap(scene.base, scene.palette, base, bands, cells, b"".join(bands))
    _base_maps.put(key, mapped, 1)
    return mapped


def _empty_map(scene: Scene) -> LayerMap:
    width, height = scene.width, scene.height
    start = _digest(msgspec.msgpack.encode((width, height, scene.background, scene.palette)))
    bands, columns = -(-height // BAND_ROWS), -(-width // _CELL_WIDTH)
    places = [start + band.to_bytes(2, "big") for band in range(bands)]
    return LayerMap(width, height, places, [start] * (bands * columns))


def clear_cache() -> None:
    """Forget all digests.  This changes the time that pictures take, never their bytes."""
    _placed_layers.clear()
    _base_maps.clear()


def _layer_bytes(layer: Layer) -> bytes:
    try:
        return msgspec.msgpack.encode(layer)
    except UnicodeEncodeError:  # a lone surrogate in a text
        return repr(layer).encode("utf-8", "surrogatepass")


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_SIZE).digest()
