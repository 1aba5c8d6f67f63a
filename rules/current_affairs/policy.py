"""The policy of Current Affairs: sail where trash is worth most, with an eye on ports and habitats."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from rules.current_affairs.actions import (
    Collect,
    Deliver,
    DiscardContract,
    DrawContract,
    PickContract,
    PlaceShip,
    Sail,
    Unlock,
)
from rules.current_affairs.boards import (
    held_contract,
    movement_allowance,
    open_slots,
    replace_board,
    with_trash,
)
from rules.current_affairs.components import (
    CONTRACTS,
    MAX_HELD_CONTRACTS,
    REGIONS,
    TRASH_TOKEN_COUNTS,
    Contract,
    Region,
    Upgrade,
)
from rules.current_affairs.ending import board_points, bonus_points, has_later_turn, is_last_round
from rules.current_affairs.evaluation import UPGRADE_VALUE, filling_value, simulate_stop
from rules.current_affairs.model import CurrentAffairsView, PlayerBoard, Position
from rules.current_affairs.routes import ROUTES
from rules.model import Action, Seat
from rules.random_stream import RandomStream

_TOKEN_COUNT: Final = sum(TRASH_TOKEN_COUNTS.values())
_RARITY: Final = {
    trash: _TOKEN_COUNT / (count * len(TRASH_TOKEN_COUNTS)) for trash, count in TRASH_TOKEN_COUNTS.items()
}
"""How rare a kind of trash is: 1 on average over all tokens."""
_WILD_SLOT_EFFORT: Final = 0.8
"""The effort of filling a slot for any trash; that of another slot is the rarity of its kind."""
_CONTRACT_EFFORT: Final = 1.5
"""The effort of any contract besides filling its slots."""
_RARITY_WEIGHT: Final = 0.2
"""The weight of a kind's rarity in the choice of what to collect."""
_UPGRADE_ORDER: Final = (
    Upgrade.CONTRACT_BONUS,
    Upgrade.HABITAT_BONUS,
    Upgrade.WHEEL,
    Upgrade.CRANE,
    Upgrade.SHARE_SPACE,
    Upgrade.EXTRA_TURN,
)
"""The order in which upgrades are unlocked in a game of three."""
_CROWDED_UPGRADE_ORDER: Final = (
    Upgrade.SHARE_SPACE,
    Upgrade.HABITAT_BONUS,
    Upgrade.CONTRACT_BONUS,
    Upgrade.WHEEL,
    Upgrade.CRANE,
    Upgrade.EXTRA_TURN,
)
"""The same in a crowded game, where other ships are often in the way."""
_MIN_CROWDED_SEATS: Final = 4
"""A game of this many seats or more is crowded."""
_LATER_STOP_WEIGHT: Final = 0.6
"""The weight of the best later stop, which others may still change."""
_MAX_LATER_TURNS: Final = 2
"""Stops that take more turns than this are not looked at."""
_STUCK_VALUE: Final = 2.5
"""The value of reaching a port where contracts can be exchanged when nothing on the board fits."""
_DELIVER_BASE_VALUE: Final = 100.0
_STUCK_DISCARD_VALUE: Final = 60.0
_UNLOCK_BASE_VALUE: Final = 50.0
_DRAW_BASE_VALUE: Final = 10.0
"""Values of the steps in port, so far apart that they alone decide between steps."""
_DISCARD_VALUE: Final = -1.0
"""The value of discarding a contract that is of use: less than that of ending the turn, which is 0."""
_EXTRA_TURN_POINTS: Final = 3
"""The points that an extra turn is likely to bring."""
_AVAILABLE_TRASH_WEIGHT: Final = 0.3
"""The weight of the trash on top of stacks that a contract asks for."""
_MAX_AVAILABLE_TOKENS: Final = 3
"""So many tokens of a kind on top of stacks are enough."""


