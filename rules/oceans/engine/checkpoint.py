"""The checkpoint: slot limits, overpopulation, emptied zones, again and again until nothing changes (O4)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from rules.game import Action, Seat
from rules.oceans.actions import DropTrait, Scramble, Spill
from rules.oceans.cards.decks import SCENARIOS, TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Mark, Quirk
from rules.oceans.causes import Rule, ScenarioCause, TraitCause
from rules.oceans.engine.draft import Draft
from rules.oceans.engine.extinction import die_out
from rules.oceans.engine.gains import Due, gain_all
from rules.oceans.engine.phase import Phase
from rules.oceans.engine.ring import beside, clockwise, find, owner_of
from rules.oceans.engine.values import (
    OVERPOPULATION_LEAVES,
    active_cause,
    amount,
    attack,
    deep_traits,
    forage,
    gain,
    in_force,
    marked,
    overpopulates,
    quirky,
    slots,
)
from rules.oceans.events import (
    Cambrian,
    Overpopulated,
    ScenarioFired,
    ScenarioOn,
    Scrambled,
    SpeciesPassed,
    TraitRemoved,
)
from rules.oceans.model import MOST_EVENTS, OceansView, Species
from rules.oceans.places import INDEX, OCEAN, ZONES, Place, ScorePile, SpeciesBoard, Zone
from rules.oceans.steps import (
    AnyStep,
    Checkpoint,
    Feeding,
    Firing,
    Outbreak,
    Overpopulating,
    Playing,
    Scrambling,
    Spilling,
    TriggeringEnd,
    Trimming,
)

_TINY: Final = 2
_SPILLS: Final = tuple(Spill(zone) for zone in ZONES)


def checkpoint(draft: Draft, step: Checkpoint) -> None:
    """One round of it; while anything changes another one is put on the agenda."""
    if _tiny(draft) | _trim(draft):
        return
    if _overpopulation(draft):
        return
    _zones(draft)


# (i) slot limits ------------------------------------------------------------------------------------


def _tiny(draft: Draft) -> bool:
    """Remove Tiny where Forage or Attack has grown beyond it."""
    found = [
        (species, card)
        for species in clockwise(draft, draft.current_player)
        if quirky(species, Quirk.TINY)
        for card in species.traits
        if Quirk.TINY in TRAIT[card].quirks
        and max(forage(draft, species) or 0, attack(draft, species) or 0) > _TINY
    ]
    for species, card in found:
        remove_trait(draft, species.key, card)
    if found:
        draft.push(Checkpoint())
    return bool(found)


def remove_trait(draft: Draft, key: str, card: Card) -> None:
    """A trait leaves its species, for the discard pile or out of the game."""
    species = draft.find(key)
    if species is None:
        raise KeyError(key)
    draft.put(replace(species, traits=without(species.traits, card)))
    draft.discard_cards((card,))
    draft.note(TraitRemoved(key, card))


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards less the last one of this code: the newest."""
    at = len(cards) - 1 - cards[::-1].index(card)
    return cards[:at] + cards[at + 1 :]


def with_trait(species: Species, card: Card) -> Species:
    """The species with one more trait, put on it this turn: Voracious Feeder asks for another than itself."""
    voracious = Quirk.VORACIOUS in TRAIT[card].quirks
    return replace(species, traits=(*species.traits, card), grown=species.grown or not voracious)


def removable(species: Species) -> list[Card]:
    """The traits that may be removed, oldest first."""
    return [card for card in species.traits if Mark.FIXED not in TRAIT[card].marks]


def _trim(draft: Draft) -> bool:
    """Cut traits beyond the limit: the active player is asked, for others the newest goes (O14)."""
    for species in clockwise(draft, draft.current_player):
        limit = slots(draft, species)
        if limit is None or len(species.traits) <= limit:
            continue
        loose = removable(species)
        if not loose:
            continue
        if owner_of(species.key) == draft.current_player and len(set(loose)) > 1:
            draft.push(Trimming(species.key), Checkpoint())
        else:
            remove_trait(draft, species.key, loose[-1])
            draft.push(Checkpoint())
        return True
    return False


# (ii) overpopulation --------------------------------------------------------------------------------


