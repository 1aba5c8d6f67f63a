"""The whole bot as a process of its own, against the stand-in in this one; and what people do there."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.local.members import Member
from bot.local.message_contents import controls, has_button, message_text
from bot.local.model import Channel, Message, User, WorldEvent
from bot.local.server import LocalDiscord
from tests.bot.e2e.observe import (
    ID,
    PATIENCE,
    Sighting,
    can_ping,
    custom_ids,
    form_fault,
    ply_of,
    read_answer,
    shown_message,
    wait_until,
)
from tests.bot.e2e.openapi import OpenApi, document
from tests.bot.forks import ForkedProgram
from tests.trials import LONG

NAMES = ("Ava", "Ben", "Chloé", "Dimitri")
READY_SECONDS = 30.0
"""Until a started bot must have said hello."""
REPOSITORY = Path(__file__).parents[3]
_MAX_CLICKS = 12
"""A choice takes fewer clicks than this."""


class Rig:
    """A stand-in, the bot's process, and a record of everything that was posted."""

    def __init__(self, directory: Path) -> None:
        """Nothing runs yet; the database and the bot's output lie in ``directory``."""
        path = document()
        self.openapi = OpenApi(path) if path is not None else None
        self.requests: list[tuple[str, str]] = []
        self.pinging: list[str] = []
        """Requests whose text could ping whomever it names."""
        self.misformed: list[str] = []
        """Messages in the wrong form: private pages are layouts, all others are classic."""
        self.discord = LocalDiscord(on_request=self._requested)
        self.directory = directory
        self.database = directory / "tables.db"
        self.output = directory / "bot.log"
        self.seen: list[Sighting] = []
        self.process: subprocess.Popen[bytes] | ForkedProgram | None = None
        self.settings: dict[str, str] = {}
        """Further settings of this bot's environment."""
        self.program: tuple[str, ...] = ("-m", "bot", "run")
        """What Python runs as the bot."""
        self.world = self.discord.world
        self.world.listen(self._heard)

    def _requested(self, *request: object) -> None:
        method, route, body = str(request[0]), str(request[1]), request[4]
        self.requests.append((method, route))
        if isinstance(body, dict) and can_ping(body):
            self.pinging.append(f"{method} {route}: {body}")
        if self.openapi is not None:
            self.openapi.check(*request)  # type: ignore[arg-type]

    def _heard(self, event: WorldEvent) -> None:
        message = event.message
        if message is None or message.author is not self.world.bot or not event.name.startswith("MESSAGE_"):
            return
        self.seen.append(Sighting.of(event, message))
        fault = form_fault(self.world, message)
        if fault is not None and event.name != "MESSAGE_DELETE":
            self.misformed.append(f"{fault}: {message_text(message)[:200]}")

    # The process

    def environment(self) -> dict[str, str]:
        """Return the bot's environment."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("DISCORD", "CAPTAINS"))
        }
        return kept | {
            "CAPTAINS_TABLE_LOCAL": f"http://127.0.0.1:{self.discord.port}",
            "CAPTAINS_TABLE_DATABASE": str(self.database),
            "CAPTAINS_TABLE_COMPUTER_PACE": "0",
            "CAPTAINS_TABLE_REQUESTS": "0",  # tests press fast
            "CAPTAINS_TABLE_LOBBIES": "0",  # and open many tables
            "CAPTAINS_TABLE_GAMES": "0",
            "CAPTAINS_TABLE_SERVER_TABLES": "0",
            "CAPTAINS_TABLE_OPENING_PAUSE": "0",
            "DISCORD_TOKEN": self.discord.token,
            **self.settings,
        }

    def spawn(self, *program: str, **environment: str) -> subprocess.Popen[bytes] | ForkedProgram:
        """Start a bot, of another ``program`` if one is named: forked, but in the long run by Python anew.

        Its output goes to a file, so that it can hold no pipe of ours open.
        """
        if not LONG:
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

        def ready() -> bool | None:
            if process.poll() is not None:
                raise RuntimeError(f"the bot ended with {process.returncode}:\n{self.log()}")
            return True if self.discord.gateway.connected and self.world.commands else None

        await wait_until(ready, READY_SECONDS, what="the bot's hello")

    async def kill(self) -> None:
        """End the bot as ``kill -9`` does."""
        await self._end(signal.SIGKILL)

    async def terminate(self) -> int:
        """End the bot as a supervisor does; returns its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: int) -> int:
        assert self.process is not None
        process, self.process = self.process, None
        process.send_signal(number)
        code = await asyncio.to_thread(process.wait, 15)
        await wait_until(
            lambda: None if self.discord.gateway.connected else True, what="the connection's end"
        )
        return code

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Let whatever is spawned meanwhile write to another file."""
        own, self.output = self.output, self.directory / "other.log"
        try:
            yield
        finally:
            self.output = own

    def abandon(self) -> None:
        """Leave no process behind, whatever has happened."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(15)

    def log(self) -> str:
        """Return what the bot has written so far."""
        return self.output.read_text(encoding="utf-8") if self.output.exists() else ""

    # People

    def member(self, name: str, channel: Channel | None = None) -> Member:
        """Return a person, looking at ``channel``; somebody unknown joins the server."""
        if all(user.name != name for user in self.world.members()):
            user = User(self.world.snowflake(), name)
            self.world.users[user.id] = user
        member = self.discord.member(name)
        if channel is not None:
            member.channel = channel
        return member

    async def open(
        self, *names: str, options: str = "", computers: int = 0, channel: Channel | None = None
    ) -> Game:
        """Open a game by the command, let these people join by button, and start it."""
        lobby = await self.lobby(*names, options=options, computers=computers, channel=channel)
        await lobby.start()
        return lobby

    async def lobby(
        self, *names: str, options: str = "", computers: int = 0, channel: Channel | None = None
    ) -> Game:
        """Open a game by the command and let these people join by button."""
        place = channel or self.world.add_text_channel(f"games-{len(self.world.channels)}")
        people = [self.member(name, place) for name in names]
        given: dict[str, Any] = {"options": options} if options else {}
        outcome = await people[0].command("newgame", game="currents", **given)
        number = int(re.search(r"No\. (\d+)", await read_answer(outcome))[1])  # type: ignore[index]
        game = Game(self, number, place, people)
        for member in people[1:]:
            assert "You are in" in await read_answer(await member.press(await game.lobby_message(), "Join"))
        for _ in range(computers):
            assert "has joined" in await read_answer(
                await people[0].press(await game.lobby_message(), "Add Random computer")
            )
        return game


