"""How people have followed through in their last games, in one of three words."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.store.protocol import Store
from bot.store.results import Participation, ResultPlayer

GAMES_COUNTED: Final = 10
"""The last games that count."""
MIN_GAMES: Final = 3
"""Who has finished fewer games is new."""
MIN_AWAY_GAMES: Final = 2
"""Nobody is often away because of a single game."""
MIN_MISSES: Final = 2
"""So many missed turns make a game one in which somebody was away."""


class FollowThrough(enum.Enum):
    """How somebody has followed through in their last games."""

    NEW = "new"
    RELIABLE = "reliable"
    OFTEN_AWAY = "often away"


def follow_through(games: Sequence[ResultPlayer]) -> FollowThrough:
    """Return the word for somebody, from how their last games ended for them."""
    away = sum(map(_was_away, games))
    if away >= MIN_AWAY_GAMES and 3 * away >= len(games):
        return FollowThrough.OFTEN_AWAY
    return FollowThrough.NEW if len(games) < MIN_GAMES else FollowThrough.RELIABLE


def _was_away(game: ResultPlayer) -> bool:
    """Whether somebody missed turns, or left the game to somebody else: to resign to the end is neither."""
    return game.misses >= MIN_MISSES or (
        game.participation is Participation.LEFT_EARLY and game.score is None
    )


async def read_follow_through(store: Store, users: Iterable[int]) -> Mapping[int, FollowThrough]:
    """Return the word for each user.  Raises StoreError."""
    return {user: follow_through(await store.last_games_of_user(user, GAMES_COUNTED)) for user in users}
