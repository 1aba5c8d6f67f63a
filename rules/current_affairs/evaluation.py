"""What a stop is worth to the policy of Current Affairs, in points, and the board that it leaves."""

import math
from typing import Final, NamedTuple

from msgspec.structs import replace

from rules.current_affairs.boards import (
    reachable_trash,
    remaining_animals,
    restorer_of,
    stack_of,
    with_trash,
)
from rules.current_affairs.components import (
    BONUS_POINTS,
    CONTRACTS,
    MAX_HELD_CONTRACTS,
    REGIONS,
    Port,
    Region,
    Upgrade,
)
from rules.current_affairs.model import HeldContract, PlayerBoard, Position
from rules.model import Seat

UPGRADE_VALUE: Final = 3.5
"""The value of an unlocked upgrade."""
_COMPLETE_SHARE: Final = 0.9
"""The part of a contract's points that counts once it is complete; the rest counts when it is delivered."""
_PROGRESS_EXPONENT: Final = 1.3
"""A partly full contract has its value times the filled share to this power: nearly complete ones first."""
_WILD_SLOT_COST: Final = 0.6
"""The cost of using a slot for any trash, which could take something else later."""
_HABITAT_VALUE: Final = 1.0
"""The value of a restored habitat besides its points."""
_LOW_STACK_VALUE: Final = 1.2
"""The value of lowering a stack whose habitat the seat may restore, divided by the height of the stack."""
_DELIVERY_VALUE: Final = 2.0
"""The value of a delivery besides its points: room for a new contract."""
_ROOM_VALUE: Final = 1.0
"""The value of drawing a contract in port for each free place."""


class ValuedBoard(NamedTuple):
    """What trash taken, a habitat restored or contracts delivered where a ship stops bring."""

    value: float
    board: PlayerBoard
    """The board afterwards."""


def filling_value(before: PlayerBoard, after: PlayerBoard, *, wild: bool) -> float:
    """Return what one more token on a contract is worth; ``wild``: on a slot for any trash."""
    gain = sum(map(_progress_value, after.contracts)) - sum(map(_progress_value, before.contracts))
    return gain - _WILD_SLOT_COST * wild


def _progress_value(held: HeldContract) -> float:
    """Return the value of the trash on a contract."""
    filled_share = len(held.trash) / len(held.slots)
    return CONTRACTS[held.contract].points * _COMPLETE_SHARE * math.pow(filled_share, _PROGRESS_EXPONENT)


def simulate_stop(position: Position, seat: Seat, region: Region) -> ValuedBoard:
    """Return what a seat gets where its ship stops."""
    facts, board = REGIONS[region], position.boards[seat]
    value, stack_height = 0.0, len(stack_of(position, region))
    collected = _collect_best(position, seat, region)
    if collected is not None:
        value, board = collected
    if facts.animal in remaining_animals(board) and restorer_of(position, region) is None:
        if stack_height == (collected is not None):
            value += _habitat_value(board)
            board = replace(board, restored_regions=(*board.restored_regions, region))
        elif collected is not None:
            value += _LOW_STACK_VALUE / stack_height
    if facts.port is None:
        return ValuedBoard(value, board)
    delivered = _deliver_all(board, facts.port)
    return ValuedBoard(value + delivered.value, delivered.board)


def _collect_best(position: Position, seat: Seat, region: Region) -> ValuedBoard | None:
    """Return what the best trash within reach brings; None: none fits."""
    board, best = position.boards[seat], None
    for each in reachable_trash(position, seat, region):
        for contract, wild in each.open_slots:
            after, _ = with_trash(board, each.trash, contract, wild=wild)
            value = filling_value(board, after, wild=wild)
            if best is None or value > best.value:
                best = ValuedBoard(value, after)
    return best


def _habitat_value(board: PlayerBoard) -> float:
    """Return what one more habitat is worth."""
    count = len(board.restored_regions)
    bonus_points = BONUS_POINTS * (Upgrade.HABITAT_BONUS in board.unlocked_upgrades)
    return (count + 1) ** 2 - count**2 + bonus_points + _HABITAT_VALUE


def _deliver_all(board: PlayerBoard, port: Port) -> ValuedBoard:
    """Return what delivering all complete contracts in a port is worth."""
    value = 0.0
    for held in board.contracts:
        if held.is_complete:
            facts = CONTRACTS[held.contract]
            value += facts.points * (1 - _COMPLETE_SHARE) + _DELIVERY_VALUE
            value += BONUS_POINTS * (Upgrade.CONTRACT_BONUS in board.unlocked_upgrades)
            value += UPGRADE_VALUE * (facts.port is port)
            board = replace(
                board,
                contracts=tuple(each for each in board.contracts if each is not held),
                delivered_contracts=(*board.delivered_contracts, held.contract),
            )
    return ValuedBoard(value + _ROOM_VALUE * (MAX_HELD_CONTRACTS - len(board.contracts)), board)
