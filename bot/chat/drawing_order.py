"""In which order pictures are drawn: answers first, and the others so that they do not fall far behind.

Of the others the one that is due first comes first.  Once it has been overdue for as long as the oldest
answer has waited, it comes after the next answer.  So where more is asked for than can be drawn, all are late
alike.
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
    REPLAY = 3
    """One board of a whole game."""


SECONDS_UNTIL_DUE: Final[Mapping[DrawingPriority, float]] = {
    DrawingPriority.ANSWER: 0.0,
    DrawingPriority.BOARD: 0.15,
    DrawingPriority.HAND: 0.8,
    DrawingPriority.REPLAY: 2.0,
}
"""Seconds until a picture is due."""
MIN_OVERDUE: Final = 0.1
"""Seconds by which a picture that is no answer must be overdue to come before one."""


class _Waiting(msgspec.Struct, Generic[T], frozen=True, order=True):
    """What waits, in the order of its heap."""

    due: float
    number: int
    item: T


class DrawingOrder(Generic[T]):
    """What waits to be drawn."""

    def __init__(self) -> None:
        self._answers: list[_Waiting[T]] = []
        self._others: list[_Waiting[T]] = []
        """Two heaps."""
        self._numbers = itertools.count()
        self._answer_was_last = False

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._answers) + len(self._others)

    def add(self, priority: DrawingPriority, since: float, item: T) -> None:
        """Add a picture that has been wanted since a time in seconds."""
        heap = self._answers if priority is DrawingPriority.ANSWER else self._others
        heapq.heappush(heap, _Waiting(since + SECONDS_UNTIL_DUE[priority], next(self._numbers), item))

    def pop(self, now: float) -> T:
        """Remove and return what is drawn next.  Raises IndexError if nothing waits."""
        self._answer_was_last = bool(self._answers) and not self._is_turn_of_others(now)
        return heapq.heappop(self._answers if self._answer_was_last else self._others).item

    def _is_turn_of_others(self, now: float) -> bool:
        """Whether another picture comes before the answers that wait."""
        if not self._answer_was_last or not self._others:
            return False
        return now - self._others[0].due >= max(MIN_OVERDUE, now - self._answers[0].due)
