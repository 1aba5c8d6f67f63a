"""The questions which time zone a person is in, where what was typed fits several or none."""

import re
from collections.abc import Sequence
from typing import Final

from bot import limits
from bot.chat.components import Button, Row, Select
from bot.chat.post_parts import Post, tableless_custom_id
from bot.host.local_time import local_time_text, zone_city, zone_label, zones_by_local_time
from bot.host.names import escape_markup
from bot.store.preferences import PersonRow
from rules.text import first_fitting, shortened

ZONE_VERB: Final = "zone"
OPEN_FORM_VERB: Final = "hours"
"""The verb of the button that opens the form with the time zone."""

_MAX_FITTING_ZONES: Final = 2 * limits.SELECT_OPTIONS
"""The most time zones that are offered of those that fit a typed text."""
_MAX_QUOTED_LENGTH: Final = 40
"""The most characters of a typed time zone that an answer quotes."""
_SHOWN_OPTION_LENGTH: Final = 30
"""How many characters of an option a phone of 350 pixels shows."""


def zone_choice_post(typed: str, zones: Sequence[str]) -> Post:
    """Return the question which of several time zones is the person's."""
    heading = f"Several time zones fit “{shortened(typed, _MAX_QUOTED_LENGTH)}”. Which one is yours?"
    options = [(zone_label(zone), zone, "") for zone in zones[:_MAX_FITTING_ZONES]]
    return Post(heading, _zone_selects(options, [zone_city(zone) for _, zone, _ in options]))


def _zone_selects(options: Sequence[tuple[str, str, str]], short_labels: Sequence[str]) -> tuple[Row, ...]:
    """Return selects of time zones, one below the other, named by the short labels of their ends."""
    starts = range(0, len(options), limits.SELECT_OPTIONS)
    groups = [range(len(options))[start : start + limits.SELECT_OPTIONS] for start in starts]
    return tuple(
        (
            Select(
                f"{short_labels[group[0]]} to {short_labels[group[-1]]}"
                if len(groups) > 1
                else "Choose a time zone",
                tableless_custom_id(ZONE_VERB, str(index)),
                tuple(options[i] for i in group),
            ),
        )
        for index, group in enumerate(groups)
    )


def unknown_zone_post(typed: str, now: float) -> Post:
    """Return the question which time it is where a person is, whose city is not known."""
    quoted = escape_markup(shortened(typed, _MAX_QUOTED_LENGTH))
    text = (
        f"I don't know “{quoted}”. I know a city or a few of each country, such as Berlin for all of Germany."
        " Choose the time that it is where you are, or type such a city, or your country."
    )
    zones = zones_by_local_time(now)
    times = [local_time_text(PersonRow(0, zone), now) for zone, _ in zones]
    options = [
        (f"{time}, {zone_city(zone)}", zone, _short_place_text(where))
        for time, (zone, where) in zip(times, zones, strict=True)
    ]
    type_again_button = Button("Type again", tableless_custom_id(OPEN_FORM_VERB))
    return Post(text, (*_zone_selects(options, times), (type_again_button,)))


def _short_place_text(where: str) -> str:
    """Return where a time zone is, as far as an option shows it on a phone: whole, or its first places."""
    name, _, places = where.rpartition(" - ")
    ends = [len(places), *(match.start() for match in re.finditer(r"[;,] | \(", places))]
    shorter_places = [places[:end] for end in sorted(ends, reverse=True)]
    named_places = [f"{name} - {each}" if name else each for each in shorter_places]
    return first_fitting(_SHOWN_OPTION_LENGTH, *named_places, *shorter_places)
