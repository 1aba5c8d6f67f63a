"""The points of reefs, schools and turtles, the scoring of a round and of the game, and the result."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rules.australis.components import REEFS, SCHOOLS, TILE_POINTS
from rules.australis.events import FinalScored, ReefScored, SchoolScored, TurtleScored
from rules.australis.model import AustralisView, Phase, Position, SeaBoard, Tile
from rules.australis.mutable_position import MutablePosition
from rules.model import Result, ScoreLine, Seat, Standing

REEF_INDEX: Final = {reef: index for index, reef in enumerate(REEFS)}
"""Where a reef stands in ``SeaBoard.coral_counts``."""
TIE_BREAK_LABEL: Final = "turtle's space"
"""The label of what decides a tie."""


class ReefPlace(NamedTuple):
    """A seat's place on a reef and its points; ``rank`` 1 is first, 0: no coral there."""

    rank: int
    points: int


def turtle_space_or_minus_one(board: SeaBoard) -> int:
    """Return a turtle's space, or -1, behind all others, after its seat resigned."""
    return -1 if board.turtle_space is None else board.turtle_space


def reef_ranking(boards: Sequence[SeaBoard], reef: int) -> tuple[Seat, ...]:
    """Return the seats with corals on a reef, the most first; the turtle further ahead wins a tie."""
    index = REEF_INDEX[reef]
    owners = [
        (board.coral_counts[index], turtle_space_or_minus_one(board), seat)
        for seat, board in enumerate(boards)
        if board.coral_counts[index]
    ]
    owners.sort(reverse=True)
    return tuple([Seat(seat) for _, _, seat in owners])


def reef_place(boards: Sequence[SeaBoard], reef: int, seat: Seat) -> ReefPlace:
    """Return a seat's place on a reef."""
    ranking = reef_ranking(boards, reef)
    if seat not in ranking:
        return ReefPlace(0, 0)
    rank = ranking.index(seat) + 1
    points_by_rank = {1: REEFS[reef].first_place_points, 2: REEFS[reef].second_place_points}
    return ReefPlace(rank, points_by_rank.get(rank, 0))


def reef_points(boards: Sequence[SeaBoard], seat: Seat) -> int:
    """Return what all reefs would bring to a seat now."""
    return sum(reef_place(boards, reef, seat).points for reef in REEFS)


def school_points(board: SeaBoard) -> int:
    """Return the points of the best school that a seat's cubes and fish allow."""
    points = 0
    for school in SCHOOLS[: board.cube_count]:
        if board.fish >= school.fish:
            points = school.points
    return points


def tile_points(tile: Tile) -> int:
    """Return the points of a competition tile."""
    return TILE_POINTS[tile.colour][tile.round - 1]


# At the end of a round and of the game -----------------------------------------------------------------


def score_round(position: MutablePosition) -> None:
    """Score reefs, schools and turtles; seats in order from the token's holder, else from the starter."""
    _score_reefs(position)
    for seat in position.turn_order(
        position.starter if position.token_holder is None else position.token_holder
    ):
        board = position.boards[seat]
        school, turtle = school_points(board), turtle_space_or_minus_one(board)
        position.add_points(seat, schools=school, turtle=turtle)
        position.trail += [SchoolScored(seat, school), TurtleScored(seat, turtle)]


def _score_reefs(position: MutablePosition) -> None:
    for reef, facts in REEFS.items():
        ranking = reef_ranking(position.boards, reef)
        if not ranking:
            continue
        first = ranking[0]
        second = ranking[1] if len(ranking) > 1 and facts.second_place_points else None
        position.add_points(first, reefs=facts.first_place_points)
        if second is not None:
            position.add_points(second, reefs=facts.second_place_points)
        second_place_points = 0 if second is None else facts.second_place_points
        position.trail.append(ReefScored(reef, first, facts.first_place_points, second, second_place_points))


def score_game(position: MutablePosition) -> None:
    """Score corals, the first player token and tiles, and end the game."""
    for seat in position.turn_order(position.starter):
        board = position.boards[seat]
        corals = sum(board.coral_counts)
        token = int(position.token_holder == seat)
        tiles = sum(map(tile_points, board.tiles))
        position.add_points(seat, corals=corals, token=token, tiles=tiles)
        position.trail.append(FinalScored(seat, corals, token, tiles))
    position.set_phase(Phase.OVER, None)


# The final score ----------------------------------------------------------------------------------------


def result(position: Position) -> Result:
    """Return the result of a finished game; seats that resigned share the last rank."""
    boards = position.boards
    playing_boards = [board for board in boards if not board.resigned]
    ranking_keys = {(board.tally.total, turtle_space_or_minus_one(board)) for board in playing_boards}
    scores = [board.tally.total for board in playing_boards]
    standings = []
    for seat, board in enumerate(boards):
        score = board.tally.total
        if board.resigned:
            rank, is_tied = len(playing_boards) + 1, False
        else:
            rank = 1 + sum(other > (score, turtle_space_or_minus_one(board)) for other in ranking_keys)
            is_tied = scores.count(score) > 1
        tie_break = ScoreLine(TIE_BREAK_LABEL, turtle_space_or_minus_one(board)) if is_tied else None
        standings.append(Standing(Seat(seat), rank, score, score_lines(board), tie_break))
    return Result(tuple(sorted(standings, key=lambda each: (each.rank, each.seat))))


def points(view: AustralisView, seat: Seat) -> int:
    """Return a seat's points so far."""
    return view.position.boards[seat].tally.total


def points_from_own_turns(view: AustralisView, seat: Seat) -> int:
    """Return the points that a seat's dice and cards brought so far, without the scorings of all seats."""
    tally = view.position.boards[seat].tally
    return tally.circles + tally.cards


def score_lines(board: SeaBoard) -> tuple[ScoreLine, ...]:
    """Return a seat's points, line by line."""
    tally = board.tally
    return (
        ScoreLine("Start", tally.start),
        ScoreLine("Dice", tally.circles),
        ScoreLine("Cards", tally.cards),
        ScoreLine("Reefs", tally.reefs),
        ScoreLine("Schools", tally.schools),
        ScoreLine("Turtle", tally.turtle),
        ScoreLine("Corals", tally.corals),
        ScoreLine("First player token", tally.token),
        ScoreLine("Tiles", tally.tiles),
    )
