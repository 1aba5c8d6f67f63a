"""Lobbies of several people, in which time passes."""

from collections.abc import Callable
from functools import partial

import msgspec

from bot.host.deciders import admission, lobby, ready_check
from bot.host.deciders.decision import Decision
from bot.host.housekeeping import Housekeeping
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.seat_rows import Person
from rules.game import AnyGame
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    ManualClock,
    mark_ready_checks_posted,
    open_lobby,
    request_of_person,
)

CURRENTS = GAMES_AND_TOYS["currents"]


class WaitingLobby:
    """A lobby of the first so many people, on a clock.  People are numbered as by ``request_of_person``."""

    posts_ready_checks = True
    """Whether the message of a ready check is posted at once; False: a courier posts it, or nobody does."""

    def __init__(self, tables: Tables, clock: ManualClock, number: int) -> None:
        """``number``: of its table."""
        self.tables, self.clock, self.number = tables, clock, number

    def request(self, person_number: int) -> Request:
        """Return a request that is made now."""
        return msgspec.structs.replace(request_of_person(person_number), at=int(self.clock.now))

    async def change_as(self, person_number: int, decide: Callable[..., Decision], **options: object) -> str:
        """Change the table as one of the people, who may have no seat; return the answer."""
        request = self.request(person_number)
        change = partial(decide, request=request, **options)
        answer = (await self.tables.change(self.number, request, change)).answer
        await self.post_ready_check()
        return answer

    async def post_ready_check(self) -> None:
        """Post the message of a ready check that waits, if there is one."""
        if self.posts_ready_checks:
            await mark_ready_checks_posted(self.tables, self.number)

    async def start(self, person_number: int = 0) -> str:
        """Press **Start**."""
        return await self.change_as(person_number, lobby.start, is_channel_busy=False)

    async def confirm(self, person_number: int) -> str:
        """Press **Here**."""
        return await self.change_as(person_number, ready_check.confirm, is_channel_busy=False)

    async def table(self) -> Table:
        """Return the table as it is now."""
        return await self.tables.get(self.number)

    async def names(self) -> tuple[str, ...]:
        """Return who has a seat."""
        return (await self.table()).plain_names

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, and do what is due then."""
        self.clock.now += seconds
        await Housekeeping(self.tables).do_due_work_at_tables()
        await self.post_ready_check()


async def open_waiting_lobby(
    tables: Tables,
    clock: ManualClock,
    people_count: int = 3,
    options: str = "board=triangle",
    game: AnyGame = CURRENTS,
) -> WaitingLobby:
    """Open a lobby with several people."""
    host_request = msgspec.structs.replace(request_of_person(0), at=int(clock.now))
    waiting_lobby = WaitingLobby(tables, clock, await open_lobby(tables, game, host_request, options))
    for person_number in range(1, people_count):
        await waiting_lobby.change_as(person_number, lobby.join)
    return waiting_lobby


async def invite(waiting_lobby: WaitingLobby, person_number: int) -> str:
    """Let the host invite somebody."""
    person = Person(FIRST_USER + person_number, request_of_person(person_number).name)
    return await waiting_lobby.change_as(0, admission.invite, person=person)
