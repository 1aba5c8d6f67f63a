"""Computer players: functions of a view."""

import random
from collections import Counter

import pytest

from rules.players import PLAYERS
from tests.rules.pearls import GAME, A, B, begin_match


@pytest.mark.parametrize("key", PLAYERS)
def test_chooses_a_legal_action(key: str) -> None:
    """Each computer player plays a whole game by the rules, the same for the same generator."""
    games = []
    for _ in range(2):
        match, rng = begin_match(), random.Random(3)
        while (seat := match.to_act) is not None:
            match = match.play(seat, PLAYERS[key].choose(GAME, match.view(seat), rng))
        games.append(match.history)

    assert games[0] == games[1]


def test_random_player_prefers_nothing() -> None:
    """The random player takes each kind of action about equally often, and each action of a kind."""
    match, rng = begin_match(), random.Random(1)
    legal = match.legal_actions(A)
    kinds = Counter(type(action) for action in legal)
    assert len(set(kinds.values())) > 1, "here it makes no difference"
    expected = {action: 1 / len(kinds) / kinds[type(action)] for action in legal}
    tries = 900 * len(legal)
    counts = Counter(PLAYERS["random"].choose(GAME, match.view(A), rng) for _ in range(tries))

    assert set(counts) == set(legal)
    assert all(0.85 < counts[action] / tries / expected[action] < 1.15 for action in legal)


def test_nothing_to_choose() -> None:
    """Who owes no choice cannot be asked."""
    match = begin_match()
    with pytest.raises(IndexError):
        PLAYERS["random"].choose(GAME, match.view(B), random.Random(1))
