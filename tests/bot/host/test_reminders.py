"""Reminders of a turn: when they are sent, how often, and what becomes of them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from bot.chat.settings_pages import change_settings
from bot.host.absences import end_absence, start_absence
from bot.host.deciders import departures, moderation
from bot.host.deciders.clocks import MIN_DEADLINE_CHANGE, with_postponed_due_times
from bot.host.deciders.decision import Decision
from bot.host.deciders.reminders import MIN_INTERVAL, with_reminder_after_absence
from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeControl, TimeoutAction, TurnStage
from bot.store.notice_rows import TurnNotices
from bot.store.preferences import Absence, PersonRow
from bot.store.sqlite import SqliteStore
from rules.match import Match
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.fake_chat import FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, GUILD, ManualClock, begin, request_of_person
from tests.bot.host.waiting_tables import SEAT_COUNT, SETUP, UTC_NOON, WaitingTable


@pytest.fixture
async def waiting_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> WaitingTable:
    """Return a table at noon whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    clock.now = UTC_NOON
    waiting_table = WaitingTable(tables, clock, await begin(tables, SETUP))
    await waiting_table.send_due()
    return waiting_table


async def _set_preferences(waiting_table: WaitingTable, **changes: Any) -> None:
    """Set preferences of the person whose turn it is."""
    await change_settings(
        waiting_table.tables, await waiting_table.user_to_act(), lambda row: replace(row, **changes)
    )


async def test_somebody_who_is_back_early_is_reminded_as_usual(waiting_table: WaitingTable) -> None:
    """Not at once, but also not only when the absence would have ended."""
    user = await waiting_table.user_to_act()
    request = replace(request_of_person(0), user=user)
    await start_absence(waiting_table.tables, request, int(waiting_table.clock.now) + 10 * DAY)
    assert await waiting_table.pass_time_and_get_reminders(2 * DAY) == []
    await end_absence(waiting_table.tables, user)
    assert await waiting_table.pass_time_and_get_reminders(MIN_INTERVAL - 60) == []
    (reminder,) = await waiting_table.pass_time_and_get_reminders(60)
    assert reminder.raw_mentions == [user]


def test_no_reminder_comes_after_the_deadline() -> None:
    """Somebody who is back shortly before it is not reminded any more."""
    match = Match.begin(SETUP.game, SEAT_COUNT, SETUP.options, bytes(32))
    table = make_table(SETUP, match).with_row(
        turn_notices=TurnNotices(
            0, FIRST_USER, 0, deadline=UTC_NOON + MIN_INTERVAL, last_sent_at=UTC_NOON - DAY
        )
    )
    for now, due in ((UTC_NOON, None), (UTC_NOON - 1, UTC_NOON - 1 + MIN_INTERVAL)):
        notices = with_reminder_after_absence(table, PersonRow(FIRST_USER), now).row.turn_notices
        assert notices is not None
        assert notices.due == due


async def test_without_a_clock_two_reminders_come_a_day_apart(waiting_table: WaitingTable) -> None:
    """A reminder after a day and one after two, each alone at the table; then no more."""
    user = await waiting_table.user_to_act()
    assert await waiting_table.pass_time_and_get_reminders(DAY - HOUR) == []
    (first,) = await waiting_table.pass_time_and_get_reminders(2 * HOUR)
    assert first.content.startswith(f"**Currents · No. {waiting_table.number}** · Reminder: <@{user}>, ")
    assert first.raw_mentions == [user]
    assert labels(first)[:3] == ["Play", "My hand", "Board"]
    (second,) = await waiting_table.pass_time_and_get_reminders(DAY)
    assert waiting_table.reminders() == [second], "the older one is gone"
    assert await waiting_table.pass_time_and_get_reminders(5 * DAY, DAY / 2) == []


