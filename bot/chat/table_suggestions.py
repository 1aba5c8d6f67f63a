"""Suggestions of tables.  While the store is busy, its answer of a moment ago is shown.

Reads queue behind commits, and a commit waits until the disk has it: on a busy disk for hundreds of
milliseconds, while somebody types.
"""

import asyncio
from collections import OrderedDict
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from bot.store.protocol import Store
from bot.store.rows import TableListing

STORE_TIMEOUT: Final = 0.03
"""Seconds for which a suggestion waits for the store if an earlier answer is known."""
MAX_AGE: Final = 60.0
"""Seconds for which an answer may be shown again."""
_MAX_KEPT_ANSWERS: Final = 512


class _ListingCache:
    """The listings that a store has found for the people who asked last."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._answers: OrderedDict[tuple[int, int], tuple[float, tuple[TableListing, ...]]] = OrderedDict()
        """By user and channel: when the tables were read, and their listings."""

    async def find(self, store: Store, user: int, channel: int) -> tuple[TableListing, ...]:
        """Return what the store finds, or what it found a moment ago if it is busy.  Raises StoreError."""
        read_task = asyncio.ensure_future(self._read(store, user, channel))
        read_at, listings = self._answers.get((user, channel), (-MAX_AGE, ()))
        if monotonic() - read_at < MAX_AGE:
            done, _ = await asyncio.wait({read_task}, timeout=STORE_TIMEOUT)
            if not done:
                read_task.add_done_callback(_ignore_failure)
                return listings
        return await read_task

    async def _read(self, store: Store, user: int, channel: int) -> tuple[TableListing, ...]:
        own_listings, channel_listings = await asyncio.gather(
            store.live_tables_of_user(user), store.tables_in_channel(channel)
        )
        listings = (*own_listings, *channel_listings)
        self._answers[user, channel] = monotonic(), listings
        self._answers.move_to_end((user, channel))
        if len(self._answers) > _MAX_KEPT_ANSWERS:
            self._answers.popitem(last=False)
        return listings


def _ignore_failure(read_task: "asyncio.Future[tuple[TableListing, ...]]") -> None:
    """Mark a failure as seen: the next suggestion meets it too."""
    if not read_task.cancelled():
        read_task.exception()


_caches_by_store: WeakKeyDictionary[Store, _ListingCache] = WeakKeyDictionary()


async def find_listings(store: Store, user: int, channel: int) -> tuple[TableListing, ...]:
    """Return a user's own live tables, then those of a channel.  Raises StoreError."""
    cache = _caches_by_store.setdefault(store, _ListingCache())
    return await cache.find(store, user, channel)
