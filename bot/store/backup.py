"""Verified copies of the database, written beside it: never half there, never too many.

A copy is made by ``VACUUM INTO`` on the store's own connection (there is no second one), flushed, verified in
another thread, and only then renamed to its name.  Whatever bears such a name has been verified.
"""

import asyncio
import contextlib
import os
import random
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from bot.store.inspection import all_tables, count_rows, file_faults, reading, schema_faults, table_faults
from bot.store.ownership import give
from bot.store.protocol import Backup, BackupFailed, Counts, Prover, StoreError
from bot.store.sqlite import SqliteStore

T = TypeVar("T")

SAMPLE: Final = 5
"""Tables whose records are replayed in each copy."""
PARTIAL: Final = ".partial"
"""Ends the name of a copy that is not verified yet."""
_STAMP: Final = "captains-table-%Y%m%d-%H%M%S.db"
_NAME: Final = re.compile(r"captains-table-\d{8}-\d{6}\.db")
_DAY: Final = 24 * 3600


class Rotation(msgspec.Struct, frozen=True):
    """Which copies are kept: the newest, one an hour, one a day."""

    newest: int = 8
    hours: int = 24
    days: int = 14


USUAL_ROTATION: Final = Rotation()


def backups_in(folder: Path) -> tuple[Backup, ...]:
    """The verified copies in a folder, oldest first."""
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(Backup(_made_at(path), path) for path in folder.iterdir() if _NAME.fullmatch(path.name))
    )


def _made_at(path: Path) -> int:
    return int(datetime.strptime(path.name, _STAMP).replace(tzinfo=UTC).timestamp())


def expendable(backups: Sequence[Backup], rotation: Rotation, now: float) -> tuple[Backup, ...]:
    """The copies that the rotation does not keep.  The newest one is always kept."""
    kept = set(backups[-max(1, rotation.newest) :])
    for length, count in ((3600, rotation.hours), (_DAY, rotation.days)):
        first: dict[int, Backup] = {}
        for backup in backups:  # the first of its hour stays the first, so it is not replaced by a later one
            if now - backup.made_at <= length * count:
                first.setdefault(backup.made_at // length, backup)
        kept |= set(first.values())
    return tuple(backup for backup in backups if backup not in kept)


class SqliteBackups:
    """``bot.store.protocol.Backups`` of a store on SQLite, in a folder of their own."""

    def __init__(
        self,
        store: SqliteStore,
        folder: Path,
        prove: Prover,
        rotation: Rotation = USUAL_ROTATION,
    ) -> None:
        """``prove`` replays a table; a few are tried in each copy."""
        self.folder = folder
        self._store = store
        self._prove = prove
        self._rotation = rotation
        self._changes: int | None = None
        """How many changes the store's connection had made when the newest copy was made."""

    async def newest(self) -> Backup | None:
        """The newest verified copy."""
        found = await asyncio.to_thread(backups_in, self.folder)
        return found[-1] if found else None

    async def is_current(self) -> bool:
        """Whether nothing has changed since the newest copy, made by this run or an earlier one."""
        newest = await self.newest()
        if newest is None:
            return False
        if self._changes is not None:
            return await self._store.changes() == self._changes
        changes, counts = await self._store.changes(), await self._store.counts()
        if await asyncio.to_thread(_counts_of, newest.path) != counts:
            return False
        self._changes = changes
        return True

    async def make(self, now: float) -> Backup:
        """Copy, verify, rotate.  Raises BackupFailed; then no trace is left."""
        try:
            partial = await asyncio.to_thread(prepare, self.folder, now)
            try:
                changes, counts = await self._store.copy_into(partial)
                backup = await asyncio.to_thread(self._finish, partial, counts, now)
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
        except BackupFailed:
            raise
        except (OSError, sqlite3.Error, StoreError) as error:
            raise BackupFailed(f"The backup could not be made: {error}") from error
        self._changes = changes
        return backup

    def _finish(self, partial: Path, counts: Counts, now: float) -> Backup:
        verify(partial, counts, self._prove)
        backup = settle(partial)
        for old in expendable(backups_in(self.folder), self._rotation, now):
            old.path.unlink(missing_ok=True)
        return backup


def prepare(folder: Path, now: float) -> Path:
    """The file to copy into: empty, readable by nobody else (it holds the seeds).  Old partial ones go."""
    folder_for(folder)
    for stale in folder.glob(f"*{PARTIAL}*"):
        stale.unlink(missing_ok=True)
    moment = int(now)
    while (folder / _name_at(moment)).exists():
        moment += 1
    partial = folder / f"{_name_at(moment)}{PARTIAL}"
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    give(partial, folder)
    return partial


def folder_for(folder: Path) -> None:
    """Have the folder of the copies be there, for its owner's eyes only."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        give(folder, folder.parent)


def _name_at(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime(_STAMP)


def verify(path: Path, counts: Counts | None, prove: Prover | None, sample: int = SAMPLE) -> None:
    """Raise BackupFailed unless a copy is whole, holds ``counts``, and a sample of its tables replays.

    ``prove`` None: the copy is of an older schema, so its tables are only counted.
    """
    try:
        with reading(path) as connection:
            checks = [file_faults(connection)]
            if prove is not None:
                numbers = all_tables(connection)
                tried = {*numbers[:1], *random.sample(numbers, min(sample, len(numbers)))}
                checks += [schema_faults(connection), table_faults(connection, prove, tried)]
            for fault in chain.from_iterable(checks):
                raise BackupFailed(f"The copy {path.name} is not good: {fault}")
            if counts is not None and count_rows(connection) != counts:
                raise BackupFailed(f"The copy {path.name} does not hold what the database holds.")
    except BackupFailed:
        raise
    except StoreError as error:
        raise BackupFailed(f"The copy {path.name} is not good: {error}") from error


def settle(partial: Path) -> Backup:
    """Flush a verified copy and give it its name: from here on it counts."""
    flush(partial)
    path = partial.with_name(partial.name.removesuffix(PARTIAL))
    partial.rename(path)
    flush(path.parent)
    return Backup(_made_at(path), path)


def flush(path: Path) -> None:
    """Have the disk hold a file's content, or a folder's names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _counts_of(path: Path) -> Counts | None:
    with contextlib.suppress(StoreError), reading(path) as connection:
        return count_rows(connection)
    return None


def copy_before_migrating(folder: Path, clock: Callable[[], float]) -> Callable[[sqlite3.Connection], None]:
    """What ``open_store`` does with an older database before it changes the schema."""

    def work(connection: sqlite3.Connection) -> None:
        try:
            partial = prepare(folder, clock())
            connection.execute("vacuum into ?", (str(partial),))
            verify(partial, count_rows(connection), None)
            settle(partial)
        except (OSError, sqlite3.Error) as error:
            raise BackupFailed(f"No backup before the schema is changed: {error}") from error

    return work


def first_good(backups: Iterable[Backup], prove: Prover) -> Backup | None:
    """The newest of some copies that is (still) whole."""
    for backup in sorted(backups, reverse=True):
        try:
            verify(backup.path, None, prove)
        except BackupFailed:
            continue
        return backup
    return None
