"""Watchdogs: each checks one thing, raises an alarm when it is wrong, and updates its metrics.

An alarm is logged once, again every ten minutes while it lasts, and once when it is over.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from bot.clock import Clock, Sleep
from bot.host.backup_scheduler import BACKUP_INTERVAL
from bot.metrics import Metrics
from bot.store.delivery_rows import Backlog, QueueHead, Slot
from bot.store.disk_space import FREE_SPACE_FACTOR, DiskSpace
from bot.store.protocol import StoreError

MAX_SILENCE: Final = 120.0
"""Seconds without an event of the gateway after which it is asked for an answer."""
PING_TIMEOUT: Final = 15.0
"""Seconds that the gateway has for its answer."""
RECONNECT_INTERVAL: Final = 120.0
"""Seconds between two attempts to reconnect."""
GIVE_UP_AFTER: Final = 900.0
"""Seconds of silence after which the process ends, for a restart."""
REPEAT_AFTER: Final = 600.0
"""Seconds after which an alarm that lasts is logged again."""
STUCK_AFTER: Final = 120.0
"""Seconds after which a due delivery, or repeated failure to send from a queue, counts as stuck."""
WAKE_INTERVAL: Final = 600.0
"""Seconds between two attempts to wake the outbox for a table."""
MAX_TABLE_ALARMS: Final = 20
"""The most tables with an alarm at once: an outage of Discord affects all tables."""
SLOW_COMMIT: Final = 2.0
"""Seconds after which a commit counts as slow."""
BACKUP_GRACE: Final = 5 * 60.0
"""Seconds for which a change may wait for a verified backup beyond the interval between two of them."""
MAX_LAG: Final = 1.0
"""Seconds by which the event loop may be late: a third of the time that Discord gives for an answer."""
DISK_TIMEOUT: Final = 5.0
"""Seconds that a disk has to say how much is free."""
LAG_SAMPLE_SECONDS: Final = 0.25
"""Seconds of the sleep whose delay is measured."""

BackupAgeReader: TypeAlias = Callable[[], float]
"""Returns the seconds since everything was in a verified backup."""
DiskSpaceReader: TypeAlias = Callable[[], DiskSpace]
"""Returns the space on the fullest disk that is used.  Raises OSError."""

_log = logging.getLogger(__name__)


class WatchedGateway(Protocol):
    """The connection to Discord's gateway, as far as it is watched."""

    @property
    def last_event_at(self) -> float:
        """When the last event arrived, by the watchdogs' clock."""
        ...

    @property
    def latency(self) -> float | None:
        """Seconds between a heartbeat and its acknowledgement; None: not connected."""
        ...

    async def ping(self, timeout_seconds: float) -> bool:
        """Return whether the gateway answers within ``timeout_seconds``."""
        ...

    async def reconnect(self) -> None:
        """Close the connection and open a new one."""
        ...


class Alarm:
    """Logs and counts an alarm while a value exceeds its limit."""

    def __init__(
        self, watch: str, limit: float, metrics: Metrics, clock: Clock, *, field: str = "seconds"
    ) -> None:
        """``watch``: the alarm's name in the log and in the metrics; ``field``: the value's in the log."""
        self._watch = watch
        self._limit = limit
        self._field = field
        self._counter = metrics.alarms.labels(watch)
        self._clock = clock
        self._repeat_counted_from: float | None = None
        """The time from which the wait for the next line of a raised alarm counts; None: it is not raised."""

    def update(
        self,
        value: float | None,
        table_number: int | None = None,
        error: BaseException | None = None,
        *,
        clearing_margin: float = 0,
    ) -> None:
        """Raise the alarm if the value is above its limit, else clear it, as for None.

        ``error``: the cause, for the log; ``clearing_margin``: how far below the limit a value clears it.
        """
        fields: dict[str, object] = {"watch": self._watch, self._field: value, "table": table_number}
        now = self._clock()
        if value is None or value <= self._limit:
            if self._repeat_counted_from is not None and (
                value is None or value <= self._limit - clearing_margin
            ):
                self._repeat_counted_from = None
                _log.info("alarm cleared", extra=fields)
            elif self._repeat_counted_from is not None:
                self._repeat_counted_from = (
                    now  # it lasts, but is logged again only if the value stays above its limit
                )
            return
        if self._repeat_counted_from is None or now - self._repeat_counted_from >= REPEAT_AFTER:
            self._repeat_counted_from = now
            self._counter.inc()
            _log.error("alarm raised", exc_info=error, extra=fields)


