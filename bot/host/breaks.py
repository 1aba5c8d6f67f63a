"""Counted time: a player's clock stands still while they sleep and while they are away.  Pure functions.

Times are seconds since 1970.
"""

import heapq
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from msgspec.structs import replace

from bot.host.local_time import timestamp_at, zone_of
from bot.store.clock_rows import HOUR
from bot.store.preferences import DEFAULT_QUIET_BEGIN, PersonRow


class Break(NamedTuple):
    """A time in which a clock stands still."""

    begin: int
    end: int


def breaks_since(person: PersonRow | None, sleep_hours: int, since: int) -> Iterator[Break]:
    """Yield the breaks of a person's clock from ``since`` on, in order, with counted time between them.

    ``sleep_hours``: the hours of each night that do not count.  Without a time zone all hours count.
    """
    if person is None:
        return
    absences = sorted(Break(each.begin, each.end) for each in person.absences)
    merged: Break | None = None
    for begin, end in heapq.merge(absences, _nights(person, sleep_hours, since)):
        if end <= since or end <= begin:
            continue
        if merged is not None and begin <= merged.end:
            merged = Break(merged.begin, max(merged.end, end))
            continue
        if merged is not None:
            yield merged
        merged = Break(max(begin, since), end)
    if merged is not None:
        yield merged


def _nights(person: PersonRow, sleep_hours: int, since: int) -> Iterator[Break]:
    """Yield nights without end, some of the first before ``since``.

    Each begins with the quiet hours, or at ``DEFAULT_QUIET_BEGIN`` for somebody who has none.
    """
    zone = zone_of(person)
    if zone is None or sleep_hours <= 0:
        return
    quiet = person.quiet_hours
    begin_minute = DEFAULT_QUIET_BEGIN if quiet.begin == quiet.end else quiet.begin
    day = datetime.fromtimestamp(since, UTC).date() - timedelta(days=2)
    while True:
        begin = timestamp_at(day, begin_minute, zone)
        yield Break(begin, begin + sleep_hours * HOUR)
        day += timedelta(days=1)


def counted_seconds(person: PersonRow | None, sleep_hours: int, begin: int, end: int) -> int:
    """Return how many seconds between two times count."""
    counted = max(0, end - begin)
    for each in breaks_since(person, sleep_hours, begin):
        if each.begin >= end:
            break
        counted -= min(each.end, end) - each.begin
    return max(0, counted)


def deadline_after(person: PersonRow | None, sleep_hours: int, since: int, seconds: int) -> int:
    """Return the first time at which ``seconds`` have counted since ``since``."""
    at, seconds_left = since, max(0, seconds)
    for each in breaks_since(person, sleep_hours, since):
        if at + seconds_left <= each.begin:
            break
        seconds_left -= max(0, each.begin - at)
        at = each.end
    return at + seconds_left


def with_counted_absences(person: PersonRow, guild: int | None) -> PersonRow:
    """Return a person's row with only the absences that count at the tables of a server."""
    if not person.absences:
        return person
    return replace(person, absences=tuple(each for each in person.absences if each.guild == guild))


def away_until(person: PersonRow | None, now: int) -> int | None:
    """Return until when a person is away; None if they are not."""
    if person is None:
        return None
    return max((each.end for each in person.absences if each.begin <= now < each.end), default=None)
