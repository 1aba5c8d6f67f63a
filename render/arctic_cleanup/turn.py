"""The picture for choosing a card or a token: the viewer's own board, and below it the map."""

from functools import lru_cache
from typing import Final

from render import parts
from render.arctic_cleanup import sea
from render.arctic_cleanup.board import choosable_hexes, draw_bag, draw_title
from render.arctic_cleanup.changes import Changes
from render.arctic_cleanup.layout import TURN_MAP
from render.arctic_cleanup.own_board import (
    DOUBLED_TEXT,
    FLEET_LEFT,
    FLEET_WIDTH,
    draw_factory,
    draw_fleet,
    points_unit,
)
from render.arctic_cleanup.palette import PALETTE
from render.arctic_cleanup.pieces import draw_rose_numbers, draw_token
from render.arctic_cleanup.signs import CARD_SIGNS
from render.choice_marks import draw_choice_mark
from render.glyphs import draw_glyph
from render.picture import PictureContext, highlighted_seat
from render.scene import Anchor, Box, Disc, Group, Item, Layer, Scene, Text, Typeface, make_group
from render.symbols import draw_compass_rose
from render.text_fit import fit_text_and_width
from render.theme import (
    BODY_SIZE,
    CARD,
    DEEP_BLUE,
    INK,
    NORMAL_LINE_WIDTH,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    SHADOW,
    WHITE,
)
from rules.arctic_cleanup.actions import CARD_BY_OPERATION, LoadToken, PlayWithoutEffect
from rules.arctic_cleanup.components import PLASTICS, Card
from rules.arctic_cleanup.ending import board_points
from rules.arctic_cleanup.model import ArcticCleanUpView, PlayerBoard
from rules.arctic_cleanup.phrases import CARD_NAMES, plastic_name
from rules.model import Action, Seat

_HEIGHT: Final = 1620
_CARD_TOP: Final = 386
_CARD_WIDTH: Final = 116
_CARD_HEIGHT: Final = 174
_CARD_PITCH: Final = 121
_POINTS_TOP: Final = 578
_LEGEND_TOKEN_X: Final = 66
_ROSE_SPOT: Final = (PICTURE_WIDTH - 104, 950)
_BAG_SPOT: Final = (PICTURE_WIDTH - 104, 1250)


def turn_picture_helps_to_choose(view: ArcticCleanUpView, choices: tuple[Action, ...]) -> bool:
    """Whether cards, or tokens to load, can be chosen.

    To decide, the viewer needs both their own board and the map.
    """
    return any(isinstance(choice, PlayWithoutEffect | LoadToken) for choice in choices)


def draw_turn(view: ArcticCleanUpView, context: PictureContext) -> Scene:
    """Draw a player's board above the map, with marks for what can be chosen.

    It is the viewer's own; for a bystander that of the seat to act.
    """
    position, caption, choices = view.position, context.caption, context.choices
    seat = view.viewer if view.viewer is not None else highlighted_seat(position) or Seat(0)
    board = position.boards[seat]
    factories = {player_board.factory for player_board in position.boards}
    choosable = choosable_hexes(position, choices)
    layers = parts.join_layers(
        draw_title(position, caption),
        draw_factory(board, seat, choices if view.viewer is not None else ()),
        draw_fleet(board, seat),
        _draw_cards(board, _choosable_cards(choices)),
        _draw_spare_dice_and_points(board),
        *(sea.draw_hex_choice_mark(TURN_MAP, place) for place in choosable if place not in factories),
        sea.draw_factories(position, TURN_MAP, Changes(), choosable),
        sea.draw_ships(position, TURN_MAP),
        sea.draw_tokens(position, TURN_MAP, Changes()),
        draw_bag(len(position.bag), _BAG_SPOT),
    )
    static_layers = _draw_static_layers(len(position.boards))
    return Scene(PICTURE_WIDTH, _HEIGHT, PAPER, layers, static_layers, PALETTE)


@lru_cache(maxsize=4)
def _draw_static_layers(seat_count: int) -> tuple[Layer, ...]:
    x, y = _ROSE_SPOT
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, _HEIGHT),
        sea.draw_static_layers(TURN_MAP, seat_count),
        make_group(x, y, draw_compass_rose(0, 0, 44, (-90.0, 90.0))),
        draw_rose_numbers(x, y, 66),
        _draw_token_legend(),
    )


