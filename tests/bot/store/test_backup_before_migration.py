"""The copy that is made before the schema changes: without it nothing is changed."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from bot import running
from bot.config import StorageSettings
from bot.store import backup
from bot.store.backup import make_pre_migration_copier
from bot.store.backup_folder import backups_in
from bot.store.inspection import count_rows, open_read_only, schema_faults
from bot.store.migrations import Migration, has_older_schema, migrate, released_migrations
from bot.store.protocol import StoreError
from bot.store.sqlite import open_store
from tests.bot.store.backups import NOW, make_slow_check
from tests.bot.store.later_release import later_release
from tests.trials import WAIT_TIMEOUT


def test_a_schema_that_cannot_be_read_is_not_called_missing() -> None:
    """Only a file without the table of migrations has no schema; another error is named."""
    connection = sqlite3.connect(":memory:")
    assert list(schema_faults(connection)) == ["this is no database of Captain's Table: it has no schema"]
    migrate(connection, released_migrations())
    assert not list(schema_faults(connection))
    connection.set_progress_handler(lambda: 1, 1)
    assert list(schema_faults(connection)) == ["the schema cannot be read: interrupted"]


# Before the schema is changed ---------------------------------------------------------------------------


async def make_old_database(path: Path) -> None:
    """Make a database of this release, which is an older one to the next, with something in it."""
    store = await open_store(path)
    await store.set_metadata("kept", "yes")
    await store.close()


async def test_an_older_database_is_copied_before_its_schema_changes(
    database_path: Path, backup_folder: Path
) -> None:
    """An older database is copied before it is changed; a new or current one is not."""
    await make_old_database(database_path)
    with later_release():
        for _ in range(2):
            store = await open_store(database_path, make_pre_migration_copier(backup_folder, lambda: NOW))
            assert await store.get_metadata("kept") == "yes"
            await store.close()
    (made,) = backups_in(backup_folder)
    with open_read_only(made.path) as copy:
        assert copy.execute("select number from schema_migrations").fetchall() == [(1,)]
        assert count_rows(copy)["settings"] == 1
    new_store = await open_store(
        database_path.with_name("new.db"), make_pre_migration_copier(backup_folder, lambda: NOW)
    )
    await new_store.close()
    assert len(backups_in(backup_folder)) == 1


async def test_without_a_copy_the_schema_stays_as_it_is(database_path: Path, backup_folder: Path) -> None:
    """Where the copy cannot be made the schema stays as it is."""
    await make_old_database(database_path)
    backup_folder.write_text("in the way")
    with later_release(), pytest.raises(StoreError):
        await open_store(database_path, make_pre_migration_copier(backup_folder, lambda: NOW))
    with open_read_only(database_path) as connection:
        assert connection.execute("select number from schema_migrations").fetchall() == [(1,)]


async def test_a_stop_interrupts_the_copy_before_the_schema_changes(
    database_path: Path, backup_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal while an older database is copied ends the start soon, and the schema stays as it is."""
    await make_old_database(database_path)
    begun, stop_signal = asyncio.Event(), running.StopSignal()
    monkeypatch.setattr(backup, "file_faults", make_slow_check(begun))
    with later_release():
        opening = asyncio.ensure_future(
            running._open_store(StorageSettings(database_path, backup_folder), stop_signal)
        )
        await begun.wait()
        stop_signal.set()
        assert await asyncio.wait_for(opening, WAIT_TIMEOUT) is None
    assert backups_in(backup_folder) == ()
    with open_read_only(database_path) as connection:
        assert connection.execute("select number from schema_migrations").fetchall() == [(1,)]


def test_a_schema_that_cannot_be_read_is_not_taken_for_a_new_one() -> None:
    """Without knowing its schema nothing says that a database needs no copy before a migration."""
    connection = sqlite3.connect(":memory:")
    assert not has_older_schema(connection, released_migrations()), "a new file"
    migrate(connection, released_migrations())
    later_migrations = (*released_migrations(), Migration(99, ""))
    assert has_older_schema(connection, later_migrations)
    connection.set_progress_handler(lambda: 1, 1)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        has_older_schema(connection, later_migrations)
