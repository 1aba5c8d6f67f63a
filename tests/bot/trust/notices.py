"""Who is notified of what: each kind of message queued, the table changed, and what was really sent."""

import random
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import discord
from msgspec.structs import replace

from bot.chat.courier import DiscordCourier
from bot.host.deciders import admission, lobby, moderation, play, seats
from bot.host.deciders.decision import Decision
from bot.host.deciders.starting import missing_opponents
from bot.host.housekeeping import Housekeeping
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.host.turns import next_seat
from bot.store.clock_rows import TimeControl
from bot.store.people import PersonRow
from bot.store.seat_rows import Person
from rules.game import Action, Seat
from rules.options import write_options
from tests.bot.host.fake_chat import FakeChat
from tests.bot.host.playing import (
    EVERY_GAME,
    FIRST_USER,
    GUILD,
    Clock,
    begin,
    default_setup,
    hand_over,
    request_of,
)
from tests.bot.host.scripted import QuietOutbox, run_outbox
from tests.bot.store.rows import query

DAY: Final = 86_400
SETUP: Final = default_setup(EVERY_GAME["currents"], 4)
HOST_USER: Final = 700
LONG_GONE_USER: Final = FIRST_USER + 3
"""Had seat 3 before anybody moved."""
SUCCESSOR: Final = Person(603, "Edda")
"""Has seat 3 since."""
NEWCOMER: Final = Person(604, "Farid")
INVITED: Final = Person(605, "Gita")
COMPUTER_SEAT: Final = 2
_DIRECT: Final = 10_000
_PAGE: Final = Path(__file__).parents[3] / "docs/notices.md"

Roles: TypeAlias = dict[str, set[int]]
"""The users in each role."""


