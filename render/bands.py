"""Maps of which layers touch which parts of a picture, and keys under which unchanged parts are found again.

A picture is divided into bands of rows.  A band with the same layers as before has the same pixels, so it is
neither composed nor deflated again.  A group above the same layers as before has the same pixels below it, so
its tile is found without looking at them.
"""

from typing import Final

import msgspec

from render.cache import EntryCache, content_digest
from render.scene import Colour, Layer, Scene, clip_layer

BAND_ROWS: Final = 24
"""Rows of a band: few enough that a move changes few bands, enough to compress well."""
_PLACEMENT: Final = "placement"
"""The attribute in which a layer caches its placement, for as long as it exists; games cache their layers."""


class Placement(msgspec.Struct, frozen=True, gc=False):
    """Where a clipped layer lies in its picture, and what it shows."""

    shape_digest: bytes
    """Digest of what it shows, wherever it lies."""
    digest: bytes
    """Digest of what it shows and where it lies."""
    box: tuple[int, int, int, int]
    """Left, top, right and bottom."""
    bands: range
    """Indexes of the bands that it touches."""


_static_maps: EntryCache["StaticLayerMap"] = EntryCache(64)
"""By the identity of static layers and palette, with size and background."""


class LayerMap:
    """The visible layers of a picture, and for each band the digests of those that touch it."""

    def __init__(self, width: int, height: int, background_digests: list[bytes]) -> None:
        """``background_digests``: for each band, the digest of what lies below the layers."""
        self._size = width, height
        self._background_digests = background_digests
        self._digests_by_band = [[digest] for digest in background_digests]
        self.layers: list[tuple[Layer, Placement]] = []
        """Layers, cut to the picture, lowest first, each with its placement."""

    def add(self, layer: Layer) -> None:
        """Add a layer above the others; what lies outside the picture is cut off."""
        visible_layer = clip_layer(layer, *self._size)
        if visible_layer is None:
            return
        placement = _placement_of(visible_layer)
        self.layers.append((visible_layer, placement))
        for band in placement.bands:
            self._digests_by_band[band].append(placement.digest)

    def band_keys(self) -> list[bytes]:
        """Return the key of each band: equal keys mean equal pixels."""
        return [content_digest(b"".join(digests)) for digests in self._digests_by_band]

    def stack_key(self, index: int) -> bytes:
        """Return the key of a layer and of all that lies below it: equal keys mean equal pixels."""
        placement = self.layers[index][1]
        left, top, right, bottom = placement.box
        digests = [placement.digest, *self._background_digests[placement.bands.start : placement.bands.stop]]
        for _, below in self.layers[:index]:
            below_left, below_top, below_right, below_bottom = below.box
            if below_top < bottom and top < below_bottom and below_left < right and left < below_right:
                digests.append(below.digest)
        return content_digest(b"".join(digests))


def _placement_of(layer: Layer) -> Placement:
    attributes = layer.__dict__
    placement: Placement | None = attributes.get(_PLACEMENT)
    if placement is None:
        placement = attributes[_PLACEMENT] = _make_placement(layer)
    return placement


def _make_placement(layer: Layer) -> Placement:
    left, top, right, bottom = layer.x, layer.y, layer.x + layer.width, layer.y + layer.height
    shape_digest = content_digest(_layer_bytes(msgspec.structs.replace(layer, x=0, y=0)))
    digest = content_digest(shape_digest + left.to_bytes(2, "big") + top.to_bytes(2, "big"))
    bands = range(top // BAND_ROWS, (bottom - 1) // BAND_ROWS + 1)
    return Placement(shape_digest, digest, (left, top, right, bottom), bands)


class StaticLayerMap(msgspec.Struct, frozen=True):
    """The map of a scene's static layers, and the keys of its bands."""

    static_layers: tuple[Layer, ...]
    """The scene's, by which a cached map is recognised."""
    palette: tuple[Colour, ...]
    layer_map: LayerMap
    band_keys: list[bytes]
    """The key of each band: equal keys mean equal pixels."""


def map_scene(scene: Scene) -> LayerMap:
    """Return the map of the layers of a scene that lie above its static ones."""
    above = LayerMap(scene.width, scene.height, map_static_layers(scene).band_keys)
    for layer in scene.layers:
        above.add(layer)
    return above


def map_static_layers(scene: Scene) -> StaticLayerMap:
    """Return the map of a scene's static layers."""
    key = (id(scene.static_layers), id(scene.palette), scene.width, scene.height, scene.background)
    cached = _static_maps.get(key)
    if cached is not None and cached.static_layers is scene.static_layers and cached.palette is scene.palette:
        return cached
    layer_map = _empty_map(scene)
    for layer in scene.static_layers:
        layer_map.add(layer)
    static_map = StaticLayerMap(scene.static_layers, scene.palette, layer_map, layer_map.band_keys())
    _static_maps.put(key, static_map)
    return static_map


def _empty_map(scene: Scene) -> LayerMap:
    width, height = scene.width, scene.height
    picture_digest = content_digest(msgspec.msgpack.encode((width, height, scene.background, scene.palette)))
    background_digests = [picture_digest + band.to_bytes(2, "big") for band in range(-(-height // BAND_ROWS))]
    return LayerMap(width, height, background_digests)


def clear_cache() -> None:
    """Empty the cache of static maps.  Placements are not in it: each layer caches its own."""
    _static_maps.clear()


def _layer_bytes(layer: Layer) -> bytes:
    try:
        return msgspec.msgpack.encode(layer)
    except UnicodeEncodeError:  # a lone surrogate in a text
        return repr(layer).encode("utf-8", "surrogatepass")
