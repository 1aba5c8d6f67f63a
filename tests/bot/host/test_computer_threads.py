"""A computer player thinks off the event loop, also in a short game."""

import asyncio
import random
import threading
from typing import Any
from unittest.mock import patch

from bot.host.computers import ComputerPlayers
from bot.host.tables import Tables
from rules.players import RANDOM_PLAYER, ComputerPlayer
from tests.bot.host.playing import GAMES_AND_TOYS, begin, default_setup, make_move
from tests.trials import WAIT_TIMEOUT


async def test_a_computer_thinks_in_a_thread(tables: Tables) -> None:
    """Every choice of a computer's turn is made in another thread than the event loop's."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    rng = random.Random(4)
    while (table := await tables.get(number)).to_act == 0:
        await make_move(tables, number, rng)
    assert table.to_act == 1
    threads: list[threading.Thread] = []

    def choose(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return RANDOM_PLAYER.choose(*arguments)

    ended = asyncio.Event()
    tables.add_listener(lambda current: ended.set() if current.to_act != 1 else None)
    computers = ComputerPlayers(tables, rng, computer_delay=0.0)
    players = {"random": ComputerPlayer("Random", choose, "")}
    with patch("bot.host.computers.COMPUTER_PLAYERS", players):
        await computers.start()
        await asyncio.wait_for(ended.wait(), WAIT_TIMEOUT)
    await computers.stop()
    assert threads
    assert threading.current_thread() not in threads
