"""The statements on deliveries and posted messages, each inside a transaction of the caller."""

import sqlite3
from typing import Any

import msgspec

from bot.store.delivery_rows import (
    BLOCKED,
    Backlog,
    Delivery,
    DeliveryKind,
    Mention,
    NewDelivery,
    PendingPost,
    PostedMessage,
    QueueHead,
    ReplacedMessage,
    Slot,
)


def _columns(slot: Slot) -> tuple[str, int | None, int | None]:
    return slot.kind.value, slot.seat, slot.key


def queue_delivery(connection: sqlite3.Connection, number: int, ply: int, delivery: NewDelivery) -> None:
    """Add a delivery; it supersedes the waiting ones of its slot.

    A post whose outcome is unknown is not superseded but due at once: it may be there, and is settled first.
    """
    slot = (number, *_columns(delivery.slot))
    if delivery.slot.is_superseded:
        connection.execute(
            "update outbox set state = 'superseded'"
            " where match = ? and kind = ? and seat is ? and key is ?"
            " and state = 'waiting' and pending_channel is null",
            slot,
        )
        connection.execute(
            "update outbox set due = 0 where match = ? and kind = ? and seat is ? and key is ?"
            " and state = 'waiting'",
            slot,
        )
    connection.execute(
        "insert into outbox (match, kind, seat, key, ply, text) values (?, ?, ?, ?, ?, ?)",
        (*slot, ply, delivery.text),
    )


def set_pending(connection: sqlite3.Connection, delivery: Delivery, post: PendingPost | None) -> bool:
    """Store that a post's outcome is unknown, or (None) that nothing of it is pending.

    Return False, without a change, if the delivery does not wait any more.
    """
    changed = connection.execute(
        "update outbox set pending_channel = ?, pending_since = ? where id = ? and state = 'waiting'",
        (None if post is None else post.channel, None if post is None else post.since, delivery.id),
    )
    return changed.rowcount == 1


def waiting_deliveries(connection: sqlite3.Connection, number: int) -> tuple[Delivery, ...]:
    """Return a table's waiting deliveries, oldest first."""
    rows = connection.execute(
        "select id, outbox.match, outbox.ply, outbox.kind, outbox.seat, outbox.key, text, attempts, due,"
        " pending_channel, pending_since, coalesce(not own.is_outdated, board.message is not null)"
        " from outbox left join posted_messages as own on outbox.kind = 'turn'"
        " and own.match = outbox.match and own.kind = 'turn' and coalesce(own.seat, -1) = -1"
        " and coalesce(own.key, -1) = outbox.key and own.shown_turn_start is not null"
        " left join posted_messages as board on outbox.kind = 'turn' and board.match = outbox.match"
        " and board.kind = 'board' and board.shown_turn_start = outbox.key"
        " where outbox.match = ? and state = 'waiting' order by id",
        (number,),
    )
    return tuple(
        Delivery(
            id_,
            match,
            ply,
            Slot(DeliveryKind(kind), seat, key),
            text,
            attempts,
            due,
            None if channel is None else PendingPost(channel, since),
            bool(has_message),
        )
        for id_, match, ply, kind, seat, key, text, attempts, due, channel, since, has_message in rows
    )


def backlog_at(connection: sqlite3.Connection, now: float) -> Backlog:
    """Return how many deliveries wait, and the next one of each slot."""
    rows = connection.execute(  # beside min(id), SQLite gives the other columns of that row
        "select min(id), match, kind, seat, key, attempts, due <= ?, reason = ?, count(*) from outbox"
        " where state = 'waiting' group by match, kind, seat, key",
        (now, BLOCKED),
    ).fetchall()
    heads = (
        QueueHead(id_, match, Slot(DeliveryKind(kind), seat, key), tries, bool(due), bool(blocked))
        for id_, match, kind, seat, key, tries, due, blocked, _ in rows
    )
    return Backlog(sum(row[-1] for row in rows), tuple(heads))


