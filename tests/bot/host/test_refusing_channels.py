"""What is sent where a permission is missing or a thread is archived, and where a table moves meanwhile."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.error_codes import ErrorCode
from bot.host.deciders import lobby, moderation
from bot.host.outbox import MAX_RETRY_WAIT
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.rows import IDLE_SECONDS, Status
from tests.bot.chat.guilds import PUBLIC_THREAD_TYPE, make_guild
from tests.bot.host.chat_table import CURRENTS_FOR_TWO, ChatTable, is_turn_message
from tests.bot.host.fake_chat import FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    RNG,
    ManualClock,
    begin,
    give_seat_away,
    make_move,
    open_lobby,
    request_of_person,
)
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.timed_tables import ANY_GAME_KEY, change_as

GAME_THREAD, NEW_CHANNEL = 77, 88


def _refuse_with(*errors: discord.HTTPException) -> Callable[[str, FakeMessage], discord.HTTPException]:
    """Return a fault that refuses each request with the next of some errors, and then with the last."""
    remaining = [*errors]
    return lambda _, __: remaining.pop(0) if len(remaining) > 1 else remaining[0]


async def test_the_host_is_warned_once_for_each_channel(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever permission Discord misses first; a channel to which the table moves is another one."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    chat_table.chat.fault_of_call = _refuse_with(
        http_error(ErrorCode.MISSING_PERMISSIONS, 403), http_error(ErrorCode.MISSING_ACCESS, 403)
    )
    await chat_table.play_turn()
    for _ in range(3):
        await run_outbox(chat_table.outbox, chat_table.number)
        clock.now += MAX_RETRY_WAIT
    assert len(chat_table.chat.messages_to_host) == 1
    await chat_table.move_table_as_host(NEW_CHANNEL)
    await run_outbox(chat_table.outbox, chat_table.number)
    assert len(chat_table.chat.messages_to_host) == 2


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_the_host_is_warned_again_of_a_channel_that_was_repaired(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_restarted: bool
) -> None:
    """A board that was posted in between makes the warning due again; what needs no file does not."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)

    async def refuse_boards_for_a_turn() -> None:
        nonlocal chat_table
        if is_restarted:
            chat_table = ChatTable(tables, clock, chat_table.number, chat_table.chat)
        chat_table.chat.fault_of_call = lambda action, message: (
            http_error(ErrorCode.MISSING_PERMISSIONS, 403)
            if action == "post" and message.channel.id == CHANNEL and not is_turn_message(message)
            else None
        )
        await chat_table.play_turn()
        for _ in range(2):
            await run_outbox(chat_table.outbox, chat_table.number)
            clock.now += MAX_RETRY_WAIT

    for warning_count in (1, 2):
        await refuse_boards_for_a_turn()
        await refuse_boards_for_a_turn()
        assert len(chat_table.chat.messages_to_host) == warning_count
        chat_table.chat.fault_of_call = lambda _, __: None
        await chat_table.send_all()
        assert len(chat_table.boards_in(CHANNEL)) == 1


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_a_clock_that_was_set_back_repeats_no_warning(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_restarted: bool
) -> None:
    """The newest board then seems to be posted after the warning."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    clock.now -= DAY
    chat_table.chat.fault_of_call = _refuse_with(http_error(ErrorCode.MISSING_PERMISSIONS, 403))
    await chat_table.play_turn()
    for _ in range(3):
        await run_outbox(chat_table.outbox, chat_table.number)
        clock.now += MAX_RETRY_WAIT
        if is_restarted:
            chat_table = ChatTable(tables, clock, chat_table.number, chat_table.chat)
    assert len(chat_table.chat.messages_to_host) == 1


async def test_the_notice_of_a_move_that_a_second_one_undid_is_not_posted(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a move to where the bot may not post and the move back, only the last one is announced."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    chat_table.chat.fault_of_call = lambda action, message: (
        http_error(ErrorCode.MISSING_PERMISSIONS, 403)
        if action == "post" and message.channel.id == NEW_CHANNEL
        else None
    )
    await chat_table.move_table_as_host(NEW_CHANNEL)
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.move_table_as_host(CHANNEL)
    await chat_table.send_all()
    assert sum(" moved table No. " in each.content for each in chat_table.chat.public_messages()) == 1


@pytest.mark.parametrize("is_lobby", [False, True])
async def test_nothing_waits_for_ever_at_an_ended_table(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_lobby: bool
) -> None:
    """Its messages wait for a permission as long as a game may be idle; its host gets no warning."""
    stub_board_pictures(monkeypatch)
    number = await (
        open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY]) if is_lobby else begin(tables, CURRENTS_FOR_TWO)
    )
    chat_table = ChatTable(tables, clock, number)
    await chat_table.send_all()
    chat_table.chat.fault_of_call = _refuse_with(http_error(ErrorCode.MISSING_ACCESS, 403))
    ended = await change_as(tables, number, 0, moderation.end)
    assert ended.status is (Status.CLOSED if is_lobby else Status.ENDED_EARLY)
    clock.now += IDLE_SECONDS - DAY
    await run_outbox(chat_table.outbox, number)
    assert await tables.store.waiting_deliveries(number)
    clock.now += 2 * DAY
    await run_outbox(chat_table.outbox, number)
    assert not await tables.store.waiting_deliveries(number)
    assert chat_table.chat.messages_to_host == []


async def test_an_old_board_in_an_archived_thread_loses_its_buttons(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that moves out of a thread which was archived leaves no board to press there."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    await chat_table.move_game_and_send(GAME_THREAD)
    old_board = chat_table.board()
    assert old_board.channel.id == GAME_THREAD
    archived_thread = make_guild({CHANNEL: {}}, {GAME_THREAD: (CHANNEL, PUBLIC_THREAD_TYPE)}).threads[0]
    archived_thread.archived = True

    async def unarchive(_: discord.Thread, **changes: Any) -> None:
        archived_thread.archived = changes["archived"]

    monkeypatch.setattr(discord.Thread, "edit", unarchive)
    chat_table.chat.thread_to_find = archived_thread
    chat_table.chat.fault_of_call = lambda action, message: (
        http_error(ErrorCode.THREAD_ARCHIVED, 400)
        if action == "edit" and message.channel.id == GAME_THREAD and archived_thread.archived
        else None
    )
    await chat_table.move_game_and_send(NEW_CHANNEL)
    assert labels(old_board) == []
    assert chat_table.board().channel.id == NEW_CHANNEL


@pytest.mark.parametrize("is_moved", [False, True])
async def test_a_thread_that_stays_archived_holds_up_nothing(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    is_moved: bool,
) -> None:
    """Where the bot may not unarchive it, the next board is posted anew, there or where the table moved."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    await chat_table.move_game_and_send(GAME_THREAD)
    old_board = chat_table.board()

    async def refuse(*_: Any, **__: Any) -> None:
        raise discord.Forbidden(
            http_error(ErrorCode.MISSING_ACCESS, 403).response,
            {"code": ErrorCode.MISSING_ACCESS, "message": "no"},
        )

    monkeypatch.setattr(discord.Thread, "edit", refuse)
    archived_thread = make_guild({CHANNEL: {}}, {GAME_THREAD: (CHANNEL, PUBLIC_THREAD_TYPE)}).threads[0]
    chat_table.chat.thread_to_find = archived_thread
    chat_table.chat.fault_of_call = lambda action, message: (
        http_error(ErrorCode.THREAD_ARCHIVED, 400)
        if action == "edit" and message.channel.id == GAME_THREAD
        else None
    )
    if is_moved:
        await chat_table.move_table_as_host(NEW_CHANNEL)
    else:
        await make_move(tables, chat_table.number, RNG)
    await chat_table.send_all()
    newest_board = [each for each in chat_table.chat.public_messages() if "Play" in labels(each)][-1]
    assert newest_board is not old_board
    assert newest_board.channel.id == (NEW_CHANNEL if is_moved else GAME_THREAD)
    assert not await tables.store.waiting_deliveries(chat_table.number)
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


