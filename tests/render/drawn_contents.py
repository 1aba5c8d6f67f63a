"""Reads what layers show in a picture: their texts, and where they cover it."""

from collections.abc import Sequence

from PIL import Image, ImageChops

from render import typeset
from render.scene import Group, Layer, Text
from render.sprites import draw_sprite
from render.theme import PICTURE_WIDTH


def drawn_texts(layers: Sequence[Layer]) -> list[str]:
    """Return all texts of layers as they are drawn."""
    groups = [layer for layer in layers if isinstance(layer, Group)]
    return [typeset.fit_text(item).text for each in groups for item in each.items if isinstance(item, Text)]


def coverage(groups: Sequence[Group]) -> Image.Image:
    """Return a mask of where groups cover a picture that is as high as it is wide."""
    covered = Image.new("L", (PICTURE_WIDTH, PICTURE_WIDTH))
    for each in groups:
        sprite = draw_sprite(each)
        image = Image.frombytes("L" if sprite.channel_count == 1 else "RGBA", sprite.size, sprite.data)
        shape = image.getchannel(image.getbands()[-1])
        box = (each.x, each.y, each.x + each.width, each.y + each.height)
        covered.paste(ImageChops.lighter(covered.crop(box), shape), box)
    return covered
