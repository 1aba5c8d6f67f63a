"""Finds the tables that name a person, and erases the person table by table."""

import contextlib
import re
import sqlite3
from typing import Final

import msgspec

from bot.store.damaged_texts import DECODING_ERRORS, readable_texts
from bot.store.delivery_rows import DIRECT_MESSAGE_KINDS, DeliveryKind, Mention
from bot.store.results import FORMER_PLAYER

_MODERATOR_NAME_PATTERN: Final = re.compile(r"^.*? \((?=host\b|admin\b|no seat\b)")
"""Matches the name at the beginning of an audit entry, before the role of its user."""
KINDS_KEYED_BY_USER: Final = (
    DeliveryKind.INVITATION,
    DeliveryKind.JOIN_REQUEST,
    DeliveryKind.ACCEPTANCE,
    DeliveryKind.TIME_OVER,
)
"""The kinds of delivery whose ``Slot.subject_id``, the column ``key``, is a user."""


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
    for kind in KINDS_KEYED_BY_USER:
        values = (*number_and_user, kind.value)
        connection.execute("delete from outbox where match = ? and key = ? and kind = ?", values)
        connection.execute("delete from posted_messages where match = ? and key = ? and kind = ?", values)
    for kind in DIRECT_MESSAGE_KINDS:  # one that a waiting delivery closes is forgotten then
        connection.execute(
            "delete from posted_messages as posted where match = ? and mentioned_user = ? and kind = ?"
            " and not exists (select 1 from outbox where match = posted.match and kind = posted.kind"
            " and seat is posted.seat and key is posted.key and state = 'waiting')",
            (*number_and_user, kind.value),
        )
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
