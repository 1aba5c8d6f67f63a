"""The words of standing answers: what holds on other players' turns."""

from collections.abc import Iterator, Mapping
from typing import Final

from rules.model import Action, Names, Seat
from rules.oceans.actions import SetAgingOnOtherTurns, SetOverflowZone
from rules.oceans.cards.traits import Quirk
from rules.oceans.engine.rounds import is_last_turn
from rules.oceans.engine.values import has_quirk
from rules.oceans.events import StandingAnswerGiven
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import AnyStep, Playing
from rules.oceans.words.action_words import ZONE_HINT, ActionWords, NarrationContext
from rules.oceans.words.phrases import ZONE_WORDS
from rules.words import VerbTexts

_ONE_A_TURN_TEXT: Final = "You can change one standing answer a turn. Change the next one on your next turn."


def _set_aging_on_other_turns_label(view: OceansView, action: SetAgingOnOtherTurns, names: Names) -> str:
    return f"Fast Metabolism on other players' turns: {'age' if action.ages else 'do not age'}"


def _set_aging_on_other_turns_preview(view: OceansView, action: SetAgingOnOtherTurns) -> str:
    effect = "age in every player's Aging phase" if action.ages else "age in your own Aging phase only"
    return f"Your species with Fast Metabolism {effect}."


def _narrate_set_overflow_zone(context: NarrationContext, action: SetOverflowZone) -> Iterator[str]:
    context.consume(StandingAnswerGiven)
    zone_text = ZONE_WORDS[action.zone]
    yield f"On other players' turns {context.actor_name}'s overflow goes to {zone_text} from now on."


def _narrate_set_aging_on_other_turns(
    context: NarrationContext, action: SetAgingOnOtherTurns
) -> Iterator[str]:
    context.consume(StandingAnswerGiven)
    verb = "ages" if action.ages else "does not age"
    yield f"{context.actor_name}'s Fast Metabolism {verb} on other players' turns from now on."


def _refusal_text(
    view: OceansView, seat: Seat, step: AnyStep, action: SetOverflowZone | SetAgingOnOtherTurns, names: Names
) -> str:
    position = view.position
    reason = missing_standing_answer_reason(position, seat, type(action))
    if reason != _ONE_A_TURN_TEXT:
        return reason
    standing_answers = position.standing_answers[seat]
    if isinstance(action, SetOverflowZone) and standing_answers.overflow_zone is action.zone:
        return f"Your overflow already goes to {ZONE_WORDS[action.zone]}."
    if isinstance(action, SetAgingOnOtherTurns) and standing_answers.ages_on_other_turns is action.ages:
        return "That is already your standing answer."
    return _ONE_A_TURN_TEXT


def missing_standing_answer_reason(position: Position, seat: Seat, action_type: type[Action]) -> str:
    """Return why a seat can give no standing answer of a type at the step for these."""
    if not position.rows[seat]:
        return "Standing answers are about your species, and you have none: start one first."
    if is_last_turn(position):
        return "This is the last turn of the game: no other player's turn comes after it."
    if action_type is SetAgingOnOtherTurns and not any(
        has_quirk(species, Quirk.FAST_METABOLISM) for species in position.rows[seat]
    ):
        return "None of your species has Fast Metabolism."
    return _ONE_A_TURN_TEXT


STANDING_ANSWER_WORDS: Final[Mapping[type[Action], ActionWords]] = {
    SetOverflowZone: ActionWords(
        verb_texts=VerbTexts(
            "Set overflow zone",
            "Standing answer: where your overflow goes on other players' turns",
            {"zone": ZONE_HINT},
        ),
        step_types=(Playing,),
        label=lambda view, action, names: f"Set overflow for others' turns to {ZONE_WORDS[action.zone]}",
        refusal=_refusal_text,
        narrate=_narrate_set_overflow_zone,
        preview=lambda view, action: (
            "This holds until you change it. On your own turns you are asked each time."
        ),
    ),
    SetAgingOnOtherTurns: ActionWords(
        verb_texts=VerbTexts(
            "Set Fast Metabolism",
            "Standing answer: age on other players' turns or not",
            {"ages": "yes or no"},
        ),
        step_types=(Playing,),
        label=_set_aging_on_other_turns_label,
        refusal=_refusal_text,
        narrate=_narrate_set_aging_on_other_turns,
        preview=_set_aging_on_other_turns_preview,
    ),
}
