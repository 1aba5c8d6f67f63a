"""A month on a server: people who come and stay away, tables of all games, and what happens to the platform.

One event happens at a time.  Between two of them the clock moves on and the bot does what is due.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from bot.host.deciders.idle import ANSWER_DAYS
from bot.host.quotas import Quotas
from bot.local.members import Member
from bot.local.message_contents import message_text
from bot.local.model import Channel, Message, User, WorldEvent
from bot.store.rows import IDLE_SECONDS, LIVE_STATUSES, Status
from rules.catalogue import GAMES
from rules.model import Seat
from rules.turns import last_turn_end
from tests.month.absence import DAY, HOUR, AbsenceModel, draw_habits, draw_hours_to_come
from tests.month.mentions import AskedTurn, Mention, mention_kind
from tests.month.people import ActionProbabilities, Person, PersonActions, PlannedEvent
from tests.month.server import SimulatedClock, SimulatedServer

NAMES_FILE: Final = Path(__file__).with_name("names.txt")
BEGIN_TIME: Final = 1_790_000_000.0
COUNTED_MESSAGES: Final = {
    "did not play in time": "turns missed for good",
    "A computer player plays for": "seats covered by a computer player, boards included",
    "Reminder: ": "reminders",
    "did not press **Here**": "ready checks that somebody missed",
    "so this game has ended": "games ended, as nobody played",
}
"""Words in the bot's messages -> the name under which such messages are counted."""
IDLE_CLOSE_SECONDS: Final = 30 * DAY + IDLE_SECONDS + ANSWER_DAYS * DAY
"""Seconds within which every game is closed once nobody comes any more: first the last turns are missed."""
MAX_LOGGED_LENGTH: Final = 700
"""Characters of a message in the list of events."""


