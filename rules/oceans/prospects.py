"""How good a position of Oceans looks for a seat: what it holds, and what its species will take and score.

A rough reckoning for the policy.  It reads the public position alone and leaves out most of what single cards
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
from rules.oceans.places import INDEX, OCEAN, Zone

_TURN_USE: Final = 7
"""About how much population a seat's turn takes out of the water."""
_MOST_TURNS: Final = 8.0
_RIVALS: Final = 0.4
"""What another's point counts against one of one's own."""
_OTHERS_FEED: Final = 0.6
"""How much of what others' feedings would set off is counted on."""
_STORED: Final = 0.35
"""What population counts that comes in faster than it ages into the score pile."""
_LEAST_ROOM: Final = 4
"""The room that a species is reckoned to have in later turns, however full it is now."""
_DEEP_WORTH: Final = 0.65
"""What a Deep trait is worth a turn, beside what the reckoning understands of it."""
_DEEP_TURNS: Final = 4.0
"""For how many turns at most that counts."""
_SPECIES_WORTH: Final = 0.8
"""What a further species is worth, beside what it ages."""


class Outlook(msgspec.Struct, frozen=True):
    """What a set of traits does, as far as the reckoning goes."""

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
    deep: int


@lru_cache(maxsize=1 << 14)
def outlook(cards: tuple[Card, ...]) -> Outlook:
    """Work out what a set of traits does."""
    its = trait_profile(cards)
    abilities = [(ability, trait) for trait in its.traits for ability in trait.abilities]
    leeches = [ability for ability, _ in abilities if isinstance(ability, Leech)]
    return Outlook(
        forage=0 if its.never_forage else sum(its.forage_icons) or DEFAULT_VALUE,
        attack=0 if its.never_attack else sum(its.attack_icons) or DEFAULT_VALUE,
        defence=sum(trait.defence for trait in its.traits),
        feedings=1 + its.feeds.feedings + its.feeds.forages + its.feeds.attacks,
        aging=its.aging,
        spaces=max(1, BOARD_SPACES + its.spaces),
        never_full=Flag.NEVER_OVERPOPULATES in its.flags,
        leeches=sum(ability.amount for ability in leeches),
        leeches_left=any(ability.prey is Prey.LEFT for ability in leeches),
        reactions=tuple(
            (ability, trait.gain, trait.family) for ability, trait in abilities if isinstance(ability, Gain)
        ),
        deep=its.deep,
    )


class _Table(msgspec.Struct, frozen=True):
    """What the reckoning reads of a position."""

    around: Sequence[Species]
    """The ring."""
    looks: Sequence[Outlook]
    owners: Sequence[Seat]
    reacting: Sequence[int]
    """The places in the ring of species that gain by feedings."""
    reef: int
    aging: int
    """What a species ages in a turn."""
    turns: float
    """About how many turns each seat has left."""


class _Feeding(msgspec.Struct, frozen=True):
    """A feeding of a seat: which species feeds, what it takes, and what each one gains."""

    feeder: int
    """Its place in the ring."""
    taken: int
    strength: int
    """The Forage or Attack that it feeds with."""
    attacks: bool
    gains: Mapping[int, int] = msgspec.field(default_factory=dict)
    """By place in the ring."""


def worth(position: Position, seat: Seat) -> float:
    """Return how good a position looks for a seat; its score pile is left to the caller."""
    around = ring(position)
    looks = [outlook(species.traits) for species in around]
    table = _Table(
        around,
        looks,
        [owner_of(species.key) for species in around],
        [at for at, look in enumerate(looks) if look.reactions],
        position.water[INDEX[Zone.REEF]],
        2 if position.cambrian else 1,
        _turns_left(position),
    )
    seats = [Seat(other) for other in range(position.seats) if not position.resigned[other]]
    feedings = {other: _likely_feeding(table, other, thorough=other == seat) for other in seats}
    rivals = sum(
        species.population for species, owner in zip(around, table.owners, strict=True) if owner != seat
    )
    return _seat_worth(table, seat, feedings) - _RIVALS * rivals


def _turns_left(position: Position) -> float:
    """Return about how many turns each seat has left."""
    if position.ending:
        return 0.5
    ocean = sum(position.water[INDEX[zone]] for zone in OCEAN)
    rounds = min((ocean + position.water[INDEX[Zone.REEF]] / 2) / (_TURN_USE * position.seats), _MOST_TURNS)
    return min(rounds + 1, position.options.turn_cap - position.round + 0.5)


