"""Files that a command makes belong to whom the bot's own do: it may be root that gives the command."""

import contextlib
import os
from pathlib import Path


def chown_like(path: Path, like: Path) -> None:
    """Have a file or folder belong to the owner of another; where that is not ours to do, it stays ours."""
    own, wanted = path.stat(), like.stat()
    if (own.st_uid, own.st_gid) != (wanted.st_uid, wanted.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(path, wanted.st_uid, wanted.st_gid)
