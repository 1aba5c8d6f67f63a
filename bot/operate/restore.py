"""Restores a backup: everything goes back together, and every table that went back says so."""

import contextlib
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from bot.config import StorageSettings
from bot.host.decision import BOARD, LOBBY, hand, notice
from bot.host.replay_check import find_divergence
from bot.host.table import Games, Table, unpack
from bot.store.backup import backups_in, first_good, folder_for, verify
from bot.store.inspection import reading
from bot.store.ownership import chown_like
from bot.store.protocol import NUMBERS_USED, Divergence
from bot.store.restoring import ReplacedState, clear, holding, read_versions, swap
from bot.store.rows import LIVE, Change, DirectMessages, NewDelivery, Status, StoredTable
from bot.store.sqlite import SqliteStore, open_store

_RESTORING: Final = ".restoring"
_COUNT: Final = "generation"
"""The file beside the backups that counts the restorations, should the database itself be lost."""


_Marked: TypeAlias = tuple[
    tuple[tuple[int, int], ...], tuple[int, ...] | None, tuple[tuple[int, int], ...], tuple[int, ...]
]
"""``back``, ``lost``, ``frozen`` and ``unreadable`` of what was restored."""


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
    frozen: tuple[tuple[int, int], ...]
    """Those that went back and that this release plays differently, and from which record on (0: none)."""
    unreadable: tuple[int, ...]
    """Those that went back as damaged as they were copied; they rest."""


async def restore(
    storage: StorageSettings,
    games: Games,
    now: float,
    source: Path | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> Restored:
    """Put a backup (the newest good one) in the database's place.

    Raises InUse while a bot runs, NothingToRestore, BackupFailed, OSError; then nothing has changed.
    """
    if source is None:
        newest = first_good(backups_in(storage.backups))
        if newest is None:
            raise NothingToRestore(f"There is no good backup in {storage.backups}. Name a file.")
        source = newest.path
    else:
        verify(source)
    database = storage.database
    database.parent.mkdir(parents=True, exist_ok=True)
    new = database.with_name(database.name + _RESTORING)
    with holding(database) as old:
        before = read_versions(old)
        clear(new)
        _copy(source, new)
        chown_like(new, database if database.exists() else database.parent)
        step("copied")
        generation = _next_generation(storage, before, new)
        try:
            done = await _marked(new, games, before, generation, int(now))
            step("marked")
            kept = _kept_name(database, now) if database.exists() else None
            swap(new, database, kept or database, step)
        except BaseException:
            clear(new)
            raise
    return Restored(source, kept, *done)


def _copy(source: Path, new: Path) -> None:
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    shutil.copyfile(source, new)


def _kept_name(database: Path, now: float) -> Path:
    stamp = datetime.fromtimestamp(int(now), UTC).strftime("%Y%m%d-%H%M%S")
    kept, count = database.with_name(f"replaced-{stamp}.db"), 1
    while kept.exists():
        kept, count = database.with_name(f"replaced-{stamp}-{count}.db"), count + 1
    return kept


def _next_generation(storage: StorageSettings, before: ReplacedState, new: Path) -> int:
    """One more than any that a button may carry, whatever of the databases is left."""
    count = storage.backups / _COUNT
    known = 0
    with contextlib.suppress(OSError, ValueError):
        known = int(count.read_text(encoding="ascii"))
    with reading(new) as connection:
        generation = 1 + max(known, before.generation, read_versions(connection).generation)
    folder_for(storage.backups)
    count.write_text(f"{generation}\n", encoding="ascii")
    chown_like(count, storage.backups)
    return generation


async def _marked(new: Path, games: Games, before: ReplacedState, generation: int, now: int) -> _Marked:
    """Give every table that goes back its mark and its notice."""
    store = await open_store(new)
    back, frozen, unreadable = [], [], []
    try:
        versions = await store.versions()
        for number, version in versions.items():
            if before.versions is not None and before.versions.get(number) == version:
                continue
            try:
                stored = await store.load(number)
            except Exception:  # noqa: BLE001 - whatever is wrong with one table, the others are restored
                unreadable.append(number)
                continue
            assert stored is not None
            if stored.table.status not in LIVE and number not in (before.versions or ()):
                continue  # it was closed then as well, or nobody knows of anything later
            flaw = find_divergence(stored, games) if _begun(stored, games) else None
            if flaw is not None:
                frozen.append((number, flaw.ply))
            back.append((number, await _mark(store, stored, games, generation, now, flaw)))
        lost = None if before.versions is None else tuple(sorted(set(before.versions) - set(versions)))
        used = max(before.used, int(await store.setting(NUMBERS_USED) or 0), *(lost or ()))
        await store.begin_generation(generation, used, tuple(number for number, _ in back))
    finally:
        await store.close()
    return tuple(back), lost, tuple(frozen), tuple(unreadable)


def _begun(stored: StoredTable, games: Games) -> bool:
    """Whether a game goes on or rests, and this release has that game at all."""
    row = stored.table
    return row.status in {Status.PLAYING, Status.PAUSED} and row.game in games


async def _mark(
    store: SqliteStore, stored: StoredTable, games: Games, generation: int, now: int, flaw: Divergence | None
) -> int:
    row = stored.table
    table: Table | None = None
    with contextlib.suppress(Exception):  # of a game that this release does not have: its mark stays
        table = unpack(stored, games)
    move = row.ply if table is None else table.moves
    texts = [f"This table was restored from backup to move {move}: what came after it is lost. I am sorry."]
    changed = msgspec.structs.replace(
        row, version=row.version + 1, generation=generation, restored_to=move, undo_request=None
    )
    if flaw is not None:
        where = f" from record {flaw.ply} on" if flaw.ply else ""
        texts.append(
            f"This game is frozen: the rules in this version of me are not those it was begun with{where}."
            " Nothing more is lost; whoever runs me can mend it."
        )
        changed = changed.frozen()
    await store.commit(
        Change(
            table=changed,
            reply="",
            deliveries=(*map(notice, texts), *_afresh(row.status, table)),
            intervention=f"restored from backup to move {move}",
            at=now,
        )
    )
    return move


def _afresh(status: Status, table: Table | None) -> tuple[NewDelivery, ...]:
    """What is posted anew, since what was posted before carries buttons of the lost time."""
    if status is Status.LOBBY:
        return (LOBBY,)
    if table is None or status not in LIVE:
        return ()
    seats = enumerate(table.seats)
    written = (i for i, row in seats if row.user and row.direct_messages is not DirectMessages.CLOSED)
    return (BOARD, *(hand(i) for i in written if table.game.hidden))
