"""Texts of Current Affairs for a position: buttons, previews, refusals and narration."""

from rules.current_affairs import CURRENT_AFFAIRS
from tests.rules.current_affairs.positions import (
    NAMES,
    act,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
)
from tests.rules.position_texts import PositionTexts

WORDS = CURRENT_AFFAIRS.words
LONG_NAMES = tuple(letter * 32 for letter in "VWXYZ")
_TEXTS = PositionTexts(CURRENT_AFFAIRS, NAMES, act)
actor_view = _TEXTS.actor_view
button_path_text = _TEXTS.button_path_text
preview_text = _TEXTS.preview_text
refusal_text = _TEXTS.refusal_text
narrate_last_action = _TEXTS.narrate_last_action
AT_SEA = make_position(
    make_board("OKH", "C05:P.A. C08:P.", restored="BER", unlocked="wheel"),
    make_board("GPP", "C10"),
    make_board("NEM", "C07 C12"),
    stacks={"EMP": "PNR", "KUR": "P", "ALA": "", "CAL": "GGGG", "PHI": "NG"},
)
"""The first of three seats is to sail."""
IN_PORT = make_port_position(make_board_near_yokohama("C05:PPAR", "C09:P.."))
"""The first seat is in Yokohama with two contracts, one of them complete and of this port."""
