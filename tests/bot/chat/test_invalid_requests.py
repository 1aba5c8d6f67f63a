"""Calls that Discord refuses are counted: the bot stops before Discord bans its address (P15)."""

import contextlib

import pytest

from bot.chat.rate_limit import (
    HARD_LIMIT,
    INVALID_WINDOW_SECONDS,
    SOFT_LIMIT,
    InvalidRequestCounter,
    TooManyInvalidRequests,
)
from tests.bot.chat.test_rate_limit import ManualTime


def test_refused_calls_are_limited() -> None:
    """From half of the limit on only responses are sent, later nothing, until ten minutes have passed."""
    time = ManualTime()
    invalid_requests = InvalidRequestCounter(time)
    for status in (200, 204, 404, 500) * 5_000:
        invalid_requests.record(status)
    invalid_requests.record(429, shared=True)
    invalid_requests.require_below_limit(is_response=False)
    for number in range(SOFT_LIMIT):
        invalid_requests.record((401, 403, 429)[number % 3])
    invalid_requests.require_below_limit(is_response=True)
    with pytest.raises(TooManyInvalidRequests):
        invalid_requests.require_below_limit(is_response=False)
    for _ in range(HARD_LIMIT - SOFT_LIMIT):
        invalid_requests.record(403)
    with pytest.raises(TooManyInvalidRequests):
        invalid_requests.require_below_limit(is_response=True)
    assert HARD_LIMIT < 10_000
    time.now += INVALID_WINDOW_SECONDS + 1
    invalid_requests.require_below_limit(is_response=False)
    assert invalid_requests.count == 0


def test_the_limit_of_invalid_requests_is_logged_once_a_window(caplog: pytest.LogCaptureFixture) -> None:
    """Also where each request that leaves the window makes room for another that is refused."""
    time, refused = ManualTime(), 0
    invalid_requests = InvalidRequestCounter(time)
    for _ in range(3 * SOFT_LIMIT):
        time.now += INVALID_WINDOW_SECONDS / SOFT_LIMIT
        with contextlib.suppress(TooManyInvalidRequests):
            invalid_requests.require_below_limit(is_response=False)
            invalid_requests.record(403)
            refused += 1
    assert refused > SOFT_LIMIT, "none made room for another"
    events = [record.message for record in caplog.records]
    assert 1 <= len(events) <= 3
    assert set(events) == {"invalid request limit reached: only responses are sent"}
