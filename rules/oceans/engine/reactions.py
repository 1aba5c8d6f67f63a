"""Reactions to a feeding: losses and takes, then all gains, then the traits that react to gains (O10)."""

from collections import Counter
from typing import Final

import msgspec
from msgspec.structs import replace

from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Gain, GainPerFamily, Quirk, Scope, Sting, Take, Trigger
from rules.oceans.causes import TraitCause
from rules.oceans.engine.feeding import resolve_attack
from rules.oceans.engine.gains import DueGain, apply_gains
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.legal_feedings import attack_actions_on, attack_result, ignored_stings
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.pre_feeding import leech_from
from rules.oceans.engine.ring import PositionLike, neighbour_keys, neighbours, species_clockwise, species_ring
from rules.oceans.engine.species_traits import abilities_of
from rules.oceans.engine.values import (
    attack_value,
    card_with_quirk,
    effect_amount,
    gain_value,
    has_quirk,
    is_effect_active,
    scenario_cause,
)
from rules.oceans.model import Species
from rules.oceans.places import SpeciesBoard, Zone
from rules.oceans.steps import Reacting

_POISONOUS_SPINES_LOSS: Final = 3
_ROWS_OF_TEETH_FAMILIES: Final = ("Bottom Feeder", "Shark Cleaner")
"""The families to whose gains Rows of Teeth adds 1."""
_FORAGE_TRIGGERS: Final = (Trigger.FORAGES, Trigger.FEEDS)
_ATTACK_TRIGGERS: Final = (Trigger.ATTACKS, Trigger.FEEDS)


class _FeedingResult(msgspec.Struct, frozen=True):
    """A forage or an attack to which traits react.  Species are named by their keys."""

    feeder: str
    strength: int
    """The feeder's Forage or Attack."""
    target: str
    """The attacked species; empty for a forage."""
    loss: int
    """How much the target lost."""
    target_emptied: bool
    """Whether the attack took all of the target's population."""
    ignored_traits: tuple[Card, ...] = ()
    """The target's traits that do not sting, since the attack ignores them (O28)."""
    is_counterattack: bool = False
    """Whether it is Burrower's counterattack, which causes no other one."""


def _run_reactions(position: MutablePosition, step: Reacting) -> None:
    """Run the losses and takes, then all gains at once, then the traits that react to gains."""
    result = _FeedingResult(
        step.feeder, step.strength, step.target, step.loss, step.target_emptied, step.ignored_traits
    )
    gains = _collect_gains(position, result)
    spines = _find_spines(position, result, gains)
    counterattack = _apply_losses_and_takes(position, result)
    if counterattack is not None:
        counterattack_gains = _collect_gains(position, counterattack)
        spines += _find_spines(position, counterattack, counterattack_gains)
        gains += counterattack_gains
        _apply_losses_and_takes(position, counterattack)
    gained = apply_gains(position, gains)
    for card, attacker, gainers in spines:
        for key in dict.fromkeys((attacker, *(each for each in gainers if each in gained))):
            if position.find_species(key) is not None:
                position.move_population(
                    SpeciesBoard(key), Zone.REEF, _POISONOUS_SPINES_LOSS, TraitCause(card)
                )


_DueSpines = tuple[Card, str, tuple[str, ...]]
"""The card Poisonous Spines, and the keys of the attacker and of the species that gain by the attack."""


def _find_spines(position: MutablePosition, result: _FeedingResult, gains: list[DueGain]) -> list[_DueSpines]:
    """Return what Poisonous Spines of the target will do, if it has them."""
    target = position.find_species(result.target)
    if target is None or not has_quirk(target, Quirk.POISONOUS_SPINES):
        return []
    gainers = tuple(key for key, _, _ in gains)
    return [(card_with_quirk(target, Quirk.POISONOUS_SPINES), result.feeder, gainers)]


