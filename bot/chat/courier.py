"""Carries what is stored to be sent to Discord.

Contents are drawn when they are delivered, from the table as it is then.  Message ids are hints: what is gone
is posted again.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from time import time
from typing import Final, NamedTuple, TypeVar

import aiohttp
import discord
from msgspec.structs import replace

from bot import limits
from bot.chat import posts
from bot.chat.components import parse_id, view_of
from bot.chat.connection import PERMISSIONS
from bot.chat.pictures import Picture, board_picture, hand_picture
from bot.chat.posts import Post, match_attachment
from bot.error_ids import new_error_id
from bot.host.decision import BOARD, LOBBY
from bot.host.outbox import Attempt, ClosedMessages, Sent, TryLater, Undeliverable
from bot.host.table import GOING_ON, GameFault, Table
from bot.host.tables import Tables
from bot.store.rows import RIGHTS, Delivery, DeliveryKind, PostedMessage, Slot, Status
from rules.game import Seat
from rules.text import cut

YOUNG: Final = 50 * 60.0
"""Seconds for which a message is edited; editing one over an hour old is limited (30046)."""
_PAUSE: Final = 300.0
"""Seconds before posting is tried again where a right is missing."""
_UNKNOWN_CHANNEL: Final = 10003
_UNKNOWN_MESSAGE: Final = 10008
_THREAD_EXISTS: Final = 160004
_ARCHIVED: Final = 50083
_OLD_MESSAGE: Final = 30046
_NO_MUTUAL_SERVER: Final = 50278
_CLOSED: Final = (50007, _NO_MUTUAL_SERVER)
_LOCKED: Final = 160005
_MISSING_RIGHTS: Final = (50001, 50013, _LOCKED, 160006, _ARCHIVED)
_CLOSED_PLACE: Final = (_UNKNOWN_CHANNEL, _LOCKED, _ARCHIVED)
"""Nobody can play from what may have been posted there."""
_UNAUTHORISED: Final = 401
_NO_PICTURES: Final[tuple[Picture, ...]] = ()
_WITH_BUTTONS: Final = (DeliveryKind.LOBBY, DeliveryKind.BOARD, DeliveryKind.HAND)
"""What must stand once only, since it is played from."""
_CLOCKS_APART: Final = 60.0
"""Seconds by which Discord's clock may differ from ours."""
_REPLACED: Final = "Your newer hand is below."
_WEEK: Final = 10080
"""Minutes until Discord archives a quiet thread."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class _Sending(NamedTuple):
    """What is being delivered, as the table is now."""

    delivery: Delivery
    table: Table
    attempt: Attempt
    posted_messages: dict[Slot, PostedMessage]
    """By slot."""

    @property
    def is_repeat(self) -> bool:
        """Whether an earlier attempt may have posted it already."""
        return self.attempt.pending is not None

    def posted(self, message: discord.Message, mentioned: Seat | None = None) -> PostedMessage:
        """Return what to remember of a message; of an earlier attempt's, what that one showed."""
        now = self.table.row.ply
        ply = ply_of(message, self.table.number)
        if ply is not None and ply != now:
            seats = enumerate(self.table.seats)
            mentioned = next((Seat(i) for i, seat in seats if seat.user in message.raw_mentions), None)
        return PostedMessage(
            slot=self.delivery.slot,
            channel=message.channel.id,
            message=message.id,
            ply=now if ply is None else ply,
            posted_at=time(),
            mentioned=mentioned,
        )


