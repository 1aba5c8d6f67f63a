"""Latency of a move through the stand-in: from the click to the response, and to the new board.

The bot is a process of its own, over real sockets.  Two people play at each table; they type what
autocompletion offers.  The times are those of ``/play``.
"""

import asyncio
import os
import re
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bot.chat.components import CustomId, parse_id
from bot.chat.connection import ENVIRONMENT
from bot.config import DATABASE, LOG_LEVEL, TOKEN
from bot.local.command_input import ClientRefusal
from bot.local.members import InteractionFailed, Member
from bot.local.message_contents import controls
from bot.local.model import Channel, ChannelType, Message, WorldEvent
from bot.local.server import LocalDiscord
from rules.catalogue import GAMES

SETTLE_SECONDS = 3.0
"""Time for the posts that are still to be sent when all tables are seated."""
_MENTION = re.compile(r"<@(\d+)>")


@dataclass
class Game:
    """One table as this benchmark sees it."""

    number: int
    channel: Channel
    people: dict[int, Member]
    ply: int = -1
    to_act: int | None = None
    shown: asyncio.Event = field(default_factory=asyncio.Event)
    busy: bool = False


@dataclass
class Measurements:
    """Times in seconds, and what went wrong."""

    completions: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    skipped: int = 0
    """Moves that were due while every table was busy."""


async def print_move_latency(tables: int, rate: float, seconds: float) -> None:
    """Open the tables, play for a while, print percentiles."""
    async with LocalDiscord() as server:
        with tempfile.TemporaryDirectory() as directory:
            bot = await _start_bot(server, Path(directory) / "bench.db")
            try:
                games = await _open_tables(server, tables)
                await asyncio.sleep(SETTLE_SECONDS)
                times = Measurements()
                await _play_games(server, games, rate, seconds, times)
            finally:
                bot.send_signal(signal.SIGTERM)
                await asyncio.wait_for(bot.wait(), 20)
    _print_percentiles(tables, rate, seconds, times)


async def _start_bot(server: LocalDiscord, database: Path) -> asyncio.subprocess.Process:
    environment = dict(os.environ) | {
        ENVIRONMENT: f"http://127.0.0.1:{server.port}",
        DATABASE: str(database),
        TOKEN: server.token,
        LOG_LEVEL: "WARNING",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env=environment)
    for _ in range(200):
        if server.world.commands and server.gateway.connected:
            return process
        await asyncio.sleep(0.1)
    process.kill()
    raise RuntimeError("the bot did not connect and register its commands within 20 seconds")


async def _open_tables(server: LocalDiscord, count: int) -> list[Game]:
    """Open the tables, each in a channel of its own, and start their games."""
    key = next(iter(GAMES))
    names = [user.name for user in server.world.members()]
    games = []
    for index in range(count):
        channel = server.world.add_text_channel(f"table-{index}")
        pair = [server.member(names[(index + i) % len(names)]) for i in range(2)]
        host, guest = pair
        await host.command("newgame", channel=channel, game=key)
        lobby = await guest.wait_for_message(lambda message: "join" in _button_ids(message), channel=channel)
        asked = _button_ids(lobby)["join"]
        await guest.press(lobby, "Join")
        await host.press(lobby, "Start")
        board = await host.wait_for_message(partial(_is_board, number=asked.table), 20.0)
        game = Game(asked.table, board.channel, {member.user.id: member for member in pair})
        _read_board(game, board)
        games.append(game)
    return games


def _button_ids(message: Message) -> dict[str, CustomId]:
    """Return the ids of a message's buttons by their verb."""
    ids = [parse_id(str(control.get("custom_id", ""))) for control in controls(message)]
    return {each.verb: each for each in ids if each is not None}


def _is_board(message: Message, number: int) -> bool:
    play = _button_ids(message).get("play")
    return (
        not message.ephemeral
        and message.channel.type is not ChannelType.DM
        and (play is not None and play.table == number)
    )


def _read_board(game: Game, message: Message) -> None:
    """Read a board message's ply and whose turn it is."""
    if "again" in _button_ids(message) and not message.ephemeral:
        game.to_act = None  # the result
        game.shown.set()
    if not _is_board(message, game.number):
        return
    play = _button_ids(message)["play"]
    if play.ply > game.ply:
        game.ply = play.ply
        asked = _MENTION.search(message.content)
        game.to_act = int(asked[1]) if asked else None
        game.shown.set()


async def _play_games(
    server: LocalDiscord, games: list[Game], rate: float, seconds: float, times: Measurements
) -> None:
    by_channel = {game.channel.id: game for game in games}

    def heard(event: WorldEvent) -> None:
        message = getattr(event, "message", None)
        game = by_channel.get(message.channel.id) if isinstance(message, Message) else None
        if game is not None and message is not None:
            _read_board(game, message)

    stop = server.world.listen(heard)
    tasks: set[asyncio.Task[None]] = set()
    loop = asyncio.get_running_loop()
    start, index = loop.time(), 0
    for due in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, start + due / rate - loop.time()))
        free = None
        for offset in range(len(games)):
            game = games[(index + offset) % len(games)]
            if not game.busy and game.to_act is not None:
                free, index = game, index + offset + 1
                break
        if free is None:
            times.skipped += 1
            continue
        free.busy = True
        task = asyncio.create_task(_play_move(free, times))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    stop()


async def _play_move(game: Game, times: Measurements) -> None:
    try:
        assert game.to_act is not None
        member = game.people[game.to_act]
        began = time.perf_counter()
        choices = await member.autocomplete("play", "move", "", channel=game.channel)
        times.completions.append(time.perf_counter() - began)
        if not choices:
            game.to_act = None  # the game is over
            return
        choice = choices[hash((game.ply, game.number)) % len(choices)]
        game.shown.clear()
        began = time.perf_counter()
        outcome = await member.command("play", at_once="true", channel=game.channel, move=choice["value"])
        times.answers.append(outcome.seconds)
        await asyncio.wait_for(game.shown.wait(), 10)
        times.boards.append(time.perf_counter() - began)
    except (InteractionFailed, ClientRefusal, TimeoutError) as error:
        times.failures.append(f"{type(error).__name__} {error}")
        game.to_act = None
    finally:
        game.busy = False


def _print_percentiles(tables: int, rate: float, seconds: float, times: Measurements) -> None:
    print(f"{tables} tables, {rate:g} moves/s for {seconds:g} s")
    print(f"{'ms':24} {'count':>6} {'p50':>7} {'p95':>7} {'p99':>7} {'max':>7}")
    for name, found in (
        ("autocompletion", times.completions),
        ("click to answer", times.answers),
        ("click to board seen", times.boards),
    ):
        found.sort()
        if found:
            cells = " ".join(
                f"{found[min(len(found) - 1, int(len(found) * part))] * 1e3:7.0f}"
                for part in (0.5, 0.95, 0.99, 1)
            )
            print(f"{name:24} {len(found):6} {cells}")
    print(
        f"failures: {len(times.failures)} {sorted(set(times.failures))[:3]}; no free table: {times.skipped}"
    )
