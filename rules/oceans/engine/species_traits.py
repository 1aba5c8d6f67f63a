"""The traits on a species: which may leave it, and the same species with one more or one less."""

from msgspec.structs import replace

from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.traits import Flag, Quirk
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.events import TraitRemoved
from rules.oceans.model import Species


def removable_traits(species: Species) -> list[Card]:
    """Return the traits that may be removed, oldest first."""
    return [card for card in species.traits if Flag.FIXED not in TRAIT[card].flags]


def card_with_quirk(species: Species, quirk: Quirk) -> Card:
    """Return the first of a species' traits with a quirk.  Raises StopIteration if there is none."""
    return next(card for card in species.traits if quirk in TRAIT[card].quirks)


def with_trait(species: Species, card: Card) -> Species:
    """Return the species with one more trait; sets ``got_trait`` unless it is Voracious Feeder itself."""
    voracious = Quirk.VORACIOUS_FEEDER in TRAIT[card].quirks
    return replace(species, traits=(*species.traits, card), got_trait=species.got_trait or not voracious)


def without_trait(species: Species, card: Card) -> Species:
    """Return the species without one of its traits, the newest with this code."""
    return replace(species, traits=without_card(species.traits, card))


def without_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return the cards without the newest one of a code."""
    index = len(cards) - 1 - cards[::-1].index(card)
    return cards[:index] + cards[index + 1 :]


def remove_trait(draft: MutablePosition, key: str, card: Card) -> None:
    """Remove a trait and discard it."""
    species = draft.find_species(key)
    if species is None:
        raise KeyError(key)
    draft.replace_species(without_trait(species, card))
    draft.discard_cards((card,))
    draft.add_event(TraitRemoved(key, card))
