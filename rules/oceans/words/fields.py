"""The values of an action's fields as choices."""

from typing import Final

from rules.game import SEAT_LETTERS, Action
from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.engine.ring import find
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import Choosing, Reason
from rules.oceans.words.phrases import (
    LABEL,
    ZONE_WORD,
    about_text,
    card_text,
    cards_text,
    filled_text,
    fitting,
    is_species,
    price_text,
    species_text,
    where_text,
)
from rules.oceans.zones import INDEX, Zone
from rules.text import cut, sentence

_ABSENT: Final = {"pay": "No cost", "most": "All it can take", "ignoring": "Ignoring nothing"}


def part(view: OceansView, kind: type[Action], field: str, value: object) -> str:
    """Name the value of one field as a choice: at most 80 characters."""
    position = view.position
    match value:
        case None:
            return _ABSENT.get(field, "None")
        case Zone():
            return _zone_part(position, kind, field, value)
        case tuple():
            return cut(f"Ignoring {cards_text(value)}", LABEL)
        case bool():
            return "They age" if value else "They do not age"
        case int():
            return _number_part(position, field, value)
        case str() if field == "option":
            return _option_part(position, value)
        case str() if field == "source":
            return _source_part(position, value)
        case str() if field in {"species", "target", "other"}:
            return _species_part(position, value)
        case str():
            return _card_part(value)
        case _:
            return str(value)


def _zone_part(position: Position, kind: type[Action], field: str, zone: Zone) -> str:
    way = {"source": "From ", "target": "To ", "pay": "Pay to "}.get(field, "To ")
    return f"{way}{ZONE_WORD[zone]} ({position.water[INDEX[zone]]} there)"


def _number_part(position: Position, field: str, value: int) -> str:
    if field == "place":
        return sentence(where_text(position.rows[position.current_player], value))
    if field == "pile":
        pile = position.gene_pool[value - 1] if 0 < value <= len(position.gene_pool) else ()
        return f"Pile {value}: {price_text(pile[-1]) if pile else 'empty'}"
    return f"Only {value}" if field == "most" else str(value)


def _option_part(position: Position, option: str) -> str:
    """An answer, without names: those are not given here."""
    step = position.agenda[-1] if position.agenda else None
    if is_species(option):
        return _species_part(position, option)
    if option in {zone.value for zone in Zone}:
        return f"{sentence(ZONE_WORD[Zone(option)])} ({position.water[INDEX[Zone(option)]]} there)"
    if isinstance(step, Choosing) and step.reason is Reason.AGE:
        return f"Age {option}"
    return f"The score pile of {option}" if option in SEAT_LETTERS else option


def _source_part(position: Position, source: str) -> str:
    if is_species(source):
        return _species_part(position, source)
    zone = Zone(source)
    return f"{sentence(ZONE_WORD[zone])} ({position.water[INDEX[zone]]} there)"


def _species_part(position: Position, key: str) -> str:
    species = find(position, key)
    if species is None:
        return key
    filled = filled_text(position, species)
    return fitting(
        LABEL,
        f"{species_text(species)}: {filled}",
        f"{key} ({len(species.traits)} traits): {filled}",
    )


def _card_part(code: str) -> str:
    card = Card(code)
    if card not in TRAIT:
        return card_text(card)
    return cut(f"{price_text(card)}: {about_text(card)}", LABEL)
