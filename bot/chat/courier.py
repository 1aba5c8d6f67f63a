"""Carries what is stored to be sent to Discord.

Contents are drawn when they are delivered, from the table as it is then.  Message ids are hints: what is gone
is posted again.
"""

import logging
from collections.abc import Awaitable, Callable
from time import time
from typing import Final, NamedTuple, TypeVar

import aiohttp
import discord
from msgspec.structs import replace

from bot import limits
from bot.chat import posts
from bot.chat.connection import PERMISSIONS
from bot.chat.messages import ARCHIVED, LOCKED, TRY_AGAIN, UNKNOWN_CHANNEL, Pictures, Sending, TableMessages
from bot.chat.pictures import DrawnPicture, board_picture, hand_picture, has_picture
from bot.chat.posts import Post, match_attachment
from bot.chat.turn_posts import hand_post
from bot.error_ids import new_error_id
from bot.host.decision import BOARD_DELIVERY, LOBBY_DELIVERY
from bot.host.game_calls import run_game_work
from bot.host.outbox import Attempt, ClosedMessages, Sent, TryLater, Undeliverable
from bot.host.table import IN_PLAY, GameFault, Table
from bot.host.tables import Tables
from bot.host.turns import finished_turn, is_running_turn, shown_turn_start, table_after
from bot.store.rows import BLOCKED, Delivery, DeliveryKind, PostedMessage, Slot, Status
from render.picture import HAND
from rules.game import Seat
from rules.text import cut
from rules.turns import Turn

