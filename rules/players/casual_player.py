"""The casual player: the game's own policy, or a random choice in a game without one."""

import random
from typing import Any

from rules.game import Action, AnyGame
from rules.random_stream import SEED_BYTES, RandomStream


def choose(game: AnyGame, view: Any, rng: random.Random) -> Action:
    """Choose by ``Game.policy``.  Raises IndexError for a viewer who is not to act."""
    actions = game.legal_actions(view)
    if not actions:
        raise IndexError("there is nothing to choose")
    return game.policy(view, actions, RandomStream(rng.randbytes(SEED_BYTES)))
