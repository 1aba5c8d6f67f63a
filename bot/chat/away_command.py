"""``/away``: a person says until when they are away, or that they are back."""

import re
from datetime import UTC, date, datetime, time
from typing import Final

from discord import app_commands

from bot.chat.command_tree import safe_autocomplete
from bot.chat.interaction import Interaction
from bot.chat.post_parts import Post
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.host import absences
from bot.host.breaks import away_until
from bot.host.local_time import MINUTES_A_DAY, zone_of
from bot.host.request import Refusal
from bot.store.clock_rows import DAY
from bot.store.preferences import PersonRow

_BACK_WORDS: Final = frozenset({"off", "back", "now", "i'm back", "i\u2019m back"})
_DURATION_PATTERN: Final = re.compile(r"([1-9]\d{0,2})\s*(d|days?|w|weeks?)", re.ASCII)
_DAYS_PER_UNIT: Final = {"d": 1, "w": 7}
SUGGESTIONS: Final = {"1 day": "1d", "3 days": "3d", "1 week": "1w", "2 weeks": "2w", "I'm back": "off"}
"""What is suggested for the time, with what it stands for."""


def parse_until(text: str, person: PersonRow, now: int) -> int | None:
    """Return the time that "3d", "2 weeks" or "2026-12-24" means; None for "off".  Raises Refusal.

    A date is the morning of that day: when the person's quiet hours end, where they are.
    """
    typed = text.strip().lower()
    if typed in _BACK_WORDS:
        return None
    if (duration := _DURATION_PATTERN.fullmatch(typed)) is not None:
        return now + int(duration[1]) * _DAYS_PER_UNIT[duration[2][0]] * DAY
    try:
        day = date.fromisoformat(typed)
        hour, minute = divmod(person.quiet_hours.end % MINUTES_A_DAY, 60)
        return int(datetime.combine(day, time(hour, minute), zone_of(person) or UTC).timestamp())
    except (ValueError, OverflowError):
        raise Refusal("I don't understand this. Try, for example, `3d`, `2w` or `2026-12-24`.") from None


@app_commands.command(name="away", description="Stop your clocks and reminders while you are away")
@app_commands.describe(until="For example 3d, 2w or 2026-12-24. Type off when you are back")
@with_response
async def away_command(response: Response, until: str) -> None:
    """Go away, or come back."""
    tables, request = response.tables, response.request
    person = await tables.person_preferences.get(request.user)
    now = int(tables.clock())
    if (end := parse_until(until, person, now)) is None:
        has_come_back = away_until(person, now) is not None
        person = await absences.end_absence(tables, request.user)
    else:
        has_come_back = False
        person = await absences.start_absence(tables, request, end)
    # The time now: the absence may have begun or ended a second later than the command came.
    await response.show(away_post(person, int(tables.clock()), has_come_back=has_come_back))


def away_post(person: PersonRow, now: int, *, has_come_back: bool = False) -> Post:
    """Return the page that says whether a person is away, and what that means.

    ``has_come_back``: an absence ends just now.
    """
    end = away_until(person, now)
    if end is None and has_come_back:
        if person.snoozed_until > now:
            return Post(
                "Welcome back. Where a game has clocks, yours go on. Your snooze lasts until"
                f" <t:{person.snoozed_until}:f>: until then nobody reminds you. `/settings` ends it."
            )
        return Post("Welcome back. Reminders, and clocks where a game has them, go on.")
    if end is None:
        return Post("You are not away. `/away until:3d` stops your clocks and reminders for three days.")
    return Post(
        f"You are away until <t:{end}:f>. Until then nobody reminds you, and where a game has clocks"
        " yours stand still. You are back earlier with `/away until:off`, or as soon as you move."
    )


@away_command.autocomplete("until")
@safe_autocomplete
async def _suggest_until(_: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest some times."""
    return [
        app_commands.Choice(name=name, value=value)
        for name, value in SUGGESTIONS.items()
        if current.lower() in name.lower() or current.lower() in value
    ]
