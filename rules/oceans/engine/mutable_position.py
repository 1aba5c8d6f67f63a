"""A position that can be changed in place, used within one transition.

Functions that read a ``ring.PositionLike`` accept it as well as a ``Position``.
"""

from bisect import insort
from collections.abc import Iterable
from itertools import chain, count
from typing import Final

from msgspec.structs import replace

from rules.model import CHANCE, SEAT_LETTERS, Seat
from rules.oceans.cards.decks import DECK_INDEX, Card
from rules.oceans.causes import Cause, RuleCause
from rules.oceans.engine.ring import find_species, owner_of
from rules.oceans.engine.values import free_space_count, is_deep
from rules.oceans.events import AnyEvent, EndTriggered, PopulationMoved, ScenarioDeactivated
from rules.oceans.model import PastFeedings, Position, Species, StandingAnswers
from rules.oceans.places import (
    OCEAN_ZONES,
    ZONE_INDEX,
    Place,
    Reserve,
    ScorePile,
    SpeciesBoard,
    Supply,
    Zone,
    place_code,
)
from rules.oceans.steps import CHANCE_STEP_TYPES, SEAT_STEP_TYPES, AnyStep

_SCENARIO_INDEX: Final = {Zone.ONE: 0, Zone.TWO: 1}
"""The index of the Scenario card below a zone."""
_UNLIMITED: Final = 1 << 30
_MAX_CYCLED_NUMBER: Final = 9
"""The highest number of a species as long as its owner has fewer than ten."""


