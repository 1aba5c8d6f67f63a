"""When the thread of a game is opened, and when it gets a name with other players."""

from functools import partial

import pytest
from msgspec.structs import replace

from bot.host.deciders import lobby
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from tests.bot.host.chat_table import CURRENTS_FOR_TWO
from tests.bot.host.erased_person import ERASED_USER, erase, start_game_with_person
from tests.bot.host.playing import CHANNEL, begin, give_seat_away, open_lobby, request_of_person
from tests.bot.host.timed_tables import change_row

GAME_THREAD = 77


async def _is_thread_waiting(tables: Tables, number: int) -> bool:
    waiting_deliveries = await tables.store.waiting_deliveries(number)
    return any(each.kind is DeliveryKind.THREAD for each in waiting_deliveries)


@pytest.mark.parametrize("can_open_thread", [False, True])
async def test_only_a_start_opens_a_thread(tables: Tables, *, can_open_thread: bool) -> None:
    """The answer to it links to the thread; no answer does where the bot may open none."""
    number = await open_lobby(tables, CURRENTS_FOR_TWO.game)
    request = replace(request_of_person(0), can_open_thread=can_open_thread)
    joined = await tables.change(
        number, None, partial(lobby.add_computer, request=request, computer="random")
    )
    assert not joined.opens_thread
    started = await tables.change_that_may_start_game(number, None, partial(lobby.start, request=request))
    assert started.table.status is Status.PLAYING
    assert started.opens_thread is can_open_thread


@pytest.mark.parametrize("channel", [CHANNEL, GAME_THREAD])
async def test_a_change_of_seat_renames_the_thread_of_a_game(tables: Tables, channel: int) -> None:
    """A game that stays in the channel of its lobby has none, and gets none then."""
    number = await begin(tables, CURRENTS_FOR_TWO)
    await change_row(tables, number, game_channel=channel)
    await give_seat_away(tables, number, 1, None)
    assert await _is_thread_waiting(tables, number) is (channel == GAME_THREAD)


async def test_a_game_that_ends_keeps_the_name_of_its_thread(tables: Tables) -> None:
    """It names the last person who played, who has left the game to computers."""
    number = await begin(tables, CURRENTS_FOR_TWO, computer_count=1)
    await change_row(tables, number, game_channel=GAME_THREAD)
    table = await give_seat_away(tables, number, 0, None)
    assert table.status is Status.ENDED_EARLY
    assert not await _is_thread_waiting(tables, number)


async def test_an_erasure_leaves_the_name_of_a_thread(tables: Tables) -> None:
    """The server's admins can change it, as the answer to ``/forget`` says."""
    number = await start_game_with_person(tables)
    await change_row(tables, number, game_channel=GAME_THREAD)
    assert await erase(tables) == 0
    table = await tables.get(number)
    assert ERASED_USER not in table.row.users
    assert table.status is Status.PLAYING
    assert not await _is_thread_waiting(tables, number)
