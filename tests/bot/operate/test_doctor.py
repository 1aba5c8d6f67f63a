"""``doctor``: what it finds in settings, files, backups and tables."""

import asyncio
from pathlib import Path
from time import time
from types import SimpleNamespace

import pytest

from bot.config import StorageSettings
from bot.host.loading import make_replay_check
from bot.store import inspection
from bot.store.backup import SqliteBackups, make_pre_migration_copier
from bot.store.backup_folder import backups_in
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from tests.bot.operate.databases import BOT_TOKEN, RunCommandLine, execute_directly, run_with_store
from tests.bot.store.later_release import later_release, play_games


def test_doctor_finds_no_fault_in_a_sound_database(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """The exit code is 0, also for a copy, whose deadlines do not count."""
    run("backup")
    code, out, _ = run("doctor")
    assert code == 0, out
    assert "FAULT" not in out
    assert "tables checked: 3\n" in out
    code, out_of_copy, _ = run("doctor", "--file", backups_in(storage_with_games.backup_folder)[0].path)
    assert code == 0
    assert "overdue" not in out_of_copy, "a copy's deadlines are old"


def test_doctor_counts_overdue_deadlines(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    """Each table counts once, and a deadline that is to come does not."""
    run("backup")
    execute_directly(storage_with_games, "delete from timers")
    execute_directly(
        storage_with_games, "insert into timers (match, kind, due) values (1, 'turn', 5), (1, 'idle', 6)"
    )
    execute_directly(
        storage_with_games, "insert into timers (match, kind, due) values (2, 'turn', 99999999999)"
    )
    assert "tables with an overdue deadline: 1" in run("doctor")[1]


def test_doctor_replays_some_finished_tables(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many finished tables the doctor replays a sample, with ``--all`` each; of the others every one."""
    run("backup")
    monkeypatch.setattr(inspection, "FINISHED_SAMPLE_SIZE", 1)
    execute_directly(storage_with_games, "update matches set status = 'ended' where number <= 2")
    execute_directly(storage_with_games, "update records set action = 'undo 0' where match <= 2 and ply = 5")
    code, out, _ = run("doctor")
    assert code == 1
    assert "tables checked: 3; replayed: 2," in out
    assert out.count(": record 5 differs") == 1
    assert run("doctor", "--all")[1].count(": record 5 differs") == 2
    execute_directly(storage_with_games, "update matches set status = 'playing' where number <= 2")
    assert run("doctor")[1].count(": record 5 differs") == 2


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("update records set action = 'undo 0' where match = 2 and ply = 5", "table 2: record 5"),
        ("update matches set ply = ply + 1 where number = 3", "table 3: its records have a gap"),
        ("update outbox set ply = ply + 9 where match = 1 and kind = 'board'", "table 1: it would send"),
        ("delete from outbox where match = 1", "table 1: the outbox has no board"),
        ("delete from inbox where match = 2", "table 2: a person's move has no stored answer"),
        ("delete from matches where number = 3", "belongs to nothing in matches"),
        (
            "insert into outbox (id, match, ply, kind, text, at) values (99, 9, 0, 'x', '', 0)",
            "row 99 of outbox",
        ),
        ("update schema_migrations set checksum = 'x'", "differs from this release's"),
        ("insert into schema_migrations (number, checksum) values (999, 'x')", "newer release"),
        ("update matches set snapshot = (select snapshot from matches where number = 1)", "table 2: record"),
        ("update matches set rules_version = 99 where number = 2", "table 2: begun under version 99"),
        (f"update matches set version = {2**63 - 1} where number = 2", "table 2: it cannot be read"),
        ("update matches set status = cast(x'ff' as text) where number = 2", "table 2: it cannot be read"),
        (
            "insert into settings values ('generation', '99999999999999999999')",
            "value of 'generation' in settings",
        ),
        ("insert into settings values ('highest lost', cast(x'ff' as text))", "value of 'highest lost' in"),
    ],
)
def test_doctor_finds_each_inconsistency(
    storage_with_games: StorageSettings, run: RunCommandLine, statement: str, finding: str
) -> None:
    """Each inconsistency is found, on a line that names the table, and the exit code is 1."""
    execute_directly(storage_with_games, statement)
    code, out, _ = run("doctor")
    assert code == 1
    assert any(finding in line for line in out.splitlines() if line.startswith("FAULT: ")), out


def test_doctor_looks_at_files_and_settings(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Missing backups, files that others can read, damaged ones and missing settings are findings."""
    assert "no backup in" in run("doctor")[1]
    run("backup")
    storage_with_games.database.chmod(0o644)
    assert "chmod 600" in run("doctor")[1]
    storage_with_games.database.chmod(0o600)
    token = storage_with_games.database.with_name("token")
    token.write_text(BOT_TOKEN, encoding="utf-8")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(token))
    for mode, readable in ((0o644, True), (0o400, False)):
        token.chmod(mode)
        assert (f"{token} can be read" in run("doctor")[1]) is readable
    monkeypatch.delenv("DISCORD_TOKEN_FILE")
    monkeypatch.setenv("DISCORD_TOKEN", "")
    code, out, _ = run("doctor")
    assert code == 1
    assert "DISCORD_TOKEN" in out
    monkeypatch.setenv("DISCORD_TOKEN", BOT_TOKEN)
    backup = backups_in(storage_with_games.backup_folder)[0].path
    backup.write_bytes(backup.read_bytes()[:-4096])
    assert "not good" in run("doctor")[1]
    storage_with_games.database.write_bytes(b"rubbish" * 1000)
    assert "cannot be read (file is not a database). Restore a backup." in run("doctor")[1]


def test_doctor_finds_where_no_database_can_be(
    run: RunCommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does so before the bot starts, which makes a missing folder; valid settings are said to be."""
    monkeypatch.setenv("DISCORD_TOKEN", BOT_TOKEN)
    (tmp_path / "file").touch()
    for folder, code in (
        (tmp_path, 0),
        (tmp_path / "missing" / "folder", 0),
        (tmp_path / "file" / "folder", 1),
    ):
        monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(folder / "tables.db"))
        found_code, out, _ = run("doctor")
        assert found_code == code
        assert ("is not a folder that this user may write to" in out) is bool(code)
        assert "ok: the settings are valid" in out


def test_doctor_finds_a_full_disk(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three times the size of the database must be free on each disk, and 50 MB at least."""
    run("backup")
    megabyte, database_folder, backup_folder = (
        2**20,
        storage_with_games.database.parent,
        storage_with_games.backup_folder,
    )
    for size, needed in ((1, 50), (40, 120)):
        with storage_with_games.database.open("r+b") as file:
            file.truncate(size * megabyte)
        for fuller, other in ((database_folder, backup_folder), (backup_folder, database_folder)):
            for free in (needed * megabyte, needed * megabyte - 1):
                free_bytes = {fuller: free, other: free + 1}
                monkeypatch.setattr(
                    "shutil.disk_usage", lambda path, free=free_bytes: SimpleNamespace(free=free[path])
                )
                fault = (
                    f"FAULT: {needed}.0 MB are free at {fuller}: for backups, a restoration and growth"
                    f" {needed}.0 MB should be\n"
                )
                assert (fault in run("doctor")[1]) is (free < needed * megabyte)


@pytest.mark.parametrize("name", ["tables.db", "tables", "tables [1].sqlite"])
def test_doctor_finds_readable_databases(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whatever the database is called, others must not read it, and it is named once."""
    database = storage_with_games.database.rename(storage_with_games.database.with_name(name))
    monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(database))
    assert "chmod 600" not in run("doctor")[1]
    database.chmod(0o644)
    assert run("doctor")[1].count(f"FAULT: {database} can be read") == 1


def test_doctor_asks_for_no_other_rights_of_what_holds_no_secrets(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a folder nor a log whose name begins like the database's is one of its files."""
    folder = storage_with_games.database.parent
    monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(storage_with_games.database.rename(folder / "tables")))
    (folder / "tables-backups").mkdir(mode=0o755)
    (folder / "tables.log").write_text("Ready.")
    assert "chmod 600" not in run("doctor")[1]
    (folder / "tables-wal").write_bytes(b"")
    assert run("doctor")[1].count("chmod 600") == 1


def test_doctor_finds_late_backups(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    """A backup is late if something has changed since, not if the bot has only noted that it runs."""

    async def is_late(store: SqliteStore) -> bool:
        return "the database has changed since" in (await asyncio.to_thread(run, "doctor"))[1]

    async def check_lateness_while_idle(store: SqliteStore) -> None:
        backups = SqliteBackups(store, storage_with_games.backup_folder, make_replay_check(GAMES))
        await backups.make(time() - 2 * 3600)
        assert await is_late(store), "nobody has looked since whether it holds all"
        await store.set_bot_last_seen(int(time()))
        assert await backups.confirm_current()
        assert not await is_late(store)

    run_with_store(storage_with_games, check_lateness_while_idle)
    assert "the database has changed since" not in run("doctor")[1], "as after a stop"


@pytest.mark.parametrize("change", ["rules_version = 99", "game = 'gone'"])
def test_doctor_accepts_finished_games_of_lost_rules(
    storage_with_games: StorageSettings, run: RunCommandLine, change: str
) -> None:
    """A finished game whose rules are gone is no fault; one that is frozen for that is."""
    run("backup")
    for status, code in (("ended", 0), ("over", 0), ("frozen", 1)):
        execute_directly(
            storage_with_games, f"update matches set status = '{status}', {change} where number = 2"
        )
        assert run("doctor")[0] == code


def test_an_older_schema_is_no_fault(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    """The doctor and ``replay`` accept databases and backups of an older schema."""
    storage_with_games.database.unlink()
    run_with_store(storage_with_games, play_games)
    with later_release():
        _check_older_schema(storage_with_games, run)


def _check_older_schema(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    code, out, _ = run("doctor", "--file", storage_with_games.database)
    assert code == 0, out
    assert "tables checked: 4\n" in out
    assert "the next start applies it" in out
    code, out, _ = run("replay", 1)
    assert code == 0, out

    async def migrate() -> None:
        await (
            await open_store(
                storage_with_games.database, make_pre_migration_copier(storage_with_games.backup_folder, time)
            )
        ).close()

    asyncio.run(migrate())
    code, out, _ = run("doctor")
    assert code == 0, out
    (backup,) = backups_in(storage_with_games.backup_folder)
    before = backup.path.read_bytes()
    for command in (("doctor",), ("replay", 1)):
        code, out, _ = run(*command, "--file", backup.path)
        assert code == 0, out
    assert backup.path.read_bytes() == before
    assert run("restore")[0] == 0
