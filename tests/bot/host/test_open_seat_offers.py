"""Offers of a seat to anybody: who makes them, who must agree, what repeats and what ends them."""

import re
from functools import partial
from typing import Any

import msgspec
import pytest

from bot.chat.pages import confirm_give_to_computer_post, confirm_resign_post
from bot.chat.posts import board_post
from bot.chat.question_posts import offer_post
from bot.host.deciders import offer_answers, seats, timeouts
from bot.host.deciders.decision import offer_delivery
from bot.host.deciders.seat_offers import (
    ACCEPT_TIME,
    OBJECTION_TIME,
    OPEN_TIME,
    newcomer_text,
    offer_needs_text,
    takeover_text,
)
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import HOUR, TimeControl, TimeoutAction
from bot.store.delivery_rows import DeliveryKind
from bot.store.results import UnratedReason
from bot.store.rows import Status
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.model import Seat
from tests.bot.chat.post_components import button_labels
from tests.bot.host.offered_seats import (
    GUEST_USER,
    HOST,
    RIVAL,
    SECOND_GUEST_USER,
    THIRD,
    accept_offer,
    answer_and_get_table,
    offer_of,
    offer_to_anybody,
)
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    RNG,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    mark_offers_posted,
    request_of_person,
    request_of_user,
)
from tests.bot.host.timed_tables import (
    begin_timed_table,
    change_as,
    change_row,
    delivery_texts,
    notice_texts,
    play_as_computer,
    timer_of,
)
from tests.bot.store.sample_rows import execute_sql


async def test_a_players_seat_waits_for_a_day_without_objection(
    tables: Tables, number: int, clock: ManualClock
) -> None:
    """The host's offer asks its player and the others first; then it stands open for three days."""
    table = await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    assert set(offer_post(table, RIVAL).notified_users) == {FIRST_USER + seat for seat in (1, 2, 3)}
    assert button_labels(offer_post(table, RIVAL)) == ["Give my seat away", "Decline", "Withdraw"]
    offer = table.seats[RIVAL].offer
    assert offer is not None
    assert (
        f"If nobody declines, anybody may take the seat after <t:{offer.due}:f>."
        in offer_post(table, RIVAL).text
    )
    assert (
        "-# Without Ben's agreement this game is no longer rated afterwards. If"
        in offer_post(table, RIVAL).text
    )
    with pytest.raises(Refusal, match="cannot be taken yet"):
        await accept_offer(tables, number, RIVAL, GUEST_USER)
    clock.now += OBJECTION_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert offer_of(table, RIVAL).is_open_to_anybody
    assert offer_of(table, RIVAL).due == clock.now + OPEN_TIME
    assert offer_post(table, RIVAL).notified_users == ()
    assert (
        "-# Once the seat is taken, this game is no longer rated. The offer ends <t:"
        in offer_post(table, RIVAL).text
    )
    clock.now += OPEN_TIME - 1
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).seats[RIVAL].offer is not None
    clock.now += 1
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.seats[RIVAL].offer is None
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL
    assert "Nobody took the seat in time. Seat B stays with Ben." in await notice_texts(tables, number)


async def test_the_player_of_an_offered_seat_agrees(tables: Tables, number: int, clock: ManualClock) -> None:
    """**Give my seat away** opens it at once, for three days, and the game stays rated."""
    await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    request = msgspec.structs.replace(request_of_person(RIVAL), at=int(clock.now))
    table = await answer_and_get_table(tables, number, RIVAL, request, offer_answers.agree_to_give_seat_away)
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL
    assert offer_of(table, RIVAL).due == clock.now + OPEN_TIME > clock.now + ACCEPT_TIME
    assert "rated" not in offer_post(table, RIVAL).text
    with pytest.raises(Refusal, match=r"^This has been agreed already"):
        await answer_and_get_table(
            tables, number, RIVAL, request_of_person(THIRD), offer_answers.agree_to_give_seat_away
        )
    table = await accept_offer(tables, number, RIVAL, GUEST_USER)
    assert table.seats[RIVAL].user == GUEST_USER
    assert table.row.unrated_reason is None
    assert (await notice_texts(tables, number))[-1].endswith(" takes seat B from Ben.")


async def test_nobody_is_told_to_move_in_a_pause(tables: Tables, number: int) -> None:
    """An offer says what its player can do now to keep the seat."""
    table = await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    assert "To stay, move or press **Decline**." in offer_post(table, RIVAL).text
    paused = table.with_row(status=Status.PAUSED)
    assert "To stay, press **Decline**." in offer_post(paused, RIVAL).text