async def test_a_reminder_is_posted_once_if_the_older_one_is_not_deleted(waiting_table: WaitingTable) -> None:
    """It has arrived: it is not posted again, also once Discord has forgotten its nonce."""
    await waiting_table.pass_time(DAY + HOUR)

    def fail(action: str, _: FakeMessage) -> Exception | None:
        return OSError("cut") if action == "delete" else None

    waiting_table.chat.fault_of_call = fail
    while len(waiting_table.reminders()) < 2:
        await waiting_table.pass_time(HOUR / 4)
    for message in waiting_table.chat.messages.values():
        message.nonce = 0
    waiting_table.chat.fault_of_call = lambda _, __: None
    await waiting_table.pass_time(HOUR)
    assert sum("Reminder:" in message.content for message in waiting_table.chat.posted) == 2
    assert len(waiting_table.reminders()) == 1


async def test_with_a_clock_a_reminder_comes_after_half_of_the_time_left(waiting_table: WaitingTable) -> None:
    """A day on the clock: after 12 and after 18 hours, with the deadline as a time of Discord's."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    table = await waiting_table.tables.get(waiting_table.number)
    assert table.row.turn_timer is not None
    deadline = table.row.turn_timer.deadline
    assert await waiting_table.pass_time_and_get_reminders(12 * HOUR - 60) == []
    (first,) = await waiting_table.pass_time_and_get_reminders(120, 60)
    assert f"<t:{deadline}:R>" in first.content
    assert await waiting_table.pass_time_and_get_reminders(6 * HOUR - 300) == []
    assert len(await waiting_table.pass_time_and_get_reminders(600, 60)) == 1
    assert await waiting_table.pass_time_and_get_reminders(5 * HOUR) == []


async def test_the_grace_period_reminds_nobody_again(waiting_table: WaitingTable) -> None:
    """Two reminders of a turn are all, also once its time is over and the grace period runs."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    await waiting_table.pass_time(23 * HOUR, HOUR)
    assert await waiting_table.pass_time_and_get_reminders(4 * HOUR + 1800, HOUR / 2) == []
    table = await waiting_table.tables.get(waiting_table.number)
    assert table.row.turn_timer is not None
    assert table.row.turn_notices is not None
    assert table.row.turn_notices.sent_count == 2
    assert table.row.turn_timer.stage is TurnStage.GRACE


async def test_a_reminder_in_the_grace_period_says_that_the_time_is_over(waiting_table: WaitingTable) -> None:
    """As the board does: who was snoozed until then does not read that there is time."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    await _set_preferences(waiting_table, snoozed_until=UTC_NOON + DAY)
    (first,) = await waiting_table.pass_time_and_get_reminders(27 * HOUR, HOUR)
    assert "\nYour time is over. When this reminder was sent, the grace period had about " in first.content
    assert "\n-# The grace period ends <t:" in first.content
    assert "ime ends" not in first.content


async def test_a_reminder_of_a_deadline_that_is_over_is_removed(waiting_table: WaitingTable) -> None:
    """What it says about the time is not true any more; the board below says what follows."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    await waiting_table.pass_time(23 * HOUR, HOUR)
    assert len(waiting_table.reminders()) == 1
    await waiting_table.pass_time(2 * HOUR)
    assert waiting_table.reminders() == []


async def test_somebody_who_missed_the_turn_is_reminded_as_the_time_begins_again(
    waiting_table: WaitingTable,
) -> None:
    """At once, as the clock promises, and once more before the new deadline."""
    user = await waiting_table.user_to_act()
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY, on_timeout=TimeoutAction.REMIND))
    await waiting_table.pass_time(27 * HOUR + 1800, HOUR / 2)
    (reminder,) = await waiting_table.pass_time_and_get_reminders(HOUR)
    assert reminder.raw_mentions == [user]
    assert "\nWhen this reminder was sent, you had about 23 hours left." in reminder.content, (
        "it is half an hour late"
    )
    assert len(await waiting_table.pass_time_and_get_reminders(13 * HOUR, HOUR)) == 1
    assert await waiting_table.pass_time_and_get_reminders(9 * HOUR, HOUR) == []


