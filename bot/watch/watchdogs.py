"""Watchdogs: each looks at one thing, says so once when it is not as it should be, and counts.

The clocks come from outside, so that tests do not wait.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias

from bot.metrics import Metrics
from bot.store.rows import Backlog, Head

Clock: TypeAlias = Callable[[], float]
"""Seconds that only grow."""

QUIET: Final = 120.0
"""Seconds without a word from the gateway after which it is asked for an echo."""
ECHO_PATIENCE: Final = 15.0
RECONNECT_EVERY: Final = 120.0
GIVE_UP: Final = 900.0
"""Seconds of silence after which the process ends, to be started afresh."""
REPEAT: Final = 600.0
"""An alarm that goes on is told again after so many seconds."""
STUCK: Final = 120.0
"""Seconds for which a delivery may be due, or a table's sending may fail."""
MOST_TOLD: Final = 20
"""So many tables are told of at once; when Discord is away all are concerned."""
SLOW_COMMIT: Final = 2.0
BACKUP_EVERY: Final = 15 * 60.0
LATE_BACKUP: Final = 5 * 60.0
"""Seconds for which a change may wait for a verified backup beyond the time between two of them."""
LAG: Final = 1.0
"""Seconds by which the event loop may be late: a third of the time that an answer has."""
LAG_SAMPLE: Final = 0.25

_log = logging.getLogger(__name__)


class BackupAge(Protocol):
    """Whoever makes the backups."""

    def __call__(self) -> float | None:
        """Seconds for which a change has waited for a verified backup; None: nothing waits."""
        ...


class WatchedLine(Protocol):
    """The gateway."""

    @property
    def heard_at(self) -> float:
        """When it told something, by the clock that the watchdogs use."""
        ...

    @property
    def latency(self) -> float | None:
        """Seconds that a heartbeat takes."""
        ...

    async def ping(self, patience: float) -> bool:
        """Whether it answers a question within ``patience`` seconds."""
        ...

    async def reconnect(self) -> None:
        """Take the connection up anew."""
        ...


class Alarm:
    """Tells once when a value passes its limit, again after a while, and once when all is well."""

    def __init__(self, watch: str, limit: float, metrics: Metrics, clock: Clock) -> None:
        """``watch``: the name under which it is told and counted."""
        self._watch = watch
        self._limit = limit
        self._count = metrics.alarms.labels(watch)
        self._clock = clock
        self._told_at: float | None = None

    def look(self, value: float | None, table: int | None = None, error: BaseException | None = None) -> bool:
        """Whether the value is over the limit; ``error``: why, for the log."""
        about: dict[str, object] = {"watch": self._watch, "seconds": value, "table": table}
        if value is None or value <= self._limit:
            if self._told_at is not None:
                self._told_at = None
                _log.info("a watchdog is content again", extra=about)
            return False
        now = self._clock()
        if self._told_at is None or now - self._told_at >= REPEAT:
            self._told_at = now
            self._count.inc()
            _log.error("a watchdog barks", exc_info=error, extra=about)
        return True


class GatewayWatchdog:
    """A gateway that has gone silent is asked; if it does not answer, taken up anew; at last given up."""

    def __init__(self, line: WatchedLine, metrics: Metrics, clock: Clock) -> None:
        """``look`` is called from time to time."""
        self._line = line
        self._metrics = metrics
        self._clock = clock
        self._alarm = Alarm("gateway", QUIET, metrics, clock)
        self._tried_at: float | None = None

    async def look(self) -> bool:
        """Look once; False if the process should end and be started afresh."""
        silence = self._clock() - self._line.heard_at
        self._metrics.silence.set(silence)
        self._metrics.latency.set(self._line.latency if self._line.latency is not None else float("nan"))
        if silence <= QUIET or await self._line.ping(ECHO_PATIENCE):
            self._alarm.look(0.0)
            self._tried_at = None
            return True
        self._alarm.look(silence)
        if silence > GIVE_UP:
            return False
        now = self._clock()
        if self._tried_at is None or now - self._tried_at >= RECONNECT_EVERY:
            self._tried_at = now
            await self._line.reconnect()
        return True


