"""SQLite as we set it: flushed, exclusive, migrated whole or not at all, and honest about errors."""

import asyncio
import re
import sqlite3
from pathlib import Path

import msgspec
import pytest

from bot.store.delivery_rows import DeliveryKind, NewDelivery, Slot
from bot.store.migrations import Migration, NewerSchema, migrate, released_migrations
from bot.store.protocol import StoreError
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.database_file import open_database_file
from tests.bot.store.sample_rows import (
    LOBBY_ROW,
    dump,
    execute_sql,
    make_change,
    make_record,
    next_version,
    opening_change,
)

NOTICE_DELIVERY = NewDelivery(Slot(DeliveryKind.NOTICE), "x" * 1000)

REPOSITORY = Path(__file__).parents[3]


@pytest.mark.parametrize("folder", ["bot", "tests"])
def test_no_placeholder_has_a_number(folder: str) -> None:
    """No statement numbers its placeholders: Python 3.14 refuses a sequence of values for them."""
    numbered_placeholder = re.compile(r"\?[0-9]")
    for path in (REPOSITORY / folder).rglob("*.py"):
        found = [
            line.strip()
            for line in path.read_text(encoding="utf-8").splitlines()
            if numbered_placeholder.search(line)
        ]
        assert not found, path


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("synchronous", 2),
        ("journal_mode", "wal"),
        ("locking_mode", "exclusive"),
        ("foreign_keys", 1),
        ("trusted_schema", 0),
        ("mmap_size", 0),
    ],
)
async def test_pragmas_are_in_force(store: SqliteStore, pragma: str, value: object) -> None:
    """The settings that durability and safety rest on are those of the open connection."""
    assert await execute_sql(store, f"pragma {pragma}") == [(value,)]


@pytest.mark.slow
async def test_a_second_store_on_a_file_fails_at_once(store: SqliteStore, database_path: Path) -> None:
    """A second store on the same file fails at once, says so, and leaves the first one working."""
    with pytest.raises(StoreError, match="another bot"):
        await open_store(database_path)
    await store.commit(opening_change())
    assert await store.next_table_number() == 2


@pytest.fixture
def rubbish(database_path: Path) -> bytes:
    """Write something that is no database to the file."""
    content = b"not a database, however long it may be" * 50
    database_path.write_bytes(content)
    return content


async def test_a_file_that_is_no_database_is_refused(database_path: Path, rubbish: bytes) -> None:
    """A file that is no database, or a directory, is refused for what it is, and left as it was."""
    for wrong_path, reason in ((database_path, "Restore a backup"), (database_path.parent, "unable to open")):
        with pytest.raises(StoreError, match=reason) as refusal:
            await open_store(wrong_path)
        assert "another bot" not in str(refusal.value)
    assert await asyncio.to_thread(database_path.read_bytes) == rubbish


# Errors -----------------------------------------------------------------------------------------------


async def test_on_a_full_disk_a_change_fails_whole(store: SqliteStore) -> None:
    """With no room left a change fails whole, and the store goes on once there is room."""
    await store.commit(opening_change())
    before = await dump(store)
    ((page_count,),) = await execute_sql(store, "pragma page_count")
    await execute_sql(store, f"pragma max_page_count = {page_count}")
    big_change = make_change(
        next_version(LOBBY_ROW), 1, records=(make_record(1),), deliveries=(NOTICE_DELIVERY,) * 200
    )
    with pytest.raises(StoreError, match="full"):
        await store.commit(big_change)
    assert await dump(store) == before
    assert await store.find_answer(1) is None
    await execute_sql(store, "pragma max_page_count = 1000000")
    assert await store.commit(big_change) is None
    assert len(await store.waiting_deliveries(1)) == 200


@pytest.mark.parametrize(
    "sql_table", ["matches", "seats", "timers", "inbox", "records", "outbox", "audit_log"]
)
async def test_an_error_anywhere_changes_nothing(store: SqliteStore, sql_table: str) -> None:
    """Whichever of a change's statements fails, nothing of it is stored and the next one works."""
    await store.commit(opening_change())
    event = "update" if sql_table == "matches" else "insert"
    await execute_sql(
        store,
        f"create temp trigger broken before {event} on main.{sql_table}"
        " begin select raise(rollback, 'disk I/O error'); end",
    )
    before = await dump(store)
    whole_change = make_change(
        next_version(LOBBY_ROW),
        1,
        records=(make_record(1),),
        deliveries=(NOTICE_DELIVERY,),
        audit_entry="Ava paused it.",
        user=100,
    )
    with pytest.raises(StoreError):
        await store.commit(whole_change)
    assert await dump(store) == before
    await execute_sql(store, "drop trigger broken")
    assert await store.commit(whole_change) is None


async def test_a_closed_store_raises_store_error(database_path: Path) -> None:
    """A store that is closed says so with its own error."""
    store = await open_store(database_path)
    await store.close()
    with pytest.raises(StoreError):
        await store.commit(opening_change())
    with pytest.raises(StoreError):
        await store.load(1)


