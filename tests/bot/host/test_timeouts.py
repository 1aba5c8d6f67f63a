"""What follows when a player's time is over, and how they come back."""

import random
from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat.own_tables import my_games_post, waiting_tables_text
from bot.chat.posts import board_post, time_over_post
from bot.chat.server_tables import read_server_tables, status_message_post
from bot.host.clock_texts import clock_lines
from bot.host.deciders import timeouts
from bot.host.deciders.decision import Decision
from bot.host.deciders.undoing import undo_to
from bot.host.housekeeping import Housekeeping
from bot.host.names import escape_markup
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeoutAction, TurnStage
from bot.store.delivery_rows import LATE_PLAYER
from bot.store.rows import Status
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.model import MODERATOR, Seat
from rules.players import DEFAULT_COMPUTER
from tests.bot.host.playing import (
    FIRST_USER,
    GUILD,
    NAMES,
    ManualClock,
    give_seat_away,
    request_of_person,
)
from tests.bot.host.server_with_status import sees_every_channel
from tests.bot.host.timed_tables import (
    begin_timed_table,
    change_as,
    change_row,
    notice_texts,
    play_as_computer,
    play_until_turn_passes,
    timer_of,
)
from tests.bot.host.timeout_steps import (
    DAY_WITH_GRACE,
    day_with_grace_and_action,
    let_time_run_out,
    time_over_notices,
)
from tests.bot.store.sample_rows import execute_sql

OUTSIDER_USER, NEWCOMER_USER = 999, 901


async def test_grace_comes_first_and_nothing_before(tables: Tables, clock: ManualClock) -> None:
    """Before the deadline nothing happens; then the board says until when there is grace; a move ends it."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    first_timer = timer_of(await tables.get(number))
    clock.now += DAY - 1
    await Housekeeping(tables).do_due_work_at_tables()
    assert timer_of(await tables.get(number)) == first_timer
    clock.now += 1
    await Housekeeping(tables).do_due_work_at_tables()
    timer = timer_of(await tables.get(number))
    assert (timer.stage, timer.deadline) == (TurnStage.GRACE, int(clock()) + 4 * HOUR)
    late_table = await tables.get(number)
    name = late_table.names[first_timer.seat]
    [line] = clock_lines(late_table)
    assert line.startswith(f"-# {name}'s time is over. If {name} does not play in the grace period,")
    consequence = f"a computer player plays until {name} is back. The grace period ends"
    assert line.endswith(f", {consequence} <t:{timer.deadline}:f>, <t:{timer.deadline}:R>.")
    notice_count = len(await notice_texts(tables, number))
    await Housekeeping(tables).do_due_work_at_tables()
    assert len(await notice_texts(tables, number)) == notice_count, "the board alone says it"
    table = await play_until_turn_passes(tables, number, random.Random(1))
    seat_clock = table.seats[first_timer.seat].clock
    assert seat_clock is not None
    assert seat_clock.consecutive_missed_turn_count == 0, "a move within the grace period is no miss"
    assert timer_of(table).stage is TurnStage.RUNNING


@pytest.mark.parametrize("action", TimeoutAction)
async def test_a_board_foretells_how_a_grace_period_ends(
    tables: Tables, clock: ManualClock, action: TimeoutAction
) -> None:
    """Whatever the clock does, and however many turns in a row were missed, the board says it beforehand."""
    rng = random.Random(12)
    control = day_with_grace_and_action(action)
    number = await begin_timed_table(tables, control)
    seat = timer_of(await tables.get(number)).seat
    for _ in range(control.max_missed_turns):
        clock.now = timer_of(await tables.get(number)).deadline or 0
        await Housekeeping(tables).do_due_work_at_tables()
        [line] = clock_lines(await tables.get(number))
        table = await let_time_run_out(tables, clock, number)
        row, name = table.seats[seat], table.names[seat]
        if row.playing_computer is None:
            is_allowed = timeouts.substitutable_seat(table) == seat
            consequence = "the others may have a computer player play" if is_allowed else "time begins again"
        else:
            is_one_turn = row.substitute_only_turn_start is not None
            consequence = "plays this turn" if is_one_turn else f"plays until {name} is back"
        assert consequence in line
        if consequence == "plays this turn":
            await play_as_computer(tables, number, rng)
            await play_until_turn_passes(tables, number, rng)
        elif consequence != "time begins again":
            break


async def test_lists_say_that_a_grace_period_ends(tables: Tables, clock: ManualClock) -> None:
    """``/mygames`` and the list of a server promise nobody time that is over."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    request = request_of_person(timer_of(await tables.get(number)).seat)

    async def read_texts() -> tuple[str, str]:
        server_tables = await read_server_tables(tables, GUILD, sees_every_channel)
        return (await my_games_post(tables, request)).text, status_message_post(
            server_tables, tables.games
        ).text

    for period in ("time", "grace period"):
        deadline = timer_of(await tables.get(number)).deadline
        assert all(
            f"turn, {period} ends <t:{deadline}:R>" in text.replace("*", "") for text in await read_texts()
        )
        clock.now = deadline or 0
        await Housekeeping(tables).do_due_work_at_tables()


