"""The turn that a table waits for, and its time.  Pure functions from a table to a table.

``bot.host.changes`` calls ``with_turn_timer`` for each change, so deciders of moves ignore clocks.
"""

import dataclasses
from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec.structs import replace

from bot.host.breaks import away_until, counted_seconds, deadline_after, with_counted_absences
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import current_turn_start, is_uninterrupted_turn
from bot.store.clock_rows import HOUR, SeatClock, TimeControl, TurnStage, TurnTimer
from bot.store.preferences import PersonRow
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import SeatRow
from rules.model import Seat

MIN_TIME_AFTER_UNDO: Final = HOUR
"""The least seconds for a turn to which an undo has led back."""
MIN_DEADLINE_CHANGE: Final = HOUR
"""By how many seconds a deadline must move for a message that shows it to be out of date.

A board is out of date also at any earlier deadline (``has_moved_deadline``).
"""
_TIMED_STAGES: Final = frozenset({TurnStage.RUNNING, TurnStage.GRACE})
"""The stages in which time runs down."""

PersonRows: TypeAlias = Mapping[int, PersonRow]
"""What people have set, by user."""


def with_turn_timer(table: Table, people: PersonRows, now: int) -> Table:
    """Return the table with the timer of the turn that it waits for, and who is away.

    ``people``: what the people at the table have set.  The same turn keeps its timer.  A clock that stands
    still keeps what is left; a deadline moves with what its player has set.
    """
    people = _people_with_counted_absences(table, people)
    if table.status in LIVE_STATUSES:
        table = _with_absences(table, people, now)
    timer = table.row.turn_timer
    if table.status is Status.PLAYING and (seat := table.to_act) is not None:
        return _with_current_turn(table, seat, people, now)
    if table.status in IN_PLAY or table.status is Status.FROZEN:
        return (
            table if timer is None else table.with_row(turn_timer=_stopped_timer(table, timer, people, now))
        )
    return table if timer is None else table.with_row(turn_timer=None)


def has_moved_deadline(before: Table, after: Table) -> bool:
    """Whether the same turn has another deadline than its board shows, so that the board is out of date.

    A deadline less than ``MIN_DEADLINE_CHANGE`` later than the board shows does not count: it harms nobody.
    """
    timer = after.row.turn_timer
    if timer is None or after.status is not Status.PLAYING or not _is_same_turn(before, timer):
        return False
    shown_deadline, deadline = timer.shown_deadline, timer.deadline
    is_earlier = shown_deadline is not None and deadline is not None and deadline < shown_deadline
    return is_earlier or is_outdated_deadline(shown_deadline, deadline)


def is_outdated_deadline(shown_deadline: int | None, deadline: int | None) -> bool:
    """Whether a message that shows a deadline is out of date, by ``MIN_DEADLINE_CHANGE`` at least."""
    if shown_deadline is None or deadline is None:
        return shown_deadline != deadline
    return abs(deadline - shown_deadline) >= MIN_DEADLINE_CHANGE


def with_shown_deadline(before: Table, after: Table, *, is_board_queued: bool) -> Table:
    """Return the table with the deadline that its newest board shows; a new turn always has a new board.

    ``is_board_queued``: a new board is among the deliveries of this change.
    """
    timer = after.row.turn_timer
    if timer is None or timer.shown_deadline == timer.deadline:
        return after
    if not is_board_queued and _is_same_turn(before, timer):
        return after
    return after.with_row(turn_timer=replace(timer, shown_deadline=timer.deadline))


def _is_same_turn(before: Table, timer: TurnTimer) -> bool:
    """Whether a timer is that of the turn for which the table waited before a change."""
    old = before.row.turn_timer
    turn_id = (timer.seat, timer.user, timer.turn_start)
    return old is not None and (old.seat, old.user, old.turn_start) == turn_id


def _people_with_counted_absences(table: Table, people: PersonRows) -> PersonRows:
    """Return what people have set, with only the absences that count in the table's server."""
    return {user: with_counted_absences(row, table.row.guild) for user, row in people.items()}


def _with_absences(table: Table, people: PersonRows, now: int) -> Table:
    """Return the table with the ends of absences; the seats are the same objects if nothing has changed."""
    ends = [None if row.user is None else away_until(people.get(row.user), now) for row in table.seats]
    for seat, (row, end) in enumerate(zip(table.seats, ends, strict=True)):
        if row.away_until != end:
            table = _with_seat_keeping_log(table, seat, replace(row, away_until=end))
    return table


