"""Which copies of the database are kept, and which one is the newest good one (P13)."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.store.backup import SqliteBackups, choose_backup, verify_copy
from bot.store.backup_folder import RetentionPolicy, backups_in, find_backups_to_delete, lost_database_text
from bot.store.clock_rows import HOUR
from bot.store.protocol import Backup, BackupFailed
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.store.backups import NOW, fill_store, find_no_divergence


def test_only_names_of_copies_are_backups(backup_folder: Path) -> None:
    """A file that somebody put beside the copies is none of them, and stops no backup."""
    backup_folder.mkdir()
    for name in ("captains-table-20261399-000000.db", "captains-table-20260921-141320.db.partial", "notes"):
        (backup_folder / name).touch()
    assert backups_in(backup_folder) == ()
    (backup_folder / "captains-table-20260921-141320.db").touch()
    assert [each.made_at for each in backups_in(backup_folder)] == [NOW]


def _quarter_hourly_backups(day_count: int) -> list[Backup]:
    """Return backups made every quarter of an hour for some days."""
    return [Backup(NOW + 900 * n, Path(f"{n}.db")) for n in range(day_count * 96)]


def test_rotation_keeps_the_newest_one_an_hour_and_one_a_day() -> None:
    """Of copies made every quarter of an hour: the newest 8, one an hour for a day, one a day for 14 days."""
    kept: list[Backup] = []
    now = 0
    for each in _quarter_hourly_backups(30):
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
    backups = _quarter_hourly_backups(1)
    for now in (0, NOW + 10**9):
        kept = set(backups) - set(find_backups_to_delete(backups, RetentionPolicy(), now))
        assert set(backups[-8:]) <= kept


async def test_the_newest_good_one_is_found(
    store: SqliteStore, backups: SqliteBackups, backup_folder: Path
) -> None:
    """A copy that the disk has damaged since is passed over."""
    await fill_store(store)
    good_backup = await backups.make(NOW)
    damaged_backup = await backups.make(NOW + 10)
    damaged_backup.path.write_bytes(damaged_backup.path.read_bytes()[:5000])
    assert choose_backup(backups_in(backup_folder)).backup == good_backup
    with pytest.raises(BackupFailed):
        verify_copy(damaged_backup.path)
    assert choose_backup((damaged_backup,)).backup is None


def test_a_lost_database_is_told_from_a_new_one(
    backup_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is lost if it is missing or empty where backups are, or may be: their folder cannot be read."""
    database = tmp_path / "tables.db"
    assert not lost_database_text(database, backup_folder), "nothing is there yet"
    backup_folder.mkdir()
    (backup_folder / "captains-table-20260921-141320.db").touch()
    assert "run `restore`" in lost_database_text(database, backup_folder)
    database.touch()
    assert "run `restore`" in lost_database_text(database, backup_folder)
    database.write_text("any")
    assert not lost_database_text(database, backup_folder)
    database.unlink()
    monkeypatch.setattr("bot.store.backup_folder.backups_in", Mock(side_effect=PermissionError(13, "denied")))
    assert f"{backup_folder} cannot be read: denied" in lost_database_text(database, backup_folder)


async def test_an_empty_backup_is_passed_over(
    store: SqliteStore, backups: SqliteBackups, backup_folder: Path, tmp_path: Path
) -> None:
    """The backup of a database begun after another was lost hides none that has tables."""
    await fill_store(store)
    full_backup = await backups.make(NOW)
    new_store = await open_store(tmp_path / "new.db")
    try:
        new_backups = SqliteBackups(new_store, backup_folder, find_no_divergence)
        empty_backups = [await new_backups.make(NOW + seconds) for seconds in (10, 20)]
    finally:
        await new_store.close()
    assert backups_in(backup_folder) == (full_backup, *empty_backups)
    assert choose_backup(backups_in(backup_folder)).backup == full_backup
    assert choose_backup(empty_backups).backup == empty_backups[-1], "the newest, where none has tables"
    empty_backups[-1].path.write_bytes(b"damaged")
    choice = choose_backup(empty_backups)
    assert choice.backup == empty_backups[-2]
    assert [empty_backups[-1].path.name in text for text in choice.passed_over] == [True], (
        "only the newer one"
    )
