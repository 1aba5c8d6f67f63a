"""A change that comes before the check that ends an outage charges nobody for the time of the outage."""

import dataclasses
import random
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
import pytest

from bot.host.deciders import moderation
from bot.host.deciders.decision import Decision
from bot.host.game_guard import GameFault
from bot.host.outages import MIN_DOWNTIME
from bot.host.table import IN_PLAY
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeControl
from bot.store.delivery_rows import DeliveryKind
from bot.store.question_rows import Question, QuestionKind
from bot.store.rows import Status, TableRow
from bot.store.seat_rows import Person, SeatOffer
from bot.store.sqlite import SqliteStore
from tests.bot.host.playing import GAMES_AND_TOYS, GUILD, RNG, ManualClock, open_lobby
from tests.bot.host.timed_tables import (
    ANY_GAME_KEY,
    FakeConnectivity,
    begin_timed_table,
    change_as,
    change_row,
    new_housekeeping,
    play_until_turn_passes,
    timer_of,
)
from tests.trials import trial_count

CONTROL = TimeControl(turn_seconds=DAY, grace_seconds=0, bank_seconds=3 * DAY)


async def _freeze_as_operator(store: SqliteStore, clock: ManualClock, number: int) -> None:
    tables = Tables(store, GAMES_AND_TOYS, clock)
    await tables.change(number, None, partial(moderation.freeze, reason="A fault."))


async def _freeze_when_loaded(store: SqliteStore, clock: ManualClock, number: int) -> None:
    game = GAMES_AND_TOYS[ANY_GAME_KEY]
    newer_game = dataclasses.replace(game, rules_version=game.rules_version + 1)
    await Tables(store, {ANY_GAME_KEY: newer_game}, clock).get(number)


async def _freeze_after_fault(store: SqliteStore, clock: ManualClock, number: int) -> None:
    await Tables(store, GAMES_AND_TOYS, clock).handle_fault(GameFault(number))


@pytest.mark.parametrize("freeze", [_freeze_as_operator, _freeze_when_loaded, _freeze_after_fault])
async def test_a_freeze_while_the_bot_was_stopped_costs_no_time(
    tables: Tables,
    store: SqliteStore,
    clock: ManualClock,
    freeze: Callable[[SqliteStore, ManualClock, int], Awaitable[None]],
) -> None:
    """Its player has as much time after the thaw as there was when the bot stopped."""
    number = await begin_timed_table(tables, CONTROL)
    clock.now += HOUR
    await new_housekeeping(tables).do_due_work()
    clock.now += 30 * DAY
    await freeze(store, clock, number)
    restarted_tables = Tables(store, GAMES_AND_TOYS, clock)
    assert (await restarted_tables.get(number)).status is Status.FROZEN
    await new_housekeeping(restarted_tables).do_due_work()
    await restarted_tables.change(number, None, partial(moderation.thaw, reason="All is well."))
    clock.now += 60
    await new_housekeeping(restarted_tables).do_due_work()
    table = await restarted_tables.get(number)
    assert table.seats[timer_of(table).seat].substitute is None
    assert timer_of(table).deadline == clock() - 60 + 4 * DAY - HOUR


async def test_a_move_before_the_first_check(tables: Tables, store: SqliteStore, clock: ManualClock) -> None:
    """A move as soon as the bot is back takes nothing from the reserve for the time without it."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    await new_housekeeping(tables).do_due_work()
    clock.now += 30 * DAY
    restarted_tables = Tables(store, GAMES_AND_TOYS, clock)
    table = await play_until_turn_passes(restarted_tables, number, RNG)
    seat_clock = table.seats[seat].clock
    assert seat_clock is not None
    assert (seat_clock.bank_seconds, seat_clock.consecutive_missed_turn_count) == (3 * DAY, 0)
    await new_housekeeping(restarted_tables).do_due_work()
    assert timer_of(await restarted_tables.get(number)).deadline == clock() + 4 * DAY, (
        "its time is not counted twice"
    )


async def test_changes_by_direct_message_while_the_server_is_away(tables: Tables, clock: ManualClock) -> None:
    """A pause or a move there charges nobody for the days in which the bot was not in the server."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    connectivity = FakeConnectivity(GUILD)
    housekeeping = new_housekeeping(tables, connectivity)
    await housekeeping.do_due_work()
    connectivity.reachable_guilds = ()
    for _ in range(10):
        clock.now += DAY
        await housekeeping.do_due_work()
    assert timer_of(await change_as(tables, number, 0, moderation.pause)).seconds_left == 4 * DAY
    clock.now += DAY
    await change_as(tables, number, 0, moderation.resume)
    for _ in range(10):
        clock.now += DAY
        await housekeeping.do_due_work()
    table = await play_until_turn_passes(tables, number, RNG)
    seat_clock = table.seats[seat].clock
    assert seat_clock is not None
    assert seat_clock.bank_seconds == 3 * DAY
    clock.now += 5 * DAY
    connectivity.reachable_guilds = (GUILD,)
    await housekeeping.do_due_work()
    assert timer_of(await tables.get(number)).deadline == clock() + 4 * DAY


