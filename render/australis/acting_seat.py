"""Whose turn it is, and who has won."""

from rules.australis.model import Phase, Position
from rules.australis.scoring import result
from rules.game import Seat


def acting_seat_or_winner(position: Position) -> Seat | None:
    """Return whose turn it is; at the end, the only winner."""
    if position.phase is Phase.OVER:
        winners = result(position).winners
        return winners[0] if len(winners) == 1 else None
    return position.to_act if position.to_act is not None and position.to_act >= 0 else None
