"""The games in progress that this release has not replayed yet.

A release with other rules must not go on with a game that it plays differently.  So each game in progress is
replayed once: in the background, or earlier, when somebody opens it.
"""

import asyncio
from typing import Final

from bot.host.deciders.decision import Decision
from bot.host.loading import TableLoader, UnreadableTable
from bot.host.rule_sources import rules_fingerprint
from bot.store.protocol import Store

REPLAYED_FINGERPRINT_KEY: Final = "replayed under"
"""The key of the stored fingerprint of the rules under which all games in progress have been replayed."""


class ReplayQueue:
    """Knows which games are still to be replayed, and replays them one by one."""

    def __init__(self, store: Store, loader: TableLoader) -> None:
        """Empty before ``fill``."""
        self._store = store
        self._loader = loader
        self._fingerprint = ""
        self._have_rules_changed = False
        """Whether the rules have changed since all games in progress were replayed."""
        self._remaining_numbers: set[int] = set()

    async def fill(self) -> None:
        """Queue all games in progress, unless they were replayed under these rules.  Raises StoreError.

        Further calls do nothing.
        """
        if self._fingerprint:
            return
        fingerprint = await asyncio.to_thread(rules_fingerprint, self._loader.all_games)
        self._have_rules_changed = await self._store.get_metadata(REPLAYED_FINGERPRINT_KEY) != fingerprint
        if self._have_rules_changed:
            self._remaining_numbers = set(await self._store.tables_in_play())
        self._fingerprint = fingerprint

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the tables that are still to be replayed, the newest first."""
        return tuple(sorted(self._remaining_numbers, reverse=True))

    async def replay(self, number: int) -> Decision | None:
        """Replay a game that is in the queue; return the decision to freeze it if it differs.

        The caller must hold the table's lock.  A game that takes too long is to be frozen too.  Raises
        UnreadableTable (the table is left as it is), WorkersBusy, StoreError.
        """
        if number not in self._remaining_numbers:
            return None
        try:
            decision = await self._loader.check_replay(number)
        except UnreadableTable:
            self._remaining_numbers.discard(number)
            raise
        self._remaining_numbers.discard(number)
        return decision

    async def finish_if_empty(self) -> None:
        """Store that all games have been replayed, if they have.  Raises StoreError."""
        if self._have_rules_changed and not self._remaining_numbers:
            await self._store.set_metadata(REPLAYED_FINGERPRINT_KEY, self._fingerprint)
