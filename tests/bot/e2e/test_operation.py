"""The process as operators see it: metrics, heartbeat, references, rate limits."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store.backup_folder import backups_in
from tests.bot.database_file import open_database_file
from tests.bot.e2e.observe import open_form, read_response, shown_message, wait_until
from tests.bot.e2e.rig import REPOSITORY, Rig, find_free_port, log_entries, offered_games
from tests.trials import WAIT_TIMEOUT

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rig]:
    """Yield a rig whose bot serves metrics, writes a heartbeat, and keeps some limits."""
    folder = tmp_path_factory.mktemp("operated")
    rig = Rig(folder)
    rig.settings = {
        "CAPTAINS_TABLE_METRICS": str(find_free_port()),
        "CAPTAINS_TABLE_HEARTBEAT": str(folder / "heartbeat"),
        "CAPTAINS_TABLE_REQUESTS": "20/600",
        "CAPTAINS_TABLE_LOBBIES": "2",
    }
    async with rig.running():
        yield rig


async def read_metrics(rig: Rig) -> dict[str, float]:
    """Return the metrics, by name and labels."""
    url = f"http://127.0.0.1:{rig.settings['CAPTAINS_TABLE_METRICS']}/metrics"

    def fetch() -> str:
        with urllib.request.urlopen(url, timeout=WAIT_TIMEOUT) as answer:
            return str(answer.read().decode())

    lines = (await asyncio.to_thread(fetch)).splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


async def test_a_wait_for_a_processor_excuses_alarms_once(tmp_path: Path) -> None:
    """Alarms of a watchdog are left out until they say more in all than the wait; others stay anyway."""
    alarms = [("loop", 1.5), ("loop", 1.2), ("commit", 2.5), ("outbox", 0.1)]
    lines = [
        json.dumps({"event": "alarm raised", "watch": watch, "seconds": seconds}, separators=(",", ":"))
        for watch, seconds in alarms
    ]
    rig = Rig(tmp_path)
    rig.output.write_text("".join(f"{line}\n" for line in lines))
    rig._earlier_processor_wait = 2.6
    assert rig.log_without_waits().splitlines() == [lines[1], lines[3]]


@pytest.mark.parametrize("seconds", [0.0, 0.3, 2.0])
async def test_a_stop_soon_after_the_start_logs_no_error(tmp_path: Path, seconds: float) -> None:
    """A stop at any moment of the start, or two seconds after it, ends the bot without an error in the log.

    After two seconds discord.py stops to wait for servers and reports that it is ready.
    """
    async with Rig(tmp_path).running(start=False) as rig:
        rig.process = rig.spawn()
        if seconds:
            await wait_until(lambda: rig.discord.gateway.is_connected or None)
        else:
            await wait_until(lambda: rig.database.exists() or None)
        await asyncio.sleep(seconds)
        assert await rig.terminate() == 0
    entries = [json.loads(line) for line in rig.log_without_waits().splitlines()]
    assert [entry for entry in entries if entry["level"] not in {"debug", "info"}] == []
    assert len(backups_in(tmp_path / "backups")) > 0


async def test_the_metrics_count_a_game(rig: Rig) -> None:
    """Moves, answers, deliveries, calls, tables and memory are measured, and no label names a user."""
    game = await rig.start_game("Ava", "Ben")
    await game.make_move()
    values = await read_metrics(rig)
    assert sum(value for name, value in values.items() if "moves_total{" in name) >= 1
    assert values["captains_table_response_seconds_count"] >= 5
    assert values['captains_table_deliveries_total{kind="board",outcome="sent"}'] >= 1
    assert values['captains_table_api_calls_total{status="2xx"}'] >= 10
    assert values["captains_table_commit_seconds_count"] >= 4
    assert values["captains_table_process_resident_memory_bytes"] > 10_000_000
    ids = {str(user.id) for user in rig.world.users.values()} | {str(rig.world.guild_id)}
    assert not [name for name in values if any(each in name for each in ids)]
    await rig.terminate()
    heartbeat = Path(rig.settings["CAPTAINS_TABLE_HEARTBEAT"])
    written_before = _modified_at(heartbeat)
    await rig.start()
    await wait_until(
        lambda: _modified_at(heartbeat) > written_before or None, awaited="the first check of the watchdogs"
    )
    assert (await read_metrics(rig))['captains_table_tables{status="playing"}'] >= 1


def _modified_at(path: Path) -> float:
    """Return when a file was written."""
    return path.stat().st_mtime if path.exists() else 0.0


async def test_the_metrics_stay_on_this_machine(rig: Rig) -> None:
    """The metrics server listens on the loopback address only."""
    port = int(rig.settings["CAPTAINS_TABLE_METRICS"])
    addresses = [
        line_match[1]
        for name in ("tcp", "tcp6")
        for line_match in re.finditer(rf"\d+: ([0-9A-F]+):{port:04X} [0-9A-F]+:0000 0A", _socket_table(name))
    ]
    assert addresses == ["0100007F"]


def _socket_table(name: str) -> str:
    """Return the kernel's table of sockets."""
    path = Path("/proc/net", name)
    return path.read_text(encoding="ascii") if path.exists() else ""


