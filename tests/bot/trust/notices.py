"""Who is notified of what: each kind of message queued, the table changed, and what was really sent."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from bot.host.deciders import admission, lobby, moderation, seats
from bot.host.housekeeping import Housekeeping
from bot.host.tables import Tables
from bot.host.turns import next_seat
from bot.store.clock_rows import TimeControl
from bot.store.people import PersonRow
from rules.game import Seat
from rules.options import write_options
from tests.bot.host.playing import (
    FIRST_USER,
    Clock,
)
from tests.bot.trust.notice_table import (
    DAY,
    HOST_USER,
    INVITED,
    LONG_GONE_USER,
    NEWCOMER,
    SETUP,
    SUCCESSOR,
    NoticeTable,
    bare_decision,
    host_request,
)

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
        lambda table: bare_decision(table.with_row(lobby=replace(table.row.lobby, by_invitation=True)))
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
    await one.change(lambda table: bare_decision(table.with_row(time_control=control)))
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
