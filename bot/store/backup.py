"""Makes verified copies of the database and deletes old ones by a retention policy.

A copy is made in another thread, of the database's file, which does not change meanwhile, and compared with
it; before a migration SQLite makes the copy, and rows are counted.  Only verified copies get a final name.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from bot.store.backup_folder import (
    DEFAULT_RETENTION,
    RetentionPolicy,
    backups_in,
    create_partial_file,
    delete_partial_files,
    find_backups_to_delete,
    finish_copy,
    note_current,
)
from bot.store.file_copy import Interruption, copy_file, is_copy, run_interruptible
from bot.store.inspection import (
    count_rows,
    file_faults,
    open_read_only,
    sample_ongoing_tables,
    schema_faults,
    summarize_tables,
    table_faults,
)
from bot.store.protocol import Backup, BackupFailed, ReplayCheck, RowCounts, StoreError
from bot.store.sqlite import SqliteStore

SAMPLE_SIZE: Final = 5
"""How many tables of each copy are replayed."""

_log = logging.getLogger(__name__)


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
        self._change_count: int | None = None
        """The store's ``change_count`` when the newest copy was made; None: not known in this run yet."""
        self._newest_path: Path | None = None
        """The copy made at that ``change_count``."""
        self._logged_faults: set[tuple[int, int]] = set()
        """The faults that have been logged: number of the table, and ply (0: of the table itself)."""

    async def newest(self) -> Backup | None:
        """Return the newest verified copy; None if there is none."""
        backups = await asyncio.to_thread(backups_in, self.folder)
        return backups[-1] if backups else None

    async def confirm_current(self) -> bool:
        """Return whether nothing has changed since the newest copy was made, in this run or an earlier one.

        If so, the time is noted for ``covered_until``.  False if there is no copy.
        Raises StoreError, OSError.
        """
        is_current = await self._is_current()
        if is_current:
            await asyncio.to_thread(note_current, self.folder)
        return is_current

    async def _is_current(self) -> bool:
        newest = await self.newest()
        if newest is None:
            return False
        if self._change_count is not None:
            if self._newest_path is None or not await asyncio.to_thread(self._newest_path.exists):
                return False  # somebody has deleted it
            return await self._store.change_count() == self._change_count
        async with self._store.unchanging_file() as file:
            if not await run_interruptible(partial(is_copy, file.descriptor, newest.path)):
                return False
        self._change_count, self._newest_path = file.change_count, newest.path
        return True

    async def make(self, now: float) -> Backup:
        """Copy, verify, and delete the copies that the retention policy does not keep.

        Raises BackupFailed.  A cancellation takes effect soon.  As after a failure, no partial file is left.
        """
        try:
            try:
                # A cancelled caller waits for this too: else it would delete the next copy's partial file.
                partial_file = await run_interruptible(lambda _: create_partial_file(self.folder, now))
                async with self._store.unchanging_file() as file:
                    await run_interruptible(partial(_copy_and_compare, file.descriptor, partial_file))
                backup = await run_interruptible(partial(self._verify_and_rotate, partial_file, now))
            except BaseException:
                delete_partial_files(self.folder)
                raise
        except BackupFailed:
            raise
        except (OSError, sqlite3.Error, StoreError) as error:
            text = f"The backup could not be made in {self.folder}: {_reason_text(error)}"
            raise BackupFailed(text) from error
        self._change_count, self._newest_path = file.change_count, backup.path
        return backup

    def _verify_and_rotate(self, partial_file: Path, now: float, interruption: Interruption) -> Backup:
        """Verify a copy, give it its final name, and delete the copies that are not kept."""
        verify_copy(partial_file, interruption=interruption)
        self._log_table_faults(partial_file, interruption)
        backup = finish_copy(partial_file)
        for outdated_backup in find_backups_to_delete(backups_in(self.folder), self._retention, now):
            if outdated_backup.path != backup.path:  # a clock that was set back makes the new one look older
                outdated_backup.path.unlink(missing_ok=True)
        return backup

    def _log_table_faults(self, path: Path, interruption: Interruption) -> None:
        """Log each new fault in a table; only a sample is replayed.  Such a fault does not spoil the copy."""
        with open_read_only(path) as connection, interruption.extended_to(connection):
            sample = sample_ongoing_tables(connection, SAMPLE_SIZE)
            faults = table_faults(connection, self._replay_check, sample)
            found_faults = {(fault.table_number, fault.ply) for fault in faults}
        for table_number, ply in sorted(found_faults - self._logged_faults):
            _log.error(
                "stored table damaged: run doctor",
                extra={"table": table_number, "record": ply},
            )
        self._logged_faults |= found_faults


