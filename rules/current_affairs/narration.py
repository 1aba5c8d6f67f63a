"""The narration of an action in sentences, from the trail."""

from collections.abc import Iterator

from rules.current_affairs.actions import ChooseFirstDrafter, DealMarket, EndTurn, FillRegions
from rules.current_affairs.boards import seats_stuck_with_animal
from rules.current_affairs.components import CONTRACTS, HABITATS_TO_END
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
from rules.narration import Narration, Sentence, SentenceKind, narration
from rules.text import capitalized, counted, listed


def narrate(
    before: CurrentAffairsView, actor: Seat, action: Action, after: CurrentAffairsView, names: Names
) -> Narration:
    """Return the sentences for one action, and below them announcements about the end of the game."""
    old, new = before.position, after.position
    announcements = [_end_texts(event, new, names) for event in new.trail]
    if new.phase is Phase.OVER:
        announcements.append((ending_text(new, names),))
    return narration(_sentences(old, actor, action, new, names), *announcements)


def _sentences(
    before: Position, actor: Seat, action: Action, after: Position, names: Names
) -> Iterator[str | Sentence]:
    match action:
        case FillRegions():
            yield "Trash drifts into all regions."
        case ChooseFirstDrafter(seat=seat):
            yield f"{names[seat]} drafts first."
        case EndTurn():
            text = f"{names[actor]} ends the turn in {port_name(before.boards[actor])}."
            yield Sentence(text, SentenceKind.CEREMONY)
    yield from _voyage_sentences(after, names)
    for event in after.trail:
        yield from _event_sentences(event, before, after, names)
    if isinstance(action, DealMarket):
        contract_texts = [contract_text(each) for each in after.market if each is not None]
        yield Sentence(f"The market opens with {listed(contract_texts)}.", SentenceKind.DETAIL)
    if after.top_contract is not None and after.top_contract is not before.top_contract:
        yield Sentence(f"Open on the deck: {contract_text(after.top_contract)}.", SentenceKind.DETAIL)


# Ocean phase -----------------------------------------------------------------------------------------


def _voyage_sentences(after: Position, names: Names) -> Iterator[Sentence]:
    """Yield what a ship does at sea as one sentence; nothing in port."""
    texts = [text for event in after.trail if (text := _voyage_text(event, after))]
    if texts:
        brings_gain = any(
            isinstance(event, HabitatRestored)
            or (isinstance(event, Collected) and _is_completing(event, after))
            for event in after.trail
        )
        kind = SentenceKind.GAIN_OR_LOSS if brings_gain else SentenceKind.PLAIN
        yield Sentence(f"{names[_mover(after)]} {listed(texts)}.", kind)


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
            if _is_completing(event, after):
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


def _is_completing(event: Collected, after: Position) -> bool:
    """Whether what was taken completes its contract."""
    contracts = after.boards[event.seat].contracts
    return any(held.is_complete for held in contracts if held.contract is event.contract)


# Other events ----------------------------------------------------------------------------------------


def _event_sentences(
    event: AnyEvent, before: Position, after: Position, names: Names
) -> Iterator[str | Sentence]:
    match event:
        case DraftRoundBegan(round=number, contracts=contracts):
            contracts_text = listed([contract_text(contract) for contract in contracts])
            yield Sentence(f"Draft, round {number}: {contracts_text}.", SentenceKind.DETAIL)
        case ContractPicked(seat=seat, contract=contract):
            reason = ", the last one left" if len(before.draft_contracts) == 1 else ""
            yield f"{names[seat]} takes {contract_text(contract)}{reason}."
        case StarterChosen(seat=seat):
            yield from _starter_sentences(seat, before, names)
        case HabitatRestored(animal=animal) if seats := seats_stuck_with_animal(after, animal):
            yield f"No {ANIMAL_NAMES[animal]} habitat is left for {listed([names[seat] for seat in seats])}."
        case Resigned(seat=seat):
            yield f"{names[seat]} resigns."
            yield _leaving_text(before.boards[seat])
        case _:
            yield from _port_sentences(event, before, after, names)


