"""A least-recently-used cache of tables, limited by their records."""

from collections import OrderedDict
from typing import Final

from bot.host.table import Table

MAX_RECORDS: Final = 20_000
"""The limit of the cache in records, each of which takes up to a kilobyte: some sixty games."""
_TABLE_COST: Final = 50
"""How many records a table counts as, in addition to those that it has."""


class TableCache:
    """The most recently used tables by number."""

    def __init__(self, max_records: int = MAX_RECORDS) -> None:
        """``max_records``: of all tables together.  The table used last stays, however many it has."""
        self._max_records = max_records
        self._total_cost = 0
        self._tables: OrderedDict[int, Table] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of cached tables."""
        return len(self._tables)

    def get(self, number: int) -> Table | None:
        """Return a cached table and mark it as the most recently used; None if it is not cached."""
        table = self._tables.get(number)
        if table is not None:
            self._tables.move_to_end(number)
        return table

    def put(self, table: Table) -> None:
        """Add or replace a table; evict the least recently used ones above the limit."""
        self.evict(table.number)
        self._tables[table.number] = table
        self._total_cost += _cost(table)
        while self._total_cost > self._max_records and len(self._tables) > 1:
            self.evict(next(iter(self._tables)))

    def evict(self, number: int) -> None:
        """Remove a table if it is cached."""
        table = self._tables.pop(number, None)
        if table is not None:
            self._total_cost -= _cost(table)

    def clear(self) -> None:
        """Remove all tables."""
        self._tables.clear()
        self._total_cost = 0


def _cost(table: Table) -> int:
    return _TABLE_COST + (0 if table.match is None else len(table.match.history))
