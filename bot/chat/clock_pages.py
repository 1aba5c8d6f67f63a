"""The private page on which a table's clock is chosen: in the lobby by its host, in a game by agreement."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from discord import app_commands
from msgspec.structs import replace

from bot.chat.component_press import ComponentPress, PressHandler
from bot.chat.components import Row, Select
from bot.chat.post_parts import Post, button, table_custom_id, title
from bot.host.clock_texts import (
    NO_CLOCK_TEXT,
    TIMEOUT_ACTION_TEXTS,
    time_control_details_text,
    time_control_text,
)
from bot.host.deciders import time_controls
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.clock_rows import DAY, HOUR, TimeControl, TimeoutAction
from bot.store.rows import Status
from rules.text import capitalized

PAGE_VERB: Final = "clock"
TIME_VERB: Final = "ctime"
SLEEP_VERB: Final = "csleep"
TIMEOUT_VERB: Final = "cmiss"
ASK_VERB: Final = "cset"

_NO_CLOCK: Final = "none"
_ASK_LABEL: Final = "Ask for this clock"
DEFAULT_SLEEP_HOURS: Final = 8
OFFERED_CLOCKS: Final = ("12h", "1d", "2d", "3d", "7d", "3d+12h", "7d+1d")
"""The clocks that the page offers: the time of each turn, or a reserve and the time of each turn."""
OFFERED_SLEEP_HOURS: Final = (0, 8, 9, 10, 12)
_SECONDS_PER_UNIT: Final = {"h": HOUR, "d": DAY}
_MAX_TURN_SECONDS: Final = 30 * DAY
_TIME_PATTERN: Final = re.compile(r"(?:([1-9]\d{0,2})([hd])\+)?([1-9]\d{0,2})([hd])", re.ASCII)


def parse_time_control(text: str) -> TimeControl | None:
    """Return the clock that "1d" or "3d+12h" means, and None for "none".  Raises Refusal."""
    if text == _NO_CLOCK:
        return None
    match = _TIME_PATTERN.fullmatch(text.strip().lower().replace(" ", ""))
    if match is None:
        raise Refusal("I don't know this clock. Choose one that the list offers, such as `1d` or `3d+12h`.")
    bank_amount, bank_unit, turn_amount, turn_unit = match.groups()
    turn_seconds = int(turn_amount) * _SECONDS_PER_UNIT[turn_unit]
    bank_seconds = None if bank_amount is None else int(bank_amount) * _SECONDS_PER_UNIT[bank_unit]
    if turn_seconds + (bank_seconds or 0) > _MAX_TURN_SECONDS:
        raise Refusal("A turn may last 30 days at most. Choose a shorter time.")
    return TimeControl(turn_seconds=turn_seconds, bank_seconds=bank_seconds, sleep_hours=DEFAULT_SLEEP_HOURS)


def write_time_control(control: TimeControl | None) -> str:
    """Return the text from which ``parse_time_control`` reads a clock."""
    if control is None:
        return _NO_CLOCK
    bank_text = "" if control.bank_seconds is None else f"{_duration_text(control.bank_seconds)}+"
    return f"{bank_text}{_duration_text(control.turn_seconds)}"


def _duration_text(seconds: int) -> str:
    return f"{seconds // DAY}d" if seconds % DAY == 0 else f"{seconds // HOUR}h"


def _write_argument(control: TimeControl | None) -> str:
    """Return a clock as the argument of a button."""
    if control is None:
        return _NO_CLOCK
    return f"{write_time_control(control)} {control.sleep_hours} {control.on_timeout.value}"


def _parse_argument(text: str) -> TimeControl | None:
    """Return the clock that a button carries.  Raises Refusal."""
    time_text, _, rest = text.partition(" ")
    control = parse_time_control(time_text)
    sleep_text, _, action_text = rest.partition(" ")
    if control is None or not rest:
        return control
    return _with_timeout_action(_with_sleep_hours(control, sleep_text), action_text)


def _with_sleep_hours(control: TimeControl, text: str) -> TimeControl:
    if not text.isdecimal() or int(text) not in OFFERED_SLEEP_HOURS:
        raise Refusal("Choose one of the hours of sleep that the list offers.")
    return replace(control, sleep_hours=int(text))


def _with_timeout_action(control: TimeControl, text: str) -> TimeControl:
    try:
        return replace(control, on_timeout=TimeoutAction(text))
    except ValueError:
        raise Refusal("Choose one of the consequences that the list offers.") from None


def clock_post(table: Table, control: TimeControl | None, note: str = "") -> Post:
    """Return the page with a clock and the selects that change it.

    In a lobby a choice is set at once; in a game the page then offers to ask the others.  ``note``: a line
    above the clock.
    """
    argument = _write_argument(control)
    lines = [f"**{title(table)}** · Clock", *([note] if note else []), time_control_details_text(control)]
    if control is not None and control.sleep_hours:
        lines.append("-# Sleep begins with each player's quiet hours (`/settings`), or else at 22:00.")
    time_options = [
        (NO_CLOCK_TEXT, _NO_CLOCK, ""),
        *((time_control_text(parse_time_control(each)), each, "") for each in OFFERED_CLOCKS),
    ]
    rows: list[Row] = [
        (Select("Change the time", table_custom_id(table, TIME_VERB, argument), tuple(time_options)),)
    ]
    if control is not None:
        sleep_options = tuple(
            (f"{hours} hours of sleep do not count" if hours else "Every hour counts", str(hours), "")
            for hours in OFFERED_SLEEP_HOURS
        )
        timeout_action_options = tuple(
            (capitalized(text), action.value, "") for action, text in TIMEOUT_ACTION_TEXTS.items()
        )
        rows.append(
            (
                Select(
                    "Change the hours of sleep", table_custom_id(table, SLEEP_VERB, argument), sleep_options
                ),
            )
        )
        rows.append(
            (
                Select(
                    "Change what follows",
                    table_custom_id(table, TIMEOUT_VERB, argument),
                    timeout_action_options,
                ),
            )
        )
    if table.status is not Status.LOBBY and control != table.row.time_control:
        lines.append(f"This changes nothing yet. Press **{_ASK_LABEL}**: all who play must agree.")
        rows.append((button(table, _ASK_LABEL, ASK_VERB, argument, primary=True),))
    return Post("\n".join(lines), tuple(rows))


def current_clock_post(table: Table, request: Request) -> Post:
    """Return the page as it opens.  Raises Refusal for everyone who may not choose."""
    _require_rights(table, request)
    return clock_post(table, table.row.time_control)


def _require_rights(table: Table, request: Request) -> None:
    if table.status is Status.LOBBY:
        time_controls.require_may_set_time_control(table, request)
    else:
        time_controls.require_may_ask_for_time_control(table, request)


async def _open_page(press: ComponentPress) -> None:
    await press.response.show(current_clock_post(await press.require_table(), press.request))


async def _choose_clock(press: ComponentPress, control: TimeControl | None) -> None:
    """Set the clock of a lobby; in a game only show it: the others must agree first."""
    table = await press.require_table()
    _require_rights(table, press.request)
    if table.status is not Status.LOBBY:
        await press.response.show(clock_post(table, control))
        return
    decide = partial(time_controls.set_time_control, request=press.request, control=control)
    result = await press.tables.change(press.custom_id.table_number, press.request, decide)
    await press.response.show(clock_post(result.table, result.table.row.time_control, result.answer))


async def _choose_time(press: ComponentPress) -> None:
    previous_control, control = _parse_argument(press.custom_id.argument), parse_time_control(press.value)
    if previous_control is not None and control is not None:
        control = replace(
            control, sleep_hours=previous_control.sleep_hours, on_timeout=previous_control.on_timeout
        )
    await _choose_clock(press, control)


async def _choose_sleep_hours(press: ComponentPress) -> None:
    control = _parse_argument(press.custom_id.argument)
    await _choose_clock(press, None if control is None else _with_sleep_hours(control, press.value))


async def _choose_timeout_action(press: ComponentPress) -> None:
    control = _parse_argument(press.custom_id.argument)
    await _choose_clock(press, None if control is None else _with_timeout_action(control, press.value))


async def _ask_for_clock(press: ComponentPress) -> None:
    control = _parse_argument(press.custom_id.argument)
    await press.change(partial(time_controls.ask_for_time_control, request=press.request, control=control))


CLOCK_HANDLERS: Final[Mapping[str, PressHandler]] = {
    PAGE_VERB: _open_page,
    TIME_VERB: _choose_time,
    SLEEP_VERB: _choose_sleep_hours,
    TIMEOUT_VERB: _choose_timeout_action,
    ASK_VERB: _ask_for_clock,
}
"""By the verb of the button or select."""


def clock_choices() -> list[app_commands.Choice[str]]:
    """Return what ``/newgame clock`` offers."""
    return [
        app_commands.Choice(name=time_control_text(parse_time_control(each)), value=each)
        for each in (_NO_CLOCK, *OFFERED_CLOCKS)
    ]
