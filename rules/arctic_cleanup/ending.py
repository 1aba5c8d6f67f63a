"""Rounds, the end of the game, and its result."""

from msgspec.structs import replace

from rules.arctic_cleanup.components import (
    ABOARD_POINTS,
    DIE_POINTS,
    MAX_ROUNDS,
    PLASTICS,
    QUIET_ROUNDS_TO_END,
    QUIET_ROUNDS_TO_WARN,
    ROUNDS_AFTER_CLEAN_OCEAN,
    TOKENS_TO_END,
)
from rules.arctic_cleanup.events import EndReason, GameEnded, LastRoundSet, QuietEndNear
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, PlayerBoard, Position
from rules.model import Result, ScoreLine, Seat, Standing


def start_round(position: Position, round_number: int) -> Position:
    """Begin a round with the first seat still playing."""
    first = next(seat for seat in position.turn_order if not position.boards[seat].resigned)
    return _start_turn(replace(position, round=round_number, is_round_quiet=True), first)


def _start_turn(position: Position, seat: Seat) -> Position:
    return replace(position, phase=Phase.TURN, to_act=seat, current_player=seat)


def start_next_turn(position: Position) -> Position:
    """Begin the turn of the next seat; after the last one end the round."""
    assert position.current_player is not None
    later_seats = position.turn_order[position.turn_order.index(position.current_player) + 1 :]
    for seat in later_seats:
        if not position.boards[seat].resigned:
            return _start_turn(position, seat)
    return _end_round(position)


def _end_round(position: Position) -> Position:
    """End the game if the round that is over ends it (AC25, AC26, AC27), else begin the next round."""
    quiet_round_count = position.quiet_round_count + 1 if position.is_round_quiet else 0
    position = replace(position, quiet_round_count=quiet_round_count)
    is_clean = not position.bag and not any(position.ocean)
    last_round = position.round + ROUNDS_AFTER_CLEAN_OCEAN
    if position.last_round is None and is_clean and last_round <= MAX_ROUNDS:
        position = replace(position, last_round=last_round, trail=(*position.trail, LastRoundSet(last_round)))
    if position.round == position.last_round:
        return finish(position, EndReason.CLEAN_OCEAN)
    if quiet_round_count == QUIET_ROUNDS_TO_END:
        return finish(position, EndReason.QUIET)
    if position.round == MAX_ROUNDS:
        return finish(position, EndReason.ROUND_LIMIT)
    after = start_round(position, position.round + 1)
    if rounds_to_quiet_end(after) is None:
        return after
    return replace(after, trail=(*after.trail, QuietEndNear(quiet_round_count)))


def rounds_to_quiet_end(position: Position) -> int | None:
    """Return after how many quiet rounds, the running one included, the game ends.

    None unless that is near, and before any other end that is known.
    """
    if position.quiet_round_count < QUIET_ROUNDS_TO_WARN or not position.is_round_quiet:
        return None
    rounds_left = QUIET_ROUNDS_TO_END - position.quiet_round_count
    ends_first = position.round + rounds_left - 1 < (position.last_round or MAX_ROUNDS)
    return rounds_left if ends_first else None


def is_last_turn(position: Position) -> bool:
    """Whether it is certain that the current player has no turn after this one."""
    assert position.current_player is not None
    processed_count = position.boards[position.current_player].processed_count
    return processed_count >= TOKENS_TO_END or position.round in {position.last_round, MAX_ROUNDS}


def finish(position: Position, end_reason: EndReason | None) -> Position:
    """End the game; ``end_reason`` is None if only one seat is left."""
    trail = position.trail if end_reason is None else (*position.trail, GameEnded(end_reason))
    return replace(
        position,
        phase=Phase.OVER,
        to_act=None,
        current_player=None,
        played_card=None,
        end_reason=end_reason,
        trail=trail,
    )


def score_lines(board: PlayerBoard) -> tuple[ScoreLine, ...]:
    """Return a seat's points, line by line."""
    processed_points = sum(PLASTICS[plastic].points for line in board.lines for plastic in line)
    return (
        ScoreLine("Factory lines", processed_points),
        ScoreLine("Gained dice", DIE_POINTS * board.gained_die_count),
        ScoreLine("Tokens aboard", ABOARD_POINTS * sum(map(len, board.cargo))),
    )


def board_points(board: PlayerBoard) -> int:
    """Return the points of a player's board so far: the sum of its score lines."""
    return sum(line.points for line in score_lines(board))


def points(view: ArcticCleanUpView, seat: Seat) -> int:
    """Return a seat's points so far (``Game.points``)."""
    return board_points(view.position.boards[seat])


def returns(position: Position) -> Result:
    """Return the final result: equal points share a rank, and seats that resigned share the last one."""
    lines = [score_lines(board) for board in position.boards]
    scores = [board_points(board) for board in position.boards]
    ranking_points = [
        -1 if board.resigned else score for board, score in zip(position.boards, scores, strict=True)
    ]
    standings = (
        Standing(Seat(seat), 1 + sum(other > own for other in ranking_points), scores[seat], lines[seat])
        for seat, own in enumerate(ranking_points)
    )
    return Result(tuple(sorted(standings, key=lambda standing: standing.rank)))
