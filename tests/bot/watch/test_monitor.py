"""The monitor: one check of a real store, the heartbeat, and giving up."""

import asyncio
import contextlib
import logging
import runpy
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest
from aiohttp.test_utils import unused_port

from bot.host.backup_scheduler import BACKUP_INTERVAL
from bot.host.tables import Tables
from bot.metrics import Metrics
from bot.store.backup import SqliteBackups
from bot.store.backup_folder import backups_in
from bot.store.disk_space import DiskSpace
from bot.store.inspection import open_read_only
from bot.store.protocol import StoreError
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore, open_store
from bot.watch.monitor import CHECK_INTERVAL, Monitor
from bot.watch.watchdogs import BACKUP_GRACE, GIVE_UP_AFTER, MAX_LAG, REPEAT_AFTER, STUCK_AFTER
from rules.catalogue import GAMES
from tests.bot.host.playing import GAMES_AND_TOYS, ManualClock, begin, default_setup
from tests.bot.store.backups import NOW, find_no_divergence
from tests.bot.watch.watchdog_fakes import FakeGateway, count_alarms
from tests.trials import WAIT_TIMEOUT


class _RecordingHost:
    """Stands for a host and its outbox; records which tables it is woken for."""

    def __init__(self) -> None:
        self.woken_tables: list[int] = []
        self.outbox = self

    def wake(self, table: int) -> None:
        """Record the table."""
        self.woken_tables.append(table)


async def _pretend_to_back_up() -> bool:
    return True


async def test_a_check_wakes_stuck_tables_and_writes_the_heartbeat(
    store: SqliteStore, tmp_path: Path
) -> None:
    """Stuck deliveries are noticed and their table woken, tables are counted, the heartbeat is written."""
    number = await begin(
        Tables(store, GAMES_AND_TOYS, ManualClock()), default_setup(next(iter(GAMES.values())))
    )
    clock, metrics, host, heartbeat = ManualClock(), Metrics(), _RecordingHost(), tmp_path / "heartbeat"
    gateway = FakeGateway(clock)
    monitor = Monitor(
        store,
        cast("Any", host),
        gateway,
        metrics,
        heartbeat_file=heartbeat,
        read_backup_age=lambda: BACKUP_INTERVAL + BACKUP_GRACE + 1,
        clock=clock,
        back_up=_pretend_to_back_up,
    )
    await monitor.check()
    assert heartbeat.exists()
    assert host.woken_tables == []
    clock.now += STUCK_AFTER + 1
    await monitor.check()
    assert host.woken_tables == [number]
    assert [count_alarms(metrics, watch) for watch in ("outbox", "backup", "gateway")] == [1, 1, 0]
    sample = metrics.registry.get_sample_value("captains_table_tables", {"status": Status.PLAYING.value})
    assert sample == 1


