"""An outbox and a courier that the test controls."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from bot.host.courier_protocol import Attempt, DeliveryResult
from bot.host.delivery_order import Priority
from bot.host.outbox import Outbox
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import (
    DIRECT_MESSAGE_KINDS,
    Delivery,
    DeliveryKind,
    PostedMessage,
    ReplacedMessage,
    Slot,
)
from tests.trials import WAIT_TIMEOUT

NEW_THREAD = 77
"""The thread that this courier opens."""


async def _do_nothing(_delivery: Delivery) -> None:
    """Do nothing before a delivery."""


class ScriptedCourier:
    """A courier that does what the test says, and keeps what it has sent."""

    def __init__(self) -> None:
        """Everything arrives."""
        self.sent: list[tuple[Delivery, int, int]] = []
        """(delivery, the table's ply and channel then)."""
        self.tried: list[Delivery] = []
        """All deliveries that were attempted, also in vain."""
        self.replacing_kind: DeliveryKind | None = None
        """Each delivery of this kind replaces an earlier message."""
        self.before_delivery: Callable[[Delivery], Awaitable[None]] = _do_nothing
        """Awaited before each delivery; it may raise as Discord does."""
        self.fault_before_sending: Callable[[Delivery], Exception | None] = lambda _: None
        """What is raised in place of sending it."""
        self.fault_after_sending: Callable[[Delivery], Exception | None] = lambda _: None
        """What is raised when it has been sent already: the answer was lost."""

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Keep the delivery, or raise what the test says."""
        del posted_messages
        self.tried.append(delivery)
        await self.before_delivery(delivery)
        if (error := self.fault_before_sending(delivery)) is not None:
            raise error
        self.sent.append((delivery, table.row.ply, table.row.game_channel))
        if (error := self.fault_after_sending(delivery)) is not None:
            raise error
        if delivery.kind is DeliveryKind.THREAD:
            return DeliveryResult(new_thread=NEW_THREAD)
        slot, is_direct = delivery.slot, delivery.kind in DIRECT_MESSAGE_KINDS
        reader = table.seats[slot.seat].user if is_direct and slot.seat is not None else None
        posted = PostedMessage(
            slot, table.row.game_channel, len(self.sent), table.row.ply, 0.0, mentioned_user=reader
        )
        if delivery.kind is DeliveryKind.OLD_BUTTONS:
            return DeliveryResult()
        if delivery.kind is self.replacing_kind:
            old = msgspec.structs.replace(posted, message_id=-len(self.sent))
            return DeliveryResult(posted, ReplacedMessage(old))
        return DeliveryResult(posted)

    def sent_kinds(self) -> list[str]:
        """Return the kinds of what was sent, in order."""
        return [delivery.kind.value for delivery, _, _ in self.sent]


async def run_outbox(outbox: Outbox, number: int) -> float | None:
    """Let the outbox do all that is due now; returns how long it would wait."""
    for priority in Priority:
        await run_worker(outbox, number, priority)
    # Once more: a hand that was refused is announced in public.
    waits = [await run_worker(outbox, number, priority) for priority in Priority]
    return min((wait for wait in waits if wait is not None), default=None)


async def run_worker(outbox: Outbox, number: int, priority: Priority) -> float | None:
    """Let the worker of a priority do all that is due now; returns how long it would wait."""
    while (wait := await outbox._deliver_due(number, priority)) == 0.0:
        pass
    return wait


async def wait_until_sent(tables: Tables, number: int) -> None:
    """Wait until a started outbox has sent all that waits at a table."""
    async with asyncio.timeout(WAIT_TIMEOUT):
        while await tables.store.waiting_deliveries(number):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.005)


class ManualOutbox(Outbox):
    """An outbox that works only when a test says so."""

    def wake(self, number: int, priority: Priority = Priority.HIGH) -> None:
        """Do nothing: ``run_outbox`` does what is due."""
