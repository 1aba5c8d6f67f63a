"""What follows from an act: the table after it, the answer, and what must be sent.  Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.host.table import Table
from bot.store.rows import DeliveryKind, DirectMessages, NewDelivery, Slot, Status
from rules.game import Seat
from rules.match import Match

LOBBY = NewDelivery(Slot(DeliveryKind.LOBBY))
THREAD = NewDelivery(Slot(DeliveryKind.THREAD))
BOARD = NewDelivery(Slot(DeliveryKind.BOARD))
RESULT = NewDelivery(Slot(DeliveryKind.RESULT))
CONSENT = NewDelivery(Slot(DeliveryKind.CONSENT))


def notice(text: str) -> NewDelivery:
    """A line for everyone at the table.  Only public things."""
    return NewDelivery(Slot(DeliveryKind.NOTICE), text)


def hand(seat: int) -> NewDelivery:
    """A player's private message."""
    return NewDelivery(Slot(DeliveryKind.HAND, seat))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The table as it will be, and what to tell whom."""

    table: Table
    answer: str
    """For the one who acted."""
    repeat: str = ""
    """For a repeat of the same interaction; the answer if empty."""
    deliveries: tuple[NewDelivery, ...] = ()
    intervention: str = ""
    """Said in the table first, and kept: what its host or an admin did."""


def after_match(before: Table, match: Match) -> tuple[Table, tuple[NewDelivery, ...]]:
    """The table and its deliveries once its match has become ``match``."""
    table = before.with_match(match)
    if match.over:
        table = table.with_row(status=Status.OVER)
        return table, (BOARD, *hands(before, table), RESULT)
    return table, (BOARD, *hands(before, table))


def hands(before: Table, after: Table) -> Iterable[NewDelivery]:
    """The private messages that are out of date: what is held, who is to act, or that the game ended."""
    for i, row in enumerate(after.seats):
        seat = Seat(i)
        closed = row.direct_messages is DirectMessages.CLOSED  # tried again when they come by
        if row.user is None or closed or not after.game.hidden:
            continue
        ended = after.status is not before.status
        if ended or seat in {after.to_act, before.to_act} or _held(before, seat) != _held(after, seat):
            yield hand(i)


def _held(table: Table, seat: Seat) -> str:
    if table.match is None:
        return ""
    return table.game.words.hand(table.match.view(seat), table.plain_names)
