"""The message of a lobby whose game is over says how it ended."""

from functools import partial

import pytest
from msgspec.structs import replace

from bot.error_codes import ErrorCode
from bot.host.deciders import departures, moderation
from bot.host.tables import Tables
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import FakeMessage, http_error
from tests.bot.host.playing import CHANNEL, ManualClock, request_of_person
from tests.bot.host.scripted_courier import run_outbox

PRIVATE_THREAD = 77


async def start_game(tables: Tables, clock: ManualClock) -> tuple[ChatTable, FakeMessage]:
    """Return a table whose game has started, and the message of its lobby."""
    chat_table = await ChatTable.start_game(tables, clock)
    (lobby_message,) = [
        each for each in chat_table.chat.public_messages() if "The game has started" in each.content
    ]
    return chat_table, lobby_message


async def end_game(chat_table: ChatTable, *, early: bool) -> None:
    """End the game: the second player resigns, or the host ends it early."""
    request = request_of_person(0 if early else 1)
    decide = (
        partial(moderation.end, request=request)
        if early
        else partial(departures.resign, request=request, computer="random")
    )
    await chat_table.tables.change(chat_table.number, request, decide)
    await chat_table.send_all()


@pytest.mark.parametrize(
    ("early", "end_text"),
    [
        (False, f"The game was played in <#{CHANNEL}>. Ava has won: Ben resigned."),
        (True, f"The game in <#{CHANNEL}> was ended early."),
    ],
)
async def test_the_lobby_says_how_its_game_ended(
    tables: Tables, clock: ManualClock, *, early: bool, end_text: str
) -> None:
    """Also after days: who reads it in the channel need not look into the thread."""
    chat_table, lobby_message = await start_game(tables, clock)
    await end_game(chat_table, early=early)
    assert lobby_message.content.endswith(f"\n{end_text}")


async def test_the_lobby_of_a_game_that_was_moved_away_tells_no_result(
    tables: Tables, clock: ManualClock
) -> None:
    """The channel or private thread where the game went on may be hidden from those who see the lobby."""
    chat_table, lobby_message = await start_game(tables, clock)
    request = replace(request_of_person(0), channel=PRIVATE_THREAD, is_private_thread=True)
    move = partial(moderation.move_here, request=request, is_channel_busy=False)
    await tables.change(chat_table.number, request, move)
    await end_game(chat_table, early=False)
    assert lobby_message.content.endswith(f"\nThe game was played in <#{PRIVATE_THREAD}>.")


async def test_a_deleted_lobby_of_an_ended_game_is_not_posted_again(
    tables: Tables, clock: ManualClock
) -> None:
    """Its result stands elsewhere."""
    chat_table, lobby_message = await start_game(tables, clock)
    await lobby_message.delete()
    await end_game(chat_table, early=True)
    assert not any("The game in" in each.content for each in chat_table.chat.posted)
    assert not await tables.store.waiting_deliveries(chat_table.number)


async def test_nobody_is_warned_that_an_old_lobby_cannot_be_edited(
    tables: Tables, clock: ManualClock
) -> None:
    """Its game was played elsewhere, where the result arrives; the message may be edited later."""
    chat_table, lobby_message = await start_game(tables, clock)
    await chat_table.move_table_as_host(PRIVATE_THREAD)
    await chat_table.send_all()
    chat_table.chat.fault_of_call = lambda _, message: (
        http_error(ErrorCode.MISSING_ACCESS, 403) if message.channel.id == CHANNEL else None
    )
    request = request_of_person(1)
    resign = partial(departures.resign, request=request, computer="random")
    await tables.change(chat_table.number, request, resign)
    await run_outbox(chat_table.outbox, chat_table.number)
    assert not chat_table.chat.messages_to_host
    chat_table.chat.fault_of_call = lambda _, __: None
    await chat_table.send_all()
    assert "The game was played in" in lobby_message.content
