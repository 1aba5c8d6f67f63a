"""Whole games of Current Affairs by computer players, for the tests."""

import random
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.model import CurrentAffairsOptions, Position
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
    position = CURRENT_AFFAIRS.initial_state(seats, CurrentAffairsOptions())
    outcomes = 0
    while (actor := CURRENT_AFFAIRS.to_act(position)) is not None:
        action: Action
        if actor == CHANCE:
            action = CURRENT_AFFAIRS.sample_chance(position, Stream(seed, outcomes))
            outcomes += 1
        else:
            action = choose(CURRENT_AFFAIRS, CURRENT_AFFAIRS.view(position, actor), rng)
        after = CURRENT_AFFAIRS.apply_action(position, action)
        yield Step(position, actor, action, after)
        position = after