YOUNG: Final = 50 * 60.0
"""Seconds for which a message is edited; editing one over an hour old is limited (30046)."""
_PAUSE: Final = 300.0
"""Seconds before posting is tried again where a right is missing."""
_THREAD_EXISTS: Final = 160004
_NO_MUTUAL_SERVER: Final = 50278
_CLOSED: Final = (50007, _NO_MUTUAL_SERVER)
_MISSING_RIGHTS: Final = (50001, 50013, LOCKED, 160006, ARCHIVED)
_NO_PICTURES: Final[tuple[DrawnPicture, ...]] = ()
_REPLACED: Final = "Your newer hand is below."
_WEEK: Final = 10080
"""Minutes until Discord archives a quiet thread."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class DiscordCourier:
    """``bot.host.outbox.Courier`` over a discord.py client."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        """``client`` must be ready to send."""
        self._client = client
        self._tables = tables
        self._messages = TableMessages(client)
        self._complained: set[tuple[int, str]] = set()

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> Sent:
        """Send one thing.  Raises Undeliverable, ClosedMessages, TryLater, Superseded."""
        try:
            return await self._send(Sending(delivery, table, attempt, posted_messages))
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
            if table.status in IN_PLAY or table.status is Status.LOBBY:
                raise
            _log.warning(
                "plain words sent: the game failed",
                exc_info=fault.__cause__,
                extra={"table": table.number, "game": table.game.key, "error_id": new_error_id()},
            )
            return instead

    async def _translated(self, error: discord.HTTPException, delivery: Delivery, table: Table) -> Exception:
        if self._is_out_of(table.row.guild):
            return TryLater(_PAUSE, BLOCKED)  # no message can be sent there; retried when the bot returns
        if not error.code:
            return TryLater()  # Discord's own refusals have one: this came from something in between
        if error.code in _CLOSED:
            return ClosedMessages(gone=error.code == _NO_MUTUAL_SERVER)
        if error.code == UNKNOWN_CHANNEL:
            await self._complain(table, "its channel is gone. To go on elsewhere, type `/table move` there.")
            return Undeliverable("the channel is gone")
        if error.code in _MISSING_RIGHTS or isinstance(error, discord.Forbidden):
            where = f"<#{table.row.home}>"
            await self._complain(
                table,
                f"I may not post in {where} ({error.text or 'missing permissions'})."
                f" I need these permissions there: {', '.join(PERMISSIONS)}.",
            )
            return TryLater(_PAUSE, BLOCKED)
        if error.status >= 500 or error.status in TRY_AGAIN:
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

    async def _send(self, sending: Sending) -> Sent:
        delivery, posted_messages = sending.delivery, sending.posted_messages
        match delivery.kind:
            case DeliveryKind.LOBBY:
                return await self._lobby(sending, posted_messages.get(LOBBY_DELIVERY.slot))
            case DeliveryKind.THREAD:
                return await self._thread(sending.table, posted_messages.get(LOBBY_DELIVERY.slot))
            case DeliveryKind.BOARD:
                return await self._board(sending, posted_messages.get(BOARD_DELIVERY.slot))
            case DeliveryKind.TURN:
                return await self._turn(sending)
            case DeliveryKind.HAND:
                return await self._hand(sending, posted_messages.get(delivery.slot))
            case DeliveryKind.NOTICE:
                await self._messages.post_near(sending, posts.notice_post(sending.table, delivery.text))
                return Sent()
            case DeliveryKind.CONSENT:
                return await self._consent(sending, posted_messages.get(delivery.slot))
            case DeliveryKind.RESULT:
                return await self._result(sending)

    async def _lobby(self, sending: Sending, posted: PostedMessage | None) -> Sent:
        table = sending.table
        post = posts.lobby_post(table)
        if posted is not None and not sending.is_repeat and await self._messages.edit(posted, post, ()):
            return Sent(posted)
        message = await self._messages.post(sending, table.row.lobby_channel, post, ())
        if posted is not None:
            await self._messages.strip(posted, sending)
        return Sent(sending.posted(message))

    async def _thread(self, table: Table, lobby: PostedMessage | None) -> Sent:
        """Open the game's thread under its lobby; where that is refused the game stays in the channel."""
        if lobby is None or table.row.home != table.row.lobby_channel:
            return Sent()
        name = cut(f"{posts.title(table)}: {', '.join(table.plain_names)}", limits.THREAD_NAME)
        message = self._messages.partial(lobby)
        if message.guild is None:
            raise TryLater  # the server is not in the cache yet, so its threads are unknown
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

    async def _board(self, sending: Sending, posted: PostedMessage | None) -> Sent:
        table = sending.table
        if table.match is None:
            return Sent()
        tells_turn = posted is not None and _tells_finished_turn(posted, sending.posted_messages)
        if posted is not None and not sending.is_repeat and (table.status is Status.OVER or tells_turn):
            if not tells_turn:
                await self._messages.strip(posted, sending)  # the result shows the last board
            if table.status is Status.OVER or _computer_plays(table):
                return Sent(replace(posted, ply=table.row.ply))
        if posted is None and _computer_plays(table):
            return Sent()
        made = _board_content(table, posted)
        post, pictures, asked, handed_over, turn = await self._content(table, made, _plain_board(table))
        aged = posted is not None and self._has_aged(table, posted)
        repost = handed_over or aged or tells_turn or sending.is_repeat
        if posted is not None and not repost and await self._messages.edit(posted, post, pictures):
            still = posted.mentioned if posted.mentioned == asked else None
            return Sent(replace(posted, ply=table.row.ply, mentioned=still, shows_turn=turn))
        message = await self._messages.post_near(sending, post, pictures)
        if posted is not None and not tells_turn:
            await self._messages.strip(posted, sending, posts.replaced_post(table).text)
        return Sent(sending.posted(message, mentioned=asked, shows_turn=turn))

    async def _turn(self, sending: Sending) -> Sent:
        """Edit the post of a turn that is over to its whole story, or post one; or say that it is undone."""
        table, slot = sending.table, sending.delivery.slot
        assert slot.turn is not None
        if table.match is None:
            return Sent()
        content = await self._content(table, turn_content(table, slot.turn), None)
        if content is None:
            return Sent()
        posted, corrected = sending.posted_messages.get(slot), None
        if posted is not None and posted.shows_turn is None:
            posted = None  # it says that it was taken back; what is played instead gets a post of its own
        if posted is not None and (posted.is_outdated or content.turn is None):
            undone = posts.taken_back_post(table) if content.turn is not None else content.post
            await self._messages.edit_turn(table, posted, undone, None)
            corrected, posted = replace(posted, shows_turn=None, is_outdated=False), None
        if content.turn is None:
            lost = await self._take_back_lost(sending, content.post) if sending.is_repeat else None
            return Sent(lost or corrected)
        board = sending.posted_messages.get(BOARD_DELIVERY.slot)
        if posted is None and board is not None and board.shows_turn == slot.turn:
            posted = replace(board, slot=slot)
        if posted is not None and not sending.is_repeat:  # else an earlier attempt has begun to post it
            pictures = await self._content(table, turn_pictures(table, content.turn), None)
            if await self._messages.edit_turn(table, posted, content.post, pictures):
                return Sent(replace(posted, ply=table.row.ply))
        message = await self._messages.post_near(sending, content.post)
        return Sent(sending.posted(message, shows_turn=slot.turn))

    async def _take_back_lost(self, sending: Sending, post: Post) -> PostedMessage | None:
        """Settle a post of a turn that was taken back before it was known to have arrived."""
        if sending.attempt.is_repeatable:
            lost: discord.Message | None = await self._messages.post_near(sending, post)
        else:
            lost = await self._messages.find_lost(sending)
        if lost is None:
            return None
        posted = sending.posted(lost)
        if lost.content != post.text:
            await self._messages.edit_turn(sending.table, posted, post, None)
        return posted

    @staticmethod
    def _has_aged(table: Table, posted: PostedMessage) -> bool:
        """Whether the table has moved away from a message, or editing that is limited."""
        return posted.channel != table.row.home or time() - posted.posted_at > YOUNG

    async def _hand(self, sending: Sending, posted: PostedMessage | None) -> Sent:
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
            and await self._messages.edit(posted, post, pictures)
        ):
            return Sent(posted)
        message = await self._messages.post(sending, channel, post, pictures)
        if posted is not None and posted.channel == channel:
            await self._messages.strip(posted, sending, _REPLACED)
        return Sent(sending.posted(message))

    async def _direct(self, user: int) -> int:
        """The channel of direct messages with a user."""
        known = discord.utils.get(self._client.private_channels, recipient__id=user)
        if known is not None:
            return known.id
        return (await self._client.create_dm(discord.Object(user))).id

    async def _consent(self, sending: Sending, posted: PostedMessage | None) -> Sent:
        question = sending.table.row.undo_request
        if question is None or question.refused or question.ply != sending.delivery.ply:
            # Answered or void.  To post now would ask the newer question, which has a delivery of its own.
            lost = await self._messages.find_lost(sending) if sending.is_repeat else None
            for question_message in (posted, None if lost is None else sending.posted(lost)):
                if question_message is not None:
                    await self._messages.strip(question_message, sending)
            return Sent()
        message = await self._messages.post_near(sending, posts.consent_post(sending.table))
        if posted is not None:
            await self._messages.strip(posted, sending)
        return Sent(sending.posted(message))

    async def _result(self, sending: Sending) -> Sent:
        table = sending.table
        if table.match is None or table.status is not Status.OVER:
            return Sent()
        post = await self._content(table, _result_post(table), posts.plain_result_post(table))
        pictures = await self._content(table, _board_pictures(table), _NO_PICTURES)
        files = await self._content(table, self._match_files(table), ())
        return Sent(sending.posted(await self._messages.post_near(sending, post, pictures, *files)))

    async def _match_files(self, table: Table) -> tuple[Callable[[], discord.File], ...]:
        text = await self._tables.match_file_text(table.number, None)
        return (lambda: match_attachment(table, text),)