async def test_the_heartbeat_shows_a_healthy_bot(rig: Rig) -> None:
    """The container's health check exits with 0 while the bot is healthy, with 1 without a heartbeat."""
    path = Path(rig.settings["CAPTAINS_TABLE_HEARTBEAT"])
    await wait_until(lambda: path.exists() or None, awaited="a heartbeat")

    def check(which: Path) -> int:
        return subprocess.run(
            [sys.executable, "-m", "bot.watch.heartbeat", str(which)],
            cwd=REPOSITORY,
            check=False,
            timeout=WAIT_TIMEOUT,
        ).returncode

    assert await asyncio.to_thread(check, path) == 0
    assert await asyncio.to_thread(check, path.with_name("missing")) == 1


async def test_a_flood_is_refused(rig: Rig) -> None:
    """The twenty-first act within ten minutes is refused with what to do; other people may go on."""
    member = rig.member("Flo", rig.world.add_text_channel("flooded"))
    texts = [await read_response(await member.command("mygames")) for _ in range(22)]
    assert all("You have no seat at any table" in text for text in texts[:20])
    assert all("too much at once" in text and "Wait" in text for text in texts[20:])
    lines = [entry for entry in log_entries(rig) if entry.get("refusal") == "RateLimitExceeded"]
    assert [line["event"] for line in lines] == ["rate limit exceeded"]
    other = rig.member("Gus", member.channel)
    assert "You have no seat at any table" in await read_response(await other.command("mygames"))
    values = await read_metrics(rig)
    assert values['captains_table_refusals_total{kind="RateLimitExceeded"}'] == 2


async def test_too_many_lobbies_are_refused(rig: Rig) -> None:
    """A third lobby of one host is refused with what to do."""
    channel = rig.world.add_text_channel("lobbies")
    for _ in range(2):
        await rig.open_lobby("Hal", channel=channel)
    hal = rig.member("Hal", channel)
    refusal = await read_response(await hal.command("newgame", game=next(iter(offered_games(rig)))))
    assert "two open lobbies" in refusal
    assert "/table end" in refusal


async def test_a_refusal_has_one_line_in_the_log(rig: Rig) -> None:
    """A refusal of a command, button or form has one line in the log; its text shows no reference."""
    game = await rig.start_game("Kim", "Lea")
    board = await game.current_board()
    actor = game.require_member_to_act(board)
    other = next(member for member in game.people if member.user is not actor.user)
    other.channel = board.channel
    panel = await shown_message(await actor.press(board, "Play"))
    form = await open_form(actor, panel, "Type a move")
    entry_count = len(log_entries(rig))
    refused_by_kind = {
        "play": ("Refusal", game.number, await actor.command("play", at_once="true", move="no such move")),
        "table.resume": ("Refusal", game.number, await actor.command("table resume", table=game.number)),
        "board": ("NoSuchTable", 9_999, await actor.command("board", table=9_999)),
        "press.play": ("Refusal", game.number, await other.press(board, "Play")),
        "form.typed": ("Refusal", game.number, await actor.submit(form, {"": "no such move"})),
    }
    for kind, (refusal, table, outcome) in refused_by_kind.items():
        assert "eference" not in await read_response(outcome)
        (line,) = [entry for entry in log_entries(rig)[entry_count:] if entry.get("kind") == kind]
        fields = {name: value for name, value in line.items() if name not in {"time", "logger"}}
        assert fields == {
            "level": "info",
            "event": "request refused",
            "refusal": refusal,
            "kind": kind,
            "table": table,
        }


async def test_a_command_that_is_gone_is_answered_with_what_to_do(rig: Rig) -> None:
    """A command that the bot does not know any more is answered with what to do."""
    current = next(each for each in rig.world.commands if each["name"] == "mygames")
    rig.world.commands.append({**current, "id": str(rig.world.new_snowflake()), "name": "mytables"})
    try:
        text = await read_response(await rig.member("Mia").command("mytables"))
    finally:
        rig.world.commands.pop()
    assert "This command has changed" in text
    assert len([entry for entry in log_entries(rig) if entry.get("refusal") == "OutdatedCommand"]) == 1


async def test_a_reference_finds_one_line_of_the_log(module_rig: Rig) -> None:
    """A fault that players read about has a reference, which finds the one line about it."""
    game = await module_rig.start_game("Ida", "Jon")
    await module_rig.terminate()
    with open_database_file(module_rig.database) as connection:
        connection.execute("update matches set options = 'no such' where number = ?", (game.number,))
    await module_rig.start()

    def notice_with_reference() -> re.Match[str] | None:
        texts = "\n".join(message.content for message in game.public_messages())
        return re.search(r"This game is frozen: .* \(reference (\w+)\)", texts)

    ida = module_rig.member("Ida", game.channel)
    await read_response(await ida.command("board", table=game.number))
    reference = await wait_until(notice_with_reference, awaited="a notice with a reference")
    assert "frozen" in await read_response(await ida.command("board", table=game.number))
    (line,) = [entry for entry in log_entries(module_rig) if entry.get("error_id") == reference[1]]
    assert line["table"] == game.number
    assert line["level"] == "error"
    assert line["frames"]
