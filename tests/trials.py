"""How much a test tries: little in ``make test``, much in the long run, ``make soak``."""

import os
from collections.abc import Collection
from typing import Any, Final

import pytest

IS_SOAK: Final = {"commit": False, "soak": True}[os.environ.get("CAPTAINS_TABLE_TRIALS", "commit")]
"""Whether this is the long run, ``make soak``."""
SCALE: Final = float(os.environ.get("CAPTAINS_TABLE_SCALE", "1"))
"""The part of the long counts that is asked for: ``make soak ARGUMENTS="--scale 0.1"``."""
SOAK_ONLY: Final = "soak_only"
"""The marker of a test that ``make soak`` alone runs; ``make test`` counts what it leaves out."""
SOAK_MARK: Final = pytest.mark.soak_only
_SOAK_FACTOR: Final = 40


def trial_count(commit: int, soak: int | None = None) -> int:
    """Return how often to try: ``commit`` times, or ``soak`` times (40 times as often) in the long run."""
    if not IS_SOAK:
        return commit
    return max(commit, round((commit * _SOAK_FACTOR if soak is None else soak) * SCALE))


def cases(names: Collection[str], *run_in_commit: str) -> list[Any]:
    """Return cases for ``parametrize``: all run in ``make soak``, ``run_in_commit`` in ``make test``."""
    if unknown := set(run_in_commit) - set(names):
        raise ValueError(f"no such case: {sorted(unknown)}")
    return [pytest.param(name, marks=() if name in run_in_commit else SOAK_MARK) for name in names]
