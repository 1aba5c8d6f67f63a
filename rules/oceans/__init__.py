"""Oceans: evolve species round a shrinking sea, feed, age and score."""

from typing import Final

from rules.game import Game
from rules.oceans import actions, model, policy
from rules.oceans.chance import is_possible, next_outcome_kind, sample_chance
from rules.oceans.engine.scoring import points
from rules.oceans.engine.turn import legal_actions
from rules.oceans.events import AnyEvent
from rules.oceans.rules import (
    State,
    apply_action,
    initial_state,
    resign,
    returns,
    setup_error,
    to_act,
    view,
    without_turn,
)
from rules.oceans.sampling import sample_state
from rules.oceans.words import WORDS

OCEANS: Final[Game[State, model.OceansView, model.OceansOptions]] = Game(
    key="oceans",
    title="Oceans",
    summary="Evolve species that forage, hunt and live off each other while the water runs dry.",
    player_counts=(2, 3, 4, 5, 6),
    hidden_information="the cards in hand and the score behind the shield",
    max_game_length=15_000,
    rules_version=1,
    options_type=model.OceansOptions,
    state_type=State,
    event_type=AnyEvent,
    action_types=actions.PLAYER_ACTION_TYPES,
    outcome_types=actions.OUTCOME_TYPES,
    initial_state=initial_state,
    to_act=to_act,
    view=view,
    without_turn=without_turn,
    legal_actions=legal_actions,
    apply_action=apply_action,
    next_outcome_kind=next_outcome_kind,
    sample_chance=sample_chance,
    is_possible=is_possible,
    returns=returns,
    sample_state=sample_state,
    words=WORDS,
    resign=resign,
    setup_error=setup_error,
    points=points,
    policy=policy.choose,
)
