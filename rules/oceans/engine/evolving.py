"""Phase 1: cards are played to evolve species or to migrate population (rulebook, Phase 1)."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from rules.game import Action, Seat
from rules.oceans.actions import (
    Create,
    DiscardForNothing,
    Done,
    Evolve,
    Migrate,
    Mutate,
    RemoveTrait,
    SetAgingOnOtherTurns,
    SetOverflow,
)
from rules.oceans.cards.decks import NUMBER, TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Flag, Quirk, Trigger
from rules.oceans.causes import RuleCause
from rules.oceans.engine.gains import pay_gains, pay_trait_gains, scenario_gains, triggered_gains
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
from rules.oceans.engine.values import (
    effect_amount,
    has_flag,
    has_quirk,
    is_deep,
    is_effect_active,
    scenario_cause,
    slot_limit_with,
)
from rules.oceans.events import Created, Discarded, Evolved, StandingAnswersSet, TraitExchanged
from rules.oceans.model import OceansView, Position, Species, StandingAnswers
from rules.oceans.places import ZONES, ScorePile, Zone
from rules.oceans.steps import (
    AfterMigration,
    BeginFeeding,
    BoardCheck,
    Playing,
    RefillingPool,
    TakingFromScorePile,
    Trimming,
)

NEVER_STARTING_FLAGS: Final = frozenset({Flag.ON_ANYONE, Flag.ON_OPPONENT})
"""The flags of cards that can neither start a species nor come onto one by Rapid Mutation."""

_NO_PAYMENT: Final[tuple[Zone | None, ...]] = (None,)


def evolving_cost(card: Card, species: Species | None) -> int:
    """Return what evolving with a card costs: a Deep card's number, unless its species gets it free."""
    if not is_deep(card) or (species is not None and has_flag(species, Flag.FREE_DEEP_TRAITS)):
        return 0
    return NUMBER[card]


