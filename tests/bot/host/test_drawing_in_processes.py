"""A queue with a drawing process: what it draws, and what follows when the process ends."""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from bot import drawing_connection as drawing_connection_module
from bot.chat.drawing_queue import DrawingQueue, DrawingQueues
from bot.drawing_connection import DrawingConnection, DrawingProcessCrashed
from bot.host import game_workers
from bot.host.game_guard import GameFault
from bot.host.game_workers import GameCallTimeout, run_in_worker
from bot.store.rows import TableRow
from tests.bot.drawing_connections import open_drawing_connections
from tests.bot.host.drawing_requests import draw
from tests.trials import WAIT_TIMEOUT

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the bot draws"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


def find_drawer() -> tuple[int, bool]:
    """Return the process that runs this, and whether its main thread does."""
    return os.getpid(), threading.current_thread() is threading.main_thread()


async def kill(connection: DrawingConnection) -> None:
    """Kill the process, as the system does when memory runs out."""
    os.kill(await connection.call(os.getpid), signal.SIGKILL)


async def test_a_killed_process_loses_no_picture(
    drawing_connection: DrawingConnection, table_rows: list[TableRow]
) -> None:
    """Those of games and others are drawn in threads of the bot."""
    queue = DrawingQueue(drawing_connection)
    pid, _ = await draw(queue, table_rows[0], find_drawer)
    assert pid != os.getpid()
    await kill(drawing_connection)
    assert await draw(queue, table_rows[0], find_drawer) == (os.getpid(), False)
    assert await queue.draw_without_game(find_drawer) == (os.getpid(), False)
    assert not queue.is_process_running


async def test_a_crash_is_a_fault_of_the_game(
    drawing_connection: DrawingConnection, table_rows: list[TableRow]
) -> None:
    """Its picture would break the bot too; later pictures are drawn."""
    queue = DrawingQueue(drawing_connection)
    with pytest.raises(GameFault) as raised:
        await draw(queue, table_rows[0], partial(os._exit, 3))
    assert isinstance(raised.value.__cause__, DrawingProcessCrashed)
    assert raised.value.table_number == table_rows[0].number
    assert await draw(queue, table_rows[1], find_drawer) == (os.getpid(), False)


async def test_a_picture_does_not_wait_for_a_thread_of_its_game(
    drawing_connection: DrawingConnection, table_rows: list[TableRow]
) -> None:
    """Only a thread draws after the game's other calls in threads."""
    queue, may_finish = DrawingQueue(drawing_connection), threading.Event()
    call = asyncio.create_task(run_in_worker(table_rows[0], partial(may_finish.wait, WAIT_TIMEOUT)))
    await asyncio.sleep(0)
    try:
        await asyncio.wait_for(draw(queue, table_rows[0], find_drawer), WAIT_TIMEOUT)
        await kill(drawing_connection)
        drawing = asyncio.create_task(draw(queue, table_rows[0], find_drawer))
        await asyncio.sleep(0.1)
        assert not drawing.done()
    finally:
        may_finish.set()
        await call
    assert await drawing == (os.getpid(), False)


async def test_no_thread_draws_for_an_endless_game(
    drawing_connection: DrawingConnection, table_rows: list[TableRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the process has ended, its picture might take a second thread for ever."""
    queue = DrawingQueue(drawing_connection)
    monkeypatch.setattr(game_workers, "_overdue_seeds", {table_rows[0].seed})
    await kill(drawing_connection)
    with pytest.raises(GameCallTimeout):
        await draw(queue, table_rows[0], find_drawer)


async def test_a_game_whose_picture_hangs_ends_one_process(
    table_rows: list[TableRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its other pictures are drawn in threads, which its hanging one holds up; those of others are not."""
    monkeypatch.setattr(drawing_connection_module, "CHECK_SECONDS", 0.05)
    monkeypatch.setattr(game_workers, "WORKER_TIMEOUT", 0.5)
    hang = partial(time.sleep, 1.5)
    async with open_drawing_connections() as connections:
        queues = DrawingQueues()
        queues.use_processes(connections)

        async def draw_in_table_queue(row: TableRow, work: Callable[[], Any]) -> Any:
            return await queues.of_table(row).draw(row, work)

        pictures = [asyncio.create_task(draw_in_table_queue(table_rows[0], hang)) for _ in range(2)]
        await asyncio.wait(pictures[:1])
        pictures.append(asyncio.create_task(draw_in_table_queue(table_rows[0], hang)))
        for picture in pictures:
            with pytest.raises(GameCallTimeout):
                await picture
        pid, _ = await draw_in_table_queue(table_rows[1], find_drawer)
        assert pid != os.getpid()
        assert [connection.is_running for connection in connections].count(True) == 1
