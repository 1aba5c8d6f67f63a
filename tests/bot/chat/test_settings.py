"""/settings: each press changes one thing, and is shown and stored."""

from datetime import UTC, datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from bot.chat.component_press import ComponentPress
from bot.chat.components import Button, CustomId, Select, parse_custom_id
from bot.chat.handlers import FORM_HANDLERS, handle_press
from bot.chat.post_parts import Post
from bot.chat.response import Response
from bot.chat.settings_pages import settings_post
from bot.chat.zone_pages import unknown_zone_post, zone_choice_post
from bot.host.local_time import distinct_zones, find_zones, local_time_text
from bot.host.preferences import PersonPreferences
from bot.host.request import Refusal
from bot.store.preferences import PersonRow, QuietHours
from bot.store.protocol import StoreError
from bot.store.rows import TableListing
from bot.store.sqlite import open_store
from tests.bot.host.playing import ManualClock, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder

USER = request_of_person(0).user
NARROW_OPTION_LENGTH: Final = 30
"""How many characters of an option of a menu a screen of 350 pixels shows."""


class SettingsUser:
    """Somebody who presses what the page of settings shows; plays the part of the tables as well."""

    def __init__(self, preferences: PersonPreferences) -> None:
        """``preferences``: where the settings are stored."""
        self.person_preferences, self.clock, self.store = preferences, ManualClock(), self

    async def live_tables_of_user(self, user: int) -> tuple[TableListing, ...]:
        """Return nothing: nobody waits for them."""
        assert user == USER
        return ()

    async def row(self) -> PersonRow:
        """Return what is stored."""
        return await self.person_preferences.get(USER)

    async def press(self, label: str, value: str = "") -> Any:
        """Press what the page shows under a label; return what was answered."""
        page = settings_post(await self.row(), self.clock())
        (control,) = [control for control in _controls(page) if label == _label(control)]
        recorder = ResponseRecorder()
        await handle_press(
            self._component_press(control.custom_id, recorder, values=[value] if value else [])
        )
        return recorder.answers[-1][0]

    async def submit_zone_form(self, **fields: str) -> Any:
        """Submit the form of time zone and quiet hours; return what was answered."""
        recorder = ResponseRecorder()
        values = {name: (value,) for name, value in fields.items()}
        await FORM_HANDLERS["sethrs"](
            self._component_press(CustomId(0, 0, "sethrs"), recorder, fields=values)
        )
        return recorder.answers[-1][0]

    def _component_press(
        self, custom_id: CustomId, recorder: ResponseRecorder, **arguments: Any
    ) -> ComponentPress:
        tables: Any = self
        return ComponentPress(
            tables, cast("Response", recorder), custom_id, request_of_person(0), **arguments
        )


def _controls(page: Post) -> list[Button | Select]:
    return [control for row in page.rows if isinstance(row, tuple) for control in row]


def _label(control: Button | Select) -> str:
    return control.label if isinstance(control, Button) else control.placeholder


@pytest.fixture
async def person() -> Any:
    """Yield somebody who has set nothing."""
    store = await open_store(":memory:")
    yield SettingsUser(PersonPreferences(store))
    await store.close()


async def test_the_select_sets_and_ends_reminders(person: SettingsUser) -> None:
    """The select sets an interval, turns reminders off, and back on."""
    await person.press("Change the reminders", "43200")
    assert ((await person.row()).wants_reminders, (await person.row()).reminder_interval) == (True, 43_200)
    text, *_ = await person.press("Change the reminders", "off")
    assert not (await person.row()).wants_reminders
    assert "**Reminders of your turn:** never" in text
    await person.press("Change the reminders", "half")
    assert ((await person.row()).wants_reminders, (await person.row()).reminder_interval) == (True, None)
    with pytest.raises(Refusal):
        await person.press("Change the reminders", "7")


