"""Exports what is stored about one person, and erases it table by table."""

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import msgspec

from bot.store.damaged_texts import DECODING_ERRORS, readable_texts
from bot.store.delivery_rows import DeliveryKind, Mention
from bot.store.lobby_rows import LobbyState
from bot.store.preferences import PersonRow
from bot.store.results import FORMER_PLAYER
from bot.store.seat_rows import EarlierPlayer, SeatHolder

_MODERATOR_NAME_PATTERN: Final = re.compile(r"^.*? \((?=host\b|admin\b|no seat\b)")
"""Matches the name at the beginning of an audit entry, before the role of its user."""
_KINDS_KEYED_BY_USER: Final = (DeliveryKind.INVITATION, DeliveryKind.JOIN_REQUEST, DeliveryKind.ACCEPTANCE)
"""The kinds of delivery whose ``Slot.subject_id``, the column ``key``, is a user."""

UNREADABLE: Final = "damaged: this cannot be read"
"""Stands in the place of a damaged value."""

PersonalData: TypeAlias = dict[str, Any]
"""What is stored about a person, by subject, ready for JSON."""


class ErasedPerson(msgspec.Struct, frozen=True, gc=False):
    """Somebody who is erased at a table, with all that the search for them needs."""

    user: int
    names: tuple[str, ...]
    """Every name that they have had at the table, as stored and as escaped for messages."""
    other_names: tuple[str, ...] = ()
    """The names of others at the table, likewise: one that has an erased name in it stays whole."""


def numbers_of_tables_naming(
    connection: sqlite3.Connection, user: int, after: int, limit: int
) -> tuple[int, ...]:
    """Return the next ``limit`` numbers above ``after`` of tables whose rows may name a user."""
    rows = connection.execute(
        "select number from matches where number > :after and (host = :user"
        " or number in (select match from seats where user = :user)"
        " or number in (select match from audit_log where user = :user)"
        " or instr(holders, :packed_user) or instr(question, :packed_user) or instr(lobby, :packed_user)"
        " or exists (select 1 from seats where match = number"
        "  and (instr(offer, :packed_user) or instr(blocked_offers, :packed_user)))"
        ") order by number limit :limit",
        {"after": after, "user": user, "packed_user": msgspec.msgpack.encode(user), "limit": limit},
    )
    return tuple(number for (number,) in rows)


def erase_person_at_table(connection: sqlite3.Connection, number: int, person: ErasedPerson) -> None:
    """Erase a person from a table's records, texts, messages and audit log.

    The rows of the table itself and of its seats, and the results, are left to the caller.  Of a damaged
    text, the names that can still be read are erased; damaged mentions are deleted.
    """
    with readable_texts(connection):
        _erase_person_at_table(connection, number, person)


def _erase_person_at_table(connection: sqlite3.Connection, number: int, person: ErasedPerson) -> None:
    number_and_user = (number, person.user)
    connection.execute("update records set user = null where match = ? and user = ?", number_and_user)
    entries = connection.execute(
        "select id, entry, user from audit_log where match = ?", (number,)
    ).fetchall()
    for row_id, entry, user in entries:
        is_own = user == person.user
        text = _MODERATOR_NAME_PATTERN.sub(f"{FORMER_PLAYER} (", entry) if is_own else entry
        text = _without_names(text, person)
        if is_own or text != entry:
            connection.execute(
                "update audit_log set entry = ?, user = ? where id = ?",
                (text, None if is_own else user, row_id),
            )
    for column, sql_table in (("text", "outbox"), ("answer", "inbox")):
        _erase_names(connection, number, sql_table, column, person)
    connection.execute(
        "delete from unanswered where user = ? and interaction in"
        " (select interaction from inbox where match = ?)",
        (person.user, number),
    )
    for kind in _KINDS_KEYED_BY_USER:
        values = (*number_and_user, kind.value)
        connection.execute("delete from outbox where match = ? and key = ? and kind = ?", values)
        connection.execute("delete from posted_messages where match = ? and key = ? and kind = ?", values)
    connection.execute(
        "update posted_messages set mentioned_user = null where match = ? and mentioned_user = ?",
        number_and_user,
    )
    messages = connection.execute(
        "select rowid, mentions from posted_messages where match = ? and mentions is not null", (number,)
    ).fetchall()
    for row_id, encoded in messages:
        mentions_of_others: list[Mention] = []
        with contextlib.suppress(*DECODING_ERRORS):
            mentions = msgspec.msgpack.decode(encoded, type=tuple[Mention, ...])
            mentions_of_others = [mention for mention in mentions if mention.user != person.user]
        connection.execute(
            "update posted_messages set mentions = ? where rowid = ?",
            (msgspec.msgpack.encode(mentions_of_others) if mentions_of_others else None, row_id),
        )


def _erase_names(
    connection: sqlite3.Connection, number: int, sql_table: str, column: str, person: ErasedPerson
) -> None:
    sql = f"select rowid, {column} from {sql_table} where match = ?"  # noqa: S608 - fixed names
    rows = connection.execute(sql, (number,)).fetchall()
    for row_id, text in rows:
        text_without_names = _without_names(text, person)
        if text_without_names != text:
            connection.execute(
                f"update {sql_table} set {column} = ? where rowid = ?",  # noqa: S608 - fixed names
                (text_without_names, row_id),
            )


