"""What tests of backups need: a filled store, a time, checks of a copy."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from bot.store.protocol import Divergence
from bot.store.rows import StoredTable
from bot.store.sqlite import SqliteStore
from tests.bot.store.sample_rows import (
    LOBBY_ROW,
    make_change,
    make_record,
    next_version,
    opening_change,
)

NOW = 1_790_000_000


def find_no_divergence(stored: StoredTable) -> Divergence | None:
    """Return that a table replays as it should."""
    return None


async def fill_store(store: SqliteStore, table_count: int = 3) -> None:
    """Store some live tables, each with two records."""
    for number in range(1, table_count + 1):
        await store.commit(opening_change(number))
        row = next_version(replace(LOBBY_ROW, number=number), ply=2)
        await store.commit(make_change(row, number, records=(make_record(1), make_record(2))))


def make_slow_check(begun: asyncio.Event) -> Callable[[sqlite3.Connection], Iterator[str]]:
    """Return a check of a copy, to run in a thread, that takes many seconds if nothing interrupts it."""
    loop = asyncio.get_running_loop()

    def check(connection: sqlite3.Connection) -> Iterator[str]:
        loop.call_soon_threadsafe(begun.set)
        connection.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000000)"
            " select max(i) from n"
        )
        yield ""

    return check
