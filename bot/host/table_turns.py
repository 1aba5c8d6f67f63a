"""The turns of a table as its messages show them: which one runs, which are over, which were taken back."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot.host.game_guard import guarded
from bot.host.recent_log import MAX_LOG_RECORDS, has_played
from bot.host.table import Table
from bot.store.delivery_rows import Delivery, DeliveryKind, NewDelivery, PostedMessage, Slot
from rules.match import Match
from rules.model import Names, Resign, Seat
from rules.plies import index_at, ply_at
from rules.record import Record, Undo
from rules.turns import Turn, last_turn_end, newest_turn, running_turn, turns_from

MAX_CORRECTED_TURNS: Final = 12
"""Turns whose messages an undo corrects at once, the newest ones: a roll-back may cross hundreds."""


def turn_delivery(start: int) -> NewDelivery:
    """Return the delivery of the whole story of the turn that begins at index ``start`` of the history."""
    return NewDelivery(Slot(DeliveryKind.TURN, subject_id=start))


@guarded
def current_turn_start(table: Table) -> int:
    """Return the index of the history at which the turn of the seat to act begins, or will begin."""
    match = table.match
    assert match is not None
    turn = running_turn(match.history, match.to_act)
    return len(match.history) if turn is None else turn.start


def is_uninterrupted_turn(table: Table, seat: Seat, start: int) -> bool:
    """Whether the turn that a seat to act began at ``start`` still goes on; others may only have resigned."""
    assert table.match is not None
    history = table.match.history
    return start <= len(history) and all(
        not record.ends_turn
        and (record.actor == seat or isinstance(record.action, Resign) or not record.is_choice)
        for record in history[start:]
    )


def is_turn_announced(
    table: Table, posted_messages: Sequence[PostedMessage], deliveries: Sequence[Delivery]
) -> bool:
    """Return False if the board of the turn that a table waits for could not be posted.

    So it is where Discord refuses it, or where it was given up, as with a channel that is gone.  True also
    while no attempt has been made, and where no turn is timed.  ``deliveries``: those of the table that wait.
    """
    timer = table.row.turn_timer
    if table.match is None or timer is None:
        return True
    first_ply = ply_at(table.match.ply_offsets, timer.turn_start - 1) if timer.turn_start else 0
    shows_turn = any(
        each.slot.kind is DeliveryKind.BOARD and each.ply >= first_ply for each in posted_messages
    )
    failed_attempt_counts = [
        each.failed_attempt_count for each in deliveries if each.kind is DeliveryKind.BOARD
    ]
    return shows_turn or (bool(failed_attempt_counts) and not any(failed_attempt_counts))


def newest_turn_start(table: Table) -> int:
    """Return the index at which the newest turn begins; 0 before the first choice."""
    assert table.match is not None
    turn = newest_turn(table.match.history)
    return 0 if turn is None else turn.start


@guarded
def newest_finished_turn_end(table: Table, seat: Seat) -> int:
    """Return the index of the history after a seat's last turn that is over; 0 without such a turn."""
    assert table.match is not None
    return last_turn_end(table.match.history, seat, table.match.to_act)


@guarded
def finished_turn_end_before(table: Table, seat: Seat, start: int | None, ply: int) -> int:
    """Return the index after a seat's last turn that was over when its turn at index ``start`` began.

    ``start``: None if it is not known for which turn the seat was asked at ``ply``.  Then the turn that the
    seat takes now or next is meant, unless the seat has certainly ended another turn since ``ply``.
    """
    assert table.match is not None
    history = table.match.history
    if start is not None:
        return last_turn_end(history[:start], seat, None)
    end = last_turn_end(history, seat, table.match.to_act)
    if end <= ply:  # undone records count too, so no record's ply is below its index
        return end
    turn = newest_turn(history, end)
    return 0 if turn is None else last_turn_end(history[: turn.start], seat, None)


@guarded
def newest_finished_turn(table: Table, seat: Seat) -> Turn | None:
    """Return a seat's last turn that is over; None without such a turn."""
    assert table.match is not None
    return newest_turn(table.match.history, last_turn_end(table.match.history, seat, table.match.to_act))


