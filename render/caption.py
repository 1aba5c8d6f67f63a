"""The caption of a picture: the table and the names of its players, which no view holds."""

import msgspec

from render.scene import Face
from render.typeset import make_legible
from rules.game import SEAT_LETTERS


class Caption(msgspec.Struct, frozen=True, gc=False):
    """The table's number and the players' names by seat (any characters)."""

    table: int
    names: tuple[str, ...]
    occasion: str = ""
    """Shown instead of whose turn it is: "Preview"."""

    def seat_name(self, seat: int) -> str:
        """Return the seat's name as it can be drawn, never empty."""
        name = make_legible(self.names[seat], Face.BOLD) if seat < len(self.names) else ""
        return name or f"Seat {SEAT_LETTERS[seat]}"
