"""Lets computer players move when it is their turn."""

import asyncio
import logging
import random
from typing import Final

from bot.host import play
from bot.host.table import Refusal, Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from rules.game import Action, Seat
from rules.players import PLAYERS

PACE: Final = 0.8
"""Seconds that a computer player seems to think: people want to see each move."""
RETRY: Final = 30.0
"""Seconds until a computer player tries again after the store failed."""

_log = logging.getLogger(__name__)


class ComputerPlayers:
    """One task a table while a computer player is to act."""

    def __init__(self, tables: Tables, rng: random.Random, pace: float = PACE) -> None:
        """``rng``: a plain generator of their own; nothing of the match's deals comes from it."""
        self._tables = tables
        self._rng = rng
        self._pace = pace
        self._thinking: dict[int, asyncio.Task[None]] = {}
        tables.watch(self._look)

    async def start(self) -> None:
        """Take up the games in which a computer player is to act."""
        for number in await self._tables.store.tables_with_computers():
            try:
                self._look(await self._tables.get(number))
            except (Refusal, StoreError) as error:  # one table's fault must not keep the bot from starting
                _log.warning("computer player not started", exc_info=error, extra={"table": number})

    async def stop(self) -> None:
        """Stop thinking."""
        tasks = list(self._thinking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _look(self, table: Table) -> None:
        number = table.number
        if not _to_act(table) or number in self._thinking:
            return
        task = asyncio.get_running_loop().create_task(self._play(number), name=f"computer-{number}")
        self._thinking[number] = task
        task.add_done_callback(lambda done: self._done(number, done))

    def _done(self, number: int, task: "asyncio.Task[None]") -> None:
        del self._thinking[number]
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            _log.error("computer player stopped", exc_info=error, extra={"table": number})
        elif (table := self._tables.cached(number)) is not None:
            self._look(table)  # it may have become its turn while this task ended

    async def _play(self, number: int) -> None:
        while _to_act(await self._tables.get(number)):
            await asyncio.sleep(self._pace)
            try:
                await self._tables.change(number, None, lambda table: play.play_computer(table, self._choose))
            except Refusal as refusal:
                if _to_act(await self._tables.get(number)):
                    _log.warning(
                        "computer player's move refused",
                        extra={"table": number, "refusal": type(refusal).__name__},
                    )
                    await asyncio.sleep(RETRY)
            except StoreError:
                _log.exception("computer player's move not stored", extra={"table": number})
                await asyncio.sleep(RETRY)

    def _choose(self, table: Table, seat: Seat) -> Action:
        assert table.match is not None
        computer = table.seats[seat].computer
        assert computer is not None
        return PLAYERS[computer].choose(table.game, table.match.view(seat), self._rng)


def _to_act(table: Table) -> bool:
    return table.to_act is not None and table.seats[table.to_act].computer is not None
