"""T2: a process is killed before and after commit, answer, delivery, migration, backup and restoration."""

import asyncio
import json
import random
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.config import StorageSettings
from bot.host.loading import make_replay_check
from bot.host.tables import Tables
from bot.operate.restore import restore
from bot.store.backup import make_pre_migration_copier, verify_copy
from bot.store.backup_folder import PARTIAL_SUFFIX, backups_in
from bot.store.inspection import inspect_database, open_read_only
from bot.store.protocol import BackupFailed
from bot.store.restoring import open_unused_database
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from tests.bot.forked_program import process_context
from tests.bot.host.playing_process import ProcessOutput, check_after_crash
from tests.bot.operate import killed_process
from tests.bot.operate.databases import NOW, make_backup, make_moves, run_with_store, start_games, storage_in
from tests.bot.store.later_release import LATER_MIGRATION, later_release, play_games
from tests.bot.store.sample_rows import dump
from tests.trials import WAIT_TIMEOUT, trial_count

TRIAL_COUNT = trial_count(1, soak=50)
"""Trials of what is done step by step: each is like the others."""
PLAYING_TRIAL_COUNT = trial_count(2, soak=50)
"""Trials of play: the second one finds what the first one left, and ends elsewhere."""


def run_until_killed(point: str, folder: Path, seed: int, *, with_defect: bool = False) -> None:
    """Run a process that is killed at a point."""
    process = process_context().Process(
        target=killed_process.run_until_killed, args=(point, str(folder), seed, with_defect), daemon=True
    )
    process.start()
    process.join(WAIT_TIMEOUT)
    code = process.exitcode
    process.kill()
    process.join()
    process.close()
    assert code == -signal.SIGKILL, f"it did not die at “{point}”: {code}"


def check_consistency(storage: StorageSettings) -> None:
    """Check promise P3 for the whole database: records, snapshots, inbox and outbox agree."""
    with open_unused_database(storage.database) as connection:
        assert inspect_database(connection, make_replay_check(GAMES)).faults == ()


# While playing ------------------------------------------------------------------------------------------


def _kill_while_playing(folder: Path, point: str, seed: int, *, with_defect: bool = False) -> None:
    (folder / "output").write_bytes(b"")
    run_until_killed(point, folder, seed, with_defect=with_defect)
    output = ProcessOutput()
    for line in (folder / "output").read_text(encoding="utf-8").splitlines():
        kind, *rest = json.loads(line)
        (output.answered if kind == "answered" else output.sent).append(tuple(rest))
    asyncio.run(check_after_crash(folder / "tables.db", output))
    check_consistency(storage_in(folder))


@pytest.mark.trust_test("T2")
@pytest.mark.parametrize("point", killed_process.PLAYING_POINTS)
def test_killed_while_playing(tmp_path: Path, point: str, add_trials: Callable[[int], None]) -> None:
    """What was answered is stored, once and whole, and its board will be drawn."""
    for seed in range(PLAYING_TRIAL_COUNT):
        _kill_while_playing(tmp_path, point, seed)
        add_trials(1)


@pytest.mark.trust_test("T2", sensitivity=True)
def test_catches_an_answer_before_the_commit(tmp_path: Path) -> None:
    """The check above fails where the answer comes before the commit."""

    def die_five_times() -> None:
        for seed in range(5):
            _kill_while_playing(tmp_path, "commit begun", seed, with_defect=True)

    with pytest.raises(AssertionError, match="answered, not stored"):
        die_five_times()


# While the schema is changed ----------------------------------------------------------------------------


def _kill_while_migrating(folder: Path, point: str, seed: int, *, with_defect: bool = False) -> None:
    storage = storage_in(folder / str(seed))
    storage.backup_folder.mkdir(parents=True)
    run_with_store(storage, play_games)
    with open_read_only(storage.database) as connection:
        records = connection.execute("select * from records").fetchall()
    run_until_killed(point, storage.database.parent, seed, with_defect=with_defect)
    with open_unused_database(storage.database) as connection:
        applied_numbers = {number for (number,) in connection.execute("select number from schema_migrations")}
        has_column = "later" in {name for _, name, *_ in connection.execute("pragma table_info(matches)")}
        has_table = bool(connection.execute("select 1 from sqlite_master where name = 'later'").fetchall())
    assert has_column == has_table == (LATER_MIGRATION.number in applied_numbers), "half a step"

    async def open_again() -> None:
        store = await open_store(
            storage.database, make_pre_migration_copier(storage.backup_folder, lambda: NOW)
        )
        await store.close()

    with later_release():
        asyncio.run(open_again())
    (oldest, *_) = backups_in(storage.backup_folder)
    for path in (oldest.path, storage.database):
        with open_unused_database(path) as connection:
            assert connection.execute("select * from records").fetchall() == records


