"""Time zones by city, and quiet hours in them, also over midnight and when clocks change."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.host.local_time import (
    find_zones,
    local_time_text,
    quiet_hours_end,
    quiet_hours_end_tomorrow,
    zone_city,
    zone_label,
    zone_names,
)
from bot.store.preferences import PersonRow, QuietHours

PARIS = ZoneInfo("Europe/Paris")


def _local_timestamp(text: str, zone: ZoneInfo = PARIS) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def test_zones_are_found_by_city() -> None:
    """A city, a zone's name or a part of one is understood, in any case and with blanks."""
    assert find_zones("paris") == find_zones("Europe/Paris") == ("Europe/Paris",)
    assert find_zones("new york") == ("America/New_York",)
    assert find_zones("UTC") == ("UTC",)
    assert find_zones("no such place") == ()
    assert find_zones("lond") == ("Europe/London",)
    assert {"America/Argentina/San_Juan", "America/Santiago"} <= set(find_zones("san"))
    assert find_zones("york")[0] == "America/New_York"
    assert find_zones("Germany")[0] == "Europe/Berlin"
    assert find_zones("Britain") == ("Europe/London",)
    assert set(find_zones("spain")) == {"Europe/Madrid", "Africa/Ceuta", "Atlantic/Canary"}
    assert find_zones("Singapore") == ("Asia/Singapore",)
    assert find_zones("UK") == find_zones("England") == ("Europe/London",), "tzdata says Britain (UK)"
    assert find_zones("USA") == find_zones("United States")
    assert "Pacific/Apia" in find_zones("Samoa"), "the country is meant before US/Samoa"
    assert zone_label("America/Argentina/San_Juan") == "San Juan (Argentina)"
    assert zone_city("America/Argentina/San_Juan") == "San Juan"
    assert all(find_zones(name) == (name,) for name in zone_names()), "a name of a zone means that zone"


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-11-22T21:59", None),
        ("2026-11-22T22:00", "2026-11-23T08:00"),
        ("2026-11-23T03:00", "2026-11-23T08:00"),
        ("2026-11-23T08:00", None),
        ("2026-10-24T23:00", "2026-10-25T08:00"),
        ("2026-03-28T23:00", "2026-03-29T08:00"),
    ],
)
def test_quiet_hours_over_midnight_end_in_the_morning(now: str, end: str | None) -> None:
    """They end in the morning of the person's own zone, also in the nights when clocks change."""
    found = quiet_hours_end(PersonRow(1, "Europe/Paris"), _local_timestamp(now))
    assert found == (None if end is None else _local_timestamp(end))


@pytest.mark.parametrize("zone_name", ["Europe/Paris", "Australia/Lord_Howe", "Antarctica/Troll"])
@pytest.mark.parametrize("begin", [0, 1, 22])
def test_quiet_hours_end_after_now(zone_name: str, begin: int) -> None:
    """They end after now, also in a night in which clocks change by half an hour, an hour or two."""
    zone = ZoneInfo(zone_name)
    for end in range(24):
        person = PersonRow(1, zone_name, QuietHours(begin * 60, end * 60))
        for day in ("2026-03-28", "2026-04-04", "2026-10-03", "2026-10-24"):
            times = [_local_timestamp(f"{day}T20:00", zone) + 900 * quarter for quarter in range(48)]
            assert all((quiet_hours_end(person, now) or now + 1) > now for now in times)


def test_quiet_hours_may_lie_within_a_day_or_be_none() -> None:
    """They may lie within a day; without a time zone, or if they end when they begin, there are none."""
    person_quiet_at_noon = PersonRow(1, "Europe/Paris", QuietHours(12 * 60, 14 * 60))
    assert quiet_hours_end(person_quiet_at_noon, _local_timestamp("2026-11-22T13:00")) == _local_timestamp(
        "2026-11-22T14:00"
    )
    assert quiet_hours_end(person_quiet_at_noon, _local_timestamp("2026-11-22T14:00")) is None
    night = _local_timestamp("2026-11-22T23:00")
    assert quiet_hours_end(PersonRow(1), night) is None
    assert quiet_hours_end(PersonRow(1, "no such zone"), night) is None
    assert (
        quiet_hours_end(
            PersonRow(1, "Europe/Paris", QuietHours(60, 60)), _local_timestamp("2026-11-22T01:00")
        )
        is None
    )


def test_local_time_is_that_of_the_persons_zone() -> None:
    """The time of day is that of the person's zone; tomorrow begins when their quiet hours end."""
    person, now = PersonRow(1, "Asia/Tokyo"), _local_timestamp("2026-11-22T10:05", ZoneInfo("UTC"))
    assert local_time_text(person, now) == "19:05"
    assert local_time_text(PersonRow(1), now) == ""
    assert quiet_hours_end_tomorrow(person, now) == _local_timestamp(
        "2026-11-23T08:00", ZoneInfo("Asia/Tokyo")
    )
    assert quiet_hours_end_tomorrow(PersonRow(1), now) == now + 86_400
