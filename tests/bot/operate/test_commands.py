"""The operators' commands: one line a finding, and an exit code that a script can use."""

import asyncio
import errno
import re
import socket
from functools import partial
from pathlib import Path
from time import time
from typing import NoReturn

import pytest

from bot.__main__ import main
from bot.config import ConfigError, StorageSettings, read_storage_settings
from bot.host.game_guard import GameGuard
from bot.host.loading import game_timeout_key
from bot.host.table import Table
from bot.host.tables import Tables
from bot.operate.commands import restoration_lines
from bot.store.backup_folder import RetentionPolicy, backups_in
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from tests.bot.operate.databases import (
    NOW,
    RunCommandLine,
    execute_directly,
    make_backup,
    make_moves,
    read_move_count,
    run_with_store,
)
from tests.bot.operate.restoring import restore_backup


def test_help_names_both_settings_of_the_token(capsys: pytest.CaptureFixture[str]) -> None:
    """The help says how to give the token, and has no markup of docstrings."""
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert "DISCORD_TOKEN or DISCORD_TOKEN_FILE" in " ".join(text.split())
    assert "``" not in text


def test_each_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Its own help says what it does, as the overview does, and what each of its arguments is."""

    def help_text(*arguments: str) -> str:
        with pytest.raises(SystemExit):
            main([*arguments, "--help"])
        return capsys.readouterr().out

    overview = help_text()
    commands = re.findall(r"^    (\w+) +(\S+)", overview, re.MULTILINE)
    assert {"run", "play", "proof", "restore", "thaw"} <= {name for name, _ in commands}
    for name, first_word in commands:
        text = help_text(name)
        assert f"\n\n{first_word} " in text, name
        _, _, arguments = text.partition("positional arguments:\n")
        positional_lines = arguments.partition("\n\n")[0].splitlines()
        assert all(re.match(r"  +\w+ +\w|    ", line) for line in positional_lines), name


def test_what_another_user_owns_is_refused_with_advice(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be read is named, with whose rights are needed."""
    folder = storage_with_games.backup_folder

    def refuse(_: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(folder))

    monkeypatch.setattr("bot.operate.commands.backups_in", refuse)
    text = f"{folder} cannot be used: Permission denied. Run the command as the bot's user.\n"
    assert run("backup", "--list") == (1, "", text)


