"""A game that cannot be dealt prevents nobody from leaving its lobby."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.host.deciders import admission, lobby
from bot.host.deciders.ready_check import TIME_TO_ANSWER
from bot.host.erasing import erase_person
from bot.host.game_guard import GameFault
from bot.host.tables import Tables
from bot.store.clock_rows import HOUR
from bot.store.rows import Status
from rules.game import AnyGame
from tests.bot.host.erased_person import check_progress
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, ManualClock
from tests.bot.host.waiting_lobbies import CURRENTS, WaitingLobby, open_waiting_lobby


def fail_for_two(seat_count: int, options: Any) -> Any:
    """Set the game up, unless two play it."""
    if seat_count == 2:
        raise RuntimeError("no deal")
    return CURRENTS.initial_state(seat_count, options)


FAILING_GAME: AnyGame = replace(CURRENTS, initial_state=fail_for_two)


@pytest.fixture
async def waiting_lobby(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return an old lobby of three, of whom only Chloé is missing; its game fails at the deal for two."""
    sound_lobby = await open_waiting_lobby(tables, clock, 4, "")
    waiting_lobby = WaitingLobby(
        Tables(tables.store, {**GAMES_AND_TOYS, CURRENTS.key: FAILING_GAME}, clock), clock, sound_lobby.number
    )
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    await waiting_lobby.change_as(3, lobby.leave, is_channel_busy=False)
    return waiting_lobby


async def leave(waiting_lobby: WaitingLobby) -> None:
    """Leave, as the one who is missing."""
    assert await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False) == "You have left."


async def remove(waiting_lobby: WaitingLobby) -> None:
    """Remove the one who is missing, as the host."""
    answer = await waiting_lobby.change_as(
        0, partial(admission.remove_player, user=FIRST_USER + 2), is_channel_busy=False
    )
    assert "the game cannot start yet: Something went wrong" in answer


async def erase(waiting_lobby: WaitingLobby) -> None:
    """Erase the one who is missing."""
    assert await erase_person(waiting_lobby.tables, waiting_lobby.request(2), check_progress) == 0


async def wait(waiting_lobby: WaitingLobby) -> None:
    """Wait until the ready check is over."""
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    assert (await waiting_lobby.table()).row.lobby.ready_check is None


@pytest.mark.parametrize("end_ready_check", [leave, remove, erase, wait])
async def test_a_fault_in_the_deal_prevents_nobody_from_leaving(
    waiting_lobby: WaitingLobby,
    caplog: pytest.LogCaptureFixture,
    end_ready_check: Callable[[WaitingLobby], Awaitable[None]],
) -> None:
    """The last one to leave a ready check can leave.  The fault is logged once."""
    with caplog.at_level(logging.ERROR):
        await end_ready_check(waiting_lobby)
    assert [each.getMessage() for each in caplog.records] == ["game fault at a table where no game goes on"]
    table = await waiting_lobby.table()
    assert (table.status, table.plain_names) == (Status.LOBBY, ("Ava", "Ben"))
    with pytest.raises(GameFault) as raised:
        await waiting_lobby.start()
    assert raised.value.error_id
    await waiting_lobby.change_as(3, lobby.join)
    assert await waiting_lobby.change_as(1, lobby.leave, is_channel_busy=False) == "You have left."
    assert await waiting_lobby.names() == ("Ava", "Dimitri")
