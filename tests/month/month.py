"""A month on a server: people who come and stay away, tables of all games, and what happens to the platform.

Everything is an event at a time; between two events the clock moves on and the bot does what is due.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from bot.local.command_input import ClientRefusal
from bot.local.members import InteractionFailed, InteractionResult, Member
from bot.local.message_contents import controls, message_text
from bot.local.model import Channel, Message, User, WorldEvent
from bot.store.rows import LIVE_STATUSES, Status
from rules.catalogue import GAMES
from rules.notation import write
from rules.players import PLAYERS
from tests.bot.e2e.observe import shown_message
from tests.month.absence import DAY, HOUR, Habits, Model, draw_habits, hours_to_come
from tests.month.server import SimulatedClock, SimulatedServer

BEGIN: Final = 1_790_000_000.0
NAMES: Final = [
    "Ada",
    "Ben",
    "Cleo",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hana",
    "Ivo",
    "June",
    "Kai",
    "Lena",
    "Milo",
    "Nora",
    "Otto",
    "Pia",
    "Quin",
    "Rosa",
    "Sven",
    "Tess",
    "Uma",
    "Vito",
    "Wanda",
    "Xenia",
    "Yara",
    "Zeno",
    "Anton",
    "Bela",
    "Carl",
    "Dina",
    "Elsa",
    "Finn",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Karin",
    "Leo",
    "Maja",
    "Nils",
    "Olga",
    "Paul",
    "Rita",
    "Sami",
    "Tilda",
    "Ugo",
    "Vera",
    "Wim",
    "Yves",
    "Zita",
    "Alma",
    "Boris",
    "Clara",
    "Dario",
    "Edda",
    "Fritz",
    "Gina",
    "Heidi",
    "Igor",
    "Jana",
]
EVENTS: Final = {
    "did not play in time": "turns missed for good",
    "A computer player plays for": "seats covered by a computer player, boards included",
    "Reminder: ": "reminders",
    "did not press **Here**": "ready checks that somebody missed",
    "is put away": "games put away",
}
"""What is counted of the messages that the bot posts, by words in them."""
MAX_CHOICES_A_VISIT: Final = 80
_LOST: Final = (InteractionFailed, ClientRefusal, LookupError, TimeoutError)
"""What a person meets whose press comes to nothing; they try again at the next notice."""
_YES: Final = ("Here", "Allow undo", "Allow roll-back", "Play on", "Accept the seat", "Agree")
"""Buttons that a person presses who is asked."""

Happening = Callable[[], Awaitable[None]]


@dataclass
class Person:
    """Somebody on the server."""

    member: Member
    habits: Habits
    forgotten: set[int] = field(default_factory=set)
    """The tables that they never look at again."""
    visits: set[int] = field(default_factory=set)
    """The tables for which a visit is planned."""

    @property
    def user(self) -> User:
        """The stand-in's user."""
        return self.member.user


@dataclass
class Mention:
    """A message that pinged somebody."""

    user: int
    at: float
    table: int | None
    turn: int | None
    """The index of the history at which the turn begins that the table waits for."""
    text: str


