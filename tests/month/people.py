"""The people of a simulated month: what they do when they come."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.local.client_input import ClientRefusal
from bot.local.members import InteractionFailed, InteractionResult, Member
from bot.local.message_contents import controls
from bot.local.model import Channel, Message, User
from bot.store.rows import Status
from rules.notation import write_action
from rules.players import PLAYERS
from tests.bot.e2e.observe import shown_message
from tests.month.absence import DAY, HOUR, Habits, Model
from tests.month.server import SimulatedServer

MAX_CHOICES_A_VISIT: Final = 80
_LOST: Final = (InteractionFailed, ClientRefusal, LookupError, TimeoutError)
"""What a person meets whose press comes to nothing; they try again at the next notice."""
_WAIT, _WITHOUT = "Wait 12 more hours", "Start without them"
"""What a host presses whose players do not answer: first the one, then the other."""
_YES: Final = ("Here", "Allow undo", "Allow roll-back", "Play on", "Accept the seat", "Agree")
"""Buttons that a person presses who is asked."""


@dataclass(frozen=True)
class Whims:
    """What people do beside coming and staying away, as shares.  It is no part of the model of absence."""

    turns_reminders_off: float = 0.1
    """Of people."""
    takes_back: float = 0.05
    """Of visits with a turn: takes it back and plays it again."""


Happening = Callable[[], Awaitable[None]]
Plan = Callable[[float, Happening], None]
"""Plans something at a time, in seconds since 1970."""


@dataclass
class Person:
    """Somebody on the server."""

    member: Member
    habits: Habits
    waited: set[int] = field(default_factory=set)
    """The lobbies as whose host they have waited longer."""
    forgotten: set[int] = field(default_factory=set)
    """The tables that they never look at again."""
    visits: set[int] = field(default_factory=set)
    """The tables for which a visit is planned."""
    has_reminders_off: bool = False
    has_quiet_hours: bool = False

    @property
    def user(self) -> User:
        """The stand-in's user."""
        return self.member.user


