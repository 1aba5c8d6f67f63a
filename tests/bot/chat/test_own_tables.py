"""A person's own tables, from their rows alone: ``/mygames``, and the next table after a move."""

import random
import re
from functools import partial
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot import limits
from bot.chat import lookup
from bot.chat.lookup import resolve_started_table, resolve_table
from bot.chat.own_tables import MAX_FINISHED_AGE, my_games_post, waiting_tables_text
from bot.chat.panel import show_after_move
from bot.chat.response import Response
from bot.host.deciders import moderation
from bot.host.erasing import erase_person
from bot.host.request import Refusal, Request
from bot.host.tables import Tables
from bot.store.preferences import Absence, PersonRow
from bot.store.rows import Status, TableListing
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from tests.bot.host.ended_games import GAME_ENDED_BY_RESIGNATION, resign
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    begin,
    default_setup,
    make_move,
    open_lobby,
    request_of_person,
)
from tests.bot.host.timed_tables import change_row
from tests.bot.host.viewer_output import ResponseRecorder, use_scenes_as_pictures

GAME_KEY = next(iter(GAMES))
REQUEST = request_of_person(0)


class ListedTables:
    """Tables that can be listed and not loaded."""

    def __init__(self, *listings: TableListing) -> None:
        """Have these listings."""
        self.games = GAMES
        self.store: Any = self
        self.person_preferences: Any = self
        self.person = PersonRow(REQUEST.user)
        self._listings = listings
        self.clock = ManualClock()

    async def get(self, user: int) -> PersonRow:
        """Return the requester's row."""
        assert user == REQUEST.user
        return self.person

    async def last_results_of_user(self, *_: int) -> tuple[()]:
        """Return no result."""
        return ()

    async def tables_of_user_ended_early(self, *_: int) -> tuple[()]:
        """Return no table."""
        return ()

    async def live_tables_of_user(self, user: int) -> tuple[TableListing, ...]:
        """Return the listings."""
        assert user == REQUEST.user
        return tuple(replace(each, users=(user,)) for each in self._listings)

    async def live_tables_hosted_without_seat(self, *_: int) -> tuple[()]:
        """Return no table."""
        return ()


async def _my_games_text(*listings: TableListing) -> str:
    return (await my_games_post(cast("Tables", ListedTables(*listings)), REQUEST)).text


def _playing_listing(number: int, user_to_act: int | None, name_to_act: str | None) -> TableListing:
    return TableListing(number, GAME_KEY, Status.PLAYING, 50 + number, 7, 2, user_to_act, name_to_act)


async def test_own_turns_come_first() -> None:
    """Each table has its link and who is to act, escaped; those where the requester is to act come first."""
    text = await _my_games_text(
        _playing_listing(1, REQUEST.user + 1, "B*n"),
        _playing_listing(2, None, "Casual 1"),
        _playing_listing(3, None, None),
        _playing_listing(4, REQUEST.user, "Ava"),
        TableListing(5, GAME_KEY, Status.LOBBY, 55, 7, 3),
        TableListing(6, GAME_KEY, Status.PAUSED, 56, None, 3),
        TableListing(7, "no such game", Status.PLAYING, 57, 7, 2),
    )
    title = GAMES[GAME_KEY].title
    assert text.splitlines() == [
        "**Your tables**",
        f"- [{title} No. 4](https://discord.com/channels/7/54): **your turn**",
        f"- [{title} No. 1](https://discord.com/channels/7/51): B\\*n's turn",
        f"- [{title} No. 2](https://discord.com/channels/7/52): Casual 1's turn",
        f"- [{title} No. 3](https://discord.com/channels/7/53): being played",
        f"- [{title} No. 5](https://discord.com/channels/7/55): lobby, players so far: 3",
        f"- [{title} No. 6](https://discord.com/channels/@me/56): paused",
    ]


async def test_resigned_games_come_last() -> None:
    """A game from which the requester has resigned stands below the others and says so, with its link."""
    resigned = replace(_waiting_listing(1, 800), user_to_act=REQUEST.user + 1, resigned_users=(REQUEST.user,))
    others_resigned = replace(
        _playing_listing(2, None, "Casual 1"), resigned_users=(REQUEST.user + 1, REQUEST.user + 2)
    )
    lines = (await _my_games_text(resigned, others_resigned)).splitlines()[1:]
    assert [" No. 2]" in lines[0], " No. 1]" in lines[1]] == [True, True]
    assert lines[0].endswith("Casual 1's turn")
    assert lines[1].endswith("Ava's turn, time ends <t:800:R> · you resigned")


