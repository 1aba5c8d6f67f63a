"""Stored moves a second, compared with the same statements on raw sqlite3."""

import asyncio
import itertools
import random
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from bot.store.rows import Change, DeliveryKind, NewDelivery, RecordRow, SeatRow, Slot, Status, TableRow
from bot.store.sqlite import SqliteStore, open_store
from bot.store.tables import commit_change
from rules.catalogue import GAMES
from rules.match import Match
from rules.notation import write
from rules.players import random_player

MOVES_PER_REPEAT = 600
"""For each way of storing."""
TASK_COUNTS = (1, 10, 100)
DELIVERIES = (NewDelivery(Slot(DeliveryKind.BOARD)), NewDelivery(Slot(DeliveryKind.HAND, 0)))
_ids = itertools.count(1)


async def print_store_rates(repeats: int) -> None:
    """Print medians over interleaved repeats."""
    rows: dict[str, list[tuple[float, list[float]]]] = {}
    snapshot, actions = _sample_game()
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory)
            rate, times = await asyncio.to_thread(_measure_sqlite, path / "raw.db", snapshot, actions)
            rows.setdefault("raw sqlite3, same statements", []).append((rate, times))
            for tasks in TASK_COUNTS:
                store = await open_store(path / f"{tasks}.db")
                found = await _measure_store(store, tasks, snapshot, actions)
                rows.setdefault(f"store, {tasks} task{'s' * (tasks > 1)}", []).append(found)
                await store.close()
    base = next(iter(rows.values()))
    print(
        f"{'one move, one transaction, flushed':36} {'moves/s':>8} {'x raw':>6} {'p50 ms':>7} {'p99 ms':>7}"
    )
    for name, measured in rows.items():
        rate = statistics.median(rate for rate, _ in measured)
        ratio = statistics.median(one[0] / other[0] for one, other in zip(measured, base, strict=True))
        times = sorted(itertools.chain(*(times for _, times in measured)))
        p50, p99 = times[len(times) // 2] * 1e3, times[int(len(times) * 0.99)] * 1e3
        print(f"{name:36} {rate:8,.0f} {ratio:6.2f} {p50:7.2f} {p99:7.2f}")


def _sample_game() -> tuple[bytes, list[str]]:
    """Return a snapshot from the middle of a real game, and its actions as text."""
    game = next(iter(GAMES.values()))
    rng = random.Random(1)
    match = Match.begin(game, max(game.seats), game.options(), bytes(32))
    snapshots = []
    while (seat := match.to_act) is not None:
        match = match.play(seat, random_player.choose(game, match.view(seat), rng))
        snapshots.append(match.snapshot())
    return snapshots[len(snapshots) // 2], [write(record.action) for record in match.history]


def _opening_change(number: int) -> Change:
    table = TableRow(
        number=number,
        game="bench",
        rules_version=1,
        options="",
        status=Status.PLAYING,
        host=1,
        guild=1,
        lobby_channel=1,
        home=1,
        seed=bytes(32),
        opened_at=0,
        expires_at=None,
        version=1,
        seats=tuple(SeatRow(f"Player {seat}", user=seat) for seat in range(4)),
    )
    return Change(table=table, reply="", deliveries=DELIVERIES)


def _move_change(before: Change, snapshot: bytes, actions: list[str]) -> Change:
    ply = before.table.ply + 1
    table = replace(before.table, version=before.table.version + 1, ply=ply, snapshot=snapshot)
    record = RecordRow(ply, ply % 4, actions[ply % len(actions)], auto=False, user=1, at=0)
    return Change(
        table=table,
        reply="Already recorded.",
        interaction=next(_ids),
        records=(record,),
        deliveries=DELIVERIES,
    )


async def _measure_store(
    store: SqliteStore, tasks: int, snapshot: bytes, actions: list[str]
) -> tuple[float, list[float]]:
    times: list[float] = []

    async def play(number: int) -> None:
        change = _opening_change(number)
        await store.commit(change)
        for _ in range(MOVES_PER_REPEAT // tasks):
            change = _move_change(change, snapshot, actions)
            began = time.perf_counter()
            await store.commit(change)
            times.append(time.perf_counter() - began)

    start = time.perf_counter()
    await asyncio.gather(*(play(number) for number in range(1, tasks + 1)))
    return len(times) / (time.perf_counter() - start), times


def _measure_sqlite(path: Path, snapshot: bytes, actions: list[str]) -> tuple[float, list[float]]:
    """Measure SQLite alone, without a thread and an event loop."""
    asyncio.run(_create_database(path))
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("locking_mode = exclusive", "journal_mode = wal", "synchronous = full"):
        connection.execute(f"pragma {pragma}")
    times = []
    change = _opening_change(1)
    start = time.perf_counter()
    for step in range(MOVES_PER_REPEAT + 1):
        began = time.perf_counter()
        connection.execute("begin immediate")
        commit_change(connection, change)
        connection.execute("commit")
        if step:
            times.append(time.perf_counter() - began)
        change = _move_change(change, snapshot, actions)
    rate = len(times) / (time.perf_counter() - start)
    connection.close()
    return rate, times


async def _create_database(path: Path) -> None:
    await (await open_store(path)).close()
