"""Texts about clocks, people who are away and those for whom a computer plays."""

from typing import Final

from bot.host.deciders.timeouts import grace_text
from bot.host.table import IN_PLAY, Table
from bot.store.clock_rows import DAY, HOUR, TimeControl, TimeoutAction, TurnStage
from rules.model import Seat

NO_CLOCK_TEXT: Final = "No clock"
TIMEOUT_ACTION_TEXTS: Final = {
    TimeoutAction.SUBSTITUTE: "a computer plays until the player is back",
    TimeoutAction.PLAY_TURN: "a computer plays this one turn",
    TimeoutAction.REMIND: "the player is reminded and the time begins again",
    TimeoutAction.ALLOW_SUBSTITUTE: "the others may let a computer play",
}
"""What follows when the time of a turn and the grace period are over."""


def duration_text(seconds: int) -> str:
    """Return a length of time in the largest unit that divides it: "2 days", "36 hours"."""
    for unit, name in ((7 * DAY, "week"), (DAY, "day"), (HOUR, "hour"), (60, "minute")):
        if seconds >= unit and seconds % unit == 0:
            return f"{seconds // unit} {name}{'' if seconds == unit else 's'}"
    return f"{seconds} seconds"


def time_control_text(control: TimeControl | None) -> str:
    """Return how much time players have: "12 hours a turn, and 3 days in reserve"."""
    if control is None:
        return NO_CLOCK_TEXT
    bank_text = (
        "" if control.bank_seconds is None else f", and {duration_text(control.bank_seconds)} in reserve"
    )
    return f"{duration_text(control.turn_seconds)} a turn{bank_text}"


def time_control_details_text(control: TimeControl | None) -> str:
    """Return how much time players have, which time does not count, and what follows a deadline."""
    if control is None:
        return f"{NO_CLOCK_TEXT}: everybody takes as long as they like."
    return f"{time_control_text(control)}. {time_control_conditions_text(control)}"


def time_control_conditions_text(control: TimeControl) -> str:
    """Return what refills the reserve, which time does not count, and what follows a deadline."""
    hours = control.sleep_hours
    sleep_text = (
        f"{hours} hours of each night do not count, once you set a time zone in `/settings`. "
        if hours
        else ""
    )
    when_text = (
        f"{duration_text(control.grace_seconds)} after a deadline"
        if control.grace_seconds
        else "After a deadline"
    )
    refill_text = "" if control.bank_seconds is None else "Time left after a turn refills the reserve. "
    return f"{refill_text}{sleep_text}{when_text} {TIMEOUT_ACTION_TEXTS[control.on_timeout]}."


def rough_duration_text(seconds: int) -> str:
    """Return a length of time without its smaller units: "2 days", "11 hours", "5 minutes"."""
    unit = next((each for each in (DAY, HOUR) if seconds >= 2 * each), 60)
    return duration_text(max(1, seconds // unit) * unit)


def reserve_text(table: Table, seat: int) -> str:
    """Return the time that a player has in reserve, after a separator.

    Empty without a reserve, and for the player to move: what is left of the turn includes the reserve, also
    in a pause.
    """
    control, row, timer = table.row.time_control, table.seats[seat], table.row.turn_timer
    has_turns = (
        table.status in IN_PLAY and table.match is not None and Seat(seat) not in table.match.resigned_seats
    )
    is_in_turn = timer is not None and timer.seat == seat and timer.seconds_left is not None
    if control is None or control.bank_seconds is None or row.user is None or not has_turns:
        return ""
    if table.to_act == seat or is_in_turn:
        return ""
    reserve = control.bank_seconds if row.clock is None else row.clock.bank_seconds
    return f" · {rough_duration_text(reserve) if reserve else 'nothing'} in reserve"


def clock_lines(table: Table) -> list[str]:
    """Return the last lines of a board: when the turn ends, or what may follow its end, and who is away."""
    lines, timer = [], table.row.turn_timer
    if timer is not None and timer.computed_deadline is not None and table.to_act is not None:
        if timer.stage is TurnStage.GRACE:
            lines.append(grace_text(table, timer))
        else:
            end_text = f"This turn ends <t:{timer.deadline}:f>, <t:{timer.deadline}:R>."
            lines.append(f"Clock: {time_control_text(table.row.time_control)}. {end_text}")
    if timer is not None and timer.stage is TurnStage.SUBSTITUTE_ALLOWED and table.to_act is not None:
        name, is_offered = table.names[timer.seat], table.seats[timer.seat].offer is not None
        offer_text = "" if is_offered else " or offer the seat to anybody"
        lines.append(f"Time is over. Until {name} plays, the others may let a computer play{offer_text}.")
    if table.status in IN_PLAY:
        lines += absence_lines(table)
    return [f"-# {line}" for line in lines]


def absence_lines(table: Table) -> list[str]:
    """Return who is away until when, and for whom a computer plays until they are back."""
    lines = []
    for row, name in zip(table.seats, table.names, strict=True):
        if row.away_until is not None:
            lines.append(f"{name} is away until <t:{row.away_until}:f>.")
        if row.is_substituted_until_back:
            lines.append(f"A computer player plays for {name} until they are back.")
    return lines
