"""Words around a typed move that say nothing of it: "I", "let's", "please"."""

from collections.abc import Callable
from typing import Final

from rules.typed_text import plain_word

_FILLERS: Final = frozenset(
    (
        *("i", "i'd", "i'll", "i'm", "we", "we'd", "we'll", "me", "us", "my", "our"),
        *("let's", "lets", "will", "would", "want", "wanna", "like", "going", "gonna"),
        *("also", "just", "now", "ok", "okay", "please", "pls", "plz", "so", "thanks", "thx"),
    )
)
_FILLER_IN_FRONT: Final = "then"
"""Says nothing before the first word of a move; behind it labels have it."""
_WORDS_BEHIND_FILLERS: Final = frozenset(("and", "to"))
"""What stands between fillers and a move: "and then", "I want to"."""


def without_fillers(text: str, begins_move: Callable[[str], bool], holds_word: Callable[[str], bool]) -> str:
    """Return a typed text without the words that say nothing of its move, unless no other is left.

    A plain word with which a move begins, or which one holds, is no filler there.
    """
    kept: list[str] = []
    has_filler = False
    for typed in text.split():
        word = plain_word(typed)
        is_filler = word in _FILLERS or (not kept and word == _FILLER_IN_FRONT)
        if is_filler and not (holds_word if kept else begins_move)(word):
            has_filler = True
        elif kept or word not in _WORDS_BEHIND_FILLERS:
            kept.append(typed)
    return " ".join(kept) if has_filler and kept else text
