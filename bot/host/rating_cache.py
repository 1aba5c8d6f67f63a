"""The ratings of each game, kept until its stored results change."""

import asyncio
from collections import defaultdict

from bot.host.ratings import GameRatings, rate_results
from bot.store.protocol import Store
from bot.store.results import ResultsVersion


class RatingCache:
    """Computes ratings from stored results, in a thread; later results are added to what is known."""

    def __init__(self, store: Store) -> None:
        """``store`` has the results."""
        self._store = store
        self._cached: dict[str, tuple[ResultsVersion, GameRatings]] = {}
        self._locks = defaultdict[str, asyncio.Lock](asyncio.Lock)

    async def ratings_of(self, game_key: str) -> GameRatings:
        """Return the ratings of a game now.  Raises StoreError."""
        async with self._locks[game_key]:
            version = await self._store.results_version(game_key)
            rated_version, ratings = self._cached.get(game_key, (None, None))
            if (
                rated_version is None
                or rated_version.erasure_count != version.erasure_count
                or rated_version.last_id > version.last_id
            ):
                rated_version, ratings = ResultsVersion(0, version.erasure_count), GameRatings()
            if rated_version.last_id < version.last_id:
                results = await self._store.results_of_game(game_key, rated_version.last_id)
                ratings = await asyncio.to_thread(rate_results, results, ratings)
                rated_version = ResultsVersion(
                    max((version.last_id, *(each.id for each in results))), version.erasure_count
                )
            assert ratings is not None
            self._cached[game_key] = rated_version, ratings
            return ratings
