"""Makes verified copies of the database and deletes old ones by a retention policy.

A copy is made in another thread, of the database's file, which does not change meanwhile, and compared with
it; before a migration SQLite makes the copy, and rows are counted.  Only verified copies get a final name.
"""

import asyncio
import contextlib
import fcntl
import logging
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from bot.store.clock_rows import DAY, HOUR
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
from bot.store.ownership import chown_like
from bot.store.protocol import Backup, BackupFailed, ReplayCheck, RowCounts, StoreError
from bot.store.sqlite import SqliteStore

SAMPLE_SIZE: Final = 5
"""How many tables of each copy are replayed."""
FREE_SPACE_FACTOR: Final = 3
"""How many times the size of the database must be free: for a backup, a restoration and growth."""
MIN_FREE_BYTES: Final = 50 * 2**20
"""How much must be free however small the database is."""
PARTIAL_SUFFIX: Final = ".partial"
"""Ends the name of a copy that is not verified yet."""
_COVERED_UNTIL_FILE: Final = "current"
"""The empty file beside the copies whose time says when the newest copy was last known to hold everything."""
_FILE_NAME_FORMAT: Final = "captains-table-%Y%m%d-%H%M%S.db"
_FILE_NAME_PATTERN: Final = re.compile(r"captains-table-\d{8}-\d{6}\.db")

_log = logging.getLogger(__name__)


class RetentionPolicy(msgspec.Struct, frozen=True):
    """How many copies are kept: the newest, one an hour, one a day."""

    newest_count: int = 8
    hourly_count: int = 24
    daily_count: int = 14


DEFAULT_RETENTION: Final = RetentionPolicy()


def backups_in(folder: Path) -> tuple[Backup, ...]:
    """Return the verified copies in a folder, oldest first."""
    if not folder.is_dir():
        return ()
    times_and_paths = ((_made_at(path), path) for path in folder.iterdir())
    return tuple(sorted(Backup(made_at, path) for made_at, path in times_and_paths if made_at is not None))


class DiskSpace(msgspec.Struct, frozen=True):
    """How much is free on the disk of a folder."""

    folder: Path
    free_bytes: int
    needed_bytes: int
    """How much must be free for a backup, a restoration and growth of the database."""

    @property
    def missing_bytes(self) -> int:
        """How much must be deleted; zero or less if enough is free."""
        return self.needed_bytes - self.free_bytes

    def __str__(self) -> str:
        free, needed = (f"{size / 2**20:,.1f} MB" for size in (self.free_bytes, self.needed_bytes))
        return f"{free} are free at {self.folder}: for backups, a restoration and growth {needed} should be"


def fullest_disk(database: Path, folder: Path) -> DiskSpace:
    """Return the disk of the database or of the backups in ``folder``, whichever has less space free.

    Raises OSError.
    """
    needed_bytes = max(MIN_FREE_BYTES, FREE_SPACE_FACTOR * database.stat().st_size)
    spaces = [
        DiskSpace(each, shutil.disk_usage(each).free, needed_bytes)
        for each in (database.parent, folder)
        if each.is_dir()  # the folder of the backups is made with the first
    ]
    return min(spaces, key=lambda each: each.free_bytes)


def lost_database_text(database: Path, folder: Path) -> str:
    """Return what to do about a missing or empty file while a folder has backups; empty if it is not so."""
    is_missing = not database.exists() or (database.is_file() and not database.stat().st_size)
    if not is_missing:
        return ""
    try:
        if not backups_in(folder):
            return ""
    except OSError as error:
        return f"There is no database at {database}, and {folder} cannot be read: {error.strerror}."
    return (
        f"There is no database at {database} (or an empty file), but there are backups in {folder}:"
        " run `restore`. To begin with an empty database, move the backups away first."
    )


def _made_at(path: Path) -> int | None:
    """Return the time in the name of a verified copy; None for the name of any other file."""
    if not _FILE_NAME_PATTERN.fullmatch(path.name):
        return None
    try:
        return int(datetime.strptime(path.name, _FILE_NAME_FORMAT).replace(tzinfo=UTC).timestamp())
    except ValueError:  # no such day
        return None


def covered_until(folder: Path, newest: Backup) -> float:
    """Return the latest time at which the newest copy in a folder is known to have held everything."""
    try:
        return max(newest.made_at, (folder / _COVERED_UNTIL_FILE).stat().st_mtime)
    except OSError:
        return newest.made_at


def find_backups_to_delete(
    backups: Sequence[Backup], retention: RetentionPolicy, now: float
) -> tuple[Backup, ...]:
    """Return the copies that the retention policy does not keep; the newest one is never among them.

    ``backups``: the oldest first.
    """
    backups_to_keep = set(backups[-max(1, retention.newest_count) :])
    for period, count in ((HOUR, retention.hourly_count), (DAY, retention.daily_count)):
        first_by_period: dict[int, Backup] = {}
        for backup in backups:  # the first of an hour: unlike the last, it does not change within the hour
            if now - backup.made_at <= period * count:
                first_by_period.setdefault(backup.made_at // period, backup)
        backups_to_keep |= set(first_by_period.values())
    return tuple(backup for backup in backups if backup not in backups_to_keep)


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
            with contextlib.suppress(OSError):
                await asyncio.to_thread((self.folder / _COVERED_UNTIL_FILE).touch)
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
                _delete_partial_files(self.folder)
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


def create_partial_file(folder: Path, now: float) -> Path:
    """Create the empty file to copy into, readable by its owner only; delete old partial ones."""
    ensure_folder(folder)
    _delete_partial_files(folder)
    made_at = int(now)
    while (folder / _file_name(made_at)).exists():
        made_at += 1
    partial_file = folder / f"{_file_name(made_at)}{PARTIAL_SUFFIX}"
    os.close(os.open(partial_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    chown_like(partial_file, folder)
    return partial_file


def _delete_partial_files(folder: Path) -> None:
    for partial_file in folder.glob(f"*{PARTIAL_SUFFIX}*"):
        partial_file.unlink(missing_ok=True)


def ensure_folder(folder: Path) -> None:
    """Create the folder of the copies, readable by its owner only."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        chown_like(folder, folder.parent)


@contextmanager
def mark_folder_in_use(folder: Path) -> Iterator[None]:
    """Lock the folder of the copies in the context, shared with others, so that no backup is restored.

    SQLite's lock is out of reach once the database's file was deleted or replaced; the folder stays.  Where
    folders cannot be made or locked nothing is done.
    """
    with ExitStack() as stack:
        with contextlib.suppress(OSError):
            ensure_folder(folder)
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield


def _file_name(made_at: int) -> str:
    return datetime.fromtimestamp(made_at, UTC).strftime(_FILE_NAME_FORMAT)


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


def finish_copy(partial_file: Path) -> Backup:
    """Flush a verified copy and give it its final name."""
    flush(partial_file)
    path = partial_file.with_name(partial_file.name.removesuffix(PARTIAL_SUFFIX))
    partial_file.rename(path)
    flush(path.parent)
    made_at = _made_at(path)
    assert made_at is not None, "create_partial_file has made the name"
    return Backup(made_at, path)


def flush(path: Path) -> None:
    """Flush a file's content, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
