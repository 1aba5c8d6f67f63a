"""Restores a backup: everything goes back together, and every table that went back says so."""

import contextlib
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from bot.config import Keeping
from bot.host.decision import BOARD, LOBBY, hand, notice
from bot.host.proof import prover
from bot.host.table import Games, Table, unpack
from bot.store.backup import backups_in, first_good, folder_for, verify
from bot.store.inspection import reading, schema_faults
from bot.store.ownership import give
from bot.store.protocol import (
    LIVE,
    BackupFailed,
    Change,
    DirectMessages,
    NewDelivery,
    Status,
    StoredTable,
    StoreError,
)
from bot.store.restoring import Before, clear, come_to, holding, swap
from bot.store.sqlite import SqliteStore, open_store

_RESTORING: Final = ".restoring"
_COUNT: Final = "generation"
"""The file beside the backups that counts the restorations, should the database itself be lost."""


class NothingToRestore(Exception):
    """There is no good backup; the text says what to do."""


class Restored(msgspec.Struct, frozen=True):
    """What a restoration did."""

    source: Path
    kept: Path | None
    """Where the replaced database is now."""
    back: tuple[tuple[int, int], ...]
    """Each table that went back, and to which move."""
    lost: tuple[int, ...] | None
    """The tables that had been opened since; None: the replaced database could not be read."""


async def restore(
    keeping: Keeping,
    games: Games,
    now: float,
    source: Path | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> Restored:
    """Put a backup (the newest good one) in the database's place.

    Raises InUse while a bot runs, NothingToRestore, BackupFailed, OSError; then nothing has changed.
    """
    prove = prover(games)
    if source is None:
        newest = first_good(backups_in(keeping.backups), prove)
        if newest is None:
            raise NothingToRestore(f"There is no good backup in {keeping.backups}. Name a file.")
        source = newest.path
    else:
        _check(source, games)
    database = keeping.database
    database.parent.mkdir(parents=True, exist_ok=True)
    new = database.with_name(database.name + _RESTORING)
    with holding(database) as old:
        before = come_to(old)
        clear(new)
        _copy(source, new)
        give(new, database if database.exists() else database.parent)
        step("copied")
        generation = _next_generation(keeping, before, new)
        try:
            back, lost = await _marked(new, games, before, generation, int(now))
            step("marked")
            kept = _kept_name(database, now) if database.exists() else None
            swap(new, database, kept or database, step)
        except BaseException:
            clear(new)
            raise
    return Restored(source, kept, back, lost)


def _check(source: Path, games: Games) -> None:
    """A backup of an older release is only looked at as a file: its tables are in another form."""
    try:
        with reading(source) as connection:
            current = not list(schema_faults(connection))
    except StoreError as error:
        raise BackupFailed(str(error)) from error
    verify(source, None, prover(games) if current else None)


def _copy(source: Path, new: Path) -> None:
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    shutil.copyfile(source, new)


def _kept_name(database: Path, now: float) -> Path:
    stamp = datetime.fromtimestamp(int(now), UTC).strftime("%Y%m%d-%H%M%S")
    kept, count = database.with_name(f"replaced-{stamp}.db"), 1
    while kept.exists():
        kept, count = database.with_name(f"replaced-{stamp}-{count}.db"), count + 1
    return kept


def _next_generation(keeping: Keeping, before: Before, new: Path) -> int:
    """One more than any that a button may carry, whatever of the databases is left."""
    count = keeping.backups / _COUNT
    known = 0
    with contextlib.suppress(OSError, ValueError):
        known = int(count.read_text(encoding="ascii"))
    with reading(new) as connection:
        generation = 1 + max(known, before.generation, come_to(connection).generation)
    folder_for(keeping.backups)
    count.write_text(f"{generation}\n", encoding="ascii")
    give(count, keeping.backups)
    return generation


async def _marked(
    new: Path, games: Games, before: Before, generation: int, now: int
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...] | None]:
    """Give every table that goes back its mark and its notice; which ones, and which are lost."""
    store = await open_store(new)
    try:
        versions = await store.versions()
        back = []
        for number, version in versions.items():
            stored = await store.load(number)
            assert stored is not None
            at = None if before.versions is None else before.versions.get(number)
            if stored.table.status in LIVE and at != version:
                back.append((number, await _mark(store, stored, games, generation, now)))
        lost = None if before.versions is None else tuple(sorted(set(before.versions) - set(versions)))
        await store.begin_generation(generation, max(lost or (0,)), tuple(number for number, _ in back))
    finally:
        await store.close()
    return tuple(back), lost


async def _mark(store: SqliteStore, stored: StoredTable, games: Games, generation: int, now: int) -> int:
    row = stored.table
    table: Table | None = None
    with contextlib.suppress(
        Exception
    ):  # it may be of a game that this release does not have; its mark stays
        table = unpack(stored, games)
    move = row.ply if table is None else table.moves
    text = f"This table was restored from backup to move {move}: what came after it is lost. I am sorry."
    changed = msgspec.structs.replace(
        row, version=row.version + 1, generation=generation, restored_to=move, undo_request=None
    )
    await store.commit(
        Change(
            table=changed,
            reply="",
            deliveries=(notice(text), *_afresh(row.status, table)),
            intervention=f"restored from backup to move {move}",
            at=now,
        )
    )
    return move


def _afresh(status: Status, table: Table | None) -> tuple[NewDelivery, ...]:
    """What is posted anew, since what was posted before carries buttons of the lost time."""
    if status is Status.LOBBY:
        return (LOBBY,)
    if table is None:
        return ()
    seats = enumerate(table.seats)
    written = (i for i, row in seats if row.user and row.direct_messages is not DirectMessages.CLOSED)
    return (BOARD, *(hand(i) for i in written if table.game.hidden))