class DiscordCourier:
    """``bot.host.outbox.Courier`` over a discord.py client."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        """``client`` must be ready to send."""
        self._client = client
        self._tables = tables
        self._complained: set[tuple[int, str]] = set()

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> Sent:
        """Send one thing.  Raises Undeliverable, ClosedMessages, TryLater."""
        try:
            return await self._send(_Sending(delivery, table, attempt, posted_messages))
        except discord.HTTPException as error:
            raise await self._translated(error, delivery, table) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise TryLater from error

    async def _content(self, table: Table, made: Awaitable[T], instead: T) -> T:
        """What a message shows, made by its game; ``instead`` where the game fails and does not go on.

        A frozen game's board and a result's fairness code must arrive.  Raises GameFault.
        """
        try:
            return await made
        except GameFault as fault:
            if table.status in GOING_ON or table.status is Status.LOBBY:
                raise
            _log.warning(
                "plain words sent: the game failed",
                exc_info=fault.__cause__,
                extra={"table": table.number, "game": table.game.key, "ref": new_error_id()},
            )
            return instead

    async def _translated(self, error: discord.HTTPException, delivery: Delivery, table: Table) -> Exception:
        if self._is_out_of(table.row.guild):
            return TryLater(_PAUSE, RIGHTS)  # nobody there can be told now; on the return it is hastened
        if not error.code:
            return TryLater()  # Discord's own refusals have one: this came from something in between
        if error.code in _CLOSED:
            return ClosedMessages(gone=error.code == _NO_MUTUAL_SERVER)
        if error.code == _UNKNOWN_CHANNEL:
            await self._complain(table, "its channel is gone. To go on elsewhere, type `/table move` there.")
            return Undeliverable("the channel is gone")
        if error.code in _MISSING_RIGHTS or isinstance(error, discord.Forbidden):
            where = f"<#{table.row.home}>"
            await self._complain(
                table,
                f"I may not post in {where} ({error.text or 'missing permissions'})."
                f" I need these permissions there: {', '.join(PERMISSIONS)}.",
            )
            return TryLater(_PAUSE, RIGHTS)
        if error.status >= 500 or error.status in (429, _UNAUTHORISED):
            return TryLater()
        _log.warning(
            "delivery refused by Discord",
            exc_info=error,
            extra={"table": table.number, "kind": delivery.kind.value},
        )
        return Undeliverable(f"Discord refused it: {error.code}")

    def _is_out_of(self, guild: int | None) -> bool:
        """Whether the bot has been removed from a server; unknown before the gateway's first word."""
        return guild is not None and self._client.is_ready() and self._client.get_guild(guild) is None

    async def _complain(self, table: Table, what: str) -> None:
        """Tell the table's host once, in a direct message, what is in the way."""
        if (table.number, what) in self._complained:
            return
        self._complained.add((table.number, what))
        try:
            host = await self._client.fetch_user(table.row.host)
            await host.send(f"Table No. {table.number} is kept, but {what}")
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError):
            _log.warning("table host unreachable", extra={"table": table.number})

    async def _send(self, sending: _Sending) -> Sent:
        delivery, posted_messages = sending.delivery, sending.posted_messages
        match delivery.kind:
            case DeliveryKind.LOBBY:
                return await self._lobby(sending, posted_messages.get(LOBBY.slot))
            case DeliveryKind.THREAD:
                return await self._thread(sending.table, posted_messages.get(LOBBY.slot))
            case DeliveryKind.BOARD:
                return await self._board(sending, posted_messages.get(BOARD.slot))
            case DeliveryKind.HAND:
                return await self._hand(sending, posted_messages.get(delivery.slot))
            case DeliveryKind.NOTICE:
                await self._post_near(sending, Post(cut(delivery.text, limits.CONTENT)))
                return Sent()
            case DeliveryKind.CONSENT:
                return await self._consent(sending)
            case DeliveryKind.RESULT:
                return await self._result(sending)

    async def _lobby(self, sending: _Sending, posted: PostedMessage | None) -> Sent:
        table = sending.table
        post = posts.lobby_post(table)
        if posted is not None and not sending.is_repeat and await self._edited(posted, post, ()):
            return Sent(posted)
        message = await self._post(sending, table.row.lobby_channel, post, ())
        if posted is not None:
            await self._strip(posted, sending)
        return Sent(sending.posted(message))

    async def _thread(self, table: Table, lobby: PostedMessage | None) -> Sent:
        """Open the game's thread under its lobby; where that is refused the game stays in the channel."""
        if lobby is None or table.row.home != table.row.lobby_channel:
            return Sent()
        name = cut(f"{posts.title(table)}: {', '.join(table.plain_names)}", limits.THREAD_NAME)
        message = self._message(lobby)
        if message.guild is None:
            raise TryLater  # the gateway has not told of the server yet, and without it there is no thread
        try:
            thread = await message.create_thread(name=name, auto_archive_duration=_WEEK)
        except discord.HTTPException as error:
            if error.code == _THREAD_EXISTS:
                return Sent(home=lobby.message)  # a thread has the id of its message
            if error.status >= 500 or not error.code:
                raise
            _log.info(
                "thread refused: game stays in its channel",
                extra={"table": table.number, "code": error.code},
            )
            return Sent()
        return Sent(home=thread.id)

    async def _board(self, sending: _Sending, posted: PostedMessage | None) -> Sent:
        table = sending.table
        if table.match is None:
            return Sent()
        if table.status is Status.OVER and posted is not None and not sending.is_repeat:
            await self._strip(posted, sending)  # the result shows the last board
            return Sent(replace(posted, ply=table.row.ply))
        made = _board_content(table, posted)
        post, pictures, asked, handed_over = await self._content(table, made, _plain_board(table))
        aged = posted is not None and self._has_aged(table, posted)
        afresh = handed_over or aged or sending.is_repeat
        if posted is not None and not afresh and await self._edited(posted, post, pictures):
            still = posted.mentioned if posted.mentioned == asked else None
            return Sent(replace(posted, ply=table.row.ply, mentioned=still))
        message = await self._post_near(sending, post, pictures)
        if posted is not None:
            await self._strip(posted, sending)
        return Sent(sending.posted(message, mentioned=asked))

    @staticmethod
    def _has_aged(table: Table, posted: PostedMessage) -> bool:
        """Whether the table has moved away from a message, or editing that is limited."""
        return posted.channel != table.row.home or time() - posted.posted_at > YOUNG

    async def _hand(self, sending: _Sending, posted: PostedMessage | None) -> Sent:
        table = sending.table
        assert sending.delivery.slot.seat is not None
        seat = Seat(sending.delivery.slot.seat)
        user = table.seats[seat].user
        if table.match is None or user is None:
            return Sent()

        post, pictures = await self._content(
            table, _hand_content(table, seat), (posts.plain_post(table), _NO_PICTURES)
        )
        channel = await self._direct(user)
        pending = sending.attempt.pending
        if pending is not None and pending.channel != channel:
            return Sent()  # somebody else had the seat then, and must not see this; a newer one waits
        if (
            posted is not None
            and pending is None
            and posted.channel == channel
            and time() - posted.posted_at < YOUNG
            and await self._edited(posted, post, pictures)
        ):
            return Sent(posted)
        message = await self._post(sending, channel, post, pictures)
        if posted is not None and posted.channel == channel:
            await self._strip(posted, sending, _REPLACED)
        return Sent(sending.posted(message))

    async def _direct(self, user: int) -> int:
        """The channel of direct messages with a user."""
        known = discord.utils.get(self._client.private_channels, recipient__id=user)
        if known is not None:
            return known.id
        return (await self._client.create_dm(discord.Object(user))).id

    async def _consent(self, sending: _Sending) -> Sent:
        return Sent(sending.posted(await self._post_near(sending, posts.consent_post(sending.table))))

    async def _result(self, sending: _Sending) -> Sent:
        table = sending.table
        if table.match is None or table.status is not Status.OVER:
            return Sent()
        post = await self._content(table, _result_post(table), posts.plain_result_post(table))
        pictures = await self._content(table, _board_pictures(table), _NO_PICTURES)
        files = await self._content(table, self._match_files(table), ())
        return Sent(sending.posted(await self._post_near(sending, post, pictures, *files)))

    async def _match_files(self, table: Table) -> tuple[Callable[[], discord.File], ...]:
        text = await self._tables.match_file(table.number, None)
        return (lambda: match_attachment(table, text),)

    # Messages ---------------------------------------------------------------------------------------

    def _message(self, posted: PostedMessage) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(posted.channel, guild_id=self._guild_of(posted))
        return channel.get_partial_message(posted.message)

    def _guild_of(self, posted: PostedMessage) -> int | None:
        channel = self._client.get_channel(posted.channel)
        return channel.guild.id if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else None

    async def _post_near(
        self,
        sending: _Sending,
        post: Post,
        pictures: tuple[Picture, ...] = (),
        *more: Callable[[], discord.File],
    ) -> discord.Message:
        """Post where the table is played, or beside the thread that somebody has locked or deleted.

        The board does not leave a deleted thread: the game waits until somebody says where it goes on.
        """
        row = sending.table.row
        shut = {_LOCKED, _ARCHIVED}
        if sending.delivery.kind is not DeliveryKind.BOARD:
            shut.add(_UNKNOWN_CHANNEL)
        try:
            return await self._post(sending, row.home, post, pictures, *more)
        except discord.HTTPException as error:
            if error.code not in shut or row.home == row.lobby_channel:
                raise
            return await self._post(sending, row.lobby_channel, _named(post, sending.table), pictures, *more)

    async def _post(
        self,
        sending: _Sending,
        channel: int,
        post: Post,
        pictures: tuple[Picture, ...],
        *more: Callable[[], discord.File],
    ) -> discord.Message:
        """Post anew, or repeat a post whose outcome is unknown, in its channel.

        Discord answers a repeat that it recognises by its nonce with the message that is there.
        """
        pending = sending.attempt.pending
        if (
            not sending.attempt.is_repeatable
            and (lost := await self._find_lost(sending, pictures)) is not None
        ):
            return lost
        if pending is not None and pending.channel != channel:
            try:
                return await self._request_post(sending, pending.channel, post, pictures, *more)
            except discord.HTTPException as error:
                if not _is_refusal(error):
                    raise
                await sending.attempt.withdraw_post(final=True)  # the table has left that place
        return await self._request_post(sending, channel, post, pictures, *more)

    async def _request_post(
        self,
        sending: _Sending,
        channel: int,
        post: Post,
        pictures: tuple[Picture, ...],
        *more: Callable[[], discord.File],
    ) -> discord.Message:
        """Post, and keep in the store that it may have arrived until Discord has answered."""
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, replied_user=False, users=[discord.Object(u) for u in post.mentions]
        )
        await sending.attempt.begin_post(channel)
        try:
            return await self._client.get_partial_messageable(channel).send(
                post.text,
                view=view_of(post.rows) if post.rows else discord.utils.MISSING,
                files=[*(picture.file() for picture in pictures), *(file() for file in more)],
                nonce=sending.delivery.id,
                allowed_mentions=mentions,
            )
        except discord.HTTPException as error:
            if _is_refusal(error):
                await sending.attempt.withdraw_post(final=error.code in _CLOSED_PLACE)
            raise

    async def _find_lost(self, sending: _Sending, pictures: tuple[Picture, ...]) -> discord.Message | None:
        """Find a pending post that Discord may no longer know by its nonce, by its buttons and pictures."""
        pending = sending.attempt.pending
        assert pending is not None
        if sending.delivery.kind not in _WITH_BUTTONS:
            return None
        names = [picture.name for picture in pictures]
        known = {posted.message for posted in sending.posted_messages.values()}
        since = discord.utils.time_snowflake(datetime.fromtimestamp(pending.since - _CLOCKS_APART, UTC))
        channel = self._client.get_partial_messageable(pending.channel)
        try:
            async for message in channel.history(after=discord.Object(since), limit=100, oldest_first=True):
                files = [attachment.filename for attachment in message.attachments]
                if message.id in known:
                    continue
                if files == names and ply_of(message, sending.table.number) is not None:
                    return message
        except discord.Forbidden:  # nobody has to let the bot read a channel's history
            return None
        return None

    async def _edited(self, posted: PostedMessage, post: Post, pictures: tuple[Picture, ...]) -> bool:
        """Edit a message; False if it is gone or too old to edit, so that it must be posted anew."""
        try:
            await self._edit(posted, post, pictures)
        except discord.HTTPException as error:
            if error.code == _ARCHIVED:
                return await self._edited_awake(posted, post, pictures)
            if error.code in {_UNKNOWN_MESSAGE, _OLD_MESSAGE}:
                return False
            raise
        return True

    async def _edited_awake(self, posted: PostedMessage, post: Post, pictures: tuple[Picture, ...]) -> bool:
        """Wake the thread, then edit; False if it is locked."""
        try:
            await self._unarchive(posted.channel)
        except discord.Forbidden:
            return False
        await self._edit(posted, post, pictures)
        return True

    async def _edit(self, posted: PostedMessage, post: Post, pictures: tuple[Picture, ...]) -> None:
        await self._message(posted).edit(
            content=post.text,
            view=view_of(post.rows) if post.rows else None,
            attachments=[picture.file() for picture in pictures],
            allowed_mentions=discord.AllowedMentions.none(),
        )

    async def _unarchive(self, channel: int) -> None:
        thread = await self._client.fetch_channel(channel)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)

    async def _strip(self, posted: PostedMessage, sending: _Sending, text: str | None = None) -> None:
        """Remove the buttons of a message that has been replaced; ``text``: what it says from now on.

        Where the line fails the whole delivery is repeated, as long as that doubles nothing.
        """
        content = discord.utils.MISSING if text is None else text
        try:
            await self._message(posted).edit(content=content, view=None)
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as error:
            refused = isinstance(error, discord.HTTPException) and _is_refusal(error)
            if not refused and sending.attempt.is_repeatable:
                raise
            _log.info("buttons of an old message not removed", exc_info=error)


