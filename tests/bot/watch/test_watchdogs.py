"""Each watchdog raises its alarm within minutes, logs it once, and clears it again.  No test waits."""

import logging
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.host.backup_scheduler import BACKUP_INTERVAL
from bot.metrics import ALARM_WATCHES, FAULT_PLACES, Metrics
from bot.watch.heartbeat import MAX_HEARTBEAT_AGE, is_recent, write_heartbeat
from bot.watch.monitor import CHECK_INTERVAL
from bot.watch.watchdogs import (
    BACKUP_GRACE,
    GIVE_UP_AFTER,
    LAG_SAMPLE_SECONDS,
    MAX_LAG,
    MAX_SILENCE,
    REPEAT_AFTER,
    SLOW_COMMIT,
    Alarm,
    BackupWatchdog,
    CommitWatchdog,
    GatewayWatchdog,
    LagWatchdog,
)
from tests.bot.host.playing import ManualClock
from tests.bot.watch.watchdog_fakes import FakeGateway, count_alarms, read_gauge

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock."""
    return ManualClock()


@pytest.fixture
def metrics() -> Metrics:
    """Return metrics at zero."""
    return Metrics()


async def _check_repeatedly(watchdog: GatewayWatchdog, clock: ManualClock, seconds: float) -> bool:
    """Check as often as the process does; return False if the watchdog gave up."""
    end = clock.now + seconds
    while clock.now < end:
        clock.now += CHECK_INTERVAL
        if not await watchdog.check():
            return False
    return True


def test_faults_and_alarms_are_counted_from_zero() -> None:
    """Each place of faults and each alarm has a series from the start, so the first event is an increase."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in (REPOSITORY / "bot").rglob("*.py"))
    for counter, pattern, names in (
        ("faults", r'faults\.labels\("(\w+)"\)', FAULT_PLACES),
        ("alarms", r'Alarm\(\s*"(\w+)"', ALARM_WATCHES),
    ):
        assert set(re.findall(pattern, code)) == set(names)
        label = {"faults": "place", "alarms": "watch"}[counter]
        for name in names:
            sample = Metrics().registry.get_sample_value(f"captains_table_{counter}_total", {label: name})
            assert sample == 0


async def test_a_quiet_gateway_that_answers_is_left_alone(clock: ManualClock, metrics: Metrics) -> None:
    """Hours without an event are no fault while the gateway answers when it is asked."""
    gateway = FakeGateway(clock)
    watchdog = GatewayWatchdog(gateway, metrics, clock)
    assert await _check_repeatedly(watchdog, clock, 3 * 3600)
    assert gateway.ping_count >= 3 * 3600 / (MAX_SILENCE + CHECK_INTERVAL) - 1
    assert (gateway.reconnect_count, count_alarms(metrics, "gateway")) == (0, 0)


async def test_a_silent_gateway_is_reconnected_and_finally_given_up(
    clock: ManualClock, metrics: Metrics
) -> None:
    """Within minutes of silence the gateway is reconnected, several times; then the process gives up."""
    gateway = FakeGateway(clock)
    gateway.answers = False
    watchdog = GatewayWatchdog(gateway, metrics, clock)
    assert await _check_repeatedly(watchdog, clock, MAX_SILENCE + 2 * CHECK_INTERVAL)
    assert (gateway.reconnect_count, count_alarms(metrics, "gateway")) == (1, 1)
    assert not await _check_repeatedly(watchdog, clock, GIVE_UP_AFTER)
    assert gateway.reconnect_count >= 5
    assert clock.now - gateway.last_event_at <= GIVE_UP_AFTER + 2 * CHECK_INTERVAL


async def test_a_gateway_that_answers_again_is_left_alone(
    clock: ManualClock, metrics: Metrics, caplog: pytest.LogCaptureFixture
) -> None:
    """After a reconnection that helped the alarm is cleared, and the next silence counts from zero."""
    caplog.set_level(logging.INFO)
    gateway = FakeGateway(clock)
    gateway.answers, gateway.latency = False, None
    watchdog = GatewayWatchdog(gateway, metrics, clock)
    assert await _check_repeatedly(watchdog, clock, 600)
    assert read_gauge(metrics, "gateway_silence_seconds") == 600
    assert math.isnan(read_gauge(metrics, "gateway_latency_seconds"))
    count_before, gateway.answers, gateway.latency = gateway.reconnect_count, True, 0.1
    assert await _check_repeatedly(watchdog, clock, 3600)
    assert gateway.reconnect_count == count_before
    assert read_gauge(metrics, "gateway_silence_seconds") <= MAX_SILENCE + CHECK_INTERVAL
    assert read_gauge(metrics, "gateway_latency_seconds") == 0.1
    assert [record.message for record in caplog.records] == ["alarm raised", "alarm cleared"]


