"""Australis: dice feed fish, settle corals and carry turtles along the East Australian Current."""

from typing import Final

from rules.australis import actions, model, policy
from rules.australis.components import DICE_PER_PLAYER, ROUND_COUNT
from rules.australis.events import AnyEvent
from rules.australis.legal import forced_action, legal_actions
from rules.australis.rules import (
    apply_action,
    initial_state,
    is_possible,
    next_outcome_kind,
    resign,
    returns,
    sample_chance,
    sample_state,
    seat_after_turn,
    to_act,
    turn_number,
    view,
    without_turn,
)
from rules.australis.scoring import points, points_from_own_turns
from rules.australis.words import WORDS
from rules.game import Game

_PLAYER_COUNTS: Final = (2, 3, 4)
_RECORDS_PER_TURN: Final = 10
"""A die, three kept cards and their coral, two picks with their corals, new cards for the display."""
_RECORDS_PER_ROUND: Final = 11
"""The dice, the display, eight rolls of a competition, its tile."""

AUSTRALIS: Final[Game[model.Position, model.AustralisView, model.AustralisOptions]] = Game(
    key="australis",
    title="Australis",
    summary="Take dice to feed fish, settle corals and send a turtle down the East Australian Current.",
    player_counts=_PLAYER_COUNTS,
    hidden_information="",
    max_game_length=ROUND_COUNT
    * (max(_PLAYER_COUNTS) * DICE_PER_PLAYER * _RECORDS_PER_TURN + _RECORDS_PER_ROUND)
    + 1,
    rules_version=1,
    options_type=model.AustralisOptions,
    state_type=model.Position,
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
    forced_action=forced_action,
    resign=resign,
    points=points,
    points_from_own_turns=points_from_own_turns,
    turn_number=turn_number,
    seat_after_turn=seat_after_turn,
    policy=policy.choose,
)
