"""The benchmarks of load and growth: the bot answers every press with its page, and each figure is there."""

import math
from pathlib import Path

import pytest

from tests.bench import growth
from tests.bench.growth import DATABASE_SIZE, MEASURES, GrowthSettings, measure_growth
from tests.bench.load import LoadSettings, report_lines, run_load
from tests.bench.metered_bot import GATEWAY, HTTP, WORDS
from tests.bench.metered_drawing import DRAWING
from tests.trials import SOAK_MARK

pytestmark = [pytest.mark.slow, SOAK_MARK]

SETTINGS = LoadSettings(table_count=5, rate=3.0, seconds=5.0, other_game_count=20)


async def test_a_short_load_is_answered() -> None:
    """Every move that was due is made, panels bring a picture, boards follow, nothing fails."""
    lines: list[str] = []
    figures = await run_load(SETTINGS, lines.append)
    presses, due_count = figures.presses, int(SETTINGS.rate * SETTINGS.seconds)
    assert presses.failures == []
    assert "lines in the bot's log: 0" in lines
    assert len(presses.move_answer_times) + presses.skipped_move_count == due_count
    assert presses.skipped_move_count < due_count / 4
    assert presses.picture_count > len(presses.answer_times) / 2
    assert len(figures.board_times) == len(presses.move_answer_times) < len(presses.answer_times)
    assert figures.hand_times
    assert max(presses.answer_times) < 3
    assert figures.calls["answers"] == len(presses.answer_times)
    assert figures.upload_count >= presses.picture_count
    assert figures.drawn_count
    assert len(figures.loop_lags) >= SETTINGS.seconds - 1
    assert min(figures.bot_parts[part] for part in (DRAWING, WORDS, HTTP, GATEWAY)) > 0
    assert sum(figures.bot_parts.values()) == pytest.approx(figures.bot_processor_seconds, rel=0.1)
    assert figures.metering_seconds < figures.bot_processor_seconds / 20
    assert len(report_lines(SETTINGS, figures)) > 10


async def test_growth_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every measure has a figure for both sizes, and nothing fails."""
    monkeypatch.setattr(growth, "OWN_TABLE_COUNT", 5)
    lines: list[str] = []
    settings = GrowthSettings(sizes=(5, 25), repeat_count=1, seconds=5.0)
    pairs_by_size = await measure_growth(settings, tmp_path, lines.append)
    ((smallest, larger),) = pairs_by_size[25]
    for figures in (smallest, larger):
        assert set(figures) == set(MEASURES)
        assert all(0 < value < math.inf for value in figures.values())
    assert larger[DATABASE_SIZE] > smallest[DATABASE_SIZE]
    assert sum("failures: 0 []" in line for line in lines) == len(settings.sizes)
    assert sum("faults: []" in line for line in lines) == len(settings.sizes)
