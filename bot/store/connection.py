"""The connection to the database's file: its settings, its transactions, and a file that can be copied.

A transaction is one function on the connection's thread, from begin to commit, so that a cancelled caller
cannot leave it half way.  The settings' reasons: ``docs/architecture.md``.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import aiosqlite
import msgspec

from bot.store.migrations import has_older_schema, migrate, released_migrations, require_own_database
from bot.store.open_errors import advice_text, is_sqlite_failure
from bot.store.protocol import StoreError

T = TypeVar("T")

_LOCKING_PRAGMA: Final = "locking_mode = exclusive"
"""First: it avoids shared memory, and a second bot on this file fails at start."""
PRAGMAS: Final = (
    _LOCKING_PRAGMA,
    "journal_mode = wal",
    "synchronous = full",  # a confirmed move survives power loss
    "foreign_keys = on",
    "trusted_schema = off",
    "recursive_triggers = on",  # else "insert or replace" would pass the guard on records
    "mmap_size = 0",
    "busy_timeout = 0",
)
"""Set once, when the file is opened."""

CHECKPOINT_PAGES: Final = 1000
"""Pages in the write-ahead log after which a commit brings them into the file (SQLite's default)."""

_IN_MEMORY: Final = ":memory:"
"""The path of a database without a file."""
LOCK_TIMEOUT: Final = 2.0
"""Seconds that one attempt to open the file waits for another process to release it."""


class UnchangingFile(msgspec.Struct, frozen=True):
    """A database's file while nothing changes it."""

    descriptor: int
    """The file, open for reading.

    Only ``Connection.close`` may close it: another close would drop SQLite's locks on the file.
    """
    change_count: int
    """What ``SqliteStore.change_count`` returned when everything was in the file."""


class Connection(aiosqlite.Connection):
    """The only connection to the database, which runs whole functions on its thread."""

    def __init__(self, path: Path | str) -> None:
        """``path``: the database's file, which is created if it does not exist."""
        super().__init__(partial(_connect, path), iter_chunk_size=64)
        self.path = path
        self.uncounted_change_count = 0
        """How many changed rows are not worth a backup; used on the connection's thread."""
        self._copy_descriptor: int | None = None
        """The file, open to be copied.  Closing it before the connection would drop SQLite's locks."""

    def open_copy_descriptor(self) -> int:
        """Open the file to be copied, once; on the connection's thread.  Raises OSError.

        Done early, so that a copy can still be made of a file that was deleted or replaced since.
        """
        if self._copy_descriptor is None:
            self._copy_descriptor = os.open(self.path, os.O_RDONLY)
        return self._copy_descriptor

    def is_file_in_place(self) -> bool:
        """Whether the path still leads to the file that is open; true of a database in memory.

        Raises OSError if that cannot be known, as in a folder that may not be read.
        """
        if self._copy_descriptor is None:
            return True
        try:
            return os.path.samestat(Path(self.path).stat(), os.fstat(self._copy_descriptor))
        except (FileNotFoundError, NotADirectoryError):
            return False

    async def close(self) -> None:
        """Finish the queued work and close the file."""
        try:
            await super().close()
        finally:
            if self._copy_descriptor is not None:
                os.close(self._copy_descriptor)
            self._copy_descriptor = None

    async def close_and_join(self) -> None:
        """Close, and wait for the thread: it goes on for a moment after a file could not be opened."""
        await self.close()
        await asyncio.to_thread(self._thread.join)

    async def run_raw(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` on the connection's thread.  Raises what ``work`` raises."""
        if not self._running or self._connection is None:
            raise sqlite3.ProgrammingError("the connection is closed")
        result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call] # untyped there
        return result

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` on the connection's thread, but raise StoreError where SQLite fails.

        Also where ``work`` cannot decode a stored value, which the error does not quote: it may be private.
        """
        try:
            return await self.run_raw(work)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise StoreError("A stored value cannot be decoded.") from error
        except sqlite3.Error as error:
            if isinstance(error, sqlite3.OperationalError) and not is_sqlite_failure(error):
                raise StoreError("A stored text cannot be decoded.") from error
            raise StoreError(f"The database failed: {error}") from error

    async def transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` in a transaction.  Raises StoreError as ``run`` does, and what ``work`` raises."""

        def transaction(connection: sqlite3.Connection) -> T:
            connection.execute("begin immediate")
            try:
                result = work(connection)
                connection.execute("commit")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("rollback")
                raise
            return result

        return await self.run(transaction)

    def change_count(self, connection: sqlite3.Connection) -> int:
        """Return how many rows were changed, without the uncounted ones; on the connection's thread."""
        return connection.total_changes - self.uncounted_change_count

    @asynccontextmanager
    async def unchanging_file(self) -> AsyncIterator[UnchangingFile]:
        """Yield the database's file, with all that is stored now; nothing is written to it in the context.

        Changes that are made meanwhile go to the write-ahead log.  Raises StoreError, OSError.
        """

        def checkpoint(connection: sqlite3.Connection) -> UnchangingFile:
            descriptor = self.open_copy_descriptor()
            busy, *_ = connection.execute("pragma wal_checkpoint(truncate)").fetchone()
            if busy:
                raise StoreError("The log cannot be brought into the database's file.")
            _set_checkpoint_pages(connection, 0)
            return UnchangingFile(descriptor, self.change_count(connection))

        try:
            yield await self.run(checkpoint)  # a cancelled caller does not stop it
        finally:
            resume = self.run(lambda connection: _set_checkpoint_pages(connection, CHECKPOINT_PAGES))
            await asyncio.shield(resume)


def _set_checkpoint_pages(connection: sqlite3.Connection, pages: int) -> None:
    connection.execute(f"pragma wal_autocheckpoint = {pages}").fetchall()


def _connect(path: Path | str) -> sqlite3.Connection:
    if path != _IN_MEMORY:  # the file holds seeds, so only its owner may read it
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None)


async def open_connection(
    path: Path | str,
    before_migrating: Callable[[sqlite3.Connection], None] | None = None,
    *,
    may_create: bool = True,
) -> Connection:
    """Open or make the file and bring its schema up to date.

    ``before_migrating`` is called with an older database before its schema is changed.  ``may_create``:
    whether an empty file becomes a database.
    Raises StoreError: the file is locked by another bot, damaged or unexpectedly empty, or (WrongSchema) of
    another release or program.  Raises what ``before_migrating`` raises.
    """
    connection = Connection(path)

    def prepare(sqlite_connection: sqlite3.Connection) -> None:
        sqlite_connection.execute(f"pragma {_LOCKING_PRAGMA}")
        # Before the other settings, which would change the journal of another program's file for good.
        require_own_database(sqlite_connection, path, may_be_empty=may_create)
        for pragma in PRAGMAS:
            sqlite_connection.execute(f"pragma {pragma}")
        if before_migrating is not None and has_older_schema(sqlite_connection, released_migrations()):
            before_migrating(sqlite_connection)
        migrate(sqlite_connection, released_migrations())
        if path != _IN_MEMORY:
            connection.open_copy_descriptor()

    try:
        await connection
        await connection.run_raw(prepare)
    except sqlite3.Error as error:
        await connection.close_and_join()
        raise StoreError(
            f"The database {path} cannot be used ({error}). {advice_text(error)}".strip()
        ) from error
    except BaseException:
        await connection.close_and_join()
        raise
    return connection
