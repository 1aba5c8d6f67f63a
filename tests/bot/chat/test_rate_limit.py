"""Calls to Discord: 40 a second beside responses, and a stop before Discord bans the address (P15)."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.chat.rate_limit import (
    BURST_HEADROOM,
    BURST_SECONDS,
    CALLS_A_SECOND,
    MAX_BURST_CALLS,
    CallLimiter,
    InvalidRequestCounter,
    is_response_path,
    rate_limit_trace,
)
from bot.clock import Clock
from bot.host.delivery_order import Priority
from bot.limits import REQUESTS_A_SECOND
from bot.metrics import Metrics
from tests.bot.chat.self_advancing_clock import SelfAdvancingClock
from tests.bot.e2e.observe import wait_until
from tests.trials import WAIT_TIMEOUT, trial_count

RESPONSE_PATHS = (
    "/api/v10/interactions/1/token/callback",
    "/api/v10/webhooks/1/token",
    "/api/v10/webhooks/1/token/messages/@original",
    "/api/v10/webhooks/1/token/messages/2",
)
"""The routes of interactions, which Discord leaves out of its global limit."""


class TickingClock:
    """A clock that moves on by a millisecond each time everybody has run once."""

    def __init__(self) -> None:
        self.ticks = 100_000

    def __call__(self) -> float:
        """Return the current time."""
        return self.ticks / 1_000

    async def sleep(self, seconds: float) -> None:
        """Sleep until the clock has moved on."""
        end = self() + seconds
        while self() < end:  # noqa: ASYNC110 - the clock moves on between
            await asyncio.sleep(0)

    async def run(self) -> None:
        """Move on, for ever."""
        while True:
            await asyncio.sleep(0)
            self.ticks += 1


@contextlib.asynccontextmanager
async def ticking_clock() -> AsyncIterator[TickingClock]:
    """Yield a clock that runs until the end of the block, as slowly as the machine is."""
    clock = TickingClock()
    running = asyncio.ensure_future(clock.run())
    try:
        yield clock
    finally:
        running.cancel()


def max_calls_in_a_second(times: list[float]) -> int:
    """Return the largest number of calls within any second."""
    return max(sum(begin <= each < begin + 1 - 1e-9 for each in times) for begin in times)


async def _call_times(limiter: CallLimiter, clock: SelfAdvancingClock, count: int) -> list[float]:
    times: list[float] = []

    async def call(number: int) -> None:
        await limiter.acquire(list(Priority)[number % len(Priority)])
        times.append(clock.now)

    await asyncio.gather(*(call(number) for number in range(count)))
    return times


async def test_never_more_than_forty_a_second() -> None:
    """However many calls come at once, no second sees more than forty; none is forgotten."""
    clock = SelfAdvancingClock()
    times = await _call_times(CallLimiter(clock=clock, sleep=clock.sleep), clock, trial_count(400))
    assert len(times) == trial_count(400)
    assert max_calls_in_a_second(times) == CALLS_A_SECOND == 40


async def test_the_count_sees_a_limiter_without_limit() -> None:
    """Sensitivity: the same count, with the limit lifted, finds far more."""
    clock = SelfAdvancingClock()
    assert max_calls_in_a_second(await _call_times(CallLimiter(10_000, clock, clock.sleep), clock, 400)) > 40


@contextlib.asynccontextmanager
async def discord_py_client(
    monkeypatch: pytest.MonkeyPatch, trace: aiohttp.TraceConfig | None, clock: Clock
) -> AsyncIterator[tuple[discord.http.HTTPClient, list[float]]]:
    """Yield discord.py's own client of the REST API, and when calls arrive at a Discord without limits.

    ``clock``: by which the arrivals are noted.
    """
    arrival_times: list[float] = []

    async def answer_request(_: web.Request) -> web.Response:
        arrival_times.append(clock())
        return web.json_response({"id": "1", "username": "bot", "discriminator": "0", "avatar": None})

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer_request)
    async with TestServer(application) as server:
        monkeypatch.setattr(discord.http.Route, "BASE", str(server.make_url("/api/v10")))
        client = discord.http.HTTPClient(asyncio.get_running_loop(), http_trace=trace)
        await client.static_login("a.b.c")
        try:
            yield client, arrival_times
        finally:
            await client.close()


async def _get_many_channels(client: discord.http.HTTPClient, count: int) -> None:
    await asyncio.gather(*(client.get_channel(number) for number in range(count)))


async def test_discord_py_is_held_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py's calls to many channels at once arrive at forty a second, or later."""
    async with ticking_clock() as clock:
        began_at = clock()
        limiter = CallLimiter(clock=clock, sleep=clock.sleep)
        trace = rate_limit_trace(limiter, InvalidRequestCounter(), Metrics())
        async with discord_py_client(monkeypatch, trace, clock) as (client, arrival_times):
            await _get_many_channels(client, 100)
    assert len(arrival_times) == 101  # the login is one
    assert _longest_lead(arrival_times, began_at) <= 0


