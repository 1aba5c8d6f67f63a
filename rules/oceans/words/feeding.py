"""The words of phase 2, and of questions that come up in it: exchanges, feedings, choices, overflow."""

from collections.abc import Iterator, Mapping
from typing import Final

from rules.model import Action, Names, Seat
from rules.narration import Sentence, SentenceKind
from rules.oceans.actions import Attack, Choose, Done, EndFeeding, Exchange, Forage, PlaceOverflow, Swap
from rules.oceans.causes import RuleCause
from rules.oceans.engine.feeding import can_feed
from rules.oceans.engine.legal_feedings import attack_result, foraged_amount
from rules.oceans.engine.playing import must_play_card, owed_card_count
from rules.oceans.engine.pre_feeding import legal_swaps
from rules.oceans.engine.ring import find_species
from rules.oceans.engine.values import is_deep
from rules.oceans.events import Attacked, Foraged, TraitExchanged, TraitsSwapped
from rules.oceans.model import OceansView, Position
from rules.oceans.places import parse_place
from rules.oceans.steps import (
    AnyStep,
    ChoiceKind,
    Choosing,
    Exchanging,
    Feeding,
    PlacingOverflow,
    Playing,
    Swapping,
)
from rules.oceans.words.action_words import (
    ALLOWED_TEXT,
    OWN_SPECIES_HINT,
    TRAIT_HINT,
    ZONE_HINT,
    ActionWords,
    NarrationContext,
    PreviewedChange,
)
from rules.oceans.words.choosing import CHOOSE_WORDS, options_text
from rules.oceans.words.feeding_refusals import attack_refusal, forage_refusal
from rules.oceans.words.lookahead import view_at_feeding
from rules.oceans.words.movements_text import OVERFLOW_END
from rules.oceans.words.phrases import (
    MAX_LABEL_LENGTH,
    ZONE_WORDS,
    card_text,
    cards_text,
    foraging_place_text,
)
from rules.oceans.words.reference_errors import (
    held_card_error,
    own_species_error,
    removable_trait_error,
    species_error,
)
from rules.text import counted, first_fitting, listed
from rules.words import VerbTexts

# Exchanges ------------------------------------------------------------------------------------------


def _exchange_label(view: OceansView, action: Exchange, names: Names) -> str:
    return f"On {action.species} exchange {card_text(action.card)} for {card_text(action.replacement)}"


def _swap_label(view: OceansView, action: Swap, names: Names) -> str:
    own_trait, other_trait = card_text(action.card), card_text(action.other_card)
    return f"Swap {action.species}'s {own_trait} with {action.other}'s {other_trait}"


def _exchange_refusal(view: OceansView, seat: Seat, step: Exchanging, action: Exchange, names: Names) -> str:
    position = view.position
    error = own_species_error(position, seat, action.species, names)
    if error is not None:
        return error
    if action.species != step.species:
        return f"Only {step.species}, which has Atavism, exchanges traits now."
    error = removable_trait_error(position, action.species, action.card) or held_card_error(
        view, action.replacement
    )
    if error is not None:
        return error
    if is_deep(action.replacement):
        return f"{card_text(action.replacement)} is a Deep card: put a Surface card in the trait's place."
    return "The two cards are alike: name another one."


def _swap_refusal(view: OceansView, seat: Seat, step: Swapping, action: Swap, names: Names) -> str:
    position = view.position
    error = (
        own_species_error(position, seat, action.species, names)
        or species_error(position, action.other)
        or removable_trait_error(position, action.species, action.card)
        or removable_trait_error(position, action.other, action.other_card)
    )
    if error is not None:
        return error
    if step.species and action.species != step.species:
        return f"Only {step.species}, which has Gene Transfer, swaps traits now."
    if step.species and is_deep(action.card):
        return f"{card_text(action.card)} is a Deep trait: Gene Transfer gives away Surface traits only."
    partners = dict.fromkeys(
        each.other for each in legal_swaps(position, seat, step) if each.species == action.species
    )
    if not partners:
        return f"{action.species} has no trait to swap with a species beside it: name another species."
    if action.other not in partners:
        return f"{action.species} can swap with {listed(tuple(partners), 'or')} only."
    return "The two traits are alike: name another one."


# Feeding --------------------------------------------------------------------------------------------


