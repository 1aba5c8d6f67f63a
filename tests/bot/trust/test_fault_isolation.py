"""P14 through the bot itself: a game that fails while it is shown is frozen, and the others go on."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from bot.host.deciders import play
from bot.host.request import Request
from bot.host.tables import Tables
from bot.local.members import Member
from bot.local.model import Channel, Message
from bot.local.server import LocalDiscord
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from render.catalogue import PICTURES
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.notation import fields_of, verb_of, write_action
from tests.bot.e2e.observe import custom_ids_by_verb, ply_of, public_messages, read_response, wait_until
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot
from tests.trials import WAIT_TIMEOUT, cases

__all__ = ["restored_discord_addresses"]

FAILING_GAME, SOUND_GAME = list(GAMES)[:2]
_REFERENCE_PATTERN = re.compile(r"\(?[Rr]ef(?:erence)? (\w{5})\)?")


class _Fault(RuntimeError):
    pass


class FaultyGame:
    """A game with a fault that shows once it is armed."""

    def __init__(self, faulty_output: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """``faulty_output``: "board" and "hand" are pictures, everything else the game's words."""
        self.is_armed = False
        self.game: AnyGame = GAMES[FAILING_GAME]
        if faulty_output in PICTURES[FAILING_GAME]:
            picture = PICTURES[FAILING_GAME][faulty_output]
            pictures = {
                **PICTURES[FAILING_GAME],
                faulty_output: replace(picture, draw=self._fail_when_armed(picture.draw)),
            }
            monkeypatch.setattr("render.catalogue.PICTURES", {**PICTURES, FAILING_GAME: pictures})
        else:
            words: dict[str, Any] = {
                faulty_output: self._fail_when_armed(getattr(self.game.words, faulty_output))
            }
            self.game = replace(self.game, words=replace(self.game.words, **words))

    def _fail_when_armed(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if self.is_armed:
                raise _Fault
            return real(*arguments)

        return call


@dataclass(slots=True)
class TwoGameBot:
    """The bot and the stand-in in this process, and two games in channels of their own."""

    server: LocalDiscord
    tables: Tables
    channels: dict[str, Channel]

    def table_number(self, game_key: str) -> int:
        """Return the number of a game's table: they are opened in the catalogue's order."""
        return [FAILING_GAME, SOUND_GAME].index(game_key) + 1

    def public_messages(self, game_key: str) -> list[Message]:
        """Return what everybody at a game sees, oldest first."""
        return public_messages(self.server.world, self.channels[game_key])

    async def wait_for_board(self, game_key: str, ply: int) -> Message:
        """Wait for the board of a ply, or a later one, and return it."""
        return await wait_until(
            lambda: next(
                (
                    message
                    for message in reversed(self.public_messages(game_key))
                    if "play" in custom_ids_by_verb(message) and ply_of(message) >= ply
                ),
                None,
            ),
            awaited="a board",
        )

    async def open_table(self, game_key: str) -> None:
        """Open a table, fill and start it; its first board is there."""
        channel = self.server.world.add_text_channel(game_key)
        self.channels[game_key] = channel
        host, guest = self.member("Ava", channel), self.member("Ben", channel)
        await read_response(await host.command("newgame", game=game_key))
        lobby = await wait_until(
            lambda: next(
                (
                    message
                    for message in self.public_messages(game_key)
                    if "join" in custom_ids_by_verb(message)
                ),
                None,
            ),
            awaited="a lobby",
        )
        await read_response(await guest.press(lobby, "Join"))
        await read_response(await host.press(lobby, "Start"))
        await self.wait_for_board(game_key, 0)
        await self.wait_until_sent(game_key)

    def member(self, name: str, channel: Channel) -> Member:
        """Return a person in a channel."""
        member = self.server.member(name)
        member.channel = channel
        return member

    async def wait_until_sent(self, game_key: str) -> None:
        """Wait until everything is sent."""
        async with asyncio.timeout(WAIT_TIMEOUT):
            while await self.tables.store.waiting_deliveries(self.table_number(game_key)):  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)

    async def actor_and_move(self, game_key: str) -> tuple[Member, str]:
        """Return who must act, where the game is played, and something that they may do."""
        table = await self.tables.get(self.table_number(game_key))
        assert table.match is not None
        assert table.to_act is not None
        channel = (await self.wait_for_board(game_key, 0)).channel
        name = table.plain_names[table.to_act]
        return self.member(name, channel), write_action(table.match.legal_actions(table.to_act)[0])


