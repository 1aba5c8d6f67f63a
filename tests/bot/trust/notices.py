"""Who is notified of what: each kind of message queued, the table changed, and what was really sent."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from bot.host.deciders import admission, lobby, moderation, seats, timeouts
from bot.host.housekeeping import Housekeeping
from bot.host.table_turns import next_seat
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl
from bot.store.preferences import PersonRow
from rules.game import Seat
from rules.options import write_options
from tests.bot.host.playing import FIRST_USER, ManualClock, open_lobby
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
_BYSTANDER_USER: Final = 800

UsersByRole: TypeAlias = dict[str, set[int]]


def documented_duties() -> dict[str, dict[str, str]]:
    """Return the documented table: by kind and role ``must``, ``may`` or ``never``."""
    rows = [
        [cell.strip() for cell in line.strip("|\n").split("|")]
        for line in _PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    header, _, *duty_rows = rows
    return {kind: dict(zip(header[2:], cells, strict=True)) for kind, _, *cells in duty_rows}


# What queues each kind --------------------------------------------------------------------------------
#
# Each returns the people concerned.


async def queue_board(notice_table: NoticeTable) -> set[int]:
    """End a turn."""
    await notice_table.play_until_a_person_acts()
    return {await notice_table.user_to_act()}


async def queue_board_text(notice_table: NoticeTable) -> set[int]:
    """Come back in another's turn, after a computer player has had the seat."""
    await notice_table.play_until_a_person_acts()
    await notice_table.send_all()
    table = await notice_table.table()
    people = (Seat(i) for i, row in enumerate(table.seats) if row.user is not None)
    seat = next(each for each in people if each != table.to_act)
    substituted_row = replace(table.seats[seat], substitute="random", substituted_since_index=0)
    await notice_table.change(lambda current: bare_decision(current.with_seat(seat, substituted_row)))
    request = replace(notice_table.request_of(seat), user=table.seats[seat].user or 0)
    await notice_table.change(partial(timeouts.come_back, request=request), request)
    return set()


async def queue_reminder(notice_table: NoticeTable) -> set[int]:
    """Let a turn last for more than a day."""
    await notice_table.play_until_a_person_acts()
    await notice_table.send_all()
    notice_table.clock.now += DAY + 60
    await Housekeeping(notice_table.tables).handle_due_tables()
    return {await notice_table.user_to_act()}


async def queue_early_notice(notice_table: NoticeTable) -> set[int]:
    """Begin the turn before that of somebody who wants to know it."""
    for reader in (FIRST_USER, FIRST_USER + 1, SUCCESSOR.user):
        await notice_table.tables.person_preferences.change(reader, _with_early_notice)
    while True:
        await notice_table.send_all()
        await notice_table.play_until_a_person_acts()
        table = await notice_table.table()
        assert table.to_act is not None, "the game has ended before"
        seat = next_seat(table)
        user = None if seat is None else table.seats[seat].user
        if user is not None:
            return {user}


def _with_early_notice(row: PersonRow) -> PersonRow:
    return replace(row, wants_early_notice=True)


async def queue_hand(notice_table: NoticeTable) -> set[int]:
    """End a turn of a person before another person's: both hands are out of date."""
    while True:
        await notice_table.send_all()
        await notice_table.play_until_a_person_acts()
        await notice_table.send_all()
        previous_user = await notice_table.user_to_act()
        notice_table.chat.messages.clear()  # they have deleted their messages: each hand is posted anew
        await notice_table.play_turn()
        table = await notice_table.table()
        assert table.to_act is not None
        if (user := table.seats[table.to_act].user) is not None:
            return {previous_user, user}


async def queue_question(notice_table: NoticeTable) -> set[int]:
    """Ask everybody to allow a roll-back."""
    table = await notice_table.table()
    move_number = max(1, table.move_count - 8)
    request = host_request(notice_table.clock())
    await notice_table.change(
        lambda current: moderation.roll_back(current, request, move_number=move_number), request
    )
    assert (await notice_table.table()).row.question is not None
    return {FIRST_USER + 1}


