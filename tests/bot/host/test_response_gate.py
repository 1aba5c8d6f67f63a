"""A move is never applied when its answer can no longer be shown (P4)."""

import asyncio
from functools import partial

import msgspec
import pytest

from bot.host import lobby, play, response_gate
from bot.host.response_gate import ResponseGate
from bot.host.table import Request
from bot.host.tables import Reply, ResponseExpired, Tables
from tests.bot.host.playing import EVERY_GAME, HIDDEN_GAME, begin, plain, request_of

SETTING = plain(EVERY_GAME[HIDDEN_GAME], 2)


async def _moving(tables: Tables, number: int, heard: ResponseGate) -> asyncio.Task[Reply]:
    """A move on its way to the store, by somebody who may hear of it."""
    table = await tables.get(number)
    assert table.match is not None
    assert table.to_act is not None
    request = msgspec.structs.replace(request_of(table.to_act), response_gate=heard)
    action = table.match.legal_actions(table.to_act)[0]
    return asyncio.create_task(
        tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    )


async def test_who_hears_no_more_makes_no_move(tables: Tables) -> None:
    """What nobody can be told of is refused, and the table stays as it was, in memory and in the store."""
    number = await begin(tables, SETTING)
    before = await tables.get(number)
    heard = ResponseGate()
    heard.settle(heard=False)
    with pytest.raises(ResponseExpired):
        await (await _moving(tables, number, heard))
    stored = await tables.store.load(number)
    assert stored is not None
    assert (await tables.get(number)).row == before.row == stored.table


async def test_nor_opens_a_table(tables: Tables) -> None:
    """The same for a new table."""
    heard = ResponseGate()
    heard.settle(heard=False)
    request: Request = msgspec.structs.replace(request_of(0), response_gate=heard)
    with pytest.raises(ResponseExpired):
        await tables.open(
            lambda number, seed, now: lobby.open_table(number, SETTING.game, "", request, seed, now), request
        )
    assert await tables.store.next_number() == 1


@pytest.mark.parametrize("found", [True, False])
async def test_doubt_is_waited_for(tables: Tables, *, found: bool) -> None:
    """While it is being found out nothing is stored; then the move is made or not, whoever is cancelled."""
    number = await begin(tables, SETTING)
    before = (await tables.get(number)).moves
    heard = ResponseGate()
    heard.pending()
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
    monkeypatch.setattr(response_gate, "PATIENCE", 0.05)
    number = await begin(tables, SETTING)
    before = (await tables.get(number)).moves
    heard = ResponseGate()
    heard.pending()
    with pytest.raises(ResponseExpired):
        await (await _moving(tables, number, heard))
    assert (await (await _moving(tables, number, ResponseGate()))).table.moves == before + 1