def _draw_token_legend() -> tuple[Group, ...]:
    """Draw every plastic with its name, one below the other, at the left of the map."""
    groups: list[Group] = []
    y = TURN_MAP.y - 5 * 46
    for points in (2, 3):
        y += 8
        groups.append(
            make_group(
                _LEGEND_TOKEN_X - 20,
                y,
                (fit_text_and_width(Text(0, 0, f"{points} points", 26, INK, 110, Typeface.BOLD)),),
            )
        )
        y += 46
        for plastic, facts in PLASTICS.items():
            if facts.points == points:
                name = fit_text_and_width(Text(26, 0, plastic_name(plastic), 26, SECONDARY_INK, 110))
                groups.append(make_group(_LEGEND_TOKEN_X, y, (*draw_token(0, 0, 36, plastic), name)))
                y += 46
    return tuple(groups)


# Cards and points ---------------------------------------------------------------------------------------


def _choosable_cards(choices: tuple[Action, ...]) -> frozenset[Card]:
    """Return the cards that can be played with effect; if there is none, all that can be played.

    If the card is chosen already, return none.
    """
    cards_with_effect = {
        CARD_BY_OPERATION[type(choice)] for choice in choices if type(choice) in CARD_BY_OPERATION
    }
    cards_without_effect = {choice.card for choice in choices if isinstance(choice, PlayWithoutEffect)}
    return frozenset((cards_with_effect or cards_without_effect) if cards_without_effect else ())


def _draw_cards(board: PlayerBoard, choosable: frozenset[Card]) -> tuple[Group, ...]:
    groups: list[Group] = []
    for column, card in enumerate(board.columns):
        left = FLEET_LEFT + _CARD_PITCH * column
        groups += _draw_card(left, card, board.strength(card), is_upgraded=card in board.upgraded_cards)
        if card in choosable:
            groups.append(draw_choice_mark(left + 8, _CARD_TOP + 8, _CARD_WIDTH - 16, _CARD_HEIGHT - 16, 12))
    return tuple(groups)


@lru_cache(maxsize=64)
def _draw_card(left: int, card: Card, strength: int, *, is_upgraded: bool) -> tuple[Group, ...]:
    """Draw a card: its strength, its sign and its name; an upgraded one is dark, with the sign for it."""
    background, ink = (DEEP_BLUE, WHITE) if is_upgraded else (CARD, INK)
    disc_colour, number_colour = (WHITE, INK) if is_upgraded else (INK, WHITE)
    middle = _CARD_WIDTH / 2
    items: list[Item] = [
        Box(3, 6, _CARD_WIDTH, _CARD_HEIGHT, 14, SHADOW),
        Box(0, 0, _CARD_WIDTH, _CARD_HEIGHT, 14, background, INK, NORMAL_LINE_WIDTH),
        Disc(middle, 42, 29, disc_colour),
        Text(middle, 42, str(strength), 42, number_colour, 54, Typeface.BOLD, Anchor.MIDDLE),
        *draw_glyph(CARD_SIGNS[card], middle - 16 if is_upgraded else middle, 102, 50, ink, background),
    ]
    if is_upgraded:
        items.append(Text(middle + 29, 102, DOUBLED_TEXT, 32, ink, 44, Typeface.BOLD, Anchor.MIDDLE))
    name = Text(middle, 148, CARD_NAMES[card], BODY_SIZE, ink, _CARD_WIDTH - 20, Typeface.BOLD, Anchor.MIDDLE)
    return (
        make_group(left, _CARD_TOP, tuple(items)),
        make_group(left, _CARD_TOP, (fit_text_and_width(name),)),
    )


@lru_cache(maxsize=64)
def _draw_spare_dice_and_points(board: PlayerBoard) -> tuple[Group, ...]:
    """Draw the spare dice and the points so far."""
    height = 100
    background = Box(0, 0, FLEET_WIDTH, height, 14, WHITE, INK, NORMAL_LINE_WIDTH)
    label = fit_text_and_width(Text(24, 50, "beside the board", BODY_SIZE, SECONDARY_INK, 230))
    number = fit_text_and_width(Text(256, 50, f"{board.spare_die_count} \u00d7", 38, INK, 76, Typeface.BOLD))
    die = Box(332, 27, 46, 46, 8, WHITE, INK, NORMAL_LINE_WIDTH)
    points = board_points(board)
    total = Text(FLEET_WIDTH - 112, 50, str(points), 50, INK, 100, Typeface.BOLD, Anchor.RIGHT)
    unit = Text(FLEET_WIDTH - 22, 54, points_unit(points), 28, SECONDARY_INK, 90, Typeface.SANS, Anchor.RIGHT)
    return (
        make_group(FLEET_LEFT, _POINTS_TOP, (background,)),
        make_group(
            FLEET_LEFT, _POINTS_TOP, (label, number, die, fit_text_and_width(total), fit_text_and_width(unit))
        ),
    )
