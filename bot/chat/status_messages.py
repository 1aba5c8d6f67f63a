"""The status message of a server at Discord: posted, pinned, edited and deleted.

The server's row stores which message it is, and in which channel.
"""

import enum
import logging
from functools import partial
from typing import Final

import discord
from msgspec.structs import replace

from bot.chat.components import classic_view
from bot.chat.lost_posts import messages_since
from bot.chat.post_parts import Post
from bot.chat.server_tables import STATUS_MESSAGE_HEADING, read_server_tables, status_message_post
from bot.chat.visibility import visibility_for_readers
from bot.error_codes import ErrorCode
from bot.host.tables import Tables
from bot.store.preferences import ServerRow

MAX_OLD_MESSAGES: Final = 10
"""The most messages of a server that are remembered until they can be deleted, the newest ones."""

_log = logging.getLogger(__name__)


class StatusOutcome(enum.Enum):
    """The outcome of an update of a status message."""

    OFF = "off"
    """The server has none."""
    CHANNEL_GONE = "channel gone"
    """Discord knows no such channel, so the server has none any more."""
    SHOWN = "shown"
    NOT_PINNED = "not pinned"
    """The message is posted, but the bot may not pin it."""
    BLOCKED = "blocked"
    """The bot may not write there, or the server is unavailable: the update waits until that changes."""
    LATER = "later"
    """The update failed for now and is repeated."""


