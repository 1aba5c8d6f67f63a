"""What follows a post whose answer was lost: each is posted once, and each player is notified once."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.chat.components import classic_view, parse_custom_id
from bot.chat.courier import MAX_AGE_TO_EDIT
from bot.chat.pictures import DrawnPicture
from bot.chat.server_tables import ServerTables, status_post
from bot.error_codes import ErrorCode
from bot.host.courier_protocol import NONCE_MEMORY
from bot.host.deciders import admission, moderation, seats, voting
from bot.host.deciders.decision import BOARD_DELIVERY, Decision, time_over_delivery
from bot.host.deciders.seat_offers import TAKE_LABEL
from bot.host.names import escape_markup
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.delivery_rows import NewDelivery
from bot.store.lobby_rows import ReadyCheck
from bot.store.rows import Status
from bot.store.seat_rows import Person
from rules.game import Seat
from tests.bot.host.chat_table import CURRENTS_FOR_TWO, ChatTable
from tests.bot.host.fake_chat import (
    FakeChannel,
    FakeMessage,
    http_error,
    labels,
    stub_board_pictures,
)
from tests.bot.host.playing import (
    CHANNEL,
    EVERY_GAME,
    FIRST_USER,
    GUILD,
    RNG,
    ManualClock,
    begin,
    hand_over,
    make_move,
    open_lobby,
    request_of,
)
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.test_turn_message_races import is_computers_turn, play_computer_turn


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> ChatTable:
    """Return a table whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await chat_table.send_all()
    return chat_table


@pytest.mark.parametrize("name", ["Ava", "¯\\_(ツ)_/¯"])
@pytest.mark.parametrize(
    "text", ["{} took too long.", "Computer 1 plays for {} until they are back.", "Time is over."]
)
async def test_a_time_over_whose_answer_was_lost_is_posted_once(
    chat_table: ChatTable, text: str, name: str
) -> None:
    """It is found although it does not mention its player any more, who is back by now."""
    table = await chat_table.tables.get(chat_table.number)
    renamed = table.with_seat(0, replace(table.seats[0], name=name))
    await chat_table.tables.change(chat_table.number, None, lambda _: Decision(table=renamed, answer=""))
    text = text.format(escape_markup(name))
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "posted" and "<@100>" in message.content else None
    )
    for status, deliveries in (
        (Status.PAUSED, (time_over_delivery(0, text),)),
        (Status.PLAYING, ()),
    ):

        def decide(
            table: Table, status: Status = status, deliveries: tuple[NewDelivery, ...] = deliveries
        ) -> Decision:
            return Decision(table=table.with_row(status=status), answer="", deliveries=deliveries)

        await chat_table.tables.change(chat_table.number, None, decide)
        await run_outbox(chat_table.outbox, chat_table.number)
        chat_table.clock.now += NONCE_MEMORY * 2
        chat_table.chat.fault_of_call = lambda _, __: None
        for message in chat_table.chat.messages.values():
            message.nonce = 0
    await chat_table.send_all()
    assert sum(text[-8:] in message.content for message in chat_table.chat.public_messages()) == 1


async def test_a_lost_notice_is_not_taken_for_an_earlier_one(chat_table: ChatTable) -> None:
    """Of two equal notices within seconds the second never arrived: it is posted again."""
    pause, resume = (partial(each, request=request_of(0)) for each in (moderation.pause, moderation.resume))
    for decide in (pause, resume):
        await chat_table.tables.change(chat_table.number, request_of(0), decide)
        await chat_table.send_all()
        chat_table.clock.now += 5
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "post" and message.content.endswith("paused the game.") else None
    )
    await chat_table.tables.change(chat_table.number, request_of(0), pause)
    await run_outbox(chat_table.outbox, chat_table.number)
    chat_table.chat.fault_of_call = lambda _, __: None
    chat_table.clock.now += NONCE_MEMORY * 2
    await chat_table.send_all()
    notices = [each.content for each in chat_table.chat.public_messages() if "the game." in each.content]
    assert sum(each.endswith("paused the game.") for each in notices) == 2


