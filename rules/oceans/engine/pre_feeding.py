"""The effects before the active player's species feed: leeches, drains, exchanges, swaps (O7)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rules.model import Action, Seat
from rules.oceans.actions import Done, Exchange, Swap
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Drain, Leech, PreFeedingTargets, Quirk, Sting, Trait, TraitFlag
from rules.oceans.causes import TraitCause
from rules.oceans.engine.gains import apply_gains_for_new_trait
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import (
    PositionLike,
    find_species,
    neighbour_keys,
    neighbours,
    owner_of,
    species_ring,
)
from rules.oceans.engine.species_traits import (
    abilities_of,
    removable_traits,
    with_trait,
    without_card,
    without_trait,
)
from rules.oceans.engine.values import (
    attack_value,
    count_deep_traits,
    forage_value,
    free_space_count,
    has_flag,
    is_deep,
    is_effect_active,
    trait_profile,
)
from rules.oceans.events import TraitExchanged, TraitsSwapped
from rules.oceans.model import OceansView, Species
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, ScorePile, SpeciesBoard, Zone
from rules.oceans.steps import (
    AnyStep,
    BeginningFeeding,
    BoardCheck,
    ChoiceKind,
    ChoiceOption,
    Choosing,
    Exchanging,
    Feeding,
    PreFeedingTrait,
    Swapping,
    TakingFromScorePile,
)

_TAKEN_AMOUNT: Final = 2
"""How much Grazer and Coprophagia take."""
_PRE_FEEDING_QUIRKS: Final = frozenset(
    {Quirk.ATAVISM, Quirk.COPROPHAGIA, Quirk.GENE_TRANSFER, Quirk.GRAZER, Quirk.LIVING_ECOSYSTEM}
)


def _acts_before_feeding(trait: Trait) -> bool:
    """Whether a trait acts before its owner's feeding."""
    return bool(_PRE_FEEDING_QUIRKS & {*trait.quirks}) or any(
        isinstance(ability, Leech | Drain) for ability in trait.abilities
    )


def has_pre_feeding_effects(position: PositionLike, seat: Seat) -> bool:
    """Whether anything acts before a seat's feeding; if so, traits can be removed in phase 1 only."""
    row = position.rows[seat]
    if row and is_effect_active(position, Effect.GENE_SWAP) and len(species_ring(position)) > 1:
        return True
    return any(
        _acts_before_feeding(trait) for species in row for trait in trait_profile(species.traits).traits
    )


def _run_beginning_feeding(position: MutablePosition, step: BeginningFeeding) -> None:
    """Put the steps before feeding on the agenda: the Scenario card's swap, then the traits."""
    seat = position.current_player
    steps: list[AnyStep] = []
    has_effects = has_pre_feeding_effects(position, seat)
    if (
        position.rows[seat]
        and is_effect_active(position, Effect.GENE_SWAP)
        and legal_swaps(position, seat, Swapping(1))
    ):
        steps += [Swapping(1), BoardCheck()]
    if has_effects:
        steps += [PreFeedingTrait(), BoardCheck()]
    position.push_steps(*steps, Feeding(may_remove_traits=not has_effects))


def _run_pre_feeding_trait(position: MutablePosition, step: PreFeedingTrait) -> None:
    """Let the next trait act: species left to right, traits in the order they were played.

    The row is read again each time, so a trait that comes by an exchange or a swap acts too.  One that has
    acted does not act again on another species.  Cards of the same code are alike.
    """
    acted_cards = list(step.acted_cards)
    for species in position.rows[position.current_player]:
        for card in species.traits:
            if card in acted_cards:
                acted_cards.remove(card)
            elif _acts_before_feeding(TRAIT_BY_CARD[card]):
                position.push_steps(PreFeedingTrait((*step.acted_cards, card)))
                _run_trait(position, species, card)
                return


def _run_trait(position: MutablePosition, species: Species, card: Card) -> None:
    trait = TRAIT_BY_CARD[card]
    leech_by_trait(position, species, card)
    for ability in trait.abilities:
        if isinstance(ability, Drain):
            _drain(position, species, card, ability)
    for quirk in trait.quirks:
        if quirk in _RUN_BY_QUIRK:
            _RUN_BY_QUIRK[quirk](position, species, card)


# Leeches and drains ---------------------------------------------------------------------------------


def _can_be_leeched(position: PositionLike, species: Species) -> bool:
    """Whether a species may be leeched."""
    if has_flag(species, TraitFlag.NEVER_LEECHED):
        return False
    return not (
        has_flag(species, TraitFlag.NEVER_LEECHED_UNLESS_REEF_EMPTY)
        and position.zone_populations[ZONE_INDEX[Zone.REEF]]
    )