async def test_a_thread_that_opens_late_moves_no_table_back(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that was moved while its thread was being opened stays where it was moved to."""
    stub_board_pictures(monkeypatch)
    chat_table = await ChatTable.start_game(tables, clock)
    create_thread = FakeMessage.create_thread

    async def create_late(message: FakeMessage, **options: Any) -> Any:
        await chat_table.move_table_as_host(NEW_CHANNEL)
        return await create_thread(message, **options)

    monkeypatch.setattr(FakeMessage, "create_thread", create_late)
    for message in chat_table.chat.messages.values():
        message.guild = object()
    await chat_table.open_thread()
    await chat_table.send_all()
    assert (await tables.get(chat_table.number)).row.game_channel == NEW_CHANNEL


@pytest.mark.parametrize("is_moved", [False, True])
async def test_a_game_that_has_left_its_thread_is_not_brought_back_by_its_name(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_moved: bool
) -> None:
    """A new player changes the name of a thread that was locked, or from which the host moved the game."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await open_lobby(tables, CURRENTS_FOR_TWO.game))
    await chat_table.send_all()
    await tables.change(chat_table.number, None, partial(lobby.join, request=request_of_person(1)))
    start = partial(lobby.start, request=replace(request_of_person(0), can_open_thread=True))
    await tables.change_that_may_start_game(chat_table.number, None, start)
    for message in chat_table.chat.messages.values():
        message.guild = object()
    await chat_table.send_all()
    thread = (await tables.get(chat_table.number)).row.game_channel
    assert thread != CHANNEL

    def refuse(action: str, message: FakeMessage) -> discord.HTTPException | None:
        message.guild = object()
        if action == "thread":
            return http_error(ErrorCode.THREAD_EXISTS, 400)
        is_post_in_thread = action == "post" and message.channel.id == thread
        return http_error(ErrorCode.THREAD_LOCKED, 403) if is_post_in_thread else None

    chat_table.chat.fault_of_call = refuse
    post_count = len(chat_table.chat.posted)
    await give_seat_away(tables, chat_table.number, 1, None)
    if is_moved:
        await chat_table.move_table_as_host(CHANNEL)
    await chat_table.send_all()
    assert (await tables.get(chat_table.number)).row.game_channel == CHANNEL
    new_texts = [each.content for each in chat_table.chat.posted[post_count:]]
    assert sum("is locked" in text for text in new_texts) == (not is_moved)
