"""Texts of Current Affairs for a position: buttons, previews, refusals and narration."""

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.model import CurrentAffairsView, Position
from rules.current_affairs.paths import path
from rules.game import CHANCE, Seat
from tests.rules.current_affairs.positions import NAMES, NOTATION, act

WORDS = CURRENT_AFFAIRS.words
LONG_NAMES = tuple(letter * 32 for letter in "VWXYZ")


def view_to_act(position: Position) -> CurrentAffairsView:
    """Return the view of the seat to act."""
    viewer = None if position.to_act == CHANCE else position.to_act
    return CURRENT_AFFAIRS.view(position, viewer)


def button_text(position: Position, text: str) -> str:
    """Return the labels of the buttons that lead to an action."""
    action = NOTATION.parse(text)
    return " > ".join(step.label for step in path(view_to_act(position), action, NAMES))


def preview_text(position: Position, text: str) -> str:
    """Return an action's preview."""
    return WORDS.preview(view_to_act(position), NOTATION.parse(text), NAMES) or ""


def refusal_text(position: Position, text: str, seat: int | None = None) -> str:
    """Return why a seat, or the one to act, may not play this."""
    view = view_to_act(position) if seat is None else CURRENT_AFFAIRS.view(position, Seat(seat))
    return WORDS.refusal(view, NOTATION.parse(text), NAMES)


def narrate_last(position: Position, *texts: str) -> str:
    """Return what the last of these actions is narrated as, and check that it is public."""
    *earlier, last = texts
    before = act(position, *earlier)
    after = act(before, last)
    actor, action = before.to_act, NOTATION.parse(last)
    assert actor is not None
    views = [
        (CURRENT_AFFAIRS.view(before, seat), CURRENT_AFFAIRS.view(after, seat)) for seat in (None, Seat(0))
    ]
    shown = {WORDS.narrate(one, actor, action, other, NAMES) for one, other in views}
    assert len(shown) == 1
    return shown.pop()
