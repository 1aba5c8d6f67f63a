"""The policy of Current Affairs: sail where trash is worth most, with an eye on ports and habitats."""

from collections.abc import Callable
from typing import Final

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
    remaining_animals,
    restorer_of,
    stack_of,
)
from rules.current_affairs.components import (
    BONUS_POINTS,
    CONTRACTS,
    MAX_HELD_CONTRACTS,
    REGIONS,
    TRASH_TOKEN_COUNTS,
    Contract,
    Region,
    Trash,
    Upgrade,
)
from rules.current_affairs.forecast import forecast_stop
from rules.current_affairs.model import CurrentAffairsView, HeldContract, PlayerBoard, Position
from rules.current_affairs.routes import ROUTES
from rules.game import Action, Seat
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
_COMPLETION_VALUE: Final = 2.0
"""The value of coming nearer to a complete contract, divided by the number of its empty slots."""
_WILD_SLOT_COST: Final = 1.5
"""The cost of using a slot for any trash, which could take something else later."""
_RARITY_WEIGHT: Final = 0.2
"""The weight of a kind's rarity in the choice of what to collect."""
_HABITAT_VALUE: Final = 1.0
"""The value of a restored habitat besides its points."""
_LOW_STACK_VALUE: Final = 1.2
"""The value of lowering a stack whose habitat the seat may restore, divided by the height of the stack."""
_UPGRADE_VALUE: Final = 3.5
"""The value of an unlocked upgrade, in points."""
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
_LATER_TURN_WEIGHT: Final = 0.45
"""The weight of what a later turn brings."""
_MAX_LATER_TURNS: Final = 2
"""Stops that take more turns than this are not looked at."""
_PORT_WEIGHT: Final = 0.6
"""The weight of a later visit to a port with a complete contract."""
_VISIT_VALUE: Final = 2.0
"""The value of a visit to a port for each complete contract, and for room for a new one."""
_STUCK_VALUE: Final = 2.5
"""The value of reaching a port where contracts can be exchanged when nothing on the board fits."""
_DELIVER_BASE_VALUE: Final = 100.0
_STUCK_DISCARD_VALUE: Final = 60.0
_UNLOCK_BASE_VALUE: Final = 50.0
_USELESS_CONTRACT_DISCARD_VALUE: Final = 30.0
_DRAW_BASE_VALUE: Final = 10.0
"""Values of the steps in port, so far apart that they alone decide between steps."""
_DISCARD_VALUE: Final = -1.0
"""The value of discarding a contract that is of use: less than that of ending the turn, which is 0."""
_MIN_USEFUL_CONTRACT_VALUE: Final = 1.0
"""An empty contract of less value is useless."""
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


def _token_value(held: HeldContract) -> float:
    """Return what one more token on a contract is worth: nearly complete ones first."""
    missing_count = held.slots.count(None)
    return CONTRACTS[held.contract].points / len(held.slots) + _COMPLETION_VALUE / missing_count


def _pick_value(position: Position, seat: Seat, action: Action) -> float:
    assert isinstance(action, PickContract)
    return _contract_value(action.contract)


def _best_token_value(board: PlayerBoard, trash: Trash) -> float:
    values = {held.contract: _token_value(held) for held in board.contracts if not held.is_complete}
    return max((values[contract] for contract, _ in open_slots(board, trash)), default=0.0)


# Ocean phase -----------------------------------------------------------------------------------------


def _place_value(position: Position, seat: Seat, action: Action) -> float:
    assert isinstance(action, PlaceShip)
    stack = stack_of(position, action.region)
    return _best_token_value(position.boards[seat], stack[-1])


def _sail_value(position: Position, seat: Seat, action: Action) -> float:
    """Value a region by what it brings now and what can be reached from there next."""
    assert isinstance(action, Sail)
    board, region = position.boards[seat], action.region
    forecast = forecast_stop(position, seat, region)
    value_now = max((_best_token_value(board, each.trash) for each in forecast.fitting_trash), default=0.0)
    if forecast.restored_animal is not None:
        habitat_count = len(board.restored_regions)
        habitat_points = (habitat_count + 1) ** 2 - habitat_count**2
        bonus_points = BONUS_POINTS * (Upgrade.HABITAT_BONUS in board.unlocked_upgrades)
        value_now += habitat_points + bonus_points + _HABITAT_VALUE
    elif forecast.fitting_trash:
        value_now += _low_stack_value(position, board, region)
    if forecast.port is not None:
        value_now += _port_visit_value(position, board, region)
    return value_now + _LATER_TURN_WEIGHT * _later_turn_value(position, board, region)