def _without_names(text: str, person: ErasedPerson) -> str:
    """Return a text in which each erased name that stands as a word of its own is replaced.

    A seat's letter stays, and the whole name of somebody else.
    """
    erased_names = set(person.names)
    known_names = sorted({FORMER_PLAYER, *person.other_names, *erased_names}, key=len, reverse=True)
    not_after_seat = "(?<![Ss]eat )"
    pattern = "|".join(
        not_after_seat + re.escape(each) if len(each) == 1 else re.escape(each) for each in known_names
    )
    return re.sub(
        rf"(?<!\w)(?:{pattern})(?!\w)",
        lambda found: FORMER_PLAYER if found[0] in erased_names else found[0],  # what was replaced stays too
        text,
    )


def personal_data(connection: sqlite3.Connection, user: int) -> PersonalData:
    """Return what is stored about a user: preferences, seats, also earlier ones, moves, results, and more.

    What is damaged hides nothing else: a text has marks in its place, and other values are ``UNREADABLE``.
    """
    connection.row_factory = sqlite3.Row
    try:
        with readable_texts(connection):
            return _personal_data(connection, user)
    finally:
        connection.row_factory = None


def _personal_data(connection: sqlite3.Connection, user: int) -> PersonalData:
    return {
        "preferences": _preferences_of(connection, user),
        "tables": _select_dicts(
            connection,
            "select number, game, status, guild as server, game_channel as channel, opened_at, seat,"
            " name, host = :user as is_host from seats join matches on number = match where user = :user"
            " order by number",
            user,
        ),
        "tables_hosted_without_a_seat": _select_dicts(
            connection,
            "select number, game, status, guild as server, game_channel as channel, opened_at from matches"
            " where host = :user and not exists (select 1 from seats where match = number and user = :user)"
            " order by number",
            user,
        ),
        "earlier_seats": list(_earlier_seats_of(connection, user)),
        "lobbies": list(_lobbies_naming(connection, user)),
        "moves": _select_dicts(
            connection,
            "select match as number, ply, action, at from records where user = :user"
            " and match in (select number from matches where number > 0 and instr(holders, :packed_user))"
            " order by match, ply",
            user,
        ),
        "interventions": _select_dicts(
            connection,
            "select match as number, entry, at from audit_log where user = :user order by id",
            user,
        ),
        "server_setting_changes": _select_dicts(
            connection,
            "select guild as server, entry, at from server_audit_log where user = :user order by id",
            user,
        ),
        "results": _select_dicts(
            connection,
            "select match as number, game, guild as server, ended_at, seat, participation, name,"
            " place, score, misses"
            " from results join result_players using (match) where user = :user order by id",
            user,
        ),
    }


def _preferences_of(connection: sqlite3.Connection, user: int) -> Any:
    row = connection.execute("select preferences from people where user = ?", (user,)).fetchone()
    if row is None:
        return None
    try:
        return msgspec.to_builtins(msgspec.msgpack.decode(row[0], type=PersonRow))
    except DECODING_ERRORS:
        return UNREADABLE


def _earlier_seats_of(connection: sqlite3.Connection, user: int) -> Iterator[dict[str, Any]]:
    """Yield each seat that a user had before it went to somebody else, or before they came back to it."""
    rows = connection.execute(
        "with found as materialized (select * from matches where number > 0 and instr(holders, ?))"
        " select number, game, status, guild, game_channel, holders, seat, user, earlier"
        " from found join seats on match = number order by number, seat",
        (msgspec.msgpack.encode(user),),
    )
    for number, game, status, guild, channel, encoded_holders, seat, present_user, encoded_earlier in rows:
        table_and_seat: dict[str, Any] = {
            "number": number,
            "game": game,
            "status": status,
            "server": guild,
            "channel": channel,
            "seat": seat,
        }
        try:
            holders = msgspec.msgpack.decode(encoded_holders, type=tuple[SeatHolder, ...])
            earlier_players = (
                ()
                if encoded_earlier is None
                else msgspec.msgpack.decode(encoded_earlier, type=tuple[EarlierPlayer, ...])
            )
        except DECODING_ERRORS:
            yield {**table_and_seat, "names": UNREADABLE}
            continue
        names = [each.name for each in earlier_players if each.user == user]
        is_holder = any(each.user == user and each.seat == seat for each in holders)
        if names or (is_holder and present_user != user):
            yield {**table_and_seat, "names": names}


def _lobbies_naming(connection: sqlite3.Connection, user: int) -> Iterator[dict[str, Any]]:
    """Yield what is stored of a user in each lobby that names them, also once it is over."""
    rows = connection.execute(
        "select number, guild, status, lobby from matches where number > 0 and instr(lobby, ?)"
        " order by number",
        (msgspec.msgpack.encode(user),),
    )
    for number, guild, status, lobby in rows.fetchall():
        table = {"number": number, "server": guild, "status": status}
        try:
            state = msgspec.msgpack.decode(lobby, type=LobbyState)
        except DECODING_ERRORS:
            yield {**table, "lobby": UNREADABLE}
            continue
        yield {
            **table,
            "invited": user in state.invited_users,
            "asks_to_join": any(each.user == user for each in state.applicants),
            "removed": user in state.removed_users,
            "request_declined": user in state.declined_applicants,
            "declined": user in state.declining_users,
            "shown_names": [each.name for each in state.shown_people if each.user == user],
            "last_seen": next((each.at for each in state.players_last_seen if each.user == user), None),
        }


def _select_dicts(connection: sqlite3.Connection, sql: str, user: int) -> list[dict[str, Any]]:
    """Return the rows that a statement selects for a user, each as a dict."""
    values = {"user": user, "packed_user": msgspec.msgpack.encode(user)}
    return [dict(row) for row in connection.execute(sql, values)]
