"""A player without a plan: any kind of action, then any action of that kind, each as likely as the others.

The kind comes first because the numbers differ so much: seventy migrations would drown one attack.
"""

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from rules.game import Action, AnyGame

Player: TypeAlias = Callable[[AnyGame, Any, random.Random], Action]
"""(game, the seat's own view, a seeded generator) -> one of the legal actions."""


def choose(game: AnyGame, view: Any, rng: random.Random) -> Action:
    """Choose a kind, then an action.  Raises IndexError for a viewer who owes no choice."""
    by_kind: dict[type[Action], list[Action]] = {}
    for action in game.legal_actions(view):
        by_kind.setdefault(type(action), []).append(action)
    return rng.choice(rng.choice(list(by_kind.values())))
