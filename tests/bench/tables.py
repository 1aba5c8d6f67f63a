"""Tables of a running bot, for the benchmarks that type and press.

The bot is a process of its own, over real sockets on loopback, without limits of use.  People sit at every
seat.
"""

import asyncio
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from bot.chat.components import CustomId, parse_id
from bot.chat.connection import LOCAL_VARIABLE
from bot.config import DATABASE_VARIABLE, LOG_LEVEL_VARIABLE, TOKEN_VARIABLE
from bot.local.members import Member
from bot.local.message_contents import controls
from bot.local.model import Channel, ChannelType, Message, User, WorldEvent
from bot.local.server import LocalDiscord
from rules.catalogue import GAMES
from tests.bot.e2e.observe import wait_until
from tests.bot.e2e.rig import UNLIMITED_USE

SETTLE_SECONDS: Final = 3.0
"""Time for the posts that are still to be sent when all tables are seated."""
BOARD_SECONDS: Final = 20.0
"""How long a board is waited for."""
_READY_SECONDS: Final = 30.0
_END_SECONDS: Final = 20.0
_MENTION = re.compile(r"<@(\d+)>")


@dataclass
class BenchTable:
    """One table as its people see it."""

    number: int
    channel: Channel
    people: dict[int, Member]
    board: Message
    ply: int = -1
    to_act: int | None = None
    """The user who must choose; None: nobody, or not known yet."""
    is_over: bool = False
    busy: bool = False
    """Whether somebody's press or command is under way, or its board is waited for."""
    panel: Message | None = None
    """The private message in which the user to act goes on."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def waits_for_player(self) -> bool:
        """Whether somebody must choose and does nothing yet."""
        return self.to_act is not None and not self.busy

    def read(self, message: Message) -> None:
        """Read a message of its channel: the ply and whose turn it is, if it is the newest board."""
        if message.ephemeral:
            return
        if "again" in button_ids(message):  # the result
            self.to_act, self.is_over = None, True
        elif is_board(message, self.number) and (ply := button_ids(message)["play"].ply) > self.ply:
            asked = _MENTION.search(message.content)
            self.ply, self.board, self.to_act = ply, message, int(asked[1]) if asked else None
        else:
            return
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def wait_for_board(self, ply: int) -> None:
        """Wait until a board after ``ply`` or the result is there.  Raises TimeoutError."""
        async with asyncio.timeout(BOARD_SECONDS):
            while self.ply <= ply and not self.is_over:
                await self._changed.wait()


@dataclass(frozen=True)
class RunningBot:
    """The stand-in and the bot's process."""

    server: LocalDiscord
    process: asyncio.subprocess.Process


@asynccontextmanager
async def running_bot(
    program: Sequence[str] = ("-m", "bot", "run"), **settings: str
) -> AsyncIterator[RunningBot]:
    """Start the bot against a stand-in; end both.  ``settings``: further ones of its environment."""
    async with LocalDiscord() as server:
        with tempfile.TemporaryDirectory() as directory:
            environment = dict(os.environ) | {
                LOCAL_VARIABLE: f"http://127.0.0.1:{server.port}",
                DATABASE_VARIABLE: str(Path(directory) / "bench.db"),
                TOKEN_VARIABLE: server.token,
                LOG_LEVEL_VARIABLE: "WARNING",
                **UNLIMITED_USE,
                **settings,
            }
            process = await asyncio.create_subprocess_exec(sys.executable, *program, env=environment)
            try:
                await wait_until(lambda: _is_ready(server) or None, _READY_SECONDS, what="the bot's hello")
                yield RunningBot(server, process)
            finally:
                if process.returncode is None:
                    process.send_signal(signal.SIGTERM)
                await asyncio.wait_for(process.wait(), _END_SECONDS)


def _is_ready(server: LocalDiscord) -> bool:
    return bool(server.world.commands) and server.gateway.connected


