"""The caption of a picture: the table's number and the names of its players."""

import msgspec

from render.scene import Typeface
from render.typeset import make_legible
from rules.model import SEAT_LETTERS


class Caption(msgspec.Struct, frozen=True, gc=False):
    """What a picture says about the table, which no view holds."""

    table_number: int
    """0: unknown."""
    names: tuple[str, ...]
    """The players' names by seat (any characters); a seat without one is called "Seat A", and so on."""
    pill_text: str = ""
    """Shown in the pill of the title in place of whose turn it is, such as "Preview", unless it is empty."""

    def note_with_number(self, text: str) -> str:
        """Return a note for the title bar: the table's number unless it is unknown, then the text."""
        return f"No. {self.table_number} \u00b7 {text}" if self.table_number else text

    def note_with_game(self, game_title: str, text: str = "") -> str:
        """Return a note for the title bar: game, number of the table unless it is unknown, and the text."""
        number_text = f"No. {self.table_number}" if self.table_number else ""
        return " \u00b7 ".join(part for part in (game_title, number_text, text) if part)

    def seat_name(self, seat: int) -> str:
        """Return the seat's name as it can be drawn, never empty."""
        name = make_legible(self.names[seat], Typeface.BOLD) if seat < len(self.names) else ""
        return name or f"Seat {SEAT_LETTERS[seat]}"