@asynccontextmanager
async def bot_with_two_games(store: SqliteStore, faulty_game: FaultyGame) -> AsyncIterator[TwoGameBot]:
    """Yield the bot, with two games begun."""
    games = {**GAMES, FAILING_GAME: faulty_game.game}
    async with in_process_bot(store, games=games, clock=time.time) as (server, client):
        bot = TwoGameBot(server, client.host.tables, {})
        for game in (FAILING_GAME, SOUND_GAME):
            await bot.open_table(game)
        yield bot


# Where the fault shows --------------------------------------------------------------------------------------


async def _trigger_in_outbox(bot: TwoGameBot, faulty_game: FaultyGame) -> str:
    """Make a move, so that the outbox meets the damaged table: its board or hand is to be shown."""
    member, move = await bot.actor_and_move(FAILING_GAME)
    faulty_game.is_armed = True
    await read_response(await member.command("play", at_once="true", move=move))
    return ""


async def _trigger_in_panel(bot: TwoGameBot, faulty_game: FaultyGame) -> str:
    member, _ = await bot.actor_and_move(FAILING_GAME)
    board = await bot.wait_for_board(FAILING_GAME, 0)
    faulty_game.is_armed = True
    return await read_response(await member.press(board, "Play"))


async def _trigger_in_board_command(bot: TwoGameBot, faulty_game: FaultyGame) -> str:
    member, _ = await bot.actor_and_move(FAILING_GAME)
    faulty_game.is_armed = True
    return await read_response(await member.command("board"))


async def _trigger_in_autocompletion(bot: TwoGameBot, faulty_game: FaultyGame) -> str:
    member, _ = await bot.actor_and_move(FAILING_GAME)
    faulty_game.is_armed = True
    assert await member.autocomplete("play", "move") == []
    return ""


async def _trigger_in_field_autocompletion(bot: TwoGameBot, faulty_game: FaultyGame) -> str:
    member, _ = await bot.actor_and_move(FAILING_GAME)
    table = await bot.tables.get(bot.table_number(FAILING_GAME))
    assert table.match is not None
    assert table.to_act is not None
    kind = next(type(each) for each in table.match.legal_actions(table.to_act) if fields_of(type(each)))
    faulty_game.is_armed = True
    command = f"{FAILING_GAME} {verb_of(kind)}"
    assert await member.autocomplete(command, fields_of(kind)[0].name) == []
    return ""


_TRIGGERS: dict[str, tuple[str, Callable[[TwoGameBot, FaultyGame], Awaitable[str]]]] = {
    "outbox, picture": ("board", _trigger_in_outbox),
    "outbox, private picture": ("hand", _trigger_in_outbox),
    "outbox, words": ("status", _trigger_in_outbox),
    "outbox, alt text": ("alt_text", _trigger_in_outbox),
    "panel, picture": ("board", _trigger_in_panel),
    "panel, words": ("status", _trigger_in_panel),
    "/board, picture": ("board", _trigger_in_board_command),
    "/board, words": ("status", _trigger_in_board_command),
    "autocompletion, words": ("label", _trigger_in_autocompletion),
    "autocompletion of a field, words": ("value_label", _trigger_in_field_autocompletion),
}


_SHORT_RUN_TRIGGERS = (
    "outbox, picture",
    "outbox, words",
    "panel, picture",
    "/board, words",
    "autocompletion, words",
)
"""Each way to show a game once, and both pictures and words."""


