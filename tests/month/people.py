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
from bot.local.message_contents import controls, has_button
from bot.local.model import Channel, Message, User
from bot.store.rows import Status
from rules.notation import write_action
from rules.players import COMPUTER_PLAYERS
from tests.bot.e2e.observe import shown_message
from tests.month.absence import DAY, HOUR, AbsenceModel, Habits
from tests.month.server import SimulatedServer

MAX_CHOICES_PER_VISIT: Final = 80
_FAILED_REQUEST_ERRORS: Final = (InteractionFailed, ClientRefusal, LookupError, TimeoutError)
"""Errors of a request that was lost or refused; the person acts again at the next notice."""
_WAIT_LABEL, _START_WITHOUT_LABEL = "Wait 12 more hours", "Start without them"
"""What a host presses while players do not answer: first the one, then the other."""
_AGREEING_LABELS: Final = ("Here", "Allow undo", "Allow roll-back", "Play on", "Accept the seat", "Agree")
"""Labels of the buttons that a person presses when asked; **Keep it open** is left unpressed."""


@dataclass(frozen=True)
class ActionProbabilities:
    """How often people do something besides coming and staying away; no part of the model of absence."""

    turn_reminders_off_probability: float = 0.1
    """The share of people that turn reminders off."""
    take_back_probability: float = 0.05
    """The share of visits with a turn in which it is taken back and played again."""


PlannedEvent = Callable[[], Awaitable[None]]
ScheduleEvent = Callable[[float, PlannedEvent], None]
"""Plans an event for a time, in seconds since 1970."""


@dataclass
class Person:
    """Somebody on the server."""

    member: Member
    habits: Habits
    waited_lobbies: set[int] = field(default_factory=set)
    """The lobbies in which they have waited longer, as the host."""
    forgotten_tables: set[int] = field(default_factory=set)
    """The tables that they never look at again."""
    tables_to_visit: set[int] = field(default_factory=set)
    """The tables for which a visit is planned."""
    has_reminders_off: bool = False
    has_quiet_hours: bool = False

    @property
    def user(self) -> User:
        """The stand-in's user."""
        return self.member.user


