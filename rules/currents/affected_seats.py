"""Whom a record of Currents affects: everybody, since all share one pawn and one compass.

So the story of the others' turns shows a player every record, in the order of play.
"""

from rules.currents.model import CurrentsView
from rules.model import Seat


def affected_seats(before: CurrentsView, after: CurrentsView) -> frozenset[Seat]:
    """Return all seats."""
    return frozenset(map(Seat, range(after.position.seat_count)))
