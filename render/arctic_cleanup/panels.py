"""The panels of Arctic CleanUp: each seat's points, cargo, planned dice and cards."""

from functools import lru_cache
from typing import Final

from render import parts
from render.arctic_cleanup.changes import Changes
from render.arctic_cleanup.layout import (
    CORNER_INDEX_BY_SITE,
    CORNER_PANEL_HEIGHT,
    CORNER_PANEL_WIDTH,
    CORNERS,
)
from render.arctic_cleanup.pieces import draw_die_sign, draw_small_card, draw_token
from render.caption import Caption
from render.picture import highlighted_seat, only_winner
from render.scene import Anchor, Box, Group, Item, Polygon, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    HAIRLINE_COLOUR,
    INK,
    NAME_SIZE,
    SEAT_MARKS,
    SECONDARY_INK,
)
from rules.arctic_cleanup.components import SHIP_CAPACITY, SHIPS, Plastic
from rules.arctic_cleanup.ending import board_points, returns
from rules.arctic_cleanup.model import Phase, PlayerBoard, Position
from rules.model import Seat

_CARD_PITCH: Final = 53
_SHIP_ROW_PITCH: Final = 37
_PHASES_UNTIL_FACTORIES: Final = frozenset({Phase.ORDER, Phase.FILL, Phase.FACTORY})


def _panel_corner(position: Position, seat: Seat) -> tuple[int, int] | None:
    """Return the top left of a seat's panel: beside its factory; without a factory, in a free corner.

    None while its factory may still be built: in another corner until then, the panel would move.
    """
    corner_index_by_seat = {
        board_seat: CORNER_INDEX_BY_SITE[board.factory]
        for board_seat, board in enumerate(position.boards)
        if board.factory is not None
    }
    if seat in corner_index_by_seat:
        return CORNERS[corner_index_by_seat[seat]]
    if position.phase in _PHASES_UNTIL_FACTORIES:
        return None
    free_corner_indexes = [
        index for index in range(len(CORNERS)) if index not in corner_index_by_seat.values()
    ]
    seats_without_factory = [
        board_seat for board_seat in range(len(position.boards)) if board_seat not in corner_index_by_seat
    ]
    return CORNERS[free_corner_indexes[seats_without_factory.index(seat)]]


def acting_seat_or_winner(position: Position) -> Seat | None:
    """Return whose turn it is; at the end, the only winner."""
    return only_winner(returns(position)) if position.phase is Phase.OVER else highlighted_seat(position)


def draw_panels(position: Position, caption: Caption, changes: Changes) -> tuple[Group, ...]:
    """Draw the seats' panels, with a halo below the numbers of dice that the newest turn changed."""
    groups: list[Group] = []
    marked_seat = acting_seat_or_winner(position)
    for number, board in enumerate(position.boards):
        seat = Seat(number)
        corner = _panel_corner(position, seat)
        if corner is None:
            continue
        x, y = corner
        highlighted = seat == marked_seat
        groups += _draw_box_and_head(
            x, y, seat, caption.seat_name(seat), board_points(board), highlighted=highlighted
        )
        if board.resigned:
            note = Text(0, 0, "resigned", 28, SECONDARY_INK, 200, Typeface.ITALIC)
            groups.append(make_group(x + 24, y + 110, (fit_text_and_width(note),)))
            continue
        changed_ships = [ship for ship in SHIPS if (seat, ship) in changes.rows_with_changed_dice]
        if changed_ships:
            height = 26 + _SHIP_ROW_PITCH * (len(changed_ships) - 1)
            top = y + _ship_row_middle(changed_ships[0]) - 13
            groups.append(parts.draw_box_halo(x + 220, top, 58, height, 8))
        groups += (
            _draw_ship_row(
                x,
                y + _ship_row_middle(ship),
                seat,
                ship,
                board.cargo[ship - 1],
                len(board.rows[ship - 1]),
            )
            for ship in SHIPS
        )
        groups += _draw_cards(x, y + CORNER_PANEL_HEIGHT - 77, board)
    return tuple(groups)


@lru_cache(maxsize=64)
def _draw_box_and_head(
    x: int, y: int, seat: Seat, name: str, points: int, *, highlighted: bool
) -> tuple[Group, ...]:
    total = fit_text_and_width(Text(0, 0, str(points), 42, INK, 90, Typeface.BOLD, Anchor.RIGHT))
    unit = Text(0, 3, "pts", 25, SECONDARY_INK if not highlighted else INK, 40, Typeface.SANS, Anchor.RIGHT)
    max_width = CORNER_PANEL_WIDTH - 74 - 50 - total.max_width - 10
    label = Text(0, 0, name, NAME_SIZE, INK, max_width, Typeface.BOLD, min_size=24)
    layers = [
        parts.draw_panel_box(x, y, CORNER_PANEL_WIDTH, CORNER_PANEL_HEIGHT, highlighted=highlighted),
        make_group(x + 40, y + 36, draw_seat_mark(seat, 0, 0, 25)),
        make_group(x + 74, y + 36, (fit_text_and_width(label),)),
        make_group(x + CORNER_PANEL_WIDTH - 50, y + 36, (total,)),
        make_group(x + CORNER_PANEL_WIDTH - 12, y + 36, (fit_text_and_width(unit),)),
    ]
    if highlighted:
        layers.append(parts.draw_pennant(x + CORNER_PANEL_WIDTH - 56, y, seat))
    return tuple(layers)


def _ship_row_middle(ship: int) -> int:
    """Return the y of a ship's row, from the top of its panel."""
    return 81 + _SHIP_ROW_PITCH * (ship - 1)


@lru_cache(maxsize=256)
def _draw_ship_row(
    x: int, y: int, seat: Seat, ship: int, cargo: tuple[Plastic, ...], dice_count: int
) -> Group:
    """Draw a ship's number, its cargo and how many dice it has."""
    mark = SEAT_MARKS[seat]
    hull = Polygon((-20.0, -13.0, 20.0, -13.0, 16.0, 14.0, -16.0, 14.0), mark.colour, INK, 2)
    number = Text(0, 1, str(ship), 24, mark.letter_colour, 30, Typeface.BOLD, Anchor.MIDDLE)
    items: list[Item] = [hull, number]
    for index in range(SHIP_CAPACITY):
        spot = (46 + 38 * index, 0)
        if index < len(cargo):
            items += draw_token(*spot, 31, cargo[index])
        else:
            items.append(Box(spot[0] - 15, -15, 30, 30, 6, CARD, HAIRLINE_COLOUR, 2))
    items += draw_die_sign(208, 0, 27)
    items.append(Text(228, 0, str(dice_count), 36, INK, 30, Typeface.BOLD))
    return make_group(x + 32, y, tuple(items))


def _draw_cards(x: int, y: int, board: PlayerBoard) -> tuple[Group, ...]:
    return tuple(
        draw_small_card(
            x + 13 + _CARD_PITCH * column,
            y,
            card,
            board.strength(card),
            is_upgraded=card in board.upgraded_cards,
        )
        for column, card in enumerate(board.columns)
    )
