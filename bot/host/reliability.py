"""How reliable people have been in their last games: one of three labels."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.store.protocol import Store
from bot.store.results import Participation, ResultPlayer

MAX_COUNTED_GAMES: Final = 10
"""How many of a person's last games count."""
MIN_GAMES: Final = 3
"""People who have finished fewer games are new, unless they were often away."""
MIN_AWAY_GAMES: Final = 2
"""Somebody who was away in this many of the counted games, and in at least a third, is often away."""
MIN_MISSED_TURNS: Final = 2
"""Somebody who missed at least this many turns of a game was away in it."""


class Reliability(enum.Enum):
    """How reliable somebody has been in their last games."""

    NEW = "new here"
    RELIABLE = "reliable"
    OFTEN_AWAY = "often away"


def reliability_of(result_players: Sequence[ResultPlayer]) -> Reliability:
    """Return how reliable somebody is, given how their last games ended."""
    away_count = sum(map(_was_away, result_players))
    if away_count >= MIN_AWAY_GAMES and 3 * away_count >= len(result_players):
        return Reliability.OFTEN_AWAY
    return Reliability.NEW if len(result_players) < MIN_GAMES else Reliability.RELIABLE


def _was_away(result_player: ResultPlayer) -> bool:
    """Whether somebody missed turns or left the game to somebody else.

    Somebody who resigned, and whose seat nobody else got, was not away.
    """
    return result_player.missed_turn_count >= MIN_MISSED_TURNS or (
        result_player.participation is Participation.LEFT_EARLY and result_player.score is None
    )


async def read_reliabilities(store: Store, users: Iterable[int]) -> Mapping[int, Reliability]:
    """Return how reliable each user is.  Raises StoreError."""
    return {
        user: reliability_of(await store.last_own_results_of_user(user, MAX_COUNTED_GAMES)) for user in users
    }
