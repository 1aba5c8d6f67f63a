"""Runs work of one game in a worker thread, limited in time.

Each game has at most one call in a thread, so that one that never ends keeps no more than one worker from the
other games.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.store.rows import TableRow

THREAD_TIMEOUT: Final = 60.0
"""Seconds after which a call in a thread, or waiting for a free thread, is given up."""
_TIMEOUT_PARTS: Final = 12
"""The timeout is waited for in so many parts: a process that was suspended loses only one of them."""

T = TypeVar("T")


class GameCallTimeout(GameFault):
    """A call of a game has taken too long; its thread may never end."""


class WorkersBusy(Refusal):
    """No worker thread was free for a long time; nothing has begun."""

    def __init__(self) -> None:
        super().__init__("I am busy now. Nothing has changed. Please try again in a minute.")


_locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
"""By the seed of the game, which is unique: held during a call."""
_overdue: set[bytes] = set()
"""The games with a call that took too long and has not ended."""


async def run_in_thread(row: TableRow, work: Callable[[], T]) -> T:
    """Run work of a table's game in a thread.  Raises what it raises, GameCallTimeout, WorkersBusy.

    The hang watchdog ends a process whose thread never ends; the game is to be frozen by then, so that it
    does not hang the next process.
    """
    lock = _locks.setdefault(row.seed, asyncio.Lock())
    async with lock:
        if row.seed in _overdue:
            raise GameCallTimeout(row.number)
        return await _run_limited(row, work)


async def _run_limited(row: TableRow, work: Callable[[], T]) -> T:
    has_begun = False

    def run() -> T:
        nonlocal has_begun
        has_begun = True  # the loop looks when it gives up: waking it costs more
        return work()

    call = asyncio.get_running_loop().run_in_executor(None, run)
    parts_waited = parts_run = 0
    while parts_waited < _TIMEOUT_PARTS and parts_run < _TIMEOUT_PARTS:
        was_running = has_begun
        done, _ = await asyncio.wait((call,), timeout=THREAD_TIMEOUT / _TIMEOUT_PARTS)
        if done:
            return call.result()
        if was_running:
            parts_run += 1
        elif not has_begun:
            parts_waited += 1
    if not parts_run:
        call.cancel()
        raise WorkersBusy
    _overdue.add(row.seed)
    call.add_done_callback(lambda ended: _on_overdue_end(row.seed, ended))
    raise GameCallTimeout(row.number)


def _on_overdue_end(seed: bytes, ended: "asyncio.Future[Any]") -> None:
    _overdue.discard(seed)
    if not ended.cancelled():
        ended.exception()  # marks it as retrieved: nobody waits for it any more
