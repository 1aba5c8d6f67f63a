"""Previews: what a legal action would bring."""

from rules.current_affairs.actions import (
    Collect,
    Deliver,
    DiscardContract,
    DrawContract,
    PickContract,
    PlaceShip,
    Sail,
    Skip,
    Unlock,
)
from rules.current_affairs.boards import restorer_of, stack_of
from rules.current_affairs.components import CONTRACTS, CONTRACTS_HELD, PORT_NAMES, REGIONS, Contract, Region
from rules.current_affairs.forecast import forecast
from rules.current_affairs.model import CurrentAffairsView, Position
from rules.current_affairs.paths import brings_text
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    LOCK_EFFECTS,
    TRASH_NAMES,
    actions_text,
    contract_name,
    held_text,
    region_name,
    slots_text,
    takers_text,
    trash_text,
)
from rules.game import Action, Names, Seat
from rules.text import counted, listed, sentence


def preview(view: CurrentAffairsView, action: Action, names: Names) -> str | None:
    """Return what a legal action would do."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case PickContract(contract=contract) | DrawContract(contract=contract):
            return _contract_text(contract)
        case PlaceShip(region=region):
            return _placing_text(position, seat, region)
        case Sail(region=region):
            return _sailing_text(position, seat, region)
        case Collect():
            return _collecting_text(position, seat, action)
        case Skip():
            return "You leave the second trash where it is."
        case Deliver(contract=contract):
            return _delivery_text(position, seat, contract)
        case DiscardContract(contract=contract):
            return _discard_text(position, seat, contract)
        case Unlock(lock=lock):
            return f"From your next turn on: {LOCK_EFFECTS[lock]}."
        case _:
            return None


def short_preview(view: CurrentAffairsView, action: Action, names: Names) -> str:
    """Return what a destination brings, in a few words."""
    if isinstance(action, Sail) and view.viewer is not None:
        found = forecast(view.position, view.viewer, action.region)
        return f"cost {found.route.cost}: {brings_text(view.position, view.viewer, found)}"
    return ""


def _contract_text(contract: Contract) -> str:
    facts = CONTRACTS[contract]
    port = PORT_NAMES[facts.port]
    return (
        f"{facts.points} points for {slots_text(facts.slots)}. Delivered in {port}, it also removes a lock."
    )


def _placing_text(position: Position, seat: Seat, region: Region) -> str:
    stack = stack_of(position, region)
    top = TRASH_NAMES[stack[-1]]
    takers = takers_text(position.boards[seat], stack[-1])
    first = (
        f"You take {top} for {takers}." if takers else f"On top lies {top}, which fits no contract of yours."
    )
    return f"{first} {_animal_text(position, region)}"


def _animal_text(position: Position, region: Region) -> str:
    animal = ANIMAL_NAMES[REGIONS[region].animal]
    if restorer_of(position, region) is not None:
        return f"The {animal} habitat is restored."
    left = len(stack_of(position, region))
    return f"{sentence(counted(left, 'token'))} from the {animal} habitat."


def _sailing_text(position: Position, seat: Seat, region: Region) -> str:
    found = forecast(position, seat, region)
    through = [region_name(each) for each in found.route.way[1:-1]]
    way = f" through {listed(through)}" if through else ""
    sentences = [f"You sail to {region_name(region)}{way} ({actions_text(found.route.cost)})."]
    board = position.boards[seat]
    if found.candidates:
        taken = [
            f"{TRASH_NAMES[each.trash]} for {takers_text(board, each.trash)}" for each in found.candidates
        ]
        sentences.append(f"You take {listed(taken, 'or')}.")
    else:
        empty = not stack_of(position, region)
        sentences.append("No trash lies there." if empty else "No trash within reach fits your contracts.")
    if found.restores is not None:
        sentences.append(f"You restore the {ANIMAL_NAMES[found.restores]} habitat.")
    else:
        sentences.append(_animal_text(position, region))
    if found.port is not None:
        sentences.append(f"Then you are in port: {PORT_NAMES[found.port]}.")
    return " ".join(sentences)


def _collecting_text(position: Position, seat: Seat, action: Collect) -> str:
    held = next(each for each in position.boards[seat].contracts if each.contract is action.contract)
    missing = held.slots.count(None) - 1
    name = contract_name(action.contract)
    if not missing:
        return f"{name} is then complete."
    return f"{name} then needs {counted(missing, 'more token', 'more tokens')}."


def _delivery_text(position: Position, seat: Seat, contract: Contract) -> str:
    region = position.boards[seat].ship
    assert region is not None
    facts = CONTRACTS[contract]
    if REGIONS[region].port is facts.port:
        return f"You gain {facts.points} points and may remove a lock."
    return f"You gain {facts.points} points. Only {PORT_NAMES[facts.port]} would also remove a lock."


def _discard_text(position: Position, seat: Seat, contract: Contract) -> str:
    board = position.boards[seat]
    held = next(each for each in board.contracts if each.contract is contract)
    lost = f" You lose {trash_text(held.trash)}." if held.trash else ""
    undelivered = [each for each in board.contracts if each.complete]
    late = " You can no longer deliver in this turn." if undelivered else ""
    free = CONTRACTS_HELD - len(board.contracts) + 1
    return (
        f"{sentence(held_text(held))} goes to the discard pile.{lost}{late} "
        f"Then draw {counted(free, 'contract')}."
    )
