"""What the import contracts cannot say without a game's name, for every registered game."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.catalogue import GAMES

REPOSITORY = Path(__file__).parent.parent
CATALOGUES = ("rules.catalogue", "render.catalogue")


def _modules(package: str, game: str) -> Iterator[Path]:
    """Yield a game's modules in ``rules`` or ``render``: a folder, a file, or both."""
    yield from (REPOSITORY / package).glob(f"{game}.py")
    yield from (REPOSITORY / package / game).rglob("*.py")


def _imports(source: str) -> Iterator[str]:
    """Yield the full name of everything that a source imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{each.name}" for each in node.names)


def foreign_imports(source: str, game: str, games: tuple[str, ...]) -> list[str]:
    """Return what a module of a game may not import: other games, and the catalogues that know them."""
    others = [f"{package}.{other}" for package in ("rules", "render") for other in games if other != game]
    names = (*others, *CATALOGUES)
    return [each for each in _imports(source) if any(f"{each}.".startswith(f"{name}.") for name in names)]


@pytest.mark.parametrize("game", GAMES)
def test_games_never_import_games(game: str) -> None:
    """No module of a game imports another game or a catalogue."""
    paths = [path for package in ("rules", "render") for path in _modules(package, game)]
    assert len(paths) > 3
    for path in paths:
        assert foreign_imports(path.read_text(encoding="utf-8"), game, tuple(GAMES)) == [], path


def test_the_rest_of_rules_knows_no_game() -> None:
    """No module of ``rules`` outside the games, but for the catalogue, imports a game or a catalogue."""
    paths = {path for path in (REPOSITORY / "rules").glob("*.py") if path.stem not in {"catalogue", *GAMES}}
    assert len(paths) > 20
    for path in paths:
        assert foreign_imports(path.read_text(encoding="utf-8"), "", tuple(GAMES)) == [], path


@pytest.mark.parametrize(
    "line",
    [
        "import rules.chess.model",
        "from rules.chess import CHESS",
        "from rules import chess",
        "def late():\n    from render.chess.board import draw",
        "from rules.catalogue import GAMES",
    ],
)
def test_a_foreign_import_is_caught(line: str) -> None:
    """Sensitivity: each way to import another game is found, one's own modules are not."""
    assert foreign_imports(line, "go", ("chess", "go"))
    own = "from rules.go import model\nfrom rules.game import AnyGame\nfrom render.chessboard import draw"
    assert not foreign_imports(own, "go", ("chess", "go"))


def test_no_game_is_named_in_bot() -> None:
    """No line of bot/ holds a game's name, the page's help included; so none imports one either."""
    for path in (REPOSITORY / "bot").rglob("*"):
        if path.suffix in {".py", ".js", ".html", ".sql"}:
            text = path.read_text(encoding="utf-8").casefold()
            assert not [game for game in GAMES if game in text], path