class StatusMessages:
    """Posts, edits and deletes the status messages of servers."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._shown_posts: dict[int, tuple[int | None, Post]] = {}
        """By server: its message and what it shows."""

    async def show(self, guild: int) -> StatusOutcome:
        """Bring a server's message up to date.  Raises what discord.py raises, and StoreError."""
        row = await self._tables.server_preferences.get(guild)
        if row.status_channel is None:
            return StatusOutcome.OFF
        discord_guild = self._client.get_guild(guild)
        if discord_guild is None or discord_guild.unavailable:  # what its members can see is not known
            return StatusOutcome.BLOCKED
        is_cached = discord_guild.get_channel_or_thread(row.status_channel) is not None
        archived_thread = None if is_cached else await self._fetch_thread(row.status_channel)
        is_visible = visibility_for_readers(discord_guild, row.status_channel, archived_thread)
        server_tables = await read_server_tables(self._tables, guild, is_visible)
        post = status_message_post(server_tables, self._tables.games)
        if row.status_message is not None:
            is_shown = self._shown_posts.get(guild) == (row.status_message, post)
            if is_shown or await self._edit_even_if_archived(row, post):
                self._shown_posts[guild] = row.status_message, post
                return StatusOutcome.SHOWN
            row = await self._tables.server_preferences.change(
                guild,
                lambda current: replace(current, status_message=None, status_nonce=current.status_message),
            )
        return await self._post(row, post)

    async def handle_refusal(self, guild: int, error: discord.HTTPException) -> StatusOutcome:
        """Return the outcome of a refusal, and store what follows from it."""
        if error.code == ErrorCode.UNKNOWN_CHANNEL:
            await self._tables.server_preferences.change(guild, _without_status)
            return StatusOutcome.CHANNEL_GONE
        if isinstance(error, discord.Forbidden) or error.code == ErrorCode.THREAD_ARCHIVED:
            _log.info("status message waits: not allowed", exc_info=error)
            return StatusOutcome.BLOCKED
        if error.status >= 500:
            _log.warning("status message delayed", exc_info=error)
        else:
            _log.warning("status message refused", exc_info=error)
        return StatusOutcome.LATER

    async def _edit_even_if_archived(self, row: ServerRow, post: Post) -> bool:
        """Edit a server's message, if need be after its thread was unarchived; False if it is gone.

        Edits do not keep a thread from being archived.  One that is locked stays archived.
        """
        try:
            return await self._edit(self._partial_message(row), post)
        except discord.HTTPException as error:
            if error.code != ErrorCode.THREAD_ARCHIVED or row.status_channel is None:
                raise
        thread = await self._fetch_thread(row.status_channel)
        if thread is not None:
            await thread.edit(archived=False)
        return await self._edit(self._partial_message(row), post)

    async def _fetch_thread(self, channel: int) -> discord.Thread | None:
        """Return a thread, which may be archived; None for a channel."""
        channel_or_thread = await self._client.fetch_channel(channel)
        return channel_or_thread if isinstance(channel_or_thread, discord.Thread) else None

    async def _edit(self, message: discord.PartialMessage | discord.Message, post: Post) -> bool:
        """Edit the message; False if it is gone."""
        try:
            await message.edit(
                content=post.text,
                view=classic_view(post.rows) if post.rows else None,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if error.code == ErrorCode.UNKNOWN_MESSAGE:
                return False
            raise
        return True

    def _partial_message(self, row: ServerRow) -> discord.PartialMessage:
        assert row.status_channel is not None
        assert row.status_message is not None
        channel = self._client.get_partial_messageable(row.status_channel)
        return channel.get_partial_message(row.status_message)

    async def _post(self, row: ServerRow, post: Post) -> StatusOutcome:
        """Post and pin the message; if an earlier attempt has posted one, edit and pin that."""
        message = await self._find_lost_post(row)
        if message is None:
            message = await self._send(row, post)
        elif not await self._edit(message, post):
            return StatusOutcome.LATER  # somebody has just deleted it
        outcome = StatusOutcome.SHOWN
        try:
            await message.pin()
        except discord.HTTPException as error:
            if error.status >= 500:
                raise  # the next attempt finds the message, and pins it
            _log.info("status message not pinned", exc_info=error)
            outcome = StatusOutcome.NOT_PINNED
        # last: after a crash before this line the next attempt finds the message, and pins it
        await self._tables.server_preferences.change(
            row.guild, lambda current: replace(current, status_message=message.id, status_pending_since=None)
        )
        self._shown_posts[row.guild] = message.id, post
        return outcome

    async def _send(self, row: ServerRow, post: Post) -> discord.Message:
        """Send the message; before that, store that it may be posted from now on."""
        assert row.status_channel is not None
        now = int(self._tables.clock())
        await self._tables.server_preferences.change(
            row.guild, lambda current: replace(current, status_pending_since=now)
        )
        try:
            return await self._client.get_partial_messageable(row.status_channel).send(
                post.text,
                view=classic_view(post.rows) if post.rows else discord.utils.MISSING,
                files=[],
                nonce=row.status_nonce or row.guild,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if error.status < 500:  # refused: nothing stands there
                await self._tables.server_preferences.change(
                    row.guild, lambda current: replace(current, status_pending_since=None)
                )
            raise

    async def _find_lost_post(self, row: ServerRow) -> discord.Message | None:
        """Return the message of an earlier attempt whose outcome is unknown, if it was posted.

        The history is searched because the nonce prevents a second post for some minutes only.
        """
        if row.status_channel is None or row.status_pending_since is None:
            return None
        channel = self._client.get_partial_messageable(row.status_channel)
        try:
            async for message in messages_since(channel, row.status_pending_since, self._tables.clock()):
                is_old = (row.status_channel, message.id) in row.old_status_messages
                is_status = message.content.startswith(STATUS_MESSAGE_HEADING)
                if message.author == self._client.user and is_status and not is_old:
                    return message
        except discord.Forbidden:
            _log.info("status message not looked for: no right to read the history")
        return None

    async def delete(self, row: ServerRow) -> None:
        """Delete the message of a row that is not stored any more; a refused one is remembered.

        Raises what may pass by itself.
        """
        if row.status_channel is None:
            return
        is_posted = row.status_message is not None
        message = self._partial_message(row) if is_posted else await self._find_lost_post(row)
        if message is None:
            return
        old_message = row.status_channel, message.id
        if await self._try_to_delete(message):
            await self._tables.server_preferences.change(
                row.guild, partial(_without_old_message, old_message=old_message)
            )
        elif not is_posted:
            await self._tables.server_preferences.change(
                row.guild, partial(_with_old_message, old_message=old_message)
            )

    async def delete_old_messages(self, row: ServerRow) -> None:
        """Delete what could not be deleted before, if Discord may let the bot now.

        Raises what may pass by itself.
        """
        for old_message in row.old_status_messages:
            channel, message_id = old_message
            messageable = self._client.get_partial_messageable(channel)
            if await self._try_to_delete(messageable.get_partial_message(message_id)):
                await self._tables.server_preferences.change(
                    row.guild, partial(_without_old_message, old_message=old_message)
                )

    async def _try_to_delete(self, message: discord.PartialMessage | discord.Message) -> bool:
        """Delete a message; False if Discord does not let the bot.  Raises what may pass by itself."""
        try:
            await message.delete()
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            if error.code not in {ErrorCode.UNKNOWN_MESSAGE, ErrorCode.UNKNOWN_CHANNEL}:
                _log.info("old status message not deleted", exc_info=error)
                return False
        return True


def with_retired_status(row: ServerRow) -> ServerRow:
    """Return a server's row without a status message, which it remembers until it is deleted."""
    if row.status_channel is None or row.status_message is None:
        return _without_status(row)
    return _with_old_message(_without_status(row), (row.status_channel, row.status_message))


def _with_old_message(row: ServerRow, old_message: tuple[int, int]) -> ServerRow:
    """Return a server's row with an earlier message (its channel and id) that is to be deleted."""
    return replace(row, old_status_messages=(*row.old_status_messages, old_message)[-MAX_OLD_MESSAGES:])


def _without_old_message(row: ServerRow, old_message: tuple[int, int]) -> ServerRow:
    """Return a server's row without an earlier message (its channel and id) that is gone."""
    other_messages = tuple(each for each in row.old_status_messages if each != old_message)
    return replace(row, old_status_messages=other_messages)


def _without_status(row: ServerRow) -> ServerRow:
    """Return a server's row without a status message."""
    return replace(
        row, status_channel=None, status_message=None, status_nonce=None, status_pending_since=None
    )