@pytest.mark.parametrize("damage", ["cast(x'50617363616cff' as text)", "'Pascal'"])
async def test_an_error_quotes_no_damaged_text(store: SqliteStore, damage: str) -> None:
    """What cannot be decoded is the store's failure, whose text, which is logged, holds nothing stored."""
    await store.commit(opening_change())
    await execute_sql(store, f"update matches set game = {damage}, question = x'50617363616c'")

    def decode(connection: sqlite3.Connection) -> str:
        game, question = connection.execute("select game, question from matches").fetchone()
        return msgspec.msgpack.decode(question, type=str) + str(game)

    with pytest.raises(StoreError, match="cannot be decoded") as failure:
        await store._connection.run(decode)
    assert "Pascal" not in str(failure.value)


# Migrations -------------------------------------------------------------------------------------------

FIRST_MIGRATION = Migration(1, "create table one (a integer);\ncreate table two (a text default ';');\n")
SECOND_MIGRATION = Migration(2, "alter table one add column b text;\ninsert into two values ('x');\n")
BROKEN_MIGRATION = Migration(2, "alter table one add column b text;\ninsert into nowhere values (1);\n")


def _dump_lines(connection: sqlite3.Connection) -> list[str]:
    """Return the schema and all rows as statements."""
    return list(connection.iterdump())


@pytest.fixture
def connection() -> sqlite3.Connection:
    """Return a connection to an empty database in memory."""
    return sqlite3.connect(":memory:", isolation_level=None)


def test_migrations_give_one_schema_at_once_or_in_steps(connection: sqlite3.Connection) -> None:
    """One step at a time or all at once, the schema is the same, and repeating changes nothing."""
    migrate(connection, (FIRST_MIGRATION,))
    migrate(connection, (FIRST_MIGRATION, SECOND_MIGRATION))
    stepwise = _dump_lines(connection)
    migrate(connection, (FIRST_MIGRATION, SECOND_MIGRATION))
    assert _dump_lines(connection) == stepwise
    other_connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(other_connection, (FIRST_MIGRATION, SECOND_MIGRATION))
    schema_query = "select name, sql from sqlite_master order by name"
    assert other_connection.execute(schema_query).fetchall() == connection.execute(schema_query).fetchall()
    connection.close()
    other_connection.close()


@pytest.mark.parametrize("applied_migrations", [(), (FIRST_MIGRATION,)])
def test_a_failing_migration_leaves_nothing(
    connection: sqlite3.Connection, applied_migrations: tuple[Migration, ...]
) -> None:
    """When a step fails, neither its statements nor those of the steps before it in that run remain."""
    migrate(connection, applied_migrations)
    before = _dump_lines(connection)
    with pytest.raises(sqlite3.Error):
        migrate(connection, (FIRST_MIGRATION, BROKEN_MIGRATION))
    assert _dump_lines(connection) == before
    assert not connection.in_transaction
    migrate(connection, (FIRST_MIGRATION, SECOND_MIGRATION))
    connection.close()


def test_a_migration_that_ends_its_transaction_says_why(connection: sqlite3.Connection) -> None:
    """An error that has rolled back by itself, as those of the disk do, is the one that is raised."""
    migrate(connection, (FIRST_MIGRATION,))
    connection.execute(
        "create temp trigger broken before insert on one begin select raise(rollback, 'full'); end"
    )
    with pytest.raises(sqlite3.Error, match="full"):
        migrate(connection, (FIRST_MIGRATION, Migration(2, "insert into one values (1);")))
    assert not connection.in_transaction
    connection.close()


def test_an_edited_migration_is_refused(connection: sqlite3.Connection) -> None:
    """A step that was changed after it had been applied stops the start, and changes nothing."""
    migrate(connection, (FIRST_MIGRATION,))
    before = _dump_lines(connection)
    with pytest.raises(StoreError, match="migration 1 is another: go back"):
        migrate(connection, (Migration(1, FIRST_MIGRATION.sql + "create table three (a);"), SECOND_MIGRATION))
    assert _dump_lines(connection) == before
    connection.close()


def test_half_a_statement_is_refused(connection: sqlite3.Connection) -> None:
    """A file that ends inside a statement is refused whole."""
    with pytest.raises(StoreError):
        migrate(connection, (Migration(1, "create table one (a);\ncreate table two (a"),))
    assert "one" not in "".join(_dump_lines(connection))
    connection.close()


async def test_a_newer_schema_is_refused(database_path: Path) -> None:
    """A file of a newer release is not opened, and not touched."""
    store = await open_store(database_path)
    await execute_sql(store, "insert into schema_migrations (number, checksum) values (9999, 'x')")
    before = await dump(store)
    await store.close()
    with pytest.raises(NewerSchema):
        await open_store(database_path)
    with open_database_file(database_path) as connection:
        assert _dump_lines(connection) == before


def test_released_migrations_are_numbered() -> None:
    """The released steps count from 1 without a gap."""
    assert [migration.number for migration in released_migrations()] == list(
        range(1, len(released_migrations()) + 1)
    )
