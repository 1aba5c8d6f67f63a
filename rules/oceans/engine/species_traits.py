"""The traits on a species: their abilities, adding them, removing them, which may be removed."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import Ability, Quirk, TraitFlag
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.events import TraitRemoved
from rules.oceans.model import Species


def abilities_of(species: Species) -> Iterator[tuple[Card, Ability]]:
    """Yield each ability of a species' traits, oldest first, with the card that has it."""
    for card in species.traits:
        for ability in TRAIT_BY_CARD[card].abilities:
            yield card, ability


def removable_traits(species: Species) -> list[Card]:
    """Return the traits that may be removed, oldest first."""
    return [card for card in species.traits if TraitFlag.FIXED not in TRAIT_BY_CARD[card].flags]


def with_trait(species: Species, card: Card) -> Species:
    """Return the species with one more trait and, unless this is Voracious Feeder, ``got_trait`` set."""
    is_voracious_feeder = Quirk.VORACIOUS_FEEDER in TRAIT_BY_CARD[card].quirks
    return replace(
        species, traits=(*species.traits, card), got_trait=species.got_trait or not is_voracious_feeder
    )


def without_trait(species: Species, card: Card) -> Species:
    """Return the species without the newest trait that equals ``card``.  Raises ValueError if it has none."""
    return replace(species, traits=without_card(species.traits, card))


def without_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return the cards without the last one that equals ``card``.  Raises ValueError if there is none."""
    index = len(cards) - 1 - cards[::-1].index(card)
    return cards[:index] + cards[index + 1 :]


def remove_trait(position: MutablePosition, key: str, card: Card) -> None:
    """Remove a trait and discard it.

    Raises KeyError if the species is gone, ValueError if it does not have the trait.
    """
    species = position.find_species(key)
    if species is None:
        raise KeyError(key)
    position.replace_species(without_trait(species, card))
    position.discard_cards((card,))
    position.add_event(TraitRemoved(key, card))
