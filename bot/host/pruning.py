"""Deletes sent messages and answered interactions after 30 days, in small batches."""

from typing import Final

from bot.host.tables import Tables
from bot.store.rows import PruneCursor

RETENTION: Final = 30 * 86_400
"""Seconds for which sent messages and answered interactions are kept; repeats come within minutes."""
SWEEP_INTERVAL: Final = 86_400
"""Seconds between two sweeps."""
BATCH_SIZE: Final = 500
"""Rows that are looked at in one step: moves wait for it."""


class Pruner:
    """One sweep through the store a day, in small steps."""

    def __init__(self, tables: Tables) -> None:
        """Call ``step`` from time to time."""
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
