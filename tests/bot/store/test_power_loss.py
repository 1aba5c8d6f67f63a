"""T3: the power goes at any instant; what was confirmed is there, whole, with the store's own SQLite."""

import asyncio
import random
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

import apsw
import pytest

from bot.host.loading import make_replay_check
from bot.host.tables import Tables
from bot.store.connection import PRAGMAS
from bot.store.inspection import inspect_database
from bot.store.migrations import migrate, released_migrations
from bot.store.rows import Change, RepeatedInteraction
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, begin, default_setup, make_move
from tests.bot.store.power_loss import Confirmation, DiskEvent, Flush, record_changes, simulate_losses
from tests.trials import trial_count

MIN_CHANGE_COUNT = 120


class RecordingStore(SqliteStore):
    """Records every change."""

    changes_made: list[Change]

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Record and store."""
        self.changes_made.append(change)
        return await super().commit(change)


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory) -> list[Change]:
    """Return what the store is asked when two kinds of games are played, the same in each run."""

    async def play() -> list[Change]:
        store = await open_store(tmp_path_factory.mktemp("recording") / "tables.db")
        store.__class__ = RecordingStore
        assert isinstance(store, RecordingStore)
        store.changes_made = []
        tables, rng = Tables(store, GAMES_AND_TOYS), random.Random(1)
        while len(store.changes_made) < MIN_CHANGE_COUNT:
            numbers = [
                await begin(tables, default_setup(GAMES_AND_TOYS[key], seat_count))
                for key, seat_count in ((KEY_OF_GAME_WITH_SECRETS, 2), ("pearls", 3))
            ]
            for _ in range(25):
                for number in numbers:
                    if (await tables.get(number)).to_act is not None:
                        await make_move(tables, number, rng)
        await store.close()
        return store.changes_made

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bot.host.tables.secrets.token_bytes", random.Random("changes").randbytes)
        return asyncio.run(play())


def check_disk(folder: Path, path: str, confirmed_count: int, files: Mapping[str, bytes]) -> None:
    """Check P1 and P3 of what a disk holds, opened by the store's own SQLite, as a start would."""
    for name, content in files.items():
        (folder / Path(name).name).write_bytes(content)
    connection = sqlite3.connect(folder / Path(path).name, isolation_level=None)
    try:
        for pragma in (*PRAGMAS, "synchronous = off"):  # the image need not survive a second loss
            connection.execute(f"pragma {pragma}")
        if confirmed_count >= 0:
            assert connection.execute("select count(*) from sqlite_master").fetchone() > (1,), (
                "the schema is lost"
            )
        migrate(connection, released_migrations())
        (stored_count,) = connection.execute("select coalesce(sum(version), 0) from matches").fetchone()
        assert stored_count >= confirmed_count, f"{confirmed_count - stored_count} confirmed changes are lost"
        assert stored_count <= max(confirmed_count, 0) + 1, "a change that nobody made"
        assert inspect_database(connection, make_replay_check(GAMES_AND_TOYS)).faults == ()
    finally:
        connection.close()
        for suffix in ("", "-wal", "-journal"):
            (folder / (Path(path).name + suffix)).unlink(missing_ok=True)


def check_power_losses(folder: Path, path: Path, log: list[DiskEvent], count: int, seed: int = 1) -> None:
    """Check what the disk holds after each of ``count`` power losses."""
    images = folder / "images"
    images.mkdir()
    for confirmed_count, files in simulate_losses(log, count, random.Random(seed)):
        check_disk(images, str(path), confirmed_count, files)


@pytest.mark.slow
@pytest.mark.trust_test("T3")
def test_a_power_loss_loses_no_confirmed_change(
    tmp_path: Path, changes: list[Change], add_trials: Callable[[int], None]
) -> None:
    """Whatever the disk kept of unflushed writes: every confirmed change is there, and all is whole."""
    print(f"SQLite {apsw.sqlite_lib_version()} writes, {sqlite3.sqlite_version} reads")
    log = record_changes(tmp_path / "tables.db", changes)
    assert sum(isinstance(each, Flush) for each in log) >= len(changes), "a commit without a flush"
    assert log[-1] == Confirmation(len(changes))
    count = trial_count(80, soak=4000)
    check_power_losses(tmp_path, tmp_path / "tables.db", log, count)
    add_trials(count)


@pytest.mark.trust_test("T3", sensitivity=True)
@pytest.mark.parametrize("defect", ["synchronous = normal", "synchronous = off", "no flush"])
def test_lax_settings_and_disks_are_caught(tmp_path: Path, changes: list[Change], defect: str) -> None:
    """The check above fails with laxer settings, and on a disk that does not heed flushes."""
    extra_pragmas = () if defect == "no flush" else (defect,)
    log = record_changes(tmp_path / "tables.db", changes, extra_pragmas, honours_flushes=defect != "no flush")
    with pytest.raises((AssertionError, sqlite3.DatabaseError)):
        check_power_losses(tmp_path, tmp_path / "tables.db", log, 200)
