"""Current Affairs: crews collect trash with the currents and deliver it in port."""

from typing import Final

from rules.current_affairs import actions, components, model, policy
from rules.current_affairs.ending import points, returns, seat_after_turn
from rules.current_affairs.events import AnyEvent
from rules.current_affairs.legal import forced_action, legal_actions
from rules.current_affairs.rules import (
    apply_action,
    is_possible,
    next_outcome_kind,
    resign,
    sample_chance,
    sample_state,
    to_act,
    turn_number,
    view,
    without_turn,
)
from rules.current_affairs.setup import initial_state
from rules.current_affairs.words import WORDS
from rules.game import Game

CURRENT_AFFAIRS: Final[Game[model.Position, model.CurrentAffairsView, model.CurrentAffairsOptions]] = Game(
    key="current_affairs",
    title="Current Affairs",
    summary="Sail with the currents, collect trash for contracts and restore habitats.",
    player_counts=(3, 4, 5),
    hidden_information="",
    # A turn: sail, collect, two deliveries, two upgrades, two draws with what they reveal, the end.
    max_game_length=(components.MAX_ROUNDS + 1) * 5 * 11 + 40,
    rules_version=1,
    options_type=model.CurrentAffairsOptions,
    state_type=model.Position,
    event_type=AnyEvent,
    action_types=(
        actions.PickContract,
        actions.PlaceShip,
        actions.Sail,
        actions.Collect,
        actions.Skip,
        actions.Deliver,
        actions.DiscardContract,
        actions.Unlock,
        actions.DrawContract,
        actions.EndTurn,
    ),
    outcome_types=(
        actions.FillRegions,
        actions.ChooseFirstDrafter,
        actions.DealContracts,
        actions.DealMarket,
        actions.RevealTop,
    ),
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
    seat_after_turn=seat_after_turn,
    turn_number=turn_number,
    policy=policy.choose,
)