async def test_a_snooze_ends_by_itself_or_at_once(person: SettingsUser) -> None:
    """A snooze ends by itself or at once; its page then offers it again."""
    now = int(person.clock())
    text, *_ = await person.press("Snooze for 3 days")
    assert (await person.row()).snoozed_until == now + 3 * 86_400
    assert f"<t:{now + 3 * 86_400}:f>" in text
    await person.press("End the snooze")
    assert (await person.row()).snoozed_until == 0
    await person.press("Snooze for 24 hours")
    assert (await person.row()).snoozed_until == now + 86_400
    person.clock.now += 86_401
    await person.press("Snooze for 3 days")


@pytest.mark.parametrize(
    ("on_label", "off_label", "field", "on_text", "off_text"),
    [
        (
            "Message me when I am next",
            "Do not message me when I am next",
            "wants_early_notice",
            "You are next:** a direct message before your turn",
            "You are next:** off",
        ),
        (
            "Show pictures as text",
            "Show pictures",
            "text_only",
            "Pictures:** as text, for a screen reader",
            "Pictures:** shown",
        ),
        (
            "Leave the leaderboards",
            "Join the leaderboards",
            "is_unlisted",
            "Leaderboards:** you are not listed",
            "Leaderboards:** you are listed",
        ),
    ],
)
async def test_a_switch_changes_one_setting(
    person: SettingsUser, on_label: str, off_label: str, field: str, on_text: str, off_text: str
) -> None:
    """A switch turns one thing on and off, and nothing else; the page says how it is now."""
    row_before = await person.row()
    text, *_ = await person.press(on_label)
    row_after = await person.row()
    assert row_after == replace(row_before, **{field: True})
    assert on_text in text
    text, *_ = await person.press(off_label)
    assert await person.row() == row_before
    assert off_text in text


