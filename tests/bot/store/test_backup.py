"""Copies of the database: whole, verified, rotated, private, and never in the way (P13)."""

import asyncio
import sqlite3
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.store.backup import (
    PARTIAL_SUFFIX,
    RetentionPolicy,
    SqliteBackups,
    backups_in,
    copy_before_migrating,
    find_expendable,
    newest_good_backup,
    verify,
)
from bot.store.inspection import count_rows, open_copy, table_faults
from bot.store.protocol import Backup, BackupFailed, Divergence, StoreError
from bot.store.rows import DeliveryKind, NewDelivery, Slot, Status, StoredTable
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.store.later import later_release
from tests.bot.store.rows import LOBBY, dump, make_change, make_record, next_version, opening_change

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
    """Copies of the store."""
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
    with open_copy(made.path) as copy:
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
    afresh = SqliteBackups(store, folder, find_no_divergence)
    assert await afresh.is_current(), "as after a restart"
    await store.set_value("a", "b")
    assert not await backups.is_current()
    assert not await afresh.is_current()
    assert not await SqliteBackups(store, folder, find_no_divergence).is_current()


async def test_a_damaged_copy_does_not_count(
    store: SqliteStore, backups: SqliteBackups, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that is damaged, short or not the same is refused and leaves no file; the next is fine."""
    await _fill(store)
    copy = store.copy_into

    async def damaged(path: Path, sample: int) -> object:
        made = await copy(path, sample)
        content = bytearray(path.read_bytes())
        content[4096 * 2 : 4096 * 4] = bytes(4096 * 2)
        path.write_bytes(content)
        return made

    async def short(path: Path, sample: int) -> object:
        made = await copy(path, sample)
        with sqlite3.connect(path) as connection:
            connection.execute("delete from settings")
            connection.execute("delete from seats where seat = 1")
        connection.close()
        return made

    async def other(path: Path, sample: int) -> object:
        made = await copy(path, sample)
        with sqlite3.connect(path) as connection:
            connection.execute("update seats set name = 'Edda' where match = 3 and seat = 1")
        connection.close()
        return made

    async def full(path: Path, sample: int) -> object:
        raise StoreError("database or disk is full")

    for way in (damaged, short, other, full):
        monkeypatch.setattr(store, "copy_into", way)
        with pytest.raises(BackupFailed):
            await backups.make(NOW)
    monkeypatch.setattr(store, "copy_into", copy)
    assert list(folder.iterdir()) == []
    await backups.make(NOW)
    assert len(backups_in(folder)) == 1


async def test_one_table_spoils_no_copy(
    store: SqliteStore, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What is wrong with a table is logged once, without quoting it, and the copy of all others counts."""
    await _fill(store)
    await store.commit(
        make_change(next_version(replace(LOBBY, number=2, version=2), ply=4), records=(make_record(3),))
    )
    frozen = replace(LOBBY, number=3, version=2, ply=2, status=Status.FROZEN)
    await store.commit(make_change(next_version(frozen)))
    await store._connection.run_in_thread(
        lambda raw: raw.execute("update matches set undo_request = x'ff' where number = 1")
    )
    secret = Divergence(2, "another outcome: 7 of hearts", quotes_data=True)
    backups = SqliteBackups(store, folder, lambda stored: secret)
    first, second = await backups.make(NOW), await backups.make(NOW + 60)
    assert backups_in(folder) == (first, second)
    logged = {(vars(entry)["table"], vars(entry)["record"]) for entry in caplog.records}
    assert logged == {(1, 0), (2, 0), (2, 2)}, "of the frozen one it is known"
    assert len(caplog.records) == 3, "twice"
    assert "hearts" not in caplog.text
    with open_copy(second.path) as copy:
        found = [str(each) for each in table_faults(copy, lambda stored: secret)]
    assert "table 3: record 2 differs" in found
    assert "hearts" not in "".join(found)


async def test_what_is_left_of_a_crash_goes(store: SqliteStore, backups: SqliteBackups, folder: Path) -> None:
    """A copy that was under way when the bot died is no backup, and the next one clears it away."""
    folder.mkdir()
    left = folder / f"captains-table-20260101-000000.db{PARTIAL_SUFFIX}"
    left.write_bytes(b"half")
    (folder / f"{left.name}-journal").write_bytes(b"half")
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


async def test_moves_wait_shortly(store: SqliteStore, backups: SqliteBackups) -> None:
    """While a copy of a busy month (some 20 MB) is made, moves are stored, and none waits for long."""
    notice = NewDelivery(Slot(DeliveryKind.NOTICE), "x" * 1500)
    for number in range(1, 41):
        await store.commit(opening_change(number, *(notice,) * 300))
    making = asyncio.ensure_future(backups.make(NOW))
    row, longest, clock = LOBBY, 0.0, asyncio.get_running_loop().time
    while not making.done():
        row = next_version(row)
        began = clock()
        await store.commit(make_change(row))
        longest = max(longest, clock() - began)
        await asyncio.sleep(0)
    assert (await making).path.stat().st_size > 15_000_000
    assert longest < 5.0
    assert row.version > 2, "no move was made meanwhile"


def _every_quarter(days: int) -> list[Backup]:
    return [Backup(NOW + 900 * n, Path(f"{n}.db")) for n in range(days * 96)]


def test_rotation() -> None:
    """Of copies made every quarter of an hour: the newest 8, one an hour for a day, one a day for 14 days."""
    kept: list[Backup] = []
    now = 0
    for backup in _every_quarter(30):
        now = backup.made_at
        kept.append(backup)
        gone = set(find_expendable(kept, RetentionPolicy(), now))
        assert backup not in gone
        kept = [each for each in kept if each not in gone]
    ages = [(now - each.made_at) for each in kept]
    assert sorted(ages)[:8] == [900 * n for n in range(8)]
    assert {age // HOUR for age in ages} >= set(range(24))
    assert {each.made_at // (24 * HOUR) for each in kept} == {now // (24 * HOUR) - n for n in range(14)}
    assert len(kept) <= 8 + 25 + 14
    assert len(find_expendable(kept, RetentionPolicy(1, 0, 0), now)) == len(kept) - 1


def test_rotation_keeps_the_newest_whatever_the_clock_says() -> None:
    """A clock that was set back, or a year's pause, never drops the newest copies."""
    backups = _every_quarter(1)
    for now in (0, NOW + 10**9):
        left = set(backups) - set(find_expendable(backups, RetentionPolicy(), now))
        assert set(backups[-8:]) <= left


# Before the schema is changed ---------------------------------------------------------------------------


async def old_database(path: Path) -> None:
    """A database of this release, which is an older one to the next, with something in it."""
    store = await open_store(path)
    await store.set_value("kept", "yes")
    await store.close()


async def test_a_copy_before_the_schema_changes(path: Path, folder: Path) -> None:
    """An older database is copied before it is changed; a new or current one is not."""
    await old_database(path)
    with later_release():
        for _ in range(2):
            store = await open_store(path, copy_before_migrating(folder, lambda: NOW))
            assert await store.get_value("kept") == "yes"
            await store.close()
    (backup,) = backups_in(folder)
    with open_copy(backup.path) as copy:
        assert copy.execute("select number from schema_migrations").fetchall() == [(1,)]
        assert count_rows(copy)["settings"] == 1
    fresh = await open_store(path.with_name("new.db"), copy_before_migrating(folder, lambda: NOW))
    await fresh.close()
    assert len(backups_in(folder)) == 1


async def test_no_copy_no_migration(path: Path, folder: Path) -> None:
    """Where the copy cannot be made the schema stays as it is."""
    await old_database(path)
    folder.write_text("in the way")
    with later_release(), pytest.raises(StoreError):
        await open_store(path, copy_before_migrating(folder, lambda: NOW))
    with open_copy(path) as raw:
        assert raw.execute("select number from schema_migrations").fetchall() == [(1,)]


async def test_the_newest_good_one_is_found(store: SqliteStore, backups: SqliteBackups, folder: Path) -> None:
    """A copy that the disk has damaged since is passed over."""
    await _fill(store)
    good = await backups.make(NOW)
    spoilt = await backups.make(NOW + 10)
    spoilt.path.write_bytes(spoilt.path.read_bytes()[:5000])
    assert newest_good_backup(backups_in(folder)) == good
    with pytest.raises(BackupFailed):
        verify(spoilt.path)
    assert newest_good_backup((spoilt,)) is None
