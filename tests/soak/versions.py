"""On which day, with which versions and at which commit something was run."""

from __future__ import annotations

import importlib.metadata
import platform
import sqlite3
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_REPOSITORY: Final = Path(__file__).parents[2]


def versions() -> str:
    """Of what the tests depend on most."""
    return ", ".join(
        (
            f"Python {platform.python_version()}",
            f"SQLite {sqlite3.sqlite_version}",
            *(f"{name} {importlib.metadata.version(name)}" for name in ("discord.py", "Pillow")),
        )
    )


def today() -> str:
    """The day, as in 2026-11-21."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def commit() -> str:
    """The short hash; ``(changed)`` where files differ from it."""
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return f"{_git('rev-parse', '--short', 'HEAD') or 'unknown'}{' (changed)' if changed else ''}"


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=_REPOSITORY, capture_output=True, text=True, check=False)
    return done.stdout.strip()
