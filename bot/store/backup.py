"""Makes verified copies of the database and deletes old ones by a retention policy.

A copy is made in another thread, of the database's file, which does not change meanwhile.  It is flushed,
compared with the file, verified, and only then renamed to its name: a file with such a name has been
verified.
"""

import asyncio
import logging
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from bot.store.file_copy import Interruption, copy_file, is_copy, run_interruptible
from bot.store.inspection import (
    count_rows,
    file_faults,
    open_copy,
    sample_tables,
    schema_faults,
    table_faults,
)
from bot.store.ownership import chown_like
from bot.store.protocol import Backup, BackupFailed, Counts, ReplayCheck, StoreError
from bot.store.sqlite import SqliteStore

SAMPLE_SIZE: Final = 5
"""How many tables of each copy are replayed."""
PARTIAL_SUFFIX: Final = ".partial"
"""Ends the name of a copy that is not verified yet."""
_FILE_NAME_FORMAT: Final = "captains-table-%Y%m%d-%H%M%S.db"
_FILE_NAME_PATTERN: Final = re.compile(r"captains-table-\d{8}-\d{6}\.db")
_DAY: Final = 24 * 3600

_log = logging.getLogger(__name__)


class RetentionPolicy(msgspec.Struct, frozen=True):
    """How many copies are kept: the newest, one an hour, one a day."""

    newest: int = 8
    hours: int = 24
    days: int = 14


DEFAULT_RETENTION: Final = RetentionPolicy()


def backups_in(folder: Path) -> tuple[Backup, ...]:
    """Return the verified copies in a folder, oldest first."""
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(
            Backup(_made_at(path), path)
            for path in folder.iterdir()
            if _FILE_NAME_PATTERN.fullmatch(path.name)
        )
    )


def _made_at(path: Path) -> int:
    return int(datetime.strptime(path.name, _FILE_NAME_FORMAT).replace(tzinfo=UTC).timestamp())


