"""Exports what is stored about one person; where each field is, or why not, stands in ``personal_fields``."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import msgspec

from bot.store.clock_rows import SeatClock, TurnTimer
from bot.store.damaged_texts import readable_texts
from bot.store.lobby_rows import LobbyState
from bot.store.notice_rows import TurnNotices
from bot.store.personal_data import numbers_of_tables_naming
from bot.store.personal_messages import messages_about, names_by_table, texts_about
from bot.store.plain_values import UNREADABLE, Entry, decode_value, own_plain_value, plain_value
from bot.store.preferences import PersonRow
from bot.store.question_rows import Question
from bot.store.rows import UndosWithoutConsent
from bot.store.seat_rows import BlockedOffer, EarlierPlayer, SeatHolder, SeatOffer

_ALL: Final = -1
"""No limit to the rows of a statement."""
PersonalData: TypeAlias = dict[str, Any]
"""What is stored about a person, by subject, ready for JSON."""


def personal_data(connection: sqlite3.Connection, user: int) -> PersonalData:
    """Return what is stored about a user, and of others only the texts that name the user.

    What is damaged hides nothing else: a text has marks in its place, and other values are ``UNREADABLE``.
    """
    connection.row_factory = sqlite3.Row
    try:
        with readable_texts(connection):
            return _personal_data(connection, user)
    finally:
        connection.row_factory = None


def _personal_data(connection: sqlite3.Connection, user: int) -> PersonalData:
    numbers = numbers_of_tables_naming(connection, user, 0, _ALL)
    tables = list(_seats_of(connection, user))
    earlier_seats = [seat for number in numbers for seat in _earlier_seats_of(connection, number, user)]
    lobbies = [lobby for number in numbers for lobby in _lobbies_naming(connection, number, user)]
    questions, declined_questions = _questions_naming(connection, numbers, user)
    names = names_by_table(tables, earlier_seats, lobbies)
    return {
        "preferences": _preferences_of(connection, user),
        "tables": tables,
        "tables_hosted_without_a_seat": _select_dicts(
            connection,
            "select number, game, status, guild as server, game_channel as channel, opened_at from matches"
            " where host = :user and not exists (select 1 from seats where match = number and user = :user)"
            " order by number",
            user,
        ),
        "earlier_seats": earlier_seats,
        "lobbies": lobbies,
        "questions": questions,
        "earlier_declined_questions": declined_questions,
        "seat_offers": [
            offer for number in numbers for offer in _offers_concerning(connection, number, user)
        ],
        "declined_seat_offers": [
            offer for number in numbers for offer in _blocked_offers_concerning(connection, number, user)
        ],
        "moves": [move for number in numbers for move in _moves_of(connection, number, user)],
        "messages": [message for number in numbers for message in messages_about(connection, number, user)],
        "texts": [
            text
            for number in numbers
            for text in texts_about(connection, number, user, names.get(number, frozenset()))
        ],
        "unconfirmed_answers": _select_dicts(
            connection,
            "select match as number, answer, move_number, at from unanswered join inbox using (interaction)"
            " where user = :user order by interaction",
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
    return None if row is None else plain_value(decode_value(row[0], PersonRow))


def _seats_of(connection: sqlite3.Connection, user: int) -> Iterator[Entry]:
    """Yield each seat that a user has, with the time and the notices of a turn that is theirs."""
    rows = connection.execute(
        "select * from seats join matches on number = match where user = ? order by number", (user,)
    )
    for row in rows.fetchall():
        undos = decode_value(row["free_undos"], UndosWithoutConsent)
        is_of_seat = isinstance(undos, UndosWithoutConsent) and undos.seat == row["seat"]
        yield {
            "number": row["number"],
            "game": row["game"],
            "status": row["status"],
            "server": row["guild"],
            "channel": row["game_channel"],
            "opened_at": row["opened_at"],
            "seat": row["seat"],
            "name": row["name"],
            "is_host": row["host"] == user,
            "direct_messages": row["direct_messages"],
            "away_until": row["away_until"],
            "has_resigned": bool(row["resigned"]),
            "cut_words": plain_value(decode_value(row["cut_words"], tuple[str, str])),
            "clock": plain_value(decode_value(row["clock"], SeatClock)),
            "turn": own_plain_value(decode_value(row["turn_timer"], TurnTimer), user),
            "notices": own_plain_value(decode_value(row["notices"], TurnNotices), user),
            "undos_without_consent": undos.count if is_of_seat else None,
            "computer_playing_for_you": row["substitute"],
            "computer_plays_only_the_turn_from": row["substitute_only_turn"],
            "computer_plays_since": row["substituted_since"],
            "computer_played": plain_value(
                decode_value(row["substitute_spans"], tuple[tuple[int, int], ...])
            ),
        }


def _earlier_seats_of(connection: sqlite3.Connection, number: int, user: int) -> Iterator[Entry]:
    """Yield each seat that a user had before it went to somebody else, or before they came back to it."""
    rows = connection.execute(
        "select number, game, status, guild as server, game_channel as channel, seat, user, holders, earlier"
        " from matches join seats on match = number where number = ? and instr(holders, ?) order by seat",
        (number, msgspec.msgpack.encode(user)),
    )
    for row in rows.fetchall():
        *table_and_seat, present_user, encoded_holders, encoded_earlier = zip(row.keys(), row, strict=True)
        holders = decode_value(encoded_holders[1], tuple[SeatHolder, ...])
        earlier_players = decode_value(encoded_earlier[1], tuple[EarlierPlayer, ...]) or ()
        if UNREADABLE in (holders, earlier_players):
            yield {**dict(table_and_seat), "names": UNREADABLE}
            continue
        own_times = [each for each in earlier_players if each.user == user]
        is_holder = any(each.user == user and each.seat == row["seat"] for each in holders)
        if own_times or (is_holder and present_user[1] != user):
            yield {
                **dict(table_and_seat),
                "names": [each.name for each in own_times],
                "until_moves": [each.end_index for each in own_times],
            }


def _lobbies_naming(connection: sqlite3.Connection, number: int, user: int) -> Iterator[Entry]:
    """Yield what is stored of a user in a lobby if it names them, also once it is over."""
    rows = connection.execute(
        "select guild, status, lobby from matches where number = ? and instr(lobby, ?)",
        (number, msgspec.msgpack.encode(user)),
    )
    for guild, status, lobby in rows.fetchall():
        table = {"number": number, "server": guild, "status": status}
        state = decode_value(lobby, LobbyState)
        if not isinstance(state, LobbyState):
            yield {**table, "lobby": state}
            continue
        shown_names = (each.name for each in state.shown_people if each.user == user)
        names_in_requests = (each.name for each in state.applicants if each.user == user)
        yield {
            **table,
            "invited": user in state.invited_users,
            "asks_to_join": any(each.user == user for each in state.applicants),
            "removed": user in state.removed_users,
            "request_declined": user in state.declined_applicants,
            "declined": user in state.declining_users,
            "played_the_game_before": user in state.rematch_order,
            "is_here": state.ready_check is not None and user in state.ready_check.present_users,
            "shown_names": list(dict.fromkeys((*shown_names, *names_in_requests))),
            "last_seen": next((each.at for each in state.players_last_seen if each.user == user), None),
        }


def _questions_naming(
    connection: sqlite3.Connection, numbers: Iterable[int], user: int
) -> tuple[list[Entry], list[Entry]]:
    """Return the last questions that a user has asked, is asked, has agreed to or has declined.

    Beside them those that were declined before at the same move.
    """
    last_questions, declined_before = [], []
    sql = "select question from matches where number = ? and instr(question, ?)"
    for number in numbers:
        row = connection.execute(sql, (number, msgspec.msgpack.encode(user))).fetchone()
        if row is None:
            continue
        question = decode_value(row[0], Question)
        if not isinstance(question, Question):
            last_questions.append({"number": number, "question": question})
            continue
        asker = question.asker
        last_questions.append(
            {
                "number": number,
                "question": question.kind.value,
                "due": question.due,
                "asked_by_you": asker is not None and asker.user == user,
                "your_name": asker.name if asker is not None and asker.user == user else None,
                "asks_you": user in question.asked_users,
                "agreed": user in question.agreed_users,
                "declined": question.declined_by == user,
            }
        )
        declined_before += [
            {
                "number": number,
                "question": earlier.kind.value,
                "due": earlier.due,
                "asked_by_you": earlier.user == user,
                "declined": earlier.declined_by == user,
            }
            for earlier in question.declined_before
            if user in {earlier.user, earlier.declined_by}
        ]
    return last_questions, declined_before


def _offers_concerning(connection: sqlite3.Connection, number: int, user: int) -> Iterator[Entry]:
    """Yield the offers of seats that a user has made or got, or that are of the user's seat."""
    sql = "select seat, user, offer from seats where match = ? and offer is not null order by seat"
    for seat, seat_user, encoded in connection.execute(sql, (number,)).fetchall():
        table_and_seat = {"number": number, "seat": seat, "is_your_seat": seat_user == user}
        offer = decode_value(encoded, SeatOffer)
        if not isinstance(offer, SeatOffer):
            yield {**table_and_seat, "text": offer}
            continue
        newcomer = offer.newcomer
        is_to_user = newcomer is not None and newcomer.user == user
        if is_to_user or user in {offer.offered_by, seat_user}:
            yield {
                **table_and_seat,
                "made_by_you": offer.offered_by == user,
                "made_to_you": is_to_user,
                "your_name": newcomer.name if newcomer is not None and is_to_user else None,
                "text": offer.text,
                "due": offer.due,
                "accepted": offer.accepted,
                "approved": offer.approved,
                "seat_given_up": offer.given_up,
            }


