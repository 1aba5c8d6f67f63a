"""Quantiles of times, and how they are printed."""

from collections.abc import Sequence
from typing import Final

QUANTILES: Final = (0.5, 0.95, 0.99, 1.0)
"""The quantiles that are printed, the maximum among them."""


def quantiles_of(seconds: Sequence[float]) -> tuple[float, ...]:
    """Return the quantiles ``QUANTILES`` of some times, in milliseconds; none if there are no times.

    A quantile is the smallest time that so large a part of all times does not exceed.
    """
    found = sorted(seconds)
    return tuple(found[max(0, -int(-len(found) * part // 1) - 1)] * 1e3 for part in QUANTILES if found)


def times_table(rows: Sequence[tuple[str, Sequence[float]]]) -> list[str]:
    """Return the lines of a table with the quantiles of each list of times, which are in seconds."""
    lines = [f"{'ms':28} {'count':>6} {'p50':>7} {'p95':>7} {'p99':>7} {'max':>7}"]
    for name, seconds in rows:
        if seconds:
            values = " ".join(f"{each:7.0f}" for each in quantiles_of(seconds))
            lines.append(f"{name:28} {len(seconds):6} {values}")
    return lines
