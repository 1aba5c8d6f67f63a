"""The operators' commands: one line a finding, and an exit code that a script can use."""

import asyncio
import errno
import re
import resource
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path
from time import time
from types import SimpleNamespace
from typing import NoReturn

import msgspec
import pytest

from bot.__main__ import main
from bot.config import StorageSettings, read_storage_settings
from bot.host.game_guard import GameGuard
from bot.host.loading import make_replay_check
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store import inspection
from bot.store.backup import SqliteBackups, backups_in, make_pre_migration_copier
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from rules.game import Seat
from rules.match import Match
from rules.matchfile import make_match_file, write_match
from rules.record import Cut
from rules.stream import make_fairness_code
from tests.bot.operate.databases import make_backup, make_moves, start_games, storage_in, with_store
from tests.bot.store.later_release import later_release, play_games

Run = Callable[..., tuple[int, str, str]]
SECRET = "not.a.token"
SEED = bytes(range(32))


@pytest.fixture
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StorageSettings:
    """Return settings with a database of three running games."""
    storage = storage_in(tmp_path)
    monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(storage.database))
    monkeypatch.setenv("DISCORD_TOKEN", SECRET)
    monkeypatch.delenv("CAPTAINS_TABLE_BACKUPS", raising=False)
    with_store(storage, start_games)
    return storage


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command line and returns exit code, output and errors."""

    def run_main(*arguments: object) -> tuple[int, str, str]:
        code = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert SECRET not in captured.out + captured.err
        return code, captured.out, captured.err

    return run_main


def execute_directly(storage: StorageSettings, statement: str) -> None:
    """Change the database directly."""
    with sqlite3.connect(storage.database) as raw:
        raw.execute("drop trigger if exists records_only_grow_update")
        raw.execute(statement)
    raw.close()


def test_help_names_both_settings_of_the_token(capsys: pytest.CaptureFixture[str]) -> None:
    """The help says how to give the token, and has no markup of docstrings."""
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert "DISCORD_TOKEN or DISCORD_TOKEN_FILE" in " ".join(text.split())
    assert "``" not in text


def test_backup_and_restore(storage: StorageSettings, run: Run) -> None:
    """``backup`` names the copy, ``restore`` says what went back and where the replaced file is."""
    code, out, _ = run("backup")
    assert code == 0
    (backup,) = backups_in(storage.backup_folder)
    assert out.strip() == str(backup.path)
    move_count = with_store(storage, lambda store: make_moves(store, 2, 0))
    with_store(storage, lambda store: make_moves(store, 2, 3))
    code, out, _ = run("restore")
    assert code == 0
    assert f"Table No. 2 went back to move {move_count}." in out
    assert "No. 1 " not in out
    kept = re.search(r"kept as (\S+)\.\n", out)
    assert kept is not None
    assert Path(kept[1]).exists()
    assert run("restore", storage.backup_folder / "none.db")[0] == 1


def test_restore_says_why_lost_tables_are_not_known(storage: StorageSettings, run: Run) -> None:
    """A database that was missing is not called unreadable, and one that was unreadable not missing."""
    run("backup")
    storage.database.unlink()
    assert "There was no database: every live table" in run("restore")[1]
    storage.database.write_bytes(b"rubbish" * 1000)
    assert "The replaced database is unreadable: every live table" in run("restore")[1]


def test_nothing_to_restore(storage: StorageSettings, run: Run) -> None:
    """Without a backup ``restore`` says so and exits with 1."""
    code, _, err = run("restore")
    assert code == 1
    assert "no good backup" in err


def test_doctor_on_a_sound_database(storage: StorageSettings, run: Run) -> None:
    """A sound database has no faults, and the exit code is 0."""
    run("backup")
    code, out, _ = run("doctor")
    assert code == 0, out
    assert "FAULT" not in out
    assert "tables checked: 3\n" in out
    code, of_copy, _ = run("doctor", "--file", backups_in(storage.backup_folder)[0].path)
    assert code == 0
    assert "overdue" not in of_copy, "a copy's deadlines are old"


def test_doctor_counts_overdue_deadlines(storage: StorageSettings, run: Run) -> None:
    """Each table counts once, and a deadline that is to come does not."""
    run("backup")
    execute_directly(storage, "delete from timers")
    execute_directly(storage, "insert into timers (match, kind, due) values (1, 'turn', 5), (1, 'idle', 6)")
    execute_directly(storage, "insert into timers (match, kind, due) values (2, 'turn', 99999999999)")
    assert "tables with an overdue deadline: 1" in run("doctor")[1]


def test_doctor_replays_some_closed_tables(
    storage: StorageSettings, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many closed tables the doctor replays a sample, and with ``--all`` each; of the others every one."""
    run("backup")
    monkeypatch.setattr(inspection, "FINISHED_SAMPLE_SIZE", 1)
    execute_directly(storage, "update matches set status = 'ended' where number <= 2")
    execute_directly(storage, "update records set action = 'undo 0' where match <= 2 and ply = 5")
    code, out, _ = run("doctor")
    assert code == 1
    assert "tables checked: 3; replayed: 2," in out
    assert out.count(": record 5 differs") == 1
    assert run("doctor", "--all")[1].count(": record 5 differs") == 2
    execute_directly(storage, "update matches set status = 'playing' where number <= 2")
    assert run("doctor")[1].count(": record 5 differs") == 2


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("update records set action = 'undo 0' where match = 2 and ply = 5", "table 2: record 5"),
        ("update matches set ply = ply + 1 where number = 3", "table 3: its records have a gap"),
        ("update outbox set ply = ply + 9 where match = 1 and kind = 'board'", "table 1: it would send"),
        ("delete from outbox where match = 1", "table 1: the outbox has no board"),
        ("delete from inbox where match = 2", "table 2: a person's move has no stored answer"),
        ("delete from matches where number = 3", "a row of seats belongs to nothing in matches"),
        ("insert into outbox (id, match, ply, kind, text) values (99, 9, 0, 'x', '')", "row 99 of outbox"),
        ("update schema_migrations set checksum = 'x'", "differs from this release's"),
        ("insert into schema_migrations (number, checksum) values (999, 'x')", "newer release"),
        ("update matches set snapshot = (select snapshot from matches where number = 1)", "table 2: record"),
        ("update matches set rules_version = 99 where number = 2", "table 2: begun under version 99"),
        ("update matches set status = cast(x'ff' as text) where number = 2", "table 2: it cannot be read"),
    ],
)
def test_doctor_finds(storage: StorageSettings, run: Run, statement: str, finding: str) -> None:
    """Each inconsistency is found, on a line that names the table, and the exit code is 1."""
    execute_directly(storage, statement)
    code, out, _ = run("doctor")
    assert code == 1
    assert any(finding in line for line in out.splitlines() if line.startswith("FAULT: ")), out


