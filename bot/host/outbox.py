"""The outbox: sends the deliveries that the store has queued, in order, and again after a crash.

A failed delivery never undoes or repeats a move.  The deliveries of one slot are sent strictly in order;
one that has to wait does not hold up the other slots.  Only the board and the result wait for a while for
the posts of turns before them, so that the thread keeps their order, and the edit of a turn's message waits
for the board after it.

A table has one worker for each priority, so that a hand which waits for Discord's limit holds up no board.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from bot.error_ids import new_error_id
from bot.host import dm_status
from bot.host.courier_protocol import (
    Attempt,
    Courier,
    DeliveryResult,
    DirectMessagesClosed,
    GameThreadLocked,
    Superseded,
    TryLater,
    Undeliverable,
)
from bot.host.deciders import moderation, reminders
from bot.host.deciders.decision import BOARD_DELIVERY, LOBBY_DELIVERY, Decision
from bot.host.delivery_order import (
    Priority,
    ReserveCall,
    next_of_each_slot,
    priority_of,
    reserve_nothing,
)
from bot.host.game_guard import GameFault
from bot.host.game_workers import WorkersBusy
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, DeliveryKind, Slot
from bot.store.protocol import StoreError

FIRST_RETRY_WAIT: Final = 1.0
MAX_RETRY_WAIT: Final = 300.0
"""Seconds between attempts: doubled each time up to here.  No delivery waits longer."""
MAX_ATTEMPTS: Final = 40
"""After this many attempts a delivery is given up at a fault of the bot; delays by Discord never end it."""
_MAX_DOUBLINGS: Final = 20
"""How often a wait is doubled at most, to keep the number small; ``MAX_RETRY_WAIT`` is reached sooner."""
_MIN_WAIT: Final = 0.05
"""Seconds between two looks at a table's deliveries, also where one is due in less."""
_STOP_TIMEOUT: Final = 5.0
"""Seconds that a stop waits for the workers before it cancels them."""

_WorkerKey: TypeAlias = tuple[int, Priority]
"""The worker for the deliveries of one priority of a table."""

_log = logging.getLogger(__name__)


