"""The legal actions of each seat."""

from rules.current_affairs.actions import (
    Collect,
    Deliver,
    DiscardContract,
    DrawContract,
    EndTurn,
    PickContract,
    PlaceShip,
    Sail,
    Skip,
    Unlock,
)
from rules.current_affairs.boards import locked_upgrades, movement_allowance, open_contracts, reachable_trash
from rules.current_affairs.components import MAX_HELD_CONTRACTS, Region, Upgrade
from rules.current_affairs.model import CurrentAffairsView, Phase, PortStep, Position
from rules.current_affairs.routes import ROUTES
from rules.model import Action, Seat


def legal_actions(view: CurrentAffairsView) -> tuple[Action, ...]:
    """Return the viewer's legal actions."""
    if view.viewer is None or view.position.to_act != view.viewer:
        return ()
    return _actions_of(view.position, view.viewer)


def forced_action(view: CurrentAffairsView) -> Action | None:
    """Return the only choice of the seat to act, if there is only one: everybody can see it."""
    seat = view.position.to_act
    if seat is None or seat < 0:
        return None
    actions = _actions_of(view.position, seat)
    return actions[0] if len(actions) == 1 else None


def _actions_of(position: Position, seat: Seat) -> tuple[Action, ...]:
    match position.phase:
        case Phase.DRAFT:
            return tuple(PickContract(contract) for contract in position.draft_contracts)
        case Phase.PLACE:
            return tuple(PlaceShip(region) for region in free_regions(position))
        case Phase.SAIL:
            return tuple(Sail(region) for region in destinations(position, seat))
        case Phase.COLLECT:
            return collect_actions(position, seat)
        case Phase.PORT:
            return port_actions(position)
        case _:
            return ()


def free_regions(position: Position) -> tuple[Region, ...]:
    """Return the regions without a ship, in the order of ``Region``."""
    occupied = {board.ship for board in position.boards}
    return tuple(region for region in Region if region not in occupied)


def destinations(position: Position, seat: Seat) -> tuple[Region, ...]:
    """Return where a seat's ship may stop, in the order of ``Region``."""
    board = position.boards[seat]
    if board.ship is None:
        return ()
    allowance = movement_allowance(board)
    occupied = (
        {each.ship for each in position.boards}
        if Upgrade.SHARE_SPACE not in board.unlocked_upgrades
        else set()
    )
    occupied.add(board.ship)
    return tuple(
        region
        for region, route in ROUTES[board.ship].items()
        if route.cost <= allowance and region not in occupied
    )


def collect_actions(position: Position, seat: Seat) -> tuple[Collect | Skip, ...]:
    """Return what a seat may take in its region.

    Trash on top that fits must be taken; the second, which only a crane reaches, may be left (CA10).
    """
    region = position.boards[seat].ship
    if region is None:
        return ()
    reachable = reachable_trash(position, seat, region)
    actions = [
        Collect(each.trash, contract, wild) for each in reachable for contract, wild in each.open_slots
    ]
    if actions and not reachable[0].open_slots:
        return (*actions, Skip())
    return tuple(actions)


def port_actions(position: Position) -> tuple[Action, ...]:
    """Return the choices of the port phase: earlier steps are closed by later ones (CA32)."""
    seat, step = position.current_player, position.port_step
    if seat is None:
        return ()
    board = position.boards[seat]
    free_place_count = MAX_HELD_CONTRACTS - len(board.contracts)
    drawable = open_contracts(position)
    actions: list[Action] = []
    if step <= PortStep.DELIVER:
        actions += [Deliver(held.contract) for held in board.contracts if held.is_complete]
    if step <= PortStep.DISCARD:
        replacement_count = (
            len(drawable) + len(position.deck) + len(position.discard_pile) - position.turn_discard_count
        )
        if replacement_count > free_place_count:
            actions += [DiscardContract(held.contract) for held in board.contracts if not held.is_complete]
    if step <= PortStep.UNLOCK and position.unused_unlock_count:
        actions += [Unlock(upgrade) for upgrade in locked_upgrades(board)]
    if free_place_count:
        actions += [DrawContract(contract) for contract in drawable]
    if not position.contracts_changed or not free_place_count or not drawable:
        actions.append(EndTurn())
    return tuple(actions)