def _low_stack_value(position: Position, board: PlayerBoard, region: Region) -> float:
    """Return what taking trash is worth where the seat may restore the habitat: more on a low stack."""
    if REGIONS[region].animal not in remaining_animals(board) or restorer_of(position, region) is not None:
        return 0.0
    return _LOW_STACK_VALUE / len(stack_of(position, region))


def _port_visit_value(position: Position, board: PlayerBoard, region: Region) -> float:
    value = 0.0
    for held in board.contracts:
        if held.is_complete:
            facts = CONTRACTS[held.contract]
            value += (
                facts.points / 2
                + _VISIT_VALUE
                + (_UPGRADE_VALUE if facts.port is REGIONS[region].port else 0.0)
            )
    if len(board.contracts) < MAX_HELD_CONTRACTS:
        value += _VISIT_VALUE
    if _is_stuck(position, board):
        value += _STUCK_VALUE
    return value


def _is_stuck(position: Position, board: PlayerBoard) -> bool:
    """Whether no top token of any stack fits a contract, and no contract is complete."""
    if any(held.is_complete for held in board.contracts):
        return False
    tops = {stack[-1] for stack in position.stacks if stack}
    return not any(open_slots(board, trash) for trash in tops)


def _later_turn_value(position: Position, board: PlayerBoard, start: Region) -> float:
    """Return the best value of a later stop within two turns of a region; half if it takes both turns."""
    allowance = movement_allowance(board)
    complete_contracts = [held for held in board.contracts if held.is_complete]
    best_value = 0.0
    for region, route in ROUTES[start].items():
        if region is start:
            continue
        turns = -(-route.cost // allowance)
        if turns > _MAX_LATER_TURNS:
            continue
        stack = stack_of(position, region)
        value = _best_token_value(board, stack[-1]) if stack else 0.0
        if REGIONS[region].port is not None and complete_contracts:
            value = max(value, _port_visit_value(position, board, region) * _PORT_WEIGHT)
        best_value = max(best_value, value / turns)
    return best_value


def _collect_value(position: Position, seat: Seat, action: Action) -> float:
    """Prefer contracts that are nearly complete, and slots of the token's kind to slots for any trash."""
    if not isinstance(action, Collect):
        return 0.0
    held = held_contract(position.boards[seat], action.contract)
    return _token_value(held) - _WILD_SLOT_COST * action.wild + _RARITY_WEIGHT * _RARITY[action.trash]


# Port phase ------------------------------------------------------------------------------------------


def _port_action_value(position: Position, seat: Seat, action: Action) -> float:
    """Prefer the earlier steps of the port phase, but discard only what is of no use."""
    board = position.boards[seat]
    match action:
        case Deliver(contract=contract):
            return _DELIVER_BASE_VALUE + _delivery_value(board, contract)
        case DiscardContract(contract=contract):
            held = held_contract(board, contract)
            is_useless = not held.trash and _contract_value(contract) < _MIN_USEFUL_CONTRACT_VALUE
            if _is_stuck(position, board):
                return _STUCK_DISCARD_VALUE
            return _USELESS_CONTRACT_DISCARD_VALUE if is_useless else _DISCARD_VALUE
        case Unlock(upgrade=upgrade):
            order = _CROWDED_UPGRADE_ORDER if len(position.boards) >= _MIN_CROWDED_SEATS else _UPGRADE_ORDER
            is_second_wheel = upgrade is Upgrade.WHEEL and Upgrade.WHEEL in board.unlocked_upgrades
            return _UNLOCK_BASE_VALUE - (len(order) if is_second_wheel else order.index(upgrade))
        case DrawContract(contract=contract):
            return _DRAW_BASE_VALUE + _drawing_value(position, contract)
        case _:
            return 0.0


def _delivery_value(board: PlayerBoard, contract: Contract) -> float:
    """Return the points of a contract, more in its own port, where it unlocks an upgrade."""
    facts = CONTRACTS[contract]
    is_in_own_port = board.ship is not None and REGIONS[board.ship].port is facts.port
    return facts.points + (_UPGRADE_VALUE if is_in_own_port else 0.0)


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
