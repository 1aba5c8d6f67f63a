"""Erasing a person's data from a table.  Pure functions from a table to a decision.

Only a keyed hash of a person who held a seat stays (``Table.holder_hash``).  It lets the table refuse that
person any other seat, so that nobody knows the secrets of two seats.
"""

from typing import Final

import msgspec

from bot.host.deciders import lobby
from bot.host.deciders.decision import Decision
from bot.host.deciders.departures import replace_with_computer
from bot.host.deciders.reminders import turn_notice_removal_deliveries
from bot.host.deciders.timeouts import playing_users
from bot.host.names import escape_markup, sanitize_name
from bot.host.request import Request
from bot.host.table import Table
from bot.store.personal_data import ErasedPerson
from bot.store.question_rows import Question
from bot.store.results import FORMER_PLAYER
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import EarlierPlayer, SeatHolder, SeatRow
from rules.model import SEAT_LETTERS

NOBODY: Final = 0
"""The host of a table after its host was erased, if no other person has a seat there."""


def erase_from_table(table: Table, request: Request, computer: str, *, is_channel_busy: bool) -> Decision:
    """Erase a user from a table; a seat in a live game goes to a computer player first."""
    user = request.user
    departure = _leave_table(table, request, computer, is_channel_busy=is_channel_busy)
    table_after = table if departure is None else departure.table
    erased_table = _without_user(table_after, user)
    names, other_names = _names_of(table, user), _all_names(erased_table)
    if (present_name := sanitize_name(request.name)) not in other_names:
        names = (*names, present_name)
    notices = (
        table.row.turn_notices
        if table.row.turn_notices is not None and table.row.turn_notices.user == user
        else None
    )
    return Decision(
        table=erased_table,
        answer="",
        deliveries=(
            *(() if departure is None else departure.deliveries),
            *turn_notice_removal_deliveries(notices),  # the table forgets them at once
        ),
        audit_entry="" if departure is None else f"{FORMER_PLAYER} had their data erased.",
        erased_person=ErasedPerson(user, _with_escaped(names), _with_escaped(other_names)),
        fault=None if departure is None else departure.fault,
    )


def _leave_table(table: Table, request: Request, computer: str, *, is_channel_busy: bool) -> Decision | None:
    """Return the decision with which a user leaves a live table; None where they have no seat to leave."""
    seat = table.seat_of(request.user)
    if seat is None or table.status not in LIVE_STATUSES:
        return None
    if table.status is Status.LOBBY:
        return lobby.leave(table, request, is_channel_busy=is_channel_busy)
    name = table.computer_name(computer)
    text = f"{FORMER_PLAYER} has left."
    if table.match is not None and seat in table.match.resigned_seats:  # a roll-back may bring it back
        text += f" Seat {SEAT_LETTERS[seat]}, which has resigned, is {name}'s now."
    elif table.other_unresigned_users(seat):
        text += f" The computer player {name} takes seat {SEAT_LETTERS[seat]}."
    return replace_with_computer(table, seat, computer, text)


def _names_of(table: Table, user: int) -> tuple[str, ...]:
    """Return every name, as stored, that a user has or had at a table."""
    present_names = (seat_row.name for seat_row in table.seats if seat_row.user == user)
    earlier_names = (
        each.name for seat_row in table.seats for each in seat_row.earlier_players if each.user == user
    )
    shown_names = (each.name for each in table.row.lobby.shown_people if each.user == user)
    return tuple(dict.fromkeys((*present_names, *earlier_names, *shown_names)))


def _all_names(table: Table) -> tuple[str, ...]:
    """Return every name, as stored, of a table's players, earlier players and people without a seat."""
    earlier_names = (each.name for seat_row in table.seats for each in seat_row.earlier_players)
    shown_names = (each.name for each in table.row.lobby.shown_people)
    return tuple(dict.fromkeys((*table.plain_names, *earlier_names, *shown_names)))


def _with_escaped(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names as stored and as escaped for messages."""
    return tuple(dict.fromkeys((*names, *map(escape_markup, names))))


def _without_user(table: Table, user: int) -> Table:
    """Return the table with nothing in its rows that names a user."""
    table_row, new_name = table.row, table.distinct_name(FORMER_PLAYER, user)
    seats = tuple(_seat_without_user(seat_row, user, new_name) for seat_row in table.seats)
    timer, notices = table_row.turn_timer, table_row.turn_notices
    holders = tuple(
        SeatHolder(None, each.seat, table.holder_hash(user)) if each.user == user else each
        for each in table_row.holders
    )
    changed_table = table.with_row(
        seats=seats,
        holders=holders,
        question=_question_without_user(table_row.question, user),
        lobby=table_row.lobby.without_user(user),
        turn_timer=None if timer is None or timer.user == user else timer,
        turn_notices=None if notices is None or notices.user == user else notices,
    )
    if table_row.host != user:
        return changed_table
    users = playing_users(changed_table) or changed_table.unresigned_users or changed_table.row.users
    return changed_table.with_row(host=users[0] if users else NOBODY)


def _seat_without_user(row: SeatRow, user: int, new_name: str) -> SeatRow:
    offer = row.offer
    if offer is not None and user in {offer.offered_by, offer.newcomer and offer.newcomer.user}:
        offer = None
    changed_row = msgspec.structs.replace(
        row,
        offer=offer,
        blocked_offers=tuple(each for each in row.blocked_offers if each.newcomer_user != user),
        earlier_players=tuple(
            EarlierPlayer(new_name, each.end_index, erased=True) if each.user == user else each
            for each in row.earlier_players
        ),
    )
    return msgspec.structs.replace(changed_row, name=new_name, user=None) if row.user == user else changed_row


def _question_without_user(question: Question | None, user: int) -> Question | None:
    """Return a question without the user and their earlier questions.

    One that the user asked, and an open one that names the user, is gone; what was declined before it is
    remembered.
    """
    if question is None:
        return None
    asking_user = None if question.asker is None else question.asker.user
    changed_question = msgspec.structs.replace(
        question,
        asked_users=tuple(each for each in question.asked_users if each != user),
        agreed_users=tuple(each for each in question.agreed_users if each != user),
        declined_by=None if question.declined_by == user else question.declined_by,
        declined_before=tuple(
            msgspec.structs.replace(each, declined_by=None) if each.declined_by == user else each
            for each in question.declined_before
            if each.user != user
        ),
    )
    is_named = user in {*question.asked_users, *question.agreed_users}
    if user == asking_user or (not question.declined and is_named):
        return changed_question.earlier_declined_question
    return changed_question
