"""The final score (rulebook, End Game)."""

from typing import Final

from rules.model import Result, ScoreLine, Seat, Standing
from rules.oceans.model import TURN_ORDER_BONUS, OceansView, Position

TIE_BREAK_LABEL: Final = "traits in play"


def turn_order_bonus(position: Position, seat: Seat) -> int:
    """Return the points that a seat got at set-up, by its place in the turn order."""
    first = position.first_player or Seat(0)
    return TURN_ORDER_BONUS[position.seat_count][(seat - first) % position.seat_count]


def points(view: OceansView, seat: Seat) -> int | None:
    """Return a seat's points so far; None for the seats whose score pile the viewer cannot see."""
    position = view.position
    if view.score_pile is None or view.viewer != seat:
        return None
    if position.resigned[seat]:
        return view.score_pile
    return (
        view.score_pile
        + sum(species.population for species in position.rows[seat])
        + turn_order_bonus(position, seat)
    )


def result(position: Position, score_piles: tuple[int, ...]) -> Result:
    """Return the final result: score pile, population on boards and bonus.

    Ties are broken by trait cards in play, else shared (O12).  Seats that resigned come last, with their
    score piles only.
    """
    lines_by_seat = {
        seat: (
            ScoreLine("Score pile", score_piles[seat]),
            ScoreLine("Species", sum(species.population for species in position.rows[seat])),
            ScoreLine("Bonus", turn_order_bonus(position, seat)),
        )
        for seat in map(Seat, range(position.seat_count))
        if not position.resigned[seat]
    }
    totals = {seat: sum(line.points for line in lines) for seat, lines in lines_by_seat.items()}
    trait_counts = {
        seat: sum(len(species.traits) for species in position.rows[seat]) for seat in lines_by_seat
    }
    standings = []
    for seat in map(Seat, range(position.seat_count)):
        if seat not in lines_by_seat:
            score_pile_line = ScoreLine("Score pile", score_piles[seat])
            standings.append(Standing(seat, len(lines_by_seat) + 1, score_piles[seat], (score_pile_line,)))
            continue
        rank = 1 + sum(
            (totals[other], trait_counts[other]) > (totals[seat], trait_counts[seat])
            for other in lines_by_seat
        )
        is_tied = list(totals.values()).count(totals[seat]) > 1
        tie_break = ScoreLine(TIE_BREAK_LABEL, trait_counts[seat]) if is_tied else None
        standings.append(Standing(seat, rank, totals[seat], lines_by_seat[seat], tie_break))
    return Result(tuple(sorted(standings, key=lambda each: (each.rank, each.seat))))
