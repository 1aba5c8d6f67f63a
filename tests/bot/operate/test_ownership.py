"""A command that root gives leaves nothing behind that the bot's own user cannot read."""

import asyncio
import os
from pathlib import Path

import pytest

from bot.operate.restore import restore
from bot.store.ownership import chown_like
from rules.catalogue import GAMES
from tests.bot.operate.keeping import NOW, copied, games, keeping_in, with_store

BOTS_OWN = 54_321
"""A user that this machine need not know."""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("lost", [False, True])
def test_what_root_restores_belongs_to_the_bot(tmp_path: Path, *, lost: bool) -> None:
    """The database, the one that it replaces, the copies and their folder belong to who owned them before."""
    keeping = keeping_in(tmp_path / "bots")
    keeping.database.parent.mkdir(exist_ok=True)
    os.chown(keeping.database.parent, BOTS_OWN, BOTS_OWN)
    with_store(keeping, games)
    os.chown(keeping.database, BOTS_OWN, BOTS_OWN)
    with_store(keeping, lambda store: copied(store, keeping))
    if lost:
        keeping.database.unlink()
    asyncio.run(restore(keeping, GAMES, NOW + 9))
    found = {path: path.stat() for path in keeping.database.parent.rglob("*")}
    assert keeping.database in found
    assert len(found) >= (4 if lost else 5)
    assert {(each.st_uid, each.st_gid) for each in found.values()} == {(BOTS_OWN, BOTS_OWN)}
    assert not [path for path, each in found.items() if path.suffix == ".db" and each.st_mode & 0o077]


def test_what_cannot_be_given_stays(tmp_path: Path) -> None:
    """Where a file is not ours to give away, nothing fails."""
    path = tmp_path / "file"
    path.touch()
    chown_like(path, Path("/") if os.geteuid() else tmp_path)
    assert path.stat().st_uid == os.geteuid()
