"""A cache of values computed from each table's newest match: messages and presses in a row need the same."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

from rules.match import Match

MAX_TABLES: Final = 64
"""The most tables with cached values: up to 140 KiB each."""


class MatchMemo:
    """The values computed from the matches used last.  Any thread may use it."""

    def __init__(self, max_tables: int = MAX_TABLES) -> None:
        """``max_tables``: how many tables keep their values, those used last."""
        self._max_tables = max_tables
        self._lock = threading.Lock()
        self._values: OrderedDict[int, tuple[Match, dict[Hashable, Any]]] = OrderedDict()
        """By the table's number.  The values are of this match: the table may have a newer one."""

    def values_of(self, table_number: int, match: Match) -> dict[Hashable, Any]:
        """Return the cached values of a table's match, to read and add to; an earlier match's are dropped."""
        with self._lock:
            cached_match, values = self._values.get(table_number, (None, {}))
            if cached_match is not match:
                values = {}
                self._values[table_number] = match, values
            self._values.move_to_end(table_number)
            if len(self._values) > self._max_tables:
                self._values.popitem(last=False)
            return values