def _seat_worth(table: _Table, seat: Seat, feedings: Mapping[Seat, _Feeding | None]) -> float:
    """Return what a seat holds, and what comes in and ages in the turns that are left."""
    income = kept = capacity = 0.0
    for at, (species, look) in enumerate(zip(table.around, table.looks, strict=True)):
        if table.owners[at] != seat:
            continue
        coming = _coming(table, at, feedings)
        population = species.population
        full = population + coming >= look.spaces and not look.never_full
        kept += population - (OVERPOPULATION_LEAVES if full and population + 1 >= look.spaces else 0)
        income += min(coming, look.spaces - 1)
        aging = max(0, table.aging + look.aging)
        if population + coming >= aging:
            capacity += aging
            kept += table.turns * _SPECIES_WORTH
        kept += min(table.turns, _DEEP_TURNS) * look.deep * _DEEP_WORTH
    return kept + table.turns * (min(income, capacity) + _STORED * max(0.0, income - capacity))


def _coming(table: _Table, at: int, feedings: Mapping[Seat, _Feeding | None]) -> float:
    """Return how much population comes to a species until its owner's next Aging."""
    coming = float(_leeched(table, at))
    for seat, feeding in feedings.items():
        if feeding is None:
            continue
        gained = feeding.gains.get(at, 0)
        if seat != table.owners[at]:
            coming += _OTHERS_FEED * gained
        else:
            coming += gained + (feeding.taken if feeding.feeder == at else 0)
    return coming


def _leeched(table: _Table, at: int) -> int:
    """Return what a species leeches from others' species in a turn."""
    look = table.looks[at]
    if not look.leeches or len(table.around) < 2:
        return 0
    if look.leeches_left:
        own = table.owners[at - 1] == table.owners[at]
        return 0 if own else min(look.leeches, table.around[at - 1].population)
    return look.leeches


# Feeding --------------------------------------------------------------------------------------------


def _likely_feeding(table: _Table, seat: Seat, *, thorough: bool) -> _Feeding | None:
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


def _feedings(table: _Table, seat: Seat) -> Iterator[_Feeding]:
    """Yield what each species of a seat can take in a turn, by foraging or by attacks."""
    preys = [
        (species.population, look.defence)
        for species, look, owner in zip(table.around, table.looks, table.owners, strict=True)
        if owner != seat and species.population > look.defence
    ]
    for at, (species, look) in enumerate(zip(table.around, table.looks, strict=True)):
        if table.owners[at] != seat:
            continue
        room = max(_LEAST_ROOM, look.spaces - species.population)
        foraged = min(look.forage * look.feedings, table.reef, room)
        attacked = 0
        if look.attack > DEFAULT_VALUE and preys:
            prey = max(min(look.attack, population) - defence for population, defence in preys)
            attacked = min(prey * look.feedings, room)
        if attacked > foraged:
            yield _Feeding(at, attacked, look.attack, attacks=True)
        elif foraged:
            yield _Feeding(at, foraged, look.forage, attacks=False)


def _reactions(table: _Table, feeding: _Feeding) -> dict[int, int]:
    """Return what each species gains by a feeding, by its place in the ring."""
    triggers = (Trigger.ATTACKS, Trigger.FEEDS) if feeding.attacks else (Trigger.FORAGES, Trigger.FEEDS)
    count = len(table.around)
    found: dict[int, int] = {}
    nearest: dict[tuple[str, bool], tuple[int, int, int]] = {}
    for at in table.reacting:
        to_right = (at - feeding.feeder) % count
        for gain, amount, family in table.looks[at].reactions:
            if gain.trigger not in triggers or feeding.strength < gain.at_least:
                continue
            if gain.scope is Scope.NEAREST:
                if to_right:
                    for side, far in ((True, to_right), (False, count - to_right)):
                        known = nearest.get((family, side), (count, 0, 0))
                        nearest[family, side] = min(known, (far, at, amount))
            elif _stands(gain.scope, to_right, count):
                found[at] = found.get(at, 0) + amount
    for at, amount in {at: amount for _, at, amount in nearest.values()}.items():
        found[at] = found.get(at, 0) + amount
    return found


def _stands(scope: Scope, to_right: int, count: int) -> bool:
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
