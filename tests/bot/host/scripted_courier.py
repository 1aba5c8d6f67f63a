"""An outbox and a courier that the test controls."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from bot.host.courier_protocol import Attempt, DeliveryResult
from bot.host.delivery_order import Priority, priority_of
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


class ManualReservations:
    """Reservations that a test grants."""

    def __init__(self) -> None:
        self.granted = asyncio.Event()
        self.waiting = asyncio.Event()
        """Set once a reservation has been asked for."""
        self.priorities: list[Priority] = []

    @asynccontextmanager
    async def reserve(self, priority: Priority) -> AsyncIterator[bool]:
        """Wait until it is granted."""
        self.priorities.append(priority)
        has_waited = not self.granted.is_set()
        self.waiting.set()
        await self.granted.wait()
        yield has_waited


class SlowCourier(ScriptedCourier):
    """A courier that sends nothing of one priority before it is released."""

    def __init__(self, slow_priority: Priority) -> None:
        super().__init__()
        self.slow_priority = slow_priority
        self.released = asyncio.Event()
        self.arrived = asyncio.Event()
        """Set whenever something has arrived."""

    async def deliver(self, delivery: Delivery, *arguments: Any) -> DeliveryResult:
        """Wait if it is slow, then send."""
        if priority_of(delivery) is self.slow_priority:
            await self.released.wait()
        sent = await super().deliver(delivery, *arguments)
        self.arrived.set()
        return sent

    async def wait_for(self, kind: DeliveryKind, ply: int) -> None:
        """Wait until one of a kind has arrived that shows ``ply``."""
        async with asyncio.timeout(WAIT_TIMEOUT):
            while (kind, ply) not in {(delivery.kind, shown) for delivery, shown, _ in self.sent}:
                self.arrived.clear()
                await self.arrived.wait()
