"""Closed direct messages: what is announced of them and when, and what is sent once they are open."""

import random
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from msgspec.structs import replace

from bot.error_codes import ErrorCode
from bot.host import dm_status
from bot.host.courier_protocol import DirectMessagesClosed
from bot.host.deciders import departures, moderation
from bot.host.deciders.decision import Decision, hand_delivery, time_over_delivery
from bot.host.outbox import Outbox
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, DeliveryKind
from bot.store.seat_rows import DirectMessages
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import FLAGGED_AS_SPAM, stub_board_pictures
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.scripted_courier import ScriptedCourier, run_outbox

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])


async def test_closed_messages_are_announced_once(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """A player whose messages are closed reads so in public, once, with what to do; the game goes on."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        DirectMessagesClosed() if delivery.slot == hand_delivery(1).slot else None
    )
    rng = random.Random(0)
    for _ in range(12):
        assert await run_outbox(outbox, number) is None
        if (await tables.get(number)).to_act is not None:
            await make_move(tables, number, rng)
    notices = [delivery.text for delivery, _, _ in courier.sent if delivery.kind is DeliveryKind.NOTICE]
    closed_notices = [text for text in notices if "direct messages" in text]
    assert len(closed_notices) == 1
    assert "My hand" in closed_notices[0]


async def test_a_press_during_an_attempt_leads_to_another_attempt(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """Somebody who opens their messages while one to them is about to be refused gets the hand at once."""
    number = await begin(tables, SETUP)

    refusals = iter((DirectMessagesClosed(), DirectMessagesClosed()))

    async def press_and_refuse(delivery: Delivery) -> None:
        if delivery.slot == hand_delivery(1).slot and (refusal := next(refusals, None)) is not None:
            await dm_status.resend_hand_if_closed(tables, await tables.get(number), request_of_person(1))
            raise refusal

    courier.before_delivery = press_and_refuse
    await run_outbox(outbox, number)
    assert not [each for each, _, _ in courier.sent if each.slot == hand_delivery(1).slot]
    await dm_status.resend_hand_if_closed(tables, await tables.get(number), request_of_person(1))
    await run_outbox(outbox, number)
    assert [each for each, _, _ in courier.sent if each.slot == hand_delivery(1).slot]
    assert (await tables.get(number)).seats[1].direct_messages is DirectMessages.OPEN, "later hands follow"


async def test_public_messages_say_nothing_of_closed_ones(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier
) -> None:
    """A public message about a player is no sign that direct ones arrive: they are not announced again."""
    number = await begin(tables, SETUP)
    courier.fault_before_sending = lambda delivery: (
        DirectMessagesClosed() if delivery.slot == hand_delivery(1).slot else None
    )
    assert await run_outbox(outbox, number) is None
    await dm_status.resend_hand_if_closed(tables, await tables.get(number), request_of_person(1))
    public_delivery = time_over_delivery(1, FIRST_USER + 1, "Time is over.")

    def say(current: Table) -> Decision:
        return Decision(table=current, answer="", deliveries=(public_delivery,))

    await tables.change(number, None, say)
    assert await run_outbox(outbox, number) is None
    sent = [delivery for delivery, _, _ in courier.sent]
    assert [delivery for delivery in sent if delivery.slot == public_delivery.slot]
    assert len([each for each in sent if "direct messages" in each.text]) == 1


@pytest.mark.parametrize(
    ("code", "error_type"),
    [(FLAGGED_AS_SPAM, discord.Forbidden), (ErrorCode.UNKNOWN_CHANNEL, discord.NotFound)],
)
async def test_a_refused_direct_message_is_no_fault_of_the_tables_channel(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    error_type: type[discord.HTTPException],
) -> None:
    """For no reason does the host read that the bot may not post there, or that the table should move."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2)))
    channel = (await chat_table.chat.create_dm(discord.Object(FIRST_USER + 1))).id
    error = error_type(
        cast("Any", SimpleNamespace(status=403, reason="")), {"code": code, "message": "refused"}
    )
    chat_table.chat.fault_of_call = lambda _, message: error if message.channel.id == channel else None
    for _ in range(3):
        assert await run_outbox(chat_table.outbox, chat_table.number) is None, "it is tried again and again"
    assert chat_table.chat.messages_to_host == []
    notices = [
        each.content for each in chat_table.chat.public_messages() if "direct messages" in each.content
    ]
    assert len(notices) == (error_type is discord.Forbidden)


@pytest.mark.parametrize("has_left", [False, True])
async def test_nothing_is_announced_where_nothing_can_be_done(tables: Tables, *, has_left: bool) -> None:
    """Where a player has resigned, or the game is over, no hand is missed and no seat can be offered."""
    for is_ended in (False, True):
        number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3))
        if is_ended:
            await tables.change(
                number, request_of_person(0), partial(moderation.end, request=request_of_person(0))
            )
        else:
            resign = partial(departures.resign, request=request_of_person(1), computer="random")
            assert (await tables.change(number, request_of_person(1), resign)).table.seats[1].user is not None
        mark = dm_status.mark_left_server if has_left else dm_status.mark_messages_closed
        decision = mark(await tables.get(number), 1)
        assert decision is not None
        assert decision.deliveries == ()


async def test_a_frozen_game_announces_nothing_before_its_thaw(tables: Tables) -> None:
    """While nobody can press **My hand** or offer a seat, no advice is given; the hand is sent once more."""
    number = await begin(tables, SETUP)
    await tables.change(number, None, partial(moderation.freeze, reason="Why."))
    for mark in (dm_status.mark_messages_closed, dm_status.mark_left_server):
        assert mark(await tables.get(number), 1) is None
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(number))
    await tables.change(number, None, partial(moderation.thaw, reason="Well."))
    new_slots = {each.slot for each in await tables.store.waiting_deliveries(number) if each.id > newest_id}
    assert hand_delivery(1).slot in new_slots


async def test_the_announcement_names_who_can_offer_the_seat(tables: Tables) -> None:
    """The announcement names who can offer the seat: the host, unless the host is gone."""
    number = await begin(tables, SETUP)
    for seat, who in ((0, "An admin can"), (1, "The host can")):
        decision = dm_status.mark_left_server(await tables.get(number), seat)
        assert decision is not None
        assert who in decision.deliveries[0].text


@pytest.mark.parametrize("is_open", [False, True])
async def test_a_new_player_is_not_taken_for_the_last_one(
    tables: Tables, outbox: Outbox, courier: ScriptedCourier, *, is_open: bool
) -> None:
    """Whether the direct messages of a seat's last player are open says nothing about the new one."""
    number = await begin(tables, SETUP)
    newcomer_status = DirectMessages.RETRYING if is_open else DirectMessages.OPEN

    def give_seat_to_newcomer(table: Table) -> Decision:
        row = replace(table.seats[1], user=FIRST_USER + 50, direct_messages=newcomer_status)
        return Decision(table=table.with_row(seats=(table.seats[0], row, *table.seats[2:])), answer="")

    async def give_seat_meanwhile(delivery: Delivery) -> None:
        if delivery.slot == hand_delivery(1).slot:
            await tables.change(number, None, give_seat_to_newcomer)
            if not is_open:
                raise DirectMessagesClosed

    courier.before_delivery = give_seat_meanwhile
    await run_outbox(outbox, number)
    assert (await tables.get(number)).seats[1].direct_messages is newcomer_status
