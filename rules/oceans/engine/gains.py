"""Gains: population from the Ocean, all at once, and the traits that react to them."""

from collections.abc import Iterable

from rules.oceans.cards.decks import TRAIT
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Gain, Quirk, Scope, Trigger
from rules.oceans.causes import Cause, TraitCause
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import clockwise, neighbour_keys, owner_of
from rules.oceans.engine.species_traits import card_with_quirk
from rules.oceans.engine.values import effect_amount, enlarge_gain, gain_value, has_quirk
from rules.oceans.places import SpeciesBoard

DueGain = tuple[str, Cause, int]
"""A gain: the species' key, the cause, the amount."""


def gain_all(draft: MutablePosition, due: Iterable[DueGain]) -> dict[str, int]:
    """Pay gains in the order given (clockwise); return what each species gained.

    Then Impostor Cleaners take from the cleaners that gained, and Sedentary Colony takes from the
    lowest-numbered zone for each neighbour that gained.
    """
    due = tuple(due)
    gained: dict[str, int] = {}
    for key, cause, count in due:
        if count > 0 and (taken := draft.take_from_ocean(key, count, cause)):
            gained[key] = gained.get(key, 0) + taken
    _feed_impostors(draft, due, gained)
    for species in list(clockwise(draft, draft.current_player)):
        if not has_quirk(species, Quirk.SEDENTARY_COLONY):
            continue
        cause = TraitCause(card_with_quirk(species, Quirk.SEDENTARY_COLONY))
        for key in neighbour_keys(draft, species.key):
            if key in gained:
                draft.take_from_ocean(species.key, 1, cause)
    return gained


def _feed_impostors(draft: MutablePosition, due: Iterable[DueGain], gained: dict[str, int]) -> None:
    """Let Impostor Cleaners take 1 from each species whose cleaner of that family gained."""
    families: dict[str, list[str]] = {}
    for key, cause, _ in due:
        if key in gained and isinstance(cause, TraitCause):
            families.setdefault(TRAIT[cause.card].family, []).append(key)
    for species in list(clockwise(draft, draft.current_player)):
        for card in species.traits:
            if Quirk.IMPOSTOR_CLEANER in TRAIT[card].quirks:
                for key in dict.fromkeys(families.get(TRAIT[card].preys_on, ())):
                    if key != species.key:
                        draft.move_population(
                            SpeciesBoard(key), SpeciesBoard(species.key), 1, TraitCause(card)
                        )


def triggered_gains(draft: MutablePosition, trigger: Trigger, subject: str = "") -> list[DueGain]:
    """Return the gains at a moment outside feeding: creation, Deep trait, migration to the Reef, aging.

    Of ``BEFORE_AGING`` only the active player's species gain.
    """
    due: list[DueGain] = []
    for species in clockwise(draft, draft.current_player):
        for card in species.traits:
            for ability in TRAIT[card].abilities:
                if not isinstance(ability, Gain) or ability.trigger is not trigger:
                    continue
                own = owner_of(species.key) == draft.current_player
                if (
                    ability.scope is Scope.ANY
                    or species.key == subject
                    or (trigger is Trigger.BEFORE_AGING and own)
                ):
                    due.append((species.key, TraitCause(card), gain_value(draft, species, card)))
    return due


def scenario_gain(draft: MutablePosition, effect: Effect, keys: Iterable[str], cause: Cause) -> list[DueGain]:
    """Return the gains that a Scenario card gives to species."""
    found = (draft.find_species(key) for key in keys)
    value = effect_amount(draft, effect)
    return [(each.key, cause, enlarge_gain(each, value)) for each in found if each is not None]