async def test_a_dead_session_goes_unnoticed_without_a_ping(
    clock: ManualClock, metrics: Metrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: where every ping counts as answered, a silent gateway is never reconnected."""
    gateway = FakeGateway(clock)

    async def ping_without_asking(_: float) -> bool:
        return True

    monkeypatch.setattr(gateway, "ping", ping_without_asking)
    assert await _check_repeatedly(GatewayWatchdog(gateway, metrics, clock), clock, 2 * GIVE_UP_AFTER)
    assert gateway.reconnect_count == 0


async def test_a_late_event_loop_is_noticed(clock: ManualClock, metrics: Metrics) -> None:
    """The worst delay since the last check counts, once."""
    seconds_late = 0.0

    async def sleep(seconds: float) -> None:
        clock.now += seconds + seconds_late

    watchdog = LagWatchdog(metrics, clock, sleep)
    await watchdog.sample()
    watchdog.check()
    assert count_alarms(metrics, "loop") == 0
    seconds_late = MAX_LAG + LAG_SAMPLE_SECONDS
    await watchdog.sample()
    seconds_late = 0.0
    await watchdog.sample()
    watchdog.check()
    assert count_alarms(metrics, "loop") == 1
    assert read_gauge(metrics, "loop_lag_seconds") == MAX_LAG + LAG_SAMPLE_SECONDS
    watchdog.check()
    assert read_gauge(metrics, "loop_lag_seconds") == 0


def test_a_slow_commit_is_noticed_even_before_it_ends(
    clock: ManualClock, metrics: Metrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both a commit that took too long and one that hangs raise an alarm."""
    monkeypatch.setattr("bot.metrics.monotonic", clock)
    watchdog = CommitWatchdog(metrics, clock)
    with metrics.time_commit():
        clock.now += SLOW_COMMIT / 2
        watchdog.check()
        assert count_alarms(metrics, "commit") == 0
        clock.now += SLOW_COMMIT
        watchdog.check()
        assert count_alarms(metrics, "commit") == 1
    watchdog.check()  # it has ended, and was long
    watchdog.check()
    assert count_alarms(metrics, "commit") == 1
    with metrics.time_commit():
        clock.now += 2 * SLOW_COMMIT
    watchdog.check()
    assert count_alarms(metrics, "commit") == 2


@pytest.mark.parametrize("backup_interval", [BACKUP_INTERVAL, 3600.0])
def test_an_old_backup_is_noticed(clock: ManualClock, metrics: Metrics, backup_interval: float) -> None:
    """Changes that wait longer than the interval and its grace raise an alarm."""
    max_age = backup_interval + BACKUP_GRACE
    ages = [0.0, max_age - 1, max_age + 1, 0.0]
    watchdog = BackupWatchdog(lambda: ages[0], metrics, clock, backup_interval)
    counts = []
    while ages:
        watchdog.check()
        assert read_gauge(metrics, "backup_age_seconds") == ages[0]
        counts.append(count_alarms(metrics, "backup"))
        ages.pop(0)
    assert counts == [0, 0, 1, 1]


def test_an_alarm_is_logged_once_and_again_after_a_while(
    clock: ManualClock, metrics: Metrics, caplog: pytest.LogCaptureFixture
) -> None:
    """No line for each check: one at first, reminders, and one line when the alarm is over."""
    caplog.set_level(logging.INFO)
    alarm = Alarm("commit", 1.0, metrics, clock)
    for _ in range(int(2 * REPEAT_AFTER / CHECK_INTERVAL)):
        alarm.update(5.0)
        clock.now += CHECK_INTERVAL
    alarm.update(0.5)
    alarm.update(0.5)
    levels = [record.levelname for record in caplog.records]
    assert levels == ["ERROR", "ERROR", "INFO"]


def test_a_heartbeat_is_recent_for_a_while(tmp_path: Path) -> None:
    """A file that was just written is recent, an old or missing one is not."""
    path = tmp_path / "heartbeat"
    assert not is_recent(path, 0)
    write_heartbeat(path, {"at": 1.0})
    written = path.stat().st_mtime
    assert is_recent(path, written + MAX_HEARTBEAT_AGE - 1)
    assert not is_recent(path, written + MAX_HEARTBEAT_AGE + 1)
    assert [each.name for each in tmp_path.iterdir()] == ["heartbeat"]
    os.utime(path, (1.0, 1.0))
    (tmp_path / "heartbeat.new").mkdir()
    with pytest.raises(OSError, match="heartbeat"):
        write_heartbeat(path, {"at": 2.0})
    assert not is_recent(path, written), "one that could not be written counts as written"


def test_the_health_check_exits_with_0_while_the_heartbeat_is_recent(tmp_path: Path) -> None:
    """It exits with 1 once the heartbeat is old."""
    path = tmp_path / "heartbeat"
    command = [sys.executable, "-m", "bot.watch.heartbeat", str(path)]
    write_heartbeat(path, {})
    assert subprocess.run(command, cwd=REPOSITORY, check=False).returncode == 0
    os.utime(path, (1.0, 1.0))
    assert subprocess.run(command, cwd=REPOSITORY, check=False).returncode == 1
