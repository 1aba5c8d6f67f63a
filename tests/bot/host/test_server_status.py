"""The status message of a server: one message, edited at most once a minute, posted anew where it is gone."""

import random

import pytest

from bot.chat.server_status import UPDATE_INTERVAL
from bot.chat.server_tables import games_post, read_server_tables
from bot.chat.status_messages import StatusOutcome
from bot.host.delivery_order import Priority
from bot.host.tables import Tables
from bot.store.rows import Status
from tests.bot.chat.guilds import make_guild
from tests.bot.host.fake_chat import labels
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    begin,
    default_setup,
    make_move,
)
from tests.bot.host.scripted_courier import ManualReservations
from tests.bot.host.server_with_status import (
    CURRENTS,
    STATUS_CHANNEL,
    ServerWithStatus,
    StatusChat,
    sees_every_channel,
)


@pytest.fixture
def server(tables: Tables, clock: ManualClock) -> ServerWithStatus:
    """Return the status of a server without a message."""
    return ServerWithStatus(tables, clock, StatusChat())


async def _fill_server(server: ServerWithStatus) -> tuple[int, int, int]:
    """Have a lobby, a game and a result; return their numbers."""
    lobby_number = await server.open_lobby()
    playing_number = await begin(server.tables, default_setup(CURRENTS, 2))
    over_number = await begin(server.tables, default_setup(CURRENTS, 2))
    rng = random.Random(1)
    while (await server.tables.get(over_number)).status is Status.PLAYING:
        await make_move(server.tables, over_number, rng)
    return lobby_number, playing_number, over_number


async def test_the_status_message_lists_lobbies_games_and_results(server: ServerWithStatus) -> None:
    """Lobbies with **Join** from there, live tables with whose turn it is, and results."""
    number, playing_number, over_number = await _fill_server(server)
    assert await server.place_status() is StatusOutcome.SHOWN
    text = server.message().content
    assert server.message().is_pinned
    assert f"Currents No. {number}]" in text
    assert "3 of 4 seats free" in text
    assert f"Currents No. {playing_number}]" in text
    assert "'s turn" in text
    assert f"Currents No. {over_number}](" in text
    assert labels(server.message()) == [f"Join Currents No. {number}"]


async def test_edits_are_coalesced(server: ServerWithStatus) -> None:
    """Whatever changes, there is one edit a minute, and none where nothing to show has changed."""
    await server.place_status()
    for seat in range(3):
        await server.open_lobby(seat)
        await server.pass_time(1)
    await server.pass_time(UPDATE_INTERVAL - 5)
    assert server.chat.message_lookup_count == 0
    await server.pass_time(UPDATE_INTERVAL)
    assert server.chat.message_lookup_count == 1
    assert len(labels(server.message())) == 3
    server.updater.retry(GUILD)
    await server.pass_time()
    await server.pass_time()
    assert server.chat.message_lookup_count == 1, "it shows the same"


@pytest.mark.parametrize("is_due_before", [True, False])
async def test_the_status_message_does_not_wait_for_a_clock_that_was_set_back(
    server: ServerWithStatus, *, is_due_before: bool
) -> None:
    """What changes before or after the clock is set back is shown within a minute or two."""
    await server.place_status()
    if is_due_before:
        await server.open_lobby()
    server.clock.now -= 3600
    if not is_due_before:
        await server.open_lobby()
    for _ in range(2):
        await server.pass_time()
    assert len(labels(server.message())) == 1


async def test_boards_are_sent_before_the_status_message(server: ServerWithStatus) -> None:
    """Its calls are reserved with the hands."""
    reservations = ManualReservations()
    reservations.granted.set()
    server.updater._reserve_call = reservations.reserve
    await server.place_status()
    assert set(reservations.priorities) == {Priority.MEDIUM}


async def test_the_status_message_outlives_restarts(server: ServerWithStatus) -> None:
    """The next process edits the same message."""
    await server.place_status()
    tables = Tables(server.tables.store, GAMES_AND_TOYS, server.clock)
    restarted = ServerWithStatus(tables, server.clock, server.chat)
    await restarted.open_lobby()
    restarted.updater.retry(GUILD)
    await restarted.pass_time()
    assert len(labels(restarted.message())) == 1


async def test_a_deleted_message_is_posted_anew(server: ServerWithStatus) -> None:
    """Somebody deletes it: the next change posts another one, pinned again."""
    await server.place_status()
    first_message = server.message()
    await first_message.delete()
    await server.open_lobby()
    await server.pass_time()
    assert server.message() is not first_message
    assert server.message().is_pinned
    await server.open_lobby(1)
    await server.pass_time()
    assert len(server.chat.messages) == 1


async def test_a_server_has_one_status_message(server: ServerWithStatus) -> None:
    """Another place takes it over, and turning it off deletes it."""
    await server.place_status()
    await server.updater.place(GUILD, STATUS_CHANNEL + 1, 2)
    assert server.message().channel.id == STATUS_CHANNEL + 1
    assert await server.updater.remove(GUILD)
    assert not server.chat.messages
    assert not await server.updater.remove(GUILD)
    await server.open_lobby()
    await server.pass_time()
    assert not server.chat.messages


async def test_tables_of_hidden_channels_are_left_out(server: ServerWithStatus) -> None:
    """Lobbies, games and results alike; they appear once the channel is opened."""
    await _fill_server(server)
    server.chat.guild = make_guild({STATUS_CHANNEL: {}, CHANNEL: {GUILD: False}}, guild_id=GUILD)
    await server.place_status()
    assert "No. " not in server.message().content
    assert not labels(server.message())
    server.chat.guild = make_guild({STATUS_CHANNEL: {}, CHANNEL: {}}, guild_id=GUILD)
    server.updater.retry(GUILD)
    await server.pass_time()
    assert [server.message().content.count(f"No. {each}") for each in (1, 2, 3)] == [1, 1, 1]
    shown_page = games_post(
        await read_server_tables(server.tables, GUILD, sees_every_channel), GAMES_AND_TOYS
    )
    assert shown_page.text.startswith("**Being played**")
    assert shown_page.text.endswith("\n\n**Open lobbies**"), "the lobbies stand below it"
    hidden_tables = await read_server_tables(server.tables, GUILD, lambda *_: False)
    assert "No. " not in games_post(hidden_tables, GAMES_AND_TOYS).text
    assert not games_post(hidden_tables, GAMES_AND_TOYS).rows
