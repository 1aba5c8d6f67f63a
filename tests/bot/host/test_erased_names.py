"""Offers, questions, answers and earlier names of an erased person leave nothing either."""

from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec
import pytest

from bot.host.deciders import (
    admission,
    lobby,
    moderation,
    offer_answers,
    seat_offers,
    seats,
    time_controls,
    timeouts,
    voting,
)
from bot.host.deciders.decision import Decision, offer_delivery
from bot.host.erasing import erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.names import escape_markup
from bot.host.request import Request
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl
from bot.store.delivery_rows import PostedMessage
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.model import Seat
from tests.bot.host.erased_person import (
    ERASED_NAME,
    ERASED_USER,
    check_progress,
    erase,
    open_table_with_person,
    request_of_erased_person,
    require_erased,
    start_game_with_person,
)
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import (
    CHANNEL,
    FIRST_USER,
    GAMES_AND_TOYS,
    RNG,
    ManualClock,
    make_move,
    open_lobby,
    request_of_person,
)
from tests.bot.host.timed_tables import begin_timed_table, change_as, timer_of
from tests.bot.store.sample_rows import dump


async def test_somebody_who_has_left_a_lobby_is_erased(tables: Tables, store: SqliteStore) -> None:
    """An invitation, declined or not, a request for a seat and a removal leave nothing either."""
    for act in ("invited", "declined", "asks", "removed"):
        number, person_request = await open_table_with_person(tables), request_of_erased_person()
        for decide in (
            partial(lobby.leave, request=person_request, is_channel_busy=False),
            partial(admission.set_by_invitation, request=request_of_person(0), by_invitation=act == "asks"),
        ):
            await tables.change(number, None, decide)
        if act in {"invited", "declined"}:
            invited = Person(ERASED_USER, ERASED_NAME)
            await tables.change(
                number, None, partial(admission.invite, request=request_of_person(0), person=invited)
            )
            if act == "declined":
                await tables.change(
                    number, None, partial(admission.decline_invitation, request=person_request)
                )
            continue
        await tables.change(number, None, partial(lobby.join, request=person_request))
        if act == "removed":
            remove = partial(
                admission.remove_player, request=request_of_person(0), user=ERASED_USER, is_channel_busy=False
            )
            await tables.change(number, None, remove)
    data = await tables.store.personal_data(ERASED_USER)
    keys = ("invited", "declined", "asks_to_join", "removed")
    assert [[each[key] for key in keys].index(True) for each in data["lobbies"]] == [0, 1, 2, 3]
    assert all(sum(each[key] for key in keys) == 1 for each in data["lobbies"])
    assert [each["shown_names"] for each in data["lobbies"]] == [[ERASED_NAME]] * 4
    assert str(ERASED_USER) in "\n".join(await dump(store)), "else nothing is erased"
    assert await erase(tables) == 0
    await require_erased(store)


async def test_somebody_who_was_named_without_a_seat_is_erased(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """Nothing is left of who was invited to a game that began, was offered a seat, or declined."""
    number, person_request = await open_table_with_person(tables), request_of_erased_person()
    host_request, newcomer = request_of_person(0), Person(ERASED_USER, ERASED_NAME)
    invite = partial(admission.invite, request=host_request, person=newcomer)
    await tables.change(number, None, partial(lobby.leave, request=person_request, is_channel_busy=False))
    assert await erase(tables) == 0
    await tables.change(number, None, invite)
    await tables.change(number, None, partial(admission.decline_invitation, request=person_request))
    assert await erase(tables) == 0
    await require_erased(store)
    await tables.change(number, None, invite)
    await tables.change(number, None, partial(lobby.add_computer, request=host_request, computer="random"))
    await _post_everything(tables, number)
    await tables.change(
        number, host_request, partial(lobby.start, request=host_request, is_channel_busy=False)
    )
    await _post_everything(tables, number)
    assert await erase(tables) == 0
    await require_erased(store)
    host_request = msgspec.structs.replace(request_of_person(0), at=int(clock()))
    offer = partial(seats.offer_seat, seat=Seat(0), newcomer=newcomer, computer="random")
    await tables.change(number, host_request, partial(offer, request=host_request))
    clock.now += seat_offers.ACCEPT_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).seats[0].offer is None
    assert await erase(tables) == 0
    await require_erased(store)


@pytest.mark.parametrize("role", ["newcomer", "admin"])
async def test_an_open_offer_of_an_erased_person_is_void(
    tables: Tables, store: SqliteStore, role: str
) -> None:
    """Neither an offer to them nor one that they made stays, and its message says so."""
    number, person_request = (
        await begin_timed_table(tables, None, 3, "oceans"),
        request_of_erased_person(is_admin=True),
    )
    request = request_of_person(1) if role == "newcomer" else person_request
    newcomer = Person(ERASED_USER, ERASED_NAME) if role == "newcomer" else Person(ERASED_USER + 1, "Zoe")
    offer = partial(seats.offer_seat, seat=Seat(1), newcomer=newcomer, computer="random")
    offered = (await tables.change(number, request, partial(offer, request=request))).table.seats[1].offer
    assert offered is not None
    assert await erase(tables) == 0
    await require_erased(store)
    assert (await tables.get(number)).seats[1].offer is None
    assert (await store.waiting_deliveries(number))[-1].slot == offer_delivery(1, offered).slot


FORMER_NAME = "Yorick_of_Yore"
"""The name that the person had before."""
ACTS: Final = (
    *("is removed", "declines", "is declined", "plays", "has played", "moderates"),
    *("is offered a seat", "declines a seat", "offers a seat"),
)


