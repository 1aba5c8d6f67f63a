"""The outbox tries again after trouble, gives up in the end, and one table's fault is its own."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.chat.client import TableClient
from bot.host.courier_protocol import DirectMessagesClosed, TryLater, Undeliverable
from bot.host.deciders import moderation
from bot.host.deciders.decision import BOARD_DELIVERY, hand_delivery
from bot.host.host import Host
from bot.host.outbox import FIRST_RETRY_WAIT, MAX_ATTEMPTS, MAX_RETRY_WAIT, Outbox
from bot.host.tables import Tables
from bot.store.delivery_rows import BLOCKED, Delivery, DeliveryKind
from bot.store.protocol import StoreError
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.chat.guilds import PUBLIC_THREAD_TYPE, make_guild
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import CHANNEL_WRITE_LIMIT, http_error, stub_board_pictures
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    GUILD,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.scripted_courier import ScriptedCourier, run_outbox
from tests.bot.store.sample_rows import execute_sql
from tests.trials import WAIT_TIMEOUT

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])


async def test_a_change_of_a_server_ends_what_is_put_off_there(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """What was put off in a server is tried at once when that server has changed, and only there."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        TryLater(300) if delivery.kind is DeliveryKind.BOARD else None
    )
    assert await run_outbox(outbox, number) == pytest.approx(300, abs=0.1)
    courier.fault_before_sending = lambda _: None
    await outbox.retry_in_server(GUILD + 1)
    assert await run_outbox(outbox, number) == pytest.approx(300, abs=0.1)
    await outbox.retry_in_server(GUILD)
    assert await run_outbox(outbox, number) is None
    assert "board" in courier.sent_kinds()


async def test_no_delivery_waits_for_a_clock_that_was_set_back(
    tables: Tables, clock: ManualClock, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """A retry put off for longer than any wait lasts is due at once; the next one waits."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        TryLater() if delivery.kind is DeliveryKind.BOARD else None
    )
    assert await run_outbox(outbox, number) == pytest.approx(FIRST_RETRY_WAIT, abs=0.1)
    clock.now -= 3600
    assert await run_outbox(outbox, number) == pytest.approx(FIRST_RETRY_WAIT * 2, abs=0.1)
    courier.fault_before_sending = lambda _: None
    clock.now -= 3600
    assert await run_outbox(outbox, number) is None
    assert "board" in courier.sent_kinds()


async def test_nothing_waits_for_the_place_that_a_table_has_left(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """A notice that was refused in the old channel comes at once in the new one, with those after it."""
    number = await begin(tables, SETUP)
    await run_outbox(outbox, number)
    earlier_notices = courier.sent_kinds().count("notice")
    courier.fault_before_sending = lambda delivery: (
        TryLater(300, BLOCKED) if delivery.kind is DeliveryKind.NOTICE else None
    )
    await tables.change(number, request_of_person(0), partial(moderation.pause, request=request_of_person(0)))
    assert await run_outbox(outbox, number) == pytest.approx(300, abs=0.1)
    courier.fault_before_sending = lambda _: None
    request = replace(request_of_person(0), channel=CHANNEL + 1)
    decide = partial(moderation.move_here, request=request, is_channel_busy=False)
    await tables.change(number, request, decide)
    assert await run_outbox(outbox, number) is None
    assert courier.sent_kinds().count("notice") == earlier_notices + 2


async def test_a_move_of_the_table_during_an_attempt_is_not_missed(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """The old channel refuses a notice just after its table has left: it comes at once in the new one."""
    number = await begin(tables, SETUP)
    await run_outbox(outbox, number)
    request = replace(request_of_person(0), channel=CHANNEL + 1)
    move = partial(moderation.move_here, request=request, is_channel_busy=False)

    async def move_and_refuse(delivery: Delivery) -> None:
        if delivery.kind is DeliveryKind.NOTICE and (await tables.get(number)).row.game_channel == CHANNEL:
            await tables.change(number, request, move)
            raise TryLater(300, BLOCKED)

    courier.before_delivery = move_and_refuse
    await tables.change(number, request_of_person(0), partial(moderation.pause, request=request_of_person(0)))
    assert await run_outbox(outbox, number) == pytest.approx(FIRST_RETRY_WAIT, abs=0.1)


@pytest.mark.parametrize("attempt_count", [0, 20])
async def test_a_change_of_the_server_during_an_attempt_is_not_missed(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock, attempt_count: int
) -> None:
    """A server that changes between an attempt and its refusal does not make the delivery wait for long."""

    async def change_and_refuse(delivery: Delivery) -> None:
        if delivery.kind is DeliveryKind.BOARD and delivery.failed_attempt_count <= attempt_count:
            if delivery.failed_attempt_count == attempt_count:
                await outbox.retry_in_server(GUILD)
            raise TryLater(300, BLOCKED)

    courier.before_delivery = change_and_refuse
    number = await begin(tables, SETUP)
    for _ in range(attempt_count):
        await run_outbox(outbox, number)
        clock.now += MAX_RETRY_WAIT
    assert await run_outbox(outbox, number) == pytest.approx(FIRST_RETRY_WAIT, abs=0.1)


async def test_the_waits_of_the_outbox_double_up_to_the_longest(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock
) -> None:
    """Waits double up to the longest; what Discord puts off is never given up."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        TryLater() if delivery.kind is DeliveryKind.BOARD else None
    )
    waits = await _measure_waits(outbox, number, courier, clock, MAX_ATTEMPTS + 5)
    expected = [min(MAX_RETRY_WAIT, FIRST_RETRY_WAIT * 2**attempt) for attempt in range(MAX_ATTEMPTS + 5)]
    assert waits == pytest.approx(expected, abs=0.02)
    courier.fault_before_sending = lambda _: None
    assert await run_outbox(outbox, number) is None
    assert "board" in courier.sent_kinds()


