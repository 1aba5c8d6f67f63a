"""T1: a process that makes moves is killed at random instants; what it confirmed is kept, whole and once."""

import asyncio
import contextlib
import json
import os
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from bot.host.deciders import play
from bot.host.tables import Tables
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.forked_program import process_context
from tests.bot.host import playing_process
from tests.bot.host.playing import GAMES_AND_TOYS, assert_records_whole, chosen_records, request_of_person
from tests.bot.store.sample_rows import execute_sql
from tests.trials import trial_count

MAX_MOVES = 20
"""Moves before the kill, at most."""
MAX_PAUSE = 0.005
"""Seconds from the last of them to the kill, at most: it meets any step of what follows."""
HANG_SECONDS = 120.0
"""Seconds after which a process is killed although it has not made its moves."""
WAITING_OR_SENT = "('waiting', 'sent')"
"""States of a delivery, in SQL."""


@dataclass
class ProcessOutput:
    """What a process has said before it was killed."""

    answered: list[tuple[int, int, int, int]] = field(default_factory=list)
    """(interaction, table, ply, moves)."""
    sent: list[tuple[int, int, int, str]] = field(default_factory=list)
    """(delivery, table, ply, kind)."""


def run_and_kill(
    database_path: Path, first_interaction: int, rng: random.Random, *, with_defect: bool = False
) -> ProcessOutput:
    """Let a process play, and kill it at a random instant after a random number of moves."""
    read_end, write_end = os.pipe()
    process = process_context().Process(
        target=_play_in_child,
        args=(str(database_path), _PassedDescriptor(write_end), first_interaction),
        kwargs={"with_defect": with_defect},
        daemon=True,
    )
    process.start()
    os.close(write_end)
    hang_timer = threading.Timer(HANG_SECONDS, process.kill)
    hang_timer.start()
    try:
        with os.fdopen(read_end, "rb") as pipe:
            lines = _read_lines(pipe, "ready", 1)
            lines += _read_lines(pipe, "answered", rng.randint(0, MAX_MOVES))
            time.sleep(rng.random() * MAX_PAUSE)
            assert process.is_alive(), "it died by itself"
            process.kill()
            lines += pipe.read().splitlines()
        process.join()
    finally:
        hang_timer.cancel()
    process.close()
    output = ProcessOutput()
    for line in lines:
        with contextlib.suppress(json.JSONDecodeError):  # the last line may be cut
            kind, *rest = json.loads(line)
            match kind:
                case "answered":
                    output.answered.append(tuple(rest))
                case "sent":
                    output.sent.append(tuple(rest))
    return output


def _read_lines(pipe: BinaryIO, kind: str, count: int) -> list[bytes]:
    """Return the next lines of a process, up to the last of ``count`` lines of this kind."""
    lines: list[bytes] = []
    while count:
        line = pipe.readline()
        assert line, f"it died or hung before it was {kind}"
        lines.append(line)
        count -= json.loads(line)[0] == kind
    return lines


class _PassedDescriptor:
    """Hands a descriptor to a process that is started by the fork server."""

    def __init__(self, descriptor: int) -> None:
        from multiprocessing.reduction import DupFd  # noqa: PLC0415 - must be pickled while spawning

        self._dup = DupFd
        self._descriptor = descriptor

    def __reduce__(self) -> Any:
        return _receive, (self._dup(self._descriptor),)


def _receive(duplicate: Any) -> int:
    descriptor: int = duplicate.detach()
    return descriptor


def _play_in_child(database_path: str, descriptor: Any, first_interaction: int, *, with_defect: bool) -> None:
    playing_process.play_until_killed(database_path, descriptor, first_interaction, with_defect=with_defect)


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


@pytest.mark.trust_test("T1")
@pytest.mark.parametrize("seed", range(4))
def test_confirmed_moves_survive_a_kill_at_random(
    tmp_path: Path, seed: int, add_trials: Callable[[int], None]
) -> None:
    """Every confirmed move is there after a kill -9, and records, snapshot, inbox and outbox agree."""
    rng = random.Random(seed)
    kill_count = trial_count(6, soak=250)
    answered_count = 0
    for kill in range(kill_count):
        output = run_and_kill(tmp_path / "t1.db", 10_000_000 * (kill + 1), rng)
        answered_count += len(output.answered)
        asyncio.run(check_after_crash(tmp_path / "t1.db", output, includes_ended=kill == kill_count - 1))
        add_trials(1)
    assert answered_count > kill_count, "too few moves to mean anything"


@pytest.mark.trust_test("T1", sensitivity=True)
def test_catches_an_answer_before_the_commit(tmp_path: Path) -> None:
    """The check above fails where the answer comes before the commit."""
    rng = random.Random(0)

    def kill_ten() -> None:
        for kill in range(10):
            output = run_and_kill(tmp_path / "t1.db", 10_000_000 * (kill + 1), rng, with_defect=True)
            asyncio.run(check_after_crash(tmp_path / "t1.db", output))

    with pytest.raises(AssertionError, match="answered, not stored"):
        kill_ten()
