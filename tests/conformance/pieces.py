"""The pieces of every game that no action may make or lose.  A new game adds one line."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, repeat
from typing import Any, Final

from rules.game import AnyGame


def _currents(state: Any) -> Iterable[Any]:
    table = state.position
    return chain(table.aces, table.compass, table.currents, table.discard_pile, state.rest, *state.hands)


def _oceans(state: Any) -> Iterable[Any]:
    """Cards of both decks, and every token of population but those from the unlimited supply."""
    table = state.position
    species = [each for row in table.rows for each in row]
    tokens = sum(table.water) + table.reserve + sum(state.scores) + sum(each.population for each in species)
    return chain(
        table.discard_pile,
        table.out_of_game,
        *table.gene_pool,
        *state.hands,
        state.surface_rest,
        state.deep_rest,
        state.looking,
        *(each.traits for each in species),
        repeat("population", tokens - table.supplied),
    )


def _pearls(state: Any) -> Iterable[Any]:
    table = state.position
    return chain(state.sea, table.washed, *state.hands, *state.buried, *table.laid, *table.dug)


PIECES: Final[Mapping[str, Callable[[Any], Iterable[Any]]]] = {
    "currents": _currents,
    "oceans": _oceans,
    "pearls": _pearls,
}


def pieces_of(game: AnyGame, state: Any) -> Counter[Any]:
    """Every piece of a state, however often it is there."""
    return Counter(piece for piece in PIECES[game.key](state) if piece is not None)
