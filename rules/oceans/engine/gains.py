"""Gains: population out of the Ocean, all at once, and what reacts to them."""

from collections.abc import Iterable

from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Gains, Quirk, When, Where
from rules.oceans.causes import Cause, TraitCause
from rules.oceans.engine.draft import Draft
from rules.oceans.engine.ring import beside, clockwise, owner_of
from rules.oceans.engine.values import amount, enlarged, gain, quirky
from rules.oceans.model import Species
from rules.oceans.places import SpeciesBoard

Due = tuple[str, Cause, int]
"""A species' key, the cause, how much it gains."""


def gain_all(draft: Draft, due: Iterable[Due]) -> dict[str, int]:
    """Pay gains in the order given (clockwise); returns what each species gained, nothing left out.

    Then Impostor Cleaners take from the cleaners that gained, and Sedentary Colony takes from the
    lowest-numbered zone for each neighbour that gained.
    """
    due = tuple(due)
    gained: dict[str, int] = {}
    for key, cause, count in due:
        if count > 0 and (taken := draft.from_ocean(key, count, cause)):
            gained[key] = gained.get(key, 0) + taken
    _impostors(draft, due, gained)
    for species in list(clockwise(draft, draft.current_player)):
        if not quirky(species, Quirk.SEDENTARY):
            continue
        cause = TraitCause(card_with(species, Quirk.SEDENTARY))
        for key in beside(draft, species.key):
            if key in gained:
                draft.from_ocean(species.key, 1, cause)
    return gained


def _impostors(draft: Draft, due: Iterable[Due], gained: dict[str, int]) -> None:
    """Impostor Cleaners take 1 from each species whose cleaner of that family gained."""
    families: dict[str, list[str]] = {}
    for key, cause, _ in due:
        if key in gained and isinstance(cause, TraitCause):
            families.setdefault(TRAIT[cause.card].family, []).append(key)
    for species in list(clockwise(draft, draft.current_player)):
        for card in species.traits:
            if Quirk.IMPOSTOR in TRAIT[card].quirks:
                for key in dict.fromkeys(families.get(TRAIT[card].preys_on, ())):
                    if key != species.key:
                        draft.move(SpeciesBoard(key), SpeciesBoard(species.key), 1, TraitCause(card))


def card_with(species: Species, quirk: Quirk) -> Card:
    """The first of its traits with this quirk; raises StopIteration if there is none."""
    return next(card for card in species.traits if quirk in TRAIT[card].quirks)


def moment(draft: Draft, when: When, subject: str = "") -> list[Due]:
    """What is gained at a moment outside feeding: a creation, a Deep trait, a migration to the Reef, aging.

    Of ``BEFORE_AGING`` only the active player's species gain.
    """
    due: list[Due] = []
    for species in clockwise(draft, draft.current_player):
        for card in species.traits:
            for ability in TRAIT[card].abilities:
                if not isinstance(ability, Gains) or ability.when is not when:
                    continue
                own = owner_of(species.key) == draft.current_player
                if (
                    ability.where is Where.ANY
                    or species.key == subject
                    or (when is When.BEFORE_AGING and own)
                ):
                    due.append((species.key, TraitCause(card), gain(draft, species, card)))
    return due


def scenario_gain(draft: Draft, effect: Effect, keys: Iterable[str], cause: Cause) -> list[Due]:
    """What a Scenario card lets species gain."""
    found = (draft.find(key) for key in keys)
    value = amount(draft, effect)
    return [(each.key, cause, enlarged(each, value)) for each in found if each is not None]
