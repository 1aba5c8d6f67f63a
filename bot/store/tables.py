"""The statements that write and read a table, each inside a transaction of the caller."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

import msgspec

from bot.store.clock_rows import SeatClock, TimeControl, TurnTimer
from bot.store.damaged_texts import readable_texts
from bot.store.deliveries import make_deliveries_due, mark_turns_outdated, queue_delivery
from bot.store.lobby_rows import LobbyState
from bot.store.notice_rows import TurnNotices
from bot.store.open_errors import is_sqlite_failure
from bot.store.personal_data import erase_person_at_table
from bot.store.protocol import StaleWrite, UndecodableTable, rematch_key
from bot.store.question_rows import Question
from bot.store.results import UnratedReason, erase_user_in_results, insert_result
from bot.store.rows import (
    LIVE_STATUSES,
    Change,
    PendingAnswer,
    RecordRow,
    RepeatedInteraction,
    Status,
    StoredTable,
    TableRow,
    UndosWithoutConsent,
)
from bot.store.seat_rows import BlockedOffer, DirectMessages, EarlierPlayer, SeatHolder, SeatOffer, SeatRow

_MAX_VERSION: Final = 2**62
"""More changes than a table ever has; SQLite could not count on from the highest number that it holds."""

# The kinds of timers: each names what falls due at a table.
LOBBY_EXPIRY: Final = "expiry"
QUESTION_EXPIRY: Final = "question"
OFFER_EXPIRY: Final = "offer"
"""The seat's index follows."""
REMINDER: Final = "reminder"
"""The next reminder of a turn."""
IDLE_QUESTION: Final = "idle"
"""When the players of a game without moves are asked whether they still play."""
TURN_DEADLINE: Final = "turn"
"""The deadline of the turn that a table waits for, or of its grace period."""
READY_CHECK_END: Final = "ready check"
ABSENCE_END: Final = "absence"
"""When a player's absence ends; the seat's index follows."""

T = TypeVar("T")


def find_repeat(connection: sqlite3.Connection, interaction: int) -> RepeatedInteraction | None:
    """Return the answer to an interaction, if it is known."""
    sql = "select answer, match from inbox where interaction = ?"
    with readable_texts(connection):
        row = connection.execute(sql, (interaction,)).fetchone()
    return None if row is None else RepeatedInteraction(*row)


def write_change(connection: sqlite3.Connection, change: Change) -> RepeatedInteraction | None:
    """Write a change; a repeated interaction writes nothing, and its stored answer is returned.

    Raises StaleWrite if the table is not of the version before.
    """
    row = change.row
    if change.interaction is not None and (repeat := find_repeat(connection, change.interaction)) is not None:
        return repeat
    _write_row(connection, row)
    if change.interaction is not None:
        connection.execute(
            "insert into inbox (interaction, match, ply, answer, at) values (?, ?, ?, ?, ?)",
            (change.interaction, row.number, row.ply, change.answer, change.at),
        )
        if change.awaits_answer:
            connection.execute(
                "insert into unanswered (interaction, user, move_number) values (?, ?, ?)",
                (change.interaction, change.user, change.move_number),
            )
    mark_answered(connection, change.answered_interactions)
    connection.executemany(
        "insert into records (match, ply, actor, action, auto, user, at) values (?, ?, ?, ?, ?, ?, ?)",
        [
            (row.number, each.ply, each.actor, each.action, each.auto, each.user, each.at)
            for each in change.records
        ],
    )
    if change.undone_from_index is not None:
        mark_turns_outdated(connection, row.number, change.undone_from_index)
    if change.result is not None:
        insert_result(connection, row.number, row.game_key, row.guild, change.at, change.result)
    if change.has_changed_channel:
        make_deliveries_due(connection, row.number)
    for delivery in change.deliveries:
        queue_delivery(connection, row.number, row.ply, delivery, change.at)
    if change.audit_entry:
        connection.execute(
            "insert into audit_log (match, ply, user, entry, at) values (?, ?, ?, ?, ?)",
            (row.number, row.ply, change.user, change.audit_entry, change.at),
        )
    if change.rematch_of is not None:
        connection.execute(
            "insert or replace into settings (key, value) values (?, ?)",
            (rematch_key(change.rematch_of), str(row.number)),
        )
    if change.erased_person is not None:
        erase_user_in_results(connection, change.erased_person.user)
        erase_person_at_table(connection, row.number, change.erased_person)
    return None


def mark_answered(connection: sqlite3.Connection, interactions: Sequence[int]) -> None:
    """Store that the answers to these interactions have arrived, or that they are not waited for."""
    connection.executemany(
        "delete from unanswered where interaction = ?", [(interaction,) for interaction in interactions]
    )


def unconfirmed_answers(connection: sqlite3.Connection) -> tuple[PendingAnswer, ...]:
    """Return the answers that are not known to have arrived, oldest first."""
    with readable_texts(connection):
        rows = connection.execute(
            "select interaction, match, user, move_number, answer"
            " from unanswered join inbox using (interaction) order by interaction"
        ).fetchall()
    return tuple(PendingAnswer(*row) for row in rows)


