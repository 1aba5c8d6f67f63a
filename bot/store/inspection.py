"""Inspects a database: the file, its schema, whether records, inbox and outbox agree, and replays of tables.

Reads only.  Every finding is one line for the operator, with numbers of tables and records, never with
what players hold.
"""

import random
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec

from bot.store.migrations import (
    Migration,
    has_older_schema,
    is_own_database,
    migrate,
    released_migrations,
)
from bot.store.open_errors import access_advice_text
from bot.store.protocol import (
    GENERATION_KEY,
    HIGHEST_LOST_NUMBER_KEY,
    MAX_METADATA_NUMBER,
    ReplayCheck,
    RowCounts,
    StoreError,
    UndecodableTable,
    is_metadata_number,
)
from bot.store.rows import LIVE_STATUSES, LIVE_STATUSES_IN_SQL, Status, StoredTable
from bot.store.tables import load_table

_MAX_FAULTS: Final = 20
"""Findings of one kind that are listed; a damaged file has thousands."""
_MAX_VALUE_LENGTH: Final = 40
"""Characters of a damaged value that a finding quotes."""

FINISHED_SAMPLE_SIZE: Final = 200
"""Finished tables that an inspection replays: they do not change any more, and a replay takes 10 to 30 ms."""
_ENCODED_FINISHED_STATUSES: Final = frozenset(
    status.value.encode() for status in Status if status not in LIVE_STATUSES
)
_ONGOING_STATUSES: Final = tuple(status for status in LIVE_STATUSES if status is not Status.FROZEN)

DISAGREEMENT_QUERIES: Final = {
    "its records have a gap or do not end where the table stands": (
        "select number from matches where ply != (select count(*) from records where match = number)"
        " or ply != (select coalesce(max(ply), 0) from records where match = number)"
    ),
    "it has handled a request that came after its last record": (
        "select distinct match from inbox join matches on number = match where inbox.ply > matches.ply"
    ),
    "it would send what came after its last record": (
        "select distinct match from outbox join matches on number = match where outbox.ply > matches.ply"
    ),
    # Cuts are stored without a request, too; of a table that is over, the pruning leaves no answer.
    "a person's move has no stored answer": (
        f"select number from matches where (status in ({LIVE_STATUSES_IN_SQL})"  # noqa: S608 - fixed words
        " or exists (select 1 from inbox where match = number))"
        " and exists (select 1 from records where match = number"
        " and ply > (select coalesce(max(ply), 0) from inbox where inbox.match = number)"
        " and user is not null and actor >= 0 and action not glob 'cut *')"
    ),
    "the outbox has no board of its last move": (
        "select number from matches where status = 'playing' and ply > 0 and not exists"
        " (select 1 from outbox where match = number and kind = 'board' and outbox.ply = matches.ply)"
    ),
}
"""The violations of promise P3 (``docs/trust.md``), each with the query that finds its tables."""

_SCHEMA_PARTS_QUERY: Final = (
    "select tbl_name, type || ' ' || name from sqlite_master where name not like 'sqlite%'"
    " union all select sqlite_master.name, 'column ' || columns.name || ' of ' || sqlite_master.name"
    " from sqlite_master, pragma_table_xinfo(sqlite_master.name) as columns"
    " where sqlite_master.type = 'table'"
)
"""Selects each SQL table, index, trigger and column by name, beside the SQL table that it belongs to.

Only names are compared: the text of a statement may depend on SQLite's version once a table was altered.
"""


class TableFault(msgspec.Struct, frozen=True):
    """One fault in one table."""

    table_number: int
    fault: str
    ply: int = 0
    """The record that the fault concerns; 0: no single one."""

    def __str__(self) -> str:
        """Return the fault as one line."""
        return f"table {self.table_number}: {self.fault}"


class InspectionReport(msgspec.Struct, frozen=True):
    """The result of an inspection of a database."""

    faults: tuple[str, ...] = ()
    """The faults, one line each; empty if the database is whole."""
    notes: tuple[str, ...] = ()
    """What else was found, one line each."""


Inspector: TypeAlias = Callable[[sqlite3.Connection], InspectionReport]
"""Inspects the database of a connection."""


def count_rows(connection: sqlite3.Connection) -> RowCounts:
    """Return the number of rows of each SQL table and, as ``versions``, the sum of all tables' versions."""
    names = [
        name
        for (name,) in connection.execute(
            "select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name"
        )
    ]
    counts = {
        name: int(connection.execute(f'select count(*) from "{name}"').fetchone()[0])  # noqa: S608 - own names
        for name in names
    }
    if "matches" in counts:
        (versions,) = connection.execute("select coalesce(sum(version), 0) from matches").fetchone()
        counts["versions"] = int(versions)
    return counts


class TablesSummary(NamedTuple):
    """What tables a database holds."""

    table_count: int
    live_count: int
    """How many of them are lobbies or games that may go on."""
    active_at: int
    """When somebody last moved, in seconds since 1970; 0: never."""


