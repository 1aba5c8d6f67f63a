"""Copies a database's file in chunks and compares the copy with it, interruptibly; flushes files.

The copied file must not change meanwhile: see ``SqliteStore.unchanging_file``.
"""

import asyncio
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Final, TypeVar

from bot.store.protocol import StoreError

_CHUNK_SIZE: Final = 1 << 20
"""Bytes that are read, written or compared at once."""
_BYTES_PER_FLUSH: Final = 4 << 20
"""Bytes after which the copy is flushed: a commit may have to wait for what is not flushed yet."""
_FORMAT_VERSION_BYTES: Final = slice(18, 20)
"""Where the header says whether the file has a write-ahead log (2) or not (1)."""
_FORMAT_WITHOUT_LOG: Final = b"\x01\x01"
_STEPS_PER_CHECK: Final = 10_000
"""Steps of SQLite's virtual machine between two checks of the interruption."""

T = TypeVar("T")


class Interrupted(StoreError):
    """The work was interrupted before its end."""


class Interruption:
    """Ends work in another thread early, queries of SQLite included."""

    def __init__(self) -> None:
        """Nothing is interrupted before ``set``."""
        self._event = threading.Event()
        self._lock = threading.Lock()
        """Held while connections are interrupted: none of them may be closed meanwhile."""
        self._connections: set[sqlite3.Connection] = set()

    def set(self) -> None:
        """Interrupt the work, now and for good."""
        self._event.set()
        with self._lock:
            for connection in self._connections:
                connection.interrupt()

    def raise_if_set(self) -> None:
        """Raise Interrupted after ``set``."""
        if self._event.is_set():
            raise Interrupted("It was interrupted.")

    @contextmanager
    def extended_to(self, connection: sqlite3.Connection) -> Iterator[None]:
        """In the context, interrupt a connection's queries too: they raise sqlite3.OperationalError.

        Raises Interrupted after ``set``.
        """
        self.raise_if_set()
        connection.set_progress_handler(self._event.is_set, _STEPS_PER_CHECK)
        with self._lock:
            self._connections.add(connection)
        try:
            yield
        finally:
            with self._lock:
                self._connections.discard(connection)
            connection.set_progress_handler(None, 0)


async def run_interruptible(work: Callable[[Interruption], T]) -> T:
    """Run work in a thread.  A caller who is cancelled interrupts it and waits for its end."""
    interruption = Interruption()
    task = asyncio.ensure_future(asyncio.to_thread(work, interruption))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        interruption.set()
        await asyncio.gather(task, return_exceptions=True)
        raise


def copy_file(descriptor: int, target: Path, interruption: Interruption) -> None:
    """Copy an open database file, whose log is empty, over an existing file; flush the copy bit by bit.

    The copy needs no write-ahead log, so that it can be read where nothing may be written.

    Raises Interrupted, OSError.
    """
    with target.open("wb", buffering=0) as copy:
        unflushed_bytes = 0
        for chunk in _copied_chunks(descriptor):
            interruption.raise_if_set()
            _write_all(copy, chunk)
            unflushed_bytes += len(chunk)
            if unflushed_bytes >= _BYTES_PER_FLUSH:
                os.fdatasync(copy.fileno())
                unflushed_bytes = 0
        os.fsync(copy.fileno())


def _write_all(file: FileIO, data: bytes) -> None:
    """Write all bytes: one write may take only some of them, on a disk that is nearly full."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def is_copy(descriptor: int, copy: Path, interruption: Interruption) -> bool:
    """Return whether a file holds, byte for byte, what ``copy_file`` would write.

    Raises Interrupted, OSError.
    """
    if copy.stat().st_size != os.fstat(descriptor).st_size:
        return False
    with copy.open("rb", buffering=0) as copied_file:
        for chunk in _copied_chunks(descriptor):
            interruption.raise_if_set()
            if copied_file.read(len(chunk)) != chunk:
                return False
    return True


def _copied_chunks(descriptor: int) -> Iterator[bytes]:
    """Yield what the copy of an open database file holds: its content, but a header without a log."""
    offset = 0
    while chunk := os.pread(descriptor, _CHUNK_SIZE, offset):
        if not offset:
            chunk = (
                chunk[: _FORMAT_VERSION_BYTES.start]
                + _FORMAT_WITHOUT_LOG
                + chunk[_FORMAT_VERSION_BYTES.stop :]
            )
        yield chunk
        offset += len(chunk)


def flush(path: Path) -> None:
    """Flush a file's content, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
