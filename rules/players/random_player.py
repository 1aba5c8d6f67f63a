"""A player that takes any legal action, each as likely as the others."""

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from rules.game import Action, AnyGame

Player: TypeAlias = Callable[[AnyGame, Any, random.Random], Action]
"""(game, the seat's own view, a seeded generator) -> one of the legal actions."""


def choose(game: AnyGame, view: Any, rng: random.Random) -> Action:
    """Choose uniformly.  Raises IndexError for a viewer who owes no choice."""
    return rng.choice(game.legal_actions(view))
