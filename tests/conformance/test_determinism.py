"""Same game, same bytes: under three hash seeds, each in a process of its own (T9)."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.digests import digests
from tests.conformance.settings import count_of

ROOT = Path(__file__).parents[2]
COUNT = count_of(commit=10, soak=200)


@pytest.mark.promise("T9")
def test_processes_agree(trials_done: Callable[[int], None]) -> None:
    """Matches, narration, snapshots and pictures do not depend on the process or its hash seed."""
    outputs = []
    for hash_seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-m", "tests.conformance.digests", str(COUNT)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(done.stdout.splitlines())

    assert outputs[0] == outputs[1] == outputs[2] == list(digests(COUNT))
    trials_done(COUNT * len(outputs[0]))


@pytest.mark.promise("T9", sensitivity=True)
def test_a_set_would_be_noticed() -> None:
    """The order of a set of texts differs between these hash seeds, so the test above could fail."""
    script = "print(list({str(n) for n in range(40)}))"
    orders = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }
    assert len(orders) == 3
