"""The import contracts must know every game: a list that somebody forgot to lengthen guards nothing."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import GAMES

ROOT = Path(__file__).parent.parent


def contracts() -> dict[str, dict[str, Any]]:
    """The contracts by name."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return {each["name"]: each for each in tomllib.loads(text)["tool"]["importlinter"]["contracts"]}


@pytest.mark.parametrize("game", GAMES)
def test_contracts_name_every_game(game: str) -> None:
    """A registered game stands in each contract that lists games."""
    listed = contracts()

    assert f"rules.{game}" in listed["games never import games"]["modules"]
    assert f"rules.{game}" in listed["the contract knows no game"]["forbidden_modules"]
    assert {f"rules.{game}", f"render.{game}"} <= set(listed["no game is named in bot"]["forbidden_modules"])


def test_no_game_is_named_in_bot() -> None:
    """No line of bot/ holds a game's name, the page's help included."""
    for path in (ROOT / "bot").rglob("*"):
        if path.suffix in {".py", ".js", ".html", ".sql"}:
            text = path.read_text(encoding="utf-8").casefold()
            assert not [game for game in GAMES if game in text], path
