"""Ratings of players, computed from the stored results and from nothing else.

Each game has its own ratings.  A person's is that of one server; a computer player's is shared by all.  They
are never stored: the same results in the same order give the same ratings.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from openskill.models import PlackettLuce

from bot.store.results import Participation, ResultPlayer, StoredResult

_MODEL: Final = PlackettLuce()
_INITIAL_POINTS: Final = 1000
"""The points of somebody who has not been rated."""
_POINTS_PER_UNIT: Final = 40
"""How many points a unit of ``Rating.mu`` is."""


class Contender(msgspec.Struct, frozen=True, gc=False):
    """Who has a rating: a person on one server, or all computer players of one kind."""

    user: int | None = None
    guild: int | None = None
    computer: str | None = None


class Rating(msgspec.Struct, frozen=True, gc=False):
    """How strong somebody is, as far as it is known."""

    mu: float = _MODEL.mu
    """The estimate."""
    sigma: float = _MODEL.sigma
    """How uncertain it is."""

    @property
    def points(self) -> int:
        """The number that people see: 1,000 for a new rating.

        Later it shows a strength that is almost certainly exceeded (``mu - 3 * sigma``).
        """
        return round(_INITIAL_POINTS + _POINTS_PER_UNIT * (self.mu - 3 * self.sigma))


class RatedOutcome(msgspec.Struct, frozen=True, gc=False):
    """The outcome of one finished game for one contender."""

    table_number: int
    ended_at: int
    place: int
    player_count: int
    """How many players were rated in it."""
    left_early: bool
    rating_after: Rating

    @property
    def won(self) -> bool:
        """Whether it was won, alone or with others."""
        return self.place == 1 and not self.left_early


class GameRatings(msgspec.Struct, frozen=True):
    """The ratings of everybody who has played one kind of game, after some of its results."""

    rated_outcomes: Mapping[Contender, tuple[RatedOutcome, ...]] = {}
    """The rated outcomes of each contender, the oldest first."""
    unrated_counts: Mapping[Contender, int] = {}
    """How many games of each contender were not rated, games at a seat taken over included."""
    taken_over_counts: Mapping[Contender, int] = {}
    """How many rated games each contender finished at a seat taken over: these do not rate them."""
    names: Mapping[Contender, str] = {}
    """The name under which each contender played last."""

    def rating(self, contender: Contender) -> Rating:
        """Return the present rating of a contender."""
        outcomes = self.rated_outcomes.get(contender, ())
        return outcomes[-1].rating_after if outcomes else Rating()


def rate_results(results: Iterable[StoredResult], before: GameRatings | None = None) -> GameRatings:
    """Return the ratings after some results of one game, in order; ``before``: those after earlier ones."""
    before = before or GameRatings()
    rated_outcomes = defaultdict[Contender, list[RatedOutcome]](list)
    rated_outcomes.update(
        (contender, list(outcomes)) for contender, outcomes in before.rated_outcomes.items()
    )
    unrated_counts = defaultdict[Contender, int](int, before.unrated_counts)
    taken_over_counts = defaultdict[Contender, int](int, before.taken_over_counts)
    names = dict(before.names)
    for result in results:
        rated_players = _rated_players(result)
        for player in result.players:
            contender = contender_of(player, result.guild)
            if contender is None:
                continue
            names[contender] = player.name
            if player not in rated_players:
                unrated_counts[contender] += 1
                taken_over_counts[contender] += bool(rated_players)
        old_ratings = [_rating_before(rated_outcomes, player, result.guild) for player in rated_players]
        for contender, new_rating, player in _combine_by_contender(
            result, rated_players, _rate(rated_players, old_ratings)
        ):
            rated_outcomes[contender].append(_rated_outcome(result, player, len(rated_players), new_rating))
    return GameRatings(
        {contender: tuple(outcomes) for contender, outcomes in rated_outcomes.items()},
        dict(unrated_counts),
        dict(taken_over_counts),
        names,
    )


def contender_of(player: ResultPlayer, guild: int | None) -> Contender | None:
    """Return the contender that a player is rated as; None: an erased player, who counts as new."""
    if player.computer is not None:
        return Contender(computer=player.computer)
    return None if player.user is None else Contender(player.user, guild)


def _rated_players(result: StoredResult) -> tuple[ResultPlayer, ...]:
    """Return the players whom a result rates; none if it is not rated."""
    if result.unrated_reason is not None:
        return ()
    players = tuple(
        player for player in result.players if player.participation is not Participation.TOOK_OVER
    )
    return players if len(players) > 1 else ()


def _rating_before(
    rated_outcomes: Mapping[Contender, Sequence[RatedOutcome]], player: ResultPlayer, guild: int | None
) -> Rating:
    contender = contender_of(player, guild)
    earlier_outcomes = () if contender is None else rated_outcomes.get(contender, ())
    return earlier_outcomes[-1].rating_after if earlier_outcomes else Rating()


def _rate(players: Sequence[ResultPlayer], ratings: Sequence[Rating]) -> tuple[Rating, ...]:
    """Return the ratings after a game.  Players who left early rank behind all who played to the end."""
    if not players:
        return ()
    rank_keys = sorted({_rank_key(player) for player in players})
    ranks = [float(rank_keys.index(_rank_key(player))) for player in players]
    teams = [[_MODEL.create_rating([each.mu, each.sigma])] for each in ratings]
    return tuple(Rating(new.mu, new.sigma) for (new,) in _MODEL.rate(teams, ranks=ranks))


def _rank_key(player: ResultPlayer) -> tuple[bool, int]:
    """Return a key by which players are ranked: all who left early come last."""
    return player.participation is Participation.LEFT_EARLY, player.place


def _combine_by_contender(
    result: StoredResult, players: Sequence[ResultPlayer], ratings: Sequence[Rating]
) -> Iterator[tuple[Contender, Rating, ResultPlayer]]:
    """Yield each contender once: computers of one kind with the best place and the mean rating."""
    by_contender = defaultdict[Contender, list[tuple[ResultPlayer, Rating]]](list)
    for player, rating in zip(players, ratings, strict=True):
        if (contender := contender_of(player, result.guild)) is not None:
            by_contender[contender].append((player, rating))
    for contender, players_with_ratings in by_contender.items():
        mu = sum(rating.mu for _, rating in players_with_ratings) / len(players_with_ratings)
        sigma = sum(rating.sigma for _, rating in players_with_ratings) / len(players_with_ratings)
        yield contender, Rating(mu, sigma), min((player for player, _ in players_with_ratings), key=_rank_key)


def _rated_outcome(
    result: StoredResult, player: ResultPlayer, player_count: int, rating: Rating
) -> RatedOutcome:
    left_early = player.participation is Participation.LEFT_EARLY
    return RatedOutcome(result.table_number, result.ended_at, player.place, player_count, left_early, rating)
