"""Recognises a table's own messages, such as a post whose response was lost."""

import operator
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

import discord

from bot.chat import lobby_posts, posts
from bot.chat.components import CustomId, parse_custom_id
from bot.chat.pictures import DrawnPicture
from bot.host.table import Table
from bot.store.delivery_rows import Delivery, DeliveryKind, Slot

MAX_CLOCK_SKEW: Final = 60.0
"""Seconds by which Discord's clock may differ from that of the bot."""
_MAX_SEARCHED_MESSAGES: Final = 100
_BUTTON_VERBS: Final = {
    DeliveryKind.LOBBY: "leave",
    DeliveryKind.BOARD: "more",
    DeliveryKind.HAND: "board",
    DeliveryKind.QUESTION: "agree",
    DeliveryKind.OFFER: "reject",
    DeliveryKind.REMINDER: "board",
    DeliveryKind.READY_CHECK: "fill",
    DeliveryKind.INVITATION: "invyes",
    DeliveryKind.JOIN_REQUEST: "admit",
    DeliveryKind.RESULT: "again",
}
"""By kind of message: the verb of one of its buttons, by which a lost post is found."""
_KINDS_FOUND_BY_TEXT: Final = frozenset(
    {DeliveryKind.TURN, DeliveryKind.NOTICE, DeliveryKind.TIME_OVER, DeliveryKind.ACCEPTANCE}
)
"""Kinds of message without buttons, whose lost posts are found by their text."""


def messages_since(
    channel: discord.abc.Messageable, since: float, now: float
) -> AsyncIterator[discord.Message]:
    """Yield the first messages of a channel after a time of the bot's clock.

    Where the clock was set back after that time, it says nothing: the newest messages are yielded instead.
    """
    if since > now:
        return channel.history(limit=_MAX_SEARCHED_MESSAGES)
    earliest_id = discord.utils.time_snowflake(datetime.fromtimestamp(since - MAX_CLOCK_SKEW, UTC))
    after = discord.Object(earliest_id)
    return channel.history(after=after, limit=_MAX_SEARCHED_MESSAGES, oldest_first=True)


def can_be_found(kind: DeliveryKind) -> bool:
    """Whether a lost post of a kind has buttons or a text by which it can be found."""
    return kind in _BUTTON_VERBS or kind in _KINDS_FOUND_BY_TEXT


def is_post_of(
    message: discord.Message,
    delivery: Delivery,
    table: Table,
    pictures: Sequence[DrawnPicture],
    text: str,
    *,
    is_from_bot: bool,
) -> bool:
    """Whether a message is the post of a delivery, by its pictures and its buttons or else its ``text``.

    An earlier attempt may have posted more or fewer pictures.  The board of a frozen game, for one, has no
    buttons.  The lobby of a game that has begun is known by its heading, and so is the post of a turn whose
    text is not known.
    ``is_from_bot``: whether the bot has written the message.
    """
    verb = _BUTTON_VERBS.get(delivery.kind)
    if verb is None:
        if not is_from_bot:
            return False
        if not text:
            return posts.looks_like_turn_post(table, message.content)
        return _is_text_of_delivery(message.content, text, delivery, table)
    picture_names = [picture.name for picture in pictures]
    file_names = [attachment.filename for attachment in message.attachments]
    button_ids = [each for each in _button_ids(message, table.number) if each.verb == verb]
    if button_ids:
        is_same = any(_concerns_slot(each, message, delivery.slot) for each in button_ids)
    elif delivery.kind is DeliveryKind.LOBBY:
        is_same = is_from_bot and lobby_posts.looks_like_lobby_post(table, message.content)
    else:
        is_same = is_from_bot and bool(text) and message.content == text
    return is_same and all(map(operator.eq, file_names, picture_names))  # as far as both lists go


def _concerns_slot(button_id: CustomId, message: discord.Message, slot: Slot) -> bool:
    """Whether a button of the kind of a slot belongs to it, and not to another question or person."""
    match slot.kind:
        case DeliveryKind.QUESTION | DeliveryKind.JOIN_REQUEST:
            return button_id.argument == str(slot.subject_id)
        case DeliveryKind.OFFER:
            return button_id.argument == f"{slot.seat} {slot.subject_id}"
        case DeliveryKind.INVITATION:
            return f"<@{slot.subject_id}>" in message.content
        case _:
            return True


def _is_text_of_delivery(posted_text: str, text: str, delivery: Delivery, table: Table) -> bool:
    """Whether the text of a message without buttons is that of the delivery, now or at an earlier attempt.

    Meanwhile a time that is over may not concern its player any more, and a ready check may have begun.
    """
    kind, user = delivery.kind, delivery.slot.subject_id
    if kind is DeliveryKind.ACCEPTANCE:
        return bool(posted_text) and (posted_text.startswith(text) or text.startswith(posted_text))
    if kind is DeliveryKind.TIME_OVER and user is not None and (name := table.name_of(user)) is not None:
        posted_text, text = (each.replace(f"<@{user}>", name) for each in (posted_text, text))
    return posted_text == text


def ply_of(message: discord.Message, table_number: int) -> int | None:
    """Return the ply at which a message's buttons were offered; None if it has none of this table's."""
    return next((each.ply for each in _button_ids(message, table_number)), None)


def _button_ids(message: discord.Message, table_number: int) -> Iterator[CustomId]:
    """Yield the ids of this table's buttons at a message."""
    for row in message.components:
        for item in row.children if isinstance(row, discord.ActionRow) else ():
            custom_id = parse_custom_id(str(item.custom_id or ""))
            if custom_id is not None and custom_id.table_number == table_number:
                yield custom_id
