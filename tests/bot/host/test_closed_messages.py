"""Closed direct messages are announced once."""

import random

from bot.host import dm_status
from bot.host.courier_protocol import ClosedMessages
from bot.host.deciders.decision import Decision, hand_delivery, time_over_delivery
from bot.host.outbox import Outbox
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from tests.bot.host.playing import EVERY_GAME, GAME_WITH_SECRETS, begin, default_setup, make_move, request_of
from tests.bot.host.scripted_courier import ScriptedCourier, run_outbox

SETUP = default_setup(EVERY_GAME[GAME_WITH_SECRETS])


async def test_closed_messages_are_announced_once(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """A player whose messages are closed reads so in public, once, with what to do; the game goes on."""
    number = await begin(tables, SETUP)
    courier.fault = lambda delivery: ClosedMessages() if delivery.slot == hand_delivery(1).slot else None
    rng = random.Random(0)
    for _ in range(12):
        assert await run_outbox(outbox, number) is None
        if (await tables.get(number)).to_act is not None:
            await make_move(tables, number, rng)
    notices = [delivery.text for delivery, _, _ in courier.sent if delivery.kind is DeliveryKind.NOTICE]
    closed_notices = [text for text in notices if "direct messages" in text]
    assert len(closed_notices) == 1
    assert "My hand" in closed_notices[0]


async def test_public_messages_say_nothing_of_closed_ones(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """A public message about a player is no sign that direct ones arrive: they are not announced again."""
    number = await begin(tables, SETUP)
    courier.fault = lambda delivery: ClosedMessages() if delivery.slot == hand_delivery(1).slot else None
    assert await run_outbox(outbox, number) is None
    await dm_status.resend_hand_if_closed(tables, await tables.get(number), request_of(1))
    public = time_over_delivery(1, "Time is over.")

    def say(current: Table) -> Decision:
        return Decision(table=current, answer="", deliveries=(public,))

    await tables.change(number, None, say)
    assert await run_outbox(outbox, number) is None
    sent = [delivery for delivery, _, _ in courier.sent]
    assert [delivery for delivery in sent if delivery.slot == public.slot]
    assert len([each for each in sent if "direct messages" in each.text]) == 1
