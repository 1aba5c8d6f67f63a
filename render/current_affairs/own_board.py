"""A player's own board of Current Affairs: contracts, upgrades, habitats, delivered contracts, points."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from render import parts
from render.choice_marks import differing_values, draw_choice_mark
from render.current_affairs.changes import collect_changes
from render.current_affairs.palette import PALETTE
from render.current_affairs.pieces import draw_contract_points, draw_flag, draw_slot, draw_token
from render.current_affairs.score_boxes import (
    HABITAT_RADIUS,
    delivered_box,
    draw_delivered,
    draw_habitats,
    draw_total,
    habitat_spot,
)
from render.current_affairs.signs import UPGRADE_SIGNS
from render.glyphs import draw_glyph
from render.picture import PictureContext
from render.scene import Anchor, Box, Disc, Group, Item, Scene, Text, Typeface, make_group
from render.sea_glyphs import LOCK
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
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
    WHITE,
)
from rules.current_affairs.actions import Collect, Deliver, DiscardContract, EndTurn, Skip, Unlock
from rules.current_affairs.components import (
    CONTRACTS,
    MAX_HELD_CONTRACTS,
    PORT_NAMES,
    REGIONS,
    UPGRADE_COUNTS,
    Animal,
    Trash,
    Upgrade,
)
from rules.current_affairs.model import CurrentAffairsView, HeldContract, PlayerBoard
from rules.current_affairs.phrases import ANY, TRASH_NAMES
from rules.model import Action, Event, Seat

_CONTRACT_TOP: Final = 104
_CONTRACT_WIDTH: Final = 564
_CONTRACT_HEIGHT: Final = 258
_SLOT_Y: Final = _CONTRACT_TOP + 150
_SLOT_RADIUS: Final = 43
_UPGRADE_TOP: Final = 384
_UPGRADE_HEIGHT: Final = 140
_UPGRADE_WIDTH: Final = 150
_UPGRADE_PITCH: Final = 165.7

_UPGRADE_TEXTS: Final = {
    Upgrade.WHEEL: "+1 action",
    Upgrade.CRANE: "top or 2nd",
    Upgrade.HABITAT_BONUS: "restored",
    Upgrade.CONTRACT_BONUS: "delivered",
    Upgrade.EXTRA_TURN: "extra turn",
    Upgrade.SHARE_SPACE: "share",
}


def own_board_helps_to_choose(view: CurrentAffairsView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices are about the viewer's contracts or upgrades, which this picture shows."""
    if any(isinstance(choice, Collect | Skip | Unlock) for choice in choices):
        return True
    board_actions = (Deliver, DiscardContract)
    return any(isinstance(choice, board_actions) for choice in choices) and all(
        isinstance(choice, (*board_actions, EndTurn)) for choice in choices
    )


def own_board_previews(action: Action) -> bool:
    """Whether an action changes the viewer's contracts or upgrades, which this picture shows."""
    return isinstance(action, Collect | Deliver | DiscardContract | Unlock)


def draw_own_board(view: CurrentAffairsView, context: PictureContext) -> Scene:
    """Draw one seat's own board, with marks for recent events and for what can be chosen."""
    seat = context.subject or Seat(0)
    board = view.position.boards[seat]
    caption = context.caption
    note = caption.note_with_game("Current Affairs")
    pill_text = caption.pill_text or caption.seat_name(seat)
    layers = parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT),
        parts.draw_title_bar(PICTURE_WIDTH, "Ship", note, pill_text, "", seat),
        *(_draw_contract_place(board, index) for index in range(MAX_HELD_CONTRACTS)),
        _draw_upgrades(board),
        draw_habitats(board, seat),
        draw_delivered(board.delivered_contracts),
        draw_total(board),
        _draw_change_halos(board, seat, context.recent_events),
        _draw_choice_marks(board, context.choices) if view.viewer == seat else (),
    )
    return Scene(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT, PAPER, layers, (), PALETTE)


# Contracts ----------------------------------------------------------------------------------------------


def _contract_left(index: int) -> int:
    return MARGIN + index * (PICTURE_WIDTH - 2 * MARGIN - _CONTRACT_WIDTH)


def _draw_contract_place(board: PlayerBoard, index: int) -> tuple[Group, ...]:
    held = board.contracts[index] if index < len(board.contracts) else None
    return _draw_contract(_contract_left(index), held)


