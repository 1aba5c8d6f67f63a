"""Fits texts into their room: breaks them into lines and reduces a text's room to its width."""

import math
from functools import lru_cache

import msgspec

from render.scene import Text, Typeface
from render.typeset import fit_text, fits


def fit_text_and_room(text: Text) -> Text:
    """Fit a text into its room, then reduce the room to its width, so that equal words have equal tiles."""
    fitted = fit_text(text)
    room = math.ceil(fitted.width) + 1
    return msgspec.structs.replace(text, text=fitted.text, suffix="", size=fitted.size, room=room)


def wrap_text(text: str, size: float, room: float, face: Typeface = Typeface.SANS) -> tuple[str, ...]:
    """Break a text between words so that every line fits, except a single word that is too long."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and fits(longer, face, size, room):
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


@lru_cache(maxsize=256)
def wrap_balanced(text: str, size: float, room: float) -> tuple[str, ...]:
    """Wrap like ``wrap_text``, but with lines of similar length, so that no short rest is left at the end."""
    lines = wrap_text(text, size, room)
    while room > size * 4:
        room -= size / 3
        narrower = wrap_text(text, size, room)
        if len(narrower) > len(lines) or not all(fits(line, Typeface.SANS, size, room) for line in narrower):
            break
        lines = narrower
    return lines
