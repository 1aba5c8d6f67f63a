"""Quantiles of times and how they are printed, and on what they were measured."""

import os
import platform
import sqlite3
import statistics
import time
import zlib
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Final

Reporter = Callable[[str], None]
"""Prints a line about a benchmark while it runs."""
_LIBRARIES: Final = ("discord.py", "aiohttp", "aiosqlite", "pillow", "msgspec")
_REFERENCE_REPEATS: Final = 15
_REFERENCE_DATA: Final = b"".join(number.to_bytes(4, "big") for number in range(50_000))
QUANTILES: Final = (0.5, 0.95, 0.99, 1.0)
"""The quantiles that are printed, the maximum among them."""


def quantiles_ms(seconds: Sequence[float]) -> tuple[float, ...]:
    """Return the quantiles ``QUANTILES`` of some times, in milliseconds; none if there are no times.

    A quantile is the smallest time that this share of all times does not exceed.
    """
    ordered = sorted(seconds)
    return tuple(
        ordered[max(0, -int(-len(ordered) * quantile // 1) - 1)] * 1e3 for quantile in QUANTILES if ordered
    )


def measure_reference_ms() -> float:
    """Return the milliseconds of processor time that a fixed piece of work takes here and now.

    Other work on the machine makes it longer, and with it everything that is measured.
    """
    spent = []
    for _ in range(_REFERENCE_REPEATS):
        started_at = time.thread_time()
        zlib.compress(_REFERENCE_DATA, 6)
        spent.append(time.thread_time() - started_at)
    return statistics.median(spent) * 1e3


def environment_line() -> str:
    """Return the date, the versions, the processors and how busy they are."""
    versions = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    load_text = " ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"{time.strftime('%Y-%m-%d %H:%M')}, Python {platform.python_version()},"
        f" SQLite {sqlite3.sqlite_version}, {versions}; {os.cpu_count()} processors, load {load_text}"
    )


def quantile_lines(rows: Sequence[tuple[str, Sequence[float]]]) -> list[str]:
    """Return the lines of a table with the quantiles of each list of times, which are in seconds."""
    lines = [f"{'ms':28} {'count':>6} {'p50':>7} {'p95':>7} {'p99':>7} {'max':>7}"]
    for name, seconds in rows:
        if seconds:
            values_text = " ".join(f"{each:7.0f}" for each in quantiles_ms(seconds))
            lines.append(f"{name:28} {len(seconds):6} {values_text}")
    return lines
