"""The folder of the backups: their names and times, partial copies, which ones are kept."""

import contextlib
import fcntl
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from bot.store.clock_rows import DAY, HOUR
from bot.store.file_copy import flush
from bot.store.ownership import chown_like
from bot.store.protocol import Backup

PARTIAL_SUFFIX: Final = ".partial"
"""Ends the name of a copy that is not verified yet."""
_COVERED_UNTIL_FILE: Final = "current"
"""The empty file beside the copies whose time says when the newest copy was last known to hold everything."""
_FILE_NAME_FORMAT: Final = "captains-table-%Y%m%d-%H%M%S.db"
_FILE_NAME_PATTERN: Final = re.compile(r"captains-table-\d{8}-\d{6}\.db")


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


def note_current(folder: Path) -> None:
    """Note for ``covered_until``, if possible, that the newest copy in a folder holds everything now."""
    with contextlib.suppress(OSError):
        (folder / _COVERED_UNTIL_FILE).touch()


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


def create_partial_file(folder: Path, now: float) -> Path:
    """Create the empty file to copy into, readable by its owner only; delete old partial ones."""
    ensure_folder(folder)
    delete_partial_files(folder)
    made_at = int(now)
    while (folder / _file_name(made_at)).exists():
        made_at += 1
    partial_file = folder / f"{_file_name(made_at)}{PARTIAL_SUFFIX}"
    os.close(os.open(partial_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    chown_like(partial_file, folder)
    return partial_file


def delete_partial_files(folder: Path) -> None:
    """Delete the copies that were not finished."""
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


def finish_copy(partial_file: Path) -> Backup:
    """Flush a verified copy and give it its final name."""
    flush(partial_file)
    path = partial_file.with_name(partial_file.name.removesuffix(PARTIAL_SUFFIX))
    partial_file.rename(path)
    flush(path.parent)
    made_at = _made_at(path)
    assert made_at is not None, "create_partial_file has made the name"
    return Backup(made_at, path)
