"""The tables in memory: those that were used last, so many that memory stays within bounds."""

from collections import OrderedDict
from typing import Final

from bot.host.table import Table

MOST_RECORDS: Final = 40_000
"""In all held tables together: a record takes up to a kilobyte."""
_EMPTY: Final = 50
"""A table without records counts as much."""


class TableCache:
    """Any other table is loaded when it is asked for."""

    def __init__(self, most: int = MOST_RECORDS) -> None:
        """``most``: records of all tables together; the one used last is kept whatever it counts."""
        self._most = most
        self._records = 0
        self._tables: OrderedDict[int, Table] = OrderedDict()

    def __len__(self) -> int:
        """How many there are."""
        return len(self._tables)

    def get(self, number: int) -> Table | None:
        """A table, if it is here; it is then the one used last."""
        table = self._tables.get(number)
        if table is not None:
            self._tables.move_to_end(number)
        return table

    def put(self, table: Table) -> None:
        """Keep a table as it is now; those used longest ago make room for it."""
        self.evict(table.number)
        self._tables[table.number] = table
        self._records += _records_of(table)
        while self._records > self._most and len(self._tables) > 1:
            self.evict(next(iter(self._tables)))

    def evict(self, number: int) -> None:
        """Forget a table, if it is here."""
        table = self._tables.pop(number, None)
        if table is not None:
            self._records -= _records_of(table)

    def clear(self) -> None:
        """Forget all."""
        self._tables.clear()
        self._records = 0


def _records_of(table: Table) -> int:
    return _EMPTY + (0 if table.match is None else len(table.match.history))
