"""The whole bot as a process of its own, against the stand-in in this one."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from bot.local.members import Member
from bot.local.message_contents import message_text
from bot.local.model import Channel, User, WorldEvent
from bot.local.server import LocalDiscord
from tests.bot.e2e.live_game import LiveGame
from tests.bot.e2e.observe import (
    ObservedMessage,
    can_ping_anybody,
    format_violation,
    read_response,
    wait_until,
    without_missed_answers,
)
from tests.bot.e2e.openapi import OpenApiChecker, find_document_path
from tests.bot.forked_program import ForkedProgram
from tests.trials import IS_SOAK, WAIT_TIMEOUT

PLAYER_NAMES = ("Ava", "Ben", "Chloé", "Dimitri")
REPOSITORY = Path(__file__).parents[3]
UNLIMITED_USE: Final = {
    "CAPTAINS_TABLE_REQUESTS": "0",  # tests press fast
    "CAPTAINS_TABLE_LOBBIES": "0",  # and open many tables
    "CAPTAINS_TABLE_USER_TABLES": "0",
    "CAPTAINS_TABLE_SERVER_TABLES": "0",
    "CAPTAINS_TABLE_OPENING_PAUSE": "0",
    "CAPTAINS_TABLE_MENTIONS": "0",
}
"""The bot's settings that lift every limit of use."""


_PORTS: Final = range(20_000, 32_000)
"""Ports that no system gives out by itself: any other may be another process's in a moment."""


def find_free_port() -> int:
    """Return a loopback port on which nothing listens."""
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


async def run_program(
    output: Path, *program: str, environment: Mapping[str, str] = os.environ
) -> tuple[int, str]:
    """Run a program to its end ("-m", a module, its arguments); return its exit code and all that it printed.

    It is forked, but in ``make soak`` a new Python process.  ``output`` must not exist yet.
    """

    def run() -> int:
        if not IS_SOAK:
            return ForkedProgram(program, environment, output).wait(WAIT_TIMEOUT)
        with output.open("wb") as file:
            command = [sys.executable, *program]
            return subprocess.run(
                command,
                cwd=REPOSITORY,
                env=environment,
                stdout=file,
                stderr=file,
                check=False,
                timeout=WAIT_TIMEOUT,
            ).returncode

    code = await asyncio.to_thread(run)
    return code, output.read_text(encoding="utf-8")


