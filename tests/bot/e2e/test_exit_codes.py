"""How the process starts and ends: its exit codes, and what it waits for."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from pathlib import Path
from time import time
from typing import Any

import pytest

from bot.operate.doctor import run_doctor
from bot.store.backup import choose_backup
from bot.store.backup_folder import backups_in
from bot.store.complete_backup import is_marked_complete, mark_complete
from bot.store.inspection import open_read_only
from bot.store.restoring import DatabaseInUse, require_unused_backup_folder
from bot.store.sqlite import open_store
from rules.catalogue import GAMES
from tests.bot.database_file import open_database_file
from tests.bot.e2e.live_game import LiveGame
from tests.bot.e2e.observe import wait_until
from tests.bot.e2e.rig import Rig, find_free_port, log_entries, offered_games
from tests.trials import SOAK_MARK, WAIT_TIMEOUT, cases

pytestmark = pytest.mark.asyncio(loop_scope="module")


def run_to_end(folder: Path, program: str = "bot", **settings: str) -> tuple[int, str]:
    """Run a bot without a Discord until it ends; return its exit code and its log."""
    rig = Rig(folder)
    rig.program = ("-m", program, "run")
    unreachable_address = f"http://127.0.0.1:{find_free_port()}"
    process = rig.spawn(**{"CAPTAINS_TABLE_LOCAL": unreachable_address, "DISCORD_TOKEN": "x.y.z"} | settings)
    log_start = len(rig.log())
    try:
        code = process.wait(WAIT_TIMEOUT)
    finally:
        process.kill()
    return code, rig.log()[log_start:]


def field_values(log: str, field: str) -> list[Any]:
    """Return the values of a field in a log."""
    entries = [json.loads(line) for line in log.splitlines()]
    return [entry[field] for entry in entries if field in entry]


async def test_exit_75_when_discord_cannot_be_reached(tmp_path: Path) -> None:
    """Where nothing answers at Discord's address, a later restart may help."""
    marked_backup = tmp_path / "backups" / "any.db"
    marked_backup.parent.mkdir()
    mark_complete(marked_backup)
    code, log = await asyncio.to_thread(run_to_end, tmp_path)
    assert code == 75
    assert not is_marked_complete(marked_backup), "changes may follow each start"
    assert field_values(log, "exit_code") == [75]
    assert "Discord not reached" in field_values(log, "event"), "no connection was lost"


async def test_exit_78_on_a_newer_database(tmp_path: Path) -> None:
    """A database of a newer release stays as it is, and the log says what to do."""
    with open_database_file(tmp_path / "tables.db") as connection:
        connection.execute(
            "create table schema_migrations"
            " (number integer primary key, checksum text not null, at text default '') strict"
        )
        connection.execute("insert into schema_migrations (number, checksum) values (9999, 'x')")
        content_before = list(connection.iterdump())
    code, log = await asyncio.to_thread(run_to_end, tmp_path)
    assert code == 78
    assert field_values(log, "exit_code") == [78]
    assert "update the bot" in field_values(log, "error_text")[0]
    with open_database_file(tmp_path / "tables.db") as connection:
        assert list(connection.iterdump()) == content_before


async def test_exit_78_on_a_port_in_use(tmp_path: Path) -> None:
    """A metrics port in use is a mistake in the settings."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, log = await asyncio.to_thread(run_to_end, tmp_path, CAPTAINS_TABLE_METRICS=port)
    assert code == 78
    assert field_values(log, "exit_code") == [78]
    assert field_values(log, "error_text")[0].startswith(
        f"CAPTAINS_TABLE_METRICS: port {port} cannot be used: "
    )


INVALID_SETTINGS = {"REQUESTS": "many", "LOG": "LOUD", "METRICS": "70000", "LOCAL": "http://example.com"}
"""Settings, each with a value that it cannot have."""


@pytest.mark.parametrize("setting", cases(INVALID_SETTINGS, "REQUESTS"))
async def test_exit_78_on_an_invalid_setting(tmp_path: Path, setting: str) -> None:
    """An invalid setting is named in a sentence, as a line of the log."""
    name, value = f"CAPTAINS_TABLE_{setting}", INVALID_SETTINGS[setting]
    code, log = await asyncio.to_thread(run_to_end, tmp_path, **{name: value})
    assert code == 78
    assert field_values(log, "exit_code") == [78]
    assert f"{name} must be" in field_values(log, "error_text")[0]


async def test_exit_78_where_no_database_can_be(tmp_path: Path) -> None:
    """A folder that cannot be made, or a folder in the file's place, is a mistake in the settings."""
    (tmp_path / "file").touch()
    for database_path in (tmp_path / "file" / "folder" / "tables.db", tmp_path):
        code, log = await asyncio.to_thread(run_to_end, tmp_path, CAPTAINS_TABLE_DATABASE=str(database_path))
        assert code == 78
        assert field_values(log, "exit_code") == [78]
        assert field_values(log, "error_text")[0].startswith("CAPTAINS_TABLE_DATABASE: ")


@SOAK_MARK
async def test_exit_75_where_the_database_is_deleted(tmp_path: Path) -> None:
    """Within seconds the bot ends with a backup that has the newest move, also one after the deletion."""
    async with Rig(tmp_path).running() as rig:
        game = await rig.start_game("Ava", "Ben")
        await game.make_move()
        rig.database.unlink()
        await game.make_move()
        move_count = await game.count_moves()
        assert rig.process is not None
        assert await asyncio.to_thread(rig.process.wait, WAIT_TIMEOUT) == 75
        newest_backup = choose_backup(backups_in(rig.database.parent / "backups")).backup
        assert newest_backup is not None
        assert is_marked_complete(newest_backup.path)
        with open_read_only(newest_backup.path) as copy:
            (ply,) = copy.execute("select ply from matches where number = ?", (game.number,)).fetchone()
        assert ply >= move_count > 1


