"""Gives files that a command makes the owner of the bot's files, since root may run the command."""

import contextlib
import os
from pathlib import Path


def chown_like(path: Path, like: Path) -> None:
    """Give a file or folder the owner of another; without the right to, leave it as it is."""
    own, wanted = path.stat(), like.stat()
    if (own.st_uid, own.st_gid) != (wanted.st_uid, wanted.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(path, wanted.st_uid, wanted.st_gid)
