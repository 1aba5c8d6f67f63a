"""The PNG writer: reading back returns what was written, whatever is cached."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render import png

PALETTE = bytes(range(256)) * 3


@given(st.integers(1, 40), st.integers(1, 80), st.binary(min_size=1, max_size=40), st.booleans())
def test_pixels_survive(width: int, height: int, seed: bytes, forget: bool) -> None:  # noqa: FBT001
    """Pillow reads the same indices and palette that were written."""
    pixels = (seed * (width * height // len(seed) + 1))[: width * height]
    rows = b"".join(b"\0" + pixels[i : i + width] for i in range(0, len(pixels), width))
    if forget:
        png.clear_cache()
    data = png.encode_png(rows, width, height, PALETTE)
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        assert (image.mode, image.size, image.tobytes()) == ("P", (width, height), pixels)
        assert image.getpalette() == list(PALETTE)
        assert not image.info, "no metadata"


def test_rows_of_another_size_are_refused() -> None:
    """A wrong length is an error, not a broken picture."""
    with pytest.raises(ValueError, match="rows"):
        png.encode_png(b"\0\0\0", 4, 4, PALETTE)
