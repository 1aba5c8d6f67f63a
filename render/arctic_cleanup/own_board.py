"""A player's own board of Arctic CleanUp: factory, ships, dice, points and cards."""

from functools import lru_cache
from typing import Final

from render import parts
from render.arctic_cleanup.palette import PALETTE
from render.arctic_cleanup.pieces import (
    draw_die,
    draw_die_sign,
    draw_large_ship,
    draw_rose_numbers,
    draw_slot,
    draw_token,
)
from render.arctic_cleanup.signs import CARD_SIGNS, FACTORY
from render.choice_marks import differing_values, draw_choice_mark
from render.geometry import regular_polygon
from render.glyphs import draw_glyph
from render.picture import PictureContext
from render.scene import (
    Anchor,
    Box,
    Disc,
    Group,
    Item,
    Line,
    Polygon,
    Scene,
    Text,
    Typeface,
    make_group,
    make_group_in_place,
)
from render.sea_glyphs import LOCK, OPEN_LOCK
from render.shapes import hatch
from render.symbols import draw_compass_rose, draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    BODY_SIZE,
    CARD,
    DEEP_BLUE,
    HAIRLINE_COLOUR,
    INACTIVE_SIGN,
    INK,
    MARGIN,
    NORMAL_LINE_WIDTH,
    PANEL,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    SHADOW,
    SMALL_PICTURE_HEIGHT,
    WATER,
    WHITE,
)
from rules.arctic_cleanup.actions import UnloadToken
from rules.arctic_cleanup.components import (
    BLOCKS,
    LINES,
    SHIP_CAPACITY,
    SHIPS,
    TOKENS_TO_END,
    Block,
    Card,
    FactoryLine,
    Plastic,
)
from rules.arctic_cleanup.ending import board_points, score_lines
from rules.arctic_cleanup.model import ArcticCleanUpView, PlayerBoard
from rules.arctic_cleanup.phrases import CARD_NAMES
from rules.model import Action

_FACTORY_BOX: Final = (MARGIN, 102, 528, 576)
"""Left, top, width and height of the factory."""
_SLOT_LEFT: Final = 196
_SLOT_PITCH: Final = 59
_SLOT_SIZE: Final = 46
_LINE_MIDDLES: Final = {
    line: 214 + 58 * index + (20 if index > 1 else 0) for index, line in enumerate(FactoryLine)
}
"""The y of each factory line."""
DOUBLED_TEXT: Final = "\u00d72"
"""Beside the strength of a card that is doubled."""
_LEGEND_TEXTS: Final = ("full block: die, +5", f"line of 4: card {DOUBLED_TEXT}")
FLEET_LEFT: Final = 572
FLEET_WIDTH: Final = 600
_CARD_TOP: Final = 695
_CARD_WIDTH: Final = 217
_CARD_HEIGHT: Final = 177


def own_board_helps_to_choose(view: ArcticCleanUpView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices are factory lines for a token to unload, and no card is to be chosen."""
    return any(isinstance(choice, UnloadToken) for choice in choices) and not any(
        hasattr(choice, "card") for choice in choices
    )


def draw_own_board(view: ArcticCleanUpView, context: PictureContext) -> Scene:
    """Draw one seat's own board, with marks for the factory lines that can be chosen."""
    position, caption = view.position, context.caption
    seat = context.subject or 0
    board = position.boards[seat]
    note = caption.note_with_game("Arctic CleanUp")
    layers = parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT),
        parts.draw_title_bar(PICTURE_WIDTH, "Factory and fleet", note, caption.seat_name(seat), "", seat),
        draw_factory(board, seat, context.choices if view.viewer == seat else ()),
        draw_fleet(board, seat),
        _draw_spare_dice_and_rose(board),
        _draw_points(board),
        _draw_cards(board),
    )
    return Scene(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT, PAPER, layers, (), PALETTE)


# The factory --------------------------------------------------------------------------------------------


