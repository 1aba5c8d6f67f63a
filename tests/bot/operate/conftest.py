"""Fixtures of the commands' tests: empty folders, short waits for locks, equal seeds."""

import random
from pathlib import Path

import pytest

from bot.config import StorageSettings
from tests.bot.operate.databases import storage_in


@pytest.fixture
def storage(tmp_path: Path) -> StorageSettings:
    """Return the settings of an empty folder."""
    return storage_in(tmp_path)


@pytest.fixture(autouse=True)
def _short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a locked file at once."""
    monkeypatch.setattr("bot.store.restoring.LOCK_TIMEOUT", 0.05)
    monkeypatch.setattr("bot.store.connection.LOCK_TIMEOUT", 0.05)


@pytest.fixture(autouse=True)
def _equal_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in each run of a test: a game that ends by chance is restored differently."""
    rng = random.Random(request.node.name)
    monkeypatch.setattr("bot.host.tables.secrets.token_bytes", rng.randbytes)
