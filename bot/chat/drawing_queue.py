"""Draws one picture at a time, the most urgent first, and skips those that are no longer wanted.

Pictures are drawn in the drawing processes, each with a queue of its own, or in threads where there are none.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from time import monotonic
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

import msgspec

from bot.chat.drawing_order import DrawingOrder, DrawingPriority
from bot.drawing_connection import DrawingConnection, DrawingProcessEnded
from bot.host.game_guard import GameGuard
from bot.host.game_workers import run_in_worker
from bot.store.rows import TableRow

SLOW_PICTURE_SECONDS: Final = 0.25
"""Seconds after which a picture that a thread draws no longer holds up the next one."""
_MAX_REMEMBERED_MESSAGES: Final = 512
"""The most private messages for which the newest drawing is remembered."""
_MAX_KEPT_PLACES: Final = 512
"""The most places of dropped pictures that are kept for the next picture of the same table."""

T = TypeVar("T")


class DrawingSuperseded(Exception):
    """A picture was dropped before it was drawn: something newer takes its place."""


class _DrawingSettings(msgspec.Struct, frozen=True):
    priority: DrawingPriority = DrawingPriority.ANSWER
    is_wanted: Callable[[], bool] = lambda: True
    message_begun_at: float | None = None
    """When the message was begun (``monotonic``): its second picture does not queue behind others again.

    None: each picture queues by itself.
    """


_ANSWER_SETTINGS: Final = _DrawingSettings()
_settings: ContextVar[_DrawingSettings] = ContextVar("drawing settings", default=_ANSWER_SETTINGS)


@contextmanager
def drawing_settings(
    priority: DrawingPriority, is_wanted: Callable[[], bool] | None = None
) -> Iterator[None]:
    """Draw the block's pictures with a priority; once they are unwanted, drawing raises DrawingSuperseded."""
    outer_settings = _settings.get()
    # each board of a replay queues by itself: else the later ones would pass everything that waits
    message_begun_at = None if priority is DrawingPriority.REPLAY else monotonic()
    token = _settings.set(_DrawingSettings(priority, is_wanted or outer_settings.is_wanted, message_begun_at))
    try:
        yield
    finally:
        _settings.reset(token)


class DrawingQueue:
    """The pictures that wait to be drawn by one process, or by threads."""

    def __init__(self, connection: DrawingConnection | None = None) -> None:
        """``connection``: to the process that draws; None: threads do."""
        self._connection = connection
        self._waiting_permits: DrawingOrder[asyncio.Future[None]] = DrawingOrder()
        """One for each picture that waits; it is done when the picture may be drawn."""
        self._kept_places: OrderedDict[tuple[bytes, DrawingPriority], float] = OrderedDict()
        """By table (its seed) and priority: since when its newest dropped picture was wanted."""
        self._current_permit: asyncio.Future[None] | None = None
        """Of the picture that is being drawn, unless it is slow."""
        self.unfinished_seeds: set[bytes] = set()
        """The seeds of the tables whose pictures the process did not finish before it ended."""

    def __len__(self) -> int:
        """Return how many pictures wait, cancelled ones included."""
        return len(self._waiting_permits)

    @property
    def is_busy(self) -> bool:
        """Whether a picture that is not slow is being drawn."""
        return self._current_permit is not None

    @property
    def is_process_running(self) -> bool:
        """Whether it has a process, and that still runs."""
        return self._connection is not None and self._connection.is_running

    async def draw(self, row: TableRow, work: Callable[[], T]) -> T:
        """Draw a picture; ``work`` must be picklable where there is a process.

        Raises DrawingSuperseded, GameFault, and what ``run_in_worker`` raises.
        """
        settings = _settings.get()
        place_key = row.seed, settings.priority
        wanted_since = monotonic() if settings.message_begun_at is None else settings.message_begun_at
        wanted_since = min(wanted_since, self._kept_places.pop(place_key, wanted_since))
        async with self._drawing_permit(settings.priority, wanted_since):
            if not settings.is_wanted():
                if settings.priority is not DrawingPriority.ANSWER:
                    self._keep_place(place_key, wanted_since)
                raise DrawingSuperseded
            run_in_thread = self._finish_in_thread if self.is_process_running else run_in_worker
            with GameGuard(row.number):
                return await self._run(work, partial(run_in_thread, row))

    async def draw_without_game(self, work: Callable[[], T]) -> T:
        """Run work that draws but calls no game.  Raises what ``work`` raises, DrawingProcessCrashed."""
        async with self._drawing_permit(DrawingPriority.ANSWER, monotonic()):
            return await self._run(work, asyncio.to_thread)

    @asynccontextmanager
    async def _drawing_permit(self, priority: DrawingPriority, wanted_since: float) -> AsyncIterator[None]:
        """Wait until a picture may be drawn; at the end of the context the next one may."""
        permit = asyncio.get_running_loop().create_future()
        self._waiting_permits.add(priority, wanted_since, permit)
        self._grant_next_permit()
        try:
            await permit
            self._release_permit_when_slow(permit)
            yield
        finally:
            self._release_permit(permit)

    def _release_permit_when_slow(self, permit: "asyncio.Future[None]") -> None:
        """Start the next picture when this one takes long, unless the drawing process has it."""

        def release_or_look_again() -> None:
            if self._current_permit is permit:
                if self.is_process_running:
                    self._release_permit_when_slow(permit)
                else:
                    self._release_permit(permit)

        asyncio.get_running_loop().call_later(SLOW_PICTURE_SECONDS, release_or_look_again)

    async def _run(
        self, work: Callable[[], T], run_in_thread: Callable[[Callable[[], T]], Awaitable[T]]
    ) -> T:
        """Run work in the process, or in a thread if there is none or if it ends before the work is done."""
        if self._connection is not None:
            with suppress(DrawingProcessEnded):
                return await self._connection.call(work)
        return await run_in_thread(work)

    async def _finish_in_thread(self, row: TableRow, work: Callable[[], T]) -> T:
        """Run work of a game in a thread, after the process has ended during it."""
        self.unfinished_seeds.add(row.seed)
        return await run_in_worker(row, work)

    def _keep_place(self, place_key: tuple[bytes, DrawingPriority], wanted_since: float) -> None:
        """Keep a dropped picture's place for the next one: else a busy table might never be drawn."""
        self._kept_places[place_key] = wanted_since
        if len(self._kept_places) > _MAX_KEPT_PLACES:
            self._kept_places.popitem(last=False)

    def _grant_next_permit(self) -> None:
        while self._current_permit is None and self._waiting_permits:
            permit = self._waiting_permits.pop(monotonic())
            if not permit.cancelled():
                self._current_permit = permit
                permit.set_result(None)

    def _release_permit(self, permit: "asyncio.Future[None]") -> None:
        if self._current_permit is permit:
            self._current_permit = None
            self._grant_next_permit()


