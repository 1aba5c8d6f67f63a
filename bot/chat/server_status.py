"""The status message of a server: its lobbies, live tables and newest results, always up to date.

It belongs to no table, so the outbox cannot carry it: a worker of its own brings it up to date, at most once
a minute for each server.
"""

import asyncio
import logging
from typing import Final

import aiohttp
import discord
from msgspec.structs import replace

from bot.chat.status_messages import StatusMessages, StatusOutcome, with_retired_status
from bot.error_ids import new_error_id
from bot.host.delivery_order import Priority, ReserveCall, reserve_nothing
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.preferences import ServerAuditEntry, ServerRow
from bot.store.protocol import StoreError

UPDATE_INTERVAL: Final = 60.0
"""Seconds between two edits of a server's message, and before a failed edit is repeated."""
_MIN_WAIT: Final = 0.05
"""Seconds between two rounds of updates, also where one is due in less."""
_POSTED_OUTCOMES: Final = frozenset({StatusOutcome.SHOWN, StatusOutcome.NOT_PINNED})
_PASSING_ERRORS: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError, StoreError)
"""What may keep an old message from being deleted for a while."""

_log = logging.getLogger(__name__)


class StatusMessageUpdater:
    """Keeps the status messages of all servers up to date, in a task of its own."""

    def __init__(
        self, client: discord.Client, tables: Tables, reserve_call: ReserveCall = reserve_nothing
    ) -> None:
        """Listen to changes of the tables; nothing is sent before ``start``."""
        self._messages = StatusMessages(client, tables)
        self._tables = tables
        self._reserve_call = reserve_call
        self._due_times: dict[int, float] = {}
        """By server: when its message is to be brought up to date."""
        self._last_attempt_times: dict[int, float] = {}
        """By server: when its message was last brought up to date, or that failed."""
        self._blocked_guilds: set[int] = set()
        self._guilds_to_clean_up: set[int] = set()
        """The servers in which a message that could not be deleted may be deletable now."""
        self._lock = asyncio.Lock()
        self._wake_event = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        tables.add_listener(self._on_change)

    def start(self) -> None:
        """Start the task."""
        self._task = asyncio.get_running_loop().create_task(self._update_loop(), name="server status")

    async def stop(self) -> None:
        """Stop the task; the next start shows what has changed meanwhile."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _on_change(self, table: Table) -> None:
        guild = table.row.guild
        if guild is not None and guild not in self._blocked_guilds:
            self._schedule(guild)

    def retry(self, guild: int) -> None:
        """Bring a server's message up to date soon: the connection is new, or a permission may be back."""
        self._blocked_guilds.discard(guild)
        self._guilds_to_clean_up.add(guild)
        self._schedule(guild)

    def _schedule(self, guild: int) -> None:
        """Schedule the update of a server's message for as soon as its interval allows."""
        last_attempt = self._last_attempt_times.get(guild)
        now = self._tables.clock()
        self._due_times.setdefault(
            guild, now if last_attempt is None else max(now, last_attempt + UPDATE_INTERVAL)
        )
        self._wake_event.set()

    async def _update_loop(self) -> None:
        while True:
            await self.update_due_messages()
            self._wake_event.clear()
            next_due = min(self._due_times.values(), default=None)
            try:
                timeout = None if next_due is None else max(_MIN_WAIT, self._seconds_until(next_due))
                await asyncio.wait_for(self._wake_event.wait(), timeout)
            except TimeoutError:
                continue

    async def update_due_messages(self) -> None:
        """Bring the messages up to date that are due."""
        for guild in [guild for guild, due in self._due_times.items() if self._seconds_until(due) <= 0]:
            await self.update(guild)

    def _seconds_until(self, due: float) -> float:
        """Return the seconds until a due time; none if it is too far away, since the clock was set back."""
        wait = due - self._tables.clock()
        return 0.0 if wait > UPDATE_INTERVAL else wait

    async def update(self, guild: int) -> StatusOutcome:
        """Bring a server's message up to date now; what fails for now is repeated."""
        async with self._lock:
            return await self._update(guild)

    async def _update(self, guild: int) -> StatusOutcome:
        """As ``update``, for a caller that holds the lock."""
        self._due_times.pop(guild, None)
        now = self._last_attempt_times[guild] = self._tables.clock()
        try:
            outcome = await self._try_to_show(guild)
        except (aiohttp.ClientError, TimeoutError, OSError, StoreError):
            _log.warning("status message delayed", exc_info=True)
            outcome = StatusOutcome.LATER
        except Exception:  # noqa: BLE001 - one server's fault must not stop the others
            _log.exception("status message failed", extra={"error_id": new_error_id()})
            outcome = StatusOutcome.LATER
        if outcome is StatusOutcome.LATER or not await self._delete_old_messages(guild):
            self._due_times.setdefault(guild, now + UPDATE_INTERVAL)
        return outcome

    async def _try_to_show(self, guild: int) -> StatusOutcome:
        """Bring a server's message up to date; if Discord refuses, store what follows from that."""
        try:
            async with self._reserve_call(Priority.MEDIUM):  # boards go first
                return self._note_outcome(guild, await self._messages.show(guild))
        except discord.HTTPException as error:
            return self._note_outcome(guild, await self._messages.handle_refusal(guild, error))

    def _note_outcome(self, guild: int, outcome: StatusOutcome) -> StatusOutcome:
        if outcome is StatusOutcome.BLOCKED:
            self._blocked_guilds.add(guild)
        return outcome

    async def place(
        self, guild: int, channel: int, nonce: int, audit_entry: ServerAuditEntry | None = None
    ) -> StatusOutcome:
        """Show the status message in a channel, and no other one in the server.  Raises StoreError.

        The old message stays until the new one is posted.  ``audit_entry``: the entry for the server's audit
        log.
        """
        async with self._lock:  # two messages may be asked for at once
            old_row = await self._tables.server_preferences.get(guild)
            await self._tables.server_preferences.change(
                guild,
                lambda current: replace(
                    with_retired_status(current), status_channel=channel, status_nonce=nonce
                ),
                audit_entry,
            )
            self._blocked_guilds.discard(guild)
            outcome = await self._update(guild)
            if old_row.status_message is None or outcome in _POSTED_OUTCOMES:
                await self._delete_message(old_row)
            else:
                self._guilds_to_clean_up.add(guild)
            return outcome

    async def remove(self, guild: int, audit_entry: ServerAuditEntry | None = None) -> bool:
        """Turn the status message of a server off, and delete it; False if there is none.  Raises StoreError.

        ``audit_entry``: the entry for the server's audit log.
        """
        async with self._lock:
            row = await self._tables.server_preferences.get(guild)
            if row.status_channel is None:
                return False
            await self._tables.server_preferences.change(guild, with_retired_status, audit_entry)
            await self._delete_message(row)
            return True

    async def _delete_message(self, row: ServerRow) -> None:
        """Delete the message of a row that is not stored any more; what fails is tried again later."""
        try:
            await self._messages.delete(row)
        except _PASSING_ERRORS:
            _log.info("old status message not deleted", exc_info=True)
            self._guilds_to_clean_up.add(row.guild)
            self._schedule(row.guild)

    async def _delete_old_messages(self, guild: int) -> bool:
        """Delete what could not be deleted before, if Discord may let the bot now; False: try again soon."""
        if guild not in self._guilds_to_clean_up:
            return True
        try:
            row = await self._tables.server_preferences.get(guild)
            if row.status_channel is not None and row.status_message is None:
                return True  # an old message is better than none: they go once the new one is posted
            await self._messages.delete_old_messages(row)
        except _PASSING_ERRORS:
            _log.info("old status message not deleted", exc_info=True)
            return False
        self._guilds_to_clean_up.discard(guild)
        return True
