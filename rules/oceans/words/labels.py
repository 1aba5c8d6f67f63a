"""Choices as people would say them: a label for a whole action, and one for each of its fields."""

from collections.abc import Sequence
from typing import Final

from rules.game import SEAT_LETTERS, Action, Names, Resign
from rules.oceans.actions import (
    Attack,
    Cast,
    Choose,
    Create,
    Discard,
    Done,
    Draw,
    DropTrait,
    Evolve,
    Exchange,
    Forage,
    Keep,
    LookDeep,
    Migrate,
    Mutate,
    SetFastAging,
    SetSurplus,
    Skip,
    Spill,
    Swap,
    TakeDeep,
)
from rules.oceans.cards.decks import NUMBER, TRAIT, Card
from rules.oceans.engine.evolving import cost
from rules.oceans.engine.hunting import bite, forage_yield
from rules.oceans.engine.ring import find
from rules.oceans.model import LOOK_SIZE, OceansView, Position, Species
from rules.oceans.steps import Choosing, Exchanging, Playing, Reason, Spilling, Swapping
from rules.oceans.words.phrases import (
    LABEL,
    ZONE_WORD,
    about_text,
    card_text,
    filled_text,
    fitting,
    is_species,
    price_text,
    species_text,
    where_text,
)
from rules.oceans.zones import INDEX, Zone
from rules.text import cut, listed, sentence

_SHORT_NAME: Final = 16
"""How much of a card's name is left where three names share a label."""


_ABSENT: Final = {"pay": "No cost", "most": "All it can take", "ignoring": "Ignoring nothing"}


def label(view: OceansView, action: Action, names: Names) -> str:
    """Name a legal action as a choice: at most 80 characters."""
    position = view.position
    match action:
        case Evolve(card=card, species=key, pay=pay):
            return _evolve(view, card, key, pay)
        case Create(card=card, place=place, pay=pay):
            where = where_text(position.rows[position.current_player], place)
            end = _price(card, None, pay)
            pool = _pool(view, card)
            return fitting(
                LABEL,
                f"New species {where}: {card_text(card)}{pool}{end}",
                f"New {where}: {card_text(card)}{pool}{end}",
            )
        case Migrate(card=card, source=source, target=target):
            return _migrate(position, card, source, target)
        case Cast(card=card):
            return f"Discard {card_text(card)}: nothing is left to migrate"
        case DropTrait(species=key, card=card):
            return f"Remove {card_text(card)} from {key}"
        case Mutate(species=key, card=card, pile=pile):
            top = card_text(position.gene_pool[pile - 1][-1])
            return cut(f"On {key} exchange {card_text(card)} for {top}, pile {pile}", LABEL)
        case Exchange(species=key, card=card, replacement=new):
            return f"On {key} exchange {card_text(card)} for {card_text(new)}"
        case Swap(species=key, card=card, other=other, other_card=wanted):
            return f"Swap {key}'s {card_text(card)} with {other}'s {card_text(wanted)}"
        case Forage() | Attack():
            return _meal(position, action)
        case _:
            return _small(view, action, names)


def _small(view: OceansView, action: Action, names: Names) -> str:
    position = view.position
    match action:
        case SetSurplus(zone=zone):
            return f"Surplus in others' turns: to {ZONE_WORD[zone]}"
        case SetFastAging(ages=ages):
            return f"Fast Metabolism in others' turns: {'age' if ages else 'do not age'}"
        case Done():
            return _done(position)
        case Skip():
            fed = position.meals.feeder is not None or position.meals.extra
            return "Feed no more" if fed else "Feed no species"
        case Choose(option=option):
            return _answer(position, option, names)
        case Spill(zone=zone):
            step = position.agenda[-1]
            whose = f"{step.species}'s surplus" if isinstance(step, Spilling) else "Surplus"
            return f"{whose} goes to {ZONE_WORD[zone]}"
        case TakeDeep(pile=pile):
            return f"Take {price_text(position.gene_pool[pile - 1][-1])} (pile {pile})"
        case LookDeep():
            return f"Look at {min(LOOK_SIZE, position.deep_deck)} Deep cards, keep one"
        case Keep():
            return _keep(action)
        case Discard(card=card):
            return f"Discard {card_text(card)}"
        case Draw():
            return "Draw and end the turn"
        case Resign():
            return "Resign"
        case _:
            return "Go on"


def _price(card: Card, species: Species | None, pay: Zone | None) -> str:
    return "" if pay is None else f", {cost(card, species)} to {ZONE_WORD[pay]}"


def _pool(view: OceansView, card: Card) -> str:
    """Say so where a card comes from the Gene Pool instead of the hand (Thermal Currents)."""
    return "" if card in view.hand else " (Gene Pool)"


