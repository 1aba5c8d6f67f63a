"""Equal games in each run of a test; a drawing process; a store on a fresh file; sources read once."""

import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from bot.drawing_connection import DrawingConnection
from bot.store.migrations import migrate, released_migrations
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.cached_imports import parse_rules_once
from tests.bot.drawing_connections import open_drawing_connections
from tests.bot.host.playing import RNG
from tests.trials import IS_SOAK


@pytest.fixture(autouse=True, scope="session")
def _parse_rules_once() -> None:
    parse_rules_once()


@pytest.fixture(autouse=True)
def seed_randomness(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each test deal the same cards and make the same moves every time, whatever ran before it."""
    RNG.seed(request.node.name)
    rng = random.Random(request.node.name)
    monkeypatch.setattr("bot.host.tables.secrets.token_bytes", rng.randbytes)


@pytest.fixture
async def drawing_connection() -> AsyncIterator[DrawingConnection]:
    """Yield the connection to a drawing process."""
    async with open_drawing_connections() as connections:
        yield connections[-1]


@pytest.fixture
def database_path(tmp_path: Path) -> Path:
    """Return the path of the database, which does not exist yet."""
    return tmp_path / "tables.db"


@pytest.fixture
async def store(database_path: Path) -> AsyncIterator[SqliteStore]:
    """Yield an open store without a game; in ``make test`` the schema is made once, and copied."""
    if not IS_SOAK:
        database_path.touch(0o600)
        database_path.write_bytes(_empty_database())
    opened = await open_store(database_path)
    yield opened
    await opened.close()


@cache
def _empty_database() -> bytes:
    """Return the file of a database that has the schema and nothing else."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, released_migrations())
        return connection.serialize()