def _blocked_offers_concerning(connection: sqlite3.Connection, number: int, user: int) -> Iterator[Entry]:
    """Yield the offers to a user, or of the user's seat, that were declined or withdrawn."""
    sql = "select seat, user, blocked_offers from seats where match = ? and blocked_offers is not null"
    for seat, seat_user, encoded in connection.execute(sql, (number,)).fetchall():
        blocked_offers = decode_value(encoded, tuple[BlockedOffer, ...])
        if blocked_offers == UNREADABLE:
            yield {"number": number, "seat": seat, "made_to_you": UNREADABLE}
            continue
        for blocked in blocked_offers:
            if blocked.newcomer_user == user or (blocked.newcomer_user is None and seat_user == user):
                yield {
                    "number": number,
                    "seat": seat,
                    "made_to_you": blocked.newcomer_user == user,
                    "withdrawn": blocked.withdrawn,
                    "not_again_before": blocked.not_before,
                }


def _moves_of(connection: sqlite3.Connection, number: int, user: int) -> Iterator[Entry]:
    rows = connection.execute(
        "select match as number, ply, action, at from records where match = ? and user = ? order by ply",
        (number, user),
    )
    return map(dict, rows.fetchall())


def _select_dicts(connection: sqlite3.Connection, sql: str, user: int) -> list[Entry]:
    """Return the rows that a statement selects for a user, each as a dict."""
    return [dict(row) for row in connection.execute(sql, {"user": user})]
