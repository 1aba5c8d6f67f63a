"""The hang watchdog ends a process that hangs, and no other. The tests count its checks, not seconds."""

import asyncio
import threading
import traceback
from collections.abc import Iterator
from queue import SimpleQueue
from typing import cast

import pytest

from bot.store.protocol import StoreError
from bot.watch import hang_watchdog
from bot.watch.hang_watchdog import (
    CHECK_INTERVAL,
    MAX_CHECKS_AT_SAME_CALL,
    MAX_CHECKS_WITHOUT_ANSWER,
    MAX_CHECKS_WITHOUT_SIGN,
    SIGN_OF_LIFE_INTERVAL,
    STORE_POLL_INTERVAL,
    HangWatchdog,
)

TICK = 0.02
MAX_WAIT = 60.0
"""Seconds within which what is awaited must happen, also on a busy machine."""


class EndCounter:
    """Counts how often the process would have ended."""

    def __init__(self) -> None:
        self.count = 0
        self.first_end = threading.Event()

    def __call__(self) -> None:
        """Count one end."""
        self.count += 1
        self.first_end.set()


class ManualChecks:
    """Stands for the event that stops a watchdog: between two checks it waits for the test instead."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[str] = SimpleQueue()
        self._rests = threading.Semaphore(0)

    def wait(self, _interval: float) -> bool:
        """Wait until the test wants a check, or stops the watchdog."""
        self._rests.release()
        return self._orders.get() == "stop"

    def set(self) -> None:
        """Stop the watchdog."""
        self._orders.put("stop")

    def make(self, count: int) -> None:
        """Let the watchdog make some checks; return when they are made."""
        for _ in range(count):
            self._wait_for_rest()
            self._orders.put("check")
        self._wait_for_rest()
        self._rests.release()

    def _wait_for_rest(self) -> None:
        assert self._rests.acquire(timeout=MAX_WAIT), "the watchdog makes no check"


class FakeStore:
    """A store that answers, fails or stays silent."""

    def __init__(self, behaviour: str) -> None:
        self.behaviour = behaviour
        self.poll_count = 0

    async def get_metadata(self, key: str) -> str | None:
        """Answer, fail or hang."""
        self.poll_count += 1
        if self.behaviour == "silent":
            await asyncio.Event().wait()
        if self.behaviour == "failing":
            raise StoreError("the disk is gone")
        return None

    async def wait_for_poll(self) -> None:
        """Wait until it is polled once more, and has answered or failed."""
        count = self.poll_count
        while self.poll_count == count:  # noqa: ASYNC110 - it is polled in each turn of the loop
            await asyncio.sleep(0)


@pytest.fixture
def end_counter() -> EndCounter:
    """Return a counter at zero."""
    return EndCounter()


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> ManualChecks:
    """Return the checks of ``watchdog_of_thread``; the loop and the store take no time between two signs."""
    monkeypatch.setattr(hang_watchdog, "SIGN_OF_LIFE_INTERVAL", 0.0)
    monkeypatch.setattr(hang_watchdog, "STORE_POLL_INTERVAL", 0.0)
    return ManualChecks()


@pytest.fixture
def watchdog_of_thread(end_counter: EndCounter, checks: ManualChecks) -> Iterator[HangWatchdog]:
    """Yield a watchdog of this thread."""
    watchdog = HangWatchdog(end_counter)
    watchdog._stopped = cast("threading.Event", checks)
    with watchdog.watching():
        yield watchdog


@pytest.fixture
def _unlimited_checks_without_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the loop be without a sign of life for as long as the checks of a test take."""
    monkeypatch.setattr(hang_watchdog, "MAX_CHECKS_WITHOUT_SIGN", 1_000_000)


