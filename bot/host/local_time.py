"""Time zones and quiet hours of people.  Pure: the time is given, in seconds since 1970."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.store.clock_rows import DAY
from bot.store.preferences import PersonRow

MINUTES_A_DAY: Final = 24 * 60
_HIDDEN_REGIONS: Final = ("Etc/", "posix/", "right/", "SystemV/")
"""Zones without a place, and other spellings of places."""
_OTHER_COUNTRY_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "CZ": ("czechia",),
    "GB": ("united kingdom", "great britain", "uk", "england", "scotland", "wales"),
    "NL": ("holland",),
    "US": ("usa", "us"),
}
"""Names of countries that tzdata does not know, by code."""
_SHORTER_PLACES: Final[Mapping[str, str]] = {"America/Sao_Paulo": "most of Brazil; Argentina"}
"""Where zones are whose description in tzdata is too long for an option and has no place to be cut at."""


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the time zones with a place, such as ``Europe/Paris``, in order, then ``UTC``."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith(_HIDDEN_REGIONS))
    return (*sorted(places), "UTC")


def zone_label(name: str) -> str:
    """Return a zone's name for reading: "Paris (Europe)", "San Juan (Argentina)"."""
    *regions, city = _zone_parts(name)
    return f"{city} ({regions[-1]})" if regions else city


def zone_city(name: str) -> str:
    """Return the city that a zone is named by: "San Juan"."""
    return _zone_parts(name)[-1]


def _zone_parts(name: str) -> list[str]:
    """Return the parts of a zone's name: "America", "Argentina", "San Juan"."""
    return name.replace("_", " ").split("/")


@cache
def _zones_by_country() -> Mapping[str, tuple[str, ...]]:
    """Return the zones of each country by its name in tzdata, "britain (uk)", and by its beginning."""
    names_by_code = dict(_read_tzdata_rows("iso3166.tab"))
    zones_by_country: dict[str, tuple[str, ...]] = {}
    for code, _, zone, *_ in _read_tzdata_rows("zone.tab"):
        name = _comparable(names_by_code[code])
        for each in {name, name.partition(" (")[0], *_OTHER_COUNTRY_NAMES.get(code, ())}:
            zones_by_country[each] = (*zones_by_country.get(each, ()), zone)
    return zones_by_country


@cache
def distinct_zones() -> tuple[tuple[str, str], ...]:
    """Return one zone of each kind that differs from now on, from west to east, and where it is."""
    return tuple(
        (zone, _SHORTER_PLACES.get(zone, where))
        for _, _, zone, where in _read_tzdata_rows("zonenow.tab")
        if zone in zone_names()
    )


def _read_tzdata_rows(name: str) -> list[list[str]]:
    """Return the rows of a table of tzdata."""
    text = files("tzdata.zoneinfo").joinpath(name).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


def find_zones(typed: str) -> tuple[str, ...]:
    """Return the names of the zones that a typed city, country or zone may mean: exact matches only, if any.

    Otherwise zones whose city begins with the typed text come first, then the others that contain it.
    """
    text = _comparable(typed)
    if country_matches := _zones_by_country().get(text):  # the city of US/Samoa is not in the country Samoa
        return country_matches
    exact_matches = [
        name for name in zone_names() if text in {_comparable(name), _comparable(zone_city(name))}
    ]
    if exact_matches:
        return tuple(exact_matches)
    matches = [
        name for name in zone_names() if text in _comparable(name) or text in _comparable(zone_label(name))
    ]
    return tuple(sorted(matches, key=lambda name: not _comparable(zone_city(name)).startswith(text)))


def _comparable(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def zone_of(person: PersonRow) -> ZoneInfo | None:
    """Return a person's time zone; None if they have set none, or one that this machine does not know."""
    if person.time_zone is None:
        return None
    try:
        return ZoneInfo(person.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zones_by_local_time(now: float) -> tuple[tuple[str, str], ...]:
    """Return ``distinct_zones`` by the date and time there now, the earliest first."""
    time_now = datetime.fromtimestamp(now, UTC)
    return tuple(
        sorted(distinct_zones(), key=lambda each: time_now.astimezone(ZoneInfo(each[0])).replace(tzinfo=None))
    )


def local_time_text(person: PersonRow, now: float) -> str:
    """Return the time of day where a person is, "14:05"; empty without a time zone."""
    zone = zone_of(person)
    return "" if zone is None else datetime.fromtimestamp(now, zone).strftime("%H:%M")


def quiet_hours_end(person: PersonRow, now: float) -> int | None:
    """Return when a person's present quiet hours end; None outside quiet hours."""
    zone, quiet_hours = zone_of(person), person.quiet_hours
    if zone is None or quiet_hours.begin == quiet_hours.end:
        return None
    local_now = datetime.fromtimestamp(now, zone)
    minute = local_now.hour * 60 + local_now.minute
    crosses_midnight = quiet_hours.begin > quiet_hours.end
    if crosses_midnight:
        is_quiet = minute >= quiet_hours.begin or minute < quiet_hours.end
    else:
        is_quiet = quiet_hours.begin <= minute < quiet_hours.end
    if not is_quiet:
        return None
    day = local_now.date() + timedelta(days=1 if crosses_midnight and minute >= quiet_hours.begin else 0)
    end = timestamp_at(day, quiet_hours.end, zone)
    # where clocks are set back by more than an hour, they may show that time before now and again after it
    return end if end > now else timestamp_at(day, quiet_hours.end, zone, fold=1)


def quiet_hours_end_tomorrow(person: PersonRow, now: float) -> int:
    """Return when a person's quiet hours end tomorrow; without a time zone, in 24 hours."""
    zone = zone_of(person)
    if zone is None:
        return int(now) + DAY
    day = datetime.fromtimestamp(now, zone).date() + timedelta(days=1)
    return timestamp_at(day, person.quiet_hours.end, zone)


def timestamp_at(day: date, minutes: int, zone: ZoneInfo, *, fold: Literal[0, 1] = 0) -> int:
    """Return the time at which clocks in ``zone`` show ``minutes`` after midnight of a day.

    A time that the change to summer time skips is taken with the offset before the change.  ``fold``: 1 for
    the second time at which they show it, where they are set back.
    """
    hour, minute = divmod(minutes % MINUTES_A_DAY, 60)
    return int(datetime.combine(day, time(hour, minute, fold=fold), zone).timestamp())
