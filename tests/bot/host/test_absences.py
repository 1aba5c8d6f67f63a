"""Who is away: the clocks stand still, the yearly budget of the server is kept, and a move ends it."""

import asyncio
import inspect
import itertools
import random
from datetime import UTC, datetime
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.chat.away_command import SUGGESTIONS, away_command, away_post, parse_until
from bot.chat.panel import show_after_move
from bot.chat.posts import board_post
from bot.host import absences
from bot.host.absences import AbsenceEndListener, end_absence, start_absence
from bot.host.deciders import play
from bot.host.deciders.absence import MAX_ABSENCES, YEAR, absence_seconds_left, with_absence, without_absence
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR
from bot.store.delivery_rows import DeliveryKind
from bot.store.preferences import Absence, PersonRow, ServerRow
from bot.store.protocol import StoreError
from bot.store.rows import Change, Status, TableListing
from bot.store.sqlite import SqliteStore
from tests.bot.chat.panel_presses import last_shown_post
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    request_of_person,
    seat_and_random_action,
)
from tests.bot.host.timed_tables import DAY_A_TURN, begin_timed_table, change_as, change_row, timer_of
from tests.bot.host.viewer_output import ResponseRecorder
from tests.bot.host.waiting_tables import WaitingTable
from tests.bot.store.sample_rows import execute_sql

NOW = 1_790_000_000


async def test_the_clocks_of_somebody_who_is_away_stand_still(tables: Tables, clock: ManualClock) -> None:
    """At all of their tables, and the boards say so; coming back starts the clocks with what was left."""
    numbers = [await begin_timed_table(tables, DAY_A_TURN), await begin_timed_table(tables, DAY_A_TURN)]
    seat = timer_of(await tables.get(numbers[0])).seat
    request = request_of_person(seat)
    clock.now += 4 * HOUR
    until = int(clock()) + 5 * DAY
    await start_absence(tables, request, until)
    for number in numbers:
        table = await tables.get(number)
        assert table.seats[seat].away_until == until
        assert f"{table.names[seat]} is away until <t:{until}:f>." in board_post(table, None).text
        if timer_of(table).seat == seat:
            assert timer_of(table).deadline == until + 20 * HOUR
        else:
            assert timer_of(table).deadline == int(clock()) + 20 * HOUR
    clock.now += DAY
    await end_absence(tables, request.user)
    table = await tables.get(numbers[0])
    assert table.seats[seat].away_until is None
    assert timer_of(table).deadline == int(clock()) + 20 * HOUR


