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
    could_unlock_one_more,
    held_contract,
    is_in_own_port,
    movement_allowance,
    open_contracts,
    open_slots,
    stack_of,
)
from rules.current_affairs.components import CONTRACTS, REGIONS, Contract, Region, Trash, Upgrade
from rules.current_affairs.destination_texts import MAX_LABEL_LENGTH, destination_label
from rules.current_affairs.ending import (
    UpgradeUse,
    bonus_points,
    has_later_turn,
    makes_last_round,
    upgrade_use,
)
from rules.current_affairs.forecast import Forecast, forecast_stop
from rules.current_affairs.legal import destinations, free_regions, port_actions
from rules.current_affairs.model import CurrentAffairsView, PlayerBoard, Position
from rules.current_affairs.phrases import (
    ANY,
    TRASH_NAMES,
    UPGRADE_EFFECTS,
    UPGRADE_NAMES,
    contract_name,
    distinct_contract_names,
    movement_actions_text,
    region_name,
    short_fitting_contracts_text,
    short_requirements_text,
    trash_text,
)
from rules.current_affairs.routes import ROUTES
from rules.model import Action, Names, Seat
from rules.text import capitalized, counted, counted_in_digits
from rules.words import PathStep

_NO_USE_TEXT: Final = "brings nothing any more"
"""What the buttons of upgrades and contracts say in their player's last turn."""
_NOTHING_TO_TAKE_LABEL: Final = "Other regions: nothing to take"
_NOTHING_TO_TAKE_ORDER: Final = 1_000
"""The ``PathStep.order`` of regions that bring nothing: after all others."""
_PLACING_QUESTION: Final = "Where does your ship start (best fits first, then near your ports)?"
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
            actions_text = movement_actions_text(movement_allowance(position.boards[seat]))
            question = f"Where do you sail with {actions_text} (those left over lapse)?"
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
    step = PathStep(region.value, f"{region_name(region)}: {fit_text}", _PLACING_QUESTION, order=order)
    return _collapse_useless(step, region, useless_regions, len(free))


def _top_trash(position: Position, region: Region) -> Trash:
    """Return the trash on top of a region that is not empty, as all are in the set-up."""
    return stack_of(position, region)[-1]


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
        if Deliver not in kinds:
            question = "Which upgrade do you unlock?"
    held_names = distinct_contract_names(each.contract for each in board.contracts)
    match action:
        case Deliver(contract=contract):
            label = f"Deliver {held_names[contract]}{_delivery_note(position, board, contract)}"
            return (PathStep(f"deliver-{contract.value}", label, question, row="deliver"),)
        case DiscardContract(contract=contract):
            return _discard_steps(position, board, contract, held_names[contract], question)
        case Unlock(upgrade=upgrade):
            label = f"Unlock {UPGRADE_NAMES[upgrade]}: {upgrade_effect_text(position, upgrade)}"
            useless = upgrade_use(position, upgrade) is UpgradeUse.NONE
            token, row = f"unlock-{upgrade.value}", "useless" if useless else "unlock"
            return (PathStep(token, label, question, row=row, collapsed=useless, order=1 + useless),)
        case DrawContract(contract=contract):
            label = f"Draw {_contract_label(contract)}{loss_text}"
            if not loss_text and not has_later_turn(position):
                open_names = distinct_contract_names(open_contracts(position))
                label = f"Draw {open_names[contract]}: {_NO_USE_TEXT}"
            step = PathStep(
                f"draw-{contract.value}", label, question, row="draw", collapsed=bool(loss_text), order=3
            )
            return (step,)
        case EndTurn():
            return (PathStep("end", f"End turn{loss_text}", question, row="end", order=5),)
        case _:
            raise AssertionError(action)


def _discard_steps(
    position: Position, board: PlayerBoard, contract: Contract, name: str, question: str
) -> tuple[PathStep, ...]:
    """Return the steps to discard a contract of this name; several contracts stand behind one button."""
    is_only_one = sum(isinstance(each, DiscardContract) for each in port_actions(position)) == 1
    contract_text = f"Discard {name}" if is_only_one else capitalized(name)
    lost_trash = held_contract(board, contract).trash
    label = f"{contract_text} with {trash_text(lost_trash)}" if lost_trash else contract_text
    if len(label) > MAX_LABEL_LENGTH:
        label = f"{contract_text} with {counted(len(lost_trash), 'piece')} of trash"
    if is_only_one:
        token = f"discard-{contract.value}"
        return (PathStep(token, label, question, row="discard", collapsed=True, order=4),)
    return (
        PathStep("discard", "Discard a contract", question, row="discard", collapsed=True, order=4),
        PathStep(contract.value, label, "Which contract do you discard?"),
    )


def _delivery_note(position: Position, board: PlayerBoard, contract: Contract) -> str:
    """Return what a delivery costs or ends, for its button; empty if nothing."""
    assert position.current_player is not None
    forfeits_upgrade = could_unlock_one_more(position, board) and not is_in_own_port(board, contract)
    if makes_last_round(position, position.current_player, new_delivery_count=1):
        return " (last round, no upgrade)" if forfeits_upgrade else " (last round)"
    return " (no upgrade here)" if forfeits_upgrade else ""


def upgrade_effect_text(position: Position, upgrade: Upgrade) -> str:
    """Return what an upgrade brings if it is unlocked now, for a button."""
    assert position.current_player is not None
    match upgrade_use(position, upgrade):
        case UpgradeUse.NONE:
            return _NO_USE_TEXT
        case UpgradeUse.WITH_EXTRA_TURN:
            return "counts only with the extra turn"
        case UpgradeUse.FULL:
            text = UPGRADE_EFFECTS[upgrade]
    if upgrade in {Upgrade.HABITAT_BONUS, Upgrade.CONTRACT_BONUS}:
        points = bonus_points(position.boards[position.current_player], upgrade)
        return f"{text}, {counted_in_digits(points, 'point')} now" if points else text
    return text
