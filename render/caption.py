"""What a picture says beyond the view."""

import msgspec


class Caption(msgspec.Struct, frozen=True, gc=False):
    """The table's number and the players' names by seat, in any characters."""

    table: int
    names: tuple[str, ...]

    def name(self, seat: int) -> str:
        """Return the seat's name, never empty."""
        found = self.names[seat] if seat < len(self.names) else ""
        return found if found.strip() else f"Seat {'ABCDEF'[seat]}"
