"""The hang watchdog ends a process that hangs, and no other. The intervals are made short."""

import asyncio
import threading
import time
import traceback
from collections.abc import Iterator

import pytest

from bot.store.protocol import StoreError
from bot.watch import hang_watchdog
from bot.watch.hang_watchdog import (
    CHECK_INTERVAL,
    MAX_LOOP_CHECKS,
    MAX_STORE_CHECKS,
    MAX_WORKER_CHECKS,
    SIGN_OF_LIFE_INTERVAL,
    STORE_POLL_INTERVAL,
    HangWatchdog,
)

TICK = 0.02


class EndCounter:
    """Counts how often the process would have ended."""

    def __init__(self) -> None:
        self.count = 0
        self.first_end = threading.Event()

    def __call__(self) -> None:
        """Count one end."""
        self.count += 1
        self.first_end.set()


class FakeStore:
    """A store that answers, fails or stays silent."""

    def __init__(self, behaviour: str) -> None:
        self.behaviour = behaviour

    async def get_metadata(self, key: str) -> str | None:
        """Answer, fail or hang."""
        if self.behaviour == "silent":
            await asyncio.Event().wait()
        if self.behaviour == "failing":
            raise StoreError("the disk is gone")
        return None


@pytest.fixture(autouse=True)
def _short_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("CHECK_INTERVAL", TICK),
        ("SIGN_OF_LIFE_INTERVAL", TICK / 2),
        ("STORE_POLL_INTERVAL", TICK),
    ):
        monkeypatch.setattr(hang_watchdog, name, value)
    monkeypatch.setattr(hang_watchdog, "MAX_STORE_CHECKS", 20)
    monkeypatch.setattr(hang_watchdog, "MAX_WORKER_CHECKS", 20)


@pytest.fixture
def end_counter() -> EndCounter:
    """Return a counter at zero."""
    return EndCounter()


@pytest.fixture
def watchdog_of_thread(end_counter: EndCounter) -> Iterator[HangWatchdog]:
    """Yield a watchdog of this thread."""
    watchdog = HangWatchdog(end_counter)
    with watchdog.watching():
        yield watchdog


async def test_a_loop_that_hangs_ends_the_process(
    end_counter: EndCounter, watchdog_of_thread: HangWatchdog, caplog: pytest.LogCaptureFixture
) -> None:
    """An event loop without a sign of life ends the process, and the log names where it hangs."""
    counting = asyncio.ensure_future(watchdog_of_thread.count_signs_of_life())
    for _ in range(4):  # longer in all than the loop may be without a sign
        _block_loop(TICK * MAX_LOOP_CHECKS / 3)
        await asyncio.sleep(TICK * 4)
    assert end_counter.count == 0
    _hang(end_counter)
    assert end_counter.count >= 1
    counting.cancel()
    logged = next(record for record in caplog.records if record.name == hang_watchdog.__name__)
    assert "hangs" in logged.getMessage()
    assert logged.exc_info is not None
    trace, function_names = logged.exc_info[2], []
    while trace is not None:
        function_names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "_hang" in function_names


def _block_loop(seconds: float) -> None:
    time.sleep(seconds)


def _hang(end_counter: EndCounter) -> None:
    deadline = time.monotonic() + 10
    while not end_counter.first_end.is_set() and time.monotonic() < deadline:
        pass


async def test_a_worker_thread_that_hangs_ends_the_process(
    end_counter: EndCounter, watchdog_of_thread: HangWatchdog, caplog: pytest.LogCaptureFixture
) -> None:
    """A call in a thread that never returns ends the process; many short ones do not."""
    asyncio.get_running_loop().set_default_executor(watchdog_of_thread.executor)
    watchdog_of_thread.executor._max_workers = 1  # so that all calls run in one thread
    counting = asyncio.ensure_future(watchdog_of_thread.count_signs_of_life())
    for _ in range(30):  # longer in all than one call may take
        await asyncio.to_thread(time.sleep, TICK * 4)
    assert end_counter.count == 0
    await asyncio.to_thread(_hang, end_counter)
    assert end_counter.count >= 1
    counting.cancel()
    logged = next(record for record in caplog.records if "worker thread hangs" in record.getMessage())
    assert logged.exc_info is not None
    assert any(frame.name == "_hang" for frame in traceback.extract_tb(logged.exc_info[2]))
    assert watchdog_of_thread.executor.running_calls == {}


@pytest.mark.parametrize(
    ("behaviour", "ends_process"), [("well", False), ("silent", True), ("failing", True)]
)
async def test_a_store_that_stays_silent_ends_the_process(
    end_counter: EndCounter, watchdog_of_thread: HangWatchdog, behaviour: str, *, ends_process: bool
) -> None:
    """A store that hangs or fails for minutes ends the process; one that answers does not."""
    tasks = [
        asyncio.ensure_future(watchdog_of_thread.count_signs_of_life()),
        asyncio.ensure_future(watchdog_of_thread.poll_store(FakeStore(behaviour))),
    ]
    await asyncio.to_thread(end_counter.first_end.wait, 10 if ends_process else TICK * 60)
    assert bool(end_counter.count) is ends_process
    for task in tasks:
        task.cancel()


async def test_a_store_that_answers_again_is_healthy(
    end_counter: EndCounter, watchdog_of_thread: HangWatchdog
) -> None:
    """A store that answers again starts from zero, and one that was closed is not polled."""
    store = FakeStore("failing")
    counting, polling = (
        asyncio.ensure_future(watchdog_of_thread.count_signs_of_life()),
        asyncio.ensure_future(watchdog_of_thread.poll_store(store)),
    )
    for _ in range(4):  # longer in all than a store may fail
        store.behaviour = "failing"
        await asyncio.sleep(TICK * 8)
        store.behaviour = "well"
        await asyncio.sleep(TICK * 4)
    store.behaviour = "failing"
    await asyncio.sleep(TICK * 8)
    polling.cancel()
    await asyncio.sleep(TICK * 40)
    assert end_counter.count == 0
    counting.cancel()


def test_a_log_that_hangs_does_not_keep_the_process_alive(
    end_counter: EndCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What hangs the process may hang its log too."""
    log_released = threading.Event()
    monkeypatch.setattr(hang_watchdog, "_LOG_TIMEOUT", TICK)
    monkeypatch.setattr(hang_watchdog._log, "critical", lambda *_, **__: log_released.wait(10))
    try:
        with HangWatchdog(end_counter).watching():  # whose loop gives no sign of life
            assert end_counter.first_end.wait(5)
    finally:
        log_released.set()


def test_nothing_is_watched_after_the_end(end_counter: EndCounter) -> None:
    """A bot that has stopped in good order is not ended once more."""
    others = set(threading.enumerate())  # another test's watchdog may be about to end
    with HangWatchdog(end_counter).watching():
        (thread,) = [
            each for each in threading.enumerate() if each.name == "hang watchdog" and each not in others
        ]
    thread.join(5)
    assert not thread.is_alive()
    assert end_counter.count == 0


def test_the_watchdog_ends_a_process_within_minutes_not_seconds() -> None:
    """The loop has a minute, the store and worker threads have five; each has time for ten signs of life."""
    assert CHECK_INTERVAL * MAX_LOOP_CHECKS == 60
    assert CHECK_INTERVAL * MAX_STORE_CHECKS == CHECK_INTERVAL * MAX_WORKER_CHECKS == 300
    assert SIGN_OF_LIFE_INTERVAL * 10 < CHECK_INTERVAL * MAX_LOOP_CHECKS
    assert STORE_POLL_INTERVAL * 10 < CHECK_INTERVAL * MAX_STORE_CHECKS
