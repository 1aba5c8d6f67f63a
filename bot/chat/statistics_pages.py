"""The private pages of ratings: one player's statistics and a server's leaderboard, as pictures or text."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

from bot import limits
from bot.chat.drawing_queue import current_drawing_queues
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.chat.response import with_picture_texts
from bot.host.names import escape_markup, isolate
from bot.host.ratings import Contender, GameRatings
from bot.host.statistics import LeaderboardRow, PlayerStatistics, leaderboard, rated_users, statistics_of
from bot.host.tables import Tables
from render.paint import render_png
from render.scene import Scene
from render.statistics import LeaderboardLine, StatisticsContent, draw_leaderboard, draw_statistics
from rules.game import AnyGame
from rules.text import capitalized, counted, listed, shortened, times_text

MAX_LISTED_PEOPLE: Final = 10
"""The most people on a leaderboard, besides the requester."""
_EXPLANATION: Final = (
    "-# Everybody starts at 1,000. A rating grows with good places against strong players, and a little with"
    " each game, as more is known of you."
    " Computer players count as opponents. Who leaves, or for whom a computer player finishes, is placed"
    " behind all who play on."
)
_COMPUTERS_TEXT: Final = "Computer players have a rating but no place."
_ORDINALS: Final = ("", "1st", "2nd", "3rd")


class RatingsPage:
    """A page as text and picture."""

    def __init__(self, text: str, scene: Scene, file_name: str, alt: str) -> None:
        """``alt``: what the picture shows, in words."""
        self._post = Post(f"{text}\n{_EXPLANATION}")
        self._scene, self._file_name, self._alt = scene, file_name, alt

    async def contents(self, *, as_text: bool) -> tuple[Post, Sequence[DrawnPicture]]:
        """Return the page with its picture, or with a text in place of it."""
        alt = shortened(self._alt, limits.ALT_TEXT)
        if as_text:
            return with_picture_texts(self._post, (DrawnPicture(self._file_name, b"", alt),)), ()
        data = await current_drawing_queues().draw_without_game(partial(render_png, self._scene))
        return self._post, (DrawnPicture(self._file_name, data, alt),)


async def unlisted_users(tables: Tables, ratings: GameRatings, guild: int | None) -> frozenset[int]:
    """Return the rated people who do not want to be listed on leaderboards."""
    people = await tables.person_preferences.get_many(rated_users(ratings, guild))
    return frozenset(user for user, person in people.items() if person.is_unlisted)


# One player ---------------------------------------------------------------------------------------------


async def statistics_page(
    tables: Tables, game: AnyGame, guild: int | None, user: int, name: str
) -> RatingsPage:
    """Return one player's statistics of a game in a server."""
    ratings = await tables.rating_cache.ratings_of(game.key)
    rows = leaderboard(ratings, guild, await unlisted_users(tables, ratings, guild))
    statistics = statistics_of(ratings, Contender(user, guild))
    content = StatisticsContent(
        title=game.title,
        name=name,
        key_numbers=_key_numbers(statistics, rows, user),
        places=_places(statistics),
        ratings=statistics.rating_history,
        first_label=_date_text(statistics.end_times[0]) if statistics.end_times else "",
        last_label=_date_text(statistics.end_times[-1]) if statistics.end_times else "",
        note=_unrated_text(statistics),
    )
    text = f"**{escape_markup(name)}** · {game.title}"
    return RatingsPage(text, draw_statistics(content), "statistics.png", _statistics_text(content))


def _key_numbers(
    statistics: PlayerStatistics, rows: Sequence[LeaderboardRow], user: int
) -> tuple[tuple[str, str], ...]:
    place = next((row.place for row in rows if row.user == user), None)
    listed_count = sum(row.place is not None for row in rows)
    return (
        ("rating", f"{statistics.rating_history[-1]:,}"),
        ("place in this server", "none" if place is None else f"{place} of {listed_count}"),
        ("rated games", str(statistics.game_count)),
        ("won", str(statistics.win_count)),
    )


def _places(statistics: PlayerStatistics) -> tuple[tuple[str, int], ...]:
    places = tuple((_ordinal(place), count) for place, count in statistics.count_by_place.items())
    return (*places, ("left", statistics.left_early_count)) if statistics.left_early_count else places


