"""The stored preferences of people and servers, and the statements that read and write them."""

import logging
import sqlite3
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from bot.store.damaged_texts import DECODING_ERRORS, readable_texts

_log = logging.getLogger(__name__)

DEFAULT_QUIET_BEGIN: Final = 22 * 60
DEFAULT_QUIET_END: Final = 8 * 60
"""The quiet hours of somebody who has only set a time zone, in minutes after midnight.

The sleep of somebody without quiet hours begins at ``DEFAULT_QUIET_BEGIN`` too.
"""


class QuietHours(msgspec.Struct, frozen=True, gc=False):
    """A part of each day in a person's own time zone; it may cross midnight."""

    begin: int = DEFAULT_QUIET_BEGIN
    """In minutes after midnight."""
    end: int = DEFAULT_QUIET_END
    """In minutes after midnight."""


class MentionCount(msgspec.Struct, frozen=True, gc=False):
    """How often a person was mentioned on one day."""

    day: int
    """Days since 1970 (UTC)."""
    count: int


class Absence(msgspec.Struct, frozen=True, gc=False):
    """A time for which a person has said that they are away.  Times are seconds since 1970."""

    begin: int
    end: int
    guild: int | None = None
    """The server whose yearly budget it is charged to; None: it is charged to none."""


class PersonRow(msgspec.Struct, frozen=True, gc=False):
    """What a person has set for all of their tables, and what is counted about them."""

    user: int
    time_zone: str | None = None
    """Its name in the tz database, such as ``Europe/Paris``; None: not known, so there are no quiet hours."""
    quiet_hours: QuietHours = QuietHours()
    """When no notice is sent; where clocks leave out sleep, a player's sleep begins with them."""
    reminder_interval: int | None = None
    """Seconds between reminders; None: half of the time that is left, or a fixed time without a clock."""
    wants_reminders: bool = msgspec.field(default=True, name="reminders")
    """Whether they are reminded of their turns at all."""
    snoozed_until: int = 0
    """Until when they are not reminded."""
    wants_early_notice: bool = False
    """Whether they get a notice that they are next."""
    text_only: bool = False
    """Whether boards come as text, for a screen reader."""
    is_unlisted: bool = False
    """Whether they stand on no leaderboard."""
    absences: tuple[Absence, ...] = ()
    """The oldest first."""
    mention_count: MentionCount | None = None
    """How often they were mentioned on the last day on which they were."""


class ServerRow(msgspec.Struct, frozen=True, gc=False):
    """What the admins of a server have set."""

    guild: int
    channels: tuple[int, ...] = ()
    """Where tables may be opened; empty: everywhere."""
    roles: tuple[int, ...] = ()
    """Members with one of these roles may open tables; empty: everybody."""
    away_days: int = 30
    """The days a year for which a member may be away without the clocks of this server's tables running."""
    status_channel: int | None = None
    """Where the status message stands; None: there is none."""
    status_message: int | None = None
    """The newest status message; None: none was posted yet."""
    status_nonce: int | None = None
    """The nonce of its post: first the interaction that asked for it, later the message that it replaces."""
    status_pending_since: int | None = None
    """When its post was sent, in seconds since 1970, while the outcome is unknown; None: none is pending."""
    old_status_messages: tuple[tuple[int, int], ...] = ()
    """Channel and id of the status messages before it that are not deleted yet, the oldest first."""


class ServerAuditEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry in the audit log of a server: what an admin has set, and when."""

    user: int | None
    """None: somebody who was erased."""
    entry: str
    at: int
    """Seconds since 1970."""


MAX_SERVER_AUDIT_ENTRIES: Final = 100
"""How many entries of each server's audit log are kept, the newest ones."""
PreferencesRow: TypeAlias = PersonRow | ServerRow
PreferencesRowT = TypeVar("PreferencesRowT", PersonRow, ServerRow)

