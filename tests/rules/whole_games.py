"""Whole games by computer players, for the tests of a game's rules."""

import random
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from rules.game import AnyGame
from rules.model import CHANCE, Action, Seat
from rules.players import COMPUTER_PLAYERS
from rules.random_stream import SEED_BYTES, RandomStream
from tests.trials import IS_SOAK


class Transition(NamedTuple):
    """One record between two states."""

    before: Any
    actor: Seat
    action: Action
    after: Any


def play_game(game: AnyGame, seat_count: int, player: str, number: int) -> Iterator[Transition]:
    """Play game ``number`` with one kind of computer player on every seat, with the default options."""
    rng = random.Random(f"{seat_count}/{player}/{number}")
    seed = rng.randbytes(SEED_BYTES)
    choose = COMPUTER_PLAYERS[player].choose
    state = game.initial_state(seat_count, game.options_type())
    outcome_count = 0
    while (actor := game.to_act(state)) is not None:
        action: Action
        if actor == CHANCE:
            action = game.sample_chance(state, RandomStream(seed, outcome_count))
            outcome_count += 1
        else:
            action = choose(game, game.view(state, actor), rng)
        after = game.apply_action(state, action)
        yield Transition(state, actor, action, after)
        state = after


def find_features(
    game: AnyGame,
    features_of: Callable[[Transition], Iterable[str]],
    wanted_features: AbstractSet[str],
    random_game_count: int,
    casual_game_count: int,
) -> set[str]:
    """Return the features of so many games at each number of seats; ``features_of`` returns those of a step.

    In ``make test`` the games end as soon as all ``wanted_features`` were found.
    """
    found_features: set[str] = set()
    for number in range(max(random_game_count, casual_game_count)):
        for player, game_count in (("random", random_game_count), ("casual", casual_game_count)):
            for seat_count in game.player_counts if number < game_count else ():
                for transition in play_game(game, seat_count, player, number):
                    found_features.update(features_of(transition))
        if wanted_features <= found_features and not IS_SOAK:
            break
    return found_features


def check_chance_decides(game: AnyGame, seat_count: int, player: str, numbers: Iterable[int]) -> None:
    """Check that chance acts only where its outcomes can differ, in the games of these numbers."""
    for number in numbers:
        for transition in play_game(game, seat_count, player, number):
            if transition.actor == CHANCE:
                draws = {
                    game.sample_chance(transition.before, RandomStream(bytes(32), trial))
                    for trial in range(60)
                }
                assert len(draws) > 1, transition.action
