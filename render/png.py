"""Writes palette PNGs band by band, so that unchanged rows are not deflated twice.

PNG specification (third edition): signature, IHDR, PLTE, IDAT, IEND.  The deflate stream is cut into bands
of rows, each closed by a full flush and therefore independent of the rest; every band is one IDAT chunk.
"""

import hashlib
import struct
import zlib
from typing import Final

from render.cache import ByteCache

BAND_ROWS: Final = 24
"""Rows deflated together: few enough that a move changes few bands, enough to compress well."""
DEFLATE_LEVEL: Final = 6
"""Level 6 is a quarter smaller than level 1; caching the bands pays for its time."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_ZLIB_HEADER: Final = b"\x78\x9c"
_FINAL_BLOCK: Final = b"\x03\x00"
"""An empty last block of fixed codes."""

_bands: ByteCache[bytes] = ByteCache(limit=2 << 20)


def encode_png(rows: bytes, width: int, height: int, palette: bytes) -> bytes:
    """Return a PNG file.  ``rows``: per row one 0 (filter type "none"), then ``width`` palette indices.

    ``palette``: red, green, blue of up to 256 colours.  Equal pixels give equal bytes: there is no metadata.
    """
    stride = width + 1
    if len(rows) != stride * height:
        raise ValueError(f"{len(rows)} bytes are not {height} rows of {stride}")
    step = BAND_ROWS * stride
    chunks = [
        _SIGNATURE,
        encode_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        encode_chunk(b"PLTE", palette),
        encode_chunk(b"IDAT", _ZLIB_HEADER),
    ]
    with memoryview(rows) as view:
        chunks.extend(_encode_band(view[start : start + step]) for start in range(0, len(rows), step))
    chunks.append(encode_chunk(b"IDAT", _FINAL_BLOCK + struct.pack(">I", zlib.adler32(rows))))
    chunks.append(encode_chunk(b"IEND", b""))
    return b"".join(chunks)


def encode_chunk(kind: bytes, data: bytes) -> bytes:
    """Return one PNG chunk with its length and checksum."""
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(kind + data))))


def _encode_band(rows: memoryview) -> bytes:
    key = hashlib.blake2b(rows, digest_size=16).digest()
    band = _bands.get(key)
    if band is None:
        deflate = zlib.compressobj(DEFLATE_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
        band = encode_chunk(b"IDAT", deflate.compress(rows) + deflate.flush(zlib.Z_FULL_FLUSH))
        _bands.put(key, band, len(band))
    return band


def clear_cache() -> None:
    """Empty the cache.  This changes the time that encoding takes, never its result."""
    _bands.clear()
