"""Files that a command of root's writes belong to the bot's user."""

import asyncio
import errno
import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.config import StorageSettings
from bot.operate.restore import restore
from bot.store.ownership import chown_like
from rules.catalogue import GAMES
from tests.bot.operate.databases import (
    NOW,
    RunCommandLine,
    make_backup,
    run_with_store,
    start_games,
    storage_in,
)

BOT_USER = 54_321
"""A user id; the user need not exist."""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("is_database_lost", [False, True])
def test_what_root_restores_belongs_to_the_bot(tmp_path: Path, *, is_database_lost: bool) -> None:
    """The restored and the replaced database, the backups and their folder keep their owner."""
    storage = storage_in(tmp_path / "bots")
    storage.database.parent.mkdir(exist_ok=True)
    os.chown(storage.database.parent, BOT_USER, BOT_USER)
    run_with_store(storage, start_games)
    os.chown(storage.database, BOT_USER, BOT_USER)
    run_with_store(storage, lambda store: make_backup(store, storage))
    if is_database_lost:
        storage.database.unlink()
    asyncio.run(restore(storage, GAMES, NOW + 9))
    stat_by_path = {path: path.stat() for path in storage.database.parent.rglob("*")}
    assert storage.database in stat_by_path
    assert len(stat_by_path) >= (4 if is_database_lost else 5)
    assert {(each.st_uid, each.st_gid) for each in stat_by_path.values()} == {(BOT_USER, BOT_USER)}
    assert not [path for path, each in stat_by_path.items() if path.suffix == ".db" and each.st_mode & 0o077]


def test_an_owner_that_cannot_be_changed_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this user may not change the owner nothing fails."""
    path = tmp_path / "file"
    path.touch()
    refused_owners: list[int] = []

    def refuse(_: Path, user: int, __: int) -> None:
        refused_owners.append(user)
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.chown", refuse)
    owner = SimpleNamespace(st_uid=BOT_USER, st_gid=BOT_USER)
    chown_like(path, cast("Path", SimpleNamespace(stat=lambda: owner)))
    assert refused_owners == [BOT_USER]


def test_the_doctor_names_what_this_user_may_not_read(
    storage_with_games: StorageSettings, run: RunCommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as a wrong user, the doctor reports each place that it cannot read, and goes on."""
    hidden_folder = storage_with_games.backup_folder
    hidden_folder.mkdir()
    monkeypatch.setenv("DISCORD_TOKEN", "")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(hidden_folder / "token"))
    hidden_folder.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(BOT_USER)
    try:
        code, out, err = run("doctor")
    finally:
        os.seteuid(user)
        hidden_folder.chmod(0o700)
    assert (code, err) == (1, "")
    assert "FAULT: settings: DISCORD_TOKEN_FILE" in out
    assert f"{hidden_folder} cannot be read: Permission denied\n" in out or user == 0
    assert "tables.db" in out, "the database is checked after the backups"


@pytest.mark.parametrize("command", [("doctor",), ("replay", 1), ("freeze", 1, "why"), ("backup",)])
def test_a_database_that_cannot_be_opened_may_lack_rights(
    storage_with_games: StorageSettings, run: RunCommandLine, command: tuple[str | int, ...]
) -> None:
    """SQLite says only that it cannot open the file; each command says what to check."""
    storage_with_games.database.unlink()
    os.mknod(storage_with_games.database, stat.S_IFSOCK | 0o600)  # SQLite refuses that to root, too
    _, out, err = run(*command)
    assert "Is it there, and may this user read and write it and its folder?" in out + err
