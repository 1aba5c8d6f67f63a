"""Runs work of a game, in a worker thread and limited in time if it may take long.

Each game has at most one call in a thread, so a game whose call never ends holds no more than one worker.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from bot.host.game_guard import GameFault, GameGuard
from bot.host.request import Refusal
from bot.host.table import Table
from bot.store.rows import TableRow

LONG_GAME_RECORDS: Final = 100
"""From this many records on, work that may replay a game runs in a thread; less takes milliseconds."""
MAX_REPLAY_ON_LOOP: Final = 40
"""The most records that a narration plays again on the event loop: some milliseconds."""
WORKER_TIMEOUT: Final = 60.0
"""Seconds after which a call in a thread, or the wait for a free thread, is given up."""
_TIMEOUT_PARTS: Final = 12
"""The timeout is waited in this many parts: while a process is suspended, at most one of them passes."""

T = TypeVar("T")


class GameCallTimeout(GameFault):
    """A call of a game has taken too long; its thread may never end."""


class WorkersBusy(Refusal):
    """No worker thread was free for a long time; nothing has begun."""

    def __init__(self) -> None:
        super().__init__("I am busy now. Nothing has changed. Please try again in a minute.")


_locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
"""Each game's lock, which is held during a call; by the game's seed, which is unique."""
_overdue_seeds: set[bytes] = set()
"""The seeds of games with a call that took too long and has not ended."""


async def run_game_work(table: Table, work: Callable[[], T], *, in_worker: bool = False) -> T:
    """Run work that may replay a game, in a thread if the game has many records, undone ones included.

    ``in_worker``: in a worker thread also if the game is short.
    Raises GameFault if the game fails or takes too long, WorkersBusy.
    """
    with GameGuard(table.number):
        if table.match is None or (table.match.ply < LONG_GAME_RECORDS and not in_worker):
            return work()
        return await run_in_worker(table.row, work)


async def run_narration(table: Table, work: Callable[[], T], first: int) -> T:
    """Run work that narrates the history from index ``first`` on, in a thread if much has to be replayed.

    Raises GameFault if the game fails or takes too long, WorkersBusy.
    """
    with GameGuard(table.number):
        if table.match is None or table.match.replayed_record_count(first) <= MAX_REPLAY_ON_LOOP:
            return work()
        return await run_in_worker(table.row, work)


async def run_in_worker(row: TableRow, work: Callable[[], T]) -> T:
    """Run work of a table's game in a thread.  Raises what it raises, GameCallTimeout, WorkersBusy.

    The hang watchdog ends a process whose thread never ends; the game is to be frozen by then, so that it
    does not hang the next process.
    """
    lock = _locks.setdefault(row.seed, asyncio.Lock())
    async with lock:
        if row.seed in _overdue_seeds:
            raise GameCallTimeout(row.number)
        return await _run_with_timeout(row, work)


async def _run_with_timeout(row: TableRow, work: Callable[[], T]) -> T:
    """Run work in a worker thread.  Raises GameCallTimeout, WorkersBusy, and what the work raises."""
    has_begun = False

    def run() -> T:
        nonlocal has_begun
        has_begun = True  # read by the loop after each part: a signal to it would cost more
        return work()

    call = asyncio.get_running_loop().run_in_executor(None, run)
    parts_queued = parts_run = 0
    while parts_queued < _TIMEOUT_PARTS and parts_run < _TIMEOUT_PARTS:
        was_running = has_begun
        done, _ = await asyncio.wait((call,), timeout=WORKER_TIMEOUT / _TIMEOUT_PARTS)
        if done:
            return call.result()
        if was_running:
            parts_run += 1
        elif not has_begun:
            parts_queued += 1
    if not parts_run:
        call.cancel()
        raise WorkersBusy
    _overdue_seeds.add(row.seed)
    call.add_done_callback(lambda ended_call: _on_overdue_end(row.seed, ended_call))
    raise GameCallTimeout(row.number)


def _on_overdue_end(seed: bytes, ended_call: "asyncio.Future[Any]") -> None:
    _overdue_seeds.discard(seed)
    if not ended_call.cancelled():
        ended_call.exception()  # marks it as retrieved: nobody waits for it any more
