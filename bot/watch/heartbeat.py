"""The heartbeat file, which is written while the bot is healthy; the container's health check reads its age.

``python -m bot.watch.heartbeat PATH`` exits with 0 if the file is recent.  The module imports nothing else of
the bot, so that each check is cheap.
"""

import json
import sys
import time
from pathlib import Path
from typing import Final

MAX_HEARTBEAT_AGE: Final = 90.0
"""Seconds after which a heartbeat is too old; one is written every 15."""


def write_heartbeat(path: Path, fields: dict[str, float | int | None]) -> None:
    """Replace the file atomically.  Raises OSError."""
    new_file = path.with_name(f"{path.name}.new")
    new_file.write_text(json.dumps(fields), encoding="utf-8")
    new_file.replace(path)


def is_recent(path: Path, now: float) -> bool:
    """Return whether the file exists and is younger than ``MAX_HEARTBEAT_AGE``.  ``now``: Unix time."""
    try:
        return now - path.stat().st_mtime < MAX_HEARTBEAT_AGE
    except OSError:
        return False


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m bot.watch.heartbeat FILE")
    sys.exit(not is_recent(Path(sys.argv[1]), time.time()))
