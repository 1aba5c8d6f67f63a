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
from rules.current_affairs.boards import (
    could_unlock_one_more,
    held_contract,
    is_in_own_port,
    locked_upgrades,
    missing_requirements,
    movement_allowance,
    open_slots,
    remaining_animals,
    restorer_of,
    stack_of,
    with_trash,
)
from rules.current_affairs.components import (
    CONTRACTS,
    CONTRACTS_TO_END,
    HABITATS_TO_END,
    MAX_HELD_CONTRACTS,
    PORT_NAMES,
    REGIONS,
    Animal,
    Contract,
    Region,
    Trash,
    Upgrade,
)
from rules.current_affairs.destination_texts import count_deliverable, destination_gains_text
from rules.current_affairs.ending import (
    UpgradeUse,
    bonus_points,
    has_later_turn,
    makes_last_round,
    upgrade_use,
)
from rules.current_affairs.forecast import forecast_stop, must_take_trash
from rules.current_affairs.legal import port_actions
from rules.current_affairs.model import CurrentAffairsView, PlayerBoard, PortStep, Position
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    UPGRADE_EFFECTS,
    delivery_points_text,
    distinct_contract_names,
    fitting_contracts_text,
    held_contract_text,
    movement_actions_text,
    region_with_article,
    requirements_text,
    token_text,
    trash_text,
)
from rules.model import Action, Names, Seat
from rules.text import capitalized, counted, listed


def preview(view: CurrentAffairsView, action: Action, names: Names) -> str | None:
    """Return what a legal action would do."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case PickContract(contract=contract):
            return _new_contract_text(contract)
        case DrawContract(contract=contract):
            text = _new_contract_text(contract)
            if not has_later_turn(position):
                text = "This is your last turn, so this contract brings nothing."
            lost_options_text = _lost_options_text(position, seat, PortStep.DRAW)
            return f"{text}{lost_options_text}{_end_trigger_text(position, seat)}"
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
        case Unlock(upgrade=upgrade):
            text = _unlocking_text(position, seat, upgrade)
            return f"{text}{_lost_options_text(position, seat, PortStep.UNLOCK)}"
        case _:
            return None


def needs_confirmation(view: CurrentAffairsView, action: Action) -> bool:
    """Whether an action closes what its label does not name: an upgrade, or a delivery."""
    position, seat = view.position, view.viewer
    if seat is None:
        return False
    board = position.boards[seat]
    match action:
        case DiscardContract() | Unlock():
            return bool(_deliverable_contracts(position, board))
        case DrawContract():
            return bool(_deliverable_contracts(position, board)) or _can_unlock(position, board)
        case _:
            return False


def needs_no_preview(view: CurrentAffairsView, action: Action) -> bool:
    """Whether an action draws a contract that brings nothing any more, as its label says."""
    return isinstance(action, DrawContract) and not has_later_turn(view.position)


def short_preview(view: CurrentAffairsView, action: Action, names: Names) -> str:
    """Return what a destination brings, in a few words."""
    if isinstance(action, Sail) and view.viewer is not None:
        forecast = forecast_stop(view.position, view.viewer, action.region)
        destination = destination_gains_text(view.position, view.viewer, action.region, forecast)
        return f"cost {forecast.route.cost}: {destination}"
    return ""


def _new_contract_text(contract: Contract) -> str:
    facts = CONTRACTS[contract]
    port_name = PORT_NAMES[facts.port]
    return (
        f"{facts.points} points for {requirements_text(facts.requirements)}. "
        f"Delivered in {port_name}, it also unlocks an upgrade."
    )


def _placing_text(position: Position, seat: Seat, region: Region) -> str:
    top, board = stack_of(position, region)[-1], position.boards[seat]
    fitting_text = fitting_contracts_text(board, top)
    trash_sentence = (
        f"You take {token_text(top)} {fitting_text}."
        if fitting_text
        else f"On top lies {token_text(top)}, which fits no contract of yours."
    )
    habitat_sentence = _habitat_text(position, seat, region, takes_token=bool(fitting_text))
    return " ".join([trash_sentence, habitat_sentence, *_progress_sentences(board, top)])


def _habitat_text(position: Position, seat: Seat, region: Region, *, takes_token: bool) -> str:
    """Return what is missing until a region's habitat is restored, or why the seat cannot restore it."""
    animal = REGIONS[region].animal
    name = f"{ANIMAL_NAMES[animal]} habitat"
    if restorer_of(position, region) is not None:
        return f"The {name} there is already restored."
    if animal not in remaining_animals(position.boards[seat]):
        return f"You have restored another {name}, so you cannot restore this one."
    left = len(stack_of(position, region)) - takes_token
    pieces_text = f"{counted(left, 'more piece')} of trash {'is' if left == 1 else 'are'}"
    return f"The {name} there is restored when {pieces_text} taken."


