"""Phase 1: cards are played to evolve species or to migrate population (rulebook, Phase 1)."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from rules.model import Action, Seat
from rules.oceans.actions import (
    Create,
    DiscardForNothing,
    Done,
    Evolve,
    Migrate,
    Mutate,
    RemoveTrait,
)
from rules.oceans.cards.decks import NUMBER_BY_CARD, TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Quirk, TraitFlag, Trigger
from rules.oceans.causes import RuleCause
from rules.oceans.engine.gains import (
    apply_gains,
    apply_gains_for_new_trait,
    gains_outside_feeding,
    scenario_gains,
)
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.pre_feeding import has_pre_feeding_effects
from rules.oceans.engine.ring import PositionLike, owner_of
from rules.oceans.engine.species_traits import (
    removable_traits,
    remove_trait,
    with_trait,
    without_card,
    without_trait,
)
from rules.oceans.engine.standing_answers import standing_answer_actions
from rules.oceans.engine.values import (
    effect_amount,
    has_flag,
    is_deep,
    is_effect_active,
    scenario_cause,
    slot_limit_for_traits,
)
from rules.oceans.events import Created, Discarded, Evolved, TraitExchanged
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.places import ZONES, ScorePile, Zone
from rules.oceans.steps import (
    AfterMigration,
    BeginningFeeding,
    BoardCheck,
    Playing,
    RefillingPool,
    TakingFromScorePile,
    Trimming,
)

NEVER_STARTING_FLAGS: Final = frozenset({TraitFlag.ON_ANY_SPECIES, TraitFlag.ON_OPPONENT})
"""The flags of cards that can neither start a species nor come onto one by Rapid Mutation."""

_NO_PAYMENT: Final[tuple[Zone | None, ...]] = (None,)


def evolving_cost(card: Card, species: Species | None) -> int:
    """Return what evolving with a card costs: a Deep card's number, unless its species gets it free."""
    if not is_deep(card) or (species is not None and has_flag(species, TraitFlag.FREE_DEEP_TRAITS)):
        return 0
    return NUMBER_BY_CARD[card]


