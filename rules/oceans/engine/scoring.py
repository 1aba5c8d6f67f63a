"""The final score (rulebook, End Game)."""

from rules.game import Part, Result, Seat, Standing
from rules.oceans.model import BONUS, Position


def bonus(position: Position, seat: Seat) -> int:
    """The points that a seat was given at set-up, by its place in the order of turns."""
    first = position.first_player or Seat(0)
    return BONUS[position.seats][(seat - first) % position.seats]


def result(position: Position, scores: tuple[int, ...]) -> Result:
    """Score pile, population on boards and bonus; ties by trait cards in play, then shared.

    ``scores``: the score piles by seat.  Who has resigned comes last, with nothing.
    """
    found: list[tuple[tuple[int, int, int], Seat, tuple[Part, ...]]] = []
    for seat in map(Seat, range(position.seats)):
        if position.resigned[seat]:
            found.append(((0, 0, 0), seat, ()))
            continue
        row = position.rows[seat]
        parts = (
            Part("Score pile", scores[seat]),
            Part("Species", sum(species.population for species in row)),
            Part("Bonus", bonus(position, seat)),
        )
        traits = sum(len(species.traits) for species in row)
        found.append(((1, sum(part.points for part in parts), traits), seat, parts))
    keys = sorted((key for key, _, _ in found), reverse=True)
    found.sort(key=lambda each: (keys.index(each[0]), each[1]))
    return Result(tuple(Standing(seat, keys.index(key) + 1, key[1], parts) for key, seat, parts in found))
