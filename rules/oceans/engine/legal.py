"""What a viewer may do now.  A function of the view, so that no offer can tell a secret."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import permutations
from typing import Any, Final

from rules.game import Action, Seat
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
    SetFastAging,
    SetSurplus,
    Skip,
    Spill,
    TakeDeep,
)
from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Quirk
from rules.oceans.engine.checkpoint import removable
from rules.oceans.engine.evolving import ELSEWHERE, cost, may_bear, mutations, pool_tops
from rules.oceans.engine.hunting import attacks, forages, may_feed
from rules.oceans.engine.pre_feeding import swaps
from rules.oceans.engine.ring import find
from rules.oceans.engine.values import in_force, is_deep, quirky, slots_of
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.steps import (
    AnyStep,
    Choosing,
    Drawing,
    Exchanging,
    Feeding,
    Keeping,
    Playing,
    Reason,
    Spilling,
    Swapping,
    Trimming,
)
from rules.oceans.zones import ZONES, Zone

_SPILLS: Final = tuple(Spill(zone) for zone in ZONES)
_FREE: Final[tuple[Zone | None, ...]] = (None,)


def legal_actions(view: OceansView) -> tuple[Action, ...]:
    """All that the viewer may do; empty for those who owe nothing."""
    position = view.position
    if view.viewer is None or position.to_act != view.viewer:
        return ()
    step = position.agenda[-1]
    return tuple(_OFFERS[type(step)](view, view.viewer, step))


# Phase 1 --------------------------------------------------------------------------------------------


def _playing(view: OceansView, seat: Seat, step: Playing) -> Iterator[Action]:
    position = view.position
    owed = False
    if not position.plays:
        yield Done()
    if position.plays > 0:
        for card in dict.fromkeys(view.hand):
            if not is_deep(card) or position.cambrian:
                owed = True
                yield from evolutions(view, seat, card)
                yield from _migrations(position, card)
        if in_force(position, Effect.THERMAL):
            for card in pool_tops(position.gene_pool):
                yield from evolutions(view, seat, card)
    yield from _drops(position, seat)
    yield from mutations(position.rows[seat], position.gene_pool)
    if position.plays and not owed:
        yield Done()
    if not position.ordered and position.rows[seat]:
        yield from _orders(position, seat)


def payments(view: OceansView, card: Card, species: Species | None) -> tuple[Zone | None, ...]:
    """Where the cost of evolving with a card may go: (None,) if it costs nothing, () if it is too much."""
    price = cost(card, species)
    if not price:
        return _FREE
    return ZONES if (view.score or 0) >= price else ()


def fits(position: Position, card: Card, species: Species) -> bool:
    """Whether a species has a slot for the card, what the card itself adds included."""
    cards = (*species.traits, card)
    limit = slots_of(position, cards)
    return limit is None or len(cards) <= limit


def evolutions(view: OceansView, seat: Seat, card: Card) -> Iterator[Action]:
    """Every way to evolve with a card: a new species anywhere in the row, or a trait on one."""
    position = view.position
    elsewhere = bool(ELSEWHERE & {*TRAIT[card].marks})
    if not elsewhere:
        for pay in payments(view, card, None):
            for place in range(len(position.rows[seat]), -1, -1):
                yield Create(card, place, pay)
    for row in position.rows if elsewhere else (position.rows[seat],):
        for species in row:
            if may_bear(position, card, seat, species) and fits(position, card, species):
                for pay in payments(view, card, species):
                    yield Evolve(card, species.key, pay)


@cache
def _ways(card: Card) -> tuple[tuple[Migrate, ...], ...]:
    """Every migration with a card, by its source in the order of ``ZONES``: made once, offered often."""
    return tuple(tuple(Migrate(card, one, other) for other in ZONES if other is not one) for one in ZONES)


def _migrations(position: Position, card: Card) -> Iterator[Action]:
    if not any(position.water):
        yield Cast(card)
        return
    for source, ways in zip(position.water, _ways(card), strict=True):
        if source:
            yield from ways


def _drops(position: Position, seat: Seat) -> Iterator[Action]:
    for species in position.rows[seat]:
        for card in dict.fromkeys(removable(species)):
            yield DropTrait(species.key, card)


def _orders(position: Position, seat: Seat) -> Iterator[Action]:
    orders = position.orders[seat]
    for zone in ZONES:
        if zone is not orders.surplus:
            yield SetSurplus(zone)
    if any(quirky(species, Quirk.FAST_METABOLISM) for species in position.rows[seat]):
        yield SetFastAging(not orders.fast_aging)


# Phase 2 --------------------------------------------------------------------------------------------


def _feeding(view: OceansView, seat: Seat, step: Feeding) -> Iterator[Action]:
    position = view.position
    yield from feedings(position, seat)
    if step.drop:
        yield from _drops(position, seat)
    yield Skip()


def feedings(position: Position, seat: Seat) -> Iterator[Forage | Attack]:
    """Every forage and attack of a seat's species that is legal now."""
    for species in position.rows[seat]:
        may_forage, may_attack = may_feed(position.meals, species)
        if may_forage:
            yield from forages(position, species)
        if may_attack:
            yield from attacks(position, species)


def _exchanging(view: OceansView, seat: Seat, step: Exchanging) -> Iterator[Action]:
    species = find(view.position, step.species)
    surface = [card for card in dict.fromkeys(view.hand) if not is_deep(card)]
    if species is not None:
        for card in dict.fromkeys(removable(species)):
            for replacement in surface:
                if replacement != card:
                    yield Exchange(species.key, card, replacement)
    yield Done()


def _swapping(view: OceansView, seat: Seat, step: Swapping) -> Iterator[Action]:
    yield from swaps(view.position, seat, step)
    yield Done()


def _choosing(view: OceansView, seat: Seat, step: Choosing) -> Iterator[Action]:
    yield from (Choose(option) for option in step.options)
    if step.reason is Reason.HYDRA:
        yield Done()


def _spilling(view: OceansView, seat: Seat, step: Spilling) -> Iterator[Action]:
    yield from _SPILLS


def _trimming(view: OceansView, seat: Seat, step: Trimming) -> Iterator[Action]:
    species = find(view.position, step.species)
    if species is not None:
        # The newest first: what the table does for somebody who is away.
        yield from (DropTrait(step.species, card) for card in dict.fromkeys(removable(species)[::-1]))


# Phase 4 --------------------------------------------------------------------------------------------


def _drawing(view: OceansView, seat: Seat, step: Drawing) -> Iterator[Action]:
    yield Draw()
    if step.deep:
        for pile, cards in enumerate(view.position.gene_pool, 1):
            if cards:
                yield TakeDeep(pile)
        if view.position.deep_deck:
            yield LookDeep()
    yield from (Discard(card) for card in dict.fromkeys(view.hand) if not is_deep(card))


def _keeping(view: OceansView, seat: Seat, step: Keeping) -> Iterator[Action]:
    if step.count == 2:
        for card, other in permutations(view.looking):
            yield Keep(card, other, None)
            yield Keep(card, None, other)
        return
    for card, first, second in permutations(view.looking):
        yield Keep(card, first, second)


_OFFERS: Final[Mapping[type[AnyStep], Callable[[OceansView, Seat, Any], Iterator[Action]]]] = {
    Playing: _playing,
    Feeding: _feeding,
    Spilling: _spilling,
    Trimming: _trimming,
    Choosing: _choosing,
    Exchanging: _exchanging,
    Swapping: _swapping,
    Drawing: _drawing,
    Keeping: _keeping,
}
