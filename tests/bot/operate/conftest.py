"""Fixtures of the commands' tests: folders, the command line, short waits for locks."""

import random
import shutil
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.config import StorageSettings
from tests.bot.operate.databases import BOT_TOKEN, RunCommandLine, run_with_store, start_games, storage_in


@pytest.fixture
def storage(tmp_path: Path) -> StorageSettings:
    """Return the settings of an empty folder."""
    return storage_in(tmp_path)


@pytest.fixture(scope="session")
def database_with_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of three running games, the same ones in each run, to be copied."""
    storage = storage_in(tmp_path_factory.mktemp("games"))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("bot.host.tables.secrets.token_bytes", random.Random("games").randbytes)
        run_with_store(storage, start_games)
    return storage.database


@pytest.fixture
def storage_with_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_with_games: Path
) -> StorageSettings:
    """Return settings, of the environment too, with a database of three running games."""
    storage = storage_in(tmp_path)
    monkeypatch.setenv("CAPTAINS_TABLE_DATABASE", str(storage.database))
    monkeypatch.setenv("DISCORD_TOKEN", BOT_TOKEN)
    monkeypatch.delenv("CAPTAINS_TABLE_BACKUPS", raising=False)
    shutil.copy(database_with_games, storage.database)
    return storage


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> RunCommandLine:
    """Return a function that runs a command line and returns exit code, output and errors."""

    def run_main(*arguments: object) -> tuple[int, str, str]:
        code = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert BOT_TOKEN not in captured.out + captured.err
        return code, captured.out, captured.err

    return run_main


@pytest.fixture(autouse=True)
def _short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a locked file at once."""
    monkeypatch.setattr("bot.store.restoring.LOCK_TIMEOUT", 0.05)
    monkeypatch.setattr("bot.store.connection.LOCK_TIMEOUT", 0.05)
