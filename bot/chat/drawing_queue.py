"""Draws one picture at a time, answers first, and nothing that is not wanted any more.

Of the others the one that is due first is drawn first.  What has been overdue for long gets every third
picture, so that nothing waits for ever where more is asked for than can be drawn.  Two threads that draw at
once take turns at the interpreter's lock, so both end late.
"""

import asyncio
import enum
import heapq
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
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
    REPLAY = 3
    """One board of a whole game."""


_SECONDS_UNTIL_DUE: Final[Mapping[DrawingPriority, float]] = {
    DrawingPriority.BOARD: 0.15,
    DrawingPriority.HAND: 2.0,
    DrawingPriority.REPLAY: 2.0,
}
"""Seconds until a picture that is no answer is due."""
MAX_OVERDUE: Final = 2.0
"""Seconds by which a picture that is no answer may be overdue before answers let it pass."""
MAX_ANSWERS_IN_A_ROW: Final = 2
"""Answers that are drawn while another picture waits for so long, until it is that one's turn."""
_PLACES_KEPT: Final = 512
"""Tables whose dropped board leaves its place in the queue to the next one."""


class DrawingSuperseded(Exception):
    """A picture was dropped before it was drawn: something newer takes its place."""


class _DrawingSettings(msgspec.Struct, frozen=True):
    priority: DrawingPriority = DrawingPriority.ANSWER
    is_wanted: Callable[[], bool] = lambda: True
    since: float | None = None
    """When the message was begun (``monotonic``): its second picture does not queue behind others again."""


_ANSWER: Final = _DrawingSettings()
_settings: ContextVar[_DrawingSettings] = ContextVar("drawing settings", default=_ANSWER)


@contextmanager
def drawing_for(priority: DrawingPriority, is_wanted: Callable[[], bool] | None = None) -> Iterator[None]:
    """Draw pictures with a priority while they are wanted; after that drawing raises DrawingSuperseded."""
    outer = _settings.get()
    token = _settings.set(_DrawingSettings(priority, is_wanted or outer.is_wanted, monotonic()))
    try:
        yield
    finally:
        _settings.reset(token)


class _Waiting(msgspec.Struct, frozen=True, order=True):
    """A picture that waits, in the order of the queue."""

    due: float
    """By ``monotonic``."""
    number: int
    turn: "asyncio.Future[None]"
    """Done when it is the turn of the picture."""


class DrawingQueue:
    """The pictures that wait to be drawn."""

    def __init__(self) -> None:
        self._answers: list[_Waiting] = []
        self._others: list[_Waiting] = []
        """Two heaps."""
        self._numbers = itertools.count()
        self._answers_in_a_row = 0
        self._places: OrderedDict[tuple[bytes, DrawingPriority], float] = OrderedDict()
        """When the newest dropped picture of a game (by its seed) was due, until another one is asked for."""
        self._current: asyncio.Future[None] | None = None
        """The picture that is being drawn, unless it is slow."""
        self.replay_lock = asyncio.Lock()
        """Held while a replay is drawn: each takes megabytes of memory."""

    def __len__(self) -> int:
        """Return how many pictures wait, cancelled ones included."""
        return len(self._answers) + len(self._others)

    async def draw(self, row: TableRow, work: Callable[[], T]) -> T:
        """Draw a picture.  Raises DrawingSuperseded and what ``work`` and ``run_in_thread`` raise."""
        loop, settings = asyncio.get_running_loop(), _settings.get()
        place = row.seed, settings.priority
        since = monotonic() if settings.since is None else settings.since
        due = since + _SECONDS_UNTIL_DUE.get(settings.priority, 0.0)
        due = min(due, self._places.pop(place, due))
        waiting = _Waiting(due, next(self._numbers), loop.create_future())
        heapq.heappush(
            self._answers if settings.priority is DrawingPriority.ANSWER else self._others, waiting
        )
        self._begin_next()
        turn = waiting.turn
        try:
            await turn
            if not settings.is_wanted():
                if settings.priority is not DrawingPriority.ANSWER:
                    self._keep_place(place, due)
                raise DrawingSuperseded
            slow = loop.call_later(SLOW_PICTURE, self._end, turn)
            try:
                return await run_in_thread(row, work)
            finally:
                slow.cancel()
        finally:
            self._end(turn)

    def _keep_place(self, place: tuple[bytes, DrawingPriority], due: float) -> None:
        """Let what replaces a dropped picture be drawn when that was due: else a busy table never is."""
        self._places[place] = due
        if len(self._places) > _PLACES_KEPT:
            self._places.popitem(last=False)

    def _begin_next(self) -> None:
        while self._current is None and (self._answers or self._others):
            turn = self._pop().turn
            if not turn.cancelled():
                self._current = turn
                turn.set_result(None)

    def _pop(self) -> _Waiting:
        """Return what is drawn next: an answer, unless another picture has been overtaken often enough."""
        others_turn = (
            self._answers_in_a_row >= MAX_ANSWERS_IN_A_ROW
            and bool(self._others)
            and self._others[0].due + MAX_OVERDUE <= monotonic()
        )
        if self._answers and not others_turn:
            self._answers_in_a_row += 1
            return heapq.heappop(self._answers)
        self._answers_in_a_row = 0
        return heapq.heappop(self._others)

    def _end(self, turn: "asyncio.Future[None]") -> None:
        if self._current is turn:
            self._current = None
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
