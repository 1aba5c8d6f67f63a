"""Each watchdog notices within minutes, tells it once, and says when all is well again.  No test waits."""

import logging
from pathlib import Path

import pytest

from bot.meters import Meters
from bot.store.protocol import Backlog
from bot.watch.brake import FIRST_WAIT, LONGEST_WAIT, Brake
from bot.watch.heartbeat import FRESH, beat, fresh
from bot.watch.operation import EVERY
from bot.watch.watchdogs import (
    BACKUP_EVERY,
    GIVE_UP,
    LAG,
    LAG_SAMPLE,
    LATE_BACKUP,
    QUIET,
    REPEAT,
    SLOW_COMMIT,
    STUCK,
    Alarm,
    BackupDog,
    CommitDog,
    GatewayDog,
    LagDog,
    OutboxDog,
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

    async def echo(self, patience: float) -> bool:
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
def meters() -> Meters:
    """Fresh ones."""
    return Meters()


def alarms(meters: Meters, watch: str) -> float:
    """How often a watchdog has barked."""
    return meters.registry.get_sample_value("captains_table_alarms_total", {"watch": watch}) or 0.0


async def _watched(dog: GatewayDog, time: Time, seconds: float) -> bool:
    """Look as often as the process does; False if it gave up."""
    end = time.now + seconds
    while time.now < end:
        time.now += EVERY
        if not await dog.look():
            return False
    return True


async def test_a_quiet_gateway_that_echoes_is_left_alone(time: Time, meters: Meters) -> None:
    """Hours without an event are no fault while the gateway answers when it is asked."""
    line = FakeLine(time)
    dog = GatewayDog(line, meters, time)
    assert await _watched(dog, time, 3 * 3600)
    assert line.asked >= 3 * 3600 / (QUIET + EVERY) - 1
    assert (line.reconnected, alarms(meters, "gateway")) == (0, 0)


async def test_a_silent_gateway_is_taken_up_anew_and_at_last_given_up(time: Time, meters: Meters) -> None:
    """Within minutes of silence the connection is made anew, some times over; then the process gives up."""
    line = FakeLine(time)
    line.echoes = False
    dog = GatewayDog(line, meters, time)
    assert await _watched(dog, time, QUIET + 2 * EVERY)
    assert (line.reconnected, alarms(meters, "gateway")) == (1, 1)
    assert not await _watched(dog, time, GIVE_UP)
    assert line.reconnected >= 5
    assert time.now - line.heard_at <= GIVE_UP + 2 * EVERY


async def test_a_gateway_that_comes_back_is_no_longer_blamed(time: Time, meters: Meters) -> None:
    """After a reconnection that helped, the next silence starts from nothing."""
    line = FakeLine(time)
    line.echoes = False
    dog = GatewayDog(line, meters, time)
    assert await _watched(dog, time, 600)
    before, line.echoes = line.reconnected, True
    assert await _watched(dog, time, 3600)
    assert line.reconnected == before


async def test_without_echo_probe_a_zombie_goes_unnoticed(
    time: Time, meters: Meters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: with the echo believed blindly, a silent gateway is never taken up anew."""
    line = FakeLine(time)

    async def believed(_: float) -> bool:
        return True

    monkeypatch.setattr(line, "echo", believed)
    assert await _watched(GatewayDog(line, meters, time), time, 2 * GIVE_UP)
    assert line.reconnected == 0


def test_a_stuck_delivery_is_noticed_and_its_table_woken(time: Time, meters: Meters) -> None:
    """One delivery that stays due for two minutes is told once; a flow of new ones is not."""
    woken: list[int] = []
    dog = OutboxDog(meters, time, woken.append)
    for number in range(100):  # always something due, never the same
        dog.look(Backlog(3, number, 8))
        time.now += EVERY
    assert (woken, alarms(meters, "outbox")) == ([], 0)
    for _ in range(int(STUCK / EVERY) + 2):
        dog.look(Backlog(3, 100, 9))
        time.now += EVERY
    assert set(woken) == {9}
    assert alarms(meters, "outbox") == 1
    dog.look(Backlog(0, None, None))
    assert meters.registry.get_sample_value("captains_table_outbox_stuck_seconds") == 0


async def test_a_late_event_loop_is_noticed(time: Time, meters: Meters) -> None:
    """The worst delay since the last look counts, once."""
    late = 0.0

    async def sleep(seconds: float) -> None:
        time.now += seconds + late

    dog = LagDog(meters, time, sleep)
    await dog.sample()
    dog.look()
    assert alarms(meters, "loop") == 0
    late = LAG + LAG_SAMPLE
    await dog.sample()
    late = 0.0
    await dog.sample()
    dog.look()
    assert alarms(meters, "loop") == 1
    dog.look()
    assert meters.registry.get_sample_value("captains_table_loop_lag_seconds") == 0


def test_a_slow_commit_is_noticed_even_before_it_ends(
    time: Time, meters: Meters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both a commit that took too long and one that hangs are told."""
    monkeypatch.setattr("bot.meters.monotonic", time)
    dog = CommitDog(meters, time)
    with meters.commit():
        time.now += SLOW_COMMIT / 2
        dog.look()
        assert alarms(meters, "commit") == 0
        time.now += SLOW_COMMIT
        dog.look()
        assert alarms(meters, "commit") == 1
    dog.look()  # it has ended, and was long
    dog.look()
    assert alarms(meters, "commit") == 1
    with meters.commit():
        time.now += 2 * SLOW_COMMIT
    dog.look()
    assert alarms(meters, "commit") == 2


@pytest.mark.parametrize("every", [BACKUP_EVERY, 3600.0])
def test_an_old_backup_is_noticed(time: Time, meters: Meters, every: float) -> None:
    """Changes that wait longer than a backup's interval and a little are told; None is content."""
    old = every + LATE_BACKUP
    ages: list[float | None] = [None, old - 1, old + 1, 0.0]
    dog = BackupDog(lambda: ages[0], meters, time, every)
    counts = []
    while ages:
        dog.look()
        counts.append(alarms(meters, "backup"))
        ages.pop(0)
    assert counts == [0, 0, 1, 1]


def test_an_alarm_is_told_once_and_again_after_a_while(
    time: Time, meters: Meters, caplog: pytest.LogCaptureFixture
) -> None:
    """Not a line for each look, yet a reminder; and one line when it is over."""
    caplog.set_level(logging.INFO)
    alarm = Alarm("commit", 1.0, meters, time)
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


def test_the_brake(tmp_path: Path) -> None:
    """Five starts within ten minutes are free, further ones wait longer; time and a clean stop forgive."""
    brake = Brake(tmp_path / "starts", 5, 600.0)
    assert [brake.begin(1_000.0 + i) for i in range(5)] == [0.0] * 5
    assert [brake.begin(1_010.0 + i) for i in range(7)] == [
        FIRST_WAIT,
        2 * FIRST_WAIT,
        4 * FIRST_WAIT,
        8 * FIRST_WAIT,
        16 * FIRST_WAIT,
        LONGEST_WAIT,
        LONGEST_WAIT,
    ]
    assert brake.begin(1_017.0 + 600) == 0.0
    for i in range(5):
        brake.begin(2_000.0 + i)
    brake.clean()
    assert brake.begin(2_010.0) == 0.0


@pytest.mark.parametrize("content", ["rubbish\n", "\x00", "1e999\n", "", "99999999999\n"])
def test_a_spoilt_file_of_starts_stops_nobody(tmp_path: Path, content: str) -> None:
    """Whatever stands in the file, the bot starts."""
    path = tmp_path / "starts"
    path.write_text(content)
    assert Brake(path, 5, 600.0).begin(1_000.0) == 0.0


def test_no_brake_when_it_is_lifted(tmp_path: Path) -> None:
    """0 lifts it, and no file is kept."""
    brake = Brake(tmp_path / "starts", 0, 0.0)
    assert {brake.begin(1.0) for _ in range(50)} == {0.0}
    assert not list(tmp_path.iterdir())
