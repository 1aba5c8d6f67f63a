"""Stored moves a second, compared with one hop through aiosqlite and with raw sqlite3, same statements."""

import asyncio
import itertools
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
from msgspec.structs import replace

from bot.store.connection import PRAGMAS
from bot.store.delivery_rows import DeliveryKind, NewDelivery, Slot
from bot.store.rows import Change, RecordRow, Status
from bot.store.seat_rows import SeatRow
from bot.store.sqlite import open_store
from bot.store.tables import write_change
from rules.catalogue import GAMES
from rules.match import Match
from rules.notation import write_action
from rules.players import RANDOM_PLAYER
from tests.bot.store.sample_rows import opening_change

MOVES_PER_REPEAT = 600
"""For each way of storing, in each repeat."""
TASK_COUNTS = (1, 10, 100)
DELIVERIES = (NewDelivery(Slot(DeliveryKind.BOARD)), NewDelivery(Slot(DeliveryKind.HAND, 0)))
_interaction_ids = itertools.count(1)


Commit = Callable[[Change], Awaitable[object]]
"""Stores one change."""


class _Rates:
    """Rates and times of one way of storing, by repeat."""

    def __init__(self) -> None:
        self.rates: list[float] = []
        self.times: list[float] = []

    def add(self, times: list[float], seconds: float) -> None:
        self.rates.append(len(times) / seconds)
        self.times += times

    def ratio(self, base: "_Rates") -> float:
        """Return the median ratio to another way, each repeat to the one that ran beside it."""
        return statistics.median(
            rate / base_rate for rate, base_rate in zip(self.rates, base.rates, strict=True)
        )


async def print_store_rates(repeat_count: int) -> None:
    """Print medians over interleaved repeats."""
    raw_rates = _Rates()
    hop_rates: dict[int, _Rates] = {task_count: _Rates() for task_count in TASK_COUNTS}
    store_rates: dict[int, _Rates] = {task_count: _Rates() for task_count in TASK_COUNTS}
    snapshot, actions = _sample_game()
    for repeat in range(repeat_count):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory)
            raw_rates.add(*await asyncio.to_thread(_measure_sqlite, path / "raw.db", snapshot, actions))
            for task_count in TASK_COUNTS:

                async def measure_hop(task_count: int = task_count, path: Path = path) -> None:
                    async with _open_one_hop(path / f"hop-{task_count}.db") as commit:
                        hop_rates[task_count].add(*await _measure(commit, task_count, snapshot, actions))

                async def measure_store(task_count: int = task_count, path: Path = path) -> None:
                    store = await open_store(path / f"store-{task_count}.db")
                    store_rates[task_count].add(*await _measure(store.commit, task_count, snapshot, actions))
                    await store.close()

                measures = (measure_hop, measure_store)
                for measure in measures if repeat % 2 else reversed(measures):
                    await measure()
    print(
        f"{'one move, one transaction, flushed':36} {'moves/s':>8} {'x raw':>6} {'x hop':>6}"
        f" {'p50 ms':>7} {'p99 ms':>7}"
    )
    _print_row("raw sqlite3, same statements", raw_rates, raw_rates)
    for task_count in TASK_COUNTS:
        tasks_text = f"{task_count} task{'s' * (task_count > 1)}"
        _print_row(
            f"one hop of aiosqlite, {tasks_text}", hop_rates[task_count], raw_rates, hop_rates[task_count]
        )
        _print_row(f"store, {tasks_text}", store_rates[task_count], raw_rates, hop_rates[task_count])


def _print_row(name: str, rates: _Rates, raw_rates: _Rates, hop_rates: _Rates | None = None) -> None:
    times = sorted(rates.times)
    p50, p99 = times[len(times) // 2] * 1e3, times[int(len(times) * 0.99)] * 1e3
    hop_ratio_text = "" if hop_rates is None else f"{rates.ratio(hop_rates):.2f}"
    rate = statistics.median(rates.rates)
    print(f"{name:36} {rate:8,.0f} {rates.ratio(raw_rates):6.2f} {hop_ratio_text:>6} {p50:7.2f} {p99:7.2f}")


def _sample_game() -> tuple[bytes, list[str]]:
    """Return a snapshot from the middle of a real game, and its actions as text."""
    game = next(iter(GAMES.values()))
    rng = random.Random(1)
    match = Match.begin(game, max(game.player_counts), game.options_type(), bytes(32))
    snapshots = []
    while (seat := match.to_act) is not None:
        match = match.play(seat, RANDOM_PLAYER.choose(game, match.view(seat), rng))
        snapshots.append(match.snapshot())
    return snapshots[len(snapshots) // 2], [write_action(record.action) for record in match.history]


def _opening_change(number: int) -> Change:
    seats = tuple(SeatRow(f"Player {seat}", user=seat) for seat in range(4))
    return opening_change(number, *DELIVERIES, status=Status.PLAYING, expires_at=None, seats=seats)


def _move_change(previous: Change, snapshot: bytes, actions: list[str]) -> Change:
    ply = previous.row.ply + 1
    table = replace(previous.row, version=previous.row.version + 1, ply=ply, snapshot=snapshot)
    record = RecordRow(ply, ply % 4, actions[ply % len(actions)], auto=False, user=1, at=0)
    return Change(
        row=table,
        answer="Already recorded.",
        interaction=next(_interaction_ids),
        records=(record,),
        deliveries=DELIVERIES,
    )


async def _measure(
    commit: Commit, task_count: int, snapshot: bytes, actions: list[str]
) -> tuple[list[float], float]:
    """Store moves in some tasks; return the seconds of each move and of all."""
    times: list[float] = []

    async def play(number: int) -> None:
        change = _opening_change(number)
        await commit(change)
        for _ in range(MOVES_PER_REPEAT // task_count):
            change = _move_change(change, snapshot, actions)
            started_at = time.perf_counter()
            await commit(change)
            times.append(time.perf_counter() - started_at)

    start = time.perf_counter()
    await asyncio.gather(*(play(number) for number in range(1, task_count + 1)))
    return times, time.perf_counter() - start


@asynccontextmanager
async def _open_one_hop(path: Path) -> AsyncIterator[Commit]:
    """Store through aiosqlite alone: each change is one function on its thread."""
    await _create_database(path)
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        for pragma in PRAGMAS:
            await connection.execute(f"pragma {pragma}")

        async def commit(change: Change) -> None:
            await connection._execute(_commit_in_transaction, connection._conn, change)  # type: ignore[no-untyped-call]

        yield commit


def _commit_in_transaction(connection: sqlite3.Connection, change: Change) -> None:
    connection.execute("begin immediate")
    write_change(connection, change)
    connection.execute("commit")


def _measure_sqlite(path: Path, snapshot: bytes, actions: list[str]) -> tuple[list[float], float]:
    """Measure SQLite alone, without a thread and an event loop."""
    asyncio.run(_create_database(path))
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"pragma {pragma}")
    times = []
    change = _opening_change(1)
    start = time.perf_counter()
    for step in range(MOVES_PER_REPEAT + 1):
        started_at = time.perf_counter()
        _commit_in_transaction(connection, change)
        if step:
            times.append(time.perf_counter() - started_at)
        change = _move_change(change, snapshot, actions)
    seconds = time.perf_counter() - start
    connection.close()
    return times, seconds


async def _create_database(path: Path) -> None:
    await (await open_store(path)).close()