async def test_a_delivery_that_fails_by_our_own_fault_is_given_up(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock
) -> None:
    """A delivery that fails by our own fault again and again is given up in the end, and kept."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        RuntimeError("drawing") if delivery.kind is DeliveryKind.BOARD else None
    )
    await _measure_waits(outbox, number, courier, clock, MAX_ATTEMPTS)
    assert await run_outbox(outbox, number) is None
    assert isinstance(tables.store, SqliteStore)
    sql = "select kind, state from outbox where state not in ('sent', 'superseded')"
    assert await execute_sql(tables.store, sql) == [("board", "failed")]


async def _measure_waits(
    outbox: Outbox, number: int, courier: ScriptedCourier, clock: ManualClock, count: int
) -> list[float]:
    """Return how long the outbox waits after each of so many failures; it tries nothing before its time."""
    waits = []
    for _ in range(count):
        wait = await run_outbox(outbox, number)
        assert wait is not None
        tried_count = len(courier.tried)
        clock.now += wait * 0.9
        assert (await run_outbox(outbox, number) or 0) > 0
        assert len(courier.tried) == tried_count, "tried before its time"
        clock.now += wait * 0.1 + 0.01
        waits.append(wait)
    return waits


async def test_the_outbox_waits_as_long_as_asked(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """Where a limit or a missing right says how long, that long at least."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        TryLater(120) if delivery.kind is DeliveryKind.BOARD else None
    )
    assert await run_outbox(outbox, number) == pytest.approx(120, abs=0.1)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (None, "sent"),
        (TryLater(), "later"),
        (DirectMessagesClosed(), "closed"),
        (Undeliverable("gone"), "given_up"),
        (RuntimeError("drawing"), "fault"),
    ],
)
async def test_each_attempt_is_counted_by_its_outcome(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, error: Exception | None, outcome: str
) -> None:
    """An operator sees how many messages of a kind were sent, and what became of the others."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: error if delivery.slot == hand_delivery(1).slot else None
    await run_outbox(outbox, number)
    counts = Counter(
        {
            sample.labels["outcome"]: int(sample.value)
            for metric in tables.metrics.registry.collect()
            for sample in metric.samples
            if sample.name == "captains_table_deliveries_total" and sample.labels["kind"] == "hand"
        }
    )
    assert +counts == Counter(["sent"] * (SETUP.seat_count - 1) + [outcome])


async def test_unexpected_faults_are_tried_again(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock
) -> None:
    """A single fault in drawing or sending is no reason to forget a delivery."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        RuntimeError("drawing") if delivery.kind is DeliveryKind.BOARD else None
    )
    assert await run_outbox(outbox, number) is not None
    assert "board" not in courier.sent_kinds()
    courier.fault_before_sending = lambda _: None
    clock.now += FIRST_RETRY_WAIT
    assert await run_outbox(outbox, number) is None
    assert "board" in courier.sent_kinds()


