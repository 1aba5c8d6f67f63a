"""The turns of a history: runs of choices by one seat.

A turn lasts from a seat's first choice until another seat chooses; chance and forced choices belong to the
turn in which they happen.  An answer on another player's turn therefore ends that turn and is a turn itself.
A resignation in the middle of a turn, the player's own or another's, belongs to it.  Any other resignation
is a turn of its own, also directly after a turn of the same seat: a turn that is over does not change.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rules.model import Resign, Seat
from rules.record import Record


class Turn(NamedTuple):
    """One turn: the records from ``start`` to before ``end``, as indexes into the history."""

    seat: Seat
    start: int
    """The index of its first choice."""
    end: int


def last_chooser(history: Sequence[Record]) -> Seat | None:
    """Return who made the last choice in a turn; None before the first."""
    return next((record.actor for record in reversed(history) if _is_turn_choice(record)), None)


def newest_turn(history: Sequence[Record], end: int | None = None) -> Turn | None:
    """Return the newest turn of the first ``end`` records (None: all); None before the first choice."""
    end = len(history) if end is None else end
    start, seat = end, None
    for index in range(end - 1, -1, -1):
        record = history[index]
        if not _is_turn_choice(record):
            continue
        if seat is not None and record.actor != seat:
            break
        start, seat = index, record.actor
        if isinstance(record.action, Resign):
            break
    return None if seat is None else Turn(seat, start, end)


def begins_turn(record: Record, last_chooser_seat: Seat | None) -> bool:
    """Whether a record begins a turn; ``last_chooser_seat``: who made the last choice before it."""
    is_new_seat = record.actor != last_chooser_seat
    return _is_turn_choice(record) and (is_new_seat or isinstance(record.action, Resign))


def _is_turn_choice(record: Record) -> bool:
    """Whether a record shows whose turn it is: no resignation does in the middle of a turn."""
    return record.is_choice and not record.in_running_turn


def turns_from(history: Sequence[Record], index: int = 0) -> tuple[Turn, ...]:
    """Return every turn that ends after ``index``, the earliest first."""
    turns: list[Turn] = []
    end = len(history)
    while (turn := newest_turn(history, end)) is not None and turn.end > index:
        turns.append(turn)
        end = turn.start
    return tuple(reversed(turns))


def last_turn_end(
    history: Sequence[Record],
    seat: Seat,
    to_act: Seat | None,
    is_own: Callable[[Turn], bool] = lambda _: True,
) -> int:
    """Return the index after a seat's last finished turn (0: none): what follows is new to its player.

    ``to_act``: the seat to act now.  The turn that it is still taking is not its last one yet.
    ``is_own``: whether its player, and not somebody else in the seat, took a turn of the seat.
    """
    end = len(history)
    newest = newest_turn(history)
    if newest is not None and newest.seat == seat == to_act:
        end = newest.start
    while (turn := newest_turn(history, end)) is not None:
        if turn.seat == seat and is_own(turn):
            return turn.end
        end = turn.start
    return 0
