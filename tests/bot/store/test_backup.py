"""Copies of the database: whole, verified, rotated, private, and never in the way (P13)."""

import asyncio
import errno
import os
import resource
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.store import backup
from bot.store.backup import SqliteBackups
from bot.store.backup_folder import (
    PARTIAL_SUFFIX,
    RetentionPolicy,
    backups_in,
    create_partial_file,
    finish_copy,
)
from bot.store.clock_rows import HOUR
from bot.store.connection import CHECKPOINT_PAGES
from bot.store.delivery_rows import DeliveryKind, NewDelivery, Slot
from bot.store.file_copy import Interruption, copy_file
from bot.store.inspection import open_read_only, table_faults
from bot.store.preferences import PersonRow
from bot.store.protocol import BackupFailed, Divergence
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from tests.bot.database_file import open_database_file
from tests.bot.store.backups import NOW, fill_store, find_no_divergence, make_slow_check
from tests.bot.store.sample_rows import (
    LOBBY_ROW,
    dump,
    execute_sql,
    make_change,
    make_record,
    next_version,
    opening_change,
)
from tests.trials import WAIT_TIMEOUT

DamageFile = Callable[[Path], None]

NOTICE_DELIVERY = NewDelivery(Slot(DeliveryKind.NOTICE), "x" * 1500)


