"""Reminders of a turn, and the early notice to the player after it.  Pure functions.

``bot.host.changes`` calls ``with_turn_notices`` for each change, so deciders of moves ignore notices.
A reminder is queued when it is due, and checked again when it is sent.
"""

from typing import Final

from msgspec.structs import replace

from bot.host.breaks import away_until, with_counted_absences
from bot.host.deciders.clocks import PersonRows, is_outdated_deadline
from bot.host.deciders.decision import BOARD_EDIT_DELIVERY, Decision
from bot.host.local_time import quiet_hours_end
from bot.host.table import Table
from bot.host.table_turns import next_seat
from bot.store.clock_rows import DAY, TurnStage, TurnTimer
from bot.store.delivery_rows import DeliveryKind, NewDelivery, Slot
from bot.store.notice_rows import TurnNotices
from bot.store.preferences import PersonRow
from bot.store.rows import Status

MAX_REMINDERS: Final = 2
"""The most reminders of a turn, counted again if its deadline moves."""
DEFAULT_INTERVAL: Final = DAY
"""Seconds before a reminder of a turn without a deadline, unless its player has set an interval."""
MIN_INTERVAL: Final = 1800
"""The least seconds before a reminder."""


def reminder_delivery(seat: int, turn_start: int) -> NewDelivery:
    """Return the delivery that posts a reminder of a turn, or removes it once the turn is over."""
    return NewDelivery(Slot(DeliveryKind.REMINDER, seat, turn_start))


def early_notice_delivery(seat: int, turn_start: int) -> NewDelivery:
    """Return the delivery that sends or removes the notice to a seat's player that their turn comes next.

    ``turn_start``: the index in the history of the turn before theirs.
    """
    return NewDelivery(Slot(DeliveryKind.EARLY_NOTICE, seat, turn_start))


def no_notices_until(person: PersonRow, guild: int | None, now: int) -> int | None:
    """Return until when a person gets no notices of tables in a server; None: they may get one now.

    They get none in quiet hours, while they snooze, and while an absence stops their clocks there.
    """
    person, until = with_counted_absences(person, guild), now
    while (end := _silence_end(person, until)) is not None:
        until = end
    return until if until > now else None


def _silence_end(person: PersonRow, at: int) -> int | None:
    """Return when the last of quiet hours, snooze and absence that cover a time ends; None if none does."""
    snooze_end = person.snoozed_until if person.snoozed_until > at else None
    ends = [
        end for end in (quiet_hours_end(person, at), snooze_end, away_until(person, at)) if end is not None
    ]
    return max(ends, default=None)


def with_turn_notices(table: Table, people: PersonRows, now: int) -> tuple[Table, tuple[NewDelivery, ...]]:
    """Return the table with the notices of the turn that it waits for, and the deliveries that follow.

    ``people``: what the people at the table have set.  Notices of another turn are removed.
    """
    old, timer = table.row.turn_notices, _person_turn_timer(table)
    if timer is None or timer.user is None:
        return (table if old is None else table.with_row(turn_notices=None)), turn_notice_removal_deliveries(
            old
        )
    person = people.get(timer.user) or PersonRow(timer.user)
    turn_id = (timer.seat, timer.user, timer.turn_start)
    if old is not None and (old.seat, old.user, old.turn_start) == turn_id:
        notices, deliveries = _with_current_early_notice(old, table, people, now)
        if is_outdated_deadline(old.deadline, timer.deadline):
            deliveries = (*deliveries, *_reminder_removal_deliveries(old))  # it names the old deadline
            notices = _with_moved_deadline(table, notices, timer, person, now)
        return (table if notices is old else table.with_row(turn_notices=notices)), deliveries
    notices = TurnNotices(
        *turn_id,
        deadline=timer.deadline,
        last_sent_at=now,
        early_notice_seat=_seat_for_early_notice(table, people, now),
    )
    deliveries = (*turn_notice_removal_deliveries(old), *_early_notice_deliveries(notices))
    return table.with_row(turn_notices=_with_next_reminder(notices, person)), deliveries