async def test_discord_py_alone_exceeds_the_global_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sensitivity: without the limiter discord.py makes more calls a second than Discord allows."""
    async with (
        ticking_clock() as clock,
        discord_py_client(monkeypatch, None, clock) as (client, arrival_times),
    ):
        await _get_many_channels(client, 2 * REQUESTS_A_SECOND)
        began_at = arrival_times[0]
    assert _longest_lead(arrival_times, began_at) > 0


def _longest_lead(arrival_times: list[float], began_at: float) -> float:
    """Return by how many seconds any call came before the limit allows it, at most."""
    allowed = (began_at + number // MAX_BURST_CALLS * BURST_SECONDS for number in range(len(arrival_times)))
    return max(earliest - each for earliest, each in zip(allowed, arrival_times, strict=True))


@given(st.lists(st.sampled_from(Priority), max_size=40), st.integers(1, 6))
def test_the_most_urgent_waiting_call_goes_first(priorities: list[Priority], limit: int) -> None:
    """Calls that wait are made in the order of their priorities, and equal ones in the order they came."""

    async def make_calls() -> list[tuple[Priority, int]]:
        clock = SelfAdvancingClock()
        limiter = CallLimiter(limit, clock, clock.sleep)
        made_calls: list[tuple[Priority, int]] = []

        async def call(priority: Priority, number: int) -> None:
            await limiter.acquire(priority)
            made_calls.append((priority, number))

        for _ in range(limit):
            assert not await limiter.acquire(), "it waits although the limit is not reached"
        await asyncio.gather(*(call(priority, number) for number, priority in enumerate(priorities)))
        return made_calls

    assert asyncio.run(make_calls()) == sorted((each, number) for number, each in enumerate(priorities))


async def test_a_later_call_does_not_overtake_an_equal_one() -> None:
    """It waits behind it even if the turn of the earlier one has come while the loop was busy."""
    clock, order = SelfAdvancingClock(), list[str]()
    limiter = CallLimiter(1, clock, clock.sleep)

    async def call(name: str) -> None:
        await limiter.acquire()
        order.append(name)

    await limiter.acquire()
    first = asyncio.ensure_future(call("first"))
    await asyncio.sleep(0)
    clock.now += 2
    await call("second")
    await first
    assert order == ["first", "second"]


@given(st.lists(st.integers(0, 8), max_size=60), st.sampled_from([Priority.MEDIUM, Priority.LOW]))
@example([*[*[0] * 9, 16] * 3, *[0] * 7], Priority.MEDIUM)
def test_a_less_urgent_call_leaves_room(gaps: list[int], priority: Priority) -> None:
    """Whatever boards were sent before it, as many as it must leave room for may follow at once."""

    async def make_calls() -> tuple[list[float], float]:
        clock, times = SelfAdvancingClock(), list[float]()
        limiter = CallLimiter(clock=clock, sleep=clock.sleep)
        for gap in gaps:
            clock.now += gap / 64
            await limiter.acquire()
            times.append(clock.now)
        await limiter.acquire(priority)
        return times, clock.now

    times, now = asyncio.run(make_calls())
    headroom = BURST_HEADROOM[priority]
    for seconds, limit in ((BURST_SECONDS, MAX_BURST_CALLS - headroom), (1, CALLS_A_SECOND - 4 * headroom)):
        assert sum(each > now - seconds + 1e-9 for each in times) < limit


@given(st.lists(st.tuples(st.sampled_from(Priority), st.floats(0, 1.5)), max_size=25), st.integers(4, 8))
@example([*[(Priority.HIGH, 1.4)] * 8, *[(Priority.HIGH, 0.4)] * 8], 8)  # all made in the same second
@settings(max_examples=trial_count(15, soak=40))
def test_reserved_calls_keep_to_the_limit(
    calls_and_seconds: list[tuple[Priority, float]], limit: int
) -> None:
    """However long a call is prepared after it was reserved, no second sees too many."""

    async def make_calls() -> list[float]:
        times: list[float] = []

        async def call(priority: Priority, seconds: float) -> None:
            async with limiter.reserve(priority):
                await clock.sleep(seconds)
                await limiter.acquire()
                times.append(clock())

        async with ticking_clock() as clock:
            limiter = CallLimiter(limit, clock, clock.sleep)
            await asyncio.gather(*(call(*each) for each in calls_and_seconds))
        return sorted(times)

    times = asyncio.run(make_calls())
    assert len(times) == len(calls_and_seconds)
    stretched = [each * 1.005 for each in times]  # a task runs some milliseconds after its call was noted
    assert not times or max_calls_in_a_second(stretched) <= limit


async def test_a_reserved_call_waits_for_no_other() -> None:
    """Once its turn has come a hand does not wait for other hands; what was not called is free again."""
    clock = SelfAdvancingClock()
    limiter = CallLimiter(4, clock, clock.sleep)
    async with limiter.reserve(Priority.MEDIUM) as has_waited:
        assert not has_waited
        others = [asyncio.ensure_future(limiter.acquire(Priority.MEDIUM)) for _ in range(9)]
        await asyncio.sleep(0)
        assert not await limiter.acquire()
    for other in others:
        other.cancel()
    clock.now += 2
    for _ in range(9):
        async with limiter.reserve(Priority.HIGH) as has_waited:
            assert not has_waited


async def test_a_reserved_call_counts_once() -> None:
    """It takes the place that was reserved, and keeps it."""
    clock = SelfAdvancingClock()
    limiter = CallLimiter(1, clock, clock.sleep)
    async with limiter.reserve(Priority.MEDIUM):
        assert not await limiter.acquire()
    assert await limiter.acquire(), "the call that was made does not count"


async def test_a_waiting_edit_holds_up_no_board_of_its_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py makes the calls of a channel one by one: what may wait for long does not wait among them."""
    order: list[str] = []
    async with ticking_clock() as clock:
        limiter = CallLimiter(8, clock, clock.sleep)
        trace = rate_limit_trace(limiter, InvalidRequestCounter(), Metrics())
        async with discord_py_client(monkeypatch, trace, clock) as (client, _):

            async def edit(name: str) -> None:
                route = discord.http.Route("PATCH", "/channels/{channel_id}/messages/1", channel_id=1)
                await client.request(route, json={})
                order.append(name)

            async def edit_later() -> None:
                async with limiter.reserve(Priority.LOW):
                    await edit("old buttons")

            while not await limiter.acquire(Priority.LOW):
                pass
            waiting = asyncio.ensure_future(edit_later())
            await clock.sleep(0.02)
            await edit("board")
            await waiting
    assert order == ["board", "old buttons"]


