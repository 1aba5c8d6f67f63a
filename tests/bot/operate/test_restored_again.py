"""T18: backups restored again and again, in any order, with frozen tables, and over a changed schema."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.chat.ids import ButtonId
from bot.chat.posts import id_of
from bot.chat.router import offered
from bot.config import Keeping
from bot.host.table import Games, Refusal
from bot.host.tables import Tables
from bot.operate.restore import Restored, restore
from bot.store.protocol import Backup, Status, StoredTable
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from tests.bot.host.playing import act_of, begin, check_whole
from tests.bot.operate.keeping import NOW, SETTING, copied, games, keeping_in, moves, with_store
from tests.bot.store.rows import ask
from tests.conformance.settings import trials

TIMES = trials(3, soak=25)


def again(keeping: Keeping, source: Path | None, now: float, release: Games = GAMES) -> Restored:
    """Restore, in a run of its own."""
    return asyncio.run(restore(keeping, release, now, source))


async def begun_and_copied(store: SqliteStore, keeping: Keeping, rng: random.Random) -> Backup:
    """Two games and a backup of them."""
    await games(store, 2, rng.randint(1, 6))
    return await copied(store, keeping)


async def stored_at(store: SqliteStore, number: int) -> StoredTable:
    """A table that must be there."""
    stored = await store.load(number)
    assert stored is not None
    return stored


async def to_press(store: SqliteStore, number: int) -> ButtonId:
    """What the board of a table offers now."""
    return id_of(await Tables(store, GAMES).get(number), "play")


# Twice the same one ---------------------------------------------------------------------------------------


def _restored_twice(keeping: Keeping, seed: int) -> None:
    rng = random.Random(seed)
    backup = with_store(keeping, lambda store: begun_and_copied(store, keeping, rng))
    lost: list[ButtonId] = []
    sent: set[int] = set()
    numbers: set[int] = set()

    async def go_on(store: SqliteStore) -> None:
        fresh = await to_press(store, 1)
        await offered(Tables(store, GAMES), fresh, act_of(0))
        for button in lost:
            with pytest.raises(Refusal, match="restored from backup"):
                await offered(Tables(store, GAMES), button, act_of(0))
        waiting = {each.id for each in await store.deliveries(1)}
        assert waiting
        assert not waiting & sent, "the chat would take it for a repeat"
        await moves(store, 1, rng.randint(1, 5), seed=rng.random())
        if rng.random() < 0.5:
            opened = await begin(Tables(store, GAMES), SETTING)
            assert opened not in numbers, "the number of a lost table again"
            numbers.add(opened)
        check_whole(await stored_at(store, 1))
        sent.update(number for (number,) in await ask(store, "select id from outbox where id > ?", before))
        lost.extend((fresh, await to_press(store, 1)))

    async def highest(store: SqliteStore) -> int:
        ((found,),) = await ask(store, "select max(id) from outbox")
        return int(found)

    before = with_store(keeping, highest)
    with_store(keeping, lambda store: moves(store, 1, 3, seed=rng.random()))
    for turn in range(1, 4):
        done = again(keeping, backup.path, NOW + turn)
        assert [number for number, _ in done.back] == [1]
        with_store(keeping, go_on)


@pytest.mark.promise("T18")
def test_restored_twice(tmp_path: Path, trials_done: Callable[[int], None]) -> None:
    """However often a backup is restored, all is posted anew, old buttons say so, numbers are never reused."""
    for seed in range(TIMES):
        _restored_twice(keeping_in(tmp_path / str(seed)), seed)
        trials_done(1)


# What was replaced, after playing on ----------------------------------------------------------------------


def _replaced_restored(keeping: Keeping, seed: int) -> None:
    rng = random.Random(seed)
    backup = with_store(keeping, lambda store: begun_and_copied(store, keeping, rng))
    with_store(keeping, lambda store: moves(store, 1, rng.randint(3, 6), seed=rng.random()))
    first = with_store(keeping, lambda store: stored_at(store, 1))
    done = again(keeping, backup.path, NOW + 1)

    async def play_on(store: SqliteStore) -> tuple[ButtonId, StoredTable]:
        while (await stored_at(store, 1)).table.version < first.table.version:
            await moves(store, 1, 1, seed=rng.random())
        return await to_press(store, 1), await stored_at(store, 1)

    button, second = with_store(keeping, play_on)
    assert second.table.version == first.table.version, "as many changes as the other had"
    done = again(keeping, done.kept, NOW + 2)
    assert [number for number, _ in done.back] == [1], "it went back, and nobody is told"

    async def look(store: SqliteStore) -> None:
        stored = await stored_at(store, 1)
        check_whole(stored)
        assert stored.records == first.records
        with pytest.raises(Refusal, match="restored from backup"):
            await offered(Tables(store, GAMES), button, act_of(0))
        await offered(Tables(store, GAMES), await to_press(store, 1), act_of(0))
        await offered(Tables(store, GAMES), await to_press(store, 2), act_of(0))
        assert any("restored from backup" in each.text for each in await store.deliveries(1))

    with_store(keeping, look)


@pytest.mark.promise("T18")
def test_what_was_replaced_is_restored(tmp_path: Path, trials_done: Callable[[int], None]) -> None:
    """A replaced database comes back after playing on: its tables say so though they count as many changes."""
    for seed in range(TIMES):
        _replaced_restored(keeping_in(tmp_path / str(seed)), seed)
        trials_done(1)
