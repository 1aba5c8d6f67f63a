"""Who may feed on what, and how much: forage and attack (rulebook, Phase 2).

A species attacked keeps what its Defence saves (O9); of the rest it loses what the attacker can hold.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import msgspec

from rules.oceans.actions import Attack, Forage
from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Against, Ignored, Ignores, Immune, Immunity, Mark, Quirk
from rules.oceans.engine.ring import Waters, beside, find
from rules.oceans.engine.values import (
    attack,
    deep_traits,
    defences,
    defensive,
    forage,
    free_spaces,
    in_force,
    is_deep,
    marked,
    profile,
    quirky,
)
from rules.oceans.model import Meals, Species
from rules.oceans.places import INDEX, OCEAN, Place, SpeciesBoard, Zone, place_code

_CAVITATION: Final = 2
_MIGHTY: Final = 5
GARGANTUAN_PREY: Final = 7
"""The least population that Gargantuan attacks."""


# Forage ---------------------------------------------------------------------------------------------


def sources(waters: Waters, species: Species) -> Iterator[Zone | SpeciesBoard]:
    """Where a species may forage, empty places included."""
    yield Zone.REEF
    if marked(species, Mark.ANY_ZONE) or in_force(waters, Effect.LONG_HAUL):
        yield from OCEAN
    for key in beside(waters, species.key):
        neighbour = find(waters, key)
        if neighbour is not None and quirky(neighbour, Quirk.ZOOPLANKTON):
            yield SpeciesBoard(key)


def stock(waters: Waters, source: Place) -> int:
    """How much population there is to forage at a place."""
    if isinstance(source, Zone):
        return waters.water[INDEX[source]]
    species = find(waters, source.species) if isinstance(source, SpeciesBoard) else None
    return 0 if species is None else species.population


def forage_yield(waters: Waters, species: Species, source: Place) -> int:
    """How much a forage there takes; 0: it cannot."""
    value = forage(waters, species)
    return 0 if value is None else min(value, stock(waters, source), free_spaces(waters, species))


def forages(waters: Waters, species: Species) -> Iterator[Forage]:
    """Every way in which a species can forage now."""
    for source in sources(waters, species):
        most = forage_yield(waters, species, source)
        if most < 1:
            continue
        code = place_code(source)
        yield Forage(species.key, code)
        if marked(species, Mark.MAY_TAKE_LESS):
            yield from (Forage(species.key, code, less) for less in range(most - 1, 0, -1))


# Attack ---------------------------------------------------------------------------------------------


class Bite(msgspec.Struct, frozen=True):
    """What an attack comes to: legal or not, and how much it takes."""

    legal: bool
    taken: int


def _protects(waters: Waters, immune: Immune, attacker: Species, target: Species) -> bool:
    strength = attack(waters, attacker) or 0
    match immune.condition:
        case Immunity.ALWAYS:
            return True
        case Immunity.CROWDED:
            return target.population >= immune.value
        case Immunity.REEF_HOLDS:
            return waters.water[INDEX[Zone.REEF]] > 0
        case Immunity.WEAK_ATTACKER:
            return strength < immune.value
        case Immunity.STRONG_ATTACKER:
            return strength >= immune.value
        case Immunity.BELOW_FORAGE:
            return strength < (forage(waters, target) or 0)
        case Immunity.NO_SPEED:
            return "Speed" not in profile(attacker.traits).families


def _applies(waters: Waters, ignores: Ignores, attacker: Species, target: Species) -> bool:
    match ignores.against:
        case Against.ANY:
            return True
        case Against.WEAKER:
            return (attack(waters, target) or 0) < (attack(waters, attacker) or 0)
        case Against.LEECHING:
            return profile(target.traits).leeching
        case Against.HAS_DEEP:
            return deep_traits(target) > 0
        case Against.LACKS_DEEP:
            return deep_traits(target) == 0
        case Against.MIGHTY:
            strengths = forage(waters, target) or 0, attack(waters, target) or 0
            return max(strengths) >= _MIGHTY


class _Sight(msgspec.Struct):
    """What an attacker disregards of one target."""

    cards: set[Card]
    """Defensive traits that count for nothing."""
    immunity: bool = False
    everything: bool = False
    values: bool = False
    free: int = 0
    """How many more traits it may disregard by choice."""


def _sight(waters: Waters, attacker: Species, target: Species) -> _Sight:
    sight = _Sight(set())
    for ignores in profile(attacker.traits).ignores:
        if not _applies(waters, ignores, attacker, target):
            continue
        match ignores.what:
            case Ignored.IMMUNITY:
                sight.immunity = True
            case Ignored.DEEP_IMMUNITY:
                # None of them has a Defence value, which would have to be kept.
                immune = [card for card, _ in profile(target.traits).immunities]
                immune += [card for card in target.traits if Quirk.ABYSS in TRAIT[card].quirks]
                sight.cards |= {card for card in immune if is_deep(card)}
            case Ignored.FAMILIES:
                sight.cards |= {card for card in target.traits if TRAIT[card].family in ignores.families}
            case Ignored.VALUES:
                sight.values = True
            case Ignored.EVERYTHING:
                sight.everything = True
            case Ignored.ONE:
                sight.free += 1
    return sight


def bite(waters: Waters, attacker: Species, target: Species, ignoring: tuple[Card, ...] = ()) -> Bite:
    """What an attack comes to if these traits of the target are disregarded by choice."""
    refused = Bite(legal=False, taken=0)
    strength = attack(waters, attacker)
    room = free_spaces(waters, attacker)
    if strength is None or attacker.key == target.key or room < 1:
        return refused
    sight = _sight(waters, attacker, target)
    if not _reaches(waters, attacker, target, sight, ignoring, strength):
        return refused
    if not target.population:
        dies = in_force(waters, Effect.PREDATION) and not marked(target, Mark.NEVER_EXTINCT)
        return Bite(legal=dies and strength > 0, taken=0)
    saved = 0 if sight.values else _saved(waters, target, sight, ignoring)
    taken = max(0, min(strength, target.population) - saved)
    if quirky(attacker, Quirk.CAVITATION):
        taken = min(taken, _CAVITATION)
    taken = min(taken, room)
    return Bite(legal=taken > 0, taken=taken)


def _saved(waters: Waters, target: Species, sight: _Sight, ignoring: tuple[Card, ...]) -> int:
    """How much of the target's population its Defence saves."""
    left = list(ignoring)
    saved = 0
    for card, value in defences(waters, target):
        if card is not None and (sight.everything or card in sight.cards):
            continue
        if card in left:
            left.remove(card)
        else:
            saved += value
    return saved


