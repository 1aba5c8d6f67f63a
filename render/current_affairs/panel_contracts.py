"""The contracts in a seat's panel: flag, trash and what is still needed; where there is room, the points."""

from functools import lru_cache
from typing import Final

from render.current_affairs.changes import Changes
from render.current_affairs.pieces import draw_flag, draw_slot, draw_token
from render.scene import Anchor, Box, Disc, Group, Item, Text, Typeface, make_group
from render.theme import CARD, HAIRLINE_COLOUR, HAIRLINE_WIDTH, INK, MAGENTA
from rules.current_affairs.components import CONTRACTS, MAX_HELD_CONTRACTS
from rules.current_affairs.model import HeldContract

_ROW_HEIGHT: Final = 42
_ROW_PITCH: Final = 46
_INSET: Final = 10
_RADIUS: Final = 10
_MAX_SLOT_RADIUS: Final = 18.0
_MARK_WIDTH: Final = 4.5
_MIN_WIDTH_WITH_POINTS: Final = 250
"""From this width on, a panel has room for the points of contracts."""


def draw_panel_contracts(
    left: int,
    top: int,
    panel_width: int,
    contracts: tuple[HeldContract, ...],
    changes: Changes,
) -> tuple[Group, ...]:
    """Draw the contracts of a seat below each other, with marks for what the newest turn changed."""
    x, width = left + _INSET, panel_width - 2 * _INSET
    groups: list[Group] = []
    for index in range(MAX_HELD_CONTRACTS):
        y = top + _ROW_PITCH * index
        if index >= len(contracts):
            groups.append(_draw_empty_place(x, y, width))
            continue
        contract = contracts[index].contract
        is_new, new_slot = contract in changes.taken_contracts, changes.filled_slots.get(contract)
        groups.append(_draw_row(x, y, width, contracts[index], new_slot, is_new=is_new))
    return tuple(groups)


@lru_cache(maxsize=16)
def _draw_empty_place(x: int, y: int, width: int) -> Group:
    return make_group(x, y, (Box(0, 0, width, _ROW_HEIGHT, _RADIUS, None, HAIRLINE_COLOUR, HAIRLINE_WIDTH),))


@lru_cache(maxsize=256)
def _draw_row(x: int, y: int, width: int, held: HeldContract, new_slot: int | None, *, is_new: bool) -> Group:
    """Draw a contract as one row; ``new_slot``: the slot that was just filled; ``is_new``: just taken."""
    facts, has_points = CONTRACTS[held.contract], width + 2 * _INSET >= _MIN_WIDTH_WITH_POINTS
    flag_width = 42 if has_points else 36
    middle = _ROW_HEIGHT / 2
    outline = (MAGENTA, _MARK_WIDTH) if is_new else (INK, HAIRLINE_WIDTH)
    items: list[Item] = [
        Box(0, 0, width, _ROW_HEIGHT, _RADIUS, CARD, *outline),
        *draw_flag(8, middle - 0.36 * flag_width, flag_width, facts.port),
    ]
    slots_left, slots_right = 8 + flag_width + 6, width - 6
    if has_points:
        slots_right -= 42
        items.append(Text(width - 8, middle, str(facts.points), 30, INK, 40, Typeface.BOLD, Anchor.RIGHT))
    pitch = min(2 * _MAX_SLOT_RADIUS + 3, (slots_right - slots_left) / len(facts.requirements))
    radius = min(_MAX_SLOT_RADIUS, pitch / 2 - 1)
    for index, (slot, trash) in enumerate(zip(facts.requirements, held.slots, strict=True)):
        spot = (slots_left + pitch * (index + 0.5), middle, radius)
        items += draw_slot(*spot, slot) if trash is None else draw_token(*spot, trash)
        if index == new_slot:
            items.append(Disc(*spot[:2], radius + 2, None, MAGENTA, _MARK_WIDTH))
    return make_group(x, y, tuple(items))
