"""States that random games hardly reach: many Deep traits, dry zones, any two Scenario cards, full boards."""

import random

from rules.model import CHANCE, SEAT_LETTERS, Seat
from rules.oceans.cards.decks import DEEP_DECK, SCENARIO_BY_CODE, SURFACE_DECK, Card, sort_cards
from rules.oceans.causes import ScenarioCause
from rules.oceans.engine.values import is_deep
from rules.oceans.model import (
    RESERVE_POPULATION,
    WATER_POPULATION,
    PastFeedings,
    Position,
    Species,
    StandingAnswers,
)
from rules.oceans.places import ZONES, Zone
from rules.oceans.rules import State
from rules.oceans.steps import BoardCheck, Feeding, Playing, TakingFromScorePile
from tests.rules.oceans.positions import PROMO_OPTIONS, resolve_chance

_ZONE_POPULATIONS = (0, 0, 1, 2, 5, 25)


def make_crowded_state(rng: random.Random) -> State:
    """Return a random state after its first board check; no card or population is missing."""
    seat_count = rng.randint(2, 6)
    surface_cards, deep_cards = (
        rng.sample(SURFACE_DECK, len(SURFACE_DECK)),
        rng.sample(DEEP_DECK, len(DEEP_DECK)),
    )
    rows = _make_rows(rng, seat_count, surface_cards, deep_cards)
    surface_hands = [_draw_cards(surface_cards, rng.choice((0, 1, 2, 5, 6))) for _ in range(seat_count)]
    hands = [
        sort_cards((*hand, *_draw_cards(deep_cards, rng.choice((0, 0, 1, 3))))) for hand in surface_hands
    ]
    gene_pool = tuple(tuple(_draw_cards(deep_cards, rng.choice((0, 1, 1, 2)))) for _ in range(2))
    discarded_cards = _draw_cards(surface_cards, rng.choice((0, 20, len(surface_cards))))
    out_of_game = _draw_cards(deep_cards, rng.choice((0, len(deep_cards) - 1, len(deep_cards))))
    zone_populations = tuple(rng.choice(_ZONE_POPULATIONS) for _ in ZONES)
    zones_filled = tuple(count > 0 for count in zone_populations[1:])
    board_population = sum(species.population for row in rows for species in row)
    all_population = WATER_POPULATION[seat_count] + RESERVE_POPULATION
    end_triggered = (
        rng.random() < 0.2
        or not any(zones_filled)
        or sum(zone_populations) + board_population + RESERVE_POPULATION > all_population
    )
    reserve = 0 if end_triggered else RESERVE_POPULATION
    score_piles = [0] * seat_count
    for _ in range(all_population - sum(zone_populations) - board_population - reserve):
        score_piles[rng.randrange(seat_count)] += 1
    scenarios = tuple(rng.sample(list(SCENARIO_BY_CODE), 2))
    player = Seat(rng.randrange(seat_count))
    position = Position(
        options=PROMO_OPTIONS,
        seat_count=seat_count,
        to_act=CHANCE,
        # Taking 0 changes nothing: ``resolve_chance`` then runs the board check before the first question.
        agenda=(
            rng.choice((Playing(), Playing(), Feeding())),
            BoardCheck(),
            TakingFromScorePile(player, 0, Zone.REEF, ScenarioCause("DET")),
        ),
        current_player=player,
        first_player=Seat(rng.randrange(seat_count)),
        round=3,
        zone_populations=zone_populations,
        were_zones_filled_at_check=zones_filled,
        were_zones_emptied=(False, False, False),
        ocean_emptied=not any(zones_filled),
        scenarios=scenarios,
        active_scenarios=tuple(
            code
            for code, is_filled in zip(scenarios, zones_filled, strict=False)
            if not is_filled and not SCENARIO_BY_CODE[code].is_event
        ),
        cambrian_happened=not zones_filled[0] or rng.random() < 0.6,
        reserve=reserve,
        end_triggered=end_triggered,
        population_from_supply=max(0, sum(zone_populations) + board_population + reserve - all_population),
        rows=rows,
        surface_deck_size=len(surface_cards),
        deep_deck_size=len(deep_cards),
        gene_pool=gene_pool,
        discard_pile=sort_cards(discarded_cards),
        out_of_game=sort_cards(out_of_game),
        surface_hand_sizes=tuple(sum(not is_deep(card) for card in hand) for hand in hands),
        deep_hand_sizes=tuple(sum(is_deep(card) for card in hand) for hand in hands),
        known_cards=tuple(tuple(card for card in hand if rng.random() < 0.15) for hand in hands),
        resigned=(False,) * seat_count,
        standing_answers=tuple(
            StandingAnswers(rng.choice(ZONES), rng.random() < 0.5) for _ in range(seat_count)
        ),
        gave_answers_this_turn=rng.random() < 0.5,
        plays_left=rng.choice((0, 1, 2)),
        past_feedings=PastFeedings(),
        chosen_aging_amounts=(),
        cthulhu_seat=Seat(rng.randrange(seat_count)),
        last_species_numbers=tuple(rng.randrange(10) for _ in range(seat_count)),
        revealed_score_piles=(),
    )
    state = State(
        position, tuple(hands), tuple(score_piles), sort_cards(surface_cards), sort_cards(deep_cards), ()
    )
    return resolve_chance(state)


def _make_rows(
    rng: random.Random, seat_count: int, surface_cards: list[Card], deep_cards: list[Card]
) -> tuple[tuple[Species, ...], ...]:
    deep_share, max_species_count = rng.choice((0.2, 0.5, 0.8, 1.0)), rng.choice((1, 2, 3, 4, 6))
    rows = []
    for letter in SEAT_LETTERS[:seat_count]:
        row = []
        for number in range(1, rng.randint(0, max_species_count) + 1):
            trait_count = rng.choice((0, 1, 2, 3, 3, 5))
            traits = [
                card
                for _ in range(trait_count)
                for card in _draw_cards(deep_cards if rng.random() < deep_share else surface_cards, 1)
            ]
            population = rng.choice((0, 1, 4, 5, 9, 10, rng.randint(0, 19)))
            may_mutate = "RAP" in traits and rng.random() < 0.7
            row.append(
                Species(f"{letter}{number}", tuple(traits), population, rng.random() < 0.2, may_mutate)
            )
        rows.append(tuple(row))
    return tuple(rows)


def _draw_cards(cards: list[Card], count: int) -> list[Card]:
    """Take up to ``count`` cards off the top."""
    taken_cards = cards[: max(0, count)]
    del cards[: len(taken_cards)]
    return taken_cards
