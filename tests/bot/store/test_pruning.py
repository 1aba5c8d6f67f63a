"""Which old rows are deleted: neither what waits, nor what tells a repeat of a table's last move."""

from typing import Final

import pytest

from bot.store.rows import PruneProgress
from bot.store.sqlite import SqliteStore
from tests.bot.store.sample_rows import execute_sql, opening_change

BEFORE: Final = 30
RECORDS: Final = (
    (1, 0, "lay 3", 100, 10),
    (2, 0, "lay 4", 100, 20),  # the last move of a person
    (3, 1, "lay 5", None, 30),
    (4, -1, "undo", 100, 40),
    (5, 0, "cut anchor river", 100, 50),
)
"""The ply, actor, action, user and time of each record."""
STATES: Final = ("sent", "superseded", "waiting", "failed")


@pytest.mark.parametrize("batch_size", [1, 2, 1000])
async def test_exactly_the_old_rows_that_nobody_needs_are_deleted(
    store: SqliteStore, batch_size: int
) -> None:
    """A delivery is needed until the next record is old, an answer from the last move of a person on."""
    await store.commit(opening_change(1))
    await store.commit(opening_change(2))  # nobody has moved
    for ply, actor, action, user, at in RECORDS:
        await execute_sql(
            store, "insert into records values (1, ?, ?, ?, 0, ?, ?)", ply, actor, action, user, at
        )
    plies = range(len(RECORDS) + 1)
    for ply in plies:
        for state in STATES:
            sql = "insert into outbox (match, ply, kind, text, state) values (1, ?, 'notice', '', ?)"
            await execute_sql(store, sql, ply, state)
        for interaction, at in ((10 + ply, BEFORE - 1), (20 + ply, BEFORE)):
            await execute_sql(store, "insert into inbox values (?, 1, ?, '', ?)", interaction, ply, at)
    await execute_sql(store, "insert into inbox values (30, 2, 0, '', ?)", BEFORE - 1)
    progress: PruneProgress | None = PruneProgress()
    for _ in range(1 + len(plies) * len(STATES)):
        if progress is not None:
            progress = await store.prune(BEFORE, progress, batch_size)
    assert progress is None
    assert await execute_sql(store, "select ply, state from outbox where match = 1 order by id") == [
        (ply, state) for ply in plies for state in STATES if ply > 1 or state in {"waiting", "failed"}
    ]
    assert await execute_sql(store, "select interaction from inbox order by interaction") == [
        (each,) for each in (12, 13, 14, 15, *(20 + ply for ply in plies))
    ]
