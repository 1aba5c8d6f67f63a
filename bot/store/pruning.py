"""Deletes old rows: deliveries that do not wait any more, and interactions that were handled."""

import sqlite3
from typing import Final

from bot.store.rows import LIVE_STATUSES_IN_SQL, PruneProgress

_IS_LIVE: Final = f"(select status in ({LIVE_STATUSES_IN_SQL}) from matches where number = match)"  # noqa: S608 - fixed words

_PRUNING_CONDITIONS: Final = {
    # At a live table the board of the last record stays, which the inspection looks for: it has no text.
    ("outbox", "id"): (
        f"at < :before and state != 'waiting' and not ({_IS_LIVE} and kind = 'board'"  # noqa: S608 - as above
        " and ply = (select ply from matches where number = match))"
    ),
    # There the answer to the last move by a person stays, so that a repeat of that move is recognised.
    ("inbox", "interaction"): (
        f"at < :before and not ({_IS_LIVE} and ply >= coalesce((select ply from records"  # noqa: S608 - as above
        " where records.match = inbox.match and user is not null and actor >= 0 and action not glob 'cut *'"
        " order by records.ply desc limit 1), ply + 1))"
    ),
}
"""The condition under which rows may be deleted, by table and its id column."""


def prune(
    connection: sqlite3.Connection, before: int, progress: PruneProgress, limit: int
) -> PruneProgress | None:
    """Look at the next ``limit`` rows of each SQL table, and delete what is old and not needed any more.

    ``before``: the time before which a row is old, in seconds since 1970.
    Return where to go on; None after the last rows.
    """
    last_ids: list[int] = []
    has_more = False
    after_ids = (progress.outbox_id, progress.inbox_id)
    for ((sql_table, id_column), condition), after_id in zip(
        _PRUNING_CONDITIONS.items(), after_ids, strict=True
    ):
        row_count, last_id = connection.execute(
            f"select count(*), max({id_column}) from"  # noqa: S608 - fixed names
            f" (select {id_column} from {sql_table} where {id_column} > ? order by {id_column} limit ?)",
            (after_id, limit),
        ).fetchone()
        has_more = has_more or row_count == limit
        last_ids.append(last_id if row_count else after_id)
        connection.execute(
            f"delete from {sql_table}"  # noqa: S608 - fixed names
            f" where {id_column} > :after_id and {id_column} <= :last_id and {condition}",
            {"after_id": after_id, "last_id": last_ids[-1], "before": before},
        )
    return PruneProgress(*last_ids) if has_more else None
