"""The pages of ratings as people get them: pictures with words, or words alone."""

import inspect
import io
import re
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, Final

import pytest
from msgspec.structs import replace
from PIL import Image

from bot import limits
from bot.chat import statistics_pages
from bot.chat.statistics_commands import statistics_commands
from bot.chat.statistics_pages import MAX_LISTED_PEOPLE, leaderboard_page, statistics_page
from bot.host.ratings import rate_results
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.results import NewResult, Participation, ResultPlayer, UnratedReason
from bot.store.sqlite import SqliteStore, open_store
from render.scene import Scene
from render.statistics import LeaderboardLine, draw_leaderboard
from rules.catalogue import GAMES
from tests.bot.host.playing import CHANNEL, GUILD, begin, default_setup, request_of_user
from tests.bot.host.sample_results import make_computer, make_player, make_result
from tests.bot.host.viewer_output import ResponseRecorder
from tests.bot.store.sample_rows import end_game, execute_sql

GAME: Final = next(iter(GAMES.values()))
PERSON_COUNT: Final = MAX_LISTED_PEOPLE + 3
RANDOM_COMPUTER: Final = ResultPlayer(1, Participation.PLAYED, "Random 1", 2, computer="random")


@pytest.fixture
async def store() -> AsyncIterator[SqliteStore]:
    """Yield an empty store."""
    store = await open_store(":memory:")
    yield store
    await store.close()


@pytest.fixture
async def tables(store: SqliteStore) -> Tables:
    """Return tables with the result of many people: the lower a number, the better they have played."""
    players = [make_player(number, number + 1) for number in range(PERSON_COUNT)]
    await end_game(store, 1, NewResult((*players, make_computer(99, PERSON_COUNT + 1))), GAME.key)
    return Tables(store, GAMES)


async def test_a_page_has_a_picture_with_words(tables: Tables) -> None:
    """The picture is as wide as all and small, its description fits; as text there are more words instead."""
    pages = (
        await statistics_page(tables, GAME, GUILD, 100, "Ava*"),
        await leaderboard_page(tables, GAME, GUILD, 100, "The server"),
    )
    for page in pages:
        assert page is not None
        post, (picture,) = await page.contents(as_text=False)
        with Image.open(io.BytesIO(picture.data)) as image:
            assert image.width == 1200
        assert len(picture.data) < 100_000
        assert len(picture.alt) <= limits.ALT_TEXT
        text_post, pictures = await page.contents(as_text=True)
        assert not pictures
        assert text_post.text.startswith(post.text)
        assert len(text_post.text) > len(post.text) + 50


async def test_statistics_say_all_in_words(tables: Tables) -> None:
    """The alt text has rating, place, games, wins and how the rating went; names are escaped in the text."""
    page = await statistics_page(tables, GAME, GUILD, 100, "Ava*")
    post, (picture,) = await page.contents(as_text=False)
    assert "**Ava\\***" in post.text
    rated_outcomes = (await tables.rating_cache.ratings_of(GAME.key)).rated_outcomes
    points_after = next(games for contender, games in rated_outcomes.items() if contender.user == 100)[
        -1
    ].rating_after.points
    assert (
        f"Rating: {points_after:,}; place in this server: 1 of {PERSON_COUNT}; rated games: 1; won: 1."
        in picture.alt
    )
    assert "Places: 1st once." in picture.alt
    [when] = re.findall(rf"The rating went from 1,000 to {points_after:,} (.*?)\. Lowest", picture.alt)
    assert when.startswith("on "), "all of it on one day"


async def test_statistics_name_each_place(tables: Tables) -> None:
    """Places after the third are named too."""
    for user, place in ((101, "2nd"), (102, "3rd"), (103, "4th"), (105, "6th")):
        page = await statistics_page(tables, GAME, GUILD, user, "Ava")
        _, (picture,) = await page.contents(as_text=False)
        assert f"Places: {place} once." in picture.alt


async def test_a_leaderboard_shows_the_requester_too(tables: Tables) -> None:
    """Ten people are listed, then the requester with their place, then the computers."""
    last_user = 100 + PERSON_COUNT - 1
    page = await leaderboard_page(tables, GAME, GUILD, last_user, "The server")
    assert page is not None
    _, (picture,) = await page.contents(as_text=False)
    assert f"; {MAX_LISTED_PEOPLE}. Player " in picture.alt
    assert f"; {PERSON_COUNT}. Player {PERSON_COUNT - 1}: " in picture.alt
    assert f"; {MAX_LISTED_PEOPLE + 1}. " not in picture.alt
    assert "Casual (computer): " in picture.alt
    assert re.search(r" 1\. Player 0: [\d,]+ \(one game, one win\);", picture.alt)
    assert re.search(r" 2\. Player 1: [\d,]+ \(one game, no wins\);", picture.alt)
    assert picture.alt.endswith("Computer players have a rating but no place.")


