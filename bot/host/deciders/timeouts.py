"""What follows when a player's time is over, and how they come back.  Pure functions.

A substitute is a computer player that plays for a person, who keeps the seat and may come back at any time.
"""

import dataclasses
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from bot.host.deciders.clocks import with_turn_timer
from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    BOARD_EDIT_DELIVERY,
    Decision,
    notice_delivery,
    secret_hand_deliveries,
    time_over_delivery,
)
from bot.host.request import FROZEN_REFUSAL_TEXT, NO_SEAT_REFUSAL_TEXT, Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.store.clock_rows import SeatClock, TimeControl, TimeoutAction, TurnStage, TurnTimer
from bot.store.delivery_rows import LATE_PLAYER, NewDelivery
from bot.store.preferences import PersonRow
from bot.store.rows import LIVE_STATUSES, Status
from rules.model import SEAT_LETTERS, Seat

BACK_LABEL: Final = "I'm back"
"""The label of the button with which a person takes the seat back from a substitute."""
RESUME_LABEL: Final = "Resume"
"""The label of the button with which a paused game goes on."""


def playing_users(table: Table) -> tuple[int, ...]:
    """Return the users who play themselves: not those who resigned or for whom a computer plays."""
    resigned_seats = frozenset[Seat]() if table.match is None else table.match.resigned_seats
    users = (row.playing_user for i, row in enumerate(table.seats) if Seat(i) not in resigned_seats)
    return tuple(user for user in users if user is not None)


def expire(
    table: Table,
    people: Mapping[int, PersonRow],
    now: int,
    *,
    computer: str,
    is_turn_announced: bool = True,
) -> Decision | None:
    """Return the decision on a turn whose time is over, or on a deadline or an absence that has changed.

    None if nothing changes.  ``computer``: the key of the computer player that plays for people.
    ``is_turn_announced``: otherwise the time begins again, since its player may not know of the turn.
    """
    before = table
    table = with_turn_timer(table, people, now)  # settings of the player may have moved the deadline
    timer = table.row.turn_timer
    if timer is not None and _is_expired(timer, now):
        if not is_turn_announced:
            return Decision(table=with_restarted_turn_time(table), answer="")
        return _time_out(table, timer, now, computer)
    if table.row == before.row:
        return None
    return Decision(table=table, answer="", deliveries=(BOARD_EDIT_DELIVERY,))


def _is_expired(timer: TurnTimer, now: int) -> bool:
    return timer.deadline is not None and timer.deadline <= now


def _time_out(table: Table, timer: TurnTimer, now: int, computer: str) -> Decision:
    """Return the decision on a turn whose time is over: the grace period first, if the clock has one."""
    control = table.row.time_control
    assert control is not None, "without a clock there is no deadline"
    if timer.stage is TurnStage.RUNNING and control.grace_seconds:
        grace_timer = replace(timer, stage=TurnStage.GRACE, runs_from=now, seconds_left=control.grace_seconds)
        return Decision(table=table.with_row(turn_timer=grace_timer), answer="", deliveries=(BOARD_DELIVERY,))
    return _miss_turn(table, timer, control, now, computer)


def grace_text(table: Table, timer: TurnTimer) -> str:
    """Return whose time is over, and what follows after the grace period."""
    name = table.names[timer.seat]
    end_text = f"The grace period ends <t:{timer.deadline}:f>, <t:{timer.deadline}:R>."
    consequence_text = f"If {name} does not play in the grace period, {_consequence_text(table, timer)}."
    return f"{name}'s time is over. {consequence_text} {end_text}"


def _consequence_text(table: Table, timer: TurnTimer) -> str:
    """Return what follows after the grace period, as the rest of a sentence."""
    name, control = table.names[timer.seat], table.row.time_control
    assert control is not None, "without a clock there is no deadline"
    if _is_last_person(table, timer):
        return "the game is paused"
    match _timeout_action(control, _consecutive_missed_turn_count(table, timer) + 1):
        case TimeoutAction.REMIND:
            return "the turn counts as missed and the time begins again"
        case TimeoutAction.PLAY_TURN:
            return "a computer player plays this turn"
        case TimeoutAction.SUBSTITUTE:
            return f"a computer player plays until {name} is back"
        case TimeoutAction.ALLOW_SUBSTITUTE:
            return f"the others may have a computer player play for {name}"


