"""Sample rows to store, and direct access to the database of a store."""

import sqlite3
from collections import defaultdict
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.store.clock_rows import SeatClock, TimeControl, TimeoutAction, TurnStage, TurnTimer
from bot.store.delivery_rows import NewDelivery
from bot.store.lobby_rows import AdmissionRule, Applicant, LastSeen, LobbyState, ReadyCheck
from bot.store.notice_rows import TurnNotices
from bot.store.question_rows import DeclinedQuestion, Question, QuestionKind
from bot.store.results import NewResult, UnratedReason
from bot.store.rows import Change, RecordRow, Status, TableRow, UndosWithoutConsent
from bot.store.seat_rows import (
    BlockedOffer,
    DirectMessages,
    EarlierPlayer,
    Person,
    SeatHolder,
    SeatOffer,
    SeatRow,
)
from bot.store.sqlite import SqliteStore

LOBBY_ROW = TableRow(
    number=1,
    game_key="pearls",
    rules_version=1,
    options="",
    status=Status.LOBBY,
    host=100,
    guild=7,
    lobby_channel=50,
    game_channel=50,
    seed=bytes(range(32)),
    opened_at=1_000,
    expires_at=2_000,
    version=1,
    seats=(SeatRow("Ava", user=100), SeatRow("Ben", user=101)),
)
"""The table that most tests open first."""


def make_record(ply: int, action: str = "lay 3", **changed: Any) -> RecordRow:
    """Return one record of seat 0's."""
    return replace(RecordRow(ply=ply, actor=0, action=action, auto=False, user=100, at=5), **changed)


def make_change(row: TableRow, interaction: int | None = None, **more: Any) -> Change:
    """Return a change with an answer."""
    return Change(row=row, answer=more.pop("answer", "done"), interaction=interaction, **more)


def next_version(row: TableRow, **changed: Any) -> TableRow:
    """Return the next version of a table."""
    return replace(row, version=row.version + 1, **changed)


EVERY_FIELD_ROW = next_version(
    LOBBY_ROW,
    status=Status.PLAYING,
    options="turns=9",
    rules_version=3,
    host=101,
    guild=None,
    game_channel=51,
    expires_at=None,
    ply=4,
    snapshot=b"\x00\xffstate",
    to_act=1,
    generation=2,
    restored_to=3,
    paused_when_frozen=True,
    undone_with_hindsight=True,
    unrated_reason=UnratedReason.THAWED,
    active_at=76,
    seats=(
        SeatRow(
            "Ava",
            user=100,
            direct_messages=DirectMessages.CLOSED,
            clock=SeatClock(
                bank_seconds=70,
                consecutive_missed_turn_count=2,
                missed_turn_count=3,
                last_turn_start=1,
                last_seconds_left=9,
                last_turn_was_missed=True,
                last_turn_was_resumed=True,
            ),
            substitute="casual",
            substitute_only_turn_start=6,
            substituted_since_index=5,
            substitute_spans=((1, 2), (5, 7)),
            away_until=950,
            has_resigned=True,
            cut_words=("anchor", "river"),
            blocked_offers=(BlockedOffer(960, 7, withdrawn=True),),
        ),
        SeatRow(
            "Random 1",
            computer="random",
            earlier_players=(EarlierPlayer("Ben", 2, 5), EarlierPlayer("Ava", 4, erased=True)),
            offer=SeatOffer(3, 810, 101, "Ben offers seat B.", is_for_anybody=True, given_up=True, ply=2),
        ),
        SeatRow(
            "Чарли 🐙",
            user=2**63 - 1,
            offer=SeatOffer(
                2, 800, 100, "Ava offers seat B.", Person(7, "Gita"), approved=True, accepted=True
            ),
        ),
    ),
    holders=(SeatHolder(100, 0), SeatHolder(2**63 - 1, 2), SeatHolder(None, 1, b"hash")),
    undos_without_consent=UndosWithoutConsent(1, 19),
    agreed_undo_ply=5,
    needs_agreement_to_go_on=True,
    time_control=TimeControl(
        turn_seconds=60,
        bank_seconds=120,
        sleep_hours=8,
        grace_seconds=5,
        on_timeout=TimeoutAction.ALLOW_SUBSTITUTE,
        max_missed_turns=2,
    ),
    turn_timer=TurnTimer(
        0,
        100,
        turn_start=3,
        began_at=5,
        runs_from=6,
        seconds_left=7,
        deadline=8,
        stage=TurnStage.GRACE,
        missed=True,
        shown_deadline=9,
    ),
    turn_notices=TurnNotices(
        0,
        100,
        3,
        deadline=8,
        last_sent_at=5,
        sent_count=1,
        due=6,
        has_current_reminder=True,
        early_notice_seat=1,
        has_left=True,
    ),
    players_may_resume=True,
    visibility_channel=51,
    clocks_running_since=77,
    question=Question(
        QuestionKind.UNDO,
        id=3,
        asked_users=(0, 100),
        ply=4,
        due=900,
        asker=Person(5, "Ben"),
        seat=2,
        kept_length=1,
        agreed_users=(0,),
        declined=True,
        withdrawn=True,
        declined_by=100,
        declined_before=(DeclinedQuestion(QuestionKind.PAUSE, 100, 0, 890, withdrawn=True, declined_by=5),),
        time_control=TimeControl(turn_seconds=30),
    ),
    lobby=LobbyState(
        admission_rule=AdmissionRule.RELIABLE,
        by_invitation=True,
        invited_users=(8, 9),
        applicants=(Applicant(11, "Edda"),),
        removed_users=(12,),
        declined_applicants=(15,),
        declining_users=(13,),
        rematch_order=(100, None),
        players_last_seen=(LastSeen(100, 70),),
        ready_check=ReadyCheck(
            id=2, due=990, present_users=(100,), can_open_thread=True, awaits_host=True, channel_was_busy=True
        ),
        parent_channel=52,
        shown_people=(Person(14, "Zoe"),),
    ),
)
"""A table with something in every field."""


def unset_fields(value: object) -> set[str]:
    """Return the fields, each after its type, that have their default in every struct inside a value."""
    is_set = defaultdict[str, bool](bool)
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            pending += part
        elif isinstance(part, msgspec.Struct):
            for field in msgspec.structs.fields(part):
                content = getattr(part, field.name)
                is_set[f"{type(part).__name__}.{field.name}"] |= content != field.default
                pending.append(content)
    return {name for name, has_value in is_set.items() if not has_value}


def opening_change(number: int = 1, *deliveries: NewDelivery, **changed: Any) -> Change:
    """Return the change that opens a table."""
    return make_change(replace(LOBBY_ROW, number=number, **changed), deliveries=deliveries)


async def execute_sql(store: SqliteStore, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement on the store's own connection; return its rows."""

    def work(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
        return connection.execute(sql, values).fetchall()

    return await store._connection.run_raw(work)


async def dump(store: SqliteStore) -> list[str]:
    """Return the whole content as SQL statements, to compare with."""

    def work(connection: sqlite3.Connection) -> list[str]:
        return list(connection.iterdump())

    return await store._connection.run_raw(work)


async def end_game(store: SqliteStore, number: int, result: NewResult, game_key: str = "pearls") -> None:
    """Open a table and end its game with a result."""
    await store.commit(opening_change(number, game_key=game_key))
    over = next_version(replace(LOBBY_ROW, number=number, game_key=game_key), status=Status.OVER)
    await store.commit(make_change(over, result=result, at=9_000 + number))
