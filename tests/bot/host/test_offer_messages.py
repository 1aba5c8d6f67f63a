"""The messages that offer a seat: edited while answers are missing, without buttons once settled."""

import random
from functools import partial
from typing import Any

import pytest

from bot.error_codes import ErrorCode
from bot.host.deciders import offer_answers
from bot.host.deciders.seat_offers import OBJECTION_TIME
from bot.host.housekeeping import Housekeeping
from bot.host.tables import Tables
from bot.store.seat_rows import SeatOffer
from rules.model import Seat
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.offered_seats import GUEST, answer_offer, offer_of, offer_seat
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
    request_of_user,
)

OFFERED_SEAT = Seat(2)


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> ChatTable:
    """Return a table of four people whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4)))
    await chat_table.send_all()
    return chat_table


async def offer_to_guest(chat_table: ChatTable) -> FakeMessage:
    """Let the host offer another player's seat to a guest; return the message that asks."""
    host_request = request_of_person(0)
    await offer_seat(chat_table.tables, chat_table.number, host_request, OFFERED_SEAT, GUEST, is_posted=False)
    await chat_table.send_all()
    return chat_table.newest_message()


async def current_offer(chat_table: ChatTable) -> SeatOffer:
    """Return the open offer."""
    return offer_of(await chat_table.tables.get(chat_table.number), OFFERED_SEAT)


async def accept_as_guest(chat_table: ChatTable) -> None:
    """Let the guest accept."""
    request = request_of_user(GUEST.user)
    await answer_offer(
        chat_table.tables, chat_table.number, OFFERED_SEAT, request, offer_answers.accept_offer
    )
    await chat_table.send_all()


async def decline(chat_table: ChatTable, seat: int) -> None:
    """Let the player of a seat decline."""
    request = request_of_person(seat)
    await answer_offer(
        chat_table.tables, chat_table.number, OFFERED_SEAT, request, offer_answers.decline_offer
    )
    await chat_table.send_all()


@pytest.mark.parametrize("code", [ErrorCode.UNKNOWN_MESSAGE, ErrorCode.TOO_MANY_OLD_EDITS])
async def test_an_offer_that_is_posted_again_mentions_nobody_again(chat_table: ChatTable, code: int) -> None:
    """Its message was deleted, or is too old to be edited as often: who is still asked was mentioned then."""
    first_message = await offer_to_guest(chat_table)
    assert first_message.raw_mentions
    chat_table.chat.fault_of_call = lambda action, message: (
        http_error(code) if (action, message) == ("edit", first_message) else None
    )
    await accept_as_guest(chat_table)
    second_message = chat_table.newest_message()
    assert second_message is not first_message
    assert f"<@{FIRST_USER + OFFERED_SEAT}>" in second_message.content
    assert second_message.raw_mentions == []


async def test_an_offer_deleted_in_an_archived_thread_is_posted_again(chat_table: ChatTable) -> None:
    """Discord may say that the thread is archived before it says that the message is gone."""
    first_message = await offer_to_guest(chat_table)
    codes = [ErrorCode.THREAD_ARCHIVED, ErrorCode.UNKNOWN_MESSAGE]
    chat_table.chat.fault_of_call = lambda action, message: (
        http_error(codes.pop(0)) if codes and (action, message) == ("edit", first_message) else None
    )
    await accept_as_guest(chat_table)
    assert not codes
    assert chat_table.newest_message() is not first_message
    assert "Guest accepts." in chat_table.newest_message().content


@pytest.mark.parametrize("refused_edit", [1, 2])
@pytest.mark.parametrize("status", [401, 429])
async def test_a_settled_offer_loses_its_buttons_after_a_refusal_for_now(
    chat_table: ChatTable, status: int, refused_edit: int
) -> None:
    """Whichever of its edits Discord refuses for a reason that has nothing to do with the message."""
    asking, edits = await offer_to_guest(chat_table), list[str]()

    def refuse(action: str, message: FakeMessage) -> Any:
        edits.extend([action] if (action, message) == ("edit", asking) else [])
        return http_error(0, status) if len(edits) == refused_edit else None

    chat_table.chat.fault_of_call = refuse
    await decline(chat_table, 1)
    assert labels(asking) == []
    assert "Ben declined." in asking.content


