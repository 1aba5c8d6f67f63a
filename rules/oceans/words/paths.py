"""The path to each action in the panel: the card or species first, then what it does."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from rules.model import SEAT_LETTERS, Action, Names
from rules.oceans.actions import (
    Attack,
    Choose,
    Create,
    Discard,
    DiscardForNothing,
    Done,
    Draw,
    EndFeeding,
    Evolve,
    Exchange,
    Forage,
    Keep,
    LookDeep,
    Migrate,
    Mutate,
    PlaceOverflow,
    RemoveTrait,
    SetAgingOnOtherTurns,
    SetOverflowZone,
    Swap,
    TakeDeep,
)
from rules.oceans.cards.traits import TraitFlag
from rules.oceans.engine.legal_feedings import attack_actions_on, attack_result, foraged_amount
from rules.oceans.engine.ring import find_species
from rules.oceans.engine.values import has_flag
from rules.oceans.model import MAX_CARDS_LOOKED_AT, OceansView, Species
from rules.oceans.places import ScorePile, SpeciesBoard, Zone, parse_place
from rules.oceans.steps import ChoiceKind, Choosing, PlacingOverflow, Trimming
from rules.oceans.words.card_paths import (
    RARE_ORDER,
    create_steps,
    discard_for_nothing_steps,
    evolve_steps,
    migrate_steps,
)
from rules.oceans.words.choosing import aging_amount_text, second_aging_text, wastes_second_aging
from rules.oceans.words.drawing import cards_kept_after
from rules.oceans.words.lookahead import view_at, view_at_feeding
from rules.oceans.words.migration_texts import (
    MAX_HALF_ROW_LABEL_LENGTH,
    zone_label,
)
from rules.oceans.words.phrases import (
    ZONE_WORDS,
    card_text,
    foraging_place_text,
    used_spaces_text,
)
from rules.oceans.words.questions import choosing_question, first_question, overflow_question
from rules.oceans.words.registry import ACTION_WORDS
from rules.oceans.words.trail_text import trail_texts
from rules.paths import PathSteps
from rules.text import counted, number_text, shortened
from rules.words import PathStep

_LABEL_ENDING_LENGTH: Final = 4
"""The length of what stands behind a shortened text in a label: " (A)" or ": 10"."""
_ABSENT: Final = "-"
"""The token of a field that is None, or of no cards."""
_LAST_ORDER: Final = 9
_MAX_EFFECTS_LENGTH: Final = 300
"""Characters of what acts before feeding, in a question."""


def path(view: OceansView, action: Action, names: Names) -> PathSteps:
    """Return the steps to a legal action."""
    steps: PathSteps = _PATH_FUNCTIONS[type(action)](view_at(view, action), action, names)
    at_feeding = view_at_feeding(view)
    if at_feeding is None:
        return steps
    return replace(steps[0], question=_question_before_feeding(at_feeding, names)), *steps[1:]


@lru_cache(maxsize=16)
def _question_before_feeding(view: OceansView, names: Names) -> str:
    """Return what acts before feeding, and which species feeds, as a question; ``view``: in which it feeds.

    Cached, as all choices of a panel ask it.
    """
    question = first_question(view)
    effects_text = " ".join(trail_texts(view.position.trail, view.position, names))
    if not effects_text:
        return question
    return f"Before feeding: {shortened(effects_text, _MAX_EFFECTS_LENGTH)} {question}"


# Traits ---------------------------------------------------------------------------------------------


def _collapsed_step(view: OceansView, token: str, label: str) -> PathStep:
    """Return a step that stays behind its button, since it is rarely wanted."""
    return PathStep(token, label, first_question(view), row="more", collapsed=True, order=RARE_ORDER)


def _remove_trait_steps(view: OceansView, action: RemoveTrait, names: Names) -> PathSteps:
    trait_text = card_text(action.card)
    if isinstance(view.position.agenda[-1], Trimming):
        return (PathStep(action.card, f"Remove {trait_text}", first_question(view)),)
    row = view.position.rows[view.position.current_player]
    if sum(len(species.traits) for species in row) == 1:
        return (_collapsed_step(view, "drop", f"Remove {trait_text} from {action.species}"),)
    return (
        _collapsed_step(view, "drop", "Remove a trait"),
        PathStep(action.species, action.species, "Which species loses a trait?", row=action.species),
        PathStep(action.card, trait_text, f"Which trait does {action.species} lose?"),
    )


def _mutate_steps(view: OceansView, action: Mutate, names: Names) -> PathSteps:
    top_text = card_text(view.position.gene_pool[action.pile - 1][-1])
    return (
        PathStep("mutate", "Rapid Mutation", first_question(view), row="mutate", order=2),
        PathStep(
            f"{action.species}-{action.card}",
            f"{action.species}: {card_text(action.card)}",
            "Which trait do you exchange?",
        ),
        PathStep(str(action.pile), f"for {top_text} ({action.pile})", "Which pile do you take from?"),
    )


def _exchange_steps(view: OceansView, action: Exchange, names: Names) -> PathSteps:
    old_text = card_text(action.card)
    return (
        PathStep(action.card, old_text, first_question(view), row="trait"),
        PathStep(action.replacement, card_text(action.replacement), f"Which card replaces {old_text}?"),
    )


def _swap_steps(view: OceansView, action: Swap, names: Names) -> PathSteps:
    old_text = card_text(action.card)
    return (
        PathStep(
            f"{action.species}-{action.card}",
            f"{action.species}: {old_text}",
            first_question(view),
            row=action.species,
        ),
        PathStep(
            f"{action.other}-{action.other_card}",
            f"{action.other}: {card_text(action.other_card)}",
            f"Which trait does {action.species} get for {old_text}?",
            row=action.other,
        ),
    )


# Feeding --------------------------------------------------------------------------------------------


def _feeder_step(view: OceansView, key: str) -> PathStep:
    return PathStep(key, key, first_question(view), row="feed")


def _forage_steps(view: OceansView, action: Forage, names: Names) -> PathSteps:
    position = view.position
    species, source = find_species(position, action.species), parse_place(action.source)
    assert species is not None
    full_amount = foraged_amount(position, species, source)
    if source is Zone.REEF:
        where = "forages"
    else:  # short for a zone, so that what it brings has room beside the button
        where = f"{'' if isinstance(source, Zone) else 'forages '}{foraging_place_text(source)}"
    question = f"Where does {action.species} feed?"
    token = f"forage-{action.source}"
    if full_amount < 2 or not has_flag(species, TraitFlag.MAY_FORAGE_LESS):
        return _feeder_step(view, action.species), PathStep(token, f"{where}: {full_amount}", question)
    step = PathStep(token, where, question)
    token, label = (
        (_ABSENT, f"all {full_amount}")
        if action.max_count is None
        else (str(action.max_count), f"only {action.max_count}")
    )
    amount_step = PathStep(token, label, f"How much does {action.species} take?")
    return _feeder_step(view, action.species), step, amount_step


def _attack_steps(view: OceansView, action: Attack, names: Names) -> PathSteps:
    position = view.position
    species, target = find_species(position, action.species), find_species(position, action.target)
    assert species is not None
    assert target is not None
    attacks = list(attack_actions_on(position, species, target))
    question = f"Where does {action.species} feed?"
    if len(attacks) == 1:
        label = _attack_label(view, species, target, action)
        return _feeder_step(view, action.species), PathStep(f"attack-{action.target}", label, question)
    step = PathStep(f"attack-{action.target}", f"attacks {action.target}", question)
    ignoring = action.ignoring or ()
    ignoring_text = " and ".join(card_text(card) for card in ignoring) or "nothing"
    taken = attack_result(position, species, target, ignoring).taken
    ignoring_step = PathStep(
        ",".join(ignoring) or _ABSENT,
        shortened(f"ignoring {ignoring_text}", MAX_HALF_ROW_LABEL_LENGTH - _LABEL_ENDING_LENGTH)
        + f": {taken}",
        f"Which traits of {action.target} are ignored?",
    )
    return _feeder_step(view, action.species), step, ignoring_step


def _attack_label(view: OceansView, species: Species, target: Species, action: Attack) -> str:
    if not target.population:
        return f"attacks {target.key}"
    taken = attack_result(view.position, species, target, action.ignoring or ()).taken
    return f"attacks {target.key}: {taken}"


def _end_feeding_steps(view: OceansView, action: EndFeeding, names: Names) -> PathSteps:
    label = ACTION_WORDS[EndFeeding].label(view, action, names)
    return (PathStep("skip", label, first_question(view), row="skip", order=1),)


# Questions ------------------------------------------------------------------------------------------


def _choose_steps(view: OceansView, action: Choose, names: Names) -> PathSteps:
    position = view.position
    step = position.agenda[-1]
    assert isinstance(step, Choosing)
    match step.find_option(action.option):
        case ScorePile(seat=seat):
            name = shortened(names[seat], MAX_HALF_ROW_LABEL_LENGTH - _LABEL_ENDING_LENGTH)
            label = f"{name} ({SEAT_LETTERS[seat]})"
        case Zone() as zone:
            label = zone_label(zone)
        case SpeciesBoard(species=key):
            species = find_species(position, key)
            label = key if species is None else f"{key}: {used_spaces_text(position, species)}"
            if wastes_second_aging(position, key):
                label = f"{key}: does not age"
            elif step.kind is ChoiceKind.SECOND_AGING:
                label = f"{key}: {second_aging_text(position, key)}"
        case amount:
            label = f"Age {aging_amount_text(position, step, amount)}"
    return (PathStep(action.option, label, choosing_question(view, step), row="answer"),)


def _place_overflow_steps(view: OceansView, action: PlaceOverflow, names: Names) -> PathSteps:
    step = view.position.agenda[-1]
    key = step.species if isinstance(step, PlacingOverflow) else "a species"
    return (PathStep(action.zone.value, zone_label(action.zone), overflow_question(view, key)),)


def _done_steps(view: OceansView, action: Done, names: Names) -> PathSteps:
    step = view.position.agenda[-1]
    question = choosing_question(view, step) if isinstance(step, Choosing) else first_question(view)
    label = ACTION_WORDS[Done].label(view, action, names)
    return (PathStep("done", label, question, row="done", order=_LAST_ORDER),)


# Drawing --------------------------------------------------------------------------------------------


def _take_steps(view: OceansView, action: TakeDeep, names: Names) -> PathSteps:
    label = f"Take {card_text(view.position.gene_pool[action.pile - 1][-1])}"
    return (PathStep(f"take-{action.pile}", label, first_question(view), row="deep"),)


def _look_steps(view: OceansView, action: LookDeep, names: Names) -> PathSteps:
    count = min(MAX_CARDS_LOOKED_AT, view.position.deep_deck_size)
    label = f"Look at {counted(count, 'Deep card')}"
    return (PathStep("look", label, first_question(view), row="deep"),)


def _keep_steps(view: OceansView, action: Keep, names: Names) -> PathSteps:
    token = "-".join(card or _ABSENT for card in (action.card, action.pile_1_card, action.pile_2_card))
    if action.pile_1_card is None or action.pile_2_card is None:
        label, question = ACTION_WORDS[Keep].label(view, action, names), "Which card do you keep?"
    else:
        label = f"Keep {card_text(action.card)}, put {card_text(action.pile_1_card)} on pile 1"
        question = f"{_piles_text(view)} The third card goes on pile 2. Which one do you keep?"
    return (PathStep(token, label, question, row="keep"),)


def _piles_text(view: OceansView) -> str:
    """Return what lies on both piles of the Gene Pool: the picture of the hand does not show them."""
    tops = [card_text(pile[-1]) if pile else "empty" for pile in view.position.gene_pool]
    return f"Pile 1 is {tops[0]}, pile 2 is {tops[1]}."


def _discard_steps(view: OceansView, action: Discard, names: Names) -> PathSteps:
    """Return the step of a single card or of all, else how many cards and then which.

    What is fewer is asked for: the cards that are discarded, or those that are kept.
    """
    count, kept = len(action.cards), cards_kept_after(view, action)
    if count == 1:
        (card,) = action.cards
        return (_discard_step(view, f"discard-{card}", f"Discard {card_text(card)}", "discard"),)
    token, row = f"discard-{count}", "discards"
    if not kept and count == 2:
        return (_discard_step(view, token, "Discard both", row),)
    if not kept:  # two steps of one button, so that a part of it may be typed
        step = _discard_step(view, token, "Discard all", row)
        return step, PathStep("all", number_text(count), "Which cards do you discard?")
    step = _discard_step(view, token, f"Discard {number_text(count)}", row)
    if len(kept) >= count:
        label = " + ".join(map(card_text, action.cards))
        question = f"Which {counted(count, 'card')} do you discard?"
    else:
        label = f"Keep {' + '.join(map(card_text, kept))}"
        kept_text = "card" if len(kept) == 1 else counted(len(kept), "card")
        question = f"You discard {counted(count, 'card')}. Which {kept_text} do you keep?"
    return step, PathStep("-".join(action.cards), label, question)


def _discard_step(view: OceansView, token: str, label: str, row: str) -> PathStep:
    return PathStep(token, label, first_question(view), row=row, collapsed=True, order=1)


def _draw_steps(view: OceansView, action: Draw, names: Names) -> PathSteps:
    label = ACTION_WORDS[Draw].label(view, action, names)
    return (PathStep("draw", label, first_question(view), row="draw", order=_LAST_ORDER),)


# Standing answers -----------------------------------------------------------------------------------


def _set_overflow_zone_steps(view: OceansView, action: SetOverflowZone, names: Names) -> PathSteps:
    position = view.position
    current_zone = position.standing_answers[position.current_player].overflow_zone
    return (
        _collapsed_step(view, "overflow", f"Set overflow for others' turns (now {zone_label(current_zone)})"),
        PathStep(
            action.zone.value,
            zone_label(action.zone),
            "A species whose last space is filled falls back to 5: the rest is its overflow."
            f" On other players' turns yours goes to {ZONE_WORDS[current_zone]}."
            " Where does it go from now on?",
        ),
    )


def _set_aging_on_other_turns_steps(
    view: OceansView, action: SetAgingOnOtherTurns, names: Names
) -> PathSteps:
    label = f"Turn Fast Metabolism {'on' if action.ages else 'off'}"
    return (_collapsed_step(view, "metabolism", label),)


_PATH_FUNCTIONS: Final[Mapping[type[Action], Callable[[OceansView, Any, Names], PathSteps]]] = {
    Create: create_steps,
    Evolve: evolve_steps,
    Migrate: migrate_steps,
    DiscardForNothing: discard_for_nothing_steps,
    RemoveTrait: _remove_trait_steps,
    Mutate: _mutate_steps,
    Forage: _forage_steps,
    Attack: _attack_steps,
    EndFeeding: _end_feeding_steps,
    Choose: _choose_steps,
    PlaceOverflow: _place_overflow_steps,
    Exchange: _exchange_steps,
    Swap: _swap_steps,
    TakeDeep: _take_steps,
    LookDeep: _look_steps,
    Keep: _keep_steps,
    Discard: _discard_steps,
    Draw: _draw_steps,
    Done: _done_steps,
    SetOverflowZone: _set_overflow_zone_steps,
    SetAgingOnOtherTurns: _set_aging_on_other_turns_steps,
}