async def test_undeliverable_is_not_tried_again(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock
) -> None:
    """A delivery that can never be sent is tried once; the next board is tried again."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        Undeliverable("gone") if delivery.kind is DeliveryKind.BOARD else None
    )
    for _ in range(3):
        assert await run_outbox(outbox, number) is None
        clock.now += MAX_RETRY_WAIT
    assert sum(delivery.kind is DeliveryKind.BOARD for delivery in courier.tried) == 1
    courier.fault_before_sending = lambda _: None
    await make_move(tables, number, random.Random(0))
    await run_outbox(outbox, number)
    assert courier.sent_kinds().count("board") == 1


async def test_the_store_keeps_why_a_delivery_waits(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock
) -> None:
    """A missing permission is distinguished from other faults for as long as it is missing."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        TryLater(1, BLOCKED) if delivery.kind is DeliveryKind.BOARD else None
    )
    await run_outbox(outbox, number)
    heads = (await tables.store.backlog(clock.now)).heads
    assert [(head.slot, head.is_due, head.is_blocked) for head in heads] == [
        (BOARD_DELIVERY.slot, False, True)
    ]
    courier.fault_before_sending = lambda delivery: (
        TryLater() if delivery.kind is DeliveryKind.BOARD else None
    )
    clock.now += 1.1
    assert [head.is_due for head in (await tables.store.backlog(clock.now)).heads] == [True]
    await run_outbox(outbox, number)
    heads = (await tables.store.backlog(clock.now)).heads
    assert [(head.failed_attempt_count, head.is_due, head.is_blocked) for head in heads] == [
        (2, False, False)
    ]


async def test_a_fault_of_ours_has_a_reference(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, caplog: pytest.LogCaptureFixture
) -> None:
    """The log names each fault under an error id of its own."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        RuntimeError("sending") if delivery.kind is DeliveryKind.BOARD else None
    )
    await run_outbox(outbox, number)
    (line,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert re.fullmatch(r"\w{5}", vars(line)["error_id"])


@pytest.mark.parametrize("status", [401, 429])
async def test_a_thread_is_opened_after_a_refusal_for_now(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """A game stays in its channel only where Discord refuses its thread for good."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, SETUP))
    await chat_table.send_all()
    for message in chat_table.chat.public_messages():
        message.guild = object()
    errors = [http_error(CHANNEL_WRITE_LIMIT, status)]
    chat_table.chat.fault_of_call = lambda action, _: errors.pop() if action == "thread" and errors else None
    await chat_table.open_thread()
    await chat_table.send_all()
    assert errors == []
    assert chat_table.board().channel.id == (await tables.get(chat_table.number)).row.game_channel != CHANNEL


async def _wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_TIMEOUT):
        while not condition():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.005)


