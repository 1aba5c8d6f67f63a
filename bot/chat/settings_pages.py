"""``/settings``: a person's settings for all of their tables, on one private page with one form."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands
from msgspec.structs import replace

from bot import limits
from bot.chat.command_tree import safe_autocomplete
from bot.chat.component_press import ComponentPress, PressHandler
from bot.chat.components import Button, Row, Select
from bot.chat.interaction import Interaction
from bot.chat.post_parts import Post, tableless_custom_id
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.chat.zone_pages import OPEN_FORM_VERB, ZONE_VERB, unknown_zone_post, zone_choice_post
from bot.host.deciders import reminders
from bot.host.game_guard import GameFault
from bot.host.local_time import (
    MINUTES_A_DAY,
    find_zones,
    local_time_text,
    quiet_hours_end_tomorrow,
    zone_label,
    zone_of,
)
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR
from bot.store.preferences import PersonRow, QuietHours
from bot.store.protocol import StoreError
from bot.store.rows import TableListing

REMINDERS_VERB: Final = "remind"
SNOOZE_VERB: Final = "snooze"
SWITCH_VERB: Final = "switch"
SUBMIT_VERB: Final = "sethrs"
"""The verb of the submitted form."""

_log = logging.getLogger(__name__)

_HALFWAY: Final = "half"
_OFF: Final = "off"
_REMINDER_INTERVAL_TEXTS: Final = {
    _HALFWAY: "halfway to the deadline",
    str(6 * HOUR): "every 6 hours",
    str(12 * HOUR): "every 12 hours",
    str(DAY): "once a day",
    _OFF: "never",
}
"""What the select offers: the interval between reminders in words, by the value of its option."""
_SWITCHES: Final = {"text": "text_only", "next": "wants_early_notice", "unlisted": "is_unlisted"}
"""The field of ``PersonRow`` that each switch sets, by what its button carries."""
_ZONE_FIELD: Final = "zone"
_BEGIN_FIELD: Final = "begin"
_END_FIELD: Final = "end"
_NO_QUIET_HOURS: Final = "none"
_MAX_ZONE_LENGTH: Final = 60
"""The most characters that can be typed into the field of the time zone."""

PersonUpdate: TypeAlias = Callable[[PersonRow], PersonRow]
"""Returns a person's settings with a change made to them."""


def _tableless_button(label: str, verb: str, argument: str = "") -> Button:
    return Button(label, tableless_custom_id(verb, argument))


def settings_post(person: PersonRow, now: float) -> Post:
    """Return the page with a person's settings and the controls that change them."""
    interval_value = _OFF if not person.wants_reminders else str(person.reminder_interval or _HALFWAY)
    is_snoozed = person.snoozed_until > now
    lines = [
        "**Your settings** · for all of your tables",
        f"**Time zone:** {_zone_text(person, now)}",
        f"**Quiet hours:** {_quiet_hours_text(person)}",
        f"**Reminders of your turn:** {_reminders_text(interval_value)}",
    ]
    if is_snoozed:
        lines.append(f"**Snoozed:** no reminders until <t:{person.snoozed_until}:f>")
    lines += [
        f"**You are next:** {'a direct message before your turn' if person.wants_early_notice else 'off'}",
        f"**Pictures:** {'as text, for a screen reader' if person.text_only else 'shown'}",
        f"**Leaderboards:** {'you are not listed' if person.is_unlisted else 'you are listed'}",
    ]
    interval_options = tuple(
        (text.capitalize(), value, "") for value, text in _REMINDER_INTERVAL_TEXTS.items()
    )
    tomorrow_text = "for 24 hours" if zone_of(person) is None else "until tomorrow"
    snooze_buttons: tuple[Button, ...] = (
        _tableless_button(f"Snooze {tomorrow_text}", SNOOZE_VERB, "tomorrow"),
        _tableless_button("Snooze for 3 days", SNOOZE_VERB, "3"),
    )
    rows: tuple[Row, ...] = (
        (_tableless_button("Time zone and quiet hours", OPEN_FORM_VERB),),
        (Select("Change the reminders", tableless_custom_id(REMINDERS_VERB), interval_options),),
        (_tableless_button("End the snooze", SNOOZE_VERB, "off"),) if is_snoozed else snooze_buttons,
        (
            _switch_button(person, "next", "Message me when I am next", "Do not message me when I am next"),
            _switch_button(person, "text", "Show pictures as text", "Show pictures"),
            _switch_button(person, "unlisted", "Leave the leaderboards", "Join the leaderboards"),
        ),
    )
    return Post("\n".join(lines), rows)


def _switch_button(person: PersonRow, switch: str, turn_on_label: str, turn_off_label: str) -> Button:
    """Return the button that flips a switch; it carries the new state, so pressing twice is harmless."""
    is_on = getattr(person, _SWITCHES[switch])
    return _tableless_button(
        turn_off_label if is_on else turn_on_label, SWITCH_VERB, f"{switch} {'off' if is_on else 'on'}"
    )


