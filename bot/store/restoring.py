"""Locks and reads a database, and replaces it by a copy atomically; the old file is kept."""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from bot.store.file_copy import flush
from bot.store.inspection import temporary_connection
from bot.store.migrations import require_own_database
from bot.store.open_errors import LOCKED_CODES, access_advice_text, advice_text, primary_code
from bot.store.ownership import chown_like
from bot.store.protocol import GENERATION_KEY, HIGHEST_LOST_NUMBER_KEY, StoreError, parse_metadata_number
from bot.store.rows import RecordRow, Status, TableVersion, make_match_id
from bot.store.seat_rows import SeatHolder
from bot.store.table_lists import parse_status

_LOG_SUFFIXES: Final = ("-wal", "-journal")
"""The suffixes of the files beside a database without which a copy of it may lack changes or be damaged."""
SIDE_FILE_SUFFIXES: Final = (*_LOG_SUFFIXES, "-shm")
"""The suffixes of the files that SQLite keeps beside a database."""
LOCK_TIMEOUT: Final = 2.0
"""Seconds to wait for a bot that is stopping."""
_LOCK_INTERVAL: Final = 0.1
"""Seconds between two attempts to lock a folder."""
_UNREADABLE_CODES: Final = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR})
"""SQLite's codes for a file that is damaged; that for a broken header is ``SQLITE_ERROR``."""
_MAX_CUTS: Final = 16
"""More than a table has seats, each of which can cut the deck once after a restoration."""


class DatabaseInUse(StoreError):
    """A bot holds the database."""


class TableState(msgspec.Struct, frozen=True):
    """One table of a database, as far as a restoration needs it."""

    match_id: str
    """Two databases may use one number for different tables: those have different ids.  Empty: unknown."""
    version: TableVersion
    status: Status
    needs_agreement_to_go_on: bool = False
    """Whether the game goes on only once its players agree."""
    holders: tuple[SeatHolder, ...] = ()
    """Everybody who has had a seat, as far as that can be read."""

    def is_other_than(self, other: "TableState") -> bool:
        """Whether it is certainly another table than one of the same number in another database."""
        return "" not in {self.match_id, other.match_id} and self.match_id != other.match_id


class DatabaseState(msgspec.Struct, frozen=True):
    """The tables of a database, as far as it can be read."""

    tables: Mapping[int, TableState] | None = None
    """By number; None: the database cannot be read."""
    generation: int = 0
    """How often it was restored."""
    highest_lost_number: int = 0
    """The highest number of a table that was lost when this database was itself restored."""

    def find(self, number: int, match_id: str) -> TableState | None:
        """Return a table; None if the database does not have it, as far as is known."""
        state = (self.tables or {}).get(number)
        return state if state is not None and state.match_id == match_id else None


