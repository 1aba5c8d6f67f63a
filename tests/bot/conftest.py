"""A store on a fresh file; sources that are read once."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.sqlite import SqliteStore, open_store
from tests.bot.cached_imports import parse_rules_once


@pytest.fixture(autouse=True, scope="session")
def _parse_rules_once() -> None:
    parse_rules_once()


@pytest.fixture
def database_path(tmp_path: Path) -> Path:
    """Return the path of the database, which does not exist yet."""
    return tmp_path / "tables.db"


@pytest.fixture
async def store(database_path: Path) -> AsyncIterator[SqliteStore]:
    """Yield an open store."""
    opened = await open_store(database_path)
    yield opened
    await opened.close()
