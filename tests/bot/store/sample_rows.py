"""Rows to store, and the file underneath a store."""

import sqlite3
from collections import defaultdict
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.store.delivery_rows import NewDelivery
from bot.store.rows import Change, RecordRow, Status, TableRow
from bot.store.seat_rows import SeatRow
from bot.store.sqlite import SqliteStore

LOBBY = TableRow(
    number=1,
    game="pearls",
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


def make_change(table: TableRow, interaction: int | None = None, **more: Any) -> Change:
    """Return a change with an answer."""
    return Change(table=table, answer=more.pop("answer", "done"), interaction=interaction, **more)


def next_version(table: TableRow, **changed: Any) -> TableRow:
    """Return the next version of a table."""
    return replace(table, version=table.version + 1, **changed)


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
    return make_change(replace(LOBBY, number=number, **changed), deliveries=deliveries)


async def query(store: SqliteStore, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Read underneath the store."""

    def work(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
        return connection.execute(sql, values).fetchall()

    return await store._connection.run_in_thread(work)


async def dump(store: SqliteStore) -> list[str]:
    """Return the whole content, to compare with."""

    def work(connection: sqlite3.Connection) -> list[str]:
        return list(connection.iterdump())

    return await store._connection.run_in_thread(work)
