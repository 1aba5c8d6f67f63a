"""Computer players: they choose from a view, so they know only what their seat may know."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from rules.game import Action, AnyGame
from rules.players import casual_player, random_player

ActionChooser: TypeAlias = Callable[[AnyGame, Any, random.Random], Action]
"""(game, the seat's own view, a seeded generator) -> one of the legal actions."""


class ComputerPlayer(msgspec.Struct, frozen=True):
    """A computer player: its title in the lobby, the function that chooses its actions, and how it plays."""

    title: str
    choose: ActionChooser
    manner: str
    """Stands behind its title: "plays sensibly"."""


COMPUTER_PLAYERS: Final[Mapping[str, ComputerPlayer]] = {
    "random": ComputerPlayer("Random", random_player.choose, "plays anything that is allowed"),
    "casual": ComputerPlayer("Casual", casual_player.choose, "plays sensibly"),
}
"""Every computer player by key, the weakest first."""
DEFAULT_COMPUTER: Final = "casual"
"""The key of the player that plays where nobody has chosen one: for people who stay away or leave."""

__all__ = ["COMPUTER_PLAYERS", "DEFAULT_COMPUTER", "ActionChooser", "ComputerPlayer"]
