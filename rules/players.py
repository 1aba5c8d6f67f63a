"""Computer players: they choose from a view, so they know only what their seat may know."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from rules.game import AnyGame, group_by_type
from rules.model import Action
from rules.random_stream import SEED_BYTES, RandomStream

ActionChooser: TypeAlias = Callable[[AnyGame, Any, random.Random], Action]
"""(game, the seat's own view, a seeded generator) -> one of the legal actions.

Raises IndexError for a viewer who is not to act.
"""


class ComputerPlayer(msgspec.Struct, frozen=True):
    """A computer player: its title in the lobby, the function that chooses its actions, and how it plays."""

    title: str
    choose: ActionChooser
    manner: str
    """Stands behind its title: "plays sensibly"."""


def _choose_randomly(game: AnyGame, view: Any, rng: random.Random) -> Action:
    """Choose an action type uniformly, then an action of that type."""
    return rng.choice(rng.choice(group_by_type(game.legal_actions(view))))


def _choose_by_policy(game: AnyGame, view: Any, rng: random.Random) -> Action:
    """Choose by the game's own policy; in a game without one, at random."""
    actions = game.legal_actions(view)
    if not actions:
        raise IndexError("there is nothing to choose")
    return game.policy(view, actions, RandomStream(rng.randbytes(SEED_BYTES)))


RANDOM_PLAYER: Final = ComputerPlayer("Random", _choose_randomly, "plays anything that is allowed")
CASUAL_PLAYER: Final = ComputerPlayer("Casual", _choose_by_policy, "plays sensibly")

COMPUTER_PLAYERS: Final[Mapping[str, ComputerPlayer]] = {"random": RANDOM_PLAYER, "casual": CASUAL_PLAYER}
"""Every computer player by key, the weakest first."""
DEFAULT_COMPUTER: Final = "casual"
"""The key of the player that plays where nobody has chosen one: for people who stay away or leave."""