async def queue_offer(notice_table: NoticeTable) -> set[int]:
    """Offer the seat of a player to a newcomer."""
    request = host_request(notice_table.clock())
    decide = partial(
        seats.offer_seat,
        request=request,
        seat=Seat(1),
        newcomer=INVITED,
        computer="random",
    )
    await notice_table.change(decide, request)
    return {INVITED.user, FIRST_USER + 1}


async def _open_lobby(notice_table: NoticeTable) -> None:
    """Open a lobby of three, of which one has left."""
    host, text = notice_table.request_of(0), write_options(SETUP.options)
    notice_table.number = await open_lobby(notice_table.tables, SETUP.game, host, text)
    for seat in (3, 1):
        await notice_table.change(
            partial(lobby.join, request=notice_table.request_of(seat)), notice_table.request_of(seat)
        )
    await notice_table.change(
        partial(lobby.leave, request=notice_table.request_of(3), is_channel_busy=False),
        notice_table.request_of(3),
    )
    await notice_table.send_all()


async def queue_ready_check(notice_table: NoticeTable) -> set[int]:
    """Start an old lobby, of which one has not been heard of."""
    await _open_lobby(notice_table)
    notice_table.clock.now += 2 * 3600
    host = notice_table.request_of(0)
    await notice_table.change(partial(lobby.start, request=host, is_channel_busy=False), host)
    return {FIRST_USER + 1}


async def queue_invitation(notice_table: NoticeTable) -> set[int]:
    """Invite somebody to a lobby."""
    await _open_lobby(notice_table)
    host = notice_table.request_of(0)
    await notice_table.change(partial(admission.invite, request=host, person=INVITED), host)
    return {INVITED.user}


async def queue_application(notice_table: NoticeTable) -> set[int]:
    """Ask for a seat in a lobby by invitation."""
    await _open_lobby(notice_table)
    await notice_table.change(
        lambda table: bare_decision(table.with_row(lobby=replace(table.row.lobby, by_invitation=True)))
    )
    asker = replace(notice_table.request_of(0), user=INVITED.user, name=INVITED.name)
    await notice_table.change(partial(admission.ask_to_join, request=asker), asker)
    return {FIRST_USER}


async def queue_acceptance(notice_table: NoticeTable) -> set[int]:
    """Accept somebody who has asked for a seat."""
    await queue_application(notice_table)
    await notice_table.send_all()
    host = notice_table.request_of(0)
    await notice_table.change(partial(admission.accept_applicant, request=host, user=INVITED.user), host)
    return {INVITED.user}


async def queue_lobby(notice_table: NoticeTable) -> set[int]:
    """Open the rematch of a game of four, of which one is a computer player."""
    host = notice_table.request_of(0)
    await notice_table.change(
        partial(moderation.end, request=host_request(notice_table.clock())),
        host_request(notice_table.clock()),
    )
    await notice_table.send_all()
    ended = await notice_table.table()
    opened = await notice_table.tables.open_rematch(
        notice_table.number,
        lambda number, seed, now: lobby.open_rematch(number, ended.game, ended, host, seed, now),
        host,
    )
    notice_table.number = opened.table.number
    return {FIRST_USER + 1, SUCCESSOR.user}


async def queue_time_over(notice_table: NoticeTable) -> set[int]:
    """Let the time of a turn and its grace period pass."""
    await notice_table.play_until_a_person_acts()
    control = TimeControl(turn=DAY)
    await notice_table.change(lambda table: bare_decision(table.with_row(time_control=control)))
    await notice_table.send_all()
    user = await notice_table.user_to_act()
    for seconds in (DAY, control.grace):
        notice_table.clock.now += seconds + 60
        await Housekeeping(notice_table.tables).handle_due_tables()
    return {user}


async def queue_notice(notice_table: NoticeTable) -> set[int]:
    """Pause the game."""
    request = host_request(notice_table.clock())
    await notice_table.change(lambda table: moderation.pause(table, request), request)
    return set()


