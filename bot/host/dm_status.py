"""Whether a player's direct messages are open: closed ones are announced once and tried again later."""

import msgspec

from bot.host.deciders.decision import Decision, hand_delivery, notice_delivery
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import NewDelivery
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import DirectMessages


def _status_decision(table: Table, seat: int, status: DirectMessages, *deliveries: NewDelivery) -> Decision:
    """Return the decision that stores what is known of the direct messages of a player."""
    row = msgspec.structs.replace(table.seats[seat], direct_messages=status)
    return Decision(table=table.with_seat(seat, row), answer="", deliveries=deliveries)


def mark_messages_closed(table: Table, seat: int) -> Decision | None:
    """Record that a direct message was refused; announce that once, with advice."""
    return _mark_closed(
        table,
        seat,
        f"{table.names[seat]}, I cannot send you direct messages."
        " Press **My hand** under the board to see what you hold.",
    )


def mark_left_server(table: Table, seat: int) -> Decision | None:
    """Record messages as closed because a player shares no server with the bot; announce that once."""
    moderator = "An admin" if table.seats[seat].user == table.row.host else "The host"
    return _mark_closed(
        table,
        seat,
        f"{table.names[seat]} seems to have left this server."
        f" {moderator} can offer the seat with `/table replace`: `anyone:True` offers it to anybody.",
    )


def _mark_closed(table: Table, seat: int, text: str) -> Decision | None:
    row = table.seats[seat]
    if row.user is None or row.direct_messages is DirectMessages.CLOSED or table.status is Status.FROZEN:
        return None  # at a frozen table nobody can follow the advice: the hand is sent again after the thaw
    has_resigned = table.match is not None and seat in table.match.resigned_seats
    if row.direct_messages is DirectMessages.RETRYING or has_resigned or table.status not in LIVE_STATUSES:
        return _status_decision(table, seat, DirectMessages.CLOSED)
    return _status_decision(table, seat, DirectMessages.CLOSED, notice_delivery(text))


def mark_messages_open(table: Table, seat: int) -> Decision | None:
    """Record that a direct message has arrived after earlier ones were refused.

    None if no earlier message was refused.  The status may be ``CLOSED`` although the player asked for this
    message: an earlier attempt was refused after that.
    """
    if table.seats[seat].direct_messages is DirectMessages.OPEN:
        return None
    return _status_decision(table, seat, DirectMessages.OPEN)


async def resend_hand_if_closed(tables: Tables, table: Table, request: Request) -> None:
    """Send the requester's hand once more if their messages were closed: they may have opened them.

    That holds during another attempt too, since they may have opened them after it began.
    """
    seat = table.seat_of(request.user)
    if seat is None or table.seats[seat].direct_messages is DirectMessages.OPEN:
        return

    def decide(current: Table) -> Decision | None:
        if (
            current.seat_of(request.user) != seat
            or current.seats[seat].direct_messages is DirectMessages.OPEN
        ):
            return None
        return _status_decision(current, seat, DirectMessages.RETRYING, hand_delivery(seat))

    try:
        await tables.change(table.number, None, decide)
    except Refusal:
        return