def draw_factory(board: PlayerBoard, seat: int, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    """Draw the factory with its lines, and marks for those between which the choices decide."""
    lines = differing_values(choices, "line")
    marks = tuple(_draw_factory_line_mark(line) for line in FactoryLine if line in lines)
    return (*_draw_unmarked_factory(board, seat), *marks)


def _slot_middle(line: FactoryLine, slot_number: int) -> tuple[int, int]:
    """Return the middle of a slot, counted from 1; a gap separates the pairs of slots on a line."""
    return _SLOT_LEFT + _SLOT_PITCH * (slot_number - 1) + (12 if slot_number > 2 else 0), _LINE_MIDDLES[line]


@lru_cache(maxsize=64)
def _draw_unmarked_factory(board: PlayerBoard, seat: int) -> tuple[Group, ...]:
    x, y, width, height = _FACTORY_BOX
    header = (
        *draw_seat_mark(seat, 0, 0, 26),
        *draw_glyph(FACTORY, 84, -2, 54, INK, PANEL),
        fit_text_and_width(Text(126, 0, str(board.processed_count), 46, INK, 80, Typeface.BOLD)),
        fit_text_and_width(
            Text(
                126 + 27 * len(str(board.processed_count)) + 6, 4, f"/{TOKENS_TO_END}", 32, SECONDARY_INK, 60
            )
        ),
        *(
            fit_text_and_width(Text(width - 72, middle, text, 24, SECONDARY_INK, 245, anchor=Anchor.RIGHT))
            for middle, text in zip((-14, 16), _LEGEND_TEXTS, strict=True)
        ),
    )
    groups = [
        parts.draw_panel_box(x, y, width, height, highlighted=False),
        make_group(x + 52, y + 46, header),
        *_draw_hatching(is_open=board.has_filled(Block.LINE_OPENER)),
    ]
    for block in BLOCKS:
        groups += _draw_block(block, filled=board.has_filled(block))
    for line, tokens in zip(FactoryLine, board.lines, strict=True):
        groups += _draw_factory_line(line, tokens)
    return tuple(groups)


@lru_cache(maxsize=2)
def _draw_hatching(*, is_open: bool) -> tuple[Group, ...]:
    """Draw the hatched background of the hatched lines, and a lock that says whether they are open."""
    left, top = _slot_middle(FactoryLine.H1, 1)
    box = (left - 35, top - 34, 4 * _SLOT_PITCH + 24, 126)
    corners = (
        float(box[0]), float(box[1]), float(box[0] + box[2]), float(box[1]),
        float(box[0] + box[2]), float(box[1] + box[3]), float(box[0]), float(box[1] + box[3]),
    )  # fmt: skip
    groups = [
        make_group(box[0], box[1], (Box(0, 0, box[2], box[3], 10, CARD, HAIRLINE_COLOUR, NORMAL_LINE_WIDTH),))
    ]
    groups += (make_group_in_place((Line(points, HAIRLINE_COLOUR, 2),)) for points in hatch(corners, 12))
    sign = OPEN_LOCK if is_open else LOCK
    ink = INK if is_open else SECONDARY_INK
    groups.append(make_group(box[0] + box[2] + 62, top - 6, draw_glyph(sign, 0, 0, 46, ink, PANEL)))
    return tuple(groups)


@lru_cache(maxsize=32)
def _draw_block(block: Block, *, filled: bool) -> tuple[Group, ...]:
    """Draw the frame of a block, and beside the frame the reward for filling the block."""
    (upper, last_slot), (lower, _) = BLOCKS[block]
    left, top = _slot_middle(upper, last_slot - 1)
    bottom = _slot_middle(lower, last_slot - 1)[1]
    ink, line_width = (INK, 4.0) if filled else (INACTIVE_SIGN, 2.0)
    frame = Box(-31, -30, _SLOT_PITCH + 62, bottom - top + 60, 12, None, ink, line_width)
    middle = (top + bottom) // 2
    is_at_left = last_slot == 2
    x = MARGIN + 52 if is_at_left else _FACTORY_BOX[0] + _FACTORY_BOX[2] - 48
    start, stop = (x + 28, left - 31) if is_at_left else (left + _SLOT_PITCH + 31, x - 28)
    sign: tuple[Item, ...]
    sign_ink = INK if filled else SECONDARY_INK
    if block is Block.LINE_OPENER:
        sign = (
            *draw_glyph(OPEN_LOCK if filled else LOCK, 0, -16, 34, sign_ink, PANEL),
            Polygon(regular_polygon(0, 24, 17, 6), WHITE, sign_ink, 2),
            Text(0, 24, "3", 24, sign_ink, 24, Typeface.BOLD, Anchor.MIDDLE),
        )
    else:
        sign = (
            *draw_die_sign(0, -16, 32, sign_ink),
            Text(0, 22, "+5", 28, sign_ink, 50, Typeface.BOLD, Anchor.MIDDLE),
        )
    return (
        make_group(left, top, (frame,)),
        make_group_in_place(
            (Line((float(start), float(middle), float(stop), float(middle)), ink, line_width),)
        ),
        make_group(x, middle, sign),
    )


@lru_cache(maxsize=128)
def _draw_factory_line(line: FactoryLine, tokens: tuple[Plastic, ...]) -> tuple[Group, ...]:
    facts = LINES[line]
    default_plastic = Plastic.PP if facts.hatched else Plastic.HDPE
    x0, y0 = _slot_middle(line, 1)
    items: list[Item] = []
    for number in range(1, facts.slot_count + 1):
        dx = _slot_middle(line, number)[0] - x0
        if number <= len(tokens):
            items += draw_token(dx, 0, _SLOT_SIZE, tokens[number - 1])
        else:
            items.append(draw_slot(dx, 0, _SLOT_SIZE, tokens[0] if tokens else default_plastic))
    name = Text(-58, 0, line.value, 25, SECONDARY_INK, 40, Typeface.SANS, Anchor.MIDDLE)
    groups = [make_group(x0, y0, tuple(items)), make_group(x0, y0, (fit_text_and_width(name),))]
    if facts.flipped_card is not None:
        is_full = len(tokens) == facts.slot_count
        background, ink = (DEEP_BLUE, WHITE) if is_full else (CARD, SECONDARY_INK)
        x = _slot_middle(line, 4)[0] + 58
        sign = draw_glyph(CARD_SIGNS[facts.flipped_card], 0, 0, 30, ink, background)
        groups.append(make_group(x, y0, (Box(-23, -23, 46, 46, 8, background, HAIRLINE_COLOUR, 2), *sign)))
    return tuple(groups)


def _draw_factory_line_mark(line: FactoryLine) -> Group:
    x, y = _slot_middle(line, 1)
    return draw_choice_mark(x - 24, y - 20, _slot_middle(line, LINES[line].slot_count)[0] - x + 48, 40, 8)


# Ships and dice -----------------------------------------------------------------------------------------


def draw_fleet(board: PlayerBoard, seat: int) -> tuple[Group, ...]:
    """Draw both ships with their cargo, tile and dice."""
    return tuple(layer for ship in SHIPS for layer in _draw_ship(board, seat, ship))


def _draw_ship(board: PlayerBoard, seat: int, ship: int) -> tuple[Group, ...]:
    y = 102 + 142 * (ship - 1)
    place = board.ships[ship - 1]
    return (
        *_draw_place_and_dice(y, "" if place is None else place.value, board.rows[ship - 1]),
        draw_large_ship(FLEET_LEFT + 168, y + 54, seat, ship, board.cargo[ship - 1], SHIP_CAPACITY),
    )


@lru_cache(maxsize=128)
def _draw_place_and_dice(y: int, place_name: str, faces: tuple[int, ...]) -> tuple[Group, ...]:
    water = make_group(FLEET_LEFT, y, (Box(0, 0, FLEET_WIDTH, 130, 14, WATER),))
    pitch = min(74.0, 252 / max(1, len(faces)))
    items = [
        item
        for index, face in enumerate(faces)
        for item in draw_die(366 + pitch * index, 82, min(62.0, pitch - 5), face)
    ]
    label = Text(336, 26, f"on {place_name}" if place_name else "not on the map", 27, INK, 240)
    return water, make_group(FLEET_LEFT, y, (fit_text_and_width(label), *items))


@lru_cache(maxsize=64)
def _draw_spare_dice_and_rose(board: PlayerBoard) -> tuple[Group, ...]:
    y, height = 386, 172
    label = Text(26, 38, "beside the board", BODY_SIZE, SECONDARY_INK, 260)
    items: list[Item] = [fit_text_and_width(label)]
    pitch = min(62.0, 380 / max(1, board.spare_die_count))
    items += (
        Box(26 + pitch * index, 66, 56, 56, 9, WHITE, INK, NORMAL_LINE_WIDTH)
        for index in range(board.spare_die_count)
    )
    if not board.spare_die_count:
        items.append(Text(26, 96, "none", BODY_SIZE, SECONDARY_INK, 120, Typeface.ITALIC))
    return (
        parts.draw_panel_box(FLEET_LEFT, y, FLEET_WIDTH, height, highlighted=False),
        make_group(FLEET_LEFT, y, tuple(items)),
        make_group(FLEET_LEFT + 510, y + 86, draw_compass_rose(0, 0, 42, (-90.0, 90.0))),
        draw_rose_numbers(FLEET_LEFT + 510, y + 86, 64),
    )


@lru_cache(maxsize=64)
def _draw_points(board: PlayerBoard) -> tuple[Group, ...]:
    y, height = 572, 106
    processed_points, dice_points, aboard_points = (line.points for line in score_lines(board))
    parts_of_total = (
        ("lines", draw_glyph(FACTORY, 0, 0, 44, INK, WHITE), processed_points),
        ("dice", draw_die_sign(0, 0, 38), dice_points),
        (
            "aboard",
            (Polygon((-26.0, -14.0, 26.0, -14.0, 20.0, 16.0, -20.0, 16.0), HAIRLINE_COLOUR, INK, 2.5),),
            aboard_points,
        ),
    )
    layers = [
        make_group(FLEET_LEFT, y, (Box(0, 0, FLEET_WIDTH, height, 14, WHITE, INK, NORMAL_LINE_WIDTH),)),
    ]
    for index, (name, sign, points) in enumerate(parts_of_total):
        value = Text(36, 0, str(points), 38, INK, 80)
        label = Text(-24, 42, name, 24, SECONDARY_INK, 128)
        items = (*sign, fit_text_and_width(value), fit_text_and_width(label))
        layers.append(make_group(FLEET_LEFT + 48 + 132 * index, y + 40, items))
    total_points = board_points(board)
    total = Text(FLEET_WIDTH - 112, 53, str(total_points), 54, INK, 120, Typeface.BOLD, Anchor.RIGHT)
    unit = Text(
        FLEET_WIDTH - 22, 58, points_unit(total_points), 28, SECONDARY_INK, 90, Typeface.SANS, Anchor.RIGHT
    )
    layers.append(make_group(FLEET_LEFT, y, (fit_text_and_width(total), fit_text_and_width(unit))))
    return tuple(layers)


def points_unit(points: int) -> str:
    """Return the word beside a number of points."""
    return "point" if points == 1 else "points"


# Cards --------------------------------------------------------------------------------------------------


def _draw_cards(board: PlayerBoard) -> tuple[Group, ...]:
    groups: list[Group] = []
    for column, card in enumerate(board.columns):
        left = MARGIN + round(column * (_CARD_WIDTH + 14.75))
        groups += _draw_card(left, card, board.strength(card), is_upgraded=card in board.upgraded_cards)
    return tuple(groups)


@lru_cache(maxsize=64)
def _draw_card(left: int, card: Card, strength: int, *, is_upgraded: bool) -> tuple[Group, ...]:
    """Draw a card: its strength, its sign and its name; an upgraded one is dark, with the sign for it."""
    background, ink = (DEEP_BLUE, WHITE) if is_upgraded else (CARD, INK)
    disc_colour, number_colour = (WHITE, INK) if is_upgraded else (INK, WHITE)
    items: list[Item] = [
        Box(4, 6, _CARD_WIDTH, _CARD_HEIGHT, 16, SHADOW),
        Box(0, 0, _CARD_WIDTH, _CARD_HEIGHT, 16, background, INK, NORMAL_LINE_WIDTH),
        Disc(40, 42, 28, disc_colour),
        Text(40, 42, str(strength), 40, number_colour, 50, Typeface.BOLD, Anchor.MIDDLE),
        *draw_glyph(CARD_SIGNS[card], _CARD_WIDTH / 2 + 4, 68, 72, ink, background),
    ]
    if is_upgraded:
        items.append(Text(_CARD_WIDTH - 16, 42, DOUBLED_TEXT, 38, ink, 50, Typeface.BOLD, Anchor.RIGHT))
    name = Text(
        _CARD_WIDTH / 2, 142, CARD_NAMES[card], 38, ink, _CARD_WIDTH - 20, Typeface.BOLD, Anchor.MIDDLE
    )
    return (
        make_group(left, _CARD_TOP, tuple(items)),
        make_group(left, _CARD_TOP, (fit_text_and_width(name),)),
    )
