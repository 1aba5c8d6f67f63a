"""The right column of the board: dice, competition tiles, display of cards."""

from collections import Counter
from functools import lru_cache
from typing import Final

from render import parts
from render.australis import layout
from render.australis.cards import CARD_RADIUS, draw_advantage_card, draw_empty_card_place, draw_tile
from render.australis.changes import Changes
from render.australis.dice import draw_die, draw_die_sign, draw_empty_die_place, draw_unrolled_die
from render.australis.layout import (
    DIE_ROW_COLOURS,
    DIE_SIZE,
    RIGHT_COLUMN_LEFT,
    RIGHT_COLUMN_WIDTH,
    card_corner,
    die_spot,
)
from render.australis.signs import TROPHY, draw_food_cube
from render.glyphs import draw_glyph
from render.scene import Anchor, Box, Disc, Group, Layer, Text, Typeface, make_group
from render.sea_glyphs import WHEEL
from render.symbols import draw_cards_sign
from render.text_fit import fit_text_and_width
from render.theme import BODY_SIZE, INK, SECONDARY_INK, VALUE_SIZE, WATER, WHITE
from rules.australis.components import (
    DISPLAY_SIZE,
    FACE_FACTS,
    LAST_ROUND_WITH_CUBE,
    ROUND_COUNT,
    TILE_POINTS,
    Colour,
    TileColour,
)
from rules.australis.model import Phase, Position

_UNROLLED_PHASES: Final = (Phase.FIRST_PLAYER, Phase.ROLL)
"""Phases in which dice are not rolled yet: their faces mean nothing."""
_DIE_WORDS: Final = {
    Colour.WHITE: "cards",
    Colour.YELLOW: "fish",
    Colour.BLUE: "turtle",
    Colour.PURPLE: "coral",
    Colour.RED: "starts next",
}
_DIE_WORD_X: Final = die_spot(Colour.WHITE, 2)[0] - DIE_SIZE // 2


@lru_cache(maxsize=4)
def draw_static_layers(seat_count: int) -> tuple[Layer, ...]:
    """Draw what never changes: the places of dice, signs of their colours, the box of tiles, and headings."""
    places = [
        draw_empty_die_place(*die_spot(colour, index), DIE_SIZE)
        for colour in DIE_ROW_COLOURS
        for index in range(1 if colour is Colour.RED else seat_count)
    ]
    signs = [
        draw_die_sign(RIGHT_COLUMN_LEFT + 24, layout.die_row_middle(colour), colour)
        for colour in DIE_ROW_COLOURS
    ]
    die_words = [_draw_die_word(colour) for colour in DIE_ROW_COLOURS] if seat_count == 2 else []
    box = Box(0, 0, RIGHT_COLUMN_WIDTH, layout.TILES_BOX_HEIGHT, 14, WATER)
    return (
        *places,
        *signs,
        *die_words,
        make_group(RIGHT_COLUMN_LEFT, layout.TILES_BOX_TOP, (box,)),
        make_group(
            RIGHT_COLUMN_LEFT + 36, layout.TILES_BOX_TOP + 27, draw_glyph(TROPHY, 0, 0, 32, INK, WATER)
        ),
        _draw_heading(RIGHT_COLUMN_LEFT + 62, layout.TILES_BOX_TOP + 27, "Competition"),
        _draw_heading(RIGHT_COLUMN_LEFT + 6, layout.CARDS_TITLE_MIDDLE, "Cards"),
    )


def _draw_die_word(colour: Colour) -> Group:
    """Draw in words what a die of a colour brings; only two seats leave room for this."""
    text = Text(0, 0, _DIE_WORDS[colour], BODY_SIZE, SECONDARY_INK, 150)
    return make_group(_DIE_WORD_X, layout.die_row_middle(colour), (fit_text_and_width(text),))


def _draw_heading(x: int, y: int, text: str) -> Group:
    return make_group(x, y, (fit_text_and_width(Text(0, 0, text, 32, INK, 220, Typeface.ITALIC)),))


