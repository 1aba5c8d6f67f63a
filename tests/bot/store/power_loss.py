"""A file system that records every write and flush, and what a disk may hold after a power loss.

Between two flushes of a file a disk may have kept any of its writes: some are dropped, they are kept in any
order, and of one write some sectors only.  What was flushed stays.  SQLite here is the one that apsw brings
(the tests print its version); the statements and settings are the store's own.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import apsw

from bot.store.connection import PRAGMAS
from bot.store.migrations import migrate, released_migrations
from bot.store.rows import Change
from bot.store.tables import write_change

SECTOR_SIZE: Final = 512
_FILE_SYSTEM_NAME: Final = "recording"


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that were handed to the disk."""

    path: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncation:
    """A file was cut or made longer."""

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Flush:
    """Everything written to this file before is on the disk."""

    path: str


@dataclass(frozen=True, slots=True)
class Removal:
    """A file is gone."""

    path: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The first ``count`` changes have been confirmed."""

    count: int


DiskEvent = Write | Truncation | Flush | Removal | Confirmation


class _RecordingFile(apsw.VFSFile):
    """A file whose writes are recorded."""

    def __init__(self, log: list[DiskEvent], name: Any, flags: list[int]) -> None:
        self._log = log
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - apsw's name
        """Record and write."""
        self._log.append(Write(self._path, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        """Record and truncate."""
        self._log.append(Truncation(self._path, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Record only: no real flush is needed."""
        self._log.append(Flush(self._path))


class _RecordingFileSystem(apsw.VFS):
    """Opens files that are recorded."""

    def __init__(self, log: list[DiskEvent]) -> None:
        self._log = log
        super().__init__(_FILE_SYSTEM_NAME, "")

    def xOpen(self, name: Any, flags: list[int]) -> _RecordingFile:  # noqa: N802
        """Open a file."""
        return _RecordingFile(self._log, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802, FBT001
        """Record and remove."""
        self._log.append(Removal(filename))
        super().xDelete(filename, syncdir)


class _Cursor:
    """A cursor of apsw with ``rowcount``, as the store's statements use the standard library's."""

    def __init__(self, cursor: apsw.Cursor, rowcount: int) -> None:
        self._cursor = cursor
        self.rowcount = rowcount

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)

    def fetchone(self) -> Any:
        """Return the next row."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """Return all rows."""
        return self._cursor.fetchall()


class _Connection:
    """An apsw connection that the store's statements take for the standard library's."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path), vfs=_FILE_SYSTEM_NAME)

    def execute(self, sql: str, values: Any = ()) -> _Cursor:
        """Run one statement."""
        return _Cursor(self._connection.execute(sql, values or None), self._connection.changes())

    def executemany(self, sql: str, rows: Iterable[Any]) -> None:
        """Run a statement for each row."""
        self._connection.executemany(sql, rows)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def record_changes(
    path: Path, changes: Sequence[Change], extra_pragmas: Sequence[str] = (), *, honours_flushes: bool = True
) -> list[DiskEvent]:
    """Store changes one after the other; return everything that happened to the files.

    ``extra_pragmas`` come after the store's own; without ``honours_flushes`` the disk lies about flushes.
    """
    log: list[DiskEvent] = []
    system = _RecordingFileSystem(log)
    connection: Any = _Connection(path)
    try:
        # Checkpoints after few pages, so that they happen often.
        for pragma in (*PRAGMAS, "wal_autocheckpoint = 60", *extra_pragmas):
            connection.execute(f"pragma {pragma}").fetchall()
        migrate(connection, released_migrations())
        log.append(Confirmation(0))
        for count, change in enumerate(changes, 1):
            connection.execute("begin immediate")
            write_change(connection, change)
            connection.execute("commit")
            log.append(Confirmation(count))
        events = list(log)
    finally:
        connection.close()
        system.unregister()
    return [event for event in events if honours_flushes or not isinstance(event, Flush)]


@dataclass
class Disk:
    """What is on the disk for certain, and which writes may be."""

    files: dict[str, bytearray] = field(default_factory=dict)
    pending_writes: dict[str, list[Write | Truncation]] = field(default_factory=dict)
    confirmed_count: int = -1
    """Changes confirmed so far; -1: not even the schema."""

    def apply(self, event: DiskEvent) -> None:
        """Apply an event to the disk."""
        match event:
            case Confirmation(count):
                self.confirmed_count = count
            case Removal(path):
                self.files.pop(path, None)
                self.pending_writes.pop(path, None)
            case Flush(path):
                content = self.files.setdefault(path, bytearray())
                for write in self.pending_writes.pop(path, []):
                    _apply_write(content, write)
            case _:
                self.pending_writes.setdefault(event.path, []).append(event)

    def after_power_loss(self, rng: random.Random) -> Mapping[str, bytes]:
        """Return one of the contents that the disk may have."""
        contents = {path: bytearray(content) for path, content in self.files.items()}
        write_share = rng.choice((0.0, 0.3, 0.7, 0.95, 1.0))
        sector_share = rng.choice((1.0, 1.0, 0.5, 0.9))
        for path, pending_writes in self.pending_writes.items():
            content = contents.setdefault(path, bytearray())
            surviving_writes = [write for write in pending_writes if rng.random() < write_share]
            if rng.random() < 0.5:
                rng.shuffle(surviving_writes)
            for write in surviving_writes:
                for part in _kept_sectors(write, sector_share, rng):
                    _apply_write(content, part)
        return {path: bytes(content) for path, content in contents.items()}


def _kept_sectors(
    write: Write | Truncation, sector_share: float, rng: random.Random
) -> Iterator[Write | Truncation]:
    """Yield some sectors of a write."""
    if isinstance(write, Truncation) or sector_share == 1.0:
        yield write
        return
    start = write.offset
    end = start + len(write.data)
    while start < end:
        stop = min(end, (start // SECTOR_SIZE + 1) * SECTOR_SIZE)
        if rng.random() < sector_share:
            yield Write(write.path, start, write.data[start - write.offset : stop - write.offset])
        start = stop


def _apply_write(content: bytearray, write: Write | Truncation) -> None:
    if isinstance(write, Truncation):
        del content[write.size :]
        content.extend(bytes(write.size - len(content)))
        return
    content.extend(bytes(max(0, write.offset - len(content))))
    content[write.offset : write.offset + len(write.data)] = write.data


def simulate_losses(
    log: Sequence[DiskEvent], count: int, rng: random.Random
) -> Iterator[tuple[int, Mapping[str, bytes]]]:
    """Yield ``count`` power losses: how many changes were confirmed, and what the disk holds."""
    loss_indexes = sorted(rng.randrange(len(log) + 1) for _ in range(count))
    disk, index = Disk(), 0
    for loss_index in loss_indexes:
        while index < loss_index:
            disk.apply(log[index])
            index += 1
        yield disk.confirmed_count, disk.after_power_loss(rng)
