"""Watchdogs: each looks at one thing, says so once when it is not as it should be, and counts.

The clocks come from outside, so that tests do not wait.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias

from bot.meters import Meters
from bot.store.protocol import Backlog

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
"""Seconds for which a delivery may be due."""
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

    async def echo(self, patience: float) -> bool:
        """Whether it answers a question within ``patience`` seconds."""
        ...

    async def reconnect(self) -> None:
        """Take the connection up anew."""
        ...


class Alarm:
    """Tells once when a value passes its limit, again after a while, and once when all is well."""

    def __init__(self, watch: str, limit: float, meters: Meters, clock: Clock) -> None:
        """``watch``: the name under which it is told and counted."""
        self._watch = watch
        self._limit = limit
        self._count = meters.alarms.labels(watch)
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


class GatewayDog:
    """A gateway that has gone silent is asked; if it does not answer, taken up anew; at last given up."""

    def __init__(self, line: WatchedLine, meters: Meters, clock: Clock) -> None:
        """``look`` is called from time to time."""
        self._line = line
        self._meters = meters
        self._clock = clock
        self._alarm = Alarm("gateway", QUIET, meters, clock)
        self._tried_at: float | None = None

    async def look(self) -> bool:
        """Look once; False if the process should end and be started afresh."""
        silence = self._clock() - self._line.heard_at
        self._meters.silence.set(silence)
        self._meters.latency.set(self._line.latency if self._line.latency is not None else float("nan"))
        if silence <= QUIET or await self._line.echo(ECHO_PATIENCE):
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


class OutboxDog:
    """A delivery that is due and stays: whoever sends is woken."""

    def __init__(self, meters: Meters, clock: Clock, wake: Callable[[int], None]) -> None:
        """``wake``: of the outbox."""
        self._meters = meters
        self._clock = clock
        self._wake = wake
        self._alarm = Alarm("outbox", STUCK, meters, clock)
        self._oldest: int | None = None
        self._since = 0.0

    def look(self, backlog: Backlog) -> None:
        """Look once."""
        if backlog.oldest_due != self._oldest:
            self._oldest, self._since = backlog.oldest_due, self._clock()
        stuck = 0.0 if self._oldest is None else self._clock() - self._since
        self._meters.outbox.set(backlog.waiting)
        self._meters.outbox_age.set(stuck)
        if self._alarm.look(stuck, backlog.table) and backlog.table is not None:
            self._wake(backlog.table)


class LagDog:
    """How late the event loop comes back from a short sleep."""

    def __init__(
        self, meters: Meters, clock: Clock, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """``run`` samples for ever; ``look`` tells the worst since the last look."""
        self._meters = meters
        self._clock = clock
        self._sleep = sleep
        self._alarm = Alarm("loop", LAG, meters, clock)
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
        self._meters.loop_lag.set(self._worst)
        self._alarm.look(self._worst)
        self._worst = 0.0


class CommitDog:
    """Commits that take long: under way, or finished since the last look."""

    def __init__(self, meters: Meters, clock: Clock) -> None:
        """The meters measure them."""
        self._meters = meters
        self._alarm = Alarm("commit", SLOW_COMMIT, meters, clock)

    def look(self) -> None:
        """Look once."""
        self._alarm.look(self._meters.slowest_commit())


class BackupDog:
    """Changes that wait too long for a backup."""

    def __init__(self, age: BackupAge, meters: Meters, clock: Clock, every: float = BACKUP_EVERY) -> None:
        """``age``: of whoever makes the backups, one ``every`` so many seconds."""
        self._age = age
        self._meters = meters
        self._alarm = Alarm("backup", every + LATE_BACKUP, meters, clock)

    def look(self) -> None:
        """Look once."""
        age = self._age()
        self._meters.backup_age.set(age or 0.0)
        self._alarm.look(age)
