"""The seeded streams that chance draws from, and the fairness code of a seed.

Each outcome of chance draws from a stream of its own (``RandomStream``).  A stream is the keyed hash BLAKE2b
(RFC 7693) in counter mode; each block of it, 64 bytes, is::

    BLAKE2b(key=key, person=b"captains-table/2", digest_size=64,
            message=length(kind) kind seat number block)

``key`` has 32 bytes: the seed, or what cuts and reseals have made of it (``rules.deal_key``).  ``kind`` is
the verb of the outcome in ASCII, its length before it in one byte.  ``seat`` is the seat that the outcome is
for, one byte, 255 for none.  ``number`` counts the earlier outcomes of this kind for this seat in the
history, ``block`` the blocks before this one.  Both have eight bytes; all numbers, the words drawn
from the blocks (eight bytes each) included, are big-endian.

So no draw changes when records are undone and played again, or when one more small choice is made.  An
outcome that was undone reveals nothing about an outcome of another kind or for another seat.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_DOMAIN: Final = b"captains-table/2"
_NO_SEAT: Final = 255
_WORD_BYTES: Final = 8
_WORD_RANGE: Final = 1 << 64


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw from a stream: the items it was made from, and what was drawn."""

    items: Sequence[Any]
    drawn: tuple[Any, ...]
    is_ordered: bool
    """Whether the order of what was drawn matters; else it stands in the order of the items."""


class RandomStream:
    """Uniform draws for one outcome of chance (see the module)."""

    __slots__ = ("_block", "_key", "_number", "_prefix", "_words", "draws")

    def __init__(self, key: bytes, number: int = 0, *, kind: str = "", seat: int | None = None) -> None:
        """Key the stream of the outcome before which ``number`` others of its kind and seat came.

        Without a kind it belongs to no outcome, as for samples and computer players.
        """
        verb = kind.encode("ascii")
        seat_number = _NO_SEAT if seat is None else seat
        self._key = key
        self._number = number
        self._prefix = bytes((len(verb),)) + verb + bytes((seat_number,)) + number.to_bytes(8, "big")
        self._block = 0
        self._words: list[int] = []
        self.draws: list[Draw] = []
        """The draws so far, in order."""

    def __repr__(self) -> str:
        """Show the number, never the key."""
        return f"RandomStream(number={self._number})"

    def _next_word(self) -> int:
        if not self._words:
            message = self._prefix + self._block.to_bytes(8, "big")
            digest = hashlib.blake2b(message, key=self._key, person=_DOMAIN).digest()
            self._block += 1
            self._words = [
                int.from_bytes(digest[i : i + _WORD_BYTES], "big") for i in range(0, len(digest), _WORD_BYTES)
            ]
            self._words.reverse()
        return self._words.pop()

    def _randbelow(self, bound: int) -> int:
        if bound < 1:
            raise ValueError("bound must be at least 1")
        limit = _WORD_RANGE - _WORD_RANGE % bound
        word = self._next_word()
        while word >= limit:
            word = self._next_word()
        return word % bound

    def _draw_indexes(self, size: int, count: int) -> list[int]:
        """Draw ``count`` different indexes below ``size``, in the order drawn (Fisher and Yates)."""
        indexes = list(range(size))
        for i in range(count):
            j = i + self._randbelow(size - i)
            indexes[i], indexes[j] = indexes[j], indexes[i]
        return indexes[:count]

    def randbelow(self, bound: int) -> int:
        """Draw a uniform integer in ``range(bound)``, as ``secrets.randbelow``; rejection keeps it exact.

        Raises ValueError if the range is empty.
        """
        number = self._randbelow(bound)
        self.draws.append(Draw(range(bound), (number,), is_ordered=False))
        return number

    def choose(self, items: Sequence[T]) -> T:
        """Draw one item.  Raises ValueError if there is none."""
        item = items[self._randbelow(len(items))]
        self.draws.append(Draw(items, (item,), is_ordered=False))
        return item

    def choose_best(self, items: Sequence[T], values: Sequence[float]) -> T:
        """Draw one of the items of the highest value.  Raises ValueError if there is none."""
        best = max(values)
        return self.choose([item for item, value in zip(items, values, strict=True) if value == best])

    def sample_unordered(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Draw ``count`` different items, in the order in which they stand in ``items``.

        Raises ValueError if there are fewer.
        """
        drawn = tuple([items[i] for i in sorted(self._draw_indexes(len(items), count))])
        self.draws.append(Draw(items, drawn, is_ordered=False))
        return drawn

    def sample_ordered(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Draw ``count`` different items, in the order drawn.  Raises ValueError if there are fewer."""
        drawn = tuple([items[i] for i in self._draw_indexes(len(items), count)])
        self.draws.append(Draw(items, drawn, is_ordered=True))
        return drawn

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return all items in a uniformly drawn order."""
        return self.sample_ordered(items, len(items))


SHORT_CODE_LENGTH: Final = 32
"""Digits that are enough for a fairness code: to find two seeds whose codes share them takes 2**64 tries."""


def make_fairness_code(match_id: str, seed: bytes) -> str:
    """Return 64 hex digits to publish before a deal, which fix the seed without revealing it.

    ``seed``: of a reseal, the key after it (``rules.deal_key``).
    """
    return hashlib.sha256(b"captains-table/seed/1\n" + match_id.encode() + b"\n" + seed).hexdigest()


def fits_fairness_code(match_id: str, seed: bytes, published_code: str) -> bool:
    """Whether a published fairness code is the one of this match and seed."""
    return hmac.compare_digest(make_fairness_code(match_id, seed).encode(), published_code.lower().encode())