async def test_damaged_settings_of_a_server_refuse_no_absence(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """Where the yearly days of a server cannot be read, those count that a server has at first."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    await execute_sql(store, "insert into servers values (?, x'ff00')", GUILD)
    tables = Tables(store, GAMES_AND_TOYS, clock)  # with nothing in memory
    until = int(clock()) + 5 * DAY
    await start_absence(tables, replace(request_of_person(0), guild=GUILD + 1), until)
    assert (await tables.get(number)).seats[0].away_until == until


@pytest.mark.parametrize("is_own_turn", [True, False])
async def test_a_board_is_posted_where_an_absence_stops_a_clock(
    tables: Tables, clock: ManualClock, *, is_own_turn: bool
) -> None:
    """Where it is another's turn the board that stands is edited, however old it is; also at the end."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    seat = timer_of(await tables.get(number)).seat
    away_request = request_of_person(seat if is_own_turn else 1 - seat)
    until = int(clock()) + DAY // 2

    async def leave() -> None:
        await start_absence(tables, away_request, until)

    async def come_back() -> None:
        await end_absence(tables, away_request.user)

    async def wait() -> None:
        clock.now = until
        await Housekeeping(tables).do_due_work_at_tables()

    for change in (leave, come_back, leave, wait):
        ids_before = {each.id for each in await tables.store.waiting_deliveries(number)}
        await change()
        clock.now += HOUR
        new_kinds = [
            each.kind for each in await tables.store.waiting_deliveries(number) if each.id not in ids_before
        ]
        moves_deadline = is_own_turn and change is not wait  # its end was known
        assert new_kinds == [DeliveryKind.BOARD if moves_deadline else DeliveryKind.BOARD_EDIT]


async def test_an_absence_needs_a_server(tables: Tables, clock: ManualClock) -> None:
    """Somebody without a table who types it in a direct message is told to type it in a server."""
    request = replace(request_of_person(0), guild=None)
    with pytest.raises(Refusal, match="in a server"):
        await start_absence(tables, request, int(clock()) + DAY)


async def test_an_absence_that_is_stored_is_not_refused(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads that nothing has changed if only their boards cannot be brought up to date."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    user, until = FIRST_USER, int(clock()) + DAY
    listings = [await tables.store.live_tables_of_user(user)]

    async def read_once(_: int) -> tuple[TableListing, ...]:
        if not listings:
            raise StoreError("the disk is gone")
        return listings.pop()

    with monkeypatch.context() as patches:
        patches.setattr(tables.store, "live_tables_of_user", read_once)
        away_person = await start_absence(tables, request_of_person(0), until)
        assert [each.end for each in away_person.absences] == [until]
        clock.now += HOUR
        returned_person = await end_absence(tables, user)
    assert await tables.person_preferences.get(user) == returned_person
    assert [each.end for each in returned_person.absences] == [int(clock())]
    assert (await tables.get(number)).seats[0].away_until is None


async def test_an_absence_ends_by_itself(tables: Tables, clock: ManualClock) -> None:
    """Then the board no longer names it, and the clock runs."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    seat = timer_of(await tables.get(number)).seat
    until = int(clock()) + 2 * DAY
    await start_absence(tables, request_of_person(seat), until)
    clock.now = until
    for _ in range(2):  # the reminder that waited is due as well
        await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.seats[seat].away_until is None
    assert "is away" not in board_post(table, None).text
    assert timer_of(table).deadline == until + DAY
    assert number not in await tables.store.due_tables(until)


def test_absences_are_limited() -> None:
    """Going away and coming back all day long fills no memory; after a year there is room again.

    Each server counts its own, and none counts one that ended as it began.
    """
    person, now = PersonRow(1), NOW
    for _ in range(MAX_ABSENCES):
        person = without_absence(with_absence(person, {GUILD: 30}, now, now + DAY), now + 1)
        now += 2
    with pytest.raises(Refusal, match="50 times"):
        with_absence(person, {GUILD: 30}, now, now + DAY)
    assert with_absence(person, {GUILD + 1: 30}, now, now + DAY).absences[-1].guild == GUILD + 1
    assert len(with_absence(person, {GUILD: 30}, now + YEAR, now + YEAR + DAY).absences) == 1
    assert without_absence(with_absence(PersonRow(1), {GUILD: 30}, now, now + DAY), now).absences == ()


@pytest.mark.parametrize("status", [Status.ENDED_EARLY, Status.CLOSED])
async def test_nothing_falls_due_at_a_table_that_is_over(
    tables: Tables, clock: ManualClock, status: Status
) -> None:
    """A player who is away when a game ends leaves no timer that is due for ever."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    seat = timer_of(await tables.get(number)).seat
    until = int(clock()) + 2 * DAY
    await start_absence(tables, request_of_person(seat), until)
    await change_row(tables, number, status=status)
    assert number not in await tables.store.due_tables(until)


async def test_a_move_that_is_not_stored_ends_no_absence(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who reads that nothing has changed is as far away as before."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    seat = timer_of(await tables.get(number)).seat
    await start_absence(tables, request_of_person(seat), int(clock()) + 9 * DAY)
    away_person = await tables.person_preferences.get(FIRST_USER + seat)
    clock.now += HOUR
    _, action = seat_and_random_action(await tables.get(number), random.Random(1))

    async def fail(_: Change) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patches:
        patches.setattr(tables.store, "commit", fail)
        with pytest.raises(StoreError):
            await change_as(tables, number, seat, play.play, actions=(action,))
    assert await tables.person_preferences.get(FIRST_USER + seat) == away_person
    table = await change_as(tables, number, seat, play.play, actions=(action,))
    assert table.seats[seat].away_until is None
    assert (await tables.person_preferences.get(FIRST_USER + seat)).absences[0].end == int(clock())


async def test_a_move_ends_an_absence_everywhere(tables: Tables, clock: ManualClock) -> None:
    """A player who moves at one table is back at all of them."""
    first_number, second_number = (
        await begin_timed_table(tables, DAY_A_TURN, seat_count=2),
        await begin_timed_table(tables, DAY_A_TURN, seat_count=3),
    )
    seat = timer_of(await tables.get(first_number)).seat
    listener = AbsenceEndListener(tables)
    await start_absence(tables, request_of_person(seat), int(clock()) + 9 * DAY)
    assert (await tables.get(second_number)).seats[seat].away_until is not None
    clock.now += HOUR
    _, action = seat_and_random_action(await tables.get(first_number), random.Random(1))
    decide = partial(play.play, request=request_of_person(seat), actions=(action,))
    result = await tables.change(first_number, request_of_person(seat), decide)
    assert result.ended_absence
    post = await last_shown_post(
        lambda response: show_after_move(tables, response, request_of_person(seat), result)
    )
    assert "You are no longer away, since you have moved." in post.text
    assert result.table.seats[seat].away_until is None
    await asyncio.sleep(0)
    await listener.wait()
    assert (await tables.get(second_number)).seats[seat].away_until is None
    person = await tables.person_preferences.get(FIRST_USER + seat)
    assert [each.end for each in person.absences] == [int(clock())]


async def test_a_server_allows_so_many_days_a_year(tables: Tables, clock: ManualClock) -> None:
    """What was used is charged; the refusal says what is left; after a year it is free again."""
    await tables.server_preferences.change(GUILD, lambda row: replace(row, away_days=10))
    request = request_of_person(0)
    start = int(clock())
    await start_absence(tables, request, start + 7 * DAY)
    clock.now += 7 * DAY
    with pytest.raises(Refusal, match=r"allow 10 days a year here.*<t:\d+:f> at most"):
        await start_absence(tables, request, int(clock()) + 4 * DAY)
    await start_absence(tables, request, int(clock()) + 3 * DAY)
    clock.now += 3 * DAY
    with pytest.raises(
        Refusal, match=r"allow 10 days a year here\. You have no days left this year\. The host"
    ):
        await start_absence(tables, request, int(clock()) + DAY)
    clock.now = start + YEAR + 7 * DAY
    await start_absence(tables, request, int(clock()) + 7 * DAY)


async def test_a_server_may_allow_no_absence(tables: Tables, clock: ManualClock) -> None:
    """The refusal says so, and not that nothing is left."""
    await tables.server_preferences.change(GUILD, lambda row: replace(row, away_days=0))
    with pytest.raises(Refusal, match=r"^The admins allow no `/away` here\. The host"):
        await start_absence(tables, request_of_person(0), int(clock()) + DAY)


async def test_an_absence_counts_only_where_it_is_charged(tables: Tables, clock: ManualClock) -> None:
    """A generous server does not stop the clocks of another one."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    seat = timer_of(await tables.get(number)).seat
    absence_elsewhere = Absence(int(clock()), int(clock()) + 9 * DAY, GUILD + 1)
    await tables.person_preferences.change(
        FIRST_USER + seat, lambda row: replace(row, absences=(absence_elsewhere,))
    )
    await absences.refresh_tables(tables, FIRST_USER + seat)
    table = await tables.get(number)
    assert table.seats[seat].away_until is None
    assert timer_of(table).deadline == int(clock()) + DAY
    await tables.server_preferences.change(GUILD, lambda row: ServerRow(row.guild, away_days=2))
    request_elsewhere = replace(request_of_person(seat), guild=GUILD + 1)
    with pytest.raises(Refusal, match="one of the servers where you play"):
        await start_absence(tables, request_elsewhere, int(clock()) + 3 * DAY)


async def test_who_is_away_from_another_server_is_reminded_where_the_clock_runs(
    tables: Tables, clock: ManualClock
) -> None:
    """Their clock would run out without a word otherwise; a move there ends the absence, as anywhere."""
    for person_number in (0, 1):
        request_elsewhere = replace(request_of_person(person_number), guild=GUILD + 1)
        await start_absence(tables, request_elsewhere, int(clock()) + 9 * DAY)
    table = WaitingTable(tables, clock, await begin_timed_table(tables, DAY_A_TURN))
    await table.send_all()
    (reminder,) = await table.pass_time_and_get_reminders(13 * HOUR)
    user = await table.user_to_act()
    assert reminder.raw_mentions == [user]
    action = seat_and_random_action(await tables.get(table.number), random.Random(1))[1]
    await change_as(tables, table.number, user - FIRST_USER, play.play, actions=(action,))
    assert (await tables.person_preferences.get(user)).absences[0].end == int(clock())


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), max_size=8), st.integers(1, 60))
def test_no_more_absence_is_used_than_allowed(pauses_and_lengths: list[tuple[int, int]], days: int) -> None:
    """However often somebody goes away and comes back, within any year it is no more than the budget."""
    person, now = PersonRow(1), NOW
    for pause_days, length_days in pauses_and_lengths:
        now += pause_days * DAY
        try:
            person = with_absence(person, {GUILD: days}, now, now + length_days * DAY)
        except Refusal:
            continue
        assert absence_seconds_left(without_absence(person, now), GUILD, days, now) >= length_days * DAY
    spans = [each for each in person.absences if each.guild == GUILD]
    for end in (each.end for each in spans):
        used_seconds = sum(max(0, min(each.end, end) - max(each.begin, end - YEAR)) for each in spans)
        assert used_seconds <= days * DAY


def test_days_of_one_server_do_not_count_in_another() -> None:
    """Each server has its own budget, which an absence that ends early uses up to its end only."""
    person = with_absence(PersonRow(1), {GUILD: 30}, NOW, NOW + 10 * DAY)
    later = NOW + 3 * DAY
    assert absence_seconds_left(without_absence(person, later), GUILD, 30, later) == 27 * DAY
    assert absence_seconds_left(person, GUILD + 1, 30, later) == 30 * DAY


@given(st.integers(0, 29 * DAY), st.integers(1, 400 * DAY))
def test_a_refusal_names_the_latest_time(used_seconds: int, extra_seconds: int) -> None:
    """Until then an absence is accepted, longer it is refused."""
    person = PersonRow(1, absences=(Absence(NOW - used_seconds, NOW, GUILD),) if used_seconds else ())
    latest = NOW + 30 * DAY - used_seconds
    with pytest.raises(Refusal, match=f"You can be away until <t:{latest}:f> at most"):
        with_absence(person, {GUILD: 30}, NOW, latest + extra_seconds)
    assert with_absence(person, {GUILD: 30}, NOW, latest).absences[-1].end == latest


def test_until_is_read_as_days_weeks_a_date_or_off() -> None:
    """Days, weeks, a date as the morning where the person is, and off."""
    person = PersonRow(1, time_zone="America/New_York")
    assert parse_until("3d", person, NOW) == NOW + 3 * DAY
    assert parse_until(" 2W ", person, NOW) == NOW + 14 * DAY
    for label, value in SUGGESTIONS.items():  # somebody may type what is suggested
        assert parse_until(label, person, NOW) == parse_until(value, person, NOW)
    assert parse_until("off", person, NOW) is None
    assert parse_until("I\u2019m back", person, NOW) is None, "as phones type it"
    eight_utc = int(datetime(2026, 12, 24, 8, tzinfo=UTC).timestamp())
    assert parse_until("2026-12-24", PersonRow(1), NOW) == eight_utc
    assert parse_until("2026-12-24", person, NOW) == eight_utc + 5 * HOUR
    for wrong_text in ("", "soon", "0d", "3", "3 decades", "2026-13-01", "9999-99-99", "-3d"):
        with pytest.raises(Refusal, match="Try"):
            parse_until(wrong_text, person, NOW)
    with pytest.raises(Refusal, match="over already"):
        with_absence(person, {GUILD: 30}, NOW, NOW)


async def test_the_answer_is_true_where_a_second_passes(tables: Tables) -> None:
    """Somebody who goes away or comes back as the second ends reads what is stored."""
    ticks = itertools.count(NOW)
    tables.clock = lambda: float(next(ticks))
    recorder, callback = ResponseRecorder(), cast("Any", inspect.unwrap(away_command.callback))
    response = SimpleNamespace(tables=tables, request=request_of_person(0), show=recorder.show)
    for until, expected in (("3d", "You are away until"), ("off", "Welcome back."), ("off", "You are not")):
        await callback(response, until=until)
        assert recorder.answers[-1][0][0].startswith(expected)


def test_the_answer_says_until_when() -> None:
    """And how to come back earlier."""
    person = PersonRow(1, absences=(Absence(NOW, NOW + DAY, GUILD),))
    assert f"<t:{NOW + DAY}:f>" in away_post(person, NOW).text
    assert "off" in away_post(person, NOW).text
    assert "not away" in away_post(person, NOW + DAY).text
    assert "Welcome back. Reminders, and clocks" in away_post(person, NOW + DAY, has_come_back=True).text


def test_who_comes_back_while_snoozing_reads_of_the_snooze() -> None:
    """Reminders do not go on before it ends, whatever the absence said."""
    person = PersonRow(1, snoozed_until=NOW + DAY)
    text = away_post(person, NOW, has_come_back=True).text
    assert "Reminders" not in text
    assert f"Your snooze lasts until <t:{NOW + DAY}:f>" in text
    assert "Reminders, and clocks" in away_post(person, NOW + DAY, has_come_back=True).text
