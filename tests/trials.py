"""How many trials a test makes: few in ``make test``, many in ``make soak``."""

import os
from typing import Final

LONG: Final = {"commit": False, "soak": True}[os.environ.get("CAPTAINS_TABLE_TRIALS", "commit")]
SCALE: Final = float(os.environ.get("CAPTAINS_TABLE_SCALE", "1"))
"""The part of the long counts that is asked for: ``make soak ARGUMENTS="--scale 0.1"``."""
_SOAK_FACTOR: Final = 40


def trial_count(commit: int, soak: int | None = None) -> int:
    """Return how often to try: ``commit`` times, or ``soak`` times (40 times as often) in the long run."""
    if not LONG:
        return commit
    return max(commit, round((commit * _SOAK_FACTOR if soak is None else soak) * SCALE))
