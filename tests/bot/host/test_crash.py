"""T1: a process that makes moves is killed at random instants; what it confirmed is kept, whole and once."""

import asyncio
import contextlib
import json
import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.bot.forked_program import process_context
from tests.bot.host import playing_process
from tests.bot.host.playing_process import ProcessOutput, check_after_crash
from tests.trials import trial_count

MAX_MOVES = 20
"""Moves before the kill, at most."""
MAX_PAUSE = 0.005
"""Seconds from the last of them to the kill, at most: it meets any step of what follows."""
HANG_SECONDS = 120.0
"""Seconds after which a process is killed although it has not made its moves."""


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
