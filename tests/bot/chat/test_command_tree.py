"""Commands that fail or are outdated, and their suggestions, over real sockets."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, cast
from unittest.mock import AsyncMock

import pytest

from bot import limits
from bot.chat import commands
from bot.chat.client import TableClient
from bot.chat.command_tree import safe_autocomplete, seat_suggestions
from bot.chat.interaction import Interaction
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.error_codes import ErrorCode
from bot.host.deciders import lobby
from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.local.faults import InjectedFault
from bot.local.members import InteractionFailed, Member
from bot.local.message_contents import body_text, has_button
from bot.local.model import Channel
from bot.local.server import LocalDiscord
from bot.store.disk_space import DiskSpace
from bot.store.protocol import StoreError
from bot.store.sqlite import open_store
from rules.catalogue import GAMES
from tests.bot.e2e.observe import wait_until
from tests.bot.e2e.platform_faults import CALLBACK_ROUTE
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot

__all__ = ["restored_discord_addresses"]

ServerAndClient = tuple[LocalDiscord, TableClient]


@pytest.fixture
async def server_and_client(
    tmp_path: Path, restored_discord_addresses: None
) -> AsyncIterator[ServerAndClient]:
    """Yield a stand-in and the bot, ready."""
    store = await open_store(tmp_path / "tables.db")
    async with in_process_bot(store, lambda *_: None) as (server, client):
        yield server, client
    await store.close()


def _count_faults(client: TableClient) -> float:
    return float(client.host.metrics.faults.labels("chat")._value.get())


async def _fail(*_: object, **__: object) -> NoReturn:
    raise ValueError("planted")


async def _fail_to_store(*_: object) -> NoReturn:
    raise StoreError


def _refuse(_user: int) -> NoReturn:
    raise Refusal("too many")


@pytest.mark.parametrize("where", ["in the response", "outside it"])
async def test_a_failed_command_is_answered_with_its_reference(
    server_and_client: ServerAndClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    where: str,
) -> None:
    """A fault in a command is logged, counted and answered with its reference, never with "has changed"."""
    server, client = server_and_client
    if where == "in the response":
        monkeypatch.setattr(commands, "my_games_post", _fail)
    else:
        monkeypatch.setattr(client.tree.get_command("mygames"), "_callback", _fail)
    fault_count = _count_faults(client)
    outcome = await server.member("Ava").command("mygames")
    text = body_text(await outcome.wait_until_loaded())
    assert outcome.ephemeral
    assert text.startswith("Something went wrong.")
    assert "has changed" not in text
    assert _count_faults(client) == fault_count + 1
    (record,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert text.endswith(f"-# Reference {vars(record)['error_id']}")


async def _fail_to_read(_: Response) -> NoReturn:
    raise StoreError


async def _open_lobby_then_fail(response: Response) -> NoReturn:
    """Open a lobby, whose answer the store then fails to make."""
    request, game = response.request, next(iter(GAMES.values()))
    await response.tables.open(
        lambda number, seed, now: lobby.open_table(number, game, "", request, seed, now), request
    )
    raise StoreError


@pytest.mark.parametrize(
    ("has_stored", "text"), [(False, "Nothing has changed."), (True, "missed this (No. 1)")]
)
async def test_after_a_store_failure_the_answer_says_what_was_stored(
    server_and_client: ServerAndClient, monkeypatch: pytest.MonkeyPatch, *, has_stored: bool, text: str
) -> None:
    """Its user reads that nothing has changed only where that is so, also of a command that only reads."""
    server, client = server_and_client
    callback = with_response(_open_lobby_then_fail if has_stored else _fail_to_read)
    monkeypatch.setattr(client.tree.get_command("mygames"), "_callback", callback)
    answer_text = body_text(await (await server.member("Ava").command("mygames")).wait_until_loaded())
    assert text in answer_text
    assert ("Nothing has changed" in answer_text) != has_stored
    assert "could not read or store" in answer_text


async def test_doctor_names_a_full_disk_first(server_and_client: ServerAndClient) -> None:
    """An admin reads it before anything else; a disk that cannot be asked hides nothing of the rest."""
    server, client = server_and_client

    def fail() -> DiskSpace:
        raise OSError

    full_disk = DiskSpace(Path(), free_bytes=0, needed_bytes=1)
    for read_disk_space, first_words in ((lambda: full_disk, "**My disk is"), (fail, "Missing Pin Messages")):
        client.read_disk_space = read_disk_space
        text = body_text(await (await server.member("Ava").command("doctor")).wait_until_loaded())
        _, first_line, *_ = text.splitlines()
        assert first_line.startswith(first_words)


def _find_command(server: LocalDiscord, name: str) -> dict[str, Any]:
    return next(each for each in server.world.commands if each["name"] == name)


async def test_an_outdated_command_is_answered_with_what_to_do(server_and_client: ServerAndClient) -> None:
    """A command that Discord shows with other options than ours is answered with what to do."""
    server, client = server_and_client
    command = _find_command(server, "play")
    command["options"] = [each for each in command["options"] if each["name"] != "move"]
    fault_count = _count_faults(client)
    text = body_text(await (await server.member("Ava").command("play")).wait_until_loaded())
    assert text == "This command has changed. Reload Discord, then type it again."
    assert _count_faults(client) == fault_count


async def test_a_command_that_is_gone_suggests_nothing(server_and_client: ServerAndClient) -> None:
    """Autocompletion of a command that we no longer have suggests nothing, at once."""
    server, _ = server_and_client
    server.world.commands.append({**_find_command(server, "play"), "id": "1", "name": "move"})
    assert await server.member("Ava").autocomplete("move", "table", "1") == []


async def test_rules_name_the_games_where_none_is_played(server_and_client: ServerAndClient) -> None:
    """They name the games to choose from, and explain none that was not asked for."""
    member = server_and_client[0].member("Ava")
    answer = body_text(await (await member.command("rules")).wait_until_loaded())
    assert answer.startswith("No game is played here.")
    assert all(game.title in answer for game in GAMES.values())
    assert await member.autocomplete("rules", "topic", "") == []
    rules_text = body_text(await (await member.command("rules", game="oceans")).wait_until_loaded())
    assert rules_text.startswith("**Oceans")


async def test_a_board_stays_shown_if_its_message_cannot_be_refreshed(
    server_and_client: ServerAndClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ``/board`` has shown is not replaced by a fault of what follows."""
    server, client = server_and_client
    member = server.member("Ava")
    await (await member.command("newgame", game="currents")).wait_until_loaded()
    lobby_message = await member.wait_for_message(lambda message: has_button(message, "Start"))
    for label in ("Add Random computer", "Start"):
        await (await member.press(lobby_message, label)).wait_until_loaded()

    def game_thread() -> Channel | None:
        table = client.host.tables.get_cached(1)
        return next(
            (each for each in server.world.threads() if table and each.id == table.row.game_channel), None
        )

    thread = await wait_until(game_thread, awaited="the game's thread")
    monkeypatch.setattr(client.host.tables, "change", _fail_to_store)
    outcome = await member.command("board", channel=thread, text="true")
    await asyncio.sleep(0.2)
    assert body_text(await outcome.wait_until_loaded()).startswith("**Currents · No. 1**")


