"""Keeps what was computed of each table's newest match: messages and presses in a row ask for the same."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

from rules.match import Match

MAX_TABLES: Final = 64
"""Tables of whose match something is kept: up to 140 KiB each."""


class MatchMemo:
    """What was computed of the newest matches, which never change.  May be used in any thread."""

    def __init__(self, max_tables: int = MAX_TABLES) -> None:
        """``max_tables``: those used last are kept."""
        self._max_tables = max_tables
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, tuple[Match, dict[Hashable, Any]]] = OrderedDict()
        """By the table's number; the match itself tells whether it is still the same."""

    def values_of(self, table: int, match: Match) -> dict[Hashable, Any]:
        """Return what is kept of a table's match, to be read and added to; earlier matches are forgotten."""
        with self._lock:
            known, found = self._kept.get(table, (None, {}))
            if known is not match:
                found = {}
                self._kept[table] = match, found
            self._kept.move_to_end(table)
            if len(self._kept) > self._max_tables:
                self._kept.popitem(last=False)
            return found
