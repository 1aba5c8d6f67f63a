"""Ratings follow from the stored results alone."""

import random
from itertools import pairwise
from typing import Final, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.host.rating_cache import RatingCache
from bot.host.ratings import Contender, GameRatings, RatedOutcome, Rating, contender_of, rate_results
from bot.store.protocol import Store
from bot.store.results import (
    FORMER_PLAYER,
    NewResult,
    Participation,
    ResultPlayer,
    ResultsVersion,
    StoredResult,
    UnratedReason,
    erase_user_in_results,
)
from bot.store.sqlite import SqliteStore
from tests.bot.host.sample_results import AVA, GUILD, make_computer, make_player, make_result
from tests.bot.store.sample_rows import end_game, execute_sql

BEN: Final = Contender(101, GUILD)
CASUAL: Final = Contender(computer="casual")


@st.composite
def result_histories(draw: st.DrawFn) -> tuple[StoredResult, ...]:
    """Draw a history of results on two servers, with ties, leavers, newcomers, computers."""
    results = []
    for number in range(1, draw(st.integers(0, 12)) + 1):
        seats = draw(st.permutations(range(6)))[: draw(st.integers(2, 5))]
        players = []
        for seat in seats:
            make = make_computer if draw(st.integers(0, 3)) == 0 else make_player
            players.append(make(seat, draw(st.integers(1, len(seats))), draw(st.sampled_from(Participation))))
        unrated_reason = draw(st.sampled_from([None, None, None, *UnratedReason]))
        guild = draw(st.sampled_from([7, 8]))
        results.append(make_result(*players, number=number, guild=guild, unrated_reason=unrated_reason))
    return tuple(results)


def assert_close(first: GameRatings, second: GameRatings) -> None:
    """Compare ratings, but for rounding."""
    assert first.rated_outcomes.keys() == second.rated_outcomes.keys()
    for contender in first.rated_outcomes:
        assert first.rating(contender).mu == pytest.approx(second.rating(contender).mu)
        assert first.rating(contender).sigma == pytest.approx(second.rating(contender).sigma)
        games, other_games = first.rated_outcomes[contender], second.rated_outcomes[contender]
        assert [_outcome(each) for each in games] == [_outcome(each) for each in other_games]


def _outcome(game: RatedOutcome) -> tuple[int, int, bool, bool]:
    return game.place, game.player_count, game.left_early, game.won


# Properties --------------------------------------------------------------------------------------------


@given(result_histories(), st.integers(0, 12))
def test_ratings_do_not_depend_on_when_they_are_computed(
    results: tuple[StoredResult, ...], split_index: int
) -> None:
    """Results added later give what all of them give at once, to the last bit."""
    whole = rate_results(results)
    assert rate_results(results) == whole
    assert rate_results(results[split_index:], rate_results(results[:split_index])) == whole


@given(result_histories(), st.randoms(use_true_random=False))
def test_seats_and_names_do_not_matter(results: tuple[StoredResult, ...], rng: random.Random) -> None:
    """Seats and names change no rating; only places do."""
    changed = []
    for result in results:
        players = [
            msgspec.structs.replace(each, name="X", seat=9 - each.seat, score=3) for each in result.players
        ]
        rng.shuffle(players)
        changed.append(msgspec.structs.replace(result, players=tuple(players), table_number=99, ended_at=5))
    assert_close(rate_results(changed), rate_results(results))


@given(result_histories())
def test_every_game_is_counted_once(results: tuple[StoredResult, ...]) -> None:
    """Each person has one rated game, or one that is not rated, for each result in which they took part."""
    ratings = rate_results(results)
    for user in range(100, 106):
        for guild in (7, 8):
            contender = Contender(user, guild)
            own_results = [
                result
                for result in results
                for each in result.players
                if contender_of(each, result.guild) == contender
            ]
            rated = ratings.rated_outcomes.get(contender, ())
            assert len(rated) + ratings.unrated_counts.get(contender, 0) == len(own_results)
            assert [game.table_number for game in rated] == sorted(game.table_number for game in rated)


