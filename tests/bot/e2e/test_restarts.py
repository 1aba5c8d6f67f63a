"""The bot is killed, stopped, started again: what was confirmed stays, and commands are sent if need be."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.local.faults import InjectedFault
from bot.local.interactions import Interaction
from bot.local.members import InteractionResult
from bot.local.message_contents import message_text
from bot.local.model import Message, MessageFlag
from tests.bot.database_file import open_database_file
from tests.bot.e2e.live_game import LiveGame, press_component
from tests.bot.e2e.observe import custom_ids_by_verb, ply_of, read_response, wait_until
from tests.bot.e2e.platform_faults import CALLBACK_ROUTE, MESSAGE_ROUTE, MESSAGES_ROUTE, THREADS_ROUTE
from tests.bot.e2e.rig import Rig
from tests.trials import WAIT_TIMEOUT, cases

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMMANDS_ROUTE = "/applications/{application_id}/commands"


async def redeliver(rig: Rig, interaction: Interaction) -> Message:
    """Deliver an interaction a second time; return the answer."""
    interaction.created_at = rig.world.clock()  # the first answer was lost, the second may still be shown
    interaction.response = asyncio.get_running_loop().create_future()
    rig.discord.gateway.dispatch("INTERACTION_CREATE", rig.discord.interactions.payload(interaction))

    def find_answer() -> Message | None:
        original = interaction.original
        return original if original is not None and not original.flags & MessageFlag.LOADING else None

    return await wait_until(find_answer, awaited="an answer to the repeat")


@contextlib.asynccontextmanager
async def move_under_way(
    game: LiveGame,
) -> AsyncIterator[tuple[asyncio.Task[InteractionResult], list[Interaction]]]:
    """Yield a move by ``/play`` under way, and the interaction that it made."""
    member = game.require_member_to_act(await game.current_board())
    move = (await member.autocomplete("play", "move"))[0]["value"]
    interactions: list[Interaction] = []
    create = game.rig.discord.interactions.create

    def create_and_record(*arguments: Any) -> Interaction:
        interactions.append(create(*arguments))
        return interactions[-1]

    game.rig.discord.interactions.create = create_and_record  # type: ignore[method-assign, assignment]
    task = asyncio.ensure_future(member.command("play", at_once="true", move=move))
    await asyncio.sleep(0)
    game.rig.discord.interactions.create = create  # type: ignore[method-assign]
    yield task, interactions
    task.cancel()  # where the bot was killed no response comes
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def test_a_stored_move_survives_a_kill_before_its_answer(rig: Rig) -> None:
    """A stored move survives ``kill -9`` before its answer; the board comes, a repeat gets the answer."""
    game = await rig.start_game("Ava", "Ben")
    await game.make_move()
    old_board = await game.current_board()
    move_count = await game.count_moves()
    async with move_under_way(game) as (task, interactions):
        killed = asyncio.Event()
        answer_fault = rig.discord.faults.add(InjectedFault("POST", CALLBACK_ROUTE, mode="cut", until=killed))
        for method, route in (("POST", MESSAGES_ROUTE), ("PATCH", MESSAGE_ROUTE)):
            rig.discord.faults.add(InjectedFault(method, route, mode="cut", until=killed, max_hit_count=100))
        await wait_until(lambda: answer_fault.hit_count or None, awaited="the answer")
        await rig.kill()
        assert not task.done()
    rig.discord.faults.clear()
    killed.set()
    assert ply_of(newest_board(game)) == ply_of(old_board), "the board came before the kill"
    await rig.start()
    await game.next_board()
    assert await game.count_moves() == move_count + 1
    response = await redeliver(rig, interactions[0])
    assert f"Already played as move {move_count + 1}." in message_text(response)
    assert response.ephemeral
    assert await game.count_moves() == move_count + 1


def newest_board(game: LiveGame) -> Message:
    """Return the newest board, as it is now."""
    return [
        message
        for message in game.public_messages()
        if game.owns(message) and "play" in custom_ids_by_verb(message)
    ][-1]


async def test_a_confirmed_move_survives_a_kill(rig: Rig) -> None:
    """A confirmed move is there after ``kill -9``; buttons from before work, and the game goes on."""
    game = await rig.start_game("Ava", "Ben")
    old_board = await game.current_board()
    hand_id = custom_ids_by_verb(old_board)["hand"]
    move_count = await game.count_moves()
    async with move_under_way(game) as (task, _):
        await task
        await rig.kill()
    await rig.start()
    await game.next_board()
    assert await game.count_moves() == move_count + 1
    for label in ("My hand", "More"):
        await read_response(await game.people[0].press(await game.current_board(), label))
    assert "Your hand" in await read_response(await press_component(game.people[0], old_board, hand_id))
    await game.make_move()
    await game.make_move("notation")


@pytest.mark.trust_test("T1")
async def test_a_move_is_made_once_whenever_the_bot_is_killed(rig: Rig) -> None:
    """Whenever the bot is killed, an answered move is stored, and a repeat makes it once in any case."""
    game = await rig.start_game("Ben", "Chloé")
    rng = random.Random(7)
    for _ in range(3):
        move_count = await game.count_moves()
        async with move_under_way(game) as (task, interactions):
            await asyncio.sleep(rng.random() * 0.03)
            await rig.kill()
            was_answered = task.done()
            await rig.start()
            if was_answered:
                assert await game.count_moves() == move_count + 1
            else:
                text = message_text(await redeliver(rig, interactions[0]))
                assert f"move {move_count + 1}" in text or "**Currents" in text
        await game.next_board()
        assert await game.count_moves() == move_count + 1


async def test_a_thread_is_opened_by_the_run_after_a_kill(rig: Rig) -> None:
    """What an earlier run could not open is opened once the server is known, without a fault of ours."""
    game = await rig.open_lobby("Ava", "Ben")
    fault = InjectedFault("POST", THREADS_ROUTE, status=500, max_hit_count=50)
    rig.discord.faults.add(fault)
    await read_response(await game.people[0].press(await game.lobby_message(), "Start"))
    await wait_until(lambda: fault.hit_count or None, awaited="an attempt")
    await rig.kill()
    rig.discord.faults.clear()
    await rig.start()
    await wait_until(lambda: [each for each in rig.world.threads() if each.parent is game.channel] or None)
    await game.current_board()
    assert "delivery fault" not in rig.log()


async def test_a_stop_in_the_middle_of_a_move_loses_nothing(rig: Rig) -> None:
    """SIGTERM in the middle of a move ends the bot with 0 and loses nothing, not even the board."""
    game = await rig.start_game("Ben", "Chloé")
    move_count = await game.count_moves()
    async with move_under_way(game) as (task, interactions):
        await asyncio.sleep(0.01)
        assert await rig.terminate() == 0
        was_answered = task.done()
        await rig.start()
        if not was_answered:
            await redeliver(rig, interactions[0])
    await game.next_board()
    assert await game.count_moves() == move_count + 1


async def test_a_stop_waits_for_answers(rig: Rig) -> None:
    """A response that is being sent when the bot is stopped is still sent in full."""
    game = await rig.start_game("Ben", "Chloé")
    move_count = await game.count_moves()
    async with move_under_way(game) as (task, _):
        released = asyncio.Event()
        slow_answer = rig.discord.faults.add(InjectedFault("POST", CALLBACK_ROUTE, status=0, until=released))
        await wait_until(lambda: slow_answer.hit_count or None, awaited="the answer")
        stopping = asyncio.ensure_future(rig.terminate())
        await asyncio.sleep(0.5)  # less than the bot waits
        released.set()
        assert await stopping == 0
        assert task.done()
    await rig.start()
    await game.next_board()
    assert await game.count_moves() == move_count + 1


async def test_changed_commands_are_sent(rig: Rig) -> None:
    """A restart registers no commands; one after a change of the known ones registers them once."""

    def count_registrations() -> int:
        return rig.requests.count(("PUT", COMMANDS_ROUTE))

    assert count_registrations() >= 1
    await _stop_with_stored_commands(rig)
    count_before = count_registrations()
    await rig.start()
    assert count_registrations() == count_before
    assert await rig.terminate() == 0
    _forget_commands(rig)
    await rig.start()
    await wait_until(lambda: count_registrations() == count_before + 1 or None, awaited="the commands")


async def _stop_with_stored_commands(rig: Rig) -> None:
    """Stop a bot that has stored which commands Discord knows; before that the next one sends them again."""
    assert await rig.terminate() == 0
    while not _knows_commands(rig):
        await rig.start()
        await rig.start_game("Ava", "Ben")
        assert await rig.terminate() == 0


def _knows_commands(rig: Rig) -> bool:
    with open_database_file(rig.database) as connection:
        return connection.execute("select 1 from settings where key = 'commands'").fetchone() is not None


def _forget_commands(rig: Rig) -> None:
    """Have the bot believe that Discord knows other commands."""
    with open_database_file(rig.database) as connection:
        connection.execute("update settings set value = 'another' where key = 'commands'")


async def test_the_bot_is_up_while_commands_are_sent(rig: Rig) -> None:
    """However long Discord makes the commands wait, games go on, and a stop is in order."""
    game = await rig.start_game("Ava", "Ben")
    assert await rig.terminate() == 0
    _forget_commands(rig)
    may_finish = asyncio.Event()
    fault = rig.discord.faults.add(InjectedFault("PUT", COMMANDS_ROUTE, status=0, until=may_finish))
    await rig.start()
    await wait_until(lambda: fault.hit_count or None, awaited="the commands")
    await game.make_move()
    assert await rig.terminate() == 0
    may_finish.set()


async def test_refused_commands_are_sent_again(tmp_path: Path) -> None:
    """Commands that Discord refuses are registered again until it accepts; meanwhile the bot is up."""
    rig = Rig(tmp_path)
    rig.program = ("-m", "tests.bot.e2e.altered_bot", "nothing")
    async with rig.running(start=False):
        fault = rig.discord.faults.add(
            InjectedFault("PUT", COMMANDS_ROUTE, max_hit_count=1_000, status=400, code=30034)
        )
        rig.process = rig.spawn()
        await wait_until(lambda: rig.discord.gateway.is_connected or None, awaited="the bot")
        await wait_until(lambda: fault.hit_count > 1 or None, awaited="a second attempt")
        assert not rig.world.commands
        rig.discord.faults.clear()
        await wait_until(lambda: rig.world.commands or None, awaited="the commands")
        assert rig.log().count("command sync failed") == fault.hit_count


FATAL_ERRORS = ("no token", "wrong token", "database in use", "damaged database")


@pytest.mark.parametrize("error", cases(FATAL_ERRORS, "wrong token", "database in use"))
async def test_errors_that_a_restart_cannot_fix_exit_with_78(rig: Rig, error: str) -> None:
    """Without a token, with a wrong one, or on a database in use or damaged, the bot ends with 78."""
    damaged_database = rig.folder / "damaged.db"
    damaged_database.write_bytes(b"no database at all" * 100)
    environment = {
        "no token": {"DISCORD_TOKEN": ""},
        "wrong token": {"DISCORD_TOKEN": "wrong", "CAPTAINS_TABLE_DATABASE": str(rig.folder / "other.db")},
        "database in use": {},
        "damaged database": {"CAPTAINS_TABLE_DATABASE": str(damaged_database)},
    }[error]
    with rig.separate_log():
        second_bot = rig.spawn("-m", "tests.bot.e2e.altered_bot", "nothing", **environment)
        try:
            assert await asyncio.to_thread(second_bot.wait, WAIT_TIMEOUT) == 78
            assert rig.discord.bot_token not in rig.log()
        finally:
            second_bot.kill()
