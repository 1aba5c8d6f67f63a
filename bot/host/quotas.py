"""The limits for each person and each server.  All can be set; 0 lifts a limit."""

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from time import monotonic
from typing import Final

import msgspec

from bot.host.request import Refusal, Request
from bot.store.preferences import ServerRow
from bot.store.rows import QuotaUsage
from rules.text import counted, listed

MAX_TRACKED_USERS: Final = 10_000
"""The most users whose requests are counted, the latest ones: strangers must not fill the memory."""

_log = logging.getLogger(__name__)


class Quotas(msgspec.Struct, frozen=True):
    """The limits; 0 means no limit."""

    requests: int = 20
    """Commands, presses and forms of one user within ``request_seconds``."""
    request_seconds: float = 10.0
    suggestions: int = 60
    """Autocompletions of one user within ``request_seconds``: each key typed asks for one."""
    open_lobbies: int = 5
    """Open lobbies of one host."""
    user_tables: int = 25
    """Live tables at which one person sits."""
    server_tables: int = 100
    """Live tables of one server."""
    opening_cooldown: float = 10.0
    """Seconds between two tables that one person opens."""
    mentions: int = 12
    """Mentions of one person on one day, over all tables."""


UNLIMITED: Final = Quotas(
    requests=0,
    request_seconds=0.0,
    suggestions=0,
    open_lobbies=0,
    user_tables=0,
    server_tables=0,
    opening_cooldown=0.0,
    mentions=0,
)


class RateLimitExceeded(Refusal):
    """A user sent more requests than ``Quotas`` allows.  The limiter logs it, once in a window."""

    is_logged_already = True


class QuotaExceeded(Refusal):
    """A user or a server has as many tables as ``Quotas`` allows, or the user hosts one opened just now."""


@dataclass(slots=True)
class _Window:
    """The sliding window of one user."""

    request_times: deque[float] = field(default_factory=deque)
    """When the requests that were admitted within the window came."""
    logged_until: float = float("-inf")
    """Until then the newest log line about this user covers every refusal."""


class RateLimiter:
    """Limits the requests of each user in a sliding window.  Refused requests do not count.

    The log gets at most one line for each user and window.
    """

    def __init__(self, limit: int, window_seconds: float, clock: Callable[[], float] = monotonic) -> None:
        """Allow ``limit`` requests within ``window_seconds``; a limit of 0 allows all."""
        self._limit = limit
        self._window_seconds = window_seconds
        self._clock = clock
        self._windows: OrderedDict[int, _Window] = OrderedDict()

    def admit(self, user: int) -> None:
        """Count one request.  Raises RateLimitExceeded."""
        if not self._limit:
            return
        now = self._clock()
        window = self._windows.setdefault(user, _Window())
        request_times = window.request_times
        self._windows.move_to_end(user)
        while len(self._windows) > MAX_TRACKED_USERS:
            self._windows.popitem(last=False)
        while request_times and request_times[0] <= now - self._window_seconds:
            request_times.popleft()
        if len(request_times) >= self._limit:
            wait = max(1, ceil(request_times[0] + self._window_seconds - now))
            refusal = RateLimitExceeded(
                f"That was too much at once. Nothing was done. Wait {_seconds_text(wait)}, then try again."
            )
            if now >= window.logged_until:
                window.logged_until = now + self._window_seconds
                _log.info("rate limit exceeded", extra={"refusal": "RateLimitExceeded"})
            raise refusal
        request_times.append(now)


class NotAllowedHere(Refusal):
    """The server's admins have set where tables are opened, or by whom."""


def require_opening_rights(server: ServerRow, request: Request, channel: int) -> None:
    """Raise NotAllowedHere, with what to do, unless a user may open a table in a channel of a server.

    Its admins may open tables everywhere.
    """
    if request.is_admin:
        return
    channels = {channel} if request.channel != channel else {channel, request.parent_channel}
    if server.channels and not channels & set(server.channels):
        channels_text = listed([f"<#{each}>" for each in server.channels], "or")
        raise NotAllowedHere(f"Tables may only be opened in {channels_text}. Type `/newgame` there.")
    if server.roles and not set(server.roles) & set(request.roles):
        roles_text = listed([f"<@&{each}>" for each in server.roles], "or")
        raise NotAllowedHere(
            f"Only members with the role {roles_text} may open tables here. Ask one of them."
        )


def require_opening_quotas(quotas: Quotas, usage: QuotaUsage, now: float) -> None:
    """Raise QuotaExceeded, with what to do, unless a user may open one more table."""
    if quotas.open_lobbies and usage.open_lobby_count >= quotas.open_lobbies:
        raise QuotaExceeded(
            f"You have {counted(usage.open_lobby_count, 'open lobby', 'open lobbies')},"
            f" {_limit_text(usage.open_lobby_count, quotas.open_lobbies)}."
            " First start one, or close one with `/table end`."
        )
    require_seat_quota(quotas, usage)
    if quotas.server_tables and usage.server_table_count >= quotas.server_tables:
        raise QuotaExceeded(
            f"This server has {counted(usage.server_table_count, 'table')},"
            f" {_limit_text(usage.server_table_count, quotas.server_tables)}."
            " You can open another when there are fewer."
        )
    wait = 0.0 if usage.last_opened_at is None else usage.last_opened_at + quotas.opening_cooldown - now
    if 0 < wait <= quotas.opening_cooldown:
        raise QuotaExceeded(
            "You are the host of a table that was opened just now."
            f" You can open another in {_seconds_text(ceil(wait))}."
        )


def require_seat_quota(quotas: Quotas, usage: QuotaUsage, *, is_requester: bool = True) -> None:
    """Raise QuotaExceeded, with what to do, unless a user may take one more seat.

    ``is_requester``: it is the user who asks.
    """
    if quotas.user_tables and usage.user_table_count >= quotas.user_tables:
        who = "You sit" if is_requester else "That person sits"
        advice = (
            "First finish or leave one: see `/mygames`."
            if is_requester
            else "They must finish or leave one first."
        )
        limit_text = _limit_text(usage.user_table_count, quotas.user_tables)
        raise QuotaExceeded(f"{who} at {counted(usage.user_table_count, 'table')}, {limit_text}. {advice}")


def _limit_text(count: int, limit: int) -> str:
    """Return how a count that allows no more stands to its limit, which may have been set lower since."""
    return "which is the limit" if count == limit else f"more than the limit of {limit}"


def _seconds_text(seconds: int) -> str:
    return "a second" if seconds == 1 else f"{seconds} seconds"
