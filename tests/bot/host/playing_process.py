"""A process that makes moves until it is killed, and says on a pipe what it has answered and sent."""

import asyncio
import json
import os
import random
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.host.computers import ComputerPlayers
from bot.host.courier_protocol import Attempt, DeliveryResult
from bot.host.deciders import play
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
    assert_records_whole,
    begin,
    chosen_records,
    default_setup,
    make_move,
    request_of_person,
    restart_interaction_ids,
)
from tests.bot.store.sample_rows import execute_sql

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


WAITING_OR_SENT = "('waiting', 'sent')"
"""States of a delivery, in SQL."""


@dataclass
class ProcessOutput:
    """What a process has said before it was killed."""

    answered: list[tuple[int, int, int, int]] = field(default_factory=list)
    """(interaction, table, ply, moves)."""
    sent: list[tuple[int, int, int, str]] = field(default_factory=list)
    """(delivery, table, ply, kind)."""


async def check_after_crash(
    database_path: Path, output: ProcessOutput, *, includes_ended: bool = False
) -> int:
    """Check P1, P3 and P5, deliver the last interactions again, and return the number of records."""
    store = await open_store(database_path)
    try:
        await _check_store(store, output, includes_ended=includes_ended)
        await _redeliver(store, output)
        ((record_count,),) = await execute_sql(store, "select count(*) from records")
        return int(record_count)
    finally:
        await store.close()


async def _check_store(store: SqliteStore, output: ProcessOutput, *, includes_ended: bool) -> None:
    for interaction, table, ply, move_count in output.answered:
        rows = await execute_sql(
            store, "select match, ply, answer from inbox where interaction = ?", interaction
        )
        assert rows == [(table, ply, f"Already played as move {move_count}.")], "answered, not stored"
    for delivery, table, *_ in output.sent:
        rows = await execute_sql(store, "select match from outbox where id = ?", delivery)
        assert rows == [(table,)], "sent what is not stored"
    sql = (
        "select number from matches where status = 'playing'"
        if not includes_ended
        else "select number from matches"
    )
    for (number,) in await execute_sql(store, sql):
        stored = await store.load(number)
        assert stored is not None
        assert_records_whole(stored)
        choices = chosen_records(stored.records)
        plies = await execute_sql(
            store, "select ply from inbox where match = ? and ply > 0 order by ply", number
        )
        inbox_plies = [ply for (ply,) in plies]
        chosen_plies = [record.ply for record in choices]
        assert len(inbox_plies) - len(chosen_plies) in {0, 1}, (
            "an inbox row for each move, and one for the start"
        )
        assert all(
            chosen_ply <= ply for chosen_ply, ply in zip(chosen_plies[::-1], inbox_plies[::-1], strict=False)
        )
        board_query = (
            f"select max(ply) from outbox where match = ? and kind = 'board' and state in {WAITING_OR_SENT}"
        )
        if stored.row.ply:
            assert await execute_sql(store, board_query, number) == [(stored.row.ply,)], (
                "a move whose board will not be drawn"
            )


async def _redeliver(store: SqliteStore, output: ProcessOutput) -> None:
    """Deliver the last interactions again: nothing changes, and each answer names its move."""
    tables = Tables(store, GAMES_AND_TOYS)
    for interaction, number, ply, move_count in output.answered[-3:]:
        table = await tables.get(number)
        assert table.match is not None
        request = request_of_person(0, interaction)
        # what it asked for does not matter: a known interaction is only answered
        action = next(record.action for record in table.match.history if record.actor >= 0)
        decide = partial(play.play, request=request, actions=(action,), ply=ply - 1)
        result = await tables.change(number, request, decide)
        assert (result.is_repeat, result.answer) == (True, f"Already played as move {move_count}.")
        assert result.table.row == table.row
