"""The code blocks of the guide docs/adding-a-game.md, and the games that they make."""

import importlib.abc
import importlib.machinery
import re
import sys
import types
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from render.catalogue import Pictures
from rules.game import AnyGame
from rules.model import Action
from rules.random_stream import RandomStream

GUIDE: Final = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
_BLOCK_PATTERN: Final = re.compile(r"^```python\n# (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CHANGE_PATTERN: Final = re.compile(r"^```diff\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def guide_files() -> dict[str, str]:
    """Return the source of every file that the guide shows, by path."""
    return dict(_BLOCK_PATTERN.findall(GUIDE.read_text(encoding="utf-8")))


def guide_changes() -> list[tuple[str, str, str]]:
    """Return the changes of other files that the guide shows: the path, the lines there and the new lines."""
    return [
        (path, *("".join(line[1:] for line in lines if line[0] != sign) for sign in "+-"))
        for path, block in _CHANGE_PATTERN.findall(GUIDE.read_text(encoding="utf-8"))
        for lines in (hunk.splitlines(keepends=True) for hunk in block.split("@@\n"))
    ]


class _GuideFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the guide's modules as if their files existed."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = {
            path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): text
            for path, text in sources.items()
        }

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        is_package = any(other.startswith(f"{name}.") for other in self.sources)
        if name not in self.sources and not is_package:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=is_package)

    def create_module(self, spec: object) -> None:
        """Take the standard module."""

    def exec_module(self, module: types.ModuleType) -> None:
        source = self.sources.get(module.__name__, "")
        exec(compile(source, f"<guide {module.__name__}>", "exec"), module.__dict__)


def _load(name: str, attribute: str) -> Any:
    finder = _GuideFinder(guide_files())
    sys.meta_path.append(finder)
    try:
        return getattr(importlib.import_module(name), attribute)
    finally:
        sys.meta_path.remove(finder)


@cache
def pearls_game() -> AnyGame:
    """Pearls, the guide's game with secrets, made from the guide alone."""
    game: AnyGame = _load("rules.pearls", "PEARLS")
    return game


@cache
def corals_game() -> AnyGame:
    """Corals, the guide's game without secrets, made from the guide alone."""
    game: AnyGame = _load("rules.corals", "CORALS")
    return game


def pearls_policy() -> Callable[[Any, tuple[Action, ...], RandomStream], Action]:
    """Return the guide's policy for Pearls, which ``pearls_game`` does without."""
    policy: Callable[[Any, tuple[Action, ...], RandomStream], Action] = _load("rules.pearls.policy", "choose")
    return policy


@cache
def _pictures_of(game: AnyGame) -> Pictures:
    pictures: Pictures = _load(f"render.{game.key}", "PICTURES")
    return pictures


TOY_GAMES: Final[Mapping[str, AnyGame]] = {game.key: game for game in (pearls_game(), corals_game())}
"""The guide's games by key."""

TOY_PICTURES: Final[Mapping[str, Pictures]] = {key: _pictures_of(game) for key, game in TOY_GAMES.items()}
"""How the guide draws its games."""


@cache
def inventory_of_toy(key: str) -> types.ModuleType | None:
    """Return what the guide's game of this key consists of; None for any other game."""
    path = f"tests/rules/{key}/inventory.py"
    source = guide_files().get(path)
    if source is None:
        return None
    module = types.ModuleType(path)
    exec(compile(source, f"<guide {path}>", "exec"), module.__dict__)
    return module
