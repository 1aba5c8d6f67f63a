"""Decision points of whole games, of every registered game alike, and the scenes of all their pictures."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from render.caption import Caption
from render.catalogue import PICTURES, choose_picture_name
from render.picture import BOARD, PictureContext
from render.scene import Scene
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.matchfile import parse_match_file, replay_match
from rules.model import CHANCE, Action, Event, Resign, Seat
from rules.random_stream import SEED_BYTES, RandomStream
from tests.conformance.setups import GameSetup, covering_setups, setups_for_each_seat_count
from tests.golden.record import RECORDED_RULES, golden_files
from tests.trials import IS_SOAK

CAPTION = Caption(12, ("Ava", "Ben", "Chloé", "Dimitri", "Emeka", "Farah"))
_MIN_SETUP_COUNT = 5
_POLICY_SHARE = 0.8
"""Share of choices that the game's policy makes; the others are random, so that rare things are met."""


class DecisionPoint(NamedTuple):
    """A state in which a seat must choose, or the last one, and what has happened since the point before."""

    state: Any
    recent_events: tuple[Event, ...]
    all_seats: tuple[Seat, ...]


@cache
def picture_setups(game: AnyGame) -> tuple[GameSetup, ...]:
    """Return a setup for each number of seats, and some with other options."""
    default_setups = setups_for_each_seat_count(game)
    option_setups = [setup for setup in covering_setups(game) if setup not in default_setups]
    count = max(1, _MIN_SETUP_COUNT - len(default_setups))
    return (*default_setups, *option_setups[:: max(1, len(option_setups) // count)][:count])


def decision_points(setup: GameSetup, seed: int) -> Iterator[DecisionPoint]:
    """Yield every decision point of a game in which most choices are sensible."""
    game, rng = setup.game, random.Random(seed)
    state = game.initial_state(setup.seat_count, setup.options)
    seats = tuple(map(Seat, range(setup.seat_count)))
    recent_events: tuple[Event, ...] = ()
    outcome_count = 0
    while (actor := game.to_act(state)) is not None:
        action: Action
        if actor == CHANCE:
            action = game.sample_chance(state, RandomStream(bytes([seed]) * SEED_BYTES, outcome_count))
            outcome_count += 1
        else:
            yield DecisionPoint(state, recent_events, seats)
            recent_events = ()
            view = game.view(state, actor)
            choices = game.legal_actions(view)
            if rng.random() < _POLICY_SHARE:
                action = game.policy(view, choices, RandomStream(rng.randbytes(SEED_BYTES)))
            else:
                action = rng.choice(choices)
        state = game.apply_action(state, action)
        recent_events += game.view(state, None).position.trail
    yield DecisionPoint(state, recent_events, seats)


def recorded_points(path: Path) -> Iterator[DecisionPoint]:
    """Yield every decision point of a golden game: nobody has to choose anew."""
    match = replay_match(parse_match_file(path.read_text(encoding="utf-8"), RECORDED_RULES))
    game, seats = match.game, tuple(map(Seat, range(match.seat_count)))
    state = game.initial_state(match.seat_count, match.options)
    recent_events: tuple[Event, ...] = ()
    for record in match.history:
        if record.actor != CHANCE:
            yield DecisionPoint(state, recent_events, seats)
            recent_events = ()
        if isinstance(record.action, Resign):
            state = game.resign(state, record.actor)
        else:
            state = game.apply_action(state, record.action)
        recent_events += game.view(state, None).position.trail
    yield DecisionPoint(state, recent_events, seats)


def _points_of_games(game: AnyGame) -> Iterator[list[DecisionPoint]]:
    """Yield the decision points of whole games at every number of seats; in ``make test`` of golden games."""
    if IS_SOAK:
        for number, setup in enumerate(picture_setups(game)):
            yield list(decision_points(setup, 20 + number))
    else:
        yield from (list(recorded_points(path)) for path in golden_files(game)[::3])


@cache
def sample_points(key: str) -> tuple[DecisionPoint, ...]:
    """Return opening, quarters and end of each of these games, and the point after the most events."""
    sampled_points: list[DecisionPoint] = []
    for points in _points_of_games(GAMES[key]):
        busiest = max(points, key=lambda point: len(point.recent_events))
        quarters = (points[len(points) * quarter // 4] for quarter in (1, 2, 3))
        sampled_points += [points[0], points[1], *quarters, busiest, points[-1]]
    return tuple(sampled_points)


@cache
def sample_scenes(key: str) -> tuple[Scene, ...]:
    """Return all pictures of each of these decision points."""
    return tuple(scene for point in sample_points(key) for scene in scenes_of(key, point, CAPTION))


def random_scenes(key: str, count: int, rng: random.Random) -> list[Scene]:
    """Return some of these pictures; in ``make test`` each is of another decision point: few are drawn."""
    if IS_SOAK:
        return rng.sample(sample_scenes(key), count)
    return [
        rng.choice(list(scenes_of(key, point, CAPTION))) for point in rng.sample(sample_points(key), count)
    ]


def scenes_of(key: str, point: DecisionPoint, caption: Caption) -> Iterator[Scene]:
    """Yield every picture that somebody may see of a position, and the actor's picture of the choices.

    In ``make test`` pictures of the whole table as a bystander and the first seat see them.
    """
    game, pictures = GAMES[key], PICTURES[key]
    for viewer in (None, *point.all_seats[:4]):
        view = game.view(point.state, viewer)
        for picture in pictures.values():
            if picture.is_secret and viewer is None:
                continue
            if viewer in point.all_seats[1:] and not picture.shows_one_seat and not IS_SOAK:
                continue
            subjects: tuple[Seat | None, ...] = (viewer,) if picture.shows_one_seat else (None,)
            if picture.shows_one_seat and viewer is None:
                subjects = point.all_seats
            for subject in subjects:
                yield picture.draw(view, PictureContext(caption, point.recent_events, subject))
    actor = game.to_act(point.state)
    if actor is not None and actor != CHANCE:
        view = game.view(point.state, actor)
        choices = game.legal_actions(view)
        for shown_choices in (
            choices,
            tuple(choice for choice in choices if type(choice) is type(choices[0])),
        ):
            helpful_picture = pictures[choose_picture_name(pictures, view, shown_choices)]
            subject = actor if helpful_picture.shows_one_seat else None
            yield helpful_picture.draw(
                view, PictureContext(caption, point.recent_events, subject, shown_choices)
            )
            yield pictures[BOARD].draw(
                view, PictureContext(caption, point.recent_events, None, shown_choices)
            )
