"""How much a test tries, little in ``make test``, much in the long run, ``make soak``; how long it waits."""

import os
from collections.abc import Collection
from typing import Any, Final

import pytest

IS_SOAK: Final = {"commit": False, "soak": True}[os.environ.get("TRIALS", "commit")]
"""Whether this is the long run, ``make soak``."""
SCALE: Final = float(os.environ.get("TRIALS_SCALE", "1"))
"""The part of the long counts that is asked for: ``make soak ARGUMENTS="--scale 0.1"``."""
SOAK_ONLY: Final = "soak_only"
"""The marker of a test that ``make soak`` alone runs; ``make test`` counts what it leaves out."""
SOAK_MARK: Final = pytest.mark.soak_only
_SOAK_FACTOR: Final = 40
WAIT_TIMEOUT: Final = 180.0
"""Seconds after which what must happen is given up: on the busiest machine only what hangs takes so long."""


def trial_count(short: int, soak: int | None = None) -> int:
    """Return how often to try: ``short`` times, or ``soak`` times (40 times as often) in ``make soak``."""
    if not IS_SOAK:
        return short
    return max(short, round((short * _SOAK_FACTOR if soak is None else soak) * SCALE))


def cases(values: Collection[Any], *short_run: Any) -> list[Any]:
    """Return cases for ``parametrize``: all run in ``make soak``, those of ``short_run`` in ``make test``."""
    if unknown := set(short_run) - set(values):
        raise ValueError(f"no such case: {sorted(unknown, key=str)}")
    return [pytest.param(value, marks=() if value in short_run else SOAK_MARK) for value in values]
