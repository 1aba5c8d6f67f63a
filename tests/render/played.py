"""Whole games of random players as pictures would show them: every stop with what has just happened."""

import random
from typing import Any

from render.caption import Caption
from rules.catalogue import GAMES
from rules.currents.model import Board, CurrentsOptions, Obstacles, WildJokers
from rules.game import CHANCE, Event
from rules.stream import Stream

CAPTION = Caption(12, ("Ava", "Ben", "Chloé", "Dimitri"))

SETTINGS: tuple[tuple[int, CurrentsOptions], ...] = (
    (4, CurrentsOptions()),
    (2, CurrentsOptions(jokers=True, wild_jokers=WildJokers.TOGETHER, obstacles=Obstacles.RIPTIDES)),
    (4, CurrentsOptions(jokers=True, combo=True, easy_usurp=True, obstacles=Obstacles.ROCKS)),
    (3, CurrentsOptions(board=Board.TRIANGLE, jokers=True, wild_jokers=WildJokers.SPLIT)),
)


def stops(seats: int, options: CurrentsOptions, seed: int) -> list[tuple[Any, tuple[Event, ...]]]:
    """Every state in which a seat must choose, and the last one, with the joined trail that led there."""
    game, rng = GAMES["currents"], random.Random(seed)
    state = game.initial_state(seats, options)
    found: list[tuple[Any, tuple[Event, ...]]] = []
    since: tuple[Event, ...] = ()
    drawn = 0
    while (actor := game.to_act(state)) is not None:
        if actor == CHANCE:
            action = game.sample_chance(state, Stream(bytes([seed]) * 16, drawn))
            drawn += 1
        else:
            found.append((state, since))
            since = ()
            action = rng.choice(game.legal_actions(game.view(state, actor)))
        state = game.apply_action(state, action)
        since += game.view(state, None).table.trail
    found.append((state, since))
    return found
