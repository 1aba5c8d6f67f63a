"""A cache bounded by bytes, for values that are pure functions of their keys."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class ByteCache(Generic[V]):
    """Keeps the most recently used values, up to ``limit`` bytes.  Safe to use from several threads."""

    def __init__(self, limit: int) -> None:
        """``limit``: the sum of the sizes given to ``put``."""
        self._limit = limit
        self._total = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Return the value under this key, or None."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: V, size: int) -> None:
        """Keep a value and evict the least recently used ones beyond the limit."""
        with self._lock:
            replaced = self._kept.pop(key, None)
            if replaced is not None:
                self._total -= replaced[1]
            self._kept[key] = (value, size)
            self._total += size
            while self._total > self._limit and self._kept:
                _, (_, dropped) = self._kept.popitem(last=False)
                self._total -= dropped

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._kept.clear()
            self._total = 0

    @property
    def total(self) -> int:
        """Return the sum of the sizes of all values, in bytes."""
        return self._total
