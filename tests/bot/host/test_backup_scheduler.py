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
from tests.trials import WAIT_TIMEOUT

MINUTE = 60.0


class FakeBackups:
    """Backups that a test can inspect."""

    def __init__(self) -> None:
        """None is there."""
        self.made: list[Backup] = []
        self.is_current = False
        self.error: Exception | None = None
        self.make_never_ends = False

    async def confirm_current(self) -> bool:
        """Return what the test has set."""
        return self.is_current

    async def newest(self) -> Backup | None:
        """Return the last one."""
        return self.made[-1] if self.made else None

    async def make(self, now: float) -> Backup:
        """Make one more."""
        if self.error is not None:
            raise self.error
        if self.make_never_ends:
            await asyncio.Event().wait()
        self.made.append(Backup(int(now), Path(f"{len(self.made)}.db")))
        self.is_current = True
        return self.made[-1]


@pytest.fixture
def backups() -> FakeBackups:
    """Return backups without any copy yet."""
    return FakeBackups()


async def test_the_scheduler_copies_what_has_changed(backups: FakeBackups, clock: ManualClock) -> None:
    """What has changed is copied, and only that; the age is 0 again also where nothing has to be copied."""
    scheduler = BackupScheduler(backups, clock)
    clock.now += 5 * MINUTE
    assert scheduler.backup_age() == 5 * MINUTE, "nothing is kept yet"
    assert await scheduler.back_up()
    assert await scheduler.back_up()
    assert len(backups.made) == 1
    clock.now += 20 * MINUTE
    assert scheduler.backup_age() == 20 * MINUTE
    assert await scheduler.back_up()
    assert scheduler.backup_age() == 0.0
    assert len(backups.made) == 1
    backups.is_current = False
    assert await scheduler.back_up()
    assert len(backups.made) == 2
    assert scheduler.status.newest == backups.made[-1]


@pytest.mark.parametrize(
    "error", [BackupFailed("the disk is full"), OSError("no such folder"), RuntimeError("x")]
)
async def test_a_failure_is_noticed(
    backups: FakeBackups, clock: ManualClock, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """A copy that fails is logged and counted, the age goes on growing, and the next good one ends it."""
    scheduler = BackupScheduler(backups, clock)
    assert await scheduler.back_up()
    backups.is_current, backups.error = False, error
    for attempt in (1, 2):
        clock.now += 10 * MINUTE
        assert not await scheduler.back_up()
        assert scheduler.status.failure_count == attempt
        assert scheduler.backup_age() == attempt * 10 * MINUTE
    logged_errors = [(entry.levelno, entry.exc_info[1]) for entry in caplog.records if entry.exc_info]
    assert logged_errors == [(logging.ERROR, error)] * 2
    backups.error = None
    assert await scheduler.back_up()
    assert (scheduler.backup_age(), scheduler.status.failure_count) == (0.0, 0)


async def test_the_scheduler_runs_by_itself(backups: FakeBackups, clock: ManualClock) -> None:
    """From the start on it copies by itself, outlives failures, and copies once more when it is stopped."""
    scheduler = BackupScheduler(backups, clock, interval=0.01)
    scheduler.start()

    async def wait_until_made(count: int) -> None:
        async with asyncio.timeout(WAIT_TIMEOUT):
            while len(backups.made) < count:
                backups.is_current = False
                await asyncio.sleep(0.002)

    await wait_until_made(3)
    backups.error = RuntimeError("x")
    backups.is_current = False
    async with asyncio.timeout(WAIT_TIMEOUT):
        while scheduler.status.failure_count < 2:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.002)
    backups.error = None
    await wait_until_made(len(backups.made) + 2)
    backups.is_current = False
    count_before = len(backups.made)
    await scheduler.stop()
    assert len(backups.made) >= count_before + 1
    assert backups.is_current


@pytest.mark.parametrize("interval", [15 * MINUTE, 30.0])
async def test_a_failed_backup_is_tried_again_soon(
    backups: FakeBackups, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, interval: float
) -> None:
    """After a minute, or the interval if that is shorter; after a good one the interval passes again."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        backups.error = None if len(waits) == 3 else RuntimeError("x")
        backups.is_current = False
        if len(waits) == 4:
            raise asyncio.CancelledError

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await BackupScheduler(backups, clock, interval=interval)._run()
    retry = min(MINUTE, interval)
    assert waits == [0.0, retry, retry, interval]


async def test_a_stop_does_not_wait_for_a_long_backup(
    backups: FakeBackups, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the last backup takes too long, the bot stops without it and the log says so, as no error."""
    backups.make_never_ends = True
    scheduler = BackupScheduler(backups, clock)
    scheduler.start()
    await asyncio.sleep(0.01)
    async with asyncio.timeout(WAIT_TIMEOUT):
        await scheduler.stop(0.05)
    assert [(entry.levelno, entry.getMessage()) for entry in caplog.records] == [
        (logging.WARNING, "last backup left out: too slow for a stop")
    ]


async def test_the_last_backup_gets_the_time_that_is_left_to_stop(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time that the rest of the stop has taken is not its own: a supervisor kills after ten seconds."""
    stop_timeouts: list[float] = []

    async def run_client(
        _store: object, _config: object, _scheduler: object, stop_signal: running.StopSignal
    ) -> int:
        stop_signal.set()
        clock.now += running.STOP_TIMEOUT - 2.0
        return 0

    async def stop(_: BackupScheduler, timeout_seconds: float = LAST_BACKUP_TIMEOUT) -> None:
        stop_timeouts.append(timeout_seconds)

    monkeypatch.setattr(running, "monotonic", clock)
    monkeypatch.setattr(running, "_run_client", run_client)
    monkeypatch.setattr(BackupScheduler, "stop", stop)
    config = Config(Secret("token"), None, "info", 0.0, StorageSettings(tmp_path / "bot.db", tmp_path))
    assert await running._run(config, HangWatchdog(lambda: None)) == 0
    assert stop_timeouts == [2.0]


async def test_a_restart_within_the_interval_makes_no_copy(backups: FakeBackups, clock: ManualClock) -> None:
    """A bot that starts again within the interval waits until the newest copy is old enough."""
    backups.made.append(Backup(int(clock.now) - 60, Path("0.db")))
    scheduler = BackupScheduler(backups, clock)
    assert await scheduler._initial_delay() == 14 * MINUTE
    clock.now += 3600
    assert await scheduler._initial_delay() == 0.0
    clock.now -= 10**6
    assert await scheduler._initial_delay() == 15 * MINUTE, "a clock that was set back"
