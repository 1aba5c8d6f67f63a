"""A brake on crash loops: who has started too often lately waits before trying again.

The starts are kept in a small file beside the database, since the database may be what is broken.
"""

import logging
from pathlib import Path
from typing import Final

STARTS: Final = ".starts"
"""Ends the name of the file in which the starts are kept; before it stands the database's."""
FIRST_WAIT: Final = 30.0
LONGEST_WAIT: Final = 600.0
"""Seconds: doubled with each further start up to here."""
_MOST_KEPT: Final = 100

_log = logging.getLogger(__name__)


class CrashBackoff:
    """More than ``most`` starts within ``seconds`` are braked; ``most`` 0: never."""

    def __init__(self, path: Path, most: int, seconds: float) -> None:
        """``path``: where the starts are kept."""
        self._path = path
        self._most = most
        self._seconds = seconds

    def begin(self, now: float) -> float:
        """Take a start down; returns the seconds to wait before going on."""
        if not self._most:
            return 0.0
        starts = [each for each in self._read() if now - self._seconds < each <= now]
        starts.append(now)
        self._write(starts[-_MOST_KEPT:])
        over = len(starts) - self._most
        return 0.0 if over <= 0 else min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(over - 1, 20))

    def clean(self) -> None:
        """The bot was stopped in order: what came before says nothing of the next start."""
        if self._most:
            self._write([])

    def _read(self) -> list[float]:
        try:
            return [float(line) for line in self._path.read_text(encoding="ascii").splitlines()]
        except (OSError, ValueError):
            return []

    def _write(self, starts: list[float]) -> None:
        try:
            self._path.touch(0o600)  # as everything beside it
            self._path.write_text("".join(f"{each:.1f}\n" for each in starts), encoding="ascii")
        except OSError:  # a full disk must not keep the bot from saying so itself
            _log.warning("the starts could not be kept", exc_info=True)
