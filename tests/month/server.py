"""The bot in this process beside the stand-in, both on a clock that the month moves on."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from time import monotonic
from typing import Final
from unittest.mock import patch

from msgspec.structs import replace

from bot.chat.client import TableClient
from bot.host.host import Host
from bot.host.quotas import UNLIMITED
from bot.local.messages import OldMessageEditLimit
from bot.local.server import LocalDiscord
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from tests.bot.local.conftest import set_discord_addresses
from tests.bot.trust.in_process_bot import wait_until_bot_is_ready
from tests.trials import WAIT_TIMEOUT

_IDLE_POLL: Final = 0.002
"""Seconds between two checks whether the bot has nothing to do."""


class SimulatedClock:
    """Seconds since 1970, moved on by the simulation alone."""

    def __init__(self, now: float) -> None:
        """Begin at ``now``."""
        self.now = now

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class SimulatedServer:
    """A server of Discord with the bot in it.  ``start`` and ``stop`` the bot; ``close`` it all."""

    def __init__(self, database: Path, clock: SimulatedClock, daily_mention_limit: int) -> None:
        """Nothing runs before ``open``.

        ``daily_mention_limit``: the most mentions of a person on a simulated day.  No other use is limited,
        since much happens in little time.
        """
        self._database = database
        self._quotas = replace(UNLIMITED, mentions=daily_mention_limit)
        self.clock = clock
        self.discord = LocalDiscord(clock=clock)
        self.store: SqliteStore | None = None
        self.client: TableClient | None = None
        self._bot_task: asyncio.Task[None] | None = None
        # The bot would wait for that limit in real seconds, while the simulated clock stands still.
        self._no_edit_limit = patch.object(OldMessageEditLimit, "check_and_count", lambda *_: None)

    async def open(self) -> None:
        """Start the stand-in; discord.py's addresses point to it."""
        self._no_edit_limit.start()
        await self.discord.start()
        set_discord_addresses(self.discord)

    async def start(self) -> None:
        """Start the bot on the database."""
        self.store = await open_store(self._database)
        self.client = TableClient(Host(self.store, GAMES, self.clock, random.Random(1), 0.0, self._quotas))
        self._bot_task = asyncio.create_task(self.client.start(self.discord.bot_token))
        await wait_until_bot_is_ready(self.client, self._bot_task)

    async def stop(self) -> None:
        """Stop the bot and close its database."""
        if self.client is None or self.store is None or self._bot_task is None:
            return
        await self.store.set_bot_last_seen(int(self.clock()))
        await self.client.close()
        await asyncio.gather(self._bot_task, return_exceptions=True)
        await self.store.close()
        self.client = self.store = self._bot_task = None

    async def close(self) -> None:
        """Stop everything."""
        await self.stop()
        await self.discord.stop()
        self._no_edit_limit.stop()

    @property
    def is_up(self) -> bool:
        """Whether the bot runs."""
        return self.client is not None

    @property
    def host(self) -> Host:
        """The bot's host."""
        assert self.client is not None, "the bot is down"
        return self.client.host

    async def next_due_time(self) -> float | None:
        """Return when the next stored timer falls due; None without one."""
        assert self.store is not None
        rows = await self.store._select_rows("select min(due) from timers")
        return rows[0][0]

    async def run_due_work(self) -> None:
        """Let the bot do the work that is due, and wait until it has nothing to do.

        The time since the last event does not count as a downtime, since a running bot checks every minute.
        """
        if self.host.tables.outages.bot_last_seen is not None:
            self.host.tables.outages.bot_last_seen = int(self.clock())
        await self.host._housekeeping.do_due_work()
        await self.wait_until_idle()

    async def wait_until_idle(self) -> None:
        """Have waiting deliveries sent, and wait until the bot has nothing to do."""
        assert self.store is not None
        outbox = self.host.outbox
        assert outbox is not None
        for number in await self.store.tables_with_deliveries():
            outbox.wake(number)
        quiet_count, deadline = 0, monotonic() + WAIT_TIMEOUT
        while quiet_count < 3:
            await asyncio.sleep(_IDLE_POLL)
            work = await self._work_under_way()
            assert not work or monotonic() < deadline, f"the bot does not come to rest: {work}"
            quiet_count = 0 if work else quiet_count + 1

    async def _work_under_way(self) -> str:
        """Return what the bot is doing; empty if nothing."""
        host = self.host
        if host.tables._running_changes or host._computers._tasks or host.responses_under_way:
            return "changes, computer players or responses"
        backlog = await host.tables.store.backlog(self.clock())
        return ", ".join(
            f"{head.table_number} {head.slot.kind.value}" for head in backlog.heads if head.is_due
        )
