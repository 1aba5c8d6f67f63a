"""Restores a backup: all tables go back together, and each table that went back gets a notice."""

import contextlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from bot.config import BACKUPS_VARIABLE, StorageSettings
from bot.host.loading import find_divergence
from bot.host.table import Games
from bot.operate.restored_tables import RestoredTable, RestoreOutcome, restore_table
from bot.store.backup import choose_backup, verify_copy
from bot.store.backup_folder import backups_in, ensure_folder
from bot.store.complete_backup import is_marked_complete, remove_mark
from bot.store.ownership import chown_like
from bot.store.protocol import parse_metadata_number
from bot.store.restoring import (
    DatabaseState,
    TableState,
    copy_database,
    delete_database,
    lock_database,
    read_records_after,
    read_state,
    replace_database,
    require_unused_backup_folder,
)
from bot.store.rows import LIVE_STATUSES, RecordRow, Status, StoredTable, TableVersion
from bot.store.sqlite import open_store

FirstRecordsReader: TypeAlias = Callable[[int, int], tuple[RecordRow, ...]]
"""Returns the first records of a table after a ply, as the replaced database has them."""
RESTORING_SUFFIX: Final = ".restoring"
"""Ends the name of a database that is being restored."""
_GENERATION_FILE: Final = "generation"
"""The file in the backups' folder that counts the restorations, in case the database itself is lost."""
_log = logging.getLogger(__name__)


class NothingToRestore(Exception):
    """There is no good backup; the text says what to do."""


class TableOutcomes(msgspec.Struct, frozen=True):
    """What became of the tables in a restoration."""

    restored: tuple[RestoredTable, ...]
    """The tables that went back."""
    lost: tuple[int, ...] | None
    """The tables that were opened after the backup; None: the replaced database could not be read."""
    divergent: tuple[tuple[int, int], ...]
    """The tables that this release plays differently, each with its first record that differs (0: none)."""
    unreadable: tuple[int, ...]
    """The tables that the backup holds damaged; they stay as they are."""

    @property
    def ended(self) -> tuple[int, ...]:
        """The tables that do not go on, since the replaced database knows that they had ended."""
        return self._tables_of(RestoreOutcome.ENDED_SINCE)

    @property
    def needing_agreement(self) -> tuple[int, ...]:
        """The games that go on once their players agree, since their end may be lost."""
        return self._tables_of(RestoreOutcome.NEEDS_AGREEMENT)

    def _tables_of(self, outcome: RestoreOutcome) -> tuple[int, ...]:
        return tuple(each.number for each in self.restored if each.outcome is outcome)


class Restoration(msgspec.Struct, frozen=True):
    """What a restoration did."""

    source: Path
    passed_over: tuple[str, ...]
    """Why each newer backup was not restored; empty also if the operator has named the file."""
    replaced_path: Path | None
    """Where the replaced database is now; None: there was none."""
    table_count: int
    """How many tables the backup holds."""
    tables: TableOutcomes
    has_whole_backup: bool
    """Whether the bot has made the backup of all that a lost database held: then no table went back."""


_NOTHING_LOST: Final = TableOutcomes(restored=(), lost=(), divergent=(), unreadable=())


