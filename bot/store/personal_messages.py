"""The messages and public texts in the export of what is stored about a person."""

import re
import sqlite3
from collections.abc import Iterator
from typing import Final

from bot.store.delivery_rows import DIRECT_MESSAGE_KINDS, LATE_PLAYER, DeliveryKind, Mention
from bot.store.personal_data import KINDS_KEYED_BY_USER
from bot.store.plain_values import UNREADABLE, Entry, decode_value
from bot.store.results import FORMER_PLAYER
from bot.store.seat_rows import EarlierPlayer

_DIRECT_KIND_TEXTS: Final = frozenset(kind.value for kind in DIRECT_MESSAGE_KINDS)
_KIND_TEXTS_KEYED_BY_USER: Final = frozenset(kind.value for kind in KINDS_KEYED_BY_USER)


def messages_about(connection: sqlite3.Connection, number: int, user: int) -> Iterator[Entry]:
    """Yield the messages that mention a user, are of the user's seat, invitation or request to join.

    Direct messages to those who had the seat before are theirs.
    """
    rows = connection.execute(
        "select *, exists (select 1 from seats where seats.match = posted_messages.match"
        " and seats.seat = posted_messages.seat and user = ?) as is_of_seat"
        " from posted_messages where match = ? order by message",
        (user, number),
    )
    for row in rows.fetchall():
        mentions = decode_value(row["mentions"], tuple[Mention, ...]) or ()
        is_unreadable = mentions == UNREADABLE
        own_mentions = () if is_unreadable else [each for each in mentions if each.user == user]
        is_direct, is_for_user = row["kind"] in _DIRECT_KIND_TEXTS, row["mentioned_user"] == user
        is_of_seat = is_for_user if is_direct else bool(row["is_of_seat"])
        is_about_user = row["kind"] in _KIND_TEXTS_KEYED_BY_USER and row["key"] == user
        if is_for_user or own_mentions or is_of_seat or is_about_user or is_unreadable:
            yield {
                "number": number,
                "kind": row["kind"],
                "channel": row["channel"],
                "message": row["message"],
                "posted_at": row["posted_at"],
                "mentions_you": is_for_user and not is_direct,
                "mentioned_at_moves": (
                    UNREADABLE if is_unreadable else [each.last_turn_end for each in own_mentions]
                ),
                "is_of_your_seat": is_of_seat,
                "is_your_invitation_or_request": is_about_user,
            }


def texts_about(
    connection: sqlite3.Connection, number: int, user: int, names: frozenset[str]
) -> Iterator[Entry]:
    """Yield the public texts of a table that have one of a user's names in them, or concern the user.

    That somebody's time is over names them, as what was posted does.
    """
    rows = connection.execute(
        "select kind, key, text, at from outbox where match = :number union all"
        " select 'audit log', null, entry, at from audit_log where match = :number order by at",
        {"number": number},
    ).fetchall()
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
    for kind, key, stored_text, at in rows:
        is_time_over = kind == DeliveryKind.TIME_OVER.value
        late_name = _name_at_table(connection, number, key) if is_time_over else LATE_PLAYER
        text = stored_text.replace(LATE_PLAYER, late_name)
        is_about_user = kind in _KIND_TEXTS_KEYED_BY_USER and key == user
        if is_about_user or (names and pattern.search(_without_escapes(text))):
            yield {"number": number, "kind": kind, "text": text, "at": at}


def _name_at_table(connection: sqlite3.Connection, number: int, user: int) -> str:
    """Return the name of a user who has or had a seat of a table."""
    rows = connection.execute(
        "select user, name, earlier from seats where match = ? order by seat", (number,)
    ).fetchall()
    names = [name for seat_user, name, _ in rows if seat_user == user]
    for *_, encoded in rows:
        earlier_players = decode_value(encoded, tuple[EarlierPlayer, ...]) or ()
        if earlier_players != UNREADABLE:
            names += [each.name for each in earlier_players if each.user == user]
    return names[0] if names else FORMER_PLAYER


def names_by_table(*entry_lists: list[Entry]) -> dict[int, frozenset[str]]:
    """Return, by the number of the table, the names that a user has had there, without escapes."""
    names: dict[int, frozenset[str]] = {}
    for entry in (entry for entries in entry_lists for entry in entries):
        listed_names = [entry.get("names", []), entry.get("shown_names", []), [entry.get("name")]]
        new_names = {
            _without_escapes(name)
            for each in listed_names
            if isinstance(each, list)
            for name in each
            if name is not None
        }
        names[entry["number"]] = names.get(entry["number"], frozenset()) | (new_names - {""})
    return names


def _without_escapes(text: str) -> str:
    """Return a text without the backslashes that keep Discord from formatting names."""
    return text.replace("\\", "")
