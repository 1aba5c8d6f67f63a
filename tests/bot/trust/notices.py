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
from bot.store.clock_rows import DAY, TimeControl
from bot.store.preferences import PersonRow
from rules.model import Seat
from rules.options import write_options
from tests.bot.host.playing import FIRST_USER, ManualClock, open_lobby
from tests.bot.trust.observed_table import (
    HOST_USER,
    INVITED,
    LONG_GONE_USER,
    REPLACEMENT,
    SETUP,
    SUCCESSOR,
    ObservedTable,
    bare_decision,
    request_of_host,
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


async def queue_board(observed_table: ObservedTable) -> set[int]:
    """End a turn."""
    await observed_table.play_until_a_person_acts()
    return {await observed_table.user_to_act()}


async def queue_board_edit(observed_table: ObservedTable) -> set[int]:
    """Come back in another's turn, after a computer player has had the seat."""
    await observed_table.play_until_a_person_acts()
    await observed_table.send_all()
    table = await observed_table.table()
    people = (Seat(i) for i, row in enumerate(table.seats) if row.user is not None)
    seat = next(each for each in people if each != table.to_act)
    substituted_row = replace(table.seats[seat], substitute="random", substituted_since_index=0)
    await observed_table.change(lambda current: bare_decision(current.with_seat(seat, substituted_row)))
    request = replace(observed_table.request_of_person(seat), user=table.seats[seat].user or 0)
    await observed_table.change(partial(timeouts.come_back, request=request), request)
    return set()


async def queue_reminder(observed_table: ObservedTable) -> set[int]:
    """Let a turn last for more than a day."""
    await observed_table.play_until_a_person_acts()
    await observed_table.send_all()
    observed_table.clock.now += DAY + 60
    await Housekeeping(observed_table.tables).do_due_work_at_tables()
    return {await observed_table.user_to_act()}


async def queue_early_notice(observed_table: ObservedTable) -> set[int]:
    """Begin the turn before that of somebody who wants to know it."""
    for reader in (FIRST_USER, FIRST_USER + 1, SUCCESSOR.user):
        await observed_table.tables.person_preferences.change(reader, _with_early_notice)
    while True:
        await observed_table.send_all()
        await observed_table.play_until_a_person_acts()
        table = await observed_table.table()
        assert table.to_act is not None, "the game has ended before"
        seat = next_seat(table)
        user = None if seat is None else table.seats[seat].user
        if user is not None:
            return {user}


def _with_early_notice(row: PersonRow) -> PersonRow:
    return replace(row, wants_early_notice=True)


async def queue_hand(observed_table: ObservedTable) -> set[int]:
    """End a turn of a person before another person's: both hands are out of date."""
    while True:
        await observed_table.send_all()
        await observed_table.play_until_a_person_acts()
        await observed_table.send_all()
        previous_user = await observed_table.user_to_act()
        observed_table.chat.messages.clear()  # they have deleted their messages: each hand is posted anew
        await observed_table.play_turn()
        table = await observed_table.table()
        assert table.to_act is not None
        if (user := table.seats[table.to_act].user) is not None:
            return {previous_user, user}


async def queue_question(observed_table: ObservedTable) -> set[int]:
    """Ask everybody to allow a roll-back."""
    table = await observed_table.table()
    move_number = max(1, table.move_count - 8)
    request = request_of_host(observed_table.clock())
    await observed_table.change(
        lambda current: moderation.roll_back(current, request, move_number=move_number), request
    )
    assert (await observed_table.table()).row.question is not None
    return {FIRST_USER + 1}


async def queue_offer(observed_table: ObservedTable) -> set[int]:
    """Offer the seat of a player to a newcomer."""
    request = request_of_host(observed_table.clock())
    decide = partial(
        seats.offer_seat,
        request=request,
        seat=Seat(1),
        newcomer=INVITED,
        computer="random",
    )
    await observed_table.change(decide, request)
    return {INVITED.user, FIRST_USER + 1}


async def _open_lobby(observed_table: ObservedTable) -> None:
    """Open a lobby of three, of which one has left."""
    host_request, text = observed_table.request_of_person(0), write_options(SETUP.options)
    observed_table.number = await open_lobby(observed_table.tables, SETUP.game, host_request, text)
    for seat in (3, 1):
        await observed_table.change(
            partial(lobby.join, request=observed_table.request_of_person(seat)),
            observed_table.request_of_person(seat),
        )
    await observed_table.change(
        partial(lobby.leave, request=observed_table.request_of_person(3), is_channel_busy=False),
        observed_table.request_of_person(3),
    )
    await observed_table.send_all()


async def queue_ready_check(observed_table: ObservedTable) -> set[int]:
    """Start an old lobby, of which one has not been heard of."""
    await _open_lobby(observed_table)
    observed_table.clock.now += 2 * 3600
    host_request = observed_table.request_of_person(0)
    await observed_table.change(
        partial(lobby.start, request=host_request, is_channel_busy=False), host_request
    )
    return {FIRST_USER + 1}


async def queue_invitation(observed_table: ObservedTable) -> set[int]:
    """Invite somebody to a lobby."""
    await _open_lobby(observed_table)
    host_request = observed_table.request_of_person(0)
    await observed_table.change(partial(admission.invite, request=host_request, person=INVITED), host_request)
    return {INVITED.user}


async def queue_application(observed_table: ObservedTable) -> set[int]:
    """Ask for a seat in a lobby by invitation."""
    await _open_lobby(observed_table)
    await observed_table.change(
        lambda table: bare_decision(table.with_row(lobby=replace(table.row.lobby, by_invitation=True)))
    )
    asker_request = replace(observed_table.request_of_person(0), user=INVITED.user, name=INVITED.name)
    await observed_table.change(partial(admission.ask_to_join, request=asker_request), asker_request)
    return {FIRST_USER}


async def queue_acceptance(observed_table: ObservedTable) -> set[int]:
    """Accept somebody who has asked for a seat."""
    await queue_application(observed_table)
    await observed_table.send_all()
    host_request = observed_table.request_of_person(0)
    await observed_table.change(
        partial(admission.accept_applicant, request=host_request, user=INVITED.user), host_request
    )
    return {INVITED.user}


async def queue_lobby(observed_table: ObservedTable) -> set[int]:
    """Open the rematch of a game of four, of which one is a computer player."""
    opener_request = observed_table.request_of_person(0)
    await observed_table.change(
        partial(moderation.end, request=request_of_host(observed_table.clock())),
        request_of_host(observed_table.clock()),
    )
    await observed_table.send_all()
    ended = await observed_table.table()
    opened = await observed_table.tables.open_rematch(
        observed_table.number,
        lambda number, seed, now: lobby.open_rematch(number, ended.game, ended, opener_request, seed, now),
        opener_request,
    )
    observed_table.number = opened.table.number
    return {FIRST_USER + 1, SUCCESSOR.user}


async def queue_time_over(observed_table: ObservedTable) -> set[int]:
    """Let the time of a turn and its grace period pass."""
    await observed_table.play_until_a_person_acts()
    control = TimeControl(turn_seconds=DAY)
    await observed_table.change(lambda table: bare_decision(table.with_row(time_control=control)))
    await observed_table.send_all()
    user = await observed_table.user_to_act()
    for seconds in (DAY, control.grace_seconds):
        observed_table.clock.now += seconds + 60
        await Housekeeping(observed_table.tables).do_due_work_at_tables()
    return {user}


async def queue_notice(observed_table: ObservedTable) -> set[int]:
    """Pause the game."""
    request = request_of_host(observed_table.clock())
    await observed_table.change(lambda table: moderation.pause(table, request), request)
    return set()


async def queue_result(observed_table: ObservedTable) -> set[int]:
    """Play to the end."""
    while (await observed_table.table()).to_act is not None:
        await observed_table.play_turn()
    return set()


QUEUE_FUNCTIONS: Final[dict[str, Callable[[ObservedTable], Awaitable[set[int]]]]] = {
    "board": queue_board,
    "board edit": queue_board_edit,
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
_KINDS_SILENT_IN_PAUSE: Final = frozenset({"board", "reminder", "early notice"})
"""Kinds that notify nobody while the game is paused."""


def is_tried(kind: str, change: str) -> bool:
    """Whether a change is tried with a kind: it may affect who is notified."""
    match change:
        case "gone before":
            return kind == "question"
        case "turn over":
            return kind in {"board", "reminder"}
        case "paused":
            return kind in _KINDS_SILENT_IN_PAUSE
        case "gone":
            return kind != "result"  # nobody leaves a game that is over
        case _:
            return True


async def find_wrong_notices(tables: Tables, clock: ManualClock, kind: str, change: str) -> list[str]:
    """Return, for one kind and change, who was notified despite ``never`` or was not despite ``must``."""
    observed_table = ObservedTable(tables, clock)
    await observed_table.begin()
    departed: set[int] = set()
    if change == "gone before":
        departed = {FIRST_USER + 1}
        await observed_table.replace_player(FIRST_USER + 1)
    concerned = await QUEUE_FUNCTIONS[kind](observed_table)
    earlier_message_ids = {message.id for message in observed_table.chat.posted}
    if change == "gone":
        departed = {FIRST_USER} if kind == "offer" else {min(concerned, default=FIRST_USER)}
        await observed_table.replace_player(min(departed))
        if kind != "question":
            concerned -= departed
        if kind in _KINDS_OF_SEAT:
            concerned |= {REPLACEMENT.user}
        if kind == "application":
            concerned = {FIRST_USER + 1}  # the next host
        if kind == "ready check":
            concerned = {FIRST_USER}  # the host: too few are left
    elif change == "turn over":
        await observed_table.play_until_a_person_acts()
        concerned = {await observed_table.user_to_act()} if kind == "board" else set()
    elif change == "paused":
        await queue_notice(observed_table)
        concerned = set()
    await observed_table.send_all()
    seated = {row.user for row in (await observed_table.table()).seats if row.user is not None}
    users_by_role = {
        "the person concerned": concerned - departed,
        "other seats": seated - concerned - departed,
        "host without a seat": {HOST_USER} & {(await observed_table.table()).row.host},
        "bystander": {_BYSTANDER_USER},
        "just gone": departed,
        "long gone": {LONG_GONE_USER},
    }
    notified = await observed_table.notified_users(kind, earlier_message_ids)
    question = (await observed_table.table()).row.question
    if kind == "question" and question is None:  # a new player makes it void
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
