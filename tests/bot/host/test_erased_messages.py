"""What the messages at a table say, and show, of a person who has been erased."""

from functools import partial

import msgspec
import pytest

from bot.host.deciders import erasing, moderation, offer_answers, seats
from bot.host.deciders.reminders import reminder_delivery
from bot.host.erasing import erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.request import Request
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from bot.store.delivery_rows import DeliveryKind, Mention, PendingPost, PostedMessage
from bot.store.results import FORMER_PLAYER
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from rules.model import Seat
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.erased_person import (
    ERASED_USER,
    check_progress,
    erase,
    require_erased,
    start_game_with_person,
)
from tests.bot.host.fake_chat import FIRST_DM_CHANNEL, stub_board_pictures
from tests.bot.host.playing import CHANNEL, FIRST_USER, NAMES, ManualClock, request_of_person
from tests.bot.host.timed_tables import begin_timed_table, change_as, notice_texts, timer_of
from tests.bot.host.timeout_steps import DAY_WITH_GRACE, let_time_run_out, time_over_notices
from tests.bot.store.sample_rows import dump, execute_sql


async def test_a_reminder_of_an_erased_player_is_removed(tables: Tables, clock: ManualClock) -> None:
    """No posted message goes on to mention them and to ask for their move."""
    number = await begin_timed_table(tables, None, 4, "currents")
    seat = timer_of(await tables.get(number)).seat
    clock.now += DAY + 1
    await Housekeeping(tables).do_due_work_at_tables()
    notices = (await tables.get(number)).row.turn_notices
    assert notices is not None
    assert notices.has_current_reminder
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(number))
    assert await erase_person(tables, request_of_person(seat), check_progress) == 0
    slots = {each.slot for each in await tables.store.waiting_deliveries(number) if each.id > newest_id}
    assert reminder_delivery(seat, notices.turn_start).slot in slots


async def test_no_notice_mentions_an_erased_player(tables: Tables, clock: ManualClock) -> None:
    """The notice that their time is over, which waits to be posted, is gone with them."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE, 4, "currents")
    seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)
    assert await time_over_notices(tables, number)
    assert await erase_person(tables, request_of_person(seat), check_progress) == 0
    assert not await time_over_notices(tables, number)


async def test_an_erasure_leaves_the_others_alone(tables: Tables, clock: ManualClock) -> None:
    """The time of the player to act runs on, with its reminder, and what is posted names the others."""
    number = await begin_timed_table(
        tables, TimeControl(turn_seconds=4 * DAY, grace_seconds=0), 4, "currents"
    )
    for decide in (moderation.pause, moderation.resume):
        await change_as(tables, number, 0, decide)
    clock.now += 3.5 * DAY
    await Housekeeping(tables).do_due_work_at_tables()
    before, texts = await tables.get(number), await notice_texts(tables, number)
    assert before.row.turn_notices is not None
    assert before.row.turn_notices.has_current_reminder
    assert all(NAMES[0] in text for text in texts[-2:])
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(number))
    erased_seat = next(seat for seat in (1, 2) if seat != timer_of(before).seat)
    assert await erase_person(tables, request_of_person(erased_seat), check_progress) == 0
    after = await tables.get(number)
    assert (timer_of(after), after.row.turn_notices) == (timer_of(before), before.row.turn_notices)
    expected_texts = [text.replace(NAMES[erased_seat], FORMER_PLAYER) for text in texts]
    assert (await notice_texts(tables, number))[: len(texts)] == expected_texts
    new_deliveries = [each for each in await tables.store.waiting_deliveries(number) if each.id > newest_id]
    assert not any(each.kind is DeliveryKind.REMINDER for each in new_deliveries)


async def test_the_last_player_leaves_no_seat_to_play_on(tables: Tables, store: SqliteStore) -> None:
    """A game ends with its last person, and no notice says that a computer player takes over."""
    number = await begin_timed_table(tables, None)
    for seat, is_last in ((0, False), (1, True)):
        assert await erase_person(tables, request_of_person(seat), check_progress) == 0
        table = await tables.get(number)
        assert table.status is (Status.ENDED_EARLY if is_last else Status.PLAYING)
        assert table.row.host == (erasing.NOBODY if is_last else FIRST_USER + 1)
        text = (await notice_texts(tables, number))[-1]
        assert ("takes seat" in text, "No other person is left" in text) == (not is_last, is_last)
    entries = await execute_sql(store, "select entry, user from audit_log")
    assert entries == [(f"{FORMER_PLAYER} had their data erased.", None)] * 2


@pytest.mark.parametrize("name", ["B", "former", "A former player of chess"])
async def test_erasing_a_name_changes_no_other_word_of_a_notice(tables: Tables, name: str) -> None:
    """Only the name is replaced in what was said, not a seat's letter nor the words that replace it."""
    number = await begin_timed_table(tables, None, 4, "currents")
    newcomer_request = await take_second_seat(tables, number, name)
    assert await erase_person(tables, newcomer_request, check_progress) == 0
    assert (await notice_texts(tables, number))[-2:] == [
        f"{FORMER_PLAYER} takes seat B from Ben.",
        f"{FORMER_PLAYER} has left. The computer player Casual 1 takes seat B.",
    ]