def test_doctor_looks_at_files_and_settings(
    storage: StorageSettings, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Missing backups, files that others can read, damaged ones and missing settings are findings."""
    assert "no backup in" in run("doctor")[1]
    run("backup")
    storage.database.chmod(0o644)
    assert "chmod 600" in run("doctor")[1]
    storage.database.chmod(0o600)
    token = storage.database.with_name("token")
    token.write_text(SECRET, encoding="utf-8")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(token))
    for mode, readable in ((0o644, True), (0o400, False)):
        token.chmod(mode)
        assert (f"{token} can be read" in run("doctor")[1]) is readable
    monkeypatch.delenv("DISCORD_TOKEN_FILE")
    monkeypatch.setenv("DISCORD_TOKEN", "")
    code, out, _ = run("doctor")
    assert code == 1
    assert "DISCORD_TOKEN" in out
    monkeypatch.setenv("DISCORD_TOKEN", SECRET)
    backup = backups_in(storage.backup_folder)[0].path
    backup.write_bytes(backup.read_bytes()[:-4096])
    assert "not good" in run("doctor")[1]
    storage.database.write_bytes(b"rubbish" * 1000)
    assert "cannot be read" in run("doctor")[1]


def test_doctor_finds_a_missing_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that could not be made is found before the bot starts; valid settings are said to be."""
    monkeypatch.setenv("DISCORD_TOKEN", SECRET)
    for folder, code in ((tmp_path, 0), (tmp_path / "missing", 1)):
        monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(folder / "tables.db"))
        found_code, out, _ = run("doctor")
        assert found_code == code
        assert ("is not a folder that this user may write to" in out) is bool(code)
        assert "ok: the settings are valid" in out


