"""Time in which nobody could play is made up for: a bot that was down, Discord away, a server left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.host.breaks import counted_seconds
from bot.host.deciders.clocks import MIN_DEADLINE_CHANGE, with_postponed_due_times
from bot.host.deciders.decision import Decision
from bot.host.housekeeping import Housekeeping
from bot.host.outages import MIN_DOWNTIME
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeControl, TurnStage, TurnTimer
from bot.store.delivery_rows import DeliveryKind
from bot.store.lobby_rows import ReadyCheck
from bot.store.preferences import PersonRow
from bot.store.question_rows import Question, QuestionKind
from bot.store.rows import TableRow
from bot.store.seat_rows import Person, SeatOffer, SeatRow
from bot.store.sqlite import SqliteStore
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    begin,
    default_setup,
    open_lobby,
)
from tests.bot.host.timed_tables import (
    ANY_GAME_KEY,
    DAY_A_TURN,
    FakeConnectivity,
    begin_timed_table,
    new_housekeeping,
    timer_of,
)
from tests.bot.store.sample_rows import LOBBY_ROW


async def test_a_day_without_the_bot_moves_every_deadline(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """Turns and lobbies are due so much later; nothing has expired meanwhile; a second start adds nothing."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    deadline = timer_of(await tables.get(number)).deadline
    assert deadline is not None
    lobby_number = await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY])
    expires_at = (await tables.get(lobby_number)).row.expires_at
    assert expires_at is not None
    assert await new_housekeeping(tables).do_due_work()
    last_seen = int(clock())
    clock.now += 3 * DAY
    fresh_tables = Tables(store, GAMES_AND_TOYS, clock)
    assert await new_housekeeping(fresh_tables).do_due_work()
    timer = timer_of(await fresh_tables.get(number))
    assert (timer.stage, timer.deadline) == (TurnStage.RUNNING, deadline + 3 * DAY)
    assert (await fresh_tables.get(number)).row.clocks_running_since == last_seen + 3 * DAY
    assert (await fresh_tables.get(lobby_number)).row.expires_at == expires_at + 3 * DAY
    assert await new_housekeeping(Tables(store, GAMES_AND_TOYS, clock)).do_due_work()
    assert timer_of(await fresh_tables.get(number)) == timer


async def test_a_restart_that_ends_half_way_makes_up_once(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """A process that dies after it moved a deadline, before it noted that it was seen, moves it once."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    deadline = timer_of(await tables.get(number)).deadline
    assert deadline is not None
    await new_housekeeping(tables).do_due_work()
    first_seen_at = int(clock())
    clock.now += DAY
    await new_housekeeping(tables).do_due_work()
    await store.set_bot_last_seen(first_seen_at)  # as if this write of the first process had been lost
    clock.now += 60
    await new_housekeeping(Tables(store, GAMES_AND_TOYS, clock)).do_due_work()
    assert timer_of(await Tables(store, GAMES_AND_TOYS, clock).get(number)).deadline == deadline + DAY + 60


@pytest.mark.parametrize(("seconds", "is_posted"), [(MIN_DOWNTIME + 60, False), (MIN_DEADLINE_CHANGE, True)])
async def test_a_board_is_posted_where_a_deadline_moves_by_an_hour(
    tables: Tables, clock: ManualClock, *, seconds: int, is_posted: bool
) -> None:
    """A deadline moves by every minute; a board is posted for it only where it moves by an hour or more."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    deadline = timer_of(await tables.get(number)).deadline
    assert deadline is not None
    connectivity = FakeConnectivity(GUILD)
    housekeeping = new_housekeeping(tables, connectivity)
    await housekeeping.do_due_work()
    earlier_ids = {each.id for each in await tables.store.waiting_deliveries(number)}
    connectivity.connected = False
    clock.now += seconds
    await housekeeping.do_due_work()
    connectivity.connected = True
    await housekeeping.do_due_work()
    assert timer_of(await tables.get(number)).deadline == deadline + seconds
    new_deliveries = [
        each for each in await tables.store.waiting_deliveries(number) if each.id not in earlier_ids
    ]
    assert [each.kind for each in new_deliveries] == [DeliveryKind.BOARD] * is_posted


async def test_the_minutes_of_several_outages_add_up(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """A board is posted as soon as it shows a deadline that is an hour or more too early, and not again."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    connectivity = FakeConnectivity(GUILD)
    posted_kinds = []
    for _ in range(6):
        tables = Tables(store, GAMES_AND_TOYS, clock)
        housekeeping = new_housekeeping(tables, connectivity)
        await housekeeping.do_due_work()
        earlier_ids = {each.id for each in await store.waiting_deliveries(number)}
        connectivity.connected = False
        clock.now += MIN_DEADLINE_CHANGE // 2
        await housekeeping.do_due_work()
        connectivity.connected = True
        await housekeeping.do_due_work()
        posted_kinds.append(
            [each.kind for each in await store.waiting_deliveries(number) if each.id not in earlier_ids]
        )
    assert posted_kinds == [[], [DeliveryKind.BOARD]] * 3


async def test_a_few_minutes_are_no_downtime(tables: Tables, clock: ManualClock) -> None:
    """Minutes in which the bot was seen, or up to three without it, move nothing."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    timer_before = timer_of(await tables.get(number))
    housekeeping = new_housekeeping(tables)
    for _ in range(10):
        await housekeeping.do_due_work()
        clock.now += MIN_DOWNTIME
    assert timer_of(await tables.get(number)) == timer_before


async def test_nothing_falls_due_while_discord_is_away(tables: Tables, clock: ManualClock) -> None:
    """While the gateway is lost nobody can move: no deadline passes, and it stood still afterwards."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    deadline = timer_of(await tables.get(number)).deadline
    assert deadline is not None
    connectivity = FakeConnectivity(GUILD)
    housekeeping = new_housekeeping(tables, connectivity)
    await housekeeping.do_due_work()
    connectivity.connected = False
    for _ in range(3):
        clock.now += 20 * HOUR
        assert not await housekeeping.do_due_work()
    assert timer_of(await tables.get(number)).stage is TurnStage.RUNNING
    connectivity.connected = True
    assert await housekeeping.do_due_work()
    assert timer_of(await tables.get(number)).deadline == deadline + 60 * HOUR


async def test_the_clocks_of_a_server_stop_without_the_bot(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """The bot is removed from a server, restarts meanwhile, and comes back: no time has passed there."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    deadline = timer_of(await tables.get(number)).deadline
    assert deadline is not None
    connectivity = FakeConnectivity(GUILD)
    housekeeping = new_housekeeping(tables, connectivity)
    await housekeeping.do_due_work()
    left_at = int(clock())
    connectivity.reachable_guilds = ()
    for _ in range(50):
        clock.now += 60
        await housekeeping.do_due_work()
    clock.now += 2 * DAY
    fresh_tables = Tables(store, GAMES_AND_TOYS, clock)
    housekeeping = new_housekeeping(fresh_tables, connectivity)
    for _ in range(5):
        await housekeeping.do_due_work()
        clock.now += 60
    assert timer_of(await fresh_tables.get(number)).deadline == deadline
    connectivity.reachable_guilds = (GUILD,)
    await housekeeping.do_due_work()
    assert timer_of(await fresh_tables.get(number)).deadline == deadline + int(clock()) - left_at


async def test_a_clock_that_was_wrong_is_no_downtime(tables: Tables, clock: ManualClock) -> None:
    """A machine that starts without knowing the date gives a lobby no years."""
    number = await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY])
    expires_at = (await tables.get(number)).row.expires_at
    assert expires_at is not None
    housekeeping, right_time = Housekeeping(tables), clock.now
    for now in (right_time, 1000.0, right_time + 60):
        clock.now = now
        await housekeeping.do_due_work()
    assert (await tables.get(number)).row.expires_at == expires_at + 60