async def test_a_turn_whose_time_is_over_is_listed_first(tables: Tables, clock: ManualClock) -> None:
    """It is the most urgent one, since the others may let a computer play; lists say that it is over."""
    late_number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.ALLOW_SUBSTITUTE))
    seat = timer_of(await let_time_run_out(tables, clock, late_number)).seat
    while (
        timer_of(await tables.get(punctual_number := await begin_timed_table(tables, DAY_WITH_GRACE))).seat
        != seat
    ):
        pass
    server_tables = await read_server_tables(tables, GUILD, sees_every_channel)
    own_text = (await my_games_post(tables, request_of_person(seat))).text
    for text in (own_text, status_message_post(server_tables, tables.games).text):
        line = next(each for each in text.replace("*", "").splitlines() if f"No. {late_number}]" in each)
        assert line.endswith("turn, time is over")
        assert text.index(f"No. {late_number}]") < text.index(f"No. {punctual_number}]")
    next_text = await waiting_tables_text(tables, request_of_person(seat).user, 0)
    assert f"No. {late_number}](" in next_text
    assert next_text.endswith(", time is over.")


async def test_a_turn_in_time_ends_the_row_of_misses(tables: Tables, clock: ManualClock) -> None:
    """Only turns missed in a row count."""
    rng = random.Random(5)
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.PLAY_TURN))
    seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)
    await play_as_computer(tables, number, rng)
    await play_until_turn_passes(tables, number, rng)
    table = await play_until_turn_passes(tables, number, rng)
    seat_clock = table.seats[seat].clock
    assert seat_clock is not None
    assert seat_clock.consecutive_missed_turn_count == 0


@pytest.mark.parametrize("action", [each for each in TimeoutAction if each is not TimeoutAction.SUBSTITUTE])
@pytest.mark.parametrize("grace", [0, 4 * HOUR])
async def test_a_missed_turn_that_is_undone_stays_missed(
    tables: Tables, clock: ManualClock, action: TimeoutAction, grace: int
) -> None:
    """A missed turn stays missed if it is taken back and its player plays it again."""
    rng = random.Random(9)
    number = await begin_timed_table(tables, replace(day_with_grace_and_action(action), grace_seconds=grace))
    table = await let_time_run_out(tables, clock, number)
    seat, turn_start = timer_of(table).seat, timer_of(table).turn_start
    assert table.match is not None
    kept_length = len(table.match.history)

    def undo(current: Table) -> Decision:
        return undo_to(current, MODERATOR, kept_length, None)

    for _ in range(2):
        is_person = table.seats[seat].substitute is None
        table = await (play_until_turn_passes if is_person else play_as_computer)(tables, number, rng)
        seat_clock = table.seats[seat].clock
        assert seat_clock is not None
        assert seat_clock.consecutive_missed_turn_count == 1
        table = (await tables.change(number, None, undo)).table
        assert (timer_of(table).seat, timer_of(table).turn_start) == (seat, turn_start)


async def test_a_turn_played_in_the_grace_period_is_not_missed_after_an_undo(
    tables: Tables, clock: ManualClock
) -> None:
    """Only a turn whose grace period is over, too, stays missed when it is taken back."""
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.REMIND))
    clock.now = timer_of(await tables.get(number)).deadline or 0
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    grace_timer = timer_of(table)
    assert grace_timer.stage is TurnStage.GRACE
    assert table.match is not None
    kept_length = len(table.match.history)
    await play_until_turn_passes(tables, number, random.Random(9))
    result = await tables.change(number, None, lambda current: undo_to(current, MODERATOR, kept_length, None))
    table = result.table
    timer = timer_of(table)
    assert (timer.seat, timer.turn_start) == (grace_timer.seat, grace_timer.turn_start)
    assert not timer.missed


