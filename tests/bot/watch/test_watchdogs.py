"""Each watchdog notices within minutes, tells it once, and says when all is well again.  No test waits."""

import logging
from pathlib import Path

import msgspec
import pytest

from bot.metrics import Metrics
from bot.store.rows import Backlog, Head
from bot.watch.heartbeat import FRESH, beat, fresh
from bot.watch.monitor import EVERY
from bot.watch.watchdogs import (
    BACKUP_EVERY,
    GIVE_UP,
    LAG,
    LAG_SAMPLE,
    LATE_BACKUP,
    MOST_TOLD,
    QUIET,
    REPEAT,
    SLOW_COMMIT,
    STUCK,
    Alarm,
    BackupWatchdog,
    CommitWatchdog,
    GatewayWatchdog,
    LagWatchdog,
    OutboxWatchdog,
)


class Time:
    """Seconds, in the test's hands."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        """Now."""
        return self.now


class FakeLine:
    """A gateway that does as it is told."""

    def __init__(self, time: Time) -> None:
        self.time, self.heard_at, self.latency = time, time.now, 0.1
        self.echoes = True
        self.asked = self.reconnected = 0

    async def ping(self, patience: float) -> bool:
        """Count the question."""
        self.asked += 1
        if self.echoes:
            self.heard_at = self.time.now
        return self.echoes

    async def reconnect(self) -> None:
        """Count the attempt."""
        self.reconnected += 1


@pytest.fixture
def time() -> Time:
    """The time."""
    return Time()


@pytest.fixture
def metrics() -> Metrics:
    """Fresh ones."""
    return Metrics()


def alarms(metrics: Metrics, watch: str) -> float:
    """How often a watchdog has barked."""
    return metrics.registry.get_sample_value("captains_table_alarms_total", {"watch": watch}) or 0.0


async def _watched(dog: GatewayWatchdog, time: Time, seconds: float) -> bool:
    """Look as often as the process does; False if it gave up."""
    end = time.now + seconds
    while time.now < end:
        time.now += EVERY
        if not await dog.look():
            return False
    return True


async def test_a_quiet_gateway_that_echoes_is_left_alone(time: Time, metrics: Metrics) -> None:
    """Hours without an event are no fault while the gateway answers when it is asked."""
    line = FakeLine(time)
    dog = GatewayWatchdog(line, metrics, time)
    assert await _watched(dog, time, 3 * 3600)
    assert line.asked >= 3 * 3600 / (QUIET + EVERY) - 1
    assert (line.reconnected, alarms(metrics, "gateway")) == (0, 0)


async def test_a_silent_gateway_is_taken_up_anew_and_at_last_given_up(time: Time, metrics: Metrics) -> None:
    """Within minutes of silence the connection is made anew, some times over; then the process gives up."""
    line = FakeLine(time)
    line.echoes = False
    dog = GatewayWatchdog(line, metrics, time)
    assert await _watched(dog, time, QUIET + 2 * EVERY)
    assert (line.reconnected, alarms(metrics, "gateway")) == (1, 1)
    assert not await _watched(dog, time, GIVE_UP)
    assert line.reconnected >= 5
    assert time.now - line.heard_at <= GIVE_UP + 2 * EVERY


async def test_a_gateway_that_comes_back_is_no_longer_blamed(time: Time, metrics: Metrics) -> None:
    """After a reconnection that helped, the next silence starts from nothing."""
    line = FakeLine(time)
    line.echoes = False
    dog = GatewayWatchdog(line, metrics, time)
    assert await _watched(dog, time, 600)
    before, line.echoes = line.reconnected, True
    assert await _watched(dog, time, 3600)
    assert line.reconnected == before


async def test_without_echo_probe_a_zombie_goes_unnoticed(
    time: Time, metrics: Metrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: with the echo believed blindly, a silent gateway is never taken up anew."""
    line = FakeLine(time)

    async def believed(_: float) -> bool:
        return True

    monkeypatch.setattr(line, "ping", believed)
    assert await _watched(GatewayWatchdog(line, metrics, time), time, 2 * GIVE_UP)
    assert line.reconnected == 0


def _head(id_: int, table: int, slot: str = "board", attempts: int = 0, **more: bool) -> Head:
    return Head(id_, table, slot, attempts, **{"due": False, **more})


class Looking:
    """An outbox's watchdog that looks as often as the process does."""

    def __init__(self, time: Time, metrics: Metrics) -> None:
        self.time, self.metrics, self.woken = time, metrics, list[int]()
        self.dog = OutboxWatchdog(metrics, time, self.woken.append)

    def for_(self, seconds: float, *heads: Head) -> float:
        """Look for so long; returns how often it has barked so far."""
        for _ in range(int(seconds / EVERY) + 1):
            self.dog.look(Backlog(len(heads), heads))
            self.time.now += EVERY
        return alarms(self.metrics, "outbox")


@pytest.fixture
def looking(time: Time, metrics: Metrics) -> Looking:
    """The outbox's watchdog."""
    return Looking(time, metrics)


def test_a_stuck_delivery_is_noticed_and_its_table_woken(looking: Looking) -> None:
    """One delivery that stays due for two minutes is told once; a flow of new ones is not."""
    for number in range(100):  # always something due, never the same
        assert looking.for_(0, _head(number, 8, due=True)) == 0
    assert looking.woken == []
    assert looking.for_(STUCK + EVERY, _head(100, 9, due=True)) == 1
    assert looking.woken == [9]
    looking.for_(0)
    assert looking.metrics.registry.get_sample_value("captains_table_outbox_stuck_seconds") == 0


