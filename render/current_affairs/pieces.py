"""Trash tokens, ships, flags and contracts of Current Affairs."""

from functools import lru_cache
from typing import Final

from render.current_affairs.palette import PORT_COLOURS, SLOT_COLOURS, TRASH_COLOURS
from render.current_affairs.signs import DROPLET, TICK, TRASH_SIGNS
from render.glyphs import draw_glyph
from render.parts import draw_panel_box
from render.scene import Anchor, Box, Colour, Disc, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    DEEP_BLUE,
    INK,
    MAGENTA,
    NORMAL_LINE_WIDTH,
    SECONDARY_INK,
    SHADOW,
    WHITE,
)
from rules.current_affairs.components import CONTRACTS, Contract, Port, Trash
from rules.current_affairs.model import HeldContract

_SIGN_SCALE: Final = 1.3
"""A sign's size as a multiple of its disc's radius."""
_SMALL_SIGN_SCALE: Final = 1.45
"""The same on a small disc: larger, since its colour alone does not name the kind of trash."""


@lru_cache(maxsize=128)
def draw_token(x: float, y: float, radius: float, trash: Trash) -> tuple[Item, ...]:
    """Draw a token of trash."""
    background, sign_colour = TRASH_COLOURS[trash]
    line_width = NORMAL_LINE_WIDTH if radius > 18 else 2.0
    size = radius * (_SIGN_SCALE if radius > 18 else _SMALL_SIGN_SCALE)
    return (
        Disc(x, y, radius, background, INK, line_width),
        *draw_glyph(TRASH_SIGNS[trash], x, y, size, sign_colour, background),
    )


@lru_cache(maxsize=128)
def draw_slot(x: float, y: float, radius: float, trash: Trash | None) -> tuple[Item, ...]:
    """Draw an empty slot of a contract; ``trash``: the kind that the slot takes; None: any kind."""
    colour = SECONDARY_INK if trash is None else SLOT_COLOURS[trash]
    rim = Disc(x, y, radius, CARD, colour, NORMAL_LINE_WIDTH)
    if trash is None:
        return rim, Text(x, y, "?", max(24, radius * 1.3), colour, 2 * radius, Typeface.BOLD, Anchor.MIDDLE)
    return rim, *draw_glyph(TRASH_SIGNS[trash], x, y, radius * _SIGN_SCALE, colour, CARD)


@lru_cache(maxsize=64)
def draw_flag(x: float, y: float, width: float, port: Port) -> tuple[Item, ...]:
    """Draw a port's flag with its corner at (x, y): disc, cross, stripe or diagonal."""
    height = width * 0.72
    background = PORT_COLOURS[port]
    frame = Box(x, y, width, height, 3, None, INK, NORMAL_LINE_WIDTH)
    return Box(x, y, width, height, 3, background), *_flag_sign(x, y, width, height, port), frame


def _flag_sign(x: float, y: float, width: float, height: float, port: Port) -> tuple[Item, ...]:
    middle_x, middle_y = x + width / 2, y + height / 2
    match port:
        case Port.WHITE:
            return (Disc(middle_x, middle_y, height * 0.27, INK),)
        case Port.RED:
            arm = height * 0.2
            return (
                Box(middle_x - arm / 2, y + 2, arm, height - 4, 0, WHITE),
                Box(x + 2, middle_y - arm / 2, width - 4, arm, 0, WHITE),
            )
        case Port.GOLD:
            return (Box(middle_x - width * 0.17, y + 2, width * 0.34, height - 4, 0, INK),)
        case Port.VIOLET:
            return (
                Polygon(
                    (x + 2, y + 2, x + width * 0.36, y + 2, x + width - 2, y + height - 2, x + width * 0.64,
                     y + height - 2),
                    WHITE,
                ),
            )  # fmt: skip


@lru_cache(maxsize=16)
def draw_flag_pole(x: int, y: int, port: Port) -> Group:
    """Draw a flag on its pole, whose foot stands at (x, y)."""
    pole = Line((0.0, 0.0, 0.0, -58.0), INK, 5)
    return make_group(x, y, (pole, Disc(0, -59, 5.5, INK), *draw_flag(2, -56, 50, port)))


_HULL_OUTLINE: Final = (-34.0, 17.5, 34.0, 17.5, 24.5, 40.5, -24.5, 40.5)
"""The hull below a ship's mark."""


