"""A table with messages in memory, where notices are queued and those who are notified are observed."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

import discord
from msgspec.structs import replace

from bot.chat.courier import DiscordCourier
from bot.chat.membership import MembershipChecker
from bot.host.deciders import admission, lobby, play
from bot.host.deciders.decision import Decision
from bot.host.deciders.starting import unjoined_rematch_players
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.seat_rows import Person
from rules.model import Action, Seat
from tests.bot.host.fake_chat import FIRST_DM_CHANNEL, FakeChat
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    request_of_person,
)
from tests.bot.host.scripted_courier import ManualOutbox, run_outbox
from tests.bot.store.sample_rows import execute_sql

SETUP: Final = default_setup(GAMES_AND_TOYS["currents"], 4)
HOST_USER: Final = 700
LONG_GONE_USER: Final = FIRST_USER + 3
"""Had seat 3 before anybody moved."""
SUCCESSOR: Final = Person(603, "Edda")
"""Has seat 3 since."""
REPLACEMENT: Final = Person(604, "Farid")
"""Gets the seat of a player who leaves."""
INVITED: Final = Person(605, "Gita")
"""Is invited to a lobby or offered a seat."""
COMPUTER_SEAT: Final = 2
USERS: Final = frozenset(
    {*range(FIRST_USER, FIRST_USER + 4), HOST_USER, SUCCESSOR.user, REPLACEMENT.user, INVITED.user}
)
"""Everybody; no turn, question or offer has such an id."""


class ObservedTable:
    """A table of three people and a computer player, whose host has no seat, with messages in memory."""

    def __init__(self, tables: Tables, clock: ManualClock) -> None:
        """``begin`` begins its game."""
        self.tables, self.clock, self.number = tables, clock, 0
        self.chat, self.rng = FakeChat(), random.Random(5)
        client = cast("discord.Client", self.chat)
        self.outbox = ManualOutbox(tables, DiscordCourier(client, tables, MembershipChecker(client, clock)))

    def request_of_person(self, original_seat: int) -> Request:
        """Return a request of one of those who began the game, made now."""
        return replace(request_of_person(original_seat), at=int(self.clock()))

    async def begin(self) -> None:
        """Begin the game, seat a successor, a computer player and another host, and play three turns."""
        self.number = await begin(self.tables, SETUP)
        await give_seat_away(self.tables, self.number, 3, SUCCESSOR)
        await give_seat_away(self.tables, self.number, COMPUTER_SEAT, None)
        await self.change(lambda table: bare_decision(table.with_row(host=HOST_USER)))
        for _ in range(3):
            await self.play_turn()
        await self.send_all()

    async def table(self) -> Table:
        """Return the table."""
        return await self.tables.get(self.number)

    async def change(self, decide: Any, request: Request | None = None) -> None:
        """Change the table."""
        await self.tables.change(self.number, request, decide)

    async def send_all(self) -> None:
        """Send all that waits."""
        for _ in range(20):
            wait = await run_outbox(self.outbox, self.number)
            if wait is None:
                return
            self.clock.now += wait

    async def play_turn(self) -> None:
        """Play until another seat is to act, for people and computer players."""
        table = await self.table()
        seat = table.to_act
        while seat is not None and table.to_act == seat:
            await self._move(table, seat)
            table = await self.table()

    async def _move(self, table: Table, seat: Seat) -> None:
        """Choose at random for the seat to act."""
        user = table.seats[seat].user
        if user is None:
            await self.change(partial(play.play_computer_turn, choose=self._choose))
            return
        request = replace(request_of_person(seat), user=user)
        await self.change(partial(play.play, request=request, actions=(self._choose(table, seat),)), request)

    def _choose(self, table: Table, seat: Seat) -> Action:
        assert table.match is not None
        return self.rng.choice(table.match.legal_actions(seat))

    async def play_until_a_person_acts(self) -> None:
        """Play whole turns, at least one, until a person is to act."""
        while True:
            await self.play_turn()
            table = await self.table()
            if table.to_act is None or table.seats[table.to_act].user is not None:
                return

    async def user_to_act(self) -> int:
        """Return the person whose turn it is."""
        table = await self.table()
        assert table.to_act is not None
        user = table.seats[table.to_act].user
        assert user is not None
        return user

    async def replace_player(self, user: int) -> None:
        """Replace the player of a seat by ``REPLACEMENT``.

        In a lobby, the player leaves it or declines the invitation; in that of a rematch, the player joins.
        """
        table = await self.table()
        seat = table.seat_of(user)
        if table.match is None:
            request = replace(self.request_of_person(0), user=user)
            decide: Callable[..., Decision] = admission.decline_invitation
            if seat is not None:
                decide = partial(lobby.leave, is_channel_busy=False)
            if user in unjoined_rematch_players(table):
                decide = lobby.join
            await self.change(partial(decide, request=request), request)
            return
        assert seat is not None
        await give_seat_away(self.tables, self.number, seat, REPLACEMENT)

    async def kinds_by_delivery_id(self) -> dict[int, str]:
        """Return the kind of each delivery so far, by its id."""
        return dict(await execute_sql(cast("Any", self.tables.store), "select id, kind from outbox"))

    async def slot_keys(self, kind: str) -> set[int]:
        """Return the keys of the slots of a kind, of deliveries and of messages."""
        store = cast("Any", self.tables.store)
        rows = [
            *await execute_sql(store, "select kind, key from outbox"),
            *await execute_sql(store, "select kind, key from posted_messages"),
        ]
        return {key for row_kind, key in rows if row_kind == kind and key is not None}

    async def notified_users(self, kind: str, earlier_message_ids: set[int]) -> set[int]:
        """Return who was notified by messages of a kind, without those in ``earlier_message_ids``."""
        kinds = await self.kinds_by_delivery_id()
        users: set[int] = set()
        for message in self.chat.posted:
            if message.id in earlier_message_ids or kinds[message.nonce] != kind:
                continue
            users |= set(message.raw_mentions)
            if message.channel.id > FIRST_DM_CHANNEL:
                users.add(message.channel.id - FIRST_DM_CHANNEL)
        return users


def bare_decision(table: Table) -> Decision:
    """Return a change of a table from which nothing else follows."""
    return Decision(table=table, answer="")


def request_of_host(at: float) -> Request:
    """Return a request of the host, who has no seat."""
    return replace(request_of_person(0), user=HOST_USER, name="Hana", guild=GUILD, at=int(at))
