"""The random player: a uniform choice of an action type, then of an action of that type."""

import random
from typing import Any

from rules.game import Action, AnyGame, group_by_type


def choose(game: AnyGame, view: Any, rng: random.Random) -> Action:
    """Choose a type, then an action.  Raises IndexError for a viewer who is not to act."""
    return rng.choice(rng.choice(group_by_type(game.legal_actions(view))))