@dataclass(slots=True)
class Game:
    """One table as its people see it."""

    rig: Rig
    number: int
    channel: Channel
    people: list[Member]
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    ply: int = 0
    """Of the newest board that was waited for."""

    def owns(self, message: Message) -> bool:
        """Return whether a message carries this table's buttons."""
        found = (ID.fullmatch(control.get("custom_id", "")) for control in controls(message))
        return any(int(parts[1]) == self.number for parts in found if parts is not None)

    def public_messages(self) -> list[Message]:
        """Return all messages in the channels of the game, the oldest first."""
        places = [self.channel, *(one for one in self.rig.world.threads() if one.parent is self.channel)]
        found = [message for place in places for message in place.messages.values() if not message.ephemeral]
        return sorted(found, key=lambda message: message.id)

    async def lobby_message(self) -> Message:
        """Return the lobby's message."""
        return await self._newest(
            lambda message: (
                "-# Fairness code" in message.content
                and " players." in message.content
                and self.is_named_in(message)
            )
        )

    def is_named_in(self, message: Message) -> bool:
        """Return whether a message names this table."""
        return f"No. {self.number}**" in message.content

    async def _newest(self, wanted: Callable[[Message], bool], timeout: float = PATIENCE) -> Message:  # noqa: ASYNC109
        def found() -> Message | None:
            return next((message for message in reversed(self.public_messages()) if wanted(message)), None)

        return await wait_until(found, timeout, what="a message")

    async def start(self) -> None:
        """The host presses Start; the first board is awaited."""
        host = self.people[0]
        await read_answer(await host.press(await self.lobby_message(), "Start"))
        await self.now()

    @property
    def home(self) -> Channel:
        """The channel of the newest board."""
        boards = [
            message
            for message in self.public_messages()
            if "play" in custom_ids(message) and self.owns(message)
        ]
        return boards[-1].channel if boards else self.channel

    def result(self) -> Message | None:
        """Return the message of the end, if it is there."""
        found = (m for m in reversed(self.public_messages()) if f"No. {self.number} is over**" in m.content)
        return next(found, None)

    async def board(self, *, after: int | None = None, person: bool = True) -> Message | None:
        """Return the newest board, offered after ``after`` (default: the last one); None after the end.

        ``person``: one on which a person is asked.
        """
        least = self.ply if after is None else after

        def found() -> tuple[Message | None] | None:
            if self.result() is not None:
                return (None,)
            boards = [
                m for m in self.public_messages() if self.owns(m) and {"play", "more"} <= custom_ids(m).keys()
            ]
            if not boards or ply_of(boards[-1]) <= least:
                return None
            return (boards[-1],) if not person or self.asked(boards[-1]) is not None else None

        (board,) = await wait_until(found, what="a new board")
        if board is not None:
            self.ply = ply_of(board)
        return board

    async def now(self) -> Message:
        """Return the newest board on which a person is asked."""
        board = await self.board(after=self.ply - 1)
        assert board is not None, "the game is over"
        return board

    async def make_move(self, by: str = "panel") -> str:
        """Make one choice for the seat to act and wait for the next board; return the response."""
        response = await self.choose(await self.now(), by=by)
        await self.board()
        return response

    def asked(self, board: Message) -> Member | None:
        """Return who must act, as the board says."""
        named = re.search(r"<@(\d+)>", board.content)
        if named is None:
            return None
        return next((member for member in self.people if member.user.id == int(named[1])), None)

    async def table_text(self) -> str:
        """Return what ``/table show`` says of the table."""
        return await read_answer(
            await self.people[0].command("table show", table=self.number, channel=self.channel)
        )

    async def moves(self) -> int:
        """Return how many moves the game has."""
        found = re.search(r"(\d+) moves?", await self.table_text())
        assert found is not None
        return int(found[1])

    def person(self, name: str) -> Member:
        """Return one of its people, looking at the board."""
        member = next(one for one in self.people if one.user.name == name)
        member.channel = self.home
        return member

    # Playing

    async def choose(self, board: Message, *, by: str = "panel") -> str:
        """Make one choice for the seat to act; return the response."""
        member = self.asked(board)
        assert member is not None, board.content
        member.channel = board.channel
        if by == "panel":
            return await self.through_panel(member, board)
        return await self.through_command(member, board, by)

    async def through_panel(self, member: Member, board: Message) -> str:
        """Press Play and go on pressing until the choice is made."""
        message = await shown_message(await member.press(board, "Play"))
        for _ in range(_MAX_CLICKS):
            offered = [one for one in controls(message) if not one.get("disabled")]
            final = next((one for one in offered if one["label"] == "Play it"), None)
            ways = [
                one
                for one in offered
                if one["custom_id"].split(":")[3] in {"do", "step", "page"} and one["label"] != "Back"
            ]
            pressed = self.rng.choice(ways) if final is None else final
            message = await shown_message(await member.press(message, custom_id=pressed["custom_id"]))
            if pressed["custom_id"].split(":")[3] == "do":
                return message_text(message)
        raise AssertionError(f"no end of the panel: {message_text(message)}")

    async def through_command(self, member: Member, board: Message, by: str) -> str:
        """Type a slash command; every value comes out of its autocompletion."""
        if by == "notation":
            offered = await member.autocomplete("play", "move")
            assert offered, f"nothing is offered: {board.content}\n{await self.table_text()}"
            return await read_answer(
                await member.command("play", at_once="true", move=self.rng.choice(offered)["value"])
            )
        group = next(one for one in self.rig.world.commands if one["name"] == by)
        verbs = list(group["options"])
        self.rng.shuffle(verbs)
        for verb in verbs:
            name = f"{by} {verb['name']}"
            given = await self._completed(member, name, verb)
            if given is not None:
                shown = await shown_message(await member.command(name, **given))
                if has_button(shown, "Play it"):
                    shown = await shown_message(await member.press(shown, "Play it"))
                return message_text(shown)
        raise AssertionError(f"no command offers anything: {board.content}\n{await self.table_text()}")

    async def _completed(self, member: Member, name: str, verb: dict[str, Any]) -> dict[str, Any] | None:
        """Return options for a subcommand, each out of autocompletion; None if nothing is offered."""
        options = [one for one in verb.get("options", []) if one["name"] != "table"]
        given: dict[str, Any] = {}
        for option in options:
            offered = await member.autocomplete(name, option["name"], **given)
            if not offered:
                if option.get("required"):
                    return None
                continue
            given[option["name"]] = self.rng.choice(offered)["value"]
        if not options:  # a verb alone: whether it is legal now, the suggestions of /play tell
            moves = await member.autocomplete("play", "move", str(verb["name"]))
            return {} if any(move["value"] == verb["name"] for move in moves) else None
        return given

    async def play_out(
        self, *, by: tuple[str, ...] = ("panel",), each: Callable[[Message], None] | None = None
    ) -> Message:
        """Play on to the end; returns the result's message."""
        board = await self.board(after=self.ply - 1)
        while board is not None:
            if each is not None:
                each(board)
            await self.choose(board, by=self.rng.choice(by))
            board = await self.board()
        result = self.result()
        assert result is not None
        return result