def _zone_text(person: PersonRow, now: float) -> str:
    if person.time_zone is None or zone_of(person) is None:
        return "not set, so there are no quiet hours"
    return f"{zone_label(person.time_zone)}, where it is {local_time_text(person, now)} now"


def _quiet_hours_text(person: PersonRow) -> str:
    quiet_hours = person.quiet_hours
    if quiet_hours.begin == quiet_hours.end:
        return "none"
    hours_text = f"{_time_of_day_text(quiet_hours.begin)} to {_time_of_day_text(quiet_hours.end)}"
    return hours_text if zone_of(person) is not None else f"{hours_text}, once you have set a time zone"


def _time_of_day_text(minutes: int) -> str:
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}"


def _reminders_text(interval_value: str) -> str:
    text = _REMINDER_INTERVAL_TEXTS.get(
        interval_value, f"every {int(interval_value) // HOUR} hours" if interval_value.isdecimal() else ""
    )
    if interval_value == _HALFWAY:
        return f"{text}, or after a day if there is no deadline. At most two for each deadline"
    return text if interval_value == _OFF else f"{text}. At most two for each deadline"


class QuietHoursForm(discord.ui.Modal):
    """Asks for the time zone and the quiet hours.  Its custom id says all that its handler needs."""

    def __init__(self, person: PersonRow) -> None:
        """Show the person's settings in the fields."""
        super().__init__(
            title="Time zone and quiet hours", custom_id=str(tableless_custom_id(SUBMIT_VERB)), timeout=None
        )
        self.stop()  # `router.Router` reads the answer: discord.py need not keep the form
        zone_input: discord.ui.TextInput[QuietHoursForm] = discord.ui.TextInput(
            custom_id=_ZONE_FIELD,
            default=person.time_zone,
            required=False,
            max_length=_MAX_ZONE_LENGTH,
            placeholder="For example: Paris",
        )
        self._add_field("A large city, or your country", "Leave it empty to have no quiet hours.", zone_input)
        quiet_hours = person.quiet_hours
        begin = _NO_QUIET_HOURS if quiet_hours.begin == quiet_hours.end else str(quiet_hours.begin)
        no_quiet_hours = [discord.SelectOption(label="No quiet hours", value=_NO_QUIET_HOURS)]
        self._add_field(
            "Quiet from",
            "No reminder comes in these hours.",
            _hour_select(_BEGIN_FIELD, begin, no_quiet_hours),
        )
        self._add_field(
            "Quiet until",
            "Reminders that had to wait come then.",
            _hour_select(_END_FIELD, str(quiet_hours.end), []),
        )

    def _add_field(self, text: str, description: str, component: discord.ui.Item[Any]) -> None:
        self.add_item(discord.ui.Label(text=text, description=description, component=component))


def _hour_select(
    custom_id: str, chosen: str, extra_options: list[discord.SelectOption]
) -> "discord.ui.Select[discord.ui.LayoutView]":
    hour_options = [
        discord.SelectOption(label=_time_of_day_text(minutes), value=str(minutes))
        for minutes in range(0, MINUTES_A_DAY, 60)
    ]
    options = [*extra_options, *hour_options]
    for option in options:
        option.default = option.value == chosen
    return discord.ui.Select(custom_id=custom_id, options=options)


# Handlers ---------------------------------------------------------------------------------------------


async def show_settings(response: Response) -> None:
    """Show the requester's settings."""
    tables = response.tables
    person = await tables.person_preferences.get(response.request.user)
    await response.show(settings_post(person, tables.clock()))


async def _change_and_show_page(press: ComponentPress, update: PersonUpdate) -> None:
    """Change the presser's settings and show them."""
    person = await change_settings(press.tables, press.request.user, update)
    await press.response.show(settings_post(person, press.tables.clock()))


async def change_settings(tables: Tables, user: int, update: PersonUpdate) -> PersonRow:
    """Store what ``update`` makes of a person's settings.  Raises StoreError if that fails.

    The reminders of their running turns are rescheduled, as far as the store answers.
    """
    person = await tables.person_preferences.change(user, update)
    listings: tuple[TableListing, ...] = ()
    try:
        listings = await tables.store.live_tables_of_user(user)
    except StoreError:  # the settings are stored
        _log.exception("reminder not rescheduled")
    for listing in listings:
        if listing.user_to_act == user:
            try:
                await tables.change(listing.number, None, partial(reminders.reschedule, person=person))
            except (Refusal, GameFault):  # a closed or frozen table needs no reminder
                continue
            except StoreError:  # the settings are stored, and the other tables need theirs
                _log.exception("reminder not rescheduled", extra={"table": listing.number})
    return person


