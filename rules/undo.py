"""The undos that a seat may ask for: of its last choice, or of its newest turn.

An undo is free if no other seat has chosen since, and chance has revealed nothing to the seat or to a
bystander.
"""

from typing import TYPE_CHECKING

from rules.game import CHANCE, Resign, Seat
from rules.record import PossibleUndo
from rules.turns import newest_turn

if TYPE_CHECKING:
    from rules.match import Match


def find_possible_undo(match: "Match", seat: Seat) -> PossibleUndo | None:
    """Return the undo of the seat's last choice; None if it has made none or the game is over.

    A secret deal to another seat leaves the undo free, unless the deal would be drawn otherwise now.
    """
    if match.is_over:
        return None
    is_free = True
    for index in range(len(match.history) - 1, -1, -1):
        record = match.history[index]
        if record.actor == CHANCE:
            is_free = is_free and not _blocks_free_undo(match, index, seat)
        elif record.auto:
            continue
        elif record.actor == seat and not isinstance(record.action, Resign):
            return PossibleUndo(index, is_free)
        else:
            is_free = False
    return None


def find_possible_turn_undo(match: "Match", seat: Seat) -> PossibleUndo | None:
    """Return the undo of the seat's newest turn as far as that is free; None if no part of it is.

    It goes back to the earliest choice of the newest turn (``rules.turns``) that no reveal follows.
    """
    turn = newest_turn(match.history)
    if match.is_over or turn is None or turn.seat != seat:
        return None
    kept_length = None
    for index in range(turn.end - 1, turn.start - 1, -1):
        record = match.history[index]
        is_blocked = record.actor == CHANCE and _blocks_free_undo(match, index, seat)
        if is_blocked or isinstance(record.action, Resign):
            break
        if record.is_choice:
            kept_length = index
    return None if kept_length is None else PossibleUndo(kept_length, is_free=True)


def _blocks_free_undo(match: "Match", index: int, seat: Seat) -> bool:
    """Whether an outcome of chance was seen by the seat or a bystander, or was drawn with an earlier key."""
    action = match.history[index].action
    return index < match.deal_key.earlier_key_record_count or action.reveals(seat) or action.reveals(None)
