"""All cards by code: the trait and the number of each card, the decks, the Scenario cards.

A Surface card is a trait's two letters and its migrate number ("SP11"); cards of the same trait and number
are alike.  A Deep card is its trait's three letters; there is one of each.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NewType

from rules.model import HIDDEN
from rules.oceans.cards.deep import DEEP_TRAITS
from rules.oceans.cards.scenarios import SCENARIO_CARDS, Scenario
from rules.oceans.cards.surface import SURFACE_TRAITS
from rules.oceans.cards.traits import Trait

Card = NewType("Card", str)
"""The code of a trait card; ``FACE_DOWN`` ("?") stands for a card that lies face down."""

FACE_DOWN: Final = Card(HIDDEN)
MIGRATE_NUMBERS: Final = (5, 6, 7, 7, 8, 8, 9, 9, 10, 11)
"""The numbers of the ten cards of each Surface trait."""

SURFACE_DECK: Final = tuple(
    Card(f"{trait.code}{number}") for trait in SURFACE_TRAITS for number in MIGRATE_NUMBERS
)
"""Every Surface card, in deck order."""
DEEP_DECK: Final = tuple(Card(trait.code) for trait in DEEP_TRAITS)
"""Every Deep card, in deck order."""
EASY_DEEP_DECK: Final = tuple(Card(trait.code) for trait in DEEP_TRAITS if trait.is_easy)

TRAIT_BY_CARD: Final[Mapping[Card, Trait]] = {
    **{Card(f"{trait.code}{number}"): trait for trait in SURFACE_TRAITS for number in MIGRATE_NUMBERS},
    **{Card(trait.code): trait for trait in DEEP_TRAITS},
}
"""Which trait a card is."""
NUMBER_BY_CARD: Final[Mapping[Card, int]] = {
    **{Card(f"{trait.code}{number}"): number for trait in SURFACE_TRAITS for number in MIGRATE_NUMBERS},
    **{Card(trait.code): trait.number for trait in DEEP_TRAITS},
}
"""How much a card migrates; for a Deep card also its cost."""
DECK_INDEX: Final[Mapping[Card, int]] = {card: i for i, card in enumerate(TRAIT_BY_CARD)}
"""The index of a card in deck order.  Hands and decks are sorted by it, so that they reveal no order."""
DEEP_CARDS: Final = frozenset(DEEP_DECK)
"""The cards of ``DEEP_DECK`` as a set, for looking up whether a card is one of them."""

SCENARIO_BY_CODE: Final[Mapping[str, Scenario]] = {scenario.code: scenario for scenario in SCENARIO_CARDS}

_MAX_TRAIT_TEXT_LENGTH: Final = 66
"""The longest ``short_text`` that fits on the card in a picture."""
_MAX_SCENARIO_TEXT_LENGTH: Final = 44
"""The same for a Scenario card on the board."""


def sort_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in deck order, unknown ones last."""
    return tuple(sorted(cards, key=lambda card: DECK_INDEX.get(card, len(DECK_INDEX))))


def _check_tables() -> None:
    """Raise ValueError for a mistake in the tables: codes, or texts that do not fit."""
    traits = (*SURFACE_TRAITS, *DEEP_TRAITS)
    codes = [trait.code for trait in traits]
    if len(set(codes)) != len(codes):
        raise ValueError("two traits share a code")
    if len(SCENARIO_BY_CODE) != len(SCENARIO_CARDS):
        raise ValueError("two Scenario cards share a code")
    for trait in traits:
        if len(trait.code) != (3 if trait.is_deep else 2):
            raise ValueError(f"{trait.name}: code")
        if not trait.code.isalpha() or not trait.code.isupper() or not trait.full_text.endswith("."):
            raise ValueError(f"{trait.name}: code or full text")
        if len(trait.short_text) > _MAX_TRAIT_TEXT_LENGTH or trait.short_text.endswith("."):
            raise ValueError(f"{trait.name}: short text")
    for scenario in SCENARIO_CARDS:
        if not 3 <= len(scenario.code) <= 4 or not 0 < len(scenario.short_text) <= _MAX_SCENARIO_TEXT_LENGTH:
            raise ValueError(f"{scenario.name}: code or short text")


_check_tables()
