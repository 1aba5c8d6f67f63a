"""The labels of the values of an action's fields."""

from typing import Final

from rules.model import Action
from rules.oceans.actions import Attack, Forage
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.engine.ring import find_species
from rules.oceans.model import OceansView, Position
from rules.oceans.places import ZONE_INDEX, Place, ScorePile, Zone, parse_place, place_code
from rules.oceans.steps import Choosing
from rules.oceans.words.choosing import aging_amount_text
from rules.oceans.words.lookahead import view_at_feeding
from rules.oceans.words.phrases import (
    MAX_LABEL_LENGTH,
    ZONE_WORDS,
    card_effect_text,
    card_text,
    card_with_cost_text,
    cards_text,
    new_species_place_text,
    species_text,
    used_spaces_text,
)
from rules.text import capitalized, first_fitting, shortened

_NONE_LABELS: Final = {"pay": "No cost", "max_count": "All it can take", "ignoring": "Ignoring nothing"}
"""The label of None, by the field's name."""


def value_label(view: OceansView, action_type: type[Action], field: str, value: object) -> str:
    """Name the value of one field as a choice: at most 80 characters."""
    if issubclass(action_type, Forage | Attack):
        view = view_at_feeding(view) or view
    position = view.position
    match value:
        case None:
            return _NONE_LABELS.get(field, "None")
        case Zone():
            return _zone_label(position, field, value)
        case tuple():
            ignoring_text = "Ignoring " if field == "ignoring" else ""
            return shortened(f"{ignoring_text}{cards_text(value)}", MAX_LABEL_LENGTH)
        case bool():
            return "They age" if value else "They do not age"
        case int():
            return _number_label(position, field, value)
        case str() if field == "option":
            return _option_label(position, value)
        case str() if field == "source":
            return _place_label(position, parse_place(value))
        case str() if field in {"species", "target", "other"}:
            return _species_label(position, value)
        case str():
            return _card_label(value)
        case _:
            return str(value)


def _zone_label(position: Position, field: str, zone: Zone) -> str:
    direction = {"source": "From ", "pay": "Pay to "}.get(field, "To ")
    return f"{direction}{ZONE_WORDS[zone]} ({position.zone_populations[ZONE_INDEX[zone]]} there)"


def _number_label(position: Position, field: str, value: int) -> str:
    if field == "place":
        return capitalized(new_species_place_text(position, position.current_player, value))
    if field == "pile":
        pile = position.gene_pool[value - 1] if 0 < value <= len(position.gene_pool) else ()
        return f"Pile {value}: {card_with_cost_text(pile[-1]) if pile else 'empty'}"
    return f"Only {value}" if field == "max_count" else str(value)


def _option_label(position: Position, code: str) -> str:
    """Label an answer to a ``Choosing`` step.  Players appear by letter: their names are not passed in."""
    step = position.agenda[-1] if position.agenda else None
    if not isinstance(step, Choosing):
        return code
    match step.find_option(code):
        case int() as amount:
            return f"Age {aging_amount_text(position, step, amount)}"
        case ScorePile():
            return f"The score pile of {code}"
        case place:
            return _place_label(position, place)


def _place_label(position: Position, place: Place) -> str:
    if isinstance(place, Zone):
        return f"{capitalized(ZONE_WORDS[place])} ({position.zone_populations[ZONE_INDEX[place]]} there)"
    return _species_label(position, place_code(place))


def _species_label(position: Position, key: str) -> str:
    species = find_species(position, key)
    if species is None:
        return key
    spaces_text = used_spaces_text(position, species)
    return first_fitting(
        MAX_LABEL_LENGTH,
        f"{species_text(species)}: {spaces_text}",
        f"{key} ({len(species.traits)} traits): {spaces_text}",
    )


def _card_label(code: str) -> str:
    card = Card(code)
    if card not in TRAIT_BY_CARD:
        return card_text(card)
    return shortened(f"{card_with_cost_text(card)}: {card_effect_text(card)}", MAX_LABEL_LENGTH)