async def test_a_notice_lost_in_a_deleted_thread_is_posted_above_it(
    chat_table: ChatTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is posted in the channel above, as any notice, however long ago its answer was lost."""
    thread_id = 77
    await chat_table.move_to(thread_id)
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "posted" and message.content.endswith("paused the game.") else None
    )
    pause = partial(moderation.pause, request=request_of(0))
    await chat_table.tables.change(chat_table.number, request_of(0), pause)
    await run_outbox(chat_table.outbox, chat_table.number)
    for message in [each for each in chat_table.chat.messages.values() if each.channel.id == thread_id]:
        del chat_table.chat.messages[message.id]
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.UNKNOWN_CHANNEL) if each.channel.id == thread_id else None
    )
    history = FakeChannel.history

    def read_history(channel: FakeChannel, **given: Any) -> AsyncIterator[FakeMessage]:
        chat_table.chat.raise_fault("history", channel.get_partial_message(0))
        return history(channel, **given)

    monkeypatch.setattr(FakeChannel, "history", read_history)
    chat_table.clock.now += NONCE_MEMORY * 2
    await chat_table.send_all()
    notices = [
        each for each in chat_table.chat.public_messages() if each.content.endswith("paused the game.")
    ]
    assert [each.channel.id for each in notices] == [CHANNEL]


def _lose_answer_to_next_mention(chat_table: ChatTable) -> None:
    """Lose the answer to the next message that notifies somebody."""
    chat_table.chat.lose_one_answer(lambda message: message.raw_mentions)


@pytest.mark.parametrize("was_clock_fast", [True, False])
async def test_a_clock_that_is_set_back_doubles_no_mention(
    chat_table: ChatTable, *, was_clock_fast: bool
) -> None:
    """A board whose answer was lost is found, whether the clock of its host was wrong before or is now."""
    chat_table.chat.discord_time = chat_table.clock.now - (3600 if was_clock_fast else 0)
    _lose_answer_to_next_mention(chat_table)
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    for message in chat_table.chat.messages.values():
        message.nonce = 0
    chat_table.chat.discord_time += 600
    chat_table.clock.now = chat_table.chat.discord_time - (0 if was_clock_fast else 3600)
    await chat_table.send_all()
    mentioned = [user for message in chat_table.chat.posted for user in message.raw_mentions]
    assert mentioned.count(FIRST_USER + seat) == 1


async def test_the_board_after_one_whose_answer_was_lost_notifies(chat_table: ChatTable) -> None:
    """Each player is notified of their turn, once, also if the board before it is found late."""
    _lose_answer_to_next_mention(chat_table)
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    kept_length, seat = (
        await chat_table.history_length(),
        (await chat_table.tables.get(chat_table.number)).to_act,
    )
    await chat_table.play_turn()
    await chat_table.send_all()
    assert seat is not None
    assert chat_table.board().raw_mentions == [FIRST_USER + 1 - seat]
    await chat_table.roll_back(kept_length)
    await chat_table.send_all()
    mentioned = [user for message in chat_table.chat.posted for user in message.raw_mentions]
    assert mentioned.count(FIRST_USER + seat) == 1


async def test_a_turn_after_one_whose_board_was_lost_notifies(chat_table: ChatTable) -> None:
    """Also after an undo, when nothing says which turn the lost board showed: its player has ended one."""
    _lose_answer_to_next_mention(chat_table)
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    for _ in range(2):
        await chat_table.play_turn()
    kept_length = await chat_table.history_length()
    await chat_table.play_turn()
    await chat_table.roll_back(kept_length)
    assert (await chat_table.tables.get(chat_table.number)).to_act == seat
    await chat_table.send_all()
    mentioned = [user for message in chat_table.chat.posted for user in message.raw_mentions]
    assert mentioned.count(FIRST_USER + seat) == 2


@pytest.mark.parametrize("delay", [1.0, NONCE_MEMORY * 2])
async def test_a_pause_after_a_lost_answer_is_no_second_mention(chat_table: ChatTable, delay: float) -> None:
    """Whoever was mentioned by a board that is found in a pause is not mentioned again when it ends."""
    _lose_answer_to_next_mention(chat_table)
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    for decide in (moderation.pause, moderation.resume):
        await chat_table.tables.change(
            chat_table.number, request_of(0), partial(decide, request=request_of(0))
        )
        chat_table.clock.now += delay
        await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all()
    mentioned = [user for message in chat_table.chat.posted for user in message.raw_mentions]
    assert mentioned.count(FIRST_USER + seat) == 1


async def test_a_new_player_is_notified_after_a_lost_answer(chat_table: ChatTable) -> None:
    """Whoever gets a seat is notified of its turn, also if the board that asked the last player is found."""
    _lose_answer_to_next_mention(chat_table)
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    newcomer = FIRST_USER + 50

    def give_seat(table: Table) -> Decision:
        assert table.to_act is not None
        row = replace(table.seats[table.to_act], user=newcomer)
        return Decision(table=table.with_seat(table.to_act, row), answer="", deliveries=(BOARD_DELIVERY,))

    await chat_table.tables.change(chat_table.number, None, give_seat)
    await chat_table.send_all()
    assert chat_table.board().raw_mentions == [newcomer]


@pytest.mark.parametrize("delay", [1.0, NONCE_MEMORY * 2])
async def test_a_lost_first_board_is_found_in_a_computers_turn(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, delay: float
) -> None:
    """A board is posted after a computer's turn, but one that arrived already does not keep its buttons."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO, computer_count=1))
    while await is_computers_turn(chat_table):
        await play_computer_turn(chat_table, RNG)
    _lose_answer_to_next_mention(chat_table)
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.play_turn()
    assert await is_computers_turn(chat_table)
    clock.now += delay
    await run_outbox(chat_table.outbox, chat_table.number)
    await play_computer_turn(chat_table, RNG)
    await chat_table.send_all()
    assert sum("Play" in labels(each) for each in chat_table.chat.public_messages()) == 1


@pytest.mark.parametrize("newcomer", [Person(FIRST_USER + 50, "Gita"), None])
async def test_a_lost_hand_is_closed_once_another_has_the_seat(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, newcomer: Person | None
) -> None:
    """Its reader is shown no hand and asked for no move, as in a message whose answer arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    channel = (await chat_table.chat.create_dm(discord.Object(FIRST_USER))).id
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "posted" and message.channel.id == channel else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    chat_table.chat.fault_of_call = lambda _, __: None
    table = await hand_over(tables, chat_table.number, 0, newcomer)
    await chat_table.send_all()
    (message,) = (each for each in chat_table.chat.messages.values() if each.channel.id == channel)
    assert message.content.endswith(f"{table.names[0]} has your seat now.")
    assert labels(message) == []


@pytest.mark.parametrize("decide", [moderation.end, moderation.freeze])
async def test_a_board_without_its_usual_buttons_is_posted_once(
    chat_table: ChatTable, decide: Callable[..., Decision]
) -> None:
    """The board of a game that was ended or frozen is found, too, once Discord has forgotten its nonce."""
    chat_table.clock.now += 2 * MAX_AGE_TO_EDIT
    message_count, arguments = len(chat_table.chat.posted), dict[str, Any](request=request_of(0))
    if decide is moderation.freeze:
        arguments = {"reason": "Why."}
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "posted" and message.files and message.channel.id == CHANNEL else None
    )
    await chat_table.tables.change(chat_table.number, None, partial(decide, **arguments))
    await run_outbox(chat_table.outbox, chat_table.number)
    for message in chat_table.chat.messages.values():
        message.attachments = [SimpleNamespace(filename="board.png") for _ in message.files]
    await chat_table.send_all_without_nonces()
    boards = [
        each for each in chat_table.chat.posted[message_count:] if each.files and each.channel.id == CHANNEL
    ]
    assert len(boards) == 1


async def test_a_lost_board_is_found_by_one_with_more_pictures(
    chat_table: ChatTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Since it was posted a dice competition may have come, which a second picture reports."""

    async def draw_rolls(_: Table) -> tuple[DrawnPicture, ...]:
        return (DrawnPicture("rolls.png", b"rolls", ""),)

    _lose_answer_to_next_mention(chat_table)
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    lost = chat_table.chat.posted[-1]
    lost.attachments = [SimpleNamespace(filename="board.png")]
    monkeypatch.setattr("bot.chat.delivery_contents.draw_reporting_pictures", draw_rolls)
    await make_move(chat_table.tables, chat_table.number, RNG)
    await chat_table.send_all_without_nonces()
    assert len([each for each in chat_table.chat.posted if each.raw_mentions == lost.raw_mentions]) == 1


async def test_a_lost_question_that_is_settled_loses_its_buttons(chat_table: ChatTable) -> None:
    """However often its edit fails first: nothing can be posted twice by trying that again."""
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "posted" and "Agree" in labels(message) else None
    )
    await chat_table.tables.change(
        chat_table.number, request_of(1), partial(moderation.pause, request=request_of(1))
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    (asking,) = [each for each in chat_table.chat.public_messages() if "Agree" in labels(each)]
    question = (await chat_table.tables.get(chat_table.number)).row.question
    assert question is not None
    decline = partial(voting.vote, request=request_of(0), question_id=question.id, is_yes=False)
    await chat_table.tables.change(chat_table.number, request_of(0), decline)
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "edit" and message is asking else None
    )
    for _ in range(3):
        chat_table.clock.now += NONCE_MEMORY * 2
        await run_outbox(chat_table.outbox, chat_table.number)
    chat_table.chat.fault_of_call = lambda _, __: None
    await chat_table.send_all()
    assert labels(asking) == []


