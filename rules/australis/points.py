"""When points are given: at the end of a round, and at the end of the game."""

from rules.australis.components import REEFS
from rules.australis.events import FinalScored, ReefScored, SchoolScored, TurtleScored
from rules.australis.model import Phase
from rules.australis.mutable_position import MutablePosition
from rules.australis.scoring import reef_ranking, school_points, tile_points, turtle_space


def score_round(position: MutablePosition) -> None:
    """Score reefs, schools of fish and turtles; the holder of the token comes first, else who began."""
    _score_reefs(position)
    for seat in position.seats_from(
        position.starter if position.token_holder is None else position.token_holder
    ):
        board = position.boards[seat]
        school, turtle = school_points(board), turtle_space(board)
        position.change_tally(seat, schools=school, turtle=turtle)
        position.trail += [SchoolScored(seat, school), TurtleScored(seat, turtle)]


def _score_reefs(position: MutablePosition) -> None:
    for number, reef in REEFS.items():
        ranking = reef_ranking(position.boards, number)
        if not ranking:
            continue
        first = ranking[0]
        second = ranking[1] if len(ranking) > 1 and reef.second_points else None
        position.change_tally(first, reefs=reef.first_points)
        if second is not None:
            position.change_tally(second, reefs=reef.second_points)
        second_points = 0 if second is None else reef.second_points
        position.trail.append(ReefScored(number, first, reef.first_points, second, second_points))


def score_game(position: MutablePosition) -> None:
    """Score corals, the first player token and tiles, and end the game."""
    for seat in position.seats_from(position.starter):
        board = position.boards[seat]
        corals = sum(board.reefs)
        token = int(position.token_holder == seat)
        tiles = sum(map(tile_points, board.tiles))
        position.change_tally(seat, corals=corals, token=token, tiles=tiles)
        position.trail.append(FinalScored(seat, corals, token, tiles))
    position.ask(Phase.OVER, None)
