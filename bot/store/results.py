"""The stored results of games that are over, and the statements that read and write them."""

import contextlib
import enum
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

import msgspec

FORMER_PLAYER: Final = "A former player"
"""The name of somebody whose results were kept without their name."""
RESULT_ERASURES_KEY: Final = "erasures from results"
"""The metadata key of the number of times that somebody was erased from the results."""


class UnratedReason(enum.Enum):
    """Why a result is not rated."""

    HINDSIGHT = "hindsight"
    """A move against computers was taken back with hindsight."""
    ROLLED_BACK = "rolled back"
    """The host or an admin rolled the game back."""
    SEAT_GIVEN_AWAY = "seat given away"
    """A seat was given away without its player's own act, or that of a computer player to a person."""
    RESTORED = "restored"
    """A restored backup took the game back."""
    THAWED = "thawed"
    """The game was frozen, and went on under other rules."""
    NO_OPPONENT = "no opponent"
    """Fewer than two players, or no person, played it from the start."""


class Participation(enum.Enum):
    """How somebody took part in a game."""

    PLAYED = "played"
    """From the start to the end."""
    LEFT_EARLY = "left early"
    """From the start, but resigned, gave up the seat or was substituted at the end: below all who played."""
    TOOK_OVER = "joined"
    """Took over a seat that somebody else had: never rated."""


class ResultPlayer(msgspec.Struct, frozen=True, gc=False):
    """How one player of a game ended.  Somebody who left and their successor have the same seat."""

    seat: int
    participation: Participation
    name: str
    place: int
    """1 is best; players who tie share one."""
    score: int | None = None
    """None: the game was not played to its end, or somebody else finished it at this seat.

    0 of somebody who resigned from a game that all people then left.
    """
    user: int | None = None
    """None: a computer player, or a former player."""
    computer: str | None = None
    """The key of a computer player."""
    missed_turn_count: int = 0
    """How many turns this person did not play in time."""


class NewResult(msgspec.Struct, frozen=True, gc=False):
    """The result of a table's game, to be stored."""

    players: tuple[ResultPlayer, ...]
    """By place; of the same place, those who left come last."""
    unrated_reason: UnratedReason | None = None
    """None: it is rated."""


class StoredResult(msgspec.Struct, frozen=True, gc=False):
    """A stored result."""

    id: int
    """Counts the results in the order in which they were stored."""
    table_number: int
    game_key: str
    guild: int | None
    game_channel: int
    """The channel or thread of the table."""
    ended_at: int
    """Seconds since 1970."""
    unrated_reason: UnratedReason | None
    players: tuple[ResultPlayer, ...]
    """As in ``NewResult``."""
    visibility_channel: int | None = None
    """The channel of its thread, or its own; None: unknown, or a private thread's."""


class ResultsVersion(msgspec.Struct, frozen=True):
    """The version of a game's results: equal versions have equal content."""

    last_id: int
    """The highest id of a result; 0: there is none."""
    erasure_count: int
    """How often somebody was erased from the results of any game."""


def insert_result(
    connection: sqlite3.Connection,
    number: int,
    game_key: str,
    guild: int | None,
    ended_at: int,
    result: NewResult,
) -> None:
    """Store the result of a table's game."""
    connection.execute(
        "insert into results (match, game, guild, ended_at, unrated_reason) values (?, ?, ?, ?, ?)",
        (
            number,
            game_key,
            guild,
            ended_at,
            None if result.unrated_reason is None else result.unrated_reason.value,
        ),
    )
    connection.executemany(
        "insert into result_players (match, seat, participation, name, place, score, user, computer, misses)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, *_player_values(player)) for player in result.players],
    )


def _player_values(player: ResultPlayer) -> tuple[object, ...]:
    return (
        player.seat,
        player.participation.value,
        player.name,
        player.place,
        player.score,
        player.user,
        player.computer,
        player.missed_turn_count,
    )


_SELECT_RESULTS: Final = (
    "select id, match, cast(results.game as blob), results.guild, game_channel, ended_at,"
    " cast(results.unrated_reason as blob), visibility_channel, seat, cast(participation as blob),"
    " cast(name as blob), place, score, user, cast(computer as blob), misses"
    " from results join result_players using (match) join matches on number = match"
)
_RESULT_COLUMN_COUNT: Final = 8
"""The columns of ``_SELECT_RESULTS`` that describe a result; those after them describe one of its players."""
_ORDER: Final = "order by id, place, participation = 'left early', seat"