@given(result_histories(), st.sampled_from(UnratedReason))
def test_what_is_not_rated_changes_no_rating(
    results: tuple[StoredResult, ...], reason: UnratedReason
) -> None:
    """An unrated result among the others changes nobody's rating; nor does who took a seat over."""
    extra = make_result(make_player(0, 1), make_computer(1, 2), number=50, unrated_reason=reason)
    half = len(results) // 2
    assert (
        rate_results((*results[:half], extra, *results[half:])).rated_outcomes
        == rate_results(results).rated_outcomes
    )
    results_without_successors = [
        msgspec.structs.replace(
            result,
            players=tuple(
                each for each in result.players if each.participation is not Participation.TOOK_OVER
            ),
        )
        for result in results
    ]
    assert rate_results(results_without_successors).rated_outcomes == rate_results(results).rated_outcomes


# Places ------------------------------------------------------------------------------------------------


def test_better_places_get_better_ratings() -> None:
    """After one game of new players the ratings stand in the order of the places."""
    ratings = rate_results([make_result(*(make_player(seat, seat + 1) for seat in range(5)))])
    points = [ratings.rating(Contender(100 + seat, GUILD)).points for seat in range(5)]
    assert points == sorted(points, reverse=True)
    assert len(set(points)) == 5
    assert Rating().points == 1000


def test_each_game_begins_with_the_rating_after_the_last() -> None:
    """Whoever keeps winning keeps rising and is better known; a win against them brings more than another."""
    wins = [make_result(make_player(0, 1), make_player(n, 2), number=n) for n in (1, 2, 3)]
    ratings = [Rating(), *(game.rating_after for game in rate_results(wins).rated_outcomes[AVA])]
    for before, after in pairwise(ratings):
        assert after.mu > before.mu
        assert after.sigma < before.sigma
    newcomer = Contender(104, GUILD)
    against_ava = rate_results([*wins, make_result(make_player(4, 1), make_player(0, 2), number=4)])
    against_a_newcomer = rate_results([make_result(make_player(4, 1), make_player(5, 2))])
    assert against_ava.rating(newcomer).mu > against_a_newcomer.rating(newcomer).mu


def test_players_who_tie_get_the_same_rating() -> None:
    """New players who share a place get the same rating, between those above and below."""
    places = (1, 2, 2, 4)
    ratings = rate_results([make_result(*(make_player(seat, place) for seat, place in enumerate(places)))])
    first_mu, second_mu, third_mu, fourth_mu = (
        ratings.rating(Contender(100 + seat, GUILD)).mu for seat in range(4)
    )
    assert second_mu == pytest.approx(third_mu)
    assert first_mu > second_mu > fourth_mu


def test_leaving_does_not_pay() -> None:
    """Players who left are rated behind those who played on, even if a successor pushed those down."""
    left = make_player(0, 2, Participation.LEFT_EARLY)
    ratings = rate_results(
        [make_result(make_computer(0, 1, Participation.TOOK_OVER), make_player(1, 2), left)]
    )
    assert ratings.rating(BEN).mu > Rating().mu > ratings.rating(AVA).mu
    assert CASUAL not in ratings.rated_outcomes
    assert ratings.rated_outcomes[AVA][0].left_early
    assert not ratings.rated_outcomes[AVA][0].won


def test_the_last_to_leave_has_not_won() -> None:
    """Where all have left, nobody has won, though somebody's place is the first."""
    players = [make_player(seat, seat + 1, Participation.LEFT_EARLY) for seat in (0, 1)]
    ratings = rate_results([make_result(*players)])
    (game,) = ratings.rated_outcomes[AVA]
    assert (game.place, game.won) == (1, False)
    assert game.rating_after.mu > ratings.rating(BEN).mu


def test_former_players_have_no_rating() -> None:
    """Erased people count as new opponents each time, and share nothing with each other."""
    former = ResultPlayer(1, Participation.PLAYED, FORMER_PLAYER, 2)
    results = [make_result(make_player(0, 1), former, number=number) for number in (1, 2)]
    ratings = rate_results(results)
    assert [*ratings.rated_outcomes] == [*ratings.names] == [AVA]
    newcomers = [make_result(make_player(0, 1), make_player(seat, 2), number=seat) for seat in (1, 2)]
    assert ratings.rating(AVA) == rate_results(newcomers).rating(AVA)


