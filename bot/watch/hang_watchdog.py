"""A thread that ends the process when its event loop, a worker thread or its store hangs.

All other watchdogs run in the event loop, so a call that never returns there would stop them too.  The
thread counts its own checks instead of seconds, so that a process that was suspended is not taken for one
that hangs.
"""

import asyncio
import contextlib
import itertools
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import FrameType, TracebackType
from typing import Final, ParamSpec, Protocol, TypeVar

from bot.store.protocol import StoreError

CHECK_INTERVAL: Final = 5.0
"""Seconds between two checks of the thread."""
MAX_CHECKS_WITHOUT_SIGN: Final = 12
"""The process ends after this many checks without a sign of life of the loop: a minute."""
MAX_CHECKS_AT_SAME_CALL: Final = 60
"""The process ends after this many checks in which a worker thread is at the same call: five minutes."""
MAX_CHECKS_WITHOUT_ANSWER: Final = 60
"""The process ends after this many checks without an answer of the store: five minutes."""
SIGN_OF_LIFE_INTERVAL: Final = 1.0
"""Seconds between two signs of life of the loop."""
STORE_POLL_INTERVAL: Final = 15.0
"""Seconds between two polls of the store."""
_LOG_TIMEOUT: Final = 2.0
"""Seconds that the last line of the log may take: the log itself may be what hangs."""

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


class PolledStore(Protocol):
    """The store, as far as this watchdog needs it."""

    async def get_metadata(self, key: str) -> str | None:
        """Read a value of the database's metadata.  Raises StoreError."""
        ...


class Hang(Exception):
    """Has the stack of a thread that hangs as its traceback, for the log."""


class WatchedExecutor(ThreadPoolExecutor):
    """A thread pool for ``asyncio.to_thread`` that knows which calls are running."""

    def __init__(self) -> None:
        super().__init__(thread_name_prefix="worker")
        self._call_numbers = itertools.count()
        self.running_call_by_thread: dict[int, int] = {}
        """By thread: the number of its call."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Run a call in a thread of the pool."""
        return super().submit(self._call, partial(fn, *args, **kwargs))

    def _call(self, work: Callable[[], T]) -> T:
        thread = threading.get_ident()
        self.running_call_by_thread[thread] = next(self._call_numbers)
        try:
            return work()
        finally:
            del self.running_call_by_thread[thread]


class HangWatchdog:
    """Watches the event loop of the thread that creates it, its worker threads, and one store."""

    def __init__(self, end_process: Callable[[], object]) -> None:
        """``end_process`` must end the process at once.  Nothing is watched before ``watching``."""
        self._end_process = end_process
        self._loop_thread = threading.get_ident()
        self._sign_of_life_count = 0
        self._store_answer_count: int | None = None
        """How often the store has answered; None: no store is polled."""
        self.executor = WatchedExecutor()
        """The loop's default executor must be this one."""
        self._stopped = threading.Event()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch while the context is open."""
        threading.Thread(target=self._watch, name="hang watchdog", daemon=True).start()
        try:
            yield
        finally:
            self._stopped.set()

    async def count_signs_of_life(self) -> None:
        """Count the loop's signs of life, one for each turn of this coroutine, until cancelled."""
        while True:
            self._sign_of_life_count += 1
            await asyncio.sleep(SIGN_OF_LIFE_INTERVAL)

    async def poll_store(self, store: PolledStore) -> None:
        """Poll a store and count its answers, until cancelled."""
        self._store_answer_count = 0
        try:
            while True:
                with contextlib.suppress(StoreError):
                    await store.get_metadata("")
                    self._store_answer_count += 1
                await asyncio.sleep(STORE_POLL_INTERVAL)
        finally:
            self._store_answer_count = None

    def _watch(self) -> None:
        """Check the loop, the worker threads and the store every ``CHECK_INTERVAL``, until stopped."""
        earlier_sign_count, checks_without_sign = self._sign_of_life_count, 0
        earlier_answer_count, checks_without_answer = self._store_answer_count, 0
        call_by_thread: dict[int, int] = {}
        check_count_by_thread: dict[int, int] = {}
        while not self._stopped.wait(CHECK_INTERVAL):
            checks_without_sign = (
                checks_without_sign + 1 if self._sign_of_life_count == earlier_sign_count else 0
            )
            is_store_silent = (
                self._store_answer_count is not None and self._store_answer_count == earlier_answer_count
            )
            checks_without_answer = checks_without_answer + 1 if is_store_silent else 0
            call_by_thread, earlier_call_by_thread = (
                dict(self.executor.running_call_by_thread),
                call_by_thread,
            )
            check_count_by_thread = {
                thread: check_count_by_thread.get(thread, 0) + 1
                if earlier_call_by_thread.get(thread) == call
                else 0
                for thread, call in call_by_thread.items()
            }
            hanging_threads = [
                thread
                for thread, check_count in check_count_by_thread.items()
                if check_count >= MAX_CHECKS_AT_SAME_CALL
            ]
            earlier_sign_count, earlier_answer_count = self._sign_of_life_count, self._store_answer_count
            if checks_without_sign >= MAX_CHECKS_WITHOUT_SIGN:
                self._log_and_end(self._log_loop_hang)
            elif hanging_threads:
                self._log_and_end(partial(self._log_worker_hang, hanging_threads[0]))
            elif checks_without_answer >= MAX_CHECKS_WITHOUT_ANSWER:
                self._log_and_end(self._log_silent_store)

    def _log_and_end(self, log: Callable[[], None]) -> None:
        """Log in a thread, since the log may hang as well, and end the process."""
        logging_thread = threading.Thread(target=log, daemon=True)
        logging_thread.start()
        logging_thread.join(_LOG_TIMEOUT)
        self._end_process()

    def _log_loop_hang(self) -> None:
        _log.critical(
            "event loop hangs: process ends for a restart", exc_info=_hang_with_stack(self._loop_thread)
        )

    @staticmethod
    def _log_worker_hang(thread: int) -> None:
        _log.critical("worker thread hangs: process ends for a restart", exc_info=_hang_with_stack(thread))

    @staticmethod
    def _log_silent_store() -> None:
        _log.critical("store does not answer: process ends for a restart")


def _hang_with_stack(thread: int) -> Hang:
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - the only way to another thread's stack
    return Hang().with_traceback(_traceback(frame))


def _traceback(frame: FrameType | None) -> TracebackType | None:
    """Return the stack of a frame in the form that an exception carries."""
    trace = None
    while frame is not None:
        trace = TracebackType(trace, frame, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back
    return trace