def _evolve(view: OceansView, card: Card, key: str, pay: Zone | None) -> str:
    species = find(view.position, key)
    if species is None:
        return f"{card_text(card)} on {key}"
    end = _price(card, species, pay)
    new = f"{card_text(card)}{_pool(view, card)}"
    return fitting(LABEL, f"{new} on {species_text(species)}{end}", f"{new} on {key}{end}")


def _migrate(position: Position, card: Card, source: Zone, target: Zone) -> str:
    number, held = NUMBER[card], position.water[INDEX[source]]
    count = f"all {held}" if held < number else str(number)
    way = f"Move {count} from {ZONE_WORD[source]} to {ZONE_WORD[target]}"
    return f"{way} ({card_text(card)})"


def _meal(position: Position, action: Forage | Attack) -> str:
    """What a feeding takes."""
    species = find(position, action.species)
    if species is None:
        return "Feed"
    if isinstance(action, Forage):
        taken = forage_yield(position, species, action.source)
        if action.most is not None:
            taken = min(taken, action.most)
        only = "" if action.most is None else "only "
        return f"{action.species} forages {_ground(action.source)}: takes {only}{taken}"
    target = find(position, action.target)
    if target is not None and not target.population:
        return f"{action.species} attacks {action.target}: it dies out"
    taken = 0 if target is None else bite(position, species, target, action.ignoring or ()).taken
    ignoring = f", ignoring {_cards(action.ignoring)}" if action.ignoring else ""
    return fitting(
        LABEL,
        f"{action.species} attacks {action.target}{ignoring}: takes {taken}",
        f"{action.species} attacks {action.target}: takes {taken}",
    )


def _ground(source: str) -> str:
    return f"on {source}" if is_species(source) else f"in {ZONE_WORD[Zone(source)]}"


def _cards(cards: Sequence[Card]) -> str:
    return listed([card_text(card) for card in cards])


def _done(position: Position) -> str:
    match position.agenda[-1]:
        case Playing():
            return "Go on to feeding"
        case Exchanging():
            return "Exchange nothing more"
        case Swapping():
            return "Swap nothing more"
        case _:
            return "Go on"


def _answer(position: Position, option: str, names: Names) -> str:
    step = position.agenda[-1]
    if not isinstance(step, Choosing):
        return option
    species = find(position, option)
    match step.reason:
        case Reason.SHIELD:
            return cut(f"Take from {names[SEAT_LETTERS.index(option)]} ({option})", LABEL)
        case Reason.REEFWARD:
            return f"From {ZONE_WORD[Zone(option)]} to the Reef"
        case Reason.BLEACHING:
            return f"From the Reef to {ZONE_WORD[Zone(option)]}"
        case Reason.AGE:
            return f"{step.species} ages {option}"
        case Reason.LEECH if species is not None:
            return f"Leech {_full(position, species)}"
        case Reason.HYDRA if species is not None:
            return f"Take 1 from {_full(position, species)}"
        case Reason.VIRUS if species is not None:
            return f"Ages twice: {_full(position, species)}"
        case _:
            return option


def _full(position: Position, species: Species) -> str:
    """A species with traits and population: at most 60 characters."""
    filled = filled_text(position, species)
    return fitting(60, f"{species_text(species)}: {filled}", f"{species.key}: {filled}")


def _keep(action: Keep) -> str:
    others = [
        (card, pile) for pile, card in enumerate((action.first, action.second), start=1) if card is not None
    ]
    kept = card_text(action.card)
    if not others:
        return f"Keep {kept}"
    full = listed([f"{card_text(card)} on pile {pile}" for card, pile in others])
    brief = ", ".join(f"{card_text(card)} on {pile}" for card, pile in others)
    short = ", ".join(f"{_squeezed(card_text(card))} on {pile}" for card, pile in others)
    return fitting(LABEL, f"Keep {kept}; {full}", f"Keep {kept}; {brief}", f"Keep {kept}; {short}")


def _squeezed(name: str) -> str:
    """A long name without its middle: related names differ at the end."""
    half = _SHORT_NAME // 2
    return name if len(name) <= _SHORT_NAME else f"{name[: half - 1]}…{name[-half:]}"


# Fields ---------------------------------------------------------------------------------------------


def part(view: OceansView, kind: type[Action], field: str, value: object) -> str:
    """Name the value of one field as a choice: at most 80 characters."""
    position = view.position
    match value:
        case None:
            return _ABSENT.get(field, "None")
        case Zone():
            return _zone_part(position, kind, field, value)
        case tuple():
            return cut(f"Ignoring {_cards(value)}", LABEL)
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
