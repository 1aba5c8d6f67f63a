"""States that look the same to a viewer of Oceans, and checks of what views show."""

from collections import Counter
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.model import Action, Seat
from rules.oceans.cards.decks import SURFACE_DECK, Card
from rules.oceans.engine.setup import game_population
from rules.oceans.model import OceansView, all_deep_cards
from rules.oceans.rules import State, apply_action, view
from rules.oceans.sampling import sample_state
from rules.random_stream import RandomStream
from tests.rules.oceans.positions import act, make_state, parse_cards, population_without_supply

A, B, C = Seat(0), Seat(1), Seat(2)
VIEWERS = (A, B, C, None)


def add_missing_population(state: State) -> State:
    """Put into zone 3 what a table of this size still lacks, so that all population is accounted for."""
    reef, zone_1, zone_2, zone_3 = state.position.zone_populations
    missing_population = (
        game_population(state.position)
        - population_without_supply(state)
        - state.position.population_from_supply
    )
    assert missing_population >= 0
    return replace(
        state,
        position=replace(
            state.position, zone_populations=(reef, zone_1, zone_2, zone_3 + missing_population)
        ),
    )


def sample_checked_states(seen: OceansView, count: int = 12) -> list[State]:
    """Return some states that look like this view; check view, cards and population of each."""
    samples = [sample_state(seen, RandomStream(bytes(32), number)) for number in range(count)]
    deck = Counter((*SURFACE_DECK, *all_deep_cards(seen.position.options)))
    for state in samples:
        assert view(state, seen.viewer) == seen
        assert Counter(all_cards(state)) == deck
        assert population_without_supply(state) + state.position.population_from_supply == game_population(
            state.position
        )
        assert min(state.score_piles) >= 0
    return samples


def all_cards(state: State) -> list[Card]:
    """Return every card, wherever it is."""
    position = state.position
    cards = [
        *position.discard_pile,
        *position.out_of_game,
        *state.surface_deck,
        *state.deep_deck,
        *state.looked_at,
    ]
    for pile in (*position.gene_pool, *state.hands, *(each.traits for row in position.rows for each in row)):
        cards += pile
    return cards


def mentions_card(seen: OceansView, card: str) -> bool:
    """Whether a view contains a card's code at all."""
    return f'"{card}"'.encode() in msgspec.json.encode(seen)


def check_same_next_views(state: State, action: Action) -> None:
    """Check that no viewer's view after an action of A depends on what that viewer cannot see."""
    after = apply_action(state, action)
    for viewer in range(state.position.seat_count):
        seat = Seat(viewer)
        for sample in sample_checked_states(view(state, seat)):
            assert view(apply_action(sample, action.seen_by(seat, A)), seat) == view(after, seat)


def make_state_with_secrets(**keywords: Any) -> State:
    """Return a state of three players with hands and score piles, A about to play."""
    hands = ("SP7 KRA", "IN5 TUS", "FF5 FF6 MEG")
    return add_missing_population(
        make_state("IN7 4", "SY5 3", "", hands=hands, score_piles=(7, 5, 3), **keywords)
    )


def make_atavism_state(hand: str, *, known_cards: str = "") -> State:
    """Return a state in which A's Atavism may exchange IN7 and BLU for Surface cards of the hand."""
    state = make_state("ATA IN7 BLU 4", "SY5 3", "", hands=(hand,), score_piles=(2,), plays_left=0)
    state = replace(state, position=replace(state.position, known_cards=(parse_cards(known_cards), (), ())))
    return act(add_missing_population(state), "done")
