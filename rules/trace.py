"""Traces a match that is over from its first record to its last."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from rules.advance import next_state
from rules.game import AnyGame, RecordEvents, Resign, Seat
from rules.match import Match
from rules.summary import MatchTrace
from rules.turns import Turn, turns_from


def trace_match(match: Match) -> MatchTrace:
    """Return what happened in a match; takes as long as a replay.  Raises ValueError while it goes on."""
    result, game = match.returns(), match.game
    # A resignation is no turn: it belongs to the turn in which it happens.
    all_turns = turns_from(
        [replace(each, auto=isinstance(each.action, Resign) or each.auto) for each in match.history]
    )
    turn_at = {turn.start: turn for turn in all_turns}
    state = game.initial_state(match.seats, match.options)
    record_events, points, unshared_points = [], [], []
    unshared_points_of = game.points_without_shared or game.points
    turns: list[Turn] = []
    for index, record in enumerate(match.history):
        turn = turn_at.get(index)
        if turn is not None and not game.is_setting_up(game.view(state, None)):
            if not turns:
                points.append(_points_by_seat(game.points, game, state, match.seats))
                unshared_points.append(_points_by_seat(unshared_points_of, game, state, match.seats))
            turns.append(turn)
        state = next_state(game, state, record)
        record_events.append(RecordEvents(record.actor, game.view(state, None).position.trail))
        if turns and index + 1 == turns[-1].end:
            points.append(_points_by_seat(game.points, game, state, match.seats))
            unshared_points.append(_points_by_seat(unshared_points_of, game, state, match.seats))
    turn_count = game.turn_count(game.view(state, None))
    known_points = tuple(each for each in points if each is not None)
    gains = tuple(
        after[turn.seat] - before[turn.seat]
        for turn, before, after in zip(turns, unshared_points, unshared_points[1:], strict=False)
        if before is not None and after is not None
    )
    return MatchTrace(
        result,
        tuple(record_events),
        tuple(turn.seat for turn in turns),
        len(turns) if turn_count is None else turn_count,
        known_points if turns and len(known_points) == len(turns) + 1 else (),
        gains if len(gains) == len(turns) else (),
        match.resigned_seats,
    )


def _points_by_seat(
    points_of: Callable[[Any, Seat], int | None], game: AnyGame, state: Any, seats: int
) -> tuple[int, ...] | None:
    """Return the points of each seat as its own view shows them; None if a view shows none."""
    seat_points = [points_of(game.view(state, Seat(seat)), Seat(seat)) for seat in range(seats)]
    return None if None in seat_points else tuple(each for each in seat_points if each is not None)