@pytest.mark.parametrize("is_open", [False, True])
async def test_somebody_who_moves_keeps_the_seat(
    tables: Tables, clock: ManualClock, *, is_open: bool
) -> None:
    """A move of a player who has not agreed ends the offer, also after the day without objection.

    The offer's message, which is just above, says so alone.
    """
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
    while (await tables.get(number)).to_act != RIVAL:
        await make_move(tables, number, RNG)
    await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    if is_open:
        clock.now += OBJECTION_TIME
        await Housekeeping(tables).do_due_work_at_tables()
    assert offer_of(await tables.get(number), RIVAL).is_open_to_anybody is is_open
    table = (await make_move(tables, number, RNG)).table
    assert table.seats[RIVAL].offer is None
    text = "Ben moved. Seat B stays with Ben."
    assert (await delivery_texts(tables, number, DeliveryKind.OFFER))[-1] == text
    assert text not in await notice_texts(tables, number)


async def test_a_player_who_gives_the_seat_away_plays_on(tables: Tables) -> None:
    """Their moves do not end the offer that they made themselves."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
    seat = (await tables.get(number)).to_act
    assert seat is not None
    await offer_to_anybody(tables, number, request_of_person(seat), seat)
    assert (await make_move(tables, number, RNG)).table.seats[seat].offer is not None


async def test_a_substitutes_moves_do_not_keep_a_seat(tables: Tables, number: int) -> None:
    """While a computer plays the offer stands; the person who is back ends it, and everybody reads so."""
    while (table := await tables.get(number)).to_act != RIVAL:
        await make_move(tables, number, RNG)
    substituted_row = msgspec.structs.replace(
        table.seats[RIVAL], substitute="random", substituted_since_index=0
    )
    await change_row(tables, number, seats=(table.seats[0], substituted_row, *table.seats[2:]))
    await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    table = await play_as_computer(tables, number, RNG)
    assert table.seats[RIVAL].offer is not None
    table = await change_as(tables, number, RIVAL, timeouts.come_back)
    assert table.seats[RIVAL].offer is None
    assert "Ben is back and plays again. Seat B stays with Ben." in await notice_texts(tables, number)


async def test_the_seat_of_a_member_who_left_is_open_at_once(tables: Tables, number: int) -> None:
    """Nobody is asked."""
    table = await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL, has_left=True)
    assert offer_of(table, RIVAL).is_open_to_anybody
    assert "Ben has left the server." in offer_post(table, RIVAL).text
    assert offer_post(table, RIVAL).notified_users == ()


async def test_a_seat_whose_time_is_over_is_offered_by_the_others(tables: Tables, clock: ManualClock) -> None:
    """The other players may offer it alone, or let a computer play; its player is asked, or a day passes."""
    control = TimeControl(turn_seconds=12 * HOUR, grace_seconds=0, on_timeout=TimeoutAction.ALLOW_SUBSTITUTE)
    number = await begin_timed_table(tables, control, seat_count=4, game_key="currents")
    waiting_seat = timer_of(await tables.get(number)).seat
    other_seat = next(seat for seat in (Seat(1), Seat(2)) if seat != waiting_seat)
    with pytest.raises(Refusal, match=r"host \(Ava\), an admin"):
        await offer_to_anybody(tables, number, request_of_person(other_seat), Seat(waiting_seat))
    clock.now = (timer_of(await tables.get(number)).deadline or 0) + 1
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert "Offer to anybody" in button_labels(board_post(table, Seat(waiting_seat)))
    third_seat = next(seat for seat in (Seat(1), Seat(2), Seat(3)) if seat not in {waiting_seat, other_seat})
    with pytest.raises(Refusal, match=r"host \(Ava\), an admin"):
        await offer_to_anybody(tables, number, request_of_person(other_seat), third_seat)
    table = await offer_to_anybody(tables, number, request_of_person(other_seat), Seat(waiting_seat))
    assert not offer_of(table, Seat(waiting_seat)).is_open_to_anybody
    expected_start = (
        f"{table.names[waiting_seat]} can agree now. If nobody declines, the seat is given away <t:"
    )
    assert offer_needs_text(table, Seat(waiting_seat)).startswith(expected_start)
    unrated_text = takeover_text(table.as_unrated(UnratedReason.THAWED), Seat(waiting_seat))
    assert unrated_text.endswith(f" from {table.names[waiting_seat]}.")
    clock.now += OBJECTION_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    table = await accept_offer(tables, number, Seat(waiting_seat), GUEST_USER)
    assert table.seats[waiting_seat].user == GUEST_USER
    assert table.row.unrated_reason is UnratedReason.SEAT_GIVEN_AWAY, "its player had not agreed"
    assert (await notice_texts(tables, number))[-1].endswith(" The game is no longer rated.")


async def test_an_offer_that_is_replaced_says_by_what(tables: Tables, number: int) -> None:
    """Whoever was asked reads in its message which offer took its place."""
    table, request = await tables.get(number), request_of_person(HOST)
    offered_table = seats.offer_seat(table, request, RIVAL, None, computer="random").table
    decision = seats.offer_to_anybody(offered_table.with_row(version=99), request, RIVAL)
    replacement_text = "Replaced: Ava (host) offers seat B of Ben to anybody."
    closing_delivery = offer_delivery(RIVAL, offer_of(offered_table, RIVAL), replacement_text)
    assert closing_delivery in decision.deliveries


async def test_a_withdrawn_offer_may_be_repeated(tables: Tables, number: int, clock: ManualClock) -> None:
    """A slip costs nothing; whoever is asked again can decline, and then is not asked for a day."""
    for user_request in (request_of_person(HOST), request_of_person(RIVAL)):
        await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
        request = msgspec.structs.replace(user_request, at=int(clock.now))
        table = await answer_and_get_table(tables, number, RIVAL, request, offer_answers.decline_offer)
        assert table.seats[RIVAL].offer is None
    with pytest.raises(Refusal, match=r"^Somebody objected to giving away the seat of Ben\. Without"):
        await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    clock.now += OBJECTION_TIME
    await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)


async def test_who_declined_is_not_asked_twice_a_day(tables: Tables, number: int, clock: ManualClock) -> None:
    """Also if another one declined the seat since; whose offer another one replaced may be asked again."""

    def offer(newcomer_user: int) -> Any:
        request = msgspec.structs.replace(request_of_person(RIVAL), at=int(clock.now))
        newcomer = Person(newcomer_user, "Guest")
        decide = partial(seats.offer_seat, request=request, seat=RIVAL, newcomer=newcomer, computer="random")
        return tables.change(number, request, decide)

    guest_users = GUEST_USER, SECOND_GUEST_USER
    for user in guest_users:
        await offer(user)
        request = msgspec.structs.replace(request_of_user(user), at=int(clock.now))
        await answer_and_get_table(tables, number, RIVAL, request, offer_answers.decline_offer)
    replaced_user, newest_user = 903, 904
    for user in (replaced_user, newest_user, replaced_user):
        await offer(user)
    for user in guest_users:
        with pytest.raises(Refusal, match="declined a seat"):
            await offer(user)


async def test_offer_to_anybody_stands_beside_what_gives_a_seat_up(tables: Tables, number: int) -> None:
    """**Offer to anybody** beside **Resign** and **Give my seat away**, until the seat is offered."""
    table, giving_labels = await tables.get(number), ["Give my seat away", "Keep my seat"]
    resigning_labels = ["Resign", "Keep playing"]
    assert button_labels(confirm_resign_post(table, request_of_person(RIVAL))) == [
        "Offer to anybody",
        *resigning_labels,
    ]
    assert button_labels(confirm_give_to_computer_post(table, request_of_person(RIVAL))) == [
        "Offer to anybody",
        *giving_labels,
    ]
    table = await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    assert button_labels(confirm_resign_post(table, request_of_person(RIVAL))) == resigning_labels
    assert button_labels(confirm_give_to_computer_post(table, request_of_person(RIVAL))) == giving_labels


async def test_a_seat_given_to_a_computer_may_be_offered_again(tables: Tables, number: int) -> None:
    """The question before says by whom, and what that costs, unless the game is unrated anyway."""
    table, request = await tables.get(number), request_of_person(RIVAL)
    text = confirm_give_to_computer_post(table, request).text
    assert "Only the host or an admin can offer it to you again, and then this game is not rated." in text
    unrated = table.as_unrated(UnratedReason.SEAT_GIVEN_AWAY)
    assert "can offer it to you again.\n" in confirm_give_to_computer_post(unrated, request).text
    give = partial(seats.give_seat_to_computer, request=request, computer="random")
    await tables.change(number, request, give)
    host_request, newcomer = request_of_person(HOST), Person(request.user, request.name)
    decision = seats.offer_seat(await tables.get(number), host_request, RIVAL, newcomer, computer="random")
    assert decision.table.seats[RIVAL].offer is not None


async def test_a_new_offer_may_name_somebody(tables: Tables, number: int) -> None:
    """Its player may still give the seat to one person instead."""
    await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    request = msgspec.structs.replace(request_of_person(RIVAL), at=int(tables.clock()))
    decide = partial(
        seats.offer_seat, request=request, seat=RIVAL, newcomer=Person(GUEST_USER, "Guest"), computer="random"
    )
    table = (await tables.change(number, request, decide)).table
    assert offer_of(table, RIVAL).newcomer is not None
    with pytest.raises(Refusal, match="somebody else"):
        await accept_offer(tables, number, RIVAL, SECOND_GUEST_USER)


async def test_an_offer_to_somebody_with_another_seat_leaves_the_game_rated(
    tables: Tables, number: int, clock: ManualClock
) -> None:
    """A newcomer who took another seat while nobody objected gets no second one: nothing changes hands."""
    newcomer = Person(GUEST_USER, "Guest")
    request = msgspec.structs.replace(request_of_person(HOST), at=int(tables.clock()))
    decide = partial(seats.offer_seat, request=request, seat=RIVAL, newcomer=newcomer, computer="random")
    await tables.change(number, request, decide)
    await mark_offers_posted(tables, number)
    await accept_offer(tables, number, RIVAL, GUEST_USER)
    await offer_to_anybody(tables, number, request_of_person(THIRD), THIRD)
    table = await accept_offer(tables, number, THIRD, GUEST_USER)
    assert table.seats[THIRD].user == GUEST_USER
    clock.now += OBJECTION_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.seats[RIVAL].offer is None
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL
    assert table.row.unrated_reason is None
    assert any(
        "has taken another seat here meanwhile." in text for text in await notice_texts(tables, number)
    )


@pytest.mark.parametrize("first_recipient", ["Guest", "a computer player", "anybody"])
@pytest.mark.parametrize("second_recipient", ["Guest", "a computer player", "anybody"])
async def test_an_offer_that_stands_is_not_repeated(
    tables: Tables, number: int, first_recipient: str, second_recipient: str
) -> None:
    """Only an offer to somebody else takes its place."""
    offers: dict[str, Any] = {
        "Guest": partial(seats.offer_seat, newcomer=Person(GUEST_USER, "Guest"), computer="random"),
        "a computer player": partial(seats.offer_seat, newcomer=None, computer="random"),
        "anybody": seats.offer_to_anybody,
    }
    request, table = request_of_person(HOST), await tables.get(number)
    offered = offers[first_recipient](table, request, seat=RIVAL).table
    if first_recipient == second_recipient:
        needs_text = re.escape(offer_needs_text(offered, RIVAL))
        with pytest.raises(Refusal, match=rf"stands already\. {needs_text}$"):
            offers[second_recipient](offered, request, seat=RIVAL)
    else:
        assert (
            newcomer_text(offer_of(offers[second_recipient](offered, request, seat=RIVAL).table, RIVAL))
            == second_recipient
        )


async def test_somebody_who_was_an_admin_withdraws_their_own_offer(
    tables: Tables, store: SqliteStore, number: int
) -> None:
    """By now they have no right but that; the game is not frozen, and the record names them."""
    await offer_to_anybody(tables, number, request_of_user(GUEST_USER, "Ada", is_admin=True), RIVAL)
    table = await answer_and_get_table(
        tables, number, RIVAL, request_of_user(GUEST_USER, "Ada"), offer_answers.decline_offer
    )
    assert table.seats[RIVAL].offer is None
    entries = await execute_sql(store, "select entry, user from audit_log order by id")
    assert entries[-1] == ("Ada (no seat) withdrew the offer.", GUEST_USER)


async def test_whoever_gives_a_seat_up_reads_what_it_means_for_the_rating(
    tables: Tables, number: int
) -> None:
    """An offer to agree to, the answer to an own one and the question before say it, where it is true."""
    rating_text = "In the rating you then count behind all who stay."

    def texts_for(table: Table, user: int) -> list[str]:
        request, seat = request_of_user(user), table.seat_of(user)
        assert seat is not None
        newcomer = Person(GUEST_USER + 1, "Other")
        return [
            seats.offer_seat(table, request, seat, newcomer, computer="random").answer,
            seats.offer_to_anybody(table, request, seat).answer,
            confirm_give_to_computer_post(table, request).text,
            confirm_resign_post(table, request).text,
        ]

    table, rival_user = await tables.get(number), FIRST_USER + RIVAL
    asked_table = seats.offer_to_anybody(table, request_of_person(HOST), RIVAL).table
    assert f"to agree. {rating_text} To stay," in offer_post(asked_table, RIVAL).text
    assert rating_text not in offer_post(asked_table.as_unrated(UnratedReason.ROLLED_BACK), RIVAL).text
    assert all(rating_text in text for text in texts_for(table, rival_user))
    unrated_table = table.as_unrated(UnratedReason.ROLLED_BACK)
    assert not any("rating" in text for text in texts_for(unrated_table, rival_user))
    assert "rating" not in seats.offer_to_anybody(table, request_of_person(HOST), RIVAL).answer
    table = await give_seat_away(tables, number, RIVAL, Person(GUEST_USER, "Guest"))
    assert not any(rating_text in text for text in texts_for(table, GUEST_USER))