async def test_tables_hosted_without_a_seat_come_last(store: SqliteStore) -> None:
    """A host finds such a table in its server, marked and below those where they play, until it is over."""
    tables, host_request = Tables(store, GAMES_AND_TOYS, ManualClock()), request_of_person(2)
    hosted_number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 2))
    await change_row(tables, hosted_number, host=host_request.user)
    own_number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3))

    async def read_lines(request: Request) -> list[str]:
        return (await my_games_post(tables, request)).text.splitlines()[1:]

    own_line, hosted_line = await read_lines(host_request)
    assert f"No. {own_number}]" in own_line
    assert "you host it" not in own_line
    assert f"No. {hosted_number}]" in hosted_line
    assert hosted_line.endswith(" · you host it")
    for guild in (GUILD + 1, None):
        assert await read_lines(replace(host_request, guild=guild)) == [own_line]
    for seat in (0, 1):  # the first hosts a table with a seat
        lines = await read_lines(request_of_person(seat))
        assert not any("you host it" in line for line in lines)
        assert len(lines) == 2, "each table stands once"
    await tables.change(hosted_number, host_request, partial(moderation.end, request=host_request))
    assert await read_lines(host_request) == [own_line]


async def test_an_absence_stands_below_the_tables() -> None:
    """Somebody who is away reads until when, and how to end it; after it nothing is said of it."""
    tables = ListedTables(_playing_listing(1, None, "Casual 1"))
    now = int(tables.clock())
    for end, is_shown in ((now + 60, True), (now - 60, False)):
        tables.person = PersonRow(REQUEST.user, absences=(Absence(now - 100, end, GUILD),))
        text = (await my_games_post(cast("Tables", tables), REQUEST)).text
        _, _, below = text.partition("Casual 1's turn\n")
        assert (f"You are away until <t:{end}:f>. `/away until:off` ends it." in below) is is_shown
        assert ("away" in text) is is_shown


async def test_two_hundred_tables_fit_a_message() -> None:
    """Of many tables as many are listed as fit, each line whole, and the number of the others is named."""
    listings = [_playing_listing(number, None, "Casual 1") for number in range(1, 201)]
    lines = (await _my_games_text(*listings)).splitlines()
    assert len("\n".join(lines)) <= limits.COMPONENTS_V2_TEXT
    assert all(line.endswith("turn") for line in lines[1:-1])
    assert lines[-1] == f"…and {201 - len(lines[1:])} more."
    assert len(lines) > 30


def _waiting_listing(number: int, deadline: int | None = None, began_at: int = 5) -> TableListing:
    return replace(_playing_listing(number, REQUEST.user, "Ava"), deadline=deadline, turn_began_at=began_at)


async def test_the_most_urgent_table_comes_first() -> None:
    """Own turns by deadline, then by how long they wait; other people's turns come after them."""
    other_turn = replace(_playing_listing(9, REQUEST.user + 1, "Ben"), deadline=10)
    text = await _my_games_text(
        _waiting_listing(1, began_at=70),
        _waiting_listing(2, 900),
        other_turn,
        _waiting_listing(3, began_at=60),
        _waiting_listing(4, 800),
    )
    lines = [line.partition(" No. ")[2] for line in text.splitlines()[1:]]
    assert [line.partition("]")[0] for line in lines] == ["4", "2", "3", "1", "9"]
    assert [line.partition(": ")[2] for line in lines] == [
        "**your turn**, time ends <t:800:R>",
        "**your turn**, time ends <t:900:R>",
        "**your turn**, began <t:60:R>",
        "**your turn**, began <t:70:R>",
        "Ben's turn, time ends <t:10:R>",
    ]


