"""Tables over a store, and clock, courier and outbox that the test controls."""

import pytest

from bot.host.outbox import Outbox
from bot.host.tables import Tables
from bot.store.rows import TableRow
from bot.store.sqlite import SqliteStore
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, ManualClock, begin, default_setup
from tests.bot.host.scripted_courier import ManualOutbox, ScriptedCourier


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock that the test moves on."""
    return ManualClock()


@pytest.fixture
def tables(store: SqliteStore, clock: ManualClock) -> Tables:
    """Return tables of every game over the store."""
    return Tables(store, GAMES_AND_TOYS, clock)


@pytest.fixture
def courier() -> ScriptedCourier:
    """Return a courier that the test scripts."""
    return ScriptedCourier()


@pytest.fixture
def outbox(tables: Tables, courier: ScriptedCourier) -> Outbox:
    """Return an outbox that works only when the test says so."""
    return ManualOutbox(tables, courier)


@pytest.fixture
async def number(tables: Tables) -> int:
    """Return the number of a table of four people whose game hides hands and has no clock."""
    return await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 4))


@pytest.fixture
async def table_rows(store: SqliteStore, clock: ManualClock) -> list[TableRow]:
    """Return the rows of six tables, at each of which a game of two has begun."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    numbers = [
        await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)) for _ in range(6)
    ]
    return [(await tables.get(number)).row for number in numbers]
