"""Makes a backup at intervals and one more at a stop, if something has changed."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import msgspec

from bot.store.protocol import Backup, Backups

BACKUP_INTERVAL: Final = 15 * 60.0
"""Seconds between two backups, while something changes."""
BACKUP_RETRY_DELAY: Final = 60.0
"""Seconds until a failed backup is tried again."""
LAST_BACKUP_TIMEOUT: Final = 5.0
"""The most seconds that a stop waits for its backup."""

_log = logging.getLogger(__name__)


class BackupStatus(msgspec.Struct, frozen=True):
    """The state of the backups, for watchdogs and metrics."""

    covered_until: float | None = None
    """Everything up to this time (seconds since 1970) is in a verified backup; None: there is none."""
    newest: Backup | None = None
    failure_count: int = 0
    """Failed attempts since the last successful one."""


class BackupScheduler:
    """Makes backups in a task of its own."""

    def __init__(
        self, backups: Backups, clock: Callable[[], float], interval: float = BACKUP_INTERVAL
    ) -> None:
        """Call ``start`` to begin.  ``clock`` returns seconds since 1970; ``interval`` is in seconds."""
        self._backups = backups
        self._clock = clock
        self._interval = interval
        self._task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._started_at = clock()
        self.status = BackupStatus()

    def backup_age(self) -> float:
        """Return the seconds since everything was in a verified backup, or since the start without one."""
        since = self._started_at if self.status.covered_until is None else self.status.covered_until
        return max(0.0, self._clock() - since)

    def start(self) -> None:
        """Start the schedule."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="backups")

    async def stop(self, timeout_seconds: float = LAST_BACKUP_TIMEOUT) -> bool:
        """Stop, after one more backup if something has changed and it is made within the timeout.

        Return whether everything is in a verified backup, ``status.newest``.
        """
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        timeout_seconds = min(timeout_seconds, LAST_BACKUP_TIMEOUT)
        try:
            async with asyncio.timeout(timeout_seconds):
                return await self.back_up()
        except TimeoutError:
            _log.warning("last backup left out: too slow for a stop", extra={"seconds": timeout_seconds})
            return False

    async def _run(self) -> None:
        await asyncio.sleep(await self._initial_delay())
        while True:
            await self.back_up()
            await asyncio.sleep(
                min(BACKUP_RETRY_DELAY, self._interval) if self.status.failure_count else self._interval
            )

    async def _initial_delay(self) -> float:
        """Return the seconds until the first backup: a restart soon after a backup makes no other one."""
        try:
            newest = await self._backups.newest()
        except OSError:
            return 0.0
        wait = 0.0 if newest is None else newest.made_at + self._interval - self._clock()
        return min(self._interval, max(0.0, wait))

    async def back_up(self) -> bool:
        """Make a backup if something has changed; return whether everything is in a verified one."""
        async with self._lock:
            now = self._clock()
            try:
                if await self._backups.confirm_current():
                    self.status = BackupStatus(
                        covered_until=now, newest=self.status.newest or await self._backups.newest()
                    )
                    return True
                newest = await self._backups.make(now)
            except Exception as error:  # noqa: BLE001 - no fault in backups may stop the games
                self._record_failure(error)
                return False
            self.status = BackupStatus(covered_until=now, newest=newest)
            _log.info("backup made")
            return True

    def _record_failure(self, error: Exception) -> None:
        before = self.status
        self.status = BackupStatus(before.covered_until, before.newest, before.failure_count + 1)
        _log.error("backup failed", exc_info=error, extra={"attempts": self.status.failure_count})
