"""The path to each action in the panel: one press for a destination, a slot, a contract."""

from collections.abc import Sequence
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
from rules.current_affairs.boards import (
    REGION_INDEX,
    OpenSlot,
    held_contract,
    movement_allowance,
    open_slots,
    stack_of,
)
from rules.current_affairs.components import CONTRACTS, REGIONS, Contract, Region, Trash
from rules.current_affairs.forecast import Forecast, forecast_stop
from rules.current_affairs.legal import destinations, free_regions, port_actions
from rules.current_affairs.model import CurrentAffairsView, Position
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    ANY,
    TRASH_NAMES,
    UPGRADE_EFFECTS,
    UPGRADE_NAMES,
    completable_contracts_text,
    complete_contracts_text,
    contract_name,
    distinct_contract_names,
    movement_actions_text,
    region_name,
    short_complete_contracts_text,
    short_fitting_contracts_text,
    short_requirements_text,
    trash_text,
)
from rules.current_affairs.routes import ROUTES
from rules.game import Action, Names, PathStep, Seat
from rules.text import capitalized, counted, counted_in_digits, listed

_MAX_LABEL_LENGTH: Final = 80
_MAX_GAINS_LENGTH: Final = 60
_NOTHING_TO_TAKE_LABEL: Final = "Other regions: nothing to take"
_NOTHING_TO_TAKE_ORDER: Final = 1_000
"""The ``PathStep.order`` of regions that bring nothing: after all others."""
_COLLECT_QUESTION: Final = "What do you take, and where does it go?"


