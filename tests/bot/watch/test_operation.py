"""The watchdogs together: one look at a real store, the heartbeat, and giving up."""

from pathlib import Path
from typing import Any, cast

import pytest

from bot.host.tables import Tables
from bot.meters import Meters
from bot.store.protocol import Status, StoreError
from bot.store.sqlite import SqliteStore, open_store
from bot.watch.operation import Operation
from bot.watch.watchdogs import BACKUP_EVERY, GIVE_UP, LATE_BACKUP, STUCK
from rules.catalogue import GAMES
from tests.bot.host.playing import EVERY_GAME, begin, plain
from tests.bot.host.playing import Clock as Wall
from tests.bot.watch.test_watchdogs import FakeLine, Time, alarms


class _Outbox:
    """An outbox that is never woken in earnest."""

    def __init__(self) -> None:
        self.woken: list[int] = []
        self.outbox = self

    def wake(self, table: int) -> None:
        """Take it down."""
        self.woken.append(table)


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    """An open store."""
    opened = await open_store(tmp_path / "tables.db")
    yield opened
    await opened.close()


async def test_one_look_at_everything(store: SqliteStore, tmp_path: Path) -> None:
    """Stuck deliveries of a real store are noticed and woken, tables counted, the heart beats."""
    number = await begin(Tables(store, EVERY_GAME, Wall()), plain(next(iter(GAMES.values()))))
    time, meters, outbox, heartbeat = Time(), Meters(), _Outbox(), tmp_path / "heartbeat"
    line = FakeLine(time)
    operation = Operation(
        store,
        cast("Any", outbox),
        line,
        meters,
        heartbeat=heartbeat,
        backup_age=lambda: BACKUP_EVERY + LATE_BACKUP + 1,
        clock=time,
    )
    await operation.look()
    assert heartbeat.exists()
    assert outbox.woken == []
    time.now += STUCK + 1
    await operation.look()
    assert outbox.woken == [number]
    assert [alarms(meters, watch) for watch in ("outbox", "backup", "gateway")] == [1, 1, 0]
    told = meters.registry.get_sample_value("captains_table_tables", {"status": Status.PLAYING.value})
    assert told == 1


async def test_the_heart_stops_with_the_store(store: SqliteStore, tmp_path: Path) -> None:
    """A store that does not answer is noticed, and the heart does not beat."""
    time, meters, heartbeat = Time(), Meters(), tmp_path / "heartbeat"

    class Failing:
        async def backlog(self, now: float) -> None:
            raise StoreError("the disk is gone")

    failing, host = cast("Any", Failing()), cast("Any", _Outbox())
    operation = Operation(failing, host, FakeLine(time), meters, heartbeat=heartbeat, clock=time)
    await operation.look()
    assert not heartbeat.exists()
    assert alarms(meters, "store") == 1


async def test_a_silent_gateway_ends_the_process(store: SqliteStore, tmp_path: Path) -> None:
    """After the last attempt the process is told to end, and the heart no longer beats."""
    time, heartbeat = Time(), tmp_path / "heartbeat"
    line = FakeLine(time)
    line.echoes = False
    operation = Operation(store, cast("Any", _Outbox()), line, Meters(), heartbeat=heartbeat, clock=time)
    time.now += GIVE_UP - 1
    await operation.look()
    assert (line.reconnected, operation.gave_up.is_set()) == (1, False)
    heartbeat.unlink()
    time.now += 2
    await operation.look()
    assert operation.gave_up.is_set()
    assert not heartbeat.exists()
