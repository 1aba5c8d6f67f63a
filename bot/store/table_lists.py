"""Lists and counts of tables: the statements that read what a list says of each."""

import contextlib
import sqlite3
from typing import Any, Final

import msgspec

from bot.store.clock_rows import TurnTimer
from bot.store.damaged_texts import DECODING_ERRORS
from bot.store.rows import LIVE_STATUSES_IN_SQL, QuotaUsage, Status, TableListing

_SELECT_LISTINGS: Final = (
    "select number, cast(game as blob), cast(status as blob), game_channel, guild, visibility_channel, host,"
    " (select count(*) from seats where match = number),"
    " (select group_concat(user) from seats where match = number),"
    " (select group_concat(user) from seats where match = number and resigned),"
    " (select user from seats where match = number and seat = to_act and substitute is null),"
    " (select cast(name as blob) from seats where match = number and seat = to_act), turn_timer,"
    " (select count(*) from timers where match = number and kind glob 'offer *'), active_at from matches"
)
"""The start of each statement; ``_parse_listing`` reads its rows.

The timers counted are those of kind ``OFFER_EXPIRY``.
"""


def live_tables_of_user(connection: sqlite3.Connection, user: int) -> tuple[TableListing, ...]:
    """Return the live tables at which a user sits, oldest first."""
    rows = connection.execute(
        f"{_SELECT_LISTINGS} where status in ({LIVE_STATUSES_IN_SQL})"  # noqa: S608 - fixed words
        " and number in (select match from seats where user = ?) order by number",
        (user,),
    )
    return tuple(map(_parse_listing, rows))


def live_tables_hosted_without_seat(
    connection: sqlite3.Connection, user: int, guild: int
) -> tuple[TableListing, ...]:
    """Return the live tables of a server that a user hosts without a seat, oldest first."""
    rows = connection.execute(
        f"{_SELECT_LISTINGS} where host = ? and status in ({LIVE_STATUSES_IN_SQL}) and +guild = ?"  # noqa: S608 - fixed words
        " and not exists (select 1 from seats where match = number and user = host) order by number",
        (user, guild),
    )
    return tuple(map(_parse_listing, rows))


def tables_of_user_ended_early(
    connection: sqlite3.Connection, user: int, since: int, count: int
) -> tuple[TableListing, ...]:
    """Return the last games without a result that ended early with a user in a seat, the newest first.

    Games from which the user had resigned, and those that ended before ``since``, are left out.
    """
    rows = connection.execute(
        # "+status": found by the user's seats, not among all games that ended early
        f"{_SELECT_LISTINGS} where number in (select match from seats where user = ? and not resigned)"  # noqa: S608 - fixed words
        " and +status = ? and active_at >= ?"
        " and not exists (select 1 from results where match = number) order by active_at desc limit ?",
        (user, Status.ENDED_EARLY.value, since, count),
    )
    return tuple(map(_parse_listing, rows))


def live_tables_in_server(connection: sqlite3.Connection, guild: int) -> tuple[TableListing, ...]:
    """Return the live tables of a server, newest first."""
    rows = connection.execute(
        f"{_SELECT_LISTINGS} where guild = ? and status in ({LIVE_STATUSES_IN_SQL}) order by number desc",
        (guild,),
    )
    return tuple(map(_parse_listing, rows))


def tables_in_channel(connection: sqlite3.Connection, channel: int) -> tuple[TableListing, ...]:
    """Return at most 25 tables opened or played in a channel: live ones, then others, newest first."""
    rows = connection.execute(
        f"{_SELECT_LISTINGS} where game_channel = :channel or lobby_channel = :channel"
        f" order by status in ({LIVE_STATUSES_IN_SQL}) desc, number desc limit 25",
        {"channel": channel},
    )
    return tuple(map(_parse_listing, rows))


def is_channel_busy(connection: sqlite3.Connection, channel: int) -> bool:
    """Return whether a game in a channel or thread is played, paused or frozen."""
    statuses = (Status.PLAYING.value, Status.PAUSED.value, Status.FROZEN.value)
    sql = "select 1 from matches where game_channel = ? and status in (?, ?, ?) limit 1"
    return connection.execute(sql, (channel, *statuses)).fetchone() is not None


def quota_usage(connection: sqlite3.Connection, user: int, guild: int | None) -> QuotaUsage:
    """Return what counts against a user's quotas, and against their server's."""
    row = connection.execute(
        "select"  # noqa: S608 - fixed words
        " (select count(*) from matches where host = :user and status = 'lobby'),"
        " (select count(*) from seats join matches on number = match"
        f"  where user = :user and not resigned and status in ({LIVE_STATUSES_IN_SQL})),"
        f" (select count(*) from matches where guild = :guild and status in ({LIVE_STATUSES_IN_SQL})),"
        " (select max(opened_at) from matches where host = :user)",
        {"user": user, "guild": guild},
    ).fetchone()
    return QuotaUsage(*row)


def _parse_listing(row: tuple[Any, ...]) -> TableListing:
    """Parse a row of ``_SELECT_LISTINGS``; a damaged text or turn must not hide the other tables."""
    (
        number,
        encoded_game,
        encoded_status,
        game_channel,
        guild,
        visibility_channel,
        host,
        player_count,
        users,
        resigned_users,
        *rest,
    ) = row
    user_to_act, encoded_name, encoded_timer, offer_count, active_at = rest
    name_to_act = None if encoded_name is None else encoded_name.decode(errors="replace")
    timer = None
    with contextlib.suppress(*DECODING_ERRORS):
        timer = None if encoded_timer is None else msgspec.msgpack.decode(encoded_timer, type=TurnTimer)
    listing = TableListing(
        number=number,
        game_key=encoded_game.decode(errors="replace"),
        status=parse_status(encoded_status.decode(errors="replace")),
        game_channel=game_channel,
        guild=guild,
        player_count=player_count,
        user_to_act=user_to_act,
        name_to_act=name_to_act,
        offer_count=offer_count,
        visibility_channel=visibility_channel,
        host=host,
        users=_parse_users(users),
        resigned_users=_parse_users(resigned_users),
        active_at=active_at,
    )
    if timer is None or name_to_act is None:
        return listing
    return msgspec.structs.replace(
        listing,
        user_to_act=timer.user,
        turn_began_at=timer.began_at,
        deadline=timer.computed_deadline,
        stage=timer.stage,
    )


def _parse_users(text: str | None) -> tuple[int, ...]:
    """Parse the users of some seats, as ``group_concat`` returns them; None: there are none."""
    return () if text is None else tuple(map(int, text.split(",")))


def count_by_status(connection: sqlite3.Connection) -> dict[Status, int]:
    """Return the number of tables of each status."""
    counts: dict[Status, int] = {}
    sql = "select cast(status as blob), count(*) from matches group by status"
    for encoded_status, count in connection.execute(sql):  # a damaged one must not end the heartbeat
        status = parse_status(encoded_status.decode(errors="replace"))
        counts[status] = counts.get(status, 0) + count
    return counts


def parse_status(text: object) -> Status:
    """Parse a status; an unknown one counts as frozen."""
    try:
        return Status(text)
    except ValueError:
        return Status.FROZEN