@lru_cache(maxsize=64)
def _draw_contract(left: int, held: HeldContract | None) -> tuple[Group, ...]:
    if held is None:
        empty_text = Text(
            _CONTRACT_WIDTH / 2, _CONTRACT_HEIGHT / 2, "no contract", 32, SECONDARY_INK, 300, Typeface.ITALIC,
            Anchor.MIDDLE,
        )  # fmt: skip
        box = parts.draw_panel_box(left, _CONTRACT_TOP, _CONTRACT_WIDTH, _CONTRACT_HEIGHT, highlighted=False)
        return box, make_group(left, _CONTRACT_TOP, (fit_text_and_width(empty_text),))
    facts = CONTRACTS[held.contract]
    background = make_group(
        left,
        _CONTRACT_TOP,
        (
            Box(4, 6, _CONTRACT_WIDTH, _CONTRACT_HEIGHT, 16, SHADOW),
            Box(0, 0, _CONTRACT_WIDTH, _CONTRACT_HEIGHT, 16, CARD, INK, NORMAL_LINE_WIDTH),
        ),
    )
    name = Text(138, 54, PORT_NAMES[facts.port], 36, INK, 240, Typeface.ITALIC)
    header: list[Item] = [
        *draw_flag(26, 20, 92, facts.port),
        fit_text_and_width(name),
        *draw_contract_points(_CONTRACT_WIDTH - 26, 54, facts.points, 54),
    ]
    pitch = _slot_pitch(len(facts.requirements))
    layers = [background, make_group(left, _CONTRACT_TOP, tuple(header))]
    for index, (required, trash) in enumerate(zip(facts.requirements, held.slots, strict=True)):
        x = _slot_x(left, index, len(facts.requirements))
        layers.append(_draw_slot_or_token(x, _SLOT_Y, required, trash))
        ink = SECONDARY_INK if trash is None else INK
        label = Text(
            0,
            0,
            _slot_label(trash or required, len(facts.requirements)),
            27,
            ink,
            pitch - 4,
            Typeface.SANS,
            Anchor.MIDDLE,
        )
        layers.append(make_group(x, _CONTRACT_TOP + 224, (fit_text_and_width(label),)))
    return tuple(layers)


def _slot_pitch(slot_count: int) -> float:
    return _CONTRACT_WIDTH / (slot_count + (0.2 if slot_count > 4 else 0.35))


def _slot_x(left: int, index: int, slot_count: int) -> int:
    """Return the x of the middle of a contract's slot."""
    pitch = _slot_pitch(slot_count)
    return left + round((_CONTRACT_WIDTH - pitch * (slot_count - 1)) / 2 + pitch * index)


def _slot_label(trash: Trash | None, slot_count: int) -> str:
    """Return the label of a slot; beside three more slots, the longest one is abbreviated."""
    if trash is None:
        return ANY
    return "alumin." if trash is Trash.ALUMINIUM and slot_count > 3 else TRASH_NAMES[trash]


@lru_cache(maxsize=64)
def _draw_slot_or_token(x: int, y: int, required: Trash | None, trash: Trash | None) -> Group:
    if trash is None:
        return make_group(x, y, draw_slot(0, 0, _SLOT_RADIUS, required))
    items = list(draw_token(0, 0, _SLOT_RADIUS, trash))
    if required is None:
        mark = Text(32, 30, "?", 26, INK, 30, Typeface.BOLD, Anchor.MIDDLE)
        items += (Disc(32, 30, 18, WHITE, INK, 2), mark)
    return make_group(x, y, tuple(items))


# Upgrades --------------------------------------------------------------------------------------------------


def _all_upgrades() -> tuple[tuple[Upgrade, int], ...]:
    """Return each upgrade of a board, and its number from 0 among the upgrades of its kind."""
    return tuple((upgrade, number) for upgrade, count in UPGRADE_COUNTS.items() for number in range(count))


def _upgrade_left(index: int) -> int:
    return MARGIN + round(index * _UPGRADE_PITCH)


def _draw_upgrades(board: PlayerBoard) -> tuple[Group, ...]:
    return tuple(
        layer
        for index, (upgrade, number) in enumerate(_all_upgrades())
        for layer in _draw_upgrade(
            _upgrade_left(index), upgrade, is_unlocked=board.unlocked_upgrades.count(upgrade) > number
        )
    )