def gene_pool_tops(gene_pool: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
    """Return the cards that can be taken from the Gene Pool."""
    return tuple(dict.fromkeys(pile[-1] for pile in gene_pool if pile))


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


def may_play_from_pool(draft: MutablePosition) -> bool:
    """Whether a card of the Gene Pool may be played (Thermal Currents)."""
    return draft.plays_left > 0 and is_effect_active(draft, Effect.THERMAL_CURRENTS) and any(draft.gene_pool)


def has_removable_traits(position: PositionLike, seat: Seat) -> bool:
    """Whether the seat has a trait that it may remove."""
    return any(removable_traits(species) for species in position.rows[seat])


def skip_needless_playing(draft: MutablePosition) -> bool:
    """Finish phase 1 if nothing is left to do in it; return whether it is over.

    Cards that the hand cannot play are no longer owed.
    """
    if must_play_card(draft) or may_play_from_pool(draft):
        return False
    draft.plays_left = 0
    seat = draft.current_player
    if next(mutate_actions(draft.rows[seat], draft.gene_pool), None) is not None:
        return False
    if has_pre_feeding_effects(draft, seat) and has_removable_traits(draft, seat):
        return False
    finish_playing(draft)
    return True


def finish_playing(draft: MutablePosition) -> None:
    """End phase 1, and with it the exchanges of Rapid Mutation; feeding comes next."""
    draft.agenda.pop()
    draft.plays_left = 0
    row = draft.rows[draft.current_player]
    row[:] = [replace(each, mutates=False) if each.mutates else each for each in row]
    draft.push_steps(BeginFeeding())


# Playing cards --------------------------------------------------------------------------------------


def _spend_card(draft: MutablePosition, card: Card) -> None:
    """Take a card out of the hand, or the Gene Pool (Thermal Currents), and count it as played."""
    seat = draft.current_player
    draft.plays_left -= 1
    if is_deep(card) and card in gene_pool_tops(draft.gene_pool):
        index = next(i for i, pile in enumerate(draft.gene_pool) if pile and pile[-1] == card)
        draft.gene_pool[index] = draft.gene_pool[index][:-1]
        if not draft.gene_pool[index] and draft.deep_deck_size:
            draft.push_steps(RefillingPool(index + 1))
        return
    if is_deep(card):
        draft.deep_hand_sizes[seat] -= 1
    else:
        draft.surface_hand_sizes[seat] -= 1
    if card in draft.known_cards[seat]:
        draft.known_cards[seat] = without_card(draft.known_cards[seat], card)


def _pay_cost(draft: MutablePosition, card: Card, species: Species | None, zone: Zone | None) -> None:
    cost = evolving_cost(card, species)
    if cost and zone is not None:
        draft.move_population(ScorePile(draft.current_player), zone, cost, RuleCause.COST)


def evolve(draft: MutablePosition, action: Evolve) -> None:
    """Put a trait on a species; Vestigial Limb lets its player play another card.

    Raises KeyError if the species is gone.
    """
    species = draft.find_species(action.species)
    if species is None:
        raise KeyError(action.species)
    draft.push_steps(BoardCheck())
    _spend_card(draft, action.card)
    _pay_cost(draft, action.card, species, action.pay)
    quirks = TRAIT[action.card].quirks
    draft.replace_species(with_trait(species, action.card))
    draft.add_event(Evolved(action.species, action.card))
    if Quirk.VESTIGIAL_LIMB in quirks:
        draft.plays_left += 1
    if Quirk.CTHULHU_LEECH in quirks:
        draft.cthulhu_seat = draft.current_player
    pay_trait_gains(draft, action.species, action.card)


def create(draft: MutablePosition, action: Create) -> None:
    """Start a species with its first trait."""
    seat = draft.current_player
    draft.push_steps(BoardCheck())
    _spend_card(draft, action.card)
    _pay_cost(draft, action.card, None, action.pay)
    key = draft.new_key(seat)
    draft.rows[seat].insert(action.place, with_trait(Species(key, ()), action.card))
    draft.add_event(Created(key, action.card))
    pay_gains(draft, triggered_gains(draft, Trigger.CREATED, key))
    if is_effect_active(draft, Effect.FERTILE):
        cause = scenario_cause(draft, Effect.FERTILE)
        pay_gains(draft, scenario_gains(draft, Effect.FERTILE, (key,), cause))
    pay_trait_gains(draft, key, action.card)


def migrate(draft: MutablePosition, action: Migrate) -> None:
    """Discard a card to move population between two zones."""
    draft.push_steps(BoardCheck())
    _spend_card(draft, action.card)
    draft.discard_cards((action.card,))
    draft.add_event(Discarded(draft.current_player, action.card))
    moved = draft.move_population(action.source, action.target, NUMBER[action.card], RuleCause.MIGRATION)
    draft.push_steps(AfterMigration(to_reef=action.target is Zone.REEF and moved > 0))


def discard_for_nothing(draft: MutablePosition, action: DiscardForNothing) -> None:
    """Discard a card without effect, because no zone holds population."""
    draft.push_steps(BoardCheck())
    _spend_card(draft, action.card)
    draft.discard_cards((action.card,))
    draft.add_event(Discarded(draft.current_player, action.card))


def run_after_migration(draft: MutablePosition, step: AfterMigration) -> None:
    """Run the effects of a migration: Zooplankton gains, Detritus takes from the score pile."""
    if step.to_reef:
        pay_gains(draft, triggered_gains(draft, Trigger.MIGRATED_TO_REEF))
    if is_effect_active(draft, Effect.DETRITUS):
        cause = scenario_cause(draft, Effect.DETRITUS)
        amount = effect_amount(draft, Effect.DETRITUS)
        draft.push_steps(TakingFromScorePile(draft.current_player, amount, Zone.REEF, cause))


# Traits ---------------------------------------------------------------------------------------------


def remove_own_trait(draft: MutablePosition, action: RemoveTrait) -> None:
    """Remove a trait of the active player's species, which does not count as a card played.

    Raises KeyError if the species is gone.
    """
    if isinstance(draft.agenda[-1], Trimming):
        draft.agenda.pop()
    draft.push_steps(BoardCheck())
    remove_trait(draft, action.species, action.card)


def mutate_actions(row: Sequence[Species], pool: Sequence[tuple[Card, ...]]) -> Iterator[Mutate]:
    """Yield every exchange that Rapid Mutation allows: a Deep trait for the top of a Gene Pool pile."""
    tops = [(pile, cards[-1]) for pile, cards in enumerate(pool, 1) if cards]
    allowed_piles = [pile for pile, top in tops if not NEVER_STARTING_FLAGS & {*TRAIT[top].flags}]
    for species in row:
        for card in removable_traits(species) if species.mutates else ():
            if is_deep(card):
                yield from (Mutate(species.key, card, pile) for pile in allowed_piles)


def mutate(draft: MutablePosition, action: Mutate) -> None:
    """Rapid Mutation: exchange a Deep trait for the top of a Gene Pool pile, at no cost.

    Raises KeyError if the species is gone.
    """
    species = draft.find_species(action.species)
    if species is None:
        raise KeyError(action.species)
    draft.push_steps(BoardCheck())
    index = action.pile - 1
    pool_card = draft.gene_pool[index][-1]
    draft.gene_pool[index] = (*draft.gene_pool[index][:-1], action.card)
    mutated = with_trait(without_trait(species, action.card), pool_card)
    draft.replace_species(replace(mutated, mutates=False))
    draft.add_event(TraitExchanged(action.species, action.card, pool_card, action.pile))
    pay_trait_gains(draft, action.species, pool_card)


def ownership_allows(position: PositionLike, card: Card, seat: Seat, species: Species) -> bool:
    """Whether a seat may put a card on a species, judged by the owner of the species alone."""
    flags = TRAIT[card].flags
    is_own = owner_of(species.key) == seat
    if Flag.ON_OPPONENT in flags:
        return not is_own
    return is_own or Flag.ON_ANYONE in flags


# Legal actions ---------------------------------------------------------------------------------------


def _offer_plays(view: OceansView, seat: Seat, step: Playing) -> Iterator[Action]:
    position = view.position
    must_play = False
    if not position.plays_left:
        yield Done()
    if position.plays_left > 0:
        for card in dict.fromkeys(view.hand):
            if not is_deep(card) or position.cambrian_happened:
                must_play = True
                yield from evolving_actions(view, seat, card)
                yield from _migrate_actions(position, card)
        if is_effect_active(position, Effect.THERMAL_CURRENTS):
            for card in gene_pool_tops(position.gene_pool):
                yield from evolving_actions(view, seat, card)
    yield from remove_trait_actions(position, seat)
    yield from mutate_actions(position.rows[seat], position.gene_pool)
    if position.plays_left and not must_play:
        yield Done()
    if not position.standing_answers_set and position.rows[seat]:
        yield from _standing_answer_actions(position, seat)


def payment_zones(view: OceansView, card: Card, species: Species | None) -> tuple[Zone | None, ...]:
    """Return the zones that the cost may go to: (None,) if there is no cost, () if the cost is too high."""
    cost = evolving_cost(card, species)
    if not cost:
        return _NO_PAYMENT
    return ZONES if (view.score or 0) >= cost else ()


def has_slot_for(position: Position, card: Card, species: Species) -> bool:
    """Whether a species has a slot for the card, counting the slots that the card itself adds."""
    cards = (*species.traits, card)
    limit = slot_limit_with(position, cards)
    return limit is None or len(cards) <= limit


def evolving_actions(view: OceansView, seat: Seat, card: Card) -> Iterator[Action]:
    """Yield every way to evolve with a card: a new species at each place of the row, or a trait."""
    position = view.position
    never_starts_species = bool(NEVER_STARTING_FLAGS & {*TRAIT[card].flags})
    if not never_starts_species:
        for pay in payment_zones(view, card, None):
            for place in range(len(position.rows[seat]), -1, -1):
                yield Create(card, place, pay)
    for row in position.rows if never_starts_species else (position.rows[seat],):
        for species in row:
            if ownership_allows(position, card, seat, species) and has_slot_for(position, card, species):
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


def _standing_answer_actions(position: Position, seat: Seat) -> Iterator[Action]:
    standing_answers = position.standing_answers[seat]
    for zone in ZONES:
        if zone is not standing_answers.overflow:
            yield SetOverflow(zone)
    if any(has_quirk(species, Quirk.FAST_METABOLISM) for species in position.rows[seat]):
        yield SetAgingOnOtherTurns(not standing_answers.ages_on_other_turns)


# Standing answers ------------------------------------------------------------------------------------


def _set_overflow(draft: MutablePosition, action: SetOverflow) -> None:
    answers = draft.standing_answers[draft.current_player]
    _set_standing_answers(draft, replace(answers, overflow=action.zone))


def _set_aging_on_other_turns(draft: MutablePosition, action: SetAgingOnOtherTurns) -> None:
    _set_standing_answers(
        draft, replace(draft.standing_answers[draft.current_player], ages_on_other_turns=action.ages)
    )


def _set_standing_answers(draft: MutablePosition, standing_answers: StandingAnswers) -> None:
    draft.standing_answers[draft.current_player] = standing_answers
    draft.standing_answers_set = True
    draft.add_event(StandingAnswersSet(draft.current_player))


HANDLERS: Final = Handlers(
    apply={
        Evolve: evolve,
        Create: create,
        Migrate: migrate,
        DiscardForNothing: discard_for_nothing,
        RemoveTrait: remove_own_trait,
        Mutate: mutate,
        SetOverflow: _set_overflow,
        SetAgingOnOtherTurns: _set_aging_on_other_turns,
    },
    offer={Playing: _offer_plays},
    skip_if_needless={Playing: skip_needless_playing},
    run={AfterMigration: run_after_migration},
)