async def test_all_that_falls_due_waits_for_the_bot(tables: Tables) -> None:
    """The expiry of a lobby, a question and the offer of a seat are put off like deadlines."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2))
    row = (await tables.get(number)).row
    people: dict[int, PersonRow] = {}
    offer = SeatOffer(1, 500, 100, "Ava offers seat A.", Person(7, "Gita"))
    table = (await tables.get(number)).with_row(
        expires_at=400,
        active_at=90,
        question=Question(QuestionKind.UNDO, 1, (1,), 1, 450),
        seats=(replace(row.seats[0], offer=offer), *row.seats[1:]),
    )
    moved_row = with_postponed_due_times(table, people, 100, 130).row
    assert moved_row.expires_at == 430
    assert moved_row.question is not None
    assert moved_row.question.due == 480
    assert moved_row.seats[0].offer is not None
    assert moved_row.seats[0].offer.due == 530


async def test_the_message_of_a_ready_check_names_the_moved_time(tables: Tables, clock: ManualClock) -> None:
    """Its edit is queued as the bot is back."""
    number = await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY])
    check = ReadyCheck(id=7, due=int(clock.now) + DAY)

    def ask(table: Table) -> Decision:
        state = replace(table.row.lobby, ready_check=check)
        return Decision(table=table.with_row(lobby=state), answer="")

    async def waiting_kinds() -> set[DeliveryKind]:
        return {each.kind for each in await tables.store.waiting_deliveries(number)}

    await tables.change(number, None, ask)
    assert await new_housekeeping(tables).do_due_work()
    assert DeliveryKind.READY_CHECK not in await waiting_kinds(), "no time has moved yet"
    clock.now += HOUR
    assert await new_housekeeping(tables).do_due_work()
    moved_check = (await tables.get(number)).row.lobby.ready_check
    assert moved_check == replace(check, due=check.due + HOUR)
    assert DeliveryKind.READY_CHECK in await waiting_kinds()


@given(
    st.integers(0, 3 * DAY), st.integers(0, 3 * DAY), st.integers(0, 10 * DAY), st.sampled_from((0, 8, 12))
)
def test_an_outage_keeps_the_time_that_was_left(
    used_seconds: int, seconds_left: int, outage_seconds: int, sleep_hours: int
) -> None:
    """However long the clocks stand, what had counted and what is left together are the whole time."""
    began_at = 1_790_000_000
    person = PersonRow(FIRST_USER, time_zone="Europe/Paris")
    whole_seconds = counted_seconds(person, sleep_hours, began_at, began_at + used_seconds) + seconds_left
    timer = TurnTimer(
        seat=0,
        user=FIRST_USER,
        turn_start=0,
        began_at=began_at,
        runs_from=began_at,
        seconds_left=whole_seconds,
        deadline=began_at + used_seconds + seconds_left,
    )
    row: TableRow = replace(
        LOBBY_ROW,
        seats=(SeatRow("Ava", user=FIRST_USER),),
        turn_timer=timer,
        time_control=TimeControl(turn_seconds=DAY, sleep_hours=sleep_hours),
    )
    game = GAMES_AND_TOYS[ANY_GAME_KEY]
    table = Table(row, game, game.options_type(), None)
    begin, end = began_at + used_seconds, began_at + used_seconds + outage_seconds
    moved_table = with_postponed_due_times(table, {FIRST_USER: person}, begin, end)
    timer_after = timer_of(moved_table)
    assert timer_after.seconds_left == (seconds_left if outage_seconds else whole_seconds)
    assert with_postponed_due_times(moved_table, {FIRST_USER: person}, begin, end) == moved_table, (
        "it is made up for once"
    )
