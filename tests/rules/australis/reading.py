"""Texts of Australis for a position: buttons, previews and refusals of the seat to act, and narration."""

from rules.australis import AUSTRALIS
from rules.australis.model import AustralisView, Position
from rules.australis.paths import path
from rules.game import Seat
from tests.rules.australis.positions import NAMES, NOTATION, act, last_turn, make_board, make_position

WORDS = AUSTRALIS.words
LONG_NAMES = tuple(letter * 32 for letter in "WXYZ")
TAKING = make_position(make_board(), make_board(turtle=1), dice="blue-2 blue-5 purple-3 red")
PICKING = act(
    make_position(
        make_board(cards="blue-fish blue-points blue-coral purple-competition white-fish"),
        make_board(turtle=1),
        dice="white-1k2c red",
        display="blue-turtle white-fish purple-competition red-competition",
    ),
    "take white-1k2c",
)
PLACING = act(make_position(make_board(), make_board(turtle=1), dice="purple-5 red"), "take purple-5")
MOVING = act(
    make_position(make_board(reefs={3: 8, 4: 8}), make_board(turtle=1), dice="purple-5 red"), "take purple-5"
)
COMPETING = last_turn(
    make_board(turtle=9, cards="red-competition", dice="blue-2 yellow-4f white-2k"),
    make_board(turtle=4, cards="blue-competition red-competition", dice="blue-3 blue-4 purple-3 white-2k"),
    make_board(turtle=6, cards="purple-competition", dice="purple-4 purple-5 yellow-4f white-2k"),
    dice="red blue-6",
)
ROLLS = (
    "compete 3,6,3,5,5,6,4",
    "compete 5,2,6,3,4,7",
    "compete 7,4,5,6",
    "compete 4,3,8",
    "compete 6,7",
)
"""The rulebook's worked example."""


def view_to_act(position: Position) -> AustralisView:
    """Return the view of the seat to act."""
    return AUSTRALIS.view(position, position.to_act)


def button_text(position: Position, text: str) -> str:
    """Return the labels of the buttons that lead to an action."""
    action = NOTATION.parse(text)
    return " > ".join(step.label for step in path(view_to_act(position), action, NAMES))


def preview_lines(position: Position, text: str) -> list[str]:
    """Return the lines of an action's preview."""
    return (WORDS.preview(view_to_act(position), NOTATION.parse(text), NAMES) or "").split("\n")


def short_text(position: Position, text: str) -> str:
    """Return an action's preview in a few words."""
    return WORDS.short_preview(view_to_act(position), NOTATION.parse(text), NAMES)


def refusal_text(position: Position, text: str) -> str:
    """Return why the seat to act may not play this."""
    return WORDS.refusal(view_to_act(position), NOTATION.parse(text), NAMES)


def narrate_last(position: Position, *texts: str) -> str:
    """Return what the last of these actions is narrated as, and check that it is public."""
    *earlier, last = texts
    before = act(position, *earlier)
    after = act(before, last)
    actor, action = before.to_act, NOTATION.parse(last)
    assert actor is not None
    shown = {
        WORDS.narrate(AUSTRALIS.view(before, seat), actor, action, AUSTRALIS.view(after, seat), NAMES)
        for seat in (None, Seat(0), Seat(1))
    }
    assert len(shown) == 1
    return shown.pop()
