"""How good a position of Oceans is for a seat: what it holds, and what its species will take and score.

A rough estimate for the policy.  It reads the public position alone and ignores most of what single cards
say.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from rules.game import Seat
from rules.oceans.cards.decks import Card
from rules.oceans.cards.traits import Flag, Gain, Leech, Prey, Scope, Trigger
from rules.oceans.engine.ring import owner_of, ring
from rules.oceans.engine.values import BOARD_SPACES, DEFAULT_VALUE, OVERPOPULATION_LEAVES, trait_profile
from rules.oceans.model import Position, Species
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, Zone

_POPULATION_PER_TURN: Final = 7
"""About how much population a seat's turn takes out of the water."""
_MAX_ROUNDS: Final = 8.0
_RIVAL_WEIGHT: Final = 0.4
"""What another's point counts against one of one's own."""
_OTHERS_FEEDING_SHARE: Final = 0.6
"""How much of what others' feedings would set off is counted on."""
_STORED_SHARE: Final = 0.35
"""What population counts that comes in faster than it ages into the score pile."""
_MIN_ROOM: Final = 4
"""The room that a species is expected to have in later turns, however full it is now."""
_TRAIT_VALUE: Final = 0.7
"""What a trait on a safe species is worth, beside what the evaluation understands of it."""
_DEEP_TRAIT_VALUE: Final = 2.6
"""What a Deep trait is worth besides."""
_LONG_GAME_TURNS: Final = 4.0
"""With fewer turns left these two values count less."""
_SAFE_TURNS: Final = 3
"""For how many turns of Aging a species must hold population to be safe."""


class TraitSummary(msgspec.Struct, frozen=True):
    """What a set of traits does, as far as the evaluation goes."""

    forage: int
    """0 if it never forages."""
    attack: int
    """0 if it never attacks."""
    defence: int
    feedings: int
    """How often it may feed in a turn."""
    aging: int
    """What it ages beyond the others."""
    spaces: int
    never_full: bool
    leeches: int
    """Population that it leeches before its owner's feeding."""
    leeches_left: bool
    reactions: tuple[tuple[Gain, int, str], ...]
    """Each gain with its amount and the trait's family."""
    deep_count: int


@lru_cache(maxsize=1 << 14)
def summarize_traits(cards: tuple[Card, ...]) -> TraitSummary:
    """Return what a set of traits does."""
    its = trait_profile(cards)
    abilities = [(ability, trait) for trait in its.traits for ability in trait.abilities]
    leeches = [ability for ability, _ in abilities if isinstance(ability, Leech)]
    return TraitSummary(
        forage=0 if its.never_forage else sum(its.forage_icons) or DEFAULT_VALUE,
        attack=0 if its.never_attack else sum(its.attack_icons) or DEFAULT_VALUE,
        defence=sum(trait.defence for trait in its.traits),
        feedings=1 + its.extra_feedings.feedings + its.extra_feedings.forages + its.extra_feedings.attacks,
        aging=its.aging,
        spaces=max(1, BOARD_SPACES + its.spaces),
        never_full=Flag.NEVER_OVERPOPULATES in its.flags,
        leeches=sum(ability.amount for ability in leeches),
        leeches_left=any(ability.prey is Prey.LEFT for ability in leeches),
        reactions=tuple(
            (ability, trait.gain, trait.family) for ability, trait in abilities if isinstance(ability, Gain)
        ),
        deep_count=its.deep_count,
    )


class _PositionSummary(msgspec.Struct, frozen=True, gc=False):
    """What the evaluation reads of a position."""

    all_species: Sequence[Species]
    """The ring."""
    summaries: Sequence[TraitSummary]
    owners: Sequence[Seat]
    reacting: Sequence[int]
    """The places in the ring of species that gain by feedings."""
    reef: int
    aging: int
    """What a species ages in a turn."""
    turns: float
    """About how many turns each seat has left."""


class _Feeding(msgspec.Struct, frozen=True, gc=False):
    """A feeding of a seat: which species feeds, what it takes, and what each one gains."""

    feeder: int
    """Its place in the ring."""
    taken: int
    strength: int
    """The Forage or Attack that it feeds with."""
    attacks: bool
    gains: Mapping[int, int] = msgspec.field(default_factory=dict)
    """By place in the ring."""


def evaluate(position: Position, seat: Seat) -> float:
    """Return the value of a position for a seat, in points, without its score pile."""
    all_species = ring(position)
    summaries = [summarize_traits(species.traits) for species in all_species]
    table = _PositionSummary(
        all_species,
        summaries,
        [owner_of(species.key) for species in all_species],
        [at for at, its in enumerate(summaries) if its.reactions],
        position.zone_populations[ZONE_INDEX[Zone.REEF]],
        2 if position.cambrian_happened else 1,
        _turns_left(position),
    )
    seats = [Seat(other) for other in range(position.seats) if not position.resigned[other]]
    feedings = {other: _best_feeding(table, other, thorough=other == seat) for other in seats}
    rivals = sum(
        species.population for species, owner in zip(all_species, table.owners, strict=True) if owner != seat
    )
    return _evaluate_seat(table, seat, feedings) - _RIVAL_WEIGHT * rivals


def _turns_left(position: Position) -> float:
    """Return about how many turns each seat has left."""
    if position.end_triggered:
        return 0.5
    ocean = sum(position.zone_populations[ZONE_INDEX[zone]] for zone in OCEAN_ZONES)
    rounds = min(
        (ocean + position.zone_populations[ZONE_INDEX[Zone.REEF]] / 2)
        / (_POPULATION_PER_TURN * position.seats),
        _MAX_ROUNDS,
    )
    return min(rounds + 1, position.options.turn_cap - position.round + 0.5)


