"""Checks of the laws of hidden information, by putting other secrets in place of the real ones.

Everything that reaches a viewer is worked out anew in each world, right after the state was viewed there,
so a side channel (a global, a cache) shows as well as a careless function.
"""

import random
from dataclasses import dataclass
from typing import Any

from rules.game import CHANCE, Action, AnyGame, Seat
from rules.notation import write
from tests.conformance.contract import encoded
from tests.conformance.pieces import pieces_of
from tests.conformance.played import Moment, Played, is_chance, is_choice, names_of, outcomes, stream

SAMPLES = 2


def told(
    game: AnyGame, state: Any, viewer: Seat | None, seats: int, asked: tuple[Action, ...]
) -> dict[str, Any]:
    """Everything that a viewer is given while a state lasts.  ``asked``: actions to be refused if illegal."""
    words, names = game.words, names_of(seats)
    view = game.view(state, viewer)
    legal = game.legal_actions(view)
    given: dict[str, Any] = {
        "view": view,
        "legal actions": legal,
        "status": words.status(view, names),
        "description": words.describe(view, names),
        "hand": words.hand(view, names),
        "alt text": words.alt(view, names),
    }
    if viewer is not None and legal:
        given["labels"] = [words.label(view, action, names) for action in legal]
        given["previews"] = [words.preview(view, action, names) for action in legal]
        given["glances"] = [words.glance(view, action, names) for action in legal]
        illegal = [action for action in asked if action not in legal]
        given["refusals"] = [words.refusal(view, action, names) for action in illegal]
    return given


def assert_same(one: dict[str, Any], other: dict[str, Any], viewer: Seat | None, after: str) -> None:
    """Fail at the first thing that differs."""
    for key, value in one.items():
        assert value == other[key], f"{viewer} can tell by the {key} ({after}): {value} != {other[key]}"


def check_first_law(game: AnyGame, played: Played, rng: random.Random) -> None:
    """A sampled state is a state of the game that looks the same to its viewer: words and pieces too."""
    for moment in played.some(rng, 30):
        asked = tuple(other.action for other in rng.sample(played.moments, min(8, len(played.moments))))
        for viewer in played.viewers:
            real = told(game, moment.after, viewer, played.setting.seats, asked)
            for _ in range(SAMPLES):
                sample = game.sample_state(real["view"], stream(rng))
                assert encoded(game.view(sample, viewer)) == encoded(real["view"]), "first law"
                other = told(game, sample, viewer, played.setting.seats, asked)
                assert_same(real, other, viewer, "first law")
                assert game.to_act(sample) == game.to_act(moment.after)
                assert pieces_of(game, sample) == pieces_of(game, moment.after), "a sample lost pieces"


def check_sample_plays(game: AnyGame, played: Played, rng: random.Random) -> None:
    """A game can be played on from a sampled state: chance and the seats find what to do."""
    for moment in played.some(rng, 8):
        for viewer in played.viewers:
            state = game.sample_state(game.view(moment.after, viewer), stream(rng))
            pieces = pieces_of(game, state)
            for _ in range(12):
                actor = game.to_act(state)
                if actor is None:
                    break
                if actor == CHANCE:
                    action = game.sample_chance(state, stream(rng))
                    assert game.possible(state, action)
                else:
                    action = rng.choice(game.legal_actions(game.view(state, actor)))
                state = game.apply_action(state, action)
                assert pieces_of(game, state) == pieces


@dataclass(frozen=True)
class Seen:
    """What one viewer saw of one step."""

    action: Action
    text: str
    given: dict[str, Any]


def step(game: AnyGame, state: Any, moment: Moment, action: Action, viewer: Seat | None, seats: int) -> Seen:
    """Take an action in a world and tell all that the viewer is given of it."""
    before = game.view(state, viewer)
    after_state = game.apply_action(state, action)
    seen = action.seen_by(viewer, moment.actor)
    after = game.view(after_state, viewer)
    text = game.words.narrate(before, moment.actor, seen, after, names_of(seats))
    return Seen(seen, text, told(game, after_state, viewer, seats, ()))


def check_step_law(game: AnyGame, played: Played, rng: random.Random) -> int:
    """Of a step, a viewer is shown what the view before and the action as seen fix, and nothing more.

    Returns how many pairs were compared whose secrets differ.
    """
    compared = 0
    for moment in played.some(rng, 30):
        for viewer in played.viewers:
            real = step(game, moment.before, moment, moment.action, viewer, played.setting.seats)
            for world, action in worlds(game, played, moment, viewer, rng):
                if action.seen_by(viewer, moment.actor) != real.action:
                    continue
                other = step(game, world, moment, action, viewer, played.setting.seats)
                at = f"after {write(real.action)}"
                assert_same(real.given, other.given, viewer, at)
                assert real.text == other.text, f"{viewer} can tell by the narration {at}"
                compared += (world, action) != (moment.before, moment.action)
    return compared


