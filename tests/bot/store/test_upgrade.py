"""A database of an older schema is copied, brought up to date, and its games go on (P12)."""

import asyncio
import random
from pathlib import Path

import pytest

from bot.host.loading import make_replay_check
from bot.host.tables import Tables
from bot.store.backup import make_pre_migration_copier
from bot.store.backup_folder import backups_in
from bot.store.inspection import inspect_database, open_read_only
from bot.store.migrations import Migration
from bot.store.protocol import StoreError
from bot.store.restoring import open_unused_database
from bot.store.rows import Status
from bot.store.sqlite import open_store
from tests.bot.database_file import open_database_file
from tests.bot.host.playing import GAMES_AND_TOYS, assert_records_whole, make_move
from tests.bot.store.later_release import LATER_MIGRATION, later_release, play_games
from tests.bot.store.sample_rows import dump


@pytest.fixture
def statuses_in_database(database_path: Path) -> list[Status]:
    """Fill the database with games of this release; return the statuses of its tables, from number 1."""

    async def fill() -> list[Status]:
        store = await open_store(database_path)
        try:
            return await play_games(store)
        finally:
            await store.close()

    return asyncio.run(fill())


def test_games_are_played_on_after_an_upgrade(
    database_path: Path, tmp_path: Path, statuses_in_database: list[Status]
) -> None:
    """The old database is copied, upgraded whole, agrees with itself, and its games are played on."""
    with open_read_only(database_path) as connection:
        records = connection.execute("select * from records order by match, ply").fetchall()

    async def play_on() -> list[Status]:
        store = await open_store(
            database_path, make_pre_migration_copier(tmp_path / "backups", lambda: 1_790_000_000)
        )
        tables = Tables(store, GAMES_AND_TOYS)
        await tables.replay_all()
        statuses_after = []
        for number in range(1, len(statuses_in_database) + 1):
            stored = await store.load(number)
            assert stored is not None
            assert_records_whole(stored)
            statuses_after.append(stored.row.status)
        count_before = (await tables.get(1)).move_count
        await make_move(tables, 1, random.Random(1))
        assert (await tables.get(1)).move_count == count_before + 1
        await store.close()
        return statuses_after

    with later_release():
        assert asyncio.run(play_on()) == statuses_in_database
        (backup,) = backups_in(tmp_path / "backups")
        with open_read_only(backup.path) as copy:
            assert copy.execute("select * from records order by match, ply").fetchall() == records
            assert copy.execute("select max(number) from schema_migrations").fetchone() == (
                LATER_MIGRATION.number - 1,
            )
        with open_unused_database(database_path) as connection:
            assert inspect_database(connection, make_replay_check(GAMES_AND_TOYS)).faults == ()
            assert set(records) < set(connection.execute("select * from records").fetchall())
            assert connection.execute("select max(number) from schema_migrations").fetchone() == (
                LATER_MIGRATION.number,
            )


@pytest.mark.usefixtures("statuses_in_database")
def test_a_failing_upgrade_changes_nothing(database_path: Path) -> None:
    """Where a step fails the old database stays exactly as it was, and its own release opens it again."""

    async def read_content() -> list[str]:
        store = await open_store(database_path)
        try:
            return await dump(store)
        finally:
            await store.close()

    before = asyncio.run(read_content())
    broken_migration = Migration(LATER_MIGRATION.number + 1, "insert into nowhere values (1);\n")
    with later_release(LATER_MIGRATION, broken_migration), pytest.raises(StoreError):
        asyncio.run(read_content())
    with open_database_file(database_path) as connection:
        assert list(connection.iterdump()) == before
    assert asyncio.run(read_content()) == before
