"""What is sent next: boards first, then hands, then edits of old messages; each shows the newest."""

import asyncio
import random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.host.courier_protocol import DeliveryResult
from bot.host.deciders.decision import hand_delivery
from bot.host.deciders.undoing import undo_to
from bot.host.delivery_order import Priority, next_of_each_slot, priority_of
from bot.host.outbox import Outbox
from bot.host.table import Table
from bot.host.table_turns import current_turn_start, turn_deliveries
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, DeliveryKind, PendingPost, ReplacedMessage, Slot, TurnMessage
from rules.model import MODERATOR
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, begin, default_setup, make_move
from tests.bot.host.scripted_courier import ManualReservations, ScriptedCourier, SlowCourier, wait_until_sent
from tests.trials import WAIT_TIMEOUT

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])


@pytest.mark.parametrize(
    ("failed_attempt_count", "seconds_until_attempt", "is_held"),
    [(0, 0.0, True), (0, 300.0, False), (6, 0.0, False)],
)
def test_board_and_result_wait_for_a_turn(
    failed_attempt_count: int, seconds_until_attempt: float, *, is_held: bool
) -> None:
    """A turn before them holds up board and result alone, for a few attempts and while the next is soon."""
    slots = [Slot(DeliveryKind.TURN, subject_id=4), *map(Slot, (DeliveryKind.BOARD, DeliveryKind.RESULT))]
    slots += [Slot(DeliveryKind.NOTICE), Slot(DeliveryKind.TURN, subject_id=7), hand_delivery(0).slot]
    deliveries = [Delivery(i, 1, 9, slot, "", 0, 0.0) for i, slot in enumerate(slots)]
    deliveries[0] = replace(
        deliveries[0], failed_attempt_count=failed_attempt_count, due=50.0 + seconds_until_attempt
    )
    public_slots = {delivery.slot for delivery in next_of_each_slot(deliveries, 50.0, Priority.HIGH, ())}
    assert public_slots == set(slots[:-1]) - (set(slots[1:3]) if is_held else set())
    assert [each.slot for each in next_of_each_slot(deliveries, 50.0, Priority.MEDIUM, ())] == slots[-1:]


def test_a_slot_is_sent_by_one_worker_at_a_time() -> None:
    """While one worker sends something of a slot no other does, and nothing else waits for it."""
    slots = [Slot(DeliveryKind.TURN, subject_id=4), Slot(DeliveryKind.BOARD)]
    deliveries = [Delivery(i, 1, 9, slot, "", 0, 0.0) for i, slot in enumerate(slots)]
    for in_flight, expected_slots in (((), slots[:1]), (slots[:1], slots[1:]), (slots, [])):
        assert [
            each.slot for each in next_of_each_slot(deliveries, 50.0, Priority.HIGH, in_flight)
        ] == expected_slots


@pytest.mark.parametrize("turn_message", TurnMessage)
def test_the_edit_of_a_turns_message_waits_for_a_board(turn_message: TurnMessage) -> None:
    """A turn that edits the board's message waits for a newer board; a turn of its own post comes first."""
    turn_slot, board_slot = Slot(DeliveryKind.TURN, subject_id=4), Slot(DeliveryKind.BOARD)
    deliveries = [Delivery(0, 1, 9, turn_slot, "", 0, 0.0, turn_message=turn_message)]
    deliveries.append(Delivery(1, 1, 9, board_slot, "", 40, 0.0))
    high_slots = [each.slot for each in next_of_each_slot(deliveries, 50.0, Priority.HIGH, ())]
    assert high_slots == ([turn_slot] if turn_message is TurnMessage.NEW else [board_slot])
    low_slots = [each.slot for each in next_of_each_slot(deliveries, 50.0, Priority.LOW, ())]
    assert low_slots == ([turn_slot] if turn_message is TurnMessage.OWN else [])
    deliveries_with_pending_post = [replace(deliveries[0], pending_post=PendingPost(51, 40.0)), deliveries[1]]
    assert [
        each.slot for each in next_of_each_slot(deliveries_with_pending_post, 50.0, Priority.HIGH, ())
    ] == [turn_slot]


