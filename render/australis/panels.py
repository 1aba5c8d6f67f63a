"""The players' panels on the board: score, dice of the round, and what each has."""

from functools import lru_cache
from typing import Final

from render import parts
from render.australis.cards import draw_small_tile
from render.australis.changes import Changes, PanelNumber, flag_new_dice
from render.australis.dice import draw_die, draw_empty_die_place
from render.australis.kept_cards import draw_kept_cards
from render.australis.layout import SEAT_PANEL_HEIGHT
from render.australis.panel_numbers import draw_numbers, draw_right_aligned_number
from render.caption import Caption
from render.picture import only_winner
from render.pieces import DIE_DEPTH
from render.scene import Anchor, Box, Colour, Group, Item, Text, Typeface, make_group, translate
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    GAP,
    INK,
    MAGENTA,
    MARGIN,
    NAME_SIZE,
    PANEL_TOP,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WHITE,
)
from rules.australis.components import DICE_PER_PLAYER, Die
from rules.australis.model import Phase, Position, SeaBoard
from rules.australis.scoring import result, tile_points
from rules.model import Seat

_NAME_MIDDLE: Final = 35
_DICE_MIDDLE: Final = 91
_NUMBERS_MIDDLE: Final = 145
_CARDS_TOP: Final = 165
"""The y of the name, the dice, the numbers and the cards, from the top of a panel."""
_INSET: Final = 14
_POINTS_HEIGHT: Final = 46
_WIDE_PANEL_WIDTH: Final = 340
"""From this width on, panels have larger dice."""


def acting_seat_or_winner(position: Position) -> Seat | None:
    """Return whose turn it is; at the end, the only winner."""
    if position.phase is Phase.OVER:
        return only_winner(result(position))
    return position.to_act if position.to_act is not None and position.to_act >= 0 else None


def draw_panels(position: Position, caption: Caption, changes: Changes) -> tuple[Group, ...]:
    """Draw the panels, with marks for what the newest turn changed."""
    seat_count = len(position.boards)
    width = (PICTURE_WIDTH - 2 * MARGIN - (seat_count - 1) * GAP) // seat_count
    highlighted_seat = acting_seat_or_winner(position)
    layers: list[Group] = []
    for seat, board in enumerate(position.boards):
        x = MARGIN + seat * (width + GAP)
        layers.append(
            parts.draw_panel_box(x, PANEL_TOP, width, SEAT_PANEL_HEIGHT, highlighted=seat == highlighted_seat)
        )
        name = caption.seat_name(seat)
        if board.resigned:
            layers += _draw_head(x, width, seat, name, "", changed=False, highlighted=False)
            note = Text(0, 0, "resigned", 28, SECONDARY_INK, width - 40, Typeface.ITALIC)
            layers.append(make_group(x + 24, PANEL_TOP + _DICE_MIDDLE, (fit_text_and_width(note),)))
            continue
        changed_numbers = {kind for owner, kind in changes.changed_numbers if owner == seat}
        layers += _draw_head(
            x,
            width,
            seat,
            name,
            str(board.tally.total),
            changed=PanelNumber.SCORE in changed_numbers,
            highlighted=seat == highlighted_seat,
        )
        if position.phase is Phase.OVER:
            layers += _draw_tiles(x, board, has_token=position.token_holder == seat)
        else:
            layers += _draw_dice(x, width, flag_new_dice(board.dice, changes.taken_dice.get(Seat(seat), ())))
            if board.tiles:
                layers.append(
                    draw_right_aligned_number(
                        x + width - _INSET,
                        PANEL_TOP + _DICE_MIDDLE,
                        PanelNumber.TILES,
                        len(board.tiles),
                        changed=PanelNumber.TILES in changed_numbers,
                    )
                )
        numbers = (
            (PanelNumber.FISH, board.fish),
            (PanelNumber.CUBES, board.cube_count),
            (PanelNumber.CORALS, board.coral_supply),
            (PanelNumber.CARDS, len(board.cards)),
        )
        inner_width = width - 2 * _INSET
        layers += draw_numbers(
            x + _INSET, PANEL_TOP + _NUMBERS_MIDDLE, inner_width, numbers, frozenset(changed_numbers)
        )
        new_cards = frozenset(card for owner, card in changes.kept_cards if owner == seat)
        layers += draw_kept_cards(x + _INSET, PANEL_TOP + _CARDS_TOP, inner_width, board.cards, new_cards)
    return tuple(layers)


@lru_cache(maxsize=256)
def _draw_head(
    x: int, width: int, seat: int, name: str, total: str, *, changed: bool, highlighted: bool
) -> tuple[Group, ...]:
    y = PANEL_TOP + _NAME_MIDDLE
    total_items, total_width = _points_items(total, MAGENTA if changed else INK) if total else ((), 0.0)
    max_name_width = width - 78 - 20 - total_width
    name_text = Text(0, 0, name, NAME_SIZE, INK, max_name_width, Typeface.BOLD, min_size=26)
    layers = [
        make_group(x + 40, y, draw_seat_mark(seat, 0, 0, 25)),
        make_group(x + 78, y, (fit_text_and_width(name_text),)),
    ]
    if total:
        layers.append(make_group(x + width - 14, y + 2, total_items))
    if highlighted:
        layers.append(parts.draw_pennant(x + width - 112, PANEL_TOP, seat))
    return tuple(layers)


def _points_items(total: str, colour: Colour) -> tuple[tuple[Item, ...], float]:
    """Return a disc with points, wider for several digits, that ends at x = 0; and its width."""
    number = fit_text_and_width(Text(0, 0, total, 40, WHITE, 110, Typeface.BOLD, Anchor.MIDDLE))
    width = max(_POINTS_HEIGHT, number.max_width + 22)
    disc = Box(-width, -_POINTS_HEIGHT / 2, width, _POINTS_HEIGHT, _POINTS_HEIGHT / 2, colour)
    return (disc, *translate((number,), -width / 2, 0)), width


def _draw_dice(x: int, width: int, dice: tuple[tuple[Die, bool], ...]) -> list[Group]:
    size = 44 if width < _WIDE_PANEL_WIDTH else 48
    pitch = size + (4 if width < _WIDE_PANEL_WIDTH else 24)
    first_x = x + 12 + size // 2 + (4 if width >= _WIDE_PANEL_WIDTH else 0)
    y = PANEL_TOP + _DICE_MIDDLE
    drawn_dice: list[Group] = []
    halos = []
    empty_places = []
    for index in range(DICE_PER_PLAYER):
        die_x = first_x + pitch * index
        if index >= len(dice):
            empty_places.append(draw_empty_die_place(die_x, y, size))
            continue
        die, is_new = dice[index]
        drawn_dice.append(draw_die(die_x, y, size, die))
        if is_new:
            height = size + round(size * DIE_DEPTH)
            halos.append(parts.draw_box_halo(die_x - size // 2, y - size // 2, size, height, 8))
    return [*empty_places, *halos, *drawn_dice]


def _draw_tiles(x: int, board: SeaBoard, *, has_token: bool) -> list[Group]:
    """Draw the tiles and the first player token, which counted at the end."""
    y = PANEL_TOP + _DICE_MIDDLE
    layers = [
        draw_small_tile(x + 38 + 48 * index, y, tile.colour, tile_points(tile))
        for index, tile in enumerate(board.tiles)
    ]
    if has_token:
        layers.append(draw_die(x + 38 + 48 * len(board.tiles), y, 40, Die.RED))
    return layers