async def _set_reminder_interval(press: ComponentPress) -> None:
    if press.value not in _REMINDER_INTERVAL_TEXTS:
        raise Refusal("Choose one of the intervals that the list offers.")
    interval = int(press.value) if press.value.isdecimal() else None
    is_on = press.value != _OFF
    await _change_and_show_page(
        press, lambda row: replace(row, wants_reminders=is_on, reminder_interval=interval)
    )


async def _snooze(press: ComponentPress) -> None:
    now, argument = press.tables.clock(), press.custom_id.argument

    def update(row: PersonRow) -> PersonRow:
        until = {"tomorrow": quiet_hours_end_tomorrow(row, now), "3": int(now) + 3 * DAY}.get(
            argument, 0
        )  # "off": 0
        return replace(row, snoozed_until=until)

    await _change_and_show_page(press, update)


async def _set_switch(press: ComponentPress) -> None:
    switch, _, state = press.custom_id.argument.partition(" ")
    if switch not in _SWITCHES:
        raise Refusal("This button no longer works. Type `/settings` to get new ones.")
    await _change_and_show_page(press, lambda row: replace(row, **{_SWITCHES[switch]: state == "on"}))


async def _choose_zone(press: ComponentPress) -> None:
    zone = require_zone(press.value)
    await _change_and_show_page(press, partial(_with_zone, zone=zone))


async def _open_form(press: ComponentPress) -> None:
    await press.response.open_form(
        QuietHoursForm(await press.tables.person_preferences.get(press.request.user))
    )


async def _submit_form(press: ComponentPress) -> None:
    """Set quiet hours and time zone; ask which zone is meant if several fit."""
    typed = press.field_text(_ZONE_FIELD).strip()
    begin_text, end_text = press.field_text(_BEGIN_FIELD), press.field_text(_END_FIELD)

    def with_quiet_hours(row: PersonRow) -> PersonRow:
        quiet_hours = row.quiet_hours
        end = int(end_text) if _is_minute_of_day(end_text) else quiet_hours.end
        if begin_text == _NO_QUIET_HOURS:
            return replace(row, quiet_hours=QuietHours(end, end))
        begin = int(begin_text) if _is_minute_of_day(begin_text) else quiet_hours.begin
        return replace(row, quiet_hours=QuietHours(begin, end))

    await set_zone_or_ask(press.response, press.tables, press.request.user, typed, with_quiet_hours)


def _is_minute_of_day(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 4 and int(text) < MINUTES_A_DAY


def _with_zone(row: PersonRow, zone: str | None) -> PersonRow:
    return replace(row, time_zone=zone)


def require_zone(typed: str) -> str:
    """Return the one time zone that fits what was typed.  Raises Refusal if none or several do."""
    zones = find_zones(typed)
    if len(zones) == 1:
        return zones[0]
    raise Refusal("I don't know this time zone. Type `/settings time_zone` and choose one from the list.")


async def set_zone_or_ask(
    response: Response,
    tables: Tables,
    user: int,
    typed: str,
    update: PersonUpdate = lambda row: row,
) -> None:
    """Set the typed time zone (or none) and make ``update``; ask if none or several zones fit."""
    zones = find_zones(typed) if typed else ()
    if typed and len(zones) != 1:
        await change_settings(tables, user, update)
        await response.show(
            zone_choice_post(typed, zones) if zones else unknown_zone_post(typed, tables.clock())
        )
        return
    zone = zones[0] if zones else None
    person = await change_settings(tables, user, lambda row: _with_zone(update(row), zone))
    await response.show(settings_post(person, tables.clock()))


SETTINGS_HANDLERS: Final[Mapping[str, PressHandler]] = {
    REMINDERS_VERB: _set_reminder_interval,
    ZONE_VERB: _choose_zone,
    SNOOZE_VERB: _snooze,
    SWITCH_VERB: _set_switch,
    OPEN_FORM_VERB: _open_form,
}
"""By the verb of the button or select."""

SETTINGS_FORM_HANDLERS: Final[Mapping[str, PressHandler]] = {SUBMIT_VERB: _submit_form}
"""By the verb in the custom id of the form."""


# The command ------------------------------------------------------------------------------------------


@app_commands.command(name="settings", description="Set your reminders, quiet hours and time zone")
@app_commands.describe(time_zone="A large city, or your country. Leave empty to see everything")
@with_response
async def settings_command(response: Response, time_zone: str = "") -> None:
    """Set the time zone that was typed, then show the page."""
    if time_zone.strip():
        await set_zone_or_ask(response, response.tables, response.request.user, time_zone.strip())
    else:
        await show_settings(response)


@settings_command.autocomplete("time_zone")
@safe_autocomplete
async def _suggest_zones(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest time zones, each with its local time now."""
    now = interaction.client.host.tables.clock()
    return [
        app_commands.Choice(
            name=f"{zone_label(zone)}: {local_time_text(PersonRow(0, zone), now)}", value=zone
        )
        for zone in find_zones(current)[: limits.AUTOCOMPLETE_CHOICES]
    ]
