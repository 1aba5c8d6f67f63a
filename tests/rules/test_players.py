"""Computer players: functions of a view."""

import random
from collections import Counter

import pytest

from rules.players import PLAYERS
from tests.rules.table import GAME, A, B, begun


@pytest.mark.parametrize("key", PLAYERS)
def test_chooses_a_legal_action(key: str) -> None:
    """Each computer player plays a whole game by the rules, the same for the same generator."""
    games = []
    for _ in range(2):
        match, rng = begun(), random.Random(3)
        while (seat := match.to_act) is not None:
            match = match.play(seat, PLAYERS[key].choose(GAME, match.view(seat), rng))
        games.append(match.line)

    assert games[0] == games[1]


def test_random_player_prefers_nothing() -> None:
    """The random player takes each legal action about equally often."""
    match, rng = begun(), random.Random(1)
    legal = match.legal_actions(A)
    counts = Counter(PLAYERS["random"].choose(GAME, match.view(A), rng) for _ in range(900 * len(legal)))

    assert set(counts) == set(legal)
    assert all(750 < count < 1050 for count in counts.values())


def test_nothing_to_choose() -> None:
    """Who owes no choice cannot be asked."""
    match = begun()
    with pytest.raises(IndexError):
        PLAYERS["random"].choose(GAME, match.view(B), random.Random(1))