def test_doctor_finds_a_full_disk(
    storage: StorageSettings, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three times the size of the database must be free."""
    run("backup")
    size = storage.database.stat().st_size
    for free in (3 * size, 3 * size - 1):
        monkeypatch.setattr("shutil.disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        assert ("MB are free at" in run("doctor")[1]) is (free < 3 * size)


@pytest.mark.parametrize("name", ["tables.db", "tables", "tables [1].sqlite"])
def test_doctor_finds_readable_databases(
    storage: StorageSettings, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whatever the database is called, others must not read it, and it is named once."""
    database = storage.database.rename(storage.database.with_name(name))
    monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(database))
    assert "chmod 600" not in run("doctor")[1]
    database.chmod(0o644)
    assert run("doctor")[1].count(f"FAULT: {database} can be read") == 1


def test_doctor_asks_for_no_other_rights_of_what_holds_no_secrets(
    storage: StorageSettings, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a folder nor a log whose name begins like the database's is one of its files."""
    folder = storage.database.parent
    monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(storage.database.rename(folder / "tables")))
    (folder / "tables-backups").mkdir(mode=0o755)
    (folder / "tables.log").write_text("Ready.")
    assert "chmod 600" not in run("doctor")[1]
    (folder / "tables-wal").write_bytes(b"")
    assert run("doctor")[1].count("chmod 600") == 1


def test_doctor_finds_late_backups(storage: StorageSettings, run: Run) -> None:
    """A backup is late if something has changed since, not if the bot has only noted that it runs."""

    async def is_late(store: SqliteStore) -> bool:
        return "the database has changed since" in (await asyncio.to_thread(run, "doctor"))[1]

    async def idle(store: SqliteStore) -> None:
        backups = SqliteBackups(store, storage.backup_folder, make_replay_check(GAMES))
        await backups.make(time() - 2 * 3600)
        assert await is_late(store), "nobody has looked since whether it holds all"
        await store.set_last_seen(int(time()))
        assert await backups.is_current()
        assert not await is_late(store)

    with_store(storage, idle)
    assert "the database has changed since" not in run("doctor")[1], "as after a stop"


@pytest.mark.parametrize("change", ["rules_version = 99", "game = 'gone'"])
def test_doctor_accepts_finished_games_of_lost_rules(storage: StorageSettings, run: Run, change: str) -> None:
    """A finished game whose rules are gone is no fault; one that is frozen for that is."""
    run("backup")
    for status, code in (("ended", 0), ("over", 0), ("frozen", 1)):
        execute_directly(storage, f"update matches set status = '{status}', {change} where number = 2")
        assert run("doctor")[0] == code


def test_an_older_schema_is_no_fault(storage: StorageSettings, run: Run) -> None:
    """The doctor and ``replay`` accept databases and backups of an older schema."""
    storage.database.unlink()
    with_store(storage, play_games)
    with later_release():
        _check_older_schema(storage, run)