def mark_delivered(
    connection: sqlite3.Connection,
    delivery: Delivery,
    ply: int,
    posted: PostedMessage | None,
    replaced: ReplacedMessage | None = None,
) -> None:
    """Mark a delivery as sent, with all of its slot up to ``ply``; store the message, if any.

    The message that it has ``replaced`` becomes that of the turn which it shows, if the story of this turn
    waits for one; else taking its buttons off becomes a delivery of its own.
    """
    _forget_old_buttons(connection, delivery)
    connection.execute("update outbox set state = 'sent' where id = ?", (delivery.id,))
    if delivery.slot.is_superseded:
        connection.execute(
            "update outbox set state = 'superseded'"
            " where match = ? and kind = ? and seat is ? and key is ?"
            " and ply <= ? and id < ? and state = 'waiting'",
            (delivery.table, *_columns(delivery.slot), ply, delivery.id),
        )
    if posted is not None:
        _store_posted(connection, delivery.table, posted)
    if replaced is not None:
        old = replaced.message
        turn = Slot(DeliveryKind.TURN, key=old.shown_turn_start)
        if old.slot.kind is DeliveryKind.BOARD and _lacks_message(connection, delivery.table, turn):
            _store_posted(connection, delivery.table, msgspec.structs.replace(old, slot=turn))
            return
        slot = Slot(DeliveryKind.OLD_BUTTONS, key=old.message)
        _store_posted(connection, delivery.table, msgspec.structs.replace(old, slot=slot))
        queue_delivery(connection, delivery.table, ply, NewDelivery(slot, replaced.text))


def _lacks_message(connection: sqlite3.Connection, number: int, turn: Slot) -> bool:
    """Whether the story of a turn waits to be sent and has no message of its own."""
    found = connection.execute(
        "select 1 from outbox where match = ? and kind = ? and key = ? and state = 'waiting'"
        " and not exists (select 1 from posted_messages as own where own.match = outbox.match"
        " and own.kind = outbox.kind and coalesce(own.seat, -1) = -1"
        " and coalesce(own.key, -1) = outbox.key and own.shown_turn_start is not null)",
        (number, turn.kind.value, turn.key),
    )
    return found.fetchone() is not None


def mark_failed(connection: sqlite3.Connection, delivery: Delivery, reason: str) -> None:
    """Mark a delivery as failed for good; its row stays, with the reason."""
    _forget_old_buttons(connection, delivery)
    connection.execute("update outbox set state = 'failed', reason = ? where id = ?", (reason, delivery.id))


def _forget_old_buttons(connection: sqlite3.Connection, delivery: Delivery) -> None:
    """Forget a replaced message that has lost its buttons, or cannot."""
    if delivery.kind is DeliveryKind.OLD_BUTTONS:
        connection.execute(
            "delete from posted_messages where match = ? and kind = ? and key = ?",
            (delivery.table, delivery.kind.value, delivery.slot.key),
        )


def _store_posted(connection: sqlite3.Connection, number: int, posted: PostedMessage) -> None:
    connection.execute(
        "insert or replace into posted_messages"
        " (match, kind, seat, key, channel, message, ply, posted_at, mentioned_user, mentions,"
        " shown_turn_start, is_outdated) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            *_columns(posted.slot),
            posted.channel,
            posted.message,
            posted.ply,
            posted.posted_at,
            posted.mentioned_user,
            msgspec.msgpack.encode(posted.mentions) if posted.mentions else None,
            posted.shown_turn_start,
            posted.is_outdated,
        ),
    )


def mark_turns_outdated(connection: sqlite3.Connection, number: int, first: int) -> None:
    """Store that the turns from index ``first`` on were taken back, which their messages do not say yet."""
    connection.execute(
        "update posted_messages set is_outdated = 1"
        " where match = ? and kind = ? and key >= ? and shown_turn_start is not null",
        (number, DeliveryKind.TURN.value, first),
    )


def posted_messages_of(connection: sqlite3.Connection, number: int) -> tuple[PostedMessage, ...]:
    """Return the newest message of each slot of a table."""
    rows = connection.execute(
        "select kind, seat, key, channel, message, ply, posted_at, mentioned_user, mentions,"
        " shown_turn_start, is_outdated from posted_messages where match = ?",
        (number,),
    )
    return tuple(_parse_posted_message(row) for row in rows)


def _parse_posted_message(row: tuple[Any, ...]) -> PostedMessage:
    kind, seat, key, channel, message, ply, posted_at, mentioned_user, mentions, turn_start, is_outdated = row
    return PostedMessage(
        slot=Slot(DeliveryKind(kind), seat, key),
        channel=channel,
        message=message,
        ply=ply,
        posted_at=posted_at,
        mentioned_user=mentioned_user,
        mentions=msgspec.msgpack.decode(mentions, type=tuple[Mention, ...]) if mentions else (),
        shown_turn_start=turn_start,
        is_outdated=bool(is_outdated),
    )
