"""Texts of Australis for a position: buttons, previews, refusals and narration."""

from rules.australis import AUSTRALIS
from rules.australis.model import Position
from tests.rules.australis.positions import NAMES, NOTATION, act
from tests.rules.position_texts import PositionTexts

WORDS = AUSTRALIS.words
LONG_NAMES = tuple(letter * 32 for letter in "WXYZ")
_TEXTS = PositionTexts(AUSTRALIS, NAMES, act)
actor_view = _TEXTS.actor_view
button_path_text = _TEXTS.button_path_text
refusal_text = _TEXTS.refusal_text
narrate_last_action = _TEXTS.narrate_last_action


def preview_lines(position: Position, text: str) -> list[str]:
    """Return the lines of an action's preview."""
    return _TEXTS.preview_text(position, text).split("\n")


def short_preview_text(position: Position, text: str) -> str:
    """Return an action's preview in a few words."""
    return WORDS.short_preview(actor_view(position), NOTATION.parse(text), NAMES)