@contextmanager
def lock_database(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Lock a database against every bot and yield a connection; None if it is missing or too damaged to open.

    A bot whose file was deleted or replaced is found by ``require_unused_backup_folder`` alone.
    What SQLite still held beside the file is brought into it.  Raises DatabaseInUse, ForeignDatabase, and
    StoreError if the file may be intact but cannot be opened now (permissions, a full disk).
    """
    if not path.exists():
        yield None
        return
    with temporary_connection(path, lambda: sqlite3.connect(path, timeout=LOCK_TIMEOUT)) as connection:
        yield connection if _take_lock(connection, path) else None


def require_unused_backup_folder(folder: Path) -> None:
    """Raise DatabaseInUse if a bot has marked the folder of its backups, after ``LOCK_TIMEOUT``.

    Where folders cannot be locked nothing is known.
    """
    deadline = time.monotonic() + LOCK_TIMEOUT
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            while not _take_folder_lock(descriptor):
                if time.monotonic() > deadline:
                    raise DatabaseInUse(
                        f"A bot that keeps its backups in {folder} is running: stop it first, also if its"
                        " database was deleted or replaced."
                    )
                time.sleep(_LOCK_INTERVAL)
        finally:
            os.close(descriptor)


def _take_folder_lock(descriptor: int) -> bool:
    """Lock an open folder until it is closed; return False if a bot has locked it.

    Raises OSError where folders cannot be locked.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _take_lock(connection: sqlite3.Connection, path: Path) -> bool:
    """Lock a database for its connection; return False if it is damaged.

    Raises DatabaseInUse, ForeignDatabase, StoreError.
    """
    try:
        connection.execute("pragma locking_mode = exclusive")
        require_own_database(connection, path, may_be_empty=True)  # before its journal is changed for good
        connection.execute("pragma journal_mode = delete")
        connection.execute("begin exclusive")
    except sqlite3.DatabaseError as error:
        if primary_code(error) in LOCKED_CODES:
            raise DatabaseInUse(f"A bot uses {path}: stop it first.") from error
        if primary_code(error) not in _UNREADABLE_CODES:
            advice = (
                access_advice_text(error) or "Free some space on its disk if that is full, then repeat this."
            )
            raise StoreError(f"{path} may be intact, but cannot be locked: {error}. {advice}") from error
        return False
    path.with_name(f"{path.name}-journal").unlink(missing_ok=True)  # empty: nothing is under way
    return True


@contextmanager
def open_unused_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a database that no bot uses, and keep bots from it.

    Raises DatabaseInUse, StoreError, also if there is no such file.
    """
    uri = f"{path.absolute().as_uri()}?mode=rw"  # another mode would create the file
    with temporary_connection(
        path, lambda: sqlite3.connect(uri, timeout=LOCK_TIMEOUT, uri=True)
    ) as connection:
        connection.execute("pragma locking_mode = exclusive")
        try:
            connection.execute("select count(*) from sqlite_master").fetchone()
        except sqlite3.DatabaseError as error:
            if primary_code(error) in LOCKED_CODES:
                raise DatabaseInUse(f"A bot uses {path}: stop it first.") from error
            raise StoreError(f"{path} cannot be read ({error}). {advice_text(error)}".rstrip()) from error
        yield connection


def read_state(connection: sqlite3.Connection | None) -> DatabaseState:
    """Return the tables of a database, as far as it can be read; the match ids of some may be unknown.

    Raises StoreError if it may be intact but cannot be read now.
    """
    if connection is None:
        return DatabaseState()
    connection.text_factory = _decode_or_none  # one damaged text must not hide the other tables
    try:
        rows = connection.execute(
            "select number, game, opened_at, generation, version, status, needs_agreement, holders"
            " from matches"
        ).fetchall()
        metadata = dict(connection.execute("select key, value from settings").fetchall())
    except sqlite3.DatabaseError as error:
        if primary_code(error) not in _UNREADABLE_CODES:
            raise StoreError(f"The database may be intact but cannot be read: {error}") from error
        return DatabaseState()
    finally:
        connection.text_factory = str
    tables = {
        number: TableState(
            "" if game is None or status is None else make_match_id(game, number, opened_at),
            TableVersion(generation, version),
            parse_status(status),
            bool(needs_agreement_to_go_on),
            _parse_holders(holders),
        )
        for number, game, opened_at, generation, version, status, needs_agreement_to_go_on, holders in rows
    }
    return DatabaseState(
        tables,
        parse_metadata_number(metadata.get(GENERATION_KEY)),
        parse_metadata_number(metadata.get(HIGHEST_LOST_NUMBER_KEY)),
    )


def _decode_or_none(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def read_records_after(connection: sqlite3.Connection | None, number: int, ply: int) -> tuple[RecordRow, ...]:
    """Return the first records of a table after a ply: a reseal and the cuts that may follow it.

    Return none if the database cannot be read.
    """
    if connection is None:
        return ()
    try:
        rows = connection.execute(
            "select ply, actor, action, auto, user, at from records where match = ? and ply > ? order by ply"
            " limit ?",
            (number, ply, 1 + _MAX_CUTS),
        ).fetchall()
    except sqlite3.DatabaseError:
        return ()
    return tuple(
        RecordRow(record_ply, actor, action, bool(auto), user, at)
        for record_ply, actor, action, auto, user, at in rows
    )


def _parse_holders(data: bytes | None) -> tuple[SeatHolder, ...]:
    try:
        return msgspec.msgpack.decode(data, type=tuple[SeatHolder, ...]) if data else ()
    except msgspec.DecodeError:  # damaged: the others can still be restored
        return ()


def copy_database(source: Path, target: Path) -> None:
    """Copy a database that nothing changes, with what SQLite has left beside it; only its owner may read it.

    Raises OSError, also if the target exists.
    """
    for suffix in ("", *_LOG_SUFFIXES):
        file, copy = source.with_name(source.name + suffix), target.with_name(target.name + suffix)
        if not suffix or file.exists():
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            shutil.copyfile(file, copy)


def delete_database(path: Path) -> None:
    """Delete a database and the files that SQLite keeps beside it."""
    for suffix in ("", *SIDE_FILE_SUFFIXES):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def replace_database(
    new_path: Path, path: Path, kept_path: Path, on_step: Callable[[str], None] = lambda _: None
) -> None:
    """Put the file at ``new_path`` in the place of ``path``, and keep the old one as ``kept_path``.

    All are on one file system; ``path`` need not exist.  Raises OSError.
    ``on_step`` is called after each step, for tests.
    """
    flush(new_path)
    on_step("flushed")
    if path.exists():
        try:
            os.link(path, kept_path)
        except OSError:  # no hard links here
            shutil.copy2(path, kept_path)
            chown_like(kept_path, path)
            flush(kept_path)
    # The side files of a missing or damaged file must not be taken for those of the new one.
    for suffix in SIDE_FILE_SUFFIXES:
        side_file = path.with_name(path.name + suffix)
        if side_file.exists():
            side_file.rename(kept_path.with_name(kept_path.name + suffix))
    on_step("kept")
    new_path.replace(path)
    on_step("replaced")
    flush(path.parent)
