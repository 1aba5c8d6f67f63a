"""Current Affairs: the rules as functions over the state, which is the position.

Rulings where the rulebook is silent: ``docs/rulings.md``, and for players ``rules.current_affairs.help``.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from rules.current_affairs import setup, turn
from rules.current_affairs.actions import (
    ChooseFirstDrafter,
    Collect,
    DealContracts,
    DealMarket,
    Deliver,
    DiscardContract,
    DrawContract,
    EndTurn,
    FillRegions,
    PickContract,
    PlaceShip,
    RevealTop,
    Sail,
    Skip,
    Unlock,
)
from rules.current_affairs.boards import replace_board
from rules.current_affairs.components import MARKET_SLOT_COUNT, TRASH_TOKEN_COUNTS, Contract
from rules.current_affairs.ending import end_turn, finish
from rules.current_affairs.events import Resigned
from rules.current_affairs.market import add_to_discard_pile, sort_contracts
from rules.current_affairs.model import CurrentAffairsView, Phase, PlayerBoard, Position
from rules.model import CHANCE, SEAT_LETTERS, Action, OutcomeKind, Seat
from rules.notation import parse_seat
from rules.random_stream import RandomStream

_ALL_TRASH: Final = tuple(trash for trash, count in TRASH_TOKEN_COUNTS.items() for _ in range(count))


def to_act(state: Position) -> Seat | None:
    """Return the seat to act, CHANCE, or None at the end."""
    return state.to_act


def view(state: Position, viewer: Seat | None) -> CurrentAffairsView:
    """Return everything: nothing is secret."""
    return CurrentAffairsView(state, viewer)


def without_turn(view: CurrentAffairsView) -> CurrentAffairsView:
    """Return a view in which it is nobody's turn any more: of a game that has ended early."""
    return replace(view, position=replace(view.position, to_act=None, current_player=None))


def turn_number(view: CurrentAffairsView) -> int:
    """Return the number of the running turn; 0 during set-up.

    A player's extra turn may directly follow their last regular one.
    """
    return view.position.turn


def apply_action(state: Position, action: Action) -> Position:
    """Return the state after an action that is legal, or possible where chance acts."""
    match action:
        case Sail(region=region):
            return turn.sail(state, region)
        case Collect() | Skip():
            return turn.choose_trash(state, action)
        case Deliver() | DiscardContract() | Unlock() | DrawContract() | EndTurn():
            return turn.act_in_port(state, action)
        case RevealTop(contract=contract):
            return turn.reveal_top(state, contract)
        case PickContract(contract=contract):
            return setup.pick_contract(state, contract)
        case PlaceShip(region=region):
            return turn.place_ship(state, region)
        case FillRegions(trash=trash):
            return setup.fill_regions(state, trash)
        case ChooseFirstDrafter(seat=seat):
            return setup.set_first_drafter(state, seat)
        case DealContracts(contracts=contracts):
            return setup.deal_contracts(state, contracts)
        case DealMarket(contracts=contracts):
            return setup.deal_market(state, contracts)
    raise AssertionError(action)


# Chance ----------------------------------------------------------------------------------------------

_OUTCOME_TYPE_BY_PHASE: Final[Mapping[Phase, type[Action]]] = {
    Phase.FILL: FillRegions,
    Phase.FIRST_DRAFTER: ChooseFirstDrafter,
    Phase.DEAL: DealContracts,
    Phase.MARKET: DealMarket,
    Phase.REVEAL: RevealTop,
}


def next_outcome_kind(view: CurrentAffairsView) -> OutcomeKind:
    """Return the type of the next outcome of chance, and the seat that it is drawn for."""
    return OutcomeKind(_OUTCOME_TYPE_BY_PHASE[view.position.phase])


def sample_chance(state: Position, stream: RandomStream) -> Action:
    """Draw chance's next outcome."""
    match state.phase:
        case Phase.FILL:
            return FillRegions(stream.shuffle(_ALL_TRASH))
        case Phase.FIRST_DRAFTER:
            return ChooseFirstDrafter(parse_seat(stream.choose(SEAT_LETTERS[: len(state.boards)])))
        case Phase.DEAL:
            return DealContracts(stream.sample_unordered(state.deck, _draft_size(state)))
        case Phase.MARKET:
            return DealMarket(stream.sample_ordered(state.deck, MARKET_SLOT_COUNT + 1))
        case _:
            return RevealTop(stream.choose(state.deck))


def is_possible(state: Position, action: Action) -> bool:
    """Whether an outcome of chance is possible now."""
    if state.to_act != CHANCE or not isinstance(action, _OUTCOME_TYPE_BY_PHASE[state.phase]):
        return False
    match action:
        case FillRegions(trash=trash):
            return Counter(trash) == Counter(_ALL_TRASH)
        case ChooseFirstDrafter(seat=seat):
            return seat in range(len(state.boards))
        case DealContracts(contracts=contracts):
            can_be_drawn = _can_be_drawn(state, contracts, _draft_size(state))
            return can_be_drawn and contracts == sort_contracts(contracts)
        case DealMarket(contracts=contracts):
            return _can_be_drawn(state, contracts, MARKET_SLOT_COUNT + 1)
        case RevealTop(contract=contract):
            return contract in state.deck
    return False


def _draft_size(state: Position) -> int:
    return sum(not board.resigned for board in state.boards)


def _can_be_drawn(state: Position, contracts: tuple[Contract, ...], count: int) -> bool:
    return len(contracts) == count == len(set(contracts)) and set(contracts) <= set(state.deck)


def sample_state(view: CurrentAffairsView, stream: RandomStream) -> Position:
    """Return the state, which the view shows whole."""
    return view.position


# Resigning -------------------------------------------------------------------------------------------


def resign(state: Position, seat: Seat) -> Position:
    """Return the state after a seat leaves: its ship and contracts go, its habitats stay (CA31)."""
    board = state.boards[seat]
    trash = tuple(each for held in board.contracts for each in held.trash)
    resigned_board = PlayerBoard(
        delivered_contracts=board.delivered_contracts,
        restored_regions=board.restored_regions,
        unlocked_upgrades=board.unlocked_upgrades,
        resigned=True,
    )
    after = replace(
        add_to_discard_pile(state, (held.contract for held in board.contracts)),
        boards=replace_board(state, seat, resigned_board),
        bag=turn.add_to_bag(state.bag, trash),
        waiting_seats=tuple(each for each in state.waiting_seats if each != seat),
        extra_turn_queue=tuple(each for each in state.extra_turn_queue if each != seat),
        trail=(Resigned(seat),),
    )
    if sum(not each.resigned for each in after.boards) == 1:
        return finish(after)
    if state.to_act != seat:
        return after
    if state.phase is Phase.DRAFT:
        return setup.continue_draft(after)
    if not state.round:
        return turn.continue_placement(after)
    return end_turn(after)
