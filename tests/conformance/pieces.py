"""The pieces of every game that no action may make or lose.  A new game adds one line."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Final

from rules.game import AnyGame


def _currents(state: Any) -> Iterable[Any]:
    table = state.table
    return chain(table.aces, table.compass, table.currents, table.discard_pile, state.rest, *state.hands)


def _pearls(state: Any) -> Iterable[Any]:
    table = state.table
    return chain(state.sea, table.washed, *state.hands, *state.buried, *table.laid, *table.dug)


PIECES: Final[Mapping[str, Callable[[Any], Iterable[Any]]]] = {"currents": _currents, "pearls": _pearls}


def pieces_of(game: AnyGame, state: Any) -> Counter[Any]:
    """Every piece of a state, however often it is there."""
    return Counter(piece for piece in PIECES[game.key](state) if piece is not None)