def duties() -> dict[str, dict[str, str]]:
    """Return the documented table: by kind and role ``must``, ``may`` or ``never``."""
    rows = [
        [cell.strip() for cell in line.strip("|\n").split("|")]
        for line in _PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    header, _, *found = rows
    return {kind: dict(zip(header[2:], cells, strict=True)) for kind, _, *cells in found}


class NoticeTable:
    """A table of three people and a computer player, whose host has no seat, with messages in memory."""

    def __init__(self, tables: Tables, clock: Clock) -> None:
        """``open`` begins it."""
        self.tables, self.clock, self.number = tables, clock, 0
        self.chat, self.rng = FakeChat(), random.Random(5)
        self.outbox = QuietOutbox(tables, DiscordCourier(cast("discord.Client", self.chat), tables))

    def request_of(self, seat: int) -> Request:
        """Return a request of one of those who began the game, made now."""
        return replace(request_of(seat), at=int(self.clock()))

    async def open(self) -> None:
        """Begin a game; somebody leaves before the first moves, and one seat is a computer player's."""
        self.number = await begin(self.tables, SETUP)
        await hand_over(self.tables, self.number, 3, SUCCESSOR)
        await hand_over(self.tables, self.number, COMPUTER_SEAT, None)
        await self.change(lambda table: _decision(table.with_row(host=HOST_USER)))
        for _ in range(3):
            await self.play_turn()
        await self.send()

    async def table(self) -> Table:
        """Return the table."""
        return await self.tables.get(self.number)

    async def change(self, decide: Any, request: Request | None = None) -> None:
        """Change the table."""
        await self.tables.change(self.number, request, decide)

    async def send(self) -> None:
        """Send all that is due."""
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
            await self.change(partial(play.play_computer, choose=self._choose))
            return
        request = replace(request_of(seat), user=user)
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

    async def replace(self, user: int) -> None:
        """Have a newcomer take the seat of somebody, who is just gone then.

        A lobby they leave or decline; of a rematch they are no longer expected once they have joined.
        """
        table = await self.table()
        seat = table.seat_of(user)
        if table.match is None:
            request = replace(self.request_of(0), user=user)
            leave = lobby.leave if seat is not None else admission.decline_invitation
            if user in missing_opponents(table):
                leave = lobby.join
            await self.change(partial(leave, request=request), request)
            return
        assert seat is not None
        await hand_over(self.tables, self.number, seat, NEWCOMER)

    async def kinds(self) -> dict[int, str]:
        """Return the kind of each delivery so far, by its id."""
        return dict(await query(cast("Any", self.tables.store), "select id, kind from outbox"))

    async def notified(self, kind: str, known: set[int]) -> set[int]:
        """Return who was notified by messages of a kind, without those in ``known``."""
        kinds = await self.kinds()
        found: set[int] = set()
        for message in self.chat.posted:
            if message.id in known or kinds[message.nonce] != kind:
                continue
            found |= set(message.raw_mentions)
            if message.channel.id > _DIRECT:
                found.add(message.channel.id - _DIRECT)
        return found


def _decision(table: Table) -> Decision:
    return Decision(table=table, answer="")


def host_request(at: float) -> Request:
    """Return a request of the host, who has no seat."""
    return replace(request_of(0), user=HOST_USER, name="Hana", guild=GUILD, at=int(at))


# What queues each kind --------------------------------------------------------------------------------
#
# Each returns the persons concerned.


async def queue_board(one: NoticeTable) -> set[int]:
    """End a turn."""
    await one.play_until_a_person_acts()
    return {await one.user_to_act()}


async def queue_reminder(one: NoticeTable) -> set[int]:
    """Let a turn last for more than a day."""
    await one.play_until_a_person_acts()
    await one.send()
    one.clock.now += DAY + 60
    await Housekeeping(one.tables).expire_due()
    return {await one.user_to_act()}


async def queue_early_notice(one: NoticeTable) -> set[int]:
    """Begin the turn before that of somebody who wants to know it."""
    for wants in (FIRST_USER, FIRST_USER + 1, SUCCESSOR.user):
        await one.tables.people.change(wants, _wants_early_notice)
    while True:
        await one.send()
        await one.play_until_a_person_acts()
        table = await one.table()
        assert table.to_act is not None, "the game has ended before"
        seat = next_seat(table)
        user = None if seat is None else table.seats[seat].user
        if user is not None:
            return {user}


def _wants_early_notice(row: PersonRow) -> PersonRow:
    return replace(row, wants_early_notice=True)


async def queue_hand(one: NoticeTable) -> set[int]:
    """End a turn of a person before another person's: both hands are out of date."""
    while True:
        await one.send()
        await one.play_until_a_person_acts()
        await one.send()
        played = await one.user_to_act()
        one.chat.messages.clear()  # they have deleted their messages: each hand is posted anew
        await one.play_turn()
        table = await one.table()
        assert table.to_act is not None
        if (user := table.seats[table.to_act].user) is not None:
            return {played, user}


async def queue_question(one: NoticeTable) -> set[int]:
    """Ask everybody to allow a roll-back."""
    table = await one.table()
    move = max(1, table.move_count - 8)
    request = host_request(one.clock())
    await one.change(lambda now: moderation.roll_back(now, request, move=move), request)
    assert (await one.table()).row.question is not None
    return {FIRST_USER + 1}


async def queue_offer(one: NoticeTable) -> set[int]:
    """Offer the seat of a player to a newcomer."""
    request = host_request(one.clock())
    decide = partial(
        seats.offer_seat,
        request=request,
        seat=Seat(1),
        newcomer=INVITED,
        computer="random",
    )
    await one.change(decide, request)
    return {INVITED.user, FIRST_USER + 1}


async def _open_lobby(one: NoticeTable) -> None:
    """Open a lobby of three, of which one has left."""
    host, text = one.request_of(0), write_options(SETUP.options)
    opened = await one.tables.open(
        lambda number, seed, now: lobby.open_table(number, SETUP.game, text, host, seed, now), host
    )
    one.number = opened.table.number
    for seat in (3, 1):
        await one.change(partial(lobby.join, request=one.request_of(seat)), one.request_of(seat))
    await one.change(partial(lobby.leave, request=one.request_of(3)), one.request_of(3))
    await one.send()


async def queue_ready_check(one: NoticeTable) -> set[int]:
    """Start an old lobby, of which one has not been heard of."""
    await _open_lobby(one)
    one.clock.now += 2 * 3600
    host = one.request_of(0)
    await one.change(partial(lobby.start, request=host, is_channel_busy=False), host)
    return {FIRST_USER + 1}


async def queue_invitation(one: NoticeTable) -> set[int]:
    """Invite somebody to a lobby."""
    await _open_lobby(one)
    host = one.request_of(0)
    await one.change(partial(admission.invite, request=host, person=INVITED), host)
    return {INVITED.user}


async def queue_application(one: NoticeTable) -> set[int]:
    """Ask for a seat in a lobby by invitation."""
    await _open_lobby(one)
    await one.change(
        lambda table: _decision(table.with_row(lobby=replace(table.row.lobby, by_invitation=True)))
    )
    asker = replace(one.request_of(0), user=INVITED.user, name=INVITED.name)
    await one.change(partial(admission.ask_to_join, request=asker), asker)
    return {FIRST_USER}


async def queue_acceptance(one: NoticeTable) -> set[int]:
    """Accept somebody who has asked for a seat."""
    await queue_application(one)
    await one.send()
    host = one.request_of(0)
    await one.change(partial(admission.accept_applicant, request=host, user=INVITED.user), host)
    return {INVITED.user}


async def queue_lobby(one: NoticeTable) -> set[int]:
    """Open the rematch of a game of four, of which one is a computer player."""
    host = one.request_of(0)
    await one.change(partial(moderation.end, request=host_request(one.clock())), host_request(one.clock()))
    await one.send()
    ended = await one.table()
    opened = await one.tables.open_rematch(
        one.number, lambda number, seed, now: lobby.rematch(number, ended, host, seed, now), host
    )
    one.number = opened.table.number
    return {FIRST_USER + 1, SUCCESSOR.user}


async def queue_takeover(one: NoticeTable) -> set[int]:
    """Let the time of a turn and its grace period pass."""
    await one.play_until_a_person_acts()
    control = TimeControl(turn=DAY)
    await one.change(lambda table: _decision(table.with_row(time_control=control)))
    await one.send()
    user = await one.user_to_act()
    for seconds in (DAY, control.grace):
        one.clock.now += seconds + 60
        await Housekeeping(one.tables).expire_due()
    return {user}


async def queue_notice(one: NoticeTable) -> set[int]:
    """Pause the game."""
    request = host_request(one.clock())
    await one.change(lambda table: moderation.pause(table, request), request)
    return set()


async def queue_result(one: NoticeTable) -> set[int]:
    """Play to the end."""
    while (await one.table()).to_act is not None:
        await one.play_turn()
    return set()


QUEUED: Final[dict[str, Callable[[NoticeTable], Awaitable[set[int]]]]] = {
    "board": queue_board,
    "reminder": queue_reminder,
    "early notice": queue_early_notice,
    "hand": queue_hand,
    "question": queue_question,
    "offer": queue_offer,
    "ready check": queue_ready_check,
    "invitation": queue_invitation,
    "application": queue_application,
    "acceptance": queue_acceptance,
    "turn": queue_board,
    "takeover": queue_takeover,
    "notice": queue_notice,
    "old buttons": queue_notice,
    "lobby": queue_lobby,
    "thread": queue_notice,
    "result": queue_result,
}
"""What queues each kind; a thread was opened when the game began."""


CHANGES: Final = ("nothing", "gone", "gone before", "turn over", "paused")
"""What happens to the table between the moment a message is queued and the moment it is sent."""
_INHERITED: Final = frozenset({"board", "hand"})
"""What concerns the new player of a seat, too."""
_OF_TURN: Final = frozenset({"board", "reminder", "early notice"})


def is_tried(kind: str, change: str) -> bool:
    """Whether a change says something about a kind."""
    match change:
        case "gone before":
            return kind == "question"
        case "turn over":
            return kind in {"board", "reminder"}
        case "paused":
            return kind in _OF_TURN
        case "gone":
            return kind != "result"  # nobody leaves a game that is over
        case _:
            return True


async def find_wrong_notices(tables: Tables, clock: Clock, kind: str, change: str) -> list[str]:
    """Return who was notified and must not be, or was not and must be, of one kind after one change."""
    one = NoticeTable(tables, clock)
    await one.open()
    gone: set[int] = set()
    if change == "gone before":
        gone = {FIRST_USER + 1}
        await one.replace(FIRST_USER + 1)
    concerned = await QUEUED[kind](one)
    known = {message.id for message in one.chat.posted}
    if change == "gone":
        gone = {FIRST_USER} if kind == "offer" else {min(concerned, default=FIRST_USER)}
        await one.replace(min(gone))
        if kind != "question":
            concerned -= gone
        if kind in _INHERITED:
            concerned |= {NEWCOMER.user}
        if kind == "application":
            concerned = {FIRST_USER + 1}  # the next host
    elif change == "turn over":
        await one.play_until_a_person_acts()
        concerned = {await one.user_to_act()} if kind == "board" else set()
    elif change == "paused":
        await queue_notice(one)
        concerned = set()
    await one.send()
    seated = {row.user for row in (await one.table()).seats if row.user is not None}
    roles = {
        "the person concerned": concerned - gone,
        "other seats": seated - concerned - gone,
        "host without a seat": {HOST_USER} & {(await one.table()).row.host},
        "bystander": {800},
        "just gone": gone,
        "long gone": {LONG_GONE_USER},
    }
    notified = await one.notified(kind, known)
    if kind == "question" and (await one.table()).row.question is None:  # a new player makes it void
        return [f"question: void, and asked {notified}"] if notified else []
    return list(_judge(kind, roles, notified))


def _judge(kind: str, roles: Roles, notified: set[int]) -> Iterator[str]:
    known = set().union(*roles.values())
    if strangers := notified - known:
        yield f"{kind}: notified {strangers}, who are nobody at this table"
    for role, duty in duties()[kind].items():
        users = roles[role]
        if duty == "must" and not users <= notified:
            yield f"{kind}: {role} not notified"
        if duty == "never" and users & notified:
            yield f"{kind}: {role} notified"