async def test_only_time_in_which_one_can_play_counts(store: SqliteStore, clock: ManualClock) -> None:
    """Whatever happens in which order: what is left is the whole time less the time of play."""
    rng = random.Random(21)
    for _ in range(trial_count(short=12, soak=2_000)):
        tables = Tables(store, GAMES_AND_TOYS, clock)
        await new_housekeeping(tables).do_due_work()
        number = await begin_timed_table(tables, CONTROL)
        connectivity, counted_seconds = FakeConnectivity(GUILD), 0
        for _ in range(12):
            event = rng.choice(("play", "stop", "leave", "pause", "resume", "freeze", "thaw", "check"))
            status = (await tables.get(number)).status
            if event == "play" and connectivity.reachable_guilds:
                await new_housekeeping(tables, connectivity).do_due_work()
                clock.now += MIN_DOWNTIME - 1
                await new_housekeeping(tables, connectivity).do_due_work()
                counted_seconds += (MIN_DOWNTIME - 1) * (status is Status.PLAYING)
            elif event == "stop":
                await new_housekeeping(tables, connectivity).do_due_work()
                clock.now += rng.randrange(MIN_DOWNTIME + 1, 20 * DAY)
                tables = Tables(store, GAMES_AND_TOYS, clock)
            elif event == "leave":
                connectivity.reachable_guilds = () if connectivity.reachable_guilds else (GUILD,)
                await new_housekeeping(tables, connectivity).do_due_work()
            elif event == "pause" and status is Status.PLAYING:
                await change_as(tables, number, 0, moderation.pause)
            elif event == "resume" and status is Status.PAUSED:
                await change_as(tables, number, 0, moderation.resume)
            elif event == "freeze" and status in IN_PLAY:
                await tables.change(number, None, partial(moderation.freeze, reason="A fault."))
            elif event == "thaw" and status is Status.FROZEN:
                await tables.change(number, None, partial(moderation.thaw, reason="All is well."))
        connectivity.reachable_guilds = (GUILD,)
        await new_housekeeping(tables, connectivity).do_due_work()
        timer, now = timer_of(await tables.get(number)), int(clock())
        seconds_left = timer.seconds_left if timer.deadline is None else timer.deadline - now
        assert seconds_left == 4 * DAY - counted_seconds
        await change_row(tables, number, status=Status.ENDED_EARLY)  # else each check would take longer


async def _start_game_with_question(tables: Tables, due: int) -> int:
    number = await begin_timed_table(tables, None)
    await change_row(tables, number, question=Question(QuestionKind.PAUSE, 0, (), 1, due))
    return number


async def _start_game_with_offer(tables: Tables, due: int) -> int:
    number = await begin_timed_table(tables, None)
    row = (await tables.get(number)).seats[0]
    offer = SeatOffer(1, due, 100, "Ava offers seat A.", Person(7, "Gita"))
    await tables.change(
        number,
        None,
        lambda table: Decision(
            table=table.with_seat(0, msgspec.structs.replace(row, offer=offer)), answer=""
        ),
    )
    return number


async def _open_lobby(tables: Tables, due: int) -> int:
    number = await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY])
    await change_row(tables, number, expires_at=due)
    return number


def _due_time(row: TableRow) -> int | None:
    """Return when the question, the offer or the lobby of a table is due."""
    if row.question is not None:
        return row.question.due
    return row.expires_at if row.seats[0].offer is None else row.seats[0].offer.due


@pytest.mark.parametrize("is_change_first", [False, True])
@pytest.mark.parametrize(
    ("prepare", "kind"),
    [
        (_start_game_with_question, DeliveryKind.QUESTION),
        (_start_game_with_offer, DeliveryKind.OFFER),
        (_open_lobby, DeliveryKind.LOBBY),
    ],
)
async def test_messages_name_the_times_that_an_outage_has_moved(
    tables: Tables,
    clock: ManualClock,
    prepare: Callable[[Tables, int], Awaitable[int]],
    kind: DeliveryKind,
    *,
    is_change_first: bool,
) -> None:
    """They are edited, whether the check or another change comes first after the outage."""
    due = int(clock()) + HOUR
    number = await prepare(tables, due)
    await new_housekeeping(tables).do_due_work()
    earlier_ids = {each.id for each in await tables.store.waiting_deliveries(number)}
    clock.now += 2 * DAY
    if is_change_first:
        await change_row(tables, number, players_may_resume=True)
    else:
        await new_housekeeping(tables).do_due_work()
    assert _due_time((await tables.get(number)).row) == due + 2 * DAY
    new_kinds = [
        each.kind for each in await tables.store.waiting_deliveries(number) if each.id not in earlier_ids
    ]
    assert kind in new_kinds


async def test_a_decider_with_nothing_to_do_stores_nothing(tables: Tables, clock: ManualClock) -> None:
    """Not even what the outage has moved: the check that comes later still makes up for it."""
    number = await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY])
    expires_at = (await tables.get(number)).row.expires_at
    assert expires_at is not None
    await new_housekeeping(tables).do_due_work()
    clock.now += DAY
    assert (await tables.change(number, None, lambda _: None)).table.row.expires_at == expires_at
    assert (await tables.get(number)).row.expires_at == expires_at
    await new_housekeeping(tables).do_due_work()
    assert (await tables.get(number)).row.expires_at == expires_at + DAY