def _ordinal(place: int) -> str:
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place}th"


def _date_text(timestamp: int) -> str:
    day = datetime.fromtimestamp(timestamp, UTC)
    return f"{day.day} {day:%b %Y}"


def _unrated_text(statistics: PlayerStatistics) -> str:
    """Return how many games were not rated, and how many of these at a seat that was taken over."""
    count, taken_over_count = statistics.unrated_count, statistics.taken_over_count
    if not count:
        return ""
    games_text = counted(count, "more game" if statistics.game_count else "game").capitalize()
    text = f"{games_text} {'was' if count == 1 else 'were'} not rated"
    if not taken_over_count:
        return f"{text}."
    seats_text = "at a seat" if taken_over_count == 1 else "at seats"
    if taken_over_count == count:
        return f"{text}: {'it was' if count == 1 else 'they were'} played {seats_text} taken over."
    return f"{text}, {counted(taken_over_count, 'of them', 'of them')} {seats_text} taken over."


def _statistics_text(content: StatisticsContent) -> str:
    """Return the picture in words."""
    key_numbers_text = "; ".join(f"{label}: {value}" for label, value in content.key_numbers)
    sentences = [
        f"Statistics of {isolate(content.name)} in {content.title}. {capitalized(key_numbers_text)}."
    ]
    if content.places:
        place_texts = [f"{label} {times_text(count)}" for label, count in content.places]
        sentences.append(f"Places: {listed(place_texts)}.")
    if len(content.ratings) > 1:
        low, high = min(content.ratings), max(content.ratings)
        first, last = content.first_label, content.last_label
        when = f"on {first}" if first == last else f"between {first} and {last}"
        sentences.append(
            f"The rating went from {content.ratings[0]:,} to {content.ratings[-1]:,} {when}."
            f" Lowest {low:,}, highest {high:,}."
        )
    return " ".join([*sentences, content.note]).strip()


# The leaderboard ----------------------------------------------------------------------------------------


async def leaderboard_page(
    tables: Tables, game: AnyGame, guild: int | None, requester: int, server_name: str
) -> RatingsPage | None:
    """Return a server's leaderboard of a game; None if nobody stands on it."""
    ratings = await tables.rating_cache.ratings_of(game.key)
    rows = leaderboard(ratings, guild, await unlisted_users(tables, ratings, guild))
    ranked_rows = [row for row in rows if row.place is not None]
    if not ranked_rows:
        return None
    shown_rows = ranked_rows[:MAX_LISTED_PEOPLE]
    own_row = next((row for row in ranked_rows[MAX_LISTED_PEOPLE:] if row.user == requester), None)
    computer_rows = [row for row in rows if row.place is None]
    lines = (
        *(_leaderboard_line(row, requester) for row in shown_rows),
        *([] if own_row is None else [_leaderboard_line(own_row, requester, is_separated=True)]),
        *(
            _leaderboard_line(row, requester, is_separated=index == 0)
            for index, row in enumerate(computer_rows)
        ),
    )
    text = f"**{game.title}** · the best in this server"
    computers_text = _COMPUTERS_TEXT if computer_rows else ""
    scene = draw_leaderboard(game.title, server_name, lines, computers_text)
    alt = f"{_leaderboard_text(game, lines)} {computers_text}".strip()
    return RatingsPage(text, scene, "leaderboard.png", alt)


def _leaderboard_line(row: LeaderboardRow, requester: int, *, is_separated: bool = False) -> LeaderboardLine:
    return LeaderboardLine(
        place="" if row.place is None else str(row.place),
        name=f"{row.name} (computer)" if row.place is None else row.name,
        points=f"{row.rating_points:,}",
        games_text=f"{counted(row.game_count, 'game')}, {counted(row.win_count, 'win')}",
        is_own=row.user is not None and row.user == requester,
        is_separated=is_separated,
    )


def _leaderboard_text(game: AnyGame, lines: Sequence[LeaderboardLine]) -> str:
    """Return the picture in words."""
    line_texts = []
    for line in lines:
        place_text = f"{line.place}. " if line.place else ""
        line_texts.append(f"{place_text}{isolate(line.name)}: {line.points} ({line.games_text})")
    return f"Leaderboard of {game.title}. {'; '.join(line_texts)}."
