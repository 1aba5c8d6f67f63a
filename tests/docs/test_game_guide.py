"""The guide docs/adding-a-game.md is right: its code, and the checks and files that it names."""

import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.players import play_series
from tests.conformance.checks import GAME_CHECKS, PLAYED_GAME_CHECKS
from tests.conformance.random_games import play_through
from tests.conformance.setups import GameSetup
from tests.docs.game_guide import GUIDE, TOY_GAMES, guide_files, pearls_game, pearls_policy

REPOSITORY = Path(__file__).parents[2]
IGNORED_RULES = ("D100", "D101", "D102", "D103", "INP001")
"""The guide leaves out docstrings, and says so; the folders of its files lack ``__init__.py``."""


def test_the_guide_shows_every_file_of_its_games() -> None:
    """The guide shows each file of its two games."""
    modules = ("__init__", "model", "rules", "words")
    shared = (*(f"rules/{{}}/{name}.py" for name in modules), "render/{}.py", "tests/rules/{}/inventory.py")
    files = {path.format(key) for path in shared for key in TOY_GAMES}
    assert set(guide_files()) == {*files, "rules/pearls/policy.py"}


def test_one_game_of_the_guide_has_secrets() -> None:
    """One of the guide's games has secrets, the other has none."""
    assert [bool(game.hidden_information) for game in TOY_GAMES.values()] == [True, False]


@pytest.mark.parametrize("path", guide_files())
def test_the_code_of_the_guide_passes_the_linter(path: str) -> None:
    """The guide's code passes the project's own lint rules."""
    ignored = f"--extend-ignore={','.join(IGNORED_RULES)}"
    command = [sys.executable, "-m", "ruff", "check", ignored, "--stdin-filename", path, "-"]
    source = guide_files()[path]
    completed = subprocess.run(
        command, input=source, capture_output=True, text=True, cwd=REPOSITORY, check=False
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr


def test_the_policy_of_the_guide_beats_random() -> None:
    """The guide's policy keeps the laws of policies and wins against Random as the guide says."""
    game = replace(pearls_game(), policy=pearls_policy())
    for number in range(3):
        played = play_through(GameSetup(game, 2 + number, game.options_type()), number, casual_share=1.0)
        for check in ("policy", "policy_secrets"):
            PLAYED_GAME_CHECKS[check](game, played, random.Random(number))

    assert play_series(game, "casual", "random", 300).win_rate > 0.6


@pytest.mark.parametrize(("key", "max_lines"), [("pearls", 500), ("corals", 350)])
def test_a_game_of_the_guide_is_short(key: str, max_lines: int) -> None:
    """A whole game is small enough to be read in one sitting."""
    lines = [
        line
        for path, text in guide_files().items()
        if key in path
        for line in text.splitlines()
        if line.strip()
    ]
    assert len(lines) < max_lines


def test_checks_and_files_that_the_guide_names_exist() -> None:
    """Every check and every file of this repository that the guide names exists."""
    text = GUIDE.read_text(encoding="utf-8")
    for name in re.findall(r"`check_(\w+)`", text):
        assert name in {*PLAYED_GAME_CHECKS, *GAME_CHECKS}, name
    for path in re.findall(r"`((?:rules|render|tests|docs)/[\w/.-]+)`", text):
        assert (REPOSITORY / path).exists() or path in guide_files(), path