async def test_a_leaderboard_marks_the_requester_alone(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The requester is marked, also among the first, and no bystander.  Lines without a place stand apart."""
    last_user = 100 + PERSON_COUNT - 1
    drawn_lines: list[LeaderboardLine] = []

    def draw(title: str, server: str, lines: tuple[LeaderboardLine, ...], explanation: str) -> Scene:
        drawn_lines[:] = lines
        return draw_leaderboard(title, server, lines, explanation)

    monkeypatch.setattr(statistics_pages, "draw_leaderboard", draw)
    await end_game(store, 2, NewResult((make_player(0, 1), RANDOM_COMPUTER)), GAME.key)
    for requester, marked in ((103, ["Player 3"]), (last_user, [f"Player {PERSON_COUNT - 1}"]), (7, [])):
        assert await leaderboard_page(tables, GAME, GUILD, requester, "The server") is not None
        assert [line.name for line in drawn_lines if line.is_own] == marked
        first_computer = next(line.name for line in drawn_lines if not line.place)
        separated = [*(marked if requester == last_user else []), first_computer]
        assert [line.name for line in drawn_lines if line.is_separated] == separated


async def test_somebody_who_leaves_the_leaderboards_is_not_shown(tables: Tables) -> None:
    """An unlisted person stands on no leaderboard and has no place, but sees their own statistics."""
    await tables.person_preferences.change(100, lambda person: replace(person, is_unlisted=True))
    page = await leaderboard_page(tables, GAME, GUILD, 100, "The server")
    assert page is not None
    _, (picture,) = await page.contents(as_text=False)
    assert "Player 0:" not in picture.alt
    own_page = await statistics_page(tables, GAME, GUILD, 100, "Ava")
    _, (statistics,) = await own_page.contents(as_text=False)
    assert "place in this server: none" in statistics.alt


@pytest.mark.parametrize("guild", [GUILD, GUILD + 1])
async def test_an_empty_leaderboard_says_nothing_of_games(tables: Tables, guild: int) -> None:
    """It does not deny that rated games were finished: their players may all have left the leaderboards."""
    for user in range(100, 100 + PERSON_COUNT):
        await tables.person_preferences.change(user, lambda person: replace(person, is_unlisted=True))
    commands = {command.name: command for command in statistics_commands(GAMES)}
    show: Any = inspect.unwrap(commands["leaderboard"].callback)
    request = replace(request_of_user(100, "Ava"), guild=guild)
    response = SimpleNamespace(interaction=SimpleNamespace(guild=None), tables=tables, request=request)
    text = (
        f"Nobody stands on the leaderboard of {GAME.title} in this server. A rated game brings its players"
        " there, unless they have left the leaderboards in `/settings`."
    )
    with pytest.raises(Refusal, match=f"^{re.escape(text)}$"):
        await show(response, game=GAME.key)


async def test_a_server_without_games_has_no_leaderboard(tables: Tables) -> None:
    """Results of another server are not shown, and statistics there begin at the start."""
    assert await leaderboard_page(tables, GAME, GUILD + 1, 100, "Another") is None
    page = await statistics_page(tables, GAME, GUILD + 1, 100, "Ava")
    _, (picture,) = await page.contents(as_text=False)
    assert picture.alt.endswith("Rating: 1,000; place in this server: none; rated games: 0; won: 0.")


async def test_a_leaderboard_without_computers_explains_none(tables: Tables, store: SqliteStore) -> None:
    """It says nothing of computer players where none has been rated."""
    other_game = list(GAMES.values())[1]
    await end_game(store, 2, NewResult((make_player(0, 1), make_player(1, 2))), other_game.key)
    page = await leaderboard_page(tables, other_game, GUILD, 100, "The server")
    assert page is not None
    text_post, _ = await page.contents(as_text=True)
    assert "omputer players have" not in text_post.text


async def test_a_rating_that_falls_has_its_range(tables: Tables, store: SqliteStore) -> None:
    """The lowest and the highest one are named, also where they lie between the first and the last."""
    for number, place in enumerate((1, 1, 2, 2, 2), 2):
        await end_game(store, number, NewResult((make_player(0, place), make_player(1, 3 - place))), GAME.key)
    page = await statistics_page(tables, GAME, GUILD, 100, "Ava")
    _, (picture,) = await page.contents(as_text=False)
    range_match = re.search(
        r"went from ([\d,]+) to ([\d,]+) .*\. Lowest ([\d,]+), highest ([\d,]+)\.", picture.alt
    )
    assert range_match is not None
    first, last, low, high = (int(each.replace(",", "")) for each in range_match.groups())
    assert low <= first <= high
    assert low <= last < high


async def test_a_first_win_adds_more_than_a_first_loss_takes_where_few_play(tables: Tables) -> None:
    """Elsewhere it is the other way round, so the page compares neither."""
    changes_by_count = {}
    for player_count in range(2, 7):
        result = make_result(*(make_player(seat, seat + 1) for seat in range(player_count)))
        points = [games[-1].rating_after.points for games in rate_results([result]).rated_outcomes.values()]
        changes_by_count[player_count] = (max(points) - 1_000, 1_000 - min(points))
    assert [player_count for player_count, (added, taken) in changes_by_count.items() if added > taken] == [
        2,
        3,
    ]
    page = await statistics_page(tables, GAME, GUILD, 100, "Ava")
    post, _ = await page.contents(as_text=True)
    assert "first win" not in post.text
    assert "first loss" not in post.text


def test_days_are_those_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time zone of the machine does not change a day that is shown."""
    with monkeypatch.context() as patches:
        patches.setenv("TZ", "America/New_York")
        time.tzset()
        assert statistics_pages._date_text(0) == "1 Jan 1970"
    time.tzset()


async def test_a_long_alt_text_keeps_to_the_limit() -> None:
    """Discord refuses a longer one."""
    scene = draw_leaderboard("Game", "Server", (), "")
    page = statistics_pages.RatingsPage("Text", scene, "leaderboard.png", "word " * 1_000)
    _, (picture,) = await page.contents(as_text=False)
    assert len(picture.alt) <= limits.ALT_TEXT


async def _ask_statistics(
    tables: Tables,
    requester: int,
    player: int | None = None,
    guild: int = GUILD,
    channel: int = CHANNEL,
) -> str:
    """Type ``/stats`` without a game; return the text of the page."""
    commands = {command.name: command for command in statistics_commands(GAMES)}
    show: Any = inspect.unwrap(commands["stats"].callback)
    recorder = ResponseRecorder()
    request = replace(request_of_user(requester, "Requester"), guild=guild, channel=channel)
    response = SimpleNamespace(tables=tables, request=request, show=recorder.show)
    chosen = None if player is None else SimpleNamespace(id=player, display_name="Other", bot=False)
    await show(response, player=chosen, as_text=True)
    return str(recorder.answers[-1][0][0])


async def _ask_leaderboard(tables: Tables, requester: int, channel: int) -> str:
    """Type ``/leaderboard`` without a game; return the text of the page."""
    commands = {command.name: command for command in statistics_commands(GAMES)}
    show: Any = inspect.unwrap(commands["leaderboard"].callback)
    recorder = ResponseRecorder()
    request = replace(request_of_user(requester, "Requester"), channel=channel)
    interaction = SimpleNamespace(guild=None)
    await show(
        SimpleNamespace(tables=tables, request=request, interaction=interaction, show=recorder.show),
        as_text=True,
    )
    return str(recorder.answers[-1][0][0])


async def test_statistics_are_of_the_game_that_was_played_here_or_finished_last(
    tables: Tables, store: SqliteStore
) -> None:
    """Whoever they are of: of the game of the channel, else the last; without a game in this server, none."""
    earlier_game, later_game = list(GAMES.values())[:2]
    result = NewResult((make_player(0, 1), make_player(1, 2)))
    await end_game(store, 2, result, later_game.key)
    for requester, player in ((100, None), (900, 100)):
        assert f" · {later_game.title}\n" in await _ask_statistics(tables, requester, player)
    assert f" · {earlier_game.title}\n" in await _ask_statistics(tables, 105)
    await execute_sql(store, "UPDATE matches SET game_channel = 51 WHERE number = 1")
    for channel, game in ((51, earlier_game), (CHANNEL, later_game)):
        assert f"**{game.title}" in await _ask_leaderboard(tables, 900, channel), "of a bystander"
    assert f" · {earlier_game.title}\n" in await _ask_statistics(tables, 100, channel=51)
    assert f" · {earlier_game.title}\n" in await _ask_statistics(tables, 105, channel=50), "the only one"
    with pytest.raises(Refusal, match=r"^You have not finished a game in this server yet\."):
        await _ask_statistics(tables, 100, guild=GUILD + 1)
    with pytest.raises(Refusal, match=r"^Other has not finished a game in this server yet\."):
        await _ask_statistics(tables, 100, 900)


async def test_a_leaderboard_is_of_the_game_played_last_here(tables: Tables, store: SqliteStore) -> None:
    """Not of one in a thread of this channel; one that has none yet yields to the last one of the server."""
    game_here, game_in_thread, new_game = list(GAMES.values())[:3]
    result = NewResult((make_player(0, 1), make_player(1, 2)))
    await end_game(store, 2, result, game_in_thread.key)
    await execute_sql(store, "UPDATE matches SET game_channel = 51 WHERE number = 2")
    assert f"**{game_here.title}" in await _ask_leaderboard(tables, 900, CHANNEL)
    await begin(tables, default_setup(new_game))
    assert f"**{game_in_thread.title}" in await _ask_leaderboard(tables, 900, CHANNEL)


async def test_nobody_else_opens_the_statistics_of_somebody_who_is_unlisted(tables: Tables) -> None:
    """They see their own, whether or not they name themselves."""
    await tables.person_preferences.change(100, lambda person: replace(person, is_unlisted=True))
    with pytest.raises(Refusal, match=r"^Other does not show statistics to others\.$"):
        await _ask_statistics(tables, 101, 100)
    for player in (None, 100):
        assert "Statistics of Requester in " in await _ask_statistics(tables, 100, player)


async def test_statistics_say_what_is_not_rated_and_what_was_left(tables: Tables, store: SqliteStore) -> None:
    """In whole sentences, also about a single game, and from when to when."""
    day = 86_400
    for number, (reason, participation) in enumerate(
        (
            (UnratedReason.HINDSIGHT, Participation.PLAYED),
            (UnratedReason.HINDSIGHT, Participation.PLAYED),
            (None, Participation.LEFT_EARLY),
        ),
        2,
    ):
        players = (make_player(1, 1), make_player(0, 2, participation))
        await end_game(store, number, NewResult(players, reason), GAME.key)
        page = await statistics_page(tables, GAME, GUILD, 100, "Ava")
        _, (picture,) = await page.contents(as_text=False)
        unrated = ("One more game was not rated.", "Two more games were not rated.")[min(number, 3) - 2]
        assert picture.alt.endswith(unrated)
    assert "Places: 1st once and left once." in picture.alt
    await execute_sql(store, f"update results set ended_at = ended_at + {day} where match = 4")
    reloaded_tables = Tables(store, GAMES)
    _, (picture,) = await (await statistics_page(reloaded_tables, GAME, GUILD, 100, "Ava")).contents(
        as_text=False
    )
    assert " between 1 Jan 1970 and 2 Jan 1970. Lowest " in picture.alt


async def test_statistics_tell_of_seats_that_were_taken_over(tables: Tables, store: SqliteStore) -> None:
    """A rated game at such a seat is said to be none, without "more" where no game was rated."""

    async def read_alt(number: int, participation: Participation, reason: UnratedReason | None = None) -> str:
        players = (make_player(1, 1), make_player(2, 2), make_player(0, 3, participation))
        await end_game(store, number, NewResult(players, reason), new_game.key)
        page = await statistics_page(tables, new_game, GUILD, 100, "Ava")
        _, (picture,) = await page.contents(as_text=False)
        return picture.alt

    new_game = list(GAMES.values())[2]
    alt = await read_alt(2, Participation.TOOK_OVER)
    assert alt.endswith(" One game was not rated: it was played at a seat taken over.")
    alt = await read_alt(3, Participation.TOOK_OVER, UnratedReason.THAWED)
    assert alt.endswith(" Two games were not rated, one of them at a seat taken over.")
    alt = await read_alt(4, Participation.PLAYED)
    assert alt.endswith(" Two more games were not rated, one of them at a seat taken over.")


async def test_a_name_from_right_to_left_moves_no_numbers(store: SqliteStore) -> None:
    """In words such a name is isolated: the points after it would else stand before it."""
    name = "\u05e9\u05dc\u05d5\u05dd"
    players = (replace(make_player(0, 1), name=name), make_player(1, 2))
    await end_game(store, 1, NewResult(players), GAME.key)
    tables = Tables(store, GAMES)
    leaderboard = await leaderboard_page(tables, GAME, GUILD, 100, "The server")
    assert leaderboard is not None
    for page in (leaderboard, await statistics_page(tables, GAME, GUILD, 100, name)):
        _, (picture,) = await page.contents(as_text=False)
        text_post, _ = await page.contents(as_text=True)
        for text in (picture.alt, text_post.text.split("\n\n")[1]):
            assert f"\u2068{name}\u2069" in text
