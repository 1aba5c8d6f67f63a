"""Everything that watches a running bot, started and stopped together."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic, time
from typing import Final, Protocol

from prometheus_client import ProcessCollector, start_http_server

from bot.host.outbox import Outbox
from bot.metrics import Metrics
from bot.store.protocol import Store, StoreError
from bot.store.rows import Status
from bot.watch.heartbeat import beat
from bot.watch.watchdogs import (
    BACKUP_EVERY,
    Alarm,
    BackupAge,
    BackupWatchdog,
    Clock,
    CommitWatchdog,
    GatewayWatchdog,
    LagWatchdog,
    OutboxWatchdog,
    WatchedLine,
)

EVERY: Final = 15.0
"""Seconds between two looks."""
STORE_PATIENCE: Final = 10.0
NO_ANSWER_IS_BORNE: Final = -1.0
"""However short the silence, a question that the store did not answer is told."""
LOOPBACK: Final = "127.0.0.1"

_log = logging.getLogger(__name__)


class Watched(Protocol):
    """The host, as far as it is watched."""

    @property
    def outbox(self) -> Outbox | None:
        """What sends; None until it has started."""
        ...


class Monitor:
    """The watchdogs, the heartbeat and the metrics of one process."""

    def __init__(
        self,
        store: Store,
        host: Watched,
        line: WatchedLine,
        metrics: Metrics,
        *,
        heartbeat: Path | None = None,
        metrics_port: int | None = None,
        backup_age: BackupAge | None = None,
        backup_every: float = BACKUP_EVERY,
        clock: Clock = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``metrics_port``: a port of this machine's own; ``clock`` and ``sleep``: for tests."""
        self._clock = clock
        self._sleep = sleep
        self._store = store
        self._host = host
        self._metrics = metrics
        self._heartbeat = heartbeat
        self._port = metrics_port
        self._gateway = GatewayWatchdog(line, metrics, clock)
        self._outbox = OutboxWatchdog(metrics, clock, self._wake)
        self._lag = LagWatchdog(metrics, clock)
        self._store_alarm = Alarm("store", NO_ANSWER_IS_BORNE, metrics, clock)
        self._answered_at = clock()
        self._commits = CommitWatchdog(metrics, clock)
        self._backups = (
            None if backup_age is None else BackupWatchdog(backup_age, metrics, clock, backup_every)
        )
        self._tasks: list[asyncio.Task[None]] = []
        self._server: contextlib.ExitStack = contextlib.ExitStack()
        self.gave_up = asyncio.Event()
        """Set when only a new process can help."""

    async def start(self) -> None:
        """Watch from now on.  Raises OSError if the port of the metrics is taken."""
        if self._port is not None:
            ProcessCollector(namespace="captains_table", registry=self._metrics.registry)
            server, _ = start_http_server(self._port, addr=LOOPBACK, registry=self._metrics.registry)
            self._server.callback(server.server_close)
            self._server.callback(server.shutdown)
            _log.info("metrics are served on this machine", extra={"port": self._port})
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._lag.run(), name="loop-lag"),
            loop.create_task(self._watch(), name="watchdogs"),
        ]

    async def stop(self) -> None:
        """Watch no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._server.close)

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:  # noqa: BLE001 - whoever watches must outlive what it watches
                _log.exception("a watchdog stumbled")
                self._metrics.faults.labels("watch").inc()
            await self._sleep(EVERY)

    async def look(self) -> None:
        """Look at everything once."""
        self._lag.look()
        self._commits.look()
        if self._backups is not None:
            self._backups.look()
        waiting = await self._look_at_store()
        if not await self._gateway.look():
            _log.error("the gateway stays silent: the process ends, to be started afresh")
            self.gave_up.set()
        elif waiting is not None and self._heartbeat is not None:
            try:
                beat(self._heartbeat, {"at": time(), "pid": os.getpid(), "waiting": waiting})
            except OSError:
                _log.warning("the heartbeat could not be written", exc_info=True)

    async def _look_at_store(self) -> int | None:
        """How many deliveries wait; None if the store does not answer: then the heart does not beat."""
        try:
            async with asyncio.timeout(STORE_PATIENCE):
                backlog = await self._store.backlog(time())
                statuses = await self._store.by_status()
        except (StoreError, TimeoutError) as error:
            self._store_alarm.look(self._clock() - self._answered_at, error=error)
            return None
        self._answered_at = self._clock()
        self._store_alarm.look(None)
        self._outbox.look(backlog)
        for status in Status:
            self._metrics.tables.labels(status.value).set(statuses.get(status, 0))
        return backlog.waiting

    def _wake(self, table: int) -> None:
        if self._host.outbox is not None:
            self._host.outbox.wake(table)
