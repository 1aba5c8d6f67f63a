"""Work of one game in a worker thread is limited in time, and never costs another game anything."""

import asyncio
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.chat.pictures import draw_board_picture
from bot.host import game_workers
from bot.host.deciders.decision import Decision
from bot.host.game_guard import GameFault
from bot.host.game_workers import GameCallTimeout, WorkersBusy
from bot.host.loading import UnreadableTable, find_divergence, game_timeout_key
from bot.host.replay_queue import REPLAYED_FINGERPRINT_KEY
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.operate.table_maintenance import thaw
from bot.store.delivery_rows import Delivery
from bot.store.protocol import Divergence, StoreError
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from render import catalogue
from render.catalogue import PICTURES
from tests.bot.e2e.observe import wait_until
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    make_move,
)
from tests.bot.host.scripted_courier import ManualOutbox, ScriptedCourier, run_outbox
from tests.trials import WAIT_TIMEOUT

TIMEOUT_SECONDS = 0.6
"""How long a call in a thread may take in these tests."""


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Yield the event that ends an endless call.  Calls time out soon, and all work is done in threads."""
    monkeypatch.setattr("bot.host.game_workers.WORKER_TIMEOUT", TIMEOUT_SECONDS)
    monkeypatch.setattr("bot.host.game_workers.LONG_GAME_RECORDS", 0)
    event = threading.Event()
    yield event
    event.set()


def make_pictures_hang(monkeypatch: pytest.MonkeyPatch, released: threading.Event) -> list[int]:
    """Make the pictures of one game endless; return the list to which each call adds."""
    calls: list[int] = []

    def draw(*_: Any) -> Any:
        calls.append(1)
        released.wait()

    drawn = {
        name: replace(picture, draw=draw) for name, picture in PICTURES[KEY_OF_GAME_WITH_SECRETS].items()
    }
    monkeypatch.setattr(catalogue, "PICTURES", {**PICTURES, KEY_OF_GAME_WITH_SECRETS: drawn})
    return calls


class DrawingCourier(ScriptedCourier):
    """Draws the board of every delivery."""

    async def deliver(self, delivery: Delivery, table: Table, *rest: Any) -> Any:
        """Draw, then send; a frozen game's board is sent without a picture, as in the bot."""
        if table.match is not None and table.status is Status.PLAYING:
            await draw_board_picture(table)
        return await super().deliver(delivery, table, *rest)


def end_game(table: Table) -> Decision:
    """End a game early."""
    return Decision(table=table.with_row(status=Status.ENDED_EARLY), answer="")


async def start_game(tables: Tables) -> int:
    """Start a game of the kind whose calls are endless here."""
    return await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2))


