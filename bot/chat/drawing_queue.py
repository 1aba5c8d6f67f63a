"""Draws one picture at a time: the one that is due first, and nothing that is not wanted any more.

A private page is due almost at once, a board a little later and a hand last, so nothing waits for ever.  Two
threads that draw at once take turns at the interpreter's lock, so both end late.
"""

import asyncio
import enum
import heapq
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

import msgspec

from bot.host.game_threads import run_in_thread
from bot.store.rows import TableRow

SLOW_PICTURE: Final = 0.25
"""Seconds after which a picture does not hold up the next one any more."""
_PAGES_WATCHED: Final = 512
"""Private pages for which it is known what was asked for last."""

T = TypeVar("T")


class DrawingPriority(enum.IntEnum):
    """What a picture is for."""

    ANSWER = 0
    """The response to an interaction."""
    BOARD = 1
    """What is posted for everyone."""
    HAND = 2


_PATIENCE: Final[Mapping[DrawingPriority, float]] = {
    DrawingPriority.ANSWER: 0.05,
    DrawingPriority.BOARD: 0.15,
    DrawingPriority.HAND: 2.0,
}
"""Seconds until a picture is due: of two that wait the one that is due first is drawn first."""


class NotWanted(Exception):
    """A picture was dropped before it was drawn: something newer takes its place."""


class _Terms(msgspec.Struct, frozen=True):
    priority: DrawingPriority = DrawingPriority.ANSWER
    is_wanted: Callable[[], bool] = lambda: True


_ANSWER: Final = _Terms()
_terms: ContextVar[_Terms] = ContextVar("drawing terms", default=_ANSWER)


@contextmanager
def drawing_for(priority: DrawingPriority, is_wanted: Callable[[], bool] | None = None) -> Iterator[None]:
    """Draw pictures with a priority, and only while they are wanted; else drawing raises NotWanted."""
    outer = _terms.get()
    token = _terms.set(_Terms(priority, is_wanted or outer.is_wanted))
    try:
        yield
    finally:
        _terms.reset(token)


class DrawingQueue:
    """The pictures that wait to be drawn."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        """A heap by the time at which each is due.  A future is done when it is the turn of its picture."""
        self._numbers = itertools.count()
        self._drawn: asyncio.Future[None] | None = None
        """The picture that is being drawn, unless it is slow."""

    async def draw(self, row: TableRow, work: Callable[[], T]) -> T:
        """Run work that draws a picture.  Raises NotWanted and what the work and ``run_in_thread`` raise."""
        loop, terms = asyncio.get_running_loop(), _terms.get()
        turn: asyncio.Future[None] = loop.create_future()
        due = loop.time() + _PATIENCE[terms.priority]
        heapq.heappush(self._waiting, (due, next(self._numbers), turn))
        self._begin_next()
        try:
            await turn
            if not terms.is_wanted():
                raise NotWanted
            slow = loop.call_later(SLOW_PICTURE, self._end, turn)
            try:
                return await run_in_thread(row, work)
            finally:
                slow.cancel()
        finally:
            self._end(turn)

    def _begin_next(self) -> None:
        while self._drawn is None and self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.cancelled():
                self._drawn = turn
                turn.set_result(None)

    def _end(self, turn: "asyncio.Future[None]") -> None:
        if self._drawn is turn:
            self._drawn = None
            self._begin_next()


class NewestShown:
    """What each private page is to show last, for the pages that were used last."""

    def __init__(self) -> None:
        self._newest: OrderedDict[int, object] = OrderedDict()

    def begin(self, page: int) -> Callable[[], bool]:
        """Begin to show something on a page; return whether nothing has begun there since."""
        shown = object()
        self._newest[page] = shown
        self._newest.move_to_end(page)
        if len(self._newest) > _PAGES_WATCHED:
            self._newest.popitem(last=False)
        return lambda: self._newest.get(page, shown) is shown


newest_shown: Final = NewestShown()

_queues: WeakKeyDictionary[asyncio.AbstractEventLoop, DrawingQueue] = WeakKeyDictionary()


def running_queue() -> DrawingQueue:
    """Return the queue of the running loop."""
    loop = asyncio.get_running_loop()
    queue = _queues.get(loop)
    if queue is None:
        queue = _queues[loop] = DrawingQueue()
    return queue


async def draw_in_turn(row: TableRow, work: Callable[[], T]) -> T:
    """Run work that draws a picture in the running loop's queue.  Raises what ``DrawingQueue.draw`` does."""
    return await running_queue().draw(row, work)
