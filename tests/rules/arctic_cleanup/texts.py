"""Texts of Arctic CleanUp for a position: buttons, previews, refusals and narration."""

from rules.arctic_cleanup import ARCTIC_CLEANUP
from tests.rules.arctic_cleanup.positions import NAMES, act, make_board, make_position
from tests.rules.position_texts import PositionTexts

WORDS = ARCTIC_CLEANUP.words
LONG_NAMES = tuple(letter * 32 for letter in "VWXYZ")
_TEXTS = PositionTexts(ARCTIC_CLEANUP, NAMES, act)
actor_view = _TEXTS.actor_view
button_path_text = _TEXTS.button_path_text
preview_text = _TEXTS.preview_text
refusal_text = _TEXTS.refusal_text
narrate_last_action = _TEXTS.narrate_last_action
SAMPLE_POSITION = make_position(
    make_board("A2", "B2 B3", spare_die_count=1, cargo="pp,pet -", lines="R2:pet"),
    ocean="B2:2pet,pp B3:eva",
    bag="2pet,pp",
)
"""The first seat's turn: tokens at sea, aboard, in a line and in the bag, and a spare die."""
