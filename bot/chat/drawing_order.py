"""The order in which pictures are drawn: answers first, but the others must not fall far behind.

Among the others, the picture that is due first comes first.  Once it has been overdue for as long as the
oldest answer has waited, and for at least ``MIN_OVERDUE``, it is drawn before the answers that wait, unless
the picture drawn last was no answer either.  So under overload answers and other pictures alternate.
"""

import enum
import heapq
import itertools
from collections.abc import Mapping
from typing import Final, Generic, TypeVar

import msgspec

T = TypeVar("T")


class DrawingPriority(enum.IntEnum):
    """What a picture is for."""

    ANSWER = 0
    """The response to an interaction."""
    BOARD = 1
    """What is posted for everyone."""
    HAND = 2
    """A player's hand in a direct message."""
    REPLAY = 3
    """One board of an animated picture of a whole game."""


SECONDS_UNTIL_DUE: Final[Mapping[DrawingPriority, float]] = {
    DrawingPriority.ANSWER: 0.0,
    DrawingPriority.BOARD: 0.15,
    DrawingPriority.HAND: 0.8,
    DrawingPriority.REPLAY: 2.0,
}
"""Seconds until a picture is due."""
MIN_OVERDUE: Final = 0.1
"""Seconds by which a picture that is no answer must be overdue to be drawn before a waiting answer."""


class _WaitingPicture(msgspec.Struct, Generic[T], frozen=True, order=True):
    """A picture that waits; sorts by when it is due."""

    due: float
    arrival_number: int
    """In the order of requests; unique, so that items are never compared."""
    item: T


class DrawingOrder(Generic[T]):
    """A priority queue of the pictures that wait to be drawn."""

    def __init__(self) -> None:
        self._answers: list[_WaitingPicture[T]] = []  # a heap
        self._others: list[_WaitingPicture[T]] = []  # a heap
        self._arrival_numbers = itertools.count()
        self._answer_was_last = False

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._answers) + len(self._others)

    def add(self, priority: DrawingPriority, wanted_since: float, item: T) -> None:
        """Add a picture; ``wanted_since``: seconds on the same clock as the ``now`` of ``pop``."""
        heap = self._answers if priority is DrawingPriority.ANSWER else self._others
        due = wanted_since + SECONDS_UNTIL_DUE[priority]
        heapq.heappush(heap, _WaitingPicture(due, next(self._arrival_numbers), item))

    def pop(self, now: float) -> T:
        """Remove and return the item that is drawn next.  Raises IndexError if none waits."""
        is_answer_next = bool(self._answers) and not self._is_other_next(now)
        self._answer_was_last = is_answer_next
        return heapq.heappop(self._answers if is_answer_next else self._others).item

    def _is_other_next(self, now: float) -> bool:
        """Whether a picture that is no answer comes before the answers that wait."""
        if not self._answer_was_last or not self._others:
            return False
        return now - self._others[0].due >= max(MIN_OVERDUE, now - self._answers[0].due)
