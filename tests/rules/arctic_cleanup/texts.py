"""Texts of Arctic CleanUp for a position: buttons, previews, refusals and narration."""

from rules.arctic_cleanup import ARCTIC_CLEANUP
from tests.rules.arctic_cleanup.positions import NAMES, act
from tests.rules.position_texts import PositionTexts

WORDS = ARCTIC_CLEANUP.words
LONG_NAMES = tuple(letter * 32 for letter in "VWXYZ")
_TEXTS = PositionTexts(ARCTIC_CLEANUP, NAMES, act)
actor_view = _TEXTS.actor_view
button_path_text = _TEXTS.button_path_text
preview_text = _TEXTS.preview_text
refusal_text = _TEXTS.refusal_text
narrate_last_action = _TEXTS.narrate_last_action
