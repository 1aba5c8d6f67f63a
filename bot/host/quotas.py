"""How much one person and one server may ask for.  Every limit can be set; 0 lifts it."""

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from time import monotonic
from typing import Final

import msgspec

from bot.error_ids import new_error_id
from bot.host.table import Refusal
from bot.store.rows import QuotaUsage

WATCHED: Final = 10_000
"""People whose pace is remembered, the busiest lately; more would let strangers fill the memory."""


_log = logging.getLogger(__name__)


class Quotas(msgspec.Struct, frozen=True):
    """The limits.  0: none."""

    acts: int = 20
    """Commands, presses and forms of one person within ``act_seconds``."""
    act_seconds: float = 10.0
    suggestions: int = 60
    """Autocompletions of one person within ``act_seconds``: one comes with each key."""
    lobbies: int = 5
    """Open lobbies of one host."""
    games: int = 25
    """Live tables at which one person sits."""
    server_tables: int = 100
    """Live tables of one server."""
    opening_pause: float = 10.0
    """Seconds between two tables that one person opens."""


UNLIMITED: Final = Quotas(
    acts=0, act_seconds=0.0, suggestions=0, lobbies=0, games=0, server_tables=0, opening_pause=0.0
)


class TooFast(Refusal):
    """More acts than a person makes."""


class TooMany(Refusal):
    """As many tables as there may be."""


@dataclass(slots=True)
class _Window:
    """What is remembered of one person."""

    times: deque[float] = field(default_factory=deque)
    """When they acted lately."""
    error_id: str = ""
    """Of the line in the log about their newest flood."""
    until: float = float("-inf")
    """So long that line stands for every refusal."""


class RateLimiter:
    """Counts what each person did lately.  What is refused does not count, so that waiting helps.

    However much is refused, the log has one line a person within the window.
    """

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        """At most ``most`` within ``seconds``."""
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._lately: OrderedDict[int, _Window] = OrderedDict()

    def admit(self, user: int) -> None:
        """Count one act.  Raises TooFast."""
        if not self._most:
            return
        now = self._clock()
        pace = self._lately.setdefault(user, _Window())
        times = pace.times
        self._lately.move_to_end(user)
        while len(self._lately) > WATCHED:
            self._lately.popitem(last=False)
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._most:
            wait = max(1, ceil(times[0] + self._seconds - now))
            refusal = TooFast(
                f"That was a lot at once, so nothing was done. Wait {_seconds(wait)}, then press again."
            )
            if now >= pace.until:
                pace.error_id, pace.until = new_error_id(), now + self._seconds
                _log.info("rate limit exceeded", extra={"ref": pace.error_id, "refusal": "TooFast"})
            refusal.error_id = pace.error_id
            raise refusal
        times.append(now)


def may_open(quotas: Quotas, held: QuotaUsage, now: float) -> None:
    """Whether somebody may open one more table.  Raises TooMany with what to do."""
    if quotas.lobbies and held.lobbies >= quotas.lobbies:
        raise TooMany(
            f"You have {held.lobbies} open lobbies. Start one, or close one with `/table end`,"
            " before you open another."
        )
    may_sit(quotas, held)
    if quotas.server_tables and held.server >= quotas.server_tables:
        raise TooMany(
            f"This server has {held.server} tables going on, as many as there may be."
            " Another can be opened when one of them has ended."
        )
    wait = 0.0 if held.opened_at is None else held.opened_at + quotas.opening_pause - now
    if 0 < wait <= quotas.opening_pause:
        raise TooMany(f"You have just opened a table. You can open another in {_seconds(ceil(wait))}.")


def may_sit(quotas: Quotas, held: QuotaUsage, who: str = "You sit") -> None:
    """Whether somebody may take one more seat.  Raises TooMany with what to do."""
    if quotas.games and held.games >= quotas.games:
        raise TooMany(
            f"{who} at {held.games} tables already, as many as one person can."
            " One of those games must end first, or be left: `/mygames` lists one's own."
        )


def _seconds(count: int) -> str:
    return "a second" if count == 1 else f"{count} seconds"
