"""Queries and small changes of players' boards."""

from typing import Final, NamedTuple

from msgspec.structs import replace

from rules.current_affairs.components import (
    BASE_MOVEMENT_ACTIONS,
    CONTRACTS,
    REGIONS,
    UPGRADE_COUNTS,
    Animal,
    Contract,
    Region,
    Trash,
    Upgrade,
)
from rules.current_affairs.model import HeldContract, PlayerBoard, Position
from rules.model import Seat

REGION_INDEX: Final = {region: index for index, region in enumerate(Region)}


class OpenSlot(NamedTuple):
    """A contract with an empty slot for a kind of trash."""

    contract: Contract
    wild: bool
    """Whether the slot takes any trash; False: it takes only this kind."""


class ReachableTrash(NamedTuple):
    """Trash that may be taken from a stack, and where it may go."""

    trash: Trash
    is_second_token: bool
    open_slots: tuple[OpenSlot, ...]
    """Empty if it fits nowhere."""


def movement_allowance(board: PlayerBoard) -> int:
    """Return how many movement actions a ship has in a turn."""
    return BASE_MOVEMENT_ACTIONS + board.unlocked_upgrades.count(Upgrade.WHEEL)


def remaining_animals(board: PlayerBoard) -> frozenset[Animal]:
    """Return the animals still on a player's board."""
    return frozenset(Animal) - {REGIONS[region].animal for region in board.restored_regions}


def locked_upgrades(board: PlayerBoard) -> tuple[Upgrade, ...]:
    """Return the kinds of upgrades that a player has not unlocked."""
    return tuple(
        upgrade for upgrade, count in UPGRADE_COUNTS.items() if board.unlocked_upgrades.count(upgrade) < count
    )


def count_locked_upgrades(board: PlayerBoard) -> int:
    """Return how many upgrades a player has not unlocked, both wheels counted."""
    return sum(UPGRADE_COUNTS.values()) - len(board.unlocked_upgrades)


def could_unlock_one_more(position: Position, board: PlayerBoard) -> bool:
    """Whether one more delivery could unlock an upgrade (CA19: one lock for each)."""
    return count_locked_upgrades(board) > position.unused_unlock_count


def is_in_own_port(board: PlayerBoard, contract: Contract) -> bool:
    """Whether a board's ship is in the port of a contract."""
    return board.ship is not None and REGIONS[board.ship].port is CONTRACTS[contract].port


def stack_of(position: Position, region: Region) -> tuple[Trash, ...]:
    """Return the trash in a region, from the bottom."""
    return position.stacks[REGION_INDEX[region]]


def restorer_of(position: Position, region: Region) -> Seat | None:
    """Return who restored a region's habitat; None: nobody."""
    for seat, board in enumerate(position.boards):
        if region in board.restored_regions:
            return Seat(seat)
    return None


def seats_stuck_with_animal(position: Position, animal: Animal) -> tuple[Seat, ...]:
    """Return the seats that still have an animal although each of its regions is restored."""
    regions = [region for region, facts in REGIONS.items() if facts.animal is animal]
    if any(restorer_of(position, region) is None for region in regions):
        return ()
    return tuple(
        Seat(seat)
        for seat, board in enumerate(position.boards)
        if animal in remaining_animals(board) and not board.resigned
    )


def open_contracts(position: Position) -> tuple[Contract, ...]:
    """Return the contracts that can be drawn, slot by slot, then the top of the deck."""
    return tuple(contract for contract in (*position.market, position.top_contract) if contract is not None)


def empty_contract(contract: Contract) -> HeldContract:
    """Return a contract as it is taken: without trash."""
    return HeldContract(contract, (None,) * len(CONTRACTS[contract].requirements))


def held_contract(board: PlayerBoard, contract: Contract) -> HeldContract:
    """Return one of a board's contracts with its trash."""
    return next(each for each in board.contracts if each.contract is contract)


def missing_requirements(held: HeldContract) -> tuple[Trash | None, ...]:
    """Return what the empty slots of a contract require; None takes any trash."""
    kinds = CONTRACTS[held.contract].requirements
    return tuple(kind for kind, filled in zip(kinds, held.slots, strict=True) if filled is None)


def open_slots(board: PlayerBoard, trash: Trash) -> tuple[OpenSlot, ...]:
    """Return where trash fits; of equal slots on a contract only one."""
    slots = []
    for held in board.contracts:
        missing = missing_requirements(held)
        if trash in missing:
            slots.append(OpenSlot(held.contract, wild=False))
        if None in missing:
            slots.append(OpenSlot(held.contract, wild=True))
    return tuple(slots)


def reachable_trash(position: Position, seat: Seat, region: Region) -> tuple[ReachableTrash, ...]:
    """Return the trash that a seat may take in a region: the top token, with a crane also the second one.

    Of two equal tokens only the top one is returned.
    """
    stack, board = stack_of(position, region), position.boards[seat]
    max_depth = 2 if Upgrade.CRANE in board.unlocked_upgrades else 1
    reachable: dict[Trash, ReachableTrash] = {}
    for depth, trash in enumerate(stack[: -max_depth - 1 : -1]):
        if trash not in reachable:
            reachable[trash] = ReachableTrash(trash, bool(depth), open_slots(board, trash))
    return tuple(reachable.values())


def with_trash(
    board: PlayerBoard, trash: Trash, contract: Contract, *, wild: bool
) -> tuple[PlayerBoard, int]:
    """Return the board with trash on the leftmost open slot of its kind, and the slot's index.

    ``wild``: on a slot that takes any trash instead.
    """
    slot_kind = None if wild else trash
    held = held_contract(board, contract)
    kinds = CONTRACTS[contract].requirements
    slot = next(index for index, kind in enumerate(kinds) if kind is slot_kind and held.slots[index] is None)
    filled_contract = HeldContract(contract, (*held.slots[:slot], trash, *held.slots[slot + 1 :]))
    contracts = tuple(filled_contract if each is held else each for each in board.contracts)
    return replace(board, contracts=contracts), slot


def replace_board(position: Position, seat: Seat, board: PlayerBoard) -> tuple[PlayerBoard, ...]:
    """Return all boards with that of a seat replaced."""
    return (*position.boards[:seat], board, *position.boards[seat + 1 :])


def turn_order(position: Position, start: Seat) -> tuple[Seat, ...]:
    """Return the seats still playing, clockwise from ``start``."""
    seat_count = len(position.boards)
    order = (Seat((start + step) % seat_count) for step in range(seat_count))
    return tuple(seat for seat in order if not position.boards[seat].resigned)