async def test_a_downtime_after_a_missed_turn_reminds_nobody_at_once(waiting_table: WaitingTable) -> None:
    """The deadline passed while the bot was away, so nobody has missed it."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY, on_timeout=TimeoutAction.REMIND))
    await waiting_table.pass_time(30 * HOUR, HOUR / 2)
    assert len(waiting_table.reminders()) == 1
    downtime_start, waiting_table.clock.now = int(waiting_table.clock.now), waiting_table.clock.now + 3 * DAY
    await waiting_table.tables.change(
        waiting_table.number,
        None,
        lambda table: Decision(
            table=with_postponed_due_times(table, {}, downtime_start, int(waiting_table.clock.now)), answer=""
        ),
    )
    assert await waiting_table.pass_time_and_get_reminders(HOUR) == []
    assert len(await waiting_table.pass_time_and_get_reminders(12 * HOUR)) == 1


async def test_settings_after_a_missed_turn_remind_nobody_at_once(waiting_table: WaitingTable) -> None:
    """Somebody who sets a time zone, so that a night does not count any more, has missed no new deadline."""
    await waiting_table.set_time_control(
        TimeControl(turn_seconds=DAY, sleep_hours=8, on_timeout=TimeoutAction.REMIND)
    )
    assert len(await waiting_table.pass_time_and_get_reminders(30 * HOUR, HOUR / 2)) == 1
    await _set_preferences(waiting_table, time_zone="UTC")
    assert await waiting_table.pass_time_and_get_reminders(HOUR) == []
    assert waiting_table.reminders() == [], "it named the old deadline"


async def test_a_reminder_that_is_a_minute_late_names_the_whole_hours(waiting_table: WaitingTable) -> None:
    """As a rule it is: what is due is looked for each minute."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    (first,) = await waiting_table.pass_time_and_get_reminders(12 * HOUR + 60, 6 * HOUR + 30)
    assert "\nWhen this reminder was sent, you had about 12 hours left." in first.content


async def test_somebody_who_wants_no_reminders_gets_none_after_a_missed_turn(
    waiting_table: WaitingTable,
) -> None:
    """None is sent either when the time begins again."""
    await _set_preferences(waiting_table, wants_reminders=False)
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY, on_timeout=TimeoutAction.REMIND))
    assert await waiting_table.pass_time_and_get_reminders(40 * HOUR, HOUR) == []


async def test_a_reminder_says_that_the_others_may_act(waiting_table: WaitingTable) -> None:
    """Where nothing but a press of somebody else follows, the reminder names that."""
    await _set_preferences(waiting_table, reminder_interval=20 * HOUR)
    await waiting_table.set_time_control(
        TimeControl(turn_seconds=DAY, on_timeout=TimeoutAction.ALLOW_SUBSTITUTE)
    )
    (first,) = await waiting_table.pass_time_and_get_reminders(21 * HOUR, HOUR)
    assert "Your time is over" not in first.content
    (second,) = await waiting_table.pass_time_and_get_reminders(30 * HOUR, HOUR)
    over = "\nYour time is over. Until you play, the others may let a computer play for you.\n"
    assert over in second.content


async def test_an_interval_of_ones_own_holds_at_once(waiting_table: WaitingTable) -> None:
    """It holds for the turn that waits already; off means none, and on again goes on."""
    await _set_preferences(waiting_table, reminder_interval=6 * HOUR)
    assert len(await waiting_table.pass_time_and_get_reminders(6 * HOUR)) == 1
    await _set_preferences(waiting_table, wants_reminders=False)
    assert await waiting_table.pass_time_and_get_reminders(2 * DAY, HOUR) == []
    await _set_preferences(waiting_table, wants_reminders=True)
    assert len(await waiting_table.pass_time_and_get_reminders(HOUR)) == 1
    assert await waiting_table.pass_time_and_get_reminders(2 * DAY, HOUR) == []


