"""What a table of Arctic CleanUp consists of, for the tests of every game."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from rules.model import Seat


def pieces(state: Any) -> Iterable[Any]:
    """Yield the tokens of pollution."""
    boards = state.boards
    cargo = chain.from_iterable(chain(*board.cargo) for board in boards)
    tokens_on_lines = chain.from_iterable(chain(*board.lines) for board in boards)
    return chain(*state.ocean, state.bag, state.drawn_tokens, cargo, tokens_on_lines)


def belongings(state: Any, seat: Seat) -> object:
    """Return everything on a seat's board."""
    return state.boards[seat]
