"""Locks by key, such as one for each table, made when they are needed."""

import asyncio
from weakref import WeakValueDictionary


class KeyedLocks:
    """A lock for each key, which lives as long as somebody holds or awaits it."""

    def __init__(self) -> None:
        """Begin without locks."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: int) -> asyncio.Lock:
        """Return the lock of a key, a new one if nobody uses it."""
        if (lock := self._locks.get(key)) is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock
