"""The statements on deliveries and posted messages, each inside a transaction of the caller."""

import contextlib
import sqlite3
from typing import Any, Final

import msgspec

from bot.store.damaged_texts import DECODING_ERRORS, readable_texts
from bot.store.delivery_rows import (
    BLOCKED,
    DIRECT_MESSAGE_KINDS,
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
    TurnMessage,
)

_KIND_BY_TEXT: Final = {kind.value: kind for kind in DeliveryKind}
"""The kinds by their stored texts; a text that is none of them is damaged."""
_OF_SLOT: Final = "match = ? and kind = ? and coalesce(seat, -1) = ? and coalesce(key, -1) = ?"
"""The condition on the message of a slot, in the words of its index."""


def _slot_values(slot: Slot) -> tuple[str, int | None, int | None]:
    return slot.kind.value, slot.seat, slot.subject_id


def queue_delivery(
    connection: sqlite3.Connection, number: int, ply: int, delivery: NewDelivery, at: int
) -> None:
    """Add a delivery; where its slot keeps only the newest, it supersedes the waiting ones of the slot.

    A delivery that may have been posted already (its outcome is unknown) is not superseded but due at once.
    ``at``: when what it tells has happened, in seconds since 1970; the pruning goes by it.
    """
    table_and_slot = (number, *_slot_values(delivery.slot))
    if delivery.slot.keeps_only_newest:
        connection.execute(
            "update outbox set state = 'superseded'"
            " where match = ? and kind = ? and seat is ? and key is ?"
            " and state = 'waiting' and pending_channel is null",
            table_and_slot,
        )
        connection.execute(
            "update outbox set due = 0 where match = ? and kind = ? and seat is ? and key is ?"
            " and state = 'waiting'",
            table_and_slot,
        )
    connection.execute(
        "insert into outbox (match, kind, seat, key, ply, text, at) values (?, ?, ?, ?, ?, ?, ?)",
        (*table_and_slot, ply, delivery.text, at),
    )


def make_deliveries_due(connection: sqlite3.Connection, number: int) -> None:
    """Make all of a table's waiting deliveries due now."""
    connection.execute("update outbox set due = 0 where match = ? and state = 'waiting'", (number,))


def set_pending_post(connection: sqlite3.Connection, delivery: Delivery, post: PendingPost | None) -> bool:
    """Store that a delivery is being posted and the outcome is unknown; None: it is known.

    Return False, without a change, if the delivery does not wait any more.
    """
    cursor = connection.execute(
        "update outbox set pending_channel = ?, pending_since = ? where id = ? and state = 'waiting'",
        (None if post is None else post.channel, None if post is None else post.since, delivery.id),
    )
    return cursor.rowcount == 1


def waiting_deliveries(connection: sqlite3.Connection, number: int) -> tuple[Delivery, ...]:
    """Return a table's waiting deliveries, oldest first.

    One whose kind is damaged is left out, so that it holds up no other.
    """
    # The last column is the TurnMessage of a turn: 2 if it has a message of its own, 0 if that is outdated;
    # without one it is 1 if the board's message shows the turn, else 0.
    sql = (
        "select id, outbox.match, outbox.ply, outbox.kind, outbox.seat, outbox.key, text, attempts, due,"
        " pending_channel, pending_since, coalesce(2 * (own.is_outdated = 0), board.message is not null)"
        " from outbox left join posted_messages as own on outbox.kind = 'turn'"
        " and own.match = outbox.match and own.kind = 'turn' and coalesce(own.seat, -1) = -1"
        " and coalesce(own.key, -1) = outbox.key and own.shown_turn_start is not null"
        " left join posted_messages as board on outbox.kind = 'turn' and board.match = outbox.match"
        " and board.kind = 'board' and board.shown_turn_start = outbox.key"
        " where outbox.match = ? and state = 'waiting' order by id"
    )
    with readable_texts(connection):
        rows = connection.execute(sql, (number,)).fetchall()
    return tuple(
        Delivery(
            id_,
            match,
            ply,
            Slot(_KIND_BY_TEXT[kind], seat, key),
            text,
            attempts,
            due,
            None if channel is None else PendingPost(channel, since),
            TurnMessage(turn_message),
        )
        for id_, match, ply, kind, seat, key, text, attempts, due, channel, since, turn_message in rows
        if kind in _KIND_BY_TEXT
    )


def read_backlog(connection: sqlite3.Connection, now: float) -> Backlog:
    """Return how many deliveries wait, and the next one of each slot.

    One whose kind is damaged is only counted: it must not end the heartbeat.
    """
    sql = (  # beside min(id), SQLite gives the other columns of that row
        "select min(id), match, kind, seat, key, attempts, due <= ?, reason = ?, count(*) from outbox"
        " where state = 'waiting' group by match, kind, seat, key"
    )
    with readable_texts(connection):
        rows = connection.execute(sql, (now, BLOCKED)).fetchall()
    heads = (
        QueueHead(id_, match, Slot(_KIND_BY_TEXT[kind], seat, key), attempts, bool(due), bool(blocked), count)
        for id_, match, kind, seat, key, attempts, due, blocked, count in rows
        if kind in _KIND_BY_TEXT
    )
    return Backlog(sum(row[-1] for row in rows), tuple(heads))


