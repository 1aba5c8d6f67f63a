"""How good a position of Oceans is for a seat: what it holds, and what its species will take and score.

A rough estimate for the policy.  It reads the public position alone and ignores most effects of single
cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from rules.model import Seat
from rules.oceans.cards.decks import Card
from rules.oceans.cards.traits import Gain, Leech, PreFeedingTargets, Scope, TraitFlag, Trigger
from rules.oceans.engine.ring import owner_of, species_ring
from rules.oceans.engine.values import (
    BOARD_SPACE_COUNT,
    POPULATION_AFTER_OVERPOPULATION,
    VALUE_WITHOUT_ICON,
    trait_profile,
)
from rules.oceans.model import Position, Species
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, Zone

_POPULATION_PER_TURN: Final = 7
"""About how much population a seat's turn takes out of the water."""
_USUAL_REEF_POPULATION: Final = 6
"""About how much population a seat finds in the Reef when it feeds."""
_USUAL_POPULATION: Final = 4
"""About how much population a species has when one feeds."""
_MAX_EXPECTED_ROUNDS: Final = 8.0
RIVAL_WEIGHT: Final = 0.4
"""How much another seat's population counts against one's own points."""
_OTHERS_FEEDING_SHARE: Final = 0.6
"""The share of the gains from others' feedings that is counted."""
_STORED_SHARE: Final = 0.35
"""The share that is counted of population gained faster than it can age into the score pile."""
_MIN_ROOM: Final = 4
"""The room that a species is expected to have when it feeds, however full it is now."""
_TRAIT_VALUE: Final = 0.7
"""What a trait on a safe species is worth in addition to the effects that are evaluated."""
_DEEP_TRAIT_VALUE: Final = 2.6
"""What a Deep trait is worth in addition to the effects that are evaluated, on any species."""
_LONG_GAME_TURNS: Final = 4.0
"""With fewer turns left, ``_TRAIT_VALUE`` and ``_DEEP_TRAIT_VALUE`` count less."""
_SAFE_TURNS: Final = 3
"""A species is safe if its population lasts for this many Agings."""


class TraitSummary(msgspec.Struct, frozen=True):
    """What the evaluation reads of a set of traits."""

    forage: int
    """0 if it never forages."""
    attack: int
    """0 if it never attacks."""
    defence: int
    feeding_count: int
    """How often it may feed in a turn."""
    extra_aging: int
    """How much more it ages than a species without traits."""
    space_count: int
    """How many spaces the board has."""
    never_overpopulates: bool
    leech_amount: int
    """How much it leeches before its owner's feeding."""
    leeches_from_left: bool
    reactions: tuple[tuple[Gain, int, str], ...]
    """Each gain with its amount and the trait's family."""
    deep_count: int


@lru_cache(maxsize=1 << 14)
def _summarize_traits(cards: tuple[Card, ...]) -> TraitSummary:
    """Return what the evaluation reads of a set of traits."""
    profile = trait_profile(cards)
    abilities = [(ability, trait) for trait in profile.traits for ability in trait.abilities]
    leeches = [ability for ability, _ in abilities if isinstance(ability, Leech)]
    return TraitSummary(
        forage=0 if profile.never_forages else sum(profile.forage_icons) or VALUE_WITHOUT_ICON,
        attack=0 if profile.never_attacks else sum(profile.attack_icons) or VALUE_WITHOUT_ICON,
        defence=sum(trait.defence for trait in profile.traits),
        feeding_count=1
        + profile.extra_feedings.feedings
        + profile.extra_feedings.forages
        + profile.extra_feedings.attacks,
        extra_aging=profile.extra_aging,
        space_count=max(1, BOARD_SPACE_COUNT + profile.extra_spaces),
        never_overpopulates=TraitFlag.NEVER_OVERPOPULATES in profile.flags,
        leech_amount=sum(ability.amount for ability in leeches),
        leeches_from_left=any(ability.targets is PreFeedingTargets.LEFT for ability in leeches),
        reactions=tuple(
            (ability, trait.gain, trait.family) for ability, trait in abilities if isinstance(ability, Gain)
        ),
        deep_count=profile.deep_count,
    )