class GatewayWatchdog:
    """Asks a silent gateway for an answer, reconnects if there is none, and finally gives up."""

    def __init__(self, gateway: WatchedGateway, metrics: Metrics, clock: Clock) -> None:
        """Nothing is checked yet."""
        self._gateway = gateway
        self._metrics = metrics
        self._clock = clock
        self._alarm = Alarm("gateway", MAX_SILENCE, metrics, clock)
        self._reconnected_at: float | None = None

    async def check(self) -> bool:
        """Check once; return False if the process should end and be restarted."""
        silence = self._clock() - self._gateway.last_event_at
        latency = self._gateway.latency
        self._metrics.gateway_silence.set(silence)
        self._metrics.gateway_latency.set(float("nan") if latency is None else latency)
        if silence <= MAX_SILENCE or await self._gateway.ping(PING_TIMEOUT):
            self._alarm.update(0.0)
            self._reconnected_at = None
            return True
        self._alarm.update(silence)
        if silence > GIVE_UP_AFTER:
            return False
        now = self._clock()
        if self._reconnected_at is None or now - self._reconnected_at >= RECONNECT_INTERVAL:
            self._reconnected_at = now
            await self._gateway.reconnect()
        return True


class OutboxWatchdog:
    """Finds tables with a queue from which nothing is sent: a delivery stays due, or every attempt fails.

    Deliveries that wait for a permission are only counted: the people who can grant it have had a message.
    """

    def __init__(self, metrics: Metrics, clock: Clock, wake: Callable[[int], None]) -> None:
        """``wake``: wakes the outbox for a table, by its number."""
        self._metrics = metrics
        self._clock = clock
        self._wake = wake
        self._due_since: dict[int, float] = {}
        """By the id of a delivery: since when it has been due."""
        self._failing_since: dict[tuple[int, Slot | int], float] = {}
        """By queue: since when nothing in it could be sent."""
        self._alarms: dict[int, Alarm] = {}
        """By table number: those that have been raised."""
        self._woken_at: dict[int, float] = {}
        """By table number: when the outbox was last woken for it."""

    def check(self, backlog: Backlog) -> None:
        """Check once."""
        now, heads = self._clock(), backlog.heads
        self._due_since = {head.id: self._due_since.get(head.id, now) for head in heads if head.is_due}
        failing_queues = {
            _queue_key(head)
            for head in heads
            if not head.is_blocked and (head.failed_attempt_count or _queue_key(head) in self._failing_since)
        }
        self._failing_since = {queue: self._failing_since.get(queue, now) for queue in failing_queues}
        stuck_seconds_by_table = {head.table_number: 0.0 for head in heads}
        for head in heads:
            since = min(self._due_since.get(head.id, now), self._failing_since.get(_queue_key(head), now))
            stuck_seconds_by_table[head.table_number] = max(
                stuck_seconds_by_table[head.table_number], now - since
            )
        self._metrics.outbox_waiting.set(backlog.waiting_count)
        self._metrics.outbox_stuck.set(max(stuck_seconds_by_table.values(), default=0.0))
        self._metrics.outbox_blocked.set(sum(head.is_blocked for head in heads))
        self._update_alarms(
            {number: seconds for number, seconds in stuck_seconds_by_table.items() if seconds > STUCK_AFTER}
        )
        self._wake_tables(
            {head.table_number for head in heads if now - self._due_since.get(head.id, now) > STUCK_AFTER}
        )

    def _update_alarms(self, stuck_seconds_by_table: dict[int, float]) -> None:
        for number in self._alarms.keys() - stuck_seconds_by_table.keys():
            self._alarms.pop(number).update(0.0, number)
        for number, seconds in stuck_seconds_by_table.items():
            if number in self._alarms or len(self._alarms) < MAX_TABLE_ALARMS:
                alarm = self._alarms.setdefault(
                    number, Alarm("outbox", STUCK_AFTER, self._metrics, self._clock)
                )
                alarm.update(seconds, number)

    def _wake_tables(self, numbers: set[int]) -> None:
        """Wake the outbox for tables whose due deliveries nothing has tried to send."""
        now = self._clock()
        self._woken_at = {number: at for number, at in self._woken_at.items() if number in numbers}
        for number in numbers:
            if number not in self._woken_at or now - self._woken_at[number] >= WAKE_INTERVAL:
                self._woken_at[number] = now
                self._wake(number)


