"""What each answer to the offer of a seat brings about: who must have agreed, and what is sent of it."""

from collections.abc import Callable

import msgspec
import pytest

from bot.host.deciders import offer_answers
from bot.host.deciders.decision import Decision
from bot.host.deciders.seat_offers import OBJECTION_TIME
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal, Request
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.sqlite import SqliteStore
from tests.bot.host.offered_seats import (
    GUEST,
    GUEST_USER,
    HOST,
    RIVAL,
    SECOND_GUEST_USER,
    THIRD,
    accept_offer,
    answer_and_get_table,
    offer_of,
    offer_seat,
    offer_to_anybody,
)
from tests.bot.host.playing import FIRST_USER, ManualClock, give_seat_away, request_of_person, request_of_user
from tests.bot.store.sample_rows import execute_sql


async def offer_texts_after(tables: Tables, number: int, delivery_id: int) -> list[str]:
    """Return the texts of the edits of offers that wait since a delivery."""
    return [
        each.text
        for each in await tables.store.waiting_deliveries(number)
        if each.kind is DeliveryKind.OFFER and each.id > delivery_id
    ]


@pytest.mark.parametrize("is_accepted_first", [False, True])
async def test_a_seat_passes_to_somebody_who_accepts_alone(
    tables: Tables, number: int, *, is_accepted_first: bool
) -> None:
    """Its player may agree before or after; each answer stands in the offer, and is given once."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, GUEST)
    guest_request, rival_request = request_of_user(GUEST_USER), request_of_person(RIVAL)
    answers: list[tuple[Request, Callable[..., Decision], str]] = [
        (guest_request, offer_answers.accept_offer, "Guest accepts"),
        (rival_request, offer_answers.agree_to_give_seat_away, "Ben agrees"),
    ]
    first, second = answers if is_accepted_first else answers[::-1]
    table = await answer_and_get_table(tables, number, RIVAL, *first[:2])
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL
    assert first[2] in offer_of(table, RIVAL).text
    assert DeliveryKind.OFFER in {each.kind for each in await tables.store.waiting_deliveries(number)}
    request = request_of_user(first[0].user)
    with pytest.raises(Refusal, match="already"):
        await answer_and_get_table(tables, number, RIVAL, request, first[1])
    table = await answer_and_get_table(tables, number, RIVAL, *second[:2])
    assert table.seats[RIVAL].user == GUEST_USER
    assert table.row.unrated_reason is None


async def test_nobody_objects_once_a_seat_may_be_taken(tables: Tables, number: int) -> None:
    """What its player has agreed to is between them and the newcomer."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, GUEST)
    await answer_and_get_table(
        tables, number, RIVAL, request_of_person(RIVAL), offer_answers.agree_to_give_seat_away
    )
    with pytest.raises(Refusal, match="only the newcomer can decline now"):
        await answer_and_get_table(
            tables, number, RIVAL, request_of_person(THIRD), offer_answers.decline_offer
        )
    with pytest.raises(Refusal, match="Only the newcomer and people who play"):
        await answer_and_get_table(
            tables, number, RIVAL, request_of_user(SECOND_GUEST_USER), offer_answers.decline_offer
        )
    assert offer_of(await tables.get(number), RIVAL).approved


async def test_nobody_accepts_for_a_computer_player(tables: Tables, number: int) -> None:
    """Its seat is handed over without an answer, and the message of the offer says so."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, None)
    with pytest.raises(Refusal, match="offered to somebody else"):
        await accept_offer(tables, number, RIVAL, GUEST_USER)
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(number))
    await answer_and_get_table(
        tables, number, RIVAL, request_of_person(RIVAL), offer_answers.agree_to_give_seat_away
    )
    assert (await tables.get(number)).seats[RIVAL].computer == "random"
    assert await offer_texts_after(tables, number, newest_id) == ["The seat has been handed over."]


async def test_somebody_who_had_another_seat_meanwhile_gets_none(
    tables: Tables, number: int, clock: ManualClock
) -> None:
    """Whoever has accepted two offers and left the first seat would know the secrets of both."""
    for seat in (RIVAL, THIRD):
        await offer_seat(tables, number, request_of_person(HOST), seat, GUEST)
        await accept_offer(tables, number, seat, GUEST_USER)
    await answer_and_get_table(
        tables, number, RIVAL, request_of_person(RIVAL), offer_answers.agree_to_give_seat_away
    )
    await give_seat_away(tables, number, RIVAL, None)
    clock.now += OBJECTION_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert (table.seats[THIRD].user, table.seats[THIRD].offer) == (FIRST_USER + THIRD, None)
    assert any(
        "has taken another seat here" in each.text for each in await tables.store.waiting_deliveries(number)
    )


async def test_a_seat_that_was_open_may_be_offered_again_at_once(tables: Tables, number: int) -> None:
    """Nobody declined its offer: it is not asked for again in vain."""
    for request in (request_of_person(RIVAL), request_of_person(HOST)):
        await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
        request_now = msgspec.structs.replace(request, at=int(tables.clock()))
        await answer_and_get_table(tables, number, RIVAL, request_now, offer_answers.decline_offer)
        table = await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
        assert not offer_of(table, RIVAL).approved


@pytest.mark.parametrize("is_agreed", [True, False])
async def test_a_seat_handed_to_a_computer_stands_in_the_log_of_changes(
    tables: Tables, store: SqliteStore, number: int, clock: ManualClock, *, is_agreed: bool
) -> None:
    """The log says who got it, beside who offered it."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, None)
    if is_agreed:
        decide = offer_answers.agree_to_give_seat_away
        await answer_and_get_table(tables, number, RIVAL, request_of_person(RIVAL), decide)
    else:
        clock.now += OBJECTION_TIME
        await Housekeeping(tables).do_due_work_at_tables()
    entries = [entry for (entry,) in await execute_sql(store, "select entry from audit_log order by id")]
    assert len(entries) == 2
    assert " takes seat B from Ben." in entries[1]
