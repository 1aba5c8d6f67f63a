"""Calls that Discord refuses are counted: the bot stops before Discord bans its address (P15)."""

import contextlib

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer, unused_port

from bot.chat.rate_limit import (
    INVALID_HARD_LIMIT,
    INVALID_SOFT_LIMIT,
    INVALID_WINDOW_SECONDS,
    CallLimiter,
    InvalidRequestCounter,
    TooManyInvalidRequests,
    rate_limit_trace,
)
from bot.metrics import Metrics
from tests.bot.chat.self_advancing_clock import SelfAdvancingClock


def test_refused_calls_are_limited() -> None:
    """From half of the limit on only responses are sent, later nothing, until ten minutes have passed."""
    clock = SelfAdvancingClock()
    invalid_requests = InvalidRequestCounter(clock)
    for status in (200, 204, 404, 500) * 5_000:
        invalid_requests.record(status)
    invalid_requests.record(429, is_shared=True)
    invalid_requests.require_below_limit(is_response=False)
    for number in range(INVALID_SOFT_LIMIT):
        invalid_requests.record((401, 403, 429)[number % 3])
    invalid_requests.require_below_limit(is_response=True)
    with pytest.raises(TooManyInvalidRequests):
        invalid_requests.require_below_limit(is_response=False)
    for _ in range(INVALID_HARD_LIMIT - INVALID_SOFT_LIMIT):
        invalid_requests.record(403)
    with pytest.raises(TooManyInvalidRequests):
        invalid_requests.require_below_limit(is_response=True)
    assert INVALID_HARD_LIMIT < 10_000
    clock.now += INVALID_WINDOW_SECONDS + 1
    invalid_requests.require_below_limit(is_response=False)
    assert invalid_requests.count == 0


def test_the_limit_of_invalid_requests_is_logged_once_a_window(caplog: pytest.LogCaptureFixture) -> None:
    """That holds even where each request that leaves the window makes room for another that is refused."""
    clock, refused_count = SelfAdvancingClock(), 0
    invalid_requests = InvalidRequestCounter(clock)
    for _ in range(3 * INVALID_SOFT_LIMIT):
        clock.now += INVALID_WINDOW_SECONDS / INVALID_SOFT_LIMIT
        with contextlib.suppress(TooManyInvalidRequests):
            invalid_requests.require_below_limit(is_response=False)
            invalid_requests.record(403)
            refused_count += 1
    assert refused_count > INVALID_SOFT_LIMIT, "none made room for another"
    events = [record.message for record in caplog.records]
    assert 1 <= len(events) <= 3
    assert set(events) == {"invalid request limit reached: only responses are sent"}


async def test_the_gateway_is_never_held_back() -> None:
    """Where no call is made any more the gateway still connects: interactions come through it."""
    clock, application = SelfAdvancingClock(), web.Application()
    invalid_requests = InvalidRequestCounter(clock)
    for _ in range(INVALID_HARD_LIMIT):
        invalid_requests.record(403)

    async def gateway(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str("hello")
        return socket

    application.router.add_get("/gateway", gateway)
    limiter = CallLimiter(1, clock, clock.sleep)
    trace = rate_limit_trace(limiter, invalid_requests, Metrics())
    async with TestServer(application) as server, aiohttp.ClientSession(trace_configs=[trace]) as session:
        for _ in range(3):
            async with session.ws_connect(server.make_url("/gateway").with_scheme("ws")) as socket:
                assert await socket.receive_str() == "hello"
        with pytest.raises(TooManyInvalidRequests):
            await session.get(server.make_url("/gateway"))
    assert not await limiter.acquire(), "the gateway took a call's turn"


async def test_each_call_is_counted_by_its_status() -> None:
    """A call without a response counts too.  A shared limit that was reached is not the fault of the bot."""
    clock, metrics, application = SelfAdvancingClock(), Metrics(), web.Application()
    trace = rate_limit_trace(CallLimiter(5, clock, clock.sleep), InvalidRequestCounter(clock), metrics)

    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=int(request.query["status"]), headers=request.query)

    application.router.add_get("/", answer)
    async with TestServer(application) as server, aiohttp.ClientSession(trace_configs=[trace]) as session:
        for parameters in (
            {"status": "200"},
            {"status": "403"},
            {"status": "429", "X-RateLimit-Scope": "user"},
            {"status": "429", "X-RateLimit-Scope": "shared"},
            {"status": "500"},
        ):
            await session.get(server.make_url("/"), params=parameters)
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(f"http://127.0.0.1:{unused_port()}")

    def count(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(f"captains_table_{name}", labels)

    call_counts = {
        status: count("api_calls_total", status=status) for status in ("2xx", "4xx", "5xx", "none")
    }
    assert call_counts == {"2xx": 1, "4xx": 3, "5xx": 1, "none": 1}
    assert count("invalid_requests") == 2
    assert count("api_calls_held_back_total") == 1, "five calls of six need not wait"
