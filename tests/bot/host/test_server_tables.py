"""The list of a server's tables, as ``/games`` shows it."""

import random
from functools import partial
from typing import Final

import discord
import pytest
from msgspec.structs import replace

from bot import limits
from bot.chat.components import Section
from bot.chat.layouts import layout_of
from bot.chat.own_tables import my_games_post
from bot.chat.post_parts import table_link
from bot.chat.server_tables import (
    MAX_LOBBIES,
    MAX_OPEN_SEATS,
    MAX_RESULTS,
    MAX_STARTED_TABLES,
    OpenSeat,
    ServerTables,
    games_post,
    read_server_tables,
    status_message_post,
)
from bot.host.deciders import lobby
from bot.host.names import MAX_NAME_LENGTH
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.results import Participation, ResultPlayer, StoredResult
from bot.store.rows import Status, StoredTable, TableListing
from bot.store.seat_rows import SeatOffer, SeatRow
from bot.store.sqlite import SqliteStore
from rules.model import Seat
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.ended_games import resign
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    open_lobby,
    request_of_person,
)
from tests.bot.host.server_with_status import CURRENTS, sees_every_channel
from tests.bot.host.timed_tables import change_row
from tests.bot.store.sample_rows import execute_sql

LONG_ID: Final = 1_234_567_890_123_456_789


async def test_games_lists_the_lobbies_of_one_server(tables: Tables) -> None:
    """Each open lobby of this server has **Join**; at most as many as a page holds."""
    for seat in range(7):
        for _ in range(2):
            await open_lobby(tables, CURRENTS, request_of_person(seat))
    await open_lobby(tables, CURRENTS, replace(request_of_person(0), guild=GUILD + 1))
    join_request = request_of_person(3)
    await tables.change(1, join_request, partial(lobby.join, request=join_request))
    server_tables = await read_server_tables(tables, GUILD, sees_every_channel)
    sections = [row for row in games_post(server_tables, GAMES_AND_TOYS).rows if isinstance(row, Section)]
    assert len(sections) == MAX_LOBBIES
    assert {section.button.custom_id.verb for section in sections} == {"join"}
    other_server_post = games_post(
        await read_server_tables(tables, GUILD + 1, sees_every_channel), GAMES_AND_TOYS
    )
    assert len(other_server_post.rows) == 1
    assert other_server_post.text == "**Open lobbies**"
    assert isinstance(other_server_post.rows[0], Section)
    assert "Players: Ava." in other_server_post.rows[0].full_text
    empty_server_post = games_post(
        await read_server_tables(tables, GUILD + 2, sees_every_channel), GAMES_AND_TOYS
    )
    assert not empty_server_post.rows
    assert "/newgame" in empty_server_post.text