async def take_second_seat(tables: Tables, number: int, name: str) -> Request:
    """Offer the second seat to anybody, and take it as somebody of this name; return their request."""
    newcomer_request = msgspec.structs.replace(request_of_person(4), name=name)
    offer = partial(seats.offer_to_anybody, request=request_of_person(1), seat=Seat(1))
    offered = (await tables.change(number, request_of_person(1), offer)).table.seats[1].offer
    assert offered is not None
    take = partial(offer_answers.accept_offer, request=newcomer_request, seat=Seat(1), offer_id=offered.id)
    await tables.change(number, newcomer_request, take)
    return newcomer_request


@pytest.mark.parametrize("name", ["Zoe", "B-52", "Z. Doe"])
async def test_a_name_after_the_word_seat_is_erased(tables: Tables, name: str) -> None:
    """Only a seat's letter is kept there, not the name of somebody of whom an operator wrote."""
    number = await begin_timed_table(tables, None, 4, "currents")
    newcomer_request = await take_second_seat(tables, number, name)
    reason = f"I seat {name} elsewhere. Seat {name}! Seat B waits."
    await tables.change(number, None, partial(moderation.freeze, reason=reason))
    assert await erase_person(tables, newcomer_request, check_progress) == 0
    texts = " ".join(await notice_texts(tables, number))
    assert f"I seat {FORMER_PLAYER} elsewhere. Seat {FORMER_PLAYER}! Seat B waits." in texts


async def test_a_name_taken_since_joining_is_erased_too(tables: Tables) -> None:
    """An operator may have written of somebody under a name that the table does not know."""
    number = await begin_timed_table(tables, None, 4, "currents")
    newcomer_request = await take_second_seat(tables, number, "Zoe")
    await tables.change(number, None, partial(moderation.freeze, reason="Quincy asks for it."))
    renamed_request = msgspec.structs.replace(newcomer_request, name="Quincy")
    assert await erase_person(tables, renamed_request, check_progress) == 0
    assert f"{FORMER_PLAYER} asks for it." in " ".join(await notice_texts(tables, number))


