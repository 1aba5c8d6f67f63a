"""How reliable people have been in their last games: one of three labels."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.store.protocol import Store
from bot.store.results import Participation, ResultPlayer

MAX_COUNTED_GAMES: Final = 10
"""How many of a person's last games count, without those that count neither way."""
_MAX_READ_GAMES: Final = 50
"""How many of a person's last games are read, to find those that count."""
MIN_GAMES: Final = 3
"""People with fewer counted games are new, unless they were often away."""
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
    """Return how reliable somebody is, given how their last games ended, the newest first.

    A game that they resigned, and whose seat nobody else got, counts neither for nor against them.  Nor does
    it take the place of an older one.
    """
    counted_games = [each for each in result_players if _was_away(each) or _stayed_to_the_end(each)]
    counted_games = counted_games[:MAX_COUNTED_GAMES]
    away_count = sum(map(_was_away, counted_games))
    if away_count >= MIN_AWAY_GAMES and 3 * away_count >= len(counted_games):
        return Reliability.OFTEN_AWAY
    return Reliability.NEW if len(counted_games) < MIN_GAMES else Reliability.RELIABLE


def _was_away(result_player: ResultPlayer) -> bool:
    """Whether somebody missed turns or left the game to somebody else."""
    return result_player.missed_turn_count >= MIN_MISSED_TURNS or (
        result_player.participation is Participation.LEFT_EARLY and result_player.score is None
    )


def _stayed_to_the_end(result_player: ResultPlayer) -> bool:
    return result_player.participation is not Participation.LEFT_EARLY and not _was_away(result_player)


async def read_reliabilities(store: Store, users: Iterable[int]) -> Mapping[int, Reliability]:
    """Return how reliable each user is.  Raises StoreError."""
    return {
        user: reliability_of(await store.last_own_results_of_user(user, _MAX_READ_GAMES)) for user in users
    }