async def test_tables_are_suggested_in_any_case(server_and_client: ServerAndClient) -> None:
    """A table is found by a part of its number or its game, with or without capitals."""
    member = server_and_client[0].member("Ava")
    await (await member.command("newgame", game="currents")).wait_until_loaded()
    for typed in ("", "1", "Curr", "curr", "NO. 1"):
        suggested = await member.autocomplete("board", "table", typed)
        assert [each["name"] for each in suggested] == ["No. 1 · Currents"], typed
    assert await member.autocomplete("board", "table", "oceans") == []


async def test_suggestions_have_a_rate_limit(
    server_and_client: ServerAndClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user who asks for too many suggestions gets none for a while; commands still work."""
    server, client = server_and_client
    member = server.member("Ava")
    assert await member.autocomplete("rules", "topic", "", game="currents")
    monkeypatch.setattr(client.host.suggestion_limiter, "admit", _refuse)
    assert await member.autocomplete("rules", "topic", "", game="currents") == []
    rules_text = body_text(await (await member.command("rules")).wait_until_loaded())
    assert rules_text.startswith("No game is played here.")


async def _require_failed_suggestions(
    monkeypatch: pytest.MonkeyPatch, member: Member, command: str, option: str, fault: InjectedFault
) -> None:
    """Type into an option of a command: its suggestions meet a fault, and the bot is done with that."""
    with monkeypatch.context() as patched:
        patched.setattr(limits, "FIRST_RESPONSE_SECONDS", 0.0)
        with pytest.raises(InteractionFailed):
            await member.autocomplete(command, option, "1")
    await wait_until(lambda: fault.hit_count or None, awaited="the suggestions")
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "CommandTree-invoker"))
    assert fault.hit_count == 1


@pytest.mark.parametrize("code", [ErrorCode.UNKNOWN_INTERACTION, ErrorCode.ALREADY_ACKNOWLEDGED])
@pytest.mark.parametrize("answer", ["suggested", "refused", "outdated"])
async def test_suggestions_that_come_too_late_are_no_error(
    server_and_client: ServerAndClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    code: ErrorCode,
    answer: str,
) -> None:
    """Suggestions that Discord takes no more, or has already, are no error in the log."""
    server, client = server_and_client
    member, command, option = server.member("Ava"), "rules", "topic"
    if answer == "refused":
        monkeypatch.setattr(client.host.suggestion_limiter, "admit", _refuse)
    elif answer == "outdated":
        server.world.commands.append({**_find_command(server, "play"), "id": "1", "name": "move"})
        command, option = "move", "table"
    fault = server.faults.add(
        InjectedFault("POST", CALLBACK_ROUTE, status=400, code=int(code), message="Late")
    )
    caplog.clear()
    await _require_failed_suggestions(monkeypatch, member, command, option, fault)
    assert [each.getMessage() for each in caplog.records if each.levelno > logging.WARNING] == []


async def test_other_failures_of_suggestions_are_logged(
    server_and_client: ServerAndClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Any other failure to send suggestions is logged as before."""
    server, _ = server_and_client
    fault = server.faults.add(
        InjectedFault("POST", CALLBACK_ROUTE, status=400, code=50035, message="Invalid Form Body")
    )
    await _require_failed_suggestions(monkeypatch, server.member("Ava"), "rules", "topic", fault)
    assert [each.name for each in caplog.records if each.levelno == logging.ERROR] == [
        "discord.app_commands.tree"
    ]


async def test_a_game_that_fails_suggests_nothing(
    server_and_client: ServerAndClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is suggested, and the log says so, where the game cannot even be frozen."""
    _, client = server_and_client
    failing = AsyncMock(side_effect=GameFault(1))
    monkeypatch.setattr(client.host.tables, "handle_fault", _fail_to_store)
    interaction = SimpleNamespace(client=client)
    assert await safe_autocomplete(failing)(cast("Interaction", interaction), "x") == []
    assert "game not frozen after a fault" in caplog.text


async def test_ready_after_the_close_is_dropped(
    server_and_client: ServerAndClient, caplog: pytest.LogCaptureFixture
) -> None:
    """discord.py's delayed "ready" of a client that is closed by then starts nothing."""
    caplog.set_level(logging.INFO)
    _, client = server_and_client

    async def logged_connections_after_ready() -> int:
        caplog.clear()
        client.dispatch("ready")
        await asyncio.sleep(0.05)
        return sum(record.message == "connected" for record in caplog.records)

    assert await logged_connections_after_ready() == 1
    await client.close()
    assert await logged_connections_after_ready() == 0


def test_a_seat_is_found_by_its_letter_first() -> None:
    """A typed "d" is seat D, not the first seat whose player's name has a "d"."""
    choices = [("A: Ava", "A"), ("B: Dimitri", "B"), ("D: Zoe", "D")]
    assert [each.value for each in seat_suggestions(choices, "d")] == ["D", "B"]
    assert [each.value for each in seat_suggestions(choices, "dim")] == ["B"]
    assert [each.value for each in seat_suggestions(choices, "")] == ["A", "B", "D"]