class Outbox:
    """Runs the workers of each table that has something to send."""

    def __init__(self, tables: Tables, courier: Courier, reserve_call: ReserveCall = reserve_nothing) -> None:
        """Watch the tables; ``start`` delivers what an earlier run left."""
        self._tables = tables
        self._courier = courier
        self._reserve_call = reserve_call
        self._workers: dict[_WorkerKey, asyncio.Task[None]] = {}
        self._wake_events: dict[_WorkerKey, asyncio.Event] = {}
        self._unrecorded_results: dict[_WorkerKey, tuple[Delivery, int, DeliveryResult]] = {}
        """By worker: a delivery that was sent but is not marked as sent yet, its ply, and its result."""
        self._in_flight: set[tuple[int, Slot]] = set()
        """The tables and slots of which something is being sent."""
        self._reserving_workers: set[asyncio.Task[Any] | None] = set()
        """The workers that wait until a call may be made."""
        self._server_retry_count = 0
        """Counts the calls of ``retry_in_server``."""
        self._is_stopping = False
        tables.add_listener(lambda table: self.wake(table.number))

    async def start(self) -> None:
        """Send the deliveries that an earlier run left."""
        for number in await self._tables.store.tables_with_deliveries():
            self.wake(number)

    async def stop(self) -> None:
        """Stop between two deliveries; the rest waits in the store."""
        self._is_stopping = True
        for event in self._wake_events.values():
            event.set()
        workers = list(self._workers.values())
        if workers:
            for worker in filter(self._reserving_workers.__contains__, workers):
                worker.cancel()
            _, unfinished_workers = await asyncio.wait(workers, timeout=_STOP_TIMEOUT)
            for worker in unfinished_workers:
                worker.cancel()
            await asyncio.gather(*unfinished_workers, return_exceptions=True)

    async def retry_in_server(self, guild: int) -> None:
        """Retry the waiting deliveries of a server at once, since something has changed there."""
        self._server_retry_count += 1
        for number in await self._tables.store.tables_with_deliveries():
            try:
                table = await self._tables.get(number)
                if table.row.guild == guild:
                    await self._tables.store.make_deliveries_due(number)
                    self.wake(number)
            except Refusal:
                continue
            except StoreError:  # one table's fault must not hold up the others
                _log.exception("outbox waiting: store unavailable", extra={"table": number})

    def wake(self, number: int, priority: Priority = Priority.HIGH) -> None:
        """Have a table's deliveries sent: those of ``priority`` first, then those that are less urgent."""
        if self._is_stopping:
            return
        key = number, priority
        if key in self._workers:
            self._wake_events[key].set()
            return
        self._wake_events[key] = asyncio.Event()
        name = f"outbox-{number}-{priority.name.lower()}"
        task = asyncio.get_running_loop().create_task(self._run_worker(key), name=name)
        self._workers[key] = task
        task.add_done_callback(lambda _: self._on_worker_end(key))

    def _on_worker_end(self, key: _WorkerKey) -> None:
        self._workers.pop(key, None)
        if self._wake_events.pop(key).is_set():
            self.wake(*key)

    async def _run_worker(self, key: _WorkerKey) -> None:
        wake_event, number = self._wake_events[key], key[0]
        failure_count = 0
        while not self._is_stopping:
            wake_event.clear()
            try:
                wait = await self._deliver_due(*key)
                failure_count = 0
            except StoreError:
                _log.exception("outbox waiting: store unavailable", extra={"table": number})
                wait = min(MAX_RETRY_WAIT, FIRST_RETRY_WAIT * 2 ** min(failure_count, _MAX_DOUBLINGS))
                failure_count += 1
            except WorkersBusy:
                _log.warning("outbox waiting: workers busy", extra={"table": number})
                wait = FIRST_RETRY_WAIT
            except Refusal as refusal:
                _log.warning(
                    "outbox stopped: table unavailable",
                    extra={"table": number, "refusal": type(refusal).__name__},
                )
                return
            except Exception:  # noqa: BLE001 - the worker must outlive any one fault
                _log.exception("outbox fault", extra={"table": number})
                wait = MAX_RETRY_WAIT
            if wait is None:
                return
            if wait > 0:
                try:
                    await asyncio.wait_for(wake_event.wait(), wait)
                except TimeoutError:
                    continue

    async def _deliver_due(self, number: int, priority: Priority) -> float | None:
        """Make one attempt at each due delivery of a priority, then wake the worker of what is less urgent.

        Return the seconds to wait, or None if none of this priority is left.
        """
        await self._record_sent((number, priority))
        waiting, has_tried = await self._tables.store.waiting_deliveries(number), False
        for delivery in self._next_of_each_slot(waiting, priority):
            if self._is_stopping:
                return 0.0
            if self._seconds_until_due(delivery) > 0:
                continue
            has_tried = True
            if await self._reserve_and_deliver(delivery):
                return 0.0  # read them again: newer deliveries may have superseded these
        if has_tried:
            waiting = await self._tables.store.waiting_deliveries(number)
        less_urgent_priorities = [each for each in map(priority_of, waiting) if each > priority]
        if less_urgent_priorities:
            # The first wakes the next, so that the order does not depend on the network.
            self.wake(number, min(less_urgent_priorities))
        waits = [self._seconds_until_due(each) for each in self._next_of_each_slot(waiting, priority)]
        return max(_MIN_WAIT, min(waits)) if waits else None

    def _seconds_until_due(self, delivery: Delivery) -> float:
        """Return how long a delivery still waits for its next attempt.

        One that would wait longer than any delivery does is due: the clock was set back meanwhile.
        """
        wait = delivery.due - self._tables.clock()
        return 0.0 if wait > MAX_RETRY_WAIT else max(0.0, wait)

    def _next_of_each_slot(self, waiting: Sequence[Delivery], priority: Priority) -> Iterator[Delivery]:
        in_flight = {each.slot for each in waiting if (each.table_number, each.slot) in self._in_flight}
        return next_of_each_slot(waiting, self._tables.clock(), priority, in_flight)

    async def _reserve_and_deliver(self, delivery: Delivery) -> bool:
        """Make one attempt at a delivery; return whether the table's deliveries are to be read again.

        One that is not urgent first waits until its call may be made.  The newest delivery of its slot is
        sent then, so that the message shows the newest state.
        """
        priority, worker = priority_of(delivery), asyncio.current_task()
        if priority is Priority.HIGH:
            return await self._deliver(delivery)
        self._reserving_workers.add(worker)
        try:
            async with self._reserve_call(priority) as has_waited:
                self._reserving_workers.discard(worker)
                if has_waited:
                    self._tables.metrics.held_back_calls.inc()
                    waiting = self._next_of_each_slot(
                        await self._tables.store.waiting_deliveries(delivery.table_number), priority
                    )
                    newest_delivery = next((each for each in waiting if each.slot == delivery.slot), None)
                    if newest_delivery is None or self._seconds_until_due(newest_delivery) > 0:
                        return True
                    delivery = newest_delivery
                return await self._deliver(delivery)
        finally:
            self._reserving_workers.discard(worker)

    async def _deliver(self, delivery: Delivery) -> bool:
        """Make one attempt; return whether the delivery is settled."""
        table_and_slot = delivery.table_number, delivery.slot
        self._in_flight.add(table_and_slot)
        try:
            return await self._attempt(delivery)
        finally:
            self._in_flight.discard(table_and_slot)
            if priority_of(delivery) is Priority.LOW and delivery.kind is DeliveryKind.TURN:
                # A correction of the turn, which is more urgent, may wait for it.
                self.wake(delivery.table_number)

    async def _attempt(self, delivery: Delivery) -> bool:
        """Send a delivery, store the outcome; return whether it is settled: sent, superseded or given up."""
        store = self._tables.store
        table = await self._tables.get(delivery.table_number)
        posted_messages = {posted.slot: posted for posted in await store.messages_for_delivery(delivery)}
        log_fields = {
            "table": delivery.table_number,
            "kind": delivery.kind.value,
            "attempts": delivery.failed_attempt_count,
        }
        server_retry_count = self._server_retry_count
        try:
            attempt = Attempt(store, delivery, self._tables.clock)
            result = await self._courier.deliver(delivery, table, posted_messages, attempt)
        except Undeliverable as error:
            _log.warning("delivery given up: refused", exc_info=error, extra=log_fields)
            self._count_attempt(delivery, "given_up")
            await store.mark_failed(delivery, str(error))
            return True
        except DirectMessagesClosed as error:
            self._count_attempt(delivery, "closed")
            await store.mark_failed(delivery, "direct messages closed")
            decide = dm_status.mark_left_server if error.has_left else dm_status.mark_messages_closed
            await self._update_dm_status(delivery, table, decide)
            return True
        except Superseded:
            return True  # the deliveries are read again, with the newer one
        except GameThreadLocked:
            self._count_attempt(delivery, "later")
            await self._postpone(delivery, 0.0)
            await self._leave_locked_thread(table)  # then it is due at once
            return False
        except TryLater as error:
            self._count_attempt(delivery, "later")
            # What blocked it may have been removed during the attempt, and no event will follow; or the
            # table may have left the place that blocked it.
            newest_table = self._tables.get_cached(table.number)
            has_moved = newest_table is not None and newest_table.row.game_channel != table.row.game_channel
            if self._server_retry_count != server_retry_count or has_moved:
                await self._postpone(delivery, 0.0, error.reason, max_wait=FIRST_RETRY_WAIT)
            else:
                await self._postpone(delivery, error.min_wait, error.reason)
            return False
        except GameFault as fault:  # the frozen game gets a new board, which supersedes this delivery
            await self._tables.handle_fault(fault)
            return await self._retry_or_give_up(delivery)
        except (StoreError, WorkersBusy):
            raise
        except Exception:  # noqa: BLE001 - one delivery's fault must not stop a table's outbox
            _log.exception("delivery fault", extra=log_fields | {"error_id": new_error_id()})
            self._tables.metrics.faults.labels("outbox").inc()
            return await self._retry_or_give_up(delivery)
        worker_key = delivery.table_number, priority_of(delivery)
        self._unrecorded_results[worker_key] = (delivery, table.row.ply, result)
        self._count_attempt(delivery, "sent")
        await self._record_sent(worker_key)
        # an early notice counts as sent even if refused, and a hand that nobody is to see even if not posted
        if delivery.kind is DeliveryKind.HAND and result.posted is not None:
            await self._update_dm_status(delivery, table, dm_status.mark_messages_open)
        notices, has_left = table.row.turn_notices, result.has_asked_user_left
        if notices is not None and has_left is not None:
            decide = partial(reminders.note_departure, user=notices.user, has_left=has_left)
            await self._change_table(table.number, decide)
        return True

    async def _record_sent(self, key: _WorkerKey) -> None:
        """Mark a worker's last delivery as sent; move the table first if the delivery opened its thread.

        Raises StoreError.  The worker then tries this again before it sends anything else.  Sending the
        delivery again instead could post it twice: Discord recognises a nonce for some minutes only.
        """
        if key not in self._unrecorded_results:
            return
        (delivery, ply, result), number = self._unrecorded_results[key], key[0]
        thread = result.new_thread
        if thread is not None and thread != (await self._tables.get(number)).row.game_channel:
            try:
                await self._move_to_thread(number, thread)  # first: a crash here opens no second thread
            except GameFault as fault:  # its frozen game stays in the channel
                await self._tables.handle_fault(fault)
        await self._tables.store.mark_delivered(delivery, ply, result.posted, result.replaced)
        del self._unrecorded_results[key]

    async def _retry_or_give_up(self, delivery: Delivery) -> bool:
        """Postpone a delivery after a fault of the bot; after ``MAX_ATTEMPTS`` attempts give it up.

        Return whether it was given up.
        """
        self._count_attempt(delivery, "fault")
        if delivery.failed_attempt_count < MAX_ATTEMPTS:
            await self._postpone(delivery, 0.0)
            return False
        _log.error(
            "delivery given up: too many failures",
            extra={"table": delivery.table_number, "kind": delivery.kind.value, "error_id": new_error_id()},
        )
        await self._tables.store.mark_failed(delivery, "too many failures")
        return True

    def _count_attempt(self, delivery: Delivery, outcome: str) -> None:
        self._tables.metrics.deliveries.labels(delivery.kind.value, outcome).inc()

    async def _move_to_thread(self, number: int, thread: int) -> None:
        """Move a table to its new thread; the board is posted there, and the lobby links to the thread.

        Where it was moved elsewhere meanwhile, it stays.
        """

        def decide(current: Table) -> "Decision | None":
            if current.row.game_channel != current.row.lobby_channel:
                return None
            moved_table = current.with_row(game_channel=thread)
            return Decision(table=moved_table, answer="", deliveries=(LOBBY_DELIVERY, BOARD_DELIVERY))

        await self._tables.change(number, None, decide)

    async def _leave_locked_thread(self, table: Table) -> None:
        """Move a table to the channel above its thread, unless it was moved elsewhere meanwhile."""
        decide = partial(moderation.leave_locked_thread, thread=table.row.game_channel)
        await self._change_table(table.number, decide)

    async def _postpone(
        self, delivery: Delivery, min_wait: float, reason: str = "", *, max_wait: float = MAX_RETRY_WAIT
    ) -> None:
        wait = max(
            min_wait,
            min(max_wait, FIRST_RETRY_WAIT * 2 ** min(delivery.failed_attempt_count, _MAX_DOUBLINGS)),
        )
        wait = min(wait, MAX_RETRY_WAIT)
        await self._tables.store.postpone(delivery, self._tables.clock() + wait, reason)

    async def _update_dm_status(
        self, delivery: Delivery, table_when_sent: Table, decide: Callable[[Table, int], Decision | None]
    ) -> None:
        """Store whether the direct messages of a seat's player are open.

        ``table_when_sent``: as it was when the message was sent; the seat may have another player by now.
        """
        seat = delivery.slot.seat
        if seat is None:
            return
        user = table_when_sent.seats[seat].user
        await self._change_table(
            delivery.table_number,
            lambda current: decide(current, seat) if current.seats[seat].user == user else None,
        )

    async def _change_table(self, number: int, decide: Callable[[Table], Decision | None]) -> None:
        """Store at a table what a delivery has shown."""
        try:
            await self._tables.change(number, None, decide)
        except GameFault as fault:
            await self._tables.handle_fault(fault)
        except Refusal:
            return
