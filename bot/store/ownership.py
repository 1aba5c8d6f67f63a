"""Changes the owner of new files to that of the bot's files: root may have run the command that made them."""

import contextlib
import os
from pathlib import Path


def chown_like(path: Path, like: Path) -> None:
    """Change the owner of a file or folder to that of ``like``, if this process has the right to."""
    current, wanted = path.stat(), like.stat()
    if (current.st_uid, current.st_gid) != (wanted.st_uid, wanted.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(path, wanted.st_uid, wanted.st_gid)
