"""The page of the clock, and what boards and ``/table show`` say of a clock, its deadline and a lobby."""

import dataclasses
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot import limits
from bot.chat import clock_pages
from bot.chat.clock_pages import (
    OFFERED_CLOCKS,
    OFFERED_SLEEP_HOURS,
    clock_choices,
    clock_post,
    parse_time_control,
    write_time_control,
)
from bot.chat.components import Select
from bot.chat.lobby_posts import lobby_post
from bot.chat.posts import board_post
from bot.chat.table_commands import table_status_post
from bot.host.clock_texts import rough_duration_text, time_control_conditions_text, time_control_text
from bot.host.deciders.timeouts import with_restarted_turn_time
from bot.host.request import Refusal
from bot.host.table import Table
from bot.store.clock_rows import DAY, SeatClock, TimeControl, TimeoutAction, TurnStage, TurnTimer
from bot.store.rows import Status
from bot.store.seat_rows import SeatOffer
from rules.catalogue import GAMES
from rules.model import Seat
from tests.bot.chat.sample_tables import sample_tables

GAME = next(iter(GAMES.values()))


@st.composite
def time_controls(draw: st.DrawFn) -> TimeControl:
    """Return a clock that the page can show."""
    control = parse_time_control(draw(st.sampled_from(OFFERED_CLOCKS)))
    assert control is not None
    sleep, action = draw(st.sampled_from(OFFERED_SLEEP_HOURS)), draw(st.sampled_from(TimeoutAction))
    return replace(control, sleep_hours=sleep, on_timeout=action)


@given(time_controls())
def test_what_a_button_carries_reads_back(control: TimeControl) -> None:
    """Every clock that the page can show is carried whole by its buttons; its text names turn and reserve."""
    assert clock_pages._parse_argument(clock_pages._write_argument(control)) == control
    assert parse_time_control(write_time_control(control)) == replace(
        control, sleep_hours=clock_pages.DEFAULT_SLEEP_HOURS, on_timeout=TimeoutAction.SUBSTITUTE
    )


@pytest.mark.parametrize("text", ["", "1", "0d", "5m", "31d", "29d+2d", "1d+", "+1d", "1d 8", "99999d"])
def test_what_is_no_clock_is_refused(text: str) -> None:
    """What is none is refused, and so is a turn that lasts longer than a month."""
    with pytest.raises(Refusal):
        parse_time_control(text)


@pytest.mark.parametrize("argument", ["1d 7 allow substitute", "1d x allow substitute", "1d 8 win", "1d 8"])
def test_forged_buttons_are_refused(argument: str) -> None:
    """A button that no page has shown chooses nothing."""
    with pytest.raises(Refusal):
        clock_pages._parse_argument(argument)


def test_labels_of_choices_are_told_apart() -> None:
    """No two choices of a select read the same, and all fit; without a clock there are fewer to make."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    post = clock_post(table, parse_time_control("1d"))
    assert post.text.count("time zone") == 1, "said once"
    selects = [row[0] for row in post.rows if isinstance(row, tuple) and isinstance(row[0], Select)]
    assert len(selects) == 3
    for select in selects:
        labels = [label for label, _, _ in select.options]
        assert len(set(labels)) == len(labels)
        assert all(len(label) <= limits.CHOICE_NAME for label in labels)
    assert all(len(choice.name) <= limits.CHOICE_NAME for choice in clock_choices())
    assert len(clock_post(table, None).rows) < len(post.rows)


def test_a_clock_is_said_in_one_way() -> None:
    """A turn, a reserve and no clock have one wording each, however the clock was typed."""
    assert time_control_text(parse_time_control("3d+12h")) == "12 hours a turn, and 3 days in reserve"
    assert time_control_text(parse_time_control("7d")) == "1 week a turn"
    assert time_control_text(None) == "No clock"


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (
            TimeControl(turn_seconds=DAY, grace_seconds=0),
            "After a deadline a computer plays until the player is back.",
        ),
        (
            TimeControl(
                turn_seconds=DAY, bank_seconds=DAY, sleep_hours=9, on_timeout=TimeoutAction.PLAY_TURN
            ),
            (
                "Time left after a turn refills the reserve."
                " 9 hours of each night do not count, once you set a time zone in `/settings`."
                " 4 hours after a deadline a computer plays this one turn."
            ),
        ),
    ],
)
def test_the_conditions_of_a_clock_are_said(control: TimeControl, text: str) -> None:
    """Each part is said if it is there: reserve, sleep and grace period."""
    assert time_control_conditions_text(control) == text


def test_rough_durations_are_rounded_down() -> None:
    """The largest unit of which there are two, rounded down; nothing is less than a minute."""
    texts = [rough_duration_text(each) for each in (0, 119, 7_199, 7_200, 47 * 3600, 2 * DAY, 13 * DAY)]
    assert texts == ["1 minute", "1 minute", "119 minutes", "2 hours", "47 hours", "2 days", "13 days"]


def timed_table_and_timer() -> tuple[Table, TurnTimer]:
    """Return a table with a clock, and the timer of its turn, which ends at 1,790,000,000."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    seat = table.to_act
    assert seat is not None
    timer = TurnTimer(seat, table.seats[seat].user, 0, 5, 5, seconds_left=DAY, deadline=1_790_000_000)
    return table.with_row(time_control=TimeControl(turn_seconds=DAY, sleep_hours=8), turn_timer=timer), timer


