"""Every action, step and question of Oceans has its handlers and its words."""

from typing import get_args

from rules.notation import fields_of
from rules.oceans import steps
from rules.oceans.actions import CHANCE_ACTIONS, PLAYER_ACTIONS
from rules.oceans.engine import turn
from rules.oceans.steps import AnyStep, Reason
from rules.oceans.words.choices import ACTION_WORDS


def test_every_action_is_applied() -> None:
    """No action of a player or of chance is without a handler, and no handler without an action."""
    assert set(turn._APPLY) == {*PLAYER_ACTIONS, *CHANCE_ACTIONS}


def test_every_action_of_a_player_has_words() -> None:
    """Verb, label, refusal and the rest stand in one entry each."""
    assert set(ACTION_WORDS) == {*PLAYER_ACTIONS}


def test_every_field_is_asked_for_by_a_question() -> None:
    """The panel never falls back on a field's name."""
    for kind, words in ACTION_WORDS.items():
        assert set(words.verb.questions) == {field.name for field in fields_of(kind)}, kind
        assert all(text.endswith("?") for text in words.verb.questions.values())


def test_every_step_is_handled() -> None:
    """A step is offered to a seat, left to chance, or done at once."""
    handled = {*turn._OFFER, *steps.CHANCE_STEPS, *turn._RUN}
    assert handled == {*get_args(AnyStep)}
    assert set(turn._OFFER) == {*steps.SEAT_STEPS}
    assert {kind for words in ACTION_WORDS.values() for kind in words.steps} == {*steps.SEAT_STEPS}


def test_every_question_has_an_answer() -> None:
    """Whatever is picked at a ``Choosing`` step, a phase says what follows."""
    assert set(turn._ANSWER) == {*Reason}
