"""The guide's open game passes the suites once its files and its lines in the two catalogues are there.

A copy of the repository gets what the guide shows, and nothing else; then the tests of that game run in it.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from rules.catalogue import GAMES
from tests.docs.game_guide import corals_game, guide_changes, guide_files
from tests.repository_copy import copy_repository
from tests.trials import IS_SOAK, SOAK_MARK

KEY: Final = corals_game().key
if KEY in GAMES:
    pytest.skip("registered here, so its tests run as those of any game", allow_module_level=True)

SUITES: Final = {
    "tests": "test_architecture",
    "tests/bot/chat": "test_history test_lobby_posts test_log_page test_option_forms test_posts"
    " test_rules_pages",
    "tests/bot/host": "test_changed_rules test_open_seats test_previews test_status_texts test_table_turns",
    "tests/bot/trust": "test_hostile test_malformed",
    "tests/docs": "test_deals",
    "tests/render": "test_bands test_colours test_pictures test_summary",
    "tests/rules": "test_guessed_moves test_turns",
}
"""Files that try each registered game.  The others try the guide's games without a copy."""
SELECTION: Final = f"{KEY} or fingerprint or every_game or every_registered_game"
"""Tests of this game, and those that look at all games."""


@pytest.fixture
def repository_copy(tmp_path: Path) -> Path:
    """Return a copy of the repository in which the game is registered."""
    copy_repository(tmp_path, with_compiled=True)
    for path, source in guide_files().items():
        if KEY in path:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(source, encoding="utf-8")
    for path, old, new in guide_changes():
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path}: {old}"
        (tmp_path / path).write_text(text.replace(old, new), encoding="utf-8")
    return tmp_path


def run_suites(repository_copy: Path, *suites: str) -> tuple[int, str]:
    """Run the tests of the game there; return the exit code and the output."""
    completed = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", SELECTION, "--tb=short", *suites],
        cwd=repository_copy,
        env={**os.environ, "TRIALS": "commit"},
        capture_output=True,
        text=True,
        check=False,
    )
    return completed.returncode, completed.stdout + completed.stderr


@pytest.mark.slow
def test_every_suite_passes_for_a_registered_game(repository_copy: Path) -> None:
    """Every test that runs for each registered game passes for this one, as its author will see."""
    paths = [f"{folder}/{name}.py" for folder, names in SUITES.items() for name in names.split()]
    code, output = run_suites(repository_copy, *(["tests"] if IS_SOAK else paths))
    assert code == 0, output


@pytest.mark.slow
@SOAK_MARK
def test_a_game_that_imports_another_fails(repository_copy: Path) -> None:
    """A game that imports another game does not pass."""
    words = repository_copy / "rules" / KEY / "words.py"
    words.write_text(f"{words.read_text(encoding='utf-8')}\nimport rules.currents.model\n", encoding="utf-8")
    code, output = run_suites(repository_copy, "tests/test_architecture.py")
    assert code == 1, output
    assert "test_games_never_import_games" in output
