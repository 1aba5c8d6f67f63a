"""The sources of the rules: which modules can change play, and a fingerprint that changes with them."""

import ast
import hashlib
import inspect
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from bot.host.table import Games
from rules.game import Game
from rules.match import Match
from rules.narration import Narration
from rules.words import Words


def rules_fingerprint(games: Games) -> str:
    """Return a hash of all modules that can change play; changed words or help need no replay."""
    digest = hashlib.sha256()
    for name in sorted(replay_relevant_module_names(games)):
        source = _source(name)
        digest.update(f"{name} {len(source)}\n{source}".encode())
    return digest.hexdigest()


def replay_relevant_module_names(games: Games) -> frozenset[str]:
    """Return the names of all modules that can change play.

    They are those of the games' functions and all of ``rules`` that these import, but words and narrations.
    """
    functions = [
        getattr(game, field.name)
        for game in games.values()
        for field in fields(Game)
        if field.name != "words"
    ]
    found_names: set[str] = set()
    pending_names = {Match.__module__, *(each.__module__ for each in functions if callable(each))}
    while pending_names:
        name = pending_names.pop()
        found_names.add(name)
        imported_names = {each for each in _imports(name) if each.startswith("rules.")}
        pending_names |= imported_names - found_names - {Words.__module__, Narration.__module__}
    return frozenset(found_names)


def _source(name: str) -> str:
    """Return the source of a loaded module; empty if it has no file."""
    try:
        path = inspect.getsourcefile(sys.modules[name])
        return "" if path is None else Path(path).read_text(encoding="utf-8")  # getsource() would keep it
    except (OSError, TypeError):
        return ""


def _imports(name: str) -> Iterator[str]:
    """Yield the names of the modules that a module imports; of a package only the submodules it names."""
    for node in ast.walk(ast.parse(_source(name))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for each in node.names:
                full_name = f"{node.module}.{each.name}"
                yield full_name if full_name in sys.modules else node.module
