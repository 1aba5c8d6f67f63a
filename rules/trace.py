"""Traces a match that is over from its first record to its last."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from rules.advance import next_state
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, RecordEvents, Resign, Seat
from rules.summary import MatchTrace
from rules.turns import turns_from


def trace_match(match: Match) -> MatchTrace:
    """Return what happened in a match; takes as long as a replay.  Raises ValueError while it goes on."""
    result, game = match.returns(), match.game
    # A resignation is no turn: it belongs to the turn in which it happens.
    runs = turns_from(
        [replace(each, auto=isinstance(each.action, Resign) or each.auto) for each in match.history]
    )
    run_starts = {run.start for run in runs}
    own_turn_points_of = game.points_from_own_turns or game.points
    state = game.initial_state(match.seat_count, match.options)
    record_events, turn_seats, points, own_turn_points = [], [], [], []
    last_turn_number = 0
    for index, record in enumerate(match.history):
        view = game.view(state, None)
        turn_number = game.turn_number(view)
        if turn_number is None:
            begins_turn = index in run_starts and not game.is_setting_up(view)
        else:
            is_move = record.actor != CHANCE and not isinstance(record.action, Resign)
            begins_turn = is_move and turn_number > last_turn_number
        if begins_turn:
            last_turn_number = turn_number or 0
            turn_seats.append(Seat(record.actor))
            points.append(_points_by_seat(game.points, game, state, match.seat_count))
            own_turn_points.append(_points_by_seat(own_turn_points_of, game, state, match.seat_count))
        state = next_state(game, state, record)
        record_events.append(RecordEvents(record.actor, game.view(state, None).position.trail))
    points.append(_points_by_seat(game.points, game, state, match.seat_count))
    own_turn_points.append(_points_by_seat(own_turn_points_of, game, state, match.seat_count))
    known_points = tuple(each for each in points if each is not None)
    gains = tuple(
        after[seat] - before[seat]
        for seat, (before, after) in zip(turn_seats, pairwise(own_turn_points), strict=True)
        if before is not None and after is not None
    )
    return MatchTrace(
        result,
        tuple(record_events),
        tuple(turn_seats),
        known_points if turn_seats and len(known_points) == len(points) else (),
        gains if len(gains) == len(turn_seats) else (),
        match.resigned_seats,
        game.points_from_own_turns is not None,
    )


def _points_by_seat(
    points_of: Callable[[Any, Seat], int | None], game: AnyGame, state: Any, seat_count: int
) -> tuple[int, ...] | None:
    """Return the points of each seat as its own view shows them; None if a view shows none."""
    seat_points = [points_of(game.view(state, Seat(seat)), Seat(seat)) for seat in range(seat_count)]
    return None if None in seat_points else tuple(each for each in seat_points if each is not None)