def _collect_gains(position: MutablePosition, result: _FeedingResult) -> list[DueGain]:
    """Return every gain that a feeding causes, clockwise."""
    all_species = list(species_clockwise(position, position.current_player))
    nearest_gainers = _find_nearest_gainers(position, result)
    triggered = [
        (species, card, TRAIT_BY_CARD[card].family)
        for species in all_species
        for card, ability in abilities_of(species)
        if isinstance(ability, Gain)
        and _is_triggered(position, ability, species, TRAIT_BY_CARD[card].family, result, nearest_gainers)
    ]
    feeder = position.find_species(result.feeder)
    has_rows_of_teeth = bool(result.target) and feeder is not None and has_quirk(feeder, Quirk.ROWS_OF_TEETH)
    gains: list[DueGain] = []
    for species, card, family in triggered:
        extra = 1 if has_rows_of_teeth and family in _ROWS_OF_TEETH_FAMILIES else 0
        gains.append((species.key, TraitCause(card), gain_value(position, species, card, extra)))
    gain_counts = Counter(family for _, _, family in triggered)
    for species in all_species:
        for card, ability in abilities_of(species):
            if isinstance(ability, GainPerFamily) and (count := gain_counts[ability.family]):
                gains.append((species.key, TraitCause(card), count * gain_value(position, species, card)))
    order = {species.key: index for index, species in enumerate(all_species)}
    gains.sort(key=lambda each: order[each[0]])
    return gains


def _is_triggered(
    position: MutablePosition,
    gain: Gain,
    species: Species,
    family: str,
    result: _FeedingResult,
    nearest_gainers: dict[str, set[str]],
) -> bool:
    if gain.trigger is Trigger.ATTACKED:
        subject = result.target
        if position.find_species(subject) is None:
            return False
    elif gain.trigger in (_ATTACK_TRIGGERS if result.target else _FORAGE_TRIGGERS):
        subject = result.feeder
    else:
        return False
    if result.strength < gain.min_strength or result.loss < gain.min_loss:
        return False
    if gain.must_empty_target and not result.target_emptied:
        return False
    if gain.scope is Scope.NEAREST:
        return species.key in nearest_gainers.get(family, ())
    return _is_in_scope(position, gain.scope, species.key, subject)


def _is_in_scope(position: PositionLike, scope: Scope, key: str, subject: str) -> bool:
    """Whether the subject is in the scope of a trait on the species ``key``."""
    match scope:
        case Scope.ANY:
            return True
        case Scope.SELF:
            return key == subject
        case Scope.LEFT:
            left, _ = neighbours(position, key)
            return left is not None and left.key == subject
        case Scope.NEIGHBOUR:
            return subject in neighbour_keys(position, key)
        case Scope.NEAREST:
            raise ValueError("_find_nearest_gainers answers this for Scope.NEAREST")


def _find_nearest_gainers(position: MutablePosition, result: _FeedingResult) -> dict[str, set[str]]:
    """Return, by trait family, the nearest species on each side of the feeder that gains by such a trait."""
    all_species = species_ring(position)
    index = next((i for i, species in enumerate(all_species) if species.key == result.feeder), None)
    if index is None:
        return {}
    others = all_species[index + 1 :] + all_species[:index]
    trigger = Trigger.ATTACKS if result.target else Trigger.FORAGES
    gainers: dict[str, set[str]] = {}
    for side in (others, others[::-1]):
        families_found: set[str] = set()
        for species in side:
            families = {
                TRAIT_BY_CARD[card].family
                for card, ability in abilities_of(species)
                if isinstance(ability, Gain)
                and ability.scope is Scope.NEAREST
                and ability.trigger is trigger
                and result.strength >= ability.min_strength
            }
            for family in families - families_found:
                gainers.setdefault(family, set()).add(species.key)
            families_found |= families
    return gainers


# Losses and takes ------------------------------------------------------------------------------------


def _apply_losses_and_takes(position: MutablePosition, result: _FeedingResult) -> _FeedingResult | None:
    """Apply all that comes before gains, clockwise; return the counterattack, if any.

    That is losses, takes, Massive Fins, Burrower and Rapid Mutation, and at last Shallow Reef.
    """
    counterattack: _FeedingResult | None = None
    neighbours_by_key = {
        key: neighbour_keys(position, key)
        for key in (result.target, result.feeder)
        if position.find_species(key)
    }
    for species in list(species_clockwise(position, position.current_player)):
        for card in species.traits:
            trait = TRAIT_BY_CARD[card]
            for ability in trait.abilities:
                if isinstance(ability, Sting):
                    _apply_sting(position, result, species.key, card, ability)
                elif isinstance(ability, Take):
                    _apply_take(position, result, species.key, card, ability, neighbours_by_key)
            if Quirk.MASSIVE_FINS in trait.quirks and result.feeder == species.key and not result.target:
                _leech_by_parasitics(position, species.key)
            if Quirk.BURROWER in trait.quirks:
                counterattack = _apply_counterattack(position, result, species.key, neighbours_by_key)
            if Quirk.RAPID_MUTATION in trait.quirks and result.target == species.key:
                survivor = position.find_species(species.key)
                if survivor is not None:
                    position.replace_species(replace(survivor, may_mutate=True))
    if not result.target and is_effect_active(position, Effect.SHALLOW_REEF):
        cause = scenario_cause(position, Effect.SHALLOW_REEF)
        position.move_population(
            SpeciesBoard(result.feeder), Zone.REEF, effect_amount(position, Effect.SHALLOW_REEF), cause
        )
    return counterattack


