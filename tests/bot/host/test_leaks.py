"""T7: two tables that differ only in what a viewer may not know look the same to that viewer, to the byte.

The other table is made by putting a sampled state (``sample_state``) in place of the real one; then the same
choice is made at both.  Everything that the chat would send is compared.  Each seeded leak must be caught.
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

import msgspec
import pytest

from bot.chat import history_pages
from render import catalogue
from render.catalogue import PICTURES
from rules.game import AnyGame
from rules.notation import write_action
from tests.bot.host import table_pairs
from tests.bot.host.playing import GAMES_AND_TOYS
from tests.bot.host.seeded_leaks import LEAKS, RARE_LEAKS, leaking
from tests.bot.host.table_pairs import (
    MAX_TYPED_MOVES,
    TYPED_MOVE_COUNT,
    TablePair,
    are_alike,
    choose_at_both,
    common_actions,
    differing_pairs,
    identical_pairs,
)
from tests.bot.host.viewer_output import decision_output, use_scenes_as_pictures, viewer_output
from tests.conformance.pictures import ALL_PICTURES
from tests.conformance.setups import games_with_secrets, open_games
from tests.trials import cases, trial_count

PAIR_COUNT = trial_count(short=8, soak=20_000)
"""For each game."""
LOG_SHARE: Final = 1 / 5
"""The part of the pairs at which all records are narrated and undone: each plays them from the start."""
SHORT_RUN_LEAKS: Final = tuple(LEAKS)[::2]
"""Every second of the seeded leaks."""


@pytest.fixture(autouse=True)
def pictures_of_every_game() -> Iterator[None]:
    """Draw the guide's game as the guide draws it, and no progress of a replay: it depends on the time."""
    with (
        patch.object(catalogue, "PICTURES", ALL_PICTURES),
        patch.object(history_pages, "PROGRESS_INTERVAL", math.inf),
    ):
        yield


async def compare_pair(pair: TablePair, rng: random.Random) -> int:
    """Fail at the first thing that tells the tables apart.  Returns how many steps were compared."""
    seed, with_history = rng.random(), rng.random() < LOG_SHARE
    one = await viewer_output(
        pair.real, pair.viewer, pair.typed_moves, random.Random(seed), with_history=with_history
    )
    other = await viewer_output(
        pair.altered, pair.viewer, pair.typed_moves, random.Random(seed), with_history=with_history
    )
    _assert_same(one, other)
    common_choices = common_actions(pair)
    chosen = rng.sample(common_choices, min(2, len(common_choices)))
    return sum([await _compare_choice(pair, write_action(action), seed) for action in chosen])


async def _compare_choice(pair: TablePair, text: str, seed: float) -> bool:
    """Make one choice at both tables; where chance then shows the viewer the same, all else is the same."""
    decisions = choose_at_both(pair, text)
    if decisions is None:
        return False
    first, second = decisions
    _assert_same(
        decision_output(pair.real, first, pair.viewer), decision_output(pair.altered, second, pair.viewer)
    )
    tables = [
        replace(each.table, row=msgspec.structs.replace(each.table.row, snapshot=b"")) for each in decisions
    ]
    if not are_alike(tables, pair.viewer):
        return False
    _assert_same(
        *[
            await viewer_output(
                table, pair.viewer, pair.typed_moves[:5], random.Random(seed), with_history=False
            )
            for table in tables
        ]
    )
    return True


def _assert_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert one.keys() == other.keys(), f"distinguished by: {one.keys() ^ other.keys()}"
    for name, value in one.items():
        assert value == other[name], f"distinguished by: {name}"


async def compare_pairs(game: AnyGame, count: int, rng: random.Random) -> int:
    """Compare so many pairs; returns how many steps were compared as well."""
    step_count = 0
    for pair in differing_pairs(game, count, rng):
        step_count += await compare_pair(pair, rng)
    return step_count


@pytest.mark.trust_test("T7")
@pytest.mark.parametrize("key", games_with_secrets())
async def test_nothing_tells_a_secret(key: str, add_trials: Callable[[int], None]) -> None:
    """Posts, panels, ids, alt texts, scenes, completions, refusals and messages are byte for byte alike."""
    with use_scenes_as_pictures():
        step_count = await compare_pairs(GAMES_AND_TOYS[key], PAIR_COUNT, random.Random(f"leaks/{key}"))
    add_trials(PAIR_COUNT)
    assert step_count > PAIR_COUNT // 4, "too few steps were compared"


@pytest.mark.trust_test("T7")
@pytest.mark.parametrize("key", open_games())
async def test_equal_states_of_an_open_game_look_the_same(key: str) -> None:
    """Open game, no pairs: each view fixes the state, and the same state is shown the same."""
    with use_scenes_as_pictures():
        step_count = 0
        for pair in identical_pairs(GAMES_AND_TOYS[key], PAIR_COUNT // 4, random.Random(f"leaks/{key}")):
            step_count += await compare_pair(pair, random.Random(key))
    assert step_count, "no steps were compared"


@pytest.mark.trust_test("T7", sensitivity=True)
@pytest.mark.parametrize("key", open_games())
def test_pairs_of_an_open_game_are_refused(key: str) -> None:
    """Pairs of an open game are refused at once, also where it says that it hides something."""
    game, rng = GAMES_AND_TOYS[key], random.Random(1)
    with pytest.raises(AssertionError, match="open game: no pairs"):
        next(differing_pairs(game, 1, rng))
    with pytest.raises(AssertionError, match="hides nothing"):
        next(differing_pairs(replace(game, hidden_information="a secret"), 1, rng))


@pytest.mark.trust_test("T7")
@pytest.mark.parametrize("key", [key for key in PICTURES if key in games_with_secrets()])
async def test_no_picture_tells_a_secret(key: str, add_trials: Callable[[int], None]) -> None:
    """The painted pictures of both tables of a pair are byte for byte alike."""
    count = trial_count(1, soak=160)
    await compare_pairs(GAMES_AND_TOYS[key], count, random.Random(f"pictures/{key}"))
    add_trials(count)


def test_every_leak_can_be_seeded() -> None:
    """Each function that a leak replaces exists, also of those leaks that the long run alone catches."""
    for leak_name in LEAKS:
        with leaking(leak_name) as game:
            assert game.hidden_information


@pytest.mark.trust_test("T7", sensitivity=True)
@pytest.mark.parametrize("leak_name", cases(LEAKS, *SHORT_RUN_LEAKS))
async def test_each_leak_is_caught(leak_name: str) -> None:
    """Each of these leaks is caught within fifty pairs, the rare ones within more, at which more is typed."""
    count, typed_move_count = (500, MAX_TYPED_MOVES) if leak_name in RARE_LEAKS else (50, TYPED_MOVE_COUNT)
    with (
        leaking(leak_name) as game,
        patch.object(table_pairs, "TYPED_MOVE_COUNT", typed_move_count),
        pytest.raises(AssertionError, match="distinguished by"),
    ):
        await compare_pairs(game, count, random.Random(f"seeded/{leak_name}"))
