"""The words of phase 1: what is played, removed or exchanged."""

from collections.abc import Iterator, Mapping
from typing import Final

from rules.model import Action, Names, Seat
from rules.narration import Item, Sentence, clause_sentence
from rules.oceans.actions import Create, DiscardForNothing, Evolve, Migrate, Mutate, RemoveTrait
from rules.oceans.cards.decks import NUMBER_BY_CARD, TRAIT_BY_CARD, Card
from rules.oceans.causes import RuleCause
from rules.oceans.engine.playing import (
    NEVER_STARTING_FLAGS,
    evolving_cost,
    gene_pool_tops,
    mutate_actions,
)
from rules.oceans.engine.ring import find_species, neighbour_keys_of_place
from rules.oceans.engine.values import is_deep
from rules.oceans.events import Created, Discarded, Evolved, TraitExchanged, TraitRemoved
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.places import ZONE_INDEX, ZONES, Zone
from rules.oceans.steps import AnyStep, Feeding, Playing, Trimming
from rules.oceans.words.action_words import (
    ALLOWED_TEXT,
    CARD_HINT,
    OWN_SPECIES_HINT,
    PILE_HINT,
    TRAIT_HINT,
    ZONE_HINT,
    ActionWords,
    NarrationContext,
    PreviewedChange,
)
from rules.oceans.words.card_refusals import card_refusal, payment_refusal, species_refusal
from rules.oceans.words.phrases import (
    MAX_LABEL_LENGTH,
    ZONE_WORDS,
    card_text,
    new_species_place_text,
    place_text,
    species_text,
)
from rules.oceans.words.reference_errors import own_species_error, pile_error, removable_trait_error
from rules.text import capitalized, first_fitting, listed, shortened
from rules.words import VerbTexts


def _cost_text(card: Card, species: Species | None, pay: Zone | None) -> str:
    return "" if pay is None else f", {evolving_cost(card, species)} to {ZONE_WORDS[pay]}"


def _gene_pool_note(view: OceansView, card: Card) -> str:
    """Return a note on a card that comes from the Gene Pool instead of the hand (Thermal Currents)."""
    return "" if card in view.hand else " (Gene Pool)"


def _narrate_payment(context: NarrationContext) -> str:
    """Return the words for the payment and take its movement out of the context; empty if there is none."""
    payment = context.consume_movement(RuleCause.COST)
    if payment is None:
        return ""
    return f" and pays {payment.count} to {place_text(payment.target, context.names)}"


def _from_gene_pool_text(before: Position, card: Card) -> str:
    return " from the Gene Pool" if card in gene_pool_tops(before.gene_pool) else ""


# Evolving -------------------------------------------------------------------------------------------


def _evolve_label(view: OceansView, action: Evolve, names: Names) -> str:
    card, key = action.card, action.species
    species = find_species(view.position, key)
    if species is None:
        return f"Evolve {key} with {card_text(card)}"
    cost_text = _cost_text(card, species, action.pay)
    card_with_note = f"{card_text(card)}{_gene_pool_note(view, card)}"
    return first_fitting(
        MAX_LABEL_LENGTH,
        f"Evolve {species_text(species)} with {card_with_note}{cost_text}",
        f"Evolve {key} with {card_with_note}{cost_text}",
    )


def _create_label(view: OceansView, action: Create, names: Names) -> str:
    position = view.position
    where = new_species_place_text(position, position.current_player, action.place)
    cost_text = _cost_text(action.card, None, action.pay)
    note = _gene_pool_note(view, action.card)
    return first_fitting(
        MAX_LABEL_LENGTH,
        f"New species {where}: {card_text(action.card)}{note}{cost_text}",
        f"New {where}: {card_text(action.card)}{note}{cost_text}",
    )


def new_species_wordings(view: OceansView, action: Create) -> tuple[str, ...]:
    """Return how people may type the start of a species: the card first, its place by one neighbour."""
    position, card_name = view.position, card_text(action.card)
    seat, cost_text = position.current_player, _cost_text(action.card, None, action.pay)
    label_place = new_species_place_text(position, seat, action.place)
    neighbours = neighbour_keys_of_place(position, seat, action.place)
    other_places = [] if neighbours is None else [f"right of {neighbours[0]}", f"left of {neighbours[1]}"]
    return (
        *(f"New species: {card_name} {place}{cost_text}" for place in (label_place, *other_places)),
        *(f"New species {place}: {card_name}{cost_text}" for place in other_places),
    )


def _narrate_evolve(context: NarrationContext, action: Evolve) -> Iterator[str | Sentence]:
    context.consume(Evolved)
    name, card_name = context.actor_name, card_text(action.card)
    origin = _from_gene_pool_text(context.before, action.card)
    if payment_text := _narrate_payment(context):
        yield f"{name} evolves {action.species} with {card_name}{origin}{payment_text}."
    else:
        item = Item(action.species, means=card_name, place=origin.strip())
        yield clause_sentence(name, "evolves", item)