@pytest.mark.parametrize(
    ("changes", "hours"),
    [
        ({"time_zone": "UTC", "reminder_interval": 12 * HOUR}, 20),
        ({"snoozed_until": UTC_NOON + 30 * HOUR}, 30),
        ({"absences": (Absence(UTC_NOON, UTC_NOON + 40 * HOUR, GUILD),)}, 40),
        ({"snoozed_until": UTC_NOON + 40 * HOUR, "time_zone": "UTC"}, 44),
    ],
)
async def test_a_reminder_waits_for_the_end_of_quiet_hours(
    waiting_table: WaitingTable, changes: dict[str, Any], hours: int
) -> None:
    """Quiet hours, a snooze and an absence put it off until they end, one after another."""
    await _set_preferences(waiting_table, **changes)
    assert await waiting_table.pass_time_and_get_reminders(hours * HOUR - 60, HOUR / 2) == []
    assert len(await waiting_table.pass_time_and_get_reminders(120, 60)) == 1


async def test_a_moved_deadline_reminds_again(waiting_table: WaitingTable) -> None:
    """The count begins again, since what the reminders said is not true any more."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    await waiting_table.pass_time(20 * HOUR, HOUR)
    table = await waiting_table.tables.get(waiting_table.number)
    assert table.row.turn_notices is not None
    assert (table.row.turn_notices.sent_count, table.row.turn_notices.due) == (2, None)
    await waiting_table.set_time_control(None)
    await waiting_table.set_time_control(TimeControl(turn_seconds=2 * DAY))
    (next_reminder,) = await waiting_table.pass_time_and_get_reminders(26 * HOUR, HOUR)
    table = await waiting_table.tables.get(waiting_table.number)
    assert table.row.turn_timer is not None
    assert f"<t:{table.row.turn_timer.deadline}:R>" in next_reminder.content


async def test_a_deadline_that_hardly_moves_reminds_no_more_often(waiting_table: WaitingTable) -> None:
    """A minute more, after a short downtime, begins no new count."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    await waiting_table.pass_time(20 * HOUR, HOUR)
    notices_before = (await waiting_table.tables.get(waiting_table.number)).row.turn_notices
    assert notices_before is not None
    await _extend_turn(waiting_table, 60)
    assert (await waiting_table.tables.get(waiting_table.number)).row.turn_notices == notices_before


