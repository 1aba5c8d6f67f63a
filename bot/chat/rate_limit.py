"""Limits on the calls to Discord: a rate, in the order of their priorities, and few invalid requests.

discord.py waits where Discord says so (429), after the call.  It neither stays below the global limit of 50
calls a second nor counts the calls that Discord refuses.  After 10,000 of these in ten minutes Discord bans
the address.  An aiohttp trace is the one documented place that every call of discord.py passes, retries
included.

Responses to interactions, the first one and those that follow it, are never held back: Discord leaves them
out of the global limit.
"""

import asyncio
import heapq
import itertools
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from time import monotonic
from types import SimpleNamespace
from typing import Final, NamedTuple

import aiohttp
import yarl

from bot.clock import Clock, Sleep
from bot.host.delivery_order import Priority
from bot.metrics import Metrics

CALLS_A_SECOND: Final = 40
"""The most calls in any second; Discord allows 50."""
MAX_BURST_CALLS: Final = 10
"""The most calls within ``BURST_SECONDS``, so that slow ones do not arrive with those of the next second."""
BURST_SECONDS: Final = 0.25
BURST_HEADROOM: Final[Mapping[Priority, int]] = {
    Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 3,
}  # fmt: skip
"""How many calls of each burst a priority leaves to higher ones; in a second there are four bursts."""
INVALID_WINDOW_SECONDS: Final = 600.0
"""The window in which invalid requests are counted."""
INVALID_SOFT_LIMIT: Final = 5_000
"""Invalid requests in the window from which on only responses are sent: half of what Discord accepts."""
INVALID_HARD_LIMIT: Final = 8_000
"""Invalid requests in the window from which on nothing is sent."""
_INVALID_STATUSES: Final = (401, 403, 429)
_RESPONSE_PATH_PATTERN: Final = re.compile(
    r"/(interactions/\d+/[^/]+/callback|webhooks/\d+/[^/]+(/messages/[^/]+)?)$"
)
"""The path of a response.  The bot has no webhooks but those of its interactions."""

_reservation: ContextVar[list[float]] = ContextVar("reservation")
"""When the next call of the running task was reserved; empty once it is made."""

_log = logging.getLogger(__name__)


class TooManyInvalidRequests(aiohttp.ClientError):
    """There were too many invalid requests lately, so this call was not made; it may be made later."""


class _WaitingCall(NamedTuple):
    """A call that waits for its permit; the result of ``permit`` is the time at which the call counts."""

    priority: Priority
    arrival_number: int
    permit: "asyncio.Future[float]"


