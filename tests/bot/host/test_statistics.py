"""The statistics and the leaderboard that people see of ratings."""

from typing import Final

from msgspec.structs import replace

from bot.host.ratings import Contender, rate_results
from bot.host.statistics import leaderboard, rated_users, statistics_of
from bot.store.results import Participation, UnratedReason
from tests.bot.host.sample_results import AVA, GUILD, make_computer, make_player, make_result

COMPUTER_PLACES: Final = (("casual", 3), ("random", 1), ("gone", 2))
"""Kinds of computer players, with their places in a game."""
RATINGS: Final = rate_results(
    [
        make_result(make_player(0, 1), make_player(1, 2), make_player(2, 2), make_computer(3, 4), number=1),
        make_result(make_player(0, 2), make_player(1, 1), number=2),
        make_result(
            make_player(1, 1), make_player(0, 2, Participation.LEFT_EARLY), make_player(2, 2), number=3
        ),
        make_result(make_player(0, 1), make_player(1, 2), number=4, unrated_reason=UnratedReason.HINDSIGHT),
        make_result(make_player(5, 1), make_player(0, 2), number=5, guild=8),
    ]
)


def test_statistics_count_what_was_rated() -> None:
    """Games, wins and places are those of rated games; games that were left have no place."""
    statistics = statistics_of(RATINGS, AVA)
    assert (
        statistics.game_count,
        statistics.win_count,
        statistics.left_early_count,
        statistics.unrated_count,
    ) == (3, 1, 1, 1)
    assert statistics.count_by_place == {1: 1, 2: 1}
    assert statistics.end_times == (1_000, 2_000, 3_000)
    assert statistics.rating_history == (
        1_000,
        *(game.rating_after.points for game in RATINGS.rated_outcomes[AVA]),
    )


def test_a_seat_taken_over_counts_apart_in_rated_games_alone() -> None:
    """Where nobody was rated, that is why."""
    players = (make_player(0, 1, Participation.TOOK_OVER), make_player(1, 2), make_player(2, 3))
    ratings = rate_results(
        make_result(*players, unrated_reason=reason) for reason in (None, UnratedReason.HINDSIGHT)
    )
    statistics = statistics_of(ratings, AVA)
    assert (statistics.game_count, statistics.unrated_count, statistics.taken_over_count) == (0, 2, 1)


def test_somebody_who_has_not_played_has_the_first_rating() -> None:
    """Somebody without a rated game has the points of everybody's start, and nothing else."""
    statistics = statistics_of(RATINGS, Contender(999, GUILD))
    assert (statistics.rating_history, statistics.game_count, statistics.count_by_place) == ((1_000,), 0, {})


def test_a_leaderboard_holds_the_people_of_one_server() -> None:
    """The best stands first; computers follow without places; other servers' people are not on it."""
    rows = leaderboard(RATINGS, GUILD, frozenset())
    people = [row for row in rows if row.place is not None]
    assert {row.user for row in people} == {100, 101, 102}
    assert people[0].user == 101
    assert [row.place for row in people] == [1, 2, 3]
    assert [row.rating_points for row in people] == sorted(
        (row.rating_points for row in people), reverse=True
    )
    (computer,) = rows[len(people) :]
    assert (computer.name, computer.user, computer.game_count) == ("Casual", None, 1)
    assert rated_users(RATINGS, GUILD) == {100, 101, 102}


def test_somebody_who_is_unlisted_leaves_no_gap() -> None:
    """The others move up as if the unlisted person had not played; nothing of theirs is on the board."""
    rows = leaderboard(RATINGS, GUILD, {101})
    people = [row for row in leaderboard(RATINGS, GUILD, frozenset()) if row.user not in {None, 101}]
    assert [row.user for row in rows if row.user] == [row.user for row in people]
    assert [row.place for row in rows if row.user] == [1, 2]
    assert "Player 1" not in {row.name for row in rows}


def test_equal_points_share_a_place() -> None:
    """Two people with equal points share a place, and the next one is after both."""
    ratings = rate_results([make_result(make_player(0, 1), make_player(1, 2), make_player(2, 2))])
    second_points, third_points = (ratings.rating(Contender(100 + seat, GUILD)).points for seat in (1, 2))
    assert second_points == third_points
    assert [row.place for row in leaderboard(ratings, GUILD, frozenset())] == [1, 2, 2]
    assert [row.name for row in leaderboard(ratings, GUILD, frozenset())[1:]] == ["Player 1", "Player 2"]
    renamed = make_result(replace(make_player(1, 2), name="Zoe"), make_player(2, 2), make_player(0, 1))
    assert [row.name for row in leaderboard(rate_results([renamed]), GUILD, frozenset())[1:]] == [
        "Player 2",
        "Zoe",
    ]


def test_computers_stand_by_their_ratings() -> None:
    """The best first, by their titles; one whose player is gone from the program by its key."""
    computers = [
        replace(make_computer(seat, place), computer=key) for seat, (key, place) in enumerate(COMPUTER_PLACES)
    ]
    rows = leaderboard(rate_results([make_result(*computers, make_player(4, 4))]), GUILD, frozenset())
    assert [row.name for row in rows[1:]] == ["Random", "gone", "Casual"]