async def test_reminded_players_are_substituted_at_last(tables: Tables, clock: ManualClock) -> None:
    """The time begins again twice; then a computer plays for them, so that no table waits for ever."""
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.REMIND))
    seat = timer_of(await tables.get(number)).seat
    for _ in range(2):
        table = await let_time_run_out(tables, clock, number)
        timer = timer_of(table)
        assert (timer.stage, timer.missed) == (TurnStage.RUNNING, True)
        assert timer.deadline == int(clock()) + DAY
    table = await let_time_run_out(tables, clock, number)
    assert table.seats[seat].playing_computer == DEFAULT_COMPUTER


async def test_the_others_may_let_a_computer_play(tables: Tables, clock: ManualClock) -> None:
    """Only those who play there; not while there is time, and not in a pause."""
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.ALLOW_SUBSTITUTE))
    seat = timer_of(await tables.get(number)).seat
    let_computer_play = partial(timeouts.let_computer_play, computer=DEFAULT_COMPUTER)
    too_early_text = "^You cannot let a computer play now"  # nobody has moved, and no computer player plays
    with pytest.raises(Refusal, match=too_early_text):
        await change_as(tables, number, 1 - seat, let_computer_play)
    table = await let_time_run_out(tables, clock, number)
    assert timeouts.substitutable_seat(table) == seat
    assert [
        timeouts.may_let_computer_play(table.with_row(host=OUTSIDER_USER), request_of_person(each))
        for each in (seat, 1 - seat)
    ] == [False, True]
    with pytest.raises(Refusal, match=too_early_text):
        let_computer_play(table.with_row(status=Status.PAUSED), request_of_person(1 - seat))
    stranger_request = replace(request_of_person(0), user=OUTSIDER_USER)
    with pytest.raises(Refusal, match="Only the others"):
        await tables.change(number, stranger_request, partial(let_computer_play, request=stranger_request))
    with pytest.raises(Refusal, match="still your turn"):  # also if it is the host's
        await change_as(tables, number, seat, let_computer_play)
    request = request_of_person(1 - seat)
    result = await tables.change(number, request, partial(let_computer_play, request=request))
    table = result.table
    assert table.seats[seat].playing_computer == DEFAULT_COMPUTER
    [text] = await time_over_notices(tables, number)
    other, name = table.names[1 - seat], table.names[seat]
    text_start = (
        f"{other} lets a computer player play for {{}} until they are back. To come back, press **Play**"
    )
    assert result.answer.startswith(text_start.format(name))
    post = time_over_post(table, seat, FIRST_USER + seat, text)
    assert f" · {text_start.format(f'<@{FIRST_USER + seat}>')}" in post.text
    assert name not in post.text
    later_table = timeouts.without_substitute(table, Seat(seat))
    assert f" · {text_start.format(name)}" in time_over_post(later_table, seat, FIRST_USER + seat, text).text
    assert text.count("computer player") == 1, "it is said once"


async def test_others_may_decide_after_every_missed_turn(tables: Tables, clock: ManualClock) -> None:
    """However many turns were missed in a row, no computer player takes over by itself."""
    control = day_with_grace_and_action(TimeoutAction.ALLOW_SUBSTITUTE)
    number = await begin_timed_table(tables, replace(control, max_missed_turns=1))
    table = await let_time_run_out(tables, clock, number)
    assert timer_of(table).stage is TurnStage.SUBSTITUTE_ALLOWED
    assert table.seats[timer_of(table).seat].playing_computer is None
    texts = await notice_texts(tables, number)
    clock.now += DAY
    await Housekeeping(tables).do_due_work_at_tables()
    later_table = await tables.get(number)
    assert (later_table.seats, timer_of(later_table)) == (table.seats, timer_of(table)), "it is missed once"
    assert await notice_texts(tables, number) == texts