def note_departure(table: Table, user: int, *, has_left: bool) -> Decision | None:
    """Note whether the user whose turn it is has left the server; the board shows it.  None if it does."""
    notices = table.row.turn_notices
    if notices is None or notices.user != user or notices.has_left == has_left:
        return None
    changed_table = table.with_row(turn_notices=replace(notices, has_left=has_left))
    return Decision(table=changed_table, answer="", deliveries=(BOARD_EDIT_DELIVERY,))


def _with_moved_deadline(
    table: Table, notices: TurnNotices, timer: TurnTimer, person: PersonRow, now: int
) -> TurnNotices:
    """Return the notices of a turn whose deadline has moved: its reminders begin again.

    A player who has missed the old deadline is reminded at once if the time begins again.  The grace period
    starts no reminders of its own.
    """
    is_running, control = timer.stage is TurnStage.RUNNING, table.row.time_control
    was_old_deadline_missed = notices.deadline is not None and notices.deadline <= now
    # After a downtime a deadline that fell into it is over too, but the turn goes on with the time left.
    has_whole_time = control is not None and timer.seconds_left == control.turn_seconds
    begins_again = is_running and timer.missed and was_old_deadline_missed and has_whole_time
    moved_notices = replace(
        notices,
        deadline=timer.deadline,
        last_sent_at=now,
        sent_count=0 if is_running else notices.sent_count,
        has_current_reminder=False,
    )
    return (
        replace(moved_notices, due=now)
        if begins_again and person.wants_reminders
        else _with_next_reminder(moved_notices, person)
    )


def _with_current_early_notice(
    old: TurnNotices, table: Table, people: PersonRows, now: int
) -> tuple[TurnNotices, tuple[NewDelivery, ...]]:
    """Return the notices with the early notice for the seat that is next now, and the deliveries that follow.

    Another seat may be next after somebody has resigned or is back: then the old notice is removed.
    """
    if old.early_notice_seat is not None and old.early_notice_seat == _next_seat_of_person(table):
        return old, ()
    notices = replace(old, early_notice_seat=_seat_for_early_notice(table, people, now))
    return notices, (*_early_notice_deliveries(old), *_early_notice_deliveries(notices))


def early_notice_update_deliveries(before: Table, after: Table) -> tuple[NewDelivery, ...]:
    """Return the delivery that replaces an early notice if its seat has another person now; else none."""
    old, new = before.row.turn_notices, after.row.turn_notices
    if old is None or new is None or old.early_notice_seat is None:
        return ()
    is_same = (old.early_notice_seat, old.turn_start) == (new.early_notice_seat, new.turn_start)
    if not is_same or before.seats[old.early_notice_seat].user == after.seats[old.early_notice_seat].user:
        return ()
    return (early_notice_delivery(old.early_notice_seat, old.turn_start),)


def _person_turn_timer(table: Table) -> TurnTimer | None:
    """Return the timer of the turn that a table in play waits for, if a person is to take it."""
    timer = table.row.turn_timer
    if table.status is not Status.PLAYING or timer is None or timer.user is None:
        return None
    return timer


def turn_notice_removal_deliveries(old: TurnNotices | None) -> tuple[NewDelivery, ...]:
    """Return the deliveries that remove the posted notices of a turn."""
    if old is None:
        return ()
    return (*_reminder_removal_deliveries(old), *_early_notice_deliveries(old))


def _early_notice_deliveries(notices: TurnNotices) -> tuple[NewDelivery, ...]:
    """Return the delivery that sends or removes the early notice of a turn; none if nobody gets one."""
    seat = notices.early_notice_seat
    return () if seat is None else (early_notice_delivery(seat, notices.turn_start),)


def _reminder_removal_deliveries(old: TurnNotices) -> tuple[NewDelivery, ...]:
    """Return the delivery that removes the posted reminder; none if there is none."""
    return (reminder_delivery(old.seat, old.turn_start),) if old.has_current_reminder else ()