def _check_older_schema(storage: StorageSettings, run: Run) -> None:
    code, out, _ = run("doctor", "--file", storage.database)
    assert code == 0, out
    assert "tables checked: 4\n" in out
    assert "the next start applies it" in out
    code, out, _ = run("replay", 1)
    assert code == 0, out

    async def migrate() -> None:
        await (
            await open_store(storage.database, make_pre_migration_copier(storage.backup_folder, time))
        ).close()

    asyncio.run(migrate())
    code, out, _ = run("doctor")
    assert code == 0, out
    (backup,) = backups_in(storage.backup_folder)
    before = backup.path.read_bytes()
    for command in (("doctor",), ("replay", 1)):
        code, out, _ = run(*command, "--file", backup.path)
        assert code == 0, out
    assert backup.path.read_bytes() == before
    assert run("restore")[0] == 0


def test_while_a_bot_runs(storage: StorageSettings, run: Run) -> None:
    """While a bot runs its backup is checked instead, and commands that change something are refused."""
    with_store(storage, lambda store: make_backup(store, storage, time()))

    async def run_commands(store: SqliteStore) -> None:
        code, out, _ = await asyncio.to_thread(run, "doctor")
        assert code == 0, out
        assert "a bot uses the database" in out
        code, out, _ = await asyncio.to_thread(run, "replay", 2)
        assert code == 0
        assert "so its backup of" in out
        assert (
            str(backups_in(storage.backup_folder)[0].path) in (await asyncio.to_thread(run, "replay", 9))[2]
        )
        for command in (("backup",), ("restore",), ("freeze", 2, "why"), ("thaw", 2, "why")):
            code, _, err = await asyncio.to_thread(run, *command)
            assert code == 1, command
            assert "bot" in err

    with_store(storage, run_commands)


def test_while_a_bot_runs_that_has_no_backup(storage: StorageSettings, run: Run) -> None:
    """The doctor does not claim to have checked a backup that is not there."""

    async def run_doctor(store: SqliteStore) -> None:
        code, out, _ = await asyncio.to_thread(run, "doctor")
        assert code == 1
        assert "FAULT: there is no backup" in out
        assert "ok: a bot uses the database, so its tables were not checked" in out

    with_store(storage, run_doctor)


def test_replay(storage: StorageSettings, run: Run) -> None:
    """``replay`` says that a table's records give its stored state, or names the first that differs."""
    code, out, _ = run("replay", 2)
    assert code == 0
    assert re.search(r": its records \(\d+\) replay to the stored state\.\n", out)
    assert run("replay", 9) == (1, "", f"There is no table No. 9 in {storage.database}.\n")
    execute_directly(storage, "update records set action = 'undo 0' where match = 2 and ply = 5")
    code, out, _ = run("replay", 2)
    assert code == 1
    assert "record 5 is the first that differs" in out
    assert out.endswith(" chooses.\n"), "one full stop"
    for damage in ("question = x'ff'", "options = cast(x'41ff' as text)"):
        execute_directly(storage, f"update matches set {damage} where number = 3")
        code, _, err = run("replay", 3)
        assert (code, err) == (1, "What is stored of table 3 cannot be read.\n")


@pytest.mark.parametrize(
    "words", [("backup",), ("replay", 1), ("freeze", 1, "why not"), ("thaw", 1, "why not")]
)
def test_no_command_creates_a_database(storage: StorageSettings, run: Run, words: tuple[object, ...]) -> None:
    """Where there is no database a command says so, and leaves none."""
    storage.database.unlink()
    code, _, err = run(*words)
    assert (code, err) == (1, f"There is no database at {storage.database}.\n")
    assert not storage.database.exists()