class Rig:
    """A stand-in, the bot's process, and a record of everything that was posted."""

    def __init__(self, folder: Path) -> None:
        """Nothing runs yet; the database and the bot's output lie in ``folder``."""
        document_path = find_document_path()
        self.openapi = OpenApiChecker(document_path) if document_path is not None else None
        self.requests: list[tuple[str, str]] = []
        self.unsafe_mentions: list[str] = []
        """Requests whose text could ping anybody that it names."""
        self.format_violations: list[str] = []
        """Messages in the wrong format: private pages are layouts, all others are classic."""
        self.discord = LocalDiscord(on_request=self._record_request)
        self.folder = folder
        self.database = folder / "tables.db"
        self.output = folder / "bot.log"
        self.observed: list[ObservedMessage] = []
        self.process: subprocess.Popen[bytes] | ForkedProgram | None = None
        self._earlier_processor_wait = 0.0
        """Seconds for which the loops of earlier processes waited for a processor."""
        self.settings: dict[str, str] = {}
        """Further settings of this bot's environment."""
        self.program: tuple[str, ...] = ("-m", "bot", "run")
        """What Python runs as the bot."""
        self.world = self.discord.world
        self.world.listen(self._record_event)

    def _record_request(self, *request: object) -> None:
        method, route, body = str(request[0]), str(request[1]), request[4]
        self.requests.append((method, route))
        if isinstance(body, dict) and can_ping_anybody(body):
            self.unsafe_mentions.append(f"{method} {route}: {body}")
        if self.openapi is not None:
            self.openapi.check(*request)  # type: ignore[arg-type]

    def _record_event(self, event: WorldEvent) -> None:
        message = event.message
        if message is None or message.author is not self.world.bot or not event.name.startswith("MESSAGE_"):
            return
        self.observed.append(ObservedMessage.of_message(event, message))
        violation = format_violation(self.world, message)
        if violation is not None and event.name != "MESSAGE_DELETE":
            self.format_violations.append(f"{violation}: {message_text(message)[:200]}")

    # The process

    @asynccontextmanager
    async def running(self, *, start: bool = True) -> AsyncIterator[Self]:
        """Run the stand-in and a bot that is ready (or none that is started yet); leave no process behind."""
        async with self.discord:
            try:
                if start:
                    await self.start()
                yield self
            finally:
                self._kill_leftover()

    def environment(self) -> dict[str, str]:
        """Return the bot's environment."""
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("DISCORD", "CAPTAINS"))
        }
        return inherited | {
            "CAPTAINS_TABLE_LOCAL": self.discord.address,
            "CAPTAINS_TABLE_DATABASE": str(self.database),
            "CAPTAINS_TABLE_COMPUTER_DELAY": "0",
            **UNLIMITED_USE,
            "DISCORD_TOKEN": self.discord.bot_token,
            **self.settings,
        }

    def spawn(self, *program: str, **environment: str) -> subprocess.Popen[bytes] | ForkedProgram:
        """Start a bot, or another ``program``: forked, but in ``make soak`` as a new Python process.

        Its output goes to a file, so that it holds no pipe of the tests open.
        """
        if not IS_SOAK:
            return ForkedProgram(program or self.program, self.environment() | environment, self.output)
        with self.output.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, *(program or self.program)],
                cwd=REPOSITORY,
                env=self.environment() | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    async def start(self) -> None:
        """Start the bot and wait until it is connected and its commands are known."""
        self.process = process = self.spawn()

        def check_ready() -> bool | None:
            if process.poll() is not None:
                raise RuntimeError(f"the bot ended with {process.returncode}:\n{self.log()}")
            return True if self.discord.gateway.is_connected and self.world.commands else None

        await wait_until(check_ready, awaited="a bot that is ready")

    async def kill(self) -> None:
        """End the bot as ``kill -9`` does."""
        await self._end_process(signal.SIGKILL)

    async def terminate(self) -> int:
        """End the bot as a supervisor does; returns its exit code."""
        return await self._end_process(signal.SIGTERM)

    async def _end_process(self, signal_number: int) -> int:
        assert self.process is not None
        self._earlier_processor_wait = self.processor_wait()
        process, self.process = self.process, None
        process.send_signal(signal_number)
        code = await asyncio.to_thread(process.wait, WAIT_TIMEOUT)
        await wait_until(
            lambda: None if self.discord.gateway.is_connected else True, awaited="the connection's end"
        )
        return code

    @contextmanager
    def separate_log(self) -> Iterator[None]:
        """Make what is spawned meanwhile write to another file."""
        own_output, self.output = self.output, self.folder / "other.log"
        try:
            yield
        finally:
            self.output = own_output

    def _kill_leftover(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(WAIT_TIMEOUT)

    def log(self) -> str:
        """Return what the bot has written so far."""
        return self.output.read_text(encoding="utf-8") if self.output.exists() else ""

    def processor_wait(self) -> float:
        """Return for how many seconds the bot's loop was ready to run and waited for a processor, so far."""
        pid = "none" if self.process is None else self.process.pid
        statistics = Path(f"/proc/{pid}/task/{pid}/schedstat")
        try:
            return self._earlier_processor_wait + int(statistics.read_text().split()[1]) / 1e9
        except OSError:  # it has ended, or the system does not count
            return self._earlier_processor_wait

    def log_without_waits(self, start: int = 0, processor_wait_before: float = 0.0) -> str:
        """Return what the bot has written from ``start`` on, without alarms of a busy machine.

        Where the loop has waited for a processor at least as long as the alarms of a watchdog say in all,
        beyond ``processor_wait_before``, nothing is wrong with the bot.
        """
        excusable_seconds = self.processor_wait() - processor_wait_before
        wait_by_watch = {"loop": excusable_seconds, "commit": excusable_seconds}

        def is_excused(line: str) -> bool:
            if '"event":"alarm raised"' not in line:
                return False
            alarm = json.loads(line)
            if alarm["watch"] not in wait_by_watch or alarm["seconds"] > wait_by_watch[alarm["watch"]]:
                return False
            wait_by_watch[alarm["watch"]] -= alarm["seconds"]
            return True

        lines = self.log()[start:].splitlines(keepends=True)
        return "".join(line for line in lines if not is_excused(line))

    # People

    def member(self, name: str, channel: Channel | None = None) -> Member:
        """Return a person, looking at ``channel``; somebody unknown joins the server."""
        if all(user.name != name for user in self.world.people()):
            user = User(self.world.new_snowflake(), name)
            self.world.users[user.id] = user
        member = self.discord.member(name)
        if channel is not None:
            member.channel = channel
        return member

    async def has_sent_all(self) -> bool:
        """Return whether the bot has stored that everything of open lobbies and running games was sent."""
        admin, channel = self.member(self.world.owner.name), self.world.text_channels()[0]
        text = await read_response(await admin.command("doctor", channel=channel))
        return "Messages still to be sent: none." in text

    async def wait_until_sent(self) -> None:
        """Wait until the bot has stored that everything was sent: people read it before."""
        async with asyncio.timeout(WAIT_TIMEOUT):
            while not await self.has_sent_all():  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.05)

    async def start_game(
        self, *names: str, options: str = "", computer_count: int = 0, channel: Channel | None = None
    ) -> LiveGame:
        """Open a game by the command, let these people join by button, and start it."""
        lobby = await self.open_lobby(*names, options=options, computer_count=computer_count, channel=channel)
        await lobby.start()
        return lobby

    async def open_lobby(
        self, *names: str, options: str = "", computer_count: int = 0, channel: Channel | None = None
    ) -> LiveGame:
        """Open a game by the command and let these people join by button."""
        lobby_channel = channel or self.world.add_text_channel(f"games-{len(self.world.channels)}")
        people = [self.member(name, lobby_channel) for name in names]
        command_options: dict[str, Any] = {"options": options} if options else {}
        outcome = await people[0].command("newgame", game="currents", **command_options)
        opened = without_missed_answers(await read_response(outcome))
        number = int(re.search(r"No\. (\d+)", opened)[1])  # type: ignore[index]
        game = LiveGame(self, number, lobby_channel, people)
        for member in people[1:]:
            assert "You are in" in await read_response(await member.press(await game.lobby_message(), "Join"))
        for _ in range(computer_count):
            assert "has joined" in await read_response(
                await people[0].press(await game.lobby_message(), "Add Random computer")
            )
        return game


def log_entries(rig: Rig) -> list[dict[str, Any]]:
    """Return the lines of the log; each must be one JSON object."""
    return [json.loads(line) for line in rig.log().splitlines()]


def offered_games(rig: Rig) -> list[str]:
    """Return the games that the bot's commands offer."""
    command = next(each for each in rig.world.commands if each["name"] == "newgame")
    return [choice["value"] for choice in command["options"][0]["choices"]]


def board_plies(rig: Rig, game: LiveGame) -> list[int]:
    """Return the plies of all boards that were posted (not edited), in their order."""
    posted = [
        observed
        for observed in rig.observed
        if observed.event_name == "MESSAGE_CREATE" and not observed.is_private
    ]
    boards = [
        observed
        for observed in posted
        if "board.png" in observed.files and f"No. {game.number}**" in observed.text
    ]
    return [
        max(int(custom_id.split(":")[2]) for custom_id in observed.ids_and_values)
        for observed in boards
        if observed.ids_and_values
    ]
