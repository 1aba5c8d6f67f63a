"""Nobody waits for a bot that holds a database."""

import pytest


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A held file is refused at once."""
    monkeypatch.setattr("bot.store.restoring.PATIENCE", 0.05)
    monkeypatch.setattr("bot.store.sqlite.START_PATIENCE", 0.05)
