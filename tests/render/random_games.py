"""Whole games of random players: every state in which a seat chooses, with the recent events."""

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

CURRENTS_SETTINGS: tuple[tuple[int, CurrentsOptions], ...] = (
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

SETTINGS_BY_GAME: Mapping[str, tuple[tuple[int, Options], ...]] = {
    "currents": CURRENTS_SETTINGS,
    "oceans": OCEANS_SETTINGS,
}
"""Game key -> numbers of seats and options whose pictures differ."""

_ACTION_WEIGHTS = {
    "create": 5,
    "evolve": 9,
    "migrate": 2,
    "forage": 9,
    "attack": 9,
    "drop": 0.02,
    "skip": 0.05,
    "draw": 2,
}
"""Weight of each kind of action (others: 1).  With equal weights the board would stay almost empty."""


def decision_points(seats: int, options: Options, seed: int) -> list[tuple[Any, tuple[Event, ...]]]:
    """Return every state in which a seat must choose, and the last one, each with its recent events."""
    game = next(game for game in GAMES.values() if isinstance(options, game.options))
    choose = _choose_lively if isinstance(options, OceansOptions) else _choose_any
    rng = random.Random(seed)
    state = game.initial_state(seats, options)
    points: list[tuple[Any, tuple[Event, ...]]] = []
    recent_events: tuple[Event, ...] = ()
    outcomes = 0
    while (actor := game.to_act(state)) is not None:
        if actor == CHANCE:
            action = game.sample_chance(state, Stream(bytes([seed]) * 16, outcomes))
            outcomes += 1
        else:
            points.append((state, recent_events))
            recent_events = ()
            action = choose(game, game.view(state, actor), rng)
        state = game.apply_action(state, action)
        recent_events += game.view(state, None).position.trail
    points.append((state, recent_events))
    return points


def _choose_any(game: AnyGame, view: Any, rng: random.Random) -> Action:
    return rng.choice(game.legal_actions(view))


def _choose_lively(game: AnyGame, view: Any, rng: random.Random) -> Action:
    by_act: dict[str, list[Action]] = {}
    for action in game.legal_actions(view):
        by_act.setdefault(str(action.__struct_config__.tag), []).append(action)
    acts = list(by_act)
    act = rng.choices(acts, [_ACTION_WEIGHTS.get(act, 1) for act in acts])[0]
    return rng.choice(by_act[act])
