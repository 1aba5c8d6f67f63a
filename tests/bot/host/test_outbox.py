"""The outbox sends in order, once, and never an old board after a newer one."""

import asyncio
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.host.courier_protocol import Attempt, DeliveryResult, TryLater
from bot.host.deciders import lobby, moderation
from bot.host.deciders.decision import BOARD_DELIVERY, LOBBY_DELIVERY, hand_delivery, notice_delivery
from bot.host.delivery_order import Priority, priority_of
from bot.host.outbox import FIRST_RETRY_WAIT, MAX_RETRY_WAIT, Outbox
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, DeliveryKind, PostedMessage, Slot
from bot.store.protocol import StoreError
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    open_lobby,
    request_of_person,
)
from tests.bot.host.scripted_courier import (
    NEW_THREAD,
    ManualOutbox,
    ScriptedCourier,
    SlowCourier,
    run_outbox,
    wait_until_sent,
)
from tests.trials import WAIT_TIMEOUT

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])


async def test_what_is_stored_is_sent_in_order(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """Each delivery is sent once, in the order stored, and then nothing is left."""
    number = await begin(tables, SETUP)
    waiting = await tables.store.waiting_deliveries(number)
    assert await run_outbox(outbox, number) is None
    assert [delivery for delivery, _, _ in courier.sent] == list(waiting)
    assert await run_outbox(outbox, number) is None
    assert len(courier.sent) == len(waiting)
    kinds = courier.sent_kinds()
    assert kinds.index("lobby") < kinds.index("board") < kinds.index("hand")


async def test_the_thread_is_opened_before_the_board(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """The thread is opened first, and the board is sent there; the lobby is edited, since it links there."""
    number = await open_lobby(tables, SETUP.game)
    join_request = request_of_person(1)
    await tables.change(number, join_request, partial(lobby.join, request=join_request))
    start_request = replace(request_of_person(0), can_open_thread=True)
    await tables.change(
        number, start_request, partial(lobby.start, request=start_request, is_channel_busy=True)
    )
    await run_outbox(outbox, number)
    game_channels = {delivery.kind.value: game_channel for delivery, _, game_channel in courier.sent}
    assert courier.sent_kinds().index("thread") < courier.sent_kinds().index("board")
    kinds_after_thread = courier.sent_kinds()[courier.sent_kinds().index("thread") :]
    assert {"lobby", "board"} <= set(kinds_after_thread)
    assert (game_channels["thread"], game_channels["board"]) == (CHANNEL, NEW_THREAD)
    assert (await tables.get(number)).row.game_channel == NEW_THREAD


async def test_no_older_board_after_a_newer_one(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """P5: moves made while a board cannot be sent leave one board to send, that of the last move."""
    number = await begin(tables, SETUP)
    await run_outbox(outbox, number)
    courier.fault_before_sending = lambda delivery: (
        TryLater() if delivery.kind is DeliveryKind.BOARD else None
    )
    for step in range(5):
        await make_move(tables, number, random.Random(step))
        await run_outbox(outbox, number)
    courier.fault_before_sending = lambda _: None
    assert isinstance(tables.clock, ManualClock)
    tables.clock.now += MAX_RETRY_WAIT
    await run_outbox(outbox, number)
    board_plies = [ply for delivery, ply, _ in courier.sent if delivery.kind is DeliveryKind.BOARD]
    assert len(board_plies) == 2
    assert board_plies[-1] == (await tables.get(number)).row.ply


async def test_one_slot_does_not_hold_up_the_others(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """While one player's messages or the board cannot be sent, everything else is."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        TryLater() if delivery.slot in {BOARD_DELIVERY.slot, hand_delivery(0).slot} else None
    )
    await run_outbox(outbox, number)
    assert {delivery.slot for delivery, _, _ in courier.sent} == {
        LOBBY_DELIVERY.slot,
        notice_delivery("").slot,
        *(hand_delivery(i).slot for i in (1, 2, 3)),
    }
    assert [each.slot for each in await tables.store.waiting_deliveries(number)] == [
        BOARD_DELIVERY.slot,
        hand_delivery(0).slot,
    ]


async def test_notices_keep_their_order(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock
) -> None:
    """A notice that has to wait is not overtaken by a later one; other slots go on meanwhile."""
    number = await begin(tables, SETUP)
    await run_outbox(outbox, number)
    courier.sent.clear()
    texts: list[str] = []
    courier.fault_before_sending = lambda delivery: TryLater() if delivery.text in texts[:1] else None
    for decide in (moderation.pause, moderation.resume, moderation.pause):
        request = request_of_person(0)
        texts.append((await tables.change(number, request, partial(decide, request=request))).answer)
        wait = await run_outbox(outbox, number)
        assert wait == pytest.approx(FIRST_RETRY_WAIT, abs=0.02), (
            "a notice held up is no reason to look again"
        )
    assert not [delivery for delivery, _, _ in courier.sent if delivery.kind is DeliveryKind.NOTICE]
    assert courier.sent_kinds().count("board") == 3
    courier.fault_before_sending = lambda _: None
    clock.now += FIRST_RETRY_WAIT
    assert await run_outbox(outbox, number) is None
    sent_texts = [delivery.text for delivery, _, _ in courier.sent if delivery.kind is DeliveryKind.NOTICE]
    assert sent_texts == texts


async def test_a_lost_answer_keeps_the_nonce(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, clock: ManualClock
) -> None:
    """What was sent but not known to be is sent again under the same id, the nonce, and nothing else is."""
    number = await begin(tables, SETUP)
    courier.fault_after_sending = lambda delivery: (
        OSError("cut") if delivery.kind is DeliveryKind.BOARD else None
    )
    await run_outbox(outbox, number)
    courier.fault_after_sending = lambda _: None
    clock.now += FIRST_RETRY_WAIT
    assert await run_outbox(outbox, number) is None
    board_ids = [delivery.id for delivery, _, _ in courier.sent if delivery.kind is DeliveryKind.BOARD]
    assert len(board_ids) == 2
    assert len(set(board_ids)) == 1
    other_ids = [delivery.id for delivery, _, _ in courier.sent if delivery.kind is not DeliveryKind.BOARD]
    assert len(set(other_ids)) == len(other_ids)


async def test_a_delivery_superseded_while_it_is_drawn_is_not_posted(
    tables: Tables, clock: ManualClock
) -> None:
    """A board that is out of date before it is posted is not posted: a lost answer would leave two."""
    drawn: list[Delivery] = []
    posted_ids: list[int] = []

    class BoardCourier(ScriptedCourier):
        """Posts boards; a move is made while the first is drawn, and the answer to the first post is lost."""

        async def deliver(
            self,
            delivery: Delivery,
            table: Table,
            posted_messages: dict[Slot, PostedMessage],
            attempt: Attempt,
        ) -> DeliveryResult:
            if delivery.kind is not DeliveryKind.BOARD:
                return await super().deliver(delivery, table, posted_messages, attempt)
            drawn.append(delivery)
            if len(drawn) == 1:
                await make_move(tables, number, random.Random(1))
            await attempt.begin_post(table.row.game_channel)
            posted_ids.append(delivery.id)  # the nonce
            if len(posted_ids) == 1:
                raise TryLater
            return DeliveryResult(
                PostedMessage(delivery.slot, table.row.game_channel, delivery.id, table.row.ply, 0.0)
            )

    number = await begin(tables, SETUP)
    outbox = ManualOutbox(tables, BoardCourier())
    while await run_outbox(outbox, number) is not None:
        clock.now += MAX_RETRY_WAIT
    assert len(set(posted_ids)) == 1, "two boards"
    boards = [each for each in await tables.store.posted_messages(number) if each.slot == BOARD_DELIVERY.slot]
    ply = (await tables.get(number)).row.ply
    assert [(each.message_id, each.ply) for each in boards] == [(posted_ids[0], ply)]


async def test_a_crash_before_marking_repeats_the_nonce(
    database_path: Path, courier: ScriptedCourier
) -> None:
    """After a crash right after sending, the same delivery goes again with the same nonce, then no more."""
    store = await open_store(database_path)
    tables = Tables(store, GAMES_AND_TOYS, ManualClock())

    async def fail(*_: object) -> None:
        raise StoreError("the process is gone")

    store.mark_delivered = fail  # type: ignore[method-assign,assignment]
    number = await begin(tables, SETUP)
    with pytest.raises(StoreError):
        await run_outbox(ManualOutbox(tables, courier), number)
    await store.close()
    reopened_store = await open_store(database_path)
    assert (
        await run_outbox(ManualOutbox(Tables(reopened_store, GAMES_AND_TOYS, ManualClock()), courier), number)
        is None
    )
    ids = [delivery.id for delivery, _, _ in courier.sent]
    assert ids[0] == ids[1]
    assert len(set(ids)) == len(ids) - 1
    await reopened_store.close()


async def test_what_an_earlier_run_left_is_sent(tables: Tables, courier: ScriptedCourier) -> None:
    """An outbox that starts sends what the process before it had stored."""
    number = await begin(tables, SETUP)
    outbox = Outbox(tables, courier)
    await outbox.start()
    await wait_until_sent(tables, number)
    await outbox.stop()
    assert courier.sent


async def test_what_is_sent_is_not_sent_again_while_it_cannot_be_marked(
    tables: Tables,
    outbox: Outbox,
    courier: ScriptedCourier,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a full disk the marking is repeated, not the message; what comes later waits for it."""
    number = await begin(tables, SETUP)
    waiting = await tables.store.waiting_deliveries(number)
    real, is_full = SqliteStore.mark_delivered, True

    async def mark_delivered(self: SqliteStore, *arguments: Any) -> None:
        if is_full:
            raise StoreError("the disk is full")
        await real(self, *arguments)

    monkeypatch.setattr(SqliteStore, "mark_delivered", mark_delivered)
    for _ in range(5):
        with pytest.raises(StoreError):
            await run_outbox(outbox, number)
        clock.now += MAX_RETRY_WAIT
    assert [delivery for delivery, _, _ in courier.sent] == list(waiting[:1])
    await make_move(tables, number, random.Random(0))  # its board takes the place of the one that waits
    with pytest.raises(StoreError):
        await run_outbox(outbox, number)
    is_full = False
    assert await run_outbox(outbox, number) is None
    ids = [delivery.id for delivery, _, _ in courier.sent]
    assert len(set(ids)) == len(ids)
    message_by_slot = {
        posted.slot: posted.message_id for posted in await tables.store.posted_messages(number)
    }
    sent = enumerate((delivery.slot for delivery, _, _ in courier.sent), 1)
    assert message_by_slot == {
        slot: message for message, slot in sent if slot.kind is not DeliveryKind.THREAD
    }


async def test_a_waiting_hand_holds_up_no_board(tables: Tables) -> None:
    """While hands wait for Discord's limit each move gets its board; then only the newest hands are sent."""
    courier = SlowCourier(Priority.MEDIUM)
    outbox = Outbox(tables, courier)
    number = await begin(tables, SETUP)
    for step in range(4):
        await make_move(tables, number, random.Random(step))
        await courier.wait_for(DeliveryKind.BOARD, (await tables.get(number)).row.ply)
    assert DeliveryKind.HAND not in {delivery.kind for delivery, _, _ in courier.sent}
    waiting_slots = [each.slot for each in await tables.store.waiting_deliveries(number)]
    assert set(waiting_slots) >= {hand_delivery(seat).slot for seat in range(4)}
    courier.released.set()
    ply = (await tables.get(number)).row.ply
    await courier.wait_for(DeliveryKind.HAND, ply)
    await outbox.stop()
    hand_slots = [delivery.slot for delivery, _, _ in courier.sent if delivery.kind is DeliveryKind.HAND]
    assert {shown for delivery, shown, _ in courier.sent if delivery.kind is DeliveryKind.HAND} == {ply}
    assert len(hand_slots) <= len(waiting_slots), "a hand that a newer one has superseded was sent"


async def test_old_buttons_come_last_and_hold_up_nothing(tables: Tables) -> None:
    """They are removed after boards and hands; while that waits for Discord's limit, all others are sent."""
    courier = SlowCourier(Priority.LOW)
    courier.replacing_kind = DeliveryKind.BOARD
    outbox = Outbox(tables, courier)
    number = await begin(tables, SETUP)
    for step in range(3):
        await make_move(tables, number, random.Random(step))
        ply = (await tables.get(number)).row.ply
        await courier.wait_for(DeliveryKind.BOARD, ply)
        await courier.wait_for(DeliveryKind.HAND, ply)
    queued = await tables.store.waiting_deliveries(number)
    waiting_slots = {each.slot for each in queued if each.kind is DeliveryKind.OLD_BUTTONS}
    assert len(waiting_slots) >= 3
    assert DeliveryKind.OLD_BUTTONS not in {delivery.kind for delivery, _, _ in courier.sent}
    courier.released.set()
    async with asyncio.timeout(WAIT_TIMEOUT):
        while not waiting_slots <= {delivery.slot for delivery, _, _ in courier.sent}:
            courier.arrived.clear()
            await courier.arrived.wait()
    await outbox.stop()


async def test_old_buttons_follow_the_hands(tables: Tables) -> None:
    """No button is taken off while a hand is being sent, so the order does not depend on the network."""
    courier = SlowCourier(Priority.MEDIUM)
    courier.replacing_kind = DeliveryKind.BOARD
    outbox = Outbox(tables, courier)
    number = await begin(tables, SETUP)
    for step in range(2):
        await make_move(tables, number, random.Random(step))
        await courier.wait_for(DeliveryKind.BOARD, (await tables.get(number)).row.ply)
    await asyncio.sleep(0.1)
    assert {priority_of(delivery) for delivery, _, _ in courier.sent} == {Priority.HIGH}
    courier.released.set()
    await wait_until_sent(tables, number)
    await outbox.stop()
    kinds = [delivery.kind for delivery, _, _ in courier.sent]
    assert kinds.index(DeliveryKind.HAND) < kinds.index(DeliveryKind.OLD_BUTTONS)


async def test_hands_follow_the_board(tables: Tables) -> None:
    """No hand is tried while the board of its move is being sent."""
    courier = SlowCourier(Priority.HIGH)
    outbox = Outbox(tables, courier)
    number = await begin(tables, SETUP)
    for _ in range(50):
        await asyncio.sleep(0.002)
    assert not courier.tried, "something was sent before the public messages"
    courier.released.set()
    await courier.wait_for(DeliveryKind.HAND, (await tables.get(number)).row.ply)
    await outbox.stop()
    kinds = courier.sent_kinds()
    assert "hand" not in kinds[: len(kinds) - kinds[::-1].index("board")]
