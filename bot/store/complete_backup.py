"""The mark on the backup that a bot made of a lost database: it holds all that was ever stored.

The bot sets it once nothing can change any more.  A start and a restoration remove it: changes may follow.
"""

import contextlib
from pathlib import Path
from typing import Final

from bot.store.ownership import chown_like

_MARK_FILE: Final = "complete"
"""The file beside the backups that holds the name of the marked one."""


def mark_complete(backup: Path) -> None:
    """Mark a backup.  Without the mark it is restored like any other, so nothing is done where that fails."""
    file = backup.with_name(_MARK_FILE)
    with contextlib.suppress(OSError):
        file.write_text(backup.name, encoding="ascii")
        chown_like(file, backup.parent)


def is_marked_complete(backup: Path) -> bool:
    """Whether a backup is marked, and still in its folder."""
    try:
        return backup.with_name(_MARK_FILE).read_text(encoding="ascii") == backup.name
    except (OSError, UnicodeDecodeError):
        return False


def remove_mark(folder: Path) -> None:
    """Remove the mark from the backup in a folder that has it.  Raises OSError."""
    if folder.is_dir():
        (folder / _MARK_FILE).unlink(missing_ok=True)