def _forage_label(view: OceansView, action: Forage, names: Names) -> str:
    species = find_species(view.position, action.species)
    if species is None:
        return "Feed"
    source = parse_place(action.source)
    taken = foraged_amount(view.position, species, source)
    if action.max_count is not None:
        taken = min(taken, action.max_count)
    only = "" if action.max_count is None else "only "
    return f"{action.species} forages {foraging_place_text(source)}: takes {only}{taken}"


def _attack_label(view: OceansView, action: Attack, names: Names) -> str:
    position = view.position
    species, target = find_species(position, action.species), find_species(position, action.target)
    if species is None:
        return "Feed"
    if target is not None and not target.population:
        return f"{action.species} attacks {action.target}: {action.target} dies out"
    taken = 0 if target is None else attack_result(position, species, target, action.ignoring or ()).taken
    ignoring_text = f", ignoring {cards_text(action.ignoring)}" if action.ignoring else ""
    return first_fitting(
        MAX_LABEL_LENGTH,
        f"{action.species} attacks {action.target}{ignoring_text}: takes {taken}",
        f"{action.species} attacks {action.target}: takes {taken}",
    )


def _narrate_ignored_traits(context: NarrationContext, action: Attack) -> Iterator[str]:
    if action.ignoring:
        yield f"{context.actor_name} ignores {cards_text(action.ignoring)} for this attack."


def _forage_refusal(view: OceansView, seat: Seat, step: Feeding, action: Forage, names: Names) -> str:
    error = own_species_error(view.position, seat, action.species, names)
    return error or forage_refusal(view.position, action)


def _attack_refusal(view: OceansView, seat: Seat, step: Feeding, action: Attack, names: Names) -> str:
    position = view.position
    error = own_species_error(position, seat, action.species, names) or species_error(position, action.target)
    return error or attack_refusal(position, action)


def has_fed(position: Position) -> bool:
    """Whether a species has fed in this feeding phase."""
    return position.past_feedings.feeder is not None or bool(position.past_feedings.voracious_feeder_users)


def _end_feeding_label(view: OceansView, action: EndFeeding, names: Names) -> str:
    if not can_feed(view.position, view.position.current_player):
        return "Go on to Aging"
    return "Feed no more" if has_fed(view.position) else "Feed no species"


def _narrate_end_feeding(context: NarrationContext, action: EndFeeding) -> Iterator[str | Sentence]:
    if not can_feed(context.before, context.actor):
        yield Sentence(f"{context.actor_name} goes on to Aging.", SentenceKind.CEREMONY)
    elif has_fed(context.before):
        yield Sentence(f"{context.actor_name} feeds no more.", SentenceKind.CEREMONY)
    else:
        yield f"{context.actor_name} feeds no species."


# Overflow ------------------------------------------------------------------------------------------


def _place_overflow_label(view: OceansView, action: PlaceOverflow, names: Names) -> str:
    step = view.position.agenda[-1]
    whose = f"{step.species}'s overflow" if isinstance(step, PlacingOverflow) else "overflow"
    return f"Move {whose} to {ZONE_WORDS[action.zone]}"


def _narrate_place_overflow(context: NarrationContext, action: PlaceOverflow) -> Iterator[str]:
    moved = context.consume_movement(RuleCause.OVERFLOW)
    step = context.before.agenda[-1]
    key = step.species if isinstance(step, PlacingOverflow) else ""
    count = 0 if moved is None else moved.count
    moved_text = f"{key}'s overflow of {count} to {ZONE_WORDS[action.zone]}"
    yield f"{context.actor_name} moves {moved_text}: {OVERFLOW_END}."


# Going on -------------------------------------------------------------------------------------------


def _done_label(view: OceansView, action: Done, names: Names) -> str:
    match view.position.agenda[-1]:
        case Playing():
            is_beside_feedings = view_at_feeding(view) is not None
            return "Keep traits, feed" if is_beside_feedings else "Go on to feeding"
        case Exchanging():
            return "Exchange nothing more"
        case Swapping():
            return "Swap nothing more"
        case Choosing(kind=ChoiceKind.HYDRA):
            return "Take from nobody else"
        case step:
            raise ValueError(f"Done does not end {step}")


def _narrate_done(context: NarrationContext, action: Done) -> Iterator[str | Sentence]:
    match context.before.agenda[-1]:
        case Playing():
            if not context.remaining_events:
                yield Sentence(f"{context.actor_name} goes on to feeding.", SentenceKind.CEREMONY)
        case Exchanging():
            yield f"{context.actor_name} exchanges nothing more."
        case Swapping():
            yield f"{context.actor_name} swaps nothing more."
        case Choosing(kind=ChoiceKind.HYDRA):
            yield f"{context.actor_name} takes from nobody else."
        case step:
            raise ValueError(f"Done does not end {step}")


