"""Checks of the laws of hidden information, by putting other secrets in place of the real ones.

Everything that reaches a viewer is computed again in each world, right after the state was viewed there,
so a side channel (a global, a cache) shows as well as a careless function.
"""

import random
from dataclasses import dataclass
from typing import Any

from rules.game import AnyGame
from rules.model import CHANCE, Action, Seat
from rules.narration import Narration
from rules.notation import write_action
from rules.paths import path_to
from rules.random_stream import SEED_BYTES, RandomStream
from tests.conformance.contract import POLICY_CHOICE_COUNT, encode
from tests.conformance.pieces import pieces_of
from tests.conformance.random_games import (
    PlayedGame,
    Transition,
    is_by_seat,
    is_chance,
    longest_names,
    new_stream,
    sample_outcomes,
    sample_size,
)
from tests.trials import IS_SOAK

SAMPLES_PER_STATE = 2 if IS_SOAK else 1
"""Sampled states for each real one."""
SHOWN_ACTION_COUNT = 12
"""Legal actions of a view whose texts ``make test`` compares at least, spread over all of them."""


def visible_output(
    game: AnyGame, state: Any, viewer: Seat | None, seat_count: int, tried_actions: tuple[Action, ...]
) -> dict[str, Any]:
    """Return all that a viewer is given while a state lasts.  ``tried_actions``: refused where illegal."""
    words, names = game.words, longest_names(seat_count)
    view = game.view(state, viewer)
    legal = game.legal_actions(view)
    output: dict[str, Any] = {
        "view": view,
        "legal actions": legal,
        "status": words.status(view, names),
        "description": words.describe(view, names),
        "hand": words.hand_text(view, names),
        "hand in short": words.hand_summary(view, names) if words.hand_summary else "",
        "alt text": words.alt_text(view, names),
        "picture texts": [text(view, names) for text in words.picture_texts.values()],
        "players' texts": [words.own_board_text(view, Seat(seat), names) for seat in range(seat_count)],
    }
    if viewer is not None and legal:
        shown = legal[:: 1 if IS_SOAK else max(1, len(legal) // SHOWN_ACTION_COUNT)]
        output["labels"] = [words.label(view, action, names) for action in shown]
        output["previews"] = [words.preview(view, action, names) for action in shown]
        output["short previews"] = [words.short_preview(view, action, names) for action in shown]
        output["paths"] = [path_to(game, view, action, names) for action in shown]
        illegal = [
            action
            for action in tried_actions
            if isinstance(action, game.action_types) and action not in legal
        ]
        output["refusals"] = [words.refusal(view, action, names) for action in illegal]
    return output


def assert_same(real: dict[str, Any], other: dict[str, Any], viewer: Seat | None, occasion: str) -> None:
    """Fail at the first thing that differs."""
    for key, value in real.items():
        assert value == other[key], f"{viewer} can tell by the {key} ({occasion}): {value} != {other[key]}"


def check_sampling_law(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """A sampled state is a state of the game that looks the same to its viewer: words and pieces too."""
    for transition in played.pick_transitions(rng, 30):
        tried_actions = tuple(
            other.action for other in rng.sample(played.transitions, min(8, len(played.transitions)))
        )
        for viewer in played.pick_viewers(rng):
            real = visible_output(game, transition.after, viewer, played.setup.seat_count, tried_actions)
            for _ in range(SAMPLES_PER_STATE):
                sample = game.sample_state(real["view"], new_stream(rng))
                assert encode(game.view(sample, viewer)) == encode(real["view"]), "sampling law"
                other = visible_output(game, sample, viewer, played.setup.seat_count, tried_actions)
                assert_same(real, other, viewer, "sampling law")
                assert game.to_act(sample) == game.to_act(transition.after)
                assert pieces_of(game, sample) == pieces_of(game, transition.after), "a sample lost pieces"


def check_policy_secrets(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The policy chooses alike in every world that looks the same to its seat."""
    for transition in played.pick_transitions(rng, POLICY_CHOICE_COUNT, is_by_seat)[
        : sample_size(POLICY_CHOICE_COUNT)
    ]:
        view = game.view(transition.before, transition.actor)
        seed = rng.randbytes(SEED_BYTES)
        chosen = game.policy(view, game.legal_actions(view), RandomStream(seed))
        for _ in range(SAMPLES_PER_STATE):
            other_view = game.view(game.sample_state(view, new_stream(rng)), transition.actor)
            other_choice = game.policy(other_view, game.legal_actions(other_view), RandomStream(seed))
            assert other_choice == chosen, (
                f"{write_action(chosen)} was chosen for a secret, else {write_action(other_choice)}"
            )


def check_sample_plays(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """A game can be played on from a sampled state: chance and the seats find what to do."""
    for transition in played.pick_transitions(rng, 8):
        for viewer in played.pick_viewers(rng):
            state = game.sample_state(game.view(transition.after, viewer), new_stream(rng))
            pieces = pieces_of(game, state)
            for _ in range(12):
                actor = game.to_act(state)
                if actor is None:
                    break
                if actor == CHANCE:
                    action = game.sample_chance(state, new_stream(rng))
                    assert game.is_possible(state, action)
                else:
                    action = rng.choice(game.legal_actions(game.view(state, actor)))
                state = game.apply_action(state, action)
                assert pieces_of(game, state) == pieces


@dataclass(frozen=True)
class ObservedStep:
    """What one viewer saw of one step."""

    action: Action
    narration: Narration
    output: dict[str, Any]


def observe_step(
    game: AnyGame, state: Any, transition: Transition, action: Action, viewer: Seat | None, seat_count: int
) -> ObservedStep:
    """Apply an action in a world; return what the viewer sees of it."""
    before = game.view(state, viewer)
    after_state = game.apply_action(state, action)
    seen = action.seen_by(viewer, transition.actor)
    after = game.view(after_state, viewer)
    narration = game.words.narrate(before, transition.actor, seen, after, longest_names(seat_count))
    return ObservedStep(seen, narration, visible_output(game, after_state, viewer, seat_count, ()))


def check_step_law(game: AnyGame, played: PlayedGame, rng: random.Random) -> int:
    """Of a step, a viewer is shown what the view before and the action as seen fix, and nothing more.

    Returns how many pairs were compared whose secrets differ.
    """
    compared_count = 0
    for transition in played.pick_transitions(rng, 30):
        for viewer in played.pick_viewers(rng):
            real = observe_step(
                game, transition.before, transition, transition.action, viewer, played.setup.seat_count
            )
            for world, action in indistinguishable_worlds(game, played, transition, viewer, rng):
                if action.seen_by(viewer, transition.actor) != real.action:
                    continue
                other = observe_step(game, world, transition, action, viewer, played.setup.seat_count)
                occasion = f"after {write_action(real.action)}"
                assert_same(real.output, other.output, viewer, occasion)
                assert real.narration == other.narration, f"{viewer} can tell by the narration {occasion}"
                compared_count += (world, action) != (transition.before, transition.action)
    return compared_count


def check_seen_by(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """An action as seen shows no more than the view after it: what gives the same view looks the same.

    Unless it gives the same state as well: which of two dying species ages is an open choice without a trace.
    """
    for transition in played.pick_transitions(rng, 30):
        for viewer in played.pick_viewers(rng):
            after = game.view(transition.after, viewer)
            seen = transition.action.seen_by(viewer, transition.actor)
            for world, action in indistinguishable_worlds(game, played, transition, viewer, rng):
                other_state = game.apply_action(world, action)
                if game.view(other_state, viewer) == after:
                    other = action.seen_by(viewer, transition.actor)
                    if other != seen and _leads_to(game, world, transition, other_state):
                        continue
                    assert seen == other, (
                        f"{viewer} sees {write_action(seen)} or {write_action(other)}, but the same table"
                    )
        if transition.actor != CHANCE:
            assert transition.action.seen_by(transition.actor, transition.actor) == transition.action, (
                "hidden from its actor"
            )


def _leads_to(game: AnyGame, world: Any, transition: Transition, state: Any) -> bool:
    """Whether the transition's action may happen in this world too and gives this very state."""
    if transition.actor == CHANCE:
        is_allowed = game.is_possible(world, transition.action)
    else:
        is_allowed = transition.action in game.legal_actions(game.view(world, transition.actor))
    return is_allowed and bool(game.apply_action(world, transition.action) == state)


def indistinguishable_worlds(
    game: AnyGame, played: PlayedGame, transition: Transition, viewer: Seat | None, rng: random.Random
) -> list[tuple[Any, Action]]:
    """Return worlds that the viewer cannot tell from the real one, with actions that may happen there."""
    view = game.view(transition.before, viewer)
    states = [
        transition.before,
        *(game.sample_state(view, new_stream(rng)) for _ in range(SAMPLES_PER_STATE)),
    ]
    worlds = []
    for state in states:
        if transition.actor == CHANCE:
            actions = sample_outcomes(game, state, rng, 3)
            if game.is_possible(state, transition.action):
                actions.append(transition.action)
        else:
            legal = game.legal_actions(game.view(state, transition.actor))
            same_type = [action for action in legal if isinstance(action, type(transition.action))]
            actions = rng.sample(same_type, min(6, len(same_type)))
            if transition.action in legal:
                actions.append(transition.action)
        worlds += [(state, action) for action in actions]
    return worlds


def check_own_action(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """An own action shows its actor nothing that the actor could not know before."""
    for transition in played.pick_transitions(rng, 30, is_by_seat):
        after = game.view(transition.after, transition.actor)
        view = game.view(transition.before, transition.actor)
        for _ in range(2 * SAMPLES_PER_STATE):
            world = game.sample_state(view, new_stream(rng))
            other = game.view(game.apply_action(world, transition.action), transition.actor)
            assert other == after, f"{write_action(transition.action)} showed its actor a secret"


def check_reveals(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """An outcome that says it reveals nothing could not have looked different, and the other way round."""
    for transition in played.pick_transitions(rng, 16, is_chance):
        for viewer in played.pick_viewers(rng):
            view = game.view(transition.before, viewer)
            possible_outcomes = set(sample_outcomes(game, transition.before, rng, 6)) | {transition.action}
            for _ in range(SAMPLES_PER_STATE):
                world = game.sample_state(view, new_stream(rng))
                possible_outcomes |= set(sample_outcomes(game, world, rng, 2))
            same_type = [
                action for action in possible_outcomes if isinstance(action, type(transition.action))
            ]
            appearances = {action.seen_by(viewer, CHANCE) for action in same_type}
            if len(appearances) > 1:
                assert transition.action.reveals(viewer), (
                    f"{write_action(transition.action)} reveals something to {viewer}"
                )
            elif len(same_type) > 1:
                assert not transition.action.reveals(viewer), (
                    f"{write_action(transition.action)} shows nothing to {viewer}"
                )


def check_hidden_information(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """A game that claims secrets has some: at some time two viewers know different things."""
    differs = any(
        len({encode(_anonymous_fields(game, transition.after, viewer)) for viewer in played.viewers}) > 1
        for transition in played.pick_transitions(rng, 30)
    )
    assert differs == bool(game.hidden_information)


def _anonymous_fields(game: AnyGame, state: Any, viewer: Seat | None) -> list[object]:
    view = game.view(state, viewer)
    return [getattr(view, name) for name in view.__struct_fields__ if name != "viewer"]
