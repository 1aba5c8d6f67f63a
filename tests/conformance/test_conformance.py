"""Every registered game, and the contributor guide's, keeps the contract at every kind of table."""

import random
from collections.abc import Callable
from itertools import count

import pytest

from rules.game import AnyGame
from tests.conformance.checks import CHECKS, FACT_CHECKS
from tests.conformance.contract import check_pieces, check_typed
from tests.conformance.laws import check_step_law
from tests.conformance.pieces import PIECES
from tests.conformance.played import play_through, played
from tests.conformance.settings import Setting, all_games, settings_of
from tests.conformance.storage import check_play_all, check_replay, check_resume
from tests.trials import trial_count

GAMES = all_games()
SETTINGS = [setting for game in GAMES for setting in settings_of(game)]
FULL_GAMES = trial_count(commit=50, soak=5_000)
"""Random full games per game that are saved and taken up after each action."""
STEPS = trial_count(commit=500, soak=20_000)
"""Steps per game that are compared."""


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("name", CHECKS)
def test_check(name: str, setting: Setting) -> None:
    """The check holds in random games at this table."""
    for number in range(trial_count(2)):
        CHECKS[name](setting.game, played(setting, number), random.Random(number))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("name", FACT_CHECKS)
def test_facts(name: str, game: AnyGame) -> None:
    """The check of the game's static facts holds."""
    FACT_CHECKS[name](game)


@pytest.mark.promise("T8")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_full_games(game: AnyGame, trials_done: Callable[[int], None]) -> None:
    """Fifty random full games are saved and taken up after each action, replayed, and lose no piece."""
    settings = settings_of(game)
    for number in range(FULL_GAMES):
        through = play_through(settings[number % len(settings)], 1000 + number)
        rng = random.Random(number)
        for check in (check_resume, check_replay, check_typed, check_pieces):
            check(game, through, rng)
        trials_done(1)


@pytest.mark.promise("T7")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_step_law_is_put_to_the_test(game: AnyGame, trials_done: Callable[[int], None]) -> None:
    """Pairs that differ in what the viewer may not know stay alike after a step (T7)."""
    compared = 0
    tables = ((setting, number) for number in count() for setting in settings_of(game))
    for setting, number in tables:
        compared += check_step_law(game, played(setting, number), random.Random(7))
        if compared >= STEPS:
            break
        assert number < STEPS, "games in which nothing is hidden"
    trials_done(compared)


def test_lines_of_several_actions_occur() -> None:
    """Some game lets a seat choose twice in a row, so the check of whole lines checks something."""
    found = [check_play_all(each.game, played(each, 0), random.Random(7)) for each in SETTINGS]
    assert sum(found) >= 5


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_settings_cover(game: AnyGame) -> None:
    """The tables that are tried hold every number of seats and every option."""
    settings = settings_of(game)
    assert {setting.seats for setting in settings} == set(game.seats)
    for name in game.options.__struct_fields__:
        assert len({getattr(setting.options, name) for setting in settings}) > 1, name


def test_pieces_known() -> None:
    """Every game says which pieces it must not lose."""
    assert {game.key for game in GAMES} == set(PIECES)