def _sailing_text(position: Position, seat: Seat, region: Region) -> str:
    forecast = forecast_stop(position, seat, region)
    passed_regions = [region_with_article(each) for each in forecast.route.regions[1:-1]]
    route_text = f" through {listed(passed_regions)}" if passed_regions else ""
    board = position.boards[seat]
    cost_text = movement_actions_text(forecast.route.cost)
    unused_actions = movement_allowance(board) - forecast.route.cost
    if unused_actions > 0:
        lapse_verb = "lapses" if unused_actions == 1 else "lapse"
        cost_text += f"; {movement_actions_text(unused_actions)} {lapse_verb}"
    sentences = [f"You sail to {region_with_article(region)}{route_text} ({cost_text})."]
    must_take = must_take_trash(forecast)
    is_empty = not stack_of(position, region)
    if forecast.fitting_trash:
        taken_texts = [
            f"{token_text(each.trash)} {fitting_contracts_text(board, each.trash)}"
            for each in forecast.fitting_trash
        ]
        sentences.append(f"You {'' if must_take else 'may '}take {'; or '.join(taken_texts)}.")
    else:
        sentences.append(
            "No trash is left there." if is_empty else "No trash within reach fits your contracts."
        )
    if forecast.restored_animal is not None:
        sentences.append(_restoring_text(position, seat, forecast.restored_animal))
    elif forecast.fitting_trash or is_empty:  # otherwise the stop changes nothing for the habitat
        sentences.append(_habitat_text(position, seat, region, takes_token=must_take))
    if must_take and len(forecast.fitting_trash) == 1:
        sentences += _progress_sentences(board, forecast.fitting_trash[0].trash)
    if forecast.port is not None:
        sentences.append(f"Then you are in port: {PORT_NAMES[forecast.port]}.")
        deliverable_count = count_deliverable(board, forecast)
        if deliverable_count and makes_last_round(position, seat, new_delivery_count=deliverable_count):
            sentences.append("With a fifth delivered contract this round is the last.")
    return " ".join(sentences)


def _progress_sentences(board: PlayerBoard, trash: Trash) -> list[str]:
    """Return what trash leaves to do on the only slot that takes it; nothing if a choice of slots follows."""
    slots = open_slots(board, trash)
    if len(slots) != 1:
        return []
    contract, wild = slots[0]
    return [_progress_text(board, trash, contract, wild=wild)]


def _progress_text(board: PlayerBoard, trash: Trash, contract: Contract, *, wild: bool) -> str:
    """Return what a contract still needs once trash lies on it."""
    board_after, _ = with_trash(board, trash, contract, wild=wild)
    missing = missing_requirements(held_contract(board_after, contract))
    name = distinct_contract_names(each.contract for each in board.contracts)[contract]
    return f"{name} will still need {requirements_text(missing)}." if missing else f"{name} will be complete."


def _collecting_text(position: Position, seat: Seat, action: Collect) -> str:
    board = position.boards[seat]
    text = _progress_text(board, action.trash, action.contract, wild=action.wild)
    region = board.ship
    if region is None or not position.round or len(stack_of(position, region)) > 1:
        return text
    animal = REGIONS[region].animal
    if animal in remaining_animals(board) and restorer_of(position, region) is None:
        return f"{text} {_restoring_text(position, seat, animal)}"
    return text


def _restoring_text(position: Position, seat: Seat, animal: Animal) -> str:
    end_text = _end_trigger_text(position, seat, new_habitat_count=1)
    return f"You restore the {ANIMAL_NAMES[animal]} habitat.{end_text}"


