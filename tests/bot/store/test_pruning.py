"""Which old rows are deleted: not what waits, nor what a live table needs of its last move."""

from typing import Final

import pytest
from msgspec.structs import replace

from bot.store.delivery_rows import DeliveryKind, NewDelivery, PostedMessage, ReplacedMessage, Slot
from bot.store.rows import LIVE_STATUSES, PruneProgress, Status
from bot.store.sqlite import SqliteStore
from tests.bot.store.sample_rows import LOBBY_ROW, execute_sql, make_change, opening_change

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


LAST_PLY: Final = len(RECORDS)


async def _prune_all(store: SqliteStore, batch_size: int = 1000) -> None:
    progress: PruneProgress | None = PruneProgress()
    for _ in range(1 + 2 * LAST_PLY * len(STATES)):
        if progress is not None:
            progress = await store.prune(BEFORE, progress, batch_size)
    assert progress is None


@pytest.mark.parametrize("batch_size", [2, 1000])
@pytest.mark.parametrize("status", Status)
async def test_exactly_the_old_rows_that_nobody_needs_are_deleted(
    store: SqliteStore, status: Status, batch_size: int
) -> None:
    """Young rows and what waits stay; at live tables the last board and the answer to the last move, too."""
    await store.commit(opening_change(1, status=status, ply=LAST_PLY))
    await store.commit(opening_change(2))  # nobody has moved
    for ply, actor, action, user, at in RECORDS:
        await execute_sql(
            store, "insert into records values (1, ?, ?, ?, 0, ?, ?)", ply, actor, action, user, at
        )
    rows = [
        (ply, kind, state, at)
        for ply in (LAST_PLY - 1, LAST_PLY)
        for kind in ("notice", "board")
        for state in STATES
        for at in (BEFORE - 1, BEFORE)
    ]
    for row in rows:
        sql = "insert into outbox (match, ply, kind, text, state, at) values (1, ?, ?, '', ?, ?)"
        await execute_sql(store, sql, *row)
    plies = range(LAST_PLY + 1)
    for ply in plies:
        for interaction, at in ((10 + ply, BEFORE - 1), (20 + ply, BEFORE)):
            await execute_sql(store, "insert into inbox values (?, 1, ?, '', ?)", interaction, ply, at)
    await execute_sql(store, "insert into inbox values (30, 2, 0, '', ?)", BEFORE - 1)
    await _prune_all(store, batch_size)
    is_live = status in LIVE_STATUSES
    assert await execute_sql(store, "select ply, kind, state, at from outbox order by id") == [
        (ply, kind, state, at)
        for ply, kind, state, at in rows
        if at == BEFORE or state == "waiting" or (is_live and (ply, kind) == (LAST_PLY, "board"))
    ]
    assert await execute_sql(store, "select interaction from inbox order by interaction") == [
        (each,) for each in (*((12, 13, 14, 15) if is_live else ()), *(20 + ply for ply in plies))
    ]


async def test_nothing_that_was_sent_names_anybody_of_an_old_closed_lobby(store: SqliteStore) -> None:
    """Ids and texts of messages go with their age, that of a later removal of their buttons included."""
    invitation = Slot(DeliveryKind.INVITATION, subject_id=987654)
    opened = opening_change(1, NewDelivery(invitation, "Gita has declined."))
    await store.commit(make_change(opened.row, deliveries=opened.deliveries, at=BEFORE - 2))
    (delivery,) = await store.waiting_deliveries(1)
    posted, older = [PostedMessage(invitation, 50, message, 0, 1.0) for message in (91, 90)]
    await store.mark_delivered(delivery, 0, posted, ReplacedMessage(older, "Gita has declined."))
    closed_row = replace(LOBBY_ROW, version=2, status=Status.CLOSED, expires_at=None)
    closing_notice = NewDelivery(Slot(DeliveryKind.NOTICE), "Ava closed the lobby.")
    await store.commit(make_change(closed_row, deliveries=(closing_notice,), at=BEFORE - 1))
    for waiting in await store.waiting_deliveries(1):
        await store.mark_delivered(waiting, 0, None)
    assert await execute_sql(store, "select count(*) from outbox") == [(3,)]
    await _prune_all(store)
    assert await execute_sql(store, "select * from outbox") == []
