"""A process that makes moves until it is killed, and says on a pipe what it has answered and sent."""

import asyncio
import json
import os
import random
from pathlib import Path
from typing import Any

from bot.host.computers import ComputerPlayers
from bot.host.courier_protocol import Attempt, DeliveryResult
from bot.host.outbox import Outbox
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, PostedMessage, Slot
from bot.store.rows import Change, RepeatedInteraction, Status
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    begin,
    default_setup,
    make_move,
    request_of_person,
    restart_interaction_ids,
)

TABLE_COUNT = 3


class OutputPipe:
    """Writes lines for the parent process, each at once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write_line(self, *words: Any) -> None:
        """Write a line."""
        os.write(self._descriptor, (json.dumps(words) + "\n").encode())


class PipeCourier:
    """A courier that writes to the pipe what it would have posted."""

    def __init__(self, pipe: OutputPipe) -> None:
        self._pipe = pipe
        self._message_count = 0

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Take a moment, as a request does; write the delivery to the pipe."""
        del posted_messages
        await asyncio.sleep(random.random() * 0.002)
        self._pipe.write_line("sent", delivery.id, table.number, table.row.ply, delivery.kind.value)
        self._message_count += 1
        return DeliveryResult(PostedMessage(delivery.slot, CHANNEL, self._message_count, table.row.ply, 0.0))


class EarlyAnsweringStore(SqliteStore):
    """Seeded defect: a move is confirmed before it is stored."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Confirm a move, and store it a moment later.

        A lobby is stored at once: a game cannot begin at a table whose seats are not stored yet.
        """
        if change.move_number is None:
            return await super().commit(change)

        async def commit_later() -> None:
            await asyncio.sleep(0.002)
            await super(EarlyAnsweringStore, self).commit(change)

        self._commits = [*getattr(self, "_commits", ()), asyncio.ensure_future(commit_later())]
        return None


def play_until_killed(
    database_path: str, descriptor: int, first_interaction: int, *, with_defect: bool
) -> None:
    """Make moves at a few tables for ever; interactions are counted from ``first_interaction``."""
    asyncio.run(
        _play(Path(database_path), OutputPipe(descriptor), first_interaction, with_defect=with_defect)
    )


async def _play(database_path: Path, pipe: OutputPipe, first_interaction: int, *, with_defect: bool) -> None:
    store = await open_store(database_path)
    if with_defect:
        store.__class__ = EarlyAnsweringStore
    tables = Tables(store, GAMES_AND_TOYS)
    computers = ComputerPlayers(tables, random.Random(first_interaction), computer_delay=0.0005)
    outbox = Outbox(tables, PipeCourier(pipe))
    await outbox.start()
    await computers.start()
    restart_interaction_ids(first_interaction)
    numbers = list(await store.tables_in_play())
    while len(numbers) < TABLE_COUNT:
        numbers.append(await _begin(tables, len(numbers)))
    pipe.write_line("ready")
    await asyncio.gather(*(_play_on(tables, pipe, number) for number in numbers))


async def _begin(tables: Tables, index: int) -> int:
    """Begin a game; games of successive indexes have 0, 1, 2, 0, ... computer players."""
    setup = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])
    return await begin(tables, setup, computer_count=index % TABLE_COUNT)


async def _play_on(tables: Tables, pipe: OutputPipe, number: int) -> None:
    """Play one game after the other; a game that an earlier process left comes first."""
    rng = random.Random(number)
    while True:
        table = await tables.get(number)
        if table.status is not Status.PLAYING:
            number = await _begin(tables, number)
        elif table.to_act is None or table.seats[table.to_act].computer is not None:
            await asyncio.sleep(0.0005)
        else:
            request = request_of_person(table.to_act)
            try:
                result = await make_move(tables, number, rng, request.interaction)
            except Refusal:
                continue  # a computer player was faster
            pipe.write_line(
                "answered", request.interaction, number, result.table.row.ply, result.table.move_count
            )
