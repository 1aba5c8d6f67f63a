"""A player's own sea board as a picture: dice and cards by colour, schools of fish, points."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from render import parts
from render.australis.changes import collect_changes, flag_new_dice
from render.australis.dice import draw_die, draw_empty_die_place
from render.australis.palette import DIE_COLOURS, PALETTE
from render.australis.schools import draw_schools, draw_schools_background
from render.australis.signs import (
    DIE_SIGNS,
    FUNCTION_SIGNS,
    TROPHY,
)
from render.australis.totals import draw_totals, draw_totals_background
from render.caption import Caption
from render.choice_marks import draw_choice_mark
from render.glyphs import draw_glyph
from render.picture import PictureContext
from render.pieces import DIE_DEPTH
from render.scene import (
    Box,
    Group,
    Item,
    Layer,
    Line,
    Polygon,
    Scene,
    Text,
    Typeface,
    make_group,
)
from render.theme import (
    BODY_SIZE,
    CARD,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    MARGIN,
    NAME_SIZE,
    NORMAL_LINE_WIDTH,
    PANEL,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    SHADOW,
    SMALL_PICTURE_HEIGHT,
)
from rules.australis.actions import ActivateCard
from rules.australis.components import (
    CARD_FACTS,
    COMPETITION_CARDS,
    FACE_FACTS,
    MAX_CARDS_PER_COLOUR,
    ROUND_COUNT,
    Card,
    CardFunction,
    Colour,
    Die,
)
from rules.australis.model import AustralisView, Phase, Position, SeaBoard
from rules.model import Seat

_COLUMNS_TOP: Final = 106
_COLUMN_WIDTH: Final = 218
_COLUMN_PITCH: Final = 231
_COLUMN_HEIGHT: Final = 410
_HEAD_HEIGHT: Final = 54
_DICE_MIDDLE: Final = 96
_SLOTS_TOP: Final = 138
"""The y of the dice and of the first slot, from the top of a column."""
_SLOT_HEIGHT: Final = 80
_SLOT_PITCH: Final = 89
_COLUMN_TITLES: Final = {
    Colour.WHITE: "Cards",
    Colour.YELLOW: "Fish",
    Colour.BLUE: "Turtle",
    Colour.PURPLE: "Coral",
    Colour.RED: "Start",
}
_FUNCTION_TEXTS: Final = {
    CardFunction.POINTS: "2 points",
    CardFunction.FISH: "1 fish",
    CardFunction.TURTLE: "1 space",
    CardFunction.CORAL: "1 coral",
}


def draw_sea_board(view: AustralisView, context: PictureContext) -> Scene:
    """Draw the sea board of the context's subject."""
    position, caption = view.position, context.caption
    seat = context.subject if context.subject is not None else Seat(0)
    board = position.boards[seat]
    shows_tile_points = view.viewer == seat or position.phase is Phase.OVER
    layers = parts.join_layers(
        _draw_title(position, caption, seat),
        _draw_columns(board, seat, context),
        draw_schools(board.fish, board.cube_count),
        draw_totals(
            board, seat, has_token=position.token_holder == seat, shows_tile_points=shows_tile_points
        ),
    )
    return Scene(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT, PAPER, layers, _draw_static_layers(), PALETTE)


@lru_cache(maxsize=1)
def _draw_static_layers() -> tuple[Layer, ...]:
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT),
        *(_draw_column_background(index, colour) for index, colour in enumerate(Colour)),
        draw_schools_background(),
        draw_totals_background(),
    )


def _draw_title(position: Position, caption: Caption, seat: Seat) -> tuple[Layer, ...]:
    round_text = f"round {position.round} of {ROUND_COUNT}" if position.round else "set-up"
    note = caption.note_with_game("Australis", round_text)
    suffix = " resigned" if position.boards[seat].resigned else ""
    return parts.draw_title_bar(PICTURE_WIDTH, "Sea board", note, caption.seat_name(seat), suffix, seat)


# Columns ----------------------------------------------------------------------------------------------------


def _column_left(index: int) -> int:
    return MARGIN + _COLUMN_PITCH * index


def _draw_column_background(index: int, colour: Colour) -> Group:
    colours = DIE_COLOURS[colour]
    width, radius = _COLUMN_WIDTH, 14
    return make_group(
        _column_left(index),
        _COLUMNS_TOP,
        (
            Box(0, 0, width, _COLUMN_HEIGHT, radius, PANEL),
            Box(0, 0, width, 2 * radius, radius, colours.front),
            Polygon((0, radius, width, radius, width, _HEAD_HEIGHT, 0, _HEAD_HEIGHT), colours.front),
            Line((1, _HEAD_HEIGHT, width - 1, _HEAD_HEIGHT), INK, NORMAL_LINE_WIDTH),
            Box(0, 0, width, _COLUMN_HEIGHT, radius, None, INK, NORMAL_LINE_WIDTH),
            *draw_glyph(DIE_SIGNS[colour], 36, _HEAD_HEIGHT / 2, 42, colours.ink, colours.front),
            Text(
                68,
                _HEAD_HEIGHT / 2,
                _COLUMN_TITLES[colour],
                NAME_SIZE,
                colours.ink,
                width - 80,
                Typeface.BOLD,
            ),
        ),
    )


