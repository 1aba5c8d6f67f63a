"""Questions, offers, invitations, join requests and lobbies whose posts or answers were lost."""

from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat.components import classic_view, parse_custom_id
from bot.chat.server_tables import ServerTables, status_message_post
from bot.host.courier_protocol import NONCE_MEMORY
from bot.host.deciders import admission, moderation, seats
from bot.host.deciders.decision import Decision
from bot.host.deciders.seat_offers import TAKE_LABEL
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.lobby_rows import ReadyCheck
from bot.store.seat_rows import Person
from rules.model import Seat
from tests.bot.host.chat_table import CURRENTS_FOR_TWO, ChatTable
from tests.bot.host.fake_chat import FakeMessage, labels, stub_board_pictures
from tests.bot.host.open_questions import answer_question
from tests.bot.host.playing import (
    CHANNEL,
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    begin,
    open_lobby,
    request_of_person,
)
from tests.bot.host.scripted_courier import run_outbox


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> ChatTable:
    """Return a table whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await chat_table.send_all()
    return chat_table


async def test_a_lost_question_that_is_settled_loses_its_buttons(chat_table: ChatTable) -> None:
    """However often its edit fails first: nothing can be posted twice by trying that again."""
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and "Agree" in labels(message) else None
    )
    await chat_table.tables.change(
        chat_table.number, request_of_person(1), partial(moderation.pause, request=request_of_person(1))
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    (asking,) = [each for each in chat_table.chat.public_messages() if "Agree" in labels(each)]
    await answer_question(chat_table.tables, chat_table.number, request_of_person(0), is_yes=False)
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "edit" and message is asking else None
    )
    for _ in range(3):
        chat_table.clock.now += NONCE_MEMORY * 2
        await run_outbox(chat_table.outbox, chat_table.number)
    chat_table.chat.fault_of_call = lambda _, __: None
    await chat_table.send_all()
    assert labels(asking) == []


async def test_the_offer_of_another_seat_is_not_taken_for_a_lost_one(chat_table: ChatTable) -> None:
    """Where only the second of two offers arrived, each seat is offered once in the end."""
    for seat in (0, 1):
        request = request_of_person(seat)
        offer = partial(seats.offer_to_anybody, request=request, seat=Seat(seat))
        await chat_table.tables.change(chat_table.number, request, offer)
    lost_calls = {("post", "seat A"), ("after_post", "seat B")}
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut")
        if any(action == each and text in message.content for each, text in lost_calls)
        else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all_without_nonces()
    offers = [each.content for each in chat_table.chat.posted if TAKE_LABEL in labels(each)]
    assert [sum(f"seat {letter}" in text for text in offers) for letter in "AB"] == [1, 1]


async def test_another_invitation_is_not_taken_for_a_lost_one(tables: Tables, clock: ManualClock) -> None:
    """Where only the second of two invitations arrived, each person is invited once in the end."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["oceans"]))
    await chat_table.send_all()
    first_user, second_user = FIRST_USER + 50, FIRST_USER + 51
    for user in (first_user, second_user):
        invite = partial(admission.invite, request=request_of_person(0), person=Person(user, "Guest"))
        await tables.change(chat_table.number, request_of_person(0), invite)

    def lose(action: str, message: FakeMessage) -> Exception | None:
        is_lost = f"<@{first_user}>" in message.content and action == "post"
        is_lost |= f"<@{second_user}>" in message.content and action == "after_post"
        return OSError("cut") if is_lost else None

    chat_table.chat.fault_of_call = lose
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all_without_nonces()
    invitations = [message for message in chat_table.chat.posted if " is invited to " in message.content]
    assert sorted(user for each in invitations for user in each.raw_mentions) == [first_user, second_user]


