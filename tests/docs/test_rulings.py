"""The page of rulings and the code name the same ones."""

import re
from collections.abc import Iterator
from pathlib import Path

from rules.catalogue import GAMES

REPOSITORY = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (REPOSITORY / "docs/rulings.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| [A-Z]+\d", line)
]


def _referenced_rulings() -> Iterator[tuple[Path, str]]:
    """Yield every ruling that a comment or docstring points to."""
    for path in (*REPOSITORY.glob("rules/**/*.py"), *REPOSITORY.glob("tests/rules/**/*.py")):
        for found in re.findall(r"\b(?:R|O|AU|CA|AC)\d+\b(?!\.)", path.read_text(encoding="utf-8")):
            yield path, found


def test_each_id_stands_once() -> None:
    """An id names one ruling of one registered game."""
    ids = [row[0] for row in ROWS]
    assert len(ids) == len(set(ids)) > 40
    assert {row[1] for row in ROWS} <= {game.title for game in GAMES.values()}


def test_every_reference_has_a_ruling() -> None:
    """What the code points to stands on the page."""
    ids = {row[0] for row in ROWS}
    named = list(_referenced_rulings())
    assert len(named) > 20
    assert not [(path.name, found) for path, found in named if found not in ids]


def test_every_ruling_names_code_that_exists() -> None:
    """The last column names files of the game and functions or classes in them."""
    folders = {game.title: REPOSITORY / "rules" / key for key, game in GAMES.items()}
    for ruling, title, *_, where in ROWS:
        for place in where.split("; "):
            file, _, names = place.partition(": ")
            source = (folders[title] / file.strip("`")).read_text(encoding="utf-8")
            for name in re.findall(r"`(\w+)`", names):
                assert re.search(rf"^ *(def|class) {name}\b", source, re.MULTILINE), (ruling, file, name)
