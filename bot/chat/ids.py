"""What a button carries: which table, offered at which ply, and what it asks for.  It grants no right.

``c1:<table>:<ply>:<ask>:<words>``; after the n-th restored backup ``r<n>`` stands for ``c1`` at the
tables that went back and at new ones, so that a button from before is told from one of theirs.  The edition
is never reused for another meaning; a released button works for ever or says why not.
"""

import re
from typing import Final

import msgspec

from bot import limits

EDITION: Final = "c1"
TEMPLATE: Final = re.compile(
    r"(?:c1|r(?P<generation>[1-9]\d{0,2})):(?P<table>\d{1,7}):(?P<ply>\d{1,5}):(?P<ask>[a-z]{1,6}):(?P<words>[^\n]{0,80})"
)


class ButtonId(msgspec.Struct, frozen=True):
    """The parsed custom id of a button, select or modal."""

    table: int
    ply: int
    ask: str
    words: str = ""
    generation: int = 0

    def __str__(self) -> str:
        """Write it; raises ValueError if Discord would not take it."""
        edition = f"r{self.generation}" if self.generation else EDITION
        text = f"{edition}:{self.table}:{self.ply}:{self.ask}:{self.words}"
        if len(text) > limits.CUSTOM_ID or TEMPLATE.fullmatch(text) is None:
            raise ValueError(f"no custom id: {text!r}")
        return text


def parse_id(text: str) -> ButtonId | None:
    """Read a custom id; None if it is none of ours."""
    found = TEMPLATE.fullmatch(text)
    if found is None:
        return None
    return ButtonId(
        int(found["table"]), int(found["ply"]), found["ask"], found["words"], int(found["generation"] or 0)
    )
