"""The dice of Australis: each face shows what it brings."""

from functools import lru_cache
from typing import Final

from render.australis.palette import DIE_COLOURS
from render.australis.signs import CARD_SIGN, DIE_SIGNS, FISH
from render.glyphs import draw_glyph
from render.pieces import draw_blank_die
from render.scene import Anchor, Box, Disc, Group, Item, Text, Typeface, make_group, translate
from render.sea_glyphs import WHEEL
from render.theme import HAIRLINE_COLOUR, HAIRLINE_WIDTH, INK, NORMAL_LINE_WIDTH, WHITE
from rules.australis.components import FACE_FACTS, Colour, Die

_MIN_SIZE_WITH_FISH: Final = 50
"""On dice smaller than this there is no fish: the colour alone says what the number counts."""


@lru_cache(maxsize=512)
def draw_die(x: int, y: int, size: int, die: Die) -> Group:
    """Draw a die whose face is centred on (x, y)."""
    return make_group(x, y, draw_die_items(0, 0, size, die))


def draw_die_items(x: float, y: float, size: int, die: Die) -> tuple[Item, ...]:
    """Return the items of a die whose face is centred on (x, y)."""
    body = draw_blank_die(x, y, size, DIE_COLOURS[FACE_FACTS[die].colour])
    return *body, *translate(_face_items(die, size), x, y)


def _face_items(die: Die, size: int) -> tuple[Item, ...]:
    face = FACE_FACTS[die]
    colours = DIE_COLOURS[face.colour]
    dots = _dots(face.circle_count, size)
    middle = -0.14 * size if dots else 0.0
    match face.colour:
        case Colour.WHITE:
            shows_one_card = face.card_count == 1
            height = size * (0.46 if dots else 0.58 if shows_one_card else 0.44)
            card_xs = (0.0,) if shows_one_card else (-0.2 * size, 0.2 * size)
            cards = (item for x in card_xs for item in draw_glyph(CARD_SIGN, x, middle, height, INK, WHITE))
            return *cards, *dots
        case Colour.YELLOW:
            if size < _MIN_SIZE_WITH_FISH:
                return Text(
                    0, middle, str(face.fish), size * 0.66, INK, size, Typeface.BOLD, Anchor.MIDDLE
                ), *dots
            text_size = size * 0.5
            number = Text(
                -0.22 * size, middle, str(face.fish), text_size, INK, size, Typeface.BOLD, Anchor.MIDDLE
            )
            fish = draw_glyph(FISH, 0.2 * size, middle, size * 0.5, INK, colours.front)
            return number, *fish, *dots
        case Colour.RED:
            return draw_glyph(WHEEL, 0, 0, size * 0.76, INK, colours.front)
        case _:
            return (
                Text(0, 0, str(face.number), size * 0.7, colours.ink, size, Typeface.BOLD, Anchor.MIDDLE),
            )


def _dots(count: int, size: int) -> tuple[Item, ...]:
    pitch = size * 0.25
    first_x = -pitch * (count - 1) / 2
    return tuple(Disc(first_x + pitch * i, size * 0.31, size * 0.095, INK) for i in range(count))


@lru_cache(maxsize=128)
def draw_empty_die_place(x: int, y: int, size: int) -> Group:
    """Draw an empty place for a die."""
    return make_group(
        x, y, (Box(-size / 2, -size / 2, size, size, size * 0.18, None, HAIRLINE_COLOUR, HAIRLINE_WIDTH),)
    )


@lru_cache(maxsize=64)
def draw_die_sign(x: int, y: int, colour: Colour, radius: int = 24) -> Group:
    """Draw a disc in a die's colour with the sign of what that die brings."""
    colours = DIE_COLOURS[colour]
    size = radius * {Colour.WHITE: 1.15, Colour.YELLOW: 1.4, Colour.BLUE: 1.6}.get(colour, 1.45)
    sign = draw_glyph(DIE_SIGNS[colour], 0, 0, size, colours.ink, colours.front)
    return make_group(x, y, (Disc(0, 0, radius, colours.front, INK, NORMAL_LINE_WIDTH), *sign))


@lru_cache(maxsize=64)
def draw_unrolled_die(x: int, y: int, size: int, colour: Colour) -> Group:
    """Draw a die that is still to be rolled."""
    return make_group(x, y, draw_blank_die(0, 0, size, DIE_COLOURS[colour]))


@lru_cache(maxsize=256)
def draw_rolled_die(
    x: int, y: int, size: int, colour: Colour, value: int, *, is_removed: bool, has_bonus: bool
) -> Group:
    """Draw a number die of the competition; ``is_removed``: this roll removed it, so it is hollow."""
    colours = DIE_COLOURS[colour]
    items: list[Item] = []
    if is_removed:
        items.append(
            Box(-size / 2, -size / 2, size, size, size * 0.18, colours.front, INK, NORMAL_LINE_WIDTH)
        )
        inner = size * 0.66
        items.append(Box(-inner / 2, -inner / 2, inner, inner, size * 0.12, WHITE, INK, HAIRLINE_WIDTH))
        items.append(Text(0, 0, str(value), max(24.0, size * 0.54), INK, size, Typeface.BOLD, Anchor.MIDDLE))
    else:
        items += draw_blank_die(0, 0, size, colours)
        items.append(Text(0, 0, str(value), size * 0.7, colours.ink, size, Typeface.BOLD, Anchor.MIDDLE))
    if has_bonus:
        items += _bonus_chip(size * 0.5, size * 0.44)
    return make_group(x, y, tuple(items))


def _bonus_chip(x: float, y: float) -> tuple[Item, ...]:
    return (
        Box(x - 21, y - 15, 42, 30, 15, WHITE, INK, 2.2),
        Text(x, y, "+1", 24, INK, 40, Typeface.BOLD, Anchor.MIDDLE),
    )
