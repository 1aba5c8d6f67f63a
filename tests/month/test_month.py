"""A month on a server with people who sleep, forget, leave and come back: nothing lost, nobody pestered.

The report and the list of events of a run stand in ``build/month``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from bot.host.deciders import ready_check
from tests.month.absence import AbsenceModel, load_model
from tests.month.month import Month
from tests.month.report import Report, check_month
from tests.trials import IS_SOAK, SOAK_MARK

RESULTS_FOLDER: Final = Path("build/month")


def short_model() -> AbsenceModel:
    """Return the model of a few days at a few tables, for every commit."""
    model = load_model()
    month = replace(
        model.month, person_count=7, table_count=2, days=6, opening_days=0.3, days_until_visits_end=7
    )
    platform = replace(model.platform, bot_down_day=3, channel_deleted_day=2.4, thread_archived_day=1.5)
    leaving = replace(model.leaving, server_leaver_count=1, kicked_count=0)
    return replace(model, month=month, platform=platform, leaving=leaving)


async def run_month(model: AbsenceModel, folder: Path, name: str) -> Report:
    """Run a month; write its report and its list of events."""
    month = Month(model, folder / f"{name}.db")
    try:
        await month.run()
        assert month.server.store is not None
        report = await check_month(month, month.server.store)
    finally:
        await month.server.close()
        if IS_SOAK:
            RESULTS_FOLDER.mkdir(parents=True, exist_ok=True)
            (RESULTS_FOLDER / f"{name}.events.txt").write_text("\n".join(month.event_log))
    text = "\n".join(report.lines())
    if IS_SOAK:
        (RESULTS_FOLDER / f"{name}.report.txt").write_text(text)
    print(f"\n{name}\n{text}")
    return report


@pytest.mark.usefixtures("restored_discord_addresses")
async def test_nothing_is_lost_in_some_days_of_a_server(tmp_path: Path) -> None:
    """A few tables of a few days: every table ends or is closed, and what was confirmed is kept."""
    report = await run_month(short_model(), tmp_path, "days")
    assert report.begun_game_count
    assert report.event_counts["choices"] > 5


@SOAK_MARK
@pytest.mark.usefixtures("restored_discord_addresses")
async def test_nothing_is_lost_in_a_month_of_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, add_trials: Callable[[int], None]
) -> None:
    """The month of the model, and the same month without the ready check: both reports are printed."""
    with_check = await run_month(load_model(), tmp_path, "month")
    monkeypatch.setattr(ready_check, "MIN_LOBBY_AGE", math.inf)
    without_check = await run_month(load_model(), tmp_path, "month-without-ready-check")
    add_trials(with_check.begun_game_count + without_check.begun_game_count)
    assert with_check.begun_game_count >= 10
    assert without_check.begun_game_count >= 10
