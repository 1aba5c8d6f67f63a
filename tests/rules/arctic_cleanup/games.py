"""Whole games of Arctic CleanUp by computer players, for the tests."""

import random
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.model import ArcticCleanUpOptions, Position
from rules.game import CHANCE, Action, Seat
from rules.players import casual_player, random_player
from rules.stream import Stream

PLAYERS: dict[str, ModuleType] = {"random": random_player, "casual": casual_player}


class Step(NamedTuple):
    """One record between two positions."""

    before: Position
    actor: Seat
    action: Action
    after: Position


def play_game(seats: int, player: str, number: int) -> Iterator[Step]:
    """Play game ``number`` with one kind of computer player on every seat."""
    rng = random.Random(f"{seats}/{player}/{number}")
    seed = rng.randbytes(32)
    choose = PLAYERS[player].choose
    position = ARCTIC_CLEANUP.initial_state(seats, ArcticCleanUpOptions())
    outcomes = 0
    while (actor := ARCTIC_CLEANUP.to_act(position)) is not None:
        action: Action
        if actor == CHANCE:
            action = ARCTIC_CLEANUP.sample_chance(position, Stream(seed, outcomes))
            outcomes += 1
        else:
            action = choose(ARCTIC_CLEANUP, ARCTIC_CLEANUP.view(position, actor), rng)
        after = ARCTIC_CLEANUP.apply_action(position, action)
        yield Step(position, actor, action, after)
        position = after