async def test_a_namesakes_request_is_not_taken_for_a_lost_one(tables: Tables, clock: ManualClock) -> None:
    """Where only the second of two requests arrived, the host is asked about each person in the end."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["oceans"]))
    by_invitation = partial(admission.set_by_invitation, request=request_of_person(0), by_invitation=True)
    await tables.change(chat_table.number, request_of_person(0), by_invitation)
    await chat_table.send_all()
    user_texts = [str(FIRST_USER + 50), str(FIRST_USER + 51)]
    for user_text in user_texts:
        request = replace(request_of_person(1), user=int(user_text), name="Sam")
        await tables.change(chat_table.number, request, partial(admission.ask_to_join, request=request))
    failing_actions = ["post", "after_post"]
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut")
        if "Sam asks" in message.content and [action] == failing_actions[:1] and failing_actions.pop(0)
        else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    assert not failing_actions
    await chat_table.send_all_without_nonces()
    request_messages = [message for message in chat_table.chat.posted if "Sam asks" in message.content]
    button_ids = [parse_custom_id(each.components[0].children[0].custom_id) for each in request_messages]
    assert sorted(each.argument for each in button_ids if each is not None) == user_texts


@pytest.mark.parametrize("lost_action", ["post", "after_post"])
@pytest.mark.parametrize("ready_check_before_and_after", [(False, False), (False, True), (True, False)])
async def test_a_lost_acceptance_is_posted_once(
    tables: Tables, clock: ManualClock, lost_action: str, ready_check_before_and_after: tuple[bool, bool]
) -> None:
    """Whether it arrived or not, and whether a ready check began or ended before the next process."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["oceans"]))

    async def set_check(*, is_on: bool) -> None:
        table = await tables.get(chat_table.number)
        check = ReadyCheck(1, int(clock()) + DAY) if is_on else None
        changed = table.with_row(lobby=replace(table.row.lobby, ready_check=check))
        await tables.change(chat_table.number, None, lambda _: Decision(table=changed, answer=""))

    for seat, decide in (
        (0, partial(admission.set_by_invitation, by_invitation=True)),
        (1, admission.ask_to_join),
        (0, partial(admission.accept_applicant, user=FIRST_USER + 1)),
    ):
        await tables.change(
            chat_table.number, request_of_person(seat), partial(decide, request=request_of_person(seat))
        )
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == lost_action and "was accepted" in message.content else None
    )
    await set_check(is_on=ready_check_before_and_after[0])
    await run_outbox(chat_table.outbox, chat_table.number)
    await set_check(is_on=ready_check_before_and_after[1])
    restarted_chat_table = ChatTable(tables, clock, chat_table.number, chat_table.chat)
    await restarted_chat_table.send_all_without_nonces()
    posts = [message for message in chat_table.chat.posted if "was accepted" in message.content]
    assert [message.raw_mentions for message in posts] == [[FIRST_USER + 1]]


async def test_a_lost_lobby_of_a_begun_game_is_posted_once(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found although it lacks the usual buttons and says by now that the game is elsewhere."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and "The game has started" in message.content else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.move_table_as_host(channel=88)
    await chat_table.send_all_without_nonces()
    texts = [each.content for each in chat_table.chat.public_messages() if "has started" in each.content]
    assert len(texts) == 1
    assert "The game has started in <#88>." in texts[0]


async def test_the_status_message_is_not_taken_for_a_lost_lobby(tables: Tables, clock: ManualClock) -> None:
    """A lobby that never arrived is posted, though the server's status message has its button **Join**."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["oceans"]))
    chat_table.chat.fault_of_call = lambda action, _: OSError("cut") if action == "post" else None
    await run_outbox(chat_table.outbox, chat_table.number)
    status_message = FakeMessage(chat_table.chat, CHANNEL, chat_table.chat.new_id())
    table = await tables.get(chat_table.number)
    post = status_message_post(ServerTables(GUILD, (table,), (), (), ()), GAMES_AND_TOYS)
    status_message.content = post.text
    status_message.set_view(classic_view(post.rows))
    chat_table.chat.messages[status_message.id] = status_message
    chat_table.chat.fault_of_call = lambda _, __: None
    chat_table.clock.now += NONCE_MEMORY * 2
    await chat_table.send_all()
    assert len([each for each in chat_table.chat.public_messages() if "Leave" in labels(each)]) == 1
    assert status_message.content == post.text