def _with_seat_keeping_log(table: Table, seat: int, row: SeatRow) -> Table:
    """Return the table with another row of a seat, and with its log: the player's name is the same."""
    seats = tuple(row if i == seat else each for i, each in enumerate(table.seats))
    return dataclasses.replace(table, row=replace(table.row, seats=seats))


def _with_current_turn(table: Table, seat: Seat, people: PersonRows, now: int) -> Table:
    """Return the table with the timer of the turn of the seat to act; the last turn's time is saved first."""
    old, start = table.row.turn_timer, current_turn_start(table)
    known_start = None if old is None else _known_turn_start(table, seat, old)
    if known_start is not None and is_uninterrupted_turn(table, seat, known_start):
        start = known_start
    table = _without_past_substitutes(table, seat, start)
    user = table.seats[seat].playing_user
    if old is not None and (old.seat, old.user, old.turn_start) == (seat, user, start):
        timer = _running_timer(table, old, people, now)
    else:
        if old is not None:
            table = _with_finished_turn(table, old, start, people, now)
        missed = user is not None and _is_missed_again(table.seats[seat], start)
        timer = TurnTimer(seat=seat, user=user, turn_start=start, began_at=now, runs_from=now, missed=missed)
        timer = _running_timer(table, timer, people, now)
    return table if timer == old and table.row.turn_timer is old else table.with_row(turn_timer=timer)


def _known_turn_start(table: Table, seat: Seat, old: TurnTimer) -> int | None:
    """Return where the last turn of a seat began, if it may go on; ``old``: the timer before the change."""
    if old.seat == seat:
        return old.turn_start
    assert table.match is not None
    is_undone = len(table.match.history) < old.turn_start
    clock = table.seats[seat].clock
    return clock.last_turn_start if is_undone and clock is not None else None


def _is_missed_again(row: SeatRow, start: int) -> bool:
    """Whether an undo has led back to a missed turn: it stays missed, however it is played again."""
    clock = row.clock
    return clock is not None and clock.last_turn_start == start and clock.last_turn_was_missed


def _without_past_substitutes(table: Table, seat: Seat, start: int) -> Table:
    """Return the table without the substitutes that played one turn only, if that turn is over."""
    for i, row in enumerate(table.seats):
        if row.substitute_only_turn_start is not None and (i, row.substitute_only_turn_start) != (
            seat,
            start,
        ):
            table = _with_seat_keeping_log(
                table, i, replace(row, substitute=None, substitute_only_turn_start=None)
            )
    return table


def _running_timer(table: Table, timer: TurnTimer, people: PersonRows, now: int) -> TurnTimer:
    """Return the timer of a turn that goes on: its clock runs, if its player has one."""
    control = table.row.time_control
    if control is None or timer.user is None:
        return replace(timer, seconds_left=None, deadline=None)
    if timer.stage not in _TIMED_STAGES:
        return timer
    person = people.get(timer.user)
    if timer.seconds_left is None:
        seconds_left = _seconds_for_turn(control, table.seats[timer.seat], timer.turn_start)
        timer = replace(timer, runs_from=now, seconds_left=seconds_left, stage=TurnStage.RUNNING)
    elif timer.deadline is None:
        timer = replace(timer, runs_from=now)
    assert timer.seconds_left is not None
    return replace(
        timer, deadline=deadline_after(person, control.sleep_hours, timer.runs_from, timer.seconds_left)
    )


def _stopped_timer(table: Table, timer: TurnTimer, people: PersonRows, now: int) -> TurnTimer:
    """Return the timer with its clock standing still."""
    if timer.deadline is None:
        return timer
    return replace(timer, runs_from=now, seconds_left=time_left(table, timer, people, now), deadline=None)


def with_time_control(table: Table, control: TimeControl | None) -> Table:
    """Return the table with another clock, which starts anew for everybody and for the current turn.

    The number of turns that somebody has missed in the whole game stays.
    """
    bank_seconds = 0 if control is None else control.bank_seconds or 0
    seats = tuple(
        seat
        if seat.clock is None
        else replace(
            seat, clock=SeatClock(bank_seconds=bank_seconds, missed_turn_count=seat.clock.missed_turn_count)
        )
        for seat in table.seats
    )
    timer = table.row.turn_timer
    if timer is not None:
        timer = replace(timer, seconds_left=None, deadline=None, stage=TurnStage.RUNNING, missed=False)
    row = replace(table.row, seats=seats, turn_timer=timer, time_control=control)
    return dataclasses.replace(table, row=row)