def test_the_newest_name_is_shown() -> None:
    """Somebody who has changed their name stands under the new one, also after a game that is not rated."""
    player = make_player(0, 1)
    ratings = rate_results([make_result(player, make_player(1, 2))])
    renamed = make_result(
        msgspec.structs.replace(player, name="Renamed"),
        make_player(1, 2),
        number=2,
        unrated_reason=UnratedReason.HINDSIGHT,
    )
    assert rate_results([renamed], ratings).names == {AVA: "Renamed", BEN: "Player 1"}


def test_servers_are_apart_but_for_computers() -> None:
    """A person is new on another server; a computer player is not."""
    first_result = make_result(make_player(0, 1), make_computer(1, 2))
    ratings = rate_results(
        [first_result, msgspec.structs.replace(first_result, id=2, table_number=2, guild=8)]
    )
    assert len(ratings.rated_outcomes[AVA]) == len(ratings.rated_outcomes[Contender(100, 8)]) == 1
    assert len(ratings.rated_outcomes[CASUAL]) == 2


def test_computers_of_one_kind_count_once() -> None:
    """Two computers of one kind at a table get one rating, the mean of what their places bring."""
    ratings = rate_results([make_result(make_computer(0, 1), make_player(1, 2), make_computer(2, 3))])
    (game,) = ratings.rated_outcomes[CASUAL]
    assert game.place == 1
    apart = rate_results([make_result(make_player(0, 1), make_player(1, 2), make_player(2, 3))])
    best, worst = (apart.rating(Contender(100 + seat, GUILD)) for seat in (0, 2))
    assert game.rating_after.mu == pytest.approx((best.mu + worst.mu) / 2)
    assert game.rating_after.sigma == pytest.approx((best.sigma + worst.sigma) / 2)


# The cache ---------------------------------------------------------------------------------------------


async def test_the_cache_equals_a_fresh_computation(store: SqliteStore) -> None:
    """After new results, and after somebody was erased, the cache returns what all results give."""
    cache = RatingCache(store)
    assert await cache.ratings_of("pearls") == GameRatings()
    rng = random.Random(1)
    for number in range(1, 6):
        players = (make_player(0, rng.randint(1, 2)), make_player(1, rng.randint(1, 2)))
        await end_game(store, number, NewResult(players))
        assert await cache.ratings_of("pearls") == rate_results(await store.results_of_game("pearls"))
    assert AVA in (await cache.ratings_of("pearls")).rated_outcomes
    await store._connection.run_raw(lambda connection: erase_user_in_results(connection, 100))
    after = await cache.ratings_of("pearls")
    assert after == rate_results(await store.results_of_game("pearls"))
    assert AVA not in after.rated_outcomes
    assert len(after.rated_outcomes[BEN]) == 5


class _StoreWithRacingResult:
    """A store in which one more game ends after its version was read, and before its results are."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    async def results_version(self, game_key: str) -> ResultsVersion:
        """Return the version, and end a game."""
        version = await self._store.results_version(game_key)
        await end_game(self._store, version.last_id + 1, NewResult((make_player(0, 1), make_player(1, 2))))
        return version

    async def results_of_game(self, game_key: str, after_id: int) -> tuple[StoredResult, ...]:
        """Return the results."""
        return await self._store.results_of_game(game_key, after_id)


async def test_a_game_that_ends_meanwhile_is_rated_once(store: SqliteStore) -> None:
    """The results may be newer than the version that was read before them."""
    await end_game(store, 1, NewResult((make_player(0, 1), make_player(1, 2))))
    cache = RatingCache(cast("Store", _StoreWithRacingResult(store)))
    for _ in range(3):
        games = (await cache.ratings_of("pearls")).rated_outcomes[AVA]
        assert len({game.table_number for game in games}) == len(games)


async def test_ratings_leave_out_a_damaged_result(store: SqliteStore) -> None:
    """A new result that cannot be read, also the only one, changes no rating and ends nothing."""
    cache = RatingCache(store)
    players = (make_player(0, 1), make_player(1, 2))
    for number in (1, 2):
        ratings_before = await cache.ratings_of("pearls")
        await end_game(store, number, NewResult(players))
        damage = "participation = cast(x'41ff' as text)"
        await execute_sql(store, f"update result_players set {damage} where match = {number}")
        assert await cache.ratings_of("pearls") == ratings_before
    await end_game(store, 3, NewResult(players))
    assert len((await cache.ratings_of("pearls")).rated_outcomes[AVA]) == 1
