"""Texts of Oceans in a state: labels, previews and refusals."""

from rules.model import Action, Names, Seat
from rules.oceans import OCEANS
from rules.oceans.rules import State, apply_action, view
from tests.rules.oceans.positions import NAMES, NOTATION, legal_texts

WORDS = OCEANS.words
LONG_NAMES: Names = tuple(letter * 32 for letter in "UVWXYZ")


def refusal_text(state: State, text: str) -> str:
    """Return the refusal of an illegal action to the seat to act."""
    actor = state.position.to_act
    assert actor is not None
    assert text not in legal_texts(state), f"{text} is legal"
    return WORDS.refusal(view(state, actor), NOTATION.parse(text), NAMES)


def action_texts(state: State, text: str) -> tuple[str, str, str]:
    """Return label, short preview and preview of a legal action."""
    actor = state.position.to_act
    assert actor is not None
    assert text in legal_texts(state), f"{text} is not legal: {legal_texts(state)[:40]}"
    action, seen = NOTATION.parse(text), view(state, actor)
    preview = WORDS.preview(seen, action, NAMES)
    return WORDS.label(seen, action, NAMES), WORDS.short_preview(seen, action, NAMES), preview or ""


def narration(state: State, text: str, viewer: Seat | None = None) -> str:
    """Return the narration of one legal action, as a viewer reads it."""
    assert text in legal_texts(state), f"{text} is not legal: {legal_texts(state)[:40]}"
    return narrate_action(state, NOTATION.parse(text), viewer)


def narrate_action(state: State, action: Action, viewer: Seat | None = None) -> str:
    """Return the narration of an action, which may be chance's, as a viewer reads it."""
    actor = state.position.to_act
    assert actor is not None
    after = apply_action(state, action)
    seen_action = action.seen_by(viewer, actor)
    return WORDS.narrate(view(state, viewer), actor, seen_action, view(after, viewer), NAMES).text