@dataclass
class Visits:
    """What people do at the tables when they come."""

    server: SimulatedServer
    model: Model
    rng: random.Random
    counts: Counter[str]
    plan: Plan
    whims: Whims

    def __post_init__(self) -> None:
        """Draw whims apart, so that they change no draw of the model of absence."""
        self.whim_rng = random.Random(self.model.seed)

    async def visit(self, person: Person, number: int) -> None:
        """Answer what is asked at a table and play there; perhaps at others, too."""
        person.visits.discard(number)
        if not self.server.is_up:
            person.visits.add(number)
            self.plan(self.server.clock.now + 3 * HOUR, partial(self.visit, person, number))
            return
        if not person.user.is_member:
            return
        self.counts["visits"] += 1
        numbers = [number]
        if self.rng.random() < self.model.turns.plays_all_tables:
            await self.attempt(person.member.command, "mygames", channel=self.any_channel())
            own = await self.server.host.tables.store.live_tables_of_user(person.user.id)
            numbers += [each.number for each in own if each.number not in {number, *person.forgotten}]
        for each in numbers:
            await self._answer_questions(person, each)
            if await self._take_turn(person, each) and self.whim_rng.random() < self.whims.takes_back:
                await self._take_back(person, each)

    def any_channel(self) -> Channel:
        """Return a channel for what belongs to no table."""
        return self.server.discord.world.text_channels()[0]

    async def _answer_questions(self, person: Person, number: int) -> None:
        """Press what agrees, on each message of the table that asks this person."""
        await self._decide_about_missing(person, number)
        for label in _YES:
            message = self.newest(person, number, label)
            if message is not None and person.user.id in message.mentions:
                await self.attempt(person.member.press, message, label)
        table = await self.server.host.tables.get(number)
        seat = table.seat_of(person.user.id)
        if seat is None or self.rng.random() > self.model.leaving.returns_to_seat:
            return
        label = "Resume" if table.status is Status.PAUSED else "Play"
        board = self.newest(person, number, label)
        if board is not None and (label == "Resume" or table.seats[seat].substitute is not None):
            await self.attempt(person.member.press, board, label)

    async def _decide_about_missing(self, person: Person, number: int) -> None:
        """Wait once, as the host, for players who are not here; then start without them."""
        message = self.newest(person, number, _WITHOUT)
        if message is None or (await self.server.host.tables.get(number)).row.host != person.user.id:
            return
        label = _WITHOUT if number in person.waited else _WAIT
        person.waited.add(number)
        await self.attempt(person.member.press, message, label)

    async def _take_turn(self, person: Person, number: int) -> bool:
        """Look at the board and play the whole turn, as Casual would; return whether anything was played."""
        host = self.server.host
        pressed = played = False
        for _ in range(MAX_CHOICES_A_VISIT):
            table = await host.tables.get(number)
            seat = table.seat_of(person.user.id)
            if seat is None or table.to_act != seat or table.match is None:
                break
            home = self.server.discord.world.channels.get(table.row.game_channel)
            if home is None:
                break
            if not pressed:
                pressed = True
                board = self.newest(person, number, "Play")
                if board is not None:
                    await self.attempt(person.member.press, board, "Play")
                if self.rng.random() < self.model.leaving.resigns:
                    await self.attempt(person.member.command, "resign", sure="true", channel=home)
                    continue
            action = PLAYERS["casual"].choose(table.game, table.match.view(seat), self.rng)
            text = write_action(action)
            done = await self.attempt(
                person.member.command, "play", move=text, at_once="true", channel=home, table=number
            )
            if done is None:
                self.counts["moves not made"] += 1
                break
            self.counts["choices"] += 1
            played = True
        await self.server.settle()
        return played

    async def _take_back(self, person: Person, number: int) -> None:
        """Undo the last choice, and play again where nobody has to agree."""
        table = await self.server.host.tables.get(number)
        home = self.server.discord.world.channels.get(table.row.game_channel)
        if home is None or table.status is not Status.PLAYING:
            return
        await self.attempt(person.member.command, "undo", channel=home, table=number)
        await self.server.settle()
        if await self._take_turn(person, number):
            self.counts["turns taken back and played again"] += 1

    # Small things

    def newest(
        self, person: Person, number: int, label: str, channel: Channel | None = None
    ) -> Message | None:
        """Return the newest message of a table with an enabled button that the person can see."""
        places = [channel] if channel else [*self.server.discord.world.channels.values()]
        found = [
            message
            for place in places
            for message in person.member.messages(place)
            if not message.ephemeral and _offers(message, number, label)
        ]
        return max(found, key=lambda message: message.id, default=None)

    async def attempt(
        self, do: Callable[..., Awaitable[InteractionResult]], *given: object, **options: object
    ) -> Message | None:
        """Do something; return the answer, or None where nothing came of it."""
        self.counts["interactions"] += 1
        try:
            return await shown_message(await do(*given, **options))
        except _LOST as error:
            self.counts[f"lost: {type(error).__name__}: {str(error)[:60]}"] += 1
            return None

    async def set_time_zone(self, person: Person) -> None:
        """Open the settings, and submit the form with the time zone."""
        person.member.channel = self.any_channel()
        page = await self.attempt(person.member.command, "settings")
        if page is None:
            return
        form = await person.member.press(page, "Time zone and quiet hours")
        values: dict[str, object] = {"zone": person.habits.zone, "begin": "1320", "end": "480"}
        person.has_quiet_hours = await self.attempt(person.member.submit, form, values) is not None

    async def turn_reminders_off(self, person: Person) -> None:
        """Choose in the settings to get no reminders."""
        person.member.channel = self.any_channel()
        page = await self.attempt(person.member.command, "settings")
        if page is not None:
            person.has_reminders_off = await self.attempt(person.member.choose, page, "off") is not None

    async def announce_absence(self, person: Person, until: float) -> None:
        """Say to the bot that a person is away."""
        if self.server.is_up and person.user.is_member:
            days = max(1, round((until - self.server.clock.now) / DAY))
            person.member.channel = self.any_channel()
            await self.attempt(person.member.command, "away", until=f"{days}d")


def _offers(message: Message, number: int, label: str) -> bool:
    return any(
        one.get("label") == label and not one.get("disabled") and f":{number}:" in one.get("custom_id", "")
        for one in controls(message)
    )