def _consecutive_missed_turn_count(table: Table, timer: TurnTimer) -> int:
    """Return how many turns in a row the player of a timer has missed before this one."""
    clock = table.seats[timer.seat].clock
    return 0 if clock is None else clock.consecutive_missed_turn_count


def _timeout_action(control: TimeControl, consecutive_count: int) -> TimeoutAction:
    """Return what follows after ``consecutive_count`` turns missed in a row."""
    may_repeat = control.on_timeout in {TimeoutAction.REMIND, TimeoutAction.PLAY_TURN}
    return (
        TimeoutAction.SUBSTITUTE
        if may_repeat and consecutive_count >= control.max_missed_turns
        else control.on_timeout
    )


def _is_last_person(table: Table, timer: TurnTimer) -> bool:
    """Whether the person whose time a timer counts is the only one who plays."""
    return set(playing_users(table)) == {timer.user}


def _miss_turn(table: Table, timer: TurnTimer, control: TimeControl, now: int, computer: str) -> Decision:
    """Return what follows a missed turn: its time is over, and its grace period if the clock has one."""
    name, consecutive_count = table.names[timer.seat], _consecutive_missed_turn_count(table, timer) + 1
    if _is_last_person(table, timer):
        text = f"{LATE_PLAYER} did not play in time and no other person is playing, so the game is paused."
        text += f" Press **{RESUME_LABEL}** below to go on."
        return _time_over_decision(pause_without_players(table), Seat(timer.seat), text)
    table = _with_consecutive_missed_turns(table, timer, consecutive_count)
    count_text = f"(missed turn {consecutive_count} of {control.max_missed_turns})"
    match _timeout_action(control, consecutive_count):
        case TimeoutAction.REMIND:
            restarted_timer = replace(
                timer,
                runs_from=now,
                seconds_left=control.turn_seconds,
                stage=TurnStage.RUNNING,
                missed=True,
            )
            text = f"{name} did not play in time {count_text}."
            text += " The time begins again."
            return _announced_decision(table.with_row(turn_timer=restarted_timer), text)
        case TimeoutAction.PLAY_TURN:
            text = f"{name} did not play in time {count_text}."
            text += " A computer player plays this turn."
            table = table.with_row(turn_timer=replace(timer, missed=True))  # an undo may come back to it
            table = _with_substitute(table, Seat(timer.seat), computer, only_turn_start=timer.turn_start)
            return _announced_decision(table, text)
        case TimeoutAction.SUBSTITUTE:
            text = f"{LATE_PLAYER} did not play in time. A computer player plays for them"
            return _substitute_player(table, Seat(timer.seat), computer, text)
        case TimeoutAction.ALLOW_SUBSTITUTE:
            timer_without_deadline = replace(timer, stage=TurnStage.SUBSTITUTE_ALLOWED, deadline=None)
            text = (
                f"{name} did not play in time. Anybody who plays here may press"
                f" **{substitute_label(name)}** below."
            )
            return _announced_decision(table.with_row(turn_timer=timer_without_deadline), text)


def _with_consecutive_missed_turns(table: Table, timer: TurnTimer, consecutive_count: int) -> Table:
    row = table.seats[timer.seat]
    clock = row.clock or SeatClock()
    clock = replace(
        clock, consecutive_missed_turn_count=consecutive_count, missed_turn_count=clock.missed_turn_count + 1
    )
    return table.with_seat(timer.seat, replace(row, clock=clock))


def _announced_decision(table: Table, text: str) -> Decision:
    """Return a decision whose text is posted at the table with a new board."""
    return Decision(table=table, answer=text, deliveries=(notice_delivery(text), BOARD_DELIVERY))