class NewestDrawings:
    """The newest drawing that was registered for each of the private messages used last."""

    def __init__(self) -> None:
        self._newest: OrderedDict[int, object] = OrderedDict()
        """By message: what its newest drawing registered."""

    def register(self, message_id: int) -> Callable[[], bool]:
        """Register a drawing for a message; return a predicate: whether none was registered for it since."""
        drawing = object()
        self._newest[message_id] = drawing
        self._newest.move_to_end(message_id)
        if len(self._newest) > _MAX_REMEMBERED_MESSAGES:
            self._newest.popitem(last=False)
        return lambda: self._newest.get(message_id, drawing) is drawing


newest_drawings: Final = NewestDrawings()


class DrawingQueues:
    """The queues of a loop.  A game's pictures are all drawn by one process, which keeps their parts."""

    def __init__(self) -> None:
        self._queues: tuple[DrawingQueue, ...] = (DrawingQueue(),)
        self._thread_queue = DrawingQueue()
        """For tables whose pictures may end a process: they would end all of them, one by one."""
        self._index_by_game_key: dict[str, int] = {}
        """In the order of the games' first pictures."""
        self.replay_lock = asyncio.Lock()
        """Held while a replay is drawn: each takes megabytes of memory."""

    def use_processes(self, connections: Sequence[DrawingConnection]) -> None:
        """Draw with the processes of these from now on, if there are any."""
        if connections:
            self._queues = tuple(DrawingQueue(connection) for connection in connections)

    def of_table(self, row: TableRow) -> DrawingQueue:
        """Return the queue in which pictures of a table wait."""
        is_unfinished = any(row.seed in queue.unfinished_seeds for queue in self._queues)
        return self._thread_queue if is_unfinished else self.of_game_key(row.game_key)

    def of_game_key(self, game_key: str) -> DrawingQueue:
        """Return the queue in which pictures of a game wait; new games get the queues in rotation."""
        index = self._index_by_game_key.setdefault(game_key, len(self._index_by_game_key))
        queues = self._usable_queues()
        return queues[index % len(queues)]

    async def draw_without_game(self, work: Callable[[], T]) -> T:
        """Run work that draws but calls no game.  Raises what ``work`` raises, DrawingProcessCrashed."""
        queue = min(self._usable_queues(), key=lambda each: len(each) + each.is_busy)
        return await queue.draw_without_game(work)

    def _usable_queues(self) -> Sequence[DrawingQueue]:
        """Return the queues whose process runs; all queues if none does."""
        return [queue for queue in self._queues if queue.is_process_running] or self._queues


_queues_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, DrawingQueues] = WeakKeyDictionary()


def current_drawing_queues() -> DrawingQueues:
    """Return the queues of the running loop."""
    loop = asyncio.get_running_loop()
    queues = _queues_by_loop.get(loop)
    if queues is None:
        queues = _queues_by_loop[loop] = DrawingQueues()
    return queues


async def draw_in_queue(row: TableRow, work: Callable[[], T]) -> T:
    """Run work that draws a picture in its table's queue.  Raises what ``DrawingQueue.draw`` does."""
    return await current_drawing_queues().of_table(row).draw(row, work)