async def _trigger_and_check(
    store: SqliteStore,
    faulty_game: FaultyGame,
    trigger: Callable[[TwoGameBot, FaultyGame], Awaitable[str]],
    timeout_seconds: float = WAIT_TIMEOUT,
) -> str:
    """Trigger the fault; check that it freezes its own game alone; return the reference everyone reads."""
    async with bot_with_two_games(store, faulty_game) as bot:
        response = await trigger(bot, faulty_game)

        def find_reference() -> str | None:
            found = (
                _REFERENCE_PATTERN.search(message.content)
                for message in bot.public_messages(FAILING_GAME)
                if "frozen" in message.content
            )
            return next((each[1] for each in found if each is not None), None)

        error_id = await wait_until(find_reference, timeout_seconds, awaited="a notice")
        if response:
            answered_reference = _REFERENCE_PATTERN.search(response)
            assert answered_reference is not None, response
            assert error_id in answered_reference.groups()
        await bot.wait_until_sent(FAILING_GAME)
        table = await bot.tables.get(bot.table_number(FAILING_GAME))
        assert table.status is Status.FROZEN
        assert table.match is not None
        assert not [
            message for message in bot.public_messages(FAILING_GAME) if "play" in custom_ids_by_verb(message)
        ], "a board that looks alive"
        assert [
            message
            for message in bot.public_messages(FAILING_GAME)
            if "This game is frozen" in message.content
        ]
        host = bot.member("Ava", bot.channels[FAILING_GAME])
        response = await read_response(await host.command("board", table=table.number))
        assert "Something went wrong" not in response, "what can be shown of a frozen game is shown"
        assert f"No. {table.number}" in response
        member, move = await bot.actor_and_move(SOUND_GAME)
        ply_before = (await bot.tables.get(bot.table_number(SOUND_GAME))).row.ply
        await read_response(await member.command("play", at_once="true", move=move))
        await bot.wait_for_board(SOUND_GAME, ply_before + 1)
        return error_id


@pytest.mark.usefixtures("restored_discord_addresses")
@pytest.mark.parametrize("trigger_name", cases(_TRIGGERS, *_SHORT_RUN_TRIGGERS))
async def test_a_game_that_fails_while_it_is_shown_is_frozen(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, trigger_name: str
) -> None:
    """Everyone at its table reads so, with the error id of one log line; the other game goes on."""
    faulty_output, trigger = _TRIGGERS[trigger_name]
    error_id = await _trigger_and_check(store, FaultyGame(faulty_output, monkeypatch), trigger)
    lines = [record for record in caplog.records if vars(record).get("error_id") == error_id]
    assert [line.levelname for line in lines] == ["ERROR"]
    assert lines[0].exc_info is not None
    assert lines[0].exc_info[0] is _Fault


@pytest.mark.usefixtures("restored_discord_addresses")
@pytest.mark.parametrize("faulty_output", ["board", "status"])
async def test_the_seed_arrives_whatever_fails(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, faulty_output: str
) -> None:
    """P9: at the end the seed and the file are posted, without a picture or a score if those fail."""
    faulty_game = FaultyGame(faulty_output, monkeypatch)
    async with bot_with_two_games(store, faulty_game) as bot:
        table = await bot.tables.get(bot.table_number(FAILING_GAME))
        while table.to_act is not None and table.match is not None:
            request = Request(user=table.seats[table.to_act].user or 0, name="")
            decide = partial(play.play, request=request, actions=table.match.legal_actions(table.to_act)[-1:])
            if decide(table).table.status is Status.OVER:
                await bot.wait_until_sent(FAILING_GAME)
                faulty_game.is_armed = True
            table = (await bot.tables.change(table.number, request, decide)).table
        assert table.status is Status.OVER
        result = await wait_until(
            lambda: next(
                (message for message in bot.public_messages(FAILING_GAME) if "is over" in message.content),
                None,
            ),
            awaited="a result",
        )
        seed = table.row.seed.hex()
        assert f"Seed: {seed}" in (result.attachments[-1].data or b"").decode()
        assert (seed in result.content) is (faulty_output == "status")
        assert [file.filename for file in result.attachments] == [
            *(["summary.png"] if faulty_output == "status" else []),
            f"{FAILING_GAME}-{table.number}.txt",
        ]


@pytest.mark.usefixtures("restored_discord_addresses")
async def test_a_fault_that_is_only_answered_is_caught(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: if only the user who asked hears of a fault, the test above fails."""
    monkeypatch.setattr(Tables, "handle_fault", _answer_only_the_asker)
    faulty_output, trigger = _TRIGGERS["/board, picture"]
    with pytest.raises(TimeoutError, match="a notice"):
        await _trigger_and_check(store, FaultyGame(faulty_output, monkeypatch), trigger, timeout_seconds=2.0)


async def _answer_only_the_asker(*_: object) -> str:
    return "XXXXX"
