"""The board check: slot limits, overpopulation and emptied zones, repeated until nothing changes (O4)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from rules.model import Action, Seat
from rules.oceans.actions import PlaceOverflow, RemoveTrait, Scramble
from rules.oceans.cards.decks import SCENARIO_BY_CODE, TRAIT_BY_CARD
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Quirk, TraitFlag
from rules.oceans.causes import RuleCause, ScenarioCause, TraitCause
from rules.oceans.engine.extinction import let_species_die_out
from rules.oceans.engine.gains import DueGain, apply_gains
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import find_species, neighbour_keys, owner_of, species_clockwise
from rules.oceans.engine.species_traits import removable_traits, remove_trait
from rules.oceans.engine.values import (
    POPULATION_AFTER_OVERPOPULATION,
    count_deep_traits,
    effect_amount,
    gain_value,
    has_flag,
    has_quirk,
    is_effect_active,
    max_strength,
    overpopulates,
    scenario_cause,
    slot_limit,
)
from rules.oceans.events import (
    CambrianExploded,
    Overpopulated,
    ScenarioActivated,
    ScenarioFired,
    SpeciesHandedOver,
    TraitsScrambled,
)
from rules.oceans.model import MAX_SCENARIO_EVENTS, OceansView, Species
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, ZONES, Place, ScorePile, SpeciesBoard, Zone
from rules.oceans.steps import (
    AnyStep,
    BoardCheck,
    Feeding,
    FiringScenario,
    Outbreak,
    Overpopulating,
    PlacingOverflow,
    Playing,
    Scrambling,
    TriggeringEnd,
    Trimming,
)

_MAX_STRENGTH_WITH_TINY: Final = 2
_PLACE_OVERFLOW_ACTIONS: Final = tuple(PlaceOverflow(zone) for zone in ZONES)


def _run_board_check(position: MutablePosition, step: BoardCheck) -> None:
    """Run one pass of the check; if it changes anything, another pass goes on the agenda."""
    has_removed_tiny = _remove_outgrown_tiny(position)
    has_excess_trait = _resolve_excess_trait(position)
    if has_removed_tiny or has_excess_trait or _schedule_overpopulation(position):
        return
    _apply_emptied_zones(position)


# (i) slot limits ------------------------------------------------------------------------------------


def _remove_outgrown_tiny(position: MutablePosition) -> bool:
    """Remove Tiny from species whose Forage or Attack has outgrown it; return whether any lost it."""
    outgrown = [
        (species, card)
        for species in species_clockwise(position, position.current_player)
        if has_quirk(species, Quirk.TINY)
        for card in species.traits
        if Quirk.TINY in TRAIT_BY_CARD[card].quirks
        and max_strength(position, species) > _MAX_STRENGTH_WITH_TINY
    ]
    for species, card in outgrown:
        remove_trait(position, species.key, card)
    if outgrown:
        position.push_steps(BoardCheck())
    return bool(outgrown)


def _resolve_excess_trait(position: MutablePosition) -> bool:
    """Remove one trait beyond a limit, or ask the active player which (O14); return whether there was one."""
    for species in species_clockwise(position, position.current_player):
        limit = slot_limit(position, species)
        if limit is None or len(species.traits) <= limit:
            continue
        removable_cards = removable_traits(species)
        if not removable_cards:
            continue
        if owner_of(species.key) == position.current_player and len(set(removable_cards)) > 1:
            position.push_steps(Trimming(species.key), BoardCheck())
        else:
            remove_trait(position, species.key, removable_cards[-1])
            position.push_steps(BoardCheck())
        return True
    return False


# (ii) overpopulation --------------------------------------------------------------------------------


def _schedule_overpopulation(position: MutablePosition) -> bool:
    """Put every overpopulated species on the agenda, clockwise; return whether there was any."""
    overpopulated = [
        each for each in species_clockwise(position, position.current_player) if overpopulates(position, each)
    ]
    if not overpopulated:
        return False
    keys = tuple(species.key for species in overpopulated)
    for key in keys:
        position.add_event(Overpopulated(key))
    _forbid_feeding_again(position, keys)
    steps: list[AnyStep] = []
    is_epizootic = is_effect_active(position, Effect.EPIZOOTIC)
    for species in overpopulated:
        is_own = owner_of(species.key) == position.current_player
        is_automatic = is_epizootic or has_flag(species, TraitFlag.SCORES_OVERFLOW) or not is_own
        steps.append(Overpopulating(species.key) if is_automatic else PlacingOverflow(species.key))
    if is_effect_active(position, Effect.CONTAGIOUS_OUTBREAK):
        # Under Epizootic the overpopulated species die out, so their neighbours lose population first.
        steps.insert(0 if is_epizootic else len(steps), Outbreak(keys))
    position.push_steps(*steps, BoardCheck())
    return True


def _forbid_feeding_again(position: MutablePosition, keys: tuple[str, ...]) -> None:
    """Record which of these species have fed: since they overpopulated, they may not feed again."""
    if any(isinstance(step, Feeding) for step in position.agenda):
        feeders = {position.past_feedings.feeder, *position.past_feedings.voracious_feeder_users}
        position.past_feedings = replace(
            position.past_feedings,
            barred_feeders=(*position.past_feedings.barred_feeders, *(key for key in keys if key in feeders)),
        )


def _run_overpopulating(position: MutablePosition, step: Overpopulating) -> None:
    """Move the overflow of a species whose owner is not asked (O13); under Epizootic it dies out."""
    species = position.find_species(step.species)
    if species is None:
        return
    if is_effect_active(position, Effect.EPIZOOTIC):
        let_species_die_out(position, {step.species: 0})
        return
    owner = owner_of(step.species)
    is_scored = has_flag(species, TraitFlag.SCORES_OVERFLOW)
    _move_overflow(
        position,
        step.species,
        ScorePile(owner) if is_scored else position.standing_answers[owner].overflow_zone,
    )


def _move_overflow(position: MutablePosition, key: str, target: Place) -> None:
    """Move a species' overflow to a place: all of its population but five."""
    species = position.find_species(key)
    if species is not None:
        position.move_population(
            SpeciesBoard(key),
            target,
            species.population - POPULATION_AFTER_OVERPOPULATION,
            RuleCause.OVERFLOW,
        )


