"""The ratings of each game, kept until its stored results change."""

import asyncio
from collections import defaultdict

from bot.host.ratings import GameRatings, rate_results
from bot.store.protocol import Store
from bot.store.results import ResultsVersion


class RatingCache:
    """Computes ratings from stored results, in a thread; later results are added to what is known."""

    def __init__(self, store: Store) -> None:
        """``store``: with the results."""
        self._store = store
        self._cached: dict[str, tuple[ResultsVersion, GameRatings]] = {}
        self._locks = defaultdict[str, asyncio.Lock](asyncio.Lock)

    async def ratings_of(self, game: str) -> GameRatings:
        """Return the ratings of a game now.  Raises StoreError."""
        async with self._locks[game]:
            version = await self._store.results_version(game)
            known, ratings = self._cached.get(game, (None, None))
            if known is None or known.erasures != version.erasures or known.last > version.last:
                known, ratings = ResultsVersion(0, version.erasures), GameRatings()
            if known.last < version.last:
                results = await self._store.results(game, known.last)
                ratings = await asyncio.to_thread(rate_results, results, ratings)
                known = ResultsVersion(results[-1].id, version.erasures)
            assert ratings is not None
            self._cached[game] = known, ratings
            return ratings
