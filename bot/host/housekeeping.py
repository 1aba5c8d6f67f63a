"""Housekeeping: closes expired lobbies, and deletes old rows of the outbox and the inbox."""

import asyncio
import logging
from typing import Final

from bot.host import lobby
from bot.host.decision import Decision
from bot.host.table import Refusal, Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import PruneCursor, Status

CHECK_EVERY: Final = 60.0
"""Seconds between two checks."""
RETENTION: Final = 30 * 86_400
"""Seconds for which sent deliveries and handled interactions are kept; repeats come within minutes."""
SWEEP_INTERVAL: Final = 86_400
"""Seconds between two sweeps."""
BATCH_SIZE: Final = 500
"""Rows of one step; moves wait for it."""

_log = logging.getLogger(__name__)


class Pruner:
    """Deletes old rows of the outbox and the inbox: one sweep a day, in small steps."""

    def __init__(self, tables: Tables) -> None:
        """Start a sweep with the first ``step``."""
        self._tables = tables
        self._sweep: PruneCursor | None = PruneCursor()
        self._next = 0.0

    async def step(self) -> None:
        """Prune the next batch, if one is due.  Raises StoreError."""
        now = self._tables.clock()
        if self._sweep is None:
            if now < self._next:
                return
            self._sweep = PruneCursor()
        self._sweep = await self._tables.store.prune(int(now - RETENTION), self._sweep, BATCH_SIZE)
        self._next = now + SWEEP_INTERVAL


class Housekeeping:
    """Closes expired lobbies and prunes, in a task of its own."""

    def __init__(self, tables: Tables) -> None:
        """Nothing runs before ``start``."""
        self._tables = tables
        self._pruner = Pruner(tables)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task."""
        self._task = asyncio.get_running_loop().create_task(self._watch(), name="housekeeping")

    async def stop(self) -> None:
        """Stop the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            try:
                await self.close_due()
                await self._pruner.step()
            except StoreError:
                _log.exception("housekeeping delayed: store unavailable")
            await asyncio.sleep(CHECK_EVERY)

    async def close_due(self) -> None:
        """Close every expired lobby."""
        for number in await self._tables.store.expired_lobbies(int(self._tables.clock())):
            try:
                await self._tables.change(number, None, _expire)
            except Refusal:
                continue
            except StoreError:
                raise
            except Exception:  # noqa: BLE001 - one lobby's fault must not keep the others open
                _log.exception("lobby not closed", extra={"table": number})


def _expire(table: Table) -> Decision | None:
    return lobby.expire(table) if table.status is Status.LOBBY else None  # it may have started meanwhile
