"""What the newest turn changed on the board of Oceans, collected from the recent events."""

from collections import Counter

import msgspec

from rules.model import Event
from rules.oceans.cards.decks import Card
from rules.oceans.causes import RuleCause
from rules.oceans.events import (
    Attacked,
    CambrianExploded,
    Created,
    DeepKept,
    DeepTaken,
    EndTriggered,
    Evolved,
    Extinct,
    Foraged,
    PoolRefilled,
    PopulationMoved,
    ScenarioActivated,
    ScenarioFired,
    SpeciesHandedOver,
    TraitExchanged,
    TraitRemoved,
    TraitsSwapped,
)
from rules.oceans.places import SpeciesBoard, place_code


class Changes(msgspec.Struct):
    """Everything that is marked on the board as changed."""

    population_changes: Counter[str] = msgspec.field(default_factory=Counter)
    """Code of a place -> by how much its population changed."""
    haloed_species: dict[str, None] = msgspec.field(default_factory=dict)
    """Keys of the species to draw with a halo."""
    new_traits: dict[str, list[Card]] = msgspec.field(default_factory=dict)
    """Key of a species -> the traits that it has just received."""
    routes: list[tuple[str, str]] = msgspec.field(default_factory=list)
    """Source and target of population that was eaten, leeched or taken; gains are shown by numbers alone."""
    migrations: list[tuple[str, str]] = msgspec.field(default_factory=list)
    """Source and target of population that migrated from zone to zone."""
    extinct_species: dict[str, None] = msgspec.field(default_factory=dict)
    """Keys of species that died out."""
    scenarios: dict[str, None] = msgspec.field(default_factory=dict)
    """Codes of Scenario cards that became active or fired."""
    piles: dict[int, None] = msgspec.field(default_factory=dict)
    """Gene Pool piles with a new top card, from 0."""
    cambrian_happened: bool = False
    end_triggered: bool = False

    @property
    def has_marks(self) -> bool:
        """Whether there is anything to mark."""
        marks = (
            self.haloed_species,
            self.scenarios,
            self.piles,
            self.routes,
            self.extinct_species,
            self.migrations,
        )
        return (
            any(marks)
            or self.cambrian_happened
            or self.end_triggered
            or any(self.population_changes.values())
        )


def collect_changes(recent_events: tuple[Event, ...]) -> Changes:
    """Collect what these events changed."""
    changes = Changes()
    new_keys: dict[str, str] = {}
    for event in recent_events:
        if new_keys and not isinstance(event, SpeciesHandedOver):
            _rename_species(changes, new_keys)
            new_keys = {}
        match event:
            case SpeciesHandedOver(species=species, new_key=key):
                new_keys[species] = key
            case Created(species=species, card=card):
                changes.extinct_species.pop(species, None)
                changes.haloed_species[species] = None
                changes.new_traits[species] = [card]
            case Evolved(species=species, card=card):
                _add_trait_change(changes, species, added=card)
            case TraitExchanged(species=species, card=card, replacement=replacement, pile=pile):
                _add_trait_change(changes, species, added=replacement, removed=card)
                if pile:
                    changes.piles[pile - 1] = None
            case TraitsSwapped(species=species, card=card, other=other, other_card=other_card):
                _add_trait_change(changes, species, added=other_card, removed=card)
                _add_trait_change(changes, other, added=card, removed=other_card)
            case TraitRemoved(species=species, card=card):
                _add_trait_change(changes, species, removed=card)
            case Foraged(species=species) | Attacked(species=species):
                changes.haloed_species[species] = None
            case PopulationMoved():
                _add_movement(changes, event)
            case Extinct(species=species):
                for marks in (changes.haloed_species, changes.new_traits, changes.population_changes):
                    marks.pop(species, None)
                changes.routes = [route for route in changes.routes if species not in route]
                changes.extinct_species[species] = None
            case ScenarioActivated(scenario=code) | ScenarioFired(scenario=code):
                changes.scenarios[code] = None
            case DeepTaken(pile=pile) | PoolRefilled(pile=pile):
                changes.piles[pile - 1] = None
            case DeepKept(pile_1_card=pile_1_card, pile_2_card=pile_2_card):
                pile_cards = (pile_1_card, pile_2_card)
                changes.piles |= {i: None for i, card in enumerate(pile_cards) if card is not None}
            case CambrianExploded():
                changes.cambrian_happened = True
            case EndTriggered():
                changes.end_triggered = True
    if new_keys:
        _rename_species(changes, new_keys)
    return changes


def _add_trait_change(
    changes: Changes, species: str, *, added: Card | None = None, removed: Card | None = None
) -> None:
    """Mark a species whose traits changed, and the new ones that it still has."""
    changes.haloed_species[species] = None
    new_traits = changes.new_traits.setdefault(species, [])
    if removed in new_traits:
        new_traits.remove(removed)
    if added is not None:
        new_traits.append(added)


def _add_movement(changes: Changes, event: PopulationMoved) -> None:
    source, target = place_code(event.source), place_code(event.target)
    if not event.count or source == target:
        return
    changes.population_changes[source] -= event.count
    changes.population_changes[target] += event.count
    if event.cause is RuleCause.MIGRATION:
        changes.migrations.append((source, target))
        return
    keys = [place.species for place in (event.source, event.target) if isinstance(place, SpeciesBoard)]
    if event.cause is not RuleCause.AGING:
        changes.haloed_species |= dict.fromkeys(keys)
    if len(keys) == 2 or (event.cause is RuleCause.FORAGE and keys):
        changes.routes.append((source, target))


def _rename_species(changes: Changes, new_keys: dict[str, str]) -> None:
    """Rename species after Mass Migration, all at once, as a new key may be another species' old key."""
    for key in new_keys.values():
        changes.extinct_species.pop(key, None)
    changes.population_changes = Counter(
        {new_keys.get(place, place): count for place, count in changes.population_changes.items()}
    )
    changes.haloed_species = {new_keys.get(key, key): None for key in changes.haloed_species} | dict.fromkeys(
        new_keys.values()
    )
    changes.new_traits = {new_keys.get(key, key): cards for key, cards in changes.new_traits.items()}
    changes.routes = [
        (new_keys.get(source, source), new_keys.get(target, target)) for source, target in changes.routes
    ]