def test_a_delivery_that_keeps_failing_is_noticed(looking: Looking) -> None:
    """What is tried and fails is never due for long, yet after two minutes it is told."""
    head = _head(1, 9, attempts=1)
    assert looking.for_(STUCK - EVERY, head) == 0
    assert looking.for_(3 * EVERY, msgspec.structs.replace(head, attempts=7)) == 1
    assert looking.woken == [], "whoever sends is at work"


def test_boards_that_all_fail_are_noticed(looking: Looking) -> None:
    """At a table where each new board takes the last one's place, none stays; that none arrives is told."""
    for number in range(int(STUCK / EVERY) + 3):
        looking.for_(0, _head(number, 9, attempts=number % 3))
    assert alarms(looking.metrics, "outbox") == 1


def test_boards_that_fail_once_are_not_told(looking: Looking) -> None:
    """Now and then a first attempt fails and the next one arrives."""
    for number in range(60):
        looking.for_(0, _head(number, 9, attempts=1))
        looking.for_(0)
    assert alarms(looking.metrics, "outbox") == 0


def test_notices_that_arrive_one_after_the_other_are_not_told(looking: Looking) -> None:
    """A notice that has arrived frees the next: that one's failures are counted from its own beginning."""
    for number in range(60):
        looking.for_(0, _head(number, 9, "", attempts=1))
    assert alarms(looking.metrics, "outbox") == 0


def test_one_table_does_not_hide_another(looking: Looking) -> None:
    """A table that can never be read is told, and so is each other one; and when it is over, for each."""
    broken = _head(1, 3, due=True)
    assert looking.for_(STUCK + EVERY, broken) == 1
    other = _head(2, 9, due=True)
    assert looking.for_(STUCK + EVERY, broken, other) == 2
    assert looking.woken == [3, 9]
    assert looking.for_(0, broken) == 2
    assert looking.for_(STUCK + EVERY, broken, other) == 3


def test_a_missing_right_is_counted_and_not_told(looking: Looking) -> None:
    """What people must allow first is no alarm; what nobody tries, is."""
    barred = _head(1, 3, attempts=4, barred=True)
    assert looking.for_(3600, barred) == 0
    assert looking.metrics.registry.get_sample_value("captains_table_outbox_barred") == 1
    assert looking.for_(STUCK + EVERY, msgspec.structs.replace(barred, due=True)) == 1


def test_a_great_outage_is_told_of_some_tables(looking: Looking) -> None:
    """When nothing can be sent at all, the log is not flooded."""
    heads = [_head(number, number, attempts=3) for number in range(200)]
    assert looking.for_(STUCK + EVERY, *heads) == MOST_TOLD


async def test_a_late_event_loop_is_noticed(time: Time, metrics: Metrics) -> None:
    """The worst delay since the last look counts, once."""
    late = 0.0

    async def sleep(seconds: float) -> None:
        time.now += seconds + late

    dog = LagWatchdog(metrics, time, sleep)
    await dog.sample()
    dog.look()
    assert alarms(metrics, "loop") == 0
    late = LAG + LAG_SAMPLE
    await dog.sample()
    late = 0.0
    await dog.sample()
    dog.look()
    assert alarms(metrics, "loop") == 1
    dog.look()
    assert metrics.registry.get_sample_value("captains_table_loop_lag_seconds") == 0


def test_a_slow_commit_is_noticed_even_before_it_ends(
    time: Time, metrics: Metrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both a commit that took too long and one that hangs are told."""
    monkeypatch.setattr("bot.metrics.monotonic", time)
    dog = CommitWatchdog(metrics, time)
    with metrics.commit():
        time.now += SLOW_COMMIT / 2
        dog.look()
        assert alarms(metrics, "commit") == 0
        time.now += SLOW_COMMIT
        dog.look()
        assert alarms(metrics, "commit") == 1
    dog.look()  # it has ended, and was long
    dog.look()
    assert alarms(metrics, "commit") == 1
    with metrics.commit():
        time.now += 2 * SLOW_COMMIT
    dog.look()
    assert alarms(metrics, "commit") == 2


@pytest.mark.parametrize("every", [BACKUP_EVERY, 3600.0])
def test_an_old_backup_is_noticed(time: Time, metrics: Metrics, every: float) -> None:
    """Changes that wait longer than a backup's interval and a little are told; None is content."""
    old = every + LATE_BACKUP
    ages: list[float | None] = [None, old - 1, old + 1, 0.0]
    dog = BackupWatchdog(lambda: ages[0], metrics, time, every)
    counts = []
    while ages:
        dog.look()
        counts.append(alarms(metrics, "backup"))
        ages.pop(0)
    assert counts == [0, 0, 1, 1]


def test_an_alarm_is_told_once_and_again_after_a_while(
    time: Time, metrics: Metrics, caplog: pytest.LogCaptureFixture
) -> None:
    """Not a line for each look, yet a reminder; and one line when it is over."""
    caplog.set_level(logging.INFO)
    alarm = Alarm("commit", 1.0, metrics, time)
    for _ in range(int(2 * REPEAT / EVERY)):
        assert alarm.look(5.0)
        time.now += EVERY
    assert not alarm.look(0.5)
    assert not alarm.look(0.5)
    told = [record.levelname for record in caplog.records]
    assert told == ["ERROR", "ERROR", "INFO"]


def test_the_heartbeat(tmp_path: Path) -> None:
    """A file that was just written is fresh, an old or missing one is not."""
    path = tmp_path / "heartbeat"
    assert not fresh(path, 0)
    beat(path, {"at": 1.0})
    written = path.stat().st_mtime
    assert fresh(path, written + FRESH - 1)
    assert not fresh(path, written + FRESH + 1)
    assert [each.name for each in tmp_path.iterdir()] == ["heartbeat"]
