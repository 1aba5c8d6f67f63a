"""What is sent where a table was moved, and where its channel was deleted or hidden."""

from functools import partial

import discord
import pytest

from bot.error_codes import ErrorCode
from bot.host.deciders import admission, moderation
from bot.host.deciders.decision import THREAD_DELIVERY
from bot.host.outbox import MAX_RETRY_WAIT
from bot.host.tables import Tables
from bot.store.clock_rows import HOUR
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from bot.store.seat_rows import Person
from tests.bot.host.chat_table import CURRENTS_FOR_TWO, ChatTable
from tests.bot.host.fake_chat import FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.open_questions import answer_question
from tests.bot.host.playing import (
    CHANNEL,
    FIRST_USER,
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    open_lobby,
    request_of_person,
)
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.timed_tables import change_row
from tests.bot.host.waiting_lobbies import open_waiting_lobby

NEW_CHANNEL = 88


async def _send_all_and_delete_channel(tables: Tables, clock: ManualClock, number: int) -> ChatTable:
    """Send all that waits at a table, then delete its channel; return the table."""
    chat_table = ChatTable(tables, clock, number)
    await chat_table.send_all()
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.UNKNOWN_CHANNEL) if each.channel.id == CHANNEL else None
    )
    return chat_table


async def _move_table(chat_table: ChatTable, *, is_tried_once: bool = False) -> None:
    """Move a table and send what follows; ``is_tried_once``: what has to wait is not tried again."""
    await chat_table.move_table_as_host(NEW_CHANNEL)
    await (run_outbox(chat_table.outbox, chat_table.number) if is_tried_once else chat_table.send_all())


