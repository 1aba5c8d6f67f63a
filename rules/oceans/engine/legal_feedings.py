"""The legal forages and attacks, and how much they take (rulebook, Phase 2).

An attacker takes at most its strength, and only what it can hold; Defence saves its value of that (O9).
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

import msgspec

from rules.oceans.actions import Attack, Forage
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import (
    DefencePart,
    IgnoredDefence,
    Immunity,
    ImmunityCondition,
    Quirk,
    Sting,
    TargetKind,
    TraitFlag,
)
from rules.oceans.engine.ring import PositionLike, find_species, neighbour_keys
from rules.oceans.engine.values import (
    attack_value,
    count_deep_traits,
    defences,
    forage_value,
    free_space_count,
    grants_immunity,
    has_flag,
    has_quirk,
    is_deep,
    is_defensive,
    is_effect_active,
    max_strength,
    trait_profile,
)
from rules.oceans.model import PastFeedings, Species
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, Place, SpeciesBoard, Zone, place_code

_CAVITATION_BULLET_LIMIT: Final = 2
"""The most that Cavitation Bullet takes with one attack."""
_MIN_STRONG_TARGET_STRENGTH: Final = 5
"""The least Forage or Attack of a strong target."""
MIN_GARGANTUAN_TARGET_POPULATION: Final = 7
"""The least population of a species that Gargantuan attacks."""


# Forage ---------------------------------------------------------------------------------------------


def forage_sources(position: PositionLike, species: Species) -> Iterator[Zone | SpeciesBoard]:
    """Yield the places where a species may forage, empty ones included."""
    yield Zone.REEF
    if has_flag(species, TraitFlag.ANY_ZONE) or is_effect_active(position, Effect.LONG_HAUL_MIGRATION):
        yield from OCEAN_ZONES
    for key in neighbour_keys(position, species.key):
        neighbour = find_species(position, key)
        if neighbour is not None and has_quirk(neighbour, Quirk.ZOOPLANKTON):
            yield SpeciesBoard(key)


def source_population(position: PositionLike, source: Place) -> int:
    """Return the population of a place where one can forage."""
    if isinstance(source, Zone):
        return position.zone_populations[ZONE_INDEX[source]]
    species = find_species(position, source.species) if isinstance(source, SpeciesBoard) else None
    return 0 if species is None else species.population


def foraged_amount(position: PositionLike, species: Species, source: Place) -> int:
    """Return how much a forage at a place takes; 0 if it is not possible."""
    value = forage_value(position, species)
    return (
        0
        if value is None
        else min(value, source_population(position, source), free_space_count(position, species))
    )


def forage_actions(position: PositionLike, species: Species) -> Iterator[Forage]:
    """Yield every legal forage of a species."""
    for source in forage_sources(position, species):
        full_amount = foraged_amount(position, species, source)
        if full_amount < 1:
            continue
        code = place_code(source)
        yield Forage(species.key, code)
        if has_flag(species, TraitFlag.MAY_FORAGE_LESS):
            yield from (Forage(species.key, code, less) for less in range(full_amount - 1, 0, -1))


# Attack ---------------------------------------------------------------------------------------------


class AttackResult(msgspec.Struct, frozen=True):
    """Whether an attack is legal, and how much it takes."""

    is_legal: bool
    taken: int


def immunity_holds(position: PositionLike, immunity: Immunity, attacker: Species, target: Species) -> bool:
    """Whether the condition of an immunity holds for this attacker and this target."""
    strength = attack_value(position, attacker) or 0
    match immunity.condition:
        case ImmunityCondition.ALWAYS:
            return True
        case ImmunityCondition.LARGE_POPULATION:
            return target.population >= immunity.threshold
        case ImmunityCondition.REEF_NOT_EMPTY:
            return position.zone_populations[ZONE_INDEX[Zone.REEF]] > 0
        case ImmunityCondition.WEAK_ATTACKER:
            return strength < immunity.threshold
        case ImmunityCondition.STRONG_ATTACKER:
            return strength >= immunity.threshold
        case ImmunityCondition.BELOW_FORAGE:
            return strength < (forage_value(position, target) or 0)
        case ImmunityCondition.NO_SPEED:
            return "Speed" not in trait_profile(attacker.traits).families


def _applies_to_target(
    position: PositionLike, ability: IgnoredDefence, attacker: Species, target: Species
) -> bool:
    match ability.targets:
        case TargetKind.ANY:
            return True
        case TargetKind.WEAKER:
            return (attack_value(position, target) or 0) < (attack_value(position, attacker) or 0)
        case TargetKind.LEECHING:
            return trait_profile(target.traits).has_leech
        case TargetKind.HAS_DEEP:
            return count_deep_traits(target) > 0
        case TargetKind.LACKS_DEEP:
            return count_deep_traits(target) == 0
        case TargetKind.STRONG:
            return max_strength(position, target) >= _MIN_STRONG_TARGET_STRENGTH


class _IgnoredTraits(msgspec.Struct):
    """What an attacker ignores of one target's traits."""

    cards: set[Card]
    """Traits that do not count."""
    covers_all_immunities: bool = False
    """Whether no immunity counts."""
    covers_all_traits: bool = False
    """Whether no trait counts, not even a neighbour's that protects the target."""
    covers_all_values: bool = False
    """Whether no Defence value counts."""
    choice_count: int = 0
    """How many more traits the attacker may choose to ignore."""


