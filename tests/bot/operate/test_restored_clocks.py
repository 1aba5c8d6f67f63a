"""A restored game has its deadlines anew: nobody loses a turn to the time in which it was lost."""

from functools import partial
from pathlib import Path

import pytest

from bot.chat.table_commands import table_status_post
from bot.host.clock_texts import clock_lines
from bot.host.deciders import moderation, voting
from bot.host.deciders.decision import BOARD_DELIVERY
from bot.host.housekeeping import Housekeeping
from bot.host.tables import Tables
from bot.operate.restored_tables import RestoreOutcome, restore_table
from bot.store.clock_rows import DAY, HOUR, TimeControl, TurnStage
from bot.store.protocol import Divergence
from bot.store.restoring import TableState
from bot.store.rows import Status, TableVersion
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, ManualClock
from tests.bot.host.timed_tables import begin_timed_table, change_as, timer_of


async def test_a_restored_game_has_a_whole_turn(tmp_path: Path) -> None:
    """With an hour left in the backup, the player has a whole day after the restored bot has started.

    However old the backup is, nobody asks whether the game goes on: moves of the time since may be lost.
    """
    store, clock = await open_store(tmp_path / "tables.db"), ManualClock()
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await begin_timed_table(tables, TimeControl(turn_seconds=DAY, grace_seconds=4 * HOUR))
    await Housekeeping(tables).do_due_work()
    clock.now += 23 * HOUR
    await Housekeeping(tables).do_due_work_at_tables()
    stored = await store.load(number)
    assert stored is not None
    clock.now += 31 * DAY
    row, now = stored.row, int(clock())
    replaced_state = TableState(row.match_id, TableVersion(row.generation, row.version), Status.PLAYING)
    restored, change = restore_table(stored, GAMES_AND_TOYS, replaced_state, (), 1, now, None)
    assert restored.outcome is RestoreOutcome.GOES_ON
    await store.commit(change)
    clock.now += 5 * 60
    fresh_tables = Tables(store, GAMES_AND_TOYS, clock)
    await Housekeeping(fresh_tables).do_due_work()
    table = await fresh_tables.get(number)
    timer = timer_of(table)
    assert table.row.question is None
    assert (timer.stage, timer.deadline) == (TurnStage.RUNNING, int(clock()) + DAY)
    await store.close()


async def test_the_board_of_a_restored_game_shows_when_its_turn_ends(store: SqliteStore) -> None:
    """The board that the restoration posts names no time that is over; it is edited once the bot knows it.

    Soon after the backup the turn ends about when it would have ended, so the deadline seems not to move.
    """
    clock = ManualClock()
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await begin_timed_table(tables, TimeControl(turn_seconds=DAY, grace_seconds=4 * HOUR))
    stored = await store.load(number)
    assert stored is not None
    clock.now += 60
    row, now = stored.row, int(clock())
    replaced_state = TableState(row.match_id, TableVersion(row.generation, row.version + 1), Status.PLAYING)
    _, change = restore_table(stored, GAMES_AND_TOYS, replaced_state, (), 1, now, None)
    await store.commit(change)
    fresh_tables = Tables(store, GAMES_AND_TOYS, clock)
    assert not [line for line in clock_lines(await fresh_tables.get(number)) if f"<t:{now}:" in line]
    assert f"<t:{now}:" not in table_status_post(await fresh_tables.get(number)).text
    (listing,) = await store.live_tables_of_user(FIRST_USER)
    assert (listing.name_to_act is None, listing.deadline) == (False, None), "no list shows it either"
    board_ids = [
        each.id for each in await store.waiting_deliveries(number) if each.slot == BOARD_DELIVERY.slot
    ]
    await Housekeeping(fresh_tables).do_due_work()
    table = await fresh_tables.get(number)
    assert timer_of(table).deadline == now + DAY
    assert [line for line in clock_lines(table) if f"This turn ends <t:{now + DAY}:f>" in line]
    assert max(
        each.id for each in await store.waiting_deliveries(number) if each.slot == BOARD_DELIVERY.slot
    ) > max(board_ids)


@pytest.mark.parametrize("is_frozen", [True, False])
async def test_a_restored_game_that_waits_has_a_whole_turn(store: SqliteStore, *, is_frozen: bool) -> None:
    """It stands still, frozen or until all agree, for however long; then the turn is not over at once."""
    clock = ManualClock()
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await begin_timed_table(tables, TimeControl(turn_seconds=DAY, grace_seconds=4 * HOUR))
    stored = await store.load(number)
    assert stored is not None
    clock.now += 13 * HOUR  # a reminder is due
    row, now = stored.row, int(clock())
    replaced_state = TableState(row.match_id, TableVersion(row.generation, row.version + 1), Status.PLAYING)
    divergence = Divergence(1, "it differs") if is_frozen else None
    _, change = restore_table(
        stored, GAMES_AND_TOYS, replaced_state if is_frozen else None, (), 1, now, divergence
    )
    await store.commit(change)
    fresh_tables = Tables(store, GAMES_AND_TOYS, clock)
    assert await store.due_tables(now) == ()
    (listing,) = await store.live_tables_of_user(FIRST_USER)
    assert listing.name_to_act is None, "it is nobody's turn"
    await Housekeeping(fresh_tables).do_due_work()
    clock.now += HOUR
    if is_frozen:
        await fresh_tables.change(number, None, partial(moderation.thaw, reason="It plays."))
    else:
        question = question_of(await fresh_tables.get(number))
        for seat in (0, 1):
            await change_as(fresh_tables, number, seat, voting.vote, question_id=question.id, is_yes=True)
    table = await fresh_tables.get(number)
    assert table.status is Status.PLAYING
    assert (timer_of(table).stage, timer_of(table).deadline) == (TurnStage.RUNNING, int(clock()) + DAY)


async def test_a_game_that_stays_ended_waits_for_nobody(tmp_path: Path) -> None:
    """Neither the turn that was played in the backup nor its reminders are left."""
    store = await open_store(tmp_path / "tables.db")
    number = await begin_timed_table(
        Tables(store, GAMES_AND_TOYS, ManualClock()), TimeControl(turn_seconds=DAY)
    )
    stored = await store.load(number)
    await store.close()
    assert stored is not None
    row = stored.row
    assert row.turn_timer is not None
    assert row.turn_notices is not None
    replaced_state = TableState(row.match_id, TableVersion(row.generation, row.version + 1), Status.OVER)
    restored, change = restore_table(
        stored, GAMES_AND_TOYS, replaced_state, (), 1, int(ManualClock()()), None
    )
    assert restored.outcome is RestoreOutcome.ENDED_SINCE
    assert (change.row.turn_timer, change.row.turn_notices) == (None, None)