async def test_a_name_is_escaped_in_messages_and_not_on_buttons(tables: Tables, clock: ManualClock) -> None:
    """Whoever has a link as a name puts none into what the bot says of the button that bears the name."""
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.ALLOW_SUBSTITUTE))
    name = "[Ava](https://a.example)"
    rows = [replace(row, name=name) for row in (await tables.get(number)).seats]
    await change_row(tables, number, seats=tuple(rows))
    table = await let_time_run_out(tables, clock, number)
    text = (await notice_texts(tables, number))[-1]
    assert text.count(escape_markup(name)) == 2
    assert name not in text
    buttons = [part for row in board_post(table, None).rows if isinstance(row, tuple) for part in row]
    assert f"Let a computer play for {name}" in [getattr(each, "label", "") for each in buttons]


async def test_no_name_is_taken_for_that_of_whose_time_is_over(tables: Tables, clock: ManualClock) -> None:
    """Who lets a computer play may have that as a name which stands for the late player's."""
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.ALLOW_SUBSTITUTE))
    rows = [replace(row, name=LATE_PLAYER) for row in (await tables.get(number)).seats]
    await change_row(tables, number, seats=tuple(rows))
    table = await let_time_run_out(tables, clock, number)
    seat = timer_of(table).seat
    let_computer_play = partial(timeouts.let_computer_play, computer=DEFAULT_COMPUTER)
    table = await change_as(tables, number, 1 - seat, let_computer_play)
    [text] = await time_over_notices(tables, number)
    post = time_over_post(table, seat, FIRST_USER + seat, text)
    expected_text = (
        f"{escape_markup(LATE_PLAYER)} lets a computer player play for <@{FIRST_USER + seat}> until"
    )
    assert f" · {expected_text} they are back." in post.text


async def test_whoever_got_the_seat_since_was_not_late(tables: Tables, clock: ManualClock) -> None:
    """The notice that somebody's time is over names them also where their seat is somebody else's by then."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    name = (await let_time_run_out(tables, clock, number)).names[seat]
    [text] = await time_over_notices(tables, number)
    table = await give_seat_away(tables, number, seat, Person(NEWCOMER_USER, "Zoe"))
    post = time_over_post(table.with_row(status=Status.PAUSED), seat, FIRST_USER + seat, text)
    assert (f" · {name} did not play in time." in post.text, post.notified_users) == (True, ())


async def test_what_an_admin_does_is_recorded(tables: Tables, store: SqliteStore, clock: ManualClock) -> None:
    """With the role, as every act of a moderator; what a player does in the game is none."""
    for is_admin in (True, False):
        number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.ALLOW_SUBSTITUTE))
        seat = timer_of(await tables.get(number)).seat
        await let_time_run_out(tables, clock, number)
        request = request_of_person(1 - seat)
        if is_admin:
            request = replace(request, user=OUTSIDER_USER, name="Ada", is_admin=True)
        await tables.change(
            number, request, partial(timeouts.let_computer_play, request=request, computer=DEFAULT_COMPUTER)
        )
        entries = await execute_sql(store, "select entry, user from audit_log where match = ?", number)
        text = f"Ada (admin, no seat) lets a computer player play for {NAMES[seat]}."
        assert entries == ([(text, OUTSIDER_USER)] if is_admin else [])


async def test_a_deadline_that_preferences_moved_is_no_timeout(tables: Tables, clock: ManualClock) -> None:
    """What a player has set since counts before anything follows."""
    number = await begin_timed_table(tables, replace(DAY_WITH_GRACE, sleep_hours=12))
    timer = timer_of(await tables.get(number))
    assert timer.user is not None
    clock.now += DAY
    await tables.person_preferences.change(timer.user, lambda row: replace(row, time_zone="Europe/Paris"))
    await Housekeeping(tables).do_due_work_at_tables()
    moved_timer = timer_of(await tables.get(number))
    assert moved_timer.stage is TurnStage.RUNNING
    assert moved_timer.deadline is not None
    assert moved_timer.deadline > int(clock())
    assert number not in await tables.store.due_tables(int(clock()))


async def test_paused_tables_do_not_time_out(tables: Tables, clock: ManualClock) -> None:
    """A pause has no deadline: no computer player takes a seat in it."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    await change_row(tables, number, status=Status.PAUSED)
    clock.now += 30 * DAY
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.status is Status.PAUSED
    assert [row.playing_computer for row in table.seats] == [None, None]
