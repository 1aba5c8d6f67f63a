"""Helpers of the tests of restored backups: play, back up, restore."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bot.config import StorageSettings
from bot.host.deciders import cutting
from bot.host.deciders.decision import Decision
from bot.host.table import Games
from bot.host.tables import Tables
from bot.operate.restore import Restoration, restore
from bot.store.protocol import Backup
from bot.store.rows import Status, StoredTable
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from rules.cut_words import CUT_WORDS
from tests.bot.host.playing import assert_records_whole, open_lobby, request_of_person
from tests.bot.operate.databases import NOW, SETUP, make_backup, make_moves, run_with_store, start_games

MOVE_COUNT_AFTER_BACKUP = 4
"""Choices after a backup: enough that no two keys draw alike, too few for a game to end."""


def restore_backup(
    storage: StorageSettings, source: Path | None = None, now: float = NOW + 9, games: Games = GAMES
) -> Restoration:
    """Restore a backup."""
    return asyncio.run(restore(storage, games, now, source))


def move_numbers(restoration: Restoration) -> dict[int, int]:
    """Return to which move each table went back, by number."""
    return {each.number: each.move_number for each in restoration.tables.restored}


async def load_table(store: SqliteStore, number: int = 1) -> StoredTable:
    """Load a table that must exist."""
    stored = await store.load(number)
    assert stored is not None
    return stored


def read_stored_table(storage: StorageSettings, number: int = 1) -> StoredTable:
    """Open the store and load a table that must exist."""
    return run_with_store(storage, lambda store: load_table(store, number))


async def waiting_texts(store: SqliteStore, number: int = 1) -> list[str]:
    """Return the texts that are to be posted at a table."""
    return [each.text for each in await store.waiting_deliveries(number) if each.text]


def begin_and_back_up(storage: StorageSettings, game_count: int = 1) -> Backup:
    """Start games, make some moves and a backup."""

    async def start_and_back_up(store: SqliteStore) -> Backup:
        await start_games(store, game_count, move_count=2)
        return await make_backup(store, storage)

    return run_with_store(storage, start_and_back_up)


def play_on(storage: StorageSettings, seed: float = 1, count: int = MOVE_COUNT_AFTER_BACKUP) -> StoredTable:
    """Make moves, the same ones for the same seed and draws; return the table."""
    run_with_store(storage, lambda store: make_moves(store, 1, count, seed))
    stored = read_stored_table(storage)
    assert stored.row.status is Status.PLAYING
    assert_records_whole(stored)
    return stored


async def open_lobby_and_cut(store: SqliteStore) -> int:
    """Open a lobby whose host cuts the deck."""
    number = await open_lobby(Tables(store, GAMES), SETUP.game)
    decide = partial(cutting.cut_deck, request=request_of_person(0), words=(CUT_WORDS[1], CUT_WORDS[2]))
    await Tables(store, GAMES).change(number, request_of_person(0), decide)
    return number


async def change_table_as(
    store: SqliteStore, seat: int, decide: Callable[..., Decision], **values: object
) -> None:
    """Change table No. 1 on behalf of a seat's player."""
    request = request_of_person(seat)
    await Tables(store, GAMES).change(1, request, partial(decide, request=request, **values))
