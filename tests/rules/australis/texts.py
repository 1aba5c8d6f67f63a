"""Texts of Australis for a position, and the positions that many tests of texts use."""

from rules.australis import AUSTRALIS
from rules.australis.model import Position
from tests.rules.australis.positions import (
    NAMES,
    NOTATION,
    act,
    make_board,
    make_last_turn_position,
    make_position,
)
from tests.rules.position_texts import PositionTexts

WORDS = AUSTRALIS.words
LONG_NAMES = tuple(letter * 32 for letter in "WXYZ")
TAKING_DIE = make_position(make_board(), make_board(turtle=1), dice="blue-2 blue-5 purple-3 red")
PICKING_CARD = act(
    make_position(
        make_board(cards="blue-fish blue-points blue-coral purple-competition white-fish"),
        make_board(turtle=1),
        dice="white-1c2p red",
        display="blue-turtle white-fish purple-competition red-competition",
    ),
    "take white-1c2p",
)
PLACING_CORAL = act(make_position(make_board(), make_board(turtle=1), dice="purple-5 red"), "take purple-5")
MOVING_CORAL = act(
    make_position(make_board(corals={3: 8, 4: 8}), make_board(turtle=1), dice="purple-5 red"), "take purple-5"
)
"""What the first seat has to choose in each of these positions."""
TAKING_LAST_DIE = make_last_turn_position(
    make_board(turtle=9, cards="red-competition", dice="blue-2 yellow-4f white-2c"),
    make_board(turtle=4, cards="blue-competition red-competition", dice="blue-3 blue-4 purple-3 white-2c"),
    make_board(turtle=6, cards="purple-competition", dice="purple-4 purple-5 yellow-4f white-2c"),
    dice="red blue-6",
)
"""The first seat takes the last die of a round, before the rulebook's worked example of the competition."""
COMPETITION_ROLLS = (
    "compete 3,6,3,5,5,6,4",
    "compete 5,2,6,3,4,7",
    "compete 7,4,5,6",
    "compete 4,3,8",
    "compete 6,7",
)
"""The rolls of the rulebook's worked example of the competition, after "take red" in ``TAKING_LAST_DIE``."""


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
