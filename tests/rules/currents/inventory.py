"""What a table of Currents consists of, for the tests of every game."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from rules.currents.board import GEOMETRIES, SQUARE_SIZE, TRIANGLE_SIZE
from rules.model import Seat


def pieces(state: Any) -> Iterable[Any]:
    """Yield every card."""
    position = state.position
    return chain(
        position.aces,
        position.compass,
        position.currents,
        position.discard_pile,
        state.draw_pile,
        *state.hands,
    )


def belongings(state: Any, seat: Seat) -> object:
    """Return what a seat owns and aims for: its number of cards, and how far the pawn is from its goals."""
    position = state.position
    geometry = GEOMETRIES[position.options.board]
    goals = geometry.goals(position.seat_count, seat, position.first_player, position.axis)
    pawn = position.pawn
    distances = {
        "N": pawn[1],
        "S": SQUARE_SIZE - pawn[1],
        "W": pawn[0],
        "E": SQUARE_SIZE - pawn[0],
        **{side: TRIANGLE_SIZE - coordinate for side, coordinate in zip("XYZ", pawn, strict=False)},
    }
    return position.hand_sizes[seat], [distances[edge] for edge in goals]
