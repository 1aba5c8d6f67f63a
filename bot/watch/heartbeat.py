"""The heartbeat file: written while the bot is well, looked at by the container.

``python -m bot.watch.heartbeat PATH`` ends with 0 if the file is fresh.  It imports nothing of the bot's, so
that it costs little each time.
"""

import json
import sys
import time
from pathlib import Path
from typing import Final

FRESH: Final = 90.0
"""Seconds; it is written every 15."""


def beat(path: Path, facts: dict[str, float | int | None]) -> None:
    """Write the file, whole at every instant.  Raises OSError."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(json.dumps(facts), encoding="utf-8")
    new.replace(path)


def fresh(path: Path, now: float) -> bool:
    """Whether the bot was well a moment ago."""
    try:
        return now - path.stat().st_mtime < FRESH
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(not fresh(Path(sys.argv[1]), time.time()))