class _Overview(msgspec.Struct, frozen=True, gc=False):
    """What the evaluation reads of a position."""

    all_species: Sequence[Species]
    """In the order of the ring, as are ``summaries`` and ``owners``."""
    summaries: Sequence[TraitSummary]
    owners: Sequence[Seat]
    reacting_indexes: Sequence[int]
    """The indexes in the ring of the species with a trait that gains after some event."""
    reef_population: float
    """What a seat is expected to find there when it feeds."""
    feeding_populations: Sequence[float]
    """What each species is expected to have when one feeds, in the order of the ring."""
    base_aging: int
    """How much a species without traits ages in a turn."""
    turns_left: float
    """About how many turns each seat has left."""


class _FeedingPlan(msgspec.Struct, frozen=True, gc=False):
    """All feedings of a seat's turn, as estimated: which species feeds, what it takes, what others gain."""

    feeder_index: int
    """The index in the ring of the species that feeds."""
    taken: float
    """By all feedings together."""
    strength: int
    """The Forage or Attack that it feeds with."""
    is_attack: bool
    gains: Mapping[int, int] = msgspec.field(default_factory=dict)
    """The gains by one of the feedings, by the gaining species' index in the ring."""


def evaluate(position: Position, seat: Seat, *, is_to_feed: bool = False) -> float:
    """Return the value of a position for a seat, in points, without its score pile.

    What is there now feeds a seat on its next turn alone, or now if it is still to feed this turn: then
    ``is_to_feed`` makes a choice that prepares this feeding look its best.
    """
    all_species = species_ring(position)
    turns_left = _turns_left(position)
    now_share = 1.0 if is_to_feed else 1 / max(1.0, turns_left)
    summaries = [_summarize_traits(species.traits) for species in all_species]
    overview = _Overview(
        all_species,
        summaries,
        [owner_of(species.key) for species in all_species],
        [index for index, summary in enumerate(summaries) if summary.reactions],
        _expected_amount(position.zone_populations[ZONE_INDEX[Zone.REEF]], _USUAL_REEF_POPULATION, now_share),
        [_expected_amount(species.population, _USUAL_POPULATION, now_share) for species in all_species],
        2 if position.cambrian_happened else 1,
        turns_left,
    )
    seats_left = [Seat(other) for other in range(position.seat_count) if not position.resigned[other]]
    plans = {other: _best_feeding_plan(overview, other) for other in seats_left}
    rival_population = sum(
        species.population
        for species, owner in zip(all_species, overview.owners, strict=True)
        if owner != seat
    )
    return _evaluate_seat(overview, seat, plans) - RIVAL_WEIGHT * rival_population


def _turns_left(position: Position) -> float:
    """Return about how many turns each seat has left."""
    if position.end_triggered:
        return 0.5
    ocean_population = sum(position.zone_populations[ZONE_INDEX[zone]] for zone in OCEAN_ZONES)
    rounds = min(
        (ocean_population + position.zone_populations[ZONE_INDEX[Zone.REEF]] / 2)
        / (_POPULATION_PER_TURN * position.seat_count),
        _MAX_EXPECTED_ROUNDS,
    )
    return min(rounds + 1, position.options.round_cap - position.round + 0.5)


def _expected_amount(now: int, usual: int, now_share: float) -> float:
    """Return what feedings find on average: a share of them what is there now, the others the usual."""
    return usual + (now - usual) * now_share


def _evaluate_seat(overview: _Overview, seat: Seat, plans: Mapping[Seat, _FeedingPlan | None]) -> float:
    """Return the worth of what a seat holds and of what it can still take in and score."""
    trait_weight = min(1.0, overview.turns_left / _LONG_GAME_TURNS)
    income = held_value = aging_capacity = 0.0
    for index, (species, summary) in enumerate(zip(overview.all_species, overview.summaries, strict=True)):
        if overview.owners[index] != seat:
            continue
        intake = _expected_intake(overview, index, plans)
        population = species.population
        overpopulates = population + intake >= summary.space_count and not summary.never_overpopulates
        held_value += population - (
            POPULATION_AFTER_OVERPOPULATION if overpopulates and population + 1 >= summary.space_count else 0
        )
        income += min(intake, summary.space_count - 1)
        aging = max(0, overview.base_aging + summary.extra_aging)
        if population + intake >= aging:
            held_value += trait_weight * summary.deep_count * _DEEP_TRAIT_VALUE
            aging_capacity += aging
            safety = min(1.0, (population + intake) / (_SAFE_TURNS * aging)) if aging else 1.0
            held_value += trait_weight * len(species.traits) * safety * _TRAIT_VALUE
    return held_value + overview.turns_left * (
        min(income, aging_capacity) + _STORED_SHARE * max(0.0, income - aging_capacity)
    )


