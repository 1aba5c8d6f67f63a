"""Pixels as plain bytes: Pillow's core draws on them without a copy, and caches keep them packed."""

import threading
from typing import Any, Final, TypeAlias

import msgspec
import zstandard
from PIL import _imaging

CoreImage: TypeAlias = Any
"""An image as Pillow's core has it (``Image.im``): quicker to make, cut and paste than an ``Image``."""

ONE_CHANNEL_MODE: Final = "L"
"""Pillow's mode of palette indices, and of coverage."""


class Pixels(msgspec.Struct, frozen=True, gc=False):
    """The pixels of a rectangle, row by row, without gaps."""

    data: bytes | bytearray
    """A bytearray if they are still drawn on."""
    width: int
    channel_count: int = 1
    """Bytes of a pixel."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, len(self.data) // (self.width * self.channel_count)

    def view(self, mode: str = ONE_CHANNEL_MODE) -> CoreImage:
        """Return an image that shares these bytes.  Draw on it only if they are a bytearray.

        ``mode``: Pillow's; it must have as many bytes a pixel.
        """
        return _imaging.map_buffer(self.data, self.size, "raw", 0, (mode, 0, 1))


def make_pixels(width: int, height: int, channel_count: int = 1) -> Pixels:
    """Return pixels to draw on, all zero."""
    return Pixels(bytearray(width * height * channel_count), width, channel_count)


def copy_part(image: CoreImage, box: tuple[int, int, int, int]) -> Pixels:
    """Return a copy of a part of an image with one channel; ``box``: left, top, right and bottom."""
    left, top, right, bottom = box
    width, height = image.size
    part = make_pixels(right - left, bottom - top)
    part.view().paste(image, (-left, -top, width - left, height - top))  # what lies outside is cut off
    return part


class _Codecs(threading.local):
    """Zstandard's compressor and decompressor, one of each for every thread: none may be shared."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=1)
        self.decompressor = zstandard.ZstdDecompressor()


_codecs = _Codecs()
_HEADER_SIZE: Final = 3


def pack_pixels(pixels: Pixels) -> bytes:
    """Return pixels compressed.  May be called from any thread."""
    header = pixels.width.to_bytes(2, "big") + pixels.channel_count.to_bytes(1, "big")
    return header + _codecs.compressor.compress(pixels.data)


def unpack_pixels(packed: bytes) -> Pixels:
    """Return the pixels that ``pack_pixels`` compressed.  May be called from any thread."""
    data = _codecs.decompressor.decompress(packed[_HEADER_SIZE:])
    return Pixels(data, int.from_bytes(packed[:2], "big"), packed[2])
