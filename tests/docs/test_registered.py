"""The guide's open game passes the suites once its files and its lines in the two catalogues are there.

A copy of the repository gets what the guide shows, and nothing else; then the tests of that game run in it.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.docs.game_guide import corals_game, guide_files
from tests.repository_copy import copy_repository
from tests.trials import IS_SOAK, SOAK_MARK

KEY: Final = corals_game().key
CATALOGUE_CHANGES: Final = {
    "rules/catalogue.py": {
        "from rules.currents import CURRENTS\n": "from rules.corals import CORALS\n",
        "(CURRENTS, OCEANS": "(CORALS, CURRENTS, OCEANS",
    },
    "render/catalogue.py": {
        "from render import ": "from render import corals, ",
        '"currents": ': '"corals": corals.PICTURES, "currents": ',
    },
}
"""By file: the text there, and what a contributor puts before it or in its place."""
SUITES: Final = (
    ("tests/rules", "tests/render", "tests/bot/chat", "tests/bot/host", "tests/bot/trust", "tests/golden")
    if IS_SOAK
    else (
        "tests/bot/chat/test_option_forms.py",
        "tests/bot/host/test_status_texts.py",
        "tests/bot/host/test_changed_rules.py",
        "tests/bot/trust/test_authority.py",
        "tests/render/test_colours.py",
    )
)
"""Tests of registered games; those of the guide's games as well run without a copy."""
SELECTION: Final = f"{KEY} or fingerprint"
"""Tests of this game, and the one that looks at the modules of all."""


@pytest.fixture
def repository_copy(tmp_path: Path) -> Path:
    """Return a copy of the repository in which the game is registered."""
    copy_repository(tmp_path, with_compiled=True)
    for path, source in guide_files().items():
        if KEY in path:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(source, encoding="utf-8")
    for path, changes in CATALOGUE_CHANGES.items():
        text = (tmp_path / path).read_text(encoding="utf-8")
        for old, new in changes.items():
            assert text.count(old) == 1, f"{path}: {old}"
            text = text.replace(old, new + old if old.endswith("\n") else new)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def run_suites(repository_copy: Path, *suites: str) -> tuple[int, str]:
    """Run the tests of the game there; return the exit code and the output."""
    completed = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", SELECTION, "--tb=short", *suites],
        cwd=repository_copy,
        env={**os.environ, "CAPTAINS_TABLE_TRIALS": "commit"},
        capture_output=True,
        text=True,
        check=False,
    )
    return completed.returncode, completed.stdout + completed.stderr


@pytest.mark.slow
def test_every_suite_passes_for_a_registered_game(repository_copy: Path) -> None:
    """Every suite that runs for each registered game passes for this one."""
    code, output = run_suites(repository_copy, "tests/test_architecture.py", *SUITES)
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
