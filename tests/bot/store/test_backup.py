"""Copies of the database: whole, verified, rotated, private, and never in the way (P13)."""

import asyncio
import errno
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot import running
from bot.config import StorageSettings
from bot.store import backup
from bot.store.backup import (
    PARTIAL_SUFFIX,
    RetentionPolicy,
    SqliteBackups,
    backups_in,
    create_partial_file,
    find_backups_to_delete,
    make_pre_migration_copier,
    newest_good_backup,
    verify_copy,
)
from bot.store.connection import CHECKPOINT_INTERVAL
from bot.store.delivery_rows import DeliveryKind, NewDelivery, Slot
from bot.store.file_copy import Interruption, copy_file
from bot.store.inspection import count_rows, open_read_only, schema_faults, table_faults
from bot.store.migrations import Migration, has_older_schema, migrate, released_migrations
from bot.store.preferences import PersonRow
from bot.store.protocol import Backup, BackupFailed, Divergence, StoreError
from bot.store.rows import Status, StoredTable
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.store.later_release import later_release
from tests.bot.store.sample_rows import (
    LOBBY,
    dump,
    make_change,
    make_record,
    next_version,
    opening_change,
    query,
)

DamageFile = Callable[[Path], None]

NOW = 1_790_000_000
HOUR = 3600


