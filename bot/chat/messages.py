"""Posts and edits a table's messages on Discord; a lost response never leads to a second post."""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import aiohttp
import discord
from msgspec.structs import replace

from bot import limits
from bot.chat import post_parts, question_posts
from bot.chat.components import classic_view
from bot.chat.delivery_context import DeliveryContext
from bot.chat.delivery_refusals import is_lasting_refusal, is_refused_by_discord
from bot.chat.lost_posts import can_be_found, is_post_of, messages_since
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.chat.shown_contents import ShownContents, UploadedPictures
from bot.error_codes import ErrorCode
from bot.host.courier_protocol import GameThreadLocked
from bot.host.mentions import MentionBudget
from bot.host.table import Table
from bot.store.delivery_rows import DeliveryKind, PostedMessage
from rules.text import shortened

_LOCKED_THREAD_ERRORS: Final = (ErrorCode.THREAD_LOCKED, ErrorCode.THREAD_ARCHIVED)
"""Errors of posts in a locked thread; one that is archived only is opened by a post."""
_CLOSED_CHANNEL_ERRORS: Final = (ErrorCode.UNKNOWN_CHANNEL, *_LOCKED_THREAD_ERRORS)
"""Errors of channels in which nobody can play any more."""
_UNEDITABLE_ERRORS: Final = (ErrorCode.UNKNOWN_MESSAGE, ErrorCode.TOO_MANY_OLD_EDITS)
"""The message is gone or too old to edit."""
_MAX_REMEMBERED_POSTS: Final = 4096
"""The most posts whose ids are remembered: more than the limit of calls allows in ``MAX_CLOCK_SKEW``."""
_KINDS_OF_PLAY: Final = (DeliveryKind.BOARD, DeliveryKind.TURN)
"""What is posted only where the game is played."""

