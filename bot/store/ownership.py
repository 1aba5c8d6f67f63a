"""Changes the owner of new files to that of the bot's files: root may have run the command that made them."""

import contextlib
import os
from pathlib import Path


def chown_like(path: Path, like: Path) -> None:
    """Change the owner of a file or folder to that of ``like``, if this process has the right to."""
    current_stat, wanted_stat = path.stat(), like.stat()
    if (current_stat.st_uid, current_stat.st_gid) != (wanted_stat.st_uid, wanted_stat.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(path, wanted_stat.st_uid, wanted_stat.st_gid)