class TurnCourier(SlowCourier):
    """A courier whose boards show turns, and which is slow to edit the message of one."""

    def __init__(self) -> None:
        super().__init__(Priority.LOW)
        self.edit_begun = asyncio.Event()
        """Set once the message of a turn is being edited."""

    async def deliver(self, delivery: Delivery, table: Table, *arguments: Any) -> DeliveryResult:
        """Send, and remember which turn is shown."""
        if priority_of(delivery) is self.slow_priority:
            self.edit_begun.set()
        sent = await super().deliver(delivery, table, *arguments)
        shown_turn_start = (
            current_turn_start(table) if delivery.kind is DeliveryKind.BOARD else delivery.slot.subject_id
        )
        if sent.posted is None:
            return sent
        old_message = {posted.slot: posted for posted in arguments[0].values()}.get(delivery.slot)
        replaced = (
            ReplacedMessage(old_message) if delivery.kind is DeliveryKind.BOARD and old_message else None
        )
        return replace(
            sent, posted=replace(sent.posted, shown_turn_start=shown_turn_start), replaced=replaced
        )


async def test_a_correction_waits_for_the_edit_that_is_on_its_way(tables: Tables) -> None:
    """The message of a turn is being edited when it is undone: then it is corrected, but no board waits."""
    courier = TurnCourier()
    outbox = Outbox(tables, courier)
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
    kept_length, seat = (await tables.get(number)).row.ply, (await tables.get(number)).to_act
    await wait_until_sent(tables, number)
    while (await tables.get(number)).to_act == seat:
        await make_move(tables, number, random.Random(0))
    table_after_turn = await tables.get(number)
    assert table_after_turn.match is not None
    (turn_delivery,) = turn_deliveries(None, table_after_turn.match)
    async with asyncio.timeout(WAIT_TIMEOUT):
        await courier.edit_begun.wait()
    await tables.change(number, None, lambda table: undo_to(table, MODERATOR, kept_length, "Undone."))
    await courier.wait_for(DeliveryKind.BOARD, (await tables.get(number)).row.ply)
    assert turn_delivery.slot not in {delivery.slot for delivery, _, _ in courier.sent}
    (correction,) = [
        each for each in await tables.store.waiting_deliveries(number) if each.slot == turn_delivery.slot
    ]
    assert priority_of(correction) is Priority.HIGH
    courier.released.set()
    await courier.wait_for(DeliveryKind.TURN, (await tables.get(number)).row.ply)
    await outbox.stop()
    assert [delivery.id for delivery, _, _ in courier.sent if delivery.slot == turn_delivery.slot][
        -1
    ] == correction.id


async def test_a_hand_that_waits_for_its_call_shows_the_newest(tables: Tables) -> None:
    """It is prepared when its call may be made: however many moves came meanwhile, it is sent once."""
    courier, reservations = SlowCourier(Priority.LOW), ManualReservations()
    courier.released.set()
    outbox = Outbox(tables, courier, reservations.reserve)
    number = await begin(tables, SETUP)
    await asyncio.wait_for(reservations.waiting.wait(), WAIT_TIMEOUT)
    for step in range(3):
        await make_move(tables, number, random.Random(step))
        await courier.wait_for(DeliveryKind.BOARD, (await tables.get(number)).row.ply)
    reservations.granted.set()
    ply = (await tables.get(number)).row.ply
    await wait_until_sent(tables, number)
    await outbox.stop()
    hands = [(each.slot, each.ply, shown) for each, shown, _ in courier.sent if each.slot.seat is not None]
    assert {shown for _, _, shown in hands} == {ply}
    assert len({slot for slot, _, _ in hands}) == len(hands)
    assert ply in {queued for _, queued, _ in hands}


async def test_each_call_is_reserved_at_its_own_priority(tables: Tables) -> None:
    """Those of hands and those that take buttons off old posts; boards go without."""
    courier, reservations = ScriptedCourier(), ManualReservations()
    courier.replacing_kind = DeliveryKind.BOARD
    reservations.granted.set()
    outbox = Outbox(tables, courier, reservations.reserve)
    number = await begin(tables, SETUP)
    await make_move(tables, number, random.Random(0))
    await wait_until_sent(tables, number)
    await outbox.stop()
    sent = [priority_of(delivery) for delivery, _, _ in courier.sent]
    assert set(sent) == set(Priority)
    assert reservations.priorities == [each for each in sent if each is not Priority.HIGH]


async def test_a_stop_does_not_wait_for_calls(tables: Tables) -> None:
    """What waits until a call may be made has sent nothing: it ends at once, and waits in the store."""
    courier, reservations = ScriptedCourier(), ManualReservations()
    outbox = Outbox(tables, courier, reservations.reserve)
    number = await begin(tables, SETUP)
    await asyncio.wait_for(reservations.waiting.wait(), WAIT_TIMEOUT)
    async with asyncio.timeout(WAIT_TIMEOUT):
        await outbox.stop()
    assert hand_delivery(0).slot in {each.slot for each in await tables.store.waiting_deliveries(number)}
    assert "hand" not in courier.sent_kinds()
