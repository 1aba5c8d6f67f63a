"""The final score (rulebook, End Game)."""

from typing import Final

from rules.game import Result, ScoreLine, Seat, Standing
from rules.oceans.model import TURN_ORDER_BONUS, OceansView, Position

TIE_BREAK: Final = "traits in play"


def bonus(position: Position, seat: Seat) -> int:
    """Return the points that a seat got at set-up, by its place in the turn order."""
    first = position.first_player or Seat(0)
    return TURN_ORDER_BONUS[position.seats][(seat - first) % position.seats]


def points(view: OceansView, seat: Seat) -> int | None:
    """Return a seat's points so far; None for the seats whose score pile the viewer cannot see."""
    position = view.position
    if view.score is None or view.viewer != seat:
        return None
    if position.resigned[seat]:
        return view.score
    return view.score + sum(species.population for species in position.rows[seat]) + bonus(position, seat)


def result(position: Position, scores: tuple[int, ...]) -> Result:
    """Return the final result: score pile, population on boards and bonus.

    Ties are broken by trait cards in play, else shared (O12).

    ``scores``: the score piles by seat.  Seats that resigned come last, with their score piles only.
    """
    parts = {
        seat: (
            ScoreLine("Score pile", scores[seat]),
            ScoreLine("Species", sum(species.population for species in position.rows[seat])),
            ScoreLine("Bonus", bonus(position, seat)),
        )
        for seat in map(Seat, range(position.seats))
        if not position.resigned[seat]
    }
    points = {seat: sum(part.points for part in score_lines) for seat, score_lines in parts.items()}
    traits = {seat: sum(len(species.traits) for species in position.rows[seat]) for seat in parts}
    standings = []
    for seat in map(Seat, range(position.seats)):
        if seat not in parts:
            pile = ScoreLine("Score pile", scores[seat])
            standings.append(Standing(seat, len(parts) + 1, scores[seat], (pile,)))
            continue
        rank = 1 + sum((points[other], traits[other]) > (points[seat], traits[seat]) for other in parts)
        tied = list(points.values()).count(points[seat]) > 1
        tie_break = ScoreLine(TIE_BREAK, traits[seat]) if tied else None
        standings.append(Standing(seat, rank, points[seat], parts[seat], tie_break))
    return Result(tuple(sorted(standings, key=lambda each: (each.rank, each.seat))))
