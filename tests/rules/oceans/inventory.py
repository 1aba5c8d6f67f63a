"""What a table of Oceans consists of, for the tests of every game."""

from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

from rules.model import Seat


def pieces(state: Any) -> Iterable[Any]:
    """Yield the cards of both decks, and every token of population but those from the unlimited supply."""
    position = state.position
    species = [each for row in position.rows for each in row]
    token_count = (
        sum(position.zone_populations)
        + position.reserve
        + sum(state.score_piles)
        + sum(each.population for each in species)
    )
    return chain(
        position.discard_pile,
        position.out_of_game,
        *position.gene_pool,
        *state.hands,
        state.surface_deck,
        state.deep_deck,
        state.looked_at,
        *(each.traits for each in species),
        repeat("population", token_count - position.population_from_supply),
    )


def belongings(state: Any, seat: Seat) -> object:
    """Return what everybody sees that a seat owns: species, sizes of hand and score pile, known cards."""
    position = state.position
    sizes = (position.surface_hand_sizes[seat], position.deep_hand_sizes[seat], state.score_piles[seat])
    row = [(species.key, species.traits, species.population) for species in position.rows[seat]]
    return row, sizes, position.known_cards[seat]
