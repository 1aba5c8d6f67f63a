"""Fits texts into the width that they may take, or breaks them into lines."""

import math
from functools import lru_cache

import msgspec

from render.scene import Text, Typeface
from render.typeset import fit_text, fits


def fit_text_and_width(text: Text) -> Text:
    """Fit a text into its ``max_width``, then reduce that to the width that it takes.

    So equal words have equal tiles.
    """
    fitted = fit_text(text)
    max_width = math.ceil(fitted.width) + 1
    return msgspec.structs.replace(text, text=fitted.text, suffix="", size=fitted.size, max_width=max_width)


def wrap_text(text: str, size: float, max_width: float, face: Typeface = Typeface.SANS) -> tuple[str, ...]:
    """Break a text between words so that every line fits, except a single word that is too long."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and fits(longer, face, size, max_width):
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


@lru_cache(maxsize=256)
def wrap_balanced(text: str, size: float, max_width: float) -> tuple[str, ...]:
    """Wrap like ``wrap_text``, but with lines of similar length, so that no short rest is left at the end."""
    lines = wrap_text(text, size, max_width)
    while max_width > size * 4:
        max_width -= size / 3
        narrower = wrap_text(text, size, max_width)
        if len(narrower) > len(lines) or not all(
            fits(line, Typeface.SANS, size, max_width) for line in narrower
        ):
            break
        lines = narrower
    return lines
