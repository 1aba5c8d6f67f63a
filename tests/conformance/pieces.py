"""The pieces of every game that no action may make or lose.  A new game adds one line."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, repeat
from typing import Any, Final

from rules.game import AnyGame


def _currents(state: Any) -> Iterable[Any]:
    position = state.position
    return chain(
        position.aces, position.compass, position.currents, position.discard_pile, state.rest, *state.hands
    )


def _oceans(state: Any) -> Iterable[Any]:
    """Cards of both decks, and every token of population but those from the unlimited supply."""
    position = state.position
    species = [each for row in position.rows for each in row]
    tokens = (
        sum(position.water) + position.reserve + sum(state.scores) + sum(each.population for each in species)
    )
    return chain(
        position.discard_pile,
        position.out_of_game,
        *position.gene_pool,
        *state.hands,
        state.surface_rest,
        state.deep_rest,
        state.looking,
        *(each.traits for each in species),
        repeat("population", tokens - position.supplied),
    )


def _pearls(state: Any) -> Iterable[Any]:
    position = state.position
    return chain(state.sea, position.washed, *state.hands, *state.buried, *position.laid, *position.dug)


PIECES: Final[Mapping[str, Callable[[Any], Iterable[Any]]]] = {
    "currents": _currents,
    "oceans": _oceans,
    "pearls": _pearls,
}


def pieces_of(game: AnyGame, state: Any) -> Counter[Any]:
    """Return every piece of a state, however often it is there."""
    return Counter(piece for piece in PIECES[game.key](state) if piece is not None)