def gene_pool_tops(gene_pool: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
    """Return the cards that can be taken from the Gene Pool."""
    return tuple(pile[-1] for pile in gene_pool if pile)


def must_play_card(position: Position | MutablePosition) -> bool:
    """Whether the active player must play another card and holds one that can be played."""
    return owed_card_count(position) > 0


def owed_card_count(position: Position | MutablePosition) -> int:
    """Return how many cards the active player must still play: no more than the hand can play now."""
    seat = position.current_player
    playable_count = position.surface_hand_sizes[seat]
    if position.cambrian_happened:
        playable_count += position.deep_hand_sizes[seat]
    return min(position.plays_left, playable_count)


def owes_one_more_card(position: Position) -> bool:
    """Whether exactly one card is still to be played after others of this turn.

    After the Cambrian Explosion a turn has two cards or more, and the explosion itself follows a first one.
    """
    return position.cambrian_happened and position.plays_left == owed_card_count(position) == 1


def _may_play_from_pool(position: MutablePosition) -> bool:
    """Whether a card of the Gene Pool may be played (Thermal Currents)."""
    return (
        position.plays_left > 0
        and is_effect_active(position, Effect.THERMAL_CURRENTS)
        and any(position.gene_pool)
    )


def has_removable_traits(position: PositionLike, seat: Seat) -> bool:
    """Whether the seat has a trait that it may remove."""
    return any(removable_traits(species) for species in position.rows[seat])


def _skip_needless_playing(position: MutablePosition) -> bool:
    """Finish phase 1 if nothing is left to do in it; return whether it is over.

    Cards that the hand cannot play are no longer owed.
    """
    if must_play_card(position) or _may_play_from_pool(position):
        return False
    position.plays_left = 0
    seat = position.current_player
    if may_mutate(position, seat):
        return False
    if has_pre_feeding_effects(position, seat) and has_removable_traits(position, seat):
        return False
    finish_playing(position)
    return True


def finish_playing(position: MutablePosition) -> None:
    """End phase 1, and with it the exchanges of Rapid Mutation; feeding comes next."""
    position.agenda.pop()
    position.plays_left = 0
    row = position.rows[position.current_player]
    row[:] = [replace(each, may_mutate=False) if each.may_mutate else each for each in row]
    position.push_steps(BeginningFeeding())


# Playing cards --------------------------------------------------------------------------------------


def _spend_card(position: MutablePosition, card: Card) -> None:
    """Take a card out of the hand, or the Gene Pool (Thermal Currents), and count it as played."""
    seat = position.current_player
    position.plays_left -= 1
    if is_deep(card) and card in gene_pool_tops(position.gene_pool):
        index = next(i for i, pile in enumerate(position.gene_pool) if pile and pile[-1] == card)
        position.gene_pool[index] = position.gene_pool[index][:-1]
        if not position.gene_pool[index] and position.deep_deck_size:
            position.push_steps(RefillingPool(index + 1))
        return
    if is_deep(card):
        position.deep_hand_sizes[seat] -= 1
    else:
        position.surface_hand_sizes[seat] -= 1
    if card in position.known_cards[seat]:
        position.known_cards[seat] = without_card(position.known_cards[seat], card)


def _pay_cost(position: MutablePosition, card: Card, species: Species | None, zone: Zone | None) -> None:
    cost = evolving_cost(card, species)
    if cost and zone is not None:
        position.move_population(ScorePile(position.current_player), zone, cost, RuleCause.COST)


def _apply_evolve(position: MutablePosition, action: Evolve) -> None:
    """Put a trait on a species; Vestigial Limb lets its player play another card.

    Raises KeyError if the species is gone.
    """
    species = position.find_species(action.species)
    if species is None:
        raise KeyError(action.species)
    position.push_steps(BoardCheck())
    _spend_card(position, action.card)
    _pay_cost(position, action.card, species, action.pay)
    quirks = TRAIT_BY_CARD[action.card].quirks
    position.replace_species(with_trait(species, action.card))
    position.add_event(Evolved(action.species, action.card))
    if Quirk.VESTIGIAL_LIMB in quirks:
        position.plays_left += 1
    if Quirk.CTHULHU_LEECH in quirks:
        position.cthulhu_seat = position.current_player
    apply_gains_for_new_trait(position, action.species, action.card)


def _apply_create(position: MutablePosition, action: Create) -> None:
    """Start a species with its first trait."""
    seat = position.current_player
    position.push_steps(BoardCheck())
    _spend_card(position, action.card)
    _pay_cost(position, action.card, None, action.pay)
    key = position.take_next_key(seat)
    position.rows[seat].insert(action.place, with_trait(Species(key, ()), action.card))
    position.add_event(Created(key, action.card))
    apply_gains(position, gains_outside_feeding(position, Trigger.CREATED, key))
    if is_effect_active(position, Effect.FERTILE):
        apply_gains(position, scenario_gains(position, Effect.FERTILE, (key,)))
    apply_gains_for_new_trait(position, key, action.card)


def _apply_migrate(position: MutablePosition, action: Migrate) -> None:
    """Discard a card to move population between two zones."""
    position.push_steps(BoardCheck())
    _spend_card(position, action.card)
    position.discard_cards((action.card,))
    position.add_event(Discarded(position.current_player, (action.card,)))
    moved = position.move_population(
        action.source, action.target, NUMBER_BY_CARD[action.card], RuleCause.MIGRATION
    )
    position.push_steps(AfterMigration(to_reef=action.target is Zone.REEF and moved > 0))


def _apply_discard_for_nothing(position: MutablePosition, action: DiscardForNothing) -> None:
    """Discard a card without effect, because no zone holds population."""
    position.push_steps(BoardCheck())
    _spend_card(position, action.card)
    position.discard_cards((action.card,))
    position.add_event(Discarded(position.current_player, (action.card,)))


def _run_after_migration(position: MutablePosition, step: AfterMigration) -> None:
    """Run the effects of a migration: Zooplankton gains, Detritus takes from the score pile."""
    if step.to_reef:
        apply_gains(position, gains_outside_feeding(position, Trigger.MIGRATED_TO_REEF))
    if is_effect_active(position, Effect.DETRITUS):
        cause = scenario_cause(position, Effect.DETRITUS)
        amount = effect_amount(position, Effect.DETRITUS)
        position.push_steps(TakingFromScorePile(position.current_player, amount, Zone.REEF, cause))


# Traits ---------------------------------------------------------------------------------------------


def _apply_remove_trait(position: MutablePosition, action: RemoveTrait) -> None:
    """Remove a trait of the active player's species, which does not count as a card played.

    Raises KeyError if the species is gone.
    """
    if isinstance(position.agenda[-1], Trimming):
        position.agenda.pop()
    position.push_steps(BoardCheck())
    remove_trait(position, action.species, action.card)


def mutate_actions(row: Sequence[Species], gene_pool: Sequence[tuple[Card, ...]]) -> Iterator[Mutate]:
    """Yield every exchange that Rapid Mutation allows: a Deep trait for the top of a Gene Pool pile."""
    tops = [(pile, cards[-1]) for pile, cards in enumerate(gene_pool, 1) if cards]
    allowed_piles = [pile for pile, top in tops if not NEVER_STARTING_FLAGS & {*TRAIT_BY_CARD[top].flags}]
    for species in row:
        for card in removable_traits(species) if species.may_mutate else ():
            if is_deep(card):
                yield from (Mutate(species.key, card, pile) for pile in allowed_piles)


def may_mutate(position: Position | MutablePosition, seat: Seat) -> bool:
    """Whether Rapid Mutation lets a seat exchange a trait."""
    return next(mutate_actions(position.rows[seat], position.gene_pool), None) is not None


def _apply_mutate(position: MutablePosition, action: Mutate) -> None:
    """Rapid Mutation: exchange a Deep trait for the top of a Gene Pool pile, at no cost.

    Raises KeyError if the species is gone.
    """
    species = position.find_species(action.species)
    if species is None:
        raise KeyError(action.species)
    position.push_steps(BoardCheck())
    index = action.pile - 1
    pool_card = position.gene_pool[index][-1]
    position.gene_pool[index] = (*position.gene_pool[index][:-1], action.card)
    mutated = with_trait(without_trait(species, action.card), pool_card)
    position.replace_species(replace(mutated, may_mutate=False))
    position.add_event(TraitExchanged(action.species, action.card, pool_card, action.pile))
    apply_gains_for_new_trait(position, action.species, pool_card)


def ownership_allows(card: Card, seat: Seat, species: Species) -> bool:
    """Whether a seat may put a card on a species, judged by the owner of the species alone."""
    flags = TRAIT_BY_CARD[card].flags
    is_own = owner_of(species.key) == seat
    if TraitFlag.ON_OPPONENT in flags:
        return not is_own
    return is_own or TraitFlag.ON_ANY_SPECIES in flags


# Legal actions ---------------------------------------------------------------------------------------


def _offer_playing_actions(view: OceansView, seat: Seat, step: Playing) -> Iterator[Action]:
    position = view.position
    if not must_play_card(position):
        yield Done()
    if position.plays_left > 0:
        for card in dict.fromkeys(view.hand):
            if not is_deep(card) or position.cambrian_happened:
                yield from evolving_actions(view, seat, card)
                yield from _migrate_actions(position, card)
        if is_effect_active(position, Effect.THERMAL_CURRENTS):
            for card in gene_pool_tops(position.gene_pool):
                yield from evolving_actions(view, seat, card)
    yield from remove_trait_actions(position, seat)
    yield from mutate_actions(position.rows[seat], position.gene_pool)
    yield from standing_answer_actions(position, seat)


def payment_zones(view: OceansView, card: Card, species: Species | None) -> tuple[Zone | None, ...]:
    """Return the zones that the cost may go to: (None,) if there is no cost, () if the cost is too high."""
    cost = evolving_cost(card, species)
    if not cost:
        return _NO_PAYMENT
    return ZONES if (view.score_pile or 0) >= cost else ()


def has_slot_for(position: Position, card: Card, species: Species) -> bool:
    """Whether a species has a slot for the card, counting the slots that the card itself adds."""
    cards = (*species.traits, card)
    limit = slot_limit_for_traits(position, cards)
    return limit is None or len(cards) <= limit


def evolving_actions(view: OceansView, seat: Seat, card: Card) -> Iterator[Action]:
    """Yield every way to evolve with a card: a new species at each place of the row, or a trait."""
    position = view.position
    goes_on_others = bool(NEVER_STARTING_FLAGS & {*TRAIT_BY_CARD[card].flags})
    if not goes_on_others:
        for pay in payment_zones(view, card, None):
            for place in range(len(position.rows[seat]), -1, -1):
                yield Create(card, place, pay)
    for row in position.rows if goes_on_others else (position.rows[seat],):
        for species in row:
            if ownership_allows(card, seat, species) and has_slot_for(position, card, species):
                for pay in payment_zones(view, card, species):
                    yield Evolve(card, species.key, pay)


@cache
def _migrate_actions_by_source(card: Card) -> tuple[tuple[Migrate, ...], ...]:
    """Return every migration with a card, by source in the order of ``ZONES``; cached for speed."""
    return tuple(
        tuple(Migrate(card, source, target) for target in ZONES if target is not source) for source in ZONES
    )


def _migrate_actions(position: Position, card: Card) -> Iterator[Action]:
    if not any(position.zone_populations):
        yield DiscardForNothing(card)
        return
    for population, actions in zip(position.zone_populations, _migrate_actions_by_source(card), strict=True):
        if population:
            yield from actions


def remove_trait_actions(position: Position, seat: Seat) -> Iterator[Action]:
    """Yield every removal of a trait that a seat may make."""
    for species in position.rows[seat]:
        for card in dict.fromkeys(removable_traits(species)):
            yield RemoveTrait(species.key, card)


HANDLERS: Final = Handlers(
    apply={
        Evolve: _apply_evolve,
        Create: _apply_create,
        Migrate: _apply_migrate,
        DiscardForNothing: _apply_discard_for_nothing,
        RemoveTrait: _apply_remove_trait,
        Mutate: _apply_mutate,
    },
    offer={Playing: _offer_playing_actions},
    skip_if_needless={Playing: _skip_needless_playing},
    run={AfterMigration: _run_after_migration},
)