async def test_the_host_of_an_ended_game_is_not_asked_to_move_it(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that is over cannot be moved, so its host is not asked to move it."""
    stub_board_pictures(monkeypatch)
    chat_table = await _send_all_and_delete_channel(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    while (await tables.get(chat_table.number)).status is Status.PLAYING:
        await chat_table.play_turn()
    await chat_table.send_all()
    assert chat_table.chat.messages_to_host == []


async def test_the_host_of_a_moved_game_is_not_asked_to_move_it(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the game goes on elsewhere nobody needs the lobby's message in the deleted channel."""
    stub_board_pictures(monkeypatch)
    chat_table = await _send_all_and_delete_channel(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await _move_table(chat_table)
    assert any("Play" in labels(each) and each.channel.id == NEW_CHANNEL for each in chat_table.chat.posted)
    assert chat_table.chat.messages_to_host == []


async def test_the_lobby_of_a_moved_game_waits_for_a_permission(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a channel that may be readable again its message will link to the game, so the delivery is kept."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.MISSING_ACCESS, 403) if each.channel.id == CHANNEL else None
    )
    await _move_table(chat_table, is_tried_once=True)
    waiting = await tables.store.waiting_deliveries(chat_table.number)
    assert DeliveryKind.LOBBY in {each.kind for each in waiting}


async def test_the_host_hears_of_each_deleted_channel(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host of a game that has moved is warned once more when the new channel is deleted as well."""
    stub_board_pictures(monkeypatch)
    chat_table = await _send_all_and_delete_channel(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await chat_table.play_turn()
    await chat_table.send_all()
    await _move_table(chat_table)
    assert len(chat_table.chat.messages_to_host) == 1
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.UNKNOWN_CHANNEL) if each.channel.id in {CHANNEL, NEW_CHANNEL} else None
    )
    for _ in range(2):
        await chat_table.play_turn()
        await chat_table.send_all()
    assert len(chat_table.chat.messages_to_host) == 2


async def _start_game_without_permission(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> ChatTable:
    """Return a game in whose channel the bot may not post any more."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.MISSING_PERMISSIONS, 403) if each.channel.id == CHANNEL else None
    )
    return chat_table


async def test_a_restart_warns_no_host_again(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host reads once that the bot may not post in a channel, however often the bot is started."""
    chat_table = await _start_game_without_permission(tables, clock, monkeypatch)
    for _ in range(3):
        await chat_table.play_turn()
        await run_outbox(chat_table.outbox, chat_table.number)
        chat_table = ChatTable(tables, clock, chat_table.number, chat_table.chat)
    assert len(chat_table.chat.messages_to_host) == 1


async def test_a_new_host_is_warned_too(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who becomes the host of a game is warned of a channel of which the host before them was warned."""
    chat_table = await _start_game_without_permission(tables, clock, monkeypatch)
    for host in (FIRST_USER, FIRST_USER + 1):
        await change_row(tables, chat_table.number, host=host)
        for _ in range(2):
            await chat_table.play_turn()
            await run_outbox(chat_table.outbox, chat_table.number)
    assert len(chat_table.chat.messages_to_host) == 2


@pytest.mark.parametrize(
    ("error", "is_settled"),
    [(http_error(ErrorCode.UNKNOWN_CHANNEL), True), (http_error(ErrorCode.MISSING_ACCESS, 403), False)],
)
async def test_a_thread_waits_only_where_it_can_still_be_opened(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    error: discord.HTTPException,
    *,
    is_settled: bool,
) -> None:
    """Not in a deleted channel; in one that is hidden from the bot it waits, and is known to be blocked."""
    stub_board_pictures(monkeypatch)
    chat_table = await _send_all_and_delete_channel(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    chat_table.chat.lookup_error = error
    number = chat_table.number
    await chat_table.open_thread()
    for _ in range(3):
        await run_outbox(chat_table.outbox, number)
        clock.now += MAX_RETRY_WAIT
    heads = (await tables.store.backlog(clock.now)).heads
    assert [each.is_blocked for each in heads] == ([] if is_settled else [True])


async def test_a_moved_lobby_can_be_joined(tables: Tables, clock: ManualClock) -> None:
    """A lobby whose channel is gone is posted where it was moved, and kept up to date there."""
    chat_table = await _send_all_and_delete_channel(
        tables, clock, await open_lobby(tables, GAMES_AND_TOYS["currents"])
    )
    await _move_table(chat_table)
    (lobby_message,) = [each for each in chat_table.chat.public_messages() if "Join" in labels(each)][1:]
    assert lobby_message.channel.id == NEW_CHANNEL
    close = partial(moderation.end, request=request_of_person(0))
    await tables.change(chat_table.number, request_of_person(0), close)
    await chat_table.send_all()
    assert labels(lobby_message) == []
    assert chat_table.chat.messages_to_host == []


async def test_a_lobby_stands_where_it_was_moved(tables: Tables, clock: ManualClock) -> None:
    """Its message is posted in the new channel, and the old one has no buttons and links there."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["currents"]))
    await chat_table.send_all()
    (old_message,) = [each for each in chat_table.chat.public_messages() if "Join" in labels(each)]
    await _move_table(chat_table)
    (lobby_message,) = [each for each in chat_table.chat.public_messages() if "Join" in labels(each)]
    assert lobby_message.channel.id == (await tables.get(chat_table.number)).row.lobby_channel == NEW_CHANNEL
    assert f"The lobby was moved to <#{NEW_CHANNEL}>." in old_message.content
    assert labels(old_message) == []


async def test_a_lobby_that_is_moved_back_can_be_joined_in_one_place(
    tables: Tables, clock: ManualClock
) -> None:
    """One message can be pressed; the others say where it went from there, which is true for good."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["currents"]))
    await chat_table.send_all()
    await _move_table(chat_table)
    await chat_table.move_table_as_host(CHANNEL)
    await chat_table.send_all()
    channel_by_text = {
        "Join" if "Join" in labels(each) else each.content.rpartition(" · ")[2]: each.channel.id
        for each in chat_table.chat.public_messages()
        if "Join" in labels(each) or "lobby was moved to" in each.content
    }
    assert channel_by_text == {
        f"The lobby was moved to <#{NEW_CHANNEL}>.": CHANNEL,
        f"The lobby was moved to <#{CHANNEL}>.": NEW_CHANNEL,
        "Join": CHANNEL,
    }


async def test_the_questions_of_a_lobby_move_with_it(tables: Tables, clock: ManualClock) -> None:
    """They can be answered beside the lobby, nobody is mentioned again, and the old messages link there."""
    waiting_lobby = await open_waiting_lobby(tables, clock, options="", game=GAMES_AND_TOYS["oceans"])
    waiting_lobby.posts_ready_checks = False
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(0, admission.invite, person=Person(FIRST_USER + 4, "Edda"))
    await waiting_lobby.change_as(3, admission.ask_to_join)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    await chat_table.send_all()
    questions = {"Here", "Accept", "No, thanks"}
    old_messages = [each for each in chat_table.chat.public_messages() if questions & {*labels(each)}]
    assert len(old_messages) == 3
    await _move_table(chat_table)
    new_messages = [each for each in chat_table.chat.public_messages() if questions & {*labels(each)}]
    assert [each.channel.id for each in new_messages] == [NEW_CHANNEL] * 3
    assert not any(each.raw_mentions for each in new_messages)
    assert all(each.content.endswith(f"The lobby was moved to <#{NEW_CHANNEL}>.") for each in old_messages)
    await waiting_lobby.confirm(1)
    await chat_table.send_all()
    (ready_check_message,) = [each for each in chat_table.chat.public_messages() if "Here" in labels(each)]
    assert ready_check_message in new_messages
    assert "Here: Ava and Ben." in ready_check_message.content


@pytest.mark.parametrize("is_lobby_refused", [False, True])
async def test_a_thread_opens_once_its_moved_lobby_is_posted(
    tables: Tables, clock: ManualClock, *, is_lobby_refused: bool
) -> None:
    """Not at the lobby of the place that was left; where the new post is refused there is no thread."""
    chat_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["currents"]))
    await chat_table.send_all()
    error: discord.HTTPException | None = http_error(0, 500)

    def fail_or_arrive(action: str, message: FakeMessage) -> discord.HTTPException | None:
        message.guild = object()
        return error if action == "post" and "the lobby closes" in message.content else None

    chat_table.chat.fault_of_call = fail_or_arrive
    await chat_table.move_table_as_host(NEW_CHANNEL)
    await chat_table.open_thread()
    await run_outbox(chat_table.outbox, chat_table.number)
    assert (await tables.get(chat_table.number)).row.game_channel == NEW_CHANNEL
    heads = (await tables.store.backlog(clock.now)).heads
    assert [each.is_blocked for each in heads if each.slot == THREAD_DELIVERY.slot] == [True], "no alarm"
    error = http_error(ErrorCode.INVALID_FORM_BODY, 400) if is_lobby_refused else None
    await chat_table.send_all()
    lobby_ids = [each.id for each in chat_table.chat.public_messages() if "Join" in labels(each)]
    expected = NEW_CHANNEL if is_lobby_refused else lobby_ids[-1]
    assert (await tables.get(chat_table.number)).row.game_channel == expected
    assert await tables.store.waiting_deliveries(chat_table.number) == ()


async def test_an_open_question_moves_out_of_a_deleted_channel(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question whose channel is gone is asked again where the game was moved."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await tables.change(
        chat_table.number, request_of_person(1), partial(moderation.pause, request=request_of_person(1))
    )
    await chat_table.send_all()
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.UNKNOWN_CHANNEL) if each.channel.id == CHANNEL else None
    )
    await _move_table(chat_table)
    asking = [each for each in chat_table.chat.public_messages() if "Agree" in labels(each)]
    assert [each.channel.id for each in asking] == [CHANNEL, NEW_CHANNEL]
    assert asking[-1].raw_mentions == []
    await answer_question(tables, chat_table.number, request_of_person(0), is_yes=True)
    await chat_table.send_all()
    assert labels(asking[-1]) == []


async def test_a_table_leaves_a_channel_that_is_hidden_from_the_bot(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lobby can be joined, and its question answered, where it was moved; nobody is warned of there."""
    stub_board_pictures(monkeypatch)
    lobby_table = ChatTable(tables, clock, await open_lobby(tables, GAMES_AND_TOYS["currents"]))
    game_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await tables.change(
        game_table.number, request_of_person(1), partial(moderation.pause, request=request_of_person(1))
    )
    for chat_table, label in ((lobby_table, "Join"), (game_table, "Agree")):
        await chat_table.send_all()
        chat_table.chat.fault_of_call = lambda _, each: (
            http_error(ErrorCode.MISSING_ACCESS, 403) if each.channel.id == CHANNEL else None
        )
        await _move_table(chat_table, is_tried_once=True)
        channels = [each.channel.id for each in chat_table.chat.public_messages() if label in labels(each)]
        assert channels == [CHANNEL, NEW_CHANNEL]
        assert not any(f"<#{NEW_CHANNEL}>" in text for text in chat_table.chat.messages_to_host)