def find_no_divergence(stored: StoredTable) -> Divergence | None:
    """Find nothing wrong."""
    return None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return where the copies go."""
    return tmp_path / "backups"


@pytest.fixture
def backups(store: SqliteStore, folder: Path) -> SqliteBackups:
    """Return the backups of the store."""
    return SqliteBackups(store, folder, find_no_divergence)


async def _fill(store: SqliteStore, tables: int = 3) -> None:
    for number in range(1, tables + 1):
        await store.commit(opening_change(number))
        row = next_version(replace(LOBBY, number=number), ply=2)
        await store.commit(make_change(row, number, records=(make_record(1), make_record(2))))


async def test_a_copy_holds_everything(store: SqliteStore, backups: SqliteBackups) -> None:
    """A copy opens as a store and holds every row; only its owner may read it, for it holds the seeds."""
    await _fill(store)
    made = await backups.make(NOW)
    before = await dump(store)
    with open_read_only(made.path) as copy:
        assert sorted(copy.iterdump()) == sorted(before)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert await backups.newest() == made
    assert made.made_at == NOW


async def test_only_what_has_changed_is_copied(
    store: SqliteStore, backups: SqliteBackups, folder: Path
) -> None:
    """Nothing is copied while nothing has changed, after a restart too; every kind of change counts."""
    assert not await backups.is_current()
    await _fill(store)
    await backups.make(NOW)
    assert await backups.is_current()
    restarted = SqliteBackups(store, folder, find_no_divergence)
    assert await restarted.is_current(), "as after a restart"
    await store.set_metadata("a", "b")
    assert not await backups.is_current()
    assert not await restarted.is_current()
    assert not await SqliteBackups(store, folder, find_no_divergence).is_current()
    for change in (store.commit(opening_change(9)), store.save_preferences(PersonRow(100))):
        await backups.make(NOW)
        assert await backups.is_current()
        await change
        assert not await backups.is_current()


async def test_a_deleted_copy_is_made_again(store: SqliteStore, backups: SqliteBackups) -> None:
    """An older copy does not stand for the newest one, which somebody has deleted."""
    await backups.make(NOW)
    await _fill(store)
    made = await backups.make(NOW + HOUR)
    assert await backups.is_current()
    made.path.unlink()
    assert not await backups.is_current()


async def test_a_clock_set_back_spoils_no_copy(store: SqliteStore, folder: Path) -> None:
    """The copy that was just made stays, though the names of older ones say a later time."""
    backups = SqliteBackups(store, folder, find_no_divergence, RetentionPolicy(newest=1))
    await backups.make(NOW + 2 * HOUR)
    await backups.make(NOW)
    await _fill(store)
    made = await backups.make(NOW + 60)
    assert made.path.exists()
    assert await backups.is_current()


async def test_signs_of_life_ask_for_no_copy(store: SqliteStore, backups: SqliteBackups) -> None:
    """Storing again and again that the bot runs is no change, before or after a copy, and hides none."""
    await _fill(store)
    for at in range(3):
        await store.set_last_seen(at)
    await backups.make(NOW)
    assert await backups.is_current()
    await store.set_last_seen(4)
    assert await backups.is_current()
    for value in "abcdef":
        await store.set_metadata("a", value)
        assert not await backups.is_current()


async def test_a_damaged_copy_does_not_count(
    store: SqliteStore, backups: SqliteBackups, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that is damaged, short or not the same is refused and leaves no file; the next is fine."""
    await _fill(store)

    def damage(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[4096 * 2 : 4096 * 4] = bytes(4096 * 2)
        path.write_bytes(content)

    def shorten(path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute("delete from settings")
            connection.execute("delete from seats where seat = 1")
        connection.close()

    def alter(path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute("update seats set name = 'Edda' where match = 3 and seat = 1")
        connection.close()

    def fill_disk(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for change in (damage, shorten, alter, fill_disk):

        def copy(
            descriptor: int, target: Path, interruption: Interruption, damage_file: DamageFile = change
        ) -> None:
            copy_file(descriptor, target, interruption)
            damage_file(target)

        monkeypatch.setattr(backup, "copy_file", copy)
        with pytest.raises(BackupFailed):
            await backups.make(NOW)
    monkeypatch.setattr(backup, "copy_file", copy_file)
    assert list(folder.iterdir()) == []
    await backups.make(NOW)
    assert len(backups_in(folder)) == 1


@pytest.mark.parametrize("damage", ["question = x'ff'", "options = cast(x'41ff' as text)"])
async def test_one_table_spoils_no_copy(
    store: SqliteStore, folder: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """What is wrong with a table is logged once, without quoting it, and the copy of all others counts."""
    await _fill(store)
    await store.commit(
        make_change(next_version(replace(LOBBY, number=2, version=2), ply=4), records=(make_record(3),))
    )
    frozen = replace(LOBBY, number=3, version=2, ply=2, status=Status.FROZEN)
    await store.commit(make_change(next_version(frozen)))
    await store._connection.run_in_thread(
        lambda raw: raw.execute(f"update matches set {damage} where number = 1")
    )
    secret = Divergence(2, "another outcome: 7 of hearts", quotes_data=True)
    backups = SqliteBackups(store, folder, lambda stored: secret)
    first, second = await backups.make(NOW), await backups.make(NOW + 60)
    assert backups_in(folder) == (first, second)
    logged = {(vars(entry)["table"], vars(entry)["record"]) for entry in caplog.records}
    assert logged == {(1, 0), (2, 0), (2, 2)}, "of the frozen one it is known"
    assert len(caplog.records) == 3, "twice"
    assert "hearts" not in caplog.text
    with open_read_only(second.path) as copy:
        found = [str(each) for each in table_faults(copy, lambda stored: secret)]
    assert "table 3: record 2 differs" in found
    assert "hearts" not in "".join(found)


async def test_what_is_left_of_a_crash_goes(store: SqliteStore, backups: SqliteBackups, folder: Path) -> None:
    """A copy that was under way when the bot died is no backup, and the next one clears it away."""
    folder.mkdir()
    partial_file = folder / f"captains-table-20260101-000000.db{PARTIAL_SUFFIX}"
    partial_file.write_bytes(b"half")
    (folder / f"{partial_file.name}-journal").write_bytes(b"half")
    (folder / "notes.txt").write_text("not ours")
    assert backups_in(folder) == ()
    await _fill(store)
    made = await backups.make(NOW)
    assert {path.name for path in folder.iterdir()} == {made.path.name, "notes.txt"}


async def test_copies_of_one_second_are_two_files(
    store: SqliteStore, backups: SqliteBackups, folder: Path
) -> None:
    """Two copies of one second are two files."""
    await _fill(store)
    first, second = await backups.make(NOW), await backups.make(NOW)
    assert first.path != second.path
    assert backups_in(folder) == (first, second)


async def test_moves_go_on_while_a_copy_is_made(
    store: SqliteStore, backups: SqliteBackups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the file is copied, moves are stored; the copy holds what was stored before, the file follows."""
    await _fill(store)
    before = sorted(await dump(store))
    copying, stored = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def copy_late(descriptor: int, target: Path, interruption: Interruption) -> None:
        loop.call_soon_threadsafe(copying.set)
        assert stored.wait(20), "no move was stored during the copy"
        copy_file(descriptor, target, interruption)

    monkeypatch.setattr(backup, "copy_file", copy_late)
    making = asyncio.ensure_future(backups.make(NOW))
    await copying.wait()
    row = replace(LOBBY, number=1, version=2, ply=2)
    while row.version < 2 + CHECKPOINT_INTERVAL // 2:  # more than the log takes without a checkpoint
        row = next_version(row)
        await store.commit(make_change(row, deliveries=(NOTICE,) * 4))
    stored.set()
    with open_read_only((await making).path) as copy:
        assert sorted(copy.iterdump()) == before
    length = store_size(store)
    await store.commit(make_change(next_version(row)))
    assert store_size(store) > length, "the log is never brought into the file again"


def store_size(store: SqliteStore) -> int:
    """Return the size of a store's file without its log, in bytes."""
    return Path(store._connection.path).stat().st_size


NOTICE = NewDelivery(Slot(DeliveryKind.NOTICE), "x" * 1500)


async def test_a_copy_asks_the_store_for_little(store: SqliteStore, backups: SqliteBackups) -> None:
    """On the store's connection, for which moves wait, a backup only empties the log: it reads no table."""
    await _fill(store)
    statements: list[str] = []
    await store._connection.set_trace_callback(statements.append)
    await backups.make(NOW)
    assert await backups.is_current()
    await store._connection.set_trace_callback(None)  # type: ignore[arg-type] # typed too narrowly there
    assert [each.split()[1].partition("(")[0] for each in statements] == [
        "wal_checkpoint",
        "wal_autocheckpoint",
        "wal_autocheckpoint",
    ]


async def test_a_copy_leaves_the_lock(store: SqliteStore, backups: SqliteBackups, path: Path) -> None:
    """After a backup no other process can use the database: closing its file would have dropped the lock."""
    await _fill(store)
    await backups.make(NOW)
    program = f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('select * from settings')"
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stderr=subprocess.PIPE)
    _, errors = await other.communicate()
    assert b"database is locked" in errors


def _slow_check(begun: asyncio.Event) -> Callable[[sqlite3.Connection], Iterator[str]]:
    """Return a check of a copy, to run in a thread, that takes many seconds if nothing interrupts it."""
    loop = asyncio.get_running_loop()

    def check(connection: sqlite3.Connection) -> Iterator[str]:
        loop.call_soon_threadsafe(begun.set)
        connection.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000000)"
            " select max(i) from n"
        )
        yield ""

    return check


@pytest.mark.parametrize("phase", ["copy_file", "file_faults"])
async def test_a_cancelled_copy_leaves_nothing(
    store: SqliteStore,
    backups: SqliteBackups,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    phase: str,
) -> None:
    """A backup that is cancelled, while it copies or while SQLite checks it, ends and leaves no file."""
    await _fill(store)
    begun, loop = asyncio.Event(), asyncio.get_running_loop()

    def copy_for_ever(descriptor: int, target: Path, interruption: Interruption) -> None:
        loop.call_soon_threadsafe(begun.set)
        while True:
            interruption.check()
            time.sleep(0.01)

    monkeypatch.setattr(backup, phase, {"copy_file": copy_for_ever, "file_faults": _slow_check(begun)}[phase])
    making = asyncio.ensure_future(backups.make(NOW))
    await begun.wait()
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(making, 10)
    assert list(folder.iterdir()) == []
    assert await store.get_metadata("key") is None


async def test_a_cancelled_backup_waits_for_the_file_that_it_creates(
    store: SqliteStore, backups: SqliteBackups, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup cancelled while it creates its file ends after that, so that it spoils no later one."""
    await _fill(store)
    begun, loop, go_on = asyncio.Event(), asyncio.get_running_loop(), threading.Event()

    def create_slowly(folder: Path, now: float) -> Path:
        loop.call_soon_threadsafe(begun.set)
        assert go_on.wait(10)
        return create_partial_file(folder, now)

    with monkeypatch.context() as patches:
        patches.setattr(backup, "create_partial_file", create_slowly)
        making = asyncio.ensure_future(backups.make(NOW))
        await begun.wait()
        making.cancel()
        await asyncio.wait({making}, timeout=0.05)
        assert not making.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await making
    assert list(folder.iterdir()) == []
    assert (await backups.make(NOW)).path.exists()


async def test_a_cancelled_wait_for_the_file_leaves_checkpoints_on(store: SqliteStore) -> None:
    """Whoever is cancelled before the file is ready leaves no connection whose log grows for ever."""
    blocker = asyncio.ensure_future(store._connection.run(lambda _: time.sleep(0.2)))
    waiting = asyncio.ensure_future(store.unchanging_file().__aenter__())
    await asyncio.sleep(0.05)
    waiting.cancel()
    await asyncio.gather(blocker, waiting, return_exceptions=True)
    interval = "pragma wal_autocheckpoint"
    assert await query(store, interval) == [(CHECKPOINT_INTERVAL,)]


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


def test_only_names_of_copies_are_backups(folder: Path) -> None:
    """A file that somebody put beside the copies is none of them, and stops no backup."""
    folder.mkdir()
    for name in ("captains-table-20261399-000000.db", "captains-table-20260921-141320.db.partial", "notes"):
        (folder / name).touch()
    assert backups_in(folder) == ()
    (folder / "captains-table-20260921-141320.db").touch()
    assert [each.made_at for each in backups_in(folder)] == [NOW]


def _every_quarter(days: int) -> list[Backup]:
    return [Backup(NOW + 900 * n, Path(f"{n}.db")) for n in range(days * 96)]


def test_rotation() -> None:
    """Of copies made every quarter of an hour: the newest 8, one an hour for a day, one a day for 14 days."""
    kept: list[Backup] = []
    now = 0
    for each in _every_quarter(30):
        now = each.made_at
        kept.append(each)
        deleted = set(find_backups_to_delete(kept, RetentionPolicy(), now))
        assert each not in deleted
        kept = [backup for backup in kept if backup not in deleted]
    ages = [(now - each.made_at) for each in kept]
    assert sorted(ages)[:8] == [900 * n for n in range(8)]
    assert {age // HOUR for age in ages} >= set(range(24))
    assert {each.made_at // (24 * HOUR) for each in kept} == {now // (24 * HOUR) - n for n in range(14)}
    assert len(kept) <= 8 + 25 + 14
    assert len(find_backups_to_delete(kept, RetentionPolicy(1, 0, 0), now)) == len(kept) - 1


def test_rotation_keeps_the_newest_whatever_the_clock_says() -> None:
    """A clock that was set back, or a year's pause, never drops the newest copies."""
    backups = _every_quarter(1)
    for now in (0, NOW + 10**9):
        kept = set(backups) - set(find_backups_to_delete(backups, RetentionPolicy(), now))
        assert set(backups[-8:]) <= kept


async def test_the_newest_good_one_is_found(store: SqliteStore, backups: SqliteBackups, folder: Path) -> None:
    """A copy that the disk has damaged since is passed over."""
    await _fill(store)
    good = await backups.make(NOW)
    damaged = await backups.make(NOW + 10)
    damaged.path.write_bytes(damaged.path.read_bytes()[:5000])
    assert newest_good_backup(backups_in(folder)) == good
    with pytest.raises(BackupFailed):
        verify_copy(damaged.path)
    assert newest_good_backup((damaged,)) is None


def test_a_schema_that_cannot_be_read_is_not_called_missing() -> None:
    """Only a file without the table of migrations has no schema; another error is named."""
    connection = sqlite3.connect(":memory:")
    assert list(schema_faults(connection)) == ["this is no database of Captain's Table: it has no schema"]
    migrate(connection, released_migrations())
    assert not list(schema_faults(connection))
    connection.set_progress_handler(lambda: 1, 1)
    assert list(schema_faults(connection)) == ["the schema cannot be read: interrupted"]


# Before the schema is changed ---------------------------------------------------------------------------


async def make_old_database(path: Path) -> None:
    """Make a database of this release, which is an older one to the next, with something in it."""
    store = await open_store(path)
    await store.set_metadata("kept", "yes")
    await store.close()


async def test_a_copy_before_the_schema_changes(path: Path, folder: Path) -> None:
    """An older database is copied before it is changed; a new or current one is not."""
    await make_old_database(path)
    with later_release():
        for _ in range(2):
            store = await open_store(path, make_pre_migration_copier(folder, lambda: NOW))
            assert await store.get_metadata("kept") == "yes"
            await store.close()
    (made,) = backups_in(folder)
    with open_read_only(made.path) as copy:
        assert copy.execute("select number from schema_migrations").fetchall() == [(1,)]
        assert count_rows(copy)["settings"] == 1
    fresh = await open_store(path.with_name("new.db"), make_pre_migration_copier(folder, lambda: NOW))
    await fresh.close()
    assert len(backups_in(folder)) == 1


async def test_no_copy_no_migration(path: Path, folder: Path) -> None:
    """Where the copy cannot be made the schema stays as it is."""
    await make_old_database(path)
    folder.write_text("in the way")
    with later_release(), pytest.raises(StoreError):
        await open_store(path, make_pre_migration_copier(folder, lambda: NOW))
    with open_read_only(path) as raw:
        assert raw.execute("select number from schema_migrations").fetchall() == [(1,)]


async def test_a_stop_interrupts_the_copy_before_the_schema_changes(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal while an older database is copied ends the start soon, and the schema stays as it is."""
    await make_old_database(path)
    begun, stopping = asyncio.Event(), running.StopSignal()
    monkeypatch.setattr(backup, "file_faults", _slow_check(begun))
    with later_release():
        opening = asyncio.ensure_future(running._open_store(StorageSettings(path, folder), stopping))
        await begun.wait()
        stopping.set()
        assert await asyncio.wait_for(opening, 10) is None
    assert backups_in(folder) == ()
    with open_read_only(path) as raw:
        assert raw.execute("select number from schema_migrations").fetchall() == [(1,)]


def test_a_schema_that_cannot_be_read_is_not_taken_for_a_new_one() -> None:
    """Without knowing its schema nothing says that a database needs no copy before a migration."""
    connection = sqlite3.connect(":memory:")
    assert not has_older_schema(connection, released_migrations()), "a new file"
    migrate(connection, released_migrations())
    later = (*released_migrations(), Migration(99, ""))
    assert has_older_schema(connection, later)
    connection.set_progress_handler(lambda: 1, 1)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        has_older_schema(connection, later)