def _done_refusal(view: OceansView, seat: Seat, step: AnyStep, action: Done, names: Names) -> str:
    position = view.position
    if isinstance(step, Choosing) and step.kind is not ChoiceKind.HYDRA:
        return f"You have to choose: {options_text(step)}."
    if isinstance(step, Playing) and must_play_card(position):
        owed_text = counted(owed_card_count(position), "card")
        return f"You still have {owed_text} to play: evolve a species or migrate."
    return ALLOWED_TEXT


def _always_allowed(view: OceansView, seat: Seat, step: AnyStep, action: Action, names: Names) -> str:
    return ALLOWED_TEXT


FEEDING_WORDS: Final[Mapping[type[Action], ActionWords]] = {
    Forage: ActionWords(
        verb_texts=VerbTexts(
            "Forage",
            "Let a species feed in the Reef, or elsewhere if a card allows it",
            {
                "species": OWN_SPECIES_HINT,
                "source": "reef, or z1, z2, z3 or a neighbour if a card allows it",
                "max_count": "Take only so much, if a card allows it",
            },
        ),
        step_types=(Feeding,),
        label=_forage_label,
        refusal=_forage_refusal,
        preview_omits_first_of=(Foraged,),
        preview_omits_cause=RuleCause.FORAGE,
        previewed_change=PreviewedChange.POPULATIONS,
    ),
    Attack: ActionWords(
        verb_texts=VerbTexts(
            "Attack",
            "Let a species feed on another one",
            {
                "species": OWN_SPECIES_HINT,
                "target": "The species attacked, such as B1",
                "ignoring": "Defensive traits to ignore, if a card allows it, such as IN7",
            },
        ),
        step_types=(Feeding,),
        label=_attack_label,
        refusal=_attack_refusal,
        narrate=_narrate_ignored_traits,
        preview_omits_first_of=(Attacked,),
        preview_omits_cause=RuleCause.ATTACK,
        previewed_change=PreviewedChange.POPULATIONS,
    ),
    EndFeeding: ActionWords(
        verb_texts=VerbTexts("Feed no more", "End your feeding phase"),
        step_types=(Feeding,),
        label=_end_feeding_label,
        refusal=_always_allowed,
        narrate=_narrate_end_feeding,
    ),
    Exchange: ActionWords(
        verb_texts=VerbTexts(
            "Exchange a trait",
            "Atavism: take a trait to your hand, put a Surface card in its place",
            {
                "species": OWN_SPECIES_HINT,
                "card": TRAIT_HINT,
                "replacement": "A Surface card of your hand, such as SP7",
            },
        ),
        step_types=(Exchanging,),
        label=_exchange_label,
        refusal=_exchange_refusal,
        preview_omits_first_of=(TraitExchanged,),
        previewed_change=PreviewedChange.VALUES,
        changed_species_keys=lambda action: (action.species,),
    ),
    Swap: ActionWords(
        verb_texts=VerbTexts(
            "Swap traits",
            "Swap a trait with a trait of a species beside it",
            {
                "species": OWN_SPECIES_HINT,
                "card": TRAIT_HINT,
                "other": "The species beside it, such as A3",
                "other_card": "The trait that your species gets for it, such as SP8",
            },
        ),
        step_types=(Swapping,),
        label=_swap_label,
        refusal=_swap_refusal,
        preview_omits_first_of=(TraitsSwapped,),
        previewed_change=PreviewedChange.VALUES,
        changed_species_keys=lambda action: (action.species, action.other),
    ),
    Choose: CHOOSE_WORDS,
    PlaceOverflow: ActionWords(
        verb_texts=VerbTexts(
            "Move overflow",
            "Choose where overflowing population goes",
            {"zone": ZONE_HINT},
        ),
        step_types=(PlacingOverflow,),
        label=_place_overflow_label,
        refusal=_always_allowed,
        narrate=_narrate_place_overflow,
        preview_omits_cause=RuleCause.OVERFLOW,
        previewed_change=PreviewedChange.ZONES,
    ),
    Done: ActionWords(
        verb_texts=VerbTexts("Go on", "Play, exchange or pick no more"),
        step_types=(Playing, Choosing, Exchanging, Swapping),
        label=_done_label,
        refusal=_done_refusal,
        narrate=_narrate_done,
    ),
}
