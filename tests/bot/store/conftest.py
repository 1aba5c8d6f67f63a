"""Fixtures for tests of the store: its backups."""

from pathlib import Path

import pytest

from bot.store.backup import SqliteBackups
from bot.store.sqlite import SqliteStore
from tests.bot.store.backups import find_no_divergence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return where the copies go."""
    return tmp_path / "backups"


@pytest.fixture
def backups(store: SqliteStore, folder: Path) -> SqliteBackups:
    """Return the backups of the store."""
    return SqliteBackups(store, folder, find_no_divergence)
