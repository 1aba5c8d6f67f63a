"""The alarm of a disk that is nearly full: when it is raised and cleared, and that a disk may hang."""

import asyncio
import logging
import threading
from pathlib import Path

import msgspec
import pytest

from bot.host.backup_scheduler import BACKUP_INTERVAL
from bot.metrics import Metrics
from bot.store.disk_space import DiskSpace
from bot.watch import watchdogs
from bot.watch.logs import JsonLineFormatter
from bot.watch.monitor import CHECK_INTERVAL
from bot.watch.watchdogs import REPEAT_AFTER, DiskWatchdog
from tests.bot.host.playing import ManualClock
from tests.bot.watch.watchdog_fakes import count_alarms, read_gauge


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock that the test moves."""
    return ManualClock()


@pytest.fixture
def metrics() -> Metrics:
    """Return metrics of which nothing is counted yet."""
    return Metrics()


async def test_a_disk_that_is_nearly_full_raises_an_alarm(
    clock: ManualClock, metrics: Metrics, caplog: pytest.LogCaptureFixture
) -> None:
    """The line says what is free and what should be; a disk that cannot be read changes nothing."""
    caplog.set_level(logging.INFO)
    spaces: list[DiskSpace | OSError] = [
        DiskSpace(Path("/data"), free_bytes=60 * 2**20, needed_bytes=60 * 2**20),
        DiskSpace(Path("/data"), free_bytes=10 * 2**20, needed_bytes=60 * 2**20),
        OSError("not mounted"),
        DiskSpace(Path("/data"), free_bytes=80 * 2**20, needed_bytes=60 * 2**20),
    ]

    def read_space() -> DiskSpace:
        if isinstance(space := spaces[0], OSError):
            raise space
        return space

    watchdog, found = DiskWatchdog(read_space, metrics, clock), []
    while spaces:
        await watchdog.check()
        spaces.pop(0)
        found.append((count_alarms(metrics, "disk"), read_gauge(metrics, "disk_free_bytes") / 2**20))
    assert found == [(0, 60), (1, 10), (1, 10), (1, 80)]
    raised, cleared = caplog.records
    assert (raised.message, cleared.message) == ("alarm raised", "alarm cleared")
    line = msgspec.json.decode(JsonLineFormatter().format(raised))
    assert line["missing_bytes"] == 50 * 2**20
    assert "10.0 MB are free at /data" in str(line)


@pytest.mark.parametrize("size", [1, 20, 40])
async def test_backups_do_not_raise_the_alarm_of_the_disk_again(
    clock: ManualClock, metrics: Metrics, size: int
) -> None:
    """Each takes as much as the database for a while: the alarm is over when there is room for that too."""
    needed = max(50, 3 * size)
    free_bytes = [needed + size // 2, needed + size // 2 - size] * 5
    free_bytes += [needed + needed // 3 + 1, needed + needed // 3 + 1 - size] * 5
    spaces = iter([DiskSpace(Path("/data"), free * 2**20, needed * 2**20) for free in free_bytes])
    watchdog = DiskWatchdog(lambda: next(spaces), metrics, clock)
    for seconds in (BACKUP_INTERVAL, CHECK_INTERVAL) * 10:  # from one backup to the next, and into it
        clock.now += seconds
        await watchdog.check()
    assert count_alarms(metrics, "disk") == 1


async def test_a_disk_that_stays_full_after_an_easier_time_is_logged_again(
    clock: ManualClock, metrics: Metrics
) -> None:
    """Between the limit and the margin the alarm rests; above the limit it is repeated as ever."""
    spaces = iter([DiskSpace(Path("/data"), free, needed_bytes=60) for free in (59, 61, *[59] * 3)])
    watchdog = DiskWatchdog(lambda: next(spaces), metrics, clock)
    counts = []
    for _ in range(5):
        clock.now += REPEAT_AFTER / 2
        await watchdog.check()
        counts.append(count_alarms(metrics, "disk"))
    assert counts == [1, 1, 1, 2, 2]


async def test_a_disk_that_hangs_holds_up_no_watchdog(
    clock: ManualClock, metrics: Metrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked once until it answers; then its space counts again."""
    monkeypatch.setattr(watchdogs, "DISK_TIMEOUT", 0.01)
    begun, released, calls = threading.Event(), threading.Event(), []

    def read_space() -> DiskSpace:
        calls.append(1)
        begun.set()
        released.wait(60)
        return DiskSpace(Path("/data"), free_bytes=1, needed_bytes=3)

    watchdog = DiskWatchdog(read_space, metrics, clock)
    for _ in range(3):
        await watchdog.check()
        await asyncio.to_thread(begun.wait, 60)
    assert (len(calls), count_alarms(metrics, "disk")) == (1, 0)
    released.set()
    monkeypatch.setattr(watchdogs, "DISK_TIMEOUT", None)
    await watchdog.check()
    assert (len(calls), count_alarms(metrics, "disk")) == (1, 1)
