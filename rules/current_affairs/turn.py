"""A turn: sail, collect, then the port phase."""

from typing import Final

from msgspec.structs import replace

from rules.current_affairs.actions import (
    Collect,
    Deliver,
    DiscardContract,
    DrawContract,
    EndTurn,
    Skip,
    Unlock,
)
from rules.current_affairs.boards import (
    REGION_INDEX,
    empty_contract,
    held_contract,
    reachable_trash,
    remaining_animals,
    replace_board,
    restorer_of,
    stack_of,
    with_trash,
)
from rules.current_affairs.components import CONTRACTS, REGIONS, Contract, Region, Trash, Upgrade
from rules.current_affairs.ending import end_turn, start_round
from rules.current_affairs.events import (
    AnyEvent,
    Collected,
    ContractDiscarded,
    Delivered,
    HabitatRestored,
    NothingCollected,
    Sailed,
    ShipPlaced,
    Unlocked,
)
from rules.current_affairs.legal import collect_actions, port_actions
from rules.current_affairs.market import add_to_discard_pile, fill_market, remove_drawn_contract
from rules.current_affairs.model import Phase, PortStep, Position
from rules.current_affairs.routes import ROUTES
from rules.model import Seat

_TRASH_INDEX: Final = {trash: index for index, trash in enumerate(Trash)}


# Ocean phase -----------------------------------------------------------------------------------------


def place_ship(position: Position, region: Region) -> Position:
    """Put the next seat's ship into a region, and collect there."""
    seat = position.waiting_seats[0]
    board = replace(position.boards[seat], ship=region)
    after = replace(position, boards=replace_board(position, seat, board), trail=(ShipPlaced(seat, region),))
    return _collect_or_ask(after, seat)


def sail(position: Position, region: Region) -> Position:
    """Sail the ship of the seat to act, and collect there."""
    seat = _current_player(position)
    board = position.boards[seat]
    assert board.ship is not None
    route = ROUTES[board.ship][region]
    after = replace(
        position,
        boards=replace_board(position, seat, replace(board, ship=region)),
        trail=(Sailed(seat, route.regions, route.cost),),
    )
    return _collect_or_ask(after, seat)


def _collect_or_ask(position: Position, seat: Seat) -> Position:
    """Collect where there is no choice, else ask the seat."""
    actions = collect_actions(position, seat)
    if len(actions) > 1:
        return replace(position, phase=Phase.COLLECT, to_act=seat)
    return _collect_or_skip(position, actions[0] if actions else Skip())


def choose_trash(position: Position, action: Collect | Skip) -> Position:
    """Carry out the choice of what the seat to act collects."""
    return _collect_or_skip(replace(position, trail=()), action)


def _collect_or_skip(position: Position, action: Collect | Skip) -> Position:
    if isinstance(action, Collect):
        return _collect(position, action)
    seat = _collector(position)
    nothing_collected = NothingCollected(seat, _ship_region(position, seat))
    return _continue_after_collecting(_with_events(position, nothing_collected), seat)


def _collect(position: Position, action: Collect) -> Position:
    seat = _collector(position)
    region = _ship_region(position, seat)
    taken = next(each for each in reachable_trash(position, seat, region) if each.trash is action.trash)
    board, slot = with_trash(position.boards[seat], action.trash, action.contract, wild=action.wild)
    stack = stack_of(position, region)
    rest_of_stack = (*stack[:-2], stack[-1]) if taken.is_second_token else stack[:-1]
    index = REGION_INDEX[region]
    after = replace(
        position,
        boards=replace_board(position, seat, board),
        stacks=(*position.stacks[:index], rest_of_stack, *position.stacks[index + 1 :]),
    )
    event = Collected(seat, region, action.trash, action.contract, slot, taken.is_second_token)
    return _continue_after_collecting(_with_events(after, event), seat)


def _continue_after_collecting(position: Position, seat: Seat) -> Position:
    if not position.round:
        return continue_placement(replace(position, waiting_seats=position.waiting_seats[1:]))
    region = _ship_region(position, seat)
    position = _restore_if_possible(position, seat, region)
    if not any(position.stacks) and position.trash_ran_out_round is None:
        position = replace(position, trash_ran_out_round=position.round)
    if REGIONS[region].port is None:
        return end_turn(position)
    after = replace(
        position,
        port_step=PortStep.DELIVER,
        contracts_changed=False,
        turn_discard_count=0,
        unused_unlock_count=0,
    )
    return _end_turn_if_port_is_done(fill_market(after))


def continue_placement(position: Position) -> Position:
    """Ask the next seat to place its ship; after the last one begin round 1."""
    if position.waiting_seats:
        return replace(position, phase=Phase.PLACE, to_act=position.waiting_seats[0])
    return start_round(position, 1)


