"""Sends prompts to press a button: questions, offers of seats, ready checks, who may join."""

import discord
from msgspec.structs import replace

from bot.chat import admission_posts, lobby_posts, question_posts
from bot.chat.delivery_context import DeliveryContext
from bot.chat.delivery_refusals import is_lasting_refusal
from bot.chat.messages import TableMessages
from bot.chat.post_parts import Post
from bot.chat.posts import notice_post
from bot.host.courier_protocol import DeliveryResult
from bot.store.delivery_rows import DeliveryKind, PostedMessage, ReplacedMessage
from bot.store.rows import Status
from rules.model import Seat


class PromptSender:
    """Posts a prompt, edits it while people answer, and removes its buttons once it is settled."""

    def __init__(self, messages: TableMessages) -> None:
        """``messages``: the messages of all tables."""
        self._messages = messages

    async def send_question(self, context: DeliveryContext) -> DeliveryResult:
        """Send a question to the players, such as whether to allow an undo."""
        table, delivery = context.table, context.delivery
        question = table.row.question
        if question is None or question.id != delivery.slot.subject_id:
            is_undo_agreed = table.row.agreed_undo_ply == delivery.ply
            # no other message says who has agreed to an undo
            outcome_post = notice_post(table, delivery.text) if is_undo_agreed else None
            return await self._close_prompt(context, outcome_post)
        if question.declined:
            return await self._close_prompt(context)
        return await self._edit_or_post(context, question_posts.question_post(context.table))

    async def send_offer(self, context: DeliveryContext) -> DeliveryResult:
        """Send the offer of a seat."""
        seat = context.delivery.slot.seat
        assert seat is not None
        offer = context.table.seats[seat].offer
        if offer is None or offer.id != context.delivery.slot.subject_id:
            return await self._close_prompt(context)
        return await self._edit_or_post(context, question_posts.offer_post(context.table, Seat(seat)))

    async def send_ready_check(self, context: DeliveryContext) -> DeliveryResult:
        """Send the question who is here before the game starts."""
        check = context.table.row.lobby.ready_check
        if check is None or check.id != context.delivery.slot.subject_id:
            return await self._close_prompt(context)
        return await self._edit_or_post(context, lobby_posts.ready_check_post(context.table))

    async def send_admission(self, context: DeliveryContext) -> DeliveryResult:
        """Send an invitation, or the question whether somebody may join."""
        table, slot = context.table, context.delivery.slot
        user = slot.subject_id
        assert user is not None
        if slot.kind is DeliveryKind.INVITATION:
            is_open, make_post = user in table.pending_invitees, admission_posts.invitation_post
        else:
            is_open, make_post = user in table.applicant_users, admission_posts.join_request_post
        if not is_open:
            return await self._close_prompt(context)
        host = table.row.host if slot.kind is DeliveryKind.JOIN_REQUEST else None
        return await self._edit_or_post(context, make_post(table, user), asked_user=host)

    async def _edit_or_post(
        self, context: DeliveryContext, post: Post, asked_user: int | None = None
    ) -> DeliveryResult:
        """Show the answers so far in the posted message, without another mention; else post it.

        What a lobby asks is posted anew where the lobby was moved, and the old message links there.
        ``asked_user``: the only user who is asked; another one than before is mentioned in a new message.
        """
        table, posted = context.table, context.posted_messages.get(context.delivery.slot)
        if posted is not None and posted.is_outdated:
            posted = None  # it is settled: the same person is asked, or asks, once more
        is_lobby_elsewhere = (
            posted is not None and table.status is Status.LOBBY and posted.channel != table.row.lobby_channel
        )
        asks_another = (
            posted is not None and posted.mentioned_user is not None and posted.mentioned_user != asked_user
        )
        if (
            posted is not None
            and not is_lobby_elsewhere
            and not asks_another
            and not context.may_have_arrived
            and await self._edit(context, posted, post)
        ):
            return DeliveryResult(posted)
        if posted is not None and not asks_another:  # the old message has mentioned them
            post = replace(post, notified_users=())
        message = await self._messages.post_at_table(context, post)
        old_text = lobby_posts.moved_lobby_text(table) if is_lobby_elsewhere else ""
        replaced = None if posted is None else ReplacedMessage(posted, old_text)
        return DeliveryResult(context.make_posted_message(message, asked_user), replaced)

    async def _edit(self, context: DeliveryContext, posted: PostedMessage, post: Post) -> bool:
        """Edit the posted message; False if it is gone or Discord refuses that where the table was before."""
        try:
            return await self._messages.edit(posted, post, None)
        except discord.HTTPException as error:
            has_moved = posted.channel != context.table.row.game_channel
            if not has_moved or not is_lasting_refusal(error):
                raise
            return False

    async def _close_prompt(
        self, context: DeliveryContext, outcome_post: Post | None = None
    ) -> DeliveryResult:
        """Remove the buttons of a prompt that is settled, also of a post whose outcome is unknown.

        ``outcome_post``: is posted if the prompt was deleted, so that it cannot say what came of it.
        """
        posted = context.posted_messages.get(context.delivery.slot)
        lost_message = await self._messages.find_lost_post(context) if context.may_have_arrived else None
        is_outcome_shown = posted is None
        for message in (posted, None if lost_message is None else context.make_posted_message(lost_message)):
            if message is not None:
                is_outcome_shown |= await self._messages.close_prompt(message, context)
        if outcome_post is not None and not is_outcome_shown:
            await self._messages.post_at_table(context, outcome_post)
        return DeliveryResult(None if posted is None else replace(posted, is_outdated=True))