def _narrate_create(context: NarrationContext, action: Create) -> Iterator[str]:
    created = context.consume(Created)
    key = created.species if isinstance(created, Created) else "a species"
    before, actor = context.before, context.actor
    where = new_species_place_text(before, actor, action.place) if before.rows[actor] else ""
    origin = _from_gene_pool_text(context.before, action.card)
    start = f"{context.actor_name} starts {key} {where}".rstrip()
    yield f"{start} with {card_text(action.card)}{origin}{_narrate_payment(context)}."


def _evolution_refusal(
    view: OceansView, seat: Seat, step: AnyStep, action: Evolve | Create, names: Names
) -> str:
    position, card = view.position, action.card
    error = card_refusal(view, card, is_evolving=True)
    if error is not None:
        return error
    species = None
    if isinstance(action, Create):
        if NEVER_STARTING_FLAGS & {*TRAIT_BY_CARD[card].flags}:
            return f"{card_text(card)} never starts a species: put it on one that is in play."
        species_count = len(position.rows[seat])
        if not 0 <= action.place <= species_count:
            return f"The place is how many of your species stand to its left: 0 to {species_count}."
    else:
        error = species_refusal(view, seat, card, action.species, names)
        if error is not None:
            return error
        species = find_species(position, action.species)
    return payment_refusal(view, card, evolving_cost(card, species), action.pay) or ALLOWED_TEXT


# Migrating ------------------------------------------------------------------------------------------


def _migrate_label(view: OceansView, action: Migrate, names: Names) -> str:
    source_name, target_name = ZONE_WORDS[action.source], ZONE_WORDS[action.target]
    number, population = (
        NUMBER_BY_CARD[action.card],
        view.position.zone_populations[ZONE_INDEX[action.source]],
    )
    count_text = f"all {population}" if population < number else str(number)
    return f"Move {count_text} population from {source_name} to {target_name} ({card_text(action.card)})"


def _narrate_migrate(context: NarrationContext, action: Migrate) -> Iterator[str]:
    context.consume(Discarded)
    moved = context.consume_movement(RuleCause.MIGRATION)
    count = 0 if moved is None else moved.count
    movement = f"{count} from {ZONE_WORDS[action.source]} to {ZONE_WORDS[action.target]}"
    yield f"{context.actor_name} migrates {movement} with {card_text(action.card)}."


def _narrate_discard_for_nothing(context: NarrationContext, action: DiscardForNothing) -> Iterator[str]:
    context.consume(Discarded)
    yield f"{context.actor_name} discards {card_text(action.card)}: nothing is left to migrate."


def _migration_refusal(
    view: OceansView, seat: Seat, step: AnyStep, action: Migrate | DiscardForNothing, names: Names
) -> str:
    position = view.position
    error = card_refusal(view, action.card, is_evolving=False)
    if error is not None:
        return error
    populated = [ZONE_WORDS[zone] for zone in ZONES if position.zone_populations[ZONE_INDEX[zone]]]
    if isinstance(action, DiscardForNothing):
        if not populated:
            return ALLOWED_TEXT
        return (
            "You can discard a card for nothing only when every zone is empty. Migrate from "
            f"{listed(populated, 'or')}."
        )
    if not populated:
        return f"Every zone is empty, so nothing can migrate: use `cast {action.card}` instead."
    if action.source is action.target:
        return "Population migrates from one zone to another one: name two different zones."
    if not position.zone_populations[ZONE_INDEX[action.source]]:
        return f"{capitalized(ZONE_WORDS[action.source])} is empty: migrate from {listed(populated, 'or')}."
    return ALLOWED_TEXT


# Traits ---------------------------------------------------------------------------------------------


def _narrate_remove_trait(context: NarrationContext, action: RemoveTrait) -> Iterator[Sentence]:
    context.consume(TraitRemoved)
    item = Item(card_text(action.card), place=f"from {action.species}")
    yield clause_sentence(context.actor_name, "removes", item)


def _remove_trait_refusal(
    view: OceansView, seat: Seat, step: AnyStep, action: RemoveTrait, names: Names
) -> str:
    position = view.position
    if isinstance(step, Feeding) and not step.may_remove_traits:
        return "You can only remove traits in the card phase. Now feed a species, or pass with `skip`."
    error = own_species_error(position, seat, action.species, names)
    if error is not None:
        return error
    if isinstance(step, Trimming) and action.species != step.species:
        return f"{step.species} has too many traits: remove one of {step.species}'s."
    return removable_trait_error(position, action.species, action.card) or ALLOWED_TEXT