def _restore_if_possible(position: Position, seat: Seat, region: Region) -> Position:
    """Restore the habitat of an empty region whose animal is on the seat's board (CA12, CA15)."""
    board, animal = position.boards[seat], REGIONS[region].animal
    if stack_of(position, region) or animal not in remaining_animals(board):
        return position
    if restorer_of(position, region) is not None:
        return position
    board = replace(board, restored_regions=(*board.restored_regions, region))
    after = replace(position, boards=replace_board(position, seat, board))
    return _with_events(after, HabitatRestored(seat, region, animal))


# Port phase ------------------------------------------------------------------------------------------


def act_in_port(
    position: Position, action: Deliver | DiscardContract | Unlock | DrawContract | EndTurn
) -> Position:
    """Carry out one choice of the port phase."""
    seat = _current_player(position)
    position = replace(position, trail=())
    match action:
        case Deliver(contract=contract):
            return _end_turn_if_port_is_done(_deliver(position, seat, contract))
        case DiscardContract(contract=contract):
            return _end_turn_if_port_is_done(fill_market(_discard(position, seat, contract)))
        case Unlock(upgrade=upgrade):
            return _end_turn_if_port_is_done(_unlock(position, seat, upgrade))
        case DrawContract(contract=contract):
            return _end_turn_if_port_is_done(fill_market(_draw(position, seat, contract)))
        case EndTurn():
            return end_turn(position)


def reveal_top(position: Position, contract: Contract) -> Position:
    """Show the next contract of the deck, and go on with the port phase."""
    deck = tuple(each for each in position.deck if each is not contract)
    return _end_turn_if_port_is_done(
        fill_market(replace(position, top_contract=contract, deck=deck, trail=()))
    )


def _end_turn_if_port_is_done(position: Position) -> Position:
    """End the turn where nothing is left to choose."""
    if position.phase is Phase.PORT and port_actions(position) == (EndTurn(),):
        return end_turn(position)
    return position


def _deliver(position: Position, seat: Seat, contract: Contract) -> Position:
    board = position.boards[seat]
    gives_unlock = REGIONS[_ship_region(position, seat)].port is CONTRACTS[contract].port
    held = held_contract(board, contract)
    board = replace(
        board,
        contracts=tuple(each for each in board.contracts if each is not held),
        delivered_contracts=(*board.delivered_contracts, contract),
    )
    after = replace(
        position,
        boards=replace_board(position, seat, board),
        bag=add_to_bag(position.bag, held.trash),
        unused_unlock_count=position.unused_unlock_count + gives_unlock,
        contracts_changed=True,
    )
    return _with_events(after, Delivered(seat, contract, gives_unlock))


def _discard(position: Position, seat: Seat, contract: Contract) -> Position:
    board = position.boards[seat]
    held = held_contract(board, contract)
    board = replace(board, contracts=tuple(each for each in board.contracts if each is not held))
    after = replace(
        add_to_discard_pile(position, (contract,)),
        boards=replace_board(position, seat, board),
        bag=add_to_bag(position.bag, held.trash),
        port_step=PortStep.DISCARD,
        contracts_changed=True,
        turn_discard_count=position.turn_discard_count + 1,
    )
    return _with_events(after, ContractDiscarded(seat, contract, held.trash))


def _unlock(position: Position, seat: Seat, upgrade: Upgrade) -> Position:
    board = position.boards[seat]
    board = replace(board, unlocked_upgrades=(*board.unlocked_upgrades, upgrade))
    after = replace(
        position,
        boards=replace_board(position, seat, board),
        port_step=PortStep.UNLOCK,
        unused_unlock_count=position.unused_unlock_count - 1,
    )
    return _with_events(after, Unlocked(seat, upgrade))


def _draw(position: Position, seat: Seat, contract: Contract) -> Position:
    board = position.boards[seat]
    board = replace(board, contracts=(*board.contracts, empty_contract(contract)))
    without_contract = remove_drawn_contract(position, seat, contract)
    return replace(
        without_contract,
        boards=replace_board(without_contract, seat, board),
        port_step=PortStep.DRAW,
        contracts_changed=True,
    )


# Helpers ---------------------------------------------------------------------------------------------


def add_to_bag(bag: tuple[Trash, ...], trash: tuple[Trash, ...]) -> tuple[Trash, ...]:
    """Return the bag with more trash in it; none of it comes back into the game."""
    return tuple(sorted((*bag, *trash), key=_TRASH_INDEX.__getitem__))


def _with_events(position: Position, *events: AnyEvent) -> Position:
    return replace(position, trail=(*position.trail, *events))


def _current_player(position: Position) -> Seat:
    assert position.current_player is not None
    return position.current_player


def _collector(position: Position) -> Seat:
    return _current_player(position) if position.round else position.waiting_seats[0]


def _ship_region(position: Position, seat: Seat) -> Region:
    region = position.boards[seat].ship
    assert region is not None
    return region
