"""A database of every released schema is brought up to date, and its games go on (P12).

``schemas/0001.sql`` is what the release with that schema had stored: a game going on (with an undo), one that
is over, one that rests, and a lobby.  Whoever adds a schema adds such a dump of the one before it.
"""

import random
import sqlite3
from pathlib import Path

import pytest

from bot.host.replay_check import replay_check
from bot.host.tables import Tables
from bot.store.backup import backups_in, copy_before_migrating
from bot.store.inspection import look_over, reading
from bot.store.migrations import Migration, migrate, released
from bot.store.restoring import examining
from bot.store.rows import Status
from bot.store.sqlite import open_store
from tests.bot.host.playing import EVERY_GAME, check_whole, make_move
from tests.bot.store.rows import everything

SCHEMAS = Path(__file__).parent / "schemas"
OLDER = [migration.number for migration in released()[:-1]]


def stored_by(number: int, path: Path) -> None:
    """Lay the database of an old release."""
    with sqlite3.connect(path) as raw:
        raw.executescript((SCHEMAS / f"{number:04}.sql").read_text(encoding="utf-8"))
        raw.execute("pragma journal_mode = wal")
    raw.close()


def test_every_older_schema_is_tried() -> None:
    """Each schema but the newest has its dump."""
    assert [int(path.stem) for path in sorted(SCHEMAS.glob("*.sql"))] == OLDER


@pytest.mark.parametrize("number", OLDER)
async def test_upgraded(path: Path, tmp_path: Path, number: int) -> None:
    """The old database is copied, upgraded whole, agrees with itself, and its games are played on."""
    stored_by(number, path)
    with reading(path) as raw:
        records = raw.execute("select * from records order by match, ply").fetchall()
    store = await open_store(path, copy_before_migrating(tmp_path / "backups", lambda: 1_790_000_000))
    tables = Tables(store, EVERY_GAME)
    await tables.replay_all()
    statuses = []
    for table in range(1, 5):
        stored = await store.load(table)
        assert stored is not None
        check_whole(stored)
        statuses.append(stored.table.status)
    assert statuses == [Status.PLAYING, Status.OVER, Status.PAUSED, Status.LOBBY]
    before = (await tables.get(1)).moves
    await make_move(tables, 1, random.Random(1))
    assert (await tables.get(1)).moves == before + 1
    await store.close()
    (backup,) = backups_in(tmp_path / "backups")
    with reading(backup.path) as copy:
        assert copy.execute("select * from records order by match, ply").fetchall() == records
        assert copy.execute("select max(number) from schema_migrations").fetchone() == (number,)
    with examining(path) as raw:
        assert look_over(raw, replay_check(EVERY_GAME)).faults == ()
        assert set(records) < set(raw.execute("select * from records").fetchall())


@pytest.mark.parametrize("number", OLDER)
async def test_upgraded_is_the_same_as_new(path: Path, tmp_path: Path, number: int) -> None:
    """An upgraded database has the same tables, columns and guards as one made by this release."""
    stored_by(number, path)
    shapes = []
    for each in (path, tmp_path / "new.db"):
        await (await open_store(each)).close()
        with examining(each) as raw:
            names = [name for (name,) in raw.execute("select name from sqlite_master order by name")]
            columns = [
                raw.execute("select * from pragma_table_info(?)", (name,)).fetchall() for name in names
            ]
            shapes.append((names, columns))
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("number", OLDER)
async def test_a_failing_upgrade_changes_nothing(path: Path, number: int) -> None:
    """Where a later step fails the old database stays exactly as it was, and opens again afterwards."""
    stored_by(number, path)
    with sqlite3.connect(path, isolation_level=None) as raw:
        before = list(raw.iterdump())
        broken = Migration(len(released()) + 1, "insert into nowhere values (1);\n")
        with pytest.raises(sqlite3.Error):
            migrate(raw, (*released(), broken))
        assert list(raw.iterdump()) == before
    raw.close()
    store = await open_store(path)
    assert any("generation" in line for line in await everything(store))
    await store.close()
