"""What becomes of a reminder that falls due, and whose settings and turn it is about."""

from itertools import product

import pytest
from msgspec.structs import replace

from bot.host.deciders.reminders import (
    early_notice_delivery,
    is_current_notice,
    remind,
    reminder_delivery,
    reschedule,
    with_reminder_after_absence,
)
from bot.store.clock_rows import DAY, HOUR, TurnTimer
from bot.store.delivery_rows import DeliveryKind
from bot.store.notice_rows import TurnNotices
from bot.store.preferences import PersonRow
from rules.match import Match
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.playing import FIRST_USER
from tests.bot.host.waiting_tables import SEAT_COUNT, SETUP, UTC_NOON

DEADLINE = UTC_NOON + 5 * HOUR
NOTICES = TurnNotices(0, FIRST_USER, 0, DEADLINE, UTC_NOON - DAY, due=UTC_NOON)
TABLE = make_table(SETUP, Match.begin(SETUP.game, SEAT_COUNT, SETUP.options, bytes(32))).with_row(
    turn_timer=TurnTimer(0, FIRST_USER, 0, UTC_NOON - DAY, UTC_NOON - DAY, deadline=DEADLINE),
    turn_notices=NOTICES,
)


@pytest.mark.parametrize(
    ("person", "due"),
    [
        (PersonRow(FIRST_USER, snoozed_until=DEADLINE - 1), DEADLINE - 1),
        (PersonRow(FIRST_USER, snoozed_until=DEADLINE), None),
        (PersonRow(FIRST_USER, wants_reminders=False), None),
    ],
)
def test_a_reminder_that_may_not_be_sent_is_put_off_or_dropped(person: PersonRow, due: int | None) -> None:
    """It comes when they get notices again, if that is before the deadline; until then nothing is due."""
    decision = remind(TABLE, {FIRST_USER: person}, UTC_NOON)
    assert decision is not None
    assert decision.deliveries == ()
    notices = decision.table.row.turn_notices
    assert notices is not None
    assert (notices.due, notices.sent_count) == (due, 0)
    assert remind(decision.table, {FIRST_USER: person}, UTC_NOON) is None


def test_a_reminder_is_sent_once() -> None:
    """Its player need not have set anything; before it is due nothing is sent, afterwards nothing more."""
    assert remind(TABLE, {}, UTC_NOON - 1) is None
    decision = remind(TABLE, {}, UTC_NOON)
    assert decision is not None
    assert [each.slot.kind for each in decision.deliveries] == [DeliveryKind.REMINDER]
    assert remind(decision.table, {}, UTC_NOON) is None


def test_settings_and_absences_of_others_change_no_reminder() -> None:
    """Each reminder follows what the player whose turn it is has chosen; who wants none gets none."""
    other = PersonRow(FIRST_USER + 1, reminder_interval=HOUR)
    undisturbed = PersonRow(FIRST_USER, wants_reminders=False)
    assert reschedule(TABLE, other) is None
    assert with_reminder_after_absence(TABLE, other, UTC_NOON) == TABLE
    rescheduled = reschedule(TABLE, undisturbed)
    assert rescheduled is not None
    for table in (
        rescheduled.table,
        with_reminder_after_absence(TABLE, undisturbed, UTC_NOON),
    ):
        assert table.row.turn_notices is not None
        assert table.row.turn_notices.due is None


def test_a_notice_is_about_its_turn_alone() -> None:
    """One of another turn, or of another seat, is out of date."""
    notices = replace(NOTICES, has_current_reminder=True, early_notice_seat=1)
    table = TABLE.with_row(turn_notices=notices)
    for seat, turn_start in product((0, 1), (0, 3)):
        is_turn = turn_start == 0
        assert is_current_notice(table, reminder_delivery(seat, turn_start).slot) == (is_turn and seat == 0)
        assert is_current_notice(table, early_notice_delivery(seat, turn_start).slot) == (
            is_turn and seat == 1
        )
