"""Clocks of turns: what each change does to the time of the turn that a table waits for."""

import random
from functools import partial
from typing import Final

import pytest
from msgspec.structs import replace

from bot.host.breaks import deadline_after
from bot.host.deciders import moderation
from bot.host.deciders.clocks import MIN_TIME_AFTER_UNDO
from bot.host.deciders.decision import Decision
from bot.host.deciders.undoing import undo_to
from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, SeatClock, TimeControl, TurnStage
from bot.store.delivery_rows import DeliveryKind
from bot.store.preferences import Absence, PersonRow
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.model import MODERATOR
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    give_seat_away,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import (
    DAY_A_TURN,
    begin_timed_table,
    change_row,
    play_until_turn_passes,
    timer_of,
)
from tests.bot.store.sample_rows import execute_sql

BANK_CONTROL: Final = TimeControl(turn_seconds=DAY // 2, bank_seconds=3 * DAY)


async def test_a_turn_without_a_clock_has_a_timer_too(tables: Tables, clock: ManualClock) -> None:
    """It says whose turn it is, since when, and has no deadline; choices within the turn leave it."""
    rng = random.Random(1)
    number = await begin_timed_table(tables, None)
    first_timer = timer_of(await tables.get(number))
    assert (first_timer.user, first_timer.began_at) == (FIRST_USER + first_timer.seat, int(clock()))
    assert first_timer.deadline is None
    clock.now += HOUR
    table = (await make_move(tables, number, rng)).table
    if table.to_act == first_timer.seat:
        assert timer_of(table) == first_timer
        table = await play_until_turn_passes(tables, number, rng)
    second_timer = timer_of(table)
    assert (second_timer.seat, second_timer.began_at) == (1 - first_timer.seat, int(clock()))
    assert second_timer.turn_start > first_timer.turn_start


async def test_a_deadline_stands_for_the_whole_turn(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """Choices of one turn, and changes that play nothing, do not move it; the next turn has its own."""
    rng = random.Random(2)
    number = await begin_timed_table(tables, DAY_A_TURN)
    began = int(clock())
    first_timer = timer_of(await tables.get(number))
    deadline = first_timer.deadline
    assert deadline == began + DAY
    clock.now += 5 * HOUR
    table = await change_row(tables, number, players_may_resume=True)
    while table.to_act == first_timer.seat:
        assert timer_of(table).deadline == deadline
        table = (await make_move(tables, number, rng)).table
    assert timer_of(table).deadline == int(clock()) + DAY
    stored = await store.load(number)
    assert stored is not None
    assert stored.row.turn_timer == timer_of(table)
    assert number in await store.due_tables(int(clock()) + DAY)
    assert await execute_sql(store, "select due from timers where kind = 'turn'") == [(int(clock()) + DAY,)]


async def test_a_pause_stops_the_clock(tables: Tables, clock: ManualClock) -> None:
    """A paused and a frozen game go on with what was left."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    host_request = request_of_person(0)
    clock.now += 10 * HOUR
    paused = (
        await tables.change(number, host_request, partial(moderation.pause, request=host_request))
    ).table
    assert (timer_of(paused).deadline, timer_of(paused).seconds_left) == (None, 14 * HOUR)
    clock.now += 100 * HOUR
    resume_request = request_of_person(0)
    table = (
        await tables.change(number, resume_request, partial(moderation.resume, request=resume_request))
    ).table
    assert timer_of(table).deadline == int(clock()) + 14 * HOUR
    clock.now += HOUR
    await tables.change(number, None, partial(moderation.freeze, reason="Testing."))
    clock.now += 50 * HOUR
    table = (await tables.change(number, None, partial(moderation.thaw, reason="Done."))).table
    assert timer_of(table).deadline == int(clock()) + 13 * HOUR


async def test_a_bank_saves_what_is_left(tables: Tables, clock: ManualClock) -> None:
    """What is not used is saved up to the bank; what is used over the increment comes out of it."""
    rng = random.Random(3)
    number = await begin_timed_table(tables, BANK_CONTROL)
    first_timer = timer_of(await tables.get(number))
    assert first_timer.seconds_left == int(3.5 * DAY)
    clock.now += DAY
    table = await play_until_turn_passes(tables, number, rng)
    seat_clock = table.seats[first_timer.seat].clock
    assert seat_clock is not None
    assert seat_clock.bank_seconds == int(2.5 * DAY)
    table = await play_until_turn_passes(tables, number, rng)
    seat_clock = table.seats[1 - first_timer.seat].clock
    assert seat_clock is not None
    assert seat_clock.bank_seconds == 3 * DAY, "no more than the bank is saved"
    assert timer_of(table).seconds_left == 3 * DAY
    table = await play_until_turn_passes(tables, number, rng)
    seat_clock = table.seats[first_timer.seat].clock
    assert seat_clock is not None
    assert seat_clock.bank_seconds == 3 * DAY, "what was used comes back"


def undo_all(table: Table) -> Decision:
    """Undo all choices of a game."""
    assert table.match is not None
    kept_length = next(i for i, record in enumerate(table.match.history) if record.is_choice)
    return undo_to(table, MODERATOR, kept_length, None)


async def test_an_undo_brings_back_the_time_of_the_turn(tables: Tables, clock: ManualClock) -> None:
    """The player has what was left, and never less than an hour."""
    rng = random.Random(4)
    for used_seconds, expected_seconds in ((10 * HOUR, 14 * HOUR), (DAY - 60, MIN_TIME_AFTER_UNDO)):
        number = await begin_timed_table(tables, DAY_A_TURN)
        first_timer = timer_of(await tables.get(number))
        clock.now += used_seconds
        await play_until_turn_passes(tables, number, rng)
        clock.now += HOUR

        table = (await tables.change(number, None, undo_all)).table
        assert table.to_act == first_timer.seat
        assert timer_of(table).seconds_left == expected_seconds
        assert timer_of(table).deadline == int(clock()) + expected_seconds


async def test_undoing_again_and_again_gains_no_time(tables: Tables, clock: ManualClock) -> None:
    """Only the first undo that comes back to a turn gives it some time: then what is left runs out."""
    rng = random.Random(4)
    number = await begin_timed_table(tables, DAY_A_TURN)
    clock.now += DAY - 60

    seconds_left = []
    for _ in range(3):
        await play_until_turn_passes(tables, number, rng)
        seconds_left.append(timer_of((await tables.change(number, None, undo_all)).table).seconds_left)
        clock.now += HOUR // 2
    assert seconds_left == [MIN_TIME_AFTER_UNDO, HOUR // 2, 0]


async def test_a_turn_that_an_undo_ends_saves_nothing(tables: Tables, clock: ManualClock) -> None:
    """A player whose turn ends because another took a move back has no more time saved than before."""
    rng = random.Random(6)
    number = await begin_timed_table(tables, BANK_CONTROL)
    first_timer = timer_of(await tables.get(number))
    other_seat = 1 - first_timer.seat
    for bank, used_seconds in ((0, HOUR), (2 * HOUR, 13 * HOUR)):
        table = await tables.get(number)
        row = replace(table.seats[other_seat], clock=SeatClock(bank_seconds=bank))
        await change_row(tables, number, seats=table.with_seat(other_seat, row).seats)
        await play_until_turn_passes(tables, number, rng)
        clock.now += used_seconds

        def undo(current: Table) -> Decision:
            return undo_to(current, MODERATOR, first_timer.turn_start, None)

        clock_after = (await tables.change(number, None, undo)).table.seats[other_seat].clock
        assert clock_after is not None
        assert clock_after.bank_seconds == max(0, bank - max(0, used_seconds - BANK_CONTROL.turn_seconds))


async def test_preferences_move_a_deadline_at_the_next_change(tables: Tables, clock: ManualClock) -> None:
    """Sleep and absences of the player to act count from the turn's beginning on."""
    number = await begin_timed_table(tables, replace(DAY_A_TURN, sleep_hours=8))
    began = int(clock())
    first_timer = timer_of(await tables.get(number))
    assert first_timer.user is not None
    away = Absence(began, began + 7 * DAY, GUILD)
    person = await tables.person_preferences.change(
        first_timer.user, lambda row: replace(row, time_zone="Asia/Tokyo", absences=(away,))
    )
    for waiting in await tables.store.waiting_deliveries(number):
        await tables.store.mark_delivered(waiting, waiting.ply, None)
    table = await change_row(tables, number, undone_with_hindsight=True)
    assert [each.kind for each in await tables.store.waiting_deliveries(number)] == [DeliveryKind.BOARD]
    assert timer_of(table).deadline == deadline_after(person, 8, began, DAY)
    assert table.seats[first_timer.seat].away_until == away.end
    assert number in await tables.store.due_tables(away.end)
    await tables.person_preferences.change(first_timer.user, lambda row: PersonRow(row.user))
    table = await change_row(tables, number, undone_with_hindsight=False)
    assert timer_of(table).deadline == began + DAY
    assert table.seats[first_timer.seat].away_until is None


async def test_a_newcomer_has_a_whole_turn(tables: Tables, clock: ManualClock) -> None:
    """A seat that is given away begins anew; a computer player has no clock."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    clock.now += 20 * HOUR
    seat = timer_of(await tables.get(number)).seat
    table = await give_seat_away(tables, number, seat, Person(FIRST_USER + 5, "Fay"))
    assert (timer_of(table).user, timer_of(table).deadline) == (FIRST_USER + 5, int(clock()) + DAY)
    table = await give_seat_away(tables, number, seat, None)
    assert (timer_of(table).user, timer_of(table).deadline) == (None, None)


@pytest.mark.parametrize("control", [DAY_A_TURN, replace(BANK_CONTROL, sleep_hours=9)])
async def test_clocks_survive_the_process(
    tables: Tables, store: SqliteStore, clock: ManualClock, control: TimeControl
) -> None:
    """Another process reads the same clock, timer and saved time."""
    number = await begin_timed_table(tables, control)
    clock.now += HOUR
    table = await play_until_turn_passes(tables, number, random.Random(5))
    reloaded = await Tables(store, GAMES_AND_TOYS, clock).get(number)
    assert reloaded.row == table.row
    assert reloaded.row.time_control == control


async def test_nothing_of_a_grace_period_is_saved(tables: Tables, clock: ManualClock) -> None:
    """Whoever plays in it has used their bank up."""
    number = await begin_timed_table(tables, replace(BANK_CONTROL, grace_seconds=4 * HOUR))
    timer = timer_of(await tables.get(number))
    assert timer.deadline is not None
    clock.now = timer.deadline
    await Housekeeping(tables).do_due_work_at_tables()
    assert timer_of(await tables.get(number)).stage is TurnStage.GRACE
    table = await play_until_turn_passes(tables, number, random.Random(9))
    seat_clock = table.seats[timer.seat].clock
    assert seat_clock is not None
    assert (seat_clock.bank_seconds, seat_clock.last_seconds_left) == (0, 0)