async def test_an_endless_picture_freezes_its_game(
    store: SqliteStore, clock: ManualClock, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that never ends freezes its game, and the next process does not call that game again."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(tables)
    calls = make_pictures_hang(monkeypatch, released)
    await asyncio.wait_for(run_outbox(ManualOutbox(tables, DrawingCourier()), number), WAIT_TIMEOUT)
    assert (await tables.get(number)).status is Status.FROZEN
    assert len(calls) == 1
    with pytest.raises(GameCallTimeout):
        await draw_board_picture(await tables.get(number))
    assert len(calls) == 1, "a second thread has waited for it"
    later_table = await Tables(store, GAMES_AND_TOYS, clock).get(number)
    assert (later_table.status, later_table.match, later_table.is_unplayable) == (Status.FROZEN, None, True)
    assert len(calls) == 1


async def test_a_game_that_was_endless_can_be_thawed(
    store: SqliteStore, clock: ManualClock, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the operator has thawed it, such a game is loaded and played again."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(tables)
    with monkeypatch.context() as patched:
        make_pictures_hang(patched, released)
        with pytest.raises(GameCallTimeout) as raised:
            await draw_board_picture(await tables.get(number))
    await tables.handle_fault(raised.value)
    released.set()
    await wait_until(lambda: None if game_workers._overdue_seeds else True, awaited="the end of the call")
    monkeypatch.setattr("bot.host.game_workers.WORKER_TIMEOUT", 60.0)
    await thaw(Tables(store, GAMES_AND_TOYS, clock), number, "repaired")
    restarted_tables = Tables(store, GAMES_AND_TOYS, clock)
    await make_move(restarted_tables, number, random.Random(1))
    assert (await restarted_tables.get(number)).status is Status.PLAYING


async def test_a_refused_thaw_keeps_the_mark_of_the_timeout(
    store: SqliteStore, clock: ManualClock, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen game that stays frozen is not loaded again by the next process."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(tables)
    await tables.handle_fault(GameCallTimeout(number))
    mark = await store.get_metadata(game_timeout_key(number))
    assert mark
    monkeypatch.setattr("bot.host.thawing.find_divergence_with", lambda *_: Divergence(3, "planted"))
    with pytest.raises(Refusal, match="stays frozen"):
        await thaw(Tables(store, GAMES_AND_TOYS, clock), number, "repaired")
    assert await store.get_metadata(game_timeout_key(number)) == mark
    released.set()


@pytest.mark.parametrize(
    ("target", "error", "expected_error"),
    [
        ("bot.store.sqlite.SqliteStore.commit", StoreError("The disk is full."), StoreError),
        ("bot.host.thawing.find_divergence_with", KeyError("planted"), GameFault),
    ],
)
async def test_a_thaw_that_fails_keeps_the_mark_of_the_timeout(
    store: SqliteStore,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    error: Exception,
    expected_error: type[Exception],
) -> None:
    """A frozen game whose thaw the store or the game fails is not loaded again by the next process."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(tables)
    await tables.handle_fault(GameCallTimeout(number))
    monkeypatch.setattr(target, Mock(side_effect=error))
    with pytest.raises(expected_error):
        await thaw(Tables(store, GAMES_AND_TOYS, clock), number, "repaired")
    assert await store.get_metadata(game_timeout_key(number)) == "1"


async def test_a_finished_game_is_thawed_to_be_read(
    store: SqliteStore, clock: ManualClock, released: threading.Event
) -> None:
    """A finished game that took too long is readable after a thaw."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(tables)
    await tables.change(number, None, end_game)
    await tables.handle_fault(GameCallTimeout(number))
    with pytest.raises(UnreadableTable):
        await Tables(store, GAMES_AND_TOYS, clock).get(number)
    await thaw(Tables(store, GAMES_AND_TOYS, clock), number, "repaired")
    assert (await Tables(store, GAMES_AND_TOYS, clock).get(number)).status is Status.ENDED_EARLY
    released.set()


@pytest.mark.parametrize("is_in_play", [True, False])
async def test_an_endless_load_is_not_repeated(
    store: SqliteStore,
    clock: ManualClock,
    released: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_in_play: bool,
) -> None:
    """A game that never finishes loading is frozen; one that is over is unreadable; neither loads again."""
    first_tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(first_tables)
    if not is_in_play:
        await first_tables.change(number, None, end_game)
    calls = []

    def unpack(*_: Any) -> None:
        calls.append(1)
        released.wait()

    monkeypatch.setattr("bot.host.loading.unpack", unpack)
    for _ in range(2):
        tables = Tables(store, GAMES_AND_TOYS, clock)
        if is_in_play:
            assert (await tables.get(number)).status is Status.FROZEN
        else:
            with pytest.raises(UnreadableTable):
                await tables.get(number)
    assert len(calls) == 1


async def test_an_endless_replay_freezes_its_game(
    store: SqliteStore, clock: ManualClock, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start goes on where one game's replay never ends: that game is frozen, the others are replayed."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    numbers = [await start_game(tables) for _ in range(2)]

    def replay(stored: Any, games: Any) -> Any:
        if stored.row.number == numbers[0]:
            released.wait()
        return find_divergence(stored, games)

    monkeypatch.setattr("bot.host.loading.find_divergence", replay)
    await store.set_metadata(REPLAYED_FINGERPRINT_KEY, "another release")
    later_tables = Tables(store, GAMES_AND_TOYS, clock)
    await asyncio.wait_for(later_tables.replay_all(), WAIT_TIMEOUT)
    assert [(await later_tables.get(number)).status for number in numbers] == [Status.FROZEN, Status.PLAYING]


async def test_an_endless_game_keeps_one_worker_only(
    store: SqliteStore, clock: ManualClock, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two workers, many pictures of an endless game leave one of them to the other games."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number, other_number = await start_game(tables), await start_game(tables)
    table = await tables.get(number)
    calls = make_pictures_hang(monkeypatch, released)
    drawing = [asyncio.ensure_future(draw_board_picture(table)) for _ in range(6)]
    await asyncio.sleep(TIMEOUT_SECONDS / 3)
    await make_move(tables, other_number, random.Random(1))
    await asyncio.gather(*drawing, return_exceptions=True)
    assert (await tables.get(other_number)).status is Status.PLAYING
    assert len(calls) == 1
    released.set()


async def test_work_that_did_not_begin_freezes_nothing(
    store: SqliteStore, clock: ManualClock, released: threading.Event
) -> None:
    """Where no worker is free for long, the user is asked to try again, and the game goes on."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(tables)
    blocking = loop.run_in_executor(None, released.wait)
    with pytest.raises(WorkersBusy):
        await make_move(tables, number, random.Random(1))
    released.set()
    await blocking
    assert (await tables.get(number)).status is Status.PLAYING
    await make_move(tables, number, random.Random(1))


async def test_time_in_the_queue_does_not_count(
    store: SqliteStore, clock: ManualClock, released: threading.Event
) -> None:
    """Work that begins late has its whole time."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await start_game(tables)
    worker_pause = threading.Event()
    blocking = loop.run_in_executor(None, worker_pause.wait, TIMEOUT_SECONDS * 0.55)

    def work_slowly(_: Table) -> None:
        released.wait(TIMEOUT_SECONDS * 0.55)

    await tables.change(number, None, work_slowly)
    await blocking
    assert (await tables.get(number)).status is Status.PLAYING