def path(view: CurrentAffairsView, action: Action, names: Names) -> tuple[PathStep, ...]:
    """Return the steps to a legal action."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case PickContract(contract=contract):
            return (_contract_step(contract, "Which contract do you take?"),)
        case PlaceShip():
            return _placing_path(position, seat, action.region)
        case Sail(region=region):
            forecast = forecast_stop(position, seat, region)
            cost = forecast.route.cost
            order = cost * len(REGION_INDEX) + REGION_INDEX[region]
            question = (
                f"Where do you sail with {movement_actions_text(movement_allowance(position.boards[seat]))}?"
            )
            regions = destinations(position, seat)
            useless_regions = [
                each for each in regions if not _brings_something(forecast_stop(position, seat, each))
            ]
            label = destination_label(position, seat, region, forecast)
            step = PathStep(region.value, label, question, order=order)
            return _collapse_useless(step, region, useless_regions, len(regions))
        case Collect():
            return (_collect_step(position, seat, action),)
        case Skip():
            return (PathStep("skip", "Take nothing", _COLLECT_QUESTION, row="skip", order=2),)
        case _:
            return _port_path(position, seat, action)


def _brings_something(forecast: Forecast) -> bool:
    return bool(forecast.fitting_trash or forecast.restored_animal is not None or forecast.port is not None)


def _collapse_useless(
    step: PathStep, region: Region, useless_regions: Sequence[Region], region_count: int
) -> tuple[PathStep, ...]:
    """Return the path to one of ``region_count`` regions: several useless ones stand behind one button."""
    if region not in useless_regions or not 1 < len(useless_regions) < region_count:
        return (step,)
    label, order = _NOTHING_TO_TAKE_LABEL, _NOTHING_TO_TAKE_ORDER
    return (PathStep("useless", label, step.question, collapsed=True, order=order), step)


def _contract_step(contract: Contract, question: str) -> PathStep:
    return PathStep(contract.value, _contract_label(contract), question)


def _contract_label(contract: Contract) -> str:
    return f"{contract_name(contract)}: {short_requirements_text(CONTRACTS[contract].requirements)}"


def _placing_path(position: Position, seat: Seat, region: Region) -> tuple[PathStep, ...]:
    """Return the path to a first region: those whose trash fits most contracts first, near own ports."""
    board, free = position.boards[seat], free_regions(position)
    trash = _top_trash(position, region)
    slots = open_slots(board, trash)
    useless_regions = [each for each in free if not open_slots(board, _top_trash(position, each))]
    fit_text = (
        f"{TRASH_NAMES[trash]} {short_fitting_contracts_text(board, trash)}" if slots else "nothing fits"
    )
    ports = {CONTRACTS[held.contract].port for held in board.contracts}
    port_cost = min(route.cost for end, route in ROUTES[region].items() if REGIONS[end].port in ports)
    order = port_cost - len(slots) * len(REGIONS)  # no route costs as much as there are regions
    step = PathStep(
        region.value, f"{region_name(region)}: {fit_text}", "Where does your ship start?", order=order
    )
    return _collapse_useless(step, region, useless_regions, len(free))


def _top_trash(position: Position, region: Region) -> Trash:
    """Return the trash on top of a region that is not empty, as all are in the set-up."""
    return stack_of(position, region)[-1]


def destination_label(position: Position, seat: Seat, region: Region, forecast: Forecast) -> str:
    """Return a destination with its cost and what it brings: "Emperor, 1 action: rubber for Yokohama 9"."""
    start = f"{region_name(region)}, {counted_in_digits(forecast.route.cost, 'action')}: "
    text = destination_gains_text(position, seat, region, forecast, _MAX_LABEL_LENGTH - len(start))
    return f"{start}{text}"


def destination_gains_text(
    position: Position,
    seat: Seat,
    region: Region,
    forecast: Forecast,
    max_length: int = _MAX_GAINS_LENGTH,
) -> str:
    """Return what a destination brings, in a few words: "net for Brisbane 7, restores whale"."""
    board = position.boards[seat]
    kinds_text = listed([TRASH_NAMES[each.trash] for each in forecast.fitting_trash], "or")
    taken_text, habitat_text = kinds_text, ""
    port_text = short_port_text = ""
    completed_texts = {completable_contracts_text(board, each.trash) for each in forecast.fitting_trash}
    if len(completed_texts) == 1 and "" not in completed_texts:
        taken_text += f" completes {completed_texts.pop()}"
    elif len(forecast.fitting_trash) == 1:
        taken_text += f" {short_fitting_contracts_text(board, forecast.fitting_trash[0].trash)}"
    if forecast.restored_animal is not None:
        habitat_text = f"restores {ANIMAL_NAMES[forecast.restored_animal]}"
    if forecast.port is not None:
        complete_text = complete_contracts_text(board)
        port_text = f"deliver {complete_text}" if complete_text else "port"
        short_port_text = f"deliver {short_complete_contracts_text(board)}" if complete_text else "port"
    for gains in (
        (taken_text, habitat_text, port_text),
        (kinds_text, habitat_text, port_text),
        (kinds_text, habitat_text, short_port_text),
    ):
        text = ", ".join(gain for gain in gains if gain)
        if len(text) <= min(max_length, _MAX_GAINS_LENGTH):
            break
    return text or ("nothing fits" if stack_of(position, region) else "empty")


def _collect_step(position: Position, seat: Seat, action: Collect) -> PathStep:
    has_kind_slot = OpenSlot(action.contract, wild=False) in open_slots(position.boards[seat], action.trash)
    wastes_slot = action.wild and has_kind_slot  # the slot for any trash could take more kinds later
    return PathStep(
        f"{action.trash.value}-{action.contract.value}{'-any' if action.wild else ''}",
        collect_label(position, seat, action),
        _COLLECT_QUESTION,
        row="any" if wastes_slot else action.trash.value,
        collapsed=wastes_slot,
        order=int(wastes_slot),
    )


def collect_label(position: Position, seat: Seat, action: Collect) -> str:
    """Name trash, contract and slot: "Glass on Callao 8", "Glass as any on Callao 8"."""
    held_names = distinct_contract_names(each.contract for each in position.boards[seat].contracts)
    slot_text = f" as {ANY}" if action.wild else ""
    return f"{capitalized(TRASH_NAMES[action.trash])}{slot_text} on {held_names[action.contract]}"


def _port_path(position: Position, seat: Seat, action: Action) -> tuple[PathStep, ...]:
    board = position.boards[seat]
    question, loss_text = "What do you do in port?", ""
    kinds = {type(each) for each in port_actions(position)}
    if Unlock in kinds:  # a draw or the end of the turn closes the unlocks
        loss_text = " (gives up an upgrade)"
        if DrawContract in kinds:
            question = "Unlock before you draw: what do you do in port?"
    held_names = distinct_contract_names(each.contract for each in board.contracts)
    match action:
        case Deliver(contract=contract):
            return (
                PathStep(
                    f"deliver-{contract.value}", f"Deliver {held_names[contract]}", question, row="deliver"
                ),
            )
        case DiscardContract(contract=contract):
            lost_trash = held_contract(board, contract).trash
            is_only_one = sum(isinstance(each, DiscardContract) for each in port_actions(position)) == 1
            name = f"Discard {held_names[contract]}" if is_only_one else capitalized(held_names[contract])
            label = f"{name} with {trash_text(lost_trash)}" if lost_trash else name
            if len(label) > _MAX_LABEL_LENGTH:
                label = f"{name} with {counted(len(lost_trash), 'piece')} of trash"
            if is_only_one:
                token = f"discard-{contract.value}"
                return (PathStep(token, label, question, row="discard", collapsed=True, order=3),)
            return (
                PathStep("discard", "Discard a contract", question, row="discard", collapsed=True, order=3),
                PathStep(contract.value, label, "Which contract do you discard?"),
            )
        case Unlock(upgrade=upgrade):
            label = f"Unlock {UPGRADE_NAMES[upgrade]}: {UPGRADE_EFFECTS[upgrade]}"
            return (PathStep(f"unlock-{upgrade.value}", label, question, row="unlock", order=1),)
        case DrawContract(contract=contract):
            label = f"Draw {_contract_label(contract)}{loss_text}"
            step = PathStep(
                f"draw-{contract.value}", label, question, row="draw", collapsed=bool(loss_text), order=2
            )
            return (step,)
        case EndTurn():
            return (PathStep("end", f"End turn{loss_text}", question, row="end", order=4),)
        case _:
            raise AssertionError(action)
