"""Fixtures for tests of the store: its backups."""

from pathlib import Path

import pytest

from bot.store.backup import SqliteBackups
from bot.store.sqlite import SqliteStore
from tests.bot.store.backups import find_no_divergence


@pytest.fixture
def backup_folder(tmp_path: Path) -> Path:
    """Return the folder of the backups."""
    return tmp_path / "backups"


@pytest.fixture
def backups(store: SqliteStore, backup_folder: Path) -> SqliteBackups:
    """Return the backups of the store."""
    return SqliteBackups(store, backup_folder, find_no_divergence)