@guarded
def story_start(table: Table, seat: Seat) -> int:
    """Return the index after the last finished turn of a seat in which its player played.

    The turns that a substitute has played since are new to the player too, but no records before the last
    ``MAX_LOG_RECORDS``.
    """
    match = table.match
    assert match is not None
    end = last_turn_end(match.history, seat, match.to_act)
    if not table.seats[seat].substitute_spans:
        return end
    person_played = partial(has_played, table.seats[seat], match.history)
    own_turn_end = last_turn_end(match.history, seat, match.to_act, person_played)
    return max(own_turn_end, min(end, len(match.history) - MAX_LOG_RECORDS))


@guarded
def next_seat(table: Table) -> Seat | None:
    """Return the seat whose turn follows the one that the table waits for; None where nobody can know.

    In a game that does not say it, it is known where the last round went through all who still play, in the
    order of the seats, or where the last two rounds had the same order: a game may draw it by lot.
    """
    match = table.match
    if match is None or match.to_act is None:
        return None
    if match.game.seat_after_turn is not None:
        return match.game.seat_after_turn(match.view(None))
    resigned_seats = match.resigned_seats
    seats_not_seen = {Seat(i) for i in range(match.seat_count)} - resigned_seats
    if len(seats_not_seen) < 2 or match.to_act in resigned_seats:
        return None
    history = match.history
    if resigned_seats:  # a resignation during somebody's turn is no turn of its own
        history = tuple(record for record in history if not isinstance(record.action, Resign))
    turn, next_turn_seat = newest_turn(history), match.to_act
    if (running := running_turn(history, next_turn_seat)) is not None:
        turn = newest_turn(history, running.start)
    while seats_not_seen:
        if turn is None or next_turn_seat not in _possible_successors(
            match.seat_count, resigned_seats, turn.seat
        ):
            return _next_of_equal_rounds(history, match.to_act, match.seat_count, resigned_seats)
        seats_not_seen.discard(turn.seat)
        next_turn_seat, turn = turn.seat, newest_turn(history, turn.start)
    return _possible_successors(match.seat_count, resigned_seats, match.to_act)[-1]


def _next_of_equal_rounds(
    history: Sequence[Record], to_act: Seat, seat_count: int, resigned_seats: frozenset[Seat]
) -> Seat | None:
    """Return the seat that follows if the last two rounds of those who still play had the same order."""
    round_length = seat_count - len(resigned_seats)
    seats, turn = [to_act], newest_turn(history)  # the newest first
    while turn is not None and len(seats) < 2 * round_length:
        if turn.seat != seats[-1] and turn.seat not in resigned_seats:
            seats.append(turn.seat)
        turn = newest_turn(history, turn.start)
    newest_round = seats[:round_length]
    are_equal = seats[round_length:] == newest_round and len(set(newest_round)) == round_length
    return newest_round[-1] if are_equal else None


def _possible_successors(seat_count: int, resigned_seats: frozenset[Seat], seat: Seat) -> list[Seat]:
    """Return the seats after ``seat`` in order, up to the first one whose player has not resigned."""
    successors: list[Seat] = []
    for distance in range(1, seat_count + 1):
        successors.append(Seat((seat + distance) % seat_count))
        if successors[-1] not in resigned_seats:
            break
    return successors


def is_first_turn(table: Table, seat: Seat) -> bool:
    """Whether the player of a seat has not finished any turn yet."""
    seat_start = max((each.end_index for each in table.seats[seat].earlier_players), default=0)
    return seat_start >= newest_finished_turn_end(table, seat)


def turn_player_names(table: Table, turn: Turn) -> Names:
    """Return the names, escaped, of those who played a turn: more than one if its seat changed hands."""
    assert table.match is not None
    choice_indexes = (index for index in range(turn.start, turn.end) if table.match.history[index].is_choice)
    return tuple(dict.fromkeys(table.names_at(index)[turn.seat] for index in choice_indexes))


