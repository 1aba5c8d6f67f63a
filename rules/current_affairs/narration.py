"""The narration of an action in sentences, from the trail."""

from collections.abc import Iterator

from rules.current_affairs.actions import ChooseFirstDrafter, DealMarket, EndTurn, FillRegions
from rules.current_affairs.boards import seats_stuck_with_animal
from rules.current_affairs.components import CONTRACTS, HABITATS_TO_END, Contract
from rules.current_affairs.description import ending_text
from rules.current_affairs.events import (
    AnyEvent,
    Collected,
    ContractDiscarded,
    ContractDrawn,
    ContractPicked,
    Delivered,
    DraftRoundBegan,
    EndReason,
    EndTriggered,
    ExtraTurnsBegan,
    HabitatRestored,
    MarketFilled,
    NothingCollected,
    Reshuffled,
    Resigned,
    Sailed,
    ShipPlaced,
    StarterChosen,
    Unlocked,
)
from rules.current_affairs.model import CurrentAffairsView, Phase, PlayerBoard, Position
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    ANY,
    UPGRADE_EFFECTS,
    UPGRADE_NAMES,
    contract_text,
    delivery_points_text,
    movement_actions_text,
    names_in_play,
    port_name,
    region_with_article,
    token_text,
    trash_text,
)
from rules.current_affairs.setup import descending_contract_points
from rules.model import Action, Names, Seat
from rules.text import capitalized, counted, listed


def narrate(
    before: CurrentAffairsView, actor: Seat, action: Action, after: CurrentAffairsView, names: Names
) -> str:
    """Return the sentences for one action, and below them announcements about the end of the game."""
    old, new = before.position, after.position
    story = " ".join(_sentences(old, actor, action, new, names))
    announcements = [_end_text(event, new, names) for event in new.trail]
    if new.phase is Phase.OVER:
        announcements.append(ending_text(new, names))
    return "\n".join(text for text in (story, *announcements) if text)


def _sentences(before: Position, actor: Seat, action: Action, after: Position, names: Names) -> Iterator[str]:
    match action:
        case FillRegions():
            yield "Trash drifts into all regions."
        case ChooseFirstDrafter(seat=seat):
            yield f"{names[seat]} drafts first."
        case EndTurn():
            yield f"{names[actor]} ends the turn in {port_name(before.boards[actor])}."
    voyage_texts = [text for event in after.trail if (text := _voyage_text(event, after))]
    if voyage_texts:
        yield f"{names[_mover(after)]} {listed(voyage_texts)}."
    for event in after.trail:
        if text := _event_text(event, before, after, names):
            yield text
    if isinstance(action, DealMarket):
        contract_texts = [contract_text(each) for each in after.market if each is not None]
        yield f"The market opens with {listed(contract_texts)}."
    if after.top_contract is not None and after.top_contract is not before.top_contract:
        yield f"Open on the deck: {contract_text(after.top_contract)}."


# Ocean phase -----------------------------------------------------------------------------------------


def _mover(position: Position) -> Seat:
    """Return whose ship the trail is about."""
    movers = (
        event.seat
        for event in position.trail
        if isinstance(event, ShipPlaced | Sailed | Collected | NothingCollected)
    )
    return next(movers)


def _voyage_text(event: AnyEvent, after: Position) -> str:
    """Return what a ship does at sea; empty for other events."""
    match event:
        case ShipPlaced(region=region):
            return f"starts in {region_with_article(region)}"
        case Sailed(regions=regions, cost=cost):
            return f"sails to {region_with_article(regions[-1])} ({movement_actions_text(cost)})"
        case Collected(seat=seat, contract=contract):
            name = names_in_play(after)[contract]
            if _is_complete(after, seat, contract):
                return f"completes {name} with {_collected_text(event)}"
            return f"takes {_collected_text(event)} for {name}"
        case NothingCollected():
            return "takes no trash"
        case HabitatRestored(seat=seat, region=region, animal=animal):
            number = len(after.boards[seat].restored_regions)
            sailed = any(isinstance(each, Sailed) for each in after.trail)
            where = "there" if sailed else f"of {region_with_article(region)}"
            return f"restores the {ANIMAL_NAMES[animal]} habitat {where} ({number} of {HABITATS_TO_END})"
        case _:
            return ""


def _collected_text(event: Collected) -> str:
    """Return what was taken, from where and as what: "a net from below as any"."""
    origin_text = " from below" if event.is_second_token else ""
    slot_text = f" as {ANY}" if CONTRACTS[event.contract].requirements[event.slot] is None else ""
    return f"{token_text(event.trash)}{origin_text}{slot_text}"


def _is_complete(position: Position, seat: Seat, contract: Contract) -> bool:
    return any(held.is_complete for held in position.boards[seat].contracts if held.contract is contract)