def _overpopulation(draft: Draft) -> bool:
    """Put every overpopulated species on the agenda, clockwise from the active player."""
    crowded = [each for each in clockwise(draft, draft.current_player) if overpopulates(draft, each)]
    if not crowded:
        return False
    keys = tuple(species.key for species in crowded)
    for key in keys:
        draft.note(Overpopulated(key))
    _end_feeding_of(draft, keys)
    steps: list[AnyStep] = []
    epizootic = in_force(draft, Effect.EPIZOOTIC)
    for species in crowded:
        asked = owner_of(species.key) == draft.current_player
        automatic = epizootic or marked(species, Mark.SCORES_SURPLUS) or not asked
        steps.append(Overpopulating(species.key) if automatic else Spilling(species.key))
    if in_force(draft, Effect.OUTBREAK):
        # Who dies of it has no neighbours any more: then they are harmed first.
        steps.insert(0 if epizootic else len(steps), Outbreak(keys))
    draft.push(*steps, Checkpoint())
    return True


def _end_feeding_of(draft: Draft, keys: tuple[str, ...]) -> None:
    """A species that fed and overpopulated is done for this phase."""
    if any(isinstance(step, Feeding) for step in draft.agenda):
        fed = {draft.meals.feeder, *draft.meals.extra}
        draft.meals = replace(draft.meals, full=(*draft.meals.full, *(key for key in keys if key in fed)))


def overpopulating(draft: Draft, step: Overpopulating) -> None:
    """The surplus of a species that nobody is asked about (O13)."""
    species = draft.find(step.species)
    if species is None:
        return
    if in_force(draft, Effect.EPIZOOTIC):
        die_out(draft, (step.species,))
        return
    owner = owner_of(step.species)
    scored = marked(species, Mark.SCORES_SURPLUS)
    spill(draft, step.species, ScorePile(owner) if scored else draft.orders[owner].surplus)


def spill(draft: Draft, key: str, target: Place) -> None:
    """Move all but five of a species' population to a place."""
    species = draft.find(key)
    if species is not None:
        draft.move(SpeciesBoard(key), target, species.population - OVERPOPULATION_LEAVES, Rule.SURPLUS)


def outbreak(draft: Draft, step: Outbreak) -> None:
    """Contagious Outbreak: the neighbours of the overpopulated species lose population to the Reef."""
    if not in_force(draft, Effect.OUTBREAK):
        return  # the surplus of somebody in between has switched it off
    cause = active_cause(draft, Effect.OUTBREAK)
    loss = amount(draft, Effect.OUTBREAK)
    sick = [key for each in step.species if draft.find(each) is not None for key in beside(draft, each)]
    for key in sick:
        draft.move(SpeciesBoard(key), Zone.REEF, loss, cause)


# (iii) emptied zones --------------------------------------------------------------------------------


def _zones(draft: Draft) -> None:
    """Cambrian Explosion, Scenario cards, the end trigger: in this order (O2)."""
    emptied, dry = draft.emptied, draft.dry
    draft.filled = tuple(draft.water[INDEX[zone]] > 0 for zone in OCEAN)
    draft.emptied, draft.dry = (False, False, False), False
    steps: list[AnyStep] = []
    if emptied[0] and not draft.cambrian:
        draft.cambrian = True
        draft.note(Cambrian())
        if any(isinstance(step, Playing) for step in draft.agenda):
            draft.plays += 1
    for code, gone in zip(draft.scenarios, emptied, strict=False):
        if gone and SCENARIOS[code].event and draft.fired < MOST_EVENTS:
            draft.fired += 1
            steps.append(Firing(code))
    if dry and not draft.ending:
        steps.append(TriggeringEnd())
    switched = _switch_on(draft)
    if steps or switched or any(emptied):
        draft.push(*steps, Checkpoint())


def triggering_end(draft: Draft, step: TriggeringEnd) -> None:
    """The reserve comes in, if no Scenario event has needed it already."""
    if not draft.ending:
        draft.trigger_end()


def _switch_on(draft: Draft) -> bool:
    """Make the ongoing Scenario cards of empty zones active; they go off when their zone fills (O3)."""
    on = tuple(
        code
        for code, held in zip(draft.scenarios, draft.filled, strict=False)
        if not held and not SCENARIOS[code].event
    )
    for code in on:
        if code not in draft.active:
            draft.note(ScenarioOn(code))
    changed = on != draft.active
    draft.active = on
    return changed


