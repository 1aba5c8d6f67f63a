"""Appends records to a match, and plays chance and forced choices up to the next real choice.

Choices and outcomes are not checked here: see ``legality``, and ``replay`` for stored records.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from rules.deal_key import check_cut_words
from rules.errors import AutoPlayOverrun, IllegalAction
from rules.game import AnyGame
from rules.model import CHANCE, MODERATOR, OutcomeKind, Resign
from rules.plies import offsets_after_control_record
from rules.record import Checkpoint, Cut, Record
from rules.turns import begins_turn, is_in_turn, newest_turn

if TYPE_CHECKING:
    from rules.match import Match

MAX_AUTOMATIC_RECORDS: Final = 50
"""The most records in a row without a choice by a player; a longer run is a fault in a game."""

CHECKPOINT_INTERVAL: Final = 64
"""Records of the history between two checkpoints.

Undo and narration replay no more, except from before a snapshot:
a match that was loaded from a snapshot has no checkpoints before it (``Match.from_snapshot``).
"""


def next_state(game: AnyGame, state: Any, record: Record) -> Any:
    """Return the state after a record that has been checked."""
    if isinstance(record.action, Resign):
        return game.resign(state, record.actor)
    return game.apply_action(state, record.action)


def append_record(match: "Match", record: Record, *, added_before: tuple[Record, ...] = ()) -> "Match":
    """Append a record that has been checked.

    ``added_before``: the records that the same operation has added before this one.
    """
    game = match.game
    if isinstance(record.action, Resign):
        record = structs.replace(record, in_running_turn=is_in_turn(match.history, match.to_act))
    state = next_state(game, match.state, record)
    view = game.view(state, None)
    trail = view.position.trail
    if record.ends_turn:  # it comes from a history
        record = structs.replace(record, ends_turn=False)
    ends_turn = _ends_turn(match, record, game.turn_number(view))
    record_in_history = structs.replace(record, ends_turn=True) if ends_turn else record
    outcome_counts = match.outcome_counts
    if record.actor == CHANCE:
        outcome_kind = OutcomeKind(type(record.action), record.action.drawn_for)
        outcome_counts = {**outcome_counts, outcome_kind: outcome_counts.get(outcome_kind, 0) + 1}
    after = replace(
        match,
        ply=match.ply + 1,
        history=(*match.history, record_in_history),
        outcome_counts=outcome_counts,
        state=state,
        recent_events=trail if begins_turn(record, match.history) else match.recent_events + trail,
        new_records=(*added_before, record),
        deal_key=match.deal_key.with_cutting_closed(),
    )
    if len(after.history) % CHECKPOINT_INTERVAL:
        return after
    return replace(after, checkpoints=(*match.checkpoints, make_checkpoint(after)))


def _ends_turn(match: "Match", record: Record, turn_number: int | None) -> bool:
    """Whether a record ends the newest turn whoever chooses next; ``turn_number``: the game's after it.

    Answers alone are no turn that could end so: they belong to the one that their player takes next.
    """
    if not turn_number:
        return False
    number_before = match.game.turn_number(match.view(None))
    if not number_before or turn_number <= number_before:
        return False
    history = (*match.history, record)
    turn = newest_turn(history)
    return turn is not None and not all(
        isinstance(each.action, match.game.words.answer_types)
        for each in history[turn.start :]
        if each.is_choice and each.actor == turn.seat
    )


def append_cut(match: "Match", record: Record, *, added_before: tuple[Record, ...] = ()) -> "Match":
    """Append a cut of the deck: one of each seat before the start, in their order, and after each reseal.

    ``added_before``: the records that the same operation has added before it.  Raises IllegalAction.
    """
    action, cut_seats = record.action, match.deal_key.cut_seats
    assert isinstance(action, Cut)
    if (
        cut_seats is None
        or record.auto
        or not 0 <= record.actor < match.seat_count
        or record.actor in cut_seats
    ):
        raise IllegalAction("This seat cannot cut the deck now.")
    if match.ply == len(cut_seats) and any(seat > record.actor for seat in cut_seats):
        raise IllegalAction("Before the start the cuts stand in the order of the seats.")
    check_cut_words(action)
    return _append_control_record(match, record, (*added_before, record))


def append_reseal(match: "Match", record: Record) -> "Match":
    """Append a reseal, whose code is not checked here.

    Raises IllegalAction unless the moderator is its actor and the match is at a choice.
    """
    at_choice = match.to_act not in {None, CHANCE} and next_automatic_record(match) is None
    if record.actor != MODERATOR or record.auto or not at_choice:
        raise IllegalAction("Only a game that waits for a choice can be resealed.")
    return _append_control_record(match, record, (record,))


def _append_control_record(match: "Match", record: Record, new_records: tuple[Record, ...]) -> "Match":
    ply, length = match.ply + 1, len(match.history)
    return replace(
        match,
        ply=ply,
        ply_offsets=offsets_after_control_record(match.ply_offsets, ply, length),
        deal_key=match.deal_key.after_record(record, match.ply, length),
        new_records=new_records,
    )


def make_checkpoint(match: "Match") -> Checkpoint:
    """Return a match's present state as a checkpoint."""
    return Checkpoint(
        length=len(match.history),
        state=match.state,
        recent_events=match.recent_events,
        outcome_counts=match.outcome_counts,
    )


def append_records(match: "Match", records: Sequence[Record]) -> "Match":
    """Append records that have been checked before."""
    for record in records:
        match = append_record(match, record)
    return match


def matches_at_lengths(match: "Match", lengths: Iterable[int]) -> Iterator["Match"]:
    """Yield the match after each of these lengths of its history; ``lengths``: in ascending order.

    No record is played twice.  Plies are as in ``Match.at_length``, but the whole match keeps its own.
    """
    reached: Match | None = None
    for length in lengths:
        if length == len(match.history):
            reached = match
        elif reached is None:
            reached = match.at_length(length)
        else:
            reached = append_records(reached, match.history[len(reached.history) : length])
        yield reached


def next_automatic_record(match: "Match") -> Record | None:
    """Return the outcome of chance or the forced choice that comes next; None if neither does.

    None also if chance is to act and the key is not known.

    Raises UnannouncedOutcome, a fault in the game.
    """
    actor = match.to_act
    if actor is None:
        return None
    if actor == CHANCE:
        if match.deal_key.key is None:
            return None
        return Record(CHANCE, match.draw_outcome().action)
    forced = match.game.forced_action(match.view(None))
    return None if forced is None else Record(actor, forced, auto=True)


def auto_play(match: "Match") -> "Match":
    """Play chance and forced choices until a seat has a real choice or the game is over.

    Stop also where chance is to act if the key is not known.

    Raises AutoPlayOverrun, UnannouncedOutcome: faults in the game.
    """
    for _ in range(MAX_AUTOMATIC_RECORDS + 1):
        record = next_automatic_record(match)
        if record is None:
            return match
        match = append_record(match, record, added_before=match.new_records)
    raise auto_play_overrun_error(match.game)


def auto_play_overrun_error(game: AnyGame) -> AutoPlayOverrun:
    """Return the error of a game whose automatic records do not end."""
    return AutoPlayOverrun(f"{game.key}: more than {MAX_AUTOMATIC_RECORDS} automatic records in a row")