@dataclass
class PersonActions:
    """What people do at the tables when they come."""

    server: SimulatedServer
    model: AbsenceModel
    rng: random.Random
    event_counts: Counter[str]
    schedule: ScheduleEvent
    action_probabilities: ActionProbabilities

    def __post_init__(self) -> None:
        """Draw the further actions from a generator of their own, so that no draw of absences changes."""
        self.action_rng = random.Random(self.model.seed)

    async def visit(self, person: Person, table_number: int) -> None:
        """Answer what is asked at a table and play there; perhaps at others, too."""
        person.tables_to_visit.discard(table_number)
        if not self.server.is_up:
            person.tables_to_visit.add(table_number)
            self.schedule(self.server.clock.now + 3 * HOUR, partial(self.visit, person, table_number))
            return
        if not person.user.is_member:
            return
        self.event_counts["visits"] += 1
        table_numbers = [table_number]
        if self.rng.random() < self.model.attendance.play_all_tables_probability:
            await self.attempt(person.member.command, "mygames", channel=self.any_channel())
            own_tables = await self.server.host.tables.store.live_tables_of_user(person.user.id)
            table_numbers += [
                each.number
                for each in own_tables
                if each.number not in {table_number, *person.forgotten_tables}
            ]
        for each in table_numbers:
            await self._answer_prompts(person, each)
            if (
                await self._take_turn(person, each)
                and self.action_rng.random() < self.action_probabilities.take_back_probability
            ):
                await self._undo_and_play_again(person, each)

    def any_channel(self) -> Channel:
        """Return a channel for what belongs to no table."""
        return self.server.discord.world.text_channels()[0]

    async def _answer_prompts(self, person: Person, table_number: int) -> None:
        """Agree to everything that this person is asked at a table; perhaps come back to their seat."""
        await self._decide_about_missing_players(person, table_number)
        for label in _AGREEING_LABELS:
            message = self.newest_message_with_button(person, table_number, label)
            if message is not None and person.user.id in message.mentions:
                await self.attempt(person.member.press, message, label)
        table = await self.server.host.tables.get(table_number)
        seat = table.seat_of(person.user.id)
        if seat is None or self.rng.random() > self.model.leaving.return_to_seat_probability:
            return
        label = "Resume" if table.status is Status.PAUSED else "Play"
        button_message = self.newest_message_with_button(person, table_number, label)
        if button_message is not None and (label == "Resume" or table.seats[seat].substitute is not None):
            await self.attempt(person.member.press, button_message, label)

    async def _decide_about_missing_players(self, person: Person, table_number: int) -> None:
        """Wait once, as the host, for players who are not here; then start without them."""
        message = self.newest_message_with_button(person, table_number, _START_WITHOUT_LABEL)
        if message is None or (await self.server.host.tables.get(table_number)).row.host != person.user.id:
            return
        label = _START_WITHOUT_LABEL if table_number in person.waited_lobbies else _WAIT_LABEL
        person.waited_lobbies.add(table_number)
        await self.attempt(person.member.press, message, label)

    async def _take_turn(self, person: Person, table_number: int) -> bool:
        """Look at the board and play the whole turn, as Casual would; return whether anything was played."""
        host = self.server.host
        has_pressed = has_played = False
        for _ in range(MAX_CHOICES_PER_VISIT):
            table = await host.tables.get(table_number)
            seat = table.seat_of(person.user.id)
            if seat is None or table.to_act != seat or table.match is None:
                break
            channel = self.server.discord.world.channels.get(table.row.game_channel)
            if channel is None:
                break
            if not has_pressed:
                has_pressed = True
                board = self.newest_message_with_button(person, table_number, "Play")
                if board is not None:
                    await self.attempt(person.member.press, board, "Play")
                if self.rng.random() < self.model.leaving.resign_probability:
                    await self._resign(person, table_number, channel)
                    continue
            action = COMPUTER_PLAYERS["casual"].choose(table.game, table.match.view(seat), self.rng)
            text = write_action(action)
            answer = await self.attempt(
                person.member.command, "play", move=text, at_once="true", channel=channel, table=table_number
            )
            if answer is None:
                self.event_counts["moves not made"] += 1
                break
            self.event_counts["choices"] += 1
            has_played = True
        await self.server.wait_until_idle()
        return has_played

    async def _undo_and_play_again(self, person: Person, table_number: int) -> None:
        """Undo the last choice, and play again where nobody has to agree."""
        table = await self.server.host.tables.get(table_number)
        channel = self.server.discord.world.channels.get(table.row.game_channel)
        if channel is None or table.status is not Status.PLAYING:
            return
        page = await self.attempt(person.member.command, "undo", channel=channel, table=table_number)
        if page is not None and has_button(page, "Ask to undo"):
            await self.attempt(person.member.press, page, "Ask to undo")
        await self.server.wait_until_idle()
        if await self._take_turn(person, table_number):
            self.event_counts["turns taken back and played again"] += 1

    # Helpers

    def newest_message_with_button(
        self, person: Person, table_number: int, label: str, channel: Channel | None = None
    ) -> Message | None:
        """Return the newest message of a table with an enabled button that the person can see."""
        channels = [channel] if channel else [*self.server.discord.world.channels.values()]
        messages = [
            message
            for each_channel in channels
            for message in person.member.messages(each_channel)
            if not message.ephemeral and _has_enabled_button(message, table_number, label)
        ]
        return max(messages, key=lambda message: message.id, default=None)

    async def attempt(
        self, act: Callable[..., Awaitable[InteractionResult]], *arguments: object, **options: object
    ) -> Message | None:
        """Act as a person; return the answer, or None if the request was lost or refused."""
        self.event_counts["interactions"] += 1
        try:
            return await shown_message(await act(*arguments, **options))
        except _FAILED_REQUEST_ERRORS as error:
            self.event_counts[f"lost: {type(error).__name__}: {str(error)[:60]}"] += 1
            return None

    async def _resign(self, person: Person, table_number: int, channel: Channel) -> None:
        """Resign by ``/resign`` and the button of its question."""
        question = await self.attempt(person.member.command, "resign", channel=channel, table=table_number)
        if question is not None and has_button(question, "Resign"):
            await self.attempt(person.member.press, question, "Resign")

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
        """Set with ``/away`` that a person is away."""
        if self.server.is_up and person.user.is_member:
            days = max(1, round((until - self.server.clock.now) / DAY))
            person.member.channel = self.any_channel()
            await self.attempt(person.member.command, "away", until=f"{days}d")


def _has_enabled_button(message: Message, table_number: int, label: str) -> bool:
    return any(
        control.get("label") == label
        and not control.get("disabled")
        and f":{table_number}:" in control.get("custom_id", "")
        for control in controls(message)
    )
