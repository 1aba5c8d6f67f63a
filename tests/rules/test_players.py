"""Computer players: functions of a view."""

import random
from collections import Counter

import pytest

from rules.catalogue import GAMES
from rules.game import AnyGame, choose_at_random
from rules.players import COMPUTER_PLAYERS
from tests.bench.players import play_series
from tests.rules.pearls import GAME, A, B, begin_match
from tests.trials import IS_SOAK, trial_count

MIN_WIN_SHARE = 0.88 if IS_SOAK else 0.8
"""The least part of the games that Casual wins; the seeds are fixed, so the short run does not vary."""
MAX_CHOICE_SECONDS = 0.01
GAMES_WITH_POLICY = [game for game in GAMES.values() if game.policy is not choose_at_random]


@pytest.mark.parametrize("key", COMPUTER_PLAYERS)
def test_chooses_a_legal_action(key: str) -> None:
    """Each computer player plays a whole game by the rules, the same for the same generator."""
    histories = []
    for _ in range(2):
        match, rng = begin_match(), random.Random(3)
        while (seat := match.to_act) is not None:
            match = match.play(seat, COMPUTER_PLAYERS[key].choose(GAME, match.view(seat), rng))
        histories.append(match.history)

    assert histories[0] == histories[1]


def test_random_player_prefers_nothing() -> None:
    """The random player takes each kind of action about equally often, and each action of a kind."""
    match, rng = begin_match(), random.Random(1)
    legal_actions = match.legal_actions(A)
    kinds = Counter(type(action) for action in legal_actions)
    assert len(set(kinds.values())) > 1, "here it makes no difference"
    expected = {action: 1 / len(kinds) / kinds[type(action)] for action in legal_actions}
    try_count = 900 * len(legal_actions)
    counts = Counter(COMPUTER_PLAYERS["random"].choose(GAME, match.view(A), rng) for _ in range(try_count))

    assert set(counts) == set(legal_actions)
    assert all(0.85 < counts[action] / try_count / expected[action] < 1.15 for action in legal_actions)


@pytest.mark.parametrize("key", COMPUTER_PLAYERS)
def test_a_seat_that_is_not_to_act_cannot_be_asked(key: str) -> None:
    """A seat that is not to act cannot be asked."""
    match = begin_match()
    with pytest.raises(IndexError):
        COMPUTER_PLAYERS[key].choose(GAME, match.view(B), random.Random(1))


def test_without_a_policy_each_kind_of_action_is_as_likely() -> None:
    """The casual player of a game without a policy takes each kind of action about equally often."""
    match, rng = begin_match(), random.Random(1)
    assert GAME.policy is choose_at_random
    kinds = Counter(type(action) for action in match.legal_actions(A))
    counts = Counter(type(COMPUTER_PLAYERS["casual"].choose(GAME, match.view(A), rng)) for _ in range(2000))

    assert set(counts) == set(kinds)
    assert all(0.85 < count * len(kinds) / 2000 < 1.15 for count in counts.values())


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_WITH_POLICY, ids=lambda game: game.key)
def test_casual_beats_random(game: AnyGame) -> None:
    """Casual wins nearly always against Random, and in the long run it chooses within 10 ms of work."""
    series = play_series(game, "casual", "random", trial_count(2, soak=1_000))

    assert series.win_rate >= MIN_WIN_SHARE
    if IS_SOAK:
        assert series.choice_seconds_quantile(0.99) <= MAX_CHOICE_SECONDS


def test_random_does_not_beat_itself() -> None:
    """Against itself the random player wins less than Casual must."""
    game = next(iter(GAMES.values()))
    assert 0.2 < play_series(game, "random", "random", 40).win_rate < MIN_WIN_SHARE