def _apply_sting(
    position: MutablePosition, result: _FeedingResult, key: str, card: Card, sting: Sting
) -> None:
    if not result.target or (key == result.target and card in result.ignored_traits):
        return
    # Burrower's counterattack may have removed the attacker (Scenario card).
    if sting.stings_attackers and key == result.target and position.find_species(result.feeder) is not None:
        position.move_population(SpeciesBoard(result.feeder), Zone.REEF, sting.amount, TraitCause(card))
    if sting.stings_targets and key == result.feeder and position.find_species(result.target) is not None:
        position.move_population(SpeciesBoard(result.target), Zone.REEF, sting.amount, TraitCause(card))


def _apply_take(
    position: MutablePosition,
    result: _FeedingResult,
    key: str,
    card: Card,
    take: Take,
    neighbours_by_key: dict[str, tuple[str, ...]],
) -> None:
    """Take from the feeder, if the trait reacts to the feeding and is not the feeder's own."""
    subject = result.feeder
    is_triggered = take.trigger in (_ATTACK_TRIGGERS if result.target else _FORAGE_TRIGGERS)
    is_in_scope = take.scope is Scope.ANY or key in neighbours_by_key.get(subject, ())
    if (
        is_triggered
        and is_in_scope
        and key != subject
        and result.strength >= take.min_strength
        and position.find_species(subject)
    ):
        position.move_population(SpeciesBoard(subject), SpeciesBoard(key), take.amount, TraitCause(card))


def _leech_by_parasitics(position: MutablePosition, target_key: str) -> None:
    """Let each Parasitic of another species leech 1 from a species with Massive Fins that has foraged."""
    for species in list(species_clockwise(position, position.current_player)):
        if species.key == target_key:
            continue
        for card in species.traits:
            if TRAIT_BY_CARD[card].family == "Parasitic":
                leech_from(position, species.key, target_key, 1, card)


def _apply_counterattack(
    position: MutablePosition, result: _FeedingResult, key: str, neighbours_by_key: dict[str, tuple[str, ...]]
) -> _FeedingResult | None:
    """Let Burrower attack the attacker of its neighbour, if that is legal (O15); return its result."""
    burrower, attacker = position.find_species(key), position.find_species(result.feeder)
    if (
        result.is_counterattack
        or not result.target
        or burrower is None
        or attacker is None
        or key == result.feeder
        or key not in neighbours_by_key.get(result.target, ())
    ):
        return None
    # Nobody is asked, so it ignores what makes it take the most, then what stings.
    choices = [each.ignoring or () for each in attack_actions_on(position, burrower, attacker)]
    if not choices:
        return None
    strength = attack_value(position, burrower) or 0

    def benefit(ignoring: tuple[Card, ...]) -> tuple[int, int]:
        taken = attack_result(position, burrower, attacker, ignoring).taken
        return taken, len(ignored_stings(position, burrower, attacker, ignoring))

    ignoring = max(choices, key=benefit)
    ignored_traits = ignored_stings(position, burrower, attacker, ignoring)
    taken = resolve_attack(position, key, attacker.key, ignoring, is_scored=False)
    attacker_after = position.find_species(attacker.key)
    target_emptied = attacker_after is not None and taken > 0 and not attacker_after.population
    return _FeedingResult(
        key, strength, attacker.key, taken, target_emptied, ignored_traits, is_counterattack=True
    )


HANDLERS: Final = Handlers(run={Reacting: _run_reactions})