async def test_a_loop_that_hangs_ends_the_process(
    end_counter: EndCounter,
    watchdog_of_thread: HangWatchdog,
    checks: ManualChecks,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An event loop without a sign of life ends the process, and the log names where it hangs."""
    counting = asyncio.ensure_future(watchdog_of_thread.count_signs_of_life())
    for _ in range(4):  # more in all than the loop may be without a sign
        await _wait_for_sign_of_life(watchdog_of_thread)
        checks.make(MAX_CHECKS_WITHOUT_SIGN)
        assert end_counter.count == 0
    await _wait_for_sign_of_life(watchdog_of_thread)
    _hang(checks, MAX_CHECKS_WITHOUT_SIGN + 1)
    assert end_counter.count == 1
    counting.cancel()
    logged = next(record for record in caplog.records if record.name == hang_watchdog.__name__)
    assert "hangs" in logged.getMessage()
    assert logged.exc_info is not None
    trace, function_names = logged.exc_info[2], []
    while trace is not None:
        function_names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "_hang" in function_names


async def _wait_for_sign_of_life(watchdog: HangWatchdog) -> None:
    count = watchdog._sign_of_life_count
    while watchdog._sign_of_life_count == count:  # noqa: ASYNC110 - there is one in each turn of the loop
        await asyncio.sleep(0)


def _hang(checks: ManualChecks, check_count: int) -> None:
    checks.make(check_count)


@pytest.mark.usefixtures("_unlimited_checks_without_sign")
async def test_a_worker_thread_that_hangs_ends_the_process(
    end_counter: EndCounter,
    watchdog_of_thread: HangWatchdog,
    checks: ManualChecks,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A call in a thread that never returns ends the process; many short ones do not."""
    asyncio.get_running_loop().set_default_executor(watchdog_of_thread.executor)
    watchdog_of_thread.executor._max_workers = 1  # so that all calls run in one thread
    for _ in range(4):  # longer in all than one call may take
        await asyncio.to_thread(checks.make, MAX_CHECKS_AT_SAME_CALL)
    assert end_counter.count == 0
    await asyncio.to_thread(_hang, checks, MAX_CHECKS_AT_SAME_CALL + 1)
    assert end_counter.count == 1
    logged = next(record for record in caplog.records if "worker thread hangs" in record.getMessage())
    assert logged.exc_info is not None
    assert any(frame.name == "_hang" for frame in traceback.extract_tb(logged.exc_info[2]))
    assert watchdog_of_thread.executor.running_call_by_thread == {}


@pytest.mark.usefixtures("_unlimited_checks_without_sign")
@pytest.mark.parametrize(
    ("behaviour", "ends_process"), [("well", False), ("silent", True), ("failing", True)]
)
async def test_a_store_that_stays_silent_ends_the_process(
    end_counter: EndCounter,
    watchdog_of_thread: HangWatchdog,
    checks: ManualChecks,
    behaviour: str,
    *,
    ends_process: bool,
) -> None:
    """A store that hangs or fails for minutes ends the process; one that answers does not."""
    store = FakeStore(behaviour)
    polling = asyncio.ensure_future(watchdog_of_thread.poll_store(store))
    await store.wait_for_poll()
    for _ in range(MAX_CHECKS_WITHOUT_ANSWER + 1):
        if behaviour != "silent":
            await store.wait_for_poll()
        checks.make(1)
    assert bool(end_counter.count) is ends_process
    polling.cancel()


@pytest.mark.usefixtures("_unlimited_checks_without_sign")
async def test_a_store_that_answers_again_is_healthy(
    end_counter: EndCounter, watchdog_of_thread: HangWatchdog, checks: ManualChecks
) -> None:
    """A store that answers again starts from zero, and one that was closed is not polled."""
    store = FakeStore("well")
    polling = asyncio.ensure_future(watchdog_of_thread.poll_store(store))

    async def fail_almost_too_long() -> None:
        store.behaviour = "failing"
        for _ in range(MAX_CHECKS_WITHOUT_ANSWER):
            await store.wait_for_poll()
            checks.make(1)

    for _ in range(4):
        store.behaviour = "well"
        await store.wait_for_poll()
        await fail_almost_too_long()
    polling.cancel()
    await asyncio.gather(polling, return_exceptions=True)
    checks.make(2 * MAX_CHECKS_WITHOUT_ANSWER)
    assert end_counter.count == 0


def test_a_log_that_hangs_does_not_keep_the_process_alive(
    end_counter: EndCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What hangs the process may hang its log too."""
    log_released = threading.Event()
    monkeypatch.setattr(hang_watchdog, "CHECK_INTERVAL", TICK)
    monkeypatch.setattr(hang_watchdog, "_LOG_TIMEOUT", TICK)
    monkeypatch.setattr(hang_watchdog._log, "critical", lambda *_, **__: log_released.wait(MAX_WAIT))
    try:
        with HangWatchdog(end_counter).watching():  # whose loop gives no sign of life
            assert end_counter.first_end.wait(MAX_WAIT)
    finally:
        log_released.set()


def test_nothing_is_watched_after_the_end(end_counter: EndCounter) -> None:
    """A bot that has stopped in good order is not ended once more."""
    others = set(threading.enumerate())  # another test's watchdog may be about to end
    with HangWatchdog(end_counter).watching():
        (thread,) = [
            each for each in threading.enumerate() if each.name == "hang watchdog" and each not in others
        ]
    thread.join(MAX_WAIT)
    assert not thread.is_alive()
    assert end_counter.count == 0


def test_the_watchdog_ends_a_process_within_minutes_not_seconds() -> None:
    """The loop has a minute, the store and worker threads have five; each has time for ten signs of life."""
    assert CHECK_INTERVAL * MAX_CHECKS_WITHOUT_SIGN == 60
    assert CHECK_INTERVAL * MAX_CHECKS_WITHOUT_ANSWER == CHECK_INTERVAL * MAX_CHECKS_AT_SAME_CALL == 300
    assert SIGN_OF_LIFE_INTERVAL * 10 < CHECK_INTERVAL * MAX_CHECKS_WITHOUT_SIGN
    assert STORE_POLL_INTERVAL * 10 < CHECK_INTERVAL * MAX_CHECKS_WITHOUT_ANSWER