async def test_the_heartbeat_stops_with_the_store(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """While the store does not answer there is one alarm, which says for how long, and no heartbeat."""
    caplog.set_level(logging.INFO)
    clock, metrics, heartbeat = ManualClock(), Metrics(), tmp_path / "heartbeat"
    host = cast("Any", _RecordingHost())
    monitor = Monitor(
        store,
        host,
        FakeGateway(clock),
        metrics,
        heartbeat_file=heartbeat,
        clock=clock,
        back_up=_pretend_to_back_up,
    )
    with monkeypatch.context() as patches:
        patches.setattr(store, "backlog", _raise_store_error)
        for _ in range(10):  # one alarm, not one for each check
            await monitor.check()
            clock.now += CHECK_INTERVAL
        assert not heartbeat.exists()
        assert count_alarms(metrics, "store") == 1
        (line,) = caplog.records
        assert line.exc_info is not None
        clock.now += REPEAT_AFTER
        await monitor.check()
    assert count_alarms(metrics, "store") == 2
    assert vars(caplog.records[-1])["seconds"] == 10 * CHECK_INTERVAL + REPEAT_AFTER
    await monitor.check()
    assert heartbeat.exists()
    assert caplog.records[-1].message == "alarm cleared"


async def test_a_store_that_hangs_is_one_that_does_not_answer(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The check ends in time; its alarm counts from the last answer."""

    async def hang(_: float) -> None:
        await asyncio.Event().wait()

    clock, metrics = ManualClock(), Metrics()
    monitor = Monitor(
        store,
        cast("Any", _RecordingHost()),
        FakeGateway(clock),
        metrics,
        clock=clock,
        back_up=_pretend_to_back_up,
    )
    clock.now += 600
    await monitor.check()
    monkeypatch.setattr("bot.watch.monitor.STORE_TIMEOUT", 0.01)
    monkeypatch.setattr(store, "backlog", hang)
    clock.now += CHECK_INTERVAL
    await asyncio.wait_for(monitor.check(), WAIT_TIMEOUT)
    assert count_alarms(metrics, "store") == 1
    assert vars(caplog.records[-1])["seconds"] == CHECK_INTERVAL


async def test_a_heartbeat_that_cannot_be_written_ends_nothing(
    store: SqliteStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, and everything else is checked as before; also before the outbox has started."""
    clock, metrics = ManualClock(), Metrics()
    await begin(Tables(store, GAMES_AND_TOYS, ManualClock()), default_setup(next(iter(GAMES.values()))))
    host = cast("Any", SimpleNamespace(outbox=None))
    missing = tmp_path / "missing" / "heartbeat"
    monitor = Monitor(
        store,
        host,
        FakeGateway(clock),
        metrics,
        heartbeat_file=missing,
        read_backup_age=lambda: BACKUP_INTERVAL + BACKUP_GRACE + 1,
        backup_interval=2 * BACKUP_INTERVAL,
        clock=clock,
        back_up=_pretend_to_back_up,
    )
    await monitor.check()
    clock.now += STUCK_AFTER + 1
    await monitor.check()
    warnings = [record for record in caplog.records if record.message == "heartbeat not written"]
    assert len(warnings) == 2
    assert str(missing.parent) in str(warnings[0].exc_info), "it names the file"
    assert [count_alarms(metrics, watch) for watch in ("outbox", "backup")] == [1, 0]


async def test_metrics_are_served_on_this_machine_alone(store: SqliteStore) -> None:
    """From the start to the stop of the watchdogs, while the loop's delays are measured."""
    port, clock = unused_port(), ManualClock()
    host = cast("Any", _RecordingHost())
    monitor = Monitor(
        store, host, FakeGateway(clock), Metrics(), metrics_port=port, back_up=_pretend_to_back_up
    )
    await monitor.start()
    try:
        assert {task.get_name() for task in asyncio.all_tasks()} >= {"loop lag", "watchdogs"}
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                assert "captains_table_loop_lag_seconds" in await answer.text()
            with pytest.raises(aiohttp.ClientConnectorError):
                await session.get(f"http://127.0.0.2:{port}/metrics")
    finally:
        await asyncio.wait_for(monitor.stop(), WAIT_TIMEOUT)
    with socket.create_server(("127.0.0.1", port)):
        pass


async def test_a_silent_gateway_ends_the_process(store: SqliteStore, tmp_path: Path) -> None:
    """After the last attempt a restart is asked for, and no heartbeat is written."""
    clock, heartbeat = ManualClock(), tmp_path / "heartbeat"
    gateway = FakeGateway(clock)
    gateway.answers = False
    monitor = Monitor(
        store,
        cast("Any", _RecordingHost()),
        gateway,
        Metrics(),
        heartbeat_file=heartbeat,
        clock=clock,
        back_up=_pretend_to_back_up,
    )
    clock.now += GIVE_UP_AFTER - 1
    await monitor.check()
    assert (gateway.reconnect_count, monitor.restart_needed.is_set()) == (1, False)
    heartbeat.unlink()
    clock.now += 2
    await monitor.check()
    assert monitor.restart_needed.is_set()
    assert not heartbeat.exists()


def _delete(path: Path) -> None:
    path.unlink()


def _replace_by_an_empty_file(path: Path) -> None:
    path.unlink()
    path.touch()


def _replace_the_folder_by_a_file(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.touch()


@pytest.mark.parametrize("lose", [_delete, _replace_by_an_empty_file, _replace_the_folder_by_a_file])
async def test_a_lost_database_file_ends_the_process(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """What a deleted or replaced file held is in a backup before a restart is asked for."""
    path, restart_needed_at_attempts = tmp_path / "data" / "tables.db", []
    path.parent.mkdir()
    store = await open_store(path)
    try:
        await begin(Tables(store, GAMES_AND_TOYS, ManualClock()), default_setup(next(iter(GAMES.values()))))
        backups = SqliteBackups(store, tmp_path / "backups", find_no_divergence)

        async def back_up() -> bool:
            restart_needed_at_attempts.append(monitor.restart_needed.is_set())
            if len(restart_needed_at_attempts) == 1:
                return False
            await backups.make(NOW)
            return True

        clock, host = ManualClock(), cast("Any", _RecordingHost())
        monitor = Monitor(store, host, FakeGateway(clock), Metrics(), back_up=back_up, clock=clock)
        await monitor.check()
        assert not monitor.restart_needed.is_set()
        lose(path)
        await monitor.check()
        assert not monitor.restart_needed.is_set(), "without a backup the open file is all that is left"
        await monitor.check()
        assert monitor.restart_needed.is_set()
        assert restart_needed_at_attempts == [False, False]
        (backup,) = backups_in(tmp_path / "backups")
        with open_read_only(backup.path) as copy:
            assert copy.execute("select count(*) from matches").fetchone() == (1,)
    finally:
        await store.close()


async def test_the_watchdogs_outlive_a_fault(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A check that fails is logged and counted, and the next one is made in time."""
    metrics, clock = Metrics(), ManualClock()
    checked_at: list[float] = []

    async def fail() -> None:
        checked_at.append(clock.now)
        raise ZeroDivisionError

    async def sleep(seconds: float) -> None:
        clock.now += seconds
        if len(checked_at) == 2:
            raise _Stop

    host = cast("Any", _RecordingHost())
    monitor = Monitor(
        store, host, FakeGateway(clock), metrics, clock=clock, sleep=sleep, back_up=_pretend_to_back_up
    )
    monkeypatch.setattr(monitor, "check", fail)
    with pytest.raises(_Stop):
        await monitor._run()
    assert checked_at[1] - checked_at[0] == CHECK_INTERVAL
    assert [record.message for record in caplog.records] == ["watchdog check failed"] * 2
    assert metrics.registry.get_sample_value("captains_table_faults_total", {"place": "watch"}) == 2


class _Stop(Exception):
    """Ends the watchdogs' loop."""


async def _measure_time_to_alarm(
    store: SqliteStore, watch: str, monkeypatch: pytest.MonkeyPatch
) -> float | None:
    """Return the seconds until the running watchdogs raise an alarm; None: not within an hour."""
    clock, metrics = ManualClock(), Metrics()
    monkeypatch.setattr("bot.metrics.monotonic", clock)
    began = clock.now
    noticed_after: float | None = None
    gateway, age_at_start = FakeGateway(clock), BACKUP_INTERVAL if watch == "backup" else 0.0

    def backup_age() -> float:
        return age_at_start + clock.now - began if watch == "backup" else 0.0

    async def sleep(seconds: float) -> None:
        nonlocal noticed_after
        clock.now += seconds
        if watch != "nothing" and noticed_after is None and count_alarms(metrics, watch):
            noticed_after = clock.now - seconds - began
        if noticed_after is not None or clock.now - began > 3600:
            raise _Stop

    monitor = Monitor(
        cast("Any", store),
        cast("Any", _RecordingHost()),
        gateway,
        metrics,
        read_backup_age=backup_age,
        read_disk_space=lambda: DiskSpace(Path(), 0 if watch == "disk" else 2, needed_bytes=1),
        clock=clock,
        sleep=sleep,
        back_up=_pretend_to_back_up,
    )
    with contextlib.ExitStack() as stack:
        if watch == "gateway":
            gateway.answers = False
        elif watch == "commit":
            stack.enter_context(metrics.time_commit())
        elif watch == "store":
            monkeypatch.setattr(store, "backlog", _raise_store_error)
        elif watch == "loop":

            async def sleep_too_long(seconds: float) -> None:
                clock.now += seconds + 2 * MAX_LAG

            monkeypatch.setattr(monitor._lag_watchdog, "_sleep", sleep_too_long)
            await monitor._lag_watchdog.sample()
        with contextlib.suppress(_Stop):
            await monitor._run()
    return noticed_after


async def _raise_store_error(_: float) -> None:
    raise StoreError("the disk is gone")


@pytest.mark.parametrize(
    ("watch", "seconds"),
    [
        ("gateway", 180),
        ("outbox", 180),
        ("commit", 30),
        ("store", 30),
        ("loop", 30),
        ("disk", 30),
        ("backup", 360),
    ],
)
async def test_what_goes_wrong_is_noticed_within_minutes(
    store: SqliteStore, watch: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P17: each fault raises its alarm within minutes (a backup, after it is due)."""
    if watch == "outbox":
        await begin(Tables(store, GAMES_AND_TOYS, ManualClock()), default_setup(next(iter(GAMES.values()))))
    noticed_after = await _measure_time_to_alarm(store, watch, monkeypatch)
    assert noticed_after is not None
    assert noticed_after <= seconds


async def test_nothing_is_noticed_where_all_is_well(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An hour in which nothing goes wrong raises no alarm."""
    assert await _measure_time_to_alarm(store, "nothing", monkeypatch) is None
    assert not [record for record in caplog.records if record.levelname != "INFO"]


@pytest.mark.parametrize("watch", ["gateway", "outbox", "backup"])
async def test_rare_checks_are_too_late(
    store: SqliteStore, watch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: with a check every ten minutes only, the same test fails."""
    monkeypatch.setattr("bot.watch.monitor.CHECK_INTERVAL", 600.0)
    with pytest.raises(AssertionError):
        await test_what_goes_wrong_is_noticed_within_minutes(store, watch, 360, monkeypatch)


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_the_health_check_says_how_it_is_called(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Without its one argument it fails, and says what is missing."""
    monkeypatch.setattr("sys.argv", ["heartbeat", *arguments])
    monkeypatch.delitem(sys.modules, "bot.watch.heartbeat")
    with pytest.raises(SystemExit, match="usage: python -m"):
        runpy.run_module("bot.watch.heartbeat", run_name="__main__")
