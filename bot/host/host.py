"""The host: the tables and everything that runs beside them."""

import asyncio
import random
from typing import Any

from bot.clock import Clock
from bot.host.computers import PACE, ComputerPlayers
from bot.host.housekeeping import Housekeeping
from bot.host.outbox import Courier, Outbox
from bot.host.quotas import UNLIMITED, Quotas, RateLimiter
from bot.host.table import Games
from bot.host.tables import Tables
from bot.metrics import Metrics
from bot.store.protocol import Store


class Host:
    """Starts and stops the services around the tables.  Stop it before the store is closed."""

    def __init__(
        self,
        store: Store,
        games: Games,
        clock: Clock,
        rng: random.Random,
        pace: float = PACE,
        quotas: Quotas = UNLIMITED,
        metrics: Metrics | None = None,
    ) -> None:
        """Create the services; nothing runs before ``start``."""
        self.metrics = metrics or Metrics()
        self.request_limiter = RateLimiter(quotas.requests, quotas.request_seconds)
        self.suggestion_limiter = RateLimiter(quotas.suggestions, quotas.request_seconds)
        self.tables = Tables(store, games, clock, self.metrics, quotas)
        self._computers = ComputerPlayers(self.tables, rng, pace)
        self._housekeeping = Housekeeping(self.tables)
        self.outbox: Outbox | None = None
        self.responding: set[asyncio.Task[Any]] = set()
        """Tasks that are responding to interactions; a stop waits for them."""

    async def start(self, courier: Courier) -> None:
        """Start the services, with everything that an earlier run left.  ``courier`` must be able to send."""
        await self.tables.replay_all()
        self.outbox = Outbox(self.tables, courier)
        await self.outbox.start()
        await self._computers.start()
        self._housekeeping.start()

    async def stop(self) -> None:
        """Finish the changes in progress and stop; the rest waits in the store."""
        await self._housekeeping.stop()
        await self._computers.stop()
        await self.tables.settle()
        if self.outbox is not None:
            await self.outbox.stop()