def _find_pre_feeding_targets(
    position: MutablePosition, species: Species, targets: PreFeedingTargets
) -> list[Species]:
    """Return the species that a leech or drain reaches, with or without population."""
    others = [each for each in species_ring(position) if each.key != species.key]
    match targets:
        case PreFeedingTargets.LEFT:
            left, _ = neighbours(position, species.key)
            return [] if left is None else [left]
        case PreFeedingTargets.NEIGHBOUR:
            return [each for each in others if each.key in neighbour_keys(position, species.key)]
        case PreFeedingTargets.HIGHEST_ATTACK:
            highest_attack = max((attack_value(position, each) or 0 for each in others), default=0)
            return [each for each in others if (attack_value(position, each) or 0) == highest_attack]
        case PreFeedingTargets.DEEP:
            return [each for each in others if count_deep_traits(each)]
        case PreFeedingTargets.SCHOOLING:
            return [each for each in others if "Schooling" in trait_profile(each.traits).families]
        case PreFeedingTargets.LEECHING:
            return [each for each in others if trait_profile(each.traits).has_leech]


def _find_leech(card: Card) -> Leech | None:
    """Return the ability by which a trait leeches; None if it does not leech."""
    return next((each for each in TRAIT_BY_CARD[card].abilities if isinstance(each, Leech)), None)


def leech_by_trait(position: MutablePosition, species: Species, card: Card) -> None:
    """Leech by one trait, if it leeches; the owner picks one of several possible targets."""
    leech = _find_leech(card)
    if leech is None or not free_space_count(position, species):
        return
    targets = [
        SpeciesBoard(each.key)
        for each in _find_pre_feeding_targets(position, species, leech.targets)
        if each.population and _can_be_leeched(position, each)
    ]
    if len(targets) > 1:
        position.push_steps(Choosing(ChoiceKind.LEECH, tuple(targets), TraitCause(card), species.key))
    elif targets:
        leech_from(position, species.key, targets[0].species, leech.amount, card)


def _answer_leech(position: MutablePosition, step: Choosing, option: ChoiceOption) -> None:
    assert isinstance(option, SpeciesBoard)
    assert isinstance(step.cause, TraitCause)
    leech = _find_leech(step.cause.card)
    assert leech is not None
    leech_from(position, step.species, option.species, leech.amount, step.cause.card)


def leech_from(position: MutablePosition, key: str, target_key: str, amount: int, card: Card) -> None:
    """Leech from a species, if it can be leeched; then its stinging traits act on the leecher."""
    target = position.find_species(target_key)
    if target is None or not _can_be_leeched(position, target):
        return
    if not position.move_population(SpeciesBoard(target_key), SpeciesBoard(key), amount, TraitCause(card)):
        return
    for target_card, ability in abilities_of(target):
        if isinstance(ability, Sting) and ability.stings_leechers:
            position.move_population(SpeciesBoard(key), Zone.REEF, ability.amount, TraitCause(target_card))


def _drain(position: MutablePosition, species: Species, card: Card, drain: Drain) -> None:
    target = Zone.REEF if drain.to_reef else SpeciesBoard(species.key)
    for each in _find_pre_feeding_targets(position, species, drain.targets):
        position.move_population(SpeciesBoard(each.key), target, drain.amount, TraitCause(card))


# Quirks ---------------------------------------------------------------------------------------------


def _run_grazer(position: MutablePosition, species: Species, card: Card) -> None:
    position.move_population(Zone.REEF, SpeciesBoard(species.key), _TAKEN_AMOUNT, TraitCause(card))


def _run_coprophagia(position: MutablePosition, species: Species, card: Card) -> None:
    if free_space_count(position, species):
        piles = tuple(
            ScorePile(Seat(seat)) for seat in range(position.seat_count) if not position.resigned[seat]
        )
        position.push_steps(Choosing(ChoiceKind.SCORE_PILE, piles, TraitCause(card), species.key))


def _answer_score_pile(position: MutablePosition, step: Choosing, option: ChoiceOption) -> None:
    """Coprophagia: let chance reveal how much the chosen score pile gives."""
    assert isinstance(option, ScorePile)
    species = position.find_species(step.species)
    max_count = 0 if species is None else min(_TAKEN_AMOUNT, free_space_count(position, species))
    if max_count:
        position.push_steps(
            TakingFromScorePile(option.seat, max_count, SpeciesBoard(step.species), step.cause)
        )


def _run_living_ecosystem(position: MutablePosition, species: Species, card: Card) -> None:
    zones = tuple(zone for zone in OCEAN_ZONES if position.zone_populations[ZONE_INDEX[zone]])
    if not forage_value(position, species) or not zones:
        return
    step = Choosing(ChoiceKind.FEED_REEF, zones, TraitCause(card), species.key)
    if len(zones) == 1:
        _answer_feed_reef(position, step, zones[0])
    else:
        position.push_steps(step)


def _answer_feed_reef(position: MutablePosition, step: Choosing, option: ChoiceOption) -> None:
    """Living Ecosystem: move population equal to the Forage from an Ocean zone to the Reef."""
    assert isinstance(option, Zone)
    species = position.find_species(step.species)
    if species is not None:
        position.move_population(option, Zone.REEF, forage_value(position, species) or 0, step.cause)


def _run_atavism(position: MutablePosition, species: Species, card: Card) -> None:
    exchange_count = min(len(removable_traits(species)), position.surface_hand_sizes[position.current_player])
    if exchange_count:
        position.push_steps(Exchanging(species.key, exchange_count))


