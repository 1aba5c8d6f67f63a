"""A game that cannot be dealt keeps nobody in its lobby."""

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
from bot.store.rows import Status
from rules.game import AnyGame
from tests.bot.host.erased_person import report
from tests.bot.host.playing import EVERY_GAME, FIRST_USER, Clock
from tests.bot.host.waiting_lobbies import GAME, HOUR, Lobby, fill_lobby


def fail_for_two(seats: int, options: Any) -> Any:
    """Set the game up, unless two play it."""
    if seats == 2:
        raise RuntimeError("no deal")
    return GAME.initial_state(seats, options)


FAILING: AnyGame = replace(GAME, initial_state=fail_for_two)


@pytest.fixture
async def found(tables: Tables, clock: Clock) -> Lobby:
    """Return an old lobby of three, of whom only Chloé is missing; its game fails at the deal for two."""
    sound = await fill_lobby(tables, clock, 4, "")
    found = Lobby(Tables(tables.store, {**EVERY_GAME, GAME.key: FAILING}, clock), clock, sound.number)
    clock.now += 2 * HOUR
    await found.start()
    await found.confirm(1)
    await found.change_as(3, lobby.leave, is_channel_busy=False)
    return found


async def leave(found: Lobby) -> None:
    """Leave, as the one who is missing."""
    assert await found.change_as(2, lobby.leave, is_channel_busy=False) == "You have left."


async def remove(found: Lobby) -> None:
    """Remove the one who is missing, as the host."""
    answer = await found.change_as(
        0, partial(admission.remove_player, user=FIRST_USER + 2), is_channel_busy=False
    )
    assert "the game cannot start yet: Something went wrong" in answer


async def forget(found: Lobby) -> None:
    """Erase the one who is missing."""
    assert await erase_person(found.tables, found.request(2), report) == 0


async def wait(found: Lobby) -> None:
    """Wait until the ready check is over."""
    await found.wait(TIME_TO_ANSWER)
    await found.wait(TIME_TO_ANSWER)
    assert (await found.table()).row.lobby.ready_check is None


@pytest.mark.parametrize("go", [leave, remove, forget, wait])
async def test_a_fault_in_the_deal_keeps_nobody(
    found: Lobby, caplog: pytest.LogCaptureFixture, go: Callable[[Lobby], Awaitable[None]]
) -> None:
    """The last one to leave a ready check can leave.  The fault is logged once."""
    with caplog.at_level(logging.ERROR):
        await go(found)
    assert [each.getMessage() for each in caplog.records] == ["game fault at a table where no game goes on"]
    table = await found.table()
    assert (table.status, table.plain_names) == (Status.LOBBY, ("Ava", "Ben"))
    with pytest.raises(GameFault) as raised:
        await found.start()
    assert raised.value.error_id
    await found.change_as(3, lobby.join)
    assert await found.change_as(1, lobby.leave, is_channel_busy=False) == "You have left."
    assert await found.names() == ("Ava", "Dimitri")
