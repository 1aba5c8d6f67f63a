"""Sends stored deliveries to Discord.

Each content is drawn when it is delivered, from the table as it is then.  If the message to edit is gone,
a new one is posted.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

import aiohttp
import discord
from msgspec.structs import replace

from bot.chat import admission_posts, posts, result_posts
from bot.chat.delivery_contents import (
    BoardContent,
    board_content,
    board_text_post,
    content_or_fallback,
    fallback_board_content,
    hand_content,
    predates_agreed_undo,
    result_content,
    result_pictures,
)
from bot.chat.delivery_context import DeliveryContext
from bot.chat.delivery_refusals import RefusalTranslator
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import DrawingSuperseded, drawing_settings
from bot.chat.lobby_sender import LobbySender
from bot.chat.membership import MembershipChecker
from bot.chat.messages import TableMessages
from bot.chat.missed_answers import missed_answer_lines
from bot.chat.post_parts import match_file_attachment
from bot.chat.prompt_sender import PromptSender
from bot.chat.response import prefers_text
from bot.chat.turn_notice_sender import TurnNoticeSender
from bot.chat.turn_post_sender import TurnPostSender
from bot.host.computers import is_computer_to_act
from bot.host.courier_protocol import Attempt, DeliveryResult, Superseded, TryLater
from bot.host.deciders.decision import BOARD_DELIVERY, LOBBY_DELIVERY
from bot.host.delivery_order import Priority, priority_of
from bot.host.game_guard import GameFault
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import finished_turn
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, DeliveryKind, PostedMessage, ReplacedMessage, Slot
from bot.store.rows import Status
from rules.model import Seat

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


class DiscordCourier:
    """``bot.host.courier_protocol.Courier`` over a discord.py client."""

    def __init__(self, client: discord.Client, tables: Tables, membership_checker: MembershipChecker) -> None:
        """``client`` must be ready to send."""
        self._tables = tables
        self._messages = TableMessages(client, tables.mention_budget)
        self._lobby_sender = LobbySender(client, self._messages, tables.store)
        self._turn_post_sender = TurnPostSender(self._messages)
        self._notice_sender = TurnNoticeSender(self._messages, tables.person_preferences)
        self._prompt_sender = PromptSender(self._messages)
        self._refusal_translator = RefusalTranslator(client, tables.store)
        self._membership_checker = membership_checker

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Send one delivery.

        Raises Undeliverable, DirectMessagesClosed, GameThreadLocked, TryLater, Superseded, GameFault,
        StoreError, WorkersBusy.
        """
        context = DeliveryContext(delivery, table, attempt, posted_messages, self._tables.clock())
        obstacle = await self._refusal_translator.find_obstacle(context)
        if obstacle is not None:
            raise obstacle
        try:
            priority = _DRAWING_PRIORITIES[priority_of(delivery)]
            with drawing_settings(priority, partial(self._is_wanted, delivery, table, attempt)):
                return await self._send(context)
        except DrawingSuperseded:
            raise Superseded from None
        except discord.HTTPException as error:
            raise await self._refusal_translator.translate_and_warn(error, context) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise TryLater from error

    def _is_wanted(self, delivery: Delivery, table: Table, attempt: Attempt) -> bool:
        """Whether what a delivery shows is not outdated; a repeat may show an earlier state."""
        newest_table = self._tables.get_cached(delivery.table_number)
        stays_wanted = attempt.pending_post is not None or delivery.kind not in _OUTDATED_BY_MOVES
        return stays_wanted or newest_table is None or newest_table.row.ply == table.row.ply

    async def _send(self, context: DeliveryContext) -> DeliveryResult:
        delivery, posted_messages = context.delivery, context.posted_messages
        match delivery.kind:
            case DeliveryKind.LOBBY:
                return await self._lobby_sender.send_lobby(context, posted_messages.get(LOBBY_DELIVERY.slot))
            case DeliveryKind.THREAD:
                return await self._lobby_sender.open_or_rename_thread(
                    context, posted_messages.get(LOBBY_DELIVERY.slot)
                )
            case DeliveryKind.BOARD:
                posted_board = posted_messages.get(BOARD_DELIVERY.slot)
                result = await self._send_board(context, posted_board)
                return await self._with_membership(context, result, posted_board)
            case DeliveryKind.BOARD_EDIT:
                return await self._edit_board(context, posted_messages.get(BOARD_DELIVERY.slot))
            case DeliveryKind.TURN:
                return await self._turn_post_sender.send_turn(context)
            case DeliveryKind.HAND:
                return await self._send_hand(context, posted_messages.get(delivery.slot))
            case DeliveryKind.REMINDER:
                posted_reminder = posted_messages.get(delivery.slot)
                result = await self._notice_sender.send_reminder(context, posted_reminder)
                return await self._with_membership(context, result, posted_reminder)
            case DeliveryKind.EARLY_NOTICE:
                return await self._notice_sender.send_early_notice(
                    context, posted_messages.get(delivery.slot)
                )
            case DeliveryKind.NOTICE:
                if delivery.slot.subject_id not in {None, context.table.row.game_channel}:
                    return DeliveryResult()  # the table was moved on before that was posted
                await self._messages.post_at_table(context, posts.notice_post(context.table, delivery.text))
                return DeliveryResult()
            case DeliveryKind.TIME_OVER:
                seat, user = delivery.slot.seat, delivery.slot.subject_id
                assert seat is not None
                assert user is not None
                post = posts.time_over_post(context.table, seat, user, delivery.text)
                await self._messages.post_at_table(context, post)
                return DeliveryResult()
            case DeliveryKind.QUESTION:
                return await self._prompt_sender.send_question(context)
            case DeliveryKind.OFFER:
                return await self._prompt_sender.send_offer(context)
            case DeliveryKind.READY_CHECK:
                return await self._prompt_sender.send_ready_check(context)
            case DeliveryKind.INVITATION | DeliveryKind.JOIN_REQUEST:
                return await self._prompt_sender.send_admission(context)
            case DeliveryKind.ACCEPTANCE:
                return await self._send_acceptance(context)
            case DeliveryKind.RESULT:
                return await self._send_result(context)
            case DeliveryKind.OLD_BUTTONS:
                old_message = posted_messages.get(delivery.slot)
                if old_message is not None:
                    await self._messages.retire(old_message, delivery.text or None)
                return DeliveryResult()

    async def _send_board(self, context: DeliveryContext, posted: PostedMessage | None) -> DeliveryResult:
        table = context.table
        if table.match is None and not table.is_unplayable:
            return DeliveryResult()
        shows_finished_turn = posted is not None and _shows_finished_turn(table, posted, context)
        is_over = table.status is Status.OVER
        if (
            posted is not None
            and not context.may_have_arrived
            and (is_over or (shows_finished_turn and is_computer_to_act(table)))
        ):
            old_board = None if _is_turn_post(posted, context) else posted  # the result shows the last board
            return DeliveryResult(replace(posted, ply=table.row.ply), _replaced_message(old_board))
        if posted is None and not context.may_have_arrived and is_computer_to_act(table):
            return DeliveryResult()  # the board is posted after the computer's turn
        content = await content_or_fallback(
            table, self._make_board_content(table, posted), fallback_board_content(table)
        )
        must_repost = content.asks_anew or shows_finished_turn or context.may_have_arrived
        if (
            posted is not None
            and not must_repost
            and context.now - posted.posted_at <= MAX_AGE_TO_EDIT
            and posted.channel == table.row.game_channel
            and await self._messages.edit(posted, content.post, content.pictures)
        ):
            return DeliveryResult(
                replace(
                    posted,
                    ply=table.row.ply,
                    mentioned_user=content.asked_user,
                    last_mentions=content.last_mentions,
                    shown_turn_start=content.turn_start,
                )
            )
        message = await self._messages.post_at_table(context, content.post, content.pictures)
        old_board = None if posted is None or _is_turn_post(posted, context) else posted
        new_channel = (
            message.channel.id if posted is not None and posted.channel != message.channel.id else None
        )
        if (
            old_board is not None
            and predates_agreed_undo(table, old_board)
            and not shows_finished_turn
            and new_channel is None
            and await self._messages.delete(old_board, raise_transient=False)
        ):
            old_board = None
        return DeliveryResult(
            context.make_posted_message(
                message, content.asked_user, content.turn_start, last_mentions=content.last_mentions
            ),
            _replaced_message(old_board, posts.old_board_post(table, new_channel).text),
        )

    async def _with_membership(
        self, context: DeliveryContext, result: DeliveryResult, old_message: PostedMessage | None
    ) -> DeliveryResult:
        """Return the result with whether the player whose turn it is has left the server.

        Discord is asked after each new message that asks them, and while the board says that they have left.
        """
        notices = context.table.row.turn_notices
        if result.posted is None or result.posted.is_outdated or notices is None:
            return result
        is_new = old_message is None or old_message.message_id != result.posted.message_id
        if not is_new and not notices.has_left:
            return result
        has_left = await self._membership_checker.has_left(context.table, notices.user)
        return replace(result, has_asked_user_left=has_left)

    async def _make_board_content(self, table: Table, posted: PostedMessage | None) -> BoardContent:
        if table.is_unplayable:
            return fallback_board_content(table)
        return await board_content(table, posted, missed_answer_lines(table, self._tables.answer_tracker))

    async def _edit_board(self, context: DeliveryContext, posted: PostedMessage | None) -> DeliveryResult:
        """Edit the text of the newest board, however old it is, unless another board is about to follow."""
        table = context.table
        if (
            posted is not None
            and posted.ply == table.row.ply
            and table.status in IN_PLAY
            and not _shows_finished_turn(table, posted, context)
        ):
            post = board_text_post(table, missed_answer_lines(table, self._tables.answer_tracker))
            await self._messages.edit(posted, post, None)
        return DeliveryResult()

    async def _send_hand(self, context: DeliveryContext, posted: PostedMessage | None) -> DeliveryResult:
        table = context.table
        assert context.delivery.slot.seat is not None
        seat = Seat(context.delivery.slot.seat)
        user = table.seats[seat].user
        former_text = posts.former_hand_text(table, seat)
        if user is None or table.match is None:  # the latter: this release cannot play the game
            closing_text = former_text if user is None else posts.fallback_post(table).text
            await self._close_hand_of_lost_response(context, closing_text)
            return DeliveryResult(replaced=_replaced_message(posted, closing_text))

        as_text = await prefers_text(self._tables, user)
        post, pictures = await content_or_fallback(
            table, hand_content(table, seat, as_text=as_text), (posts.fallback_post(table), ())
        )
        channel = await self._messages.open_direct_channel(user)
        pending_post = context.attempt.pending_post
        if pending_post is not None and pending_post.channel != channel:
            # somebody else had the seat then, and must not see this; a newer delivery waits
            await self._close_hand_of_lost_response(context, former_text)
            return DeliveryResult()
        if (
            posted is not None
            and pending_post is None
            and posted.channel == channel
            and (
                self._messages.shows(posted, post, pictures)
                or (
                    context.now - posted.posted_at < MAX_AGE_TO_EDIT
                    and await self._messages.edit(posted, post, pictures)
                )
            )
        ):
            return DeliveryResult(posted)
        message = await self._messages.post(context, channel, post, pictures)
        is_of_former_player = posted is not None and posted.channel != channel
        text = former_text if is_of_former_player else _REPLACED_HAND_TEXT
        posted_hand = replace(context.make_posted_message(message), mentioned_user=user)
        return DeliveryResult(posted_hand, _replaced_message(posted, text))

    async def _close_hand_of_lost_response(self, context: DeliveryContext, text: str) -> None:
        """If the response to a post of the hand was lost, replace that hand by ``text``, which says why."""
        lost_message = await self._messages.find_lost_post(context) if context.may_have_arrived else None
        if lost_message is not None:
            await self._messages.retire(context.make_posted_message(lost_message), text)

    async def _send_acceptance(self, context: DeliveryContext) -> DeliveryResult:
        """Mention somebody who was accepted, unless they have no seat any more."""
        user = context.delivery.slot.subject_id
        assert user is not None
        if context.table.seat_of(user) is not None:
            await self._messages.post_at_table(context, admission_posts.acceptance_post(context.table, user))
        return DeliveryResult()

    async def _send_result(self, context: DeliveryContext) -> DeliveryResult:
        table = context.table
        if table.match is None or table.status is not Status.OVER:
            return DeliveryResult()
        file_factories = await content_or_fallback(table, self._match_file_factories(table), ())
        content = result_content(table, has_file=bool(file_factories))
        post = await content_or_fallback(table, content, result_posts.fallback_result_post(table))
        pictures = await content_or_fallback(table, result_pictures(table), ())
        return DeliveryResult(
            context.make_posted_message(
                await self._messages.post_at_table(context, post, pictures, *file_factories)
            )
        )

    async def _match_file_factories(self, table: Table) -> tuple[Callable[[], discord.File], ...]:
        text = await self._tables.match_file_text(table.number, None)
        return (lambda: match_file_attachment(table, text),)


def _replaced_message(posted: PostedMessage | None, text: str = "") -> ReplacedMessage | None:
    return None if posted is None else ReplacedMessage(posted, text)


def _shows_finished_turn(table: Table, posted: PostedMessage, context: DeliveryContext) -> bool:
    """Whether the board's message has become, or will become, that of a turn that is over."""
    if _is_turn_post(posted, context):
        return True
    start = posted.shown_turn_start
    try:
        return start is not None and finished_turn(table, start) is not None
    except GameFault:
        if table.status in IN_PLAY:
            raise
        return False


def _is_turn_post(posted: PostedMessage, context: DeliveryContext) -> bool:
    """Whether a message has become that of a turn that is over."""
    turns = (each for each in context.posted_messages.values() if each.slot.kind is DeliveryKind.TURN)
    return any(turn.message_id == posted.message_id for turn in turns)
