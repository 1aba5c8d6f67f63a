"""Every registered game, and the contributor guide's, keeps the contract at every kind of table."""

import random
import re
from collections.abc import Callable, Iterator
from itertools import accumulate, count
from typing import Any

import pytest

from render.picture import BOARD, HAND
from rules.game import AnyGame
from rules.model import Seat
from tests.conformance.checks import GAME_CHECKS, PLAYED_GAME_CHECKS
from tests.conformance.hidden_information import check_step_law
from tests.conformance.pictures import ALL_PICTURES
from tests.conformance.pieces import pieces_of
from tests.conformance.random_games import is_by_seat, longest_names, play_through, played_game
from tests.conformance.setups import (
    GameSetup,
    all_games,
    covering_setups,
    games_with_secrets,
    setups_for_each_seat_count,
    short_covering_setups,
    short_setups_for_each_seat_count,
)
from tests.conformance.storage import check_play_all
from tests.trials import IS_SOAK, SOAK_MARK, trial_count

GAMES = all_games()
SETUPS = [
    setup for game in GAMES for setup in (covering_setups(game) if IS_SOAK else short_covering_setups(game))
]
FULL_GAME_COUNT = trial_count(short=0, soak=5_000)
"""Full games per game at least; one for each number of seats."""
FULL_GAME_CHECKS = ("end", "length", "automatic_records", "pieces", "replay", "resume", "state_types")
COMPARED_STEP_COUNT = trial_count(short=120, soak=20_000)
"""Steps per game that are compared."""
SLOWEST_CHECKS = (
    "actors",
    "automatic_records",
    "end",
    "length",
    "sample_plays",
    "sampling_law",
    "match_file",
    "paint",
    "scenes",
    "screens",
    "step_law",
    "typed_words",
)
"""In ``make test`` each of these looks at every tenth table of a game."""
SLOW_CHECKS = (
    "forced_action", "labels", "legal_actions", "log", "own_action", "paths", "pieces", "play_all", "policy",
    "policy_secrets", "recent_events", "refusals", "replay", "resign", "resume", "reveals",
    "seen_by", "state_types", "text_lengths", "typed_moves", "undo",
)  # fmt: skip
"""In ``make test`` each of these looks at every eighth table of a game, any other check at every fourth."""


def marked_check_cases() -> list[Any]:
    """Return every check at every table; of the slower ones some tables are for the long run alone.

    In ``make test`` each table of a game has its share of them.
    """
    return [
        pytest.param(name, setup, marks=marks, id=f"{name}-{setup}")
        for name in PLAYED_GAME_CHECKS
        for game in GAMES
        for setup, marks in _marked_setups(name, [each for each in SETUPS if each.game is game])
    ]


def _marked_setups(name: str, setups: list[GameSetup]) -> Iterator[tuple[GameSetup, Any]]:
    all_names = tuple(PLAYED_GAME_CHECKS)
    interval, names = next(
        (interval, names)
        for interval, names in ((10, SLOWEST_CHECKS), (8, SLOW_CHECKS), (4, all_names))
        if name in names
    )
    first, step = names.index(name), min(interval, len(setups))
    for number, setup in enumerate(setups):
        yield setup, () if (first + number) % step == 0 else SOAK_MARK


@pytest.mark.parametrize(("name", "setup"), marked_check_cases())
def test_check(name: str, setup: GameSetup) -> None:
    """The check holds in random games at this table."""
    for number in range(trial_count(1, soak=5)):
        PLAYED_GAME_CHECKS[name](setup.game, played_game(setup, number), random.Random(number))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("name", GAME_CHECKS)
def test_game_check(name: str, game: AnyGame) -> None:
    """The check that needs no played game holds."""
    GAME_CHECKS[name](game)


@pytest.mark.trust_test("T8")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_full_games(game: AnyGame, add_trials: Callable[[int], None]) -> None:
    """Random full games are saved and resumed after each action, replayed, end and lose no piece."""
    setups = covering_setups(game) if IS_SOAK else short_setups_for_each_seat_count(game)
    for number in range(max(FULL_GAME_COUNT, len(setups))):
        played = play_through(setups[number % len(setups)], 1000 + number)
        assert played.match.is_over
        for name in FULL_GAME_CHECKS:
            PLAYED_GAME_CHECKS[name](game, played, random.Random(number))
        add_trials(1)


@pytest.mark.trust_test("T7")
@pytest.mark.parametrize("game", games_with_secrets().values(), ids=lambda game: game.key)
def test_step_law_compares_enough(game: AnyGame, add_trials: Callable[[int], None]) -> None:
    """Pairs that differ in what the viewer may not know stay alike after a step (T7)."""
    compared_count = 0
    setups_and_numbers = ((setup, number) for number in count() for setup in short_covering_setups(game))
    for setup, number in setups_and_numbers:
        compared_count += check_step_law(game, played_game(setup, number), random.Random(7))
        if compared_count >= COMPARED_STEP_COUNT:
            break
        assert number < COMPARED_STEP_COUNT, "games in which nothing is hidden"
    add_trials(compared_count)


def test_lines_of_several_actions_occur() -> None:
    """Some game lets a seat choose twice in a row, so the check of whole lines checks something."""
    counts = (check_play_all(each.game, played_game(each), random.Random(7)) for each in SETUPS)
    assert any(total >= 5 for total in accumulate(counts))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_setups_cover_all_seat_counts_and_options(game: AnyGame) -> None:
    """The tables that are tried hold every number of seats and every option."""
    setups = covering_setups(game)
    assert {setup.seat_count for setup in setups} == set(game.player_counts)
    for name in game.options_type.__struct_fields__:
        assert len({getattr(setup.options, name) for setup in setups}) > 1, name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_nothing_is_still_to_come_once_all_others_resigned(game: AnyGame) -> None:
    """At whatever choice only one player is left, no text speaks of what follows."""
    for setup in setups_for_each_seat_count(game):
        names = longest_names(setup.seat_count)
        for transition in play_through(setup, 0, cap=20).transitions:
            state = transition.before
            for seat in range(setup.seat_count - 1) if is_by_seat(transition) else ():
                state = game.resign(state, Seat(seat)) if state is not None else None
            if state is None or game.to_act(state) is not None:
                continue
            for viewer in (None, Seat(setup.seat_count - 1)):
                view = game.view(state, viewer)
                texts = [text(view, names) for text in game.words.picture_texts.values()]
                for text in (game.words.describe(view, names), game.words.alt_text(view, names), *texts):
                    assert not re.search(r"\byet\b|[Ss]et-up|setting up|still to", text), text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_game_says_which_pieces_it_may_not_lose(game: AnyGame) -> None:
    """Every game says which pieces it must not lose, in ``tests/rules/<game>/inventory.py``."""
    assert pieces_of(game, game.initial_state(game.player_counts[0], game.options_type()))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_only_games_with_secrets_have_secret_pictures(game: AnyGame) -> None:
    """Every game draws its board; hands and other secret pictures belong to games with secrets."""
    pictures = ALL_PICTURES[game.key]
    assert BOARD in pictures
    assert game.hidden_information or HAND not in pictures
    assert game.hidden_information or not any(picture.is_secret for picture in pictures.values())
    assert all(picture.shows_one_seat for picture in pictures.values() if picture.is_secret)
