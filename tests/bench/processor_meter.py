"""Charges the processor time of each thread to parts of a program.

Functions and coroutines are wrapped: at each border, where one is entered or left, the thread's own clock is
read (``time.thread_time``), and what has passed is charged to the part that was running.  Nothing is sampled,
waiting is not counted, and time in a part within another part is charged once.  What runs outside all wrapped
functions belongs to the thread.
"""

import inspect
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Generator, Mapping
from functools import wraps
from types import coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

MAIN: Final = "loop"
"""The part of the main thread outside all others."""
STORE: Final = "store"
_THREAD_PARTS: Final = {
    "MainThread": MAIN,
    "Thread- (_connection_worker_thread)": STORE,
    "worker": "other work in threads",
    "drawing": "drawing",
    "Thread- (serve_forever)": "metrics",
    "Thread- (process_request_thread)": "metrics",
}
"""The part of a thread outside all others, by its name without numbers; else ``thread`` and that name."""
_NUMBER_PATTERN: Final = re.compile(r"_?\d+")
_CALIBRATION_CALLS: Final = 20_000


class _ThreadTimes:
    """The processor time that one thread has spent, by part."""

    __slots__ = ("ident", "part", "seconds_by_part", "since", "switch_count")

    def __init__(self) -> None:
        self.ident = threading.get_ident()
        self.part = part_of_thread(threading.current_thread().name)
        self.seconds_by_part: defaultdict[str, float] = defaultdict(float)
        self.since = time.thread_time()
        self.switch_count = 0

    def switch_to(self, part: str) -> str:
        """Charge what has passed, and change to another part; return the one before."""
        previous, now = self.part, time.thread_time()
        self.seconds_by_part[previous] += now - self.since
        self.since, self.part = now, part
        self.switch_count += 1
        return previous


def part_of_thread(name: str) -> str:
    """Return the part that a thread's time belongs to while it runs no other part."""
    plain = _NUMBER_PATTERN.sub("", name)
    return _THREAD_PARTS.get(plain, f"thread {plain}")


class ProcessorMeter:
    """The processor time of this process by part."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._threads: list[_ThreadTimes] = []
        self.counts: defaultdict[str, int] = defaultdict(int)
        """How often each counted function was called."""

    def _times(self) -> _ThreadTimes:
        try:
            times: _ThreadTimes = self._local.times
        except AttributeError:
            times = self._local.times = _ThreadTimes()
            self._threads.append(times)
        return times

    def reset(self) -> None:
        """Start from zero: what a forked process inherits was spent elsewhere."""
        self.__init__()  # type: ignore[misc]

    # Wrapping ---------------------------------------------------------------------------------------

    def wrap(self, part: str, function: Callable[..., Any], *, count_as: str = "") -> Callable[..., Any]:
        """Return a function, or a coroutine function, whose time is charged to ``part``.

        ``count_as``: the name under which its calls are counted.
        """
        if inspect.iscoroutinefunction(function):
            return self._wrap_coroutine(part, function)
        return self.wrap_by(lambda *_, **__: part, function, count_as=count_as)

    def wrap_by(
        self, find_part: Callable[..., str], function: Callable[..., Any], *, count_as: str = ""
    ) -> Callable[..., Any]:
        """Return a function whose part is found from its arguments at each call."""

        @wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            times, part = self._times(), find_part(*args, **kwargs)
            if count_as:
                self.counts[count_as] += 1
            if times.part == part:
                return function(*args, **kwargs)
            previous = times.switch_to(part)
            try:
                return function(*args, **kwargs)
            finally:
                times.switch_to(previous)

        return timed

    def _wrap_coroutine(
        self, part: str, function: Callable[..., Coroutine[Any, Any, Any]]
    ) -> Callable[..., Any]:
        @wraps(function)
        async def timed(*args: Any, **kwargs: Any) -> Any:
            return await self._drive(part, function(*args, **kwargs))

        return timed

    @coroutine
    def _drive(self, part: str, inner: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Run a coroutine; the steps between its waits are charged to ``part``."""
        resume, argument = inner.send, None
        while True:
            times = self._times()
            previous = times.switch_to(part)
            try:
                waited_for = resume(argument)
            except StopIteration as stop:
                result: T = stop.value
                return result
            finally:
                times.switch_to(previous)
            try:
                resume, argument = inner.send, (yield waited_for)
            except BaseException as error:  # noqa: BLE001 - the coroutine itself decides
                resume, argument = inner.throw, error

    # Reading ----------------------------------------------------------------------------------------

    def seconds_by_part(self) -> Mapping[str, float]:
        """Return the processor time by part; of threads that have ended only what was charged."""
        totals: defaultdict[str, float] = defaultdict(float)
        times_by_ident = {times.ident: times for times in self._threads}
        for times in self._threads:
            for part, spent in times.seconds_by_part.copy().items():
                totals[part] += spent
        for thread in threading.enumerate():
            if thread.ident is None:
                continue
            try:
                total = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
            except OSError:  # it has just ended
                continue
            thread_times = times_by_ident.get(thread.ident)
            charged = 0.0 if thread_times is None else sum(thread_times.seconds_by_part.copy().values())
            totals[part_of_thread(thread.name)] += total - charged
        return totals

    @property
    def switch_count(self) -> int:
        """How often a part was entered or left."""
        return sum(times.switch_count for times in list(self._threads))


def measure_seconds_per_switch() -> float:
    """Return the processor time that one switch costs: half of what a wrapper adds to a call."""

    def nothing() -> None:
        pass

    wrapped = ProcessorMeter().wrap("part", nothing)
    spent = []
    for function in (nothing, wrapped):
        started_at = time.thread_time()
        for _ in range(_CALIBRATION_CALLS):
            function()
        spent.append(time.thread_time() - started_at)
    return max(0.0, spent[1] - spent[0]) / _CALIBRATION_CALLS / 2
