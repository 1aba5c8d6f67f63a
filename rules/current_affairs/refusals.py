"""Refusals: why an action is not legal now and what to do instead."""

from collections.abc import Mapping
from typing import Final

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
from rules.current_affairs.boards import movement_allowance, open_contracts, reachable_trash
from rules.current_affairs.components import MAX_HELD_CONTRACTS, Contract, Region, Upgrade
from rules.current_affairs.legal import collect_actions, port_actions
from rules.current_affairs.model import CurrentAffairsView, HeldContract, Phase, PortStep, Position
from rules.current_affairs.phrases import (
    TRASH_NAMES,
    UPGRADE_NAMES,
    contract_text,
    held_contract_text,
    movement_actions_text,
    port_note,
    port_verbs_text,
    region_with_article,
    token_text,
)
from rules.current_affairs.routes import ROUTES
from rules.model import Action, Names, Seat
from rules.text import capitalized, listed

_ACTION_TYPES_BY_PHASE: Final[Mapping[Phase, tuple[type[Action], ...]]] = {
    Phase.DRAFT: (PickContract,),
    Phase.PLACE: (PlaceShip,),
    Phase.SAIL: (Sail,),
    Phase.COLLECT: (Collect, Skip),
    Phase.PORT: (Deliver, DiscardContract, Unlock, DrawContract, EndTurn),
}
_ALLOWED_TEXT: Final = "That is allowed."


def refusal(view: CurrentAffairsView, action: Action, names: Names) -> str:
    """Return why an action is not legal for the viewer."""
    position, seat = view.position, view.viewer
    assert seat is not None
    if reason := illegal_type_reason(view, type(action), names):
        return reason
    match action:
        case PickContract():
            contracts_text = listed([contract_text(contract) for contract in position.draft_contracts], "or")
            return f"That contract is not open. Take {contracts_text}."
        case PlaceShip(region=region):
            return f"Another ship is in {_place_text(region)}. Start in a free region."
        case Sail(region=region):
            return _sail_refusal(position, seat, region)
        case Collect() | Skip():
            return _collect_refusal(position, seat, action)
        case _:
            return _port_refusal(position, seat, action)


def illegal_type_reason(view: CurrentAffairsView, action_type: type[Action], names: Names) -> str:
    """Return the refusal of a type that belongs to another phase: what is asked instead; else empty."""
    position, seat = view.position, view.viewer
    assert seat is not None
    belongs_here = action_type in _ACTION_TYPES_BY_PHASE.get(position.phase, ())
    return "" if belongs_here else _wrong_phase_refusal(position, seat)


def _wrong_phase_refusal(position: Position, seat: Seat) -> str:
    match position.phase:
        case Phase.DRAFT:
            return "The contracts are being drafted: take one of the open ones."
        case Phase.PLACE:
            return "The ships are being placed: place yours in a free region."
        case Phase.SAIL:
            return "First sail to another region."
        case Phase.COLLECT:
            if Skip() in collect_actions(position, seat):
                return "First choose: take the second trash of this region, or take nothing."
            return "First take the trash of this region."
        case _:
            return f"You are in port. {_port_hint(position)}"


def _sail_refusal(position: Position, seat: Seat, region: Region) -> str:
    board = position.boards[seat]
    assert board.ship is not None
    if region is board.ship:
        return f"You are in {_place_text(region)} already: sail to another region."
    route, allowance = ROUTES[board.ship][region], movement_allowance(board)
    if route.cost > allowance:
        return (
            f"{capitalized(_place_text(region))} is {movement_actions_text(route.cost)} away "
            f"and you have {allowance}. Choose a nearer region."
        )
    if any(each.ship is region for each in position.boards):
        return (
            f"Another ship is in {_place_text(region)}. You may sail through, but stop somewhere "
            f"else until you unlock the {UPGRADE_NAMES[Upgrade.SHARE_SPACE]}."
        )
    return _ALLOWED_TEXT


def _place_text(region: Region) -> str:
    """Return a region with its port, by which it may have been named: "the Coral Sea (Brisbane)"."""
    return f"{region_with_article(region)}{port_note(region)}"


