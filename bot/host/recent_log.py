"""How far back the public log lines go that a table keeps in memory."""

from collections.abc import Sequence
from typing import Final

from bot.store.seat_rows import SeatRow
from rules.match import Match
from rules.record import Record
from rules.turns import Turn, newest_turn, running_turn

MAX_LOG_RECORDS: Final = 400
"""The most records whose public log lines a table keeps in memory."""


def has_played(row: SeatRow, history: Sequence[Record], turn: Turn) -> bool:
    """Whether the player of a seat chose anything in one of its turns: no substitute played all of it."""
    return any(
        history[index].is_choice and history[index].actor == turn.seat and not row.substitute_played_at(index)
        for index in range(turn.start, turn.end)
    )


def log_start(match: Match, seats: Sequence[SeatRow]) -> int:
    """Return the index at which the earliest of all players' last finished turns begins.

    At most ``MAX_LOG_RECORDS`` records follow it: exactly as many if somebody has finished no turn in them.
    """
    end = len(match.history)
    earliest_index = max(0, end - MAX_LOG_RECORDS)
    seats_not_found = {seat for seat in range(match.seat_count) if seat not in match.resigned_seats}
    turn = running_turn(match.history, match.to_act)
    if turn is not None:
        end = turn.start  # it is not finished
    while seats_not_found and end > earliest_index and (turn := newest_turn(match.history, end)) is not None:
        if has_played(seats[turn.seat], match.history, turn):
            seats_not_found.discard(turn.seat)
        end = turn.start
    return earliest_index if seats_not_found else max(earliest_index, end)
