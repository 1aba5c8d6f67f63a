"""One player's own board in words, for those who do not see its picture."""

from rules.current_affairs.boards import movement_allowance, remaining_animals
from rules.current_affairs.components import CONTRACTS, REGIONS, UPGRADE_COUNTS, Animal
from rules.current_affairs.description import MAX_ALT_TEXT_LENGTH, points_text
from rules.current_affairs.ending import score_lines
from rules.current_affairs.model import CurrentAffairsView, HeldContract, PlayerBoard, Position
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    ANY,
    TRASH_NAMES,
    contract_name,
    movement_actions_text,
    region_name,
    region_with_article,
    upgrades_text,
)
from rules.model import SEAT_LETTERS, Names, Seat
from rules.text import listed, shortened


def own_board_text(view: CurrentAffairsView, seat: Seat, names: Names) -> str:
    """Describe a seat's own board: slots of contracts, upgrades, habitats, delivered contracts, points."""
    board = view.position.boards[seat]
    headline = f"{SEAT_LETTERS[seat]} {names[seat]}"
    if board.resigned:
        headline += ": resigned"
    elif board.ship is not None:
        actions_text = movement_actions_text(movement_allowance(board))
        headline += f": in {region_with_article(board.ship)}, {actions_text} a turn"
    lines = [
        f"{headline}.",
        *(_contract_line(held) for held in board.contracts),
        _upgrades_line(board),
        _habitats_line(board),
        _delivered_line(board),
        _points_line(view.position, board),
    ]
    return shortened("\n".join(lines), MAX_ALT_TEXT_LENGTH)


def _contract_line(held: HeldContract) -> str:
    """Return "Contract C08, Callao 8: net, rubber missing, any missing, plastic as any."."""
    slot_texts = []
    for kind, filled in zip(CONTRACTS[held.contract].requirements, held.slots, strict=True):
        needed_text = ANY if kind is None else TRASH_NAMES[kind]
        if filled is None:
            slot_texts.append(f"{needed_text} missing")
        else:
            slot_texts.append(
                TRASH_NAMES[filled] if kind is not None else f"{TRASH_NAMES[filled]} as {needed_text}"
            )
    return f"Contract {held.contract.value}, {contract_name(held.contract)}: {', '.join(slot_texts)}."


def _upgrades_line(board: PlayerBoard) -> str:
    """Return the unlocked upgrades, then the locked ones."""
    unlocked = {upgrade: board.unlocked_upgrades.count(upgrade) for upgrade in UPGRADE_COUNTS}
    locked = {upgrade: count - unlocked[upgrade] for upgrade, count in UPGRADE_COUNTS.items()}
    return f"Upgrades: {upgrades_text(unlocked) or 'none'}. Locked: {upgrades_text(locked) or 'none'}."


def _habitats_line(board: PlayerBoard) -> str:
    restored = [
        f"{ANIMAL_NAMES[REGIONS[region].animal]} ({region_name(region)})" for region in board.restored_regions
    ]
    to_restore = [ANIMAL_NAMES[animal] for animal in Animal if animal in remaining_animals(board)]
    return f"Restored habitats: {listed(restored) or 'none'}. To restore: {listed(to_restore) or 'none'}."


def _delivered_line(board: PlayerBoard) -> str:
    return (
        f"Delivered: {listed([contract_name(contract) for contract in board.delivered_contracts]) or 'none'}."
    )


def _points_line(position: Position, board: PlayerBoard) -> str:
    parts = [f"{line.label.lower()} {line.points}" for line in score_lines(board) if line.points]
    detail = f" ({', '.join(parts)})" if parts else ""
    return f"{points_text(position, board)}{detail}."