def _reason_text(error: Exception) -> str:
    """Return why a backup failed, without the system's number of an error."""
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"


def _copy_and_compare(descriptor: int, target: Path, interruption: Interruption) -> None:
    copy_file(descriptor, target, interruption)
    if not is_copy(descriptor, target, interruption):
        raise BackupFailed(f"The copy {target.name} does not hold what the database holds.")


def verify_copy(
    path: Path, row_counts: RowCounts | None = None, *, interruption: Interruption | None = None
) -> None:
    """Raise BackupFailed unless a copy is whole and of a schema that this release can bring up to date.

    ``row_counts``: what it must hold.  A missing index or trigger, or a fault in a single table, is in the
    database too, and loses nothing, so it does not make a copy bad: otherwise it would end all backups.
    """
    try:
        with open_read_only(path) as connection, (interruption or Interruption()).extended_to(connection):
            fault = next(
                chain(file_faults(connection), schema_faults(connection, with_indexes_and_triggers=False)),
                None,
            )
            if fault is not None:
                raise BackupFailed(f"The copy {path.name} is not good: {fault}")
            if row_counts is not None and count_rows(connection) != row_counts:
                raise BackupFailed(f"The copy {path.name} does not hold what the database holds.")
    except BackupFailed:
        raise
    except StoreError as error:
        raise BackupFailed(f"The copy {path.name} is not good: {error}") from error


def make_pre_migration_copier(
    folder: Path, clock: Callable[[], float], interruption: Interruption | None = None
) -> Callable[[sqlite3.Connection], None]:
    """Return a function that backs up an older database: ``open_store`` calls it before it migrates.

    The function raises StoreError if no copy can be made, or after the ``interruption``.
    """
    interruption = interruption or Interruption()

    def copy(connection: sqlite3.Connection) -> None:
        try:
            partial_file = create_partial_file(folder, clock())
            with interruption.extended_to(connection):
                connection.execute("vacuum into ?", (str(partial_file),))
                row_counts = count_rows(connection)
            verify_copy(partial_file, row_counts, interruption=interruption)
            finish_copy(partial_file)
        except (OSError, sqlite3.Error) as error:
            text = f"The backup in {folder} before the change of the schema failed: {_reason_text(error)}"
            raise BackupFailed(text) from error

    return copy


class BackupChoice(msgspec.Struct, frozen=True):
    """Which backup is to be restored, and which newer ones are not."""

    backup: Backup | None
    """None: there is no good one."""
    passed_over: tuple[str, ...]
    """Why each newer one is passed over, for operators."""


def choose_backup(backups: Iterable[Backup]) -> BackupChoice:
    """Return the newest backup that ``verify_copy`` accepts.

    One without any table is passed over for an older one that has some: it can only be of a database that was
    begun after another was lost.
    """
    newest_empty = None
    passed_over: list[str] = []
    for backup in sorted(backups, reverse=True):
        try:
            verify_copy(backup.path)
            table_count = summarize_tables(backup.path).table_count
        except StoreError as error:
            passed_over.append(str(error))
            continue
        choice = BackupChoice(backup, tuple(passed_over))
        if table_count:
            return choice
        newest_empty = newest_empty or choice
        passed_over.append(f"The copy {backup.path.name} holds no tables.")
    return newest_empty or BackupChoice(None, tuple(passed_over))
