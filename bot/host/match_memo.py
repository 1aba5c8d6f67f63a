"""Keeps what was computed of the matches used last: messages and presses in a row ask for the same."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

from rules.match import Match

MAX_MATCHES: Final = 128
"""Matches of which something is kept: some kilobytes each."""


class MatchMemo:
    """What was computed of some matches, which never change.  May be used in any thread."""

    def __init__(self, max_matches: int = MAX_MATCHES) -> None:
        """``max_matches``: those used last are kept."""
        self._max_matches = max_matches
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, tuple[Match, dict[Hashable, Any]]] = OrderedDict()
        """By identity; the match beside it keeps the identity from being used again."""

    def of(self, key: Match) -> dict[Hashable, Any]:
        """Return what is kept of a match, to be read and added to."""
        with self._lock:
            _, found = self._kept.setdefault(id(key), (key, {}))
            self._kept.move_to_end(id(key))
            if len(self._kept) > self._max_matches:
                self._kept.popitem(last=False)
            return found
