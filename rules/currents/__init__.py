"""Currents: a pawn drifts on what the cards around the board and the compass say."""

from typing import Final

from rules.currents import actions, model, policy
from rules.currents.events import AnyEvent
from rules.currents.legal import forced_action, legal_actions
from rules.currents.rules import (
    State,
    apply_action,
    initial_state,
    is_possible,
    next_outcome_kind,
    resign,
    returns,
    sample_chance,
    sample_state,
    seat_after_turn,
    setup_error,
    to_act,
    turn_number,
    view,
    without_turn,
)
from rules.currents.words import WORDS
from rules.game import Game

CURRENTS: Final[Game[State, model.CurrentsView, model.CurrentsOptions]] = Game(
    key="currents",
    title="Currents",
    summary="Nudge one shared pawn over your goal edge with cards that stream from all sides of the board.",
    player_counts=(2, 3, 4),
    hidden_information="the cards in hand",
    # 300 turns of at most three draws, a play and two defences, after at most ten records of set-up.
    max_game_length=300 * 6 + 10,
    rules_version=1,
    options_type=model.CurrentsOptions,
    state_type=State,
    event_type=AnyEvent,
    action_types=(
        actions.ChooseAxis,
        actions.PlaceAce,
        actions.PlayCurrent,
        actions.PlayCompass,
        actions.CallJack,
        actions.CallQueen,
        actions.CallKing,
        actions.CallJoker,
        actions.DiscardCard,
        actions.Defend,
        actions.Concede,
    ),
    outcome_types=(actions.Deal, actions.DrawFirstPlayer, actions.Reshuffle, actions.JokerShuffle),
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
    setup_error=setup_error,
    turn_number=turn_number,
    seat_after_turn=seat_after_turn,
    policy=policy.choose,
)
