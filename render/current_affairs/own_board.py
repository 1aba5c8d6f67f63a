"""A player's own board of Current Affairs: contracts, upgrades, habitats, delivered contracts, points."""

from functools import lru_cache
from typing import Final

from render import parts
from render.choice_marks import differing_values, draw_choice_mark
from render.current_affairs.palette import PALETTE
from render.current_affairs.pieces import draw_contract_points, draw_flag, draw_slot, draw_token
from render.current_affairs.signs import ANIMAL_SIGNS, DROPLET, KELP, TICK, TICKED_CARD, UPGRADE_SIGNS
from render.glyphs import draw_glyph
from render.picture import PictureContext
from render.scene import Anchor, Box, Disc, Group, Item, Scene, Text, Typeface, make_group
from render.sea_glyphs import LOCK
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    DEEP_BLUE,
    INACTIVE_SIGN,
    INK,
    MARGIN,
    MUTED_INK,
    NORMAL_LINE_WIDTH,
    PANEL,
    PAPER,
    PICTURE_WIDTH,
    SEAT_MARKS,
    SECONDARY_INK,
    SHADOW,
    SMALL_PICTURE_HEIGHT,
    WATER,
    WATER_MEDIUM,
    WHITE,
)
from rules.current_affairs.actions import Collect, Deliver, DiscardContract, EndTurn, Skip, Unlock
from rules.current_affairs.components import (
    CONTRACTS,
    CONTRACTS_TO_END,
    MAX_HELD_CONTRACTS,
    PORT_NAMES,
    REGIONS,
    UPGRADE_COUNTS,
    Animal,
    Contract,
    Region,
    Trash,
    Upgrade,
)
from rules.current_affairs.ending import score_lines
from rules.current_affairs.model import CurrentAffairsView, HeldContract, PlayerBoard
from rules.current_affairs.phrases import ANIMAL_NAMES, ANY, TRASH_NAMES
from rules.game import Action

_CONTRACT_TOP: Final = 104
_CONTRACT_WIDTH: Final = 564
_CONTRACT_HEIGHT: Final = 258
_SLOT_Y: Final = _CONTRACT_TOP + 150
_SLOT_RADIUS: Final = 43
_UPGRADE_TOP: Final = 384
_UPGRADE_HEIGHT: Final = 140
_UPGRADE_WIDTH: Final = 150
_UPGRADE_PITCH: Final = 165.7
_HABITATS_TOP: Final = 544
_HABITATS_HEIGHT: Final = 226
"""Height of the box of habitats, and of the box of delivered contracts at its right."""
_TOTAL_TOP: Final = 790
_TOTAL_HEIGHT: Final = 82

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
    if any(isinstance(choice, Collect | Skip) for choice in choices):
        return True
    board_actions = (Deliver, DiscardContract, Unlock)
    return any(isinstance(choice, board_actions) for choice in choices) and all(
        isinstance(choice, (*board_actions, EndTurn)) for choice in choices
    )


def draw_own_board(view: CurrentAffairsView, context: PictureContext) -> Scene:
    """Draw one seat's own board, with marks for what can be chosen."""
    seat = context.subject or 0
    board = view.position.boards[seat]
    caption = context.caption
    note = caption.note_with_game("Current Affairs")
    layers = parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT),
        parts.draw_title_bar(PICTURE_WIDTH, "Ship", note, caption.seat_name(seat), "", seat),
        *(_draw_contract_place(board, index) for index in range(MAX_HELD_CONTRACTS)),
        _draw_upgrades(board),
        _draw_habitats(board, seat),
        _draw_delivered(board.delivered_contracts),
        _draw_total(board),
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


# Habitats and delivered contracts -----------------------------------------------------------------------


def _draw_habitats(board: PlayerBoard, seat: int) -> tuple[Group, ...]:
    width = 640
    background = make_group(MARGIN, _HABITATS_TOP, (Box(0, 0, width, _HABITATS_HEIGHT, 14, WATER),))
    heading = Text(24, 36, "Habitats", 34, INK, 300, Typeface.ITALIC)
    layers = [background, make_group(MARGIN, _HABITATS_TOP, (fit_text_and_width(heading),))]
    restored = {REGIONS[region].animal: region for region in board.restored_regions}
    for index, animal in enumerate(Animal):
        layers += _draw_habitat(MARGIN + 74 + round(index * 123.5), seat, animal, restored.get(animal))
    return tuple(layers)


