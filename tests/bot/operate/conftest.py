"""The tests of the commands do not wait for a locked database."""

import pytest


@pytest.fixture(autouse=True)
def _short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a locked file at once."""
    monkeypatch.setattr("bot.store.restoring.LOCK_TIMEOUT", 0.05)
    monkeypatch.setattr("bot.store.sqlite.START_TIMEOUT", 0.05)
