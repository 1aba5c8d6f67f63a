"""What people see of ratings: one player's statistics, and the leaderboard of a server."""

from collections import Counter
from collections.abc import Collection, Mapping

import msgspec

from bot.host.ratings import Contender, GameRatings, Rating
from rules.players import COMPUTER_PLAYERS


class PlayerStatistics(msgspec.Struct, frozen=True):
    """One person's rated games of one game on one server."""

    rating_history: tuple[int, ...]
    """Their rating as people see it: at the start and after each game."""
    end_times: tuple[int, ...]
    """When each game ended, in seconds since 1970."""
    count_by_place: Mapping[int, int]
    """How often they had each place; games that they left early do not count."""
    win_count: int
    left_early_count: int
    """How many games they left before the end."""
    unrated_count: int
    """How many more games were not rated."""
    taken_over_count: int
    """How many of these were rated for others, but this person had taken over a seat."""

    @property
    def game_count(self) -> int:
        """How many rated games there are."""
        return len(self.end_times)


class LeaderboardRow(msgspec.Struct, frozen=True):
    """One line of a leaderboard."""

    name: str
    rating_points: int
    game_count: int
    win_count: int
    place: int | None
    """1 is best; people with equal ratings share a place.  None: a computer player, who has no place."""
    user: int | None = None


def statistics_of(ratings: GameRatings, contender: Contender) -> PlayerStatistics:
    """Return the statistics of a person."""
    outcomes = ratings.rated_outcomes.get(contender, ())
    return PlayerStatistics(
        rating_history=(Rating().points, *(outcome.rating_after.points for outcome in outcomes)),
        end_times=tuple(outcome.ended_at for outcome in outcomes),
        count_by_place=dict(
            sorted(Counter(outcome.place for outcome in outcomes if not outcome.left_early).items())
        ),
        win_count=sum(outcome.won for outcome in outcomes),
        left_early_count=sum(outcome.left_early for outcome in outcomes),
        unrated_count=ratings.unrated_counts.get(contender, 0),
        taken_over_count=ratings.taken_over_counts.get(contender, 0),
    )


def leaderboard(
    ratings: GameRatings, guild: int | None, unlisted_users: Collection[int]
) -> tuple[LeaderboardRow, ...]:
    """Return the rated people of a server, the best first, then the computer players.

    ``unlisted_users`` are left out.
    """
    person_rows, computer_rows = [], []
    for contender, outcomes in ratings.rated_outcomes.items():
        points, win_count = outcomes[-1].rating_after.points, sum(outcome.won for outcome in outcomes)
        if contender.computer is not None:
            title = (
                COMPUTER_PLAYERS[contender.computer].title
                if contender.computer in COMPUTER_PLAYERS
                else contender.computer
            )
            computer_rows.append(LeaderboardRow(title, points, len(outcomes), win_count, None))
        elif contender.guild == guild and contender.user not in unlisted_users:
            name = ratings.names[contender]
            person_rows.append(LeaderboardRow(name, points, len(outcomes), win_count, 0, contender.user))
    count_by_points = Counter(row.rating_points for row in person_rows)
    ranked_rows = [
        msgspec.structs.replace(
            row,
            place=1 + sum(count for points, count in count_by_points.items() if points > row.rating_points),
        )
        for row in person_rows
    ]
    ranked_rows.sort(key=lambda row: (-row.rating_points, row.name, row.user))
    return (*ranked_rows, *sorted(computer_rows, key=lambda row: -row.rating_points))


def rated_users(ratings: GameRatings, guild: int | None) -> frozenset[int]:
    """Return the users with a rating on a server."""
    return frozenset(
        contender.user
        for contender in ratings.rated_outcomes
        if contender.user is not None and contender.guild == guild
    )