def _write_row(connection: sqlite3.Connection, row: TableRow) -> None:
    values = {
        "number": row.number,
        "game": row.game_key,
        "rules_version": row.rules_version,
        "options": row.options,
        "status": row.status.value,
        "host": row.host,
        "guild": row.guild,
        "lobby_channel": row.lobby_channel,
        "game_channel": row.game_channel,
        "visibility_channel": row.visibility_channel,
        "seed": row.seed,
        "opened_at": row.opened_at,
        "version": row.version,
        "ply": row.ply,
        "snapshot": row.snapshot,
        "to_act": row.to_act,
        "question": _encode(row.question),
        "generation": row.generation,
        "restored_to": row.restored_to,
        "was_paused": row.paused_when_frozen,
        "undone_with_hindsight": row.undone_with_hindsight,
        "holders": _encode(row.holders),
        "free_undos": _encode(row.undos_without_consent),
        "agreed_undo_ply": row.agreed_undo_ply,
        "needs_agreement": row.needs_agreement_to_go_on,
        "active_at": row.active_at,
        "time_control": _encode(row.time_control),
        "turn_timer": _encode(row.turn_timer),
        "notices": _encode(row.turn_notices),
        "players_may_resume": row.players_may_resume,
        "clocks_stood_until": row.clocks_running_since,
        "unrated_reason": None if row.unrated_reason is None else row.unrated_reason.value,
        "lobby": None if row.lobby == LobbyState() else _encode(row.lobby),
    }
    if row.version == 1:
        placeholders = ", ".join(f":{name}" for name in values)
        try:
            connection.execute(
                f"insert into matches ({', '.join(values)}) values ({placeholders})",  # noqa: S608 - fixed names
                values,
            )
        except sqlite3.IntegrityError as error:
            raise StaleWrite(f"Table {row.number} exists.") from error
    else:
        # Not the key: setting it, even to itself, makes SQLite search every table that refers to it.
        assignments = ", ".join(f"{name} = :{name}" for name in values if name != "number")
        condition = "number = :number and version = :version - 1"
        cursor = connection.execute(f"update matches set {assignments} where {condition}", values)  # noqa: S608 - fixed names
        if cursor.rowcount != 1:
            raise StaleWrite(f"Table {row.number} was changed by somebody else.")
    connection.execute("delete from seats where match = ?", (row.number,))
    connection.executemany(
        "insert into seats"
        " (match, seat, name, user, computer, direct_messages, substitute, substitute_only_turn,"
        " substituted_since, away_until, resigned, substitute_spans, earlier, offer, blocked_offers,"
        " cut_words, clock) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(row.number, seat, *_seat_values(each)) for seat, each in enumerate(row.seats)],
    )
    connection.execute("delete from timers where match = ?", (row.number,))
    connection.executemany(
        "insert into timers (match, kind, due) values (?, ?, ?)",
        [(row.number, kind, due) for kind, due in _timers_of(row)],
    )


def _timers_of(table: TableRow) -> Iterator[tuple[str, int]]:
    """Yield the kind and time of everything that falls due at a table; nothing does once it is over."""
    if table.status not in LIVE_STATUSES:
        return
    if table.expires_at is not None:
        yield LOBBY_EXPIRY, table.expires_at
    open_question = None if table.question is None or table.question.declined else table.question
    if open_question is not None:
        yield QUESTION_EXPIRY, open_question.due
    for seat, row in enumerate(table.seats):
        if row.offer is not None:
            yield f"{OFFER_EXPIRY} {seat}", row.offer.due
        if row.away_until is not None:
            yield f"{ABSENCE_END} {seat}", row.away_until
    if table.lobby.ready_check is not None:
        yield READY_CHECK_END, table.lobby.ready_check.due
    if table.turn_timer is not None and table.turn_timer.deadline is not None:
        yield TURN_DEADLINE, table.turn_timer.deadline
    if table.turn_notices is not None and table.turn_notices.due is not None:
        yield REMINDER, table.turn_notices.due
    if table.status in (Status.PLAYING, Status.PAUSED) and open_question is None:
        yield IDLE_QUESTION, table.idle_due


def _encode(value: object) -> bytes | None:
    """Return a value as it is stored; None for None and for an empty tuple."""
    return msgspec.msgpack.encode(value) if value else None


def _decode(data: bytes | None, value_type: type[T]) -> T | None:
    """Return a stored value; None for None."""
    return None if data is None else msgspec.msgpack.decode(data, type=value_type)


def _seat_values(row: SeatRow) -> tuple[object, ...]:
    """Return the values of the columns of a seat, in the order in which ``_parse_seat`` reads them."""
    return (
        row.name,
        row.user,
        row.computer,
        row.direct_messages.value,
        row.substitute,
        row.substitute_only_turn_start,
        row.substituted_since_index,
        row.away_until,
        row.has_resigned,
        _encode(row.substitute_spans),
        _encode(row.earlier_players),
        _encode(row.offer),
        _encode(row.blocked_offers),
        _encode(row.cut_words),
        _encode(row.clock),
    )