def _find_ignored_traits(position: PositionLike, attacker: Species, target: Species) -> _IgnoredTraits:
    ignored = _IgnoredTraits(set())
    for ability in trait_profile(attacker.traits).ignored_defences:
        if not _applies_to_target(position, ability, attacker, target):
            continue
        match ability.part:
            case DefencePart.IMMUNITY:
                ignored.covers_all_immunities = True
            case DefencePart.DEEP_IMMUNITY:
                # A Defence value of these cards would still have to count, but none has one.
                ignored.cards |= {card for card in target.traits if is_deep(card) and grants_immunity(card)}
            case DefencePart.FAMILIES:
                ignored.cards |= {
                    card for card in target.traits if TRAIT_BY_CARD[card].family in ability.families
                }
            case DefencePart.VALUES:
                ignored.covers_all_values = True
            case DefencePart.ALL:
                ignored.covers_all_traits = True
            case DefencePart.ONE_TRAIT:
                ignored.choice_count += 1
    return ignored


def attack_result(
    position: PositionLike, attacker: Species, target: Species, ignoring: tuple[Card, ...] = ()
) -> AttackResult:
    """Return the result of an attack in which the attacker chooses to ignore the traits ``ignoring``."""
    illegal = AttackResult(is_legal=False, taken=0)
    strength = attack_value(position, attacker)
    room = free_space_count(position, attacker)
    if strength is None or attacker.key == target.key or room < 1:
        return illegal
    ignored = _find_ignored_traits(position, attacker, target)
    if not _may_attack(position, attacker, target, ignored, ignoring, strength):
        return illegal
    if not target.population:
        dies = is_effect_active(position, Effect.AGGRESSIVE_ENVIRONMENT) and not has_flag(
            target, TraitFlag.NEVER_EXTINCT
        )
        return AttackResult(is_legal=dies and strength > 0, taken=0)
    saved = _saved_population(position, target, ignored, ignoring)
    taken = max(0, min(strength, target.population) - saved)
    if has_quirk(attacker, Quirk.CAVITATION_BULLET):
        taken = min(taken, _CAVITATION_BULLET_LIMIT)
    taken = min(taken, room)
    return AttackResult(is_legal=taken > 0, taken=taken)


def _saved_population(
    position: PositionLike, target: Species, ignored: _IgnoredTraits, ignoring: tuple[Card, ...]
) -> int:
    """Return how much of the target's population its Defence saves."""
    if ignored.covers_all_values:
        return 0
    to_ignore = list(ignoring)
    saved = 0
    for card, value in defences(position, target):
        if card is not None and (ignored.covers_all_traits or card in ignored.cards):
            continue
        if card in to_ignore:
            to_ignore.remove(card)
        else:
            saved += value
    return saved


def effective_defence(
    position: PositionLike, attacker: Species, target: Species, ignoring: tuple[Card, ...] = ()
) -> int:
    """Return how much of the target's Defence counts against an attacker that chooses to ignore traits."""
    return _saved_population(position, target, _find_ignored_traits(position, attacker, target), ignoring)


def ignored_stings(
    position: PositionLike, attacker: Species, target: Species, ignoring: tuple[Card, ...] = ()
) -> tuple[Card, ...]:
    """Return the target's traits that would harm the attacker but are ignored as a whole (O28)."""
    stings = [
        card
        for card in target.traits
        if any(isinstance(ability, Sting) for ability in TRAIT_BY_CARD[card].abilities) and is_defensive(card)
    ]
    if not stings:
        return ()
    ignored = _find_ignored_traits(position, attacker, target)
    return tuple(
        card for card in stings if ignored.covers_all_traits or card in ignored.cards or card in ignoring
    )


def ignoring_if_allowed(
    position: PositionLike, attacker: Species, target: Species, ignoring: tuple[Card, ...]
) -> tuple[Card, ...]:
    """Return ``ignoring`` if the attacker may choose to ignore as many traits of the target, else nothing."""
    is_allowed = len(ignoring) <= _find_ignored_traits(position, attacker, target).choice_count
    return ignoring if is_allowed else ()


