"""One delivery that is being sent, as its sender sees it."""

from typing import NamedTuple

import discord

from bot.chat.lost_posts import ply_of
from bot.host.courier_protocol import Attempt
from bot.host.table import Table
from bot.host.table_turns import finished_turn_end_before, turn_start_shown_at_ply
from bot.store.delivery_rows import Delivery, DeliveryKind, Mention, PostedMessage, Slot


class DeliveryContext(NamedTuple):
    """A delivery that is being sent, with its table as it is now."""

    delivery: Delivery
    table: Table
    attempt: Attempt
    posted_messages: dict[Slot, PostedMessage]
    """Those that matter to the delivery, by slot."""
    now: float
    """The time now, in seconds since 1970."""

    @property
    def may_have_arrived(self) -> bool:
        """Whether a post of it may have arrived: one that an earlier attempt or this one has begun."""
        return self.attempt.pending_post is not None

    @property
    def has_post_of_earlier_attempt(self) -> bool:
        """Whether an earlier attempt has left a post of it that may have arrived."""
        return self.delivery.pending_post is not None

    def make_posted_message(
        self,
        message: discord.Message,
        mentioned_user: int | None = None,
        shown_turn_start: int | None = None,
        last_mentions: tuple[Mention, ...] = (),
    ) -> PostedMessage:
        """Return what to store of a message that was posted.

        ``last_mentions``: of each user, in this message or an earlier one; ``shown_turn_start``: the index of
        the history at which the shown turn begins.  An earlier attempt may have posted it at another ply, or
        have asked another player: then the mentions and the shown turn are worked out from the message.
        """
        current_ply = self.table.row.ply
        ply = ply_of(message, self.table.number)
        users = (row.user for row in self.table.seats)
        user_in_text = next((user for user in users if user in message.raw_mentions), None)
        is_for_another = mentioned_user is not None and mentioned_user not in message.raw_mentions
        if mentioned_user is None and self.delivery.kind is DeliveryKind.BOARD:
            is_for_another = user_in_text is not None
        is_earlier_post = self.has_post_of_earlier_attempt and is_for_another
        if self.table.match is not None and ply is not None and (ply != current_ply or is_earlier_post):
            mentioned_user = user_in_text
            seat = None if mentioned_user is None else self.table.seat_of(mentioned_user)
            shown_turn_start = turn_start_shown_at_ply(self.table, ply, seat)
            earlier_message = self.posted_messages.get(self.delivery.slot)
            last_mentions = () if earlier_message is None else earlier_message.last_mentions
            if mentioned_user is not None and seat is not None:
                mention = Mention(
                    mentioned_user, finished_turn_end_before(self.table, seat, shown_turn_start, ply)
                )
                last_mentions = (*(each for each in last_mentions if each.user != mentioned_user), mention)
        return PostedMessage(
            slot=self.delivery.slot,
            channel=message.channel.id,
            message_id=message.id,
            ply=current_ply if ply is None else ply,
            posted_at=self.now,
            mentioned_user=mentioned_user,
            last_mentions=last_mentions,
            shown_turn_start=shown_turn_start,
        )
