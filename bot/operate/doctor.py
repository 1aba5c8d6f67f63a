"""Checks everything that can be checked while the bot is stopped: settings, files, backups, every table."""

import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from bot.config import (
    TOKEN_FILE_VARIABLE,
    ConfigError,
    Environment,
    StorageSettings,
    read_config,
    read_storage_settings,
    require_known_settings,
)
from bot.host.loading import make_replay_check
from bot.host.table import Games
from bot.operate.restore import RESTORING_SUFFIX
from bot.store.backup import verify_copy
from bot.store.backup_folder import backups_in, covered_until, lost_database_text
from bot.store.disk_space import fullest_disk
from bot.store.inspection import InspectionReport, Inspector, inspect_database, open_read_only
from bot.store.protocol import BackupFailed, StoreError
from bot.store.restoring import SIDE_FILE_SUFFIXES, DatabaseInUse, open_unused_database
from render.typeset import has_kerning

_LATE_AFTER_INTERVALS: Final = 2
"""The newest backup is late if the database changed this many intervals after ``covered_until``, or later."""


def run_doctor(
    environment: Environment,
    games: Games,
    now: float,
    file: Path | None = None,
    *,
    replay_everything: bool = False,
) -> InspectionReport:
    """Check everything, or one database file only; ``replay_everything``: also each finished table."""
    inspect = partial(
        inspect_database, replay_check=make_replay_check(games), replay_everything=replay_everything
    )
    if file is not None:
        return _check_file(file, inspect)
    faults: list[str] = []
    notes: list[str] = []
    try:
        read_config(environment)
        require_known_settings(environment)
        notes.append("the settings are valid")
    except ConfigError as error:
        faults.append(f"settings: {error}")
    if not has_kerning():
        notes.append("texts in pictures lack kerning: install FriBiDi (Debian: libfribidi0)")
    try:
        storage = read_storage_settings(environment)
    except ConfigError:
        return InspectionReport(tuple(faults), tuple(notes))
    checks: tuple[Callable[[], InspectionReport], ...] = (
        lambda: InspectionReport(tuple(_file_faults(environment, storage))),
        lambda: _check_backups(storage, now),
        lambda: _check_database(storage, inspect, partial(inspect, now=now)),
    )
    for check in checks:
        try:
            report = check()
        except OSError as error:  # what this user may not read must not hide the other findings
            report = InspectionReport((f"{error.filename} cannot be read: {error.strerror}",))
        faults += report.faults
        notes += report.notes
    return InspectionReport(tuple(faults), tuple(notes))


def _file_faults(environment: Environment, storage: StorageSettings) -> Iterator[str]:
    folder = storage.database.parent
    existing_folder = next(each for each in (folder, *folder.parents) if each.exists())
    if not existing_folder.is_dir() or not os.access(existing_folder, os.W_OK | os.X_OK):
        yield f"{existing_folder} is not a folder that this user may write to"
        return
    database_files = (
        storage.database.with_name(f"{storage.database.name}{restoring_suffix}{suffix}")
        for restoring_suffix in ("", RESTORING_SUFFIX)
        for suffix in ("", *SIDE_FILE_SUFFIXES)
    )
    copies = (path for each in (folder, storage.backup_folder) for path in each.glob("*.db*"))
    secret_files = list(dict.fromkeys((*database_files, *copies)))
    if token_file := environment.get(TOKEN_FILE_VARIABLE):
        secret_files.append(Path(token_file))
    for path in secret_files:
        if path.is_file() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) & ~stat.S_IRGRP:
            yield f"{path} can be read or changed by others, and it holds secrets: chmod 600"
    if storage.database.exists():
        disk_space = fullest_disk(storage.database, storage.backup_folder)
        if disk_space.missing_bytes > 0:
            yield str(disk_space)


def _check_backups(storage: StorageSettings, now: float) -> InspectionReport:
    backups = backups_in(storage.backup_folder)
    if not backups:
        if not storage.database.exists():
            return InspectionReport(notes=("there is no backup, and no database to back up",))
        return InspectionReport((f"there is no backup in {storage.backup_folder}",))
    newest = backups[-1]
    try:
        verify_copy(newest.path)
    except BackupFailed as error:
        return InspectionReport((str(error),))
    notes = (f"backups: {len(backups)}; the newest is good and of {newest.time_text}",)
    files = (storage.database, storage.database.with_name(f"{storage.database.name}-wal"))
    changed_at = max((path.stat().st_mtime for path in files if path.exists()), default=0.0)
    # A running bot writes to its database each minute, also where nothing changes that needs a backup.
    uncovered_seconds = min(now, changed_at) - covered_until(storage.backup_folder, newest)
    is_late = uncovered_seconds > _LATE_AFTER_INTERVALS * storage.backup_interval
    return InspectionReport(
        (f"the newest backup is of {newest.time_text}, and the database has changed since",)
        if is_late
        else (),
        notes,
    )


def _check_database(
    storage: StorageSettings, inspect_backup: Inspector, inspect_live: Inspector
) -> InspectionReport:
    """Check the database; while a bot uses it, check its newest backup instead.

    ``inspect_live`` also counts overdue deadlines; in a backup all deadlines are old.
    """
    if text := lost_database_text(storage.database, storage.backup_folder):
        return InspectionReport((text,))
    if not storage.database.exists():
        return InspectionReport(notes=(f"there is no database at {storage.database} yet",))
    try:
        with open_unused_database(storage.database) as connection:
            return inspect_live(connection)
    except DatabaseInUse:
        return _check_newest_backup(storage, inspect_backup)
    except StoreError as error:
        return InspectionReport((str(error),))


def _check_newest_backup(storage: StorageSettings, inspect: Inspector) -> InspectionReport:
    """Check the newest backup instead of a database that a bot uses."""
    backups = backups_in(storage.backup_folder)
    if not backups:
        return InspectionReport(notes=("a bot uses the database, so its tables were not checked",))
    report = _check_file(backups[-1].path, inspect)
    note = "a bot uses the database, so its newest backup was checked"
    return InspectionReport(report.faults, (note, *report.notes))


def _check_file(file: Path, inspect: Inspector) -> InspectionReport:
    try:
        with open_read_only(file) as connection:
            return inspect(connection)
    except StoreError as error:
        return InspectionReport((str(error),))