async def test_exit_78_where_the_database_is_gone(tmp_path: Path) -> None:
    """Where only backups are left no empty database is begun: the log says that one can be restored."""
    async with Rig(tmp_path).running() as rig:
        backup_folder = rig.database.parent / "backups"
        with pytest.raises(DatabaseInUse):  # while the bot runs, whatever became of the file
            await asyncio.to_thread(require_unused_backup_folder, backup_folder)
        await rig.terminate()
        require_unused_backup_folder(backup_folder)
        assert list(rig.database.parent.glob("backups/*.db"))
        rig.database.unlink()
        for has_empty_file in (False, True):
            if has_empty_file:
                rig.database.touch(0o600)
            code, log = await asyncio.to_thread(run_to_end, rig.database.parent)
            assert code == 78
            assert "run `restore`" in field_values(log, "error_text")[0]
            assert rig.database.exists() is has_empty_file
        (fault_text,) = run_doctor(rig.environment(), GAMES, time()).faults
        assert "run `restore`" in fault_text


async def test_a_start_waits_for_a_locked_database(tmp_path: Path) -> None:
    """While ``doctor`` or ``replay`` holds the file a start waits and logs it, and then continues."""
    async with Rig(tmp_path).running() as rig:
        await rig.terminate()
        with open_database_file(rig.database) as connection:
            connection.execute("pragma locking_mode = exclusive")
            connection.execute("select count(*) from matches").fetchone()
            starting = asyncio.ensure_future(rig.start())
            await wait_until(lambda: "database in use" in rig.log() or None, awaited="a line about the wait")
        await starting
        assert await rig.terminate() == 0


async def test_exit_75_when_a_copy_before_a_change_fails(tmp_path: Path) -> None:
    """Without space for a backup no schema is changed; there may be space later."""
    await (await open_store(tmp_path / "tables.db")).close()
    (tmp_path / "backups").touch()  # no folder can be made here
    code, log = await asyncio.to_thread(run_to_end, tmp_path, "tests.bot.store.later_release")
    assert code == 75
    assert field_values(log, "exit_code") == [75]


async def test_exit_75_when_the_store_fails_at_the_start(tmp_path: Path) -> None:
    """A database that opens but does not answer ends the process with 75, not with a traceback."""
    async with Rig(tmp_path).running() as rig:
        await rig.terminate()
        with open_database_file(rig.database) as connection:
            connection.execute("drop table settings")
        log_start = len(rig.log())
        rig.process = rig.spawn()
        assert await asyncio.to_thread(rig.process.wait, WAIT_TIMEOUT) == 75
    assert field_values(rig.log()[log_start:], "exit_code") == [75]


LAST_LINE_BY_HANG = {
    "rules while loading": "worker thread hangs",
    "rules": "event loop hangs",
    "store": "store does not answer",
}
"""What hangs, and how the last line of the log begins."""


async def test_exit_75_when_something_hangs(tmp_path: Path) -> None:
    """P14: rules that never return, or a store that does not answer, end the process; the next continues."""
    async with Rig(tmp_path).running() as rig:
        game = await rig.start_game("Ava", "Ben")
        await rig.wait_until_sent()  # what waits would load the game at the next start
        await rig.terminate()
        for number, (hanging, event) in enumerate(LAST_LINE_BY_HANG.items()):
            hang_file = tmp_path / f"hang {number}"
            rig.program = ("-m", "tests.bot.e2e.altered_bot", hanging.split(maxsplit=1)[0], str(hang_file))
            await rig.start()
            if hanging != "rules while loading":
                await game.make_move()
            hang_file.touch()
            await _hang_until_75(rig, game, hanging)
            lines = [entry for entry in log_entries(rig) if entry["level"] == "critical"]
            assert [line["event"].startswith(event) for line in lines[number:]] == [True], (
                hanging,
                lines[-1].get("frames"),
            )
            if hanging.startswith("rules"):
                frames = lines[-1]["frames"]
                assert any("altered_bot.py" in frame and "endless" in frame for frame in frames)
        rig.program = ("-m", "tests.bot.e2e.altered_bot", "nothing")
        await rig.start()
        await game.make_move()
        assert await rig.terminate() == 0


async def _hang_until_75(rig: Rig, game: LiveGame, hanging: str) -> None:
    """Make a request that hangs; check that the process ends with 75."""
    assert rig.process is not None
    ava = rig.member("Ava", game.channel)
    hanging_request = (
        ava.command("newgame", game=offered_games(rig)[0]) if hanging == "store" else game.make_move()
    )
    request = asyncio.ensure_future(hanging_request)
    assert await asyncio.to_thread(rig.process.wait, WAIT_TIMEOUT) == 75
    request.cancel()
    await asyncio.gather(request, return_exceptions=True)
    await wait_until(
        lambda: None if rig.discord.gateway.is_connected else True, awaited="the connection's end"
    )


async def test_a_bot_is_stopped_while_it_starts(tmp_path: Path) -> None:
    """SIGTERM while the tables are loaded ends the bot with 0; close() never runs beside setup_hook()."""
    rig = Rig(tmp_path)
    rig.program = ("-m", "tests.bot.e2e.altered_bot", "start", str(tmp_path / "beside"))
    async with rig.running(start=False):
        rig.process = process = rig.spawn()
        await wait_until(lambda: "loading tables" in rig.log() or None, awaited="the start")
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, WAIT_TIMEOUT) == 0
        assert not (tmp_path / "beside").exists()
        assert log_entries(rig)[-1]["event"] == "bot stopped"