def _draw_columns(board: SeaBoard, seat: Seat, context: PictureContext) -> tuple[Group, ...]:
    """Draw dice and cards, with halos round those that the newest turn brought."""
    changes = collect_changes(context.recent_events)
    flagged_dice = flag_new_dice(board.dice, changes.taken_dice.get(seat, ()))
    new_cards = frozenset(card for owner, card in changes.kept_cards if owner == seat)
    choosable = frozenset(choice.card for choice in context.choices if isinstance(choice, ActivateCard))
    layers: list[Group] = []
    for index, colour in enumerate(Colour):
        x = _column_left(index)
        layers += _draw_dice(
            x, tuple((die, is_new) for die, is_new in flagged_dice if FACE_FACTS[die].colour is colour)
        )
        if colour is Colour.RED:
            layers += _draw_competition_cards(x, board.cards, new_cards)
        else:
            cards = [
                card
                for card in board.cards
                if CARD_FACTS[card].colour is colour
                and CARD_FACTS[card].function is not CardFunction.COMPETITION
            ]
            layers += _draw_cards(x, cards, choosable, new_cards)
    return tuple(layers)


def _draw_dice(x: int, dice: tuple[tuple[Die, bool], ...]) -> Iterable[Group]:
    """Draw a column's dice, with halos round new ones."""
    size = 54 if len(dice) < 4 else 44
    pitch = size + 10
    first_x = x + _COLUMN_WIDTH // 2 - pitch * (max(1, len(dice)) - 1) // 2
    y = _COLUMNS_TOP + _DICE_MIDDLE
    if not dice:
        yield draw_empty_die_place(first_x, y, 50)
    for index, (die, is_new) in enumerate(dice):
        die_x = first_x + pitch * index
        if is_new:
            height = size + round(size * DIE_DEPTH)
            yield parts.draw_box_halo(die_x - size // 2, y - 3 - size // 2, size, height, 9)
        yield draw_die(die_x, y - 3, size, die)


def _draw_cards(
    x: int, cards: list[Card], choosable: frozenset[Card], new_cards: frozenset[Card]
) -> Iterable[Group]:
    for index in range(max(MAX_CARDS_PER_COLOUR, len(cards))):
        y = _COLUMNS_TOP + _SLOTS_TOP + _SLOT_PITCH * index
        if index >= len(cards):
            yield _draw_empty_slot(x, y)
            continue
        card = cards[index]
        yield from _draw_card_background(x, y, is_new=card in new_cards)
        yield _draw_kept_card(x, y, CARD_FACTS[card].function)
        if card in choosable:
            yield draw_choice_mark(x + 14, y + 3, _COLUMN_WIDTH - 28, _SLOT_HEIGHT - 8, 8)


@lru_cache(maxsize=64)
def _draw_card_background(x: int, y: int, *, is_new: bool) -> tuple[Group, ...]:
    """Draw the shadow of a kept card, and a halo round a new one."""
    shadow = make_group(x + 10, y, (Box(3, 5, _COLUMN_WIDTH - 20, _SLOT_HEIGHT, 10, SHADOW),))
    halo = parts.draw_box_halo(x + 13, y + 3, _COLUMN_WIDTH - 26, _SLOT_HEIGHT - 6, 8)
    return (shadow, halo) if is_new else (shadow,)


@lru_cache(maxsize=64)
def _draw_empty_slot(x: int, y: int) -> Group:
    box = Box(0, 0, _COLUMN_WIDTH - 20, _SLOT_HEIGHT, 10, None, HAIRLINE_COLOUR, HAIRLINE_WIDTH)
    return make_group(x + 10, y, (box,))


@lru_cache(maxsize=64)
def _draw_kept_card(x: int, y: int, function: CardFunction) -> Group:
    width = _COLUMN_WIDTH - 20
    size = {CardFunction.POINTS: 50, CardFunction.FISH: 58}.get(function, 60)
    return make_group(
        x + 10,
        y,
        (
            Box(0, 0, width, _SLOT_HEIGHT, 10, CARD, INK, NORMAL_LINE_WIDTH),
            *draw_glyph(FUNCTION_SIGNS[function], 40, _SLOT_HEIGHT / 2, size, INK, CARD),
            Text(78, _SLOT_HEIGHT / 2, _FUNCTION_TEXTS[function], BODY_SIZE, INK, width - 84),
        ),
    )


def _draw_competition_cards(x: int, cards: tuple[Card, ...], new_cards: frozenset[Card]) -> Iterable[Group]:
    new_colours = {
        CARD_FACTS[card].colour for card in new_cards if CARD_FACTS[card].function is CardFunction.COMPETITION
    }
    kept_colours = {
        CARD_FACTS[card].colour for card in cards if CARD_FACTS[card].function is CardFunction.COMPETITION
    }
    for index, colour in enumerate(COMPETITION_CARDS):
        y = _COLUMNS_TOP + _SLOTS_TOP + _SLOT_PITCH * index
        if colour in kept_colours:
            yield from _draw_card_background(x, y, is_new=colour in new_colours)
        yield _draw_competition_card(x, y, colour, is_kept=colour in kept_colours)


@lru_cache(maxsize=64)
def _draw_competition_card(x: int, y: int, colour: Colour, *, is_kept: bool) -> Group:
    """Draw the card that adds one to dice of a colour in the competition, or its place."""
    width = _COLUMN_WIDTH - 20
    colours = DIE_COLOURS[colour]
    middle = _SLOT_HEIGHT / 2
    if not is_kept:
        items: tuple[Item, ...] = (
            Box(0, 0, width, _SLOT_HEIGHT, 10, None, HAIRLINE_COLOUR, HAIRLINE_WIDTH),
            Box(width / 2 - 44, middle - 16, 32, 32, 7, colours.front),
            Text(width / 2 + 4, middle, "+1", BODY_SIZE, SECONDARY_INK, 60, Typeface.BOLD),
        )
    else:
        items = (
            Box(0, 0, width, _SLOT_HEIGHT, 10, colours.front, INK, NORMAL_LINE_WIDTH),
            *draw_glyph(TROPHY, 52, middle, 46, colours.ink, colours.front),
            Text(92, middle, "+1", 44, colours.ink, 90, Typeface.BOLD),
        )
    return make_group(x + 10, y, items)
