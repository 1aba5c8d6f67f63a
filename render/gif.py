"""Animated pictures: scenes of one width and palette -> a GIF, whose frames hold only what has changed.

GIF89a: header, palette, loop extension; for each frame a graphic control extension and an image, which is the
smallest rectangle with all changes, transparent where nothing has changed.  There is no metadata.
"""

import struct
from collections.abc import Sequence
from typing import Final

import msgspec
from PIL import Image, ImageChops

from render import paint
from render.pixels import Pixels, pack_pixels, unpack_pixels
from render.scene import Scene
from render.sprites import Palette
from render.theme import MAX_COLOURS

_TRANSPARENT_INDEX: Final = MAX_COLOURS
"""The palette index of what has not changed: no colour has it."""
_COLOUR_BITS: Final = 8
_SIGNATURE: Final = b"GIF89a"
_LOOP_FOREVER: Final = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_END_OF_IMAGE: Final = b"\0"
_TRAILER: Final = b"\x3b"
_HAS_GLOBAL_PALETTE: Final = 0x80
"""Flag of the header: a palette follows it, for all frames."""
_KEEP_FRAME: Final = 0b100
"""Flag of a graphic control extension, disposal method 1: the frame stays below the next one."""
_CONTROL_SIZE: Final = 8
"""Bytes of a graphic control extension."""
_MAX_DELAY: Final = 0xFFFF
_MASK_BY_DIFFERENCE: Final = [0] + [255] * 255
"""Mask of the pixels that changed, by the difference of their palette indices."""
_MASK_BY_INDEX: Final = [255] * _TRANSPARENT_INDEX + [0]
"""Mask of the pixels that are drawn, by their palette index."""

_Box = tuple[int, int, int, int]


class _Frame(msgspec.Struct, frozen=True, gc=False):
    """One picture of an animation."""

    scene_index: int
    """Which scene it shows, counting skipped ones, from 0."""
    box: _Box
    """The rectangle that differs from the frame before: left, top, right, bottom."""
    changes: bytes
    """The palette indices of the box, packed; ``_TRANSPARENT_INDEX`` where nothing has changed."""
    image: bytes
    """The image as it stands in the file."""


