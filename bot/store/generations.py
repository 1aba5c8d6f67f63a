"""What restored backups call for: no number of a table and no nonce of a message is used twice.

Each restoration begins a generation.
"""

import sqlite3
from typing import Final

from bot.store.protocol import GENERATION_KEY, HIGHEST_LOST_NUMBER_KEY, MAX_METADATA_NUMBER
from bot.store.rows import TableVersion

_IDS_PER_GENERATION: Final = 1_000_000_000
"""More deliveries than a generation ever has."""


def next_table_number(connection: sqlite3.Connection) -> int:
    """Return one more than the highest number that a table has or had."""
    ((number,),) = connection.execute(
        "select 1 + max(coalesce((select max(number) from matches), 0), coalesce((select"
        " cast(value as integer) from settings where key = ? and cast(value as integer) <= ?), 0))",
        (HIGHEST_LOST_NUMBER_KEY, MAX_METADATA_NUMBER),
    )
    return int(number)


def table_versions(connection: sqlite3.Connection) -> dict[int, TableVersion]:
    """Return the version of each table."""
    rows = connection.execute("select number, generation, version from matches order by number")
    return {number: TableVersion(generation, version) for number, generation, version in rows}


def begin_generation(
    connection: sqlite3.Connection,
    generation: int,
    highest_lost_number: int,
    restored_tables: tuple[int, ...],
) -> None:
    """Begin a generation after a backup was restored.

    ``highest_lost_number``: the highest number of a table that the backup does not have; 0: it has all.
    ``restored_tables``: the tables that went back to an earlier state: boards and hands are posted anew.
    """
    metadata = (
        (GENERATION_KEY, str(generation)),
        *([(HIGHEST_LOST_NUMBER_KEY, str(highest_lost_number))] if highest_lost_number else ()),
    )
    connection.executemany("insert or replace into settings (key, value) values (?, ?)", metadata)
    # Ids of deliveries are nonces, and Discord drops a message whose nonce it has just seen.  So no
    # delivery may get an id that was used since the backup, even if it is restored a second time.
    values = {"first_id": generation * _IDS_PER_GENERATION, "ids": _IDS_PER_GENERATION}
    connection.execute(
        "update outbox set id = :first_id + id % :ids, pending_channel = null where state = 'waiting'", values
    )
    connection.execute(
        "update sqlite_sequence set seq = :first_id + seq % :ids where name = 'outbox'", values
    )
    connection.execute(
        "insert into sqlite_sequence (name, seq) select 'outbox', :first_id"
        " where not exists (select 1 from sqlite_sequence where name = 'outbox')",
        values,
    )
    connection.executemany(
        "delete from posted_messages where match = ? and kind != 'lobby'",
        [(number,) for number in restored_tables],
    )
