"""What was sent and answered long ago is deleted in small steps, and nothing that is still of use."""

import asyncio
import random

import pytest

from bot.host.housekeeping import PRUNE_INTERVAL, RETENTION, Housekeeping, Pruner
from bot.host.loading import make_replay_check
from bot.host.outbox import Outbox
from bot.host.tables import Tables
from bot.store import pruning
from bot.store.inspection import inspect_database
from bot.store.rows import PruneProgress
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from tests.bot.host.playing import GAMES_AND_TOYS, ManualClock, begin, default_setup, make_move
from tests.bot.host.scripted_courier import ManualOutbox, ScriptedCourier, run_outbox
from tests.bot.store.sample_rows import dump, execute_sql
from tests.trials import WAIT_TIMEOUT

LONG_SETUP = default_setup(
    max((game for game in GAMES.values() if 2 in game.player_counts), key=lambda game: game.max_game_length),
    2,
)
"""A game that takes longer than these tests."""


async def _play_moves(tables: Tables, outbox: Outbox, number: int, move_count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(move_count):
        await make_move(tables, number, rng)
        await run_outbox(outbox, number)


async def _prune_all(tables: Tables) -> int:
    """Prune all there is; return the number of steps."""
    pruner, step_count = Pruner(tables), 0
    while pruner._progress is not None:
        await pruner.step()
        step_count += 1
    return step_count


async def _row_counts(store: SqliteStore) -> tuple[int, int]:
    ((outbox_count, inbox_count),) = await execute_sql(
        store, "select (select count(*) from outbox), (select count(*) from inbox)"
    )
    return outbox_count, inbox_count


async def _database_faults(store: SqliteStore) -> tuple[str, ...]:
    return (
        await store._connection.run_raw(
            lambda connection: inspect_database(connection, make_replay_check(GAMES_AND_TOYS))
        )
    ).faults


@pytest.mark.parametrize("batch_size", [7, 10_000])
async def test_old_rows_are_deleted(
    tables: Tables, store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, batch_size: int
) -> None:
    """After 30 days a table keeps the board of its last move, its answer, what waits and what is younger."""
    monkeypatch.setattr("bot.host.housekeeping.PRUNE_BATCH_SIZE", batch_size)
    courier = ScriptedCourier()
    outbox = ManualOutbox(tables, courier)
    resting_number, going_number, computer_number = [
        await begin(tables, LONG_SETUP, computer_count=each) for each in (0, 0, 1)
    ]
    for number in (resting_number, going_number):
        await _play_moves(tables, outbox, number, 12, number)
    await run_outbox(outbox, computer_number)
    clock.now += RETENTION + 60
    counts_before, old_ply = await _row_counts(store), (await tables.get(going_number)).row.ply
    await _play_moves(tables, outbox, going_number, 5, 9)
    courier.fault_before_sending = lambda _: TimeoutError()
    await make_move(tables, going_number, random.Random(1))
    await run_outbox(outbox, going_number)
    young_ids = await execute_sql(
        store, "select id from outbox where match = ? and ply > ?", going_number, old_ply
    )
    waiting = await execute_sql(store, "select * from outbox where state = 'waiting' order by id")
    assert waiting
    added_counts = [
        count_now - count_before
        for count_now, count_before in zip(await _row_counts(store), counts_before, strict=True)
    ]
    step_count = await _prune_all(tables)
    assert step_count == 1 if batch_size > 1000 else step_count > 5
    counts_left = await _row_counts(store)
    for count_now, count_before, added_count in zip(counts_left, counts_before, added_counts, strict=True):
        assert added_count < count_now < count_before / 2 + added_count, "old rows go, young ones stay"
    assert await execute_sql(store, "select * from outbox where state = 'waiting' order by id") == waiting
    assert set(young_ids) <= set(await execute_sql(store, "select id from outbox"))
    for number in (resting_number, going_number):
        ((ply,),) = await execute_sql(store, "select ply from matches where number = ?", number)
        boards = await execute_sql(
            store, "select max(ply) from outbox where match = ? and kind = 'board'", number
        )
        assert boards == [(ply,)]
    assert await _database_faults(store) == ()
    dump_before = await dump(store)
    await _prune_all(tables)
    assert await dump(store) == dump_before, "pruning again finds nothing more"
    courier.fault_before_sending = lambda _: None
    await _play_moves(tables, outbox, resting_number, 3, 4)
    assert await _database_faults(store) == ()


async def test_young_rows_stay(tables: Tables, store: SqliteStore, clock: ManualClock) -> None:
    """Up to 30 days every row stays."""
    outbox = ManualOutbox(tables, ScriptedCourier())
    number = await begin(tables, LONG_SETUP)
    await _play_moves(tables, outbox, number, 12, 1)
    dump_before = await dump(store)
    clock.now += RETENTION - 1
    await _prune_all(tables)
    assert await dump(store) == dump_before


async def test_pruning_runs_once_a_day(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two sweeps nothing is asked of the store."""
    passed_progress: list[PruneProgress] = []

    async def prune(
        self: SqliteStore, before: int, progress: PruneProgress, limit: int
    ) -> PruneProgress | None:
        assert before == int(clock.now - RETENTION)
        passed_progress.append(progress)
        return PruneProgress(5, 5) if len(passed_progress) % 2 else None

    monkeypatch.setattr(SqliteStore, "prune", prune)
    pruner = Pruner(tables)
    for _ in range(10):
        await pruner.step()
    assert passed_progress == [PruneProgress(), PruneProgress(5, 5)]
    clock.now += PRUNE_INTERVAL
    for _ in range(10):
        await pruner.step()
    assert passed_progress == [PruneProgress(), PruneProgress(5, 5)] * 2


async def test_running_housekeeping_prunes(tables: Tables, store: SqliteStore, clock: ManualClock) -> None:
    """Housekeeping prunes by itself, in its background task."""
    outbox = ManualOutbox(tables, ScriptedCourier())
    number = await begin(tables, LONG_SETUP)
    await _play_moves(tables, outbox, number, 12, 1)
    counts_before = await _row_counts(store)
    clock.now += RETENTION + 60
    housekeeping = Housekeeping(tables)
    housekeeping.start()
    try:
        async with asyncio.timeout(WAIT_TIMEOUT):
            while await _row_counts(store) == counts_before:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)
    finally:
        await housekeeping.stop()


@pytest.mark.parametrize(
    ("table_and_key", "condition", "fault_text"),
    [
        (("outbox", "id"), "at < :before and state != 'waiting'", "no board"),
        (("inbox", "interaction"), "at < :before", "no stored answer"),
    ],
)
async def test_catches_pruning_of_the_last_move(
    tables: Tables,
    store: SqliteStore,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    table_and_key: tuple[str, str],
    condition: str,
    fault_text: str,
) -> None:
    """Sensitivity: if rows were deleted by age alone, the inspection of the database would find it."""
    monkeypatch.setitem(pruning._PRUNING_CONDITIONS, table_and_key, condition)
    number = await begin(tables, LONG_SETUP)
    await _play_moves(tables, ManualOutbox(tables, ScriptedCourier()), number, 12, 1)
    clock.now += RETENTION + 60
    await _prune_all(tables)
    assert any(fault_text in each for each in await _database_faults(store))