async def test_a_single_failure_of_the_store_delays_little(
    database_path: Path, courier: ScriptedCourier
) -> None:
    """A single failure of the store delays a table's messages for moments, not for minutes."""

    class StoreBusyOnce(SqliteStore):
        has_failed = False

        async def waiting_deliveries(self, number: int) -> tuple[Delivery, ...]:
            waiting = await super().waiting_deliveries(number)
            if not self.has_failed and BOARD_DELIVERY.slot in {each.slot for each in waiting}:
                self.has_failed = True
                raise StoreError("busy")
            return waiting

    store = await open_store(database_path)
    store.__class__ = StoreBusyOnce
    outbox = Outbox(tables := Tables(store, GAMES_AND_TOYS), courier)
    await begin(tables, SETUP)
    try:
        await _wait_until(lambda: "board" in courier.sent_kinds())
    finally:
        await outbox.stop()
        await store.close()


async def test_what_is_new_does_not_wait_for_what_was_put_off(
    tables: Tables, courier: ScriptedCourier
) -> None:
    """A worker that sleeps until its next attempt is woken by a change of its table."""
    courier.fault_before_sending = lambda delivery: (
        TryLater(300) if delivery.kind is DeliveryKind.BOARD else None
    )
    outbox, number = Outbox(tables, courier), await begin(tables, SETUP)
    try:
        await _wait_until(lambda: DeliveryKind.BOARD in {each.kind for each in courier.tried})
        await asyncio.sleep(0.05)
        request = request_of_person(0)
        paused = await tables.change(number, request, partial(moderation.pause, request=request))
        await _wait_until(lambda: any(delivery.text == paused.answer for delivery, _, _ in courier.sent))
    finally:
        await outbox.stop()


@pytest.mark.parametrize("damage", ["snapshot = x'00ff'", "game = 'whist'"])
async def test_one_tables_fault_is_its_own(tables: Tables, courier: ScriptedCourier, damage: str) -> None:
    """P14: a table that cannot be loaded, or whose game this release does not know, stops no other.

    The host starts too.
    """
    setup = default_setup(SETUP.game, 2)
    broken_number = await begin(tables, setup, computer_count=1)
    sound_number = await begin(tables, setup, computer_count=1)
    store = tables.store
    assert isinstance(store, SqliteStore)
    await execute_sql(store, f"update matches set {damage} where number = ?", broken_number)
    host = Host(store, GAMES_AND_TOYS, tables.clock, random.Random(0), computer_delay=0.0)
    try:
        await host.start(courier)
        await _wait_until(
            lambda: any(delivery.table_number == sound_number for delivery, _, _ in courier.sent)
        )
        request = request_of_person(0)
        result = await host.tables.change(sound_number, request, partial(moderation.pause, request=request))
        assert "paused" in result.answer
        await _wait_until(lambda: any(delivery.text == result.answer for delivery, _, _ in courier.sent))
    finally:
        await host.stop()


async def test_a_thread_that_is_opened_again_is_noticed(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status message of its server is retried, though discord.py has forgotten the thread meanwhile."""
    client = TableClient(Host(store, GAMES_AND_TOYS, clock, random.Random(0)))
    retried_status_guilds: list[int] = []
    state: Any = client._connection
    monkeypatch.setattr(client, "loop", asyncio.get_running_loop())
    monkeypatch.setattr(client.status_updater, "retry", retried_status_guilds.append)
    state._add_guild(make_guild({50: {}}, {51: (50, PUBLIC_THREAD_TYPE)}, guild_id=GUILD))
    metadata = {"auto_archive_duration": 60, "archive_timestamp": "2026-01-01T00:00:00+00:00"}
    thread = {"id": 51, "parent_id": 50, "guild_id": GUILD, "owner_id": 1, "name": "game", "type": 11}
    thread |= {"message_count": 0, "member_count": 1}
    for archived in (True, False):
        retried_status_guilds.clear()
        state.parse_thread_update(thread | {"thread_metadata": metadata | {"archived": archived}})
        await asyncio.sleep(0.01)
        assert retried_status_guilds == [GUILD]
