"""People who are away: for how long they may be.  Pure functions.

While somebody is away their clocks stand still in the servers to which the absence is charged.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from bot.host.request import Refusal
from bot.store.clock_rows import DAY
from bot.store.preferences import Absence, PersonRow
from rules.text import counted

YEAR: Final = 365 * DAY
"""In seconds."""
MAX_ABSENCES: Final = 50
"""The most absences that one person has in one server in a year; all are read at each of their turns."""


def absence_seconds_left(person: PersonRow, guild: int, away_days: int, now: int) -> int:
    """Return for how many seconds a person may still be away in a server, from now on.

    ``away_days``: how many days a year the server allows.  An absence that still runs counts up to now only,
    since a new one would replace it.
    """
    used_seconds = sum(
        max(0, min(each.end, now) - max(each.begin, now - YEAR))
        for each in person.absences
        if each.guild == guild
    )
    return max(0, away_days * DAY - used_seconds)


def with_absence(
    person: PersonRow, allowed_days_by_guild: Mapping[int, int], now: int, until: int
) -> PersonRow:
    """Return a person's row with an absence from now until a time, in each of these servers.

    The absence replaces one that still runs.  ``allowed_days_by_guild``: how many days a year each allows.
    Raises Refusal where a server allows less, after too many absences, or for a time that is over.
    """
    if until <= now:
        raise Refusal("That time is over already. Choose a later date, or `/away until:off` to come back.")
    person = without_absence(person, now)
    for guild, days in allowed_days_by_guild.items():
        if sum(each.guild == guild and each.end > now - YEAR for each in person.absences) >= MAX_ABSENCES:
            raise Refusal(
                f"You have been away {MAX_ABSENCES} times this year, which is the limit."
                " The host can pause a game with `/table pause`, and players can ask for it."
            )
        seconds_left = absence_seconds_left(person, guild, days, now)
        if until - now > seconds_left:
            where = "here" if len(allowed_days_by_guild) == 1 else "in one of the servers where you play"
            allowed_text = f"{counted(days, 'day')} a year" if days else "no `/away`"
            remaining_text = "You have no days left this year." if days else ""
            if seconds_left >= DAY:
                remaining_text = f"You can be away until <t:{now + seconds_left}:f> at most."
            raise Refusal(
                f"The admins allow {allowed_text} {where}. {remaining_text}".rstrip()
                + " The host can pause a game with `/table pause`, and players can ask for it."
            )
    recent_absences = (each for each in person.absences if each.end > now - YEAR)
    return replace(
        person, absences=(*recent_absences, *(Absence(now, until, guild) for guild in allowed_days_by_guild))
    )


def without_absence(person: PersonRow, now: int) -> PersonRow:
    """Return a person's row with the running absence ended."""
    ended_absences = (replace(each, end=min(each.end, now)) for each in person.absences)
    return replace(person, absences=tuple(each for each in ended_absences if each.end > each.begin))
