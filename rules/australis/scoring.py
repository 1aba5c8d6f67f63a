"""What reefs, schools and turtles bring, and the final score."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rules.australis.components import REEFS, SCHOOLS, TILE_POINTS
from rules.australis.model import AustralisView, Position, SeaBoard, Tile
from rules.game import Result, ScoreLine, Seat, Standing

REEF_INDEX: Final = {reef: index for index, reef in enumerate(REEFS)}
"""Where a reef stands in ``SeaBoard.reefs``."""
TIE_BREAK: Final = "turtle's space"
"""The label of what decides a tie."""


class ReefRank(NamedTuple):
    """How a seat stands at a reef and the points that brings; ``rank`` 1 is first, 0: no coral there."""

    rank: int
    points: int


def turtle_space(board: SeaBoard) -> int:
    """Return a turtle's space; -1, behind all others, after its seat resigned."""
    return -1 if board.turtle is None else board.turtle


def reef_ranking(boards: Sequence[SeaBoard], reef: int) -> tuple[Seat, ...]:
    """Return the seats with corals on a reef, the most first; the turtle further ahead wins a tie."""
    index = REEF_INDEX[reef]
    ranks = [
        (board.reefs[index], turtle_space(board), seat)
        for seat, board in enumerate(boards)
        if board.reefs[index]
    ]
    ranks.sort(reverse=True)
    return tuple([Seat(seat) for _, _, seat in ranks])


def reef_rank(boards: Sequence[SeaBoard], reef: int, seat: Seat) -> ReefRank:
    """Return how a seat stands at a reef."""
    order = reef_ranking(boards, reef)
    if seat not in order:
        return ReefRank(0, 0)
    rank = order.index(seat) + 1
    paid = {1: REEFS[reef].first_points, 2: REEFS[reef].second_points}
    return ReefRank(rank, paid.get(rank, 0))


def reef_points(boards: Sequence[SeaBoard], seat: Seat) -> int:
    """Return what all reefs would bring to a seat now."""
    return sum(reef_rank(boards, reef, seat).points for reef in REEFS)


def school_points(board: SeaBoard) -> int:
    """Return the points of the best school that a seat's cubes and fish allow."""
    points = 0
    for school in SCHOOLS[: board.cubes]:
        if board.fish >= school.fish:
            points = school.points
    return points


def tile_points(tile: Tile) -> int:
    """Return the points of a competition tile."""
    return TILE_POINTS[tile.colour][tile.round - 1]


def result(position: Position) -> Result:
    """Return the result of a finished game; seats that resigned share the last rank."""
    boards = position.boards
    playing = [board for board in boards if not board.resigned]
    keys = {(board.tally.total, turtle_space(board)) for board in playing}
    scores = [board.tally.total for board in playing]
    standings = []
    for seat, board in enumerate(boards):
        score = board.tally.total
        if board.resigned:
            rank, tied = len(playing) + 1, False
        else:
            rank = 1 + sum(other > (score, turtle_space(board)) for other in keys)
            tied = scores.count(score) > 1
        tie_break = ScoreLine(TIE_BREAK, turtle_space(board)) if tied else None
        standings.append(Standing(Seat(seat), rank, score, score_lines(board), tie_break))
    return Result(tuple(sorted(standings, key=lambda each: (each.rank, each.seat))))


def points(view: AustralisView, seat: Seat) -> int:
    """Return a seat's points so far."""
    return view.position.boards[seat].tally.total


def score_lines(board: SeaBoard) -> tuple[ScoreLine, ...]:
    """Return where a seat's points come from."""
    tally = board.tally
    return (
        ScoreLine("Start", tally.start),
        ScoreLine("Circles", tally.circles),
        ScoreLine("Cards", tally.cards),
        ScoreLine("Reefs", tally.reefs),
        ScoreLine("Schools", tally.schools),
        ScoreLine("Turtle", tally.turtle),
        ScoreLine("Corals", tally.corals),
        ScoreLine("Token", tally.token),
        ScoreLine("Tiles", tally.tiles),
    )
