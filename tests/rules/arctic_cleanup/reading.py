"""Texts of Arctic CleanUp for a position: buttons, previews, refusals and narration."""

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.model import ArcticCleanUpView, Position
from rules.arctic_cleanup.paths import path
from rules.game import CHANCE, Seat
from tests.rules.arctic_cleanup.positions import NAMES, NOTATION, act

WORDS = ARCTIC_CLEANUP.words
LONG_NAMES = tuple(letter * 32 for letter in "VWXYZ")


def view_to_act(position: Position) -> ArcticCleanUpView:
    """Return the view of the seat to act."""
    viewer = None if position.to_act == CHANCE else position.to_act
    return ARCTIC_CLEANUP.view(position, viewer)


def button_text(position: Position, text: str) -> str:
    """Return the labels of the buttons that lead to an action."""
    action = NOTATION.parse(text)
    return " > ".join(step.label for step in path(view_to_act(position), action, NAMES))


def preview_text(position: Position, text: str) -> str:
    """Return an action's preview."""
    return WORDS.preview(view_to_act(position), NOTATION.parse(text), NAMES) or ""


def refusal_text(position: Position, text: str, seat: int | None = None) -> str:
    """Return why a seat, or the one to act, may not play this."""
    view = view_to_act(position) if seat is None else ARCTIC_CLEANUP.view(position, Seat(seat))
    return WORDS.refusal(view, NOTATION.parse(text), NAMES)


def narrate_last(position: Position, *texts: str) -> str:
    """Return what the last of these actions is narrated as, and check that it is public."""
    *earlier, last = texts
    before = act(position, *earlier)
    after = act(before, last)
    actor, action = before.to_act, NOTATION.parse(last)
    assert actor is not None
    views = [
        (ARCTIC_CLEANUP.view(before, seat), ARCTIC_CLEANUP.view(after, seat)) for seat in (None, Seat(0))
    ]
    shown = {WORDS.narrate(one, actor, action, other, NAMES) for one, other in views}
    assert len(shown) == 1
    return shown.pop()