async def restore(
    storage: StorageSettings,
    games: Games,
    now: float,
    source: Path | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Restoration:
    """Replace the database by a backup, ``source`` or the newest good one.

    ``on_step`` is called after each step, for tests.  Raises DatabaseInUse while a bot runs,
    ForeignDatabase, NothingToRestore, BackupFailed, StoreError, OSError; then the database has not changed.
    """
    passed_over: tuple[str, ...] = ()
    require_unused_backup_folder(storage.backup_folder)  # first: a bot that stops makes a last backup
    if source is None:
        choice = choose_backup(backups_in(storage.backup_folder))
        passed_over = choice.passed_over
        if choice.backup is None:
            raise NothingToRestore(
                f"There is no good backup in {storage.backup_folder}. Name the file of one, or set"
                f" {BACKUPS_VARIABLE} as it is for the bot."
            )
        source = choice.backup.path
    else:
        verify_copy(source)
    database = storage.database
    database.parent.mkdir(parents=True, exist_ok=True)
    has_whole_backup = not database.exists() and is_marked_complete(source)
    new_path = database.with_name(database.name + RESTORING_SUFFIX)
    with lock_database(database) as old_connection:
        replaced_database_state = read_state(old_connection)
        read_first_records_after = partial(read_records_after, old_connection)
        delete_database(new_path)
        try:
            copy_database(source, new_path)
            chown_like(new_path, database if database.exists() else database.parent)
            on_step("copied")
            with lock_database(new_path) as connection:  # this also brings a log into the file
                backup_state = read_state(connection)
            if has_whole_backup:
                outcomes = _NOTHING_LOST
            else:
                generation = _store_next_generation(storage, replaced_database_state, backup_state)
                outcomes = await _restore_tables(
                    new_path,
                    read_first_records_after,
                    games,
                    replaced_database_state,
                    backup_state,
                    generation,
                    int(now),
                )
            on_step("tables stored")
            kept_path = _kept_database_path(database, now)
            replaced_path = kept_path if database.exists() else None
            for folder in {storage.backup_folder, *((source.parent,) if has_whole_backup else ())}:
                remove_mark(folder)  # first: a mark that stayed would hide what is lost the next time
            replace_database(new_path, database, kept_path, on_step)
        except BaseException:
            delete_database(new_path)
            raise
    table_count = len(backup_state.tables or {})
    return Restoration(source, passed_over, replaced_path, table_count, outcomes, has_whole_backup)


def _kept_database_path(database: Path, now: float) -> Path:
    """Return the path at which the replaced database is kept, with the files that SQLite keeps beside it."""
    stamp = datetime.fromtimestamp(int(now), UTC).strftime("%Y%m%d-%H%M%S")
    path, count = database.with_name(f"replaced-{stamp}.db"), 1
    while any(path.parent.glob(f"{path.name}*")):
        path, count = database.with_name(f"replaced-{stamp}-{count}.db"), count + 1
    return path


def _store_next_generation(
    storage: StorageSettings, replaced_database_state: DatabaseState, backup_state: DatabaseState
) -> int:
    """Store and return a generation above any that a button may carry, even if a database is lost."""
    file = storage.backup_folder / _GENERATION_FILE
    generation_in_file = 0
    with contextlib.suppress(OSError, ValueError):
        generation_in_file = parse_metadata_number(file.read_text(encoding="ascii").strip())
    generation = 1 + max(generation_in_file, replaced_database_state.generation, backup_state.generation)
    ensure_folder(storage.backup_folder)
    file.write_text(f"{generation}\n", encoding="ascii")
    chown_like(file, storage.backup_folder)
    return generation


async def _restore_tables(
    new_path: Path,
    read_first_records_after: FirstRecordsReader,
    games: Games,
    replaced_database_state: DatabaseState,
    backup_state: DatabaseState,
    generation: int,
    now: int,
) -> TableOutcomes:
    """Store every table that goes back with its new generation, fairness code and notice."""
    store = await open_store(new_path)
    backup_tables = backup_state.tables or {}
    replaced_states = {
        number: replaced_database_state.find(number, state.match_id)
        for number, state in backup_tables.items()
    }
    restored_tables: list[RestoredTable] = []
    divergent, unreadable = [], []
    try:
        for number, version in (await store.versions()).items():
            replaced_state = replaced_states.get(number)
            if replaced_state is not None and replaced_state.version == version:
                continue
            try:
                stored = await store.load(number)
                assert stored is not None
                if stored.row.status not in LIVE_STATUSES and replaced_state is None:
                    continue  # it was closed already when the backup was made
                divergence = find_divergence(stored, games) if _is_game_in_play(stored, games) else None
                first_lost_records = (
                    () if replaced_state is None else read_first_records_after(number, stored.row.ply)
                )
                restored_table, change = restore_table(
                    stored,
                    games,
                    replaced_state,
                    first_lost_records,
                    generation,
                    now,
                    divergence,
                    keeps_moves=_keeps_moves(stored, replaced_state, read_first_records_after),
                )
            except Exception:  # noqa: BLE001 - one damaged table must not keep the others from being restored
                _log.exception("table not readable", extra={"table": number})
                unreadable.append(number)
                continue
            if change.row.status is Status.FROZEN and divergence is not None:
                divergent.append((number, divergence.ply))
            await store.commit(change)
            restored_tables.append(restored_table)
        lost_numbers = None
        if replaced_database_state.tables is not None:
            lost_numbers = tuple(
                number
                for number, state in sorted(replaced_database_state.tables.items())
                if number not in backup_tables or state.is_other_than(backup_tables[number])
            )
        highest_lost_number = max(
            replaced_database_state.highest_lost_number,
            backup_state.highest_lost_number,
            *(lost_numbers or ()),
        )
        numbers = tuple(each.number for each in restored_tables)
        await store.begin_generation(generation, highest_lost_number, numbers)
    finally:
        await store.close()
    return TableOutcomes(
        restored=tuple(restored_tables),
        lost=lost_numbers,
        divergent=tuple(divergent),
        unreadable=tuple(unreadable),
    )


def _keeps_moves(
    stored: StoredTable, replaced_state: TableState | None, read_first_records_after: FirstRecordsReader
) -> bool:
    """Whether the replaced database certainly has the records of a table's backup and no others.

    It has if it went on from the backup, and its last record is still the same one, made at the same time.
    """
    row, last_record = stored.row, stored.records[-1:]
    if replaced_state is None or not last_record:
        return False
    went_on = replaced_state.version > TableVersion(row.generation, row.version)
    return went_on and read_first_records_after(row.number, row.ply - 1) == last_record


def _is_game_in_play(stored: StoredTable, games: Games) -> bool:
    """Whether a table's game has begun and goes on, and this release has the game."""
    row = stored.row
    return row.status in {Status.PLAYING, Status.PAUSED} and row.game_key in games