def _parse_seat(row: tuple[Any, ...]) -> SeatRow:
    name, user, computer, direct_messages, substitute, substitute_only_turn_start, *rest = row
    substituted_since_index, away_until, has_resigned, *encoded = rest
    substitute_spans, earlier_players, offer, blocked_offers, cut_words, clock = encoded
    return SeatRow(
        name=name,
        user=user,
        computer=computer,
        direct_messages=DirectMessages(direct_messages),
        earlier_players=_decode(earlier_players, tuple[EarlierPlayer, ...]) or (),
        offer=_decode(offer, SeatOffer),
        blocked_offers=_decode(blocked_offers, tuple[BlockedOffer, ...]) or (),
        cut_words=_decode(cut_words, tuple[str, str]),
        clock=_decode(clock, SeatClock),
        substitute=substitute,
        substitute_only_turn_start=substitute_only_turn_start,
        substituted_since_index=substituted_since_index,
        substitute_spans=_decode(substitute_spans, tuple[tuple[int, int], ...]) or (),
        away_until=away_until,
        has_resigned=bool(has_resigned),
    )


def load_table(connection: sqlite3.Connection, number: int) -> StoredTable | None:
    """Return a table with its seats and records; None if there is none.

    Raises UndecodableTable, and sqlite3.Error where SQLite fails.
    """
    try:
        return _load_table(connection, number)
    except Exception as error:
        if is_sqlite_failure(error):
            raise
        raise UndecodableTable(f"What is stored of table {number} cannot be read.") from error


def _load_table(connection: sqlite3.Connection, number: int) -> StoredTable | None:
    """Return a table, as ``load_table`` does.  Raises what decoding its values raises."""
    row = connection.execute(
        "select game, rules_version, options, status, host, guild, lobby_channel, game_channel, seed,"
        " opened_at, version, ply, snapshot, to_act, question, generation, restored_to, was_paused,"
        " undone_with_hindsight, holders, free_undos, agreed_undo_ply, needs_agreement, active_at,"
        " time_control, turn_timer, notices, unrated_reason, players_may_resume, clocks_stood_until,"
        " visibility_channel, lobby,"
        " (select due from timers where match = number and kind = ?) from matches where number = ?",
        (LOBBY_EXPIRY, number),
    ).fetchone()
    if row is None:
        return None
    game, rules_version, options, status, host, guild, lobby_channel, game_channel, seed, *rest = row
    opened_at, version, ply, snapshot, to_act, question, generation, restored_to, *rest = rest
    paused_when_frozen, undone_with_hindsight, holders, undos_without_consent, agreed_undo_ply, *rest = rest
    needs_agreement_to_go_on, active_at, time_control, turn_timer, notices, *rest = rest
    unrated_reason, players_may_resume, clocks_running_since, visibility_channel, lobby, expires_at = rest
    if not 0 < version < _MAX_VERSION:
        raise ValueError("the version is no number of changes")
    # Fetched at once: a row that does not decode must not leave an unfinished statement behind.
    seats = connection.execute(
        "select name, user, computer, direct_messages, substitute, substitute_only_turn,"
        " substituted_since, away_until, resigned, substitute_spans, earlier, offer, blocked_offers,"
        " cut_words, clock from seats where match = ? order by seat",
        (number,),
    ).fetchall()
    records = connection.execute(
        "select ply, actor, action, auto, user, at from records where match = ? order by ply", (number,)
    ).fetchall()
    table = TableRow(
        number=number,
        game_key=game,
        rules_version=rules_version,
        options=options,
        status=Status(status),
        host=host,
        guild=guild,
        lobby_channel=lobby_channel,
        game_channel=game_channel,
        seed=seed,
        opened_at=opened_at,
        expires_at=expires_at,
        version=version,
        ply=ply,
        snapshot=snapshot,
        to_act=to_act,
        seats=tuple(map(_parse_seat, seats)),
        question=_decode(question, Question),
        generation=generation,
        restored_to=restored_to,
        paused_when_frozen=bool(paused_when_frozen),
        undone_with_hindsight=bool(undone_with_hindsight),
        holders=_decode(holders, tuple[SeatHolder, ...]) or (),
        undos_without_consent=_decode(undos_without_consent, UndosWithoutConsent),
        agreed_undo_ply=agreed_undo_ply,
        needs_agreement_to_go_on=bool(needs_agreement_to_go_on),
        active_at=active_at,
        time_control=_decode(time_control, TimeControl),
        turn_timer=_decode(turn_timer, TurnTimer),
        turn_notices=_decode(notices, TurnNotices),
        players_may_resume=bool(players_may_resume),
        visibility_channel=visibility_channel,
        clocks_running_since=clocks_running_since,
        unrated_reason=None if unrated_reason is None else UnratedReason(unrated_reason),
        lobby=_decode(lobby, LobbyState) or LobbyState(),
    )
    return StoredTable(
        table,
        tuple(
            RecordRow(record_ply, actor, action, bool(auto), user, at)
            for record_ply, actor, action, auto, user, at in records
        ),
    )
