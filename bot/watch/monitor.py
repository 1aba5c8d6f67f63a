"""Runs the watchdogs, the heartbeat and the metrics server of one process."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic, time
from typing import Final, Protocol

from prometheus_client import ProcessCollector, start_http_server

from bot.clock import Clock, Sleep
from bot.config import HEARTBEAT_VARIABLE, ConfigError
from bot.host.backup_scheduler import BACKUP_INTERVAL
from bot.host.outbox import Outbox
from bot.metrics import Metrics
from bot.store.protocol import DatabaseFileLost, Store, StoreError
from bot.store.rows import Status
from bot.watch.heartbeat import write_heartbeat
from bot.watch.watchdogs import (
    Alarm,
    BackupAgeReader,
    BackupWatchdog,
    CommitWatchdog,
    DiskSpaceReader,
    DiskWatchdog,
    GatewayWatchdog,
    LagWatchdog,
    OutboxWatchdog,
    WatchedGateway,
)

CHECK_INTERVAL: Final = 15.0
"""Seconds between two checks."""
STORE_TIMEOUT: Final = 10.0
"""Seconds that the store has for its answers."""
NO_SILENCE_ALLOWED: Final = -1.0
"""The limit of the store's alarm: a check without an answer raises it, however recent the last answer is."""
LOOPBACK_ADDRESS: Final = "127.0.0.1"

_log = logging.getLogger(__name__)


class WatchedHost(Protocol):
    """The host, as far as it is watched."""

    @property
    def outbox(self) -> Outbox | None:
        """The outbox; None until it has started."""
        ...


class Monitor:
    """The watchdogs, the heartbeat and the metrics of one process."""

    def __init__(
        self,
        store: Store,
        host: WatchedHost,
        gateway: WatchedGateway,
        metrics: Metrics,
        *,
        heartbeat_file: Path | None = None,
        metrics_port: int | None = None,
        read_backup_age: BackupAgeReader | None = None,
        backup_interval: float = BACKUP_INTERVAL,
        read_disk_space: DiskSpaceReader | None = None,
        back_up: Callable[[], Awaitable[bool]],
        clock: Clock = monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """``metrics_port``: a loopback port; ``clock`` and ``sleep``: for tests.

        ``back_up``: called before the process ends because its database's file is lost; while it returns
        False, the process goes on.
        """
        self._clock = clock
        self._sleep = sleep
        self._store = store
        self._host = host
        self._metrics = metrics
        self._heartbeat_file = heartbeat_file
        self._metrics_port = metrics_port
        self._gateway_watchdog = GatewayWatchdog(gateway, metrics, clock)
        self._outbox_watchdog = OutboxWatchdog(metrics, clock, self._wake_outbox)
        self._lag_watchdog = LagWatchdog(metrics, clock)
        self._store_alarm = Alarm("store", NO_SILENCE_ALLOWED, metrics, clock)
        self._store_answered_at = clock()
        self._commit_watchdog = CommitWatchdog(metrics, clock)
        self._backup_watchdog = (
            None
            if read_backup_age is None
            else BackupWatchdog(read_backup_age, metrics, clock, backup_interval)
        )
        self._disk_watchdog = (
            None if read_disk_space is None else DiskWatchdog(read_disk_space, metrics, clock)
        )
        self._back_up = back_up
        self._tasks: list[asyncio.Task[None]] = []
        self._metrics_server_cleanup: contextlib.ExitStack = contextlib.ExitStack()
        self.restart_needed = asyncio.Event()
        """Set when only a new process can help."""

    async def start(self) -> None:
        """Begin to watch.  Raises OSError if the metrics port is in use."""
        if self._metrics_port is not None:
            ProcessCollector(namespace="captains_table", registry=self._metrics.registry)
            server, _ = start_http_server(
                self._metrics_port, addr=LOOPBACK_ADDRESS, registry=self._metrics.registry
            )
            self._metrics_server_cleanup.callback(server.server_close)
            self._metrics_server_cleanup.callback(server.shutdown)
            _log.info("metrics server started", extra={"port": self._metrics_port})
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._lag_watchdog.run(), name="loop lag"),
            loop.create_task(self._run(), name="watchdogs"),
        ]

    async def stop(self) -> None:
        """Stop watching."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._metrics_server_cleanup.close)

    async def _run(self) -> None:
        while True:
            try:
                await self.check()
            except Exception:  # noqa: BLE001 - the watchdogs must outlive any fault, their own included
                _log.exception("watchdog check failed")
                self._metrics.faults.labels("watch").inc()
            await self._sleep(CHECK_INTERVAL)

    async def check(self) -> None:
        """Check everything once."""
        self._lag_watchdog.check()
        self._commit_watchdog.check()
        if self._backup_watchdog is not None:
            self._backup_watchdog.check()
        waiting_count = await self._check_store()
        if not await self._gateway_watchdog.check():
            _log.error("gateway silent: process ends for a restart")
            self.restart_needed.set()
        elif waiting_count is not None and self._heartbeat_file is not None:
            fields: dict[str, float | int | None] = {
                "at": time(),
                "pid": os.getpid(),
                "waiting": waiting_count,
            }
            try:
                write_heartbeat(self._heartbeat_file, fields)
            except OSError as error:
                text = f"{HEARTBEAT_VARIABLE}: {error.filename} cannot be written: {error.strerror}."
                _log.warning("heartbeat not written", exc_info=ConfigError(text))

    async def _check_store(self) -> int | None:
        """Check the store and the outbox; return how many deliveries wait, None if the store failed."""
        try:
            async with asyncio.timeout(STORE_TIMEOUT):
                backlog = await self._store.backlog(time())
                count_by_status = await self._store.count_by_status()
                await self._store.require_file()
        except (StoreError, TimeoutError) as error:
            self._store_alarm.update(self._clock() - self._store_answered_at, error=error)
            # The file is still open, so nothing is lost before the process ends.
            if isinstance(error, DatabaseFileLost) and await self._back_up():
                _log.error("database file lost: process ends")
                self.restart_needed.set()
            return None
        self._store_answered_at = self._clock()
        self._store_alarm.update(None)
        if self._disk_watchdog is not None:  # only now: a disk that hangs would hold up this check
            await self._disk_watchdog.check()
        self._outbox_watchdog.check(backlog)
        for status in Status:
            self._metrics.tables.labels(status.value).set(count_by_status.get(status, 0))
        return backlog.waiting_count

    def _wake_outbox(self, number: int) -> None:
        if self._host.outbox is not None:
            self._host.outbox.wake(number)