def test_backups_are_listed_with_what_they_hold(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """Each backup has a line, the oldest first; one that cannot be read is named and ends with 1."""
    assert run("backup", "--list")[0] == 1, "there is none"
    run_with_store(storage_with_games, partial(make_backup, storage=storage_with_games, now=NOW - 60))
    execute_directly(
        storage_with_games, "update matches set status = 'over', active_at = 0 where number != 2"
    )
    run_with_store(storage_with_games, partial(make_backup, storage=storage_with_games))
    code, out, _ = run("backup", "--list")
    first, second = backups_in(storage_with_games.backup_folder)
    assert code == 0
    assert re.fullmatch(
        rf"{first.path}: 3 tables, 3 live, the last move at 20\d\d-.* UTC\n"
        rf"{second.path}: 3 tables, 1 live, the last move at 20\d\d-.* UTC\n",
        out,
    )
    first.path.write_bytes(b"rubbish" * 1000)
    code, out, _ = run("backup", "--list")
    assert code == 1
    assert out.startswith(f"{first.path}: ")
    assert f"\n{second.path}: 3 tables" in out


def test_restore_says_what_went_back(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    """``backup`` names the copy, ``restore`` says what went back and where the replaced file is."""
    code, out, _ = run("backup")
    assert code == 0
    (backup,) = backups_in(storage_with_games.backup_folder)
    assert out.strip() == str(backup.path)
    move_count = run_with_store(storage_with_games, lambda store: read_move_count(store, 2))
    run_with_store(storage_with_games, lambda store: make_moves(store, 2, 3))
    code, out, _ = run("restore")
    assert code == 0
    assert f"Table No. 2 went back to move {move_count}." in out
    assert "No. 1 " not in out
    kept = re.search(r"kept as (\S+)\.\n", out)
    assert kept is not None
    assert Path(kept[1]).exists()
    assert run("restore", storage_with_games.backup_folder / "none.db")[0] == 1


def test_restore_says_why_lost_tables_are_not_known(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """A database that was missing is not called unreadable, and one that was unreadable not missing."""
    run("backup")
    storage_with_games.database.unlink()
    assert "There was no database: every live table" in run("restore")[1]
    storage_with_games.database.write_bytes(b"rubbish" * 1000)
    assert "The replaced database is unreadable: every live table" in run("restore")[1]


def test_without_a_backup_nothing_is_restored(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """Without a backup ``restore`` says so and exits with 1."""
    code, _, err = run("restore")
    assert code == 1
    assert "no good backup" in err


def test_a_running_bot_keeps_its_database(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    """While a bot runs its backup is checked instead, and commands that change something are refused."""
    run_with_store(storage_with_games, lambda store: make_backup(store, storage_with_games, time()))

    async def run_commands(store: SqliteStore) -> None:
        code, out, _ = await asyncio.to_thread(run, "doctor")
        assert code == 0, out
        assert "a bot uses the database" in out
        code, out, _ = await asyncio.to_thread(run, "replay", 2)
        assert code == 0
        assert "so its backup of" in out
        assert (
            str(backups_in(storage_with_games.backup_folder)[0].path)
            in (await asyncio.to_thread(run, "replay", 9))[2]
        )
        for command in (("backup",), ("restore",), ("freeze", 2, "why"), ("thaw", 2, "why")):
            code, _, err = await asyncio.to_thread(run, *command)
            assert code == 1, command
            assert "bot" in err

    run_with_store(storage_with_games, run_commands)


def test_the_doctor_names_the_missing_backup_of_a_running_bot(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """The doctor does not claim to have checked a backup that is not there."""

    async def run_doctor(store: SqliteStore) -> None:
        code, out, _ = await asyncio.to_thread(run, "doctor")
        assert code == 1
        assert "FAULT: there is no backup" in out
        assert "ok: a bot uses the database, so its tables were not checked" in out

    run_with_store(storage_with_games, run_doctor)


def test_replay_names_the_first_record_that_differs(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """Where all of a table's records give its stored state it says so; what cannot be read is named."""
    code, out, _ = run("replay", 2)
    assert code == 0
    assert re.search(r": its records \(\d+\) replay to the stored state\.\n", out)
    assert run("replay", 9) == (1, "", f"There is no table No. 9 in {storage_with_games.database}.\n")
    execute_directly(storage_with_games, "update records set action = 'undo 0' where match = 2 and ply = 5")
    code, out, _ = run("replay", 2)
    assert code == 1
    assert out.endswith(
        ": record 5 is the first that differs."
        " `replay 2 --reason` says why, which may name what a player holds.\n"
    )
    code, out, _ = run("replay", 2, "--reason")
    assert code == 1
    assert "record 5 is the first that differs: " in out
    assert out.endswith(" chooses.\n"), "one full stop"
    for damage in ("question = x'ff'", "options = cast(x'41ff' as text)"):
        execute_directly(storage_with_games, f"update matches set {damage} where number = 3")
        code, _, err = run("replay", 3)
        assert (code, err) == (1, "What is stored of table 3 cannot be read.\n")


def test_restore_announces_notices_only_of_tables_that_went_back(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """It says how many tables the backup holds, and promises no notice where none went back."""
    run("backup")
    code, out, _ = run("restore")
    assert code == 0
    assert "This backup holds three tables.\n" in out
    assert "gets its notice" not in out
    run_with_store(storage_with_games, lambda store: make_moves(store, 2, 2))
    assert run("restore")[1].endswith("Each table that went back gets its notice when the bot starts.\n")


def test_an_empty_backup_is_said_to_be_empty(storage: StorageSettings) -> None:
    """A backup of a database without tables is restored, and the report says that it holds none."""
    run_with_store(storage, lambda store: make_backup(store, storage))
    for reason in ("There was no database.", "The replaced database is unreadable."):
        storage.database.unlink() if reason.startswith("There") else storage.database.write_bytes(b"x" * 9000)
        lines = restoration_lines(restore_backup(storage))
        assert lines[1] == "This backup holds no tables."
        assert lines[-1] == reason


@pytest.mark.parametrize(
    "command", [("backup",), ("replay", 1), ("freeze", 1, "why not"), ("thaw", 1, "why not")]
)
def test_no_command_creates_a_database(
    storage_with_games: StorageSettings, run: RunCommandLine, command: tuple[object, ...]
) -> None:
    """Where there is no database a command says so and what to do, and leaves none."""
    storage_with_games.database.unlink()
    code, _, err = run(*command)
    advice = "Set CAPTAINS_TABLE_DATABASE as it is for the bot."
    assert (code, err) == (1, f"There is no database at {storage_with_games.database}. {advice}\n")
    assert not storage_with_games.database.exists()
    storage_with_games.backup_folder.mkdir()
    (storage_with_games.backup_folder / "captains-table-20260101-000000.db").touch()
    code, _, err = run(*command)
    assert code == 1
    assert "there are backups" in err
    assert "run `restore`" in err


def test_a_game_is_frozen_and_thawed_with_a_reason(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """A game is frozen and thawed with a reason for its players; one that does not replay stays frozen."""

    async def read_table(store: SqliteStore) -> tuple[Status, list[str], int]:
        table = await Tables(store, GAMES).get(2)
        texts = [each.text for each in await store.waiting_deliveries(2)]
        return table.status, texts, table.row.rules_version

    assert run("thaw", 2, "why not")[0] == 1
    code, out, _ = run("freeze", 2, "@everyone the score (12-9) looks wrong")
    assert code == 0
    assert "has frozen this game: @everyone the score (12-9) looks wrong. Nothing" in out, "no markup"
    status, texts, _ = run_with_store(storage_with_games, read_table)
    assert status is Status.FROZEN
    assert any(r"\@everyone the score \(12\-9\) looks wrong." in text for text in texts)
    execute_directly(storage_with_games, "update matches set rules_version = 99 where number = 2")
    assert run("thaw", 2, "All is well")[0] == 0
    status, texts, version = run_with_store(storage_with_games, read_table)
    assert (status, version) == (Status.PLAYING, 1)
    assert any("All is well." in text for text in texts)
    run("freeze", 2, "again")
    execute_directly(storage_with_games, "update records set action = 'undo 0' where match = 2 and ply = 5")
    code, _, err = run("thaw", 2, "All is well")
    assert code == 1
    assert "differently: record 5 differs. `replay 2 --reason` says why" in err
    execute_directly(storage_with_games, "update matches set seed = zeroblob(32) where number = 1")
    assert "not frozen" in run("thaw", 1, "All is well")[2], "it is played, though it differs"
    execute_directly(storage_with_games, "update records set action = 'x y' where match = 3 and ply = 5")
    code, out, _ = run("freeze", 3, "why")
    assert (code, "Table No. 3 is frozen now, but without your reason" in out) == (0, True)
    assert "frozen already" in run("freeze", 3, "why")[2]
    assert run("freeze", 77, "why")[0] == 1


@pytest.mark.parametrize("command", [("replay",), ("freeze", "why not"), ("thaw", "why not")])
def test_commands_agree_on_why_a_table_cannot_be_used(
    storage_with_games: StorageSettings, run: RunCommandLine, command: tuple[str, ...]
) -> None:
    """Each command says the same of a table that is missing, of an unknown game, or damaged."""
    name, *reason = command
    execute_directly(storage_with_games, "update matches set game = 'chess' where number = 1")
    execute_directly(storage_with_games, "update matches set holders = x'c1' where number = 2")
    execute_directly(storage_with_games, f"update matches set version = {2**63 - 1} where number = 3")
    for number, sentence in (
        (1, "Table No. 1 (chess, rules 1, playing): this release has no game “chess”."),
        (2, "What is stored of table 2 cannot be read."),
        (3, "What is stored of table 3 cannot be read."),
        (9, f"There is no table No. 9 in {storage_with_games.database}."),
    ):
        code, out, err = run(name, number, *reason)
        assert code == 1
        assert (out + err).strip() == sentence


def test_operators_do_not_get_refusals_for_players(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """What only turns out while a table is unpacked, and a game that took too long, are named."""
    execute_directly(
        storage_with_games, "update matches set options = '{bad', status = 'ended' where number = 1"
    )
    execute_directly(storage_with_games, "update matches set status = 'ended' where number = 2")
    run_with_store(storage_with_games, lambda store: store.set_metadata(game_timeout_key(2), "1"))
    for number, sentence in (
        (1, "What is stored of table 1 cannot be read."),
        (2, "The game at table No. 2 took too long."),
    ):
        code, _, err = run("freeze", number, "why not")
        assert code == 1
        assert err.splitlines()[-1] == sentence
    assert run("thaw", 1, "why not")[2].splitlines()[-1] == "What is stored of table 1 cannot be read."
    assert run("thaw", 2, "why not")[:2] == (0, "Table No. 2 can be loaded again.\n")


def test_a_failing_game_is_reported_in_a_sentence(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that fails while it is thawed ends the command with a sentence that quotes nothing of it."""

    def fail(table: Table, _: Table) -> NoReturn:
        with GameGuard(table.number):
            raise KeyError("planted")

    run("freeze", 2, "why not")
    monkeypatch.setattr("bot.host.deciders.moderation.outdated_hand_deliveries", fail)
    code, _, err = run("thaw", 2, "why not")
    assert (code, err.splitlines()[-1]) == (1, "The game at table No. 2 failed with KeyError.")


def test_only_a_frozen_game_is_said_to_stay_frozen(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """A game that is over is not called frozen, even if this release plays it differently."""
    execute_directly(storage_with_games, "update matches set seed = zeroblob(32) where number = 2")
    for status, text in (("frozen", "It stays frozen"), ("ended", "This game is not frozen.")):
        execute_directly(storage_with_games, f"update matches set status = '{status}' where number = 2")
        code, _, err = run("thaw", 2, "why not")
        assert code == 1
        assert err.splitlines()[-1].startswith(text)


@pytest.mark.parametrize("number", ["0", "-1", "9" * 30, "9" * 5_000, "two"])
def test_an_impossible_table_number_is_refused(
    run: RunCommandLine, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number that no table can have ends with the usage, not with a traceback."""
    for command in (("replay", number), ("freeze", number, "why"), ("thaw", number, "why")):
        with pytest.raises(SystemExit) as ended:
            run(*command)
        assert ended.value.code == 2
        assert "argument table: invalid number: name the table" in capsys.readouterr().err


@pytest.mark.parametrize("reason", ["", " ", "x" * 201])
def test_a_reason_can_be_read_by_players(
    run: RunCommandLine, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reason that says nothing, or that no message has room for, ends with the usage."""
    for command in ("freeze", "thaw"):
        with pytest.raises(SystemExit):
            run(command, 2, reason)
        assert "write a sentence of at most 200 characters" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["65536", "-1", "9" * 5_000, "http"])
def test_an_impossible_port_is_refused(
    run: RunCommandLine, port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """``play`` with a number that is no port ends with the usage, not with a traceback."""
    with pytest.raises(SystemExit) as ended:
        run("play", f"--port={port}")
    assert ended.value.code == 2
    assert "argument --port: invalid port: choose a number" in capsys.readouterr().err


def test_play_says_why_it_cannot_start(run: RunCommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_backup_settings_have_defaults_and_bounds(tmp_path: Path) -> None:
    """The settings of the backups have defaults, and invalid ones are refused."""
    database = {"CAPTAINS_TABLE_DATABASE": str(tmp_path / "a.db")}
    assert read_storage_settings(database) == StorageSettings(
        tmp_path / "a.db", tmp_path / "backups", 900.0, RetentionPolicy(8, 24, 14)
    )
    settings_read = read_storage_settings(
        database
        | {
            "CAPTAINS_TABLE_BACKUPS": "/elsewhere",
            "CAPTAINS_TABLE_BACKUP_MINUTES": "5",
            "CAPTAINS_TABLE_BACKUPS_KEPT": "1 0 0",
        }
    )
    assert settings_read == StorageSettings(
        tmp_path / "a.db", Path("/elsewhere"), 300.0, RetentionPolicy(1, 0, 0)
    )
    for name, value in (
        ("CAPTAINS_TABLE_BACKUP_MINUTES", "0"),
        ("CAPTAINS_TABLE_BACKUP_MINUTES", "nan"),
        ("CAPTAINS_TABLE_BACKUPS_KEPT", "0 1 1"),
        ("CAPTAINS_TABLE_BACKUPS_KEPT", "8"),
    ):
        with pytest.raises(ConfigError, match=name):
            read_storage_settings(database | {name: value})