def test_freeze_and_thaw(storage: StorageSettings, run: Run) -> None:
    """A game is frozen and thawed with a reason for its players; one that does not replay stays frozen."""

    async def status(store: SqliteStore) -> tuple[Status, list[str], int]:
        table = await Tables(store, GAMES).get(2)
        return table.status, [each.text for each in await store.deliveries(2)], table.row.rules_version

    assert run("thaw", 2, "why not")[0] == 1
    code, out, _ = run("freeze", 2, "@everyone the score looks wrong")
    assert code == 0
    assert "frozen" in out
    now, texts, _ = with_store(storage, status)
    assert now is Status.FROZEN
    assert any(r"\@everyone the score looks wrong." in text for text in texts)
    execute_directly(storage, "update matches set rules_version = 99 where number = 2")
    assert run("thaw", 2, "All is well")[0] == 0
    now, texts, version = with_store(storage, status)
    assert (now, version) == (Status.PLAYING, 1)
    assert any("All is well." in text for text in texts)
    run("freeze", 2, "again")
    with sqlite3.connect(storage.database) as raw:
        raw.execute("update records set action = 'undo 0' where match = 2 and ply = 5")
    raw.close()
    code, _, err = run("thaw", 2, "All is well")
    assert code == 1
    assert "record 5" in err
    execute_directly(storage, "update matches set seed = zeroblob(32) where number = 1")
    assert "not frozen" in run("thaw", 1, "All is well")[2], "it is played, though it differs"
    assert run("freeze", 77, "why")[0] == 1


