"""A turn whose board cannot be posted, such as where a permission is missing: its time does not run out."""

import pytest

from bot.error_codes import ErrorCode
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeControl, TurnStage
from tests.bot.host.fake_chat import http_error, stub_board_pictures
from tests.bot.host.playing import ManualClock, begin
from tests.bot.host.timed_tables import timer_of
from tests.bot.host.waiting_tables import SETUP, WaitingTable


@pytest.mark.parametrize("error", [http_error(ErrorCode.MISSING_PERMISSIONS, 403), http_error(0, 503)])
async def test_nobody_misses_a_turn_that_could_not_be_announced(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The time begins again until the board is posted; then it runs out as usual."""
    stub_board_pictures(monkeypatch)
    waiting_table = WaitingTable(tables, clock, await begin(tables, SETUP))
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY, grace_seconds=4 * HOUR))
    await waiting_table.send_due()
    waiting_table.chat.fault_of_call = lambda action, _: error if action == "post" else None
    await waiting_table.play_turn()
    await waiting_table.pass_time(60 * HOUR, HOUR)
    table = await tables.get(waiting_table.number)
    timer = timer_of(table)
    assert timer.stage is TurnStage.RUNNING
    assert timer.deadline is not None
    assert timer.deadline > clock()
    assert table.seats[timer.seat].substitute is None
    waiting_table.chat.fault_of_call = lambda _, __: None
    await waiting_table.pass_time(timer.deadline - clock(), HOUR)
    assert timer_of(await tables.get(waiting_table.number)).stage is TurnStage.GRACE


async def test_nobody_misses_a_turn_in_a_deleted_channel(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board is given up there, and the time begins again until one is posted."""
    stub_board_pictures(monkeypatch)
    waiting_table = WaitingTable(tables, clock, await begin(tables, SETUP))
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY, grace_seconds=4 * HOUR))
    await waiting_table.send_due()
    gone = http_error(ErrorCode.UNKNOWN_CHANNEL, 404)
    waiting_table.chat.fault_of_call = lambda action, _: gone if action == "post" else None
    await waiting_table.play_turn()
    await waiting_table.pass_time(60 * HOUR, HOUR)
    table = await tables.get(waiting_table.number)
    assert timer_of(table).stage is TurnStage.RUNNING
    assert table.seats[timer_of(table).seat].substitute is None
    waiting_table.chat.fault_of_call = lambda _, __: None
    for _ in range(2):  # the first time is not over for its player, who is asked only then
        deadline = timer_of(await tables.get(waiting_table.number)).deadline
        assert deadline is not None
        await waiting_table.pass_time(deadline - clock(), HOUR)
    assert timer_of(await tables.get(waiting_table.number)).stage is TurnStage.GRACE
