"""The seeded stream that chance draws from, its commitment and its proof.

``Stream(seed, n)`` is a keyed hash in counter mode (BLAKE2b, RFC 7693): the n-th outcome of chance in
a match draws from its own stream, so that neither undo and redo nor one more small choice changes a draw.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORDS_PER_BLOCK: Final = 8
_WORD: Final = 1 << 64


class Stream:
    """Uniform draws for outcome ``n`` of the match whose secret is ``seed`` (32 bytes)."""

    __slots__ = ("_block", "_n", "_seed", "_words")

    def __init__(self, seed: bytes, n: int) -> None:
        """Key the stream by the match's seed and the number of chance records before this one."""
        self._seed = seed
        self._n = n
        self._block = 0
        self._words: list[int] = []

    def __repr__(self) -> str:
        """Name the outcome, never the seed."""
        return f"Stream(n={self._n})"

    def _next_word(self) -> int:
        if not self._words:
            message = b"captains-table/1" + self._n.to_bytes(8, "big") + self._block.to_bytes(8, "big")
            digest = hashlib.blake2b(message, key=self._seed).digest()
            self._block += 1
            self._words = [
                int.from_bytes(digest[i : i + 8], "big") for i in range(0, 8 * _WORDS_PER_BLOCK, 8)
            ]
            self._words.reverse()
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Draw a uniform integer in ``range(bound)``; rejection keeps it exact."""
        if bound < 1:
            raise ValueError("bound must be at least 1")
        limit = _WORD - _WORD % bound
        word = self._next_word()
        while word >= limit:
            word = self._next_word()
        return word % bound

    def choose(self, items: Sequence[T]) -> T:
        """Draw one item."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Draw ``count`` different items, in the order drawn."""
        pool = list(items)
        size = len(pool)
        for i in range(count):
            j = i + self.below(size - i)
            pool[i], pool[j] = pool[j], pool[i]
        return tuple(pool[:count])

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Put all items in a uniform order (Fisher and Yates)."""
        return self.sample(items, len(items))


def commitment(match_id: str, seed: bytes) -> str:
    """Publish this before the game: 64 hex digits that fix the seed without telling it."""
    return hashlib.sha256(b"captains-table/seed/1\n" + match_id.encode() + b"\n" + seed).hexdigest()


def proves(match_id: str, seed: bytes, published: str) -> bool:
    """Whether ``seed`` is the one that was committed to."""
    return hmac.compare_digest(commitment(match_id, seed), published.lower())
