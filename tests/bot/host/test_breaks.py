"""Counted time: sleep and absences stop a clock, in every time zone and over changes of the clocks."""

from datetime import datetime
from itertools import pairwise, takewhile
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.host.breaks import away_until, breaks_since, counted_seconds, deadline_after
from bot.store.clock_rows import DAY
from bot.store.preferences import Absence, PersonRow, QuietHours

ZONES: Final = (
    None,
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",  # half an hour of summer time
    "Pacific/Apia",  # left out a day
    "Asia/Kathmandu",
    "UTC",
)
FIRST_TIME, LAST_TIME = 1_300_000_000, 1_900_000_000

times = st.integers(FIRST_TIME, LAST_TIME)
durations = st.integers(0, 10 * DAY)
sleeps = st.sampled_from((0, 8, 9, 12))
delays = st.integers(-10 * DAY, 20 * DAY)


@st.composite
def people_at_times(draw: st.DrawFn) -> tuple[PersonRow | None, int]:
    """Return a person, perhaps with absences around a time that meet each other and nights, and that time."""
    since = draw(times)
    begins_and_lengths = draw(st.none() | st.lists(st.tuples(delays, durations), max_size=3))
    if begins_and_lengths is None:
        return None, since
    return PersonRow(
        1,
        time_zone=draw(st.sampled_from(ZONES)),
        quiet_hours=QuietHours(draw(st.integers(0, 24 * 60 - 1)), 0),
        absences=tuple(
            Absence(since + delay, since + delay + length) for delay, length in begins_and_lengths
        ),
    ), since


def local_timestamp(zone: str, *parts: int) -> int:
    """Return a local time as seconds since 1970, in UTC."""
    year, month, day, hour = parts
    return int(datetime(year, month, day, hour, tzinfo=ZoneInfo(zone)).timestamp())


@given(people_at_times(), sleeps)
@example((PersonRow(1, absences=(Absence(20, 30), Absence(30, 40), Absence(50, 50))), 10), 0)
def test_breaks_are_ordered_and_apart(person_at: tuple[PersonRow | None, int], sleep_hours: int) -> None:
    """No break is empty, begins before it is asked for, or touches the next."""
    person, since = person_at
    found_breaks = list(
        takewhile(lambda each: each.begin < since + 20 * DAY, breaks_since(person, sleep_hours, since))
    )
    assert all(since <= each.begin < each.end for each in found_breaks)
    assert all(first.end < second.begin for first, second in pairwise(found_breaks))


@given(people_at_times(), sleeps, durations, durations)
def test_counted_time_adds_up(
    person_at: tuple[PersonRow | None, int], sleep_hours: int, first_seconds: int, second_seconds: int
) -> None:
    """It is never negative, never more than the time that passes, and adds up over any split."""
    person, begin = person_at
    middle, end = begin + first_seconds, begin + first_seconds + second_seconds
    parts = (
        counted_seconds(person, sleep_hours, begin, middle),
        counted_seconds(person, sleep_hours, middle, end),
    )
    assert 0 <= parts[0] <= first_seconds
    assert counted_seconds(person, sleep_hours, begin, end) == sum(parts)


@given(people_at_times(), sleeps, durations, st.integers(0, DAY))
def test_a_deadline_is_the_first_time_at_which_all_has_counted(
    person_at: tuple[PersonRow | None, int], sleep_hours: int, seconds: int, more_seconds: int
) -> None:
    """Counting up to a deadline gives the seconds again, a second less before it; more time is no earlier."""
    person, since = person_at
    deadline = deadline_after(person, sleep_hours, since, seconds)
    assert counted_seconds(person, sleep_hours, since, deadline) == seconds
    if seconds:
        assert counted_seconds(person, sleep_hours, since, deadline - 1) == seconds - 1
    assert deadline_after(person, sleep_hours, since, seconds + more_seconds) >= deadline + more_seconds
    if (first_break := next(iter(breaks_since(person, sleep_hours, since)), None)) is not None:
        seconds_before = counted_seconds(person, sleep_hours, since, first_break.begin)
        assert deadline_after(person, sleep_hours, since, seconds_before) == first_break.begin


@given(st.sampled_from([zone for zone in ZONES if zone]), sleeps, times)
def test_each_night_is_as_long_as_was_chosen(zone: str, sleep_hours: int, since: int) -> None:
    """Two weeks have fourteen nights, give or take one night and one hour, whatever the clocks do."""
    person = PersonRow(1, time_zone=zone)
    counted_time = counted_seconds(person, sleep_hours, since, since + 14 * DAY)
    slept_time = 14 * DAY - counted_time
    assert abs(slept_time - 14 * sleep_hours * 3600) <= (sleep_hours + 1) * 3600


def test_a_night_begins_with_the_quiet_hours_also_when_the_clocks_change() -> None:
    """In Paris 22:00 is 21:00 UTC in winter and 20:00 in summer."""
    person = PersonRow(1, time_zone="Europe/Paris")
    since = local_timestamp("Europe/Paris", 2026, 3, 28, 12)
    found_breaks = list(takewhile(lambda each: each.begin < since + 2 * DAY, breaks_since(person, 8, since)))
    assert [each.begin for each in found_breaks] == [
        local_timestamp("Europe/Paris", 2026, 3, 28, 22),
        local_timestamp("Europe/Paris", 2026, 3, 29, 22),
    ]
    assert found_breaks[0].begin + 23 * 3600 == found_breaks[1].begin
    assert {each.end - each.begin for each in found_breaks} == {8 * 3600}


@pytest.mark.parametrize("end", range(0, 24 * 60, 60))
def test_somebody_who_is_never_quiet_sleeps_at_night(end: int) -> None:
    """Without quiet hours a night begins at the usual hour, whenever the hours that were removed ended."""
    person = PersonRow(1, time_zone="UTC", quiet_hours=QuietHours(end, end))
    midnight = 1_790_000_000 // DAY * DAY
    first, second = list(
        takewhile(lambda each: each.begin < midnight + DAY, breaks_since(person, 8, midnight))
    )
    assert first == (midnight, midnight + 6 * 3600)
    assert second == (midnight + 22 * 3600, midnight + 30 * 3600)


def test_without_a_time_zone_there_is_no_sleep() -> None:
    """Nor with a name that is none; an absence counts all the same."""
    for name in (None, "", "Mars/Olympus", "../etc/passwd", "Europe"):
        person = PersonRow(1, time_zone=name, absences=(Absence(FIRST_TIME + 10, FIRST_TIME + 30),))
        assert counted_seconds(person, 8, FIRST_TIME, FIRST_TIME + 5 * DAY) == 5 * DAY - 20


def test_absences_that_overlap_end_with_the_latest() -> None:
    """A person is away until the latest of the running absences ends."""
    person = PersonRow(1, absences=(Absence(10, 20), Absence(15, 40), Absence(50, 60)))
    assert [away_until(person, now) for now in (9, 10, 15, 20, 39, 40, 55)] == [
        None,
        20,
        40,
        40,
        40,
        None,
        60,
    ]
    assert away_until(None, 15) is None
