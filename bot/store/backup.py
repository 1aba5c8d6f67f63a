"""Makes verified copies of the database and deletes old ones by a retention policy.

A copy is made by ``VACUUM INTO`` on the store's own connection (there is no second one), flushed, verified in
another thread, and only then renamed to its name.  A file with such a name has been verified.
"""

import asyncio
import contextlib
import logging
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from bot.store.inspection import (
    count_rows,
    file_faults,
    open_copy,
    sample_faults,
    schema_faults,
    table_faults,
)
from bot.store.ownership import chown_like
from bot.store.protocol import Backup, BackupFailed, Counts, ReplayCheck, Sample, StoreError
from bot.store.rows import NOT_CLOSED, Status
from bot.store.sqlite import CopiedState, SqliteStore

T = TypeVar("T")

SAMPLE_SIZE: Final = 5
"""How many tables of each copy are compared with the original, and replayed."""
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


def find_expendable(backups: Sequence[Backup], retention: RetentionPolicy, now: float) -> tuple[Backup, ...]:
    """Return the copies that the retention policy drops, never the newest one."""
    kept = set(backups[-max(1, retention.newest) :])
    for length, count in ((3600, retention.hours), (_DAY, retention.days)):
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
        changes, counts = await self._store.changes(), await self._store.counts()
        if await asyncio.to_thread(_counts_of, newest.path) != counts:
            return False
        self._changes = changes
        return True

    async def make(self, now: float) -> Backup:
        """Copy, verify, and delete expendable copies.  Raises BackupFailed, without leaving a file."""
        try:
            partial = await asyncio.to_thread(prepare, self.folder, now)
            try:
                copied = await self._store.copy_into(partial, SAMPLE_SIZE)
                backup = await asyncio.to_thread(self._finish, partial, copied, now)
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
        except BackupFailed:
            raise
        except (OSError, sqlite3.Error, StoreError) as error:
            raise BackupFailed(f"The backup could not be made: {error}") from error
        self._changes = copied.changes
        return backup

    def _finish(self, partial: Path, copied: CopiedState, now: float) -> Backup:
        verify(partial, copied.counts, copied.sample)
        self._log_findings(partial, copied.sample)
        backup = settle(partial)
        for old in find_expendable(backups_in(self.folder), self._retention, now):
            old.path.unlink(missing_ok=True)
        return backup

    def _log_findings(self, path: Path, sample: Sample) -> None:
        """Log each new fault in a table, except in frozen ones.  Such a fault does not spoil the copy."""
        going_on = [
            number
            for number, stored in sample.items()
            if stored is None
            or (stored.table.status in NOT_CLOSED and stored.table.status is not Status.FROZEN)
        ]
        with open_copy(path) as connection:
            found = {
                (each.table, each.ply) for each in table_faults(connection, self._replay_check, going_on)
            }
        for table, ply in sorted(found - self._reported):
            _log.error(
                "stored table damaged: run doctor",
                extra={"table": table, "record": ply},
            )
        self._reported |= found


def prepare(folder: Path, now: float) -> Path:
    """Create the empty file to copy into, readable by its owner only; delete old partial ones."""
    ensure_folder(folder)
    for stale in folder.glob(f"*{PARTIAL_SUFFIX}*"):
        stale.unlink(missing_ok=True)
    moment = int(now)
    while (folder / _name_at(moment)).exists():
        moment += 1
    partial = folder / f"{_name_at(moment)}{PARTIAL_SUFFIX}"
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    chown_like(partial, folder)
    return partial


def ensure_folder(folder: Path) -> None:
    """Create the folder of the copies, readable by its owner only."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        chown_like(folder, folder.parent)


def _name_at(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime(_FILE_NAME_FORMAT)


def verify(path: Path, counts: Counts | None = None, sample: Sample | None = None) -> None:
    """Raise BackupFailed unless a copy is whole and of a schema that this release can bring up to date.

    ``counts``, ``sample``: what it must hold.  What is wrong with single tables was wrong before; it makes no
    copy a bad one, for all the others would go without.
    """
    try:
        with open_copy(path) as connection:
            checks = [file_faults(connection), schema_faults(connection)]
            if sample is not None:
                checks.append(sample_faults(connection, sample))
            for fault in chain.from_iterable(checks):
                raise BackupFailed(f"The copy {path.name} is not good: {fault}")
            if counts is not None and count_rows(connection) != counts:
                raise BackupFailed(f"The copy {path.name} does not hold what the database holds.")
    except BackupFailed:
        raise
    except StoreError as error:
        raise BackupFailed(f"The copy {path.name} is not good: {error}") from error


def settle(partial: Path) -> Backup:
    """Flush a verified copy and give it its final name."""
    flush(partial)
    path = partial.with_name(partial.name.removesuffix(PARTIAL_SUFFIX))
    partial.rename(path)
    flush(path.parent)
    return Backup(_made_at(path), path)


def flush(path: Path) -> None:
    """Flush a file's content, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _counts_of(path: Path) -> Counts | None:
    with contextlib.suppress(StoreError), open_copy(path) as connection:
        return count_rows(connection)
    return None


def copy_before_migrating(folder: Path, clock: Callable[[], float]) -> Callable[[sqlite3.Connection], None]:
    """Return what ``open_store`` calls with an older database before it changes the schema."""

    def work(connection: sqlite3.Connection) -> None:
        try:
            partial = prepare(folder, clock())
            connection.execute("vacuum into ?", (str(partial),))
            verify(partial, count_rows(connection))
            settle(partial)
        except (OSError, sqlite3.Error) as error:
            raise BackupFailed(f"No backup before the schema is changed: {error}") from error

    return work


def newest_good_backup(backups: Iterable[Backup]) -> Backup | None:
    """Return the newest of some copies that is whole; None if there is none."""
    for backup in sorted(backups, reverse=True):
        try:
            verify(backup.path)
        except BackupFailed:
            continue
        return backup
    return None
