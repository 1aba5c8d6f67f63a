"""Pixels share their bytes with Pillow's images, and come out of a cache as they went in."""

import pytest
from PIL import Image

from render.pixels import Pixels, copy_part, make_pixels, pack_pixels, unpack_pixels

WIDTH, HEIGHT = 7, 5


def make_ramp() -> Pixels:
    """Return pixels that all differ."""
    return Pixels(bytes(range(WIDTH * HEIGHT)), WIDTH)


def test_what_is_drawn_on_a_view_is_drawn_on_the_pixels() -> None:
    """Row by row from the top, with nothing between the rows, whatever the width."""
    pixels = make_pixels(WIDTH, HEIGHT)
    pixels.view().paste(9, (1, 0, 3, 2))
    row = bytes([0, 9, 9, 0, 0, 0, 0])
    assert pixels.data == row + row + bytes(WIDTH * (HEIGHT - 2))


def test_all_views_show_the_same_bytes() -> None:
    """What is drawn in one mode is read in another of as many channels."""
    pixels = make_pixels(WIDTH, HEIGHT, 4)
    pixels.view("RGBX").paste((1, 2, 3, 4), (2, 1, 3, 2))
    assert pixels.view("RGBa").size == (WIDTH, HEIGHT)
    assert pixels.view("RGBa").getpixel((2, 1)) == (1, 2, 3, 4)
    assert sum(pixels.data) == 10


@pytest.mark.parametrize("box", [(0, 0, WIDTH, HEIGHT), (2, 1, 6, 4), (6, 4, 7, 5)])
def test_a_part_is_copied(box: tuple[int, int, int, int]) -> None:
    """It has the pixels that Pillow crops; drawing on it leaves the whole as it was."""
    whole = make_ramp()
    part = copy_part(whole.view(), box)
    assert bytes(part.data) == Image.frombytes("L", (WIDTH, HEIGHT), whole.data).crop(box).tobytes()
    part.view().paste(200, (0, 0, *part.size))
    assert whole == make_ramp()


@pytest.mark.parametrize("channel_count", [1, 4])
def test_pixels_are_unpacked_as_they_were_packed(channel_count: int) -> None:
    """Size, channels and bytes are the same."""
    pixels = make_pixels(WIDTH, HEIGHT, channel_count)
    pixels.data[5:9] = b"abcd"  # type: ignore[index]
    unpacked = unpack_pixels(pack_pixels(pixels))
    assert (unpacked, unpacked.size) == (pixels, (WIDTH, HEIGHT))
