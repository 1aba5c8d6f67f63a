"""Computer players: they move when it is their turn."""

import asyncio
import logging
import random
from typing import Final

from bot.host.deciders import play
from bot.host.game_guard import GameFault
from bot.host.game_workers import WorkersBusy
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from rules.model import Action, Seat
from rules.players import COMPUTER_PLAYERS

COMPUTER_DELAY: Final = 0.8
"""Seconds that a computer player waits before its turn, so that people can follow."""
RETRY_DELAY: Final = 30.0
"""Seconds until a computer player tries again after a refusal or a failure of the store."""

_log = logging.getLogger(__name__)


class ComputerPlayers:
    """Runs one task for each table where a computer player is to act."""

    def __init__(self, tables: Tables, rng: random.Random, computer_delay: float = COMPUTER_DELAY) -> None:
        """``rng`` serves the computers' choices only, never a deal; ``computer_delay`` is in seconds."""
        self._tables = tables
        self._rng = rng
        self._computer_delay = computer_delay
        self._tasks: dict[int, asyncio.Task[None]] = {}
        tables.add_listener(self._start_if_due)

    async def start(self) -> None:
        """Resume the games in which a computer player is to act."""
        for number in await self._tables.store.tables_waiting_for_computers():
            try:
                self._start_if_due(await self._tables.get(number))
            except (Refusal, StoreError) as error:  # one table's fault must not keep the bot from starting
                _log.warning("computer player not started", exc_info=error, extra={"table": number})
                if isinstance(error, WorkersBusy | StoreError):
                    self._start_task(number)  # it tries again

    async def stop(self) -> None:
        """Cancel all tasks."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start_if_due(self, table: Table) -> None:
        if _may_be_due(table):
            self._start_task(table.number)

    def _start_task(self, number: int) -> None:
        """Start a table's task unless it runs."""
        if number in self._tasks:
            return
        task = asyncio.get_running_loop().create_task(self._play(number), name=f"computer-{number}")
        self._tasks[number] = task
        task.add_done_callback(lambda done: self._on_done(number, done))

    def _on_done(self, number: int, task: "asyncio.Task[None]") -> None:
        del self._tasks[number]
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            _log.error("computer player stopped", exc_info=error, extra={"table": number})
        elif (table := self._tables.get_cached(number)) is not None:
            self._start_if_due(table)  # a computer player may have become due while this task ended

    async def _play(self, number: int) -> None:
        """Play while a computer player is to act.  Raises NoSuchTable, UnreadableTable."""
        is_done = False
        while not is_done:
            is_done = await self._play_turns(number)

    async def _play_turns(self, number: int) -> bool:
        """Play, or freeze a game that fails; return False after ``RETRY_DELAY`` if it must try again."""
        try:
            while is_computer_to_act(await self._tables.get(number)):
                await self._take_turn(number)
        except GameFault as fault:
            return await self._freeze(number, fault)
        except (WorkersBusy, StoreError):
            _log.exception("computer player waiting: table not loaded", extra={"table": number})
            await asyncio.sleep(RETRY_DELAY)
            return False
        return True

    async def _freeze(self, number: int, fault: GameFault) -> bool:
        """Freeze a game that failed; return False after ``RETRY_DELAY`` if that must be tried again."""
        try:
            await self._tables.handle_fault(fault)
        except (Refusal, StoreError):
            _log.exception("game not frozen after a fault", extra={"table": number})
            await asyncio.sleep(RETRY_DELAY)
            return False
        return True

    async def _take_turn(self, number: int) -> None:
        """Play one turn, which is stored and posted at once.  Raises GameFault."""
        await asyncio.sleep(self._computer_delay)
        try:
            # In a thread: the choices of a whole turn would hold the event loop for too long.
            await self._tables.change(
                number, None, lambda table: play.play_computer_turn(table, self._choose), in_worker=True
            )
        except Refusal as refusal:
            if is_computer_to_act(await self._tables.get(number)):
                _log.warning(
                    "computer player's move refused",
                    extra={"table": number, "refusal": type(refusal).__name__},
                )
                await asyncio.sleep(RETRY_DELAY)
        except StoreError:
            _log.exception("computer player's move not stored", extra={"table": number})
            await asyncio.sleep(RETRY_DELAY)

    def _choose(self, table: Table, seat: Seat) -> Action:
        assert table.match is not None
        computer = table.seats[seat].playing_computer
        assert computer is not None
        return COMPUTER_PLAYERS[computer].choose(table.game, table.match.view(seat), self._rng)


def is_computer_to_act(table: Table) -> bool:
    """Whether a computer player is to act at a table."""
    return table.to_act is not None and table.seats[table.to_act].playing_computer is not None


def _may_be_due(table: Table) -> bool:
    """Whether a task is to be started; also where the game fails, since the task then freezes it."""
    try:
        return is_computer_to_act(table)
    except GameFault:
        return True
