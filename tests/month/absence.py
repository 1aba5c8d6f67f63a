"""The model of absence: who the people of a simulated month are, and when they come.

Its fields are those of ``absence.toml``, which explains each.
"""

from __future__ import annotations

import math
import random
import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

MODEL_FILE: Final = Path(__file__).with_name("absence.toml")
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR


class MonthSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How large the month is."""

    person_count: int
    table_count: int
    days: int
    opening_days: float
    gathering_hours: tuple[float, float]
    days_until_visits_end: float


class Attendance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether and when people come after a notice."""

    missed_turn_probability: float
    median_hours_to_come: float
    spread: float
    come_on_reminder_probability: float
    play_all_tables_probability: float


class Sleep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When people sleep."""

    bedtime: tuple[float, float]
    sleep_hours: tuple[float, float]
    time_zones: tuple[str, ...]
    tell_time_zone_probability: float


class Leaving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How people stay away."""

    forget_table_probability: float
    stop_coming_probability: float
    come_back_probability: float
    days_gone: tuple[float, float]
    holiday_probability: float
    holiday_days: tuple[float, float]
    announce_holiday_probability: float
    resign_probability: float
    return_to_seat_probability: float
    closed_messages_probability: float
    server_leaver_count: int
    kicked_count: int


class Platform(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to the bot and its channels."""

    bot_down_day: float
    channel_deleted_day: float
    thread_archived_day: float


class AbsenceModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole model of absence."""

    seed: int
    month: MonthSize
    attendance: Attendance
    sleep: Sleep
    leaving: Leaving
    platform: Platform


def load_model(path: Path = MODEL_FILE) -> AbsenceModel:
    """Return the model that a file holds."""
    return msgspec.convert(tomllib.loads(path.read_text()), AbsenceModel)


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which a person does not come.  Times are seconds since 1970."""

    begin: float
    end: float
    is_announced: bool = False


@dataclass(frozen=True, slots=True)
class Habits:
    """When one person comes."""

    zone: str
    bedtime: float
    """Hours after midnight, in their own zone."""
    sleep_hours: float
    tells_time_zone: bool
    has_closed_messages: bool
    gaps: tuple[Gap, ...]

    def next_waking(self, at: float) -> float:
        """Return the first time from ``at`` on when the person is awake and not away; infinite: never."""
        while True:
            next_time = self._after_gaps(at)
            next_time = next_time if math.isinf(next_time) else self._after_sleep(next_time)
            if next_time == at:
                return at
            at = next_time

    def _after_gaps(self, at: float) -> float:
        return max((gap.end for gap in self.gaps if gap.begin <= at < gap.end), default=at)

    def _after_sleep(self, at: float) -> float:
        local = datetime.fromtimestamp(at, ZoneInfo(self.zone))
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        for days in (-1, 0):
            begin = midnight + timedelta(days=days, hours=self.bedtime)
            end = begin + timedelta(hours=self.sleep_hours)
            if begin <= local < end:
                return end.timestamp()
        return at

    def visit_after(self, notice_at: float, waking_hours: float) -> float:
        """Return when a person comes who needs so many hours of being awake after a notice."""
        at, remaining = self.next_waking(notice_at), waking_hours * HOUR
        while remaining > 0:
            step = min(remaining, HOUR / 2)
            at, remaining = self.next_waking(at + step), remaining - step
        return at


def draw_habits(model: AbsenceModel, rng: random.Random, month_begin: float) -> Habits:
    """Draw when one person comes."""
    sleep, leaving = model.sleep, model.leaving
    gaps: list[Gap] = []
    month_seconds = model.month.days * DAY
    if rng.random() < leaving.stop_coming_probability:
        gap_begin = month_begin + rng.uniform(2 * DAY, month_seconds)
        comes_back = rng.random() < leaving.come_back_probability
        duration = rng.uniform(*leaving.days_gone) * DAY if comes_back else math.inf
        gaps.append(Gap(gap_begin, gap_begin + duration))
    if rng.random() < leaving.holiday_probability:
        gap_begin = month_begin + rng.uniform(2 * DAY, month_seconds)
        gap_end = gap_begin + rng.uniform(*leaving.holiday_days) * DAY
        gaps.append(Gap(gap_begin, gap_end, is_announced=rng.random() < leaving.announce_holiday_probability))
    return Habits(
        zone=rng.choice(sleep.time_zones),
        bedtime=rng.uniform(*sleep.bedtime),
        sleep_hours=rng.uniform(*sleep.sleep_hours),
        tells_time_zone=rng.random() < sleep.tell_time_zone_probability,
        has_closed_messages=rng.random() < leaving.closed_messages_probability,
        gaps=tuple(gaps),
    )


def draw_hours_to_come(model: AbsenceModel, rng: random.Random) -> float:
    """Draw how many waking hours pass between a notice and the visit."""
    return rng.lognormvariate(math.log(model.attendance.median_hours_to_come), model.attendance.spread)