async def open_tables(
    server: LocalDiscord, count: int, keys: Sequence[str], max_seats: int
) -> list[BenchTable]:
    """Open tables of these games in turn, each in a channel of its own, and start them."""
    games = []
    for index in range(count):
        key = keys[index % len(keys)]
        counts = GAMES[key].player_counts(GAMES[key].options())
        seats = max(seats for seats in counts if seats <= max_seats)
        games.append(await _open_table(server, index, key, seats))
    await asyncio.sleep(SETTLE_SECONDS)
    return games


async def _open_table(server: LocalDiscord, index: int, key: str, seats: int) -> BenchTable:
    """Open one table and start its game; its people sit at no other one."""
    channel = server.world.add_text_channel(f"table-{index}")
    people = [_new_member(server, f"player-{index}-{seat}") for seat in range(seats)]
    host, *guests = people
    await host.command("newgame", channel=channel, game=key)
    for guest in guests:
        lobby = await guest.wait_for_message(
            lambda message: "join" in button_ids(message), BOARD_SECONDS, channel=channel
        )
        await guest.press(lobby, "Join")
    number = button_ids(lobby)["join"].table
    await host.press(lobby, "Start")
    board = await host.wait_for_message(partial(is_board, number=number), BOARD_SECONDS)
    game = BenchTable(number, board.channel, {member.user.id: member for member in people}, board)
    game.read(board)
    return game


def _new_member(server: LocalDiscord, name: str) -> Member:
    user = User(server.world.snowflake(), name)
    server.world.users[user.id] = user
    return server.member(name)


@asynccontextmanager
async def reading_boards(server: LocalDiscord, games: Sequence[BenchTable]) -> AsyncIterator[None]:
    """Read every board of these games as it is posted or changed."""
    by_channel = {game.channel.id: game for game in games}

    def read_event(event: WorldEvent) -> None:
        message = event.message
        game = None if message is None else by_channel.get(message.channel.id)
        if game is not None and message is not None:
            game.read(message)

    stop = server.world.listen(read_event)
    try:
        yield
    finally:
        stop()


def button_ids(message: Message) -> dict[str, CustomId]:
    """Return the ids of a message's buttons by their verb."""
    ids = [parse_id(str(control.get("custom_id", ""))) for control in controls(message)]
    return {each.verb: each for each in ids if each is not None}


def is_board(message: Message, number: int) -> bool:
    """Whether a message is the board of a table."""
    play = button_ids(message).get("play")
    return (
        not message.ephemeral
        and message.channel.type is not ChannelType.DM
        and (play is not None and play.table == number)
    )


async def due_times(rate: float, seconds: float) -> AsyncIterator[None]:
    """Yield ``rate`` times a second for a while, also where the last ones came late."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, start + number / rate - loop.time()))
        yield


def next_free(games: Sequence[BenchTable], after: int, is_free: Callable[[BenchTable], bool]) -> int | None:
    """Return the index of the next free game after ``after``; None if there is none."""
    for offset in range(1, len(games) + 1):
        index = (after + offset) % len(games)
        if is_free(games[index]):
            return index
    return None


QUANTILES: Final = (0.5, 0.95, 0.99, 1.0)
"""The quantiles that are printed, the maximum among them."""


def quantiles_of(seconds: Sequence[float]) -> tuple[float, ...]:
    """Return the quantiles ``QUANTILES`` of some times, in milliseconds; none if there are no times."""
    found = sorted(seconds)
    return tuple(found[min(len(found) - 1, int(len(found) * part))] * 1e3 for part in QUANTILES if found)


def print_times(rows: Sequence[tuple[str, Sequence[float]]]) -> None:
    """Print the quantiles of each list of times, which are in seconds."""
    print(f"{'ms':28} {'count':>6} {'p50':>7} {'p95':>7} {'p99':>7} {'max':>7}")
    for name, seconds in rows:
        if seconds:
            print(f"{name:28} {len(seconds):6} " + " ".join(f"{each:7.0f}" for each in quantiles_of(seconds)))
