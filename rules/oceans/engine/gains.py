"""Gains: population that species get from the Ocean, all at once, and the traits that react to gains."""

from collections.abc import Iterable

from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Gain, Quirk, Scope, Trigger
from rules.oceans.causes import Cause, TraitCause
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import neighbour_keys, owner_of, species_clockwise
from rules.oceans.engine.species_traits import abilities_of
from rules.oceans.engine.values import (
    card_with_quirk,
    effect_amount,
    enlarged_gain,
    gain_value,
    has_quirk,
    is_deep,
    is_defensive,
    is_effect_active,
    scenario_cause,
)
from rules.oceans.model import Position
from rules.oceans.places import SpeciesBoard

DueGain = tuple[str, Cause, int]
"""A gain: the species' key, the cause, the amount."""


def apply_gains(position: MutablePosition, gains: Iterable[DueGain]) -> dict[str, int]:
    """Apply gains in the order given (clockwise); return what each species gained.

    Then Impostor Cleaners take from the cleaners that gained, and Sedentary Colony takes from the
    lowest-numbered zone for each neighbour that gained.
    """
    gains = tuple(gains)
    gained: dict[str, int] = {}
    for key, cause, count in gains:
        if count > 0 and (taken := position.take_from_ocean(key, count, cause)):
            gained[key] = gained.get(key, 0) + taken
    _apply_impostor_cleaners(position, gains, gained)
    for species in list(species_clockwise(position, position.current_player)):
        if not has_quirk(species, Quirk.SEDENTARY_COLONY):
            continue
        cause = TraitCause(card_with_quirk(species, Quirk.SEDENTARY_COLONY))
        for key in neighbour_keys(position, species.key):
            if key in gained:
                position.take_from_ocean(species.key, 1, cause)
    return gained


def _apply_impostor_cleaners(
    position: MutablePosition, gains: Iterable[DueGain], gained: dict[str, int]
) -> None:
    """Let each Impostor Cleaner take 1 from every other species that gained by its ``takes_from_family``."""
    gainers_by_family: dict[str, list[str]] = {}
    for key, cause, _ in gains:
        if key in gained and isinstance(cause, TraitCause):
            gainers_by_family.setdefault(TRAIT_BY_CARD[cause.card].family, []).append(key)
    for species in list(species_clockwise(position, position.current_player)):
        for card in species.traits:
            trait = TRAIT_BY_CARD[card]
            if Quirk.IMPOSTOR_CLEANER not in trait.quirks:
                continue
            gainers = gainers_by_family.get(trait.takes_from_family, ())
            for key in dict.fromkeys(each for each in gainers if each != species.key):
                position.move_population(SpeciesBoard(key), SpeciesBoard(species.key), 1, TraitCause(card))


def gains_outside_feeding(
    position: Position | MutablePosition, trigger: Trigger, subject: str = ""
) -> list[DueGain]:
    """Return the gains by a trigger outside feeding: creation, a Deep trait, migration to the Reef, Aging.

    ``subject``: the key of the trigger's subject.  At ``BEFORE_AGING`` only the active player's species gain.
    """
    gains: list[DueGain] = []
    for species in species_clockwise(position, position.current_player):
        is_own = owner_of(species.key) == position.current_player
        is_subject = species.key == subject or (trigger is Trigger.BEFORE_AGING and is_own)
        gains += [
            (species.key, TraitCause(card), gain_value(position, species, card))
            for card, ability in abilities_of(species)
            if isinstance(ability, Gain)
            and ability.trigger is trigger
            and (ability.scope is Scope.ANY or is_subject)
        ]
    return gains


def scenario_gains(position: MutablePosition, effect: Effect, keys: Iterable[str]) -> list[DueGain]:
    """Return the gains that an active Scenario card with an effect gives to species."""
    cause = scenario_cause(position, effect)
    value = effect_amount(position, effect)
    gainers = (position.find_species(key) for key in keys)
    return [(each.key, cause, enlarged_gain(each, value)) for each in gainers if each is not None]


def apply_gains_for_new_trait(position: MutablePosition, key: str, card: Card) -> None:
    """Apply the gains for a trait that was put on a species by a play, a swap or an exchange."""
    if is_deep(card):
        apply_gains(position, gains_outside_feeding(position, Trigger.DEEP_EVOLVED, key))
    _apply_protective_growth(position, key, card)


def _apply_protective_growth(position: MutablePosition, key: str, card: Card) -> None:
    """Apply the gain of a species that gets a defensive trait (Protective Growth)."""
    if is_defensive(card) and is_effect_active(position, Effect.PROTECTIVE_GROWTH):
        apply_gains(position, scenario_gains(position, Effect.PROTECTIVE_GROWTH, (key,)))
