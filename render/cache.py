"""Caches bounded by entries or bytes, for values that are pure functions of their keys.

Only one thread at a time may use a cache.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

V = TypeVar("V")

_ENTRY_OVERHEAD: Final = 200
"""Bytes that an entry takes besides its packed value: the key and the cache's own objects."""
_DIGEST_SIZE: Final = 16


def content_digest(content: bytes) -> bytes:
    """Return a digest to use as a key: equal keys mean equal content."""
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE).digest()


class EntryCache(Generic[V]):
    """Keeps the most recently used values, up to a number of them."""

    def __init__(self, limit: int) -> None:
        """``limit``: the most values."""
        self.limit = limit
        self._entries: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Return the value under this key, or None."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value and evict the least recently used one beyond the limit."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self.limit:
            self._entries.popitem(last=False)

    def shrink(self, share: float) -> None:
        """Evict the least recently used values until at most this share of the limit is taken."""
        while len(self._entries) > self.limit * share:
            self._entries.popitem(last=False)

    def clear(self) -> None:
        """Remove all values."""
        self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)


class ByteCache(Generic[V]):
    """Keeps the most recently used values, up to a number of bytes."""

    def __init__(self, limit: int, *, size_of: Callable[[V], int]) -> None:
        """``limit``: the most bytes that all values may take; ``size_of``: the bytes of one."""
        self.limit = limit
        self._size_of = size_of
        self._byte_count = 0
        self._entries: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Return the value under this key, or None."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value, and evict the least recently used ones beyond the limit."""
        replaced = self._entries.pop(key, None)
        if replaced is not None:
            self._byte_count -= self._size_of(replaced)
        self._entries[key] = value
        self._byte_count += self._size_of(value)
        self.shrink(1)

    def shrink(self, share: float) -> None:
        """Evict the least recently used values until at most this share of the limit is taken."""
        while self._byte_count > self.limit * share:
            _, evicted = self._entries.popitem(last=False)
            self._byte_count -= self._size_of(evicted)

    def clear(self) -> None:
        """Remove all values."""
        self._entries.clear()
        self._byte_count = 0

    @property
    def byte_count(self) -> int:
        """The bytes that all values take."""
        return self._byte_count

    def __len__(self) -> int:
        return len(self._entries)


def _packed_size(packed: bytes) -> int:
    return len(packed) + _ENTRY_OVERHEAD


class PackedCache(Generic[V]):
    """Keeps the most recently used values packed, up to a number of bytes.

    Unpacking costs so little that a second tier of unpacked values costs more than it saves.
    """

    def __init__(self, limit: int, *, pack: Callable[[V], bytes], unpack: Callable[[bytes], V]) -> None:
        self._packed: ByteCache[bytes] = ByteCache(limit, size_of=_packed_size)
        self._pack, self._unpack = pack, unpack

    @property
    def limit(self) -> int:
        """The most bytes that all values may take."""
        return self._packed.limit

    def get(self, key: Hashable) -> V | None:
        """Return the value under this key, or None."""
        packed = self._packed.get(key)
        return None if packed is None else self._unpack(packed)

    def put(self, key: Hashable, value: V) -> None:
        """Pack and keep a value, and evict the least recently used ones beyond the limit."""
        self._packed.put(key, self._pack(value))

    def shrink(self, share: float) -> None:
        """Evict the least recently used values until at most this share of the limit is taken."""
        self._packed.shrink(share)

    def clear(self) -> None:
        """Remove all values."""
        self._packed.clear()

    @property
    def byte_count(self) -> int:
        """The bytes that all values take."""
        return self._packed.byte_count
