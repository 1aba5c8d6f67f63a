"""A scratch copy of the repository, for tests that change its files."""

import shutil
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).parents[1]
COPIED_PATHS: Final = ("bot", "docs", "render", "rules", "tests", "compose.yaml", "pyproject.toml")


def copy_repository(target: Path, *, with_compiled: bool = False) -> None:
    """Copy what tests need into an empty folder.

    ``with_compiled``: with the compiled modules, which are those of unchanged files: copies keep their times.
    """
    # *.pyc.*: a compiled module that is still being written
    ignored_patterns = ("*.pyc.*",) if with_compiled else ("__pycache__", "*.pyc")
    for part in COPIED_PATHS:
        source = REPOSITORY / part
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=shutil.ignore_patterns(*ignored_patterns))
        else:
            shutil.copy(source, target / part)
