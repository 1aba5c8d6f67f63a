"""A scratch copy of the repository, for tests that change its files."""

import shutil
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).parents[1]
COPIED: Final = ("bot", "docs", "render", "rules", "tests", "pyproject.toml")


def copy_repository(target: Path) -> None:
    """Copy what tests need into an empty folder."""
    for part in COPIED:
        source = REPOSITORY / part
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy(source, target / part)
