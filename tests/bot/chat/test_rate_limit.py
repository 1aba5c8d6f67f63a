"""Calls to Discord: forty a second, answers first, and a stop well before Discord bars us (P15)."""

import asyncio

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.chat.rate_limit import (
    BUDGET_SECONDS,
    HARD_LIMIT,
    SPENT,
    Budget,
    BudgetSpent,
    Pace,
    is_answer,
    traced,
)
from bot.metrics import Metrics
from tests.conformance.settings import trials


class Time:
    """Seconds; sleeping moves them on and lets others run."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Now."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Sleep without waiting."""
        await asyncio.sleep(0)
        self.now += max(seconds, 1e-6)


def most_in_a_second(times: list[float]) -> int:
    """The most calls that fell into any second."""
    return max(sum(begin <= each < begin + 1 - 1e-9 for each in times) for begin in times)


async def _made(pace: Pace, time: Time, count: int) -> list[float]:
    times: list[float] = []

    async def call(number: int) -> None:
        await pace.turn(first=number % 3 == 0)
        times.append(time.now)

    await asyncio.gather(*(call(number) for number in range(count)))
    return times


async def test_never_more_than_forty_a_second() -> None:
    """However many calls come at once, no second sees more than forty; none is forgotten."""
    time = Time()
    times = await _made(Pace(clock=time, sleep=time.sleep), time, trials(400))
    assert len(times) == trials(400)
    assert most_in_a_second(times) == 40


async def test_the_count_sees_a_pace_without_limit() -> None:
    """Sensitivity: the same count, with the limit lifted, finds far more."""
    time = Time()
    assert most_in_a_second(await _made(Pace(10_000, time, time.sleep), time, 400)) > 40


async def test_answers_go_first() -> None:
    """Where calls wait, those that answer somebody are made before all others."""
    time = Time()
    pace = Pace(5, time, time.sleep)
    order: list[tuple[str, int]] = []

    async def call(kind: str, number: int) -> None:
        await pace.turn(first=kind == "answer")
        order.append((kind, number))

    boards = [asyncio.ensure_future(call("board", number)) for number in range(20)]
    await asyncio.sleep(0)
    answers = [asyncio.ensure_future(call("answer", number)) for number in range(10)]
    await asyncio.gather(*boards, *answers)
    kinds = [kind for kind, _ in order]
    assert kinds == ["board"] * 5 + ["answer"] * 10 + ["board"] * 15
    assert [number for kind, number in order if kind == "board"] == list(range(20))


async def test_a_cancelled_call_takes_no_turn() -> None:
    """Who no longer waits costs nobody a turn."""
    time = Time()
    pace = Pace(1, time, time.sleep)
    await pace.turn(first=False)
    gone = asyncio.ensure_future(pace.turn(first=True))
    stays = asyncio.ensure_future(pace.turn(first=False))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays
    assert time.now < 102


def test_the_budget_of_refused_calls() -> None:
    """From half of what Discord bears only answers go out, later nothing; ten minutes heal it."""
    time = Time()
    budget = Budget(time)
    for status in (200, 204, 404, 500) * 5_000:
        budget.note(status)
    budget.note(429, shared=True)
    budget.check(first=False)
    for number in range(SPENT):
        budget.note((401, 403, 429)[number % 3])
    budget.check(first=True)
    with pytest.raises(BudgetSpent):
        budget.check(first=False)
    for _ in range(HARD_LIMIT - SPENT):
        budget.note(403)
    with pytest.raises(BudgetSpent):
        budget.check(first=True)
    assert HARD_LIMIT < 10_000
    time.now += BUDGET_SECONDS + 1
    budget.check(first=False)
    assert budget.spent == 0


async def test_a_spent_budget_leaves_the_gateway_open() -> None:
    """Where no call goes out any more the gateway can still be taken up anew: else nobody would be heard."""
    time, application = Time(), web.Application()
    budget = Budget(time)
    for _ in range(HARD_LIMIT):
        budget.note(403)

    async def gateway(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str("hello")
        return socket

    application.router.add_get("/gateway", gateway)
    pace = Pace(1, time, time.sleep)
    trace = traced(pace, budget, Metrics())
    async with TestServer(application) as server, aiohttp.ClientSession(trace_configs=[trace]) as session:
        for _ in range(3):
            async with session.ws_connect(server.make_url("/gateway").with_scheme("ws")) as socket:
                assert await socket.receive_str() == "hello"
        with pytest.raises(BudgetSpent):
            await session.get(server.make_url("/gateway"))
    assert not await pace.turn(first=True), "the gateway took a call's turn"


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("/api/v10/interactions/1/token/callback", True),
        ("/api/v10/webhooks/1/token/messages/@original", True),
        ("/api/v10/channels/1/messages", False),
        ("/api/v10/channels/1/messages/2", False),
        ("/api/v10/users/@me/channels", False),
    ],
)
def test_what_is_an_answer(path: str, *, first: bool) -> None:
    """Calls for which somebody waits are told from the others."""
    assert is_answer(path) is first
