"""A random state of Oceans that gives a viewer the same view."""

from collections import Counter

from rules.oceans.cards.decks import SURFACE_DECK, Card, sort_cards
from rules.oceans.engine import setup
from rules.oceans.engine.values import is_deep
from rules.oceans.model import OceansView, all_deep_cards
from rules.oceans.rules import State
from rules.oceans.steps import Keeping
from rules.random_stream import RandomStream


def sample_state(view: OceansView, stream: RandomStream) -> State:
    """Return a state in which all that the viewer cannot see is random, score piles included."""
    position = view.position
    seen = _seen_cards(view)
    surface_cards = list(stream.shuffle(_unseen_cards(SURFACE_DECK, seen)))
    deep_cards = list(stream.shuffle(_unseen_cards(all_deep_cards(position.options), seen)))
    hands: list[tuple[Card, ...]] = []
    for seat in range(position.seat_count):
        if seat == view.viewer:
            hands.append(view.hand)
            continue
        known_cards = position.known_cards[seat]
        known_deep_count = sum(is_deep(card) for card in known_cards)
        known_surface_count = len(known_cards) - known_deep_count
        drawn_surface_cards = _take_cards(
            surface_cards, position.surface_hand_sizes[seat] - known_surface_count
        )
        drawn_deep_cards = _take_cards(deep_cards, position.deep_hand_sizes[seat] - known_deep_count)
        hands.append(sort_cards((*known_cards, *drawn_surface_cards, *drawn_deep_cards)))
    looked_at = view.looked_at
    if position.agenda and isinstance(step := position.agenda[-1], Keeping) and not looked_at:
        looked_at = sort_cards(_take_cards(deep_cards, step.count))
    decks = sort_cards(surface_cards), sort_cards(deep_cards)
    return State(position, tuple(hands), _sample_score_piles(view, stream), *decks, looked_at)


def _take_cards(cards: list[Card], count: int) -> list[Card]:
    taken = cards[:count]
    del cards[:count]
    return taken


def _seen_cards(view: OceansView) -> Counter[Card]:
    position = view.position
    seen = Counter((*position.discard_pile, *position.out_of_game, *view.hand, *view.looked_at))
    for row in position.rows:
        for species in row:
            seen.update(species.traits)
    for pile in position.gene_pool:
        seen.update(pile)
    for seat, known_cards in enumerate(position.known_cards):
        if seat != view.viewer:
            seen.update(known_cards)
    return seen


def _unseen_cards(deck: tuple[Card, ...], seen: Counter[Card]) -> list[Card]:
    unseen = Counter(deck) - seen
    return list(sort_cards(unseen.elements()))


def _sample_score_piles(view: OceansView, stream: RandomStream) -> tuple[int, ...]:
    position = view.position
    if position.revealed_score_piles:
        return position.revealed_score_piles
    board_population = sum(species.population for row in position.rows for species in row)
    hidden_population = (
        setup.game_population(position)
        - sum(position.zone_populations)
        - board_population
        - position.reserve
        - (view.score_pile or 0)
    )
    others = [seat for seat in range(position.seat_count) if seat != view.viewer]
    # Stars and bars: every way to share the rest out is equally likely.
    bars = sorted(stream.sample_ordered(range(hidden_population + len(others) - 1), len(others) - 1))
    edges = [-1, *bars, hidden_population + len(others) - 1]
    score_piles = [0] * position.seat_count
    for seat, low, high in zip(others, edges, edges[1:], strict=False):
        score_piles[seat] = high - low - 1
    if view.viewer is not None:
        score_piles[view.viewer] = view.score_pile or 0
    return tuple(score_piles)
