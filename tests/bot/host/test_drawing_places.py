"""The places of pictures in the queue: who keeps theirs, and who may pass whom."""

import asyncio
import threading
from functools import partial
from typing import cast

import pytest

from bot.chat import drawing_queue
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import DrawingQueue, DrawingSuperseded, drawing_settings
from bot.drawing_connection import DrawingConnection
from bot.store.rows import TableRow
from tests.bot.host.drawing_requests import (
    ANSWER,
    BOARD,
    HAND,
    REPLAY,
    ThreadConnection,
    draw,
    picture_under_way,
)
from tests.trials import WAIT_TIMEOUT


@pytest.fixture(autouse=True)
def _no_picture_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep pictures from overtaking one that takes long, except where a test says so."""
    monkeypatch.setattr(drawing_queue, "SLOW_PICTURE_SECONDS", 60.0)


class _ManualQueueClock:
    """Seconds that the test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.now


@pytest.fixture
def queue_clock(monkeypatch: pytest.MonkeyPatch) -> _ManualQueueClock:
    """Return the clock of the queue."""
    clock = _ManualQueueClock()
    monkeypatch.setattr(drawing_queue, "monotonic", clock)
    return clock


class _QueuedPictures:
    """Pictures in a queue; drawing one only notes its title."""

    def __init__(self, queue: DrawingQueue) -> None:
        self.drawn_titles: list[str] = []
        self._queue = queue
        self._tasks: list[asyncio.Task[None]] = []

    async def queue_picture(self, title: str, row: TableRow, priority: DrawingPriority) -> None:
        """Queue a picture."""
        work = partial(self.drawn_titles.append, title)
        self._tasks.append(asyncio.create_task(draw(self._queue, row, work, priority)))
        await asyncio.sleep(0)

    async def queue_unwanted(self, row: TableRow, priority: DrawingPriority) -> None:
        """Queue a picture that nobody wants any more, and wait until the queue drops it."""
        with pytest.raises(DrawingSuperseded):
            await draw(self._queue, row, list, priority, lambda: False)

    async def finish(self) -> list[str]:
        """Wait until all are drawn; return their titles in order."""
        await asyncio.gather(*self._tasks)
        return self.drawn_titles


async def test_a_newer_board_is_drawn_in_the_place_of_the_dropped_one(table_rows: list[TableRow]) -> None:
    """Otherwise a table with many moves would begin at the end of the queue again and again."""
    queue, drawn = DrawingQueue(), list[str]()
    async with picture_under_way(queue, table_rows[0]) as may_finish:
        old_drawing = asyncio.create_task(
            draw(queue, table_rows[1], partial(drawn.append, "old"), BOARD, lambda: False)
        )
        await asyncio.sleep(0.01)
        other_drawing = asyncio.create_task(draw(queue, table_rows[2], partial(drawn.append, "other"), BOARD))

        async def replace_dropped() -> None:
            with pytest.raises(DrawingSuperseded):
                await old_drawing
            await draw(queue, table_rows[1], partial(drawn.append, "new"), BOARD)

        replacing = asyncio.create_task(replace_dropped())
        third_drawing = asyncio.create_task(draw(queue, table_rows[3], partial(drawn.append, "third"), BOARD))
        await asyncio.sleep(0.01)
        may_finish.set()
        await asyncio.gather(other_drawing, replacing, third_drawing)
    assert drawn == ["other", "new", "third"]  # the other one began before the new one was asked for


async def test_at_most_one_picture_comes_between_those_of_one_message(
    table_rows: list[TableRow],
) -> None:
    """A message that is begun is finished before later ones."""
    queue, drawn = DrawingQueue(), list[str]()

    async def draw_two() -> None:
        with drawing_settings(BOARD):
            await queue.draw(table_rows[1], partial(drawn.append, "first"))
            await queue.draw(table_rows[1], partial(drawn.append, "second"))

    async with picture_under_way(queue, table_rows[0]) as may_finish:
        message = asyncio.create_task(draw_two())
        await asyncio.sleep(0.01)
        later_drawings = [
            asyncio.create_task(draw(queue, row, partial(drawn.append, "later"), BOARD))
            for row in table_rows[2:5]
        ]
        await asyncio.sleep(0.01)
        may_finish.set()
        await asyncio.gather(message, *later_drawings)
    assert drawn[0] == "first"
    assert drawn.index("second") <= 2  # while the first one ends, one other may begin


