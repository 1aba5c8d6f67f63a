"""Open games: each view fixes the whole state, so no two tables differ in what a viewer may not know (T7).

The tests of leaks compare pairs of such tables.  An open game has none, which is checked here instead.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

import msgspec
import pytest

from rules.errors import RulesError
from rules.game import AnyGame, Game
from rules.matchfile import parse_match_file
from rules.model import Action, Seat
from rules.notation import write_action
from rules.proof import prove
from rules.random_stream import RandomStream
from tests.conformance.checks import PLAYED_GAME_CHECKS
from tests.conformance.contract import encode
from tests.conformance.random_games import PlayedGame, longest_names, new_stream, play_through, played_game
from tests.conformance.setups import GameSetup, covering_setups, games_with_secrets, open_games
from tests.docs.game_guide import corals_game
from tests.golden.record import annotate, record_game


def assert_open(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Check that every view fixes the state, every action is seen by all, and nobody has a hand."""
    names = longest_names(played.setup.seat_count)
    for transition in played.transitions:
        for viewer in played.viewers:
            view = game.view(transition.after, viewer)
            sample = game.sample_state(view, new_stream(rng))
            assert encode(sample) == encode(transition.after), f"{viewer} cannot know the state"
            seen = transition.action.seen_by(viewer, transition.actor)
            assert seen == transition.action, (
                f"{viewer} sees {write_action(seen)}, not {write_action(transition.action)}"
            )
            assert not game.words.hand_text(view, names), f"{viewer} has a hand"


@pytest.mark.trust_test("T7")
@pytest.mark.parametrize("key", open_games())
def test_open_game_has_no_pairs(key: str) -> None:
    """Open game, no pairs: in every position of its games each viewer knows the whole state."""
    game = open_games()[key]
    for setup in covering_setups(game):
        assert_open(game, played_game(setup), random.Random(7))


def test_both_kinds_are_tried() -> None:
    """There are games with secrets and without."""
    assert games_with_secrets()
    assert open_games()


# Seeded defects ---------------------------------------------------------------------------------------

OPEN_TOY_GAME: Final = corals_game()


def _with_words(**changed: Any) -> AnyGame:
    return replace(OPEN_TOY_GAME, words=replace(OPEN_TOY_GAME.words, **changed))


def claims_a_secret() -> AnyGame:
    """The game says that something is hidden."""
    return replace(OPEN_TOY_GAME, hidden_information="what is in the bag")


def shows_a_hand() -> AnyGame:
    """Everybody is said to hold something."""
    return _with_words(hand_text=lambda view, names: "You hold a net.")


def keeps_the_order_of_the_bag() -> AnyGame:
    """The bag of the state is in another order than the bag that the views show."""

    def initial_state(seat_count: int, options: Any) -> Any:
        state = OPEN_TOY_GAME.initial_state(seat_count, options)
        return msgspec.structs.replace(state, bag=state.bag[::-1])

    def view(state: Any, viewer: Seat | None) -> Any:
        shown = tuple(sorted(state.bag, key=lambda coral: str(coral.value)))
        return OPEN_TOY_GAME.view(msgspec.structs.replace(state, bag=shown), viewer)

    return replace(OPEN_TOY_GAME, initial_state=initial_state, view=view)


def shows_the_player_more() -> AnyGame:
    """What lies in the shallows is shown to the seat to act only."""

    def view(state: Any, viewer: Seat | None) -> Any:
        shown = state if viewer in {None, state.turn} else msgspec.structs.replace(state, shallows=None)
        return OPEN_TOY_GAME.view(shown, viewer)

    return replace(OPEN_TOY_GAME, view=view)


def loses_a_coral() -> AnyGame:
    """What is not planted does not go back into the bag."""

    def apply_action(state: Any, action: Action) -> Any:
        after = OPEN_TOY_GAME.apply_action(state, action)
        return after if after.shallows is not None else msgspec.structs.replace(after, bag=state.bag)

    return replace(OPEN_TOY_GAME, apply_action=apply_action)


def plants_for_another() -> AnyGame:
    """Everybody is offered what the seat to act can choose."""

    def legal_actions(view: Any) -> tuple[Action, ...]:
        return OPEN_TOY_GAME.legal_actions(msgspec.structs.replace(view, viewer=view.position.turn))

    return replace(OPEN_TOY_GAME, legal_actions=legal_actions)