def _run_outbreak(position: MutablePosition, step: Outbreak) -> None:
    """Move population of the overpopulated species' neighbours to the Reef (Contagious Outbreak)."""
    if not is_effect_active(position, Effect.CONTAGIOUS_OUTBREAK):
        return  # another species' overflow has deactivated the card
    cause = scenario_cause(position, Effect.CONTAGIOUS_OUTBREAK)
    loss = effect_amount(position, Effect.CONTAGIOUS_OUTBREAK)
    losing_keys = [
        neighbour_key
        for key in step.species_keys
        if position.find_species(key) is not None
        for neighbour_key in neighbour_keys(position, key)
    ]
    for key in losing_keys:
        position.move_population(SpeciesBoard(key), Zone.REEF, loss, cause)


# (iii) emptied zones --------------------------------------------------------------------------------


def _apply_emptied_zones(position: MutablePosition) -> None:
    """Apply what emptied zones cause: Cambrian Explosion, Scenario cards, then the end trigger (O2)."""
    were_zones_emptied, ocean_emptied = position.were_zones_emptied, position.ocean_emptied
    position.were_zones_filled_at_check = tuple(
        position.zone_populations[ZONE_INDEX[zone]] > 0 for zone in OCEAN_ZONES
    )
    position.were_zones_emptied, position.ocean_emptied = (False, False, False), False
    steps: list[AnyStep] = []
    if were_zones_emptied[0] and not position.cambrian_happened:
        position.cambrian_happened = True
        position.add_event(CambrianExploded())
        if any(isinstance(step, Playing) for step in position.agenda):
            position.plays_left += 1
    for code, zone_emptied in zip(position.scenarios, were_zones_emptied, strict=False):
        if (
            zone_emptied
            and SCENARIO_BY_CODE[code].is_event
            and position.scenario_event_count < MAX_SCENARIO_EVENTS
        ):
            position.scenario_event_count += 1
            steps.append(FiringScenario(code))
    if ocean_emptied and not position.end_triggered:
        steps.append(TriggeringEnd())
    scenarios_changed = _update_active_scenarios(position)
    if steps or scenarios_changed or any(were_zones_emptied):
        position.push_steps(*steps, BoardCheck())


def _run_triggering_end(position: MutablePosition, step: TriggeringEnd) -> None:
    """Trigger the end and bring the reserve in, unless a Scenario event has done so already."""
    if not position.end_triggered:
        position.trigger_end()


def _update_active_scenarios(position: MutablePosition) -> bool:
    """Activate the ongoing Scenario cards of empty zones, and no others (O3); return whether any changed."""
    active = tuple(
        code
        for code, filled in zip(position.scenarios, position.were_zones_filled_at_check, strict=False)
        if not filled and not SCENARIO_BY_CODE[code].is_event
    )
    for code in active:
        if code not in position.active_scenarios:
            position.add_event(ScenarioActivated(code))
    changed = active != position.active_scenarios
    position.active_scenarios = active
    return changed


# Scenario events ------------------------------------------------------------------------------------


def _run_firing_scenario(position: MutablePosition, step: FiringScenario) -> None:
    """Run the event of a purple Scenario card."""
    position.add_event(ScenarioFired(step.scenario))
    scenario = SCENARIO_BY_CODE[step.scenario]
    _RUN_BY_EFFECT[scenario.effect](position, step.scenario)


