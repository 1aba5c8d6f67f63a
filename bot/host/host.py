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
    """Start it once the courier can send; stop it before the store is closed."""

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
        """Put the parts together; nothing runs yet."""
        self.metrics = metrics or Metrics()
        self.acts = RateLimiter(quotas.acts, quotas.act_seconds)
        self.suggestions = RateLimiter(quotas.suggestions, quotas.act_seconds)
        self.tables = Tables(store, games, clock, self.metrics, quotas)
        self._computers = ComputerPlayers(self.tables, rng, pace)
        self._housekeeping = Housekeeping(self.tables)
        self.outbox: Outbox | None = None
        self.answering: set[asyncio.Task[Any]] = set()
        """Who is just answering somebody: a stop waits for that."""

    async def start(self, courier: Courier) -> None:
        """Take up everything that an earlier run left."""
        await self.tables.replay_all()
        self.outbox = Outbox(self.tables, courier)
        await self.outbox.start()
        await self._computers.start()
        self._housekeeping.start()

    async def stop(self) -> None:
        """Finish what is under way; what is left waits in the store."""
        await self._housekeeping.stop()
        await self._computers.stop()
        await self.tables.settle()
        if self.outbox is not None:
            await self.outbox.stop()
