"""What a table of Current Affairs consists of, for the tests of every game."""

from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

from rules.current_affairs.components import TRASH_TOKEN_COUNTS
from rules.current_affairs.model import Phase
from rules.model import Seat


def pieces(state: Any) -> Iterable[Any]:
    """Yield the contracts and the tokens of trash."""
    held = chain.from_iterable(each.trash for board in state.boards for each in board.contracts)
    tokens = chain(*state.stacks, state.bag, held)
    if state.phase is Phase.FILL:
        tokens = chain.from_iterable(repeat(trash, count) for trash, count in TRASH_TOKEN_COUNTS.items())
    contracts = chain(
        (contract for contract in (*state.market, state.top_contract) if contract is not None),
        state.deck,
        state.discard_pile,
        state.draft_contracts,
        *(board.delivered_contracts for board in state.boards),
        (held.contract for board in state.boards for held in board.contracts),
    )
    return chain(contracts, tokens)


def belongings(state: Any, seat: Seat) -> object:
    """Return everything on a seat's board."""
    return state.boards[seat]