def with_postponed_due_times(table: Table, people: PersonRows, begin: int, end: int) -> Table:
    """Return the table as if no time had passed between two times: what is due falls due later.

    Reminders, absences and the idle time stay.  Time that was made up for before does not count again.  Time
    before the last move never counts, since somebody could play then.
    """
    row = table.row
    begin = max(begin, row.clocks_running_since, row.active_at)
    delay = end - begin
    if delay <= 0:
        return table
    seats = tuple(
        seat if seat.offer is None else replace(seat, offer=replace(seat.offer, due=seat.offer.due + delay))
        for seat in row.seats
    )
    question, check = row.question, row.lobby.ready_check
    row = replace(
        row,
        seats=seats,
        expires_at=None if row.expires_at is None else row.expires_at + delay,
        question=None if question is None else replace(question, due=question.due + delay),
        lobby=row.lobby
        if check is None
        else replace(row.lobby, ready_check=replace(check, due=check.due + delay)),
        clocks_running_since=end,
    )
    timer = row.turn_timer
    if timer is not None and timer.deadline is not None and timer.seconds_left is not None:
        seconds_left = time_left(table, timer, _people_with_counted_absences(table, people), begin)
        row = replace(
            row,
            turn_timer=replace(timer, runs_from=end, seconds_left=seconds_left, deadline=end + seconds_left),
        )
    return dataclasses.replace(table, row=row)


def has_postponable_times(table: Table) -> bool:
    """Whether a table has any time that ``with_postponed_due_times`` moves."""
    row, timer = table.row, table.row.turn_timer
    return (
        row.expires_at is not None
        or row.question is not None
        or row.lobby.ready_check is not None
        or any(seat.offer is not None for seat in row.seats)
        or (timer is not None and timer.deadline is not None)
    )


def time_left(table: Table, timer: TurnTimer, people: PersonRows, now: int) -> int:
    """Return the counted seconds that are left of a turn; 0 without a clock."""
    if timer.seconds_left is None or timer.deadline is None:
        return timer.seconds_left or 0
    control = table.row.time_control
    person = None if timer.user is None else people.get(timer.user)
    sleep_hours = 0 if control is None else control.sleep_hours
    return max(0, timer.seconds_left - counted_seconds(person, sleep_hours, timer.runs_from, now))


def _seconds_for_turn(control: TimeControl, row: SeatRow, start: int) -> int:
    """Return the seconds for the turn that begins at an index of the history.

    The first undo back to a turn gives it at least ``MIN_TIME_AFTER_UNDO``; later ones add nothing.
    """
    clock = row.clock or SeatClock(bank_seconds=control.bank_seconds or 0)
    full_time = control.turn_seconds + min(clock.bank_seconds, control.bank_seconds or 0)
    if clock.last_turn_start != start:
        return full_time
    if clock.last_turn_was_resumed:
        return clock.last_seconds_left
    return max(clock.last_seconds_left, min(full_time, MIN_TIME_AFTER_UNDO))


def _with_finished_turn(
    table: Table, timer: TurnTimer, next_start: int, people: PersonRows, now: int
) -> Table:
    """Return the table with the time left of a finished turn saved; ``next_start``: of the next turn."""
    control, row = table.row.time_control, table.seats[timer.seat]
    if control is None or timer.seconds_left is None or row.user != timer.user:
        return table
    seconds_left = time_left(table, timer, people, now) if timer.stage is TurnStage.RUNNING else 0
    clock = row.clock or SeatClock(bank_seconds=control.bank_seconds or 0)
    is_saved = next_start > timer.turn_start  # an undo that ends a turn saves nothing of it
    was_missed = timer.missed or timer.stage not in _TIMED_STAGES
    on_time = is_saved and not was_missed
    clock = SeatClock(
        bank_seconds=min(seconds_left, (control.bank_seconds or 0) if is_saved else clock.bank_seconds),
        consecutive_missed_turn_count=0 if on_time else clock.consecutive_missed_turn_count,
        missed_turn_count=clock.missed_turn_count,
        last_turn_start=timer.turn_start,
        last_seconds_left=seconds_left,
        last_turn_was_missed=was_missed,
        last_turn_was_resumed=clock.last_turn_start == timer.turn_start,
    )
    return _with_seat_keeping_log(table, timer.seat, replace(row, clock=clock))
