"""How Oceans names its things: cards, zones, species, places, values."""

from collections.abc import Iterable
from typing import Final

from rules.model import Names, Seat
from rules.oceans.cards.decks import FACE_DOWN, NUMBER_BY_CARD, SCENARIO_BY_CODE, TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import Trait
from rules.oceans.causes import Cause, ScenarioCause, TraitCause
from rules.oceans.engine.ring import PositionLike, neighbour_keys_of_place
from rules.oceans.engine.values import (
    aging_value,
    attack_value,
    defence_value,
    forage_value,
    slot_limit,
    space_count,
)
from rules.oceans.model import Species
from rules.oceans.places import Place, Reserve, ScorePile, SpeciesBoard, Supply, Zone, place_code
from rules.text import capitalized, listed, signed

MAX_LABEL_LENGTH: Final = 80
"""The longest label of a choice."""
ZONE_NAMES: Final = {Zone.REEF: "Reef", Zone.ONE: "zone 1", Zone.TWO: "zone 2", Zone.THREE: "zone 3"}
ZONE_WORDS: Final = {**ZONE_NAMES, Zone.REEF: "the Reef"}
"""The zones in a sentence."""


# Cards ----------------------------------------------------------------------------------------------


def _trait_text(card: Card) -> str:
    """Return the name of a card's trait: "Speed", "Deep Speed"."""
    trait = TRAIT_BY_CARD.get(card)
    if trait is not None:
        return trait.name
    return "a hidden card" if card == FACE_DOWN else "an unknown card"


def card_text(card: Card) -> str:
    """Return a card by name, a Surface card with its number: "Speed 7", "Hydra"."""
    trait = TRAIT_BY_CARD.get(card)
    return _trait_text(card) if trait is None or trait.is_deep else f"{trait.name} {NUMBER_BY_CARD[card]}"


def cards_text(cards: Iterable[Card]) -> str:
    """Return several cards in a sentence; equal ones are counted."""
    return listed(names_with_counts(card_text(card) for card in cards))


def names_with_counts(names: Iterable[str]) -> list[str]:
    """Return each name once, with "x2" after a name that comes twice."""
    names = list(names)
    return [
        name if names.count(name) == 1 else f"{name} x{names.count(name)}" for name in dict.fromkeys(names)
    ]


def cause_text(cause: Cause) -> str:
    """Return the name of the card that brought something about; empty for a rule."""
    match cause:
        case ScenarioCause(code=code):
            return scenario_text(code)
        case TraitCause(card=card):
            return TRAIT_BY_CARD[card].name
        case _:
            return ""


def scenario_text(code: str) -> str:
    """Return a Scenario card's name."""
    return SCENARIO_BY_CODE[code].name


def printed_values_text(trait: Trait) -> str:
    """Return the values on a card: "Forage 2, Attack 2, Defence 2, +1 slot"; empty if it has none."""
    parts = []
    if trait.never_forages:
        parts.append("never forages")
    elif trait.forage:
        parts.append(f"Forage {trait.forage}")
    if trait.never_attacks:
        parts.append("never attacks")
    elif trait.attack:
        parts.append(f"Attack {trait.attack}")
    if trait.defence:
        parts.append(f"Defence {trait.defence}")
    if trait.gain:
        parts.append(f"Gain {trait.gain}")
    if trait.extra_slots:
        parts.append(f"{signed(trait.extra_slots)} slot{'s' if trait.extra_slots > 1 else ''}")
    if trait.extra_spaces:
        parts.append(f"{signed(trait.extra_spaces)} spaces")
    if trait.extra_aging:
        parts.append(f"ages {signed(trait.extra_aging)}")
    return ", ".join(parts)


def card_effect_text(card: Card) -> str:
    """Return a card's values and effect in one line."""
    trait = TRAIT_BY_CARD[card]
    return ". ".join(part for part in (capitalized(printed_values_text(trait)), trait.short_text) if part)


def card_with_cost_text(card: Card) -> str:
    """Return a card by name, with its number, which is a Deep card's cost: "Speed 7", "Hydra, cost 4"."""
    trait = TRAIT_BY_CARD.get(card)
    return f"{trait.name}, cost {trait.number}" if trait is not None and trait.is_deep else card_text(card)


# Places ---------------------------------------------------------------------------------------------


def place_text(place: Place, names: Names) -> str:
    """Return the name of a place: "zone 1", "A2", "Ava's score pile", "the reserve"."""
    match place:
        case Zone():
            return ZONE_WORDS[place]
        case SpeciesBoard(species=key):
            return key
        case ScorePile(seat=seat):
            return f"{names[seat]}'s score pile"
        case Reserve():
            return "the reserve"
        case Supply():
            return "the supply"


def foraging_place_text(source: Place) -> str:
    """Return where a species forages: "in the Reef", "on B1"."""
    return f"in {ZONE_WORDS[source]}" if isinstance(source, Zone) else f"on {place_code(source)}"


def new_species_place_text(position: PositionLike, seat: Seat, index: int) -> str:
    """Return where in a seat's row a new species would stand: "between B2 and A1".

    "left of A1" where the two neighbours would not tell the place.
    """
    row = position.rows[seat]
    if not row:
        return "as your first"
    index = min(max(index, 0), len(row))
    neighbours = neighbour_keys_of_place(position, seat, index)
    if neighbours is not None:
        return f"between {neighbours[0]} and {neighbours[1]}"
    if index == 0:
        return f"left of {row[0].key}"
    return f"right of {row[index - 1].key}"


# Species --------------------------------------------------------------------------------------------


def traits_text(species: Species) -> str:
    """Return the names of a species' traits: "Inking, Speed x2"."""
    return ", ".join(names_with_counts(_trait_text(card) for card in species.traits)) or "no traits"


def species_text(species: Species) -> str:
    """Return a species with its traits: "A2 (Inking, Parasitic)"."""
    return f"{species.key} ({traits_text(species)})"


def used_spaces_text(position: PositionLike, species: Species) -> str:
    """Return how full a species' board is: "4 of 10"."""
    return f"{species.population} of {space_count(position, species)}"


def value_text(value: int | None) -> str:
    """Return a Forage or Attack value: "3", or "never" for None."""
    return "never" if value is None else str(value)


def used_slots_text(position: PositionLike, species: Species) -> str:
    """Return how many of a species' trait slots are used: "2 of 3"; "2" if nothing limits them."""
    limit = slot_limit(position, species)
    return f"{len(species.traits)}" if limit is None else f"{len(species.traits)} of {limit}"


def species_value_texts(position: PositionLike, species: Species) -> dict[str, str]:
    """Return a species' present values as text, by the value's name."""
    return {
        "Forage": value_text(forage_value(position, species)),
        "Attack": value_text(attack_value(position, species)),
        "Defence": str(defence_value(position, species)),
        "traits": used_slots_text(position, species),
        "spaces": str(space_count(position, species)),
        "ages": str(aging_value(position, species)),
    }


def species_values_text(position: PositionLike, species: Species) -> str:
    """Return a species' values in one line: "Forage 1, Attack 3, Defence 2, ages 1"."""
    values = species_value_texts(position, species)
    return ", ".join(f"{name} {values[name]}" for name in ("Forage", "Attack", "Defence", "ages"))
