"""The watchdog of the outbox: which deliveries raise its alarm, and when it wakes a table.  No test waits."""

import logging

import msgspec
import pytest

from bot.metrics import Metrics
from bot.store.delivery_rows import Backlog, DeliveryKind, QueueHead, Slot
from bot.watch.monitor import CHECK_INTERVAL
from bot.watch.watchdogs import MAX_TABLE_ALARMS, REPEAT_AFTER, STUCK_AFTER, WAKE_INTERVAL, OutboxWatchdog
from tests.bot.host.playing import ManualClock
from tests.bot.watch.watchdog_fakes import count_alarms, read_gauge


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock."""
    return ManualClock()


@pytest.fixture
def metrics() -> Metrics:
    """Return metrics at zero."""
    return Metrics()


def _queue_head(
    id_: int, table: int, kind: DeliveryKind = DeliveryKind.BOARD, failed_attempt_count: int = 0, **more: bool
) -> QueueHead:
    return QueueHead(id_, table, Slot(kind), failed_attempt_count, **{"is_due": False, **more})


class WatchdogRunner:
    """The watchdog of an outbox, called as often as in the process."""

    def __init__(self, clock: ManualClock, metrics: Metrics) -> None:
        self.clock, self.metrics, self.woken_tables = clock, metrics, list[int]()
        self.watchdog = OutboxWatchdog(metrics, clock, self.woken_tables.append)

    def run_for(self, seconds: float, *heads: QueueHead) -> float:
        """Check these heads of queues for that many seconds; return how many alarms were logged so far."""
        for _ in range(int(seconds / CHECK_INTERVAL) + 1):
            self.watchdog.check(Backlog(len(heads), heads))
            self.clock.now += CHECK_INTERVAL
        return count_alarms(self.metrics, "outbox")


@pytest.fixture
def runner(clock: ManualClock, metrics: Metrics) -> WatchdogRunner:
    """Return the watchdog of an outbox."""
    return WatchdogRunner(clock, metrics)


def test_a_stuck_delivery_is_noticed_and_its_table_woken(runner: WatchdogRunner) -> None:
    """One delivery that stays due for two minutes raises one alarm; a flow of new ones raises none."""
    for number in range(100):  # always something due, never the same
        assert runner.run_for(0, _queue_head(number, 8, is_due=True)) == 0
    assert runner.woken_tables == []
    assert runner.run_for(STUCK_AFTER + CHECK_INTERVAL, _queue_head(100, 9, is_due=True)) == 1
    assert runner.woken_tables == [9]
    assert read_gauge(runner.metrics, "outbox_stuck_seconds") == STUCK_AFTER + CHECK_INTERVAL
    assert read_gauge(runner.metrics, "outbox_waiting") == 1
    runner.run_for(0)
    assert (
        read_gauge(runner.metrics, "outbox_stuck_seconds"),
        read_gauge(runner.metrics, "outbox_waiting"),
    ) == (0, 0)


def test_a_delivery_that_keeps_failing_is_noticed(runner: WatchdogRunner) -> None:
    """What is tried and fails is never due for long, yet after two minutes it raises an alarm."""
    head = _queue_head(1, 9, failed_attempt_count=1)
    assert runner.run_for(STUCK_AFTER - CHECK_INTERVAL, head) == 0
    assert runner.run_for(3 * CHECK_INTERVAL, msgspec.structs.replace(head, failed_attempt_count=7)) == 1
    assert runner.woken_tables == [], "the outbox is trying already"


def test_boards_that_all_fail_are_noticed(runner: WatchdogRunner) -> None:
    """Where each new board replaces the last one none is old, but that none arrives raises an alarm."""
    for number in range(int(STUCK_AFTER / CHECK_INTERVAL) + 3):
        runner.run_for(0, _queue_head(number, 9, failed_attempt_count=number % 3))
    assert count_alarms(runner.metrics, "outbox") == 1


def test_boards_that_fail_once_raise_no_alarm(runner: WatchdogRunner) -> None:
    """A first attempt may fail now and then, if the next one arrives."""
    for number in range(60):
        runner.run_for(0, _queue_head(number, 9, failed_attempt_count=1))
        runner.run_for(0)
    assert count_alarms(runner.metrics, "outbox") == 0


def test_notices_that_arrive_one_after_the_other_raise_no_alarm(runner: WatchdogRunner) -> None:
    """After a notice has arrived, the failures of the next one count from its own beginning."""
    for number in range(60):
        runner.run_for(0, _queue_head(number, 9, DeliveryKind.NOTICE, failed_attempt_count=1))
    assert count_alarms(runner.metrics, "outbox") == 0


def test_one_table_does_not_hide_another(runner: WatchdogRunner) -> None:
    """A table that can never be read raises its alarm, and each other table its own."""
    broken_head = _queue_head(1, 3, is_due=True)
    assert runner.run_for(STUCK_AFTER + CHECK_INTERVAL, broken_head) == 1
    other_head = _queue_head(2, 9, is_due=True)
    assert runner.run_for(STUCK_AFTER + CHECK_INTERVAL, broken_head, other_head) == 2
    assert runner.woken_tables == [3, 9]
    assert runner.run_for(0, broken_head) == 2
    assert runner.run_for(STUCK_AFTER + CHECK_INTERVAL, broken_head, other_head) == 3


def test_a_missing_permission_is_counted_without_an_alarm(runner: WatchdogRunner) -> None:
    """What waits for a permission raises no alarm; what is not even tried does."""
    blocked = _queue_head(1, 3, failed_attempt_count=4, is_blocked=True)
    assert runner.run_for(3600, blocked) == 0
    assert read_gauge(runner.metrics, "outbox_blocked") == 1
    runner.run_for(0, blocked, _queue_head(2, 4, failed_attempt_count=1))
    assert read_gauge(runner.metrics, "outbox_blocked") == 1, "what fails is not blocked"
    assert runner.run_for(STUCK_AFTER + CHECK_INTERVAL, msgspec.structs.replace(blocked, is_due=True)) == 1


def test_an_outage_raises_a_limited_number_of_alarms(runner: WatchdogRunner) -> None:
    """When nothing can be sent at all, the log is not flooded."""
    heads = [_queue_head(number, number, failed_attempt_count=3) for number in range(200)]
    assert runner.run_for(STUCK_AFTER + CHECK_INTERVAL, *heads) == MAX_TABLE_ALARMS
    assert runner.run_for(REPEAT_AFTER, *heads) == 2 * MAX_TABLE_ALARMS, "those are logged again"


def test_an_alarm_names_its_table_also_when_it_is_over(
    runner: WatchdogRunner, caplog: pytest.LogCaptureFixture
) -> None:
    """An operator can tell which table was stuck, and that it is no longer."""
    caplog.set_level(logging.INFO)
    runner.run_for(STUCK_AFTER + CHECK_INTERVAL, _queue_head(1, 9, is_due=True))
    runner.run_for(0)
    logged = [(record.message, vars(record)["table"]) for record in caplog.records]
    assert logged == [("alarm raised", 9), ("alarm cleared", 9)]


def test_a_table_is_woken_each_time_that_it_is_stuck(runner: WatchdogRunner) -> None:
    """At once when another delivery is stuck, else every ten minutes; also soon after a machine's start."""
    runner.clock.now = 0.0
    runner.run_for(STUCK_AFTER + CHECK_INTERVAL, _queue_head(1, 9, is_due=True))
    assert runner.woken_tables == [9]
    runner.run_for(0)
    runner.run_for(STUCK_AFTER + CHECK_INTERVAL, _queue_head(2, 9, is_due=True))
    assert runner.woken_tables == [9, 9]
    runner.run_for(WAKE_INTERVAL, _queue_head(2, 9, is_due=True))
    assert runner.woken_tables == [9, 9, 9]


def test_a_new_delivery_does_not_hide_one_that_is_stuck(runner: WatchdogRunner) -> None:
    """The one that has been due for longest counts, whichever is first."""
    stuck, other = _queue_head(1, 9, is_due=True), _queue_head(2, 9, DeliveryKind.NOTICE)
    assert runner.run_for(STUCK_AFTER + CHECK_INTERVAL, stuck, other) == 1
    assert read_gauge(runner.metrics, "outbox_stuck_seconds") == STUCK_AFTER + CHECK_INTERVAL
