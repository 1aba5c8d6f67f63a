"""The backup scheduler makes backups in time, reports their state, and never stops the games (P13)."""

import asyncio
import logging
from pathlib import Path

import pytest

from bot import running
from bot.config import Config, Secret, StorageSettings
from bot.host.backup_scheduler import LAST_BACKUP_TIMEOUT, BackupScheduler
from bot.store.protocol import Backup, BackupFailed
from bot.watch.hang_watchdog import HangWatchdog
from tests.bot.host.playing import ManualClock

MINUTES = 60.0


class FakeBackups:
    """Backups that a test can inspect."""

    def __init__(self) -> None:
        """None is there."""
        self.made: list[Backup] = []
        self.current = False
        self.failing: Exception | None = None
        self.endless = False

    async def check_current(self) -> bool:
        """Return what the test has set."""
        return self.current

    async def newest(self) -> Backup | None:
        """Return the last one."""
        return self.made[-1] if self.made else None

    async def make(self, now: float) -> Backup:
        """Make one more."""
        if self.failing is not None:
            raise self.failing
        if self.endless:
            await asyncio.Event().wait()
        self.made.append(Backup(int(now), Path(f"{len(self.made)}.db")))
        self.current = True
        return self.made[-1]


@pytest.fixture
def copies() -> FakeBackups:
    """Return backups without any copy yet."""
    return FakeBackups()


async def test_copies_what_has_changed(copies: FakeBackups, clock: ManualClock) -> None:
    """What has changed is copied, and only that; the age is 0 again also where nothing has to be copied."""
    scheduler = BackupScheduler(copies, clock)
    clock.now += 5 * MINUTES
    assert scheduler.age() == 5 * MINUTES, "nothing is kept yet"
    assert await scheduler.back_up()
    assert await scheduler.back_up()
    assert len(copies.made) == 1
    clock.now += 20 * MINUTES
    assert scheduler.age() == 20 * MINUTES
    assert await scheduler.back_up()
    assert scheduler.age() == 0.0
    assert len(copies.made) == 1
    copies.current = False
    assert await scheduler.back_up()
    assert len(copies.made) == 2
    assert scheduler.status.newest == copies.made[-1]


@pytest.mark.parametrize(
    "fault", [BackupFailed("the disk is full"), OSError("no such folder"), RuntimeError("x")]
)
async def test_a_failure_is_noticed(
    copies: FakeBackups, clock: ManualClock, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """A copy that fails is logged and counted, the age goes on growing, and the next good one ends it."""
    scheduler = BackupScheduler(copies, clock)
    assert await scheduler.back_up()
    copies.current, copies.failing = False, fault
    for attempt in (1, 2):
        clock.now += 10 * MINUTES
        assert not await scheduler.back_up()
        assert scheduler.status.failure_count == attempt
        assert scheduler.status.failure_reason == str(fault)
        assert scheduler.age() == attempt * 10 * MINUTES
    assert [entry.levelno for entry in caplog.records].count(logging.ERROR) == 2
    copies.failing = None
    assert await scheduler.back_up()
    assert (scheduler.age(), scheduler.status.failure_count, scheduler.status.failure_reason) == (0.0, 0, "")


async def test_runs_by_itself(copies: FakeBackups, clock: ManualClock) -> None:
    """From the start on it copies by itself, outlives failures, and copies once more when it is stopped."""
    scheduler = BackupScheduler(copies, clock, interval=0.01)
    scheduler.start()

    async def until(number: int) -> None:
        async with asyncio.timeout(5):
            while len(copies.made) < number:
                copies.current = False
                await asyncio.sleep(0.002)

    await until(3)
    copies.failing = RuntimeError("x")
    copies.current = False
    async with asyncio.timeout(5):
        while scheduler.status.failure_count < 2:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.002)
    copies.failing = None
    await until(len(copies.made) + 2)
    copies.current = False
    before = len(copies.made)
    await scheduler.stop()
    assert len(copies.made) >= before + 1
    assert copies.current


@pytest.mark.parametrize("interval", [15 * MINUTES, 30.0])
async def test_a_failed_backup_is_tried_again_soon(
    copies: FakeBackups, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, interval: float
) -> None:
    """After a minute, or the interval if that is shorter; after a good one the interval passes again."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        copies.failing = None if len(waits) == 3 else RuntimeError("x")
        copies.current = False
        if len(waits) == 4:
            raise asyncio.CancelledError

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await BackupScheduler(copies, clock, interval=interval)._run()
    retry = min(MINUTES, interval)
    assert waits == [0.0, retry, retry, interval]


async def test_a_stop_does_not_wait_for_a_long_backup(
    copies: FakeBackups, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the last backup takes too long, the bot stops without it and the log says so, as no error."""
    copies.endless = True
    scheduler = BackupScheduler(copies, clock)
    scheduler.start()
    await asyncio.sleep(0.01)
    async with asyncio.timeout(5):
        await scheduler.stop(0.05)
    assert [(entry.levelno, entry.getMessage()) for entry in caplog.records] == [
        (logging.WARNING, "last backup left out: too slow for a stop")
    ]


async def test_the_last_backup_gets_what_is_left_of_a_stop(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time that the rest of the stop has taken is not its own: a supervisor kills after ten seconds."""
    given: list[float] = []

    async def run_client(
        _store: object, _config: object, _scheduler: object, stop_signal: running.StopSignal
    ) -> int:
        stop_signal.set()
        clock.now += running.STOP_TIMEOUT - 2.0
        return 0

    async def stop(_: BackupScheduler, timeout_seconds: float = LAST_BACKUP_TIMEOUT) -> None:
        given.append(timeout_seconds)

    monkeypatch.setattr(running, "monotonic", clock)
    monkeypatch.setattr(running, "_run_client", run_client)
    monkeypatch.setattr(BackupScheduler, "stop", stop)
    config = Config(Secret("token"), None, "info", 0.0, StorageSettings(tmp_path / "bot.db", tmp_path))
    assert await running._run(config, HangWatchdog(lambda: None)) == 0
    assert given == [2.0]


async def test_quick_starts_make_no_copy_each(copies: FakeBackups, clock: ManualClock) -> None:
    """A bot that starts again within the interval waits until the newest copy is old enough."""
    copies.made.append(Backup(int(clock.now) - 60, Path("0.db")))
    scheduler = BackupScheduler(copies, clock)
    assert await scheduler._initial_delay() == 14 * MINUTES
    clock.now += 3600
    assert await scheduler._initial_delay() == 0.0
    clock.now -= 10**6
    assert await scheduler._initial_delay() == 15 * MINUTES, "a clock that was set back"
