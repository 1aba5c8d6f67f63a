"""Same game, same bytes: under several hash seeds, each in a process of its own (T9)."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trials import IS_SOAK, trial_count

REPOSITORY = Path(__file__).parents[2]
MATCHES_PER_GAME = trial_count(short=1, soak=200)
HASH_SEEDS = ("0", "4242", "1") if IS_SOAK else ("0", "4242")


def run_processes(
    match_count: int, *arguments: str, hash_seeds: tuple[str, ...] = HASH_SEEDS
) -> list[list[str]]:
    """Run a process for each of these hash seeds; return their digests of so many matches a game."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.conformance.digests", str(match_count), *arguments],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            text=True,
        )
        for hash_seed in hash_seeds
    ]
    outputs = [process.communicate()[0].splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(hash_seeds)
    return outputs


@pytest.mark.trust_test("T9")
def test_processes_agree(add_trials: Callable[[int], None]) -> None:
    """Matches, narration, snapshots and pictures do not depend on the process or its hash seed."""
    first, *others = run_processes(MATCHES_PER_GAME)
    assert first
    assert others == [first] * len(others)
    add_trials(MATCHES_PER_GAME * len(first))


@pytest.mark.trust_test("T9", sensitivity=True)
def test_defects_are_caught() -> None:
    """The order of a set in the narration and the time in a picture make every game that has them differ."""
    first, second = run_processes(1, "defects", hash_seeds=HASH_SEEDS[:2])
    assert first
    for line, other_line in zip(first, second, strict=True):
        (game, text, picture), (other, other_text, other_picture) = line.split(), other_line.split()
        assert (game == other, text == other_text, picture == other_picture) == (True, False, False)