_SQL_TABLES: Final[dict[type[PreferencesRow], tuple[str, str]]] = {
    PersonRow: ("people", "user"),
    ServerRow: ("servers", "guild"),
}
"""By row type: the SQL table and the column of its key."""
_REPLACEMENT_FACTORIES: Final[Mapping[type[PreferencesRow], Callable[[int], Any]]] = {
    PersonRow: partial(PersonRow, is_unlisted=True)
}
"""By row type: returns the row that a damaged one is replaced by, given its key.

A damaged row of a person must not stop the others at their tables.  A server has none, since nobody knows
whom it has shut out.
"""


def load_preferences(
    connection: sqlite3.Connection, row_type: type[PreferencesRowT], keys: Collection[int]
) -> dict[int, PreferencesRowT]:
    """Return the stored rows with these keys, by key.

    A damaged row is replaced by one of ``_REPLACEMENT_FACTORIES``; without one for its type, what decoding
    raises is raised.
    """
    sql_table, key_column = _SQL_TABLES[row_type]
    sql = f"select preferences from {sql_table} where {key_column} = ?"  # noqa: S608 - fixed names
    sql_rows = {key: connection.execute(sql, (key,)).fetchone() for key in keys}
    return {
        key: _decode_row(key, sql_row[0], row_type)
        for key, sql_row in sql_rows.items()
        if sql_row is not None
    }


def _decode_row(key: int, encoded: bytes, row_type: type[PreferencesRowT]) -> PreferencesRowT:
    try:
        return msgspec.msgpack.decode(encoded, type=row_type)
    except DECODING_ERRORS:
        make_row = _REPLACEMENT_FACTORIES.get(row_type)
        if make_row is None:
            raise
        _log.exception("preferences not readable")
        row: PreferencesRowT = make_row(key)
        return row


def save_preferences(
    connection: sqlite3.Connection, row: PreferencesRow, audit_entry: ServerAuditEntry | None = None
) -> None:
    """Store a row in the place of the one with its key.  ``audit_entry``: for a server's audit log."""
    sql_table, key_column = _SQL_TABLES[type(row)]
    key = getattr(row, key_column)
    connection.execute(
        f"insert or replace into {sql_table} ({key_column}, preferences) values (?, ?)",  # noqa: S608 - fixed names
        (key, msgspec.msgpack.encode(row)),
    )
    if audit_entry is not None:
        _insert_audit_entry(connection, key, audit_entry)


def _insert_audit_entry(connection: sqlite3.Connection, guild: int, audit_entry: ServerAuditEntry) -> None:
    connection.execute(
        "insert into server_audit_log (guild, user, entry, at) values (?, ?, ?, ?)",
        (guild, audit_entry.user, audit_entry.entry, audit_entry.at),
    )
    connection.execute(
        "delete from server_audit_log where guild = :guild and id <="
        " (select id from server_audit_log where guild = :guild order by id desc limit 1 offset :kept)",
        {"guild": guild, "kept": MAX_SERVER_AUDIT_ENTRIES},
    )


def last_server_audit_entries(
    connection: sqlite3.Connection, guild: int, count: int
) -> tuple[ServerAuditEntry, ...]:
    """Return what the admins of a server changed last, the newest first."""
    sql = "select user, entry, at from server_audit_log where guild = ? order by id desc limit ?"
    with readable_texts(connection):
        rows = connection.execute(sql, (guild, count)).fetchall()
    return tuple(ServerAuditEntry(*row) for row in rows)


def delete_preferences(connection: sqlite3.Connection, row_type: type[PreferencesRow], key: int) -> None:
    """Delete the row with a key, if there is one, and a person's id from the servers' audit logs."""
    sql_table, key_column = _SQL_TABLES[row_type]
    connection.execute(f"delete from {sql_table} where {key_column} = ?", (key,))  # noqa: S608 - fixed names
    if row_type is PersonRow:
        connection.execute("update server_audit_log set user = null where user = ?", (key,))
