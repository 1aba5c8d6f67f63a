"""Since when people cannot play: the bot or Discord is down, or the bot is not in their server."""

import logging
from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec

from bot.store.protocol import BOT_LAST_SEEN_KEY, Store

MIN_DOWNTIME: Final = 180
"""Seconds between two checks above which that time counts as a downtime; below, the clocks run on."""
_UNREACHABLE_SERVERS_KEY: Final = "missing servers"
"""The key under which the store keeps an ``UnreachableServer`` for each server that cannot be reached."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class UnreachableServer(msgspec.Struct, frozen=True, array_like=True):
    """A server that cannot be reached.  Times are seconds since 1970."""

    since: int
    """When it could last be reached; the clocks of its tables have stood still since then."""
    noticed_at: int
    """When the bot noticed that, moved later by the time of downtimes that counts for no server."""


class Outages:
    """When the bot was last connected, and which servers cannot be reached.  Kept in the store."""

    def __init__(self, store: Store) -> None:
        """Nothing is read before ``load``."""
        self._store = store
        self._is_loaded = False
        self.bot_last_seen: int | None = None
        """When the bot, this process or an earlier one, was last connected; None: not known."""
        self.unreachable_servers: Mapping[int, UnreachableServer] = {}
        """The servers that cannot be reached, by id."""

    async def load(self) -> None:
        """Read what is stored, once.  Raises StoreError."""
        if not self._is_loaded:
            self.bot_last_seen = await self._read(BOT_LAST_SEEN_KEY, int)
            servers = await self._read(_UNREACHABLE_SERVERS_KEY, dict[int, UnreachableServer])
            self.unreachable_servers = servers or {}
            self._is_loaded = True

    async def outage_start(self, guild: int | None, now: int) -> int | None:
        """Return since when nobody can play in a server, None if they can.  Raises StoreError.

        ``guild``: None for a table outside servers.  An outage lasts until the check that ends it.
        """
        await self.load()
        if guild is not None and guild in self.unreachable_servers:
            return self.unreachable_servers[guild].since
        return self.bot_last_seen if self.is_down(now) else None

    def is_down(self, now: int) -> bool:
        """Whether the bot was not connected for so long that it counts as a downtime."""
        return self.bot_last_seen is not None and now - self.bot_last_seen > MIN_DOWNTIME

    async def save(self, unreachable_servers: Mapping[int, UnreachableServer], now: int) -> None:
        """Store that the bot is connected now, and which servers cannot be reached.  Raises StoreError."""
        if unreachable_servers != self.unreachable_servers:
            text = msgspec.json.encode(unreachable_servers).decode()
            await self._store.set_metadata(_UNREACHABLE_SERVERS_KEY, text)
        self.unreachable_servers = unreachable_servers
        await self._store.set_bot_last_seen(now)
        self.bot_last_seen = now

    async def _read(self, key: str, value_type: type[T]) -> T | None:
        """Return stored metadata; None if there is none, or it is damaged.  Raises StoreError."""
        text = await self._store.get_metadata(key)
        try:
            return None if text is None else msgspec.json.decode(text, type=value_type)
        except msgspec.MsgspecError:
            _log.exception("downtime not known: mark not readable")
            return None
