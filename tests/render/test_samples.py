"""The README's pictures are what the program draws."""

import io
from typing import Final

import pytest
from PIL import Image, ImageSequence

from tests.render.samples import FOLDER, sample_files

NAMES: Final = sorted(path.name for path in FOLDER.iterdir())
MAX_BYTES: Final = 400_000
"""A reader of the README waits for each of them."""


def frames_of(data: bytes) -> list[bytes]:
    """Return the colours of each frame of a picture; most have one."""
    with Image.open(io.BytesIO(data)) as image:
        return [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(image)]


@pytest.mark.parametrize("name", NAMES)
def test_the_readmes_pictures_are_current(name: str) -> None:
    """At most one pixel in a hundred differs (another FreeType smooths a little differently)."""
    kept = (FOLDER / name).read_bytes()
    assert len(kept) <= MAX_BYTES
    for old, new in zip(frames_of(kept), frames_of(sample_files()[name]), strict=True):
        assert len(old) == len(new)
        differing = sum(old[i : i + 3] != new[i : i + 3] for i in range(0, len(new), 3))
        assert differing <= len(new) / 3 / 100, "run: python -m tests.render.samples"


def test_every_picture_of_the_docs_is_a_sample() -> None:
    """The folder holds nothing that the program does not draw anew."""
    assert set(NAMES) == set(sample_files())