async def test_finished_games_stand_below(store: SqliteStore) -> None:
    """The last five of a month, with place and link; nothing of who was erased or only watched."""
    clock = ManualClock()
    tables = Tables(store, GAMES_AND_TOYS, clock)
    for _ in range(6):
        number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
        await resign(tables, number, 1)
        clock.now += 60
    live_number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    text = (await my_games_post(tables, REQUEST)).text
    assert text.index(f"No. {live_number}]") < text.index("**Finished lately**")
    lines = text.partition("**Finished lately**\n")[2].splitlines()
    assert [line.partition("]")[0].rpartition(" ")[2] for line in lines] == ["6", "5", "4", "3", "2"]
    address = f"https://discord.com/channels/{GUILD}/{CHANNEL}"
    ended_at = int(clock.now) - 60
    assert (
        lines[0] == f"- [{GAME_ENDED_BY_RESIGNATION.title} No. 6]({address}): place 1 of 2, <t:{ended_at}:R>"
    )
    assert "Finished" not in (await my_games_post(tables, request_of_person(2))).text
    resigned_request = request_of_person(1)
    text = (await my_games_post(tables, resigned_request)).text
    assert "No. 6" in text
    assert "you did not finish" in text
    for outsider_request in (
        replace(resigned_request, guild=8),
        replace(resigned_request, can_see=lambda *_: False),
    ):
        assert "Finished" not in (await my_games_post(tables, outsider_request)).text
    thread_reader_request = replace(resigned_request, can_see=lambda _, audience: audience == CHANNEL)
    assert "No. 6" in (await my_games_post(tables, thread_reader_request)).text, (
        "readers of the thread's channel see it"
    )
    player_request = replace(REQUEST, guild=8, can_see=lambda *_: False)
    assert "Finished" in (await my_games_post(tables, player_request)).text, "a player's own games"

    async def report(*_: int) -> None:
        """Nobody waits for it."""

    assert await erase_person(tables, REQUEST, report) == 0
    assert "Finished" not in (await my_games_post(tables, REQUEST)).text
    clock.now += MAX_FINISHED_AGE
    assert "Finished" not in (await my_games_post(tables, resigned_request)).text


async def test_a_game_ended_early_stands_with_the_finished_ones(store: SqliteStore) -> None:
    """Who still sat there finds it by when it ended; not who had resigned, nor one with a result."""
    clock = ManualClock()
    tables = Tables(store, GAMES_AND_TOYS, clock)
    numbers = [await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3)) for _ in range(2)]
    await resign(tables, numbers[1], 2)
    for number in numbers:
        clock.now += 60
        await tables.change(
            number, request_of_person(0), partial(moderation.end, request=request_of_person(0))
        )
    clock.now += 60
    finished_number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await resign(tables, finished_number, 1)

    async def read_lines(seat: int) -> list[str]:
        text = (await my_games_post(tables, request_of_person(seat))).text
        return text.partition("**Finished lately**\n")[2].splitlines()

    lines = await read_lines(0)
    assert [f"No. {number}]" in line for number, line in zip((3, 2, 1), lines, strict=True)] == [True] * 3
    assert lines[1].endswith(f": ended early, <t:{int(clock.now) - 60}:R>")
    assert [line.partition("]")[0].rpartition(" ")[2] for line in await read_lines(2)] == ["1"]
    (newest,) = await store.tables_of_user_ended_early(request_of_person(0).user, 0, 1)
    assert newest.number == numbers[1]
    clock.now += MAX_FINISHED_AGE + 1
    assert await read_lines(0) == []


async def test_a_move_leads_to_the_most_urgent_table() -> None:
    """The answer to a move links the most urgent table that waits, and says how many there are."""

    async def read_text(*listings: TableListing) -> str:
        return await waiting_tables_text(cast("Tables", ListedTables(*listings)), REQUEST.user, 1)

    title = GAMES[GAME_KEY].title
    other_turn = _playing_listing(9, REQUEST.user + 1, "Ben")
    assert await read_text(_waiting_listing(1), other_turn) == ""
    assert await read_text(_waiting_listing(1), other_turn, _waiting_listing(2)) == (
        f"One more table waits for you: [{title} No. 2](https://discord.com/channels/7/52)."
    )
    assert await read_text(_waiting_listing(2), other_turn, _waiting_listing(3, 800)) == (
        f"Two more tables wait for you. Next: [{title} No. 3](https://discord.com/channels/7/53),"
        " time ends <t:800:R>."
    )


async def test_of_several_games_in_threads_one_must_be_chosen(store: SqliteStore) -> None:
    """Of the requester's games in threads of a channel none is taken by chance: another could be resigned."""
    tables = Tables(store, GAMES_AND_TOYS, ManualClock())
    first_number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    second_number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3))
    await change_row(tables, first_number, game_channel=701)
    await change_row(tables, second_number, game_channel=702)
    with pytest.raises(Refusal, match=rf"several games.*No\. {first_number} or \w+ No\. {second_number}\."):
        await resolve_table(tables, request_of_person(1))
    assert (await resolve_table(tables, replace(request_of_person(1), channel=701))).number == first_number
    assert (await resolve_table(tables, request_of_person(2))).number == second_number, (
        "the only one with a seat of theirs"
    )
    assert (await resolve_table(tables, request_of_person(5))).number == second_number, (
        "a bystander sees the newest"
    )
    await resign(tables, first_number, 0)
    assert (await resolve_table(tables, request_of_person(1))).number == second_number, "the other is over"


