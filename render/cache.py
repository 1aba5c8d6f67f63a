"""Caches bounded by bytes, for values that are pure functions of their keys.  Only one thread may use one."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

V = TypeVar("V")

_ENTRY_OVERHEAD: Final = 300
"""Bytes that a packed value takes besides its own, with its key."""
_DIGEST_SIZE: Final = 16


def content_digest(content: bytes) -> bytes:
    """Return a short key for content: equal keys mean equal content."""
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE).digest()


class ByteCache(Generic[V]):
    """Keeps the most recently used values, up to a number of bytes."""

    def __init__(self, limit: int, on_evict: Callable[[Hashable, V], None] | None = None) -> None:
        """``limit``: the sum of the sizes given to ``put``; ``on_evict``: called with what is evicted."""
        self.limit = limit
        self._on_evict = on_evict
        self._total = 0
        self._entries: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Return the value under this key, or None."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: Hashable, value: V, size: int) -> None:
        """Keep a value and evict the least recently used ones beyond the limit."""
        replaced = self._entries.pop(key, None)
        if replaced is not None:
            self._total -= replaced[1]
        self._entries[key] = (value, size)
        self._total += size
        while self._total > self.limit:
            evicted_key, (evicted_value, evicted_size) = self._entries.popitem(last=False)
            self._total -= evicted_size
            if self._on_evict is not None:
                self._on_evict(evicted_key, evicted_value)

    def clear(self) -> None:
        """Remove all values; they are not evicted."""
        self._entries.clear()
        self._total = 0

    @property
    def total(self) -> int:
        """Return the sum of the sizes of all values, in bytes."""
        return self._total

    def __len__(self) -> int:
        return len(self._entries)


class TwoTierCache(Generic[V]):
    """Keeps the most recently used values as they are, and more of them packed."""

    def __init__(
        self,
        hot_limit: int,
        packed_limit: int,
        *,
        size: Callable[[V], int],
        pack: Callable[[V], bytes],
        unpack: Callable[[bytes], V],
    ) -> None:
        """``size``: returns the bytes of a value."""
        self.limit = hot_limit + packed_limit
        self._hot: ByteCache[V] = ByteCache(hot_limit, self._put_packed)
        self._packed: ByteCache[bytes] = ByteCache(packed_limit)
        self._size, self._pack, self._unpack = size, pack, unpack

    def get(self, key: Hashable) -> V | None:
        """Return the value under this key, or None."""
        value = self._hot.get(key)
        if value is None:
            packed = self._packed.get(key)
            if packed is None:
                return None
            value = self._unpack(packed)
            self._put_hot(key, value)
        return value

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value."""
        self._put_hot(key, value)

    def _put_hot(self, key: Hashable, value: V) -> None:
        self._hot.put(key, value, self._size(value))

    def _put_packed(self, key: Hashable, value: V) -> None:
        if self._packed.get(key) is None:
            packed = self._pack(value)
            self._packed.put(key, packed, len(packed) + _ENTRY_OVERHEAD)

    def clear(self) -> None:
        """Remove all values."""
        self._hot.clear()
        self._packed.clear()

    @property
    def total(self) -> int:
        """Return the sum of the sizes of all values, in bytes."""
        return self._hot.total + self._packed.total