def _run_asteroid_impact(position: MutablePosition, code: str) -> None:
    for species in list(species_clockwise(position, position.current_player)):
        if not count_deep_traits(species):
            position.move_population(
                SpeciesBoard(species.key), Zone.REEF, SCENARIO_BY_CODE[code].amount, ScenarioCause(code)
            )


def _run_food_surge(position: MutablePosition, code: str) -> None:
    for species in list(species_clockwise(position, position.current_player)):
        position.take_from_ocean(species.key, species.population, ScenarioCause(code))


def _run_paradigm_shift(position: MutablePosition, code: str) -> None:
    all_species = list(species_clockwise(position, position.current_player))
    max_population = max((species.population for species in all_species), default=0)
    for species in all_species:
        if species.population == max_population:
            position.move_population(
                SpeciesBoard(species.key), Zone.REEF, max_population, ScenarioCause(code)
            )


def _run_population_explosion(position: MutablePosition, code: str) -> None:
    gains: list[DueGain] = [
        (species.key, TraitCause(card), gain_value(position, species, card))
        for species in species_clockwise(position, position.current_player)
        for card in species.traits
    ]
    apply_gains(position, gains)


def _run_mass_migration(position: MutablePosition, code: str) -> None:
    """Pass every left-most species to the right end of the next seat's row: the ring stays the same."""
    playing_seats = [seat for seat in range(position.seat_count) if not position.resigned[seat]]
    # New keys are chosen before any species leaves: a step that names a key must not find another species.
    new_keys = {seat: position.take_next_key(Seat(seat)) for seat in playing_seats}
    passed_species = {seat: position.rows[seat].pop(0) for seat in playing_seats if position.rows[seat]}
    staying_keys = {species.key for row in position.rows for species in row}
    for index, seat in enumerate(playing_seats):
        if seat in passed_species:
            receiver = Seat(playing_seats[(index + 1) % len(playing_seats)])
            species = passed_species[seat]
            new_key = new_keys[receiver]
            position.rows[receiver].append(replace(species, key=new_key))
            position.add_event(SpeciesHandedOver(species.key, new_key))
    # The key of a feeder that was passed on or died stays barred, so that a species that gets it cannot feed
    # in its place.
    feeder = position.past_feedings.feeder
    barred_keys = [key for key in position.past_feedings.barred_feeders if key in staying_keys]
    if feeder is not None and feeder not in staying_keys:
        barred_keys.append(feeder)
    position.past_feedings = replace(position.past_feedings, barred_feeders=tuple(barred_keys))


def _run_radiation_blast(position: MutablePosition, code: str) -> None:
    position.push_steps(Scrambling())


_RUN_BY_EFFECT: Final[Mapping[Effect, Callable[[MutablePosition, str], None]]] = {
    Effect.ASTEROID_IMPACT: _run_asteroid_impact,
    Effect.FOOD_SURGE: _run_food_surge,
    Effect.PARADIGM_SHIFT: _run_paradigm_shift,
    Effect.POPULATION_EXPLOSION: _run_population_explosion,
    Effect.MASS_MIGRATION: _run_mass_migration,
    Effect.RADIATION_BLAST: _run_radiation_blast,
}


def _apply_scramble(position: MutablePosition, action: Scramble) -> None:
    position.agenda.pop()
    cards = iter(action.cards)

    def with_dealt_traits(species: Species) -> Species:
        removable_cards = set(removable_traits(species))
        return replace(
            species, traits=tuple(next(cards) if card in removable_cards else card for card in species.traits)
        )

    position.rows = [[with_dealt_traits(species) for species in row] for row in position.rows]
    position.add_event(TraitsScrambled())


# Legal actions ---------------------------------------------------------------------------------------


def _offer_overflow_zones(view: OceansView, seat: Seat, step: PlacingOverflow) -> Iterator[Action]:
    yield from _PLACE_OVERFLOW_ACTIONS


def _offer_removals(view: OceansView, seat: Seat, step: Trimming) -> Iterator[Action]:
    species = find_species(view.position, step.species)
    if species is not None:
        # The newest first: that is what the engine removes without asking.
        yield from (
            RemoveTrait(step.species, card) for card in dict.fromkeys(removable_traits(species)[::-1])
        )


def _apply_place_overflow(position: MutablePosition, action: PlaceOverflow) -> None:
    step = position.agenda.pop()
    assert isinstance(step, PlacingOverflow)
    _move_overflow(position, step.species, action.zone)


HANDLERS: Final = Handlers(
    apply={PlaceOverflow: _apply_place_overflow, Scramble: _apply_scramble},
    offer={PlacingOverflow: _offer_overflow_zones, Trimming: _offer_removals},
    run={
        BoardCheck: _run_board_check,
        Overpopulating: _run_overpopulating,
        Outbreak: _run_outbreak,
        FiringScenario: _run_firing_scenario,
        TriggeringEnd: _run_triggering_end,
    },
)
