"""Computer players: functions of a view.  What a seat may not know, its computer player cannot know."""

from collections.abc import Mapping
from typing import Final

import msgspec

from rules.players import random_player
from rules.players.random_player import Player


class ComputerPlayer(msgspec.Struct, frozen=True):
    """A player that a table can seat: how the lobby names it, and what it plays."""

    title: str
    choose: Player


PLAYERS: Final[Mapping[str, ComputerPlayer]] = {
    "random": ComputerPlayer("Random", random_player.choose),
}
"""Every computer player by key, the weakest first."""

__all__ = ["PLAYERS", "ComputerPlayer", "Player"]