def check_seen_by(game: AnyGame, played: Played, rng: random.Random) -> None:
    """An action as seen tells no more than the view after it: what gives the same view looks the same.

    Unless it gives the same state as well: which of two dying species ages is an open choice without a trace.
    """
    for moment in played.some(rng, 30):
        for viewer in played.viewers:
            after = game.view(moment.after, viewer)
            seen = moment.action.seen_by(viewer, moment.actor)
            for world, action in worlds(game, played, moment, viewer, rng):
                other_state = game.apply_action(world, action)
                if game.view(other_state, viewer) == after:
                    other = action.seen_by(viewer, moment.actor)
                    if other != seen and _gives(game, world, moment, other_state):
                        continue
                    assert seen == other, f"{viewer} sees {write(seen)} or {write(other)}, but the same table"
        if moment.actor != CHANCE:
            assert moment.action.seen_by(moment.actor, moment.actor) == moment.action, "hidden from its actor"


def _gives(game: AnyGame, world: Any, moment: Moment, state: Any) -> bool:
    """Whether the moment's action may happen in this world too and gives this very state."""
    if moment.actor == CHANCE:
        allowed = game.possible(world, moment.action)
    else:
        allowed = moment.action in game.legal_actions(game.view(world, moment.actor))
    return allowed and bool(game.apply_action(world, moment.action) == state)


def worlds(
    game: AnyGame, played: Played, moment: Moment, viewer: Seat | None, rng: random.Random
) -> list[tuple[Any, Action]]:
    """Worlds that the viewer cannot tell from the real one, each with actions that may happen there."""
    view = game.view(moment.before, viewer)
    states = [moment.before, *(game.sample_state(view, stream(rng)) for _ in range(SAMPLES))]
    found = []
    for state in states:
        if moment.actor == CHANCE:
            actions = outcomes(game, state, rng, 3)
            if game.possible(state, moment.action):
                actions.append(moment.action)
        else:
            legal = game.legal_actions(game.view(state, moment.actor))
            alike = [action for action in legal if isinstance(action, type(moment.action))]
            actions = rng.sample(alike, min(6, len(alike)))
            if moment.action in legal:
                actions.append(moment.action)
        found += [(state, action) for action in actions]
    return found


def check_own_action(game: AnyGame, played: Played, rng: random.Random) -> None:
    """An own action shows its actor nothing that the actor could not know before."""
    for moment in played.some(rng, 30, is_choice):
        after = game.view(moment.after, moment.actor)
        view = game.view(moment.before, moment.actor)
        for _ in range(2 * SAMPLES):
            world = game.sample_state(view, stream(rng))
            other = game.view(game.apply_action(world, moment.action), moment.actor)
            assert other == after, f"{write(moment.action)} showed its actor a secret"


def check_reveals(game: AnyGame, played: Played, rng: random.Random) -> None:
    """An outcome that says it reveals nothing could not have looked different, and the other way round."""
    for moment in played.some(rng, 16, is_chance):
        for viewer in played.viewers:
            view = game.view(moment.before, viewer)
            possible = set(outcomes(game, moment.before, rng, 6)) | {moment.action}
            for _ in range(SAMPLES):
                world = game.sample_state(view, stream(rng))
                possible |= set(outcomes(game, world, rng, 2))
            alike = [action for action in possible if isinstance(action, type(moment.action))]
            looks = {action.seen_by(viewer, CHANCE) for action in alike}
            if len(looks) > 1:
                assert moment.action.reveals(viewer), f"{write(moment.action)} reveals something to {viewer}"
            elif len(alike) > 1:
                assert not moment.action.reveals(viewer), f"{write(moment.action)} shows nothing to {viewer}"


def check_hidden(game: AnyGame, played: Played, rng: random.Random) -> None:
    """A game that claims secrets has some: at some time two viewers know different things."""
    differs = any(
        len({encoded(_nameless(game, moment.after, viewer)) for viewer in played.viewers}) > 1
        for moment in played.some(rng, 30)
    )
    assert differs == bool(game.hidden)


def _nameless(game: AnyGame, state: Any, viewer: Seat | None) -> list[object]:
    view = game.view(state, viewer)
    return [getattr(view, name) for name in view.__struct_fields__ if name != "viewer"]