def _may_attack(
    position: PositionLike,
    attacker: Species,
    target: Species,
    ignored: _IgnoredTraits,
    ignoring: tuple[Card, ...],
    strength: int,
) -> bool:
    """Whether no immunity, Abyss Dweller, Gargantuan or Evolutionary Arms Race forbids the attack."""
    if has_quirk(attacker, Quirk.GARGANTUAN) and target.population < MIN_GARGANTUAN_TARGET_POPULATION:
        return False
    if is_effect_active(position, Effect.ARMS_RACE) and max_strength(position, target) > strength:
        return False
    if has_quirk(attacker, Quirk.ABYSS_DWELLER) and count_deep_traits(target) < len(target.traits):
        return False
    return not any(_iterate_forbidding_traits(position, attacker, target, ignored, ignoring))


def _iterate_forbidding_traits(
    position: PositionLike,
    attacker: Species,
    target: Species,
    ignored: _IgnoredTraits,
    ignoring: tuple[Card, ...],
) -> Iterator[Card]:
    if ignored.covers_all_immunities or ignored.covers_all_traits:
        return
    to_ignore = list(ignoring)
    for card in target.traits:
        if card in ignored.cards:
            continue
        if card in to_ignore:
            to_ignore.remove(card)
        elif _forbids_attack(position, card, attacker, target):
            yield card


def _forbids_attack(position: PositionLike, card: Card, attacker: Species, target: Species) -> bool:
    """Whether one trait of the target forbids the attack."""
    trait = TRAIT_BY_CARD[card]
    if Quirk.ABYSS_DWELLER in trait.quirks and count_deep_traits(attacker) < len(attacker.traits):
        return True
    return any(
        isinstance(ability, Immunity) and immunity_holds(position, ability, attacker, target)
        for ability in trait.abilities
    )


def forbidding_traits(
    position: PositionLike, attacker: Species, target: Species, ignoring: tuple[Card, ...] = ()
) -> list[Card]:
    """Return the target's traits that forbid the attack, without those that the attacker ignores."""
    ignored = _find_ignored_traits(position, attacker, target)
    return list(_iterate_forbidding_traits(position, attacker, target, ignored, ignoring))


def attack_actions(position: PositionLike, attacker: Species) -> Iterator[Attack]:
    """Yield every legal attack of a species, with every useful choice of traits to ignore."""
    if attack_value(position, attacker) is None or not free_space_count(position, attacker):
        return
    for row in position.rows:
        for target in row:
            yield from attack_actions_on(position, attacker, target)


def attack_actions_on(position: PositionLike, attacker: Species, target: Species) -> Iterator[Attack]:
    """Yield the legal attacks on one target; of choices to ignore with the same result, only the first."""
    plain = attack_result(position, attacker, target)
    if plain.is_legal:
        yield Attack(attacker.key, target.key)
    choice_count = _find_ignored_traits(position, attacker, target).choice_count
    if not choice_count:
        return
    seen = {(plain.taken, ignored_stings(position, attacker, target))} if plain.is_legal else set()
    candidates = [card for card in target.traits if is_defensive(card)]
    # Poisonous Inking protects its neighbours.
    candidates += [
        card for card, _ in defences(position, target) if card is not None and card not in target.traits
    ]
    for size in range(1, min(choice_count, len(candidates)) + 1):
        for ignoring in combinations(candidates, size):
            result = attack_result(position, attacker, target, ignoring)
            outcome = result.taken, ignored_stings(position, attacker, target, ignoring)
            if result.is_legal and outcome not in seen:
                seen.add(outcome)
                yield Attack(attacker.key, target.key, ignoring)


# Which species may feed (again) ---------------------------------------------------------------------


class AllowedFeedings(NamedTuple):
    """Which feedings a species may still do in this feeding phase."""

    may_forage: bool
    may_attack: bool


def allowed_feedings(past_feedings: PastFeedings, species: Species) -> AllowedFeedings:
    """Return whether a species may still forage and whether it may still attack."""
    if species.key in past_feedings.barred_feeders:
        return AllowedFeedings(may_forage=False, may_attack=False)
    if may_feed_voraciously(past_feedings, species):
        return AllowedFeedings(may_forage=True, may_attack=True)
    if past_feedings.feeder is None:
        return AllowedFeedings(may_forage=True, may_attack=True)
    if past_feedings.feeder != species.key:
        return AllowedFeedings(may_forage=False, may_attack=False)
    extra = trait_profile(species.traits).extra_feedings
    limit = 1 + extra.feedings

    def is_within_limit(forages_done: int, attacks_done: int) -> bool:
        return max(0, forages_done - extra.forages) + max(0, attacks_done - extra.attacks) <= limit

    return AllowedFeedings(
        may_forage=is_within_limit(past_feedings.forage_count + 1, past_feedings.attack_count),
        may_attack=is_within_limit(past_feedings.forage_count, past_feedings.attack_count + 1),
    )


def may_feed_voraciously(past_feedings: PastFeedings, species: Species) -> bool:
    """Whether a species may still use Voracious Feeder."""
    return (
        species.got_trait
        and has_quirk(species, Quirk.VORACIOUS_FEEDER)
        and species.key not in past_feedings.voracious_feeder_users
    )
