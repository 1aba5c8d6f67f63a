"""The status message of a server: one message, edited at most once a minute, posted anew where it is gone."""

import random

import pytest

from bot.chat.server_status import UPDATE_INTERVAL, StatusOutcome
from bot.chat.server_tables import games_post, read_server_tables
from bot.host.delivery_order import Priority
from bot.host.tables import Tables
from bot.store.rows import Status
from tests.bot.chat.guilds import make_guild
from tests.bot.host.fake_chat import labels
from tests.bot.host.playing import CHANNEL as TABLES_CHANNEL
from tests.bot.host.playing import (
    EVERY_GAME,
    GUILD,
    ManualClock,
    begin,
    default_setup,
    make_move,
)
from tests.bot.host.status_board import CHANNEL, GAME, StatusBoard, StatusChat, sees_every_channel
from tests.bot.host.test_delivery_order import ReservedCalls


@pytest.fixture
def board(tables: Tables, clock: ManualClock) -> StatusBoard:
    """Return the status of a server without a message."""
    return StatusBoard(tables, clock, StatusChat())


async def _fill(board: StatusBoard) -> tuple[int, int, int]:
    """Have a lobby, a game and a result; return their numbers."""
    lobby_number = await board.open()
    playing = await begin(board.tables, default_setup(GAME, 2))
    over = await begin(board.tables, default_setup(GAME, 2))
    rng = random.Random(1)
    while (await board.tables.get(over)).status is Status.PLAYING:
        await make_move(board.tables, over, rng)
    return lobby_number, playing, over


async def test_what_it_shows(board: StatusBoard) -> None:
    """Lobbies with **Join** from there, live tables with whose turn it is, and results."""
    number, playing, over = await _fill(board)
    assert await board.place() is StatusOutcome.SHOWN
    text = board.message().content
    assert board.message().is_pinned
    assert f"Currents No. {number}]" in text
    assert "3 of 4 seats free" in text
    assert f"Currents No. {playing}]" in text
    assert "'s turn" in text
    assert f"Currents No. {over}: 1. " in text
    assert labels(board.message()) == [f"Join Currents No. {number}"]


async def test_edits_are_coalesced(board: StatusBoard) -> None:
    """Whatever changes, there is one edit a minute, and none where nothing to show has changed."""
    await board.place()
    for seat in range(3):
        await board.open(seat)
        await board.pass_time(1)
    assert board.chat.edits == 0
    await board.pass_time(UPDATE_INTERVAL)
    assert board.chat.edits == 1
    assert len(labels(board.message())) == 3
    board.status.retry(GUILD)
    await board.pass_time()
    await board.pass_time()
    assert board.chat.edits == 1, "it shows the same"


@pytest.mark.parametrize("is_due_before", [True, False])
async def test_it_does_not_wait_for_a_clock_that_was_set_back(
    board: StatusBoard, *, is_due_before: bool
) -> None:
    """What changes before or after the clock is set back is shown within a minute or two."""
    await board.place()
    if is_due_before:
        await board.open()
    board.clock.now -= 3600
    if not is_due_before:
        await board.open()
    for _ in range(2):
        await board.pass_time()
    assert len(labels(board.message())) == 1


async def test_boards_are_sent_before_it(board: StatusBoard) -> None:
    """Its calls are reserved with the hands."""
    calls = ReservedCalls()
    calls.granted.set()
    board.status._reserve_call = calls.reserve
    await board.place()
    assert set(calls.priorities) == {Priority.MEDIUM}


async def test_it_outlives_restarts(board: StatusBoard) -> None:
    """The next process edits the same message."""
    await board.place()
    tables = Tables(board.tables.store, EVERY_GAME, board.clock)
    restarted = StatusBoard(tables, board.clock, board.chat)
    await restarted.open()
    restarted.status.retry(GUILD)
    await restarted.pass_time()
    assert len(labels(restarted.message())) == 1


async def test_a_deleted_message_is_posted_anew(board: StatusBoard) -> None:
    """Somebody deletes it: the next change posts another one, pinned again."""
    await board.place()
    first = board.message()
    await first.delete()
    await board.open()
    await board.pass_time()
    assert board.message() is not first
    assert board.message().is_pinned
    await board.open(1)
    await board.pass_time()
    assert len(board.chat.messages) == 1


async def test_there_is_one_in_a_server(board: StatusBoard) -> None:
    """Another place takes it over, and turning it off deletes it."""
    await board.place()
    await board.status.place(GUILD, CHANNEL + 1, 2)
    assert board.message().channel.id == CHANNEL + 1
    assert await board.status.remove(GUILD)
    assert not board.chat.messages
    assert not await board.status.remove(GUILD)
    await board.open()
    await board.pass_time()
    assert not board.chat.messages


async def test_tables_of_hidden_channels_are_left_out(board: StatusBoard) -> None:
    """Lobbies, games and results alike; they appear once the channel is opened."""
    await _fill(board)
    board.chat.guild = make_guild({CHANNEL: {}, TABLES_CHANNEL: {GUILD: False}}, guild=GUILD)
    await board.place()
    assert "No. " not in board.message().content
    assert not labels(board.message())
    board.chat.guild = make_guild({CHANNEL: {}, TABLES_CHANNEL: {}}, guild=GUILD)
    board.status.retry(GUILD)
    await board.pass_time()
    assert [board.message().content.count(f"No. {each}") for each in (1, 2, 3)] == [1, 1, 1]
    shown = games_post(await read_server_tables(board.tables, GUILD, sees_every_channel), EVERY_GAME)
    assert shown.text.startswith("**Being played**")
    assert shown.text.endswith("\n\n**Open lobbies**"), "the lobbies stand below it"
    hidden = await read_server_tables(board.tables, GUILD, lambda *_: False)
    assert "No. " not in games_post(hidden, EVERY_GAME).text
    assert not games_post(hidden, EVERY_GAME).rows
