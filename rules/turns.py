"""The turns of a history: runs of choices by one seat.

A turn lasts from a seat's first choice until another seat chooses; chance and forced choices belong to the
turn in which they happen.  An answer on another player's turn therefore ends that turn and is a turn itself.
Where one seat has two turns in a row, the last record of the first one says so (``Record.ends_turn``).
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


def newest_turn(history: Sequence[Record], end: int | None = None) -> Turn | None:
    """Return the newest turn of the first ``end`` records (None: all); None before the first choice."""
    end = len(history) if end is None else end
    start, seat = end, None
    for index in range(end - 1, -1, -1):
        record = history[index]
        if record.ends_turn and seat is not None:
            break
        if not _is_turn_choice(record):
            continue
        if seat is not None and record.actor != seat:
            break
        start, seat = index, record.actor
        if isinstance(record.action, Resign):
            break
    return None if seat is None else Turn(seat, start, end)


def is_in_turn(history: Sequence[Record], seat: Seat | None) -> bool:
    """Whether the newest turn is this seat's and goes on with the seat's next choice."""
    for record in reversed(history):
        if record.ends_turn:
            return False
        if _is_turn_choice(record):
            return record.actor == seat
    return False


def running_turn(history: Sequence[Record], seat: Seat | None) -> Turn | None:
    """Return the turn that goes on with the next choice of ``seat``, which is to act; None: it begins one."""
    return newest_turn(history) if is_in_turn(history, seat) else None


def begins_turn(record: Record, history: Sequence[Record]) -> bool:
    """Whether a record after ``history`` begins a turn."""
    return _is_turn_choice(record) and (
        isinstance(record.action, Resign) or not is_in_turn(history, record.actor)
    )


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
    running = running_turn(history, to_act)
    if running is not None and running.seat == seat:
        end = running.start
    while (turn := newest_turn(history, end)) is not None:
        if turn.seat == seat and is_own(turn):
            return turn.end
        end = turn.start
    return 0