@pytest.mark.parametrize("act", ACTS)
async def test_a_name_that_changed_since_is_erased(tables: Tables, store: SqliteStore, act: str) -> None:
    """Messages and answers show the name that somebody had then, with a seat or without one."""
    host_request, newcomer = request_of_person(0), Person(ERASED_USER, FORMER_NAME)
    former_request = msgspec.structs.replace(
        request_of_erased_person(is_admin=act in {"moderates", "offers a seat"}), name=FORMER_NAME
    )
    number = await open_lobby(tables, GAMES_AND_TOYS["currents"], host_request)

    async def change(request: Request, decide: Callable[..., Decision], **options: object) -> None:
        request = msgspec.structs.replace(request, interaction=request_of_person(0).interaction)
        await tables.change(number, request, partial(decide, request=request, **options))

    await change(request_of_person(1), lobby.join)
    match act:
        case "is removed":
            await change(former_request, lobby.join)
            await change(host_request, admission.remove_player, user=ERASED_USER, is_channel_busy=False)
        case "declines":
            await change(host_request, admission.invite, person=newcomer)
            await change(former_request, admission.decline_invitation)
        case "is declined":
            await change(host_request, admission.set_by_invitation, by_invitation=True)
            await change(former_request, lobby.join)
            await change(host_request, admission.decline_applicant, user=ERASED_USER)
        case "is offered a seat" | "declines a seat":
            await change(host_request, lobby.start, is_channel_busy=False)
            await change(host_request, seats.offer_seat, seat=Seat(0), newcomer=newcomer, computer="random")
            offer = (await tables.get(number)).seats[0].offer
            assert offer is not None
            if act == "declines a seat":
                await change(former_request, offer_answers.decline_offer, seat=Seat(0), offer_id=offer.id)
        case "offers a seat":
            await change(host_request, lobby.start, is_channel_busy=False)
            await change(former_request, seats.offer_to_anybody, seat=Seat(0))
        case "moderates":
            await change(host_request, lobby.start, is_channel_busy=False)
            await change(former_request, moderation.pause)
        case "plays" | "has played":
            await change(former_request, lobby.join)
            await change(host_request, lobby.add_computer, computer="random")
            await change(host_request, lobby.start, is_channel_busy=False)
            if act == "has played":
                await change(former_request, seats.give_seat_to_computer, computer="random")
    text = "\n".join(await dump(store))
    assert FORMER_NAME in text or escape_markup(FORMER_NAME) in text, "else nothing is erased"
    assert await erase(tables) == 0
    await require_erased(store)
    text = "\n".join(await dump(store))
    assert FORMER_NAME not in text
    assert escape_markup(FORMER_NAME) not in text
    assert FORMER_NAME.encode().hex().upper() not in text.upper()


async def _post_everything(tables: Tables, number: int) -> None:
    """Send what waits to be sent, as the outbox would."""
    for each in await tables.store.waiting_deliveries(number):
        posted = PostedMessage(each.slot, CHANNEL, each.id, each.ply, tables.clock())
        await tables.store.mark_delivered(each, each.ply, posted)


async def test_an_answer_of_somebody_who_was_back_is_erased(tables: Tables, clock: ManualClock) -> None:
    """A declined question keeps nobody who was not asked at first, but agreed after a computer had played."""
    number = await begin_timed_table(
        tables, TimeControl(turn_seconds=3600, grace_seconds=0), seat_count=4, game_key="currents"
    )
    absent_seat = timer_of(await tables.get(number)).seat
    clock.now += 3601
    await Housekeeping(tables).do_due_work_at_tables()
    asker, declining_seat = ((absent_seat + step) % 4 for step in (1, 2))
    table = await change_as(tables, number, asker, time_controls.ask_to_pause)
    question = question_of(table)
    await change_as(tables, number, absent_seat, timeouts.come_back)
    for seat, is_yes in ((absent_seat, True), (declining_seat, False)):
        vote = partial(voting.vote, question_id=question.id, is_yes=is_yes)
        table = await change_as(tables, number, seat, vote)
    assert table.row.question is not None
    assert table.row.question.agreed_users == (FIRST_USER + absent_seat,)
    await erase_person(tables, request_of_person(absent_seat), check_progress)
    declined_question = (await tables.get(number)).row.question
    assert declined_question is not None, "it is not asked again at once"
    assert FIRST_USER + absent_seat not in (*declined_question.asked_users, *declined_question.agreed_users)


@pytest.mark.parametrize("is_declined", [False, True])
async def test_a_question_of_somebody_who_never_sat_is_erased(
    tables: Tables, store: SqliteStore, *, is_declined: bool
) -> None:
    """What an admin without a seat has asked is gone, open or declined."""
    number, admin_request = (
        await begin_timed_table(tables, None, 4, "currents"),
        request_of_erased_person(is_admin=True),
    )
    for _ in range(3):
        await make_move(tables, number, RNG)
    await tables.change(
        number, admin_request, partial(moderation.roll_back, request=admin_request, move_number=0)
    )
    question = question_of(await tables.get(number))
    if is_declined:
        await change_as(tables, number, 0, voting.vote, question_id=question.id, is_yes=False)
    assert await erase(tables) == 0
    assert (await tables.get(number)).row.question is None
    await require_erased(store)


async def test_a_question_to_somebody_who_has_left_their_seat_is_closed(
    tables: Tables, store: SqliteStore
) -> None:
    """It does not wait for somebody who was erased."""
    number, person_request = await start_game_with_person(tables), request_of_erased_person()
    give = partial(seats.give_seat_to_computer, request=person_request, computer="random")
    await tables.change(number, person_request, give)
    table = await change_as(tables, number, 0, moderation.roll_back, move_number=0)
    assert table.row.question is not None
    assert ERASED_USER in table.row.question.asked_users
    assert await erase(tables) == 0
    assert (await tables.get(number)).row.question is None
    await require_erased(store)