def results_of_game(
    connection: sqlite3.Connection, game_key: str, after_id: int = 0
) -> tuple[StoredResult, ...]:
    """Return a game's results with ids above ``after_id``, the oldest first."""
    rows = connection.execute(
        f"{_SELECT_RESULTS} where results.game = ? and id > ? {_ORDER}",
        (game_key, after_id),
    )
    return _parse_results(rows)


def results_of_user(connection: sqlite3.Connection, user: int) -> tuple[StoredResult, ...]:
    """Return the results of all games in which a user took part, the oldest first."""
    own_matches_query = "select match from result_players where user = ?"
    return _parse_results(
        connection.execute(f"{_SELECT_RESULTS} where match in ({own_matches_query}) {_ORDER}", (user,))
    )


def last_results_of_user(
    connection: sqlite3.Connection, user: int, since: int, count: int
) -> tuple[StoredResult, ...]:
    """Return the last results of a user's games that ended at ``since`` or later, the newest first."""
    last_ids_query = (
        "select distinct id from results join result_players using (match)"
        " where user = ? and ended_at >= ? order by id desc limit ?"
    )
    rows = connection.execute(
        f"{_SELECT_RESULTS} where id in ({last_ids_query}) {_ORDER}", (user, since, count)
    )
    return _parse_results(rows)[::-1]


def last_results_in_server(
    connection: sqlite3.Connection, guild: int, count: int
) -> tuple[StoredResult, ...]:
    """Return the last results of a server, the newest first."""
    last_ids_query = "select id from results where guild = ? order by id desc limit ?"
    rows = connection.execute(f"{_SELECT_RESULTS} where id in ({last_ids_query}) {_ORDER}", (guild, count))
    return _parse_results(rows)[::-1]


def last_own_results_of_user(
    connection: sqlite3.Connection, user: int, count: int
) -> tuple[ResultPlayer, ...]:
    """Return how a user's last games ended for them, the newest first."""
    rows = connection.execute(
        f"{_SELECT_RESULTS} where user = ? order by id desc, participation = 'left early' limit ?",
        (user, count),
    )
    return tuple(_parse_players(rows))


def results_version(connection: sqlite3.Connection, game_key: str) -> ResultsVersion:
    """Return the version of a game's results."""
    row = connection.execute(
        "select coalesce((select max(id) from results where game = ?), 0),"
        " coalesce((select cast(value as integer) from settings where key = ?), 0)",
        (game_key, RESULT_ERASURES_KEY),
    ).fetchone()
    return ResultsVersion(*row)


def erase_user_in_results(connection: sqlite3.Connection, user: int) -> None:
    """Replace a user in all results by a former player.  Places and scores stay."""
    connection.execute(
        "update result_players set user = null, name = ? where user = ?", (FORMER_PLAYER, user)
    )
    connection.execute(
        "insert into settings (key, value) values (?, '1')"
        " on conflict (key) do update set value = cast(value as integer) + 1",
        (RESULT_ERASURES_KEY,),
    )


def _parse_results(rows: Iterable[tuple[Any, ...]]) -> tuple[StoredResult, ...]:
    """Parse ordered rows of ``_SELECT_RESULTS``; a damaged result must not hide the others."""
    results = []
    for result_row, player_rows in groupby(
        map(_with_decoded_texts, rows), lambda row: row[:_RESULT_COLUMN_COUNT]
    ):
        id_, number, game, guild, game_channel, ended_at, reason_text, visibility_channel = result_row
        with contextlib.suppress(ValueError):
            reason = None if reason_text is None else UnratedReason(reason_text)
            players = tuple(map(_parse_player, player_rows))
            results.append(
                StoredResult(
                    id_, number, game, guild, game_channel, ended_at, reason, players, visibility_channel
                )
            )
    return tuple(results)


def _parse_players(rows: Iterable[tuple[Any, ...]]) -> Iterator[ResultPlayer]:
    """Yield the players of rows of ``_SELECT_RESULTS``, except those of whom a word is damaged."""
    for row in rows:
        with contextlib.suppress(ValueError):
            yield _parse_player(_with_decoded_texts(row))


def _with_decoded_texts(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(each.decode(errors="replace") if isinstance(each, bytes) else each for each in row)


def _parse_player(row: tuple[Any, ...]) -> ResultPlayer:
    """Parse the player of a decoded row.  Raises ValueError if their participation is damaged."""
    seat, participation, *rest = row[_RESULT_COLUMN_COUNT:]
    return ResultPlayer(seat, Participation(participation), *rest)
