"""The last resort ends a process that hangs, and no other.  The thread's looks are made short."""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from bot.store.protocol import StoreError
from bot.watch import lifeline
from bot.watch.lifeline import ASK_EVERY, LOOK_EVERY, LOOP_LOOKS, SIGN_EVERY, STORE_LOOKS, Lifeline

LOOK = 0.02


class Ends:
    """How often the process would have ended."""

    def __init__(self) -> None:
        self.count = 0
        self.first = threading.Event()

    def __call__(self) -> None:
        """Take it down."""
        self.count += 1
        self.first.set()


class Store:
    """A store that answers, fails or stays silent."""

    def __init__(self, mood: str) -> None:
        self.mood = mood

    async def setting(self, key: str) -> str | None:
        """Do as the mood is."""
        if self.mood == "silent":
            await asyncio.Event().wait()
        if self.mood == "failing":
            raise StoreError("the disk is gone")
        return None


@pytest.fixture(autouse=True)
def _short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LOOK_EVERY", LOOK), ("SIGN_EVERY", LOOK / 2), ("ASK_EVERY", LOOK)):
        monkeypatch.setattr(lifeline, name, value)
    monkeypatch.setattr(lifeline, "STORE_LOOKS", 20)


@pytest.fixture
def ends() -> Ends:
    """None yet."""
    return Ends()


@pytest.fixture
def watched(ends: Ends) -> Iterator[Lifeline]:
    """A lifeline that watches this thread."""
    line = Lifeline(ends)
    with line.watching():
        yield line


async def test_a_loop_that_hangs_ends_the_process(
    ends: Ends, watched: Lifeline, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the loop gives no sign any more the process ends, and the log tells where it hangs."""
    signing = asyncio.ensure_future(watched.sign())
    await asyncio.sleep(LOOK * LOOP_LOOKS * 2)
    assert ends.count == 0
    _hang(ends)
    assert ends.count >= 1
    signing.cancel()
    told = next(record for record in caplog.records if "hangs" in record.getMessage())
    assert told.exc_info is not None
    trace, names = told.exc_info[2], []
    while trace is not None:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "_hang" in names


def _hang(ends: Ends) -> None:
    until = time.monotonic() + 10
    while not ends.first.is_set() and time.monotonic() < until:
        pass


@pytest.mark.parametrize(("mood", "ended"), [("well", False), ("silent", True), ("failing", True)])
async def test_a_store_that_stays_silent_ends_the_process(
    ends: Ends, watched: Lifeline, mood: str, *, ended: bool
) -> None:
    """A store that hangs or fails for minutes ends the process; one that answers does not."""
    tasks = [asyncio.ensure_future(watched.sign()), asyncio.ensure_future(watched.ask(Store(mood)))]
    await asyncio.to_thread(ends.first.wait, 10 if ended else LOOK * 60)
    assert bool(ends.count) is ended
    for task in tasks:
        task.cancel()


async def test_a_store_that_comes_back_is_no_longer_blamed(ends: Ends, watched: Lifeline) -> None:
    """One that answers again in time starts from nothing, and one that was closed is not asked."""
    store = Store("failing")
    signing, asking = asyncio.ensure_future(watched.sign()), asyncio.ensure_future(watched.ask(store))
    await asyncio.sleep(LOOK * 8)
    store.mood = "well"
    await asyncio.sleep(LOOK * 4)
    store.mood = "failing"
    await asyncio.sleep(LOOK * 8)
    asking.cancel()
    await asyncio.sleep(LOOK * 40)
    assert ends.count == 0
    signing.cancel()


def test_it_ends_within_minutes_not_seconds() -> None:
    """A minute for the loop, five for the store, and several signs fit between."""
    assert LOOK_EVERY * LOOP_LOOKS == 60
    assert LOOK_EVERY * STORE_LOOKS == 300
    assert SIGN_EVERY * 10 < LOOK_EVERY * LOOP_LOOKS
    assert ASK_EVERY * 10 < LOOK_EVERY * STORE_LOOKS