NewPictures: TypeAlias = tuple[DrawnPicture, ...] | None
"""The pictures of an edited message; None: the message keeps its pictures."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class _LockedThread(Exception):
    """An archived thread that the bot may not unarchive."""


class TableMessages:
    """The messages of all tables, over a discord.py client."""

    def __init__(self, client: discord.Client, mention_budget: MentionBudget) -> None:
        """``client`` must be ready to send; ``mention_budget``: how often people may be notified."""
        self._client = client
        self._mention_budget = mention_budget
        self._uploaded = UploadedPictures()
        self._shown = ShownContents()
        self._delivery_id_by_message_id: OrderedDict[int, int] = OrderedDict()
        """By id of a confirmed post: that of its delivery.  No other delivery takes it for its lost post."""

    def partial_message(self, posted: PostedMessage) -> discord.PartialMessage:
        """Return a message that can be edited without being fetched."""
        channel = self._client.get_partial_messageable(posted.channel, guild_id=self._guild_of(posted))
        return channel.get_partial_message(posted.message_id)

    def _guild_of(self, posted: PostedMessage) -> int | None:
        channel = self._client.get_channel(posted.channel)
        return channel.guild.id if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else None

    async def open_direct_channel(self, user: int) -> int:
        """Return the id of the channel of direct messages with a user, which is opened if need be."""
        open_channel = discord.utils.get(self._client.private_channels, recipient__id=user)
        if open_channel is not None:
            return open_channel.id
        return (await self._client.create_dm(discord.Object(user))).id

    async def post_at_table(
        self,
        context: DeliveryContext,
        post: Post,
        pictures: tuple[DrawnPicture, ...] = (),
        *file_factories: Callable[[], discord.File],
    ) -> discord.Message:
        """Post where the table is played, or above a thread that was deleted.

        Boards and turns do not leave a deleted thread: the game waits until somebody moves the table.
        Raises GameThreadLocked if nobody can post in the thread.
        """
        row = context.table.row
        try:
            return await self.post(context, row.game_channel, post, pictures, *file_factories)
        except discord.HTTPException as error:
            if row.game_channel == row.lobby_channel:
                raise
            if error.code in _LOCKED_THREAD_ERRORS:
                raise GameThreadLocked from error
            if error.code != ErrorCode.UNKNOWN_CHANNEL or context.delivery.kind in _KINDS_OF_PLAY:
                raise
            return await self.post(
                context, row.lobby_channel, _with_title(post, context.table), pictures, *file_factories
            )

    async def post(
        self,
        context: DeliveryContext,
        channel: int,
        post: Post,
        pictures: tuple[DrawnPicture, ...],
        *file_factories: Callable[[], discord.File],
    ) -> discord.Message:
        """Post a new message, or repeat a post whose outcome is unknown, in its channel.

        Discord returns the existing message for a repeat that it recognises by its nonce.
        """
        pending_post = context.attempt.pending_post
        if (
            not context.attempt.is_safe_from_duplicates
            and (lost_message := await self.find_lost_post(context, pictures, post.text)) is not None
        ):
            return lost_message
        if pending_post is not None and pending_post.channel != channel:
            try:
                return await self._request_post(
                    context, pending_post.channel, post, pictures, *file_factories
                )
            except discord.HTTPException as error:
                if not is_refused_by_discord(error):
                    raise
                await context.attempt.withdraw_post(includes_earlier=True)  # the table has left that place
        return await self._request_post(context, channel, post, pictures, *file_factories)

    async def _request_post(
        self,
        context: DeliveryContext,
        channel: int,
        post: Post,
        pictures: tuple[DrawnPicture, ...],
        *file_factories: Callable[[], discord.File],
    ) -> discord.Message:
        """Post; until Discord has responded, the store knows that the outcome is unknown."""
        may_have_arrived = context.may_have_arrived  # before the attempt begins one of its own
        await context.attempt.begin_post(channel)
        notified_users = await self._mention_budget.reserve(post.notified_users)
        allowed_mentions = discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(each) for each in notified_users],
        )
        try:
            message = await self._client.get_partial_messageable(channel).send(
                post.text,
                view=classic_view(post.rows) if post.rows else discord.utils.MISSING,
                files=[
                    *(picture.to_file() for picture in pictures),
                    *(make_file() for make_file in file_factories),
                ],
                nonce=context.delivery.id,
                allowed_mentions=allowed_mentions,
                silent=context.delivery.kind is DeliveryKind.HAND,  # the board's mention rings for a turn
            )
        except discord.HTTPException as error:
            if is_refused_by_discord(error):
                await self._mention_budget.release(notified_users)
                await context.attempt.withdraw_post(includes_earlier=error.code in _CLOSED_CHANNEL_ERRORS)
            raise
        if not may_have_arrived:  # what an earlier attempt has posted may show other pictures
            self._uploaded.remember(message, pictures)
            self._shown.remember(message.id, post, pictures)
        self._delivery_id_by_message_id[message.id] = context.delivery.id
        if len(self._delivery_id_by_message_id) > _MAX_REMEMBERED_POSTS:
            self._delivery_id_by_message_id.popitem(last=False)
        return message

    async def find_lost_post(
        self,
        context: DeliveryContext,
        pictures: tuple[DrawnPicture, ...] = (),
        text: str = "",
        ignored_texts: Collection[str] = (),
    ) -> discord.Message | None:
        """Return a post whose outcome is unknown, found by its buttons and pictures; None if it is not found.

        One without buttons is found by its ``text``; that of a turn whose text is not known, by its heading,
        unless its text is one of ``ignored_texts``.
        """
        pending_post, table = context.attempt.pending_post, context.table
        assert pending_post is not None
        if not can_be_found(context.delivery.kind):
            return None
        posted_ids = {posted.message_id for posted in context.posted_messages.values()}
        delivery_id = context.delivery.id
        channel = self._client.get_partial_messageable(pending_post.channel)
        try:
            async for message in messages_since(channel, pending_post.since, context.now):
                if (
                    message.id in posted_ids
                    or self._delivery_id_by_message_id.get(message.id, delivery_id) != delivery_id
                ):
                    continue
                if message.content in ignored_texts:
                    continue
                is_from_bot = message.author == self._client.user
                if is_post_of(message, context.delivery, table, pictures, text, is_from_bot=is_from_bot):
                    return message
        except discord.Forbidden:  # an admin has denied the right to read the channel's history
            return None
        except discord.HTTPException as error:
            if error.code != ErrorCode.UNKNOWN_CHANNEL:  # a deleted channel holds no message
                raise
        return None

    def shows(self, posted: PostedMessage, post: Post, pictures: tuple[DrawnPicture, ...]) -> bool:
        """Whether a message is known to show exactly this already, so that it need not be edited."""
        return self._shown.shows(posted.message_id, post, pictures)

    async def edit(self, posted: PostedMessage, post: Post, pictures: NewPictures) -> bool:
        """Edit a message; False if it is gone, too old or in a locked thread: it must be posted again."""
        try:
            await self._edit_even_if_archived(posted, partial(self._request_edit, posted, post, pictures))
        except _LockedThread:
            return False
        except discord.HTTPException as error:
            if error.code in _UNEDITABLE_ERRORS:
                return False
            raise
        return True

    async def edit_turn_post(
        self, table: Table, posted: PostedMessage, post: Post, pictures: NewPictures
    ) -> bool:
        """Edit a turn's message; False as in ``edit``, or if a former channel refuses the edit."""
        log_fields = {"table": table.number}
        try:
            if await self.edit(posted, post, pictures):
                return True
        except discord.HTTPException as error:
            if posted.channel == table.row.game_channel or not is_lasting_refusal(error):
                raise
            _log.info(
                "turn's message not edited: refused in a former place", exc_info=error, extra=log_fields
            )
        else:
            _log.info("turn's message not edited: gone or too old", extra=log_fields)
        return False

    async def _edit_even_if_archived(self, posted: PostedMessage, edit: Callable[[], Awaitable[T]]) -> T:
        """Make an edit of a message; in an archived thread, unarchive the thread and make it again.

        Raises _LockedThread, and what ``edit`` raises.
        """
        try:
            return await edit()
        except discord.HTTPException as error:
            if error.code != ErrorCode.THREAD_ARCHIVED:
                raise
        try:
            await self._unarchive(posted.channel)
        except discord.Forbidden as error:
            raise _LockedThread from error
        return await edit()

    async def _request_edit(self, posted: PostedMessage, post: Post, pictures: NewPictures) -> None:
        self._shown.forget(posted.message_id)
        if pictures is None:
            attachments: Any = discord.utils.MISSING
        else:
            attachments = self._uploaded.attachments(posted.message_id, pictures)
            self._uploaded.forget(posted.message_id)
        message = await self.partial_message(posted).edit(
            content=post.text,
            view=classic_view(post.rows) if post.rows else None,
            attachments=attachments,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        if pictures is not None:
            self._uploaded.remember(message, pictures)
            self._shown.remember(posted.message_id, post, pictures)

    async def _unarchive(self, channel: int) -> None:
        thread = await self._client.fetch_channel(channel)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)

    async def retire(self, posted: PostedMessage, text: str | None = None) -> None:
        """Remove the buttons of a message that is out of date.

        ``text``: takes the place of its text and pictures; None: both stay.
        """
        changes: dict[str, Any] = {} if text is None else {"content": text, "attachments": []}
        await self._edit_old_message(posted, view=None, **changes)

    async def close_prompt(self, posted: PostedMessage, context: DeliveryContext) -> bool:
        """Remove the buttons of a settled question or offer, and write the outcome into its text.

        False if that is refused for good: the message is gone, or its thread is locked.
        """
        message = await self._edit_old_message(posted, view=None)
        if message is not None:
            content = question_posts.settled_text(message.content, context.delivery.text)
            message = await self._edit_old_message(posted, content=content, view=None)
        return message is not None

    async def delete(self, posted: PostedMessage, *, raise_transient: bool) -> bool:
        """Delete a message that nobody needs any more; False if that fails.

        ``raise_transient``: whether a failure that may pass is raised, so that the delivery is repeated;
        only where that posts nothing twice.
        """
        self._shown.forget(posted.message_id)
        try:
            await self.partial_message(posted).delete()
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as error:
            if raise_transient and not _is_lasting(error):
                raise
            _log.info("old message not deleted", exc_info=error)
            return False
        return True

    async def _edit_old_message(self, posted: PostedMessage, **changes: Any) -> discord.Message | None:
        """Edit a message that asks nothing any more; return it, or None if Discord refuses for good.

        A failure that may pass is raised, so that the delivery is repeated: it posts nothing twice.
        """
        self._shown.forget(posted.message_id)
        try:
            return await self._edit_even_if_archived(
                posted, partial(self.partial_message(posted).edit, **changes)
            )
        except (_LockedThread, discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as error:
            if not _is_lasting(error):
                raise
            _log.info("buttons of an old message not removed", exc_info=error)
            return None


def _is_lasting(error: Exception) -> bool:
    if isinstance(error, _LockedThread):
        return True
    return isinstance(error, discord.HTTPException) and is_lasting_refusal(error)


def _with_title(post: Post, table: Table) -> Post:
    """Return a post that names its table, for a channel where others may play too."""
    if post_parts.title(table) in post.text:
        return post
    return replace(post, text=shortened(f"**{post_parts.title(table)}**\n{post.text}", limits.CONTENT))
