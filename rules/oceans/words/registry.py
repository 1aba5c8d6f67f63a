"""The registry of the words of every action type; the label and the refusal of an action."""

from collections.abc import Mapping
from typing import Final

from rules.game import Action, Names, Resign, VerbTexts
from rules.oceans.actions import PLAYER_ACTION_TYPES
from rules.oceans.model import OceansView
from rules.oceans.words.action_words import ActionWords
from rules.oceans.words.drawing import DRAWING_WORDS
from rules.oceans.words.feeding import FEEDING_WORDS
from rules.oceans.words.lookahead import view_at
from rules.oceans.words.playing import PLAYING_WORDS
from rules.oceans.words.standing_answers import STANDING_ANSWER_WORDS
from rules.oceans.words.status import task_text
from rules.text import shortened

ACTION_WORDS: Final[Mapping[type[Action], ActionWords]] = {
    **PLAYING_WORDS,
    **STANDING_ANSWER_WORDS,
    **FEEDING_WORDS,
    **DRAWING_WORDS,
}
VERB_TEXTS: Final[Mapping[type[Action], VerbTexts]] = {
    action_type: ACTION_WORDS[action_type].verb_texts for action_type in PLAYER_ACTION_TYPES
}
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
    step = position.agenda[-1]
    words = ACTION_WORDS.get(type(action))
    if words is None or not isinstance(step, words.step_types):
        return f"Not now: you are asked to {task_text(position, step)}."
    return shortened(words.refusal(view, seat, step, action, names), _MAX_REFUSAL_LENGTH)
