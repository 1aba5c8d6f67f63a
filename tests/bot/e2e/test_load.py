"""The benchmark of the load: a running bot answers every press with its page, and its figures are there."""

import pytest

from tests.bench.load import run_load
from tests.trials import SOAK_MARK

pytestmark = [pytest.mark.slow, SOAK_MARK]

TABLES = 4
RATE = 8.0
SECONDS = 5.0


async def test_a_short_load_is_answered() -> None:
    """Every press that was due is answered, panels bring a picture, boards follow, nothing fails."""
    figures = await run_load(TABLES, RATE, SECONDS)
    assert figures.failures == []
    assert len(figures.answers) + figures.skipped == int(RATE * SECONDS)
    assert figures.skipped < len(figures.answers) / 4
    assert figures.pictures > len(figures.answers) / 2
    assert 0 < len(figures.boards) < len(figures.answers)
    assert max(figures.answers) < 3
    assert 0 < figures.processor < SECONDS * 2
    assert figures.calls >= len(figures.answers)
    assert len(figures.lags) >= SECONDS - 1