async def test_of_several_games_in_a_channel_the_own_one_is_meant(store: SqliteStore) -> None:
    """Two games share a channel once the thread of each is locked; a bystander sees the newest."""
    tables = Tables(store, GAMES_AND_TOYS, ManualClock())
    numbers = [await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], count)) for count in (3, 2)]
    for seat, number in ((0, numbers[1]), (2, numbers[0]), (5, numbers[1])):
        assert (await resolve_table(tables, request_of_person(seat))).number == number


@pytest.mark.parametrize("guild", [GUILD, None])
async def test_a_resigned_game_is_meant_only_without_another(store: SqliteStore, guild: int | None) -> None:
    """In channels and direct messages another game is meant; in its own thread a resigned one still is."""
    tables = Tables(store, GAMES_AND_TOYS, ManualClock())
    resigned_number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3))
    await change_row(tables, resigned_number, game_channel=701)
    await resign(tables, resigned_number, 1)
    request = replace(request_of_person(1), guild=guild)
    assert (await resolve_table(tables, request)).number == resigned_number, "the only game"
    number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3))
    await change_row(tables, number, game_channel=702)
    assert (await resolve_table(tables, request)).number == number
    if guild is not None:
        assert (await resolve_table(tables, replace(request, channel=701))).number == resigned_number
    assert [each.resigned_users for each in await store.live_tables_of_user(request.user)] == [
        (request.user,),
        (),
    ]


async def test_a_command_elsewhere_names_the_games_of_its_user(store: SqliteStore) -> None:
    """Where no table, a lobby or another's game is, the refusal links what the requester plays."""
    tables = Tables(store, GAMES_AND_TOYS, ManualClock())
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    request, newcomer_request = (
        replace(request_of_person(1), channel=701),
        replace(request_of_person(5), channel=701),
    )
    link = f"[{GAME_ENDED_BY_RESIGNATION.title} No. {number}](https://discord.com/channels/{GUILD}/{CHANNEL})"
    own_game = re.escape(f"Your game is {link}: go there, or choose it with the option `table`.")
    with pytest.raises(Refusal, match=rf"^There is no table here\. {own_game}"):
        await resolve_started_table(tables, request)
    with pytest.raises(Refusal, match=r"Open one with `/newgame`\.$"):
        await resolve_started_table(tables, newcomer_request)
    lobby_number = await open_lobby(tables, GAME_ENDED_BY_RESIGNATION)
    await change_row(tables, lobby_number, game_channel=701, lobby_channel=701)
    with pytest.raises(Refusal, match=rf"No\. {lobby_number} has not started\. {own_game}"):
        await resolve_started_table(tables, request)
    assert (await resolve_started_table(tables, newcomer_request)).number == lobby_number, (
        "nothing else is meant"
    )
    assert (await resolve_started_table(tables, request, number)).number == number
    other_number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3))
    await change_row(tables, other_number, game_channel=702, lobby_channel=702)
    outsider_request = replace(request_of_person(2), channel=CHANNEL)
    with pytest.raises(Refusal, match=rf"You have no seat in .* No\. {number}\. .* No\. {other_number}\]"):
        await resolve_started_table(tables, outsider_request, needs_seat=True)
    assert (await resolve_started_table(tables, outsider_request)).number == number, "a bystander may look"


async def test_a_command_elsewhere_is_silent_about_a_finished_game_of_others(store: SqliteStore) -> None:
    """It links the own game alone; who plays none reads so, and may look at the finished one."""
    tables = Tables(store, GAMES_AND_TOYS, ManualClock())
    over_number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await change_row(tables, over_number, status=Status.ENDED_EARLY, game_channel=703)
    own_number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3))
    await change_row(tables, own_number, game_channel=702, lobby_channel=702)
    player_of_own_game, stranger, player_of_both = (
        request_of_person(2),
        request_of_person(5),
        request_of_person(1),
    )
    for needs_seat in (True, False):
        with pytest.raises(Refusal, match=rf"^Your game is \[Oceans No\. {own_number}\]"):
            await resolve_started_table(tables, player_of_own_game, needs_seat=needs_seat)
    with pytest.raises(Refusal, match=r"^You play no game here\. Open one with `/newgame`\.$"):
        await resolve_started_table(tables, stranger, needs_seat=True)
    assert (await resolve_started_table(tables, stranger)).number == over_number
    in_its_thread = replace(player_of_own_game, channel=703)
    assert (await resolve_started_table(tables, in_its_thread)).number == over_number
    with pytest.raises(Refusal, match=rf"No\. {over_number} is over\. Your game is"):
        await resolve_started_table(tables, player_of_both, needs_seat=True)
    assert (await resolve_started_table(tables, player_of_both)).number == over_number


