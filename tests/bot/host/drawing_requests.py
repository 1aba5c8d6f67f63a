"""What tests ask of the drawing queue, and what stands for a process."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import DrawingQueue, drawing_settings
from bot.store.rows import TableRow
from tests.bot.e2e.observe import wait_until
from tests.trials import WAIT_TIMEOUT

ANSWER, BOARD, HAND, REPLAY = DrawingPriority


async def draw(
    queue: DrawingQueue,
    row: TableRow,
    work: Callable[[], Any],
    priority: DrawingPriority = ANSWER,
    is_wanted: Callable[[], bool] | None = None,
) -> Any:
    """Draw with a priority, and only while wanted."""
    with drawing_settings(priority, is_wanted):
        return await queue.draw(row, work)


@asynccontextmanager
async def picture_under_way(queue: DrawingQueue, row: TableRow) -> AsyncIterator[threading.Event]:
    """Surround a test by a picture that is being drawn until the event yielded is set."""
    begun, may_finish = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert may_finish.wait(WAIT_TIMEOUT)

    drawing = asyncio.create_task(draw(queue, row, work))
    try:
        await wait_until(lambda: begun.is_set() or None, awaited="the first picture")
        yield may_finish
    finally:
        may_finish.set()
        await drawing


class ThreadConnection:
    """Stands for the connection to a process: runs calls in a thread."""

    def __init__(self) -> None:
        self.is_running = True

    async def call(self, work: Callable[[], Any]) -> Any:
        """Run a call."""
        return await asyncio.to_thread(work)
