"""Makes up for time in which nobody could play: the bot or Discord was down, or the bot not in the server.

Lobbies, ready checks, questions, offers and turns then end so much later.  The lobbies of a server that has
been unreachable for a long time are closed, and its idle games end.
"""

import logging
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Final, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from bot.host.deciders import idle
from bot.host.deciders.clocks import with_postponed_due_times
from bot.host.deciders.decision import (
    LOBBY_DELIVERY,
    Decision,
    offer_delivery,
    question_delivery,
    ready_check_delivery,
)
from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import NewDelivery
from bot.store.preferences import PersonRow
from bot.store.protocol import LAST_SEEN_KEY, StoreError
from bot.store.rows import IDLE_SECONDS

MIN_DOWNTIME: Final = 180
"""More seconds than these between two checks are a downtime; in fewer the clocks run on."""
MAX_COUNTED_DOWNTIME: Final = 86_400
"""The most seconds of one downtime that count as time for which a server could not be reached."""
_UNREACHABLE_SERVERS_KEY: Final = "missing servers"
"""The key under which the store keeps an ``_UnreachableServer`` for each server that cannot be reached."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class _UnreachableServer(msgspec.Struct, frozen=True, array_like=True):
    """A server that cannot be reached.  Times are seconds since 1970."""

    since: int
    """When it could last be reached; the clocks of its tables have stood still since then."""
    noticed_at: int
    """When the bot noticed that, moved later by each downtime's seconds above ``MAX_COUNTED_DOWNTIME``."""


class Connectivity(Protocol):
    """Whether Discord is connected, and which servers can be reached."""

    def is_connected(self) -> bool:
        """Whether the gateway is connected."""
        ...

    def reachable_servers(self) -> Collection[int]:
        """Return the servers that have the bot and are available."""
        ...


class DowntimeTracker:
    """Notes when people could last play, and postpones what is due by the time in which they could not."""

    def __init__(self, tables: Tables) -> None:
        """The first ``check`` makes up for the time since an earlier process was last seen."""
        self._tables = tables
        self._last_seen: int | None = None
        self._unreachable: dict[int, _UnreachableServer] | None = None
        """The servers that cannot be reached; None: not read yet."""

    async def check(self, connectivity: Connectivity | None) -> Collection[int]:
        """Make up for the time since the last check, and return the servers that cannot be reached.

        ``connectivity``: None where there is no Discord.  Call this only while Discord is connected.
        Raises StoreError.
        """
        store, now = self._tables.store, int(self._tables.clock())
        if self._last_seen is None:
            self._last_seen = await self._read_metadata(LAST_SEEN_KEY, int, now)
        if self._unreachable is None:
            self._unreachable = await self._read_metadata(
                _UNREACHABLE_SERVERS_KEY, dict[int, _UnreachableServer], {}
            )
        guild_by_table = await store.servers_of_tables_with_timers()
        unreachable_before = dict(self._unreachable)
        guilds = {guild for guild in guild_by_table.values() if guild is not None}
        guilds |= await store.servers_with_frozen_tables()
        unreachable = self._find_unreachable(guilds, connectivity, now)
        was_down = now - self._last_seen > MIN_DOWNTIME
        uncounted_seconds = max(0, now - self._last_seen - MAX_COUNTED_DOWNTIME)
        if uncounted_seconds:
            unreachable |= {
                guild: replace(each, noticed_at=each.noticed_at + uncounted_seconds)
                for guild, each in unreachable.items()
                if guild in unreachable_before
            }
        for number, guild in guild_by_table.items():
            if guild is not None and guild in unreachable:
                continue
            if guild is not None and guild in unreachable_before:
                await self._postpone_due_times(number, unreachable_before[guild].since, now)
            elif was_down:
                await self._postpone_due_times(number, self._last_seen, now)
        for guild in [guild for guild, each in unreachable.items() if each.noticed_at + IDLE_SECONDS <= now]:
            if await self._end_tables_of(guild, now):
                del unreachable[guild]
        if unreachable != unreachable_before:
            await store.set_metadata(_UNREACHABLE_SERVERS_KEY, msgspec.json.encode(unreachable).decode())
        self._unreachable = unreachable
        await store.set_last_seen(now)
        self._last_seen = now
        return unreachable

    async def _read_metadata(self, key: str, value_type: type[T], default: T) -> T:
        """Return stored metadata; ``default`` if there is none, or it is damaged.  Raises StoreError."""
        text = await self._tables.store.get_metadata(key)
        try:
            return default if text is None else msgspec.json.decode(text, type=value_type)
        except msgspec.MsgspecError:
            _log.exception("downtime not known: mark not readable")
            return default

    async def _end_tables_of(self, guild: int, now: int) -> bool:
        """End the idle games and close the lobbies of an unreachable server; return whether none is left.

        Otherwise they would count against their players' quotas forever.
        """
        for each in await self._tables.store.live_tables_in_server(guild):
            try:
                await self._tables.change(each.number, None, partial(idle.end_in_unreachable_server, now=now))
            except (Refusal, GameFault, StoreError):  # one table's fault must not hold up the others
                _log.warning("table out of reach not closed", exc_info=True, extra={"table": each.number})
        return not await self._tables.store.live_tables_in_server(guild)

    def _find_unreachable(
        self, guilds: Collection[int], connectivity: Connectivity | None, now: int
    ) -> dict[int, _UnreachableServer]:
        """Return which of some servers, and of those that were unreachable before, cannot be reached."""
        if connectivity is None:
            return {}
        assert self._unreachable is not None
        assert self._last_seen is not None
        known, new = self._unreachable, _UnreachableServer(self._last_seen, now)
        unreachable_guilds = {*guilds, *known} - set(connectivity.reachable_servers())
        return {guild: known.get(guild, new) for guild in sorted(unreachable_guilds)}

    async def _postpone_due_times(self, number: int, begin: int, end: int) -> None:
        """Move what falls due at a table by the time between ``begin`` and ``end``."""
        try:
            people = await self._tables.people_at(await self._tables.get(number))
            decide = partial(_postpone_all, people=people, begin=begin, end=end)
            await self._tables.change(number, None, decide)
        except (Refusal, GameFault, StoreError):  # one table's fault must not hold up the others
            _log.warning("deadlines not moved", exc_info=True, extra={"table": number})


def _postpone_all(table: Table, people: Mapping[int, PersonRow], begin: int, end: int) -> Decision | None:
    postponed = with_postponed_due_times(table, people, begin, end)
    if replace(postponed.row, clocks_running_since=table.row.clocks_running_since) == table.row:
        return None  # nothing that is due has moved
    return Decision(
        table=postponed, answer="", deliveries=tuple(_deliveries_of_moved_times(table, postponed))
    )


def _deliveries_of_moved_times(before: Table, after: Table) -> Iterator[NewDelivery]:
    """Yield the messages that show a time which has moved; boards follow from moved deadlines."""
    old_row, new_row = before.row, after.row
    if old_row.expires_at != new_row.expires_at:
        yield LOBBY_DELIVERY
    if new_row.lobby.ready_check is not None:
        yield ready_check_delivery(new_row.lobby.ready_check)
    if new_row.question is not None and not new_row.question.declined:
        yield question_delivery(new_row.question)
    for seat, row in enumerate(new_row.seats):
        if row.offer is not None:
            yield offer_delivery(seat, row.offer)
