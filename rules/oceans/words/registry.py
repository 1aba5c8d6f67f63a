"""The registry of the words of every action type; the label and the refusal of an action."""

from collections.abc import Mapping
from typing import Final

from rules.model import Action, Names, Resign
from rules.oceans.actions import PLAYER_ACTION_TYPES, Create, DiscardForNothing, Evolve, Migrate
from rules.oceans.model import OceansView, Position
from rules.oceans.words.action_words import ActionWords
from rules.oceans.words.card_refusals import NO_CARD_TO_PLAY_TEXT
from rules.oceans.words.drawing import DRAWING_WORDS
from rules.oceans.words.feeding import FEEDING_WORDS
from rules.oceans.words.lookahead import view_at
from rules.oceans.words.playing import PLAYING_WORDS
from rules.oceans.words.standing_answers import STANDING_ANSWER_WORDS, missing_standing_answer_reason
from rules.oceans.words.status import task_text
from rules.text import shortened
from rules.words import VerbTexts

ACTION_WORDS: Final[Mapping[type[Action], ActionWords]] = {
    **PLAYING_WORDS,
    **STANDING_ANSWER_WORDS,
    **FEEDING_WORDS,
    **DRAWING_WORDS,
}
VERB_TEXTS: Final[Mapping[type[Action], VerbTexts]] = {
    action_type: ACTION_WORDS[action_type].verb_texts for action_type in PLAYER_ACTION_TYPES
}
_CARD_USES: Final = frozenset((Create, Evolve, Migrate, DiscardForNothing))
_MAX_REFUSAL_LENGTH: Final = 900


def label(view: OceansView, action: Action, names: Names) -> str:
    """Name a legal action as a choice: at most 80 characters."""
    if isinstance(action, Resign):
        return "Resign"
    return ACTION_WORDS[type(action)].label(view_at(view, action), action, names)


def refusal(view: OceansView, action: Action, names: Names) -> str:
    """Say in one or two sentences why this action is refused to the viewer, and what to do instead.

    Only the actor's own view is used.  Typed text is never quoted unless it names a card, species or zone.
    """
    view = view_at(view, action)
    position, seat = view.position, view.viewer
    assert seat is not None
    if reason := _other_step_refusal(position, type(action)):
        return reason
    words = ACTION_WORDS[type(action)]
    return shortened(words.refusal(view, seat, position.agenda[-1], action, names), _MAX_REFUSAL_LENGTH)


def illegal_type_reason(view: OceansView, action_type: type[Action], names: Names) -> str:
    """Return why no action of a type is legal for the viewer; empty if that depends on cards or species."""
    position, seat = view.position, view.viewer
    assert seat is not None
    if reason := _other_step_refusal(position, action_type):
        return reason
    if action_type in STANDING_ANSWER_WORDS:
        return missing_standing_answer_reason(position, seat, action_type)
    return NO_CARD_TO_PLAY_TEXT if action_type in _CARD_USES and not position.plays_left else ""


def _other_step_refusal(position: Position, action_type: type[Action]) -> str:
    """Return the refusal of what belongs to another step than the present one; empty if it does not."""
    step, words = position.agenda[-1], ACTION_WORDS.get(action_type)
    if words is not None and isinstance(step, words.step_types):
        return ""
    return f"Not now: you are asked to {task_text(position, step)}."