def test_a_copy_counts_once_it_is_on_the_disk(backup_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content is flushed before it has its name, and the name then."""
    flushed: list[tuple[int, bool]] = []

    def note_flush(descriptor: int) -> None:
        flushed.append((os.fstat(descriptor).st_ino, bool(backups_in(backup_folder))))

    partial_file = create_partial_file(backup_folder, NOW)
    monkeypatch.setattr(os, "fsync", note_flush)
    made = finish_copy(partial_file)
    assert flushed == [(made.path.stat().st_ino, False), (backup_folder.stat().st_ino, True)]


async def test_a_copy_holds_everything(store: SqliteStore, backups: SqliteBackups) -> None:
    """A copy opens as a store and holds every row; only its owner may read it, for it holds the seeds."""
    await fill_store(store)
    made = await backups.make(NOW)
    before = await dump(store)
    with open_read_only(made.path) as copy:
        assert sorted(copy.iterdump()) == sorted(before)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert await backups.newest() == made
    assert made.made_at == NOW


async def test_a_copy_is_current_until_something_changes(
    store: SqliteStore, backups: SqliteBackups, backup_folder: Path
) -> None:
    """Also for the next process; every kind of change counts."""
    assert not await backups.confirm_current()
    await fill_store(store)
    await backups.make(NOW)
    assert await backups.confirm_current()
    restarted = SqliteBackups(store, backup_folder, find_no_divergence)
    assert await restarted.confirm_current(), "as after a restart"
    await store.set_metadata("a", "b")
    assert not await backups.confirm_current()
    assert not await restarted.confirm_current()
    assert not await SqliteBackups(store, backup_folder, find_no_divergence).confirm_current()
    for change in (store.commit(opening_change(9)), store.save_preferences(PersonRow(100))):
        await backups.make(NOW)
        assert await backups.confirm_current()
        await change
        assert not await backups.confirm_current()


async def test_a_deleted_copy_is_no_longer_current(store: SqliteStore, backups: SqliteBackups) -> None:
    """An older copy does not stand for the newest one, which somebody has deleted."""
    await backups.make(NOW)
    await fill_store(store)
    made = await backups.make(NOW + HOUR)
    assert await backups.confirm_current()
    made.path.unlink()
    assert not await backups.confirm_current()


async def test_a_clock_set_back_spoils_no_copy(store: SqliteStore, backup_folder: Path) -> None:
    """The copy that was just made stays, though the names of older ones say a later time."""
    backups = SqliteBackups(store, backup_folder, find_no_divergence, RetentionPolicy(newest_count=1))
    await backups.make(NOW + 2 * HOUR)
    await backups.make(NOW)
    await fill_store(store)
    made = await backups.make(NOW + 60)
    assert made.path.exists()
    assert await backups.confirm_current()


async def test_noting_that_the_bot_runs_asks_for_no_copy(store: SqliteStore, backups: SqliteBackups) -> None:
    """Storing again and again that the bot runs is no change, before or after a copy, and hides none."""
    await fill_store(store)
    for at in range(3):
        await store.set_bot_last_seen(at)
    await backups.make(NOW)
    assert await backups.confirm_current()
    await store.set_bot_last_seen(4)
    assert await backups.confirm_current()
    for value in "abcdef":
        await store.set_metadata("a", value)
        assert not await backups.confirm_current()


async def test_a_damaged_copy_does_not_count(
    store: SqliteStore, backups: SqliteBackups, backup_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that is damaged, short or not the same is refused and leaves no file; the next is fine."""
    await fill_store(store)

    def damage(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[4096 * 2 : 4096 * 4] = bytes(4096 * 2)
        path.write_bytes(content)

    def shorten(path: Path) -> None:
        with open_database_file(path) as connection:
            connection.execute("delete from settings")
            connection.execute("delete from seats where seat = 1")

    def alter(path: Path) -> None:
        with open_database_file(path) as connection:
            connection.execute("update seats set name = 'Edda' where match = 3 and seat = 1")

    def fill_disk(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for damage_copy in (damage, shorten, alter, fill_disk):

        def copy(
            descriptor: int, target: Path, interruption: Interruption, damage_file: DamageFile = damage_copy
        ) -> None:
            copy_file(descriptor, target, interruption)
            damage_file(target)

        monkeypatch.setattr(backup, "copy_file", copy)
        with pytest.raises(BackupFailed) as refusal:
            await backups.make(NOW)
    text = f"The backup could not be made in {backup_folder}: No space left on device"
    assert str(refusal.value) == text, "the last failure names the folder"
    monkeypatch.setattr(backup, "copy_file", copy_file)
    assert list(backup_folder.iterdir()) == []
    await backups.make(NOW)
    assert len(backups_in(backup_folder)) == 1


@pytest.mark.parametrize("damage", ["question = x'ff'", "options = cast(x'41ff' as text)"])
async def test_a_damaged_table_spoils_no_copy(
    store: SqliteStore, backup_folder: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """What is wrong with a table is logged once, without quoting it, and the copy of all others counts."""
    await fill_store(store)
    await store.commit(
        make_change(next_version(replace(LOBBY_ROW, number=2, version=2), ply=4), records=(make_record(3),))
    )
    frozen = replace(LOBBY_ROW, number=3, version=2, ply=2, status=Status.FROZEN)
    await store.commit(make_change(next_version(frozen)))
    await store._connection.run_raw(
        lambda connection: connection.execute(f"update matches set {damage} where number = 1")
    )
    divergence = Divergence(2, "another outcome: 7 of hearts", quotes_data=True)
    backups = SqliteBackups(store, backup_folder, lambda stored: divergence)
    first, second = await backups.make(NOW), await backups.make(NOW + 60)
    assert backups_in(backup_folder) == (first, second)
    logged = {(vars(entry)["table"], vars(entry)["record"]) for entry in caplog.records}
    assert logged == {(1, 0), (2, 0), (2, 2)}, "of the frozen one it is known"
    assert len(caplog.records) == 3, "twice"
    assert "hearts" not in caplog.text
    with open_read_only(second.path) as copy:
        found = [str(each) for each in table_faults(copy, lambda stored: divergence)]
    assert "table 3: record 2 differs" in found
    assert "hearts" not in "".join(found)


async def test_a_copy_that_a_crash_left_is_removed(
    store: SqliteStore, backups: SqliteBackups, backup_folder: Path
) -> None:
    """A copy that was under way when the bot died is no backup, and the next one clears it away."""
    backup_folder.mkdir()
    partial_file = backup_folder / f"captains-table-20260101-000000.db{PARTIAL_SUFFIX}"
    partial_file.write_bytes(b"half")
    (backup_folder / f"{partial_file.name}-journal").write_bytes(b"half")
    (backup_folder / "notes.txt").write_text("not ours")
    assert backups_in(backup_folder) == ()
    await fill_store(store)
    made = await backups.make(NOW)
    assert {path.name for path in backup_folder.iterdir()} == {made.path.name, "notes.txt"}


async def test_copies_of_one_second_are_two_files(
    store: SqliteStore, backups: SqliteBackups, backup_folder: Path
) -> None:
    """Two copies of one second are two files."""
    await fill_store(store)
    first, second = await backups.make(NOW), await backups.make(NOW)
    assert first.path != second.path
    assert backups_in(backup_folder) == (first, second)


async def test_moves_go_on_while_a_copy_is_made(
    store: SqliteStore, backups: SqliteBackups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the file is copied, moves are stored; the copy holds what was stored before, the file follows."""
    await fill_store(store)
    before = sorted(await dump(store))
    copy_begun, moves_stored = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def copy_late(descriptor: int, target: Path, interruption: Interruption) -> None:
        loop.call_soon_threadsafe(copy_begun.set)
        assert moves_stored.wait(WAIT_TIMEOUT), "no move was stored during the copy"
        copy_file(descriptor, target, interruption)

    monkeypatch.setattr(backup, "copy_file", copy_late)
    making = asyncio.ensure_future(backups.make(NOW))
    await copy_begun.wait()
    row = replace(LOBBY_ROW, number=1, version=2, ply=2)
    while row.version < 2 + CHECKPOINT_PAGES // 2:  # more than the log takes without a checkpoint
        row = next_version(row)
        await store.commit(make_change(row, deliveries=(NOTICE_DELIVERY,) * 4))
    moves_stored.set()
    with open_read_only((await making).path) as copy:
        assert sorted(copy.iterdump()) == before
    size = database_file_size(store)
    await store.commit(make_change(next_version(row)))
    assert database_file_size(store) > size, "the log is never brought into the file again"


def database_file_size(store: SqliteStore) -> int:
    """Return the size of a store's file without its log, in bytes."""
    return Path(store._connection.path).stat().st_size


async def test_a_copy_asks_the_store_for_little(store: SqliteStore, backups: SqliteBackups) -> None:
    """On the store's connection, for which moves wait, a backup only empties the log: it reads no table."""
    await fill_store(store)
    statements: list[str] = []
    await store._connection.set_trace_callback(statements.append)
    await backups.make(NOW)
    assert await backups.confirm_current()
    await store._connection.set_trace_callback(None)  # type: ignore[arg-type] # typed too narrowly there
    assert [each.split()[1].partition("(")[0] for each in statements] == [
        "wal_checkpoint",
        "wal_autocheckpoint",
        "wal_autocheckpoint",
    ]


async def test_the_database_stays_locked_after_a_copy(
    store: SqliteStore, backups: SqliteBackups, database_path: Path
) -> None:
    """After a backup no other process can use the database: closing its file would have dropped the lock."""
    await fill_store(store)
    await backups.make(NOW)
    program = (
        f"import sqlite3; sqlite3.connect({str(database_path)!r}, timeout=0)"
        ".execute('select * from settings')"
    )
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stderr=subprocess.PIPE)
    _, errors = await other.communicate()
    assert b"database is locked" in errors


@pytest.mark.parametrize("phase", ["copy_file", "file_faults"])
async def test_a_cancelled_copy_leaves_nothing(
    store: SqliteStore,
    backups: SqliteBackups,
    backup_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    phase: str,
) -> None:
    """A backup that is cancelled, while it copies or while SQLite checks it, ends and leaves no file."""
    await fill_store(store)
    begun, loop = asyncio.Event(), asyncio.get_running_loop()

    def copy_for_ever(descriptor: int, target: Path, interruption: Interruption) -> None:
        loop.call_soon_threadsafe(begun.set)
        while True:
            interruption.raise_if_set()
            time.sleep(0.01)

    monkeypatch.setattr(
        backup, phase, {"copy_file": copy_for_ever, "file_faults": make_slow_check(begun)}[phase]
    )
    making = asyncio.ensure_future(backups.make(NOW))
    await begun.wait()
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(making, WAIT_TIMEOUT)
    assert list(backup_folder.iterdir()) == []
    assert await store.get_metadata("key") is None


async def test_a_cancelled_backup_waits_for_the_file_that_it_creates(
    store: SqliteStore, backups: SqliteBackups, backup_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup cancelled while it creates its file ends after that, so that it spoils no later one."""
    await fill_store(store)
    begun, loop, released = asyncio.Event(), asyncio.get_running_loop(), threading.Event()

    def create_slowly(folder: Path, now: float) -> Path:
        loop.call_soon_threadsafe(begun.set)
        assert released.wait(WAIT_TIMEOUT)
        return create_partial_file(folder, now)

    with monkeypatch.context() as patches:
        patches.setattr(backup, "create_partial_file", create_slowly)
        making = asyncio.ensure_future(backups.make(NOW))
        await begun.wait()
        making.cancel()
        await asyncio.wait({making}, timeout=0.05)
        assert not making.done()
        released.set()
        with pytest.raises(asyncio.CancelledError):
            await making
    assert list(backup_folder.iterdir()) == []
    assert (await backups.make(NOW)).path.exists()


async def test_a_cancelled_wait_for_the_file_leaves_checkpoints_on(store: SqliteStore) -> None:
    """Whoever is cancelled before the file is ready leaves no connection whose log grows for ever."""
    blocker = asyncio.ensure_future(store._connection.run(lambda _: time.sleep(0.2)))
    waiting = asyncio.ensure_future(store.unchanging_file().__aenter__())
    await asyncio.sleep(0.05)
    waiting.cancel()
    await asyncio.gather(blocker, waiting, return_exceptions=True)
    pragma = "pragma wal_autocheckpoint"
    assert await execute_sql(store, pragma) == [(CHECKPOINT_PAGES,)]


def test_a_disk_that_takes_part_of_a_write_is_full(tmp_path: Path) -> None:
    """A copy that does not fit on the disk fails for that reason, also if its last write was cut short."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(bytes(5000))
    target.touch()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with source.open("rb") as file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, limits[1]))
        try:
            with pytest.raises(OSError, match="too large"):
                copy_file(file.fileno(), target, Interruption())
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
