"""The workers of the outbox: what wakes them, and what a stop leaves undone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import bot.host.outbox
from bot.host.courier_protocol import TryLater
from bot.host.deciders.decision import Decision, notice_delivery
from bot.host.delivery_order import Priority
from bot.host.outbox import MAX_RETRY_WAIT, Outbox
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, DeliveryKind
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.host.playing import GAMES_AND_TOYS, GUILD, KEY_OF_GAME_WITH_SECRETS, begin, default_setup
from tests.bot.host.scripted_courier import ScriptedCourier, wait_until_sent
from tests.trials import WAIT_TIMEOUT

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(WAIT_TIMEOUT):
        while not condition():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.005)


def put_off_boards(courier: ScriptedCourier) -> None:
    """Have no board arrive."""
    courier.fault_before_sending = lambda delivery: (
        TryLater(MAX_RETRY_WAIT) if delivery.kind is DeliveryKind.BOARD else None
    )


@pytest.mark.parametrize("kind", [DeliveryKind.BOARD, DeliveryKind.HAND])
async def test_a_stop_ends_after_what_is_being_sent(
    tables: Tables, courier: ScriptedCourier, kind: DeliveryKind
) -> None:
    """It arrives and is marked, so the next start does not send it again; nothing more is sent."""
    is_sending, may_arrive = asyncio.Event(), asyncio.Event()

    async def wait_at_kind(delivery: Delivery) -> None:
        if delivery.kind is kind:
            is_sending.set()
            await may_arrive.wait()

    number = await begin(tables, SETUP)
    courier.before_delivery = wait_at_kind
    outbox = Outbox(tables, courier)
    await outbox.start()
    async with asyncio.timeout(WAIT_TIMEOUT):
        await is_sending.wait()
        stop = asyncio.create_task(outbox.stop())
        await asyncio.sleep(0)
        may_arrive.set()
        await stop
    last_sent = courier.sent[-1][0]
    waiting = await tables.store.waiting_deliveries(number)
    assert last_sent.kind is kind
    assert len(courier.tried) == len(courier.sent)
    assert last_sent.id not in {each.id for each in waiting}
    assert DeliveryKind.HAND in {each.kind for each in waiting}


async def test_a_stop_does_not_wait_for_workers_that_sleep(
    tables: Tables, courier: ScriptedCourier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker whose next attempt is minutes away ends at once."""
    monkeypatch.setattr(bot.host.outbox, "_STOP_TIMEOUT", None)
    put_off_boards(courier)
    await begin(tables, SETUP)
    outbox = Outbox(tables, courier)
    await outbox.start()
    await wait_until(lambda: DeliveryKind.HAND in {each.kind for each, _, _ in courier.sent})
    async with asyncio.timeout(WAIT_TIMEOUT):
        await outbox.stop()


async def test_a_stop_does_not_wait_for_the_limit_of_calls(
    tables: Tables, courier: ScriptedCourier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker whose call may not be made yet ends at once, and its hand waits in the store."""
    monkeypatch.setattr(bot.host.outbox, "_STOP_TIMEOUT", None)
    is_reserving = asyncio.Event()

    @asynccontextmanager
    async def reserve_never(_: Priority) -> AsyncIterator[bool]:
        is_reserving.set()
        await asyncio.Event().wait()
        yield True

    number = await begin(tables, SETUP)
    outbox = Outbox(tables, courier, reserve_never)
    await outbox.start()
    async with asyncio.timeout(WAIT_TIMEOUT):
        await is_reserving.wait()
        await outbox.stop()
    assert DeliveryKind.HAND in {each.kind for each in await tables.store.waiting_deliveries(number)}


async def test_a_change_of_a_server_wakes_its_workers(tables: Tables, courier: ScriptedCourier) -> None:
    """What was put off there is sent now, and not at the end of the wait."""
    put_off_boards(courier)
    number = await begin(tables, SETUP)
    outbox = Outbox(tables, courier)
    await outbox.start()
    await wait_until(lambda: DeliveryKind.HAND in {each.kind for each, _, _ in courier.sent})
    courier.fault_before_sending = lambda _: None
    await outbox.retry_in_server(GUILD)
    await wait_until_sent(tables, number)
    await outbox.stop()


async def test_workers_rest_once_all_is_sent(
    tables: Tables, courier: ScriptedCourier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They end, and the store is asked for nothing more."""
    number = await begin(tables, SETUP)
    outbox = Outbox(tables, courier)
    await outbox.start()
    await wait_until_sent(tables, number)
    await wait_until(
        lambda: not [each for each in asyncio.all_tasks() if each.get_name().startswith("outbox-")]
    )
    read_numbers: list[int] = []

    async def note_read(number: int) -> tuple[Delivery, ...]:
        read_numbers.append(number)
        return ()

    monkeypatch.setattr(tables.store, "waiting_deliveries", note_read)
    await asyncio.sleep(0.05)
    assert not read_numbers
    await outbox.stop()


async def test_what_is_stored_while_a_worker_ends_is_sent(
    database_path: Path, courier: ScriptedCourier
) -> None:
    """A worker that has found nothing more to do, and is woken before it has ended, begins again."""

    class StoreWithLateChange(SqliteStore):
        is_due = False

        async def waiting_deliveries(self, number: int) -> tuple[Delivery, ...]:
            waiting = await super().waiting_deliveries(number)
            if StoreWithLateChange.is_due and not waiting:
                StoreWithLateChange.is_due = False
                await tables.change(
                    number,
                    None,
                    lambda table: Decision(table=table, answer="", deliveries=(notice_delivery("Late."),)),
                )
            return waiting

    store = await open_store(database_path)
    store.__class__ = StoreWithLateChange
    tables = Tables(store, GAMES_AND_TOYS)
    number = await begin(tables, SETUP)
    outbox = Outbox(tables, courier)
    await outbox.start()
    await wait_until_sent(tables, number)
    StoreWithLateChange.is_due = True
    outbox.wake(number)
    try:
        await wait_until(lambda: any(delivery.text == "Late." for delivery, _, _ in courier.sent))
    finally:
        await outbox.stop()
        await store.close()