def _seat_for_early_notice(table: Table, people: PersonRows, now: int) -> int | None:
    """Return the seat that plays next; None if it is not known or its player gets no notice now."""
    seat = _next_seat_of_person(table)
    user = None if seat is None else table.seats[seat].user
    person = None if user is None else people.get(user)
    if (
        person is None
        or not person.wants_early_notice
        or no_notices_until(person, table.row.guild, now) is not None
    ):
        return None
    return seat


def _next_seat_of_person(table: Table) -> int | None:
    """Return the seat that plays next; None if it is not known or no person plays there."""
    seat = next_seat(table)
    return None if seat is None or table.seats[seat].playing_user is None else seat


def _with_next_reminder(notices: TurnNotices, person: PersonRow) -> TurnNotices:
    """Return the notices with the time of the next reminder, by its player's settings."""
    if not person.wants_reminders or notices.sent_count >= MAX_REMINDERS:
        return replace(notices, due=None)
    if person.reminder_interval is not None:
        interval = person.reminder_interval
    elif notices.deadline is not None:
        interval = max(MIN_INTERVAL, (notices.deadline - notices.last_sent_at) // 2)
    else:
        interval = DEFAULT_INTERVAL
    due = notices.last_sent_at + interval
    return replace(notices, due=None if notices.deadline is not None and due >= notices.deadline else due)


def remind(table: Table, people: PersonRows, now: int) -> Decision | None:
    """Send the reminder that is due, put it off until its player gets notices again, or drop it.

    Return None if nothing is due.  One is sent, however many fell due while the bot was away.
    """
    notices, timer = table.row.turn_notices, table.row.turn_timer
    if notices is None or timer is None or notices.due is None or notices.due > now:
        return None
    deadline = timer.deadline
    person = people.get(notices.user) or PersonRow(notices.user)
    silent_until = no_notices_until(person, table.row.guild, now)
    is_dropped = not person.wants_reminders or (deadline is not None and deadline <= (silent_until or now))
    if is_dropped or silent_until is not None:
        unsent_notices = replace(notices, due=None if is_dropped else silent_until)
        return Decision(table=table.with_row(turn_notices=unsent_notices), answer="")
    sent_notices = replace(
        notices,
        deadline=deadline,
        last_sent_at=now,
        sent_count=notices.sent_count + 1,
        has_current_reminder=True,
    )
    sent_notices = _with_next_reminder(sent_notices, person)
    return Decision(
        table=table.with_row(turn_notices=sent_notices),
        answer="",
        deliveries=(reminder_delivery(notices.seat, notices.turn_start),),
    )


def reschedule(table: Table, person: PersonRow) -> Decision | None:
    """Apply a person's changed settings to their next reminder; None if it is not their turn."""
    notices = table.row.turn_notices
    if notices is None or notices.user != person.user:
        return None
    return Decision(table=table.with_row(turn_notices=_with_next_reminder(notices, person)), answer="")


def with_reminder_after_absence(table: Table, person: PersonRow, now: int) -> Table:
    """Return the table with the next reminder of somebody who is back, which the absence had put off.

    It comes ``MIN_INTERVAL`` from now at the earliest.
    """
    notices = table.row.turn_notices
    if notices is None or notices.user != person.user:
        return table
    notices = _with_next_reminder(notices, person)
    if notices.due is not None:
        due = max(notices.due, now + MIN_INTERVAL)
        is_too_late = notices.deadline is not None and due >= notices.deadline
        notices = replace(notices, due=None if is_too_late else due)
    return table.with_row(turn_notices=notices)


def is_current_notice(table: Table, slot: Slot) -> bool:
    """Whether a slot's reminder or early notice is about the turn that the table waits for."""
    notices = table.row.turn_notices
    if notices is None or notices.turn_start != slot.subject_id:
        return False
    if slot.kind is DeliveryKind.REMINDER:
        return slot.seat == notices.seat and notices.has_current_reminder
    return slot.seat == notices.early_notice_seat
