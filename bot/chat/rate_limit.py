"""What goes out to Discord: at most so many calls a second, answers first, and few that it must refuse.

Discord bars an address for a while after 10,000 calls within ten minutes that it answers with 401, 403 or
429.  A trace of aiohttp's is the one place that every call of discord.py's passes, its own repeats included.
"""

import asyncio
import heapq
import itertools
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from time import monotonic
from types import SimpleNamespace
from typing import Final, TypeAlias

import aiohttp
import yarl

from bot.metrics import Metrics

CALLS_A_SECOND: Final = 40
"""Discord allows 50."""
BUDGET_SECONDS: Final = 600.0
SPENT: Final = 5_000
"""Refused calls within ten minutes from which on only answers go out: half of what Discord bears."""
HARD_LIMIT: Final = 8_000
"""From here on nothing goes out."""
_INVALID: Final = (401, 403, 429)

Clock: TypeAlias = Callable[[], float]
Sleep: TypeAlias = Callable[[float], Awaitable[None]]

_log = logging.getLogger(__name__)


class BudgetSpent(aiohttp.ClientError):
    """Too many calls were refused lately: this one is not made, and may be made later."""


class Pace:
    """Lets at most ``most`` calls through in any second; those that answer somebody go first."""

    def __init__(
        self, most: int = CALLS_A_SECOND, clock: Clock = monotonic, sleep: Sleep = asyncio.sleep
    ) -> None:
        """``clock`` and ``sleep``: for tests."""
        self._most = most
        self._clock = clock
        self._sleep = sleep
        self._made: deque[float] = deque(maxlen=most)
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._pump: asyncio.Task[None] | None = None

    async def turn(self, *, first: bool) -> bool:
        """Wait until this call may be made; whether it had to wait."""
        if not self._waiting and self._free_in() <= 0:
            self._made.append(self._clock())
            return False
        mine = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not first, next(self._numbers), mine))
        if self._pump is None or self._pump.done():
            self._pump = asyncio.get_running_loop().create_task(self._let_through(), name="pace")
        await mine
        return True

    def _free_in(self) -> float:
        """Seconds until one more may be made."""
        if len(self._made) < self._most:
            return 0.0
        return self._made[0] + 1.0 - self._clock()

    async def _let_through(self) -> None:
        while self._waiting:
            wait = self._free_in()
            if wait > 0:
                await self._sleep(wait)
                continue
            _, _, waiting = heapq.heappop(self._waiting)
            if not waiting.done():  # whoever waited may have been cancelled
                self._made.append(self._clock())
                waiting.set_result(None)


class Budget:
    """Counts the calls that Discord refused in the last ten minutes."""

    def __init__(self, clock: Clock = monotonic) -> None:
        """``clock``: for tests."""
        self._clock = clock
        self._refused: deque[float] = deque(maxlen=HARD_LIMIT)

    @property
    def spent(self) -> int:
        """How many there were."""
        now = self._clock()
        while self._refused and self._refused[0] <= now - BUDGET_SECONDS:
            self._refused.popleft()
        return len(self._refused)

    def note(self, status: int, *, shared: bool = False) -> None:
        """Take down how a call was answered; a limit shared with others (429) does not count."""
        if status in _INVALID and not shared:
            self._refused.append(self._clock())
            if self.spent == SPENT:
                _log.error("Discord refuses too much: until that ages, only answers go out")

    def check(self, *, first: bool) -> None:
        """Raises BudgetSpent where a call must not be made."""
        if self.spent >= (HARD_LIMIT if first else SPENT):
            raise BudgetSpent("too many refused calls lately")


def is_answer(path: str) -> bool:
    """Whether a call answers an interaction: somebody waits for it, for at most three seconds."""
    return "/interactions/" in path or "/webhooks/" in path


def is_gateway(url: yarl.URL) -> bool:
    """Whether a call opens the gateway: through it interactions come, so it is never held back."""
    return url.scheme in {"ws", "wss"}


def traced(pace: Pace, budget: Budget, metrics: Metrics) -> aiohttp.TraceConfig:
    """What discord.py's session does before and after each call."""

    async def before(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        call: aiohttp.TraceRequestStartParams,
    ) -> None:
        if is_gateway(call.url):
            return
        first = is_answer(call.url.path)
        budget.check(first=first)
        if await pace.turn(first=first):
            metrics.held_back.inc()

    async def after(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        call: aiohttp.TraceRequestEndParams,
    ) -> None:
        status = call.response.status
        budget.note(status, shared=call.response.headers.get("X-RateLimit-Scope") == "shared")
        metrics.api_calls.labels(f"{status // 100}xx").inc()
        metrics.invalid.set(budget.spent)

    async def failed(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _call: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        metrics.api_calls.labels("none").inc()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(before)
    trace.on_request_end.append(after)
    trace.on_request_exception.append(failed)
    return trace