async def test_a_dropped_picture_leaves_its_place_to_its_own_table(
    table_rows: list[TableRow], queue_clock: _ManualQueueClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the next of the same kind: neither to another table nor to a hand.  Only the newest are kept."""
    monkeypatch.setattr(drawing_queue, "_MAX_KEPT_PLACES", 1)
    queue = DrawingQueue()
    pictures = _QueuedPictures(queue)
    for row in (table_rows[4], table_rows[1]):
        await pictures.queue_unwanted(row, BOARD)
    async with picture_under_way(queue, table_rows[0]):
        queue_clock.now = 1.0
        await pictures.queue_picture("first", table_rows[2], BOARD)
        queue_clock.now = 2.0
        await pictures.queue_picture("other table", table_rows[3], BOARD)
        await pictures.queue_picture("forgotten", table_rows[4], BOARD)
        await pictures.queue_picture("hand", table_rows[1], HAND)
        await pictures.queue_picture("newer", table_rows[1], BOARD)
    assert await pictures.finish() == ["newer", "first", "other table", "forgotten", "hand"]


async def test_a_dropped_answer_leaves_its_place_to_nobody(
    table_rows: list[TableRow], queue_clock: _ManualQueueClock
) -> None:
    """The next answer at its table may be another player's."""
    queue = DrawingQueue()
    pictures = _QueuedPictures(queue)
    await pictures.queue_unwanted(table_rows[1], ANSWER)
    async with picture_under_way(queue, table_rows[0]):
        queue_clock.now = 1.0
        await pictures.queue_picture("first", table_rows[2], ANSWER)
        queue_clock.now = 2.0
        await pictures.queue_picture("later", table_rows[1], ANSWER)
    assert await pictures.finish() == ["first", "later"]


async def test_each_board_of_a_replay_queues_anew(
    table_rows: list[TableRow], queue_clock: _ManualQueueClock
) -> None:
    """However long ago the replay began: else all of its boards would come before those of other tables."""
    queue = DrawingQueue()
    pictures = _QueuedPictures(queue)
    with drawing_settings(REPLAY):
        queue_clock.now = 60.0
        async with picture_under_way(queue, table_rows[0]):
            replay = asyncio.create_task(
                queue.draw(table_rows[1], partial(pictures.drawn_titles.append, "replay"))
            )
            await asyncio.sleep(0)
            await pictures.queue_picture("board", table_rows[2], BOARD)
    await replay
    assert await pictures.finish() == ["board", "replay"]


async def test_a_picture_without_a_game_is_drawn_as_an_answer(table_rows: list[TableRow]) -> None:
    """A page of statistics does not wait for the boards of others."""
    queue = DrawingQueue()
    pictures = _QueuedPictures(queue)
    async with picture_under_way(queue, table_rows[0]):
        await pictures.queue_picture("board", table_rows[1], BOARD)
        statistics = asyncio.create_task(
            queue.draw_without_game(partial(pictures.drawn_titles.append, "statistics"))
        )
        await asyncio.sleep(0)
    await statistics
    assert await pictures.finish() == ["statistics", "board"]


async def test_a_slow_picture_that_ends_lets_no_second_one_begin(
    table_rows: list[TableRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that passed it is still being drawn."""
    queue, may_finish = DrawingQueue(), threading.Event()
    monkeypatch.setattr(drawing_queue, "SLOW_PICTURE_SECONDS", 0.0)
    slow = asyncio.create_task(draw(queue, table_rows[0], partial(may_finish.wait, 10)))
    await asyncio.sleep(0)
    monkeypatch.setattr(drawing_queue, "SLOW_PICTURE_SECONDS", 60.0)
    async with picture_under_way(queue, table_rows[1]):
        may_finish.set()
        await slow
        third = asyncio.create_task(draw(queue, table_rows[2], int))
        await asyncio.sleep(0)
        assert len(queue) == 1, "it has begun"
    await third


async def test_nothing_passes_a_slow_picture_of_a_process(
    table_rows: list[TableRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process draws one at a time: what waited there would lose its priority.  Threads do not."""
    connection = ThreadConnection()
    queue = DrawingQueue(cast("DrawingConnection", connection))
    monkeypatch.setattr(drawing_queue, "SLOW_PICTURE_SECONDS", 0.001)
    async with picture_under_way(queue, table_rows[0]):
        other_drawing = asyncio.create_task(draw(queue, table_rows[1], lambda: 7))
        await asyncio.sleep(0.02)
        assert len(queue) == 1
        connection.is_running = False
        assert await asyncio.wait_for(other_drawing, WAIT_TIMEOUT) == 7
