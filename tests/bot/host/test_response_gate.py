"""A move is never applied when its answer can no longer be shown (P4)."""

import asyncio
from functools import partial

import msgspec
import pytest

from bot.host import request as request_module
from bot.host.committer import ChangeResult, ResponseExpired
from bot.host.deciders import play
from bot.host.request import Request, ResponseGate
from bot.host.tables import Tables
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    begin,
    default_setup,
    open_lobby,
    request_of_person,
)

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)


async def _start_move(tables: Tables, number: int, gate: ResponseGate) -> asyncio.Task[ChangeResult]:
    """Start a move whose response passes a gate."""
    table = await tables.get(number)
    assert table.match is not None
    assert table.to_act is not None
    request = msgspec.structs.replace(request_of_person(table.to_act), response_gate=gate)
    action = table.match.legal_actions(table.to_act)[0]
    return asyncio.create_task(
        tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    )


async def test_a_move_without_a_response_is_not_made(tables: Tables) -> None:
    """A move without a response is refused; the table is unchanged in memory and in the store."""
    number = await begin(tables, SETUP)
    table_before = await tables.get(number)
    gate = ResponseGate()
    gate.settle(accepted=False)
    with pytest.raises(ResponseExpired):
        await (await _start_move(tables, number, gate))
    stored = await tables.store.load(number)
    assert stored is not None
    assert (await tables.get(number)).row == table_before.row == stored.row


async def test_a_table_without_a_response_is_not_opened(tables: Tables) -> None:
    """A new table without a response is not opened."""
    gate = ResponseGate()
    gate.settle(accepted=False)
    request: Request = msgspec.structs.replace(request_of_person(0), response_gate=gate)
    with pytest.raises(ResponseExpired):
        await open_lobby(tables, SETUP.game, request)
    assert await tables.store.next_table_number() == 1


@pytest.mark.parametrize("is_accepted", [True, False])
async def test_a_pending_deferral_is_waited_for(tables: Tables, *, is_accepted: bool) -> None:
    """While Discord has not answered the deferral nothing is stored; then the move is made if it accepts.

    A cancelled caller does not cancel the change.
    """
    number = await begin(tables, SETUP)
    count_before = (await tables.get(number)).move_count
    gate = ResponseGate()
    gate.hold()
    task = await _start_move(tables, number, gate)
    await asyncio.sleep(0.1)
    assert not task.done()
    assert (await tables.get(number)).move_count == count_before
    task.cancel()
    gate.settle(accepted=is_accepted)
    await tables.wait_for_changes()
    assert (await tables.get(number)).move_count == count_before + is_accepted


async def test_the_wait_for_a_deferral_ends(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deferral that is never settled delays the table for a moment only."""
    monkeypatch.setattr(request_module, "RESPONSE_TIMEOUT", 0.05)
    number = await begin(tables, SETUP)
    count_before = (await tables.get(number)).move_count
    gate = ResponseGate()
    gate.hold()
    with pytest.raises(ResponseExpired):
        await (await _start_move(tables, number, gate))
    assert (await (await _start_move(tables, number, ResponseGate()))).table.move_count == count_before + 1