# Other events ----------------------------------------------------------------------------------------


def _event_text(event: AnyEvent, before: Position, after: Position, names: Names) -> str:
    match event:
        case DraftRoundBegan(round=number, contracts=contracts):
            contracts_text = listed([contract_text(contract) for contract in contracts])
            return f"Draft, round {number}: {contracts_text}."
        case ContractPicked(seat=seat, contract=contract):
            reason = ", the last one left" if len(before.draft_contracts) == 1 else ""
            return f"{names[seat]} takes {contract_text(contract)}{reason}."
        case StarterChosen(seat=seat):
            return _starter_text(seat, before, names)
        case HabitatRestored(animal=animal) if seats := seats_stuck_with_animal(after, animal):
            return f"No {ANIMAL_NAMES[animal]} habitat is left for {listed([names[seat] for seat in seats])}."
        case Resigned(seat=seat):
            return f"{names[seat]} resigns.{_leaving_text(before.boards[seat])}"
        case _:
            return _port_text(event, before, after, names)


def _starter_text(starter: Seat, position: Position, names: Names) -> str:
    """Return who starts after the draft, and what decided between equal contracts (CA2)."""
    points_by_seat = {
        Seat(seat): descending_contract_points(board) for seat, board in enumerate(position.boards)
    }
    starter_points, name = points_by_seat[starter], names[starter]
    best_seats = [seat for seat, each in points_by_seat.items() if each[:1] == starter_points[:1]]
    if len(best_seats) == 1:
        return f"{name} has the most valuable contract and starts."
    tied_seats = [seat for seat in best_seats if points_by_seat[seat] == starter_points]
    if len(tied_seats) == 1:
        best_names = listed([names[seat] for seat in best_seats])
        return f"{best_names} have the most valuable contracts. {name} has the better other one and starts."
    tied_names = listed([names[seat] for seat in tied_seats])
    return f"{tied_names} have equally valuable contracts. {name} picked earlier and starts."


def _leaving_text(board: PlayerBoard) -> str:
    """Return what leaves the table with the owner of a board; empty if nothing."""
    texts = [] if board.ship is None else ["the ship leaves the game"]
    if board.contracts:
        subject = "the contract goes" if len(board.contracts) == 1 else "the contracts go"
        texts.append(f"{subject} to the discard pile")
    return f" {capitalized(listed(texts))}." if texts else ""


def _port_text(event: AnyEvent, before: Position, after: Position, names: Names) -> str:
    match event:
        case Delivered(seat=seat, contract=contract):
            points_text = delivery_points_text(before.boards[seat], contract)
            return f"{names[seat]} delivers {names_in_play(after)[contract]}: {points_text}."
        case ContractDiscarded(seat=seat, contract=contract, trash=trash):
            loss_text = f" and loses {trash_text(trash)}" if trash else ""
            return f"{names[seat]} discards {contract_text(contract)}{loss_text}."
        case Unlocked(seat=seat, upgrade=upgrade):
            return f"{names[seat]} unlocks the {UPGRADE_NAMES[upgrade]}: {UPGRADE_EFFECTS[upgrade]}."
        case ContractDrawn(seat=seat, contract=contract):
            return f"{names[seat]} draws {contract_text(contract)}."
        case MarketFilled(contract=contract):
            return f"New in the market: {contract_text(contract)}."
        case Reshuffled(count=count):
            form = "forms" if count == 1 else "form"
            return (
                f"The deck was empty. {capitalized(counted(count, 'discarded contract'))} {form} a new one."
            )
        case _:
            return ""


def _end_text(event: AnyEvent, after: Position, names: Names) -> str:
    last_round_text = "The last round is over." if after.in_extra_turns else "This round is the last."
    match event:
        case EndTriggered(end_reason=EndReason.NO_TRASH):
            return f"The ocean is clean. {last_round_text}"
        case EndTriggered(end_reason=EndReason.ROUND_LIMIT):
            return last_round_text
        case EndTriggered(end_reason=EndReason.CONTRACTS_DELIVERED, seat=seat) if seat is not None:
            delivered_text = counted(len(after.boards[seat].delivered_contracts), "contract")
            return f"{names[seat]} has delivered {delivered_text}. {last_round_text}"
        case EndTriggered(end_reason=EndReason.HABITATS_RESTORED, seat=seat) if seat is not None:
            return f"{names[seat]} has restored {counted(HABITATS_TO_END, 'habitat')}. {last_round_text}"
        case ExtraTurnsBegan(seats=seats):
            seat_names = listed([names[seat] for seat in seats])
            return (
                f"One more turn each for {seat_names}."
                if len(seats) > 1
                else f"One more turn for {seat_names}."
            )
        case _:
            return ""