class Animation:
    """Collects scenes as frames within a limit of bytes, which only one or two frames may exceed.

    Beyond the limit, every other frame is dropped, and from then on half as many scenes are drawn.  The first
    and the last scene always stay.  A scene that looks like the frame before it makes no frame of its own.
    """

    def __init__(self, max_bytes: int) -> None:
        """``max_bytes``: of the file."""
        self._max_bytes = max_bytes
        self._palette: Palette | None = None
        self._size = 0, 0
        self._frames: list[_Frame] = []
        self._screen: Image.Image | None = None
        """What the last frame leaves on the screen."""
        self._next_scene_index = 0
        self._stride = 1
        self._byte_count = 0

    def wants_next(self, *, is_last: bool) -> bool:
        """Whether to draw the next scene and ``add`` it; if not, ``skip`` it undrawn."""
        return is_last or self._next_scene_index % self._stride == 0

    def skip(self) -> None:
        """Count a scene that is not wanted."""
        self._next_scene_index += 1

    def add(self, scene: Scene) -> None:
        """Draw the next scene; a scene that is lower than others is filled up with its background.

        Raises ValueError if width or palette differ from those of the scenes before, or if the palette leaves
        no colour for transparency.
        """
        palette = paint.palette_of(scene)
        background = palette.index[scene.background]
        if self._palette is None:
            if len(palette.colours) > MAX_COLOURS:
                raise ValueError(f"{len(palette.colours)} colours leave none for transparency")
            self._palette, self._size = palette, (scene.width, scene.height)
            self._byte_count = len(self._header()) + len(_TRAILER)
        if palette.digest != self._palette.digest or scene.width != self._size[0]:
            raise ValueError("all scenes of an animation have one width and one palette")
        if scene.height > self._size[1]:
            self._grow(scene.height, background)
        with_filter_column = Image.frombytes(
            "L", (scene.width + 1, scene.height), paint.draw_filtered_rows(scene)
        )
        pixels = with_filter_column.crop((1, 0, scene.width + 1, scene.height))
        self._append(self._next_scene_index, _pad_to_height(pixels, self._size[1], background))
        self._next_scene_index += 1
        while self._byte_count > self._max_bytes and len(self._frames) > 2:
            self._drop_every_other()

    def _append(self, scene_index: int, pixels: Image.Image) -> None:
        difference = _find_changes(self._screen, pixels)
        if difference is None:
            return
        box, changes = difference
        frame = _make_frame(scene_index, box, changes)
        self._frames.append(frame)
        self._byte_count += _CONTROL_SIZE + len(frame.image)
        self._screen = pixels

    def _grow(self, height: int, background: int) -> None:
        """Make the screen higher: add background below the first frame; the others stay as they are."""
        assert self._screen is not None
        self._size = self._size[0], height
        self._screen = _pad_to_height(self._screen, height, background)
        first = self._frames[0]
        pixels = _pad_to_height(_unpack_changes(first.changes), height, background)
        self._frames[0] = _make_frame(first.scene_index, (0, 0, *self._size), pixels)
        self._byte_count += len(self._frames[0].image) - len(first.image)

    def _drop_every_other(self) -> None:
        """Keep every other frame, and the newest one."""
        self._stride *= 2
        frames, screen, newest = self._frames, Image.new("L", self._size), self._frames[-1].scene_index
        self._frames, self._screen, self._byte_count = [], None, len(self._header()) + len(_TRAILER)
        for index, frame in enumerate(frames):
            changes = _unpack_changes(frame.changes)
            screen.paste(changes, frame.box, changes.point(_MASK_BY_INDEX))
            if index % 2 == 0 or frame.scene_index == newest:
                self._append(frame.scene_index, screen.copy())

    @property
    def scene_indexes(self) -> tuple[int, ...]:
        """The index of the scene that each frame shows."""
        return tuple(frame.scene_index for frame in self._frames)

    def encode(self, delays: Sequence[int]) -> bytes:
        """Return the GIF file, which repeats for ever.

        ``delays``: how long each frame stays, in milliseconds.  Raises ValueError unless each frame has one.
        """
        parts = [self._header()]
        for frame, delay in zip(self._frames, delays, strict=True):
            # All but the first have transparency.
            flags = _KEEP_FRAME | (frame.scene_index > 0)
            hundredths = min(delay // 10, _MAX_DELAY)
            parts.append(b"\x21\xf9\x04" + struct.pack("<BHBB", flags, hundredths, _TRANSPARENT_INDEX, 0))
            parts.append(frame.image)
        return b"".join([*parts, _TRAILER])

    def _header(self) -> bytes:
        assert self._palette is not None, "an animation has at least one scene"
        flags = _HAS_GLOBAL_PALETTE | (_COLOUR_BITS - 1) << 4 | (_COLOUR_BITS - 1)
        screen = struct.pack("<HHBBB", *self._size, flags, 0, 0)
        return _SIGNATURE + screen + self._palette.data.ljust(3 << _COLOUR_BITS, b"\0") + _LOOP_FOREVER


def _find_changes(before: Image.Image | None, after: Image.Image) -> tuple[_Box, Image.Image] | None:
    """Return the rectangle in which two pictures differ and what is drawn there; None if they are alike."""
    if before is None:
        return (0, 0, after.width, after.height), after
    difference = ImageChops.difference(before, after)
    box = difference.getbbox()
    if box is None:
        return None
    changes = Image.new("L", (box[2] - box[0], box[3] - box[1]), _TRANSPARENT_INDEX)
    changes.paste(after.crop(box), mask=difference.crop(box).point(_MASK_BY_DIFFERENCE))
    return box, changes


def _pad_to_height(pixels: Image.Image, height: int, background: int) -> Image.Image:
    """Return a picture of this height: background is added below it."""
    if pixels.height == height:
        return pixels
    padded = Image.new("L", (pixels.width, height), background)
    padded.paste(pixels)
    return padded


def _unpack_changes(packed: bytes) -> Image.Image:
    pixels = unpack_pixels(packed)
    return Image.frombytes("L", pixels.size, pixels.data)


def _make_frame(scene_index: int, box: _Box, changes: Image.Image) -> _Frame:
    return _Frame(
        scene_index, box, pack_pixels(Pixels(changes.tobytes(), changes.width)), _encode_image(box, changes)
    )


def _encode_image(box: _Box, pixels: Image.Image) -> bytes:
    """Return an image with its descriptor, as it stands in the file."""
    descriptor = struct.pack("<HHHHB", box[0], box[1], pixels.width, pixels.height, 0)
    data = pixels.tobytes("gif", "L", _COLOUR_BITS, 0)
    return b"\x2c" + descriptor + bytes((_COLOUR_BITS,)) + data + _END_OF_IMAGE
