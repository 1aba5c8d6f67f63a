"""The narration of an action in sentences, from the trail."""

from rules.current_affairs.actions import Begin, DealMarket, FillRegions
from rules.current_affairs.components import CONTRACTS
from rules.current_affairs.events import (
    AnyEvent,
    Collected,
    ContractDiscarded,
    ContractDrawn,
    ContractPicked,
    Delivered,
    DraftBegan,
    EndTriggered,
    ExtraTurnsBegan,
    HabitatRestored,
    MarketFilled,
    NothingCollected,
    Reshuffled,
    Resigned,
    Sailed,
    ShipPlaced,
    StarterKnown,
    Trigger,
    Unlocked,
)
from rules.current_affairs.model import CurrentAffairsView
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    LOCK_EFFECTS,
    LOCK_NAMES,
    TRASH_NAMES,
    actions_text,
    contract_name,
    contract_text,
    region_name,
    trash_text,
)
from rules.game import Action, Names, Seat
from rules.text import counted, listed

TRIGGER_TEXTS = {
    Trigger.CONTRACTS: "delivered five contracts",
    Trigger.HABITATS: "restored five habitats",
}


def narrate(
    before: CurrentAffairsView, actor: Seat, action: Action, after: CurrentAffairsView, names: Names
) -> str:
    """Return the sentences for one action."""
    match action:
        case FillRegions():
            return "Trash drifts into all regions."
        case Begin(seat=seat):
            return f"{names[seat]} drafts first."
        case _:
            texts = (_event_text(event, names) for event in after.position.trail)
            market = [_market_text(after)] if isinstance(action, DealMarket) else []
            return " ".join(text for text in (*texts, *market) if text)


def _market_text(view: CurrentAffairsView) -> str:
    position = view.position
    cards = [contract_text(each) for each in (*position.market, position.top) if each is not None]
    return f"The market opens with {listed(cards)}."


def _event_text(event: AnyEvent, names: Names) -> str:
    match event:
        case DraftBegan(round=number, contracts=contracts):
            cards = listed([contract_text(contract) for contract in contracts])
            return f"Draft, round {number}: {cards}."
        case ContractPicked(seat=seat, contract=contract):
            return f"{names[seat]} takes {contract_text(contract)}."
        case StarterKnown(seat=seat):
            return f"{names[seat]} has the most valuable contract and starts."
        case ShipPlaced(seat=seat, region=region):
            return f"{names[seat]} starts in {region_name(region)}."
        case Delivered() | ContractDiscarded() | Unlocked() | ContractDrawn() | MarketFilled() | Reshuffled():
            return _port_text(event, names)
        case EndTriggered() | ExtraTurnsBegan() | Resigned():
            return _end_text(event, names)
        case _:
            return _ocean_text(event, names)


def _ocean_text(event: AnyEvent, names: Names) -> str:
    match event:
        case Sailed(seat=seat, way=way, cost=cost):
            return f"{names[seat]} sails to {region_name(way[-1])} ({actions_text(cost)})."
        case Collected(seat=seat, trash=trash, contract=contract, second=second):
            crane = " from below with the crane" if second else ""
            return f"{names[seat]} takes {TRASH_NAMES[trash]}{crane} for {contract_name(contract)}."
        case NothingCollected(seat=seat):
            return f"{names[seat]} takes no trash."
        case HabitatRestored(seat=seat, region=region, animal=animal):
            return f"{names[seat]} restores the {ANIMAL_NAMES[animal]} habitat in {region_name(region)}."
        case _:
            return ""


def _port_text(event: AnyEvent, names: Names) -> str:
    match event:
        case Delivered(seat=seat, contract=contract):
            points = CONTRACTS[contract].points
            return f"{names[seat]} delivers {contract_text(contract)} for {points} points."
        case ContractDiscarded(seat=seat, contract=contract, trash=trash):
            lost = f" and loses {trash_text(trash)}" if trash else ""
            return f"{names[seat]} discards {contract_text(contract)}{lost}."
        case Unlocked(seat=seat, lock=lock):
            return f"{names[seat]} unlocks the {LOCK_NAMES[lock]}: {LOCK_EFFECTS[lock]}."
        case ContractDrawn(seat=seat, contract=contract):
            return f"{names[seat]} draws {contract_text(contract)}."
        case MarketFilled(contract=contract):
            return f"New in the market: {contract_text(contract)}."
        case Reshuffled(count=count):
            return f"The deck was empty. {counted(count, 'discarded contract').capitalize()} form a new one."
        case _:
            return ""


def _end_text(event: AnyEvent, names: Names) -> str:
    match event:
        case EndTriggered(trigger=Trigger.NO_TRASH):
            return "The ocean is clean and nothing is left to gain. This round is the last."
        case EndTriggered(trigger=Trigger.ROUND_LIMIT):
            return "The last round is over."
        case EndTriggered(trigger=trigger, seat=seat) if seat is not None:
            return f"{names[seat]} has {TRIGGER_TEXTS[trigger]}. This round is the last."
        case ExtraTurnsBegan(seats=seats):
            who = listed([names[seat] for seat in seats])
            return f"One more turn each for {who}." if len(seats) > 1 else f"One more turn for {who}."
        case Resigned(seat=seat):
            return f"{names[seat]} resigns. The ship and its contracts leave the game."
        case _:
            return ""
