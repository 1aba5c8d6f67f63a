"""Schedules backups: every quarter of an hour in which something changed, and at a clean stop."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import msgspec

from bot.store.protocol import Backup, Backups, StoreError

EVERY: Final = 15 * 60.0
"""Seconds between two copies, while something changes."""
RETRY: Final = 60.0
"""Seconds until a copy that failed is tried again."""

_log = logging.getLogger(__name__)


class BackupStatus(msgspec.Struct, frozen=True):
    """The state of the backups, for watchdogs and metrics."""

    until: float | None = None
    """Everything up to this moment (seconds since 1970) is in a verified copy; None: nothing is yet."""
    newest: Backup | None = None
    failures: int = 0
    """Attempts that have failed since the last good one."""
    reason: str = ""
    """Why the last attempt failed."""


class BackupScheduler:
    """One task: copy, wait, copy again if anything has changed."""

    def __init__(self, backups: Backups, clock: Callable[[], float], every: float = EVERY) -> None:
        """``start`` begins.  ``clock``: seconds since 1970."""
        self._backups = backups
        self._clock = clock
        self._every = every
        self._task: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._began = clock()
        self.kept = BackupStatus()

    def age(self) -> float:
        """Seconds since everything was in a verified copy; since the start while there is none."""
        since = self._began if self.kept.until is None else self.kept.until
        return max(0.0, self._clock() - since)

    def start(self) -> None:
        """Start the schedule."""
        self._task = asyncio.get_running_loop().create_task(self._keep(), name="backups")

    async def stop(self) -> None:
        """Stop, with one more copy of what has changed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.save()

    async def _keep(self) -> None:
        await asyncio.sleep(await self._first_wait())
        while True:
            await self.save()
            await asyncio.sleep(min(RETRY, self._every) if self.kept.failures else self._every)

    async def _first_wait(self) -> float:
        """Starts that follow each other quickly make no copy each."""
        try:
            newest = await self._backups.newest()
        except OSError:
            return 0.0
        due = 0.0 if newest is None else newest.made_at + self._every - self._clock()
        return min(self._every, max(0.0, due))

    async def save(self) -> bool:
        """Copy if anything has changed; whether everything is in a verified copy now."""
        async with self._one_at_a_time:
            now = self._clock()
            try:
                if await self._backups.is_current():
                    self.kept = BackupStatus(
                        until=now, newest=self.kept.newest or await self._backups.newest()
                    )
                    return True
                newest = await self._backups.make(now)
            except (StoreError, OSError) as error:
                self._failed(error)
                return False
            except Exception as error:  # noqa: BLE001 - whatever is wrong with copies, the games go on
                self._failed(error)
                return False
            self.kept = BackupStatus(until=now, newest=newest)
            _log.info("backup made")
            return True

    def _failed(self, error: Exception) -> None:
        before = self.kept
        self.kept = BackupStatus(before.until, before.newest, before.failures + 1, str(error))
        _log.error("backup failed", exc_info=error, extra={"attempts": self.kept.failures})
