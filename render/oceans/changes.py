"""What the last choice changed on the table of Oceans, read off the trail of events."""

from collections import Counter
from typing import Final

import msgspec

from rules.game import SEAT_LETTERS, Event
from rules.oceans.cards.decks import Card
from rules.oceans.events import (
    Attacked,
    Cambrian,
    Created,
    DeepKept,
    DeepTaken,
    EndTriggered,
    Evolved,
    Extinct,
    Foraged,
    Moved,
    PoolRefilled,
    ScenarioFired,
    ScenarioOn,
    SpeciesPassed,
    TraitExchanged,
    TraitRemoved,
    TraitsSwapped,
)
from rules.oceans.zones import ZONES

ROUTES: Final = 3
"""More than so many cross each other."""
WATERS: Final = frozenset(zone.value for zone in ZONES)


class Changes(msgspec.Struct):
    """Everything that is marked as new."""

    net: Counter[str] = msgspec.field(default_factory=Counter)
    """Place -> how much more population it holds."""
    touched: dict[str, None] = msgspec.field(default_factory=dict)
    """Species with a halo."""
    fresh: dict[str, list[Card]] = msgspec.field(default_factory=dict)
    """Species -> traits that it has just got."""
    routes: list[tuple[str, str]] = msgspec.field(default_factory=list)
    """Where population went that was eaten, leeched or taken; what is gained is told by numbers alone."""
    migrations: list[tuple[str, str]] = msgspec.field(default_factory=list)
    gone: dict[str, None] = msgspec.field(default_factory=dict)
    """Species that died out."""
    scenarios: dict[str, None] = msgspec.field(default_factory=dict)
    """Scenario cards that became active or fired."""
    piles: dict[int, None] = msgspec.field(default_factory=dict)
    """Gene Pool piles with another top, from 0."""
    cambrian: bool = False
    ending: bool = False

    @property
    def any(self) -> bool:
        """Whether there is anything to mark."""
        marks = (self.touched, self.scenarios, self.piles, self.routes, self.gone, self.migrations)
        return any(marks) or self.cambrian or self.ending or any(self.net.values())


def changes(recent_events: tuple[Event, ...]) -> Changes:
    """Read the trail from the last choice on."""
    found = Changes()
    renamed: dict[str, str] = {}
    for event in recent_events:
        if renamed and not isinstance(event, SpeciesPassed):
            _rename(found, renamed)
            renamed = {}
        match event:
            case SpeciesPassed(species=species, new_key=key):
                renamed[species] = key
            case Created(species=species, card=card):
                found.gone.pop(species, None)
                found.touched[species] = None
                found.fresh[species] = [card]
            case Evolved(species=species, card=card):
                found.touched[species] = None
                found.fresh.setdefault(species, []).append(card)
            case TraitExchanged(species=species, replacement=card, pile=pile):
                found.touched[species] = None
                found.fresh.setdefault(species, []).append(card)
                if pile:
                    found.piles[pile - 1] = None
            case TraitsSwapped(species=species, card=card, other=other, other_card=other_card):
                found.touched |= {species: None, other: None}
                found.fresh.setdefault(species, []).append(other_card)
                found.fresh.setdefault(other, []).append(card)
            case TraitRemoved(species=species):
                found.touched[species] = None
            case Foraged(species=species) | Attacked(species=species):
                found.touched[species] = None
            case Moved():
                _move(found, event)
            case Extinct(species=species):
                for marks in (found.touched, found.fresh, found.net):
                    marks.pop(species, None)
                found.gone[species] = None
            case ScenarioOn(scenario=code) | ScenarioFired(scenario=code):
                found.scenarios[code] = None
            case DeepTaken(pile=pile) | PoolRefilled(pile=pile):
                found.piles[pile - 1] = None
            case DeepKept(first=first, second=second):
                found.piles |= {i: None for i, card in enumerate((first, second)) if card is not None}
            case Cambrian():
                found.cambrian = True
            case EndTriggered():
                found.ending = True
    if renamed:
        _rename(found, renamed)
    return found


def _move(found: Changes, event: Moved) -> None:
    if not event.count or event.source == event.target:
        return
    found.net[event.source] -= event.count
    found.net[event.target] += event.count
    if event.cause == "migrate":
        found.migrations.append((event.source, event.target))
        return
    eaten = [place for place in (event.source, event.target) if _is_species(place)]
    if event.cause != "aging":
        found.touched |= dict.fromkeys(eaten)
    if len(eaten) == 2 or (event.cause == "forage" and eaten):
        found.routes.append((event.source, event.target))


def _is_species(place: str) -> bool:
    return len(place) > 1 and place[0] in SEAT_LETTERS


def _rename(found: Changes, keys: dict[str, str]) -> None:
    """Mass Migration: all at once, because a new key may be another one's old one."""
    found.net = Counter({keys.get(place, place): count for place, count in found.net.items()})
    found.touched = {keys.get(place, place): None for place in found.touched} | dict.fromkeys(keys.values())
    found.fresh = {keys.get(place, place): cards for place, cards in found.fresh.items()}
    found.routes = [(keys.get(one, one), keys.get(other, other)) for one, other in found.routes]
