"""Paths at which no database can be used: a start ends for good, and says what is wrong."""

import os
from pathlib import Path

import pytest

from bot.running import prepare_database_path
from bot.store.inspection import open_read_only
from bot.store.open_errors import is_permanent_error
from bot.store.protocol import StoreError
from tests.bot.database_file import open_database_file


def test_a_folder_that_may_not_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite keeps files beside the database, so its folder must be writable, with or without a database."""
    may_access = os.access
    monkeypatch.setattr(
        "bot.running.os.access",
        lambda path, mode: not (path == tmp_path and mode & os.W_OK) and may_access(path, mode),
    )
    for _ in range(2):
        with pytest.raises(PermissionError, match="may not write to this folder") as refusal:
            prepare_database_path(tmp_path / "tables.db")
        assert refusal.value.filename == str(tmp_path)
        (tmp_path / "tables.db").touch()


def test_a_link_may_stand_in_a_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite keeps its files beside the database that the link names."""
    (tmp_path / "data").mkdir()
    (tmp_path / "tables.db").symlink_to(tmp_path / "data" / "tables.db")
    monkeypatch.setattr("bot.running.os.access", lambda path, _mode: path != tmp_path)
    prepare_database_path(tmp_path / "tables.db")


def test_a_folder_in_the_place_of_the_database_is_called_one(tmp_path: Path) -> None:
    """Root may read and write it, so permissions are not what is wrong."""
    with pytest.raises(IsADirectoryError):
        prepare_database_path(tmp_path)
    with pytest.raises(StoreError, match="is a folder"), open_read_only(tmp_path):
        pass


def test_a_database_that_may_not_be_written_to_is_a_permanent_failure(tmp_path: Path) -> None:
    """A restart would change nothing of it."""
    with open_database_file(tmp_path / "tables.db") as connection:
        connection.execute("create table any (value integer)")
    with pytest.raises(StoreError) as refusal, open_read_only(tmp_path / "tables.db") as connection:
        connection.execute("insert into any values (1)")
    assert is_permanent_error(refusal.value)