def test_deadlines_are_shown_as_timestamps() -> None:
    """Board and ``/table show`` say until when the turn or its grace period lasts; a lobby says its clock."""
    timed_table, timer = timed_table_and_timer()
    clock_text = "Clock: 1 day a turn. This turn ends <t:1790000000:f>, <t:1790000000:R>."
    assert board_post(timed_table, timed_table.to_act).text.endswith(f"\n-# {clock_text}")
    assert "<t:1790000000:R>" in table_status_post(timed_table).text
    late_table = timed_table.with_row(turn_timer=replace(timer, stage=TurnStage.GRACE))
    assert "The grace period ends <t:1790000000:f>" in board_post(late_table, late_table.to_act).text
    assert "The time of this turn is over. The grace period ends <t:1" in table_status_post(late_table).text
    assert "This turn ends" not in table_status_post(late_table).text
    lobby = timed_table.with_row(status=Status.LOBBY, expires_at=9)
    assert "Clock: 1 day a turn. 8 hours" in lobby_post(lobby).text


def test_the_others_read_what_they_may_do_when_time_is_over() -> None:
    """They may let a computer play, or offer the seat unless it is offered already."""
    table, timer = timed_table_and_timer()
    seat = Seat(timer.seat)
    substitute_allowed_table = table.with_row(
        turn_timer=replace(timer, stage=TurnStage.SUBSTITUTE_ALLOWED, deadline=None)
    )
    assert "The time of this turn is over." in table_status_post(substitute_allowed_table).text
    consent_text = f"Time is over. Until {table.names[seat]} plays, the others may let a computer play"
    assert f"{consent_text} or offer the seat to anybody." in board_post(substitute_allowed_table, seat).text
    offer = SeatOffer(1, DAY, 0, "", is_for_anybody=True)
    offered_table = substitute_allowed_table.with_seat(seat, replace(table.seats[seat], offer=offer))
    assert f"{consent_text}." in board_post(offered_table, seat).text
    rows = [row for row in board_post(substitute_allowed_table, seat).rows if isinstance(row, tuple)]
    labels = [getattr(control, "label", "") for row in rows for control in row]
    assert f"Let a computer play for {table.plain_names[seat]}" in labels


def test_a_substitute_is_shown_with_the_end_of_the_absence() -> None:
    """A game that is over says only that a computer played at the end: nobody comes back any more."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    seat = table.to_act
    assert seat is not None
    row = replace(table.seats[seat], substitute="casual", substituted_since_index=0, away_until=1_790_000_500)
    substituted_table = table.with_seat(seat, row)
    for text in (board_post(substituted_table, None).text, table_status_post(substituted_table).text):
        assert "<t:1790000500:f>" in text
        assert "computer" in text
    over_text = table_status_post(substituted_table.with_row(status=Status.OVER)).text
    assert "(a computer played at the end)" in over_text
    assert "away until" not in over_text


def test_saved_time_is_shown_of_those_who_are_not_to_move() -> None:
    """``/table show`` says what each has saved; who is to move sees the end of the turn."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    assert table.to_act is not None
    waiting_seat = 1 - table.to_act
    timed_table = table.with_row(time_control=TimeControl(turn_seconds=DAY, bank_seconds=3 * DAY))
    assert table_status_post(timed_table).text.count(" · 3 days in reserve") == 1
    spent_table = timed_table.with_seat(
        waiting_seat, replace(timed_table.seats[waiting_seat], clock=SeatClock(bank_seconds=0))
    )
    assert " · nothing in reserve" in table_status_post(spent_table).text
    assert " in reserve" not in table_status_post(table).text


def test_a_pause_shows_no_reserve_that_the_turn_has_used() -> None:
    """The time left of a turn that stands still includes the reserve; a turn that begins anew has all."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    assert table.to_act is not None
    timer = TurnTimer(table.to_act, table.seats[table.to_act].user, 0, 5, 5, seconds_left=60)
    control = TimeControl(turn_seconds=DAY, bank_seconds=3 * DAY)
    paused = table.with_row(time_control=control, status=Status.PAUSED, turn_timer=timer)
    assert table_status_post(paused).text.count(" · 3 days in reserve") == 1
    assert table_status_post(with_restarted_turn_time(paused)).text.count(" · 3 days in reserve") == 2


def test_a_clock_that_nobody_has_agreed_to_is_shown_as_such() -> None:
    """In a game a choice on the page changes nothing until it is asked for; in a lobby it counts at once."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    control = parse_time_control("1d")
    assert "This changes nothing yet." in clock_post(table, control).text
    assert "changes nothing" not in clock_post(table.with_row(time_control=control), control).text
    assert "changes nothing" not in clock_post(table.with_row(status=Status.LOBBY), control).text


def test_a_lobby_is_shown_as_one() -> None:
    """``/table show`` counts no moves before there are any, and says that the game is not played yet."""
    played = sample_tables(GAME.key, 1, random.Random(1))[0]
    lobby = dataclasses.replace(played.with_row(status=Status.LOBBY), match=None)
    assert " moves" in table_status_post(played).text
    assert "-# Played in <#" in table_status_post(played).text
    head, *_, last = table_status_post(lobby).text.splitlines()
    assert head.endswith(" · waiting for players")
    assert last.startswith("-# The lobby is in <#")
    closed = table_status_post(lobby.with_row(status=Status.CLOSED)).text
    assert closed.splitlines()[-1].startswith("-# The lobby was in <#"), "nothing was played"
