"""The market: three slots, and the deck with its top card open."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from rules.current_affairs.components import Contract
from rules.current_affairs.events import AnyEvent, ContractDrawn, MarketFilled, Reshuffled
from rules.current_affairs.model import Phase, Position
from rules.model import CHANCE, Seat

_CONTRACT_INDEX: Final = {contract: index for index, contract in enumerate(Contract)}


def sort_contracts(contracts: Iterable[Contract]) -> tuple[Contract, ...]:
    """Return contracts in the order of ``Contract``."""
    return tuple(sorted(contracts, key=_CONTRACT_INDEX.__getitem__))


def remove_contracts(contracts: tuple[Contract, ...], removed: Iterable[Contract]) -> tuple[Contract, ...]:
    """Return contracts without some of them."""
    removed_set = frozenset(removed)
    return tuple(contract for contract in contracts if contract not in removed_set)


def add_to_discard_pile(position: Position, contracts: Iterable[Contract]) -> Position:
    """Put contracts on the discard pile."""
    return replace(position, discard_pile=sort_contracts((*position.discard_pile, *contracts)))


def remove_drawn_contract(position: Position, seat: Seat, contract: Contract) -> Position:
    """Remove the open contract that a seat draws; its slot stays empty until the market is filled."""
    if contract is position.top_contract:
        slot, position = None, replace(position, top_contract=None)
    else:
        slot = position.market.index(contract)
        position = replace(position, market=(*position.market[:slot], None, *position.market[slot + 1 :]))
    return replace(position, trail=(*position.trail, ContractDrawn(seat, contract, slot)))


def fill_market(position: Position) -> Position:
    """Fill empty slots from the deck, then begin or continue the port phase.

    It stops where chance must show the next card first, and where no card is left.  An empty deck is replaced
    by the discard pile only when a slot is empty too (CA22).
    """
    market, top = list(position.market), position.top_contract
    deck, discard_pile = position.deck, position.discard_pile
    events: list[AnyEvent] = []
    while True:
        if top is None and len(deck) > 1:
            break
        if top is None and deck:
            top, deck = deck[0], ()
        if None not in market:
            break
        if top is None:
            if not discard_pile:
                break
            events.append(Reshuffled(len(discard_pile)))
            deck, discard_pile = discard_pile, ()
            continue
        slot = market.index(None)
        market[slot] = top
        events.append(MarketFilled(slot, top))
        top = None
    must_reveal = top is None and len(deck) > 1
    return replace(
        position,
        market=tuple(market),
        top_contract=top,
        deck=deck,
        discard_pile=discard_pile,
        phase=Phase.REVEAL if must_reveal else Phase.PORT,
        to_act=CHANCE if must_reveal else position.current_player,
        trail=(*position.trail, *events),
    )
