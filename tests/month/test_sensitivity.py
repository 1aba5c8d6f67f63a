"""The checks of the month can fail: each seeded defect is reported as what it is."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from bot.chat import courier
from bot.chat.delivery_contents import BoardContent, board_content
from bot.host.deciders import reminders
from bot.host.mentions import MentionBudget
from bot.host.preferences import PersonPreferences
from bot.host.table import Table
from bot.store.delivery_rows import PostedMessage
from bot.store.preferences import PersonRow, QuietHours
from tests.month.absence import AbsenceModel, load_model
from tests.month.mentions import (
    AGAIN_FOR_ONE_TURN,
    OVER_DAILY_LIMIT,
    REMINDED_AT_NIGHT,
    REMINDERS_ARE_OFF,
    TOO_MANY_REMINDERS,
    MentionKind,
    broken_rules,
)
from tests.month.month import Month
from tests.month.people import ActionProbabilities

LOW_DAILY_MENTION_LIMIT: Final = 1
"""So low that a few days reach it."""
DefectSeeder = Callable[[pytest.MonkeyPatch], None]


def few_days_model(
    run_days: float, *, missed_turn_probability: float, tell_time_zone_probability: float = 0.0
) -> AbsenceModel:
    """Return a model of one table at which nothing goes wrong, except that people miss turns."""
    model = load_model()
    month = replace(
        model.month,
        person_count=4,
        table_count=1,
        days=2,
        opening_days=0.3,
        gathering_hours=(0.1, 0.5),
        days_until_visits_end=run_days,
    )
    attendance = replace(
        model.attendance,
        missed_turn_probability=missed_turn_probability,
        come_on_reminder_probability=1 - missed_turn_probability,
        median_hours_to_come=2.0,
    )
    sleep = replace(model.sleep, tell_time_zone_probability=tell_time_zone_probability)
    leaving = replace(
        model.leaving,
        forget_table_probability=0.0,
        stop_coming_probability=0.0,
        resign_probability=0.0,
        server_leaver_count=0,
        kicked_count=0,
    )
    platform = replace(model.platform, bot_down_day=9.0, channel_deleted_day=9.0, thread_archived_day=9.0)
    return replace(model, month=month, attendance=attendance, sleep=sleep, leaving=leaving, platform=platform)


@dataclass(frozen=True)
class ShortRun:
    """Some days of one table."""

    model: AbsenceModel
    action_probabilities: ActionProbabilities
    daily_mention_limit: int = 99

    async def run(self, folder: Path) -> tuple[Month, set[str]]:
        """Run the days; return them and the rules about mentions that were broken."""
        month = Month(self.model, folder / "days.db", self.daily_mention_limit, self.action_probabilities)
        try:
            await month.run(until_closed=False)
        finally:
            await month.server.close()
        broken = broken_rules(month.mentions, self.daily_mention_limit)
        return month, {text.partition(":")[0] for text in broken}


ALL_COME: Final = ShortRun(
    few_days_model(1.6, missed_turn_probability=0.0),
    ActionProbabilities(turn_reminders_off_probability=0.0, take_back_probability=0.8),
)
NOBODY_COMES: Final = ShortRun(
    few_days_model(2.4, missed_turn_probability=1.0),
    ActionProbabilities(turn_reminders_off_probability=0.0, take_back_probability=0.0),
)
LIMITED: Final = dataclasses.replace(NOBODY_COMES, daily_mention_limit=LOW_DAILY_MENTION_LIMIT)
REMINDERS_OFF: Final = ShortRun(
    few_days_model(2.4, missed_turn_probability=1.0),
    ActionProbabilities(turn_reminders_off_probability=1.0, take_back_probability=0.0),
)
QUIET_NIGHTS: Final = ShortRun(
    few_days_model(2.4, missed_turn_probability=1.0, tell_time_zone_probability=1.0),
    ActionProbabilities(turn_reminders_off_probability=0.0, take_back_probability=0.0),
)


def mention_again_for_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defect: the board forgets whom it has mentioned for which turn."""

    async def board_content_without_earlier_mentions(
        table: Table, posted: PostedMessage | None, unanswered: Sequence[str]
    ) -> BoardContent:
        return await board_content(
            table, None if posted is None else replace(posted, last_mentions=()), unanswered
        )

    monkeypatch.setattr(courier, "board_content", board_content_without_earlier_mentions)


def never_count_mentions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defect: everybody may be mentioned always."""

    async def reserve_all(_: MentionBudget, users: Sequence[int]) -> tuple[int, ...]:
        return tuple(users)

    monkeypatch.setattr(MentionBudget, "reserve", reserve_all)


def remind_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defect: one reminder too many."""
    monkeypatch.setattr(reminders, "MAX_REMINDERS", reminders.MAX_REMINDERS + 1)


def _override_settings(monkeypatch: pytest.MonkeyPatch, **changed: object) -> None:
    get_many = PersonPreferences.get_many

    async def get_overridden(people: PersonPreferences, keys: Collection[int]) -> dict[int, PersonRow]:
        return {user: replace(row, **changed) for user, row in (await get_many(people, keys)).items()}

    monkeypatch.setattr(PersonPreferences, "get_many", get_overridden)


def ignore_reminders_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defect: people are reminded who have turned reminders off."""
    _override_settings(monkeypatch, wants_reminders=True)


def ignore_quiet_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defect: people are reminded in their quiet hours."""
    _override_settings(monkeypatch, quiet_hours=QuietHours(0, 0))


@pytest.mark.usefixtures("restored_discord_addresses", "without_drawing")
@pytest.mark.parametrize(
    ("short_run", "min_counts"),
    [
        (ALL_COME, {MentionKind.BOARD: 3}),
        (LIMITED, {MentionKind.BOARD: 1, MentionKind.REMINDER: 1}),
        (QUIET_NIGHTS, {MentionKind.BOARD: 1, MentionKind.REMINDER: 2}),
    ],
    ids=["all come", "limited", "quiet nights"],
)
async def test_nothing_is_reported_without_a_defect(
    tmp_path: Path, short_run: ShortRun, min_counts: dict[MentionKind, int]
) -> None:
    """The days have what the defects change, and break no rule."""
    month, broken = await short_run.run(tmp_path)
    assert broken == set()
    kind_counts = Counter(mention.kind for mention in month.mentions if mention.asks_for_turn)
    assert all(kind_counts[kind] >= count for kind, count in min_counts.items())


@pytest.mark.trust_test("T21", sensitivity=True)
@pytest.mark.usefixtures("restored_discord_addresses", "without_drawing")
@pytest.mark.parametrize(
    ("seed_defect", "short_run", "rule"),
    [
        (mention_again_for_one_turn, ALL_COME, AGAIN_FOR_ONE_TURN),
        (never_count_mentions, LIMITED, OVER_DAILY_LIMIT),
        (remind_once_more, NOBODY_COMES, TOO_MANY_REMINDERS),
        (ignore_reminders_off, REMINDERS_OFF, REMINDERS_ARE_OFF),
        (ignore_quiet_hours, QUIET_NIGHTS, REMINDED_AT_NIGHT),
    ],
)
async def test_a_seeded_defect_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed_defect: DefectSeeder, short_run: ShortRun, rule: str
) -> None:
    """The checks of the month report each defect as what it is."""
    seed_defect(monkeypatch)
    _, broken = await short_run.run(tmp_path)
    assert broken == {rule}