async def test_short_moves_of_a_deadline_add_up(waiting_table: WaitingTable) -> None:
    """Once it is an hour from what the last reminder has named, the person is reminded again."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    assert len(await waiting_table.pass_time_and_get_reminders(13 * HOUR)) == 1
    deadline = await _extend_turn(waiting_table, MIN_DEADLINE_CHANGE // 2)
    (second,) = await waiting_table.pass_time_and_get_reminders(6 * HOUR)
    assert f"<t:{deadline}:R>" in second.content, "the reminder names the deadline as it is then"
    await _extend_turn(waiting_table, MIN_DEADLINE_CHANGE // 2)
    assert await waiting_table.pass_time_and_get_reminders(2 * HOUR) == []
    deadline = await _extend_turn(waiting_table, MIN_DEADLINE_CHANGE // 2)
    (third,) = await waiting_table.pass_time_and_get_reminders(3 * HOUR)
    assert f"<t:{deadline}:R>" in third.content


async def _extend_turn(waiting_table: WaitingTable, seconds: int) -> int | None:
    """Have the turn last longer; return its deadline."""

    def extend(table: Table) -> Decision:
        assert table.row.turn_timer is not None
        seconds_left = (table.row.turn_timer.seconds_left or 0) + seconds
        return Decision(
            table=table.with_row(turn_timer=replace(table.row.turn_timer, seconds_left=seconds_left)),
            answer="",
        )

    timer = (await waiting_table.tables.change(waiting_table.number, None, extend)).table.row.turn_timer
    assert timer is not None
    return timer.deadline


def _pause(table: Any) -> Decision:
    return moderation.pause(table, request_of_person(0))


def _freeze(table: Any) -> Decision:
    return Decision(table=table.as_frozen(), answer="")


@pytest.mark.parametrize("stop", [_pause, _freeze])
async def test_no_reminder_of_a_game_that_rests(
    waiting_table: WaitingTable, stop: Callable[[Any], Decision]
) -> None:
    """A paused or frozen table reminds nobody, and its reminder is taken away."""
    assert await waiting_table.pass_time_and_get_reminders(25 * HOUR, HOUR)
    await waiting_table.tables.change(waiting_table.number, None, stop)
    await waiting_table.send_due()
    assert waiting_table.reminders() == []
    assert await waiting_table.pass_time_and_get_reminders(5 * DAY, DAY / 2) == []


async def test_the_end_of_the_turn_removes_the_reminder(waiting_table: WaitingTable) -> None:
    """The next player gets reminders of their own turn; an undo counts as a new turn."""
    assert await waiting_table.pass_time_and_get_reminders(25 * HOUR, HOUR)
    first_user, kept_length = await waiting_table.user_to_act(), await waiting_table.history_length()
    await waiting_table.play_turn()
    await waiting_table.send_due()
    assert waiting_table.reminders() == []
    (other_reminder,) = await waiting_table.pass_time_and_get_reminders(25 * HOUR, HOUR)
    assert other_reminder.raw_mentions == [await waiting_table.user_to_act()] != [first_user]
    await waiting_table.roll_back(kept_length)
    await waiting_table.send_due()
    assert waiting_table.reminders() == []
    (first_users_reminder,) = await waiting_table.pass_time_and_get_reminders(25 * HOUR, HOUR)
    assert first_users_reminder.raw_mentions == [first_user]


async def test_a_reminder_of_a_turn_taken_up_again_is_deleted_once(waiting_table: WaitingTable) -> None:
    """The call that deletes it is not repeated when its turn has another reminder."""
    deleted_ids = []

    def note_deletion(action: str, message: FakeMessage) -> None:
        if action == "delete" and "Reminder:" in message.content:  # a roll-back deletes the old board, too
            deleted_ids.append(message.id)

    waiting_table.chat.fault_of_call = note_deletion
    kept_length = await waiting_table.history_length()
    for _ in range(3):
        assert await waiting_table.pass_time_and_get_reminders(25 * HOUR, HOUR)
        await waiting_table.play_turn()
        await waiting_table.send_due()
        await waiting_table.roll_back(kept_length)
        await waiting_table.send_due()
    assert len(deleted_ids) == 3
    assert len(set(deleted_ids)) == 3


async def test_a_computer_player_is_not_reminded(tables: Tables, clock: ManualClock) -> None:
    """Nothing is scheduled for a seat that a computer player takes over in its turn."""
    number = await begin(tables, SETUP)
    table_before = await tables.get(number)
    assert table_before.to_act is not None
    assert table_before.row.turn_notices is not None
    request = request_of_person(table_before.to_act)
    resign = partial(departures.resign, request=request, computer="casual")
    table = (await tables.change(number, request, resign)).table
    assert table.to_act == table_before.to_act
    assert table.row.turn_notices is None


async def test_a_restart_neither_loses_nor_doubles_a_reminder(
    waiting_table: WaitingTable, store: SqliteStore, clock: ManualClock
) -> None:
    """What was due while the bot was away comes once; what was sent before is not sent again."""
    clock.now += 10 * DAY
    for _ in range(2):
        tables = Tables(store, GAMES_AND_TOYS, clock)
        await Housekeeping(tables).do_due_work_at_tables()
    restarted = WaitingTable(
        Tables(store, GAMES_AND_TOYS, clock), clock, waiting_table.number, waiting_table.chat
    )
    await restarted.send_due()
    assert len(restarted.reminders()) == 1
    assert len(await restarted.pass_time_and_get_reminders(10 * DAY, DAY / 2)) == 1, "the second of two"


async def test_a_lost_answer_does_not_double_a_reminder(waiting_table: WaitingTable) -> None:
    """One that arrived without an answer is recognised by its nonce, or minutes later by its buttons."""
    for seconds in (1.0, 1000.0):
        lost = waiting_table.chat.lose_one_answer(lambda message: "Reminder:" in message.content)
        await waiting_table.pass_time(25 * HOUR, 25 * HOUR)
        assert lost
        waiting_table.clock.now += seconds
        await waiting_table.send_due()
        assert waiting_table.reminders() == lost
        await waiting_table.play_turn()
        await waiting_table.send_due()
        assert waiting_table.reminders() == []


async def test_a_reminder_that_waited_in_a_downtime_names_no_deadline_that_is_over(
    waiting_table: WaitingTable, store: SqliteStore, clock: ManualClock
) -> None:
    """It is not sent before the deadline has moved, so that its player is reminded once, of the new one."""
    await waiting_table.set_time_control(TimeControl(turn_seconds=DAY))
    waiting_table.chat.fault_of_call = lambda action, _: http_error(0, 503) if action == "post" else None
    await waiting_table.pass_time(13 * HOUR)
    await Housekeeping(waiting_table.tables).do_due_work()
    waiting_table.chat.fault_of_call = lambda _, __: None
    clock.now += 3 * DAY
    restarted = WaitingTable(
        Tables(store, GAMES_AND_TOYS, clock), clock, waiting_table.number, waiting_table.chat
    )
    await restarted.send_due()
    assert restarted.reminders() == []
    await Housekeeping(restarted.tables).do_due_work()
    await restarted.send_due()
    (reminder,) = await restarted.pass_time_and_get_reminders(10 * HOUR)
    assert [each for each in waiting_table.chat.posted if "Reminder:" in each.content] == [reminder]


async def test_a_reminder_that_comes_late_notifies_nobody_at_night(waiting_table: WaitingTable) -> None:
    """If Discord is away until the quiet hours, the reminder names its player without a notification."""
    await _set_preferences(waiting_table, time_zone="UTC", reminder_interval=6 * HOUR)
    waiting_table.chat.fault_of_call = lambda action, _: http_error(0, 503) if action == "post" else None
    await waiting_table.pass_time(11 * HOUR)
    waiting_table.chat.fault_of_call = lambda _, __: None
    (late_reminder,) = await waiting_table.pass_time_and_get_reminders(4 * HOUR)
    assert late_reminder.raw_mentions == []


@pytest.mark.parametrize(("guild", "is_notified"), [(GUILD, False), (GUILD + 1, True)])
async def test_a_reminder_that_comes_late_notifies_nobody_who_is_away(
    waiting_table: WaitingTable, guild: int, *, is_notified: bool
) -> None:
    """If its player is away by then, only an absence from another server leaves the notification."""
    await _set_preferences(waiting_table, reminder_interval=6 * HOUR)
    waiting_table.chat.fault_of_call = lambda action, _: http_error(0, 503) if action == "post" else None
    await waiting_table.pass_time(7 * HOUR)
    waiting_table.chat.fault_of_call = lambda _, __: None
    await _set_preferences(waiting_table, absences=(Absence(UTC_NOON, UTC_NOON + 9 * DAY, guild),))
    (late_reminder,) = await waiting_table.pass_time_and_get_reminders(HOUR)
    assert bool(late_reminder.raw_mentions) is is_notified


def test_somebody_who_has_set_nothing_is_reminded() -> None:
    """Reminders are on, early notices off."""
    assert PersonRow(1).wants_reminders
    assert not PersonRow(1).wants_early_notice
