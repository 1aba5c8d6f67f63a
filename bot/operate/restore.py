"""Restores a backup: all tables go back together, and each table that went back gets a notice."""

import contextlib
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from bot.config import StorageSettings
from bot.host.decision import BOARD_DELIVERY, LOBBY_DELIVERY, hand_delivery, notice_delivery
from bot.host.loading import find_divergence, unpack
from bot.host.table import Games, Table
from bot.store.backup import backups_in, ensure_folder, newest_good_backup, verify
from bot.store.inspection import open_copy
from bot.store.ownership import chown_like
from bot.store.protocol import NUMBERS_USED, Divergence
from bot.store.restoring import ReplacedState, delete_database, lock_database, read_versions, replace_database
from bot.store.rows import NOT_CLOSED, Change, DirectMessages, NewDelivery, Status, StoredTable
from bot.store.sqlite import SqliteStore, open_store

_RESTORING_SUFFIX: Final = ".restoring"
_GENERATION_FILE: Final = "generation"
"""The file in the backups' folder that counts the restorations, in case the database itself is lost."""


class NothingToRestore(Exception):
    """There is no good backup; the text says what to do."""


class RestoredTables(msgspec.Struct, frozen=True):
    """What a restoration meant for the tables."""

    rolled_back: tuple[tuple[int, int], ...]
    """The number of each table that went back, and the move it went back to."""
    lost: tuple[int, ...] | None
    """The tables that were opened after the backup; None: the replaced database could not be read."""
    frozen: tuple[tuple[int, int], ...]
    """The tables that this release plays differently, and the first record that differs (0: none)."""
    unreadable: tuple[int, ...]
    """The tables that were damaged when the backup was made; they stay as they are."""


class Restored(msgspec.Struct, frozen=True):
    """What a restoration did."""

    source: Path
    replaced: Path | None
    """Where the replaced database is now; None: there was none."""
    tables: RestoredTables


async def restore(
    storage: StorageSettings,
    games: Games,
    now: float,
    source: Path | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Restored:
    """Replace the database by a backup, ``source`` or the newest good one.

    ``on_step`` is called after each step, for tests.  Raises DatabaseInUse while a bot runs,
    NothingToRestore, BackupFailed, OSError; then nothing has changed.
    """
    if source is None:
        newest = newest_good_backup(backups_in(storage.backups))
        if newest is None:
            raise NothingToRestore(f"There is no good backup in {storage.backups}. Name a file.")
        source = newest.path
    else:
        verify(source)
    database = storage.database
    database.parent.mkdir(parents=True, exist_ok=True)
    new = database.with_name(database.name + _RESTORING_SUFFIX)
    with lock_database(database) as old:
        before = read_versions(old)
        delete_database(new)
        _copy(source, new)
        chown_like(new, database if database.exists() else database.parent)
        on_step("copied")
        generation = _next_generation(storage, before, new)
        try:
            tables = await _mark_tables(new, games, before, generation, int(now))
            on_step("marked")
            replaced = _kept_database_path(database, now) if database.exists() else None
            replace_database(new, database, replaced or database, on_step)
        except BaseException:
            delete_database(new)
            raise
    return Restored(source, replaced, tables)


def _copy(source: Path, new: Path) -> None:
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    shutil.copyfile(source, new)


def _kept_database_path(database: Path, now: float) -> Path:
    """Return the path at which the replaced database is kept."""
    stamp = datetime.fromtimestamp(int(now), UTC).strftime("%Y%m%d-%H%M%S")
    path, count = database.with_name(f"replaced-{stamp}.db"), 1
    while path.exists():
        path, count = database.with_name(f"replaced-{stamp}-{count}.db"), count + 1
    return path


def _next_generation(storage: StorageSettings, before: ReplacedState, new: Path) -> int:
    """Return a generation above any that a button may carry, even if a database is lost."""
    file = storage.backups / _GENERATION_FILE
    known = 0
    with contextlib.suppress(OSError, ValueError):
        known = int(file.read_text(encoding="ascii"))
    with open_copy(new) as connection:
        generation = 1 + max(known, before.generation, read_versions(connection).generation)
    ensure_folder(storage.backups)
    file.write_text(f"{generation}\n", encoding="ascii")
    chown_like(file, storage.backups)
    return generation


async def _mark_tables(
    new: Path, games: Games, before: ReplacedState, generation: int, now: int
) -> RestoredTables:
    """Mark every table that goes back, with its new generation and a notice."""
    store = await open_store(new)
    rolled_back, frozen, unreadable = [], [], []
    try:
        versions = await store.versions()
        for number, version in versions.items():
            if before.versions is not None and before.versions.get(number) == version:
                continue
            try:
                stored = await store.load(number)
            except Exception:  # noqa: BLE001 - one damaged table must not keep the others from being restored
                unreadable.append(number)
                continue
            assert stored is not None
            if stored.table.status not in NOT_CLOSED and number not in (before.versions or ()):
                continue  # it was closed already when the backup was made
            divergence = find_divergence(stored, games) if _has_begun(stored, games) else None
            if divergence is not None:
                frozen.append((number, divergence.ply))
            rolled_back.append((number, await _mark_table(store, stored, games, generation, now, divergence)))
        lost = None if before.versions is None else tuple(sorted(set(before.versions) - set(versions)))
        used = max(before.numbers_used, int(await store.get_value(NUMBERS_USED) or 0), *(lost or ()))
        await store.begin_generation(generation, used, tuple(number for number, _ in rolled_back))
    finally:
        await store.close()
    return RestoredTables(tuple(rolled_back), lost, tuple(frozen), tuple(unreadable))


def _has_begun(stored: StoredTable, games: Games) -> bool:
    """Return whether a game is played or paused, and this release has that game."""
    row = stored.table
    return row.status in {Status.PLAYING, Status.PAUSED} and row.game in games


async def _mark_table(
    store: SqliteStore,
    stored: StoredTable,
    games: Games,
    generation: int,
    now: int,
    divergence: Divergence | None,
) -> int:
    """Mark one table; return the move that it went back to."""
    row = stored.table
    table: Table | None = None
    with contextlib.suppress(Exception):  # this release may not have the game
        table = unpack(stored, games)
    move = row.ply if table is None else table.moves
    texts = [f"This table was restored from backup to move {move}. Later moves are lost. Sorry!"]
    changed = msgspec.structs.replace(
        row, version=row.version + 1, generation=generation, restored_to=move, question=None
    )
    if divergence is not None:
        where = f" from record {divergence.ply} on" if divergence.ply else ""
        texts.append(
            f"This game is frozen: my rules now differ from those it began with{where}."
            " Nothing more is lost. The bot's operator can fix this."
        )
        changed = changed.as_frozen()
    await store.commit(
        Change(
            table=changed,
            reply="",
            deliveries=(*map(notice_delivery, texts), *_posts_to_repeat(row.status, table)),
            audit_entry=f"restored from backup to move {move}",
            at=now,
        )
    )
    return move


def _posts_to_repeat(status: Status, table: Table | None) -> tuple[NewDelivery, ...]:
    """Return what is posted again, since the buttons of earlier posts belong to the lost moves."""
    if status is Status.LOBBY:
        return (LOBBY_DELIVERY,)
    if table is None or status not in NOT_CLOSED:
        return ()
    seats = enumerate(table.seats)
    written = (i for i, row in seats if row.user and row.direct_messages is not DirectMessages.CLOSED)
    return (BOARD_DELIVERY, *(hand_delivery(i) for i in written if table.game.hidden))