def mark_delivered(
    connection: sqlite3.Connection,
    delivery: Delivery,
    ply: int,
    posted: PostedMessage | None,
    replaced: ReplacedMessage | None = None,
) -> None:
    """Mark a delivery as sent; what waits in its slot still waits, since each slot goes in order.

    ``ply``: of the table that was shown.
    ``posted``: the message that was sent, which is stored; None if there is none.
    ``replaced``: the message whose place it took.  If that is the board of a turn whose story still needs a
    message, the board becomes the message of the turn.  Otherwise a new delivery removes its buttons.
    """
    _forget_message_without_buttons(connection, delivery)
    updated = connection.execute(
        "update outbox set state = 'sent', pending_channel = null where id = ?", (delivery.id,)
    )
    if updated.rowcount == 0:  # the person whom it concerns was erased while it was being sent
        for message in (posted, None if replaced is None else replaced.message):
            if message is not None:
                _queue_button_removal(connection, delivery, ply, ReplacedMessage(message))
        return
    if posted is None:
        _queue_button_removal_of_turn(connection, delivery)
    else:
        _store_posted(connection, delivery.table_number, posted)
    if replaced is not None:
        _store_replaced(connection, delivery, ply, posted, replaced)
    _forget_direct_message_of_erased(connection, delivery)


def _store_replaced(
    connection: sqlite3.Connection,
    delivery: Delivery,
    ply: int,
    newer: PostedMessage | None,
    replaced: ReplacedMessage,
) -> None:
    """Store what becomes of a message that was replaced; ``newer``: what stands in its place."""
    old_message = replaced.message
    turn_slot = Slot(DeliveryKind.TURN, subject_id=old_message.shown_turn_start)
    if old_message.slot.kind is DeliveryKind.BOARD and old_message.shown_turn_start is not None:
        turn_message_id = _turn_message_id(connection, delivery.table_number, turn_slot)
        if turn_message_id == old_message.message_id:
            return  # it was edited to the turn's story while the newer board was being posted
        shows_same_turn = (
            newer is not None
            and newer.message_id != old_message.message_id
            and newer.shown_turn_start == old_message.shown_turn_start
        )
        if (
            turn_message_id is None
            and not shows_same_turn
            and _has_waiting_delivery(connection, delivery.table_number, turn_slot)
        ):
            _store_posted(
                connection, delivery.table_number, msgspec.structs.replace(old_message, slot=turn_slot)
            )
            return
    _queue_button_removal(connection, delivery, ply, replaced)


def _queue_button_removal(
    connection: sqlite3.Connection, cause: Delivery, ply: int, replaced: ReplacedMessage
) -> None:
    """Store a replaced message, and queue the removal of its buttons, which is as old as its cause."""
    slot = Slot(DeliveryKind.OLD_BUTTONS, subject_id=replaced.message.message_id)
    _store_posted(connection, cause.table_number, msgspec.structs.replace(replaced.message, slot=slot))
    row = connection.execute("select at from outbox where id = ?", (cause.id,)).fetchone()
    at = 0 if row is None else row[0]  # without its cause nothing needs it once it is sent
    queue_delivery(connection, cause.table_number, ply, NewDelivery(slot, replaced.text), at)


def _turn_message_id(connection: sqlite3.Connection, number: int, turn_slot: Slot) -> int | None:
    """Return the id of a turn's message; None if there is none, or it says that the turn was taken back."""
    row = connection.execute(
        "select message from posted_messages where match = ? and kind = ? and coalesce(seat, -1) = -1"
        " and coalesce(key, -1) = ? and shown_turn_start is not null",
        (number, turn_slot.kind.value, turn_slot.subject_id),
    ).fetchone()
    return None if row is None else int(row[0])


def _has_waiting_delivery(connection: sqlite3.Connection, number: int, slot: Slot) -> bool:
    cursor = connection.execute(
        "select 1 from outbox where match = ? and kind = ? and seat is ? and key is ? and state = 'waiting'",
        (number, *_slot_values(slot)),
    )
    return cursor.fetchone() is not None


def mark_failed(connection: sqlite3.Connection, delivery: Delivery, reason: str) -> None:
    """Mark a delivery as failed for good, with the reason."""
    _forget_message_without_buttons(connection, delivery)
    _queue_button_removal_of_turn(connection, delivery)
    _forget_direct_message_of_erased(connection, delivery)
    connection.execute(
        "update outbox set state = 'failed', pending_channel = null, reason = ? where id = ?",
        (reason, delivery.id),
    )


def _queue_button_removal_of_turn(connection: sqlite3.Connection, delivery: Delivery) -> None:
    """Queue the removal of the buttons of a turn's message where its story is not sent."""
    if delivery.kind is DeliveryKind.TURN:
        for message in _messages_of_slot(connection, delivery.table_number, delivery.slot):
            if message.shown_turn_start is not None:
                _queue_button_removal(connection, delivery, delivery.ply, ReplacedMessage(message))


