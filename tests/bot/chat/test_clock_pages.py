"""The page of the clock: what it offers reads back, fits, and says what is chosen."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot import limits
from bot.chat import clock_pages
from bot.chat.clock_pages import SLEEP_HOURS, TIMES, clock_choices, clock_post, parse_time, time_text
from bot.chat.components import Select
from bot.chat.lobby_posts import lobby_post
from bot.chat.posts import board_post
from bot.chat.table_commands import table_status_post
from bot.host.clock_texts import control_text, rough_duration
from bot.host.request import Refusal
from bot.store.clock_rows import DAY, TimeControl, TimeoutAction, TurnStage, TurnTimer
from bot.store.rows import Status
from bot.store.seat_rows import SeatOffer
from rules.catalogue import GAMES
from tests.bot.chat.sample_tables import sample_tables

GAME = next(iter(GAMES.values()))

controls = st.builds(
    lambda time, sleep, action: replace(parse_time(time), sleep_hours=sleep, on_timeout=action),  # type: ignore[type-var]
    st.sampled_from(TIMES),
    st.sampled_from(SLEEP_HOURS),
    st.sampled_from(TimeoutAction),
)


@given(controls)
def test_what_a_button_carries_reads_back(control: TimeControl) -> None:
    """Every clock that the page can show is carried whole by its buttons, and named by its text."""
    assert clock_pages._decode(clock_pages._encode(control)) == control
    assert parse_time(time_text(control)) == replace(
        control, sleep_hours=clock_pages.DEFAULT_SLEEP, on_timeout=TimeoutAction.SUBSTITUTE
    )


@pytest.mark.parametrize("text", ["", "1", "0d", "5m", "31d", "29d+2d", "1d+", "+1d", "1d 8", "99999d"])
def test_no_other_clock_is_read(text: str) -> None:
    """What is none is refused, and so is a turn that lasts longer than a month."""
    with pytest.raises(Refusal):
        parse_time(text)


@pytest.mark.parametrize("words", ["1d 7 claim", "1d x claim", "1d 8 win", "1d 8"])
def test_forged_buttons_are_refused(words: str) -> None:
    """A button that no page has shown chooses nothing."""
    with pytest.raises(Refusal):
        clock_pages._decode(words)


def test_labels_of_choices_are_told_apart() -> None:
    """No two choices of a select read the same, and all fit."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    post = clock_post(table, parse_time("1d"))
    assert "Without a time zone every hour counts." in post.text
    selects = [row[0] for row in post.rows if isinstance(row, tuple) and isinstance(row[0], Select)]
    assert len(selects) == 3
    for select in selects:
        labels = [label for label, _, _ in select.options]
        assert len(set(labels)) == len(labels)
        assert all(len(label) <= limits.CHOICE_NAME for label in labels)
    assert all(len(choice.name) <= limits.CHOICE_NAME for choice in clock_choices())
    assert len(clock_post(table, None).rows) < len(post.rows)


def test_texts() -> None:
    """A clock is said in one way."""
    assert control_text(parse_time("3d+12h")) == "12 hours a turn, and up to 3 days saved"
    assert control_text(parse_time("7d")) == "1 week a turn"
    assert control_text(None) == "No clock"


def test_rough_durations() -> None:
    """The largest unit of which there are two, rounded down; nothing is less than a minute."""
    found = [rough_duration(each) for each in (0, 119, 7_199, 7_200, 47 * 3600, 2 * DAY, 13 * DAY)]
    assert found == ["1 minute", "1 minute", "119 minutes", "2 hours", "47 hours", "2 days", "13 days"]


def test_times_are_shown_as_timestamps() -> None:
    """Board, lobby and ``/table show`` say until when, who is away, and for whom a computer plays."""
    table = sample_tables(GAME.key, 1, random.Random(1))[0]
    seat = table.to_act
    assert seat is not None
    timer = TurnTimer(seat, table.seats[seat].user, 0, 5, 5, seconds_left=DAY, deadline=1_790_000_000)
    timed = table.with_row(time_control=TimeControl(turn=DAY, sleep_hours=8), turn_timer=timer)
    ends = "Clock: 1 day a turn. This turn ends <t:1790000000:f>, <t:1790000000:R>."
    assert board_post(timed, seat).text.endswith(f"\n-# {ends}")
    assert "<t:1790000000:R>" in table_status_post(timed).text
    late = timed.with_row(turn_timer=replace(timer, stage=TurnStage.GRACE))
    assert "The grace period ends <t:1790000000:f>" in board_post(late, seat).text
    claimable = timed.with_row(turn_timer=replace(timer, stage=TurnStage.CLAIMABLE, deadline=None))
    may = f"Time is over. Until {table.names[seat]} plays, the others may let a computer play"
    assert f"{may} or offer the seat to anybody." in board_post(claimable, seat).text
    offer = SeatOffer(1, DAY, 0, "", anyone=True)
    offered = claimable.with_seat(seat, replace(table.seats[seat], offer=offer))
    assert f"{may}." in board_post(offered, seat).text
    rows = [row for row in board_post(claimable, seat).rows if isinstance(row, tuple)]
    labels = [getattr(part, "label", "") for row in rows for part in row]
    assert f"Let a computer play for {table.plain_names[seat]}" in labels
    row = replace(table.seats[seat], substitute="casual", away_until=1_790_000_500)
    gone = table.with_seat(seat, row)
    for text in (board_post(gone, None).text, table_status_post(gone).text):
        assert "<t:1790000500:f>" in text
        assert "computer" in text
    lobby = timed.with_row(status=Status.LOBBY, expires_at=9)
    assert "Clock: 1 day a turn. 8 hours" in lobby_post(lobby).text