async def test_a_table_that_cannot_be_loaded_hides_no_other(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list and the status message of a server have the lobbies that the store can load."""
    failing_number, sound_number = [
        await open_lobby(tables, CURRENTS, request_of_person(seat)) for seat in (0, 1)
    ]
    load = store.load

    async def load_all_but_one(number: int) -> StoredTable | None:
        if number == failing_number:
            raise StoreError("a page is damaged")
        return await load(number)

    monkeypatch.setattr(store, "load", load_all_but_one)
    server_tables = await read_server_tables(Tables(store, GAMES_AND_TOYS), GUILD, sees_every_channel)
    assert [table.number for table in server_tables.lobbies] == [sound_number]


async def test_a_damaged_table_hides_no_other(tables: Tables, store: SqliteStore) -> None:
    """Nobody can join it, so it is left out."""
    damaged_number, sound_number = [
        await open_lobby(tables, CURRENTS, request_of_person(seat)) for seat in (0, 1)
    ]
    await execute_sql(store, "update matches set lobby = x'ff' where number = ?", damaged_number)
    server_tables = await read_server_tables(Tables(store, GAMES_AND_TOYS), GUILD, sees_every_channel)
    assert [table.number for table in server_tables.lobbies] == [sound_number]


async def test_games_of_another_release_hide_no_table(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """Their tables are left out; their results stay, under the game's key."""
    known_game = next(game for key, game in GAMES_AND_TOYS.items() if key != CURRENTS.key)
    await open_lobby(tables, CURRENTS, request_of_person(0))
    await begin(tables, default_setup(CURRENTS, 2))
    finished_number = await begin(tables, default_setup(CURRENTS, 2))
    await resign(tables, finished_number, 0)
    known_number = await open_lobby(tables, known_game, request_of_person(0))
    games = {known_game.key: known_game}
    tables_of_release = Tables(store, games, clock)
    server_tables = await read_server_tables(tables_of_release, GUILD, sees_every_channel)
    assert [table.number for table in server_tables.lobbies] == [known_number]
    assert "Being played" not in games_post(server_tables, games).text
    link = table_link(CURRENTS.key, finished_number, GUILD, CHANNEL)
    assert f"- {link}: 1. " in status_message_post(server_tables, games).text
    own_text = (await my_games_post(tables_of_release, request_of_person(0))).text
    assert [line.count(f"No. {known_number}]") for line in own_text.splitlines()] == [0, 1]


async def test_a_lobby_is_hidden_where_either_of_its_channels_is(tables: Tables) -> None:
    """A lobby stays in its channel when its game is to be played elsewhere."""
    number = await open_lobby(tables, CURRENTS, request_of_person(0))
    await change_row(tables, number, game_channel=CHANNEL + 1)
    for hidden_channel in (CHANNEL, CHANNEL + 1, CHANNEL + 2):
        server_tables = await read_server_tables(
            tables, GUILD, lambda channel, _=None, hidden_channel=hidden_channel: channel != hidden_channel
        )
        assert len(server_tables.lobbies) == (hidden_channel == CHANNEL + 2)


@pytest.mark.parametrize(("options", "seat_count"), [("", 4), ("board=triangle", 3)])
async def test_a_full_lobby_is_said_to_be_full(tables: Tables, options: str, seat_count: int) -> None:
    """The seats free with its options fall as people join; then its button cannot be pressed."""
    number = await open_lobby(tables, CURRENTS, request_of_person(0), options)
    free_texts = [f"{count} of {seat_count} seats free" for count in range(seat_count - 2, 0, -1)]
    for seat, text in enumerate([*free_texts, "full"], 1):
        await tables.change(
            number, request_of_person(seat), partial(lobby.join, request=request_of_person(seat))
        )
        server_tables = await read_server_tables(tables, GUILD, sees_every_channel)
        (section,) = games_post(server_tables, GAMES_AND_TOYS).rows
        assert isinstance(section, Section)
        assert section.text.endswith(f": {text}")
        assert section.button.disabled is (text == "full")
        assert f"): {text}." in status_message_post(server_tables, GAMES_AND_TOYS).text


async def test_the_newest_results_are_shown(tables: Tables) -> None:
    """A few of them, the newest first, however many there are."""
    numbers = [await begin(tables, default_setup(CURRENTS, 2)) for _ in range(MAX_RESULTS + 1)]
    for number in numbers:
        await resign(tables, number, 0)
    server_tables = await read_server_tables(tables, GUILD, sees_every_channel)
    assert [each.table_number for each in server_tables.results] == numbers[:0:-1]


async def test_the_result_of_a_game_that_everybody_left_says_so(tables: Tables) -> None:
    """Where nobody has a place to show, the status message says why."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
    for seat in range(2):
        await give_seat_away(tables, number, seat, None)
    server_tables = await read_server_tables(tables, GUILD, sees_every_channel)
    link = table_link("Currents", number, GUILD, CHANNEL)
    assert f"- {link}: everybody left · <t:" in status_message_post(server_tables, GAMES_AND_TOYS).text


async def test_a_result_names_those_who_left(tables: Tables) -> None:
    """The status message leaves nobody out who played, and leads to the table."""
    number = await begin(tables, default_setup(CURRENTS, 2))
    stayed, left = (await tables.get(number)).names
    await resign(tables, number, 1)
    server_tables = await read_server_tables(tables, GUILD, sees_every_channel)
    link = table_link(CURRENTS.title, number, GUILD, CHANNEL)
    line = f"- {link}: 1. {stayed} · did not finish: {left} · <t:"
    assert line in status_message_post(server_tables, GAMES_AND_TOYS).text
    names = {Participation.PLAYED: "_Ava_", Participation.LEFT_EARLY: "*Ben*"}
    (result,) = server_tables.results
    players = tuple(replace(each, name=names[each.participation]) for each in result.players)
    escaped = replace(server_tables, results=(replace(result, players=players),))
    assert r"1. \_Ava\_ · did not finish: \*Ben\*" in status_message_post(escaped, GAMES_AND_TOYS).text


def _started_listings(count: int, name: str) -> tuple[TableListing, ...]:
    """Return games that are played, in each of which somebody of this name is to act."""
    return tuple(
        TableListing(
            1_000 + number,
            CURRENTS.key,
            Status.PLAYING,
            LONG_ID,
            LONG_ID,
            2,
            5,
            name,
            1,
            1_790_000_000,
        )
        for number in range(count)
    )


def test_the_heading_of_the_lobbies_is_whole() -> None:
    """However much of the page's room the games above it and the lobbies below it would fill."""
    seat_rows = tuple(SeatRow("[*]" * 10, user=user) for user in range(5))
    long_ids = {"guild": LONG_ID, "lobby_channel": LONG_ID, "game_channel": LONG_ID}
    table = sample_tables("oceans", 1, random.Random(1))[0].with_row(seats=seat_rows, **long_ids)
    lobbies = (table.with_row(status=Status.LOBBY),) * MAX_LOBBIES
    offer = SeatOffer(1, 1_790_000_000, 1, "", is_for_anybody=True, approved=True)
    open_seats = (OpenSeat(table, Seat(0), offer),) * MAX_OPEN_SEATS
    for length in range(1, MAX_NAME_LENGTH + 1):
        listings = _started_listings(MAX_STARTED_TABLES + 1, "S" * length)
        post = games_post(ServerTables(LONG_ID, lobbies, open_seats, listings, ()), GAMES_AND_TOYS)
        (text,) = (each for each in layout_of(post).children if isinstance(each, discord.ui.TextDisplay))
        assert text.content.endswith("\n\n**Open lobbies**")


def test_each_section_counts_the_games_that_it_does_not_list() -> None:
    """However little room there is, each section shows whole lines and says how many others there are."""
    for count in range(30):
        listings = _started_listings(count, "Somebody" * 4)
        players = (ResultPlayer(0, Participation.PLAYED, "Ava" * 10, 1),)
        result = StoredResult(1, 1, CURRENTS.key, LONG_ID, LONG_ID, 1, None, players)
        server_tables = ServerTables(LONG_ID, (), (), listings, (result,))
        for post, limit in (
            (games_post(server_tables, GAMES_AND_TOYS), limits.COMPONENTS_V2_TEXT),
            (status_message_post(server_tables, GAMES_AND_TOYS), limits.CONTENT),
        ):
            assert len(post.text) <= limit
            lines = post.text.partition("**Newest results**")[0].splitlines()
            omitted = [int(words[1]) for line in lines if (words := line.split())[:1] == ["…and"]]
            assert sum("No. 10" in line for line in lines) + sum(omitted) == count
