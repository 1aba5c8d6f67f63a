"""The undos that a seat may ask for: of its last choice, or of its newest turn.

An undo is free if no other seat has chosen since, and chance has revealed nothing to the seat or to a
bystander.  Resignations of others bar none: an undo leaves them (``Match.undo_choices``).
"""

from typing import TYPE_CHECKING

from rules.model import CHANCE, Resign, Seat
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
        elif isinstance(record.action, Resign):
            is_free = is_free and record.actor != seat
        elif record.actor == seat:
            return PossibleUndo(index, is_free)
        else:
            is_free = False
    return None


def find_possible_turn_undo(match: "Match", seat: Seat) -> PossibleUndo | None:
    """Return the undo of the seat's newest turn, as far as that is free; of all of it if no part of it is.

    None if the seat has made no choice or the game is over.
    """
    last_choice_undo = find_possible_undo(match, seat)
    if last_choice_undo is None:
        return None
    end = last_choice_undo.kept_length + 1
    if last_choice_undo.is_free:
        return PossibleUndo(find_free_turn_start(match, end), is_free=True)
    turn = newest_turn(match.history, end)
    assert turn is not None, "the last choice belongs to a turn"
    return PossibleUndo(turn.start, is_free=False)


def find_free_turn_start(match: "Match", end: int) -> int:
    """Return the index from which on a turn is free to undo; the record before ``end`` is a choice of it.

    That is the turn's earliest choice after which, up to ``end``, nothing was revealed.
    """
    turn = newest_turn(match.history, end)
    assert turn is not None, "the last record is a choice"
    kept_length = end - 1
    for index in range(end - 1, turn.start - 1, -1):
        record = match.history[index]
        is_blocked = record.actor == CHANCE and _blocks_free_undo(match, index, turn.seat)
        is_own_choice = record.is_choice and record.actor == turn.seat
        if is_blocked or (is_own_choice and isinstance(record.action, Resign)):
            break
        if is_own_choice:
            kept_length = index
    return kept_length


def _blocks_free_undo(match: "Match", index: int, seat: Seat) -> bool:
    """Whether an outcome of chance was seen by the seat or a bystander, or was drawn with an earlier key."""
    action = match.history[index].action
    return index < match.deal_key.earlier_key_record_count or action.reveals(seat) or action.reveals(None)