def _mutate_label(view: OceansView, action: Mutate, names: Names) -> str:
    top_text = card_text(view.position.gene_pool[action.pile - 1][-1])
    return shortened(
        f"On {action.species} exchange {card_text(action.card)} for {top_text}, pile {action.pile}",
        MAX_LABEL_LENGTH,
    )


def _mutate_refusal(view: OceansView, seat: Seat, step: AnyStep, action: Mutate, names: Names) -> str:
    position = view.position
    error = own_species_error(position, seat, action.species, names)
    if error is not None:
        return error
    species = find_species(position, action.species)
    if species is None or not species.may_mutate:
        return f"{action.species} cannot exchange a trait now: that takes Rapid Mutation and an attack on it."
    error = removable_trait_error(position, action.species, action.card)
    if error is not None:
        return error
    if not is_deep(action.card):
        return f"{card_text(action.card)} is a Surface trait: Rapid Mutation exchanges Deep traits."
    piles = {each.pile for each in mutate_actions(position.rows[seat], position.gene_pool)}
    if not piles:
        return "The Gene Pool has no card that your species can get: play on without an exchange."
    error = pile_error(position, action.pile)
    return error or "The card on that pile cannot be put on your species: name the other pile."


_PAY_HINT: Final = "The zone that gets a Deep card's cost: reef, z1, z2 or z3"

PLAYING_WORDS: Final[Mapping[type[Action], ActionWords]] = {
    Create: ActionWords(
        verb_texts=VerbTexts(
            "New species",
            "Start a species with a card of your hand",
            {"card": CARD_HINT, "place": "How many of your species stand to its left", "pay": _PAY_HINT},
        ),
        step_types=(Playing,),
        label=_create_label,
        refusal=_evolution_refusal,
        narrate=_narrate_create,
        preview_omits_first_of=(Created,),
        preview_omits_cause=RuleCause.COST,
        previewed_change=PreviewedChange.VALUES,
        preview_opening=lambda view, action: TRAIT_BY_CARD[action.card].full_text,
    ),
    Evolve: ActionWords(
        verb_texts=VerbTexts(
            "Evolve",
            "Put a card of your hand on a species as a trait",
            {"card": CARD_HINT, "species": "The species, such as A2", "pay": _PAY_HINT},
        ),
        step_types=(Playing,),
        label=_evolve_label,
        refusal=_evolution_refusal,
        narrate=_narrate_evolve,
        preview_omits_first_of=(Evolved,),
        preview_omits_cause=RuleCause.COST,
        previewed_change=PreviewedChange.VALUES,
        changed_species_keys=lambda action: (action.species,),
        preview_opening=lambda view, action: TRAIT_BY_CARD[action.card].full_text,
    ),
    Migrate: ActionWords(
        verb_texts=VerbTexts(
            "Migrate",
            "Discard a card to move population between zones",
            {
                "card": CARD_HINT,
                "source": f"From which zone: {ZONE_HINT}",
                "target": f"To which zone: {ZONE_HINT}",
            },
        ),
        step_types=(Playing,),
        label=_migrate_label,
        refusal=_migration_refusal,
        narrate=_narrate_migrate,
        preview_omits_first_of=(Discarded,),
        preview_omits_cause=RuleCause.MIGRATION,
        previewed_change=PreviewedChange.ZONES,
    ),
    DiscardForNothing: ActionWords(
        verb_texts=VerbTexts(
            "Discard for nothing",
            "Discard a card while every zone is empty",
            {"card": CARD_HINT},
        ),
        step_types=(Playing,),
        label=lambda view, action, names: f"Discard {card_text(action.card)}: nothing is left to migrate",
        refusal=_migration_refusal,
        narrate=_narrate_discard_for_nothing,
        preview_omits_first_of=(Discarded,),
    ),
    RemoveTrait: ActionWords(
        verb_texts=VerbTexts(
            "Remove a trait",
            "Take a trait off a species of yours",
            {"species": OWN_SPECIES_HINT, "card": TRAIT_HINT},
        ),
        step_types=(Playing, Feeding, Trimming),
        label=lambda view, action, names: f"Remove {card_text(action.card)} from {action.species}",
        refusal=_remove_trait_refusal,
        narrate=_narrate_remove_trait,
        preview_omits_first_of=(TraitRemoved,),
        previewed_change=PreviewedChange.VALUES,
        changed_species_keys=lambda action: (action.species,),
    ),
    Mutate: ActionWords(
        verb_texts=VerbTexts(
            "Rapid Mutation",
            "Exchange a Deep trait with the Gene Pool",
            {"species": OWN_SPECIES_HINT, "card": "A Deep trait on it, such as HYD", "pile": PILE_HINT},
        ),
        step_types=(Playing,),
        label=_mutate_label,
        refusal=_mutate_refusal,
        preview_omits_first_of=(TraitExchanged,),
        previewed_change=PreviewedChange.VALUES,
        changed_species_keys=lambda action: (action.species,),
    ),
}