def _forget_message_without_buttons(connection: sqlite3.Connection, delivery: Delivery) -> None:
    """Forget the message whose buttons a delivery has removed, or cannot remove."""
    if delivery.kind is DeliveryKind.OLD_BUTTONS:
        connection.execute(
            "delete from posted_messages where match = ? and kind = ? and key = ?",
            (delivery.table_number, delivery.kind.value, delivery.slot.subject_id),
        )


def _forget_direct_message_of_erased(connection: sqlite3.Connection, delivery: Delivery) -> None:
    """Forget the direct message of a delivery's slot if its reader was erased: its channel is theirs."""
    if delivery.kind in DIRECT_MESSAGE_KINDS:
        connection.execute(
            "delete from posted_messages"
            " where match = ? and kind = ? and seat is ? and key is ? and mentioned_user is null",
            (delivery.table_number, *_slot_values(delivery.slot)),
        )


def _store_posted(connection: sqlite3.Connection, number: int, posted: PostedMessage) -> None:
    connection.execute(
        "insert or replace into posted_messages"
        " (match, kind, seat, key, channel, message, ply, posted_at, mentioned_user, mentions,"
        " shown_turn_start, is_outdated) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            *_slot_values(posted.slot),
            posted.channel,
            posted.message_id,
            posted.ply,
            posted.posted_at,
            posted.mentioned_user,
            msgspec.msgpack.encode(posted.last_mentions) if posted.last_mentions else None,
            posted.shown_turn_start,
            posted.is_outdated,
        ),
    )


def mark_turns_outdated(connection: sqlite3.Connection, number: int, undone_from_index: int) -> None:
    """Store that the turns from an index on were taken back, which their messages do not say yet."""
    connection.execute(
        "update posted_messages set is_outdated = 1"
        " where match = ? and kind = ? and key >= ? and shown_turn_start is not null",
        (number, DeliveryKind.TURN.value, undone_from_index),
    )


def posted_messages_of(connection: sqlite3.Connection, number: int) -> tuple[PostedMessage, ...]:
    """Return the newest message of each slot of a table, without those whose slot is damaged."""
    return _read_posted_messages(connection, "match = ?", (number,))


def messages_for_delivery(connection: sqlite3.Connection, delivery: Delivery) -> tuple[PostedMessage, ...]:
    """Return the messages of a table that matter to a delivery, however many turns the game has had.

    They are those of its slot, of the lobby and of the board, and the turn that the board's message has
    become.  To find a post that may be lost, the table's other messages are needed: then all are returned.
    """
    number = delivery.table_number
    if delivery.pending_post is not None:
        return posted_messages_of(connection, number)
    board_slot = Slot(DeliveryKind.BOARD)
    slots = {board_slot, Slot(DeliveryKind.LOBBY), delivery.slot}
    messages = [each for slot in slots for each in _messages_of_slot(connection, number, slot)]
    for board in [each for each in messages if each.slot == board_slot]:
        condition = "match = ? and kind = ? and message = ?"
        turn_values = number, DeliveryKind.TURN.value, board.message_id
        messages += _read_posted_messages(connection, condition, turn_values)
    return tuple(messages)


def _messages_of_slot(connection: sqlite3.Connection, number: int, slot: Slot) -> tuple[PostedMessage, ...]:
    """Return the message of a slot; empty if there is none."""
    seat, key = (-1 if each is None else each for each in (slot.seat, slot.subject_id))
    return _read_posted_messages(connection, _OF_SLOT, (number, slot.kind.value, seat, key))


def _read_posted_messages(
    connection: sqlite3.Connection, condition: str, values: tuple[object, ...]
) -> tuple[PostedMessage, ...]:
    sql = (
        "select kind, seat, key, channel, message, ply, posted_at, mentioned_user, mentions,"  # noqa: S608 - own conditions
        f" shown_turn_start, is_outdated from posted_messages where {condition}"
    )
    with readable_texts(connection):
        rows = connection.execute(sql, values).fetchall()
    return tuple(_parse_posted_message(row) for row in rows if row[0] in _KIND_BY_TEXT)


def _parse_posted_message(row: tuple[Any, ...]) -> PostedMessage:
    kind, seat, key, channel, message_id, ply, posted_at, mentioned_user, mentions, *rest = row
    shown_turn_start, is_outdated = rest
    return PostedMessage(
        slot=Slot(_KIND_BY_TEXT[kind], seat, key),
        channel=channel,
        message_id=message_id,
        ply=ply,
        posted_at=posted_at,
        mentioned_user=mentioned_user,
        last_mentions=_decode_last_mentions(mentions),
        shown_turn_start=shown_turn_start,
        is_outdated=bool(is_outdated),
    )


def _decode_last_mentions(encoded: bytes | None) -> tuple[Mention, ...]:
    """Return the last mentions; none if they are damaged."""
    if encoded is not None:
        with contextlib.suppress(*DECODING_ERRORS):
            return msgspec.msgpack.decode(encoded, type=tuple[Mention, ...])
    return ()
