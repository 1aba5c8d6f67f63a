"""Writes palette PNGs band by band, so that unchanged rows are not deflated twice.

PNG specification (third edition): signature, IHDR, PLTE, IDAT, IEND.  The deflate stream is cut into bands
of rows, each closed by a full flush and therefore independent of the rest; every band is one IDAT chunk.
"""

import struct
from collections.abc import Iterable
from typing import Final

import msgspec
from zlib_ng import zlib_ng

from render.cache import ByteCache

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_ZLIB_HEADER: Final = b"\x78\x9c"
_FINAL_BLOCK: Final = b"\x03\x00"
"""An empty final block with fixed Huffman codes."""
_ADLER_MODULUS: Final = 65521
_COMPRESSION_LEVEL: Final = 2
"""Level 1 takes half the time, for files that are a third larger."""


class Band(msgspec.Struct, frozen=True, gc=False):
    """Some rows of a picture, deflated."""

    chunk: bytes
    """The IDAT chunk."""
    rows_checksum: int
    """Adler-32 of the rows before deflating."""
    rows_size: int
    """Bytes of the rows before deflating."""


_BAND_OVERHEAD: Final = 300
"""Bytes that a cached band takes besides its chunk."""
_bands: ByteCache[Band] = ByteCache(23 << 20, size_of=lambda band: len(band.chunk) + _BAND_OVERHEAD)
"""By the digest of what they show; has room for about 160 pictures."""


def join_bands(bands: Iterable[Band], width: int, height: int, palette: bytes) -> bytes:
    """Return the PNG file that consists of these bands, from the top.

    ``palette``: red, green, blue of up to 256 colours.  There is no metadata.
    """
    chunks = [
        _SIGNATURE,
        encode_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        encode_chunk(b"PLTE", palette),
        encode_chunk(b"IDAT", _ZLIB_HEADER),
    ]
    checksum = 1
    for band in bands:
        chunks.append(band.chunk)
        checksum = _combine_checksums(checksum, band.rows_checksum, band.rows_size)
    chunks.append(encode_chunk(b"IDAT", _FINAL_BLOCK + struct.pack(">I", checksum)))
    chunks.append(encode_chunk(b"IEND", b""))
    return b"".join(chunks)


def _combine_checksums(first: int, second: int, size: int) -> int:
    """Return the Adler-32 of two byte strings joined, from that of each; ``size``: length of the second."""
    low, high = first & 0xFFFF, first >> 16
    total = low + (second & 0xFFFF) - 1
    weighted = high + (second >> 16) + size * (low - 1)
    return (weighted % _ADLER_MODULUS) << 16 | total % _ADLER_MODULUS


def encode_chunk(kind: bytes, data: bytes) -> bytes:
    """Return one PNG chunk with its length and checksum."""
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib_ng.crc32(kind + data))))


def find_band(key: bytes) -> Band | None:
    """Return the band with this key, or None if it is not in the cache."""
    return _bands.get(key)


class Deflater:
    """Deflates bands one after the other.  A full flush forgets all that came before it."""

    def __init__(self) -> None:
        self._deflate = zlib_ng.compressobj(_COMPRESSION_LEVEL, zlib_ng.DEFLATED, -zlib_ng.MAX_WBITS)

    def deflate_band(self, rows: bytes | memoryview, key: bytes) -> Band:
        """Return rows deflated as a band, cached under ``key``.  Each row is led by its filter type.

        Most rows repeat much of the row above, so the filter is "none": "up" takes longer for more bytes.
        """
        chunk = encode_chunk(
            b"IDAT", self._deflate.compress(rows) + self._deflate.flush(zlib_ng.Z_FULL_FLUSH)
        )
        band = Band(chunk, zlib_ng.adler32(rows), len(rows))
        _bands.put(key, band)
        return band


def shrink_cache(share: float) -> None:
    """Evict bands until at most this share of the cache's limit is taken."""
    _bands.shrink(share)


def clear_cache() -> None:
    """Empty the cache of bands.  This changes the time that encoding takes, never its result."""
    _bands.clear()
