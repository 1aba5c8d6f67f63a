"""The preferences of people and servers; those used last are kept in memory."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from typing import Final, Generic

import msgspec

from bot.store.preferences import PersonRow, PreferencesRowT, ServerAuditEntry, ServerRow
from bot.store.protocol import Store, UndecodablePreferences

MAX_CACHED_ROWS: Final = 4096
"""How many rows a cache holds at most, of people or of servers."""

_log = logging.getLogger(__name__)


class _PreferenceCache(Generic[PreferencesRowT]):
    """A least-recently-used cache of rows; a person or server that has set nothing has a row of defaults."""

    def __init__(self, store: Store, row_type: type[PreferencesRowT]) -> None:
        self._store = store
        self._row_type: type[PreferencesRowT] = row_type
        self._cache: OrderedDict[int, PreferencesRowT] = OrderedDict()
        self._lock = asyncio.Lock()

    async def get(self, key: int) -> PreferencesRowT:
        """Return a row.  Raises StoreError."""
        return (await self.get_many((key,)))[key]

    async def get_many(self, keys: Collection[int]) -> Mapping[int, PreferencesRowT]:
        """Return the rows with these keys.  Raises StoreError."""
        if all(key in self._cache for key in keys):
            for key in keys:
                self._cache.move_to_end(key)
            return {key: self._cache[key] for key in keys}
        async with self._lock:
            return await self._load(keys)

    async def change(
        self,
        key: int,
        change: Callable[[PreferencesRowT], PreferencesRowT],
        audit_entry: ServerAuditEntry | None = None,
    ) -> PreferencesRowT:
        """Store the row that ``change`` makes of the present one, unless they are equal; return it.

        ``audit_entry``: for the server's audit log.  Raises StoreError, and what ``change`` raises.
        """
        async with self._lock:
            before = (await self._load((key,)))[key]
            after = change(before)
            if after != before:
                await self._store.save_preferences(after, audit_entry)
                self._put(key, after)
            return after

    async def delete(self, key: int) -> None:
        """Delete a row.  Raises StoreError."""
        async with self._lock:
            await self._store.delete_preferences(self._row_type, key)
            self._cache.pop(key, None)

    async def _load(self, keys: Collection[int]) -> dict[int, PreferencesRowT]:
        """Return rows, which may be more than the cache holds.  The lock must be held."""
        rows = {key: self._cache[key] for key in keys if key in self._cache}
        missing_keys = tuple(key for key in keys if key not in rows)
        stored_rows = await self._store.preferences(self._row_type, missing_keys) if missing_keys else {}
        rows |= {key: stored_rows.get(key) or self._row_type(key) for key in missing_keys}
        for key, row in rows.items():
            self._put(key, row)
        return rows

    def _put(self, key: int, row: PreferencesRowT) -> None:
        self._cache[key] = row
        self._cache.move_to_end(key)
        while len(self._cache) > MAX_CACHED_ROWS:
            self._cache.popitem(last=False)


class PersonPreferences(_PreferenceCache[PersonRow]):
    """The preferences of people, by user."""

    def __init__(self, store: Store) -> None:
        """Each row is read from ``store`` when it is first asked for."""
        super().__init__(store, PersonRow)


class ServerPreferences(_PreferenceCache[ServerRow]):
    """The preferences of servers, by guild."""

    def __init__(self, store: Store) -> None:
        """Each row is read from ``store`` when it is first asked for."""
        super().__init__(store, ServerRow)

    async def change_as_admin(
        self, guild: int, change: Callable[[ServerRow], ServerRow], audit_entry: ServerAuditEntry
    ) -> ServerRow:
        """Change a row as ``change`` does; in the place of a damaged one an admin begins with the defaults.

        Raises StoreError, and what ``change`` raises.
        """
        async with self._lock:
            try:
                before = (await self._load((guild,)))[guild]
            except UndecodablePreferences:
                _log.warning("damaged settings of a server replaced", exc_info=True)
                before = None
                text = f"{audit_entry.entry}. The settings before were damaged and are gone"
                audit_entry = msgspec.structs.replace(audit_entry, entry=text)
            after = change(before or ServerRow(guild))
            if after != before:
                await self._store.save_preferences(after, audit_entry)
                self._put(guild, after)
            return after
