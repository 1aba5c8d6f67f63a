"""The pictures of the README and the documents are what the program draws."""

import io
from typing import Final

import pytest
from PIL import Image, ImageChops, ImageSequence

from tests.render.samples import PICTURES_FOLDER, sample_files

FILE_NAMES: Final = sorted(path.name for path in PICTURES_FOLDER.iterdir())
MAX_BYTES: Final = 400_000
"""A reader of the README waits for each of them."""


def frames_of(data: bytes) -> list[Image.Image]:
    """Return each frame of a picture; most have one."""
    with Image.open(io.BytesIO(data)) as image:
        return [frame.convert("RGB") for frame in ImageSequence.Iterator(image)]


def count_differing_pixels(first: Image.Image, second: Image.Image) -> int:
    """Return how many pixels of two pictures of one size have other colours."""
    red, green, blue = ImageChops.difference(first, second).split()
    equal = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()[0]
    return first.width * first.height - equal


@pytest.mark.usefixtures("_kerning")
@pytest.mark.parametrize("name", FILE_NAMES)
def test_the_pictures_of_documents_are_current(name: str) -> None:
    """At most one pixel in a hundred differs (another FreeType smooths a little differently)."""
    stored = (PICTURES_FOLDER / name).read_bytes()
    assert len(stored) <= MAX_BYTES
    for old, new in zip(frames_of(stored), frames_of(sample_files()[name]), strict=True):
        assert old.size == new.size
        limit = new.width * new.height / 100
        assert count_differing_pixels(old, new) <= limit, "run: python -m tests.render.samples"


def test_differing_pixels_are_counted() -> None:
    """A pixel counts once, whichever of its colours differ and however little."""
    first = Image.new("RGB", (3, 2), (9, 9, 9))
    second = first.copy()
    assert count_differing_pixels(first, second) == 0
    second.putpixel((0, 0), (10, 8, 0))
    second.putpixel((2, 1), (9, 9, 10))
    assert count_differing_pixels(first, second) == 2


def test_every_picture_of_the_docs_is_a_sample() -> None:
    """The folder holds nothing that the program does not draw anew."""
    assert set(FILE_NAMES) == set(sample_files())