def draw_right_column(position: Position, changes: Changes) -> tuple[Layer, ...]:
    """Draw what can be taken from the board: dice, tiles, cards; and the piles."""
    return parts.join_layers(
        _draw_dice(position),
        _draw_tiles(position),
        _draw_display(position, changes),
        _draw_piles(len(position.draw_pile), len(position.discard_pile)),
    )


def _draw_dice(position: Position) -> tuple[Group, ...]:
    layers: list[Group] = []
    counts: Counter[Colour] = Counter()
    for die in position.dice:
        colour = FACE_FACTS[die].colour
        spot = die_spot(colour, counts[colour])
        if position.phase in _UNROLLED_PHASES and colour is not Colour.RED:
            layers.append(draw_unrolled_die(*spot, DIE_SIZE, colour))
        else:
            layers.append(draw_die(*spot, DIE_SIZE, die))
        counts[colour] += 1
    if position.token_holder is None and position.phase is not Phase.OVER:
        layers.append(_draw_token(die_spot(Colour.RED, 1)[0], layout.die_row_middle(Colour.RED)))
    return tuple(layers)


@lru_cache(maxsize=2)
def _draw_token(x: int, y: int) -> Group:
    return make_group(x, y, (Disc(0, 0, 29, INK), *draw_glyph(WHEEL, 0, 0, 46, WHITE, INK)))


def _draw_tiles(position: Position) -> tuple[Group, ...]:
    if not position.round:
        return ()
    if position.phase is Phase.OVER:
        held_count = 0 if position.competition is None else position.competition.round
        return (_draw_rounds_left(ROUND_COUNT - held_count),)
    layers = [
        draw_tile(*layout.tile_corner(index), colour, TILE_POINTS[colour][position.round - 1])
        for index, colour in enumerate((TileColour.GOLD, TileColour.SILVER))
    ]
    if position.round <= LAST_ROUND_WITH_CUBE:
        x, y = layout.tile_corner(1)
        layers.append(_draw_tile_cube(x + layout.TILE_WIDTH + 28, y + layout.TILE_HEIGHT // 2))
    layers.append(_draw_rounds_left(ROUND_COUNT - position.round + 1))
    return tuple(layers)


@lru_cache(maxsize=2)
def _draw_tile_cube(x: int, y: int) -> Group:
    return make_group(x, y, draw_food_cube(0, 0, 38))


@lru_cache(maxsize=8)
def _draw_rounds_left(count: int) -> Group:
    text = Text(0, 0, f"{count} left", 28, SECONDARY_INK, 120, Typeface.SANS, Anchor.RIGHT)
    return make_group(
        RIGHT_COLUMN_LEFT + RIGHT_COLUMN_WIDTH - 20, layout.TILES_BOX_TOP + 27, (fit_text_and_width(text),)
    )


def _draw_display(position: Position, changes: Changes) -> tuple[Group, ...]:
    halos: list[Group] = []
    cards: list[Group] = []
    new_cards = Counter(changes.revealed_cards)
    for index in range(DISPLAY_SIZE):
        corner = card_corner(index)
        if index >= len(position.display):
            cards.append(draw_empty_card_place(*corner))
            continue
        card = position.display[index]
        cards += draw_advantage_card(*corner, card)
        if new_cards[card] > 0:
            new_cards[card] -= 1
            halos.append(parts.draw_box_halo(*corner, layout.CARD_WIDTH, layout.CARD_HEIGHT, CARD_RADIUS))
    return *halos, *cards


@lru_cache(maxsize=256)
def _draw_piles(draw_pile_size: int, discard_pile_size: int) -> tuple[Group, ...]:
    y = layout.CARDS_TITLE_MIDDLE
    layers: list[Group] = []
    for x, count, dark in (
        (RIGHT_COLUMN_LEFT + 196, draw_pile_size, True),
        (RIGHT_COLUMN_LEFT + 288, discard_pile_size, False),
    ):
        sign = draw_cards_sign(0, 0, 32, dark=dark)
        number = Text(20, 0, str(count), VALUE_SIZE - 2, INK, 60, Typeface.BOLD)
        layers.append(make_group(x, y, (*sign, number)))
    return tuple(layers)
