"""Databases with games, and their backups."""

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

from bot.config import StorageSettings
from bot.host.loading import make_replay_check
from bot.host.tables import Tables
from bot.store.backup import SqliteBackups
from bot.store.protocol import Backup
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from tests.bot.database_file import open_database_file
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, begin, default_setup, make_move

T = TypeVar("T")

RunCommandLine: TypeAlias = Callable[..., tuple[int, str, str]]
"""Runs a command line and returns its exit code, output and errors."""
BOT_TOKEN = "not.a.token"
NOW = 1_790_000_000
SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)


def storage_in(folder: Path) -> StorageSettings:
    """Return the settings of a database and its backups in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return StorageSettings(folder / "tables.db", folder / "backups")


def run_with_store(storage: StorageSettings, work: Callable[[SqliteStore], Awaitable[T]]) -> T:
    """Open the store, do some work with it, close it."""

    async def run() -> T:
        store = await open_store(storage.database)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


async def make_moves(store: SqliteStore, number: int, count: int, seed: float = 1) -> int:
    """Make moves at a table, fewer if its game ends; return what ``read_move_count`` returns then."""
    tables, rng = Tables(store, GAMES), random.Random(seed)
    for _ in range(count):
        if (await tables.get(number)).status is Status.PLAYING:
            await make_move(tables, number, rng)
    return await read_move_count(store, number)


async def read_move_count(store: SqliteStore, number: int) -> int:
    """Return the number of a table's moves, without those that were taken back."""
    return (await Tables(store, GAMES).get(number)).move_count


async def start_games(store: SqliteStore, count: int = 3, move_count: int = 6) -> list[int]:
    """Start games, make ``move_count`` moves in each, and return their numbers."""
    tables = Tables(store, GAMES)
    numbers = [await begin(tables, SETUP) for _ in range(count)]
    for number in numbers:
        await make_moves(store, number, move_count)
    return numbers


async def make_backup(store: SqliteStore, storage: StorageSettings, now: float = NOW) -> Backup:
    """Make a backup of the store."""
    return await SqliteBackups(store, storage.backup_folder, make_replay_check(GAMES)).make(now)


def execute_directly(storage: StorageSettings, statement: str) -> None:
    """Change the file directly, without a store; records can be changed, too."""
    with open_database_file(storage.database) as connection:
        execute_without_record_trigger(connection, statement)


def execute_without_record_trigger(connection: sqlite3.Connection, statement: str) -> None:
    """Execute a statement without the trigger that forbids to change records."""
    query = "select sql from sqlite_master where name = 'records_only_grow_update'"
    ((trigger,),) = connection.execute(query).fetchall()
    connection.execute("drop trigger records_only_grow_update")
    connection.execute(statement)
    connection.execute(trigger)
