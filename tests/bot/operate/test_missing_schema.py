"""Databases that lack a part of their schema: neither the doctor nor a backup calls them whole."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bot.config import StorageSettings
from bot.store.backup_folder import backups_in
from bot.store.inspection import schema_faults
from bot.store.migrations import Migration, migrate, released_migrations
from tests.bot.operate.databases import RunCommandLine, execute_directly
from tests.bot.store.later_release import CURRENT_MIGRATIONS, LATER_MIGRATION, later_release


@pytest.fixture
def memory_database() -> Iterator[sqlite3.Connection]:
    """Return a new database of this release."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, released_migrations())
        yield connection


@pytest.mark.parametrize(
    "sql_table", ["settings", "people", "results", "result_players", "posted_messages", "unanswered"]
)
def test_a_database_without_an_sql_table_is_not_whole(
    storage_with_games: StorageSettings, run: RunCommandLine, sql_table: str
) -> None:
    """The doctor names the missing SQL table, no backup is made, and an older whole one is restored."""
    run("backup")
    (whole_backup,) = backups_in(storage_with_games.backup_folder)
    execute_directly(storage_with_games, f"drop table {sql_table}")
    code, out, _ = run("doctor")
    assert code == 1
    assert f"FAULT: the table {sql_table} is missing\n" in out
    code, _, err = run("backup")
    assert code == 1
    assert f"is not good: the table {sql_table} is missing" in err
    assert backups_in(storage_with_games.backup_folder) == (whole_backup,)
    code, out, _ = run("restore")
    assert code == 0
    assert f"Restored from {whole_backup.path}" in out
    assert run("doctor")[0] == 0


def test_a_missing_index_ends_no_backups(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    """The doctor names it, but a copy without it holds all that the database holds, and is restored."""
    execute_directly(storage_with_games, "drop index results_by_guild")
    code, out, _ = run("doctor")
    assert code == 1
    assert "FAULT: the index results_by_guild is missing\n" in out
    assert run("backup")[0] == 0
    assert run("restore")[0] == 0


def test_each_missing_part_is_named(memory_database: sqlite3.Connection) -> None:
    """Each SQL table, index and trigger that is missing is named, and nothing else beside it."""
    parts = memory_database.execute(
        "select type, name from sqlite_master where name not like 'sqlite%' and name != 'schema_migrations'"
    ).fetchall()
    assert {kind for kind, _ in parts} == {"table", "index", "trigger"}
    assert list(schema_faults(memory_database)) == []
    for kind, name in parts:
        memory_database.execute("begin")
        memory_database.execute(f"drop {kind} {name}")
        assert list(schema_faults(memory_database)) == [f"the {kind} {name} is missing"]
        memory_database.execute("rollback")


def test_a_missing_column_is_named(memory_database: sqlite3.Connection) -> None:
    """A column that is missing is named with its SQL table."""
    memory_database.execute("alter table seats drop column clock")
    assert list(schema_faults(memory_database)) == ["the column clock of seats is missing"]


def test_an_older_schema_lacks_nothing(memory_database: sqlite3.Connection) -> None:
    """A database is compared with what its own migrations have made, not with all of this release."""
    renaming = Migration(
        LATER_MIGRATION.number,
        LATER_MIGRATION.sql + "alter table seats rename column clock to clock_data;\ndrop table people;\n",
    )
    with later_release(renaming):
        assert list(schema_faults(memory_database)) == []
        migrate(memory_database, (*CURRENT_MIGRATIONS, renaming))
        assert list(schema_faults(memory_database)) == []
        memory_database.execute("drop table later")
        assert list(schema_faults(memory_database)) == ["the table later is missing"]
    assert list(schema_faults(memory_database)) == [
        f"migration {LATER_MIGRATION.number} is of a newer release: update the bot"
    ]