def _collect_refusal(position: Position, seat: Seat, action: Collect | Skip) -> str:
    region = position.boards[seat].ship
    assert region is not None
    reachable = reachable_trash(position, seat, region)
    fitting = [each.trash for each in reachable if each.open_slots]
    if isinstance(action, Skip):
        duty = "take it or the one below" if len(fitting) > 1 else "you must take it"
        return f"The trash on top fits a contract of yours, so {duty}."
    if action in collect_actions(position, seat):
        return _ALLOWED_TEXT
    name = TRASH_NAMES[action.trash]
    if action.trash not in fitting:
        is_reachable = any(each.trash is action.trash for each in reachable)
        reason = (
            f"No contract of yours takes {token_text(action.trash)}"
            if is_reachable
            else f"There is no {name} within reach here"
        )
        return f"{reason}. You can take {listed([token_text(trash) for trash in fitting], 'or')}."
    held = _find_held_contract(position, seat, action.contract)
    if held is None:
        return _not_held_text(position, seat)
    slot_text = "slot for any trash" if action.wild else f"slot for {token_text(action.trash)}"
    subject = capitalized(contract_text(action.contract))
    return f"{subject} has no free {slot_text}. Choose another slot or contract."


def _find_held_contract(position: Position, seat: Seat, contract: Contract) -> HeldContract | None:
    return next((each for each in position.boards[seat].contracts if each.contract is contract), None)


def _not_held_text(position: Position, seat: Seat) -> str:
    held_texts = [held_contract_text(each) for each in position.boards[seat].contracts]
    return f"You do not have that contract. You have {listed(held_texts) or 'none'}."


def _port_refusal(position: Position, seat: Seat, action: Action) -> str:
    match action:
        case Deliver(contract=contract):
            return _deliver_refusal(position, seat, contract)
        case DiscardContract(contract=contract):
            return _discard_refusal(position, seat, contract)
        case Unlock(upgrade=upgrade):
            return _unlock_refusal(position, upgrade)
        case DrawContract(contract=contract):
            if len(position.boards[seat].contracts) == MAX_HELD_CONTRACTS:
                return f"You have two contracts already. {_make_room_text(position)}"
            contracts_text = listed([contract_text(each) for each in open_contracts(position)], "or")
            instead = f"Draw {contracts_text}." if contracts_text else "No contract is open now."
            return f"{capitalized(contract_text(contract))} is not open. {instead}"
        case _:
            return "You have used the port, so draw contracts until you have two."


def _make_room_text(position: Position) -> str:
    """Return how to make room for a contract; what else can be done in port if nothing makes room."""
    legal_types = {type(action) for action in port_actions(position)}
    ways = [
        verb
        for action_type, verb in ((Deliver, "deliver"), (DiscardContract, "discard"))
        if action_type in legal_types
    ]
    return f"{capitalized(listed(ways, 'or'))} one first." if ways else _port_hint(position)


def _deliver_refusal(position: Position, seat: Seat, contract: Contract) -> str:
    held = _find_held_contract(position, seat, contract)
    if held is None:
        return _not_held_text(position, seat)
    if not held.is_complete:
        return f"{capitalized(held_contract_text(held))}. Complete it before you deliver it."
    return f"Deliveries come first in port. {_port_hint(position)}"


def _discard_refusal(position: Position, seat: Seat, contract: Contract) -> str:
    held = _find_held_contract(position, seat, contract)
    if held is None:
        return _not_held_text(position, seat)
    if held.is_complete:
        if position.port_step > PortStep.DELIVER:
            return f"A complete contract cannot be discarded. {_port_hint(position)}"
        return "That contract is complete: deliver it instead."
    if position.port_step > PortStep.DISCARD:
        return f"Contracts are discarded before upgrades and new contracts. {_port_hint(position)}"
    return "There are too few other contracts left to replace it, so keep it."


def _unlock_refusal(position: Position, upgrade: Upgrade) -> str:
    if position.port_step > PortStep.UNLOCK:
        return f"Upgrades are unlocked before new contracts are drawn. {_port_hint(position)}"
    if not position.unused_unlock_count:
        return "You unlock an upgrade for each contract that you deliver in its own port."
    return f"Your {UPGRADE_NAMES[upgrade]} is unlocked already: choose another upgrade."


def _port_hint(position: Position) -> str:
    return f"{capitalized(port_verbs_text(position))}."
