"""A turn is a handful of presses: the benchmark's figures of the golden games."""

import itertools
from typing import Final

import pytest

from rules.catalogue import GAMES
from tests.bench.presses import TARGETS, corpus_turns, presses_by_kind, quantiles
from tests.trials import cases

TURN_COUNT: Final = 250
"""Turns that are replayed of each game."""
LIMITS: Final = {
    **TARGETS,
    "oceans before the Cambrian Explosion": (5, 8, 13),
    "australis with cards": (6, 6, 7),
    "current_affairs with port": (8, 10, 10),
}
"""Kind of turn -> the most presses at the median, p90 and p99: the benchmark's targets.

The golden games have longer turns than the whole corpus: of Oceans before the Cambrian Explosion, of
Australis one in a hundred, two cards used at once that each place a coral, and of Current Affairs 44 to a
port, of which a few deliver, unlock and draw.
"""


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(GAMES, "currents"))
def test_turns_keep_to_the_limits_of_presses(key: str) -> None:
    """Median, p90 and p99 keep to their limits, from the board and from the hand message."""
    presses = presses_by_kind(itertools.islice(corpus_turns(key, 0), TURN_COUNT))
    limits = {kind: limit for kind, limit in LIMITS.items() if kind.startswith(key)}
    assert limits.keys() <= presses.keys()
    for kind, limit in limits.items():
        measured = quantiles(presses[kind])
        assert all(a <= b for a, b in zip(measured, limit, strict=True)), f"{kind}: {measured}, not {limit}"