def summarize_tables(path: Path) -> TablesSummary:
    """Return what tables a database file holds.  Raises StoreError."""
    live_values = msgspec.json.encode([status.value for status in LIVE_STATUSES]).decode()
    with open_read_only(path) as connection:
        row = connection.execute(  # no text is fetched: a damaged one must not hide the other tables
            "select count(*), coalesce(sum(status in (select value from json_each(?))), 0),"
            " coalesce(max(active_at), 0) from matches",
            (live_values,),
        ).fetchone()
    return TablesSummary(*row)


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection to a database file.  Raises StoreError for any error of SQLite."""
    with temporary_connection(
        path, lambda: sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    ) as connection:
        yield connection


@contextmanager
def temporary_connection(
    path: Path, connect: Callable[[], sqlite3.Connection]
) -> Iterator[sqlite3.Connection]:
    """Yield a connection that is closed afterwards; SQLite's errors become StoreErrors."""
    if path.is_dir():  # SQLite would call it an error of the disk
        raise StoreError(f"{path} is a folder, not a database.")
    try:
        connection = connect()
        try:
            connection.isolation_level = None
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        advice = access_advice_text(error)
        raise StoreError(f"{path} cannot be read: {error}{advice and f'. {advice}'}") from error


@contextmanager
def at_current_schema(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the same data in this release's schema.

    It is ``connection`` itself or, if the schema is older, a connection to a migrated temporary copy.
    """
    if not has_older_schema(connection, released_migrations()):
        yield connection
        return
    copy = sqlite3.connect("", isolation_level=None)  # a temporary file, mostly in memory while it is small
    try:
        connection.backup(copy)
        migrate(copy, released_migrations())
        yield copy
    finally:
        copy.close()


def load_table_of_any_schema(connection: sqlite3.Connection, file: Path, number: int) -> StoredTable | None:
    """Load a table from a database of this or an older release; None if there is none of that number.

    ``file``: what an error names.  Raises StoreError, also for another program's database.
    """
    if not is_own_database(connection):
        raise StoreError(f"{file} is no database of Captain's Table.")
    with at_current_schema(connection) as current:
        return load_table(current, number)


def file_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the faults that SQLite itself finds in the file."""
    for (line,) in connection.execute(f"pragma integrity_check({_MAX_FAULTS})"):
        if line != "ok":
            yield f"the file is damaged: {' '.join(line.split())}"  # SQLite may give several lines at once
    sql = 'select distinct "table", rowid, parent from pragma_foreign_key_check limit ?'
    for sql_table, row, parent in connection.execute(sql, (_MAX_FAULTS,)).fetchall():
        row_name = "a row" if row is None else f"row {row}"  # in a table "without rowid" they have no number
        yield f"{row_name} of {sql_table} belongs to nothing in {parent}"


def schema_faults(connection: sqlite3.Connection, *, with_indexes_and_triggers: bool = True) -> Iterator[str]:
    """Yield why this release can neither use nor migrate the schema.

    ``with_indexes_and_triggers``: whether a missing one counts.
    """
    try:
        applied_checksums = dict(connection.execute("select number, checksum from schema_migrations"))
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            yield "this is no database of Captain's Table: it has no schema"
        else:
            yield f"the schema cannot be read: {error}"
        return
    migrations_by_number = {migration.number: migration for migration in released_migrations()}
    faults = []
    for number, checksum in applied_checksums.items():
        if number not in migrations_by_number:
            faults.append(f"migration {number} is of a newer release: update the bot")
        elif migrations_by_number[number].checksum != checksum:
            faults.append(
                f"migration {number} differs from this release's: go back to the version that has applied it"
            )
    faults += [
        f"migration {number} was never applied"
        for number in sorted(set(migrations_by_number) - set(applied_checksums))
        if not applied_checksums or number < max(applied_checksums)
    ]
    yield from faults
    if not faults:
        migrations = tuple(migrations_by_number[number] for number in sorted(applied_checksums))
        yield from _missing_parts(connection, migrations, with_indexes_and_triggers=with_indexes_and_triggers)


def _missing_parts(
    connection: sqlite3.Connection, migrations: tuple[Migration, ...], *, with_indexes_and_triggers: bool
) -> Iterator[str]:
    """Yield which SQL tables, columns, indexes and triggers are missing that the migrations have made."""
    parts = set(connection.execute(_SCHEMA_PARTS_QUERY).fetchall())
    for sql_table, part in _expected_parts(migrations):
        is_table = part == f"table {sql_table}"
        if not with_indexes_and_triggers and part.startswith(("index ", "trigger ")):
            continue
        # The parts of a missing table are not named beside it.
        if (sql_table, part) not in parts and (is_table or (sql_table, f"table {sql_table}") in parts):
            yield f"the {part} is missing"


@lru_cache(maxsize=2)
def _expected_parts(migrations: tuple[Migration, ...]) -> tuple[tuple[str, str], ...]:
    """Return the parts of a schema that the migrations have made in an empty database."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, migrations)
        return tuple(connection.execute(_SCHEMA_PARTS_QUERY).fetchall())


def metadata_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield which numbers of the metadata are damaged."""
    sql = "select key, cast(value as blob) from settings where key in (?, ?)"  # texts may be damaged
    for key, value in connection.execute(sql, (GENERATION_KEY, HIGHEST_LOST_NUMBER_KEY)):
        text = value.decode(errors="replace")
        if not is_metadata_number(text):
            yield (
                f"the value of {key!r} in settings, {text[:_MAX_VALUE_LENGTH]!r}, is not a number"
                f" from 0 to {MAX_METADATA_NUMBER}, so it counts as 0"
            )


def table_faults(
    connection: sqlite3.Connection, replay_check: ReplayCheck, numbers: Iterable[int] | None = None
) -> Iterator[TableFault]:
    """Yield where records, inbox and outbox disagree, and which of ``numbers`` do not replay.

    ``numbers``: those of the tables to replay; None: all.
    """
    for fault, query in DISAGREEMENT_QUERIES.items():
        for (number,) in connection.execute(query).fetchmany(_MAX_FAULTS):
            yield TableFault(number, fault)
    for number in all_tables(connection) if numbers is None else numbers:
        stored = _load_or_none(connection, number)
        if stored is None:
            yield TableFault(number, "it cannot be read")
        elif (divergence := replay_check(stored)) is not None:
            yield TableFault(number, divergence.redacted_text, divergence.ply)


def sample_ongoing_tables(connection: sqlite3.Connection, count: int) -> tuple[int, ...]:
    """Return the numbers of at most ``count`` tables whose game or lobby goes on."""
    statuses = msgspec.json.encode([status.value for status in _ONGOING_STATUSES]).decode()
    sql = "select number from matches where status in (select value from json_each(?))"
    ongoing_tables = [number for (number,) in connection.execute(sql, (statuses,))]
    return tuple(random.sample(ongoing_tables, min(count, len(ongoing_tables))))


def _load_or_none(connection: sqlite3.Connection, number: int) -> StoredTable | None:
    try:
        return load_table(connection, number)
    except UndecodableTable:
        return None


def all_tables(connection: sqlite3.Connection) -> tuple[int, ...]:
    """Return the numbers of all tables, games in progress first."""
    rows = connection.execute(
        "select number from matches order by status = ? desc, number desc", (Status.PLAYING.value,)
    )
    return tuple(number for (number,) in rows)


def tables_to_replay(connection: sqlite3.Connection) -> tuple[int, ...]:
    """Return the numbers of all tables that may go on, and of at most ``FINISHED_SAMPLE_SIZE`` others."""
    live: list[int] = []
    finished: list[int] = []
    sql = "select number, cast(status as blob) from matches order by number desc"
    for number, encoded_status in connection.execute(sql):  # a damaged one must not hide the other faults
        (finished if encoded_status in _ENCODED_FINISHED_STATUSES else live).append(number)
    return (*live, *random.sample(finished, min(FINISHED_SAMPLE_SIZE, len(finished))))


def inspect_database(
    connection: sqlite3.Connection,
    replay_check: ReplayCheck,
    *,
    replay_everything: bool = False,
    now: float | None = None,
) -> InspectionReport:
    """Inspect a whole database; tables are only read where the file and its schema are in order.

    Of many finished tables only a sample is replayed, unless ``replay_everything``.  ``now``: the time, to
    count overdue deadlines; None for a copy, in which all deadlines are old.
    """
    faults = [*file_faults(connection), *schema_faults(connection)]
    if faults:
        return InspectionReport(tuple(faults))
    migrations = released_migrations()
    schema_note = "the schema is this release's"
    if has_older_schema(connection, migrations):
        schema_note = (
            f"migration {migrations[-1].number} is not applied yet: the next start applies it, after a backup"
        )
    with at_current_schema(connection) as current:
        numbers = all_tables(current)
        to_replay = numbers if replay_everything else tables_to_replay(current)
        faults += [*metadata_faults(current), *map(str, table_faults(current, replay_check, to_replay))]
        overdue_notes = () if now is None else (_overdue_note(current, now),)
    tables_note = f"tables checked: {len(numbers)}"
    if len(to_replay) < len(numbers):
        tables_note += f"; replayed: {len(to_replay)}, all that may go on and some that are finished"
    notes = (
        f"SQLite {sqlite3.sqlite_version}",
        "the file is whole",
        schema_note,
        tables_note,
        *overdue_notes,
    )
    return InspectionReport(tuple(faults), notes)


def _overdue_note(connection: sqlite3.Connection, now: float) -> str:
    """Return the note on tables with an overdue deadline, which the bot handles at its next start."""
    (count,) = connection.execute(
        "select count(distinct match) from timers where due <= ?", (int(now),)
    ).fetchone()
    return f"tables with an overdue deadline: {count}"
