"""Every action, step and question of Oceans is handled and has words; every field of a position is copied."""

from typing import get_args

from msgspec.structs import fields

from rules.oceans import policy, steps
from rules.oceans.actions import OUTCOME_TYPES, PLAYER_ACTION_TYPES
from rules.oceans.engine import turn
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.model import Position
from rules.oceans.steps import AnyStep, ChoiceKind
from rules.oceans.words import paths
from rules.oceans.words.registry import ACTION_WORDS
from tests.rules.oceans.positions import make_state


def test_every_action_is_applied() -> None:
    """No action of a player or of chance is without a handler, and no handler without an action."""
    assert set(turn._APPLY_BY_ACTION) == {*PLAYER_ACTION_TYPES, *OUTCOME_TYPES}


def test_every_action_of_a_player_has_words() -> None:
    """Verb, label, refusal and the rest stand in one entry each."""
    assert set(ACTION_WORDS) == {*PLAYER_ACTION_TYPES}


def test_every_action_of_a_player_has_a_path() -> None:
    """The panel never falls back on the verb and its fields."""
    assert set(paths._PATH_FUNCTIONS) == {*PLAYER_ACTION_TYPES}


def test_every_action_of_a_player_has_a_place_in_the_policy() -> None:
    """Each is evaluated, evaluated in part, a fallback or chosen at drawing, and in one list only."""
    action_type_lists = (
        policy.EVALUATED_ACTION_TYPES,
        policy.PARTLY_EVALUATED_ACTION_TYPES,
        policy.FALLBACK_ACTION_TYPES,
        policy.DRAWING_PHASE_ACTION_TYPES,
    )
    kinds = [kind for action_types in action_type_lists for kind in action_types]
    assert sorted(kind.__name__ for kind in kinds) == sorted(kind.__name__ for kind in PLAYER_ACTION_TYPES)


def test_every_step_is_handled() -> None:
    """A step is offered to a seat, left to chance, or done at once."""
    handled_types = {*turn._OFFER_BY_STEP, *steps.CHANCE_STEP_TYPES, *turn._RUN_BY_STEP}
    assert handled_types == {*get_args(AnyStep)}
    assert set(turn._OFFER_BY_STEP) == {*steps.SEAT_STEP_TYPES}
    assert {kind for words in ACTION_WORDS.values() for kind in words.step_types} == {*steps.SEAT_STEP_TYPES}


def test_every_question_has_an_answer() -> None:
    """Whatever is picked at a ``Choosing`` step, a phase says what follows."""
    assert set(turn._ANSWER_BY_KIND) == {*ChoiceKind}


def test_a_changed_position_has_every_field() -> None:
    """What the mutable copy forgot, read or written, would be lost with the next choice."""
    copy = MutablePosition(make_state("SP7 4", "SP9 4").position)
    computed_fields = {"to_act", "trail"}
    copied_fields = {field.name for field in fields(Position)} - computed_fields
    assert vars(copy).keys() - {"trail", "score_pile_changes"} == copied_fields
    new_values = {name: [(name,)] for name in copied_fields - {"agenda"}}
    for name, value in new_values.items():
        setattr(copy, name, value)
    changed = copy.freeze()
    for name, value in new_values.items():
        assert tuple(getattr(changed, name)) == tuple(value), name