@dataclass
class Month:
    """The whole simulation, and what was seen."""

    model: AbsenceModel
    database: Path
    daily_mention_limit: int = Quotas().mentions
    """The most mentions of a person on a day."""
    action_probabilities: ActionProbabilities = field(default_factory=ActionProbabilities)
    clock: SimulatedClock = field(default_factory=lambda: SimulatedClock(BEGIN_TIME))
    event_counts: Counter[str] = field(default_factory=Counter)
    mentions: list[Mention] = field(default_factory=list)
    event_log: list[str] = field(default_factory=list)
    """What happened and what members could read, in order: when, where, what."""

    def __post_init__(self) -> None:
        """Begin with a server on which nobody is yet."""
        self.rng = random.Random(self.model.seed)
        self.server = SimulatedServer(self.database, self.clock, self.daily_mention_limit)
        self.actions = PersonActions(
            self.server, self.model, self.rng, self.event_counts, self.schedule, self.action_probabilities
        )
        self._planned_events: list[tuple[float, int, PlannedEvent]] = []
        self._event_numbers = itertools.count()
        self.people: dict[int, Person] = {}
        self._texts: dict[int, str] = {}
        """What the bot's messages say, by id."""
        self._visits_are_over = False

    # Events

    def schedule(self, when: float, event: PlannedEvent) -> None:
        """Schedule an event; an infinite time means never."""
        if not math.isinf(when) and not self._visits_are_over:
            heapq.heappush(self._planned_events, (when, next(self._event_numbers), event))

    async def run(self, *, until_closed: bool = True) -> None:
        """Run for ``days_until_visits_end``.

        ``until_closed``: go on after them, when nobody comes any more, until every game has been closed.
        """
        await self.server.open()
        self.server.discord.world.listen(self._handle_event)
        await self.server.start()
        self._draw_people()
        self._schedule_month()
        end_time = BEGIN_TIME + self.model.month.days_until_visits_end * DAY
        while await self._step(end_time):
            pass
        if until_closed:
            self._visits_are_over = True
            self._planned_events.clear()
            while await self._step(end_time + IDLE_CLOSE_SECONDS):
                pass

    async def _step(self, end_time: float) -> bool:
        """Do what comes next; return False at the end."""
        next_due_time = await self.server.next_due_time() if self.server.is_up else None
        planned = self._planned_events[0][0] if self._planned_events else math.inf
        when = min(planned, math.inf if next_due_time is None else max(next_due_time, self.clock.now + 1))
        if when > end_time:
            return False
        self.clock.now = max(self.clock.now, when)
        if planned <= when:
            _, _, event = heapq.heappop(self._planned_events)
            await event()
        if self.server.is_up:
            await self.server.run_due_work()
        return True

    # The people and what is planned

    def _draw_people(self) -> None:
        world = self.server.discord.world
        for name in NAMES_FILE.read_text().split()[: self.model.month.person_count]:
            user = User(world.new_snowflake(), name)
            world.users[user.id] = user
            person = Person(
                Member(world, self.server.discord.interactions, user),
                draw_habits(self.model, self.rng, BEGIN_TIME),
            )
            self.people[user.id] = person
            person.member.set_dms_closed(closed=person.habits.has_closed_messages)

    def _schedule_month(self) -> None:
        rng, month, platform = self.rng, self.model.month, self.model.platform
        people = list(self.people.values())
        for person in people:
            if person.habits.tells_time_zone:
                self.schedule(BEGIN_TIME + HOUR, partial(self.actions.set_time_zone, person))
            if self.actions.action_rng.random() < self.action_probabilities.turn_reminders_off_probability:
                self.schedule(BEGIN_TIME + HOUR, partial(self.actions.turn_reminders_off, person))
            for gap in person.habits.gaps:
                if gap.is_announced:
                    self.schedule(gap.begin - HOUR, partial(self.actions.announce_absence, person, gap.end))
        games = list(GAMES)
        for number in range(month.table_count):
            channel = self.server.discord.world.add_text_channel(f"table-{number + 1:02d}")
            game = games[number % len(games)]
            seat_count = rng.choice(GAMES[game].player_counts_with(GAMES[game].options_type()))
            players = rng.sample(people, seat_count)
            opens_at = BEGIN_TIME + rng.uniform(0.2, month.opening_days) * DAY
            self.schedule(opens_at, partial(self._open_table, channel, game, players))
        leaving = rng.sample(people, self.model.leaving.server_leaver_count + self.model.leaving.kicked_count)
        for person in leaving:
            self.schedule(BEGIN_TIME + rng.uniform(7, month.days) * DAY, partial(self._leave_server, person))
        self.schedule(BEGIN_TIME + platform.thread_archived_day * DAY, self._archive_a_thread)
        self.schedule(BEGIN_TIME + platform.channel_deleted_day * DAY, self._delete_a_channel)
        self.schedule(BEGIN_TIME + platform.bot_down_day * DAY, self._stop_bot)
        self.schedule(BEGIN_TIME + (platform.bot_down_day + 1) * DAY, self.server.start)

    async def _stop_bot(self) -> None:
        self._log_event("the bot is down for a day")
        await self.server.stop()

    async def _leave_server(self, person: Person) -> None:
        self._log_event(f"{person.user.name} leaves the server")
        person.member.leave()

    async def _archive_a_thread(self) -> None:
        threads = [each for each in self.server.discord.world.threads() if not each.archived]
        if threads:
            thread = self.rng.choice(threads)
            self._log_event(f"the thread {thread.name} is archived")
            owner = Member(
                self.server.discord.world, self.server.discord.interactions, self.server.discord.world.owner
            )
            owner.set_archived(thread)

    async def _delete_a_channel(self) -> None:
        channels_in_play = await self._channels_in_play()
        if channels_in_play:
            table_number, channel = self.rng.choice(channels_in_play)
            self._log_event(f"the channel of No. {table_number} is deleted")
            self.server.discord.world.delete_channel(channel)
            self.schedule(self.clock.now + 6 * HOUR, partial(self._move_table, table_number))

    async def _channels_in_play(self) -> list[tuple[int, Channel]]:
        channels = self.server.discord.world.channels
        numbered_channels = []
        for table_number in await self.server.host.tables.store.tables_in_play():
            table = await self.server.host.tables.get(table_number)
            if table.status is Status.PLAYING and table.row.game_channel in channels:
                numbered_channels.append((table_number, channels[table.row.game_channel]))
        return numbered_channels

    async def _move_table(self, table_number: int) -> None:
        """The host moves the table whose channel is gone."""
        if not self.server.is_up:
            return
        table = await self.server.host.tables.get(table_number)
        host = self.people.get(table.row.host)
        if host is not None and host.user.is_member and table.status in LIVE_STATUSES:
            channel = self.server.discord.world.add_text_channel(f"table-{table_number}-again")
            await self.actions.attempt(host.member.command, "table move", channel=channel, table=table_number)

    # Lobbies

    async def _open_table(self, channel: Channel, game_key: str, players: list[Person]) -> None:
        """Open a table with its host; the others join over the next hours, the host starts it."""
        host, *others = players
        if not self.server.is_up or not host.user.is_member:
            return
        opened = await self.actions.attempt(
            host.member.command, "newgame", game=game_key, clock="1d", channel=channel
        )
        number_match = None if opened is None else re.search(r"No\. (\d+)", message_text(opened))
        if number_match is None:
            return
        table_number = int(number_match[1])
        gathering_seconds = self.rng.uniform(*self.model.month.gathering_hours) * HOUR
        for person in others:
            joins_at = self.clock.now + self.rng.uniform(0.05, 1) * gathering_seconds
            self.schedule(
                joins_at,
                partial(self._press_newest_button, person, channel, table_number, "Join", is_joining=True),
            )
        self.schedule(
            self.clock.now + gathering_seconds + 0.3 * HOUR,
            partial(self._press_newest_button, host, channel, table_number, "Start"),
        )

    async def _press_newest_button(
        self, person: Person, channel: Channel, table_number: int, label: str, *, is_joining: bool = False
    ) -> None:
        """Press a button of the newest message of a table that has it."""
        if not self.server.is_up:
            return
        if is_joining and self.rng.random() < self.model.leaving.forget_table_probability:
            person.forgotten_tables.add(table_number)
        message = self.actions.newest_message_with_button(person, table_number, label, channel)
        if message is not None:
            await self.actions.attempt(person.member.press, message, label)

    # Notices and visits

    def _handle_event(self, event: WorldEvent) -> None:
        message = event.message
        if message is None or message.author is not self.server.discord.world.bot or message.ephemeral:
            return
        earlier_text = self._texts.get(message.id)
        is_new = event.name == "MESSAGE_CREATE" and earlier_text is None
        if earlier_text == message.content or not (is_new or event.name == "MESSAGE_UPDATE"):
            return
        self._texts[message.id] = message.content
        place = "to " + message.channel.recipient.name if message.channel.recipient else message.channel.name
        text = " / ".join(line for line in message.content.splitlines() if line.strip())
        self._log_event(
            f"[{place}{'' if is_new else ', edited'}] {self._readable_text(text)[:MAX_LOGGED_LENGTH]}"
        )
        if not is_new:
            return
        for words, name in COUNTED_MESSAGES.items():
            self.event_counts[name] += words in message.content
        number_match = re.search(r"No\. (\d+)", message.content)
        table_number = None if number_match is None else int(number_match[1])
        recipient = message.channel.recipient
        for user in message.mentions if recipient is None else (recipient.id,):
            person = self.people.get(user)
            if recipient is None:
                self.mentions.append(self._make_mention(user, person, table_number, message))
            if person is not None and table_number is not None:
                self._schedule_visit(person, table_number, message)

    def _make_mention(
        self, user: int, person: Person | None, table_number: int | None, message: Message
    ) -> Mention:
        return Mention(
            user,
            self.clock.now,
            mention_kind(message),
            table_number,
            self._find_asked_turn(table_number),
            message.content,
            has_reminders_off=person is not None and person.has_reminders_off,
            quiet_time_zone=None if person is None or not person.has_quiet_hours else person.habits.zone,
        )

    def _find_asked_turn(self, table_number: int | None) -> AskedTurn | None:
        """Return the turn that a table in play waits for; None if it is not in play or not known."""
        table = None if table_number is None else self.server.host.tables.get_cached(table_number)
        if table is None or table.match is None or (timer := table.row.turn_timer) is None:
            return None
        turn_end = last_turn_end(table.match.history, Seat(timer.seat), table.match.to_act)
        return AskedTurn(timer, turn_end, table.row.agreed_undo_ply)

    def _schedule_visit(self, person: Person, table_number: int, message: Message) -> None:
        """Schedule the visit that a notice leads to, if it leads to one."""
        self.event_counts["notices"] += 1
        if table_number in person.forgotten_tables or table_number in person.tables_to_visit:
            return
        is_reminder = "Reminder" in message.content
        is_coming = self.rng.random() >= self.model.attendance.missed_turn_probability
        if is_reminder:
            is_coming = self.rng.random() < self.model.attendance.come_on_reminder_probability
        if not is_coming:
            self.event_counts["notices without a visit"] += 1
            return
        when = person.habits.visit_after(self.clock.now, draw_hours_to_come(self.model, self.rng))
        person.tables_to_visit.add(table_number)
        self.schedule(when, partial(self.actions.visit, person, table_number))

    def _readable_text(self, text: str) -> str:
        """Return a text as a client shows it: names for mentions, times of the month for timestamps."""
        named = re.sub(r"<@(\d+)>", lambda match: f"@{self._name_of(int(match[1]))}", text)
        return re.sub(r"<t:(\d+):\w>", lambda match: f"({_month_time_text(float(match[1]))})", named)

    def _name_of(self, user: int) -> str:
        return self.server.discord.world.users[user].name

    def _log_event(self, text: str) -> None:
        self.event_log.append(f"{_month_time_text(self.clock.now)}  {text}")


def _month_time_text(at: float) -> str:
    days, rest = divmod(at - BEGIN_TIME, DAY)
    hours, seconds = divmod(rest, HOUR)
    return f"day {int(days) + 1:2d} {int(hours):02d}:{int(seconds // 60):02d}"