def _queue_key(head: QueueHead) -> tuple[int, Slot | int]:
    """Return the table of a delivery, and its slot or, if its slot sends every delivery, its own id."""
    return head.table_number, head.slot if head.slot.keeps_only_newest else head.id


class LagWatchdog:
    """Measures how late the event loop returns from a short sleep."""

    def __init__(self, metrics: Metrics, clock: Clock, sleep: Sleep = asyncio.sleep) -> None:
        """``run`` takes the samples; ``check`` reports the worst one."""
        self._metrics = metrics
        self._clock = clock
        self._sleep = sleep
        self._alarm = Alarm("loop", MAX_LAG, metrics, clock)
        self._worst_delay = 0.0

    async def sample(self) -> None:
        """Take one sample."""
        started_at = self._clock()
        await self._sleep(LAG_SAMPLE_SECONDS)
        self._worst_delay = max(self._worst_delay, self._clock() - started_at - LAG_SAMPLE_SECONDS)

    async def run(self) -> None:
        """Take samples until cancelled."""
        while True:
            await self.sample()

    def check(self) -> None:
        """Check the worst delay since the last check."""
        self._metrics.loop_lag.set(self._worst_delay)
        self._alarm.update(self._worst_delay)
        self._worst_delay = 0.0


class CommitWatchdog:
    """Finds slow commits, finished or still under way."""

    def __init__(self, metrics: Metrics, clock: Clock) -> None:
        """``metrics``: what measures the commits."""
        self._metrics = metrics
        self._alarm = Alarm("commit", SLOW_COMMIT, metrics, clock)

    def check(self) -> None:
        """Check the slowest commit since the last check."""
        self._alarm.update(self._metrics.take_slowest_commit_seconds())


class BackupWatchdog:
    """Finds changes that wait too long for a backup."""

    def __init__(
        self, read_age: BackupAgeReader, metrics: Metrics, clock: Clock, interval: float = BACKUP_INTERVAL
    ) -> None:
        """``interval``: seconds between two backups while something changes."""
        self._read_age = read_age
        self._metrics = metrics
        self._alarm = Alarm("backup", interval + BACKUP_GRACE, metrics, clock)

    def check(self) -> None:
        """Check once."""
        age = self._read_age()
        self._metrics.backup_age.set(age)
        self._alarm.update(age)


class DiskWatchdog:
    """Finds a disk that is nearly full, before backups fail and moves are refused."""

    def __init__(self, read_space: DiskSpaceReader, metrics: Metrics, clock: Clock) -> None:
        """``read_space``: reads the space on the fullest disk."""
        self._read_space = read_space
        self._metrics = metrics
        self._alarm = Alarm("disk", 0, metrics, clock, field="missing_bytes")
        self._reading: asyncio.Task[DiskSpace] | None = None
        """Goes on while a disk hangs."""

    async def check(self) -> None:
        """Check once.  A disk that fails or hangs changes nothing: other alarms find it."""
        if self._reading is None:
            self._reading = asyncio.create_task(asyncio.to_thread(self._read_space), name="disk space")
        await asyncio.wait({self._reading}, timeout=DISK_TIMEOUT)
        if not self._reading.done():
            return
        reading, self._reading = self._reading, None
        try:
            space = reading.result()
        except OSError:
            return
        self._metrics.disk_free.set(space.free_bytes)
        # A backup takes that much and gives it back: without the margin each one could raise the alarm anew.
        margin = space.needed_bytes / FREE_SPACE_FACTOR
        self._alarm.update(space.missing_bytes, error=StoreError(str(space)), clearing_margin=margin)
