"""Sends stored deliveries to Discord.

Each content is drawn when it is delivered, from the table as it is then.  If the message to edit is gone,
a new one is posted.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final, TypeVar

import aiohttp
import discord
from msgspec.structs import replace

from bot import limits
from bot.chat import admission_pages, lobby_posts, posts, result_posts
from bot.chat.delivery_contents import (
    BoardContent,
    board_content,
    board_text_post,
    fallback_board_content,
    hand_content,
    result_content,
    result_pictures,
    turn_content,
    turn_pictures,
    turn_texts,
)
from bot.chat.delivery_refusals import DeliveryRefusals
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import DrawingSuperseded, drawing_settings
from bot.chat.messages import Sending, TableMessages, is_lasting_refusal
from bot.chat.missed_answers import missed_move_lines
from bot.chat.posts import Post, match_attachment
from bot.chat.question_sender import QuestionSender
from bot.chat.response import prefers_text
from bot.chat.turn_notice_sender import TurnNoticeSender
from bot.error_codes import ErrorCode
from bot.error_ids import new_error_id
from bot.host.computers import is_computer_to_act
from bot.host.courier_protocol import Attempt, DeliveryResult, Superseded, TryLater
from bot.host.deciders.decision import BOARD_DELIVERY, LOBBY_DELIVERY
from bot.host.delivery_order import Priority, priority_of
from bot.host.game_guard import GameFault
from bot.host.reliability import Reliability, read_reliability
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import finished_turn
from bot.host.tables import Tables
from bot.store.delivery_rows import (
    BLOCKED,
    Delivery,
    DeliveryKind,
    PostedMessage,
    ReplacedMessage,
    Slot,
)
from bot.store.rows import Status
from rules.game import Seat
from rules.text import shortened

MAX_AGE_TO_EDIT: Final = 50 * 60.0
"""Seconds for which a board or a hand is edited; Discord limits the edits of one over an hour old."""
_OUTDATED_BY_MOVES: Final = frozenset({DeliveryKind.BOARD, DeliveryKind.HAND})
"""Kinds of delivery that a newer move makes needless: another one shows it."""
_DRAWING_PRIORITIES: Final = {
    Priority.HIGH: DrawingPriority.BOARD,
    Priority.MEDIUM: DrawingPriority.HAND,
    Priority.LOW: DrawingPriority.HAND,
}
_REPLACED_HAND_TEXT: Final = "Your newer hand is below."
_AUTO_ARCHIVE_MINUTES: Final = limits.AUTO_ARCHIVE_MINUTES[-1]
"""Minutes until Discord archives a quiet thread."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class DiscordCourier:
    """``bot.host.courier_protocol.Courier`` over a discord.py client."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        """``client`` must be ready to send."""
        self._client = client
        self._tables = tables
        self._messages = TableMessages(client, tables.mention_budget)
        self._notices = TurnNoticeSender(self._messages, tables.people)
        self._questions = QuestionSender(self._messages)
        self._refusals = DeliveryRefusals(client)

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Send one delivery.

        Raises Undeliverable, ClosedMessages, TryLater, Superseded, GameFault, StoreError, WorkersBusy.
        """
        try:
            priority = _DRAWING_PRIORITIES[priority_of(delivery)]
            with drawing_settings(priority, partial(self._is_wanted, delivery, table, attempt)):
                return await self._send(
                    Sending(delivery, table, attempt, posted_messages, self._tables.clock())
                )
        except DrawingSuperseded:
            raise Superseded from None
        except discord.HTTPException as error:
            now = self._tables.clock()
            raise await self._refusals.explain(error, delivery, table, now) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise TryLater from error

    def _is_wanted(self, delivery: Delivery, table: Table, attempt: Attempt) -> bool:
        """Whether what a delivery shows is not outdated; a repeat may show an earlier state."""
        newest = self._tables.get_cached(delivery.table_number)
        stays_wanted = attempt.pending is not None or delivery.kind not in _OUTDATED_BY_MOVES
        return stays_wanted or newest is None or newest.row.ply == table.row.ply

    async def _content_or_fallback(self, table: Table, content: Awaitable[T], fallback: T) -> T:
        """Return what a message shows; ``fallback`` if the game fails when it has ended or is frozen.

        A frozen game's board and a result's seed must arrive.  Else raises GameFault, also in a lobby.
        """
        try:
            return await content
        except GameFault as fault:
            if table.status in IN_PLAY or table.status is Status.LOBBY:
                raise
            _log.warning(
                "fallback text sent: game failed",
                exc_info=fault.__cause__,
                extra={"table": table.number, "game": table.game.key, "error_id": new_error_id()},
            )
            return fallback

    async def _send(self, sending: Sending) -> DeliveryResult:
        delivery, posted_messages = sending.delivery, sending.posted_messages
        match delivery.kind:
            case DeliveryKind.LOBBY:
                return await self._send_lobby(sending, posted_messages.get(LOBBY_DELIVERY.slot))
            case DeliveryKind.THREAD:
                return await self._open_thread(sending.table, posted_messages.get(LOBBY_DELIVERY.slot))
            case DeliveryKind.BOARD:
                return await self._send_board(sending, posted_messages.get(BOARD_DELIVERY.slot))
            case DeliveryKind.BOARD_TEXT:
                return await self._edit_board_text(sending, posted_messages.get(BOARD_DELIVERY.slot))
            case DeliveryKind.TURN:
                return await self._send_turn(sending)
            case DeliveryKind.HAND:
                return await self._send_hand(sending, posted_messages.get(delivery.slot))
            case DeliveryKind.REMINDER:
                return await self._notices.send_reminder(sending, posted_messages.get(delivery.slot))
            case DeliveryKind.EARLY_NOTICE:
                return await self._notices.send_early_notice(sending, posted_messages.get(delivery.slot))
            case DeliveryKind.NOTICE:
                await self._messages.post_at_table(sending, posts.notice_post(sending.table, delivery.text))
                return DeliveryResult()
            case DeliveryKind.TIME_OVER:
                assert delivery.slot.seat is not None
                post = posts.time_over_post(sending.table, delivery.slot.seat, delivery.text)
                await self._messages.post_at_table(sending, post)
                return DeliveryResult()
            case DeliveryKind.QUESTION:
                return await self._questions.send_question(sending)
            case DeliveryKind.OFFER:
                return await self._questions.send_offer(sending)
            case DeliveryKind.READY_CHECK:
                return await self._questions.send_ready_check(sending)
            case DeliveryKind.INVITATION | DeliveryKind.APPLICATION:
                return await self._questions.send_admission(sending)
            case DeliveryKind.ACCEPTANCE:
                return await self._send_acceptance(sending)
            case DeliveryKind.RESULT:
                return await self._send_result(sending)
            case DeliveryKind.OLD_BUTTONS:
                old = posted_messages.get(delivery.slot)
                if old is not None:
                    await self._messages.remove_buttons(old, delivery.text or None)
                return DeliveryResult()

    async def _send_lobby(self, sending: Sending, posted: PostedMessage | None) -> DeliveryResult:
        table = sending.table
        post = lobby_posts.lobby_post(table, await self._read_lobby_reliability(table), ping=posted is None)
        stands_here = posted is not None and posted.channel == table.row.lobby_channel
        try:
            if (
                posted is not None
                and stands_here
                and not sending.is_repeat
                and await self._messages.edit(posted, post, ())
            ):
                return DeliveryResult(posted)
            message = await self._messages.post(sending, table.row.lobby_channel, post, ())
        except discord.HTTPException as error:
            is_played_elsewhere = table.row.game_channel != table.row.lobby_channel
            if not is_played_elsewhere or error.code != ErrorCode.UNKNOWN_CHANNEL:
                raise
            return DeliveryResult()  # nobody looks for the game in a deleted channel
        old_text = "" if stands_here else lobby_posts.moved_lobby_text(table)
        return DeliveryResult(sending.row_to_store(message), _replaced_message(posted, old_text))

    async def _read_lobby_reliability(self, table: Table) -> Mapping[int, Reliability]:
        """Return how reliable the people in a lobby are, by user; empty once it has started."""
        if table.status is not Status.LOBBY:
            return {}
        users = [seat.user for seat in table.seats if seat.user is not None]
        return await read_reliability(self._tables.store, users)

    async def _open_thread(self, table: Table, posted_lobby: PostedMessage | None) -> DeliveryResult:
        """Open the game's thread under its lobby; where that is refused the game stays in the channel."""
        row = table.row
        if row.lobby_channel != row.game_channel:
            return DeliveryResult()
        if posted_lobby is None or posted_lobby.channel != row.lobby_channel:
            waiting = await self._tables.store.deliveries(table.number)
            if any(each.kind is DeliveryKind.LOBBY for each in waiting):
                # the lobby was moved, and its post here may wait for a permission
                raise TryLater(reason=BLOCKED)
            return DeliveryResult()
        name = shortened(f"{posts.title(table)}: {', '.join(table.plain_names)}", limits.THREAD_NAME)
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

    async def _send_board(self, sending: Sending, posted: PostedMessage | None) -> DeliveryResult:
        table = sending.table
        if table.match is None and not table.unplayable:
            return DeliveryResult()
        shows_finished_turn = posted is not None and _shows_finished_turn(table, posted, sending)
        is_over = table.status is Status.OVER
        if (
            posted is not None
            and not sending.is_repeat
            and (is_over or (shows_finished_turn and is_computer_to_act(table)))
        ):
            old = None if _is_turn_post(posted, sending) else posted  # the result shows the last board
            return DeliveryResult(replace(posted, ply=table.row.ply), _replaced_message(old))
        if posted is None and not sending.is_repeat and is_computer_to_act(table):
            return DeliveryResult()  # the board is posted after the computer's turn
        content = await self._content_or_fallback(
            table, self._board_content(table, posted), fallback_board_content(table)
        )
        must_repost = content.is_new_turn or shows_finished_turn or sending.is_repeat
        if (
            posted is not None
            and not must_repost
            and not await self._is_too_old_or_elsewhere(sending, posted)
            and await self._messages.edit(posted, content.post, content.pictures)
        ):
            mentioned_user = posted.mentioned_user if posted.mentioned_user == content.asked_user else None
            return DeliveryResult(
                replace(
                    posted,
                    ply=table.row.ply,
                    mentioned_user=mentioned_user,
                    shown_turn_start=content.turn_start,
                )
            )
        message = await self._messages.post_at_table(sending, content.post, content.pictures)
        old = None if posted is None or _is_turn_post(posted, sending) else posted
        moved_to = message.channel.id if posted is not None and posted.channel != message.channel.id else None
        return DeliveryResult(
            sending.row_to_store(message, content.asked_user, content.turn_start, mentions=content.mentions),
            _replaced_message(old, posts.old_board_post(table, moved_to).text),
        )

    async def _board_content(self, table: Table, posted: PostedMessage | None) -> BoardContent:
        if table.unplayable:
            return fallback_board_content(table)
        return await board_content(table, posted, missed_move_lines(table, self._tables.answers))

    async def _edit_board_text(self, sending: Sending, posted: PostedMessage | None) -> DeliveryResult:
        """Edit the text of the newest board, however old it is, unless another board is about to follow."""
        table = sending.table
        is_newest = posted is not None and posted.ply == table.row.ply and table.status in IN_PLAY
        if posted is not None and is_newest and not _shows_finished_turn(table, posted, sending):
            post = board_text_post(table, missed_move_lines(table, self._tables.answers))
            await self._messages.edit(posted, post, None)
        return DeliveryResult()

    async def _send_turn(self, sending: Sending) -> DeliveryResult:
        """Edit or post the story of a turn that is over; if the turn was taken back, its post says so."""
        table, slot = sending.table, sending.delivery.slot
        assert slot.key is not None
        if table.match is None:
            return DeliveryResult()
        content = await self._content_or_fallback(table, turn_content(table, slot.key), None)
        if content is None:
            return DeliveryResult()
        posted, corrected_message, uncorrected_message = sending.posted_messages.get(slot), None, None
        if posted is not None and posted.shown_turn_start is None:
            posted = None  # it says "taken back"; the turn that is played instead gets a post of its own
        if posted is not None and (posted.is_outdated or content.turn is None):
            replacement_post = posts.taken_back_post(table) if content.turn is not None else content.post
            if not await self._messages.edit_turn_post(table, posted, replacement_post, ()):
                uncorrected_message = ReplacedMessage(
                    posted, replacement_post.text
                )  # a later edit may succeed
            corrected_message, posted = replace(posted, shown_turn_start=None, is_outdated=False), None
        if content.turn is None:
            corrected_lost_message = (
                await self._correct_lost_turn_post(sending, content.post) if sending.is_repeat else None
            )
            return DeliveryResult(corrected_lost_message or corrected_message, uncorrected_message)
        posted_board = sending.posted_messages.get(BOARD_DELIVERY.slot)
        if posted is None and posted_board is not None and posted_board.shown_turn_start == slot.key:
            posted = replace(posted_board, slot=slot)
        # a repeat goes through a post, which finds what an earlier attempt has posted
        if posted is not None and not sending.is_repeat:
            pictures = await self._content_or_fallback(table, turn_pictures(table, content.turn), None)
            if await self._messages.edit_turn_post(table, posted, content.post, pictures):
                return DeliveryResult(replace(posted, ply=table.row.ply), uncorrected_message)
        # a message that cannot be edited any more stays, and keeps its buttons until the new one is posted
        message = await self._messages.post_at_table(sending, content.post)
        if sending.delivery.pending is not None and not sending.attempt.is_safe_to_post:
            await self._correct_untrue_turn_post(sending)
        return DeliveryResult(
            sending.row_to_store(message, shown_turn_start=slot.key),
            uncorrected_message or _replaced_message(posted),
        )

    async def _correct_untrue_turn_post(self, sending: Sending) -> None:
        """Correct the lost post of a turn that was taken back and has been played otherwise since."""
        table = sending.table
        true_texts = await self._content_or_fallback(table, turn_texts(table), None)
        if true_texts is None:
            return
        lost_message = await self._messages.find_lost_post(sending, ignored_texts=true_texts)
        if lost_message is not None:
            posted = sending.row_to_store(lost_message)
            await self._messages.edit_turn_post(table, posted, posts.taken_back_post(table), None)

    async def _correct_lost_turn_post(self, sending: Sending, post: Post) -> PostedMessage | None:
        """Find or repeat the lost post of a turn that was taken back, and correct its text."""
        if sending.attempt.is_safe_to_post:
            lost_message: discord.Message | None = await self._messages.post_at_table(sending, post)
        else:
            lost_message = await self._messages.find_lost_post(sending)
        if lost_message is None:
            return None
        posted = sending.row_to_store(lost_message)
        if lost_message.content != post.text:
            await self._messages.edit_turn_post(sending.table, posted, post, None)
        return posted

    async def _is_too_old_or_elsewhere(self, sending: Sending, posted: PostedMessage) -> bool:
        """Whether a board is too old to be edited, or not where the game is played.

        A board in the lobby's channel may stay there while the game's thread is locked.
        """
        row = sending.table.row
        if sending.now - posted.posted_at > MAX_AGE_TO_EDIT:
            return True
        if posted.channel == row.game_channel:
            return False
        return posted.channel != row.lobby_channel or not await self._messages.is_locked(row.game_channel)

    async def _send_hand(self, sending: Sending, posted: PostedMessage | None) -> DeliveryResult:
        table = sending.table
        assert sending.delivery.slot.seat is not None
        seat = Seat(sending.delivery.slot.seat)
        user = table.seats[seat].user
        former_text = posts.former_hand_text(table, seat)
        if user is None or table.match is None:  # the latter: this release cannot play the game
            closing_text = former_text if user is None else posts.fallback_post(table).text
            await self._close_lost_hand(sending, closing_text)
            return DeliveryResult(replaced=_replaced_message(posted, closing_text))

        as_text = await prefers_text(self._tables, user)
        post, pictures = await self._content_or_fallback(
            table, hand_content(table, seat, as_text=as_text), (posts.fallback_post(table), ())
        )
        channel = await self._messages.open_direct_channel(user)
        pending = sending.attempt.pending
        if pending is not None and pending.channel != channel:
            # somebody else had the seat then, and must not see this; a newer delivery waits
            await self._close_lost_hand(sending, former_text)
            return DeliveryResult()
        if (
            posted is not None
            and pending is None
            and posted.channel == channel
            and (
                self._messages.shows(posted, post, pictures)
                or (
                    sending.now - posted.posted_at < MAX_AGE_TO_EDIT
                    and await self._messages.edit(posted, post, pictures)
                )
            )
        ):
            return DeliveryResult(posted)
        message = await self._messages.post(sending, channel, post, pictures)
        is_former = posted is not None and posted.channel != channel  # of somebody who had the seat before
        text = former_text if is_former else _REPLACED_HAND_TEXT
        return DeliveryResult(sending.row_to_store(message), _replaced_message(posted, text))

    async def _close_lost_hand(self, sending: Sending, text: str) -> None:
        """If the response to a post of the hand was lost, replace that hand by ``text``, which says why."""
        lost_message = await self._messages.find_lost_post(sending) if sending.is_repeat else None
        if lost_message is not None:
            await self._messages.remove_buttons(sending.row_to_store(lost_message), text)

    async def _send_acceptance(self, sending: Sending) -> DeliveryResult:
        """Mention somebody who was accepted, unless they have no seat any more."""
        user = sending.delivery.slot.key
        assert user is not None
        if sending.table.seat_of(user) is not None:
            await self._messages.post_at_table(sending, admission_pages.acceptance_post(sending.table, user))
        return DeliveryResult()

    async def _send_result(self, sending: Sending) -> DeliveryResult:
        table = sending.table
        if table.match is None or table.status is not Status.OVER:
            return DeliveryResult()
        post = await self._content_or_fallback(
            table, result_content(table), result_posts.fallback_result_post(table)
        )
        pictures = await self._content_or_fallback(table, result_pictures(table), ())
        file_factories = await self._content_or_fallback(table, self._match_file_factories(table), ())
        return DeliveryResult(
            sending.row_to_store(await self._messages.post_at_table(sending, post, pictures, *file_factories))
        )

    async def _match_file_factories(self, table: Table) -> tuple[Callable[[], discord.File], ...]:
        text = await self._tables.match_file_text(table.number, None)
        return (lambda: match_attachment(table, text),)


def _replaced_message(posted: PostedMessage | None, text: str = "") -> ReplacedMessage | None:
    return None if posted is None else ReplacedMessage(posted, text)


def _shows_finished_turn(table: Table, posted: PostedMessage, sending: Sending) -> bool:
    """Whether the board's message has become, or will become, that of a turn that is over."""
    if _is_turn_post(posted, sending):
        return True
    start = posted.shown_turn_start
    try:
        return start is not None and finished_turn(table, start) is not None
    except GameFault:
        if table.status in IN_PLAY:
            raise
        return False


def _is_turn_post(posted: PostedMessage, sending: Sending) -> bool:
    """Whether a message has become that of a turn that is over."""
    turns = (each for each in sending.posted_messages.values() if each.slot.kind is DeliveryKind.TURN)
    return any(turn.message_id == posted.message_id for turn in turns)
