"""Sends the notices of a turn: posts reminders and early notices, and removes them once the turn is over."""

import discord
from msgspec.structs import replace

from bot.chat import turn_notice_posts
from bot.chat.delivery_context import DeliveryContext
from bot.chat.delivery_refusals import means_direct_messages_closed
from bot.chat.messages import TableMessages
from bot.host.courier_protocol import DeliveryResult, TryLater
from bot.host.deciders import reminders
from bot.host.game_workers import run_game_work
from bot.host.preferences import PersonPreferences
from bot.store.delivery_rows import PostedMessage


class TurnNoticeSender:
    """Sends the notices that ``bot.host.deciders.reminders`` has decided on, if they still apply."""

    def __init__(self, messages: TableMessages, preferences: PersonPreferences) -> None:
        """``preferences``: those of all people."""
        self._messages = messages
        self._preferences = preferences

    async def send_reminder(self, context: DeliveryContext, posted: PostedMessage | None) -> DeliveryResult:
        """Post a reminder in place of the one before it, or delete that one if its turn is over.

        It notifies nobody who wants no reminders or no notice now (quiet hours, snooze, absence).  Raises
        TryLater once the time of the turn is over, until the table knows what follows: more time after a
        downtime, or that the turn was missed.
        """
        table, notices, posted = context.table, context.table.row.turn_notices, _without_deleted(posted)
        if notices is None or not reminders.is_current_notice(table, context.delivery.slot):
            return await self._remove_notice(context, posted)
        timer = table.row.turn_timer
        if timer is not None and timer.deadline is not None and timer.deadline <= context.now:
            raise TryLater
        person = await self._preferences.get(notices.user)
        silent_until = reminders.no_notices_until(person, table.row.guild, int(context.now))
        notify = person.wants_reminders and silent_until is None
        post = await run_game_work(
            table, lambda: turn_notice_posts.reminder_post(table, notices, notify=notify)
        )
        message = await self._messages.post_at_table(context, post)
        if posted is not None:
            await self._messages.delete(posted, raise_transient=context.attempt.is_safe_from_duplicates)
        return DeliveryResult(context.make_posted_message(message))

    async def send_early_notice(
        self, context: DeliveryContext, posted: PostedMessage | None
    ) -> DeliveryResult:
        """Tell a player that they are next, if they still are; delete the notice of another turn or player.

        Closed direct messages are not reported at the table, since a player can do without this notice.
        """
        table, notices, seat = context.table, context.table.row.turn_notices, context.delivery.slot.seat
        assert seat is not None
        posted = _without_deleted(posted)
        if notices is None or not reminders.is_current_notice(table, context.delivery.slot):
            return await self._remove_notice(context, posted)
        user, pending_post = table.seats[seat].user, context.attempt.pending_post
        if user is None or not context.attempt.is_safe_from_duplicates:
            return DeliveryResult(posted)
        try:
            channel = await self._messages.open_direct_channel(user)
            if posted is not None and posted.channel == channel:
                return DeliveryResult(posted)
            if pending_post is not None and pending_post.channel != channel:
                return DeliveryResult(posted)  # somebody else had the seat then; a newer delivery waits
            if posted is not None:
                await self._messages.delete(posted, raise_transient=True)
                posted = replace(posted, is_outdated=True)
            person = await self._preferences.get(user)  # they may want no notice, or none at this hour
            silent_until = reminders.no_notices_until(person, table.row.guild, int(context.now))
            if not person.wants_early_notice or silent_until is not None:
                return DeliveryResult(posted)
            post = turn_notice_posts.early_notice_post(table, notices)
            message = await self._messages.post(context, channel, post, ())
            return DeliveryResult(replace(context.make_posted_message(message), mentioned_user=user))
        except discord.HTTPException as error:
            if not means_direct_messages_closed(error):
                raise
            return DeliveryResult(posted)

    async def _remove_notice(self, context: DeliveryContext, posted: PostedMessage | None) -> DeliveryResult:
        """Delete the notice of a turn that is over, also a reminder that was posted without a response."""
        lost_message = await self._messages.find_lost_post(context) if context.may_have_arrived else None
        for message in (posted, None if lost_message is None else context.make_posted_message(lost_message)):
            if message is not None:
                await self._messages.delete(message, raise_transient=True)
        return DeliveryResult(None if posted is None else replace(posted, is_outdated=True))


def _without_deleted(posted: PostedMessage | None) -> PostedMessage | None:
    """Return the notice that stands; None for one that was deleted until its turn was taken up again."""
    return None if posted is None or posted.is_outdated else posted