class CallLimiter:
    """Lets at most ``limit`` calls through in any second, the most urgent first.

    Calls of lower priority are spread evenly and leave some of the limit free: otherwise, after a burst of
    hands, a board would wait until the burst is a second old.  Calls of lower priority are also reserved
    before discord.py gets them: it makes the calls to one channel one by one, so that a call that waited
    there would hold up the boards of its channel.
    """

    def __init__(
        self, limit: int = CALLS_A_SECOND, clock: Clock = monotonic, sleep: Sleep = asyncio.sleep
    ) -> None:
        """``clock`` and ``sleep``: for tests."""
        burst_limit = max(limit // 4, min(limit, MAX_BURST_CALLS))
        headroom = {each: round(BURST_HEADROOM[each] / BURST_SECONDS) for each in Priority}
        self._limits = {each: max(1, limit - headroom[each]) for each in Priority}
        self._burst_limits = {each: max(1, burst_limit - BURST_HEADROOM[each]) for each in Priority}
        self._clock = clock
        self._sleep = sleep
        self._call_times: deque[float] = deque(maxlen=limit)
        """When calls were made or reserved, the earliest first."""
        self._spaced_until = 0.0
        """When the next call of lower priority may be made, as far as they are spread."""
        self._waiting_calls: list[_WaitingCall] = []
        """A heap."""
        self._arrival_numbers = itertools.count()
        self._release_task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def reserve(self, priority: Priority) -> AsyncIterator[bool]:
        """Wait until the first call of the block may be made, at a priority; yield whether it had to wait.

        Once the block has begun, all of its calls are as urgent as a board.
        """
        counted_at, has_waited = await self._acquire(priority)
        reservation = [counted_at]
        token = _reservation.set(reservation)
        try:
            yield has_waited
        finally:
            _reservation.reset(token)
            self._withdraw(reservation)

    def _withdraw(self, reservation: list[float]) -> None:
        """Withdraw a reservation unless its call was made."""
        while reservation:
            with suppress(ValueError):  # over a second ago, so that it does not count any more
                self._call_times.remove(reservation.pop())

    async def acquire(self, priority: Priority = Priority.HIGH) -> bool:
        """Wait until the running task may make a call; return whether it had to wait."""
        if (reservation := _reservation.get(None)) is not None:
            self._withdraw(reservation)  # the call counts from now on
        return (await self._acquire(priority))[1]

    async def _acquire(self, priority: Priority) -> tuple[float, bool]:
        """Wait until a call may be made; return the time at which it counts, and whether it had to wait."""
        self._drop_cancelled()
        is_first = not self._waiting_calls or priority < self._waiting_calls[0].priority
        if is_first and self._seconds_until_free(priority) <= 0:
            return self._note_call(priority), False
        loop = asyncio.get_running_loop()
        permit: asyncio.Future[float] = loop.create_future()
        heapq.heappush(self._waiting_calls, _WaitingCall(priority, next(self._arrival_numbers), permit))
        if is_first and self._release_task is not None:
            self._release_task.cancel()  # it sleeps for a call that may have to wait longer
            self._release_task = None
        if self._release_task is None or self._release_task.done():
            self._release_task = loop.create_task(self._release_waiting_calls(), name="call limiter")
        return await permit, True

    def _drop_cancelled(self) -> None:
        while self._waiting_calls and self._waiting_calls[0].permit.done():
            heapq.heappop(self._waiting_calls)

    def _seconds_until_free(self, priority: Priority) -> float:
        now = self._clock()
        return max(
            self._seconds_until_fewer_calls(self._burst_limits[priority], BURST_SECONDS, now),
            self._seconds_until_fewer_calls(self._limits[priority], 1.0, now),
            0.0 if priority is Priority.HIGH else self._spaced_until - now,
        )

    def _seconds_until_fewer_calls(self, count: int, window: float, now: float) -> float:
        """Return the seconds until fewer than ``count`` calls were made in the last ``window`` seconds."""
        return self._call_times[-count] + window - now if len(self._call_times) >= count else 0.0

    def _note_call(self, priority: Priority) -> float:
        now = self._clock()
        self._call_times.append(now)
        if priority is not Priority.HIGH:
            self._spaced_until = now + 1.0 / self._limits[priority]
        return now

    async def _release_waiting_calls(self) -> None:
        """Let the waiting calls through, one by one."""
        while True:
            self._drop_cancelled()
            if not self._waiting_calls:
                return
            seconds = self._seconds_until_free(self._waiting_calls[0].priority)
            if seconds > 0:
                await self._sleep(seconds)
                continue
            call = heapq.heappop(self._waiting_calls)
            call.permit.set_result(self._note_call(call.priority))


class InvalidRequestCounter:
    """Counts the invalid requests of the last ten minutes: the calls that Discord refused."""

    def __init__(self, clock: Clock = monotonic) -> None:
        """``clock``: for tests."""
        self._clock = clock
        self._invalid_request_times: deque[float] = deque(maxlen=INVALID_HARD_LIMIT)
        self._logged_at = float("-inf")
        """When it was last logged that the limit is reached."""

    @property
    def count(self) -> int:
        """How many invalid requests were made in the last ten minutes."""
        now = self._clock()
        while self._invalid_request_times and self._invalid_request_times[0] <= now - INVALID_WINDOW_SECONDS:
            self._invalid_request_times.popleft()
        return len(self._invalid_request_times)

    def record(self, status: int, *, is_shared: bool = False) -> None:
        """Record the status of a call.  ``is_shared``: others share the limit, so it does not count."""
        if status in _INVALID_STATUSES and not is_shared:
            now = self._clock()
            self._invalid_request_times.append(now)
            if self.count >= INVALID_SOFT_LIMIT and now - self._logged_at >= INVALID_WINDOW_SECONDS:
                self._logged_at = now
                _log.error(
                    "invalid request limit reached: only responses are sent",
                    extra={"count": INVALID_SOFT_LIMIT},
                )

    def require_below_limit(self, *, is_response: bool) -> None:
        """Raise TooManyInvalidRequests if a call must not be made."""
        if self.count >= (INVALID_HARD_LIMIT if is_response else INVALID_SOFT_LIMIT):
            raise TooManyInvalidRequests("too many invalid requests lately")


def is_response_path(path: str) -> bool:
    """Whether a path is that of a response to an interaction, first or later: a person waits for it."""
    return _RESPONSE_PATH_PATTERN.search(path) is not None


def is_gateway_url(url: yarl.URL) -> bool:
    """Whether a URL is that of the gateway, which is never held back: interactions come through it."""
    return url.scheme in {"ws", "wss"}


def rate_limit_trace(
    limiter: CallLimiter, invalid_requests: InvalidRequestCounter, metrics: Metrics
) -> aiohttp.TraceConfig:
    """Return the trace for discord.py's session: it holds calls back, and counts their statuses."""

    async def on_start(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        call: aiohttp.TraceRequestStartParams,
    ) -> None:
        if is_gateway_url(call.url):
            return
        responds = is_response_path(call.url.path)
        invalid_requests.require_below_limit(is_response=responds)
        has_waited = not responds and await limiter.acquire()
        if has_waited:
            metrics.held_back_calls.inc()

    async def on_end(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        call: aiohttp.TraceRequestEndParams,
    ) -> None:
        status = call.response.status
        invalid_requests.record(status, is_shared=call.response.headers.get("X-RateLimit-Scope") == "shared")
        metrics.api_calls.labels(f"{status // 100}xx").inc()
        metrics.invalid_requests.set(invalid_requests.count)

    async def on_exception(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _call: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        metrics.api_calls.labels("none").inc()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(on_start)
    trace.on_request_end.append(on_end)
    trace.on_request_exception.append(on_exception)
    return trace