@lru_cache(maxsize=128)
def _draw_habitat(x: int, seat: int, animal: Animal, region: Region | None) -> tuple[Group, ...]:
    mark = SEAT_MARKS[seat]
    background, ink = (WHITE, INK) if region is None else (mark.colour, mark.letter_colour)
    items: list[Item] = [
        Disc(0, 0, 49, background, INK, NORMAL_LINE_WIDTH),
        *draw_glyph(ANIMAL_SIGNS[animal], 0, 0, 70, ink, background),
    ]
    if region is not None:
        items += (Disc(38, -36, 17, WHITE, INK, 2.2), *draw_glyph(TICK, 38, -36, 21, INK, WHITE))
    label = Text(0, 0, ANIMAL_NAMES[animal], 26, INK, 122, Typeface.SANS, Anchor.MIDDLE)
    return (
        make_group(x, _HABITATS_TOP + 118, tuple(items)),
        make_group(x, _HABITATS_TOP + 194, (fit_text_and_width(label),)),
    )


@lru_cache(maxsize=128)
def _draw_delivered(delivered: tuple[Contract, ...]) -> tuple[Group, ...]:
    left, width = MARGIN + 660, 484
    background = make_group(left, _HABITATS_TOP, (Box(0, 0, width, _HABITATS_HEIGHT, 14, WATER),))
    heading = Text(24, 36, "Delivered", 34, INK, 300, Typeface.ITALIC)
    layers = [background, make_group(left, _HABITATS_TOP, (fit_text_and_width(heading),))]
    place_count = max(CONTRACTS_TO_END, len(delivered))
    pitch = 450 / place_count
    for index in range(place_count):
        x = left + 20 + round(pitch * index)
        card_width = round(pitch) - 9
        if index >= len(delivered):
            layers.append(
                make_group(
                    x,
                    _HABITATS_TOP + 68,
                    (Box(0, 0, card_width, 136, 10, None, WATER_MEDIUM, NORMAL_LINE_WIDTH),),
                )
            )
            continue
        facts = CONTRACTS[delivered[index]]
        points = Text(
            card_width / 2, 98, str(facts.points), 38, INK, card_width - 8, Typeface.BOLD, Anchor.MIDDLE
        )
        items = (
            Box(0, 0, card_width, 136, 10, CARD, INK, NORMAL_LINE_WIDTH),
            *draw_flag(card_width / 2 - 27, 16, 54, facts.port),
            points,
        )
        layers.append(make_group(x, _HABITATS_TOP + 68, items))
    return tuple(layers)


# Points -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _draw_total(board: PlayerBoard) -> tuple[Group, ...]:
    width = PICTURE_WIDTH - 2 * MARGIN
    box = parts.draw_panel_box(MARGIN, _TOTAL_TOP, width, _TOTAL_HEIGHT, highlighted=False)
    contract_points, habitat_points, trash_points, contract_bonus, habitat_bonus = (
        line.points for line in score_lines(board)
    )
    heading = Text(24, 41, "Points so far", 34, INK, 260, Typeface.ITALIC)
    items: list[Item] = [fit_text_and_width(heading)]
    parts_of_total = (
        (draw_glyph(DROPLET, 0, 0, 46, DEEP_BLUE, PANEL), str(contract_points)),
        (draw_glyph(KELP, 0, 0, 44, INK, PANEL), str(habitat_points)),
        (draw_token(-7, 0, 19, Trash.PLASTIC) + draw_token(9, 0, 19, Trash.RUBBER), str(trash_points)),
        (
            draw_glyph(TICKED_CARD, 0, 0, 42, INK if contract_bonus else MUTED_INK, PANEL),
            f"+{contract_bonus}",
        ),
        (draw_glyph(KELP, 0, 0, 44, INK if habitat_bonus else MUTED_INK, PANEL), f"+{habitat_bonus}"),
    )
    layers = [box]
    for index, (sign, text) in enumerate(parts_of_total):
        x = MARGIN + 300 + index * 148
        value = fit_text_and_width(Text(34, 0, text, 36, INK, 110))
        layers.append(make_group(x, _TOTAL_TOP + 41, (*sign, value)))
    points = str(sum(line.points for line in score_lines(board)))
    total = Text(width - 24, 41, points, 52, INK, 120, Typeface.BOLD, Anchor.RIGHT)
    layers.append(make_group(MARGIN, _TOTAL_TOP, (*items, fit_text_and_width(total))))
    return tuple(layers)


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
