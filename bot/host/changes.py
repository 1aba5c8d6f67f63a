"""From a decision to the transaction that stores it: timers, records and deliveries.  Pure functions."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import msgspec

from bot.host.deciders.clocks import has_moved_deadline, with_shown_deadline, with_turn_timer
from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    BOARD_EDIT_DELIVERY,
    LOBBY_DELIVERY,
    THREAD_NAME_DELIVERY,
    Decision,
    closing_deliveries,
    new_host_deliveries,
    offer_delivery,
    outdated_hand_deliveries,
    question_delivery,
    ready_check_delivery,
)
from bot.host.deciders.idle import with_activity
from bot.host.deciders.reminders import early_notice_update_deliveries, with_turn_notices
from bot.host.deciders.results import result_of
from bot.host.deciders.voting import question_update_delivery
from bot.host.game_guard import GameFault
from bot.host.names import sanitize_name
from bot.host.request import Request
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import first_undone_turn_start
from bot.store.delivery_rows import NewDelivery
from bot.store.personal_data import ErasedPerson
from bot.store.preferences import PersonRow
from bot.store.rows import ENDED_STATUSES, Change, RecordRow
from bot.store.seat_rows import Person
from rules import notation
from rules.model import MODERATOR, Seat
from rules.record import Cut, Record


def decide_and_narrate(table: Table, decide: Callable[[Table], Decision | None]) -> Decision | None:
    """Make a decision, narrate it, and add the result of a game that it ends.

    Raises GameFault, and what ``decide`` raises.
    The decision is narrated here so that a fault in the game's words comes before the commit, not after it.
    """
    decision = decide(table)
    if decision is None:
        return None
    after = decision.table.match
    undone_from_index = (
        None if after is None or after is table.match else first_undone_turn_start(table.match, after)
    )
    result = result_of(table, decision.table)
    return replace(
        decision, table=decision.table.with_log(), undone_from_index=undone_from_index, result=result
    )


def complete_decision(
    before: Table | None,
    request: Request | None,
    decision: Decision,
    people: Mapping[int, PersonRow],
    now: int,
) -> Decision:
    """Return a decision with the next version of its table, its timers, and all deliveries that follow.

    ``before``: None for a table that is opened, or frozen when it is loaded.  ``people``: those at the
    table, by user.
    """
    after = decision.table
    after = after.with_row(version=after.row.version + 1, to_act=_seat_to_act(after))
    after = _with_noted_resignations(after)
    after = with_activity(before, _with_shown_people(before, after, request, decision.erased_person), now)
    turn_notice_deliveries: tuple[NewDelivery, ...] = ()
    with contextlib.suppress(GameFault):  # the next call of the game raises it again
        after = with_turn_timer(after, people, now)
        after, turn_notice_deliveries = with_turn_notices(after, people, now)
    deliveries = (*decision.deliveries, *turn_notice_deliveries)
    if before is not None:
        if has_moved_deadline(before, after) and BOARD_DELIVERY not in deliveries:
            deliveries = (*deliveries, BOARD_DELIVERY)
        is_board_queued = BOARD_DELIVERY in deliveries
        if is_board_queued:  # the new board shows what an edit of the old one would
            deliveries = tuple(each for each in deliveries if each != BOARD_EDIT_DELIVERY)
        after = with_shown_deadline(before, after, is_board_queued=is_board_queued)
        # In these slots the decision itself says what happened.
        decided_slots = {each.slot for each in deliveries}
        question_update = question_update_delivery(before, after)
        following_deliveries = (
            *closing_deliveries(before, after),
            *new_host_deliveries(before, after),
            *(() if question_update is None else (question_update,)),
            *_hand_deliveries_on_pause_or_resume(before, after),
            *early_notice_update_deliveries(before, after),
            *_lobby_delivery_at_end(before, after),
            *(_thread_name_deliveries(before, after) if decision.erased_person is None else ()),
        )
        deliveries = (*deliveries, *(each for each in following_deliveries if each.slot not in decided_slots))
        updated_slots = {each.slot for each in deliveries}
        postponed_time_deliveries = _deliveries_of_postponed_times(before, after)
        deliveries = (
            *deliveries,
            *(each for each in postponed_time_deliveries if each.slot not in updated_slots),
        )
    return replace(decision, table=after, deliveries=deliveries)


def _hand_deliveries_on_pause_or_resume(before: Table, after: Table) -> Iterable[NewDelivery]:
    """Yield the hand of the player to act, whose message asks for a move, if a game was paused or resumed.

    The others' messages ask for nothing and are not sent again.  A frozen game may not be called.
    """
    if {before.status, after.status} == IN_PLAY:
        for delivery in outdated_hand_deliveries(before, after):
            if delivery.slot.seat in {before.to_act, after.to_act}:
                yield delivery


def _lobby_delivery_at_end(before: Table, after: Table) -> Iterator[NewDelivery]:
    """Yield the message of the lobby, which says how the game ended, if a change has ended it."""
    if before.status not in ENDED_STATUSES and after.status in ENDED_STATUSES:
        yield LOBBY_DELIVERY


def _thread_name_deliveries(before: Table, after: Table) -> Iterator[NewDelivery]:
    """Yield the thread of a game in progress, whose name names its players, if a seat has a new player."""
    is_in_thread = after.row.game_channel != after.row.lobby_channel
    if is_in_thread and after.status in IN_PLAY and before.plain_names != after.plain_names:
        yield THREAD_NAME_DELIVERY


def _deliveries_of_postponed_times(before: Table, after: Table) -> Iterator[NewDelivery]:
    """Yield the messages that show a time which an outage has moved; boards follow from moved deadlines."""
    old_row, new_row = before.row, after.row
    if old_row.clocks_running_since == new_row.clocks_running_since:
        return
    if new_row.expires_at is not None and old_row.expires_at != new_row.expires_at:
        yield LOBBY_DELIVERY
    if new_row.lobby.ready_check is not None:
        yield ready_check_delivery(new_row.lobby.ready_check)
    if new_row.question is not None and not new_row.question.declined:
        yield question_delivery(new_row.question)
    for seat, row in enumerate(new_row.seats):
        if row.offer is not None:
            yield offer_delivery(seat, row.offer)


def _with_shown_people(
    before: Table | None, after: Table, request: Request | None, erased_person: ErasedPerson | None
) -> Table:
    """Return the table with the names of all people without a seat whom its messages may show.

    These are the requester, people who have left the lobby or ask to join, and those who are offered a seat.
    """
    people = (
        []
        if request is None
        else [Person(request.user, after.distinct_name(sanitize_name(request.name), request.user))]
    )
    for table in (before, after):
        if table is None:
            continue
        people += (Person(each.user, each.name) for each in table.row.lobby.applicants)
        for seat in table.seats:
            if seat.offer is not None and seat.offer.newcomer is not None:
                people.append(seat.offer.newcomer)
            if table.match is None and seat.user is not None:
                people.append(Person(seat.user, seat.name))
    excluded_users = {*after.row.users, *(() if erased_person is None else (erased_person.user,))}
    return after.with_row(
        lobby=after.row.lobby.with_shown_people(each for each in people if each.user not in excluded_users)
    )


def make_change(
    before: Table | None,
    decision: Decision,
    request: Request | None,
    answered_interactions: tuple[int, ...],
    now: int,
) -> Change:
    """Return the transaction that stores a complete decision.

    ``answered_interactions``: earlier interactions whose answers have arrived.
    """
    return Change(
        row=decision.table.row,
        answer=decision.repeat_answer or decision.answer,
        interaction=request.interaction if request else None,
        records=_record_rows(before, decision.table, request, now),
        deliveries=decision.deliveries,
        undone_from_index=decision.undone_from_index,
        result=decision.result,
        audit_entry=decision.audit_entry,
        user=request.user if request else None,
        at=now,
        move_number=decision.move_number,
        awaits_answer=request is not None and request.response_gate is not None,
        answered_interactions=answered_interactions,
        erased_person=decision.erased_person,
        rematch_of=decision.rematch_of,
        has_changed_channel=before is not None and before.row.game_channel != decision.table.row.game_channel,
    )


def _record_rows(
    before: Table | None, after: Table, request: Request | None, now: int
) -> tuple[RecordRow, ...]:
    """Return the rows of the records that a change has added."""
    match = after.match
    if match is None or (before is not None and before.row.ply == match.ply):
        return ()
    first_ply = match.ply - len(match.new_records) + 1
    requester_seat = before.seat_of(request.user) if before is not None and request is not None else None
    return tuple(
        RecordRow(
            ply=ply,
            actor=record.actor,
            action=notation.write_action(record.action),
            auto=record.auto,
            user=_user_who_cut(before, record) or _user_of_record(record.actor, requester_seat, request),
            at=now,
        )
        for ply, record in enumerate(match.new_records, first_ply)
    )


def _user_who_cut(before: Table | None, record: Record) -> int | None:
    """Return the user who cut the deck; the records of all cuts are made in one request, at the start."""
    if before is None or not isinstance(record.action, Cut):
        return None
    return before.seats[record.actor].user


def _user_of_record(actor: int, requester_seat: Seat | None, request: Request | None) -> int | None:
    """Return the user who made a record, a player or a moderator; None for computers and chance."""
    if request is None:
        return None
    return request.user if actor in {requester_seat, MODERATOR} else None


def _seat_to_act(table: Table) -> int | None:
    """Return the seat to act, for lists of tables; None where the game fails."""
    with contextlib.suppress(GameFault):
        return table.to_act
    return None


def _with_noted_resignations(table: Table) -> Table:
    """Return the table with a note at each seat whether it has resigned, for lists of tables."""
    if table.match is None:
        return table
    resigned = table.match.resigned_seats
    seats = tuple(
        msgspec.structs.replace(row, has_resigned=Seat(i) in resigned) for i, row in enumerate(table.seats)
    )
    return replace(table, row=msgspec.structs.replace(table.row, seats=seats))  # it keeps the narrated log
