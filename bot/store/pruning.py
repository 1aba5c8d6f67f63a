"""Deletes old rows: messages that were sent, and interactions that were handled."""

import sqlite3
from typing import Final

from bot.store.rows import PruneCursor

_OLD_ROWS: Final = {
    # its table has moved on since, and that is long ago: so no board of a last move is ever forgotten
    ("outbox", "id"): (
        "state in ('sent', 'superseded') and (select at from records"
        " where records.match = outbox.match and records.ply = outbox.ply + 1) < :before"
    ),
    # the answer to a person's last move is kept: a repeat of it is recognised
    ("inbox", "interaction"): (
        "at < :before and ply < coalesce((select ply from records where records.match = inbox.match"
        " and user is not null and actor >= 0 order by records.ply desc limit 1), 1)"
    ),
}
"""Which rows may be deleted, by table and the column that numbers its rows."""


def prune(connection: sqlite3.Connection, before: int, cursor: PruneCursor, limit: int) -> PruneCursor | None:
    """Look at the next ``limit`` rows of each table, and delete what is older than ``before``.

    Returns where to go on; None: that was the last of them.
    """
    ends: list[int] = []
    more = False
    for ((table, number), old), beyond in zip(_OLD_ROWS.items(), (cursor.outbox, cursor.inbox), strict=True):
        rows, end = connection.execute(
            f"select count(*), max({number}) from"  # noqa: S608 - fixed names
            f" (select {number} from {table} where {number} > ? order by {number} limit ?)",
            (beyond, limit),
        ).fetchone()
        more = more or rows == limit
        ends.append(end if rows else beyond)
        connection.execute(
            f"delete from {table} where {number} > :beyond and {number} <= :end and {old}",  # noqa: S608 - fixed names
            {"beyond": beyond, "end": ends[-1], "before": before},
        )
    return PruneCursor(*ends) if more else None