async def test_a_command_elsewhere_names_a_few_games_the_most_urgent_first() -> None:
    """Neither lobbies nor games from which the requester has resigned; a single game is named alone."""
    title = GAMES[GAME_KEY].title
    resigned = replace(_waiting_listing(8), resigned_users=(REQUEST.user,))
    lobby, unknown = (
        TableListing(9, GAME_KEY, Status.LOBBY, 59, 7, 3),
        TableListing(7, "no such game", Status.PLAYING, 57, 7, 2),
    )
    tables = ListedTables(_playing_listing(1, None, "Casual 1"), resigned, lobby, unknown)
    link = f"[{title} No. 1](https://discord.com/channels/7/51)"
    expected = f"Your game is {link}: go there, or choose it with the option `table`."
    assert await lookup._own_games_text(cast("Tables", tables), REQUEST.user) == expected
    assert await lookup._own_games_text(cast("Tables", ListedTables(resigned, lobby)), REQUEST.user) == ""
    listings = [_waiting_listing(number, began_at=70 - number) for number in range(1, 6)]
    for others, ending in (((), f" and [{title} No. 1]"), (listings[:1], " and others (`/mygames`):")):
        tables = ListedTables(*others, *listings)
        text = await lookup._own_games_text(cast("Tables", tables), REQUEST.user)
        assert text.startswith(f"Your games are [{title} No. 5]")
        assert ending in text
        assert text.count("](") == 5


async def test_a_command_beside_a_closed_lobby_names_the_games_of_its_user(store: SqliteStore) -> None:
    """A user who plays nothing reads the command's own refusal about the lobby."""
    tables = Tables(store, GAMES_AND_TOYS, ManualClock())
    await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    lobby_number = await open_lobby(tables, GAME_ENDED_BY_RESIGNATION)
    await change_row(tables, lobby_number, game_channel=701, lobby_channel=701, status=Status.CLOSED)
    with pytest.raises(Refusal, match=rf"^The lobby of .* No\. {lobby_number} was closed\. Your game is"):
        await resolve_started_table(tables, replace(request_of_person(1), channel=701))


async def test_a_lobby_is_found_from_direct_messages(store: SqliteStore) -> None:
    """Without a game the only lobby is meant; of several the numbers are named.  A game goes first."""
    tables, request = Tables(store, GAMES_AND_TOYS, ManualClock()), replace(REQUEST, guild=None)
    with pytest.raises(Refusal, match="no game going on"):
        await resolve_table(tables, request)
    first_number = await open_lobby(tables, GAME_ENDED_BY_RESIGNATION)
    assert (await resolve_table(tables, request)).number == first_number
    second_number = await open_lobby(tables, GAME_ENDED_BY_RESIGNATION)
    with pytest.raises(
        Refusal, match=rf"several lobbies.*: \w+ No\. {first_number} or \w+ No\. {second_number}\."
    ):
        await resolve_table(tables, request)
    game_number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    assert (await resolve_table(tables, request)).number == game_number


async def test_the_end_of_a_turn_leads_to_the_next_table(store: SqliteStore) -> None:
    """A move after which others play shows it; one after which the player chooses again does not."""
    tables, recorder = Tables(store, GAMES_AND_TOYS, ManualClock()), ResponseRecorder()
    setup = default_setup(GAMES_AND_TOYS["currents"], 2)
    number, rng = await begin(tables, setup), random.Random(3)
    table = await tables.get(number)
    seat = table.to_act
    assert seat is not None
    while (await tables.get(await begin(tables, setup))).to_act != seat:
        pass
    request, answers = request_of_person(seat), []
    while table.to_act == seat:
        result = await make_move(tables, number, rng)
        table = result.table
        with use_scenes_as_pictures():
            await show_after_move(tables, cast("Response", recorder), request, result)
        answers.append(recorder.answers[-1][0][0])
    assert "One more table waits for you" in answers[-1]
    assert not any("waits for you" in answer for answer in answers[:-1])
