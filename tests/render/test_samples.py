"""The README's pictures are what the program draws."""

import io
from typing import Final

import pytest
from PIL import Image, ImageChops, ImageSequence

from tests.render.samples import FOLDER, sample_files

NAMES: Final = sorted(path.name for path in FOLDER.iterdir())
MAX_BYTES: Final = 400_000
"""A reader of the README waits for each of them."""


def frames_of(data: bytes) -> list[Image.Image]:
    """Return each frame of a picture; most have one."""
    with Image.open(io.BytesIO(data)) as image:
        return [frame.convert("RGB") for frame in ImageSequence.Iterator(image)]


def differing_pixels(one: Image.Image, other: Image.Image) -> int:
    """Return how many pixels of two pictures of one size have other colours."""
    red, green, blue = ImageChops.difference(one, other).split()
    equal = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()[0]
    return one.width * one.height - equal


@pytest.mark.parametrize("name", NAMES)
def test_the_readmes_pictures_are_current(name: str) -> None:
    """At most one pixel in a hundred differs (another FreeType smooths a little differently)."""
    kept = (FOLDER / name).read_bytes()
    assert len(kept) <= MAX_BYTES
    for old, new in zip(frames_of(kept), frames_of(sample_files()[name]), strict=True):
        assert old.size == new.size
        limit = new.width * new.height / 100
        assert differing_pixels(old, new) <= limit, "run: python -m tests.render.samples"


def test_differing_pixels_are_counted() -> None:
    """A pixel counts once, whichever of its colours differ and however little."""
    one = Image.new("RGB", (3, 2), (9, 9, 9))
    other = one.copy()
    assert differing_pixels(one, other) == 0
    other.putpixel((0, 0), (10, 8, 0))
    other.putpixel((2, 1), (9, 9, 10))
    assert differing_pixels(one, other) == 2


def test_every_picture_of_the_docs_is_a_sample() -> None:
    """The folder holds nothing that the program does not draw anew."""
    assert set(NAMES) == set(sample_files())
