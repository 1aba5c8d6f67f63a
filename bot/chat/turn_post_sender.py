"""Sends the story of each turn that is over, and corrects it if the turn is taken back."""

import discord
from msgspec.structs import replace

from bot.chat import posts
from bot.chat.delivery_contents import content_or_fallback, turn_content, turn_pictures, turn_texts
from bot.chat.delivery_context import DeliveryContext
from bot.chat.messages import TableMessages
from bot.chat.post_parts import Post
from bot.host.courier_protocol import DeliveryResult
from bot.host.deciders.decision import BOARD_DELIVERY
from bot.store.delivery_rows import PostedMessage, ReplacedMessage


class TurnPostSender:
    """Edits the board of a turn that is over to its story, or posts the story."""

    def __init__(self, messages: TableMessages) -> None:
        """``messages``: the messages of all tables."""
        self._messages = messages

    async def send_turn(self, context: DeliveryContext) -> DeliveryResult:
        """Edit or post the story of a turn that is over; if the turn was taken back, its post says so."""
        table, slot = context.table, context.delivery.slot
        assert slot.subject_id is not None
        if table.match is None:
            return DeliveryResult()
        announcement = context.delivery.text
        content = await content_or_fallback(table, turn_content(table, slot.subject_id, announcement), None)
        if content is None:
            return DeliveryResult()
        posted, taken_back_message, message_to_edit_later = context.posted_messages.get(slot), None, None
        if posted is not None and posted.shown_turn_start is None:
            posted = None  # it says "taken back"; the turn that is played instead gets a post of its own
        if posted is not None and (posted.is_outdated or content.turn is None):
            replacement_post = content.post
            if content.turn is not None:
                replacement_post = posts.taken_back_post(table, announcement)
            if not await self._messages.edit_turn_post(table, posted, replacement_post, ()):
                message_to_edit_later = ReplacedMessage(
                    posted, replacement_post.text
                )  # a later edit may succeed
            taken_back_message, posted = replace(posted, shown_turn_start=None, is_outdated=False), None
        if content.turn is None:
            corrected_lost_message = (
                await self._repeat_and_correct_lost_post(context, content.post)
                if context.may_have_arrived
                else None
            )
            return DeliveryResult(corrected_lost_message or taken_back_message, message_to_edit_later)
        posted_board = context.posted_messages.get(BOARD_DELIVERY.slot)
        if posted is None and posted_board is not None and posted_board.shown_turn_start == slot.subject_id:
            posted = replace(posted_board, slot=slot)
        # a repeat goes through a post, which finds what an earlier attempt has posted
        if posted is not None and not context.may_have_arrived:
            pictures = await content_or_fallback(table, turn_pictures(table, content.turn), None)
            if await self._messages.edit_turn_post(table, posted, content.post, pictures):
                return DeliveryResult(replace(posted, ply=table.row.ply), message_to_edit_later)
        # a message that cannot be edited any more stays, and keeps its buttons until the new one is posted
        message = await self._messages.post_at_table(context, content.post)
        if context.has_post_of_earlier_attempt and not context.attempt.is_safe_from_duplicates:
            await self._mark_superseded_turn_post(context)
        return DeliveryResult(
            context.make_posted_message(message, shown_turn_start=slot.subject_id),
            message_to_edit_later or (None if posted is None else ReplacedMessage(posted)),
        )

    async def _mark_superseded_turn_post(self, context: DeliveryContext) -> None:
        """Mark the lost post of a turn that has been played otherwise since as taken back."""
        table = context.table
        standing_turn_texts = await content_or_fallback(table, turn_texts(table), None)
        if standing_turn_texts is None:
            return
        lost_message = await self._messages.find_lost_post(context, ignored_texts=standing_turn_texts)
        if lost_message is not None:
            posted = context.make_posted_message(lost_message)
            await self._messages.edit_turn_post(table, posted, posts.taken_back_post(table), None)

    async def _repeat_and_correct_lost_post(
        self, context: DeliveryContext, post: Post
    ) -> PostedMessage | None:
        """Find or repeat the lost post of a turn that was taken back, and correct its text."""
        if context.attempt.is_safe_from_duplicates:
            lost_message: discord.Message | None = await self._messages.post_at_table(context, post)
        else:
            lost_message = await self._messages.find_lost_post(context)
        if lost_message is None:
            return None
        posted = context.make_posted_message(lost_message)
        if lost_message.content != post.text:
            await self._messages.edit_turn_post(context.table, posted, post, None)
        return posted