def ply_of(message: discord.Message, number: int) -> int | None:
    """Return the ply at which a message's buttons were offered; None if it has none of this table's."""
    for row in message.components:
        for item in row.children if isinstance(row, discord.ActionRow) else ():
            found = parse_id(str(item.custom_id or ""))
            if found is not None and found.table == number:
                return found.ply
    return None


def _is_refusal(error: discord.HTTPException) -> bool:
    """Whether Discord itself has refused a request, so that nothing was done."""
    return error.status < 500 and (bool(error.code) or error.status in {401, 429})


async def _board_content(
    table: Table, posted: PostedMessage | None
) -> tuple[Post, tuple[Picture, ...], Seat | None, bool]:
    """A board's text and picture, who is asked to act, and whether it has become their turn."""
    asked = _asked(table)
    handed_over = _handed_over(table, posted, asked)
    post = posts.board_post(table, asked, ping=handed_over)
    return post, await _board_pictures(table), asked, handed_over


def _plain_board(table: Table) -> tuple[Post, tuple[Picture, ...], Seat | None, bool]:
    return posts.plain_post(table), _NO_PICTURES, None, False


async def _board_pictures(table: Table) -> tuple[Picture, ...]:
    return (await board_picture(table),)


async def _hand_content(table: Table, seat: Seat) -> tuple[Post, tuple[Picture, ...]]:
    return posts.hand_post(table, seat, f"<#{table.row.home}>"), (await hand_picture(table, seat),)


async def _result_post(table: Table) -> Post:
    return posts.result_post(table)


def _named(post: Post, table: Table) -> Post:
    """A post that says which table it speaks of, for a channel where others may play too."""
    if posts.title(table) in post.text:
        return post
    return replace(post, text=cut(f"**{posts.title(table)}**\n{post.text}", limits.CONTENT))


def _asked(table: Table) -> Seat | None:
    """The person who owes a choice; nobody to ping while a computer player thinks."""
    to_act = table.to_act
    return to_act if to_act is not None and table.seats[to_act].user is not None else None


def _handed_over(table: Table, posted: PostedMessage | None, asked: Seat | None) -> bool:
    """Whether it has become somebody's turn since the last board: the one time to ping them."""
    if asked is None:
        return False
    if posted is None:
        return True
    return posted.mentioned != asked or _others_acted_since(table, posted.ply, asked)


def _others_acted_since(table: Table, ply: int, seat: Seat) -> bool:
    """Whether anybody else has made a choice since a board was shown at ``ply``."""
    assert table.match is not None
    line = table.match.history
    new = line[max(0, len(line) - (table.match.ply - ply)) :] if table.match.ply > ply else ()
    return any(record.chosen and record.actor != seat for record in new)
