"""When the thread of a game gets a name with other players."""

import pytest

from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from tests.bot.host.chat_table import CURRENTS_FOR_TWO
from tests.bot.host.erased_person import ERASED_USER, erase, start_game_with_person
from tests.bot.host.playing import CHANNEL, begin, give_seat_away
from tests.bot.host.timed_tables import change_row

GAME_THREAD = 77


async def _is_thread_waiting(tables: Tables, number: int) -> bool:
    waiting_deliveries = await tables.store.waiting_deliveries(number)
    return any(each.kind is DeliveryKind.THREAD for each in waiting_deliveries)


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
