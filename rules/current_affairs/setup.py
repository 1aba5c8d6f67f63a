"""Setting up: trash on the regions, the draft of contracts, the ships."""

from msgspec.structs import replace

from rules.current_affairs.boards import empty_contract, replace_board, turn_order
from rules.current_affairs.components import CONTRACTS, REGIONS, Contract, Trash
from rules.current_affairs.events import ContractPicked, DraftRoundBegan, StarterChosen
from rules.current_affairs.market import add_to_discard_pile, remove_contracts
from rules.current_affairs.model import (
    CurrentAffairsOptions,
    FirstDrafter,
    Phase,
    PlayerBoard,
    Position,
)
from rules.model import CHANCE, Seat


def initial_state(seat_count: int, options: CurrentAffairsOptions) -> Position:
    """Return the state before the trash is drawn."""
    return Position(
        options=options,
        phase=Phase.FILL,
        to_act=CHANCE,
        boards=(PlayerBoard(),) * seat_count,
        stacks=((),) * len(REGIONS),
        deck=tuple(Contract),
    )


def fill_regions(position: Position, trash: tuple[Trash, ...]) -> Position:
    """Put all trash on the regions."""
    stacks, start = [], 0
    for facts in REGIONS.values():
        stacks.append(trash[start : start + facts.stack_size])
        start += facts.stack_size
    phase = Phase.FIRST_DRAFTER if position.options.first_player is FirstDrafter.RANDOM else Phase.DEAL
    return replace(position, stacks=tuple(stacks), phase=phase, trail=())


def set_first_drafter(position: Position, seat: Seat) -> Position:
    """Set who drafts first."""
    return replace(position, first_drafter=seat, phase=Phase.DEAL, trail=())


def deal_contracts(position: Position, contracts: tuple[Contract, ...]) -> Position:
    """Open the contracts of a round of the draft; the second round goes backwards."""
    order = turn_order(position, position.first_drafter)
    waiting_seats = order if position.draft_round == 1 else order[::-1]
    return replace(
        position,
        phase=Phase.DRAFT,
        to_act=waiting_seats[0],
        waiting_seats=waiting_seats,
        draft_contracts=contracts,
        deck=remove_contracts(position.deck, contracts),
        trail=(DraftRoundBegan(position.draft_round, contracts),),
    )


def pick_contract(position: Position, contract: Contract) -> Position:
    """Give a contract of the draft to the next seat that picks."""
    seat = position.waiting_seats[0]
    board = position.boards[seat]
    board = replace(board, contracts=(*board.contracts, empty_contract(contract)))
    after = replace(
        position,
        boards=replace_board(position, seat, board),
        draft_contracts=remove_contracts(position.draft_contracts, (contract,)),
        waiting_seats=position.waiting_seats[1:],
        trail=(ContractPicked(seat, contract),),
    )
    return continue_draft(after)


def continue_draft(position: Position) -> Position:
    """Ask the next seat of a draft round; after the last one go on to the next deal."""
    if position.waiting_seats:
        return replace(position, to_act=position.waiting_seats[0])
    position = replace(
        add_to_discard_pile(position, position.draft_contracts), draft_contracts=(), to_act=CHANCE
    )
    if position.draft_round == 1:
        return replace(position, draft_round=2, phase=Phase.DEAL)
    return replace(position, phase=Phase.MARKET)


def deal_market(position: Position, contracts: tuple[Contract, ...]) -> Position:
    """Open the market; the seat with the most valuable contract places its ship first."""
    starter = _find_starter(position)
    order = turn_order(position, starter)
    return replace(
        position,
        market=contracts[:-1],
        top_contract=contracts[-1],
        deck=remove_contracts(position.deck, contracts),
        phase=Phase.PLACE,
        to_act=order[0],
        waiting_seats=order,
        starter=starter,
        trail=(StarterChosen(starter),),
    )


def _find_starter(position: Position) -> Seat:
    """Return the seat with the highest contract; in ties the other one, then the draft order (CA2)."""
    order = turn_order(position, position.first_drafter)
    return max(order, key=lambda seat: descending_contract_points(position.boards[seat]))


def descending_contract_points(board: PlayerBoard) -> list[int]:
    """Return the points of a board's contracts, the most first."""
    return sorted((CONTRACTS[each.contract].points for each in board.contracts), reverse=True)