async def test_responses_are_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """While many calls wait for the limit and no time passes, an answer and its follow-up are sent."""

    async def sleep_for_ever(_: float) -> None:
        await asyncio.Event().wait()

    def stopped_clock() -> float:
        return 100.0

    limiter = CallLimiter(clock=stopped_clock, sleep=sleep_for_ever)
    trace = rate_limit_trace(limiter, InvalidRequestCounter(), Metrics())
    async with discord_py_client(monkeypatch, trace, stopped_clock) as (client, arrival_times):
        waiting = asyncio.ensure_future(_get_many_channels(client, 3 * CALLS_A_SECOND))
        await wait_until(lambda: len(arrival_times) >= MAX_BURST_CALLS or None, awaited="the limit")
        async with asyncio.timeout(WAIT_TIMEOUT):
            for number in range(CALLS_A_SECOND):
                for route in (
                    ("POST", "/interactions/{id}/t/callback"),
                    ("PATCH", "/webhooks/{id}/t/messages/@original"),
                ):
                    await client.request(discord.http.Route(*route, id=number))
        assert len(arrival_times) == MAX_BURST_CALLS + 2 * CALLS_A_SECOND
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting


async def test_a_cancelled_call_takes_no_turn() -> None:
    """A call that was cancelled while it waited costs no other call its turn."""
    clock = SelfAdvancingClock()
    limiter = CallLimiter(1, clock, clock.sleep)
    await limiter.acquire()
    cancelled = asyncio.ensure_future(limiter.acquire())
    remaining = asyncio.ensure_future(limiter.acquire(Priority.MEDIUM))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert await remaining
    assert clock.now < 102.0