def find_backups_to_delete(
    backups: Sequence[Backup], retention: RetentionPolicy, now: float
) -> tuple[Backup, ...]:
    """Return the copies that the retention policy does not keep; the newest one is never among them."""
    kept = set(backups[-max(1, retention.newest) :])
    for length, count in ((3600, retention.hours), (_DAY, retention.days)):
        first_of_period: dict[int, Backup] = {}
        for backup in backups:  # the first of its hour stays the first, so it is not replaced by a later one
            if now - backup.made_at <= length * count:
                first_of_period.setdefault(backup.made_at // length, backup)
        kept |= set(first_of_period.values())
    return tuple(backup for backup in backups if backup not in kept)


class SqliteBackups:
    """``bot.store.protocol.Backups`` of a store on SQLite, in a folder of their own."""

    def __init__(
        self,
        store: SqliteStore,
        folder: Path,
        replay_check: ReplayCheck,
        retention: RetentionPolicy = DEFAULT_RETENTION,
    ) -> None:
        """``replay_check`` is run on a few tables of each copy; what it finds is logged."""
        self.folder = folder
        self._store = store
        self._replay_check = replay_check
        self._retention = retention
        self._changes: int | None = None
        """How many changes the store's connection had made when the newest copy was made."""
        self._reported: set[tuple[int, int]] = set()
        """The findings (table, record) that have been logged."""

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
        async with self._store.unchanging_file() as file:
            if not await run_interruptible(partial(is_copy, file.descriptor, newest.path)):
                return False
        self._changes = file.changes
        return True

    async def make(self, now: float) -> Backup:
        """Copy, verify, and delete the copies that the retention policy does not keep.

        Raises BackupFailed, without leaving a file.  A caller who is cancelled does not wait
        long either, and leaves no file.
        """
        try:
            unverified = await asyncio.to_thread(create_partial_file, self.folder, now)
            try:
                async with self._store.unchanging_file() as file:
                    await run_interruptible(partial(_copy_exactly, file.descriptor, unverified))
                backup = await run_interruptible(partial(self._finish, unverified, now))
            except BaseException:
                unverified.unlink(missing_ok=True)
                raise
        except BackupFailed:
            raise
        except (OSError, sqlite3.Error, StoreError) as error:
            raise BackupFailed(f"The backup could not be made: {error}") from error
        self._changes = file.changes
        return backup

    def _finish(self, unverified: Path, now: float, interruption: Interruption) -> Backup:
        verify(unverified, interruption=interruption)
        self._log_findings(unverified, interruption)
        backup = finish_copy(unverified)
        for old in find_backups_to_delete(backups_in(self.folder), self._retention, now):
            old.path.unlink(missing_ok=True)
        return backup

    def _log_findings(self, path: Path, interruption: Interruption) -> None:
        """Log each new fault in a table, except in frozen ones.  Such a fault does not spoil the copy."""
        with open_copy(path) as connection, interruption.covering(connection):
            sample = sample_tables(connection, SAMPLE_SIZE)
            found = {(each.table, each.ply) for each in table_faults(connection, self._replay_check, sample)}
        for table, ply in sorted(found - self._reported):
            _log.error(
                "stored table damaged: run doctor",
                extra={"table": table, "record": ply},
            )
        self._reported |= found


def _copy_exactly(descriptor: int, target: Path, interruption: Interruption) -> None:
    copy_file(descriptor, target, interruption)
    if not is_copy(descriptor, target, interruption):
        raise BackupFailed(f"The copy {target.name} does not hold what the database holds.")


def create_partial_file(folder: Path, now: float) -> Path:
    """Create the empty file to copy into, readable by its owner only; delete old partial ones."""
    ensure_folder(folder)
    for stale in folder.glob(f"*{PARTIAL_SUFFIX}*"):
        stale.unlink(missing_ok=True)
    moment = int(now)
    while (folder / _name_at(moment)).exists():
        moment += 1
    unverified = folder / f"{_name_at(moment)}{PARTIAL_SUFFIX}"
    os.close(os.open(unverified, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    chown_like(unverified, folder)
    return unverified


def ensure_folder(folder: Path) -> None:
    """Create the folder of the copies, readable by its owner only."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        chown_like(folder, folder.parent)


def _name_at(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime(_FILE_NAME_FORMAT)


def verify(path: Path, counts: Counts | None = None, *, interruption: Interruption | None = None) -> None:
    """Raise BackupFailed unless a copy is whole and of a schema that this release can bring up to date.

    ``counts``: what it must hold.  A fault in a single table is in the database too, so it makes no copy bad:
    otherwise one such table would end the backups of all.
    """
    try:
        with open_copy(path) as connection, (interruption or Interruption()).covering(connection):
            for fault in chain(file_faults(connection), schema_faults(connection)):
                raise BackupFailed(f"The copy {path.name} is not good: {fault}")
            if counts is not None and count_rows(connection) != counts:
                raise BackupFailed(f"The copy {path.name} does not hold what the database holds.")
    except BackupFailed:
        raise
    except StoreError as error:
        raise BackupFailed(f"The copy {path.name} is not good: {error}") from error


def finish_copy(unverified: Path) -> Backup:
    """Flush a verified copy and give it its final name."""
    flush(unverified)
    path = unverified.with_name(unverified.name.removesuffix(PARTIAL_SUFFIX))
    unverified.rename(path)
    flush(path.parent)
    return Backup(_made_at(path), path)


def flush(path: Path) -> None:
    """Flush a file's content, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def copy_before_migrating(
    folder: Path, clock: Callable[[], float], interruption: Interruption | None = None
) -> Callable[[sqlite3.Connection], None]:
    """Return what ``open_store`` calls with an older database before it changes the schema.

    It raises StoreError where no copy can be made, or after the ``interruption``.
    """
    interruption = interruption or Interruption()

    def copy(connection: sqlite3.Connection) -> None:
        try:
            unverified = create_partial_file(folder, clock())
            with interruption.covering(connection):
                connection.execute("vacuum into ?", (str(unverified),))
                counts = count_rows(connection)
            verify(unverified, counts, interruption=interruption)
            finish_copy(unverified)
        except (OSError, sqlite3.Error) as error:
            raise BackupFailed(f"No backup before the schema is changed: {error}") from error

    return copy


def newest_good_backup(backups: Iterable[Backup]) -> Backup | None:
    """Return the newest of some copies that is whole; None if there is none."""
    for backup in sorted(backups, reverse=True):
        try:
            verify(backup.path)
        except BackupFailed:
            continue
        return backup
    return None