def _time_over_decision(table: Table, seat: Seat, text: str) -> Decision:
    """Return a decision whose text, with ``LATE_PLAYER`` in it, is posted with a new board."""
    user = table.seats[seat].user
    assert user is not None, "the time of a computer player is never over"
    return Decision(
        table=table,
        answer=text.replace(LATE_PLAYER, table.names[seat]),
        deliveries=(time_over_delivery(seat, user, text), BOARD_DELIVERY),
    )


def _substitute_player(table: Table, seat: Seat, computer: str, announcement: str) -> Decision:
    """Have a computer player play for a person; the announcement goes on with "until they are back"."""
    announcement += " until they are back."
    announcement += f" To come back, press **Play** at any time, or **{BACK_LABEL}** under **More**."
    return _time_over_decision(_with_substitute(table, seat, computer), seat, announcement)


def _with_substitute(table: Table, seat: Seat, computer: str, *, only_turn_start: int | None = None) -> Table:
    """Return the table with a computer player that plays for a person: until they come back, or one turn.

    ``only_turn_start``: the index in the history where that one turn begins.
    """
    assert table.match is not None
    since_index = len(table.match.history) if only_turn_start is None else None
    substituted_row = replace(
        table.seats[seat],
        substitute=computer,
        substitute_only_turn_start=only_turn_start,
        substituted_since_index=since_index,
    )
    return table.with_seat(seat, substituted_row)


def substitute_label(name: str) -> str:
    """Return the label of the button that has a computer player play for a person.

    ``name``: theirs, unescaped on the button, escaped in a message.
    """
    return f"Let a computer play for {name}"


def substitutable_seat(table: Table) -> Seat | None:
    """Return the seat for which the others may have a computer player play now."""
    timer = table.row.turn_timer
    if table.status is not Status.PLAYING or timer is None or timer.stage is not TurnStage.SUBSTITUTE_ALLOWED:
        return None
    return Seat(timer.seat)


def may_let_computer_play(table: Table, request: Request) -> bool:
    """Whether a user may have a computer player play for the person whose time is over."""
    seat = substitutable_seat(table)
    if seat is None:
        return False
    return _plays_against(table, seat, request) or table.may_moderate(request)


def _plays_against(table: Table, seat: Seat, request: Request) -> bool:
    """Whether a user plays at another seat."""
    return request.user in playing_users(table) and request.user != table.seats[seat].user


def let_computer_play(table: Table, request: Request, *, computer: str) -> Decision:
    """Have a computer player play for the person whose time is over.  Raises Refusal."""
    seat = substitutable_seat(table)
    if table.status is Status.FROZEN:
        raise Refusal(FROZEN_REFUSAL_TEXT)
    if seat is None:
        raise Refusal("You cannot let a computer play now. The newest board shows how the game stands.")
    if table.seats[seat].user == request.user:
        raise Refusal("It is still your turn. Press **Play**.")
    if not may_let_computer_play(table, request):
        raise Refusal("Only the others who play at this table, its host or an admin can do that.")
    is_player = _plays_against(table, seat, request)
    who = table.name_of(request.user) if is_player else table.moderator_name(request)
    text = f"{who} lets a computer player play for"
    decision = _substitute_player(table, seat, computer, f"{text} {LATE_PLAYER}")
    return (
        decision if is_player else dataclasses.replace(decision, audit_entry=f"{text} {table.names[seat]}.")
    )


def is_everybody_substituted(table: Table) -> bool:
    """Whether computer players play, until they are back, for all people who have not resigned.

    False where there are none.
    """
    users = table.unresigned_users
    return bool(users) and all(row.is_substituted_until_back for row in table.seats if row.user in users)


def has_no_active_player(table: Table) -> bool:
    """Whether nobody plays, or only a person whose time is over and for whom nobody is left to decide."""
    seat = substitutable_seat(table)
    is_late_alone = seat is not None and set(playing_users(table)) <= {table.seats[seat].user}
    return is_late_alone or is_everybody_substituted(table)


