"""Arctic CleanUp: plan routes with dice, load plastic from the ocean and process it in a factory."""

from typing import Final

from rules.arctic_cleanup import actions, components, model, policy
from rules.arctic_cleanup.ending import points, returns
from rules.arctic_cleanup.events import AnyEvent
from rules.arctic_cleanup.legal import forced_action, legal_actions
from rules.arctic_cleanup.rules import (
    apply_action,
    is_possible,
    is_setting_up,
    next_outcome_kind,
    resign,
    sample_chance,
    sample_state,
    to_act,
    view,
    without_turn,
)
from rules.arctic_cleanup.setup import initial_state
from rules.arctic_cleanup.words import WORDS
from rules.game import Game

ARCTIC_CLEANUP: Final[Game[model.Position, model.ArcticCleanUpView, model.ArcticCleanUpOptions]] = Game(
    key="arctic_cleanup",
    title="Arctic CleanUp",
    summary="Plan routes with dice, load plastic from the ocean and process it in your factory.",
    player_counts=(2, 3, 4),
    hidden_information="",
    # The longest turn: Analyze, the draw, ten tokens to place, the end.
    max_game_length=components.MAX_ROUNDS * 4 * 13 + 20,
    rules_version=1,
    options_type=model.ArcticCleanUpOptions,
    state_type=model.Position,
    event_type=AnyEvent,
    action_types=(
        actions.PlaceFactory,
        actions.PlaceShip,
        actions.RotateDie,
        actions.ShiftDie,
        actions.BringDie,
        actions.SailShip,
        actions.LoadToken,
        actions.Analyze,
        actions.PlaceToken,
        actions.UnloadToken,
        actions.PlayWithoutEffect,
        actions.EndTurn,
    ),
    outcome_types=(actions.OrderSeats, actions.FillOcean, actions.DrawTokens),
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
    forced_action=forced_action,
    resign=resign,
    points=points,
    is_setting_up=is_setting_up,
    policy=policy.choose,
)
