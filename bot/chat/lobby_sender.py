"""Sends a lobby's message, and opens and names the thread of its game below it."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

import discord

from bot import limits
from bot.chat import lobby_posts, post_parts
from bot.chat.delivery_context import DeliveryContext
from bot.chat.delivery_refusals import is_lasting_refusal
from bot.chat.messages import TableMessages
from bot.error_codes import ErrorCode
from bot.host.courier_protocol import DeliveryResult, TryLater
from bot.host.deciders.decision import THREAD_NAME_DELIVERY
from bot.host.reliability import Reliability, read_reliabilities
from bot.host.table import Table
from bot.store.delivery_rows import BLOCKED, DeliveryKind, PostedMessage, ReplacedMessage
from bot.store.protocol import Store
from bot.store.rows import ENDED_STATUSES, Status
from rules.text import shortened

_AUTO_ARCHIVE_MINUTES: Final = limits.AUTO_ARCHIVE_MINUTES[-1]
"""Minutes until Discord archives a quiet thread."""
_RENAMING_TIMEOUT: Final = 5.0
"""Seconds that the renaming of a thread may keep other messages of its table waiting."""

_log = logging.getLogger(__name__)


class LobbySender:
    """Posts and edits the messages of lobbies."""

    def __init__(self, client: discord.Client, messages: TableMessages, store: Store) -> None:
        """``messages``: the messages of all tables."""
        self._client = client
        self._messages = messages
        self._store = store

    async def send_lobby(self, context: DeliveryContext, posted: PostedMessage | None) -> DeliveryResult:
        """Edit the lobby's message, or post it anew.

        Nothing is posted anew once the game is over, or is played elsewhere and the lobby's channel is gone.
        """
        table = context.table
        post = lobby_posts.lobby_post(
            table, await self._read_reliabilities_in_lobby(table), notify=posted is None
        )
        is_in_lobby_channel = posted is not None and posted.channel == table.row.lobby_channel
        try:
            if (
                posted is not None
                and is_in_lobby_channel
                and not context.may_have_arrived
                and await self._messages.edit(posted, post, ())
            ):
                return DeliveryResult(posted)
            if table.status in ENDED_STATUSES and not context.may_have_arrived:
                return DeliveryResult()
            message = await self._messages.post(context, table.row.lobby_channel, post, ())
        except discord.HTTPException as error:
            is_played_elsewhere = table.row.game_channel != table.row.lobby_channel
            if not is_played_elsewhere or error.code != ErrorCode.UNKNOWN_CHANNEL:
                raise
            return DeliveryResult()  # nobody looks for the game in a deleted channel
        old_text = "" if is_in_lobby_channel else lobby_posts.moved_lobby_text(table)
        replaced = None if posted is None else ReplacedMessage(posted, old_text)
        return DeliveryResult(context.make_posted_message(message), replaced)

    async def _read_reliabilities_in_lobby(self, table: Table) -> Mapping[int, Reliability]:
        """Return how reliable the people in a lobby are, by user; empty once it has started."""
        if table.status is not Status.LOBBY:
            return {}
        users = [seat.user for seat in table.seats if seat.user is not None]
        return await read_reliabilities(self._store, users)

    async def open_or_rename_thread(
        self, context: DeliveryContext, posted_lobby: PostedMessage | None
    ) -> DeliveryResult:
        """Open the game's thread under its lobby; where that is refused the game stays in the channel.

        A thread that is open is named after the present players; one that the game has left stays as it is.
        """
        table, row = context.table, context.table.row
        if row.lobby_channel != row.game_channel:
            await self._rename_thread(table)
            return DeliveryResult()
        if context.delivery.text == THREAD_NAME_DELIVERY.text:
            return DeliveryResult()
        if posted_lobby is None or posted_lobby.channel != row.lobby_channel:
            waiting_deliveries = await self._store.waiting_deliveries(table.number)
            if any(each.kind is DeliveryKind.LOBBY for each in waiting_deliveries):
                # the lobby was moved, and its post here may wait for a permission
                raise TryLater(reason=BLOCKED)
            return DeliveryResult()
        name = _thread_name(table)
        message = self._messages.partial_message(posted_lobby)
        if message.guild is None:
            await self._client.fetch_channel(posted_lobby.channel)  # raises if it is gone, or hidden
            raise TryLater  # the server is not in the cache yet, so its threads are unknown
        try:
            thread = await message.create_thread(name=name, auto_archive_duration=_AUTO_ARCHIVE_MINUTES)
        except discord.HTTPException as error:
            if error.code == ErrorCode.THREAD_EXISTS:
                # a thread has the id of its message
                return DeliveryResult(new_thread=posted_lobby.message_id)
            if not is_lasting_refusal(error):
                raise
            _log.info(
                "thread refused: game stays in its channel",
                extra={"table": table.number, "code": error.code},
            )
            return DeliveryResult()
        return DeliveryResult(new_thread=thread.id)

    async def _rename_thread(self, table: Table) -> None:
        """Name the thread of a game after its players, unless somebody else has opened or named it.

        Raises TimeoutError if Discord lets nobody rename it now: twice in ten minutes is too often.
        """
        try:
            thread = await self._client.fetch_channel(table.row.game_channel)
            if not isinstance(thread, discord.Thread) or thread.owner != thread.guild.me:
                return
            if thread.name.startswith(_thread_name_start(table)):
                async with asyncio.timeout(_RENAMING_TIMEOUT):
                    await thread.edit(name=_thread_name(table))
        except discord.HTTPException as error:
            if not is_lasting_refusal(error):
                raise
            _log.info("thread not renamed: refused", extra={"table": table.number, "code": error.code})


def _thread_name_start(table: Table) -> str:
    return f"{post_parts.title(table)}: "


def _thread_name(table: Table) -> str:
    return shortened(f"{_thread_name_start(table)}{', '.join(table.plain_names)}", limits.THREAD_NAME)
