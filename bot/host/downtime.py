"""Makes up for time in which nobody could play: the bot or Discord was down, or the bot not in the server.

Lobbies, ready checks, questions, offers and turns then end later by that time.  ``Tables`` does this before
each change of a table, and the check that ends an outage has it done at all tables.  The lobbies of a
server that has been unreachable for a long time are closed, and its idle games end.
"""

import logging
from collections.abc import Collection, Mapping
from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from bot.host.deciders import idle
from bot.host.deciders.clocks import has_postponable_times
from bot.host.deciders.decision import Decision
from bot.host.game_guard import GameFault
from bot.host.outages import UnreachableServer
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.protocol import StoreError
from bot.store.rows import IDLE_SECONDS

MAX_COUNTED_DOWNTIME: Final = DAY
"""The most seconds of one downtime that count as time for which a server could not be reached."""
_log = logging.getLogger(__name__)


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
        """The first downtime that counts begins when an earlier process was last seen."""
        self._tables = tables

    async def make_up_for_downtime(self, connectivity: Connectivity | None) -> Collection[int]:
        """Make up for time since the last call in which nobody could play; return the unreachable servers.

        ``connectivity``: None where there is no Discord.  Call this only while Discord is connected.
        Raises StoreError.
        """
        store, outages, now = self._tables.store, self._tables.outages, int(self._tables.clock())
        await outages.load()
        bot_last_seen = now if outages.bot_last_seen is None else outages.bot_last_seen
        guild_by_table = await store.servers_of_tables_with_timers()
        guilds = {guild for guild in guild_by_table.values() if guild is not None}
        guilds |= await store.servers_with_frozen_tables()
        unreachable_servers = _find_unreachable(
            guilds, outages.unreachable_servers, UnreachableServer(bot_last_seen, now), connectivity
        )
        uncounted_seconds = max(0, now - bot_last_seen - MAX_COUNTED_DOWNTIME)
        if uncounted_seconds:
            unreachable_servers |= {
                guild: replace(each, noticed_at=each.noticed_at + uncounted_seconds)
                for guild, each in unreachable_servers.items()
                if guild in outages.unreachable_servers
            }
        for number, guild in guild_by_table.items():
            if guild is not None and guild in unreachable_servers:
                continue
            if await outages.outage_start(guild, now) is not None:
                await self._postpone_due_times(number)
        for guild, each in tuple(unreachable_servers.items()):
            if each.noticed_at + IDLE_SECONDS <= now and await self._end_tables_of(guild, now):
                del unreachable_servers[guild]
        await outages.save(unreachable_servers, now)
        return unreachable_servers

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

    async def _postpone_due_times(self, number: int) -> None:
        """Store that what is due at a table has been postponed, as for any change of it."""
        try:
            await self._tables.change(number, None, _store_postponed_times)
        except (Refusal, GameFault, StoreError):  # one table's fault must not hold up the others
            _log.warning("deadlines not moved", exc_info=True, extra={"table": number})


def _find_unreachable(
    guilds: Collection[int],
    unreachable_before: Mapping[int, UnreachableServer],
    times_if_new: UnreachableServer,
    connectivity: Connectivity | None,
) -> dict[int, UnreachableServer]:
    """Return which of some servers, and of those ``unreachable_before``, cannot be reached now.

    ``times_if_new``: what is kept of each that could be reached before.
    """
    if connectivity is None:
        return {}
    unreachable_guilds = {*guilds, *unreachable_before} - set(connectivity.reachable_servers())
    return {guild: unreachable_before.get(guild, times_if_new) for guild in sorted(unreachable_guilds)}


def _store_postponed_times(table: Table) -> Decision | None:
    """Return a decision that only stores a table as it is; None if nothing is due there.

    What is due at the table was postponed before this is called, as before every decision.
    """
    return Decision(table=table, answer="") if has_postponable_times(table) else None
