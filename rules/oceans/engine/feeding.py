"""Phase 2: a species forages or attacks, and may feed again (rulebook, Feeding; O8, O11)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from rules.game import Action, Seat
from rules.oceans.actions import Attack, Forage, Skip
from rules.oceans.cards.decks import Card
from rules.oceans.cards.traits import Quirk
from rules.oceans.causes import Rule, TraitCause
from rules.oceans.engine.draft import Draft
from rules.oceans.engine.evolving import any_loose, drops
from rules.oceans.engine.extinction import die_out
from rules.oceans.engine.gains import card_with
from rules.oceans.engine.hunting import attack_result, attacks, forage_yield, forages, may_feed, voracious
from rules.oceans.engine.phase import Phase
from rules.oceans.engine.ring import PositionLike, owner_of, ring
from rules.oceans.engine.values import (
    attack,
    defensive,
    forage,
    free_spaces,
    quirky,
)
from rules.oceans.events import Attacked, Foraged, Unfed
from rules.oceans.model import Meals, OceansView, Position, Species
from rules.oceans.places import ScorePile, SpeciesBoard, parse_place
from rules.oceans.steps import BeginAging, Checkpoint, Choosing, Feeding, Option, Reacting, Reason

# Take -----------------------------------------------------------------------------------------------


def apply_forage(draft: Draft, action: Forage) -> None:
    """Take from the Reef, or from where the species may."""
    species = _fed(draft, action.species, forages=1)
    value = forage(draft, species) or 0
    source = parse_place(action.source)
    due = forage_yield(draft, species, source)
    if action.most is not None:
        due = min(due, action.most)
    draft.note(Foraged(species.key, source, due))
    draft.move(source, SpeciesBoard(species.key), due, Rule.FORAGE)
    draft.push(Reacting(species.key, value), Checkpoint(), Feeding())


def apply_attack(draft: Draft, action: Attack) -> None:
    """Take from another species what its Defence does not save."""
    meals = draft.meals
    # A meal as a Voracious Feeder was an attack too: the Kraken never forages.
    again = (meals.feeder == action.species and meals.attacks > 0) or action.species in meals.extra
    species = _fed(draft, action.species, attacks=1)
    strength = attack(draft, species) or 0
    hoards = again and quirky(species, Quirk.KRAKEN_HOARD)
    taken = strike(draft, species.key, action.target, action.ignoring or (), to_shield=hoards)
    draft.push(Reacting(species.key, strength, action.target, taken), Checkpoint(), Feeding())
    if quirky(species, Quirk.HYDRA):
        hydra_asks(draft, species.key, ())


def strike(draft: Draft, key: str, target: str, ignoring: tuple[Card, ...], *, to_shield: bool) -> int:
    """The take of one attack; a target without population dies out (Scenario card).  Returns the loss."""
    attacker, prey = draft.find(key), draft.find(target)
    if attacker is None or prey is None:
        raise KeyError(target)
    taken = attack_result(draft, attacker, prey, ignoring).taken
    draft.note(Attacked(key, target, taken))
    if not prey.population:
        die_out(draft, (target,))
        return 0
    taker = ScorePile(owner_of(key)) if to_shield else SpeciesBoard(key)
    draft.move(SpeciesBoard(target), taker, taken, Rule.ATTACK)
    return taken


def _fed(draft: Draft, key: str, *, forages: int = 0, attacks: int = 0) -> Species:
    """Record that a species feeds now, and return it."""
    draft.agenda.pop()
    species = draft.find(key)
    if species is None:
        raise KeyError(key)
    meals = draft.meals
    if voracious(meals, species):
        draft.meals = replace(meals, extra=(*meals.extra, key))
    else:
        draft.meals = replace(
            meals, feeder=key, forages=meals.forages + forages, attacks=meals.attacks + attacks
        )
    return species


def hydra_asks(draft: Draft, key: str, bitten: tuple[str, ...]) -> None:
    """Ask whom else Hydra takes from, if there is anybody left; ``bitten``: whom it has already."""
    hydra = draft.find(key)
    victims = () if hydra is None else _hydra_prey(draft, hydra, bitten)
    if hydra is not None and victims:
        options = tuple(SpeciesBoard(victim) for victim in victims)
        cause = TraitCause(card_with(hydra, Quirk.HYDRA))
        draft.push(Choosing(Reason.HYDRA, options, cause, key, bitten))


def _hydra_prey(position: PositionLike, hydra: Species, bitten: tuple[str, ...]) -> tuple[str, ...]:
    """Whom Hydra may take 1 from as well: any species without a defensive trait that has any."""
    if not free_spaces(position, hydra):
        return ()
    return tuple(
        each.key
        for each in ring(position)
        if each.key != hydra.key
        and each.key not in bitten
        and each.population
        and not any(defensive(card) for card in each.traits)
    )


# What is offered -------------------------------------------------------------------------------------


def _feeding(view: OceansView, seat: Seat, step: Feeding) -> Iterator[Action]:
    position = view.position
    yield from feedings(position, seat)
    if step.drop:
        yield from drops(position, seat)
    yield Skip()


def feedings(position: Position, seat: Seat) -> Iterator[Forage | Attack]:
    """Every forage and attack of a seat's species that is legal now."""
    for species in position.rows[seat]:
        may_forage, may_attack = may_feed(position.meals, species)
        if may_forage:
            yield from forages(position, species)
        if may_attack:
            yield from attacks(position, species)


def can_feed(position: PositionLike, meals: Meals, seat: Seat) -> bool:
    """Whether any species of the seat can feed now."""
    for species in position.rows[seat]:
        may_forage, may_attack = may_feed(meals, species)
        if may_forage and next(iter(forages(position, species)), None) is not None:
            return True
        if may_attack and next(iter(attacks(position, species)), None) is not None:
            return True
    return False


def _resolve_feeding(draft: Draft) -> bool:
    """Pass over a feeding that cannot happen, unless traits may still be removed."""
    step = draft.agenda[-1]
    seat = draft.current_player
    if isinstance(step, Feeding) and step.drop and any_loose(draft, seat):
        return False
    if can_feed(draft, draft.meals, seat):
        return False
    if draft.meals == Meals():
        draft.note(Unfed(seat))
    _end_feeding(draft)
    return True


def _end_feeding(draft: Draft) -> None:
    draft.agenda.pop()
    draft.push(BeginAging())


def _skip(draft: Draft, action: Skip) -> None:
    _end_feeding(draft)


def _hydra_takes(draft: Draft, step: Choosing, option: Option) -> None:
    assert isinstance(option, SpeciesBoard)
    draft.move(option, SpeciesBoard(step.species), 1, step.cause)
    hydra_asks(draft, step.species, (*step.picked, option.species))


PHASE: Final = Phase(
    apply={Forage: apply_forage, Attack: apply_attack, Skip: _skip},
    offer={Feeding: _feeding},
    answer={Reason.HYDRA: _hydra_takes},
    resolve={Feeding: _resolve_feeding},
)
