"""Closes the lobbies that nobody started in time, and has forgotten what is old."""

import asyncio
import logging
from typing import Final

from bot.host import lobby
from bot.host.decision import Decision
from bot.host.pruning import Pruner
from bot.host.table import Refusal, Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import Status

LOOK_EVERY: Final = 60.0
"""Seconds between two looks at the clock, at most."""

_log = logging.getLogger(__name__)


class LobbyExpiry:
    """One task for all lobbies."""

    def __init__(self, tables: Tables) -> None:
        """``start`` begins."""
        self._tables = tables
        self._pruning = Pruner(tables)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look at the clock from now on."""
        self._task = asyncio.get_running_loop().create_task(self._watch(), name="lapses")

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            try:
                await self.close_due()
                await self._pruning.step()
            except StoreError:
                _log.exception("lobby expiry delayed: store unavailable")
            await asyncio.sleep(LOOK_EVERY)

    async def close_due(self) -> None:
        """Close every lobby whose time is over."""
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