# Scenario events ------------------------------------------------------------------------------------


def firing(draft: Draft, step: Firing) -> None:
    """A purple card happens."""
    draft.note(ScenarioFired(step.scenario))
    scenario = SCENARIOS[step.scenario]
    _EVENTS[scenario.effect](draft, step.scenario)


def _impact(draft: Draft, code: str) -> None:
    for species in list(clockwise(draft, draft.current_player)):
        if not deep_traits(species):
            draft.move(SpeciesBoard(species.key), Zone.REEF, SCENARIOS[code].amount, ScenarioCause(code))


def _surge(draft: Draft, code: str) -> None:
    for species in list(clockwise(draft, draft.current_player)):
        draft.from_ocean(species.key, species.population, ScenarioCause(code))


def _shift(draft: Draft, code: str) -> None:
    everyone = list(clockwise(draft, draft.current_player))
    most = max((species.population for species in everyone), default=0)
    for species in everyone:
        if species.population == most:
            draft.move(SpeciesBoard(species.key), Zone.REEF, most, ScenarioCause(code))


def _explosion(draft: Draft, code: str) -> None:
    due: list[Due] = [
        (species.key, TraitCause(card), gain(draft, species, card))
        for species in clockwise(draft, draft.current_player)
        for card in species.traits
    ]
    gain_all(draft, due)


def _mass_migration(draft: Draft, code: str) -> None:
    """Every left-most species passes to the next seat, at the right end of its row: the ring stays."""
    seats = [seat for seat in range(draft.seats) if not draft.resigned[seat]]
    # No key is used again at once: steps that still name one must not find another species.
    keys = {seat: draft.new_key(Seat(seat)) for seat in seats}
    passing = {seat: draft.rows[seat].pop(0) for seat in seats if draft.rows[seat]}
    staying = {species.key for row in draft.rows for species in row}
    for index, seat in enumerate(seats):
        if seat in passing:
            to = Seat(seats[(index + 1) % len(seats)])
            species = passing[seat]
            key = keys[to]
            draft.rows[to].append(replace(species, key=key))
            draft.note(SpeciesPassed(species.key, key))
    # A feeder that was handed on or died is done, even if its key should come back for another species.
    fed = dict.fromkeys(key for key in (draft.meals.feeder, *draft.meals.extra) if key is not None)
    gone = tuple(key for key in fed if key not in staying)
    draft.meals = replace(draft.meals, full=(*draft.meals.full, *gone))


def _blast(draft: Draft, code: str) -> None:
    draft.push(Scrambling())


_EVENTS: Final[Mapping[Effect, Callable[[Draft, str], None]]] = {
    Effect.IMPACT: _impact,
    Effect.SURGE: _surge,
    Effect.SHIFT: _shift,
    Effect.EXPLOSION: _explosion,
    Effect.MASS_MIGRATION: _mass_migration,
    Effect.BLAST: _blast,
}


def _apply_scramble(draft: Draft, action: Scramble) -> None:
    draft.agenda.pop()
    cards = iter(action.cards)

    def dealt(species: Species) -> Species:
        loose = set(removable(species))
        return replace(
            species, traits=tuple(next(cards) if card in loose else card for card in species.traits)
        )

    draft.rows = [[dealt(species) for species in row] for row in draft.rows]
    draft.note(Scrambled())


# What is offered -------------------------------------------------------------------------------------


def _spilling(view: OceansView, seat: Seat, step: Spilling) -> Iterator[Action]:
    yield from _SPILLS


def _trimming(view: OceansView, seat: Seat, step: Trimming) -> Iterator[Action]:
    species = find(view.position, step.species)
    if species is not None:
        # The newest first: what the table does for somebody who is away.
        yield from (DropTrait(step.species, card) for card in dict.fromkeys(removable(species)[::-1]))


def _spill(draft: Draft, action: Spill) -> None:
    step = draft.agenda.pop()
    assert isinstance(step, Spilling)
    spill(draft, step.species, action.zone)


PHASE: Final = Phase(
    apply={Spill: _spill, Scramble: _apply_scramble},
    offer={Spilling: _spilling, Trimming: _trimming},
    run={
        Checkpoint: checkpoint,
        Overpopulating: overpopulating,
        Outbreak: outbreak,
        Firing: firing,
        TriggeringEnd: triggering_end,
    },
)