async def test_a_lost_offer_is_not_taken_for_that_of_another_seat(chat_table: ChatTable) -> None:
    """Where only the second of two offers arrived, each seat is offered once in the end."""
    for seat in (0, 1):
        request = request_of(seat)
        offer = partial(seats.offer_to_anybody, request=request, seat=Seat(seat))
        await chat_table.tables.change(chat_table.number, request, offer)
    lost_calls = {("post", "seat A"), ("posted", "seat B")}
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut")
        if any(action == each and text in message.content for each, text in lost_calls)
        else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all_without_nonces()
    offers = [each.content for each in chat_table.chat.posted if TAKE_LABEL in labels(each)]
    assert [sum(f"seat {letter}" in text for text in offers) for letter in "AB"] == [1, 1]


async def test_a_lost_invitation_is_not_taken_for_another(tables: Tables, clock: ManualClock) -> None:
    """Where only the second of two invitations arrived, each person is invited once in the end."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, EVERY_GAME["oceans"]))
    await chat_table.send_all()
    first_user, second_user = FIRST_USER + 50, FIRST_USER + 51
    for user in (first_user, second_user):
        invite = partial(admission.invite, request=request_of(0), person=Person(user, "Guest"))
        await tables.change(chat_table.number, request_of(0), invite)

    def lose(action: str, message: FakeMessage) -> Exception | None:
        is_lost = f"<@{first_user}>" in message.content and action == "post"
        is_lost |= f"<@{second_user}>" in message.content and action == "posted"
        return OSError("cut") if is_lost else None

    chat_table.chat.fault_of_call = lose
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all_without_nonces()
    invitations = [message for message in chat_table.chat.posted if " is invited to " in message.content]
    assert sorted(user for each in invitations for user in each.raw_mentions) == [first_user, second_user]


async def test_a_lost_request_is_not_taken_for_that_of_a_namesake(tables: Tables, clock: ManualClock) -> None:
    """Where only the second of two requests arrived, the host is asked about each person in the end."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, EVERY_GAME["oceans"]))
    by_invitation = partial(admission.set_by_invitation, request=request_of(0), by_invitation=True)
    await tables.change(chat_table.number, request_of(0), by_invitation)
    await chat_table.send_all()
    users = [str(FIRST_USER + 50), str(FIRST_USER + 51)]
    for user in users:
        request = replace(request_of(1), user=int(user), name="Sam")
        await tables.change(chat_table.number, request, partial(admission.ask_to_join, request=request))
    failing = ["post", "posted"]
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut")
        if "Sam asks" in message.content and [action] == failing[:1] and failing.pop(0)
        else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    assert not failing
    await chat_table.send_all_without_nonces()
    requests = [message for message in chat_table.chat.posted if "Sam asks" in message.content]
    button_ids = [parse_custom_id(each.components[0].children[0].custom_id) for each in requests]
    assert sorted(each.argument for each in button_ids if each is not None) == users


