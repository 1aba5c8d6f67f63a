"""Releases that play a game otherwise, or fail at it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.game import AnyGame
from rules.random_stream import RandomStream
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, default_setup

GAME = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
SETUP = default_setup(GAME, 2)


def release_with(game: AnyGame) -> Mapping[str, AnyGame]:
    """Return a release that has this game in place of its own."""
    return {**GAMES_AND_TOYS, game.key: game}


def with_other_draws(game: AnyGame) -> AnyGame:
    """Return the same game, but from its third outcome on chance draws otherwise."""

    def sample(state: Any, stream: RandomStream) -> Any:
        drawn = game.sample_chance(state, stream)
        return drawn if stream._number < 2 else game.sample_chance(state, RandomStream(bytes(32), 0))

    return replace(game, sample_chance=sample)


def with_other_choices(game: AnyGame) -> AnyGame:
    """Return the same game, but the first of several legal choices is gone."""

    def legal(view: Any) -> Any:
        actions = game.legal_actions(view)
        return actions[1:] if len(actions) > 1 else actions

    return replace(game, legal_actions=legal)


def with_fault(game: AnyGame) -> AnyGame:
    """Return the same game with a fault that its tests did not show."""

    def apply(state: Any, action: Any) -> Any:
        raise KeyError(type(action).__name__)

    return replace(game, apply_action=apply)


ALTERED_GAMES = {
    "draws": with_other_draws(GAME),
    "choices": with_other_choices(GAME),
    "fault": with_fault(GAME),
}