async def test_settings_that_are_stored_are_shown(
    person: SettingsUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads that nothing has changed if only their reminders cannot be looked up."""

    async def fail(_: int) -> tuple[TableListing, ...]:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(person, "live_tables_of_user", fail)
    text, *_ = await person.press("Snooze for 3 days")
    assert "**Snoozed:**" in text
    assert (await person.row()).snoozed_until


async def test_the_form_sets_zone_and_quiet_hours(person: SettingsUser) -> None:
    """The form sets both; the page confirms with the time that it is there."""
    text, *_ = await person.submit_zone_form(zone="paris", begin="1380", end="420")
    assert await person.row() == PersonRow(USER, "Europe/Paris", QuietHours(1380, 420))
    assert "Paris (Europe), where it is" in text
    assert "23:00 to 7:00" in text
    text, *_ = await person.submit_zone_form(zone="Europe/Paris", begin="none", end="420")
    assert "**Quiet hours:** none" in text
    await person.submit_zone_form(zone="", begin="1380", end="420")
    assert (await person.row()).time_zone is None


async def test_several_zones_that_fit_are_offered(person: SettingsUser) -> None:
    """Several zones that fit are offered, one of which is chosen."""
    text, components, _ = await person.submit_zone_form(zone="san", begin="1380", end="420")
    assert "Which one is yours?" in text
    options = components[-1]["components"][0]["options"]
    assert "America/Santiago" in {option["value"] for option in options}
    recorder = ResponseRecorder()
    custom_id = CustomId(0, 0, "zone")
    await handle_press(person._component_press(custom_id, recorder, values=["America/Santiago"]))
    assert (await person.row()).time_zone == "America/Santiago"


async def test_an_unknown_city_is_answered_with_the_times_of_all_zones(person: SettingsUser) -> None:
    """Each zone that differs from the others is offered, and the form again; its hours are set."""
    await person.submit_zone_form(zone="paris", begin="1380", end="420")
    text, components, _ = await person.submit_zone_form(zone="*Hamburg*", begin="60", end="120")
    assert text.startswith("I don't know “\\*Hamburg\\*”. ")
    assert "Berlin for all of Germany" in text
    *select_rows, button_row = components[1:]
    options = [option for row in select_rows for option in row["components"][0]["options"]]
    assert {each["value"] for each in options} == {zone for zone, _ in distinct_zones()}
    labels = {option["value"]: option["label"] for option in options}
    now = ManualClock()()
    assert labels["Europe/Paris"] == f"{local_time_text(PersonRow(0, 'Europe/Paris'), now)}, Paris"
    assert button_row["components"][0]["label"] == "Type again"
    assert await person.row() == PersonRow(USER, "Europe/Paris", QuietHours(60, 120))
    for row in select_rows:
        parsed_id = parse_custom_id(row["components"][0]["custom_id"])
        assert parsed_id is not None
        value = row["components"][0]["options"][-1]["value"]
        await handle_press(person._component_press(parsed_id, ResponseRecorder(), values=[value]))
        assert (await person.row()).time_zone == value


@pytest.mark.parametrize("month", [1, 7])
def test_the_times_of_all_zones_are_in_order(month: int) -> None:
    """Each menu is named by its first and its last time, and all of it can be read on a narrow phone."""
    now = datetime(2026, month, 15, 12, tzinfo=UTC).timestamp()
    rows = [row for row in unknown_zone_post("x", now).rows if isinstance(row, tuple)]
    selects = [row[0] for row in rows if isinstance(row[0], Select)]
    options = [option for select in selects for option in select.options]
    times = [datetime.fromtimestamp(now, ZoneInfo(zone)).replace(tzinfo=None) for _, zone, _ in options]
    assert times == sorted(times)
    for select in selects:
        (first_label, *_), *_, (last_label, *_) = select.options
        assert select.placeholder == f"{first_label.partition(',')[0]} to {last_label.partition(',')[0]}"
    for label, zone, description in options:
        assert max(len(label), len(description)) <= NARROW_OPTION_LENGTH, zone
        assert "…" not in label + description, zone


@pytest.mark.parametrize("typed", ["america", "argentina", "us", "russia", "a", "o"])
def test_zones_to_choose_from_fit_a_narrow_phone(typed: str) -> None:
    """No option and no name of a menu is cut at 350 pixels."""
    for row in zone_choice_post(typed, find_zones(typed)).rows:
        assert isinstance(row, tuple)
        select = row[0]
        assert isinstance(select, Select)
        assert len(select.placeholder) <= NARROW_OPTION_LENGTH
        for label, zone, _ in select.options:
            assert len(label) <= NARROW_OPTION_LENGTH, zone


@pytest.mark.parametrize("wrong", ["-60", "1440", "99999", "", "x", "²"])
async def test_hours_that_no_form_offers_change_nothing(person: SettingsUser, wrong: str) -> None:
    """What the form does not offer leaves the quiet hours as they were."""
    await person.submit_zone_form(zone="paris", begin=wrong, end=wrong)
    assert (await person.row()).quiet_hours == QuietHours()


def test_without_a_time_zone_there_is_no_tomorrow() -> None:
    """A snooze lasts until quiet hours end tomorrow; without a time zone its button promises 24 hours."""
    now = ManualClock()()
    for zone, label in ((None, "Snooze for 24 hours"), ("Europe/Paris", "Snooze until tomorrow")):
        rows = settings_post(PersonRow(USER, time_zone=zone), now).rows
        labels = [
            each.label for row in rows if isinstance(row, tuple) for each in row if isinstance(each, Button)
        ]
        assert label in labels
        assert sum("Snooze" in each for each in labels) == 2


def test_an_unknown_time_zone_counts_as_none() -> None:
    """Where the machine no longer knows a stored time zone, the page promises no quiet hours."""
    text = settings_post(PersonRow(USER, time_zone="Atlantis/Poseidonis"), ManualClock()()).text
    assert "not set, so there are no quiet hours" in text
    assert "22:00 to 8:00, once you have set a time zone" in text