def forces_a_choice() -> AnyGame:
    """A turn ends once nothing is left to plant, although one may have more to undo."""
    end = OPEN_TOY_GAME.action_types[1]
    return replace(OPEN_TOY_GAME, forced_action=lambda view: end() if view.position.shallows else None)


def draws_from_outside() -> AnyGame:
    """What drifts in does not come from the match's stream."""
    calls = iter(range(10**9))

    def sample_chance(state: Any, stream: RandomStream) -> Action:
        return OPEN_TOY_GAME.sample_chance(state, RandomStream(bytes(32), next(calls)))

    return replace(OPEN_TOY_GAME, sample_chance=sample_chance)


OPEN_GAME_CHECKS: Final[Mapping[str, Callable[[AnyGame, PlayedGame, random.Random], object]]] = {
    **PLAYED_GAME_CHECKS,
    "open": assert_open,
}
DEFECTS: Final[Mapping[str, tuple[Callable[[], AnyGame], str]]] = {
    "claims a secret": (claims_a_secret, "hidden_information"),
    "shows a hand": (shows_a_hand, "open"),
    "keeps the order of the bag": (keeps_the_order_of_the_bag, "open"),
    "shows the player more": (shows_the_player_more, "hidden_information"),
    "loses a coral": (loses_a_coral, "pieces"),
    "plants for another": (plants_for_another, "actors"),
    "forces a choice": (forces_a_choice, "forced_action"),
    "draws from outside": (draws_from_outside, "undo"),
}
"""Defect -> the defective game, and the check that must fail on it."""


def _check_games(game: AnyGame, check: str, count: int = 6) -> None:
    """Play a few games and run the check on each."""
    for number in range(count):
        played = play_through(GameSetup(game, 2 + number % 3, game.options_type()), number, casual_share=0.0)
        OPEN_GAME_CHECKS[check](game, played, random.Random(number))


@pytest.mark.trust_test("T7", sensitivity=True)
@pytest.mark.parametrize("name", DEFECTS)
def test_each_defect_is_caught(name: str) -> None:
    """The defect is caught within a few games."""
    make, check = DEFECTS[name]
    with pytest.raises((AssertionError, RulesError)) as caught:
        _check_games(make(), check)
    print(name, type(caught.value).__name__, caught.value)


def test_sound_game_is_not_caught() -> None:
    """The same checks find nothing in the game without a defect."""
    for check in sorted({check for _, check in DEFECTS.values()}):
        _check_games(OPEN_TOY_GAME, check)


# Without chance ---------------------------------------------------------------------------------------


def make_game_without_chance() -> AnyGame:
    """Return the open game in which one coral of each kind drifts in, always."""
    kinds = tuple(dict.fromkeys(OPEN_TOY_GAME.initial_state(2, OPEN_TOY_GAME.options_type()).bag))

    def fill(state: Any) -> Any:
        if state.shallows is not None or not state.turns_left:
            return state
        bag = list(state.bag)
        for coral in kinds:
            bag.remove(coral)
        return msgspec.structs.replace(state, bag=tuple(bag), shallows=kinds)

    left_out = {
        "outcome_types",
        "next_outcome_kind",
        "sample_chance",
        "is_possible",
        "initial_state",
        "apply_action",
    }
    kept_fields = {
        each.name: getattr(OPEN_TOY_GAME, each.name)
        for each in fields(OPEN_TOY_GAME)
        if each.name not in left_out
    }
    return Game(
        **kept_fields,
        initial_state=lambda seat_count, options: fill(OPEN_TOY_GAME.initial_state(seat_count, options)),
        apply_action=lambda state, action: fill(OPEN_TOY_GAME.apply_action(state, action)),
    )


def test_a_game_without_chance_passes_every_check() -> None:
    """A game that has neither secrets nor chance passes every check, and its match files are read."""
    game = make_game_without_chance()
    for check in PLAYED_GAME_CHECKS:
        _check_games(game, check, count=2)
    file = record_game(game, 2, "", 5)
    text = annotate(file)
    assert annotate(parse_match_file(text, {game.key: game})) == text
    assert not prove(file).outcomes