async def _board_content(
    table: Table, posted: PostedMessage | None
) -> tuple[Post, tuple[DrawnPicture, ...], Seat | None, bool, int | None]:
    """A board's text and picture, who is asked to act, whether it has become their turn, and which turn."""
    asked = _asked(table)
    handed_over = _handed_over(table, posted, asked)
    post = posts.board_post(table, asked, ping=handed_over)
    return post, await _board_pictures(table), asked, handed_over, shown_turn_start(table)


def _plain_board(table: Table) -> tuple[Post, tuple[DrawnPicture, ...], Seat | None, bool, int | None]:
    return posts.plain_post(table), _NO_PICTURES, None, False, None


async def _board_pictures(table: Table) -> tuple[DrawnPicture, ...]:
    return (await board_picture(table),)


class TurnContent(NamedTuple):
    """What the message of a turn says."""

    post: Post
    turn: Turn | None = None
    """None: it was taken back, or a part of it."""


async def turn_content(table: Table, start: int) -> TurnContent:
    """Return the story of the turn that begins at an index."""

    def work() -> TurnContent:
        turn = finished_turn(table, start)
        if turn is not None:
            return TurnContent(posts.turn_post(table, turn), turn)
        return TurnContent(posts.taken_back_post(table, partly=is_running_turn(table, start)))

    return await run_game_work(table, work)


async def turn_pictures(table: Table, turn: Turn) -> Pictures:
    """Return the board as the turn left it."""
    return await _board_pictures(await run_game_work(table, lambda: table_after(table, turn)))


def _tells_finished_turn(posted: PostedMessage, posted_messages: dict[Slot, PostedMessage]) -> bool:
    """Whether the message of the board has become that of a turn that is over."""
    turns = (each for each in posted_messages.values() if each.slot.kind is DeliveryKind.TURN)
    return any(turn.message == posted.message for turn in turns)


def _computer_plays(table: Table) -> bool:
    """Whether a computer player is to act: the board is posted when it is done."""
    return table.to_act is not None and table.seats[table.to_act].computer is not None


async def _hand_content(table: Table, seat: Seat) -> tuple[Post, tuple[DrawnPicture, ...]]:
    pictures = (await hand_picture(table, seat),) if has_picture(table, HAND) else _NO_PICTURES
    return hand_post(table, seat, f"<#{table.row.home}>"), pictures


async def _result_post(table: Table) -> Post:
    return posts.result_post(table)


def _asked(table: Table) -> Seat | None:
    """The person who owes a choice; nobody to ping while a computer player thinks."""
    to_act = table.to_act
    return to_act if to_act is not None and table.seats[to_act].user is not None else None


def _handed_over(table: Table, posted: PostedMessage | None, asked: Seat | None) -> bool:
    """Whether it has become somebody's turn since the last board: the one time to ping them."""
    if asked is None:
        return False
    return posted is None or posted.mentioned != asked or posted.shows_turn != shown_turn_start(table)
