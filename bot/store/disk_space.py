"""The space on the disks of the database and its backups."""

import shutil
from pathlib import Path
from typing import Final

import msgspec

FREE_SPACE_FACTOR: Final = 3
"""How many times the size of the database must be free: for a backup, a restoration and growth."""
MIN_FREE_BYTES: Final = 50 * 2**20
"""How much must be free however small the database is."""


class DiskSpace(msgspec.Struct, frozen=True):
    """How much is free on the disk of a folder."""

    folder: Path
    free_bytes: int
    needed_bytes: int
    """How much must be free for a backup, a restoration and growth of the database."""

    @property
    def missing_bytes(self) -> int:
        """How much must be deleted; zero or less if enough is free."""
        return self.needed_bytes - self.free_bytes

    def __str__(self) -> str:
        free, needed = (f"{size / 2**20:,.1f} MB" for size in (self.free_bytes, self.needed_bytes))
        return f"{free} are free at {self.folder}: for backups, a restoration and growth {needed} should be"


def fullest_disk(database: Path, folder: Path) -> DiskSpace:
    """Return the disk of the database or of the backups in ``folder``, whichever has less space free.

    Raises OSError.
    """
    needed_bytes = max(MIN_FREE_BYTES, FREE_SPACE_FACTOR * database.stat().st_size)
    spaces = [
        DiskSpace(each, shutil.disk_usage(each).free, needed_bytes)
        for each in (database.parent, folder)
        if each.is_dir()  # the folder of the backups is made with the first
    ]
    return min(spaces, key=lambda each: each.free_bytes)