async def test_an_offer_is_one_message(chat_table: ChatTable) -> None:
    """It says who offers what to whom; an answer edits it; once settled it keeps only what was asked."""
    count_before = len(chat_table.chat.public_messages())
    message = await offer_to_guest(chat_table)
    assert len(chat_table.chat.public_messages()) == count_before + 1
    assert "Ava (host) offers seat C of Chloé to Guest." in message.content
    assert labels(message) == ["Accept the seat", "Give my seat away", "Decline", "Withdraw"]
    assert set(message.raw_mentions) == {GUEST.user, *(FIRST_USER + seat for seat in (1, 2, 3))}
    await accept_as_guest(chat_table)
    assert chat_table.newest_message() is message, "everybody is mentioned again"
    assert "Guest accepts." in message.content
    assert labels(message) == ["Give my seat away", "Decline", "Withdraw"]
    await decline(chat_table, 1)
    assert labels(message) == []
    assert message.content.splitlines()[1:] == ["Ben declined. Seat C stays with Chloé."]
    assert chat_table.newest_message() is message, "it says alone that it was declined"


@pytest.mark.parametrize("has_moved", [False, True])
async def test_the_end_of_an_offer_is_told_below_it_once_somebody_has_moved(
    chat_table: ChatTable, *, has_moved: bool
) -> None:
    """Its message may be far above by then."""
    message = await offer_to_guest(chat_table)
    if has_moved:
        await make_move(chat_table.tables, chat_table.number, random.Random(4))
    await decline(chat_table, 0)
    reason, consequence = "Ava (host) withdrew the offer.", "Seat C stays with Chloé."
    assert message.content.endswith(reason if has_moved else f"{reason} {consequence}")
    outcomes = [each for each in chat_table.chat.public_messages() if each.content.endswith(consequence)]
    assert len(outcomes) == 1
    assert (outcomes != [message]) is has_moved


async def test_a_notice_alone_says_who_takes_a_seat(chat_table: ChatTable) -> None:
    """The message of the offer says that the seat is handed over, and not once more to whom."""
    message = await offer_to_guest(chat_table)
    await accept_as_guest(chat_table)
    request, offer = request_of_person(OFFERED_SEAT), await current_offer(chat_table)
    agree = partial(
        offer_answers.agree_to_give_seat_away,
        request=request,
        seat=OFFERED_SEAT,
        offer_id=offer.id,
        computer="random",
    )
    await chat_table.tables.change(chat_table.number, request, agree)
    await chat_table.send_all()
    assert message.content.splitlines()[1:] == ["The seat has been handed over."]
    assert chat_table.newest_message().content.endswith("· Guest takes seat C from Chloé.")


async def test_a_newcomer_is_mentioned_again_when_nobody_declined(chat_table: ChatTable) -> None:
    """A day later only the newcomer is missing: a new message says so, and the old one is settled."""
    first_message = await offer_to_guest(chat_table)
    chat_table.clock.now += OBJECTION_TIME
    await Housekeeping(chat_table.tables).do_due_work_at_tables()
    await chat_table.send_all()
    message = chat_table.newest_message()
    assert message is not first_message
    assert message.raw_mentions == [GUEST.user]
    assert labels(message) == ["Accept the seat", "Decline", "Withdraw"]
    assert "Nobody declined in time. Guest may take seat C of Chloé." in message.content
    assert first_message.content.endswith("\nNobody declined in time.")
    await accept_as_guest(chat_table)
    assert labels(message) == []
    assert (await chat_table.tables.get(chat_table.number)).seats[OFFERED_SEAT].user == GUEST.user


async def test_somebody_who_offers_a_seat_may_withdraw_it(chat_table: ChatTable) -> None:
    """The host presses **Decline** at the host's own offer."""
    await offer_to_guest(chat_table)
    await decline(chat_table, 0)
    assert "Ava (host) withdrew the offer. Seat C stays with Chloé." in chat_table.newest_message().content
