"""Limits how often a person is mentioned in a day, at all tables together."""

import logging
from collections.abc import Sequence

from msgspec.structs import replace

from bot.clock import Clock
from bot.host.preferences import PersonPreferences
from bot.store.clock_rows import DAY
from bot.store.preferences import MentionCount, PersonRow
from bot.store.protocol import StoreError

_log = logging.getLogger(__name__)


class MentionBudget:
    """Counts the mentions of each person by day (UTC); beyond the limit messages only name them."""

    def __init__(self, preferences: PersonPreferences, clock: Clock, limit: int) -> None:
        """``limit``: of one person and day; 0 lifts it."""
        self._preferences = preferences
        self._clock = clock
        self._limit = limit

    async def reserve(self, users: Sequence[int]) -> tuple[int, ...]:
        """Count a mention of each user; return those who may be notified.

        Counted before the message is sent, so that a crash counts one too many and never one too few.
        A user whose count cannot be stored may be notified: no delivery waits for the store.
        """
        if not self._limit:
            return tuple(users)
        return tuple([user for user in dict.fromkeys(users) if await self._add(user, 1)])

    async def release(self, users: Sequence[int]) -> None:
        """Take back what ``reserve`` has counted for a message that Discord has refused."""
        if self._limit:
            for user in users:
                await self._add(user, -1)

    async def _add(self, user: int, delta: int) -> bool:
        """Change a user's count of today; return False, without a change, at the limit.

        Return True if the count cannot be stored.
        """
        day, allowed = int(self._clock()) // DAY, True

        def change(row: PersonRow) -> PersonRow:
            nonlocal allowed
            count = (
                row.mention_count.count
                if row.mention_count is not None and row.mention_count.day == day
                else 0
            )
            allowed = delta < 0 or count < self._limit
            return replace(row, mention_count=MentionCount(day, max(0, count + delta))) if allowed else row

        try:
            await self._preferences.change(user, change)
        except StoreError:
            _log.warning("mention not counted: store unavailable", exc_info=True)
            return True
        return allowed
