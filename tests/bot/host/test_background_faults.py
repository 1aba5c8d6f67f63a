"""A game that fails in the background is frozen; the bot starts, and the other games go on."""

import asyncio
import random
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.host import computers, dm_status
from bot.host.computers import ComputerPlayers
from bot.host.deciders.decision import THREAD_DELIVERY, Decision
from bot.host.host import Host
from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import Change, Status
from bot.store.sqlite import SqliteStore
from rules.game import AnyGame
from tests.bot.e2e.observe import wait_until
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.scripted_courier import ManualOutbox, ScriptedCourier, run_outbox
from tests.bot.host.timed_tables import FakeConnectivity
from tests.trials import WAIT_TIMEOUT


class SeededFault(RuntimeError):
    """What the failing game raises."""


class FailingGame:
    """A game whose ``to_act`` fails once it is armed."""

    def __init__(self) -> None:
        """Sound at first."""
        self.is_armed = False
        sound = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]

        def to_act(state: Any) -> Any:
            if self.is_armed:
                raise SeededFault
            return sound.to_act(state)

        self.game: AnyGame = replace(sound, to_act=to_act)
        self.games = {**GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS: self.game}


async def wait_until_frozen(tables: Tables, number: int) -> None:
    """Wait until a table is frozen."""
    async with asyncio.timeout(WAIT_TIMEOUT):
        while (await tables.get(number)).status is not Status.FROZEN:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)


async def test_a_failing_game_does_not_keep_the_bot_from_starting(
    store: SqliteStore, clock: ManualClock
) -> None:
    """A game that fails when the computer players are started is frozen, and the bot starts."""
    failing_game = FailingGame()
    earlier_tables = Tables(store, failing_game.games, clock)
    number = await begin(earlier_tables, default_setup(failing_game.game, 2), computer_count=1)
    await earlier_tables.replay_all()
    host = Host(store, failing_game.games, clock, random.Random(1), 0.0)
    await host.tables.get(number)
    failing_game.is_armed = True
    await host.start(ScriptedCourier())
    try:
        await wait_until_frozen(host.tables, number)
    finally:
        await host.stop()


async def test_a_game_that_fails_at_a_computer_players_move_is_frozen(
    store: SqliteStore, clock: ManualClock
) -> None:
    """A game that fails between two moves of a computer player is frozen."""
    failing_game = FailingGame()
    tables = Tables(store, failing_game.games, clock)
    number = await begin(tables, default_setup(failing_game.game, 2), computer_count=1)
    rng = random.Random(2)
    while (await tables.get(number)).to_act == 0:
        await make_move(tables, number, rng)
    players = ComputerPlayers(tables, random.Random(1), 0.0)
    await players.start()  # its task has not begun yet
    failing_game.is_armed = True
    try:
        await wait_until_frozen(tables, number)
    finally:
        await players.stop()


@pytest.mark.parametrize("is_table_cached", [True, False])
async def test_a_computer_player_outlasts_a_failing_store(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_table_cached: bool
) -> None:
    """A store that can neither be written nor read for a while delays a computer player, and ends nothing."""
    monkeypatch.setattr(computers, "RETRY_DELAY", 0.0)
    tables, rng = Tables(store, GAMES_AND_TOYS, clock), random.Random(2)
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2), computer_count=1)
    while (await tables.get(number)).to_act == 0:
        await make_move(tables, number, rng)
    attempt_count = 0

    async def fail(_: int | Change) -> Any:
        nonlocal attempt_count
        attempt_count += 1
        raise StoreError("the disk is full")

    players = ComputerPlayers(tables if is_table_cached else Tables(store, GAMES_AND_TOYS, clock), rng, 0.0)
    with monkeypatch.context() as patches:
        patches.setattr(store, "commit", fail)
        patches.setattr(store, "load", fail)
        await players.start()
        await wait_until(lambda: attempt_count > 3 or None, awaited="some attempts")
    try:
        async with asyncio.timeout(WAIT_TIMEOUT):
            while (await Tables(store, GAMES_AND_TOYS, clock).get(number)).to_act != 0:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)
    finally:
        await players.stop()


async def test_housekeeping_outlasts_a_fault(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A check that raises what nobody expects is logged, and the next check comes."""
    checked = asyncio.Event()

    class FailingOnce(FakeConnectivity):
        has_failed = False

        def is_connected(self) -> bool:
            if not self.has_failed:
                self.has_failed = True
                raise MemoryError
            checked.set()
            return False

    monkeypatch.setattr("bot.host.housekeeping.CHECK_INTERVAL", 0.0)
    housekeeping = Housekeeping(tables)
    housekeeping.start(FailingOnce())
    try:
        async with asyncio.timeout(WAIT_TIMEOUT):
            await checked.wait()
    finally:
        await housekeeping.stop()
    assert [each.exc_info[0] for each in caplog.records if each.exc_info] == [MemoryError]


async def test_a_failing_game_does_not_hide_a_stored_change(store: SqliteStore, clock: ManualClock) -> None:
    """A game that fails after a change was stored is frozen; the change is answered, and the outbox woken."""
    failing_game = FailingGame()
    tables = Tables(store, failing_game.games, clock)
    players = ComputerPlayers(tables, random.Random(1), 0.0)
    woken: list[int] = []
    tables.add_listener(lambda table: woken.append(table.number))
    number = await begin(tables, default_setup(failing_game.game, 2))
    woken.clear()
    request = request_of_person(0)

    def move(table: Table) -> Any:
        failing_game.is_armed = True
        return Decision(table=table.with_row(game_channel=5), answer="moved")

    result = await tables.change(number, request, move)
    assert result.answer == "moved"
    assert woken == [number]
    try:
        await wait_until_frozen(tables, number)
    finally:
        await players.stop()


@pytest.mark.parametrize("what", ["direct messages", "new thread"])
async def test_a_game_that_fails_in_the_outbox_is_frozen(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It fails when the outbox stores what it has learnt; the outbox delivers what is left."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2))

    def fail(*_: Any, **__: Any) -> Any:
        raise SeededFault

    open_thread = partial(Decision, answer="", deliveries=(THREAD_DELIVERY,))
    await tables.change(number, None, lambda table: open_thread(table=table))
    courier = ScriptedCourier()
    if what == "new thread":
        monkeypatch.setattr("bot.host.outbox.Decision", fail)
    else:
        monkeypatch.setattr(dm_status, "mark_messages_open", fail)
    wait = await run_outbox(ManualOutbox(tables, courier), number)
    assert wait is None, "something is left"
    assert (await tables.get(number)).status is Status.FROZEN