@pytest.mark.parametrize("lost_action", ["post", "posted"])
@pytest.mark.parametrize("check_states", [(False, False), (False, True), (True, False)])
async def test_a_lost_acceptance_is_posted_once(
    tables: Tables, clock: ManualClock, lost_action: str, check_states: tuple[bool, bool]
) -> None:
    """Whether it arrived or not, and whether a ready check began or ended before the next process."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, EVERY_GAME["oceans"]))

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
        await tables.change(chat_table.number, request_of(seat), partial(decide, request=request_of(seat)))
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == lost_action and "was accepted" in message.content else None
    )
    await set_check(is_on=check_states[0])
    await run_outbox(chat_table.outbox, chat_table.number)
    await set_check(is_on=check_states[1])
    restarted = ChatTable(tables, clock, chat_table.number, chat_table.chat)
    await restarted.send_all_without_nonces()
    posts = [message for message in chat_table.chat.posted if "was accepted" in message.content]
    assert [message.raw_mentions for message in posts] == [[FIRST_USER + 1]]


async def test_a_lost_lobby_of_a_begun_game_is_posted_once(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found although it lacks the usual buttons and says by now that the game is elsewhere."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "posted" and "The game has started" in message.content else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.move_as_host(88)
    await chat_table.send_all_without_nonces()
    texts = [each.content for each in chat_table.chat.public_messages() if "has started" in each.content]
    assert len(texts) == 1
    assert "The game has started in <#88>." in texts[0]


async def test_a_lost_lobby_is_not_taken_for_the_status_message(tables: Tables, clock: ManualClock) -> None:
    """A lobby that never arrived is posted, though the server's status message has its button **Join**."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, EVERY_GAME["oceans"]))
    chat_table.chat.fault_of_call = lambda action, _: OSError("cut") if action == "post" else None
    await run_outbox(chat_table.outbox, chat_table.number)
    status_message = FakeMessage(chat_table.chat, CHANNEL, chat_table.chat.new_id())
    table = await tables.get(chat_table.number)
    post = status_post(ServerTables(GUILD, (table,), (), (), ()), EVERY_GAME)
    status_message.content = post.text
    status_message.set_view(classic_view(post.rows))
    chat_table.chat.messages[status_message.id] = status_message
    chat_table.chat.fault_of_call = lambda _, __: None
    chat_table.clock.now += NONCE_MEMORY * 2
    await chat_table.send_all()
    assert len([each for each in chat_table.chat.public_messages() if "Leave" in labels(each)]) == 1
    assert status_message.content == post.text
