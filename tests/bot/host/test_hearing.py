"""A move is never applied when its answer can no longer be shown (P4)."""

import asyncio
from functools import partial

import msgspec
import pytest

from bot.host import hearing, lobby, play
from bot.host.hearing import Hearing
from bot.host.table import Act
from bot.host.tables import Answer, Tables, Unheard
from tests.bot.host.playing import EVERY_GAME, HIDDEN_GAME, act_of, begin, plain

SETTING = plain(EVERY_GAME[HIDDEN_GAME], 2)


async def _moving(tables: Tables, number: int, heard: Hearing) -> asyncio.Task[Answer]:
    """A move on its way to the store, by somebody who may hear of it."""
    table = await tables.get(number)
    assert table.match is not None
    assert table.owing is not None
    act = msgspec.structs.replace(act_of(table.owing), hearing=heard)
    action = table.match.legal_actions(table.owing)[0]
    return asyncio.create_task(tables.change(number, act, partial(play.play, act=act, actions=(action,))))


async def test_who_hears_no_more_makes_no_move(tables: Tables) -> None:
    """What nobody can be told of is refused, and the table stays as it was, in memory and in the store."""
    number = await begin(tables, SETTING)
    before = await tables.get(number)
    heard = Hearing()
    heard.settle(heard=False)
    with pytest.raises(Unheard):
        await (await _moving(tables, number, heard))
    stored = await tables.store.load(number)
    assert stored is not None
    assert (await tables.get(number)).row == before.row == stored.table


async def test_nor_opens_a_table(tables: Tables) -> None:
    """The same for a new table."""
    heard = Hearing()
    heard.settle(heard=False)
    act: Act = msgspec.structs.replace(act_of(0), hearing=heard)
    with pytest.raises(Unheard):
        await tables.open(
            lambda number, seed, now: lobby.open_table(number, SETTING.game, "", act, seed, now), act
        )
    assert await tables.store.next_number() == 1


@pytest.mark.parametrize("found", [True, False])
async def test_doubt_is_waited_for(tables: Tables, *, found: bool) -> None:
    """While it is being found out nothing is stored; then the move is made or not, whoever is cancelled."""
    number = await begin(tables, SETTING)
    before = (await tables.get(number)).moves
    heard = Hearing()
    heard.doubt()
    task = await _moving(tables, number, heard)
    await asyncio.sleep(0.1)
    assert not task.done()
    assert (await tables.get(number)).moves == before
    task.cancel()
    heard.settle(heard=found)
    await tables.settle()
    assert (await tables.get(number)).moves == before + found


async def test_doubt_does_not_last(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is never found out holds a table up for a moment only; the next move is made."""
    monkeypatch.setattr(hearing, "PATIENCE", 0.05)
    number = await begin(tables, SETTING)
    before = (await tables.get(number)).moves
    heard = Hearing()
    heard.doubt()
    with pytest.raises(Unheard):
        await (await _moving(tables, number, heard))
    assert (await (await _moving(tables, number, Hearing()))).table.moves == before + 1