def _evaluate_seat(table: _PositionSummary, seat: Seat, feedings: Mapping[Seat, _Feeding | None]) -> float:
    """Return what a seat holds, and what it takes in and scores in the turns that are left."""
    long_game = min(1.0, table.turns / _LONG_GAME_TURNS)
    income = kept = capacity = 0.0
    for at, (species, its) in enumerate(zip(table.all_species, table.summaries, strict=True)):
        if table.owners[at] != seat:
            continue
        coming = _expected_intake(table, at, feedings)
        population = species.population
        full = population + coming >= its.spaces and not its.never_full
        kept += population - (OVERPOPULATION_LEAVES if full and population + 1 >= its.spaces else 0)
        income += min(coming, its.spaces - 1)
        aging = max(0, table.aging + its.aging)
        kept += long_game * its.deep_count * _DEEP_TRAIT_VALUE
        if population + coming >= aging:
            capacity += aging
            safety = min(1.0, (population + coming) / (_SAFE_TURNS * aging)) if aging else 1.0
            kept += long_game * len(species.traits) * safety * _TRAIT_VALUE
    return kept + table.turns * (min(income, capacity) + _STORED_SHARE * max(0.0, income - capacity))


def _expected_intake(table: _PositionSummary, at: int, feedings: Mapping[Seat, _Feeding | None]) -> float:
    """Return how much population comes to a species until its owner's next Aging."""
    coming = float(_expected_leech(table, at))
    for seat, feeding in feedings.items():
        if feeding is None:
            continue
        gained = feeding.gains.get(at, 0)
        if seat != table.owners[at]:
            coming += _OTHERS_FEEDING_SHARE * gained
        else:
            coming += gained + (feeding.taken if feeding.feeder == at else 0)
    return coming


def _expected_leech(table: _PositionSummary, at: int) -> int:
    """Return what a species leeches from others' species in a turn."""
    its = table.summaries[at]
    if not its.leeches or len(table.all_species) < 2:
        return 0
    if its.leeches_left:
        own = table.owners[at - 1] == table.owners[at]
        return 0 if own else min(its.leeches, table.all_species[at - 1].population)
    return its.leeches


# Feeding --------------------------------------------------------------------------------------------


def _best_feeding(table: _PositionSummary, seat: Seat, *, thorough: bool) -> _Feeding | None:
    """Return the feeding of a seat that takes the most; None without one.

    ``thorough``: the one that brings all its species the most, gains included.
    """
    feedings = sorted(_feedings(table, seat), key=lambda feeding: -feeding.taken)
    best: _Feeding | None = None
    most = 0
    for feeding in feedings if thorough else feedings[:1]:
        gains = _reactions(table, feeding)
        total = feeding.taken + sum(gain for at, gain in gains.items() if table.owners[at] == seat)
        if total > most:
            most, best = total, msgspec.structs.replace(feeding, gains=gains)
    return best


def _feedings(table: _PositionSummary, seat: Seat) -> Iterator[_Feeding]:
    """Yield what each species of a seat can take in a turn, by foraging or by attacks."""
    preys = [
        (species.population, its.defence)
        for species, its, owner in zip(table.all_species, table.summaries, table.owners, strict=True)
        if owner != seat and species.population > its.defence
    ]
    for at, (species, its) in enumerate(zip(table.all_species, table.summaries, strict=True)):
        if table.owners[at] != seat:
            continue
        room = max(_MIN_ROOM, its.spaces - species.population)
        foraged = min(its.forage * its.feedings, table.reef, room)
        attacked = 0
        if its.attack > DEFAULT_VALUE and preys:
            prey = max(min(its.attack, population) - defence for population, defence in preys)
            attacked = min(prey * its.feedings, room)
        if attacked > foraged:
            yield _Feeding(at, attacked, its.attack, attacks=True)
        elif foraged:
            yield _Feeding(at, foraged, its.forage, attacks=False)


def _reactions(table: _PositionSummary, feeding: _Feeding) -> dict[int, int]:
    """Return what each species gains by a feeding, by its place in the ring."""
    triggers = (Trigger.ATTACKS, Trigger.FEEDS) if feeding.attacks else (Trigger.FORAGES, Trigger.FEEDS)
    count = len(table.all_species)
    found: dict[int, int] = {}
    nearest: dict[tuple[str, bool], tuple[int, int, int]] = {}
    for at in table.reacting:
        to_right = (at - feeding.feeder) % count
        for gain, amount, family in table.summaries[at].reactions:
            if gain.trigger not in triggers or feeding.strength < gain.at_least:
                continue
            if gain.scope is Scope.NEAREST:
                if to_right:
                    for side, far in ((True, to_right), (False, count - to_right)):
                        known = nearest.get((family, side), (count, 0, 0))
                        nearest[family, side] = min(known, (far, at, amount))
            elif _is_in_scope(gain.scope, to_right, count):
                found[at] = found.get(at, 0) + amount
    for at, amount in {at: amount for _, at, amount in nearest.values()}.items():
        found[at] = found.get(at, 0) + amount
    return found


def _is_in_scope(scope: Scope, to_right: int, count: int) -> bool:
    """Whether a species stands where its trait needs it, so many places to the right of the feeder."""
    match scope:
        case Scope.LEFT:
            return to_right == 1
        case Scope.NEIGHBOUR:
            return to_right in {1, count - 1}
        case Scope.SELF:
            return not to_right
        case _:
            return True