def _expected_intake(overview: _Overview, index: int, plans: Mapping[Seat, _FeedingPlan | None]) -> float:
    """Return how much population a species is expected to take in until its owner's next Aging."""
    intake = float(_expected_leech(overview, index))
    for seat, plan in plans.items():
        if plan is None:
            continue
        gained = plan.gains.get(index, 0)
        if seat != overview.owners[index]:
            intake += _OTHERS_FEEDING_SHARE * gained
        else:
            intake += gained + (plan.taken if plan.feeder_index == index else 0)
    return intake


def _expected_leech(overview: _Overview, index: int) -> int:
    """Return how much a species leeches from others' species in a turn."""
    summary = overview.summaries[index]
    if not summary.leech_amount or len(overview.all_species) < 2:
        return 0
    if summary.leeches_from_left:
        is_own = overview.owners[index - 1] == overview.owners[index]
        return 0 if is_own else min(summary.leech_amount, overview.all_species[index - 1].population)
    return summary.leech_amount


# Feeding --------------------------------------------------------------------------------------------


def _best_feeding_plan(overview: _Overview, seat: Seat) -> _FeedingPlan | None:
    """Return a seat's plan by which all its species together take and gain the most; None: there is none."""
    best: _FeedingPlan | None = None
    best_total = 0.0
    for plan in _possible_feeding_plans(overview, seat):
        gains = _gains_of_plan(overview, plan)
        total = plan.taken + sum(gain for index, gain in gains.items() if overview.owners[index] == seat)
        if total > best_total:
            best_total, best = total, msgspec.structs.replace(plan, gains=gains)
    return best


def _possible_feeding_plans(overview: _Overview, seat: Seat) -> Iterator[_FeedingPlan]:
    """Yield a plan for each species of a seat: the better of foraging and attacking."""
    populations = overview.feeding_populations
    targets = [
        (population, summary.defence)
        for population, summary, owner in zip(populations, overview.summaries, overview.owners, strict=True)
        if owner != seat and population > summary.defence
    ]
    for index, (own_population, summary) in enumerate(zip(populations, overview.summaries, strict=True)):
        if overview.owners[index] != seat:
            continue
        room = max(_MIN_ROOM, summary.space_count - own_population)
        forage_amount = min(summary.forage * summary.feeding_count, overview.reef_population, room)
        attack_amount = 0.0
        if summary.attack > VALUE_WITHOUT_ICON and targets:
            most_taken = max(min(summary.attack, population) - defence for population, defence in targets)
            attack_amount = min(most_taken * summary.feeding_count, room)
        if attack_amount > forage_amount:
            yield _FeedingPlan(index, attack_amount, summary.attack, is_attack=True)
        elif forage_amount:
            yield _FeedingPlan(index, forage_amount, summary.forage, is_attack=False)


def _gains_of_plan(overview: _Overview, plan: _FeedingPlan) -> dict[int, int]:
    """Return how much each species gains by one feeding of a plan, by its index in the ring."""
    triggers = (Trigger.ATTACKS, Trigger.FEEDS) if plan.is_attack else (Trigger.FORAGES, Trigger.FEEDS)
    count = len(overview.all_species)
    gains: dict[int, int] = {}
    nearest: dict[tuple[str, str], tuple[int, int, int]] = {}  # (distance, index, amount) by family and side
    for index in overview.reacting_indexes:
        places_right = (index - plan.feeder_index) % count
        for gain, amount, family in overview.summaries[index].reactions:
            if gain.trigger not in triggers or plan.strength < gain.min_strength:
                continue
            if gain.scope is not Scope.NEAREST:
                if _is_in_scope(gain.scope, places_right, count):
                    gains[index] = gains.get(index, 0) + amount
            elif places_right:
                for side, distance in (("right", places_right), ("left", count - places_right)):
                    nearest_so_far = nearest.get((family, side), (count, 0, 0))
                    nearest[family, side] = min(nearest_so_far, (distance, index, amount))
    # By index, since a species that is the nearest on both sides gains once.
    for index, amount in {index: amount for _, index, amount in nearest.values()}.items():
        gains[index] = gains.get(index, 0) + amount
    return gains


def _is_in_scope(scope: Scope, places_right: int, count: int) -> bool:
    """Whether a feeding is in the scope of a trait on the species this many places right of the feeder."""
    match scope:
        case Scope.LEFT:
            return places_right == 1
        case Scope.NEIGHBOUR:
            return places_right in {1, count - 1}
        case Scope.SELF:
            return not places_right
        case _:
            return True