@pytest.mark.parametrize(
    ("name", "name_when_erased"),
    [("Zoe", "Zoe"), ("Casual", "Casual"), ("Zoe", "Zoe Jr."), ("Zoe", "Ava"), ("Zoe", "Ben")],
)
async def test_a_name_of_somebody_else_stays_whole(tables: Tables, name: str, name_when_erased: str) -> None:
    """An erased name may be a part of it, or a name taken since may be equal to it."""
    number = await begin_timed_table(tables, None, 4, "currents")
    newcomer_request = await take_second_seat(tables, number, name)
    await change_as(tables, number, 0, moderation.pause)
    await change_as(tables, number, 0, moderation.resume)
    other_request = msgspec.structs.replace(
        request_of_person(3), user=FIRST_USER + 9, name="Zoe Jr.", is_admin=True
    )
    await tables.change(number, other_request, partial(moderation.pause, request=other_request))
    assert (
        await erase_person(
            tables, msgspec.structs.replace(newcomer_request, name=name_when_erased), check_progress
        )
        == 0
    )
    assert (await notice_texts(tables, number))[-5:] == [
        f"{FORMER_PLAYER} takes seat B from Ben.",
        "Ava (host) paused the game.",
        "Ava (host) resumed the game.",
        "Zoe Jr. (admin, no seat) paused the game.",
        f"{FORMER_PLAYER} has left. The computer player Casual 1 takes seat B.",
    ]


async def test_mentions_and_missed_answers_of_an_erased_person_are_forgotten(
    tables: Tables, store: SqliteStore
) -> None:
    """Those of others are not: they are not mentioned twice, and miss no answer."""
    number = await start_game_with_person(tables)
    mentions = (Mention(ERASED_USER, 1), Mention(FIRST_USER, 1))
    deliveries = {each.kind: each for each in await store.waiting_deliveries(number)}
    for kind, user in ((DeliveryKind.BOARD, ERASED_USER), (DeliveryKind.LOBBY, FIRST_USER)):
        slot = deliveries[kind].slot
        posted = PostedMessage(slot, CHANNEL, 1, 0, 0.0, mentioned_user=user, last_mentions=mentions)
        await store.mark_delivered(deliveries[kind], 0, posted)
    for interaction, user in (("min(interaction)", ERASED_USER), ("max(interaction)", FIRST_USER)):
        await execute_sql(store, f"insert into unanswered select {interaction}, {user}, null from inbox")
    assert await erase(tables) == 0
    await require_erased(store)
    messages = await store.posted_messages(number)
    assert {each.slot.kind: each.mentioned_user for each in messages} == {
        DeliveryKind.BOARD: None,
        DeliveryKind.LOBBY: FIRST_USER,
    }
    assert [each.last_mentions for each in messages] == [(Mention(FIRST_USER, 1),)] * 2
    assert [each.user for each in await store.unconfirmed_answers()] == [FIRST_USER]


@pytest.mark.parametrize("is_over", [False, True])
async def test_no_direct_message_of_an_erased_person_is_remembered(
    tables: Tables, store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_over: bool
) -> None:
    """Its channel is forgotten, in a running game once its hand has been replaced; those of others stay."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await start_game_with_person(tables))
    await chat_table.send_all()
    hand = next(each for each in chat_table.chat.posted if each.channel.id == FIRST_DM_CHANNEL + ERASED_USER)
    if is_over:
        await change_as(tables, chat_table.number, 0, moderation.end)
        await chat_table.send_all()
    assert await erase(tables) == 0
    if is_over:
        await require_forgotten(store, chat_table.number)
    await chat_table.send_all()
    await require_forgotten(store, chat_table.number)
    assert ("has your seat now" in hand.content) is not is_over


async def test_a_refused_direct_message_of_an_erased_person_is_forgotten(
    tables: Tables, store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its channel is forgotten where the hand can never be replaced, also if its post may have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await start_game_with_person(tables))
    await chat_table.send_all()
    assert await erase(tables) == 0
    for delivery in await store.waiting_deliveries(chat_table.number):
        if delivery.kind is DeliveryKind.HAND:
            await store.set_pending_post(delivery, PendingPost(FIRST_DM_CHANNEL + ERASED_USER, clock()))
            await store.mark_failed(delivery, "refused")
    await require_forgotten(store, chat_table.number)


async def require_forgotten(store: SqliteStore, number: int) -> None:
    """Check that of the direct messages of a table only those of the other players are remembered."""
    assert str(FIRST_DM_CHANNEL + ERASED_USER) not in "\n".join(await dump(store))
    messages = await store.posted_messages(number)
    assert sum(each.slot.kind is DeliveryKind.HAND for each in messages) == 3