def _run_gene_transfer(position: MutablePosition, species: Species, card: Card) -> None:
    swap_count = sum(not is_deep(each) for each in species.traits)
    step = Swapping(swap_count, species.key)
    if swap_count and legal_swaps(position, position.current_player, step):
        position.push_steps(step)


_RUN_BY_QUIRK: Final[Mapping[Quirk, Callable[[MutablePosition, Species, Card], None]]] = {
    Quirk.GRAZER: _run_grazer,
    Quirk.COPROPHAGIA: _run_coprophagia,
    Quirk.LIVING_ECOSYSTEM: _run_living_ecosystem,
    Quirk.ATAVISM: _run_atavism,
    Quirk.GENE_TRANSFER: _run_gene_transfer,
}


# Exchanges and swaps --------------------------------------------------------------------------------


def _apply_exchange(position: MutablePosition, action: Exchange) -> None:
    """Atavism: take a trait back into the hand, seen by all, and put a Surface card in its place.

    Raises KeyError if the species is gone.
    """
    step = position.agenda.pop()
    assert isinstance(step, Exchanging)
    species = position.find_species(action.species)
    if species is None:
        raise KeyError(action.species)
    seat = position.current_player
    position.replace_species(with_trait(without_trait(species, action.card), action.replacement))
    if is_deep(action.card):
        position.surface_hand_sizes[seat] -= 1
        position.deep_hand_sizes[seat] += 1
    known_cards = position.known_cards[seat]
    if action.replacement in known_cards:
        known_cards = without_card(known_cards, action.replacement)
    position.known_cards[seat] = (*known_cards, action.card)
    position.add_event(TraitExchanged(action.species, action.card, action.replacement))
    steps: list[AnyStep] = [BoardCheck()]
    if step.exchanges_left > 1 and position.surface_hand_sizes[seat]:
        steps.append(Exchanging(step.species, step.exchanges_left - 1))
    position.push_steps(*steps)
    apply_gains_for_new_trait(position, action.species, action.replacement)


def legal_swaps(position: PositionLike, seat: Seat, step: Swapping) -> list[Swap]:
    """Return every swap that the step allows, between a species of the seat and one beside it.

    Gene Transfer gives only Surface traits of its species, and only to one neighbour of the same owner: the
    neighbour that was chosen first.
    """
    swaps: list[Swap] = []
    for species in position.rows[seat]:
        if step.species and species.key != step.species:
            continue
        own_traits = [card for card in removable_traits(species) if not (step.species and is_deep(card))]
        for key in neighbour_keys(position, species.key):
            neighbour = find_species(position, key)
            if neighbour is None or (step.species and owner_of(key) != seat) or step.other not in {"", key}:
                continue
            swaps += [
                Swap(species.key, card, key, other_card)
                for card in dict.fromkeys(own_traits)
                for other_card in dict.fromkeys(removable_traits(neighbour))
                if other_card != card
            ]
    return swaps


def _apply_swap(position: MutablePosition, action: Swap) -> None:
    """Swap a trait of one species with a trait of one beside it.  Raises KeyError if a species is gone."""
    step = position.agenda.pop()
    assert isinstance(step, Swapping)
    species, neighbour = position.find_species(action.species), position.find_species(action.other)
    if species is None or neighbour is None:
        raise KeyError(action.species)
    position.replace_species(with_trait(without_trait(species, action.card), action.other_card))
    position.replace_species(with_trait(without_trait(neighbour, action.other_card), action.card))
    position.add_event(TraitsSwapped(action.species, action.card, action.other, action.other_card))
    steps: list[AnyStep] = [BoardCheck()]
    next_step = Swapping(step.swaps_left - 1, step.species, action.other if step.species else "")
    if next_step.swaps_left and legal_swaps(position, position.current_player, next_step):
        steps.append(next_step)
    position.push_steps(*steps)
    apply_gains_for_new_trait(position, action.species, action.other_card)
    apply_gains_for_new_trait(position, action.other, action.card)


# Legal actions ---------------------------------------------------------------------------------------


def _offer_exchanges(view: OceansView, seat: Seat, step: Exchanging) -> Iterator[Action]:
    species = find_species(view.position, step.species)
    surface_cards = [card for card in dict.fromkeys(view.hand) if not is_deep(card)]
    if species is not None:
        for card in dict.fromkeys(removable_traits(species)):
            for replacement in surface_cards:
                if replacement != card:
                    yield Exchange(species.key, card, replacement)
    yield Done()


def _offer_swaps(view: OceansView, seat: Seat, step: Swapping) -> Iterator[Action]:
    yield from legal_swaps(view.position, seat, step)
    yield Done()


HANDLERS: Final = Handlers(
    apply={Exchange: _apply_exchange, Swap: _apply_swap},
    offer={Exchanging: _offer_exchanges, Swapping: _offer_swaps},
    answer={
        ChoiceKind.LEECH: _answer_leech,
        ChoiceKind.SCORE_PILE: _answer_score_pile,
        ChoiceKind.FEED_REEF: _answer_feed_reef,
    },
    run={BeginningFeeding: _run_beginning_feeding, PreFeedingTrait: _run_pre_feeding_trait},
)
