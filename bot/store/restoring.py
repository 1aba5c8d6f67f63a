"""Puts a copy in the place of the database: there is no instant without one, and none is thrown away."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from bot.store.backup import flush
from bot.store.inspection import closing
from bot.store.ownership import give
from bot.store.protocol import GENERATION, StoreError

_BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file."""
PATIENCE: Final = 2.0
"""Seconds to wait for a bot that is just stopping."""


class InUse(StoreError):
    """A bot holds the database."""


class Before(msgspec.Struct, frozen=True):
    """What the database that is replaced had come to; nothing of it where it cannot be read."""

    versions: Mapping[int, int] | None = None
    """Each table's version; None: it cannot be read."""
    generation: int = 0


@contextmanager
def holding(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Keep every bot away from a database; None where there is none or it is too damaged to be opened.

    Raises InUse.  What SQLite still held beside the file is brought into it.
    """
    if not path.exists():
        yield None
        return
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    held: sqlite3.Connection | None = connection
    try:
        try:
            connection.execute("pragma locking_mode = exclusive")
            connection.execute("pragma journal_mode = delete")
            connection.execute("begin exclusive")
            path.with_name(f"{path.name}-journal").unlink(missing_ok=True)  # empty: nothing is under way
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise InUse(f"A bot uses {path}: stop it first.") from error
            held = None
        yield held
    finally:
        connection.close()


@contextmanager
def examining(path: Path) -> Iterator[sqlite3.Connection]:
    """The database itself, to look at while no bot runs.  Raises InUse, StoreError."""
    with closing(path, lambda: sqlite3.connect(path, timeout=PATIENCE)) as connection:
        connection.execute("pragma locking_mode = exclusive")
        try:
            connection.execute("select count(*) from sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise InUse(f"A bot uses {path}.") from error
            raise
        yield connection


def come_to(connection: sqlite3.Connection | None) -> Before:
    """What a database had come to, as far as it can be read."""
    if connection is None:
        return Before()
    try:
        versions = dict(connection.execute("select number, version from matches").fetchall())
        row = connection.execute("select value from settings where key = ?", (GENERATION,)).fetchone()
    except sqlite3.DatabaseError:
        return Before()
    return Before(versions, 0 if row is None else int(row[0]))


def clear(path: Path) -> None:
    """Remove a database that is no longer wanted, with what is beside it."""
    for end in ("", *_BESIDE):
        path.with_name(path.name + end).unlink(missing_ok=True)


def swap(new: Path, path: Path, kept: Path, step: Callable[[str], None] = lambda _: None) -> None:
    """Put ``new`` in the place of ``path``, whose file goes on as ``kept``.  Both are on one file system.

    ``step`` is told of each step, for tests.
    """
    flush(new)
    step("flushed")
    if path.exists():
        try:
            os.link(path, kept)
        except OSError:  # no hard links here
            shutil.copy2(path, kept)
            give(kept, path)
            flush(kept)
        for end in _BESIDE:  # of a file too damaged to be opened; it must not be taken for the new one's
            beside = path.with_name(path.name + end)
            if beside.exists():
                beside.rename(kept.with_name(kept.name + end))
        step("kept")
    new.replace(path)
    step("replaced")
    flush(path.parent)