@lru_cache(maxsize=64)
def _draw_upgrade(left: int, upgrade: Upgrade, *, is_unlocked: bool) -> tuple[Group, ...]:
    ink, background = (INK, WHITE) if is_unlocked else (INACTIVE_SIGN, PANEL)
    box = parts.draw_panel_box(left, _UPGRADE_TOP, _UPGRADE_WIDTH, _UPGRADE_HEIGHT, highlighted=is_unlocked)
    is_bonus = upgrade in {Upgrade.HABITAT_BONUS, Upgrade.CONTRACT_BONUS}
    items = list(draw_glyph(UPGRADE_SIGNS[upgrade], 50 if is_bonus else 75, 54, 62, ink, background))
    text_ink = INK if is_unlocked else SECONDARY_INK
    if is_bonus:
        items.append(Text(112, 62, "+2", 32, text_ink, 60, Typeface.BOLD, Anchor.MIDDLE))
    if not is_unlocked:
        items += draw_glyph(LOCK, 126, 26, 32, SECONDARY_INK, PANEL)
    label = Text(
        75, 112, _UPGRADE_TEXTS[upgrade], 25, text_ink, _UPGRADE_WIDTH - 12, Typeface.SANS, Anchor.MIDDLE
    )
    return box, make_group(left, _UPGRADE_TOP, (*items, fit_text_and_width(label)))


# What has changed ---------------------------------------------------------------------------------------


def _draw_change_halos(board: PlayerBoard, seat: Seat, recent_events: Iterable[Event]) -> tuple[Group, ...]:
    """Draw halos round what the newest turn changed on a seat's board."""
    changes = collect_changes(recent_events)
    halos: list[Group] = []
    for index, held in enumerate(board.contracts):
        left = _contract_left(index)
        if held.contract in changes.taken_contracts:
            halos.append(parts.draw_box_halo(left, _CONTRACT_TOP, _CONTRACT_WIDTH, _CONTRACT_HEIGHT, 16))
        if (slot := changes.filled_slots.get(held.contract)) is not None:
            x = _slot_x(left, slot, len(held.slots))
            halos.append(parts.draw_disc_halo(x, _SLOT_Y, _SLOT_RADIUS))
    for index, (upgrade, number) in enumerate(_all_upgrades()):
        is_newest = board.unlocked_upgrades.count(upgrade) == number + 1
        if is_newest and upgrade in changes.unlocked_upgrades.get(seat, ()):
            left = _upgrade_left(index)
            halos.append(parts.draw_box_halo(left, _UPGRADE_TOP, _UPGRADE_WIDTH, _UPGRADE_HEIGHT, 14))
    regions = changes.restored_regions.intersection(board.restored_regions)
    restored_animals = {REGIONS[region].animal for region in regions}
    halos += [
        parts.draw_disc_halo(*habitat_spot(index), HABITAT_RADIUS)
        for index, animal in enumerate(Animal)
        if animal in restored_animals
    ]
    halos += [
        parts.draw_box_halo(*delivered_box(index, len(board.delivered_contracts)), 10)
        for index, contract in enumerate(board.delivered_contracts)
        if contract in changes.delivered_contracts
    ]
    return tuple(halos)


# What can be chosen -------------------------------------------------------------------------------------


def _draw_choice_marks(board: PlayerBoard, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    contracts = {choice.contract for choice in choices if isinstance(choice, Deliver | DiscardContract)}
    marks = _draw_slot_marks(board, choices)
    marks += [
        draw_choice_mark(
            _contract_left(index) + 8, _CONTRACT_TOP + 8, _CONTRACT_WIDTH - 16, _CONTRACT_HEIGHT - 16, 12
        )
        for index, held in enumerate(board.contracts)
        if held.contract in contracts and len(choices) > 1
    ]
    upgrades = differing_values(choices, "upgrade")
    for index, (upgrade, number) in enumerate(_all_upgrades()):
        if upgrade in upgrades and board.unlocked_upgrades.count(upgrade) <= number:
            left, top = _upgrade_left(index) + 7, _UPGRADE_TOP + 7
            marks.append(draw_choice_mark(left, top, _UPGRADE_WIDTH - 14, _UPGRADE_HEIGHT - 14, 9))
    return tuple(marks)


def _draw_slot_marks(board: PlayerBoard, choices: tuple[Action, ...]) -> list[Group]:
    """Draw marks round the slots that trash can go to; none if only one choice is left."""
    if len(choices) < 2:
        return []
    spots: set[tuple[int, int]] = set()
    for choice in (each for each in choices if isinstance(each, Collect)):
        index, held = next(
            (index, held) for index, held in enumerate(board.contracts) if held.contract is choice.contract
        )
        slot_kinds = CONTRACTS[held.contract].requirements
        wanted_kind = None if choice.wild else choice.trash
        slot_index = next(
            slot_index
            for slot_index, (kind, trash) in enumerate(zip(slot_kinds, held.slots, strict=True))
            if kind is wanted_kind and trash is None
        )
        spots.add((_slot_x(_contract_left(index), slot_index, len(slot_kinds)), _SLOT_Y))
    size = 2 * _SLOT_RADIUS
    return [
        draw_choice_mark(x - _SLOT_RADIUS, y - _SLOT_RADIUS, size, size, _SLOT_RADIUS)
        for x, y in sorted(spots)
    ]