def with_restarted_turn_time(table: Table) -> Table:
    """Return a table at which the turn begins anew, with a whole turn's time, once the game is played."""
    timer = table.row.turn_timer
    if timer is None:
        return table
    return table.with_row(
        turn_timer=replace(timer, seconds_left=None, deadline=None, stage=TurnStage.RUNNING)
    )


def pause_without_players(table: Table) -> Table:
    """Return a table that is paused until a player resumes it; the turn then gets a whole turn's time."""
    return with_restarted_turn_time(table).with_row(status=Status.PAUSED, players_may_resume=True)


def resumer_text(table: Table) -> str:
    """Return who may resume a paused game, as the subject of a sentence."""
    return "Every player" if table.row.players_may_resume else "The host or an admin"


def is_substituted(table: Table, user: int) -> bool:
    """Whether a computer player plays for a user in a game that is not over."""
    seat = table.seat_of(user)
    return seat is not None and table.status in IN_PLAY and table.seats[seat].substitute is not None


def come_back(table: Table, request: Request) -> Decision:
    """Take the requester's seat back from a substitute.  Raises Refusal."""
    seat = table.seat_of(request.user)
    if seat is None or not is_substituted(table, request.user):
        raise Refusal(_no_return_text(table, seat, request.user))
    changed_table = without_substitute(table, seat)
    answer, board_delivery = "Welcome back. You play again.", BOARD_EDIT_DELIVERY
    if changed_table.to_act == seat:
        answer, board_delivery = f"{answer} It is your turn: press **Play**.", BOARD_DELIVERY
    if changed_table.status is Status.PAUSED:
        answer = f"Welcome back. The game is paused. {resumer_text(table)} can resume it at the newest board."
    return Decision(
        table=changed_table,
        answer=answer,
        deliveries=(board_delivery, *come_back_deliveries(table, seat), *secret_hand_deliveries(table, seat)),
    )


def lost_seat_text(table: Table, user: int) -> str:
    """Return that a user has no seat, and if they had one, who has it now."""
    for name, row in zip(table.names, table.seats, strict=True):
        if any(each.user == user for each in row.earlier_players):
            return f"{name} has your seat now. `/board` shows the game."
    return NO_SEAT_REFUSAL_TEXT


def _no_return_text(table: Table, seat: Seat | None, user: int) -> str:
    """Return why a user cannot take a seat back now; ``seat``: theirs."""
    if seat is None:
        return lost_seat_text(table, user)
    if table.status is Status.FROZEN and table.seats[seat].substitute is not None:
        return f"This game is frozen. Once it goes on, you can press **{BACK_LABEL}** again."
    if table.status not in LIVE_STATUSES:
        return "This game is over, so nobody plays in it any more."
    return "No computer player is playing for you here. Your seat is yours."


def come_back_deliveries(table: Table, seat: Seat) -> tuple[NewDelivery, ...]:
    """Return the deliveries that announce that a person takes the seat back from a substitute.

    None are needed in the person's own turn, whose message says who plays, unless the seat was offered.
    """
    name, row = table.names[seat], without_substitute(table, seat).seats[seat]
    is_kept = table.seats[seat].offer is not None and row.offer is None
    kept_text = f" Seat {SEAT_LETTERS[seat]} stays with {name}." if is_kept else ""
    if table.to_act == seat and not kept_text:
        return ()
    return (notice_delivery(f"{name} is back and plays again.{kept_text}"),)


def without_substitute(table: Table, seat: Seat) -> Table:
    """Return the table with a person playing again, with a whole turn's time and no turns missed in a row.

    Their seat is no longer offered unless they agreed to that.
    """
    row = table.seats[seat]
    clock = (
        None
        if row.clock is None
        else replace(row.clock, consecutive_missed_turn_count=0, last_turn_start=None)
    )
    row = replace(
        row, substitute=None, substitute_only_turn_start=None, substituted_since_index=None, clock=clock
    )
    return table.with_seat(seat, row.without_contested_offer())
