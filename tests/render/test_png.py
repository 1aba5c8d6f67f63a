"""The PNG writer: reading back returns what was written, whatever is cached."""

import io
import zlib

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render import png

PALETTE = bytes(range(256)) * 3


def encode(rows: bytes, width: int, height: int, band_rows: int) -> bytes:
    """Return a PNG of rows that are led by their filter types."""
    deflater, step = png.Deflater(), band_rows * (width + 1)
    parts = [rows[start : start + step] for start in range(0, len(rows), step)]
    bands = [png.find_band(part) or deflater.deflate_band(part, part) for part in parts]
    return png.join_bands(bands, width, height, PALETTE)


@given(
    width=st.integers(1, 40),
    height=st.integers(1, 80),
    band_rows=st.integers(1, 30),
    pattern=st.binary(min_size=1, max_size=40),
    clears_cache=st.booleans(),
)
def test_pixels_survive(
    width: int, height: int, band_rows: int, pattern: bytes, *, clears_cache: bool
) -> None:
    """Pillow reads the same indices and palette that were written, however the rows are cut into bands."""
    pixels = (pattern * (width * height // len(pattern) + 1))[: width * height]
    rows = b"".join(b"\0" + pixels[i : i + width] for i in range(0, len(pixels), width))
    if clears_cache:
        png.clear_cache()
    data = encode(rows, width, height, band_rows)
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        assert (image.mode, image.size, image.tobytes()) == ("P", (width, height), pixels)
        assert image.getpalette() == list(PALETTE)
        assert not image.info, "no metadata"
    png.clear_cache()
    assert encode(rows, width, height, band_rows) == data


@given(st.binary(max_size=3000), st.integers(1, 70))
def test_the_checksum_is_that_of_all_rows(rows: bytes, band_size: int) -> None:
    """Pillow does not look at it, other readers do."""
    deflater = png.Deflater()
    bands = [deflater.deflate_band(rows[i : i + band_size], b"") for i in range(0, len(rows), band_size)]
    data = png.join_bands(bands, 1, 1, PALETTE)
    stream = b"".join(part for kind, part in chunks_of(data) if kind == b"IDAT")
    assert zlib.decompress(stream) == rows


def chunks_of(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return kind and data of each chunk."""
    chunks, offset = [], 8
    while offset < len(data):
        size = int.from_bytes(data[offset : offset + 4], "big")
        chunks.append((data[offset + 4 : offset + 8], data[offset + 8 : offset + 8 + size]))
        offset += size + 12
    return chunks
