"""The words of choices: the answers to questions that a card asks."""

from collections.abc import Iterator
from typing import Final

from rules.model import SEAT_LETTERS, Names, Seat
from rules.oceans.actions import Choose
from rules.oceans.engine.aging import aging_due, population_after_aging
from rules.oceans.engine.ring import find_species
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.places import ScorePile, SpeciesBoard, Zone, parse_place
from rules.oceans.steps import Aging, ChoiceKind, Choosing, option_code
from rules.oceans.words.action_words import ActionWords, NarrationContext
from rules.oceans.words.phrases import (
    MAX_LABEL_LENGTH,
    ZONE_WORDS,
    cause_text,
    place_text,
    species_text,
    used_spaces_text,
)
from rules.text import first_fitting, listed, shortened
from rules.words import VerbTexts


def _choose_label(view: OceansView, action: Choose, names: Names) -> str:
    position = view.position
    step = position.agenda[-1]
    if not isinstance(step, Choosing):
        return action.option
    match step.find_option(action.option):
        case ScorePile(seat=seat):
            return shortened(f"Take from {names[seat]} ({SEAT_LETTERS[seat]})", MAX_LABEL_LENGTH)
        case Zone() as zone if step.kind is ChoiceKind.FEED_REEF:
            return f"From {ZONE_WORDS[zone]} to the Reef"
        case Zone() as zone:
            return f"From the Reef to {ZONE_WORDS[zone]}"
        case SpeciesBoard(species=key):
            species = find_species(position, key)
            assert species is not None
            if wastes_second_aging(position, key):
                return f"Does not age: {_species_label(position, species)}"
            if step.kind is ChoiceKind.SECOND_AGING:
                result_text = second_aging_text(position, key)
                return first_fitting(
                    MAX_LABEL_LENGTH,
                    f"{species_text(species)} ages twice: {result_text}",
                    f"{key} ages twice: {result_text}",
                )
            return f"{_CHOICE_VERBS[step.kind]} {_species_label(position, species)}"
        case amount:
            return f"{step.species} ages {aging_amount_text(position, step, amount)}"


_MAX_SPECIES_LABEL_LENGTH: Final = 60
"""What a label has room for behind a verb."""
_CHOICE_VERBS: Final = {
    ChoiceKind.LEECH: "Leech",
    ChoiceKind.HYDRA: "Take 1 from",
}
"""What is done to the species that is chosen."""


def _species_label(position: Position, species: Species) -> str:
    """Return a species with traits and population: at most 60 characters."""
    spaces_text = used_spaces_text(position, species)
    return first_fitting(
        _MAX_SPECIES_LABEL_LENGTH, f"{species_text(species)}: {spaces_text}", f"{species.key}: {spaces_text}"
    )


def _narrate_choose(context: NarrationContext, action: Choose) -> Iterator[str]:
    """Describe what a player chose, where the events do not."""
    step = context.before.agenda[-1]
    assert isinstance(step, Choosing)
    match step.kind:
        case ChoiceKind.AGE:
            yield f"{context.actor_name} lets {step.species} age {action.option}."
        case ChoiceKind.SECOND_AGING if wastes_second_aging(context.before, action.option):
            option_text = f"{action.option}, which does not age"
            yield f"{context.actor_name} chooses {option_text} ({cause_text(step.cause)})."
        case ChoiceKind.SECOND_AGING:
            yield f"{context.actor_name} lets {action.option} age twice ({cause_text(step.cause)})."
        case ChoiceKind.SCORE_PILE:
            pile = parse_place(action.option)
            is_own = isinstance(pile, ScorePile) and pile.seat == context.actor
            pile_text = "their own score pile" if is_own else place_text(pile, context.names)
            yield f"{context.actor_name} chooses {pile_text}."


def options_text(step: Choosing) -> str:
    """Return the answers as they are typed: "A1, A2 or A3"."""
    return listed([option_code(option) for option in step.options], "or")


def _choose_refusal(view: OceansView, seat: Seat, step: Choosing, action: Choose, names: Names) -> str:
    return f"Choose one of these: {options_text(step)}."


def wastes_second_aging(position: Position, key: str) -> bool:
    """Whether Degenerative Virus is asked about and the species would not age even once."""
    step, species = position.agenda[-1], find_species(position, key)
    is_asked = isinstance(step, Choosing) and step.kind is ChoiceKind.SECOND_AGING
    return is_asked and species is not None and not aging_due(position, species)


def takes_from_empty_pile(view: OceansView, option_text: str) -> bool:
    """Whether Coprophagia is asked about, and the option is the viewer's own score pile, which is empty."""
    step = view.position.agenda[-1]
    is_asked = isinstance(step, Choosing) and step.kind is ChoiceKind.SCORE_PILE
    return (
        is_asked
        and not view.score_pile
        and parse_place(option_text) == ScorePile(view.position.current_player)
    )


def aging_amount_text(position: Position, step: Choosing, amount: int) -> str:
    """Return an amount that a species may age and what that leaves of it: "2: 4 left"."""
    times = 2 if ages_twice(position, step.species) else 1
    times_text = " twice" if times == 2 else ""
    return f"{amount}{times_text}: {_aging_result_text(position, step.species, amount, times)}"


def ages_twice(position: Position, key: str) -> bool:
    """Whether Degenerative Virus strikes a species without a question, since it is its owner's only one."""
    return any(isinstance(step, Aging) and step.key_aging_twice == key for step in position.agenda)


def second_aging_text(position: Position, key: str) -> str:
    """Return what is left of a species that ages twice: "4 left"."""
    species = find_species(position, key)
    assert species is not None
    return _aging_result_text(position, key, aging_due(position, species), 2)


def _aging_result_text(position: Position, key: str, amount: int, times: int) -> str:
    species = find_species(position, key)
    assert species is not None
    population = population_after_aging(position, species, amount, times)
    return "dies out" if population is None else f"{population} left"


def _preview_opening(view: OceansView, action: Choose) -> str:
    if wastes_second_aging(view.position, action.option):
        return f"{action.option} does not age, so no species ages twice."
    return "Your score pile is empty." if takes_from_empty_pile(view, action.option) else ""


CHOOSE_WORDS: Final = ActionWords(
    verb_texts=VerbTexts(
        "Choose an answer",
        "Answer the current question",
        {"option": "A species, player, zone or number"},
    ),
    step_types=(Choosing,),
    label=_choose_label,
    refusal=_choose_refusal,
    narrate=_narrate_choose,
    preview_opening=_preview_opening,
)