def _starter_sentences(starter: Seat, position: Position, names: Names) -> Iterator[str]:
    """Yield who starts after the draft, and what decided between equal contracts (CA2)."""
    points_by_seat = {
        Seat(seat): descending_contract_points(board) for seat, board in enumerate(position.boards)
    }
    starter_points, name = points_by_seat[starter], names[starter]
    best_seats = [seat for seat, each in points_by_seat.items() if each[:1] == starter_points[:1]]
    tied_seats = [seat for seat in best_seats if points_by_seat[seat] == starter_points]
    if len(best_seats) == 1:
        yield f"{name} has the most valuable contract and starts."
    elif len(tied_seats) == 1:
        yield f"{listed([names[seat] for seat in best_seats])} have the most valuable contracts."
        yield f"{name} has the better other one and starts."
    else:
        yield f"{listed([names[seat] for seat in tied_seats])} have equally valuable contracts."
        yield f"{name} picked earlier and starts."


def _leaving_text(board: PlayerBoard) -> str:
    """Return what leaves the table with the owner of a board; empty if nothing."""
    texts = [] if board.ship is None else ["the ship leaves the game"]
    if board.contracts:
        subject = "the contract goes" if len(board.contracts) == 1 else "the contracts go"
        texts.append(f"{subject} to the discard pile")
    return f"{capitalized(listed(texts))}." if texts else ""


def _port_sentences(
    event: AnyEvent, before: Position, after: Position, names: Names
) -> Iterator[str | Sentence]:
    match event:
        case Delivered(seat=seat, contract=contract):
            points_text = delivery_points_text(before.boards[seat], contract)
            text = f"{names[seat]} delivers {names_in_play(after)[contract]}: {points_text}."
            yield Sentence(text, SentenceKind.GAIN_OR_LOSS)
        case ContractDiscarded(seat=seat, contract=contract, trash=()):
            yield f"{names[seat]} discards {contract_text(contract)}."
        case ContractDiscarded(seat=seat, contract=contract, trash=trash):
            text = f"{names[seat]} discards {contract_text(contract)} and loses {trash_text(trash)}."
            yield Sentence(text, SentenceKind.GAIN_OR_LOSS)
        case Unlocked(seat=seat, upgrade=upgrade):
            text = f"{names[seat]} unlocks the {UPGRADE_NAMES[upgrade]}: {UPGRADE_EFFECTS[upgrade]}."
            yield Sentence(text, SentenceKind.GAIN_OR_LOSS)
        case ContractDrawn(seat=seat, contract=contract):
            yield f"{names[seat]} draws {contract_text(contract)}."
        case MarketFilled(contract=contract):
            yield Sentence(f"New in the market: {contract_text(contract)}.", SentenceKind.DETAIL)
        case Reshuffled(count=count):
            form = "forms" if count == 1 else "form"
            yield "The deck was empty."
            yield f"{capitalized(counted(count, 'discarded contract'))} {form} a new one."


def _end_texts(event: AnyEvent, after: Position, names: Names) -> tuple[str, ...]:
    """Return in sentences why the game is about to end, and which turns follow; empty for other events."""
    last_round_text = "The last round is over." if after.in_extra_turns else "This round is the last."
    match event:
        case EndTriggered(end_reason=EndReason.NO_TRASH):
            return "The ocean is clean.", last_round_text
        case EndTriggered(end_reason=EndReason.ROUND_LIMIT):
            return (last_round_text,)
        case EndTriggered(end_reason=EndReason.CONTRACTS_DELIVERED, seat=seat) if seat is not None:
            delivered_text = counted(len(after.boards[seat].delivered_contracts), "contract")
            return f"{names[seat]} has delivered {delivered_text}.", last_round_text
        case EndTriggered(end_reason=EndReason.HABITATS_RESTORED, seat=seat) if seat is not None:
            return f"{names[seat]} has restored {counted(HABITATS_TO_END, 'habitat')}.", last_round_text
        case ExtraTurnsBegan(seats=seats):
            each_text = " each" if len(seats) > 1 else ""
            return (f"One more turn{each_text} for {listed([names[seat] for seat in seats])}.",)
        case _:
            return ()