def _unlocking_text(position: Position, seat: Seat, upgrade: Upgrade) -> str:
    """Return what an upgrade brings, and from when on."""
    board = position.boards[seat]
    match upgrade_use(position, upgrade):
        case UpgradeUse.NONE:
            return "This is your last turn, so this upgrade brings nothing."
        case UpgradeUse.WITH_EXTRA_TURN:
            return "This is the last round: it counts only if you unlock the extra turn too."
        case UpgradeUse.FULL:
            pass
    match upgrade:
        case Upgrade.HABITAT_BONUS | Upgrade.CONTRACT_BONUS:
            points = bonus_points(board, upgrade)
            so_far = f" So far that is {points} points." if points else ""
            return f"At the end you gain {UPGRADE_EFFECTS[upgrade]}.{so_far}"
        case Upgrade.EXTRA_TURN:
            return "After the last round you have one more turn."
        case Upgrade.WHEEL:
            return f"From your next turn on you have {movement_actions_text(movement_allowance(board) + 1)}."
        case _:
            return f"From your next turn on you may {UPGRADE_EFFECTS[upgrade]}."


def _delivery_text(position: Position, seat: Seat, contract: Contract) -> str:
    board, port = position.boards[seat], CONTRACTS[contract].port
    gain_text = f"You gain {delivery_points_text(board, contract)}."
    end_text = _end_trigger_text(position, seat, new_delivery_count=1)
    if not could_unlock_one_more(position, board):
        return f"{gain_text}{end_text}"
    if is_in_own_port(board, contract):
        return f"{gain_text} You may also unlock an upgrade.{end_text}"
    return f"{gain_text} Only {PORT_NAMES[port]} would also unlock an upgrade.{end_text}"


def _end_trigger_text(
    position: Position, seat: Seat, *, new_delivery_count: int = 0, new_habitat_count: int = 0
) -> str:
    """Return that a seat's turn makes this round the last, with these many more; empty if it does not."""
    board = position.boards[seat]
    if not makes_last_round(
        position, seat, new_delivery_count=new_delivery_count, new_habitat_count=new_habitat_count
    ):
        return ""
    delivered_count = len(board.delivered_contracts) + new_delivery_count
    if delivered_count >= CONTRACTS_TO_END:
        return f" With {counted(delivered_count, 'delivered contract')} this round is the last."
    return f" With {counted(HABITATS_TO_END, 'restored habitat')} this round is the last."


def _lost_options_text(position: Position, seat: Seat, step: PortStep) -> str:
    """Return what a step of the port phase rules out for this turn; empty if nothing."""
    board = position.boards[seat]
    names = distinct_contract_names(held.contract for held in board.contracts)
    lost_options = [f"deliver {names[each]}" for each in _deliverable_contracts(position, board)]
    if step > PortStep.DISCARD and any(isinstance(each, DiscardContract) for each in port_actions(position)):
        lost_options.append("discard a contract")
    if step is PortStep.DRAW and _can_unlock(position, board):
        lost_options.append("unlock an upgrade")
    return f" You can then no longer {listed(lost_options, 'or')} this turn." if lost_options else ""


def _deliverable_contracts(position: Position, board: PlayerBoard) -> list[Contract]:
    """Return the contracts that the port still takes in this turn."""
    if position.port_step is not PortStep.DELIVER:
        return []
    return [held.contract for held in board.contracts if held.is_complete]


def _can_unlock(position: Position, board: PlayerBoard) -> bool:
    is_open = position.port_step <= PortStep.UNLOCK
    return is_open and bool(position.unused_unlock_count and locked_upgrades(board))


def _discard_text(position: Position, seat: Seat, contract: Contract) -> str:
    board = position.boards[seat]
    held = held_contract(board, contract)
    loss_text = f" You lose {trash_text(held.trash)}." if held.trash else ""
    contracts_text = counted(MAX_HELD_CONTRACTS - len(board.contracts) + 1, "contract")
    return (
        f"{capitalized(held_contract_text(held))} goes to the discard pile.{loss_text}"
        f"{_lost_options_text(position, seat, PortStep.DISCARD)} Then draw {contracts_text}."
    )