def is_resignation(table: Table, turn: Turn) -> bool:
    """Whether a player has resigned and chosen nothing else in a turn."""
    assert table.match is not None
    choices = [record for record in table.match.history[turn.start : turn.end] if record.is_choice]
    return all(isinstance(record.action, Resign) for record in choices)


def is_answer(table: Table, turn: Turn) -> bool:
    """Whether a player has only answered in another player's turn (``Words.answer_types``)."""
    assert table.match is not None
    return all(
        isinstance(record.action, table.game.words.answer_types)
        for record in table.match.history[turn.start : turn.end]
        if record.is_choice and record.actor == turn.seat
    )


@guarded
def finished_turn(table: Table, start: int) -> Turn | None:
    """Return the turn that begins at an index of the history, if there is one and it is over."""
    assert table.match is not None
    return next((turn for turn in _finished_turns(table.match, start) if turn.start == start), None)


@guarded
def finished_turns(table: Table) -> set[Turn]:
    """Return all turns that are over."""
    assert table.match is not None
    return _finished_turns(table.match, 0)


@guarded
def is_running_turn(table: Table, start: int) -> bool:
    """Whether the newest turn begins at an index of the history and is not over."""
    assert table.match is not None
    turn = running_turn(table.match.history, table.match.to_act)
    return turn is not None and turn.start == start


@guarded
def table_at(table: Table, length: int) -> Table:
    """Return the table as it was after ``length`` records of its history.  May replay the game."""
    assert table.match is not None
    if length == len(table.match.history):
        return table
    return replace(table, match=table.match.at_length(length))


@guarded
def turn_start_shown_at_ply(table: Table, ply: int, seat: Seat | None) -> int | None:
    """Return the start of the turn shown by a board that asked ``seat`` at ``ply``; None if it is not known.

    It is known as long as the choice that the board asked for stands.
    """
    assert table.match is not None
    history = table.match.history
    index = index_at(table.match.ply_offsets, len(history), ply + 1)
    if index is None or history[index].actor != seat:
        return None
    turn = running_turn(history[:index], seat)
    return index if turn is None else turn.start


def turn_deliveries(before: Match | None, after: Match) -> tuple[NewDelivery, ...]:
    """Return the deliveries of the turns that a change has ended, or has taken back after their end.

    Of more than ``MAX_CORRECTED_TURNS`` only the newest are returned.
    """
    old, new = _finished_before_and_after(before, after)
    starts = sorted({turn.start for turn in old ^ new})
    return tuple(turn_delivery(start) for start in starts[-MAX_CORRECTED_TURNS:])


def first_undone_turn_start(before: Match | None, after: Match) -> int | None:
    """Return the start of the first turn that was over and is not any more; None without such a turn.

    All later turns that were over are taken back too.
    """
    return next((turn.start for turn in undone_turns(before, after)), None)


def undone_turns(before: Match | None, after: Match) -> list[Turn]:
    """Return the turns that were over before a change and are not any more, the earliest first."""
    old, new = _finished_before_and_after(before, after)
    return sorted(old - new, key=lambda turn: turn.start)


def new_finished_turns(before: Match | None, after: Match) -> list[Turn]:
    """Return the turns that are over after a change and were not before it, the earliest first."""
    old, new = _finished_before_and_after(before, after)
    return sorted(new - old, key=lambda turn: turn.start)


def _finished_before_and_after(before: Match | None, after: Match) -> tuple[set[Turn], set[Turn]]:
    """Return the turns that are over before and after a change, without those that it leaves alone."""
    kept_lengths = [each.action.kept_length for each in after.new_records if isinstance(each.action, Undo)]
    common_length = 0 if before is None else min(len(before.history), len(after.history), *kept_lengths)
    first = max(0, common_length - 1)
    return set() if before is None else _finished_turns(before, first), _finished_turns(after, first)


def _finished_turns(match: Match, first: int) -> set[Turn]:
    """Return the turns that are over, from the one at index ``first`` on."""
    turns = turns_from(match.history, first)
    is_running = running_turn(match.history, match.to_act) is not None
    return set(turns[:-1] if is_running else turns)
