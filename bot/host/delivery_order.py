"""Which deliveries of a table are sent next, and how urgent each is beside those of other tables."""

import enum
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Final, TypeAlias

from bot.store.delivery_rows import DIRECT_MESSAGE_KINDS, Delivery, DeliveryKind, Slot, TurnMessage

MAX_HOLDING_ATTEMPTS: Final = 6
"""For how many attempts at the post of a turn a newer board and the result wait."""
MAX_HOLDING_WAIT: Final = 60.0
"""A board and a result wait for an attempt only if it is due within these seconds."""

_KINDS_AFTER_TURNS: Final = (DeliveryKind.BOARD, DeliveryKind.RESULT)
"""The kinds that wait for the posts of the turns before them."""


class Priority(enum.IntEnum):
    """How urgent a delivery is where not everything can be sent at once: the lowest number comes first."""

    HIGH = 0
    """Boards, and all else that is posted at a table for everyone."""
    MEDIUM = 1
    """Hands and other direct messages, and the status messages of servers."""
    LOW = 2
    """Messages that lose their buttons, since they were replaced or their turn is over; a press there is
    refused as out of date anyway."""


ReserveCall: TypeAlias = Callable[[Priority], AbstractAsyncContextManager[bool]]
"""Returns a context that waits until a call of a priority may be made, and yields whether it had to wait.

The first call within the context uses the reservation.
"""


def reserve_nothing(_: Priority) -> AbstractAsyncContextManager[bool]:
    """``ReserveCall`` where the number of calls has no limit."""
    return nullcontext(enter_result=False)


def priority_of(delivery: Delivery) -> Priority:
    """Return the priority of a delivery.

    A turn that gets a post of its own comes before the board after it, so that the thread keeps their order.
    """
    is_edited_turn = delivery.turn_message is not TurnMessage.NEW and delivery.pending_post is None
    if delivery.kind is DeliveryKind.OLD_BUTTONS or is_edited_turn:
        return Priority.LOW
    return Priority.MEDIUM if delivery.kind in DIRECT_MESSAGE_KINDS else Priority.HIGH


def next_of_each_slot(
    waiting: Sequence[Delivery], now: float, priority: Priority, in_flight: Collection[Slot]
) -> Iterator[Delivery]:
    """Yield the first delivery of each slot that is of a priority and need not wait for another slot.

    ``waiting``: a table's, the oldest first; ``in_flight``: the slots of which something is being sent.
    """
    board_waits = any(each.kind is DeliveryKind.BOARD for each in waiting)
    seen_slots: set[Slot] = set()
    turn_holds_up_others = False
    for delivery in waiting:
        if delivery.slot in seen_slots:
            continue
        seen_slots.add(delivery.slot)
        if priority_of(delivery) is not priority or delivery.slot in in_flight:
            continue
        is_turn = delivery.kind is DeliveryKind.TURN
        if turn_holds_up_others and delivery.kind in _KINDS_AFTER_TURNS:
            continue
        if board_waits and priority is Priority.LOW and delivery.turn_message is TurnMessage.BOARD:
            continue
        turn_holds_up_others = turn_holds_up_others or (is_turn and _holds_up_others(delivery, now))
        yield delivery


def _holds_up_others(delivery: Delivery, now: float) -> bool:
    """Whether the board and the result still wait for the post of a turn."""
    return delivery.failed_attempt_count < MAX_HOLDING_ATTEMPTS and delivery.due - now <= MAX_HOLDING_WAIT
