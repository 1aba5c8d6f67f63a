"""Computer players: functions of a view, so that they know only what their seat may know."""

from collections.abc import Mapping
from typing import Final

import msgspec

from rules.players import random_player
from rules.players.random_player import Player


class ComputerPlayer(msgspec.Struct, frozen=True):
    """A computer player: its title in the lobby, and the function that chooses its actions."""

    title: str
    choose: Player


PLAYERS: Final[Mapping[str, ComputerPlayer]] = {
    "random": ComputerPlayer("Random", random_player.choose),
}
"""Every computer player by key, the weakest first."""

__all__ = ["PLAYERS", "ComputerPlayer", "Player"]