@dataclass
class Month:
    """The whole simulation, and what was seen."""

    model: Model
    database: Path
    clock: SimulatedClock = field(default_factory=lambda: SimulatedClock(BEGIN))
    counts: Counter[str] = field(default_factory=Counter)
    mentions: list[Mention] = field(default_factory=list)
    chronicle: list[str] = field(default_factory=list)
    """What a member reads, in order: when, where, what."""

    def __post_init__(self) -> None:
        """Draw the people."""
        self.rng = random.Random(self.model.seed)
        self.server = SimulatedServer(self.database, self.clock)
        self._events: list[tuple[float, int, Happening]] = []
        self._order = itertools.count()
        self.people: dict[int, Person] = {}
        self._seen: set[int] = set()

    # Events

    def at(self, when: float, happening: Happening) -> None:
        """Plan something; an infinite time is never."""
        if not math.isinf(when):
            heapq.heappush(self._events, (when, next(self._order), happening))

    async def run(self) -> None:
        """Run until every table has ended or been put away, at most ``shut_down_days``."""
        await self.server.open()
        self.server.discord.world.listen(self._record)
        await self.server.start()
        self._draw_people()
        self._plan()
        end = BEGIN + self.model.month.shut_down_days * DAY
        while await self._step(end):
            pass

    async def _step(self, end: float) -> bool:
        """Do what comes next; return False at the end."""
        due = await self.server.next_due() if self.server.is_up else None
        planned = self._events[0][0] if self._events else math.inf
        when = min(planned, math.inf if due is None else max(due, self.clock.now + 1))
        if when > end:
            return False
        self.clock.now = max(self.clock.now, when)
        if planned <= when:
            _, _, happening = heapq.heappop(self._events)
            await happening()
        if self.server.is_up:
            await self.server.do_what_is_due()
        return True

    # Who and what

    def _draw_people(self) -> None:
        world = self.server.discord.world
        for name in NAMES[: self.model.month.people]:
            user = User(world.snowflake(), name)
            world.users[user.id] = user
            person = Person(
                Member(world, self.server.discord.interactions, user),
                draw_habits(self.model, self.rng, BEGIN),
            )
            self.people[user.id] = person
            person.member.close_dms(closed=person.habits.has_closed_messages)

    def _plan(self) -> None:
        rng, month, platform = self.rng, self.model.month, self.model.platform
        people = list(self.people.values())
        for person in people:
            if person.habits.tells_time_zone:
                self.at(BEGIN + HOUR, partial(self._set_time_zone, person))
            for gap in person.habits.gaps:
                if gap.is_announced:
                    self.at(gap.begin - HOUR, partial(self._announce_absence, person, gap.end))
        games = list(GAMES)
        for number in range(month.tables):
            channel = self.server.discord.world.add_text_channel(f"table-{number + 1:02d}")
            game = games[number % len(games)]
            seats = rng.choice(list(GAMES[game].seats))
            crew = rng.sample(people, seats)
            opening = BEGIN + rng.uniform(0.2, month.opening_days) * DAY
            self.at(opening, partial(self._open, channel, game, crew))
        leaving = rng.sample(people, self.model.leaving.leaves_server + self.model.leaving.kicked)
        for person in leaving:
            self.at(BEGIN + rng.uniform(7, month.days) * DAY, partial(self._leave_server, person))
        self.at(BEGIN + platform.thread_archived_day * DAY, self._archive_a_thread)
        self.at(BEGIN + platform.channel_deleted_day * DAY, self._delete_a_channel)
        self.at(BEGIN + platform.bot_down_day * DAY, self._stop_bot)
        self.at(BEGIN + (platform.bot_down_day + 1) * DAY, self.server.start)

    async def _stop_bot(self) -> None:
        self._note("the bot is down for a day")
        await self.server.stop()

    async def _leave_server(self, person: Person) -> None:
        self._note(f"{person.user.name} leaves the server")
        person.member.leave()

    async def _archive_a_thread(self) -> None:
        threads = [each for each in self.server.discord.world.threads() if not each.archived]
        if threads:
            thread = self.rng.choice(threads)
            self._note(f"the thread {thread.name} is archived")
            owner = Member(
                self.server.discord.world, self.server.discord.interactions, self.server.discord.world.owner
            )
            owner.archive(thread)

    async def _delete_a_channel(self) -> None:
        homes = await self._homes_in_play()
        if homes:
            number, channel = self.rng.choice(homes)
            self._note(f"the channel of No. {number} is deleted")
            self.server.discord.world.delete_channel(channel)
            self.at(self.clock.now + 6 * HOUR, partial(self._move_table, number))

    async def _homes_in_play(self) -> list[tuple[int, Channel]]:
        channels = self.server.discord.world.channels
        found = []
        for number in await self.server.host.tables.store.started_tables():
            table = await self.server.host.tables.get(number)
            if table.status is Status.PLAYING and table.row.home in channels:
                found.append((number, channels[table.row.home]))
        return found

    async def _move_table(self, number: int) -> None:
        """The host moves the table whose channel is gone."""
        if not self.server.is_up:
            return
        table = await self.server.host.tables.get(number)
        host = self.people.get(table.row.host)
        if host is not None and host.user.joined and table.status in LIVE_STATUSES:
            channel = self.server.discord.world.add_text_channel(f"table-{number}-again")
            await self._try(host.member.command, "table move", channel=channel, table=number)

    # Lobbies

    async def _open(self, channel: Channel, game: str, crew: list[Person]) -> None:
        """Open a table with its host; the others join over the next hours, the host starts it."""
        host, *others = crew
        if not self.server.is_up or not host.user.joined:
            return
        opened = await self._try(host.member.command, "newgame", game=game, clock="1d", channel=channel)
        found = None if opened is None else re.search(r"No\. (\d+)", message_text(opened))
        if found is None:
            return
        number = int(found[1])
        gathering = self.rng.uniform(*self.model.month.gathering_hours) * HOUR
        for person in others:
            joining = self.clock.now + self.rng.uniform(0.05, 1) * gathering
            self.at(joining, partial(self._press_at, person, channel, number, "Join", is_joining=True))
        self.at(
            self.clock.now + gathering + 0.3 * HOUR, partial(self._press_at, host, channel, number, "Start")
        )

    async def _press_at(
        self, person: Person, channel: Channel, number: int, label: str, *, is_joining: bool = False
    ) -> None:
        """Press a button of the newest message of a table that has it."""
        if not self.server.is_up:
            return
        if is_joining and self.rng.random() < self.model.leaving.joins_and_forgets:
            person.forgotten.add(number)
        message = self._newest(person, number, label, channel)
        if message is not None:
            await self._try(person.member.press, message, label)

    # Notices and visits

    def _record(self, event: WorldEvent) -> None:
        message = event.message
        if message is None or message.author is not self.server.discord.world.bot:
            return
        if event.name != "MESSAGE_CREATE" or message.id in self._seen or message.ephemeral:
            return
        self._seen.add(message.id)
        where = "to " + message.channel.recipient.name if message.channel.recipient else message.channel.name
        text = " / ".join(line for line in message.content.splitlines() if line.strip())
        self._note(f"[{where}] {text[:400]}")
        for words, name in EVENTS.items():
            self.counts[name] += words in message.content
        found = re.search(r"No\. (\d+)", message.content)
        table = None if found is None else int(found[1])
        direct = message.channel.recipient
        for user in message.mentions if direct is None else (direct.id,):
            if direct is None:
                self.mentions.append(Mention(user, self.clock.now, table, self._turn_of(table), text))
            if (person := self.people.get(user)) is not None and table is not None:
                self._on_notice(person, table, message)

    def _turn_of(self, table: int | None) -> int | None:
        """Return the turn that a table waits for, of a table in play."""
        row = None if table is None else self.server.host.tables.cached(table)
        return None if row is None or row.row.turn is None else row.row.turn.start

    def _on_notice(self, person: Person, table: int, message: Message) -> None:
        """Plan the visit that a notice leads to, if it leads to one."""
        self.counts["notices"] += 1
        if table in person.forgotten or table in person.visits:
            return
        is_reminder = "Reminder" in message.content
        comes = self.rng.random() >= self.model.turns.missed
        if is_reminder:
            comes = self.rng.random() < self.model.turns.comes_on_reminder
        if not comes:
            self.counts["notices without a visit"] += 1
            return
        when = person.habits.visit_after(self.clock.now, hours_to_come(self.model, self.rng))
        person.visits.add(table)
        self.at(when, partial(self._visit, person, table))

    async def _visit(self, person: Person, number: int) -> None:
        """Answer what is asked at a table and play there; perhaps at others, too."""
        person.visits.discard(number)
        if not self.server.is_up:
            person.visits.add(number)
            self.at(self.clock.now + 3 * HOUR, partial(self._visit, person, number))
            return
        if not person.user.joined:
            return
        self.counts["visits"] += 1
        numbers = [number]
        if self.rng.random() < self.model.turns.plays_all_tables:
            await self._try(person.member.command, "mygames", channel=self._any_channel())
            own = await self.server.host.tables.store.tables_of(person.user.id)
            numbers += [each.number for each in own if each.number not in {number, *person.forgotten}]
        for each in numbers:
            await self._answer_questions(person, each)
            await self._take_turn(person, each)

    def _any_channel(self) -> Channel:
        return self.server.discord.world.text_channels()[0]

    async def _answer_questions(self, person: Person, number: int) -> None:
        """Press what agrees, on each message of the table that asks this person."""
        for label in (*_YES, "I'm back"):
            if label == "I'm back" and self.rng.random() > self.model.leaving.returns_to_seat:
                continue
            message = self._newest(person, number, label)
            if message is not None and (label == "I'm back" or person.user.id in message.mentions):
                await self._try(person.member.press, message, label)

    async def _take_turn(self, person: Person, number: int) -> None:
        """Look at the board and play the whole turn, as Casual would."""
        host = self.server.host
        pressed = False
        for _ in range(MAX_CHOICES_A_VISIT):
            table = await host.tables.get(number)
            seat = table.seat_of(person.user.id)
            if seat is None or table.to_act != seat or table.match is None:
                break
            home = self.server.discord.world.channels.get(table.row.home)
            if home is None:
                break
            if not pressed:
                pressed = True
                board = self._newest(person, number, "Play")
                if board is not None:
                    await self._try(person.member.press, board, "Play")
                if self.rng.random() < self.model.leaving.resigns:
                    await self._try(person.member.command, "resign", sure="true", channel=home)
                    continue
            action = PLAYERS["casual"].choose(table.game, table.match.view(seat), self.rng)
            text = write(action)
            done = await self._try(
                person.member.command, "play", move=text, at_once="true", channel=home, table=number
            )
            if done is None:
                self.counts["moves not made"] += 1
                break
            self.counts["choices"] += 1
        await self.server.settle()

    # Small things

    def _newest(
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

    async def _try(
        self, do: Callable[..., Awaitable[InteractionResult]], *given: object, **options: object
    ) -> Message | None:
        """Do something; return the answer, or None where nothing came of it."""
        self.counts["interactions"] += 1
        try:
            return await shown_message(await do(*given, **options))
        except _LOST as error:
            self.counts[f"lost: {type(error).__name__}: {str(error)[:60]}"] += 1
            return None

    async def _set_time_zone(self, person: Person) -> None:
        """Open the settings, and submit the form with the time zone."""
        person.member.channel = self._any_channel()
        page = await self._try(person.member.command, "settings")
        if page is None:
            return
        form = await person.member.press(page, "Time zone and quiet hours")
        values: dict[str, object] = {"zone": person.habits.zone, "begin": "1320", "end": "480"}
        await self._try(person.member.submit, form, values)

    async def _announce_absence(self, person: Person, until: float) -> None:
        if self.server.is_up and person.user.joined:
            days = max(1, round((until - self.clock.now) / DAY))
            person.member.channel = self._any_channel()
            await self._try(person.member.command, "away", until=f"{days}d")

    def _note(self, text: str) -> None:
        days, rest = divmod(self.clock.now - BEGIN, DAY)
        hours, seconds = divmod(rest, HOUR)
        self.chronicle.append(f"day {int(days) + 1:2d} {int(hours):02d}:{int(seconds // 60):02d}  {text}")


def _offers(message: Message, number: int, label: str) -> bool:
    return any(
        one.get("label") == label and not one.get("disabled") and f":{number}:" in one.get("custom_id", "")
        for one in controls(message)
    )
