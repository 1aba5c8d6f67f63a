"""Whole games of random players as pictures would show them: every stop with what has just happened."""

import random
from collections.abc import Mapping
from typing import Any

from render.caption import Caption
from rules.catalogue import GAMES
from rules.currents.model import Board, CurrentsOptions, Obstacles, WildJokers
from rules.game import CHANCE, Action, AnyGame, Event, Options
from rules.oceans.model import OceansOptions, ScenarioSet
from rules.stream import Stream

CAPTION = Caption(12, ("Ava", "Ben", "Chloé", "Dimitri", "Emeka", "Farah"))

SETTINGS: tuple[tuple[int, CurrentsOptions], ...] = (
    (4, CurrentsOptions()),
    (2, CurrentsOptions(jokers=True, wild_jokers=WildJokers.TOGETHER, obstacles=Obstacles.RIPTIDES)),
    (4, CurrentsOptions(jokers=True, combo=True, easy_usurp=True, obstacles=Obstacles.ROCKS)),
    (3, CurrentsOptions(board=Board.TRIANGLE, jokers=True, wild_jokers=WildJokers.SPLIT)),
)


OCEANS_SETTINGS: tuple[tuple[int, OceansOptions], ...] = (
    (4, OceansOptions()),
    (2, OceansOptions(quick=True)),
    (6, OceansOptions(scenarios=ScenarioSet.PROMO)),
    (3, OceansOptions(reef=True)),
)

BY_GAME: Mapping[str, tuple[tuple[int, Options], ...]] = {
    "currents": SETTINGS,
    "oceans": OCEANS_SETTINGS,
}
"""Game key -> what is worth looking at: seats and options."""

_LIVELY = {
    "create": 5,
    "evolve": 9,
    "migrate": 2,
    "forage": 9,
    "attack": 9,
    "drop": 0.02,
    "skip": 0.05,
    "draw": 2,
}
"""How likely each act is (others: 1).  It fills the table, where chance alone would leave it bare."""


def stops(seats: int, options: Options, seed: int) -> list[tuple[Any, tuple[Event, ...]]]:
    """Every state in which a seat must choose, and the last one, with the joined trail that led there."""
    game = next(game for game in GAMES.values() if isinstance(options, game.options))
    choose = _lively if isinstance(options, OceansOptions) else _any
    rng = random.Random(seed)
    state = game.initial_state(seats, options)
    found: list[tuple[Any, tuple[Event, ...]]] = []
    recent_events: tuple[Event, ...] = ()
    drawn = 0
    while (actor := game.to_act(state)) is not None:
        if actor == CHANCE:
            action = game.sample_chance(state, Stream(bytes([seed]) * 16, drawn))
            drawn += 1
        else:
            found.append((state, recent_events))
            recent_events = ()
            action = choose(game, game.view(state, actor), rng)
        state = game.apply_action(state, action)
        recent_events += game.view(state, None).position.trail
    found.append((state, recent_events))
    return found


def _any(game: AnyGame, view: Any, rng: random.Random) -> Action:
    return rng.choice(game.legal_actions(view))


def _lively(game: AnyGame, view: Any, rng: random.Random) -> Action:
    by_act: dict[str, list[Action]] = {}
    for action in game.legal_actions(view):
        by_act.setdefault(str(action.__struct_config__.tag), []).append(action)
    acts = list(by_act)
    act = rng.choices(acts, [_LIVELY.get(act, 1) for act in acts])[0]
    return rng.choice(by_act[act])
