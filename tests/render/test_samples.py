"""The README's pictures are what the program draws."""

import io

import pytest
from PIL import Image

from render import paint
from tests.render.samples import FOLDER, sample_scenes


@pytest.mark.parametrize("name", sample_scenes())
def test_the_readmes_pictures_are_current(name: str) -> None:
    """At most one pixel in a hundred differs (another FreeType smooths a little differently)."""
    with (
        Image.open(FOLDER / name) as kept,
        Image.open(io.BytesIO(paint.render_png(sample_scenes()[name]))) as drawn,
    ):
        old, new = kept.convert("RGB").tobytes(), drawn.convert("RGB").tobytes()
    assert len(old) == len(new)
    differing = sum(old[i : i + 3] != new[i : i + 3] for i in range(0, len(new), 3))
    assert differing <= len(new) / 3 / 100, "run: python -m tests.render.samples"