@lru_cache(maxsize=256)
def draw_ship(x: int, y: int, seat: int) -> Group:
    """Draw a ship: the seat's mark over a hull, on white."""
    background = Polygon(_HULL_OUTLINE, WHITE, WHITE, 9)
    hull = Polygon(_HULL_OUTLINE, INK)
    return make_group(x, y, (background, hull, *draw_seat_mark(seat, 0, 0, 24, outline=INK)))


@lru_cache(maxsize=64)
def draw_ship_halo(x: int, y: int) -> Group:
    """Draw the halo below a ship that sailed: a white and a magenta line along its outline."""
    items: list[Item] = []
    for colour, growth in ((MAGENTA, 10), (WHITE, 5)):
        items += (Disc(0, 0, 26 + growth, colour), Polygon(_HULL_OUTLINE, colour, colour, 2 * growth))
    return make_group(x, y, tuple(items))


def draw_contract_points(
    x: float, y: float, points: int, size: float, colour: Colour = INK
) -> tuple[Item, ...]:
    """Draw the points of a contract beside a droplet; the number ends at x."""
    text = Text(x, y, str(points), size, colour, size * 1.3, Typeface.BOLD, Anchor.RIGHT)
    fitted = fit_text_and_width(text)
    sign = draw_glyph(DROPLET, x - fitted.max_width - size * 0.45, y, size * 0.8, DEEP_BLUE, CARD)
    return *sign, fitted


@lru_cache(maxsize=128)
def draw_contract(
    x: int, y: int, width: int, height: int, contract: Contract, *, cards_below_count: int = 0
) -> tuple[Group, ...]:
    """Draw an open contract: flag, points, slots; ``cards_below_count``: cards in the pile below it."""
    facts = CONTRACTS[contract]
    stacked = tuple(
        Box(5 * i, -5 * i, width - 10, height, 12, CARD, INK, 2)
        for i in range(min(2, cards_below_count), 0, -1)
    )
    card_width = width - 10 if cards_below_count else width
    background = (
        *stacked,
        Box(3, 5, card_width, height, 12, SHADOW),
        Box(0, 0, card_width, height, 12, CARD, INK, NORMAL_LINE_WIDTH),
    )
    middle = height - 28
    pitch = min(46.0, (card_width - 60) / max(1, len(facts.requirements) - 1))
    slots = [
        item
        for index, slot in enumerate(facts.requirements)
        for item in draw_slot(32 + pitch * index, middle, 21, slot)
    ]
    below_items: tuple[Item, ...] = ()
    if cards_below_count:
        below_items = (
            Text(
                card_width / 2 - 14,
                32,
                f"{cards_below_count} more",
                26,
                SECONDARY_INK,
                100,
                Typeface.SANS,
                Anchor.MIDDLE,
            ),
        )
    header = (
        *draw_flag(14, 12, 50, facts.port),
        *draw_contract_points(card_width - 16, 31, facts.points, 40),
        *below_items,
    )
    return make_group(x, y, background), make_group(x, y, (*header, *slots))


@lru_cache(maxsize=128)
def draw_contract_row(
    x: int, y: int, width: int, height: int, held: HeldContract | None
) -> tuple[Group, ...]:
    """Draw a contract of a player as one row: flag, trash and empty slots, points; None: an empty place."""
    box = draw_panel_box(x, y, width, height, highlighted=False)
    if held is None:
        return (box,)
    facts = CONTRACTS[held.contract]
    card = make_group(x, y, (Box(0, 0, width, height, 14, CARD, INK, NORMAL_LINE_WIDTH),))
    pitch = min(52.0, (width - 200) / max(1, len(facts.requirements)))
    items: list[Item] = [*draw_flag(14, height / 2 - 20, 56, facts.port)]
    for index, (slot, trash) in enumerate(zip(facts.requirements, held.slots, strict=True)):
        spot = (106 + pitch * index, height / 2, 23)
        items += draw_slot(*spot, slot) if trash is None else draw_token(*spot, trash)
    items += draw_contract_points(width - 16, height / 2, facts.points, 42)
    return card, make_group(x, y, tuple(items))


@lru_cache(maxsize=64)
def draw_tick(x: int, y: int) -> Group:
    """Draw the tick on trash that can be taken."""
    return make_group(x, y, tick_items())


def tick_items() -> tuple[Item, ...]:
    """Return the items of a tick, centred."""
    return Disc(0, 0, 12, WHITE, INK, 2.2), *draw_glyph(TICK, 0, 0, 15, INK, WHITE)
