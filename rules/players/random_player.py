"""The random player: a uniform choice of an action type, then of an action of that type.

The type comes first because the numbers differ: among seventy migrations one attack would be rare.
"""

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from rules.game import Action, AnyGame

Player: TypeAlias = Callable[[AnyGame, Any, random.Random], Action]
"""(game, the seat's own view, a seeded generator) -> one of the legal actions."""


def choose(game: AnyGame, view: Any, rng: random.Random) -> Action:
    """Choose a type, then an action.  Raises IndexError for a viewer who is not to act."""
    by_kind: dict[type[Action], list[Action]] = {}
    for action in game.legal_actions(view):
        by_kind.setdefault(type(action), []).append(action)
    return rng.choice(rng.choice(list(by_kind.values())))