async def test_a_board_does_not_wait_for_hands() -> None:
    """However many hands wait for the limit, a board is sent at once, and a moment later another."""
    clock = SelfAdvancingClock()
    limiter = CallLimiter(clock=clock, sleep=clock.sleep)
    hands = [asyncio.ensure_future(limiter.acquire(Priority.MEDIUM)) for _ in range(2_000)]
    for _ in range(20):
        await asyncio.wait([hands[sum(hand.done() for hand in hands) + 12]])
        assert not await limiter.acquire(Priority.HIGH), "a board waits"
    assert any(not hand.done() for hand in hands), "no hand waits any more"
    await asyncio.gather(*hands)


async def test_boards_that_come_together_do_not_wait_for_old_posts() -> None:
    """However many old posts wait for the limit, three boards are sent at once."""
    clock = SelfAdvancingClock()
    limiter = CallLimiter(clock=clock, sleep=clock.sleep)
    posts = [asyncio.ensure_future(limiter.acquire(Priority.LOW)) for _ in range(1_000)]
    for _ in range(10):
        await asyncio.wait([posts[sum(post.done() for post in posts) + CALLS_A_SECOND]])
        for _ in range(3):
            assert not await limiter.acquire(Priority.HIGH), "a board waits"
    assert any(not post.done() for post in posts), "no post waits any more"
    await asyncio.gather(*posts)


@pytest.mark.parametrize("priority", [Priority.MEDIUM, Priority.LOW])
async def test_less_urgent_calls_are_spread(priority: Priority) -> None:
    """Hands, or old posts, that come at once are sent one by one, with the same time between them."""
    clock = SelfAdvancingClock()
    limiter = CallLimiter(clock=clock, sleep=clock.sleep)
    times: list[float] = []

    async def send() -> None:
        await limiter.acquire(priority)
        times.append(clock.now)

    await asyncio.gather(*(send() for _ in range(100)))
    steps = [later - earlier for earlier, later in itertools.pairwise(times)]
    step = 1 / (CALLS_A_SECOND - 4 * BURST_HEADROOM[priority])
    assert min(steps) == pytest.approx(step)
    assert max(steps) == pytest.approx(step)


async def test_a_board_wakes_the_limiter_for_itself() -> None:
    """A board that may be sent sooner than the hand that waits does not wait as long as the hand."""
    async with ticking_clock() as clock:
        limiter = CallLimiter(4, clock, clock.sleep)  # a hand needs a second without any call
        began_at = clock()
        assert not await limiter.acquire()
        await clock.sleep(0.6)
        for _ in range(3):
            assert not await limiter.acquire()
        hand = asyncio.ensure_future(limiter.acquire(Priority.MEDIUM))
        await clock.sleep(0.05)
        assert await limiter.acquire()
        assert clock() - began_at < 1.4, "the board was held back until the hand's time"
        assert not hand.done()
        hand.cancel()


@pytest.mark.parametrize(
    ("path", "is_recognised"),
    [
        *((path, True) for path in RESPONSE_PATHS),
        ("/api/v10/channels/1/messages", False),
        ("/api/v10/channels/1/messages/2", False),
        ("/api/v10/channels/1/webhooks", False),
        ("/api/v10/webhooks/1", False),
        ("/api/v10/users/@me/channels", False),
    ],
)
def test_responses_are_recognised(path: str, *, is_recognised: bool) -> None:
    """Calls for which a person waits are distinguished from the others."""
    assert is_response_path(path) is is_recognised