async def queue_result(notice_table: NoticeTable) -> set[int]:
    """Play to the end."""
    while (await notice_table.table()).to_act is not None:
        await notice_table.play_turn()
    return set()


QUEUE_FUNCTIONS: Final[dict[str, Callable[[NoticeTable], Awaitable[set[int]]]]] = {
    "board": queue_board,
    "board text": queue_board_text,
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
    "time over": queue_time_over,
    "notice": queue_notice,
    "old buttons": queue_notice,
    "lobby": queue_lobby,
    "thread": queue_notice,
    "result": queue_result,
}
"""What queues each kind; a thread was opened when the game began."""


CHANGES: Final = ("nothing", "gone", "gone before", "turn over", "paused")
"""What happens to the table between the moment a message is queued and the moment it is sent.

"gone": a person whom the message concerns leaves the table; "gone before": one has left it before that.
"""
_KINDS_OF_SEAT: Final = frozenset({"board", "hand"})
"""Kinds that concern the new player of a seat, too."""
_KINDS_OF_TURN: Final = frozenset({"board", "reminder", "early notice"})
"""Kinds that notify nobody while the game is paused."""


def is_tried(kind: str, change: str) -> bool:
    """Whether a change is tried with a kind: it may affect who is notified."""
    match change:
        case "gone before":
            return kind == "question"
        case "turn over":
            return kind in {"board", "reminder"}
        case "paused":
            return kind in _KINDS_OF_TURN
        case "gone":
            return kind != "result"  # nobody leaves a game that is over
        case _:
            return True


async def find_wrong_notices(tables: Tables, clock: ManualClock, kind: str, change: str) -> list[str]:
    """Return, for one kind and change, who was notified despite ``never`` or was not despite ``must``."""
    notice_table = NoticeTable(tables, clock)
    await notice_table.open()
    departed: set[int] = set()
    if change == "gone before":
        departed = {FIRST_USER + 1}
        await notice_table.replace_player(FIRST_USER + 1)
    concerned = await QUEUE_FUNCTIONS[kind](notice_table)
    earlier_message_ids = {message.id for message in notice_table.chat.posted}
    if change == "gone":
        departed = {FIRST_USER} if kind == "offer" else {min(concerned, default=FIRST_USER)}
        await notice_table.replace_player(min(departed))
        if kind != "question":
            concerned -= departed
        if kind in _KINDS_OF_SEAT:
            concerned |= {NEWCOMER.user}
        if kind == "application":
            concerned = {FIRST_USER + 1}  # the next host
        if kind == "ready check":
            concerned = {FIRST_USER}  # the host: too few are left
    elif change == "turn over":
        await notice_table.play_until_a_person_acts()
        concerned = {await notice_table.user_to_act()} if kind == "board" else set()
    elif change == "paused":
        await queue_notice(notice_table)
        concerned = set()
    await notice_table.send_all()
    seated = {row.user for row in (await notice_table.table()).seats if row.user is not None}
    users_by_role = {
        "the person concerned": concerned - departed,
        "other seats": seated - concerned - departed,
        "host without a seat": {HOST_USER} & {(await notice_table.table()).row.host},
        "bystander": {_BYSTANDER_USER},
        "just gone": departed,
        "long gone": {LONG_GONE_USER},
    }
    notified = await notice_table.notified_users(kind, earlier_message_ids)
    if kind == "question" and (await notice_table.table()).row.question is None:  # a new player makes it void
        return [f"question: void, and asked {notified}"] if notified else []
    return list(_find_violations(kind, users_by_role, notified))


def _find_violations(kind: str, users_by_role: UsersByRole, notified: set[int]) -> Iterator[str]:
    known_users = set().union(*users_by_role.values())
    if strangers := notified - known_users:
        yield f"{kind}: notified {strangers}, who are nobody at this table"
    for role, duty in documented_duties()[kind].items():
        users = users_by_role[role]
        if duty == "must" and not users <= notified:
            yield f"{kind}: {role} not notified"
        if duty == "never" and users & notified:
            yield f"{kind}: {role} notified"