def choose(view: CurrentAffairsView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose the action of the highest value; among equals one at random."""
    seat = view.viewer
    assert seat is not None
    position = view.position
    value_of = _VALUE_FUNCTIONS.get(type(actions[0]), _port_action_value)
    values = [value_of(position, seat, action) for action in actions]
    return stream.choose_best(actions, values)


# Contracts -------------------------------------------------------------------------------------------


def _contract_value(contract: Contract) -> float:
    """Return about how many points a contract brings for each token that it needs; rare tokens count more."""
    facts = CONTRACTS[contract]
    effort = sum(_WILD_SLOT_EFFORT if slot is None else _RARITY[slot] for slot in facts.requirements)
    return facts.points / (effort + _CONTRACT_EFFORT)


def _pick_value(position: Position, seat: Seat, action: Action) -> float:
    assert isinstance(action, PickContract)
    return _contract_value(action.contract)


# Ocean phase -----------------------------------------------------------------------------------------


def _place_value(position: Position, seat: Seat, action: Action) -> float:
    assert isinstance(action, PlaceShip)
    return simulate_stop(position, seat, action.region).value


def _sail_value(position: Position, seat: Seat, action: Action) -> float:
    """Value a region by what it brings now and by the best stop after it; in the last turn by the points."""
    assert isinstance(action, Sail)
    board, region = position.boards[seat], action.region
    value, board_after = simulate_stop(position, seat, region)
    after = replace(position, boards=replace_board(position, seat, board_after))
    if not _has_turn_after(after, seat):
        return board_points(board_after) - board_points(board)
    if REGIONS[region].port is not None and _is_stuck(position, board):
        value += _STUCK_VALUE
    return value + _LATER_STOP_WEIGHT * _later_stop_value(after, seat, region)


def _has_turn_after(position: Position, seat: Seat) -> bool:
    """Whether the current player has another turn after the one whose stop is simulated."""
    if position.in_extra_turns:
        return False
    return Upgrade.EXTRA_TURN in position.boards[seat].unlocked_upgrades or not is_last_round(position)


def _later_stop_value(position: Position, seat: Seat, start: Region) -> float:
    """Return the best value of a stop within two turns of a region; half if it takes both turns."""
    allowance = movement_allowance(position.boards[seat])
    best_value = 0.0
    for region, route in ROUTES[start].items():
        turns = -(-route.cost // allowance)
        if region is not start and turns <= _MAX_LATER_TURNS:
            best_value = max(best_value, simulate_stop(position, seat, region).value / turns)
    return best_value


def _is_stuck(position: Position, board: PlayerBoard) -> bool:
    """Whether no top token of any stack fits a contract, and no contract is complete."""
    if any(held.is_complete for held in board.contracts):
        return False
    tops = {stack[-1] for stack in position.stacks if stack}
    return not any(open_slots(board, trash) for trash in tops)


def _collect_value(position: Position, seat: Seat, action: Action) -> float:
    """Prefer contracts that are nearly complete, and slots of the token's kind to slots for any trash."""
    if not isinstance(action, Collect):
        return 0.0
    board = position.boards[seat]
    after, _ = with_trash(board, action.trash, action.contract, wild=action.wild)
    return filling_value(board, after, wild=action.wild) + _RARITY_WEIGHT * _RARITY[action.trash]


# Port phase ------------------------------------------------------------------------------------------


def _port_action_value(position: Position, seat: Seat, action: Action) -> float:
    """Prefer the earlier steps of the port phase, but discard only what is of no use."""
    board = position.boards[seat]
    match action:
        case Deliver(contract=contract):
            return _DELIVER_BASE_VALUE + _delivery_value(board, contract)
        case DiscardContract(contract=contract):
            return _discard_value(position, board, contract)
        case Unlock(upgrade=upgrade):
            return _UNLOCK_BASE_VALUE + _unlock_value(position, board, upgrade)
        case DrawContract(contract=contract):
            return _DRAW_BASE_VALUE + _drawing_value(position, contract)
        case _:
            return 0.0


def _discard_value(position: Position, board: PlayerBoard, contract: Contract) -> float:
    """Where nothing fits and no place is free, prefer the contract with the least trash on it."""
    has_room = len(board.contracts) < MAX_HELD_CONTRACTS
    if has_room or not has_later_turn(position) or not _is_stuck(position, board):
        return _DISCARD_VALUE
    held = held_contract(board, contract)
    return _STUCK_DISCARD_VALUE - len(held.trash) / len(held.slots)


def _unlock_value(position: Position, board: PlayerBoard, upgrade: Upgrade) -> float:
    """Value the upgrades in their order; in the last turn by the points that they still bring."""
    if not has_later_turn(position):
        match upgrade:
            case Upgrade.CONTRACT_BONUS | Upgrade.HABITAT_BONUS:
                return bonus_points(board, upgrade)
            case Upgrade.EXTRA_TURN if not position.in_extra_turns:
                return _EXTRA_TURN_POINTS
            case _:
                return 0
    order = _CROWDED_UPGRADE_ORDER if len(position.boards) >= _MIN_CROWDED_SEATS else _UPGRADE_ORDER
    is_second_wheel = upgrade is Upgrade.WHEEL and Upgrade.WHEEL in board.unlocked_upgrades
    return -(len(order) if is_second_wheel else order.index(upgrade))


def _delivery_value(board: PlayerBoard, contract: Contract) -> float:
    """Return the points of a contract, more in its own port, where it unlocks an upgrade."""
    facts = CONTRACTS[contract]
    is_in_own_port = board.ship is not None and REGIONS[board.ship].port is facts.port
    return facts.points + (UPGRADE_VALUE if is_in_own_port else 0.0)


def _drawing_value(position: Position, contract: Contract) -> float:
    """Value a contract by its points for each token, more if its trash lies on top of stacks."""
    tops = [stack[-1] for stack in position.stacks if stack]
    needed_trash = [slot for slot in CONTRACTS[contract].requirements if slot is not None]
    available = sum(min(tops.count(slot), _MAX_AVAILABLE_TOKENS) for slot in needed_trash) / max(
        1, len(needed_trash)
    )
    return _contract_value(contract) + _AVAILABLE_TRASH_WEIGHT * available


_VALUE_FUNCTIONS: Final[dict[type[Action], Callable[[Position, Seat, Action], float]]] = {
    PickContract: _pick_value,
    PlaceShip: _place_value,
    Sail: _sail_value,
    Collect: _collect_value,
}