class MutablePosition:
    """A mutable copy of a ``Position``; ``score_pile_changes``: by how much each seat's has changed."""

    def __init__(self, position: Position) -> None:
        """Copy a position, with an empty trail."""
        self.options = position.options
        self.seat_count = position.seat_count
        self.agenda: list[AnyStep] = list(position.agenda)
        self.current_player: Seat = position.current_player
        self.first_player: Seat | None = position.first_player
        self.round: int = position.round
        self.zone_populations: list[int] = list(position.zone_populations)
        self.were_zones_filled_at_check: tuple[bool, ...] = position.were_zones_filled_at_check
        self.were_zones_emptied: tuple[bool, ...] = position.were_zones_emptied
        self.ocean_emptied: bool = position.ocean_emptied
        self.scenarios: tuple[str, ...] = position.scenarios
        self.active_scenarios: tuple[str, ...] = position.active_scenarios
        self.cambrian_happened: bool = position.cambrian_happened
        self.reserve: int = position.reserve
        self.end_triggered: bool = position.end_triggered
        self.population_from_supply: int = position.population_from_supply
        self.rows: list[list[Species]] = [list(row) for row in position.rows]
        self.surface_deck_size: int = position.surface_deck_size
        self.deep_deck_size: int = position.deep_deck_size
        self.gene_pool: list[tuple[Card, ...]] = list(position.gene_pool)
        self.discard_pile: list[Card] = list(position.discard_pile)
        self.out_of_game: list[Card] = list(position.out_of_game)
        self.surface_hand_sizes: list[int] = list(position.surface_hand_sizes)
        self.deep_hand_sizes: list[int] = list(position.deep_hand_sizes)
        self.known_cards: list[tuple[Card, ...]] = list(position.known_cards)
        self.resigned: list[bool] = list(position.resigned)
        self.standing_answers: list[StandingAnswers] = list(position.standing_answers)
        self.gave_answers_this_turn: bool = position.gave_answers_this_turn
        self.plays_left: int = position.plays_left
        self.past_feedings: PastFeedings = position.past_feedings
        self.chosen_aging_amounts: tuple[tuple[str, int], ...] = position.chosen_aging_amounts
        self.cthulhu_seat: Seat | None = position.cthulhu_seat
        self.last_species_numbers: list[int] = list(position.last_species_numbers)
        self.revealed_score_piles: tuple[int, ...] = position.revealed_score_piles
        self.scenario_event_count: int = position.scenario_event_count
        self.trail: list[AnyEvent] = []
        self.score_pile_changes = [0] * position.seat_count

    def freeze(self) -> Position:
        """Return the changed position."""
        return Position(
            options=self.options,
            seat_count=self.seat_count,
            to_act=self._to_act(),
            agenda=tuple(self.agenda),
            current_player=self.current_player,
            first_player=self.first_player,
            round=self.round,
            zone_populations=tuple(self.zone_populations),
            were_zones_filled_at_check=self.were_zones_filled_at_check,
            were_zones_emptied=self.were_zones_emptied,
            ocean_emptied=self.ocean_emptied,
            scenarios=self.scenarios,
            active_scenarios=self.active_scenarios,
            cambrian_happened=self.cambrian_happened,
            reserve=self.reserve,
            end_triggered=self.end_triggered,
            population_from_supply=self.population_from_supply,
            rows=tuple(tuple(row) for row in self.rows),
            surface_deck_size=self.surface_deck_size,
            deep_deck_size=self.deep_deck_size,
            gene_pool=tuple(self.gene_pool),
            discard_pile=tuple(self.discard_pile),
            out_of_game=tuple(self.out_of_game),
            surface_hand_sizes=tuple(self.surface_hand_sizes),
            deep_hand_sizes=tuple(self.deep_hand_sizes),
            known_cards=tuple(self.known_cards),
            resigned=tuple(self.resigned),
            standing_answers=tuple(self.standing_answers),
            gave_answers_this_turn=self.gave_answers_this_turn,
            plays_left=self.plays_left,
            past_feedings=self.past_feedings,
            chosen_aging_amounts=self.chosen_aging_amounts,
            cthulhu_seat=self.cthulhu_seat,
            last_species_numbers=tuple(self.last_species_numbers),
            revealed_score_piles=self.revealed_score_piles,
            scenario_event_count=self.scenario_event_count,
            trail=tuple(self.trail),
        )

    def _to_act(self) -> Seat | None:
        if not self.agenda:
            return None
        step = self.agenda[-1]
        if isinstance(step, CHANCE_STEP_TYPES):
            return CHANCE
        if isinstance(step, SEAT_STEP_TYPES):
            return self.current_player
        raise TypeError(f"{type(step).__name__} neither ran nor waits for a seat or chance")

    def add_event(self, event: AnyEvent) -> None:
        """Add an event to the trail."""
        self.trail.append(event)

    def push_steps(self, *steps: AnyStep) -> None:
        """Put steps on top of the agenda; the first one named runs first."""
        self.agenda.extend(reversed(steps))

    # Species ------------------------------------------------------------------------------------------

    def find_species(self, key: str) -> Species | None:
        """Return the species with a key; None if there is none."""
        return find_species(self, key)

    def replace_species(self, species: Species) -> None:
        """Replace the species with the same key.  Raises KeyError if there is none."""
        row = self.rows[owner_of(species.key)]
        for index, old in enumerate(row):
            if old.key == species.key:
                row[index] = species
                return
        raise KeyError(species.key)

    def take_next_key(self, seat: Seat) -> str:
        """Take the key of a seat's new species: 1 to 9 in turn, so that no number comes again soon.

        Numbers that its species have are skipped; if they have all nine, the lowest higher one is next.
        """
        taken = {species.key for species in self.rows[seat]}
        last_number = self.last_species_numbers[seat]
        cycled_numbers = ((last_number + i) % _MAX_CYCLED_NUMBER + 1 for i in range(_MAX_CYCLED_NUMBER))
        numbers = chain(cycled_numbers, count(_MAX_CYCLED_NUMBER + 1))
        number = next(each for each in numbers if f"{SEAT_LETTERS[seat]}{each}" not in taken)
        self.last_species_numbers[seat] = number
        return f"{SEAT_LETTERS[seat]}{number}"

    def remove_species(self, species: Species) -> None:
        """Remove a species, whose population must be 0, and discard its traits."""
        self.rows[owner_of(species.key)].remove(species)
        self.discard_cards(species.traits)

    def discard_cards(self, cards: Iterable[Card]) -> None:
        """Put Surface cards on the discard pile and Deep cards out of the game."""
        for card in cards:
            insort(self.out_of_game if is_deep(card) else self.discard_pile, card, key=DECK_INDEX.__getitem__)

    # Population ----------------------------------------------------------------------------------------

    def move_population(self, source: Place, target: Place, count: int, cause: Cause) -> int:
        """Move up to ``count`` between places; return how much moved.

        A source gives at most what it has, and a species takes at most what it has room for.  The caller must
        limit what a score pile gives.
        """
        count = min(count, self._available_population(source), self._available_room(target))
        if count <= 0:
            return 0
        self._change_population(source, -count)
        self._change_population(target, count)
        if isinstance(source, Zone):
            # After both changes: what moves between Ocean zones does not leave the Ocean empty on its way.
            self._record_empty_zones()
        self.trail.append(PopulationMoved(source, target, count, cause))
        if isinstance(target, Zone) and target in _SCENARIO_INDEX:
            self._deactivate_scenario(_SCENARIO_INDEX[target])
        return count

    def _deactivate_scenario(self, index: int) -> None:
        """Deactivate the ongoing Scenario card of a zone that has got population (O3)."""
        for code in self.scenarios[index : index + 1]:
            if code in self.active_scenarios:
                self.active_scenarios = tuple(other for other in self.active_scenarios if other != code)
                self.trail.append(ScenarioDeactivated(code))

    def _available_population(self, place: Place) -> int:
        match place:
            case Zone():
                return self.zone_populations[ZONE_INDEX[place]]
            case SpeciesBoard(species=key):
                species = self.find_species(key)
                return 0 if species is None else species.population
            case _:
                return _UNLIMITED

    def _available_room(self, place: Place) -> int:
        if not isinstance(place, SpeciesBoard):
            return _UNLIMITED
        species = self.find_species(place.species)
        return 0 if species is None else free_space_count(self, species)

    def _change_population(self, place: Place, change: int) -> None:
        match place:
            case Zone():
                self.zone_populations[ZONE_INDEX[place]] += change
            case SpeciesBoard(species=key):
                species = self.find_species(key)
                assert species is not None
                self.replace_species(replace(species, population=species.population + change))
            case ScorePile(seat=seat):
                self.score_pile_changes[seat] += change
            case _:
                raise ValueError(f"the {place_code(place)} is not counted here")

    def _record_empty_zones(self) -> None:
        """Record which zones are empty now: they may be filled again before the board check (O2)."""
        empty = [not self.zone_populations[ZONE_INDEX[zone]] for zone in OCEAN_ZONES]
        if any(empty):
            self.were_zones_emptied = tuple(
                already_emptied or (was_filled and is_empty)
                for already_emptied, was_filled, is_empty in zip(
                    self.were_zones_emptied, self.were_zones_filled_at_check, empty, strict=True
                )
            )
            self.ocean_emptied = self.ocean_emptied or all(empty)

    def take_from_ocean(self, key: str, count: int, cause: Cause) -> int:
        """Move population to a species from zone 1, then 2, then 3; return how much moved.

        If all are empty, the reserve comes in, which triggers the end; after it the unlimited supply (O17).
        """
        species = self.find_species(key)
        if species is None:
            return 0
        amount = min(count, free_space_count(self, species))
        missing = amount
        for _ in range(2):  # the second time from the reserve, if it has just come in
            for zone in OCEAN_ZONES:
                missing -= self.move_population(zone, SpeciesBoard(key), missing, cause)
            if missing and not self.end_triggered:
                self.trigger_end()
        if missing:
            self.population_from_supply += missing
            self._change_population(SpeciesBoard(key), missing)
            self.trail.append(PopulationMoved(Supply(), SpeciesBoard(key), missing, cause))
        return amount

    def trigger_end(self) -> None:
        """Put the reserve into zone 3; this round is the last one."""
        self.end_triggered = True
        self.zone_populations[ZONE_INDEX[Zone.THREE]] += self.reserve
        self.trail.append(EndTriggered())
        self.trail.append(PopulationMoved(Reserve(), Zone.THREE, self.reserve, RuleCause.END_TRIGGERED))
        self.reserve = 0