@pytest.mark.trust_test("T2")
@pytest.mark.parametrize("point", killed_process.MIGRATING_POINTS)
def test_killed_while_migrating(tmp_path: Path, point: str, add_trials: Callable[[int], None]) -> None:
    """The schema is changed whole or not at all, there is a backup, and the next start succeeds."""
    for seed in range(TRIAL_COUNT):
        _kill_while_migrating(tmp_path, point, seed)
        add_trials(1)


@pytest.mark.trust_test("T2", sensitivity=True)
def test_catches_a_migration_without_a_transaction(tmp_path: Path) -> None:
    """The check above fails where the steps are not one transaction."""
    with pytest.raises(AssertionError, match="half a step"):
        _kill_while_migrating(tmp_path, "migration half", 0, with_defect=True)


# While a backup is made ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a database and an older backup, the same ones in each run."""
    folder = tmp_path_factory.mktemp("played")
    storage = storage_in(folder)

    async def play(store: SqliteStore) -> None:
        await start_games(store, 2)
        await make_backup(store, storage)
        await make_moves(store, 1, 3)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bot.host.tables.secrets.token_bytes", random.Random("played").randbytes)
        run_with_store(storage, play)
    return folder


def _copy_folder(played_folder: Path, folder: Path) -> tuple[StorageSettings, list[str]]:
    """Copy a folder; return its settings and what the database holds."""
    shutil.copytree(played_folder, folder)
    storage = storage_in(folder)
    return storage, run_with_store(storage, dump)


def _kill_while_backing_up(
    played_folder: Path, folder: Path, point: str, seed: int, *, with_defect: bool = False
) -> None:
    storage, dump_before = _copy_folder(played_folder, folder / str(seed))
    run_until_killed(point, storage.database.parent, seed, with_defect=with_defect)
    assert run_with_store(storage, dump) == dump_before
    for backup in backups_in(storage.backup_folder):
        verify_copy(backup.path)  # whatever bears the name is good
    count = len(backups_in(storage.backup_folder))
    assert count == (2 if point == "backup named" else 1)
    run_with_store(storage, lambda store: make_backup(store, storage, NOW + 120))
    assert len(backups_in(storage.backup_folder)) == count + 1
    assert not list(storage.backup_folder.glob(f"*{PARTIAL_SUFFIX}*"))


@pytest.mark.trust_test("T2")
@pytest.mark.parametrize("point", killed_process.BACKUP_POINTS)
def test_killed_during_a_backup(
    played_folder: Path, tmp_path: Path, point: str, add_trials: Callable[[int], None]
) -> None:
    """The database is unchanged, every backup with a final name is good, and the next one is made."""
    for seed in range(TRIAL_COUNT):
        _kill_while_backing_up(played_folder, tmp_path, point, seed)
        add_trials(1)


@pytest.mark.trust_test("T2", sensitivity=True)
def test_catches_a_backup_named_too_early(played_folder: Path, tmp_path: Path) -> None:
    """The check above fails where a backup has its final name before it is verified."""
    with pytest.raises(BackupFailed, match="is not good"):
        _kill_while_backing_up(played_folder, tmp_path, "backup begun", 0, with_defect=True)


# While one is restored ----------------------------------------------------------------------------------


def _kill_while_restoring(
    played_folder: Path, folder: Path, point: str, seed: int, *, with_defect: bool = False
) -> None:
    storage, dump_before = _copy_folder(played_folder, folder / str(seed))
    run_until_killed(point, storage.database.parent, seed, with_defect=with_defect)
    assert storage.database.exists(), "there is no database"
    check_consistency(storage)

    async def read_generation(store: SqliteStore) -> int:
        return (await Tables(store, GAMES).get(1)).row.generation

    if run_with_store(storage, read_generation) == 0:
        assert sorted(run_with_store(storage, dump)) == sorted(dump_before)
    else:
        assert point == "restore replaced"
        (replaced_path,) = storage.database.parent.glob("replaced-*.db")
        with open_read_only(replaced_path) as connection:
            assert sorted(connection.iterdump()) == sorted(dump_before)
    restoration = asyncio.run(restore(storage, GAMES, NOW + 120))
    assert restoration.source == backups_in(storage.backup_folder)[-1].path
    check_consistency(storage)
    assert run_with_store(storage, read_generation) >= 1
    run_with_store(storage, lambda store: make_moves(store, 1, 2))


@pytest.mark.trust_test("T2")
@pytest.mark.parametrize("point", killed_process.RESTORING_POINTS)
def test_killed_while_restoring(
    played_folder: Path, tmp_path: Path, point: str, add_trials: Callable[[int], None]
) -> None:
    """There is a whole database at any time, the old or the restored one; restoring again works."""
    for seed in range(TRIAL_COUNT):
        _kill_while_restoring(played_folder, tmp_path, point, seed)
        add_trials(1)


@pytest.mark.trust_test("T2", sensitivity=True)
def test_catches_a_moment_without_a_database(played_folder: Path, tmp_path: Path) -> None:
    """The check above fails where the old file is removed before the new one is in place."""
    with pytest.raises(AssertionError, match="there is no database"):
        _kill_while_restoring(played_folder, tmp_path, "restore kept", 0, with_defect=True)