def _reaches(
    waters: Waters,
    attacker: Species,
    target: Species,
    sight: _Sight,
    ignoring: tuple[Card, ...],
    strength: int,
) -> bool:
    """Whether nothing forbids the attack: immunity, the Abyss, Gargantuan's size, the arms race."""
    if quirky(attacker, Quirk.GARGANTUAN) and target.population < GARGANTUAN_PREY:
        return False
    if in_force(waters, Effect.ARMS_RACE):
        values = forage(waters, target) or 0, attack(waters, target) or 0
        if max(values) > strength:
            return False
    if quirky(attacker, Quirk.ABYSS) and deep_traits(target) < len(target.traits):
        return False
    if sight.immunity or sight.everything:
        return True
    left = list(ignoring)
    for card in target.traits:
        if card in sight.cards:
            continue
        if card in left:
            left.remove(card)
        elif _forbids(waters, card, attacker, target):
            return False
    return True


def _forbids(waters: Waters, card: Card, attacker: Species, target: Species) -> bool:
    """Whether one trait of the target keeps this attacker off."""
    trait = TRAIT[card]
    if Quirk.ABYSS in trait.quirks and deep_traits(attacker) < len(attacker.traits):
        return True
    return any(
        isinstance(ability, Immune) and _protects(waters, ability, attacker, target)
        for ability in trait.abilities
    )


def attacks(waters: Waters, attacker: Species) -> Iterator[Attack]:
    """Every attack of a species that is legal now, with every useful choice of what to disregard."""
    if attack(waters, attacker) is None or not free_spaces(waters, attacker):
        return
    seats = waters.rows
    for row in seats:
        for target in row:
            yield from attacks_on(waters, attacker, target)


def attacks_on(waters: Waters, attacker: Species, target: Species) -> Iterator[Attack]:
    """Every legal attack on one target: choices of what to disregard that take the same count once."""
    plain = bite(waters, attacker, target)
    if plain.legal:
        yield Attack(attacker.key, target.key)
    free = _sight(waters, attacker, target).free if profile(attacker.traits).ignores else 0
    if not free:
        return
    seen = {plain.taken} if plain.legal else set()
    candidates = [card for card in target.traits if defensive(card)]
    for size in range(1, min(free, len(candidates)) + 1):
        for ignoring in combinations(candidates, size):
            found = bite(waters, attacker, target, ignoring)
            if found.legal and found.taken not in seen:
                seen.add(found.taken)
                yield Attack(attacker.key, target.key, ignoring)


# Which species may feed (again) ---------------------------------------------------------------------


def may_feed(meals: Meals, species: Species) -> tuple[bool, bool]:
    """Whether a species may still forage, and still attack, in this feeding phase."""
    if species.key in meals.full:
        return False, False
    if voracious(meals, species):
        return True, True
    if meals.feeder is None:
        return True, True
    if meals.feeder != species.key:
        return False, False
    its = profile(species.traits).feeds
    allowed = 1 + its.feedings

    def fits(forages_done: int, attacks_done: int) -> bool:
        return max(0, forages_done - its.forages) + max(0, attacks_done - its.attacks) <= allowed

    return fits(meals.forages + 1, meals.attacks), fits(meals.forages, meals.attacks + 1)


def voracious(meals: Meals, species: Species) -> bool:
    """Whether it has a feeding of its own left (Voracious Feeder)."""
    return species.grown and quirky(species, Quirk.VORACIOUS) and species.key not in meals.extra
