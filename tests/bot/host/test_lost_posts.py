"""What follows a board, a hand or a notice whose answer was lost: it is posted and notifies once."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.chat.courier import MAX_AGE_TO_EDIT
from bot.chat.pictures import DrawnPicture
from bot.error_codes import ErrorCode
from bot.host.courier_protocol import NONCE_MEMORY
from bot.host.deciders import moderation, own_undo
from bot.host.deciders.decision import BOARD_DELIVERY, Decision, time_over_delivery
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import LATE_PLAYER, NewDelivery
from bot.store.rows import Status
from bot.store.seat_rows import Person
from tests.bot.host.chat_table import CURRENTS_FOR_TWO, ChatTable, is_computers_turn, play_computer_turn
from tests.bot.host.fake_chat import FakeChannel, FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.playing import (
    CHANNEL,
    FIRST_USER,
    RNG,
    ManualClock,
    begin,
    give_seat_away,
    make_move,
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


@pytest.mark.parametrize("name", ["Ava", "¯\\_(ツ)_/¯"])
@pytest.mark.parametrize(
    "text", [f"{LATE_PLAYER} took too long.", f"Computer 1 plays for {LATE_PLAYER} until they are back."]
)
async def test_a_time_over_whose_answer_was_lost_is_posted_once(
    chat_table: ChatTable, text: str, name: str
) -> None:
    """It is found although it does not mention its player any more, who is back by now."""
    table = await chat_table.tables.get(chat_table.number)
    renamed = table.with_seat(0, replace(table.seats[0], name=name))
    await chat_table.tables.change(chat_table.number, None, lambda _: Decision(table=renamed, answer=""))
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and "<@100>" in message.content else None
    )
    for status, deliveries in (
        (Status.PAUSED, (time_over_delivery(0, FIRST_USER, text),)),
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
    pause, resume = (
        partial(each, request=request_of_person(0)) for each in (moderation.pause, moderation.resume)
    )
    for decide in (pause, resume):
        await chat_table.tables.change(chat_table.number, request_of_person(0), decide)
        await chat_table.send_all()
        chat_table.clock.now += 5
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "post" and message.content.endswith("paused the game.") else None
    )
    await chat_table.tables.change(chat_table.number, request_of_person(0), pause)
    await run_outbox(chat_table.outbox, chat_table.number)
    chat_table.chat.fault_of_call = lambda _, __: None
    chat_table.clock.now += NONCE_MEMORY * 2
    await chat_table.send_all()
    notices = [each.content for each in chat_table.chat.public_messages() if "the game." in each.content]
    assert sum(each.endswith("paused the game.") for each in notices) == 2


@pytest.mark.parametrize("is_from_bot", [True, False])
async def test_a_text_of_somebody_else_is_no_lost_notice(chat_table: ChatTable, *, is_from_bot: bool) -> None:
    """Whoever repeats what the bot would say does not keep it from saying so."""
    chat_table.chat.lose_one_answer(lambda message: message.content.endswith("paused the game."))
    pause = partial(moderation.pause, request=request_of_person(0))
    await chat_table.tables.change(chat_table.number, request_of_person(0), pause)
    await run_outbox(chat_table.outbox, chat_table.number)
    (lost_notice,) = (
        each for each in chat_table.chat.public_messages() if each.content.endswith("paused the game.")
    )
    if not is_from_bot:
        lost_notice.author = SimpleNamespace(id=FIRST_USER)
    lost_notice.nonce = 0
    chat_table.clock.now += NONCE_MEMORY * 2
    await chat_table.send_all()
    contents = [each.content for each in chat_table.chat.public_messages()]
    assert contents.count(lost_notice.content) == (1 if is_from_bot else 2)


async def test_a_notice_lost_in_a_deleted_thread_is_posted_above_it(
    chat_table: ChatTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is posted in the channel above, as any notice, however long ago its answer was lost."""
    thread_id = 77
    await chat_table.move_game_and_send(thread_id)
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and message.content.endswith("paused the game.") else None
    )
    pause = partial(moderation.pause, request=request_of_person(0))
    await chat_table.tables.change(chat_table.number, request_of_person(0), pause)
    await run_outbox(chat_table.outbox, chat_table.number)
    for message in [each for each in chat_table.chat.messages.values() if each.channel.id == thread_id]:
        del chat_table.chat.messages[message.id]
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.UNKNOWN_CHANNEL) if each.channel.id == thread_id else None
    )
    history = FakeChannel.history

    def read_history(channel: FakeChannel, **keywords: Any) -> AsyncIterator[FakeMessage]:
        chat_table.chat.raise_fault("history", channel.get_partial_message(0))
        return history(channel, **keywords)

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
    """A board whose answer was lost is found, whether the bot's clock was wrong before or is now."""
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
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    await chat_table.play_turn()
    await chat_table.send_all()
    assert seat is not None
    assert chat_table.board().raw_mentions == [FIRST_USER + 1 - seat]
    request = request_of_person(seat)
    undo = partial(own_undo.undo, request=request, is_whole_turn=True)
    assert (await chat_table.tables.change(chat_table.number, request, undo)).table.to_act == seat
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
            chat_table.number, request_of_person(0), partial(decide, request=request_of_person(0))
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
        OSError("cut") if action == "after_post" and message.channel.id == channel else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    chat_table.chat.fault_of_call = lambda _, __: None
    table = await give_seat_away(tables, chat_table.number, 0, newcomer)
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
    message_count, arguments = len(chat_table.chat.posted), dict[str, Any](request=request_of_person(0))
    if decide is moderation.freeze:
        arguments = {"reason": "Why."}
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and message.files and message.channel.id == CHANNEL else None
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