def test_a_failing_game_is_reported_in_a_sentence(
    storage: StorageSettings, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that fails while it is thawed ends the command with a sentence."""

    def fail(table: Table, _: Table) -> NoReturn:
        with GameGuard(table.number):
            raise KeyError("planted")

    run("freeze", 2, "why not")
    monkeypatch.setattr("bot.host.deciders.moderation.outdated_hand_deliveries", fail)
    code, _, err = run("thaw", 2, "why not")
    assert (code, err.splitlines()[-1]) == (1, "The game at table No. 2 failed with KeyError('planted').")


def test_only_a_frozen_game_is_said_to_stay_frozen(storage: StorageSettings, run: Run) -> None:
    """A game that is over is not called frozen, even if this release plays it differently."""
    execute_directly(storage, "update matches set seed = zeroblob(32) where number = 2")
    for status, text in (("frozen", "It stays frozen"), ("ended", "This game is not frozen.")):
        execute_directly(storage, f"update matches set status = '{status}' where number = 2")
        code, _, err = run("thaw", 2, "why not")
        assert code == 1
        assert err.splitlines()[-1].startswith(text)


@pytest.mark.parametrize("number", ["0", "-1", "9" * 30, "9" * 5_000, "two"])
def test_an_impossible_table_number_is_refused(
    run: Run, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number that no table can have ends with the usage, not with a traceback."""
    for command in (("replay", number), ("freeze", number, "why"), ("thaw", number, "why")):
        with pytest.raises(SystemExit) as ended:
            run(*command)
        assert ended.value.code == 2
        assert "argument table: invalid number: name the table" in capsys.readouterr().err


@pytest.mark.parametrize("reason", ["", " ", "x" * 201])
def test_a_reason_can_be_read_by_players(run: Run, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A reason that says nothing, or that no message has room for, ends with the usage."""
    for command in ("freeze", "thaw"):
        with pytest.raises(SystemExit):
            run(command, 2, reason)
        assert "write a sentence of at most 200 characters" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["65536", "-1", "9" * 5_000, "http"])
def test_an_impossible_port_is_refused(run: Run, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """``play`` with a number that is no port ends with the usage, not with a traceback."""
    with pytest.raises(SystemExit) as ended:
        run("play", f"--port={port}")
    assert ended.value.code == 2
    assert "argument --port: invalid port: choose a number" in capsys.readouterr().err


def test_play_says_why_it_cannot_start(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the system's reason, and does not take each for the port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = run("play", "--no-browser", f"--port={port}")
    assert code == 1
    assert err.startswith(f"`play` cannot start. Port {port} cannot be used (")
    assert err.endswith("address already in use). Try --port 0.\n")

    def fail(**_: object) -> NoReturn:
        raise FileNotFoundError("No usable temporary directory")

    monkeypatch.setattr("tempfile.TemporaryDirectory", fail)
    code, _, err = run("play", "--no-browser", "--port=0")
    assert code == 1
    assert err == "`play` cannot start. No usable temporary directory\n"

    def refuse(**_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied", "/tmp/play")

    monkeypatch.setattr("tempfile.TemporaryDirectory", refuse)
    code, _, err = run("play", "--no-browser", "--port=0")
    assert code == 1
    assert "Permission denied: '/tmp/play'" in err
    assert "Port" not in err


def test_backup_settings(tmp_path: Path) -> None:
    """The settings of the backups have defaults, and invalid ones are refused."""
    database = {"CAPTAINS_TABLE_DATABASE": str(tmp_path / "a.db")}
    plain = read_storage_settings(database)
    assert plain == StorageSettings(tmp_path / "a.db", tmp_path / "backups", 900.0, (8, 24, 14))
    settings_read = read_storage_settings(
        database
        | {
            "CAPTAINS_TABLE_BACKUPS": "/elsewhere",
            "CAPTAINS_TABLE_BACKUP_MINUTES": "5",
            "CAPTAINS_TABLE_BACKUPS_KEPT": "1 0 0",
        }
    )
    assert settings_read == msgspec.structs.replace(
        plain, backup_folder=Path("/elsewhere"), backup_interval=300.0, backups_kept=(1, 0, 0)
    )
    for name, value in (
        ("CAPTAINS_TABLE_BACKUP_MINUTES", "0"),
        ("CAPTAINS_TABLE_BACKUP_MINUTES", "nan"),
        ("CAPTAINS_TABLE_BACKUPS_KEPT", "0 1 1"),
        ("CAPTAINS_TABLE_BACKUPS_KEPT", "8"),
    ):
        with pytest.raises(Exception, match=name):
            read_storage_settings(database | {name: value})


def write_early_end(path: Path) -> str:
    """Write the file of a game that has ended early; return its fairness code."""
    game = GAMES["currents"]
    match = Match.begin(game, 2, game.options_type(), SEED, [(Seat(1), Cut("apple", "river"))])
    code = make_fairness_code("currents/1/1", SEED)
    file = make_match_file(
        match, match.new_records, "currents/1/1", fairness_code=code, seed=SEED, ended_early=True
    )
    path.write_text(write_match(file), encoding="utf-8")
    return code


def test_a_game_without_an_end_has_no_summary(run: Run, tmp_path: Path) -> None:
    """A game that has ended early is not said to go on."""
    path, picture = tmp_path / "game.txt", tmp_path / "summary.png"
    write_early_end(path)
    text = "Not drawn: this game was not played to its end, so it has no result to show\n"
    assert run("summary", path, "--output", picture) == (1, "", text)
    assert not picture.exists()


def test_proof_of_a_file(run: Run, tmp_path: Path) -> None:
    """``proof`` prints what the file proves, and compares the code that a player saw."""
    path = tmp_path / "game.txt"
    code = write_early_end(path)
    for arguments, last in (
        ((), "This file vouches only for itself: "),
        (("--code", code), "The code that you saw is the first one of this match."),
    ):
        exit_code, printed, errors = run("proof", path, *arguments)
        assert (exit_code, errors) == (0, "")
        assert "the words of B (apple river)" in printed
        assert printed.splitlines()[-1].startswith(last)
    for wrong, reason in (("0" * 64, "not have the fairness code"), (code[:8], "64 hex digits")):
        exit_code, printed, errors = run("proof", path, "--code", wrong)
        assert (exit_code, printed) == (1, "")
        assert errors.startswith("Not proved: ")
        assert reason in errors


def test_a_huge_file_is_not_read_as_a_match(run: Run, tmp_path: Path) -> None:
    """A file far above the size of any match is refused without reading it all."""
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(4 * 2**30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code, printed, errors = run("proof", path)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (code, printed) == (1, "")
    assert "Not proved" in errors
    assert "16 MiB" in errors
    assert grown < 100_000, "kibibytes of memory"