class OutboxWatchdog:
    """A table whose sending does not work: what is due stays, or what is tried fails again and again.

    What waits for a right is no fault of ours, and those who can give it have been told: it is only counted.
    """

    def __init__(self, metrics: Metrics, clock: Clock, wake: Callable[[int], None]) -> None:
        """``wake``: of the outbox."""
        self._metrics = metrics
        self._clock = clock
        self._wake = wake
        self._due: dict[int, float] = {}
        """Since when a delivery has been due."""
        self._failing: dict[tuple[int, str], float] = {}
        """Since when nothing of a table's slot could be sent."""
        self._alarms: dict[int, Alarm] = {}
        self._woken: dict[int, float] = {}

    def look(self, backlog: Backlog) -> None:
        """Look once."""
        now, heads = self._clock(), backlog.heads
        self._due = {head.id: self._due.get(head.id, now) for head in heads if head.due}
        self._failing = {
            queue: self._failing.get(queue, now)
            for head in heads
            if not head.barred and ((queue := _queue(head)) in self._failing or head.attempts)
        }
        stuck = {head.table: 0.0 for head in heads}
        for head in heads:
            since = min(self._due.get(head.id, now), self._failing.get(_queue(head), now))
            stuck[head.table] = max(stuck[head.table], now - since)
        self._metrics.outbox.set(backlog.waiting)
        self._metrics.outbox_age.set(max(stuck.values(), default=0.0))
        self._metrics.outbox_barred.set(sum(head.barred for head in heads))
        self._tell({table: seconds for table, seconds in stuck.items() if seconds > STUCK})
        self._wake_up({head.table for head in heads if now - self._due.get(head.id, now) > STUCK})

    def _tell(self, stuck: dict[int, float]) -> None:
        for table in self._alarms.keys() - stuck.keys():
            self._alarms.pop(table).look(0.0, table)
        for table, seconds in stuck.items():
            if table in self._alarms or len(self._alarms) < MOST_TOLD:
                alarm = self._alarms.setdefault(table, Alarm("outbox", STUCK, self._metrics, self._clock))
                alarm.look(seconds, table)

    def _wake_up(self, tables: set[int]) -> None:
        """Nobody has tried: whoever sends for these tables has stopped."""
        now = self._clock()
        self._woken = {table: at for table, at in self._woken.items() if table in tables}
        for table in tables:
            if now - self._woken.get(table, -REPEAT) >= REPEAT:
                self._woken[table] = now
                self._wake(table)


def _queue(head: Head) -> tuple[int, str]:
    """What goes out in order.  The next notice is another, the next board takes the place of the last."""
    return head.table, head.slot or str(head.id)


class LagWatchdog:
    """How late the event loop comes back from a short sleep."""

    def __init__(
        self, metrics: Metrics, clock: Clock, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """``run`` samples for ever; ``look`` tells the worst since the last look."""
        self._metrics = metrics
        self._clock = clock
        self._sleep = sleep
        self._alarm = Alarm("loop", LAG, metrics, clock)
        self._worst = 0.0

    async def sample(self) -> None:
        """One short sleep."""
        began = self._clock()
        await self._sleep(LAG_SAMPLE)
        self._worst = max(self._worst, self._clock() - began - LAG_SAMPLE)

    async def run(self) -> None:
        """Sample until cancelled."""
        while True:
            await self.sample()

    def look(self) -> None:
        """Look once."""
        self._metrics.loop_lag.set(self._worst)
        self._alarm.look(self._worst)
        self._worst = 0.0


class CommitWatchdog:
    """Commits that take long: under way, or finished since the last look."""

    def __init__(self, metrics: Metrics, clock: Clock) -> None:
        """The meters measure them."""
        self._metrics = metrics
        self._alarm = Alarm("commit", SLOW_COMMIT, metrics, clock)

    def look(self) -> None:
        """Look once."""
        self._alarm.look(self._metrics.slowest_commit())


class BackupWatchdog:
    """Changes that wait too long for a backup."""

    def __init__(self, age: BackupAge, metrics: Metrics, clock: Clock, every: float = BACKUP_EVERY) -> None:
        """``age``: of whoever makes the backups, one ``every`` so many seconds."""
        self._age = age
        self._metrics = metrics
        self._alarm = Alarm("backup", every + LATE_BACKUP, metrics, clock)

    def look(self) -> None:
        """Look once."""
        age = self._age()
        self._metrics.backup_age.set(age or 0.0)
        self._alarm.look(age)
